-- Up Migration

-- Offers without a code (OFFER-04): a percentage off the first billing periods, until a date or for the first users.
create table public.offers (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  percent_off      int not null constraint offers_percent_off_range check (percent_off between 1 and 99),
  periods          int not null constraint offers_periods_range check (periods between 1 and 12),
  audience         text not null constraint offers_audience_known check (audience in ('new', 'former', 'all')),
  is_for_all_plans boolean not null,
  ends_at          timestamptz,
  user_limit       int constraint offers_user_limit_range check (user_limit between 1 and 100000),
  created_at       timestamptz not null default now(),
  ended_at         timestamptz,
  constraint offers_end_somehow check (num_nonnulls(ends_at, user_limit) > 0)
);
comment on table public.offers is 'Creators'' offers. Never changed or deleted, because subscribers have them: the creator ends them early. Fans see what an offer means for them with get_offers.';
comment on column public.offers.creator_id is 'The creator''s profiles.id.';
comment on column public.offers.periods is 'For how many billing periods a subscriber pays less. private.offer_periods has the limits.';
comment on column public.offers.audience is 'new: fans who have never subscribed to the creator; former: those who have, and don''t now; all: both.';
comment on column public.offers.is_for_all_plans is 'Whether it applies to every plan, also to later ones. Otherwise offer_plans has them.';
comment on column public.offers.ends_at is 'Until when fans can take it; null for no date.';
comment on column public.offers.user_limit is 'How many fans can have it; null for any number.';
comment on column public.offers.ended_at is 'When the creator ended it early; null otherwise.';
create index offers_creator_id_idx on public.offers (creator_id, created_at desc);
alter table public.offers enable row level security;
create policy select_own on public.offers for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.offers to authenticated;
-- insert, update, and delete are not granted: create_offer checks the plans and the other offers, and end_offer closes open checkouts.

create table public.offer_plans (
  offer_id uuid references public.offers on delete cascade,
  plan_id  uuid references public.subscription_products on delete cascade,
  primary key (offer_id, plan_id)
);
comment on table public.offer_plans is 'The plans of an offer that isn''t for all.';
create index offer_plans_plan_id_idx on public.offer_plans (plan_id);
alter table public.offer_plans enable row level security;
-- The policy of offers applies within this one.
create policy select_with_offer on public.offer_plans for select to authenticated
  using (exists (select from public.offers o where o.id = offer_id));
grant select on public.offer_plans to authenticated;
-- insert, update, and delete are not granted: see offers.

create table public.offer_uses (
  id              uuid primary key default gen_random_uuid(),
  offer_id        uuid not null references public.offers on delete cascade,
  fan_id          uuid references private.profiles on delete set null,
  held_until      timestamptz not null,
  used_at         timestamptz,
  subscription_id uuid references public.subscriptions on delete set null,
  percent_off     int not null,
  until           timestamptz,
  constraint offer_uses_once unique (offer_id, fan_id),
  constraint offer_uses_subscription_once unique (subscription_id)
);
comment on table public.offer_uses is 'Who has subscribed with an offer, or is about to: a checkout holds its place, so that no more users have the offer than it says. Users see their own.';
comment on column public.offer_uses.fan_id is 'Null after that account was deleted: the place stays taken.';
comment on column public.offer_uses.held_until is 'Until when the place is held for a checkout session that isn''t stored yet. One that is open holds it longer.';
comment on column public.offer_uses.used_at is 'When the subscription began; null while the place is only held.';
comment on column public.offer_uses.percent_off is 'As in offers, for the subscriber.';
comment on column public.offer_uses.until is 'The end of the last period that costs less.';
create index offer_uses_fan_id_idx on public.offer_uses (fan_id);
alter table public.offer_uses enable row level security;
create policy select_own on public.offer_uses for select to authenticated
  using (fan_id = (select private.my_profile_id()) and used_at is not null);
grant select on public.offer_uses to authenticated;
-- insert, update, and delete are not granted: the server holds places, and Stripe's subscriptions use them.

create table private.offer_coupons (
  offer_id         uuid references public.offers on delete cascade,
  months           int check (months between 0 and 36),
  stripe_coupon_id text not null,
  primary key (offer_id, months)
);
comment on table private.offer_coupons is 'Stripe''s coupons of an offer. Each is made when the first fan needs it.';
comment on column private.offer_coupons.months is 'How long the coupon applies, as in private.offer_months; 0 for the first payment alone.';
alter table private.offer_coupons enable row level security; -- and no policy: only the server uses it

