-- Up Migration

-- Plans for several months at a time (OFFER-01), and a price lock for subscribers (OFFER-08).
create table public.plan_terms (
  product_id  uuid not null references public.subscription_products on delete cascade,
  creator_id  uuid not null references private.profiles on delete cascade,
  months      int not null constraint plan_terms_months_known check (months in (3, 6, 12)),
  percent_off int not null constraint plan_terms_percent_off_range check (percent_off between 0 and 50),
  price_cents int not null check (price_cents > 0),
  created_at  timestamptz not null default now(),
  primary key (product_id, months)
);
comment on table public.plan_terms is 'The terms of several months for which a monthly plan is sold, beside one month. A term that is no longer sold is deleted: subscribers keep theirs.';
comment on column public.plan_terms.creator_id is 'The plan''s creator, for the copy of their data.';
comment on column public.plan_terms.percent_off is 'What the term costs less than the same months one by one.';
comment on column public.plan_terms.price_cents is 'US cents for the whole term: private.term_cents of the plan''s price.';
alter table public.plan_terms enable row level security;
create index plan_terms_creator_id_idx on public.plan_terms (creator_id); -- the cascade from profiles, and the copy
-- The policies of plans apply within this one.
create policy select_with_plan on public.plan_terms for select to anon, authenticated
  using (exists (select from public.subscription_products s where s.id = product_id));
grant select on public.plan_terms to anon, authenticated;
-- insert, update, and delete are not granted: each term has a price at Stripe, which the server makes first.

create function private.term_cents(p_price_cents int, p_months int, p_percent_off int) returns int
language sql immutable set search_path = ''
as $$
  select round(p_price_cents * p_months * (100 - p_percent_off) / 100.0)::int;
$$;
comment on function private.term_cents is 'The price of a term, in cents. The same as termCents in contract/plan-terms.ts.';
revoke execute on function private.term_cents from public;
grant execute on function private.term_cents to service_role;

-- Every price that a plan has had at Stripe: subscribers keep theirs, also when the plan gets another one.
create table private.stripe_prices (
  stripe_price_id text primary key,
  product_id      uuid not null references public.subscription_products on delete cascade,
  interval_count  int not null check (interval_count in (1, 3, 6, 12)),
  price_cents     int not null check (price_cents > 0),
  created_at      timestamptz not null default now(),
  constraint stripe_prices_once unique (product_id, interval_count, price_cents)
);
comment on table private.stripe_prices is 'Stripe''s ids of the prices that a plan has or had. Which of them are on sale follows from subscription_products.price_cents and plan_terms.';
comment on column private.stripe_prices.interval_count is 'How many of the plan''s intervals the price covers: 1, or the months of a term.';
alter table private.stripe_prices enable row level security;
insert into private.stripe_prices (stripe_price_id, product_id, interval_count, price_cents, created_at)
select k.stripe_price_id, k.product_id, 1, p.price_cents, k.created_at
from private.stripe_products k join public.subscription_products p on p.id = k.product_id;
-- The version before writes it while this one is being installed.
alter table private.stripe_products alter column stripe_price_id drop not null;
comment on table private.stripe_products is 'Stripe''s id of a plan. Clients don''t need it. Its prices are in stripe_prices.';
comment on column private.stripe_products.stripe_price_id is 'The first price of a plan that was made before stripe_prices; null for others. Only the version before reads it.';
create function private.keep_first_price() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.stripe_prices (stripe_price_id, product_id, interval_count, price_cents)
  select new.stripe_price_id, s.id, 1, s.price_cents from public.subscription_products s where s.id = new.product_id
  on conflict do nothing;
  return null;
end;
$$;
comment on function private.keep_first_price is 'Trigger of stripe_products: the price of a plan that the version before makes.';
create trigger stripe_products_keep_first_price after insert on private.stripe_products
  for each row when (new.stripe_price_id is not null) execute function private.keep_first_price();

