-- Up Migration

-- Analytics of subscribers and money (STATX-01, STATX-03, STATX-04). A subscription is a span: from when to when somebody subscribed, to which
-- plan, and for how much a month. Each change writes one or two rows that belong to this subscription alone, so that many at once wait for
-- nobody. A job adds them up by quarter of an hour, in which every time zone's days begin, by hour, and by day in UTC. Who reads adds the
-- spans that aren't counted yet.

create table private.subscriber_spans (
  id               bigint generated always as identity primary key,
  creator_id       uuid not null references private.profiles on delete cascade,
  subscription_id  uuid not null,
  plan_id          uuid not null,
  link_id          uuid,
  source           text not null check (source in ('paid', 'trial', 'gift')),
  monthly_cents    int not null check (monthly_cents >= 0),
  joined_at        timestamptz not null,
  began_at         timestamptz not null,
  began_as         text not null check (began_as in ('new', 'returning', 'changed')),
  ended_at         timestamptz,
  ended_as         text check (ended_as in ('lost', 'changed')),
  months           int,
  is_begin_counted boolean not null default false,
  is_end_counted   boolean not null default false,
  constraint subscriber_spans_end_complete check ((ended_at is null) = (ended_as is null) and (ended_at is null) = (months is null)),
  constraint subscriber_spans_in_order check (joined_at <= began_at and began_at <= ended_at)
);
comment on table private.subscriber_spans is
  'From when to when subscriptions ran, each with one plan and one price: a change ends a span and begins the next. Without the fan, so that a row can outlive the account. private.note_subscriber_span keeps it.';
comment on column private.subscriber_spans.subscription_id is 'subscriptions.id. No foreign key: the row stays.';
comment on column private.subscriber_spans.plan_id is 'subscription_products.id. No foreign key: no plan is deleted before its creator.';
comment on column private.subscriber_spans.link_id is 'The link that the subscription counts for; null for none. No foreign key: no link is deleted before its creator.';
comment on column private.subscriber_spans.source is 'How the subscription began: paid, with a trial, or as a gift.';
comment on column private.subscriber_spans.monthly_cents is 'What it is worth a month, without a promotion code. Trials and gifts are worth 0.';
comment on column private.subscriber_spans.joined_at is 'When the first of the spans began that follow each other.';
comment on column private.subscriber_spans.began_as is 'new: the fan''s first subscription to the creator; returning: a later one; changed: another plan or price.';
comment on column private.subscriber_spans.ended_at is 'Null while it runs.';
comment on column private.subscriber_spans.months is 'How many whole months had passed since joined_at when it ended.';
create unique index subscriber_spans_one_open on private.subscriber_spans (subscription_id) where ended_at is null;
comment on column private.subscriber_spans.is_begin_counted is 'Whether private.subscriber_rollups has its begin; is_end_counted: its end.';
create index subscriber_spans_creator_id_idx on private.subscriber_spans (creator_id);
create index subscriber_spans_begun_idx on private.subscriber_spans (creator_id) where not is_begin_counted;
create index subscriber_spans_ended_idx on private.subscriber_spans (creator_id) where ended_at is not null and not is_end_counted;
alter table private.subscriber_spans enable row level security; -- and no policy: functions read it for the creator

create table private.subscriber_rollups (
  creator_id uuid references private.profiles on delete cascade,
  size       int check (size in (1, 4, 96)),
  dimension  text check (dimension in ('all', 'plan', 'source', 'link', 'left')),
  member     text,
  bucket     int,
  began      int not null,
  returned   int not null,
  lost       int not null,
  spans      int not null,
  cents      bigint not null,
  primary key (creator_id, size, dimension, member, bucket) include (began, returned, lost, spans, cents)
);
comment on table private.subscriber_rollups is 'Sums of private.subscriber_spans by time. Maintained by private.roll_up_subscribers.';
comment on column private.subscriber_rollups.size is 'How many quarters of an hour a bucket has: 1, 4, or 96 for a day in UTC.';
comment on column private.subscriber_rollups.dimension is 'all, or one of what divides subscribers. left has who was lost, by when they had joined, and by months as in subscriber_spans.';
comment on column private.subscriber_rollups.member is 'The plan, source, link, or months up to 12; empty for all, and for no link.';
comment on column private.subscriber_rollups.bucket is 'The number of buckets of this size since 1970.';
comment on column private.subscriber_rollups.spans is 'How many more there are after the bucket than before.';
comment on column private.subscriber_rollups.cents is 'How much more they are worth a month.';
alter table private.subscriber_rollups enable row level security; -- and no policy: functions read it for the creator

create function private.quarter_of(p_at timestamptz) returns int
language sql immutable set search_path = ''
as $$
  select floor(extract(epoch from p_at) / 900)::int;
$$;
comment on function private.quarter_of is 'The number of quarters of an hour from 1970 to a time.';