alter table private.checkout_sessions add column offer_id uuid references public.offers on delete set null;
comment on column private.checkout_sessions.offer_id is 'The offer of a plan''s session; null for none.';
create index checkout_sessions_offer_id_idx on private.checkout_sessions (offer_id) where offer_id is not null;

create function private.offer_periods(p_interval text, p_interval_count int, p_periods int) returns int
language sql immutable set search_path = ''
as $$
  select case when p_interval in ('day', 'week') then 1
    else least(p_periods, 36 / (p_interval_count * case p_interval when 'year' then 12 else 1 end)) end;
$$;
comment on function private.offer_periods is 'How many periods of a plan an offer covers. Stripe''s coupons repeat by the month: a plan that is billed by the day or week has it once, and none for more than 36 months.';
revoke execute on function private.offer_periods from public;

create function private.offer_months(p_interval text, p_interval_count int, p_periods int) returns int
language sql immutable set search_path = ''
as $$
  select case private.offer_periods(p_interval, p_interval_count, p_periods) when 1 then 0
    else private.offer_periods(p_interval, p_interval_count, p_periods) * p_interval_count * case p_interval when 'year' then 12 else 1 end end;
$$;
comment on function private.offer_months is 'The duration_in_months of the coupon for these periods; 0 for a coupon that applies once.';
revoke execute on function private.offer_months from public;