-- Locks the plan, so that two devices that save at once leave the prices of one of them.
create function private.set_plan_prices(p_plan uuid, p_prices jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_price_cents int := (select (p.value ->> 'price_cents')::int from jsonb_array_elements(p_prices) p where (p.value ->> 'interval_count')::int = 1);
begin
  select * into v_plan from public.subscription_products s where s.id = p_plan for no key update;
  if v_plan.interval <> 'month' and jsonb_array_length(p_prices) > 1 then
    raise sqlstate 'PT422' using message = 'Only monthly plans can be sold for several months', detail = 'terms_need_months';
  elsif exists (
    select from jsonb_to_recordset(p_prices) p (interval_count int, percent_off int, price_cents int)
    where p.price_cents is distinct from private.term_cents(v_price_cents, p.interval_count, p.percent_off)
  ) then
    raise exception 'p_prices must be the plan''s price and what follows from it' using errcode = '22023';
  end if;
  insert into private.stripe_prices (stripe_price_id, product_id, interval_count, price_cents)
  select p.stripe_price_id, p_plan, p.interval_count, p.price_cents
  from jsonb_to_recordset(p_prices) p (stripe_price_id text, interval_count int, price_cents int)
  on conflict on constraint stripe_prices_once do nothing;
  update public.subscription_products s set price_cents = v_price_cents where s.id = p_plan and s.price_cents <> v_price_cents;
  delete from public.plan_terms t where t.product_id = p_plan
    and t.months not in (select (p.value ->> 'interval_count')::int from jsonb_array_elements(p_prices) p);
  insert into public.plan_terms as t (product_id, creator_id, months, percent_off, price_cents)
  select p_plan, v_plan.creator_id, p.interval_count, p.percent_off, p.price_cents
  from jsonb_to_recordset(p_prices) p (interval_count int, percent_off int, price_cents int) where p.interval_count > 1
  on conflict (product_id, months) do update set percent_off = excluded.percent_off, price_cents = excluded.price_cents
  where (t.percent_off, t.price_cents) is distinct from (excluded.percent_off, excluded.price_cents);
end;
$$;
comment on function private.set_plan_prices is 'Sets the prices at which a plan is sold from now on: [{interval_count, percent_off, price_cents, stripe_price_id}], with one for an interval_count of 1. Terms that it leaves out are no longer sold.';
revoke execute on function private.set_plan_prices from public;
grant execute on function private.set_plan_prices to service_role;

-- A subscription has a price and a term of its own. The triggers are off because this is no new state of the subscriptions.
alter table public.subscriptions
  add column price_cents int not null default 1,
  add column interval_count int not null default 1 constraint subscriptions_interval_count_known check (interval_count in (1, 3, 6, 12));
alter table public.subscriptions disable trigger user;
update public.subscriptions s set price_cents = p.price_cents from public.subscription_products p where p.id = s.tier_id;
alter table public.subscriptions enable trigger user;
alter table public.subscriptions
  alter column price_cents drop default,
  add constraint subscriptions_price_cents_positive check (price_cents > 0);
comment on column public.subscriptions.price_cents is 'US cents that a period of this subscription costs, without a promotion code. It stays when the plan''s price changes (OFFER-08).';
comment on column public.subscriptions.interval_count is 'How many of the plan''s intervals a period has: 1, or the months of a term (OFFER-01).';
create function private.set_subscription_price() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.price_cents := coalesce(
    (select t.price_cents from public.plan_terms t where t.product_id = new.tier_id and t.months = new.interval_count),
    (select s.price_cents * new.interval_count from public.subscription_products s where s.id = new.tier_id));
  return new;
end;
$$;
comment on function private.set_subscription_price is 'Trigger of subscriptions: the plan''s present price, if Stripe''s price is none that we know.';
create trigger subscriptions_set_price before insert or update on public.subscriptions
  for each row when (new.price_cents is null) execute function private.set_subscription_price();

-- With price and term, so that the monthly revenue is still read from the index alone.
drop index public.subscriptions_tier_id_status_idx;
create index subscriptions_tier_id_status_idx on public.subscriptions (tier_id, status) include (interval_count, price_cents);

-- As before, with price and term.
drop function private.apply_subscription_state(text, uuid, uuid, uuid, text, timestamptz, timestamptz, timestamptz, boolean, timestamptz, timestamptz);
create function private.apply_subscription_state(
  p_stripe_subscription_id text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_status text,
  p_current_period_start timestamptz,
  p_current_period_end timestamptz,
  p_trial_end timestamptz,
  p_cancel_at_period_end boolean,
  p_canceled_at timestamptz,
  p_event_at timestamptz,
  p_price_cents int default null,
  p_interval_count int default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_status text := case p_status when 'trialing' then 'trial' else p_status end;
  v_known private.stripe_subscriptions;
  v_current public.subscriptions;
  v_id uuid;
begin
  -- One state of a subscription at a time: two workers may handle events of the same subscription.
  perform pg_advisory_xact_lock(hashtextextended('subscription:' || p_stripe_subscription_id, 0));
  select * into v_known from private.stripe_subscriptions s where s.stripe_subscription_id = p_stripe_subscription_id;
  if v_known.subscription_id is null then
    insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_start, current_period_end,
      trial_end, cancel_at_period_end, canceled_at, past_due_since, access_until, price_cents, interval_count)
    values (p_subscriber, p_creator, p_product, v_status, p_current_period_start, p_current_period_end,
      p_trial_end, coalesce(p_cancel_at_period_end, false), p_canceled_at, case v_status when 'past_due' then p_event_at end, '-infinity',
      p_price_cents, coalesce(p_interval_count, 1))
    returning id into v_id;
    insert into private.stripe_subscriptions (subscription_id, stripe_subscription_id, last_event_at)
    values (v_id, p_stripe_subscription_id, p_event_at);
  else
    v_id := v_known.subscription_id;
    select * into v_current from public.subscriptions s where s.id = v_id for update;
    if p_event_at < v_known.last_event_at
      or (p_event_at = v_known.last_event_at and private.subscription_stage(v_status) < private.subscription_stage(v_current.status))
      or (v_current.status in ('canceled', 'incomplete_expired') and v_status <> v_current.status and v_known.presumed_ended_at is null) -- a canceled subscription never becomes active again
    then
      return v_id;
    end if;
    if v_status = 'past_due' and v_current.status = 'unpaid' and v_current.past_due_since <= now() - interval '72 hours' then
      v_status := 'unpaid'; -- its grace period is over
    end if;
    update public.subscriptions set
      tier_id = p_product,
      -- A price that we don't know is that of the plan.
      price_cents = coalesce(p_price_cents, case when p_product = v_current.tier_id then v_current.price_cents end),
      interval_count = coalesce(p_interval_count, case when p_product = v_current.tier_id then v_current.interval_count else 1 end),
      status = v_status,
      current_period_start = p_current_period_start,
      current_period_end = p_current_period_end,
      trial_end = p_trial_end,
      cancel_at_period_end = coalesce(p_cancel_at_period_end, false),
      canceled_at = p_canceled_at,
      past_due_since = case v_status when 'past_due' then coalesce(v_current.past_due_since, p_event_at) when 'unpaid' then v_current.past_due_since end
    where id = v_id;
    update private.stripe_subscriptions set last_event_at = p_event_at, presumed_ended_at = null where subscription_id = v_id;
  end if;
  if v_status = 'trial' and coalesce(v_current.status, 'incomplete') = 'incomplete' then
    -- Of two trials, only the first one notifies, even when two workers write them at the same time.
    perform pg_advisory_xact_lock(hashtextextended('subscriber:' || p_subscriber || ':' || p_creator, 0));
    if not exists (
      select from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator and s.id <> v_id and s.status in ('active', 'trial', 'past_due')
    ) then
      perform private.notify(p_creator, 'subscription',
        (select private.name_of(p_subscriber) || ' started a free trial of ' || t.name from public.subscription_products t where t.id = p_product), '',
        jsonb_build_object('profile_id', p_subscriber, 'subscription_id', v_id));
    end if;
  end if;
  return v_id;
end;
$$;
comment on function private.apply_subscription_state is 'Writes a state of a Stripe subscription and returns subscriptions.id. Late, repeated, and out-of-order states change nothing. p_event_at: Stripe''s time of the state. p_price_cents, p_interval_count: what Stripe charges and for how many intervals; null if the price is unknown.';
revoke execute on function private.apply_subscription_state from public;
grant execute on function private.apply_subscription_state to service_role;

-- As in 0019_payments.sql, with terms.
drop function private.quote_plan(uuid, uuid);
create function private.quote_plan(p_fan uuid, p_plan uuid, p_interval_count int default 1) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_creator private.profiles;
  v_price text;
begin
  select * into v_plan from public.subscription_products s where s.id = p_plan;
  if v_plan.id is null then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found';
  elsif v_plan.creator_id = p_fan then
    raise sqlstate 'PT409' using message = 'You can''t subscribe to your own plan', detail = 'own_plan';
  elsif not v_plan.is_active then
    raise sqlstate 'PT409' using message = 'This plan is no longer available', detail = 'plan_inactive';
  end if;
  v_creator := private.require_payable(p_fan, v_plan.creator_id);
  if p_interval_count <> 1 and not exists (select from public.plan_terms t where t.product_id = p_plan and t.months = p_interval_count) then
    raise sqlstate 'PT409' using message = 'This plan is no longer sold for that many months', detail = 'term_not_sold';
  end if;
  select k.stripe_price_id into v_price from private.stripe_prices k
  where k.product_id = p_plan and k.interval_count = p_interval_count and k.price_cents = case p_interval_count
    when 1 then v_plan.price_cents
    else (select t.price_cents from public.plan_terms t where t.product_id = p_plan and t.months = p_interval_count) end;
  if v_price is null then
    raise sqlstate 'PT409' using message = 'This creator can''t take payments right now', detail = 'creator_without_payments';
  end if;
  return (v_creator.id, v_creator.username, v_creator.stripe_account_id, v_price, v_plan.trial_days, null, null, null)::private.subscription_quote;
end;
$$;
comment on function private.quote_plan is 'Whether this fan may choose this plan for this term, be it the first one of the creator or a switch (SUB-01, SUB-04, OFFER-01).';
revoke execute on function private.quote_plan from public;
grant execute on function private.quote_plan to service_role;

-- As in 0085_flows.sql, with terms.
drop function private.quote_subscription(uuid, uuid, text);
create function private.quote_subscription(p_fan uuid, p_plan uuid, p_code text default null, p_interval_count int default 1) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_quote private.subscription_quote := private.quote_plan(p_fan, p_plan, p_interval_count);
  v_promotion private.promotion_codes;
begin
  -- Stripe bills these, or may bill them again: a second subscription beside one of them would be paid twice.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.tier_id = p_plan and s.interval_count = p_interval_count and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You''re already subscribed to this plan', detail = 'already_subscribed';
  elsif exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You already have a plan with this creator. Switch plans instead of buying a second one.', detail = 'switch_instead';
  end if;
  if p_code is not null and p_interval_count > 1 then
    -- A free first month would be a free year.
    raise sqlstate 'PT409' using message = 'Codes don''t apply to several months at once. Choose one month to use it.', detail = 'promotion_not_for_terms';
  elsif p_code is not null then
    v_promotion := private.require_promotion(p_plan, p_code);
    if v_promotion.fan_id <> p_fan then
      raise sqlstate 'PT404' using message = 'This code isn''t valid for this plan', detail = 'promotion_not_found'; -- as for a code that doesn't exist
    end if;
    v_quote.promotion_id := v_promotion.id;
    v_quote.stripe_promotion_id := v_promotion.stripe_promotion_id;
    v_quote.max_redemptions := v_promotion.max_redemptions;
    -- The code replaces the free trial: it discounts the first invoice, and a trial's first invoice is zero.
    v_quote.trial_days := 0;
  end if;
  -- The trial is for new subscribers: canceling and coming back does not start another one.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status not in ('incomplete', 'incomplete_expired')
  ) then
    v_quote.trial_days := 0;
  end if;
  return v_quote;