create function private.subscriber_moves(p_creator uuid, p_begun bigint[] default null, p_ended bigint[] default null)
returns table (creator_id uuid, dimension text, member text, quarter int, began int, returned int, lost int, spans int, cents bigint)
language sql stable security definer set search_path = ''
as $$
  with begun as (
    select s.* from private.subscriber_spans s where p_begun is null and s.creator_id = p_creator and not s.is_begin_counted
    union all
    select s.* from private.subscriber_spans s where s.id = any (p_begun)
  ), ended as (
    select s.* from private.subscriber_spans s
    where p_ended is null and s.creator_id = p_creator and s.ended_at is not null and not s.is_end_counted
    union all
    select s.* from private.subscriber_spans s where s.id = any (p_ended)
  ), moves as (
    select b.*, private.quarter_of(b.began_at) as quarter, (b.began_as = 'new')::int as began, (b.began_as = 'returning')::int as returned,
      0 as lost, 1 as sign from begun b
    union all
    select e.*, private.quarter_of(e.ended_at), 0, 0, (e.ended_as = 'lost')::int, -1 from ended e
  )
  select m.creator_id, d.dimension, d.member, m.quarter, m.began, m.returned, m.lost, m.sign, m.sign * m.monthly_cents::bigint
  from moves m
  cross join lateral (values
    ('all', ''), ('plan', m.plan_id::text), ('source', m.source), ('link', coalesce(m.link_id::text, ''))
  ) d (dimension, member)
  union all
  select e.creator_id, 'left', least(e.months, 12)::text, private.quarter_of(e.joined_at), 0, 0, 1, 0, 0 from ended e where e.ended_as = 'lost';
$$;
comment on function private.subscriber_moves is
  'What spans add to private.subscriber_rollups: the begins and ends with these ids, or those of the creator that aren''t counted yet.';

create function private.roll_up_subscribers(p_size int default 500) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_begun bigint[];
  v_ended bigint[];
begin
  -- One at a time, so that two don't add to the same buckets.
  if not pg_try_advisory_xact_lock(hashtextextended('subscriber_rollups', 0)) then
    return false;
  end if;
  v_begun := array(select s.id from private.subscriber_spans s where not s.is_begin_counted limit p_size);
  v_ended := array(select s.id from private.subscriber_spans s where s.ended_at is not null and not s.is_end_counted limit p_size);
  -- As in the deletion of an account: first the profiles.
  perform from private.profiles p
  where p.id in (select s.creator_id from private.subscriber_spans s where s.id = any (v_begun || v_ended)) order by p.id for key share;
  insert into private.subscriber_rollups as r (creator_id, size, dimension, member, bucket, began, returned, lost, spans, cents)
  select m.creator_id, k.size, m.dimension, m.member, m.quarter / k.size, sum(m.began), sum(m.returned), sum(m.lost), sum(m.spans), sum(m.cents)
  from private.subscriber_moves(null, v_begun, v_ended) m cross join (values (1), (4), (96)) k (size)
  group by 1, 2, 3, 4, 5
  on conflict on constraint subscriber_rollups_pkey do update set
    began = r.began + excluded.began, returned = r.returned + excluded.returned, lost = r.lost + excluded.lost,
    spans = r.spans + excluded.spans, cents = r.cents + excluded.cents;
  update private.subscriber_spans s set
    is_begin_counted = s.is_begin_counted or s.id = any (v_begun), is_end_counted = s.is_end_counted or s.id = any (v_ended)
  where s.id = any (v_begun || v_ended);
  return p_size in (cardinality(v_begun), cardinality(v_ended));
end;
$$;
comment on function private.roll_up_subscribers is 'Counts spans that weren''t counted yet, up to p_size begins and ends. True if there may be more. False while another transaction does this.';

create function private.recount_subscribers(p_creators uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('subscriber_rollups', 0));
  delete from private.subscriber_rollups r where r.creator_id = any (p_creators);
  update private.subscriber_spans s set is_begin_counted = false, is_end_counted = false
  where s.creator_id = any (p_creators) and (s.is_begin_counted or s.is_end_counted);
end;
$$;
comment on function private.recount_subscribers is 'Lets the next roll-up count all spans of creators again, after they were changed by hand.';

create function private.recurring_cents(p_subscription public.subscriptions) returns int
language sql stable security definer set search_path = ''
as $$
  select case when p_subscription.status in ('active', 'past_due') and not p_subscription.is_gift then coalesce((
    select round(private.monthly_cents(p_subscription.price_cents, p.interval) / p_subscription.interval_count)::int
    from public.subscription_products p where p.id = p_subscription.tier_id), 0)
  else 0 end;
$$;
comment on function private.recurring_cents is 'What a subscription is worth a month, in cents: its price without a promotion code. Trials and gifts don''t recur.';

-- As get_link_retention: who cancels in the first month doesn't remain after it.
create function private.whole_months(p_began timestamptz, p_ended timestamptz) returns int
language sql immutable set search_path = ''
as $$
  select a.months + (a.began + make_interval(months => a.months + 1) < a.ended)::int
    - (a.months > 0 and a.began + make_interval(months => a.months) >= a.ended)::int
  from (
    select u.began, u.ended, greatest((extract(year from u.age) * 12 + extract(month from u.age))::int, 0) as months
    from (select b.began, b.ended, age(b.ended, b.began) as age
      from (select p_began at time zone 'UTC' as began, p_ended at time zone 'UTC' as ended) b) u
  ) a;
$$;
comment on function private.whole_months is 'For how many whole months somebody remained.';