create function private.offer_taken(p_offer uuid, p_but uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from public.offer_uses u
  where u.offer_id = p_offer and (p_but is null or u.fan_id is distinct from p_but)
    and (u.used_at is not null or u.held_until > now() or exists (
      select from private.checkout_sessions c where c.offer_id = u.offer_id and c.profile_id = u.fan_id and c.status = 'open'));
$$;
comment on function private.offer_taken is 'How many places of an offer are used or held, without those of one fan.';
revoke execute on function private.offer_taken from public;

create function private.is_offer_open(p_offer public.offers) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_offer.ended_at is null and coalesce(p_offer.ends_at > now(), true)
    and (p_offer.user_limit is null
      or p_offer.user_limit > (select count(*) from public.offer_uses u where u.offer_id = p_offer.id and u.used_at is not null));
$$;
comment on function private.is_offer_open is 'Whether fans can take the offer, now or when a place that is held becomes free.';
revoke execute on function private.is_offer_open from public;

create function private.offer_audience(p_fan uuid, p_creator uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_fan is null or p_fan = p_creator then 'new'
    when private.has_subscription(p_fan, p_creator) then null
    when exists (
      select from public.subscriptions s
      where s.subscriber_id = p_fan and s.creator_id = p_creator and s.status not in ('incomplete', 'incomplete_expired')) then 'former'
    else 'new' end;
$$;
comment on function private.offer_audience is 'new or former, as in offers.audience; null for a subscriber. Visitors see what is for new subscribers, and so do creators on their own profile.';
revoke execute on function private.offer_audience from public;

create function private.has_offer_place(p_offer public.offers, p_fan uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_offer.ended_at is null and coalesce(p_offer.ends_at > now(), true)
    and coalesce(p_offer.audience = 'all' or p_offer.audience = a.audience, false) and a.audience is not null
    and not exists (select from public.offer_uses u where u.offer_id = p_offer.id and u.fan_id = p_fan and u.used_at is not null)
    and coalesce(p_offer.user_limit > private.offer_taken(p_offer.id, p_fan), true)
  from (select private.offer_audience(p_fan, p_offer.creator_id) as audience) a;
$$;
comment on function private.has_offer_place is 'Whether a user can take the offer now. p_fan: null for a visitor.';
revoke execute on function private.has_offer_place from public;

create function private.find_offer(p_fan uuid, p_plan uuid) returns public.offers
language sql stable security definer set search_path = ''
as $$
  select o.*
  from public.subscription_products p
  join public.offers o on o.creator_id = p.creator_id
    and (o.is_for_all_plans or exists (select from public.offer_plans k where k.offer_id = o.id and k.plan_id = p.id))
  where p.id = p_plan and p.is_active and private.has_offer_place(o, p_fan)
  order by o.created_at desc, o.id limit 1;
$$;
comment on function private.find_offer is 'The offer that applies to a plan for a user. All null if there is none. p_fan: null for a visitor.';
revoke execute on function private.find_offer from public;

create function private.offered_cents(p_price_cents int, p_percent_off int) returns int
language sql immutable set search_path = ''
as $$
  select c.cents from (select private.discounted_cents(p_price_cents, p_percent_off, null) as cents) c where c.cents >= 50;
$$;
comment on function private.offered_cents is 'The price with an offer. Null if it would be less than a card can be charged: such a price has no offer.';
revoke execute on function private.offered_cents from public;

create function private.saved_in_a_year(p_price_cents int, p_interval text, p_percent_off int, p_amount_off_cents int, p_duration text, p_months int) returns int
language sql immutable set search_path = ''
as $$
  select (p_price_cents - private.discounted_cents(p_price_cents, p_percent_off, p_amount_off_cents)) * case p_duration
    when 'once' then 1
    when 'forever' then y.periods
    else least(ceil(p_months * y.periods / 12.0)::int, y.periods) end
  from (select case p_interval when 'day' then 365 when 'week' then 52 when 'month' then 12 else 1 end as periods) y;
$$;
comment on function private.saved_in_a_year is 'What a coupon saves in the first year of a plan, in cents.';
revoke execute on function private.saved_in_a_year from public;

create function private.require_better_code(p_fan uuid, p_plan uuid, p_code text) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_offer public.offers := private.find_offer(p_fan, p_plan);
  v_code private.promotion_codes;
  v_months int;
begin
  select * into v_plan from public.subscription_products s where s.id = p_plan;
  if v_offer.id is null or private.offered_cents(v_plan.price_cents, v_offer.percent_off) is null then
    return;
  end if;
  v_code := private.require_promotion(p_plan, p_code);
  v_months := private.offer_months(v_plan.interval, 1, v_offer.periods);
  if private.saved_in_a_year(v_plan.price_cents, v_plan.interval, v_code.percent_off, v_code.amount_off_cents, v_code.duration, v_code.duration_months)
    <= private.saved_in_a_year(v_plan.price_cents, v_plan.interval, v_offer.percent_off, null, case v_months when 0 then 'once' else 'repeating' end, v_months)
  then
    raise sqlstate 'PT409' using message = 'The offer saves you more than this code. Leave the code out to get it.', detail = 'promotion_below_offer';
  end if;
end;
$$;
comment on function private.require_better_code is 'Rejects a promotion code that saves a fan no more in the first year than the offer that they get without it.';
revoke execute on function private.require_better_code from public;
grant execute on function private.require_better_code to service_role;

create function private.quote_offer(p_fan uuid, p_plan uuid, p_interval_count int, p_code text) returns table (offer_id uuid, percent_off int, months int)
language plpgsql stable security definer rows 1 set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_offer public.offers;
begin
  if p_code is not null then
    perform private.require_better_code(p_fan, p_plan, p_code);
    return;
  end if;
  v_offer := private.find_offer(p_fan, p_plan);
  if v_offer.id is null or private.offered_cents(private.present_cents(p_plan, p_interval_count), v_offer.percent_off) is null then
    return;
  end if;
  select * into v_plan from public.subscription_products s where s.id = p_plan;
  return query select v_offer.id, v_offer.percent_off, private.offer_months(v_plan.interval, p_interval_count, v_offer.periods);
end;
$$;
comment on function private.quote_offer is 'The offer with which a fan subscribes to a plan for a term, and the months of its coupon. No row for none, and with a promotion code, which must be better.';
revoke execute on function private.quote_offer from public;
grant execute on function private.quote_offer to service_role;

create function private.hold_offer(p_offer uuid, p_fan uuid) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_offer public.offers;
  v_until timestamptz;
begin
  -- One at a time: two would both see the last place.
  select * into v_offer from public.offers o where o.id = p_offer for no key update;
  if v_offer.id is null or not private.has_offer_place(v_offer, p_fan) then
    raise sqlstate 'PT409' using message = 'This offer is over', detail = 'offer_over', hint = 'Reload to see the plan''s price.';
  end if;
  insert into public.offer_uses as u (offer_id, fan_id, held_until, percent_off) values (p_offer, p_fan, now() + interval '1 hour', v_offer.percent_off)
  on conflict on constraint offer_uses_once do update
    -- Two clicks get the same time, so that Stripe returns the same session. It must be half an hour ahead.
    set held_until = case when u.held_until < now() + interval '31 minutes' then now() + interval '1 hour' else u.held_until end
  returning u.held_until into v_until;
  return v_until;
end;
$$;
comment on function private.hold_offer is 'Holds a place in an offer for a checkout. Returns when the checkout must end. PT409 if none is left.';
revoke execute on function private.hold_offer from public;
grant execute on function private.hold_offer to service_role;

create function private.note_offer_use(p_subscription uuid, p_offer uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.offer_uses as u (offer_id, fan_id, held_until, used_at, subscription_id, percent_off, until)
  select o.id, s.subscriber_id, now(), now(), s.id, o.percent_off,
    s.current_period_start + private.offer_periods(p.interval, s.interval_count, o.periods) * s.interval_count * ('1 ' || p.interval)::interval
  from public.subscriptions s
  join public.subscription_products p on p.id = s.tier_id
  join public.offers o on o.id = p_offer and o.creator_id = s.creator_id
  where s.id = p_subscription and s.status in ('active', 'past_due')
    and not exists (select from public.offer_uses k where k.subscription_id = s.id)
  on conflict on constraint offer_uses_once do update
  set used_at = excluded.used_at, subscription_id = excluded.subscription_id, until = excluded.until
  where u.used_at is null;
$$;
comment on function private.note_offer_use is 'Notes that a subscription has begun with an offer, which uses the place that its checkout held. Idempotent.';
revoke execute on function private.note_offer_use from public;
grant execute on function private.note_offer_use to service_role;

-- Stripe forgets a coupon for one bill with that bill, but the period that it paid for goes on.
create function private.has_offer_discount(p_subscription uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.offer_uses u where u.subscription_id = p_subscription and u.until > now());
$$;
comment on function private.has_offer_discount is 'Whether the present period of a subscription cost less because of an offer.';
revoke execute on function private.has_offer_discount from public;
grant execute on function private.has_offer_discount to service_role;

create function public.create_offer(
  percent_off int,
  periods int,
  audience text,
  plan_ids uuid[] default null,
  ends_at timestamptz default null,
  user_limit int default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_plans uuid[];
  v_cheap text;
  v_id uuid;
begin
  perform private.reject_app();
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can make offers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(create_offer.percent_off not between 1 and 99, true) then
    raise exception 'percent_off must be between 1 and 99.' using errcode = '22023';
  elsif coalesce(create_offer.periods not between 1 and 12, true) then
    raise exception 'periods must be between 1 and 12.' using errcode = '22023';
  elsif coalesce(create_offer.audience not in ('new', 'former', 'all'), true) then
    raise exception 'audience must be new, former, or all.' using errcode = '22023';
  elsif create_offer.ends_at is null and create_offer.user_limit is null then
    raise exception 'An offer needs ends_at, user_limit, or both.' using errcode = '22023';
  elsif create_offer.ends_at <= now() or create_offer.ends_at > now() + interval '1 year 1 day' then
    raise exception 'ends_at must be in the future, within a year.' using errcode = '22023';
  elsif create_offer.user_limit not between 1 and 100000 then
    raise exception 'user_limit must be between 1 and 100000.' using errcode = '22023';
  end if;
  v_plans := array(
    select p.id from public.subscription_products p
    where p.creator_id = v_me and p.is_active and (create_offer.plan_ids is null or p.id = any (create_offer.plan_ids)));
  if v_plans = '{}' or (select count(distinct id) from unnest(create_offer.plan_ids) id) > cardinality(v_plans) then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found', hint = 'Choose among your active plans.';
  end if;
  select p.name into v_cheap
  from public.subscription_products p
  where p.id = any (v_plans) and (
    private.offered_cents(p.price_cents, create_offer.percent_off) is null
    or exists (select from public.plan_terms t where t.product_id = p.id and private.offered_cents(t.price_cents, create_offer.percent_off) is null))
  order by p.price_cents, p.id limit 1;
  if v_cheap is not null then
    raise sqlstate 'PT422' using message = 'With this offer, "' || v_cheap || '" would cost less than $0.50, the least that a card can be charged', detail = 'offer_too_cheap';
  end if;
  -- One at a time, so that two devices don't make two offers for the same fans.
  perform pg_advisory_xact_lock(hashtextextended('offers:' || v_me, 0));
  if (select count(*) from public.offers o where o.creator_id = v_me and o.created_at > now() - interval '1 day') >= 50 then
    raise sqlstate 'PT409' using message = 'You can make 50 offers a day', hint = 'Try again tomorrow.';
  elsif exists (
    select from public.offers o
    where o.creator_id = v_me and private.is_offer_open(o) and (o.audience = create_offer.audience or 'all' in (o.audience, create_offer.audience))
      and (o.is_for_all_plans or create_offer.plan_ids is null
        or exists (select from public.offer_plans k where k.offer_id = o.id and k.plan_id = any (create_offer.plan_ids)))
  ) then
    raise sqlstate 'PT409' using message = 'A plan can have one open offer for the same fans. End the other one first.', detail = 'offer_overlaps';
  end if;
  insert into public.offers (creator_id, percent_off, periods, audience, is_for_all_plans, ends_at, user_limit)
  values (v_me, create_offer.percent_off, create_offer.periods, create_offer.audience, create_offer.plan_ids is null, create_offer.ends_at, create_offer.user_limit)
  returning id into v_id;
  insert into public.offer_plans (offer_id, plan_id) select v_id, p.id from unnest(v_plans) p (id) where create_offer.plan_ids is not null;
  return v_id;
end;
$$;
comment on function public.create_offer is
  'Makes an offer on the caller''s plans (OFFER-04): plan_ids, or all of them. It applies from now on, until ends_at or for user_limit users, whichever comes first. detail names the reason of a rejection. Returns offers.id.';
revoke execute on function public.create_offer(int, int, text, uuid[], timestamptz, int) from public, anon;
grant execute on function public.create_offer(int, int, text, uuid[], timestamptz, int) to authenticated;

create function public.end_offer(offer_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.reject_app();
  update public.offers o set ended_at = coalesce(o.ended_at, now()) where o.id = end_offer.offer_id and o.creator_id = private.my_profile_id();
  if not found then
    raise sqlstate 'PT404' using message = 'Offer not found';
  end if;
  perform private.close_checkouts(array(
    select c.id from private.checkout_sessions c where c.offer_id = end_offer.offer_id and c.status = 'open'));
end;
$$;
comment on function public.end_offer is 'Ends the caller''s offer. Subscribers who have it keep it, and open checkouts with it close.';
revoke execute on function public.end_offer(uuid) from public, anon;
grant execute on function public.end_offer(uuid) to authenticated;

create function public.offers_used(public.offers) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from public.offer_uses u
  where u.offer_id = $1.id and u.used_at is not null
    and exists (select from public.offers o where o.id = $1.id and o.creator_id = private.my_profile_id());
$$;
comment on function public.offers_used is 'How many users have subscribed with one of the caller''s offers, as a column of offers.';
revoke execute on function public.offers_used(public.offers) from public, anon;
grant execute on function public.offers_used(public.offers) to authenticated;

-- What fans see.
create type public.plan_offer as (
  plan_id uuid,
  interval_count int,
  percent_off int,
  periods int,
  price_cents int,
  offer_cents int,
  ends_at timestamptz,
  places_left int
);
comment on type public.plan_offer is 'What a plan costs the caller with an offer, for one of its terms (OFFER-04).';
comment on column public.plan_offer.interval_count is '1, or the months of a term. Never null, like all but those below.';
comment on column public.plan_offer.periods is 'How many periods cost offer_cents. Then the plan costs price_cents.';
comment on column public.plan_offer.ends_at is 'Until when it can be taken; null for no date.';
comment on column public.plan_offer.places_left is 'How many users can still take it; null for any number.';

-- security definer: nobody but its creator reads an offer. Plans are those that the caller sees.
create function public.get_offers(creator_profile_id uuid) returns setof public.plan_offer
language sql stable security definer rows 4 set search_path = ''
as $$
  select p.id, t.interval_count, o.percent_off, private.offer_periods(p.interval, t.interval_count, o.periods), t.price_cents, t.offer_cents,
    o.ends_at, o.user_limit - private.offer_taken(o.id, me.id)
  from (select private.my_profile_id() as id) me
  cross join public.subscription_products p
  cross join lateral private.find_offer(me.id, p.id) o
  cross join lateral (
    select k.interval_count, k.price_cents, private.offered_cents(k.price_cents, o.percent_off) as offer_cents
    from (
      select 1 as interval_count, p.price_cents
      union all
      select m.months, m.price_cents from public.plan_terms m where m.product_id = p.id
    ) k
  ) t
  where p.creator_id = creator_profile_id and p.is_active and t.offer_cents is not null
    and (not private.is_private_profile(p.creator_id) or p.creator_id = me.id
      or exists (select from public.subscriptions s where s.tier_id = p.id and s.subscriber_id = me.id))
  order by p.id, t.interval_count;
$$;
comment on function public.get_offers is 'What a creator''s plans cost the caller with offers, term by term. Visitors get those for new subscribers, and subscribers none.';
revoke execute on function public.get_offers(uuid) from public;
grant execute on function public.get_offers(uuid) to anon, authenticated;