end;
$$;
comment on function private.quote_subscription is 'What a first plan of this creator costs this fan, with a promotion code or without (SUB-01, SUB-02). detail names the error code of docs/errors.md.';
revoke execute on function private.quote_subscription from public;
grant execute on function private.quote_subscription to service_role;

-- A switch to another term of the same plan waits for the bank, too.
alter table private.subscription_confirmations add column interval_count int;
update private.subscription_confirmations set interval_count = 1 where product_id is not null;
alter table private.subscription_confirmations
  add constraint subscription_confirmations_switch_has_term check ((product_id is null) = (interval_count is null));
comment on column private.subscription_confirmations.interval_count is 'The new term: how many of the plan''s intervals a period has; null for a renewal.';
drop function private.settle_confirmation(uuid, timestamptz, text, text, uuid, timestamptz, boolean);
create function private.settle_confirmation(p_subscription uuid, p_asked_at timestamptz, p_invoice text, p_url text, p_product uuid, p_expires_at timestamptz, p_bank_asks boolean, p_interval_count int default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_before private.subscription_confirmations;
  v_is_barred boolean;
  v_is_switched boolean;
begin
  -- Ignore a response that is older than the known state.
  perform from private.stripe_subscriptions k where k.subscription_id = p_subscription and k.last_event_at <= p_asked_at for update;
  if not found then
    return;
  end if;
  select * into v_subscription from public.subscriptions s where s.id = p_subscription;
  select * into v_before from private.subscription_confirmations c where c.subscription_id = p_subscription;
  v_is_barred := private.renewal_block_reason(v_subscription.subscriber_id, v_subscription.creator_id) is not null;
  -- When the card is declined on the page, the switch stays open there for another card.
  if p_invoice is not null and not v_is_barred and (p_bank_asks or (p_product is not null and v_before.invoice_id = p_invoice)) then
    insert into private.subscription_confirmations as c (subscription_id, product_id, interval_count, invoice_id, url, expires_at)
    values (p_subscription, p_product, case when p_product is not null then coalesce(p_interval_count, 1) end, p_invoice, p_url, p_expires_at)
    on conflict (subscription_id) do update set product_id = excluded.product_id, interval_count = excluded.interval_count, invoice_id = excluded.invoice_id, url = excluded.url,
      expires_at = excluded.expires_at, created_at = case when c.invoice_id = excluded.invoice_id then c.created_at else now() end;
    if p_product is null and v_before.invoice_id is distinct from p_invoice then
      perform private.notify(v_subscription.subscriber_id, 'payment', 'Confirm your payment for ' || t.name,
        'Your bank won''t pay ' || private.name_of(v_subscription.creator_id)
          || ' until you do. Your card is fine. Open your subscriptions to keep your access.',
        jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
      from public.subscription_products t where t.id = v_subscription.tier_id;
    end if;
    return;
  end if;
  delete from private.subscription_confirmations where subscription_id = p_subscription;
  v_is_switched := (v_before.product_id, v_before.interval_count) = (v_subscription.tier_id, v_subscription.interval_count);
  if v_before.product_id is not null and not v_is_barred and v_subscription.status in ('active', 'trial') then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      case when v_is_switched then 'You switched to ' || t.name else 'Plan not switched' end,
      case when v_is_switched
        then 'Your bank has confirmed your payment to ' || private.name_of(v_subscription.creator_id) || '.'
        else 'Your payment for ' || t.name || ' by ' || private.name_of(v_subscription.creator_id)
          || ' wasn''t confirmed in time. Nothing was charged, and you keep your plan.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
    from public.subscription_products t where t.id = v_before.product_id;
  end if;
end;
$$;
comment on function private.settle_confirmation is 'Stores whether a payment of a subscription needs confirmation with the fan''s bank (p_invoice; null: none), and notifies the fan of the outcome. p_asked_at: when the provider''s state was read. Idempotent.';
revoke execute on function private.settle_confirmation from public;
grant execute on function private.settle_confirmation to service_role;

-- A session that was opened for another term, or before the price changed, is another one.
alter table private.checkout_sessions add column stripe_price_id text;
comment on column private.checkout_sessions.stripe_price_id is 'The price of a plan''s session at Stripe; null for one-time payments, and for sessions opened before terms existed.';

-- The new attributes come last, as a type allows.
alter type private.email_to_send add attribute interval_count int;
-- As in 0023_renewals_and_payment_emails.sql, with the subscription's own price and term.
create or replace function private.emails_to_send() returns SETOF private.email_to_send
language sql stable security definer set search_path = ''
as $$
  select e.id, e.kind,
    -- Nothing is sent to an unconfirmed email, or to a user who has turned emails off (SET-16).
    -- Between queueing and sending, the charge may have succeeded or the renewal been canceled. A renewal that is paused because the
    -- creator can't be paid doesn't blame the fan's card.
    case when u.email_confirmed_at is not null and settings.email and (s.id is null or (
      private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and case e.kind
        when 'payment_failed' then s.status in ('past_due', 'unpaid')
        else s.status in ('trial', 'active') and not s.cancel_at_period_end end)) then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, coalesce(s.price_cents, p.price_cents), p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url, coalesce(s.interval_count, 1)
  from private.payment_emails e
  join private.profiles f on f.id = e.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = e.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = e.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where e.sent_at is null and e.attempts < 10
  order by e.attempts, e.id limit 200;
$$;
create or replace function private.write_reminders() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  select case s.status when 'trial' then 'trial_ends' else 'renewal' end, s.subscriber_id, s.id, 'renewal:' || s.id || ':' || s.current_period_end
  from public.subscriptions s join public.subscription_products p on p.id = s.tier_id
  where not s.cancel_at_period_end and s.current_period_end > now() and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and (
    (s.status = 'trial' and s.current_period_end <= now() + interval '3 days')
    or (s.status = 'active' and (p.interval = 'year' or s.interval_count > 1) and s.current_period_end <= now() + interval '14 days'))
  on conflict on constraint payment_emails_once do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.write_reminders is 'Queues reminders: three days before a trial ends, and two weeks before a yearly plan or a term of several months renews. Returns how many.';

-- As before, with terms.
create or replace function private.is_repeated_payment(p_payment public.transactions) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_payment.status in ('completed', 'partially_refunded') and exists (
    select from public.transactions o
    where o.from_user_id = p_payment.from_user_id and o.to_user_id = p_payment.to_user_id and o.id is distinct from p_payment.id
      and o.transaction_type is not distinct from p_payment.transaction_type and o.status in ('completed', 'partially_refunded')
      and case p_payment.transaction_type
        when 'ppv' then o.post_id = p_payment.post_id
        when 'paid_message' then o.message_id = p_payment.message_id
        -- A renewal is a whole period later, and another amount for the same subscription within one is the switch to another term.
        when 'subscription' then o.product_id = p_payment.product_id and (o.subscription_id = p_payment.subscription_id and o.amount <> p_payment.amount) is not true and (
          select greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at)
            < case s."interval" when 'day' then interval '12 hours' when 'week' then interval '84 hours' when 'month' then interval '15 days' else interval '182 days' end
              * coalesce((select min(b.interval_count) from public.subscriptions b where b.id in (o.subscription_id, p_payment.subscription_id)), 1)
          from public.subscription_products s where s.id = p_payment.product_id
        )
        -- Someone may give the same tip again, but seldom within the hour.
        when 'tip' then o.amount = p_payment.amount and o.post_id is not distinct from p_payment.post_id
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 hour'
        -- A second payment for a booking isn't linked to it. Two linked payments are for two sessions.
        when 'private_session' then o.amount = p_payment.amount
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 day'
          and (
            not exists (select from public.session_bookings b where b.transaction_id = p_payment.id)
            or not exists (select from public.session_bookings b where b.transaction_id = o.id)
          )
      end
  );
$$;

-- As in 0051_previews_and_monthly_revenue.sql, with what subscribers pay: a term counts as its price per month.
create or replace function public.get_admin_overview() returns public.admin_overview
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz := now() - interval '30 days';
  v_before timestamptz := now() - interval '60 days';
  v_overview public.admin_overview;
begin
  perform private.require_admin();
  select count(*) into v_overview.users from private.profiles;
  select count(*) filter (where p.created_at >= v_since), count(*) filter (where p.created_at < v_since)
  into v_overview.users_new, v_overview.users_before
  from private.profiles p where p.created_at >= v_before;
  select count(*) into v_overview.creators from private.profiles p where p.is_verified;
  -- Counted by plan, term, and price, from the index alone, because there are far fewer of them than subscriptions.
  select coalesce(sum(s.paying), 0),
    coalesce(round(sum(s.paying * private.monthly_cents(s.price_cents, p."interval") / s.interval_count)), 0)
  into v_overview.subscriptions, v_overview.monthly_cents
  from (
    select x.tier_id, x.interval_count, x.price_cents, count(*) as paying
    from public.subscriptions x where x.status in ('active', 'past_due') group by x.tier_id, x.interval_count, x.price_cents
  ) s join public.subscription_products p on p.id = s.tier_id;
  select count(*) filter (where s.created_at >= v_since), count(*) filter (where s.created_at < v_since)
  into v_overview.subscriptions_new, v_overview.subscriptions_before
  from public.subscriptions s where s.created_at >= v_before and s.status not in ('incomplete', 'incomplete_expired');
  select count(*) into v_overview.subscriptions_ended from public.subscriptions s
  where s.status = 'canceled' and s.access_until >= v_since and s.access_until <= now();
  select q.pending_applications, q.open_reports, q.open_support_requests
  into v_overview.pending_applications, v_overview.open_reports, v_overview.open_support_requests
  from public.get_admin_queues() q;
  return v_overview;
end;
$$;

-- The price lock (OFFER-08). A new price is for new subscribers. Those who are subscribed keep theirs until the creator moves them, and then
-- it rises only after 30 days' notice. The database holds to that, whatever the server or Stripe's Dashboard does.
create table public.price_moves (
  id              uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references public.subscriptions on delete cascade,
  subscriber_id   uuid not null references private.profiles on delete cascade,
  creator_id      uuid not null references private.profiles on delete cascade,
  product_id      uuid not null references public.subscription_products on delete cascade,
  from_cents      int not null check (from_cents > 0),
  to_cents        int not null check (to_cents > 0),
  created_at      timestamptz not null default now(),
  notified_at     timestamptz,
  moves_at        timestamptz,
  done_at         timestamptz,
  constraint price_moves_changes_the_price check (to_cents <> from_cents),
  constraint price_moves_have_a_date_once_notified check ((notified_at is null) = (moves_at is null)),
  constraint price_moves_thirty_days_notice check (to_cents < from_cents or moves_at >= notified_at + interval '30 days'),
  constraint price_moves_done_after_notice check (done_at is null or coalesce(done_at >= moves_at, false))
);
comment on table public.price_moves is 'Subscriptions that their creator moves to the plan''s present price, and when their subscribers got notice of it. An open one is deleted when the subscriber leaves or switches; those that are done stay.';
comment on column public.price_moves.from_cents is 'What a period costs before.';
comment on column public.price_moves.to_cents is 'What a period costs from the first renewal after moves_at.';
comment on column public.price_moves.notified_at is 'When the notification and the email were written; null until then. private.guard_price_move sets it, together with moves_at.';
comment on column public.price_moves.moves_at is 'The subscription has the new price from then on: 31 days after the notice, which leaves a day for the email, or at once if the price falls.';
comment on column public.price_moves.done_at is 'When Stripe had the new price.';
alter table public.price_moves enable row level security;
create unique index price_moves_one_open on public.price_moves (subscription_id) where done_at is null;
create index price_moves_subscription_id_idx on public.price_moves (subscription_id); -- the price lock
create index price_moves_subscriber_id_idx on public.price_moves (subscriber_id);
create index price_moves_creator_id_idx on public.price_moves (creator_id);
create index price_moves_product_id_idx on public.price_moves (product_id);
create index price_moves_open_idx on public.price_moves (moves_at) where done_at is null;
create policy select_party on public.price_moves for select to authenticated
  using ((select private.my_profile_id()) in (subscriber_id, creator_id) or (select private.is_admin()));
grant select on public.price_moves to authenticated;
-- insert, update, and delete are not granted: move_subscribers decides who is moved, and the notice decides when.

alter table private.payment_emails drop constraint payment_emails_kind_check,
  add constraint payment_emails_kind_check
    check (kind in ('receipt', 'refund', 'payment_failed', 'trial_started', 'trial_ends', 'renewal', 'price_change'));
-- An email that was not sent is no notice.
alter table private.payment_emails add column is_skipped boolean not null default false;
comment on column private.payment_emails.is_skipped is 'It was not sent: there is no confirmed address, the fan has turned emails off, or it is no longer true.';
alter table private.payment_tasks drop constraint payment_tasks_kind_known,
  add constraint payment_tasks_kind_known check (kind in ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer',
    'return_transfer', 'stop_renewal', 'resume_renewal', 'close_checkout', 'take_back_rest', 'set_price'));
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription, stop_renewal, resume_renewal, set_price: the provider''s subscription id. delete_customer: its customer id. take_back_transfer, return_transfer: the id of the dispute. take_back_rest: the id of the refund. close_checkout: the id of the checkout session.';