-- What subscribers are worth (STATX-01). Everyone who has paid has a row, because a fan may subscribe later.
create table private.subscriber_values (
  id                 bigint generated always as identity primary key,
  creator_id         uuid not null references private.profiles on delete cascade,
  fan_id             uuid references private.profiles on delete set null,
  plan_id            uuid,
  link_id            uuid,
  joined_at          timestamptz,
  subscription_cents bigint not null default 0,
  other_cents        bigint not null default 0,
  constraint subscriber_values_one_each unique (creator_id, fan_id)
) with (fillfactor = 80);
comment on table private.subscriber_values is 'What each fan has brought a creator, after fees and refunds. private.note_subscriber_value and private.note_subscriber_span keep it.';
comment on column private.subscriber_values.fan_id is 'Null after that account was deleted: the figures stay. Refunds of such accounts get rows of their own.';
comment on column private.subscriber_values.plan_id is 'The plan of the fan''s first subscription; null if there was none. No foreign key: no plan is deleted before its creator.';
comment on column private.subscriber_values.link_id is 'The link that this subscription counts for; null for none.';
comment on column private.subscriber_values.joined_at is 'When it began; null for fans who never subscribed.';
comment on column private.subscriber_values.other_cents is 'Tips, purchases, and gifts to others.';
create index subscriber_values_fan_id_idx on private.subscriber_values (fan_id) where fan_id is not null;
alter table private.subscriber_values enable row level security; -- and no policy: functions read it for the creator

-- Both as the other tables have them, for the first fill, for data that is made without triggers, and for private.verify_subscribers.
create function private.compute_subscriber_spans() returns setof private.subscriber_spans
language sql stable security definer set search_path = ''
as $$
  with stays as (
    select s.*, k.link_id, private.recurring_cents(jsonb_populate_record(s, '{"status": "active"}')) as monthly,
      coalesce(k.started_at, least(s.current_period_start, s.created_at)) as began,
      case when s.status not in ('active', 'trial', 'past_due') then least(private.subscribed_until(s), now()) end as ended,
      row_number() over (partition by s.creator_id, s.subscriber_id order by s.created_at, s.id) > 1 as is_returning
    from public.subscriptions s left join private.link_subscriptions k on k.subscription_id = s.id
    where s.status not in ('incomplete', 'incomplete_expired')
  ), dated as (
    select t.*, case when t.ended is not null then greatest(t.began, t.ended) end as gone, -- greatest leaves out nulls
      -- A trial is worth nothing until it is over.
      case when t.trial_end > t.began and not t.is_gift then t.trial_end end as paid_from
    from stays t where t.began is not null
  )
  select null::bigint, d.creator_id, d.id, d.tier_id, d.link_id,
    case when d.is_gift then 'gift' when d.paid_from is not null or d.status = 'trial' then 'trial' else 'paid' end,
    case when p.is_trial or d.status = 'trial' then 0 else d.monthly end, d.began,
    case when d.paid_from is null or p.is_trial then d.began else d.paid_from end,
    case when d.paid_from is not null and not p.is_trial then 'changed' when d.is_returning then 'returning' else 'new' end,
    case when p.is_trial and p.goes_on then d.paid_from else d.gone end,
    case when p.is_trial and p.goes_on then 'changed' when d.gone is not null then 'lost' end,
    case when p.is_trial and p.goes_on then private.whole_months(d.began, d.paid_from)
      when d.gone is not null then private.whole_months(d.began, d.gone) end, false, false
  from dated d
  cross join lateral (
    select k.is_trial, d.status <> 'trial' and d.paid_from <= now() and (d.gone is null or d.gone > d.paid_from) as goes_on
    from unnest(case when d.paid_from is null then '{f}' else '{t,f}' end::boolean[]) k (is_trial)
  ) p
  where d.paid_from is null or p.is_trial or p.goes_on;
$$;
comment on function private.compute_subscriber_spans is 'private.subscriber_spans as far as the present subscriptions tell: without earlier plans and prices.';

create function private.compute_subscriber_values() returns setof private.subscriber_values
language sql stable security definer set search_path = ''
as $$
  with paid as (
    select t.to_user_id as creator_id, t.from_user_id as fan_id,
      sum(t.net_amount) filter (where coalesce(o.transaction_type, t.transaction_type) = 'subscription') as subscription_cents,
      sum(t.net_amount) filter (where coalesce(o.transaction_type, t.transaction_type) <> 'subscription') as other_cents
    from public.transactions t
    left join public.transactions o on t.transaction_type = 'refund' and o.id = t.original_transaction_id
    where t.to_user_id is not null
      and t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
    group by 1, 2
  ), joined as (
    select distinct on (s.creator_id, s.subscriber_id) s.creator_id, s.subscriber_id as fan_id, s.tier_id as plan_id, k.link_id,
      coalesce(k.started_at, least(s.current_period_start, s.created_at)) as joined_at
    from public.subscriptions s left join private.link_subscriptions k on k.subscription_id = s.id
    where s.status not in ('incomplete', 'incomplete_expired')
    order by s.creator_id, s.subscriber_id, s.created_at, s.id
  )
  select null::bigint, coalesce(p.creator_id, j.creator_id), coalesce(p.fan_id, j.fan_id), j.plan_id, j.link_id, j.joined_at,
    coalesce(p.subscription_cents, 0)::bigint, coalesce(p.other_cents, 0)::bigint
  from paid p full join joined j on j.creator_id = p.creator_id and j.fan_id = p.fan_id;
$$;
comment on function private.compute_subscriber_values is 'private.subscriber_values as the transactions and subscriptions have it. Deleted accounts are one row each creator, without a plan.';

-- Named to run after the trigger that counts subscriptions for links.
create function private.note_subscriber_span() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_span private.subscriber_spans;
  v_is_on boolean;
  v_cents int;
  v_at timestamptz := now();
  v_is_returning boolean;