create function private.is_price_move_due(p_move public.price_moves) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(p_move.moves_at <= now(), false) and (p_move.to_cents < p_move.from_cents or exists (
    select from private.payment_emails e where e.key = 'price_change:' || p_move.id and not e.is_skipped and e.sent_at <= now() - interval '30 days'
  ));
$$;
comment on function private.is_price_move_due is 'Whether the subscription may have its new price: at once for a lower one, otherwise 30 days after the notice, both in the app and by email.';

create function private.guard_price_move() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.notified_at := null;
    new.moves_at := null;
    new.done_at := null;
    return new;
  elsif (new.id, new.subscription_id, new.subscriber_id, new.creator_id, new.product_id, new.from_cents, new.to_cents)
    is distinct from (old.id, old.subscription_id, old.subscriber_id, old.creator_id, old.product_id, old.from_cents, old.to_cents)
    or (old.notified_at is not null and (new.notified_at, new.moves_at) is distinct from (old.notified_at, old.moves_at))
  then
    raise exception 'A price move doesn''t change after its notice' using errcode = '42501';
  elsif new.done_at is not null and not private.is_price_move_due(old) then
    raise exception 'A price moves only 30 days after its notice' using errcode = '42501';
  elsif old.notified_at is null and new.notified_at is not null then
    new.notified_at := now();
    new.moves_at := now() + case when new.to_cents > new.from_cents then interval '31 days' else interval '0' end;
  end if;
  return new;
end;
$$;
comment on function private.guard_price_move is 'Trigger of price_moves, also for the server: a notice is written now, never earlier, and sets the date of the new price.';
create trigger price_moves_guard before insert or update on public.price_moves
  for each row execute function private.guard_price_move();

create function private.notify_of_price_move() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products := (select s from public.subscription_products s where s.id = new.product_id);
  v_count int := (select s.interval_count from public.subscriptions s where s.id = new.subscription_id);
  v_period text := case when v_count > 1 then v_count || ' ' || v_plan.interval || 's' else v_plan.interval end;
begin
  perform private.notify(new.subscriber_id, 'subscription',
    case when new.to_cents > new.from_cents then 'Your price for ' || v_plan.name || ' will change' else 'You''ll pay less for ' || v_plan.name end,
    private.name_of(new.creator_id) || ' changes the price from ' || private.dollars(new.from_cents) || ' to ' || private.dollars(new.to_cents)
      || ' per ' || v_period || case when new.to_cents > new.from_cents
        then ', from your first renewal after ' || to_char(new.moves_at at time zone 'UTC', 'FMMonth FMDD, YYYY') || ' on. You can leave before then, or keep your subscription at the new price.'
        else ', from your next renewal on.' end,
    jsonb_build_object('profile_id', new.creator_id, 'subscription_id', new.subscription_id));
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  values ('price_change', new.subscriber_id, new.subscription_id, 'price_change:' || new.id);
  return null;