begin
  if tg_op = 'DELETE' then
    update private.subscriber_spans s set ended_at = e.at, ended_as = 'lost', months = private.whole_months(s.joined_at, e.at)
    from (select greatest(o.began_at, least(private.subscribed_until(old), now())) as at
      from private.subscriber_spans o where o.subscription_id = old.id and o.ended_at is null) e
    where s.subscription_id = old.id and s.ended_at is null;
    return null;
  end if;
  v_is_on := new.status in ('active', 'trial', 'past_due');
  if tg_op = 'UPDATE' then
    select * into v_span from private.subscriber_spans s where s.subscription_id = new.id and s.ended_at is null;
  end if;
  if v_is_on then
    v_cents := private.recurring_cents(new);
  end if;
  if v_is_on and v_span.id is null then
    v_is_returning := tg_op = 'UPDATE' and old.status not in ('incomplete', 'incomplete_expired');
    if not v_is_returning then
      -- When it began by Stripe's clock, as in link_subscriptions.
      v_at := least(coalesce(new.current_period_start, new.created_at), now());
      v_is_returning := exists (
        select from public.subscriptions s
        where s.subscriber_id = new.subscriber_id and s.creator_id = new.creator_id and s.id <> new.id
          and s.status not in ('incomplete', 'incomplete_expired'));
    end if;
    insert into private.subscriber_spans (creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as)
    values (new.creator_id, new.id, new.tier_id,
      (select k.link_id from private.link_subscriptions k where k.subscription_id = new.id),
      case when new.is_gift then 'gift' when new.status = 'trial' then 'trial' else 'paid' end,
      v_cents, v_at, v_at, case when v_is_returning then 'returning' else 'new' end)
    returning * into v_span;
    insert into private.subscriber_values as v (creator_id, fan_id, plan_id, link_id, joined_at)
    values (new.creator_id, new.subscriber_id, v_span.plan_id, v_span.link_id, v_span.joined_at)
    on conflict on constraint subscriber_values_one_each do update
      set plan_id = excluded.plan_id, link_id = excluded.link_id, joined_at = excluded.joined_at where v.joined_at is null;
  elsif v_is_on and (v_span.plan_id, v_span.monthly_cents) is distinct from (new.tier_id, v_cents) then
    v_at := greatest(v_span.began_at, now());
    update private.subscriber_spans s set ended_at = v_at, ended_as = 'changed', months = private.whole_months(s.joined_at, v_at)
    where s.id = v_span.id;
    insert into private.subscriber_spans (creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as)
    values (new.creator_id, new.id, new.tier_id, v_span.link_id, v_span.source, v_cents, v_span.joined_at, v_at, 'changed');
  elsif not v_is_on and v_span.id is not null then
    v_at := greatest(v_span.began_at, least(private.subscribed_until(new), now()));
    update private.subscriber_spans s set ended_at = v_at, ended_as = 'lost', months = private.whole_months(s.joined_at, v_at)
    where s.id = v_span.id;
  end if;
  return null;
end;
$$;
comment on function private.note_subscriber_span is 'Trigger of subscriptions: keeps private.subscriber_spans, and who has subscribed in private.subscriber_values.';
create trigger subscriptions_note_span after insert or delete or update of status, tier_id, price_cents, interval_count on public.subscriptions
  for each row execute function private.note_subscriber_span();

-- Named to run after the trigger that keeps private.fans, as the one above: both lock the rows of a fan in the same order.
create function private.note_subscriber_value() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_original public.transactions;
  v_is_subscription boolean := new.transaction_type = 'subscription';
begin
  if new.transaction_type = 'refund' then
    select * into v_original from public.transactions t where t.id = new.original_transaction_id;
    v_is_subscription := v_original.transaction_type = 'subscription';
  end if;
  insert into private.subscriber_values as v (creator_id, fan_id, plan_id, subscription_cents, other_cents)
  values (new.to_user_id, new.from_user_id,
    -- Of an account that was deleted: the money belongs to the plan, also without its subscriber.
    case when new.from_user_id is null and v_is_subscription then coalesce(new.product_id, v_original.product_id) end,
    case when v_is_subscription then new.net_amount else 0 end, case when v_is_subscription then 0 else new.net_amount end)
  on conflict on constraint subscriber_values_one_each do update set
    subscription_cents = v.subscription_cents + excluded.subscription_cents, other_cents = v.other_cents + excluded.other_cents;
  return null;
end;
$$;
comment on function private.note_subscriber_value is 'Trigger of transactions: adds payments and refunds to private.subscriber_values.';
create trigger transactions_note_value after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
    and new.to_user_id is not null) execute function private.note_subscriber_value();

-- Prices, for the notes on charts. private.stripe_prices doesn't say when a plan got an earlier price again.
create table private.plan_price_changes (
  id         bigint generated always as identity primary key,
  creator_id uuid not null references private.profiles on delete cascade,
  plan_id    uuid not null references public.subscription_products on delete cascade,
  at         timestamptz not null default now(),
  from_cents int not null,
  to_cents   int not null
);
comment on table private.plan_price_changes is 'When plans got other prices. private.note_price_change keeps it.';
create index plan_price_changes_creator_id_idx on private.plan_price_changes (creator_id, at);
create index plan_price_changes_plan_id_idx on private.plan_price_changes (plan_id);
alter table private.plan_price_changes enable row level security; -- and no policy: get_analytics_marks reads it for the creator

create function private.note_price_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.plan_price_changes (creator_id, plan_id, from_cents, to_cents)
  values (new.creator_id, new.id, old.price_cents, new.price_cents);
  return null;
end;
$$;
comment on function private.note_price_change is 'Trigger of subscription_products: keeps private.plan_price_changes.';
create trigger subscription_products_note_price after update of price_cents on public.subscription_products
  for each row when (new.price_cents <> old.price_cents) execute function private.note_price_change();