end;
$$;
comment on function private.notify_of_price_move is 'Trigger of price_moves: the notice, in the app and by email, which no date can be without.';
create trigger price_moves_notify after update of notified_at on public.price_moves
  for each row when (old.notified_at is null and new.notified_at is not null) execute function private.notify_of_price_move();

create function private.announce_price_moves(p_most int) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  update public.price_moves m set notified_at = now()
  where m.id in (
    select o.id from public.price_moves o where o.notified_at is null order by o.created_at, o.id limit p_most for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.announce_price_moves is 'Writes the notices of moves that have none yet, oldest first. Returns how many.';

-- Only subscriptions that renew are moved: who has canceled leaves at the price they know.
create function public.move_subscribers(plan_id uuid) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_plan public.subscription_products;
  v_count int;
begin
  if v_me is null then
    raise exception 'Sign in to move your subscribers' using errcode = '42501';
  end if;
  select * into v_plan from public.subscription_products s where s.id = plan_id and s.creator_id = v_me for no key update;
  if v_plan.id is null then
    raise sqlstate 'PT404' using message = 'Plan not found';
  end if;
  delete from public.price_moves m using public.subscriptions s
  where m.product_id = v_plan.id and m.done_at is null and s.id = m.subscription_id
    and m.to_cents <> private.present_cents(v_plan.id, s.interval_count);
  insert into public.price_moves (subscription_id, subscriber_id, creator_id, product_id, from_cents, to_cents)
  select s.id, s.subscriber_id, s.creator_id, s.tier_id, s.price_cents, c.present
  from public.subscriptions s cross join lateral (select private.present_cents(s.tier_id, s.interval_count) as present) c
  where s.tier_id = v_plan.id and s.status in ('active', 'trial', 'past_due') and not s.cancel_at_period_end and s.price_cents <> c.present
  on conflict (subscription_id) where done_at is null do nothing;
  get diagnostics v_count = row_count;
  -- The rest of a large number gets its notices from a job, within minutes.
  perform private.announce_price_moves(200);
  return v_count;
end;
$$;
comment on function public.move_subscribers is 'Moves the subscribers of one of the caller''s plans, who pay an earlier price, to its present price: 31 days from now if it is higher, and with their next renewal if it is lower (OFFER-08). Each gets notice in the app and by email, and an earlier move that isn''t done is replaced. Returns how many are moved. PT404 for a plan of another creator.';
revoke execute on function public.move_subscribers(uuid) from public, anon;
grant execute on function public.move_subscribers(uuid) to authenticated;

create function private.present_cents(p_plan uuid, p_interval_count int) returns int
language sql stable security definer set search_path = ''
as $$
  select case p_interval_count
    when 1 then (select s.price_cents from public.subscription_products s where s.id = p_plan)
    else (select t.price_cents from public.plan_terms t where t.product_id = p_plan and t.months = p_interval_count)
  end;
$$;
comment on function private.present_cents is 'What the plan costs new subscribers for this term; null for a term that is no longer sold, whose subscribers aren''t moved.';

create type public.earlier_prices as (product_id uuid, subscribers int, moving int, moves_at timestamptz);
comment on type public.earlier_prices is 'A plan whose subscribers don''t all pay its present price.';
comment on column public.earlier_prices.product_id is 'The plan: subscription_products.id. Never null.';
comment on column public.earlier_prices.subscribers is 'Subscribers who pay an earlier price and aren''t being moved. Never null.';
comment on column public.earlier_prices.moving is 'Subscribers who will have the present price. Never null.';
comment on column public.earlier_prices.moves_at is 'When the last of them will; null if there are none.';
create function public.get_earlier_prices(creator_profile_id uuid) returns setof public.earlier_prices
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, (count(*) filter (where m.id is null))::int, count(m.id)::int, max(m.moves_at)
    from public.subscription_products p
    join public.subscriptions s on s.tier_id = p.id and s.status in ('active', 'trial', 'past_due') and not s.cancel_at_period_end
    left join public.plan_terms t on t.product_id = p.id and t.months = s.interval_count
    left join public.price_moves m on m.subscription_id = s.id and m.done_at is null
    where p.creator_id = creator_profile_id and s.price_cents <> case s.interval_count when 1 then p.price_cents else t.price_cents end
    group by p.id;
end;
$$;
comment on function public.get_earlier_prices is 'The plans of a creator with subscribers who pay an earlier price, and how many of them are being moved. For the creator and admins.';
revoke execute on function public.get_earlier_prices(uuid) from public, anon;
grant execute on function public.get_earlier_prices(uuid) to authenticated;

-- Whatever Stripe reports, a subscription costs more for the same plan and term only after its notice.
create function private.may_cost(p_subscription uuid, p_cents int) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.price_moves m where m.subscription_id = p_subscription and m.to_cents >= p_cents and private.is_price_move_due(m)
  );
$$;
comment on function private.may_cost is 'Whether the subscriber had 30 days'' notice of a price that is at least this high.';
create function private.lock_subscription_price() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.may_cost(new.id, new.price_cents) then
    raise exception 'A subscription costs more only 30 days after the notice' using errcode = '42501';
  end if;
  return new;
end;
$$;
comment on function private.lock_subscription_price is 'Trigger of subscriptions, also for the server: the price lock (OFFER-08). Another plan or term is the subscriber''s own choice.';
create trigger subscriptions_lock_price before update of price_cents on public.subscriptions
  for each row when (new.price_cents > old.price_cents and new.tier_id = old.tier_id and new.interval_count = old.interval_count)
  execute function private.lock_subscription_price();

create function private.request_price(p_target text, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks as t (kind, target, reason) values ('set_price', p_target, p_reason)
  -- An open request stays as it is: requesting it again must not reset its attempts.
  on conflict (kind, target) do update set done_at = null, attempts = 0, error = null, reason = excluded.reason, created_at = now()
  where t.done_at is not null;
$$;
comment on function private.request_price is 'Requests the provider to charge what the subscription may cost (private.price_to_charge).';

create function private.price_to_charge(p_target text, p_present text) returns text
language sql stable security definer set search_path = ''
as $$
  select p.stripe_price_id
  from private.stripe_subscriptions k
  join public.subscriptions s on s.id = k.subscription_id
  left join public.price_moves m on m.subscription_id = s.id and m.done_at is null and private.is_price_move_due(m)
  join private.stripe_prices p on p.product_id = s.tier_id and p.interval_count = s.interval_count
    and p.price_cents = coalesce(m.to_cents, s.price_cents)
  join private.stripe_prices present on present.stripe_price_id = p_present
    and present.product_id = s.tier_id and present.interval_count = s.interval_count
  where k.stripe_subscription_id = p_target and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused');
$$;
comment on function private.price_to_charge is 'The price at Stripe that this subscription has from now on: that of a move that is due, otherwise its own. Null once it has ended, and if p_present, its price at Stripe, is of another plan or term: then the subscriber has just switched.';

create function private.request_due_price_moves() returns void
language sql volatile security definer set search_path = ''
as $$
  select private.request_price(k.stripe_subscription_id, 'The creator changed the price, and the notice was given.')
  from public.price_moves m
  join public.subscriptions s on s.id = m.subscription_id
  join private.stripe_subscriptions k on k.subscription_id = m.subscription_id
  where m.done_at is null and m.moves_at <= now() and private.is_price_move_due(m)
    and s.status in ('active', 'trial', 'past_due') and not s.cancel_at_period_end;
$$;
comment on function private.request_due_price_moves is 'Requests the new price of subscriptions that renew and whose notice is over. One that is canceled waits, in case it is resumed.';

create function private.settle_price_move() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('canceled', 'incomplete_expired') or (new.tier_id, new.interval_count) <> (old.tier_id, old.interval_count) then
    delete from public.price_moves m where m.subscription_id = new.id and m.done_at is null;
  else
    update public.price_moves m set done_at = now() where m.subscription_id = new.id and m.done_at is null and m.to_cents = new.price_cents;
  end if;
  return null;
end;
$$;
comment on function private.settle_price_move is 'Trigger of subscriptions: a move is done once Stripe has its price, and void once the subscriber has left or switched.';
create trigger subscriptions_settle_price_move after update on public.subscriptions
  for each row when (
    new.price_cents <> old.price_cents or new.tier_id <> old.tier_id or new.interval_count <> old.interval_count
    or (new.status in ('canceled', 'incomplete_expired') and old.status <> new.status)
  ) execute function private.settle_price_move();

-- Pages that show the earlier price close.
create trigger subscription_products_close_priced_checkouts after update of price_cents on public.subscription_products
  for each row when (new.price_cents <> old.price_cents) execute function private.close_checkouts_of_plan();

alter type private.email_to_send add attribute new_price_cents bigint, add attribute moves_at timestamptz;

-- With the price lock.
create or replace function private.apply_subscription_state(
  p_stripe_subscription_id text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_status text,
  p_current_period_start timestamptz,
  p_current_period_end timestamptz,
  p_trial_end timestamptz,
  p_cancel_at_period_end boolean,
  p_canceled_at timestamptz,
  p_event_at timestamptz,
  p_price_cents int default null,
  p_interval_count int default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_status text := case p_status when 'trialing' then 'trial' else p_status end;
  v_known private.stripe_subscriptions;
  v_current public.subscriptions;
  v_id uuid;
  v_price_cents int;
  v_interval_count int;
begin
  -- One state of a subscription at a time: two workers may handle events of the same subscription.
  perform pg_advisory_xact_lock(hashtextextended('subscription:' || p_stripe_subscription_id, 0));
  select * into v_known from private.stripe_subscriptions s where s.stripe_subscription_id = p_stripe_subscription_id;
  if v_known.subscription_id is null then
    insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_start, current_period_end,
      trial_end, cancel_at_period_end, canceled_at, past_due_since, access_until, price_cents, interval_count)
    values (p_subscriber, p_creator, p_product, v_status, p_current_period_start, p_current_period_end,
      p_trial_end, coalesce(p_cancel_at_period_end, false), p_canceled_at, case v_status when 'past_due' then p_event_at end, '-infinity',
      p_price_cents, coalesce(p_interval_count, 1))
    returning id into v_id;
    insert into private.stripe_subscriptions (subscription_id, stripe_subscription_id, last_event_at)
    values (v_id, p_stripe_subscription_id, p_event_at);
  else
    v_id := v_known.subscription_id;
    select * into v_current from public.subscriptions s where s.id = v_id for update;
    if p_event_at < v_known.last_event_at
      or (p_event_at = v_known.last_event_at and private.subscription_stage(v_status) < private.subscription_stage(v_current.status))
      or (v_current.status in ('canceled', 'incomplete_expired') and v_status <> v_current.status and v_known.presumed_ended_at is null) -- a canceled subscription never becomes active again
    then
      return v_id;
    end if;
    if v_status = 'past_due' and v_current.status = 'unpaid' and v_current.past_due_since <= now() - interval '72 hours' then
      v_status := 'unpaid'; -- its grace period is over
    end if;
    -- A price that we don't know is that of the plan.
    v_interval_count := coalesce(p_interval_count, case when p_product = v_current.tier_id then v_current.interval_count else 1 end);
    v_price_cents := coalesce(p_price_cents, case when p_product = v_current.tier_id then v_current.price_cents end);
    if p_product = v_current.tier_id and v_interval_count = v_current.interval_count and v_price_cents > v_current.price_cents
      and not private.may_cost(v_id, v_price_cents)
    then
      v_price_cents := v_current.price_cents;
      perform private.request_price(p_stripe_subscription_id, 'The subscriber had no notice of the higher price.');
    end if;
    update public.subscriptions set
      tier_id = p_product,
      price_cents = v_price_cents,
      interval_count = v_interval_count,
      status = v_status,
      current_period_start = p_current_period_start,
      current_period_end = p_current_period_end,
      trial_end = p_trial_end,
      cancel_at_period_end = coalesce(p_cancel_at_period_end, false),
      canceled_at = p_canceled_at,
      past_due_since = case v_status when 'past_due' then coalesce(v_current.past_due_since, p_event_at) when 'unpaid' then v_current.past_due_since end
    where id = v_id;
    update private.stripe_subscriptions set last_event_at = p_event_at, presumed_ended_at = null where subscription_id = v_id;
  end if;
  if v_status = 'trial' and coalesce(v_current.status, 'incomplete') = 'incomplete' then
    -- Of two trials, only the first one notifies, even when two workers write them at the same time.
    perform pg_advisory_xact_lock(hashtextextended('subscriber:' || p_subscriber || ':' || p_creator, 0));
    if not exists (
      select from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator and s.id <> v_id and s.status in ('active', 'trial', 'past_due')
    ) then
      perform private.notify(p_creator, 'subscription',
        (select private.name_of(p_subscriber) || ' started a free trial of ' || t.name from public.subscription_products t where t.id = p_product), '',
        jsonb_build_object('profile_id', p_subscriber, 'subscription_id', v_id));
    end if;
  end if;
  return v_id;
end;
$$;

-- With the notice of a price.
create or replace function private.emails_to_send() returns SETOF private.email_to_send
language sql stable security definer set search_path = ''
as $$
  select e.id, e.kind,
    -- Nothing is sent to an unconfirmed email, or to a user who has turned emails off (SET-16).
    -- Between queueing and sending, the charge may have succeeded or the renewal been canceled. A renewal that is paused because the
    -- creator can't be paid doesn't blame the fan's card.
    case when u.email_confirmed_at is not null and case e.kind
      -- The notice protects its reader, and without it the price can't rise: no setting holds it back.
      when 'price_change' then move.id is not null and s.status in ('trial', 'active', 'past_due')
      else settings.email and (s.id is null or (
        private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and case e.kind
          when 'payment_failed' then s.status in ('past_due', 'unpaid')
          else s.status in ('trial', 'active') and not s.cancel_at_period_end end))
      end then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, coalesce(s.price_cents, p.price_cents), p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url, coalesce(s.interval_count, 1),
    move.to_cents, move.moves_at
  from private.payment_emails e
  join private.profiles f on f.id = e.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = e.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = e.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join public.price_moves move on e.kind = 'price_change' and e.key = 'price_change:' || move.id
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where e.sent_at is null and e.attempts < 10
  order by e.attempts, e.id limit 200;
$$;