insert into private.subscriber_spans
  (creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as, ended_at, ended_as, months)
select c.creator_id, c.subscription_id, c.plan_id, c.link_id, c.source, c.monthly_cents, c.joined_at, c.began_at, c.began_as, c.ended_at, c.ended_as, c.months
from private.compute_subscriber_spans() c;
do $$
begin
  while private.roll_up_subscribers(100000) loop null; end loop;
end $$;
insert into private.subscriber_values (creator_id, fan_id, plan_id, link_id, joined_at, subscription_cents, other_cents)
select c.creator_id, c.fan_id, c.plan_id, c.link_id, c.joined_at, c.subscription_cents, c.other_cents
from private.compute_subscriber_values() c;
insert into private.plan_price_changes (creator_id, plan_id, at, from_cents, to_cents)
select p.creator_id, p.id, k.created_at, k.before, k.price_cents
from (
  select s.*, lag(s.price_cents) over (partition by s.product_id order by s.created_at, s.price_cents) as before
  from private.stripe_prices s where s.interval_count = 1
) k
join public.subscription_products p on p.id = k.product_id
where k.before <> k.price_cents;

-- What the creator sees.
create function private.analytics_zone(p_creator uuid, p_zone text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_zone text := coalesce(p_zone, (select s.time_zone from private.user_settings s where s.user_id = p_creator), 'UTC');
begin
  perform now() at time zone v_zone; -- 22023 for an unknown one
  return v_zone;
end;
$$;
comment on function private.analytics_zone is 'The time zone of a creator''s days: the given one, or the one that the app last reported. 22023 for an unknown one.';

create type public.subscriber_day as (
  day date,
  subscribers integer,
  began integer,
  returned integer,
  lost integer,
  monthly_cents bigint,
  previous_subscribers integer,
  previous_began integer,
  previous_returned integer,
  previous_lost integer,
  previous_monthly_cents bigint
);
comment on type public.subscriber_day is 'A day of a creator''s subscribers, beside the day of the previous period. No column is ever null.';
comment on column public.subscriber_day.subscribers is 'At the end of the day, with trials and gifts, like profiles.subscribers_count.';
comment on column public.subscriber_day.began is 'Who subscribed for the first time.';
comment on column public.subscriber_day.returned is 'Who had subscribed before.';
comment on column public.subscriber_day.monthly_cents is 'Recurring revenue at the end of the day: what the subscriptions are worth a month, without promotion codes, trials, and gifts. Before fees.';

create function public.get_subscriber_series(
  creator_profile_id uuid, from_day date default null, to_day date default null, time_zone text default null,
  dimension text default 'all', member text default ''
) returns setof public.subscriber_day
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  v_zone text := private.analytics_zone(creator_profile_id, time_zone);
  v_to date := coalesce(to_day, (now() at time zone v_zone)::date);
  v_from date := coalesce(from_day, v_to - 29);
  v_days int := v_to - v_from + 1;
  v_starts int[];
  v_size int;
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  if dimension not in ('all', 'plan', 'source', 'link') then
    raise exception 'dimension must be all, plan, source, or link' using errcode = '22023';
  end if;
  v_starts := array(
    select private.quarter_of((v_from - v_days + n)::timestamp at time zone v_zone) from generate_series(0, 2 * v_days) n order by n);
  v_size := case when exists (select from unnest(v_starts) q where q % 4 <> 0) then 1 else 4 end;
  return query
    with moves as (
      -- Before the first day, by day in UTC.
      select 0 as place, r.began, r.returned, r.lost, r.spans, r.cents
      from private.subscriber_rollups r
      where r.creator_id = creator_profile_id and r.size = 96 and r.dimension = get_subscriber_series.dimension
        and r.member = get_subscriber_series.member and r.bucket < v_starts[1] / 96
      union all
      select width_bucket(r.bucket * v_size, v_starts), r.began, r.returned, r.lost, r.spans, r.cents
      from private.subscriber_rollups r
      where r.creator_id = creator_profile_id and r.size = v_size and r.dimension = get_subscriber_series.dimension
        and r.member = get_subscriber_series.member and r.bucket >= v_starts[1] / 96 * 96 / v_size
        and r.bucket < v_starts[2 * v_days + 1] / v_size
      union all
      select width_bucket(m.quarter, v_starts), m.began, m.returned, m.lost, m.spans, m.cents
      from private.subscriber_moves(creator_profile_id) m
      where m.dimension = get_subscriber_series.dimension and m.member = get_subscriber_series.member
    ), sums as (
      select m.place, sum(m.began) as began, sum(m.returned) as returned, sum(m.lost) as lost, sum(m.spans) as spans, sum(m.cents) as cents
      from moves m group by 1
    ), days as (
      select g.place, coalesce(u.began, 0)::int as began, coalesce(u.returned, 0)::int as returned, coalesce(u.lost, 0)::int as lost,
        coalesce(sum(u.spans) over (order by g.place), 0)::int as subscribers,
        coalesce(sum(u.cents) over (order by g.place), 0)::bigint as cents
      from generate_series(0, 2 * v_days) g (place) left join sums u on u.place = g.place
    )
    select v_from + n.place - v_days - 1, n.subscribers, n.began, n.returned, n.lost, n.cents, p.subscribers, p.began, p.returned, p.lost, p.cents
    from days n join days p on p.place = n.place - v_days
    where n.place > v_days order by n.place;
end;
$$;
comment on function public.get_subscriber_series is
  'Subscribers and recurring revenue by day in a time zone, beside the same number of days before; the last 30 days by default. Of one plan, source (paid, trial, gift), or link if dimension and member name it; an empty link is none. For the creator and admins.';
grant execute on function public.get_subscriber_series(uuid, date, date, text, text, text) to authenticated;

create type public.subscriber_group as (
  dimension text,
  id uuid,
  name text,
  subscribers integer,
  began integer,
  returned integer,
  lost integer,
  monthly_cents bigint,
  previous_subscribers integer,
  previous_began integer,
  previous_returned integer,
  previous_lost integer,
  previous_monthly_cents bigint
);
comment on type public.subscriber_group is 'The subscribers of one plan, source, or link in a period and in the previous one. Only id and name can be null.';
comment on column public.subscriber_group.dimension is 'plan, source, or link.';
comment on column public.subscriber_group.id is 'The plan or link; null for those who came by none.';
comment on column public.subscriber_group.name is 'The name of the plan or link, or paid, trial, or gift; null for those who came by no link.';
comment on column public.subscriber_group.subscribers is 'At the end of the period.';
comment on column public.subscriber_group.monthly_cents is 'Recurring revenue at the end of the period.';

create function private.rolled_moves(p_creator uuid, p_dimensions text[], p_starts int[])
returns table (dimension text, member text, place int, began bigint, returned bigint, lost bigint, spans bigint, cents bigint)
language sql stable security definer set search_path = ''
as $$
  with edges as (
    select distinct q / 96 as day from unnest(p_starts) q
  ), days as (
    select r.* from private.subscriber_rollups r where r.creator_id = p_creator and r.size = 96 and r.dimension = any (p_dimensions)
  ), moves as (
    select d.dimension, d.member, d.bucket * 96 as quarter, d.began, d.returned, d.lost, d.spans, d.cents
    from days d where not exists (select from edges e where e.day = d.bucket)
    union all
    -- A day in UTC in which a place begins.
    select r.dimension, r.member, r.bucket, r.began, r.returned, r.lost, r.spans, r.cents
    from days d join edges e on e.day = d.bucket
    join private.subscriber_rollups r on r.creator_id = p_creator and r.size = 1 and r.dimension = d.dimension and r.member = d.member
      and r.bucket >= d.bucket * 96 and r.bucket < (d.bucket + 1) * 96
    union all
    select m.dimension, m.member, m.quarter, m.began, m.returned, m.lost, m.spans, m.cents
    from private.subscriber_moves(p_creator) m where m.dimension = any (p_dimensions)
  )
  select m.dimension, m.member, width_bucket(m.quarter, p_starts), sum(m.began), sum(m.returned), sum(m.lost), sum(m.spans), sum(m.cents)::bigint
  from moves m group by 1, 2, 3;
$$;
comment on function private.rolled_moves is 'Sums of a creator''s spans between moments, in quarters of an hour: place 0 is before the first. With what isn''t rolled up yet.';

create function public.get_subscriber_groups(
  creator_profile_id uuid, from_day date default null, to_day date default null, time_zone text default null
) returns setof public.subscriber_group
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  v_zone text := private.analytics_zone(creator_profile_id, time_zone);
  v_to date := coalesce(to_day, (now() at time zone v_zone)::date);
  v_from date := coalesce(from_day, v_to - 29);
  v_starts int[];
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  -- 1 is the previous period, 2 this one.
  v_starts := array(
    select private.quarter_of(d.day::timestamp at time zone v_zone)
    from unnest(array[v_from - (v_to - v_from + 1), v_from, v_to + 1]) with ordinality d (day, place) order by d.place);
  return query
    with grouped as (
      select m.dimension, m.member,
        coalesce(sum(m.spans) filter (where m.place <= 2), 0)::int as subscribers,
        coalesce(sum(m.began) filter (where m.place = 2), 0)::int as began,
        coalesce(sum(m.returned) filter (where m.place = 2), 0)::int as returned,
        coalesce(sum(m.lost) filter (where m.place = 2), 0)::int as lost,
        coalesce(sum(m.cents) filter (where m.place <= 2), 0)::bigint as cents,
        coalesce(sum(m.spans) filter (where m.place <= 1), 0)::int as before_subscribers,
        coalesce(sum(m.began) filter (where m.place = 1), 0)::int as before_began,
        coalesce(sum(m.returned) filter (where m.place = 1), 0)::int as before_returned,
        coalesce(sum(m.lost) filter (where m.place = 1), 0)::int as before_lost,
        coalesce(sum(m.cents) filter (where m.place <= 1), 0)::bigint as before_cents
      from private.rolled_moves(creator_profile_id, '{plan,source,link}', v_starts) m group by 1, 2
    )
    select g.dimension, case when g.dimension <> 'source' and g.member <> '' then g.member::uuid end,
      case g.dimension when 'plan' then t.name when 'link' then l.name else g.member end,
      g.subscribers, g.began, g.returned, g.lost, g.cents,
      g.before_subscribers, g.before_began, g.before_returned, g.before_lost, g.before_cents
    from grouped g
    left join public.subscription_products t on g.dimension = 'plan' and t.id::text = g.member
    left join public.tracking_links l on g.dimension = 'link' and l.id::text = g.member
    where g.subscribers + g.began + g.returned + g.lost + g.before_subscribers + g.before_began + g.before_returned + g.before_lost > 0
    order by g.dimension, g.subscribers desc, coalesce(t.name, l.name, g.member), g.member;
end;
$$;
comment on function public.get_subscriber_groups is
  'Subscribers and recurring revenue of a period by plan, by source, and by link, beside the same number of days before; the last 30 days by default. For the creator and admins.';
grant execute on function public.get_subscriber_groups(uuid, date, date, text) to authenticated;

create type public.subscriber_cohort as (
  month date,
  subscribers integer,
  remaining integer[]
);
comment on type public.subscriber_cohort is 'The subscribers who began in a month, with those on trial, and how many remain.';
comment on column public.subscriber_cohort.month is 'Its first day. Never null.';
comment on column public.subscriber_cohort.subscribers is 'Never null.';
comment on column public.subscriber_cohort.remaining is 'After 1, 2, 3, … months, up to 12: those that have passed for all of them. Never null.';

create function public.get_subscriber_retention(creator_profile_id uuid, time_zone text default null) returns setof public.subscriber_cohort
language plpgsql stable security definer rows 24 set search_path = ''
as $$
declare
  v_zone text := private.analytics_zone(creator_profile_id, time_zone);
  v_now timestamp := now() at time zone v_zone;
  v_months date[];
begin
  perform private.require_own_dashboard(creator_profile_id, v_now::date, v_now::date);
  v_months := array(
    select m::date from generate_series(date_trunc('month', v_now) - interval '23 months', date_trunc('month', v_now) + interval '1 month', interval '1 month') m
    order by m);
  return query
    with moves as (
      select * from private.rolled_moves(creator_profile_id, '{all,left}',
        array(select private.quarter_of(m.day::timestamp at time zone v_zone) from unnest(v_months) with ordinality m (day, place) order by m.place))
    ), cohorts as (
      select v_months[m.place] as month, (m.began + m.returned)::int as subscribers, m.place
      from moves m where m.dimension = 'all' and m.place between 1 and 24 and m.began + m.returned > 0
    )
    select c.month, c.subscribers, array(
      select (c.subscribers - coalesce(sum(e.lost) filter (where e.member::int < n), 0))::int
      from generate_series(1, 12) n
      left join moves e on e.dimension = 'left' and e.place = c.place
      where c.month + make_interval(months => n + 1) <= v_now
      group by n order by n)
    from cohorts c order by c.month desc;
end;
$$;
comment on function public.get_subscriber_retention is
  'How many subscribers remain after 1, 2, 3, … months, by the month in which they began, for 24 months, newest first. For the creator and admins.';
grant execute on function public.get_subscriber_retention(uuid, text) to authenticated;

create type public.subscriber_worth as (
  dimension text,
  id uuid,
  name text,
  subscribers integer,
  subscription_cents bigint,
  other_cents bigint
);
comment on type public.subscriber_worth is 'What the subscribers of a plan or link have brought until now, after fees and refunds. Only id and name can be null.';
comment on column public.subscriber_worth.dimension is 'plan or link.';
comment on column public.subscriber_worth.id is 'The plan of their first subscription, or the link that it counts for; null for those who came by none.';
comment on column public.subscriber_worth.subscribers is 'Who has ever subscribed.';
comment on column public.subscriber_worth.other_cents is 'Tips, purchases, and gifts to others.';

create function public.get_subscriber_values(creator_profile_id uuid) returns setof public.subscriber_worth
language plpgsql stable security definer rows 10 set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    with parts as (
      select v.plan_id, v.link_id, count(v.joined_at) as subscribers, sum(v.subscription_cents) as subscription_cents, sum(v.other_cents) as other_cents
      from private.subscriber_values v where v.creator_id = creator_profile_id and v.plan_id is not null
      group by 1, 2
    ), grouped as (
      select d.dimension, d.id, sum(p.subscribers)::int as subscribers, sum(p.subscription_cents)::bigint as subscription_cents,
        sum(p.other_cents)::bigint as other_cents
      from parts p cross join lateral (values ('plan', p.plan_id), ('link', p.link_id)) d (dimension, id)
      group by 1, 2
    )
    select g.dimension, g.id, coalesce(t.name, l.name), g.subscribers, g.subscription_cents, g.other_cents
    from grouped g
    left join public.subscription_products t on g.dimension = 'plan' and t.id = g.id
    left join public.tracking_links l on g.dimension = 'link' and l.id = g.id
    order by g.dimension, g.subscription_cents + g.other_cents desc, coalesce(t.name, l.name), g.id;
end;
$$;
comment on function public.get_subscriber_values is
  'What everyone who has ever subscribed has brought the creator, by the plan of the first subscription and by link. For the creator and admins.';
grant execute on function public.get_subscriber_values(uuid) to authenticated;

create type public.analytics_mark as (
  day date,
  kind text,
  name text,
  from_cents integer,
  to_cents integer,
  recipients integer
);
comment on type public.analytics_mark is 'Something that the creator did on a day, to note on charts.';
comment on column public.analytics_mark.day is 'Never null.';
comment on column public.analytics_mark.kind is 'price for another price of a plan, message for a mass message. Never null.';
comment on column public.analytics_mark.name is 'The plan, or the beginning of the message, which can be empty. Never null.';
comment on column public.analytics_mark.from_cents is 'The price before; null for a message.';
comment on column public.analytics_mark.to_cents is 'The price from then on, or that of the message; null for a free one.';
comment on column public.analytics_mark.recipients is 'To how many fans the message was sent; null for a price.';

create function public.get_analytics_marks(
  creator_profile_id uuid, from_day date default null, to_day date default null, time_zone text default null
) returns setof public.analytics_mark
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  v_zone text := private.analytics_zone(creator_profile_id, time_zone);
  v_to date := coalesce(to_day, (now() at time zone v_zone)::date);
  v_from date := coalesce(from_day, v_to - 29);
  v_start timestamptz := v_from::timestamp at time zone v_zone;
  v_end timestamptz := (v_to + 1)::timestamp at time zone v_zone;
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    select (m.at at time zone v_zone)::date, m.kind, m.name, m.from_cents, m.to_cents, m.recipients
    from (
      select c.at, 'price' as kind, p.name, c.from_cents, c.to_cents, null::int as recipients
      from private.plan_price_changes c join public.subscription_products p on p.id = c.plan_id
      where c.creator_id = creator_profile_id and c.at >= v_start and c.at < v_end
      union all
      select g.sent_at, 'message', left(regexp_replace(g.content, '\s+', ' ', 'g'), 80), null, g.price_cents, g.sent_count
      from public.mass_messages g
      where g.creator_id = creator_profile_id and g.sent_at >= v_start and g.sent_at < v_end
    ) m
    order by m.at limit 100;
end;
$$;
comment on function public.get_analytics_marks is
  'Price changes of plans and mass messages of a period, to note on charts: the first 100. For the creator and admins.';
grant execute on function public.get_analytics_marks(uuid, date, date, text) to authenticated;

create function private.verify_subscribers() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  -- Each subscription that runs has one open span with its plan and its worth, and no other has one.
  select coalesce(k.creator_id, o.creator_id), 'subscriber_spans.monthly_cents', k.monthly_cents, o.cents
  from (select * from private.subscriber_spans s where s.ended_at is null) k
  full join (
    select s.id, s.creator_id, s.tier_id, private.recurring_cents(s) as cents
    from public.subscriptions s where s.status in ('active', 'trial', 'past_due')
  ) o on o.id = k.subscription_id and o.creator_id = k.creator_id and o.tier_id = k.plan_id
  where k.monthly_cents is distinct from o.cents
  union all
  -- Who began and wasn't lost is there, on all days together.
  select s.creator_id, 'subscriber_spans.began_as', count(*) filter (where s.began_as <> 'changed') - count(*) filter (where s.ended_as = 'lost'),
    count(*) filter (where s.ended_at is null)
  from private.subscriber_spans s group by 1
  having count(*) filter (where s.began_as <> 'changed') - count(*) filter (where s.ended_as = 'lost') <> count(*) filter (where s.ended_at is null)
  union all
  select coalesce(k.creator_id, c.creator_id), 'subscriber_rollups.' || v.counter, v.kept, v.counted
  from private.subscriber_rollups k
  full join (
    select m.creator_id, z.size, m.dimension, m.member, m.quarter / z.size as bucket, sum(m.began) as began, sum(m.returned) as returned,
      sum(m.lost) as lost, sum(m.spans) as spans, sum(m.cents) as cents
    from private.subscriber_moves(null,
      array(select s.id from private.subscriber_spans s where s.is_begin_counted),
      array(select s.id from private.subscriber_spans s where s.is_end_counted)) m
    cross join (values (1), (4), (96)) z (size)
    group by 1, 2, 3, 4, 5
  ) c on c.creator_id = k.creator_id and c.size = k.size and c.dimension = k.dimension and c.member = k.member and c.bucket = k.bucket
  cross join lateral (values
    ('began', k.began, c.began), ('returned', k.returned, c.returned), ('lost', k.lost, c.lost), ('spans', k.spans, c.spans), ('cents', k.cents, c.cents)
  ) v (counter, kept, counted)
  where coalesce(v.kept, 0) <> coalesce(v.counted, 0)
  union all
  -- Fans and creators to the cent, and all money of subscriptions. Of deleted accounts, only the sum is known.
  select coalesce(k.creator_id, c.creator_id), 'subscriber_values.' || v.counter, v.kept, v.counted
  from private.subscriber_values k
  full join private.compute_subscriber_values() c on c.creator_id = k.creator_id and c.fan_id = k.fan_id
  cross join lateral (values
    ('subscription_cents', k.subscription_cents, c.subscription_cents), ('other_cents', k.other_cents, c.other_cents)
  ) v (counter, kept, counted)
  where coalesce(k.fan_id, c.fan_id) is not null and coalesce(v.kept, 0) <> coalesce(v.counted, 0)
  union all
  select coalesce(k.creator_id, c.creator_id), 'subscriber_values.all_' || v.counter, v.kept, v.counted
  from (
    select s.creator_id, sum(s.subscription_cents) as subscription_cents, sum(s.other_cents) as other_cents from private.subscriber_values s group by 1
  ) k
  full join (
    select s.creator_id, sum(s.subscription_cents) as subscription_cents, sum(s.other_cents) as other_cents
    from private.compute_subscriber_values() s group by 1
  ) c on c.creator_id = k.creator_id
  cross join lateral (values
    ('subscription_cents', k.subscription_cents, c.subscription_cents), ('other_cents', k.other_cents, c.other_cents)
  ) v (counter, kept, counted)
  where coalesce(v.kept, 0) <> coalesce(v.counted, 0);
$$;
comment on function private.verify_subscribers is 'Figures of analytics that differ from subscriptions and transactions, for private.verify_counters.';

create or replace function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0)
  union all
  select * from private.verify_vault()
  union all
  select * from private.verify_fans()
  union all
  select * from private.verify_mass_messages()
  union all
  select * from private.verify_flows()
  union all
  select * from private.verify_links()
  union all
  select * from private.verify_products()
  union all
  select * from private.verify_goals()
  union all
  select * from private.verify_subscribers();
$$;
