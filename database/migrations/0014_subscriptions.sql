-- Up Migration

-- Subscriptions, in the state that Stripe last reported (DATA-18, DATA-20, SUB-14..SUB-18, D15).
create table public.subscriptions (
  id                   uuid primary key default gen_random_uuid(),
  subscriber_id        uuid not null references private.profiles on delete cascade,
  creator_id           uuid not null references private.profiles on delete cascade,
  -- Deferred, so that deleting an account can delete plan and subscription in either order.
  tier_id              uuid not null references public.subscription_products on delete no action deferrable initially deferred,
  status               text not null
    check (status in ('active', 'trial', 'past_due', 'canceled', 'incomplete', 'incomplete_expired', 'unpaid', 'paused')),
  current_period_start timestamptz,
  current_period_end   timestamptz,
  trial_end            timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at          timestamptz,
  past_due_since       timestamptz,
  access_until         timestamptz not null,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  constraint subscriptions_not_self check (subscriber_id <> creator_id)
);
comment on table public.subscriptions is 'Subscriptions, in the state that Stripe last reported or that a scheduled job has set. Only private.apply_subscription_state, private.expire_subscriptions, and private.end_subscription write it.';
comment on column public.subscriptions.tier_id is 'The plan: subscription_products.id, also subscription_tiers.id.';
comment on column public.subscriptions.cancel_at_period_end is 'The fan has canceled; access ends at current_period_end.';
comment on column public.subscriptions.past_due_since is 'When a charge first failed; the grace period of 3 days starts here (SUB-16). Kept while the subscription is unpaid, because there is only one grace period; null when a charge succeeds.';
comment on column public.subscriptions.access_until is 'The gate: the fan has access exactly while access_until > now(). Computed by private.set_access_until from the other columns.';
alter table public.subscriptions enable row level security;
alter table public.subscriptions replica identity full; -- as for notifications
create index subscriptions_subscriber_id_idx on public.subscriptions (subscriber_id, creator_id); -- the gate, checked for each post
create index subscriptions_creator_id_idx on public.subscriptions (creator_id, status, created_at desc); -- API-REST-21

-- is_duplicate: a fan who pays two checkout sessions of one creator at the same time has two subscriptions at Stripe, and both renew. The
-- server asks Stripe which began first (server/payments/subscriptions/sync-subscription.ts); private.end_duplicate ends the other one.
-- renewal_held: the platform holds a renewal while one of the two is suspended or the creator can't be paid. It is separate from the fan's
-- own cancellation, so that releasing the hold never charges a fan who canceled, and no one can resume the renewal (through our API,
-- Stripe's portal, or its dashboard) while the hold lasts.
create table private.stripe_subscriptions (
  subscription_id        uuid primary key references public.subscriptions on delete cascade,
  stripe_subscription_id text not null unique,
  last_event_at          timestamptz not null,
  created_at             timestamptz not null default now(),
  presumed_ended_at timestamptz,
  is_duplicate boolean not null default false,
  renewal_held boolean not null default false
);
comment on table private.stripe_subscriptions is 'Stripe''s id of a subscription, and how recent our state of it is.';
comment on column private.stripe_subscriptions.last_event_at is 'Stripe''s time of the newest applied state. An older state changes nothing.';
comment on column private.stripe_subscriptions.presumed_ended_at is
  'When a scheduled job ended it, because Stripe hadn''t reported a new state. A later state from Stripe still counts. Otherwise null.';
comment on column private.stripe_subscriptions.is_duplicate is 'It began while the fan had another subscription to the same creator. It is canceled, and its payments are refunded.';
comment on column private.stripe_subscriptions.renewal_held is
  'The platform, not the fan, has stopped the renewal, and resumes it when the reason is gone. Cleared when the fan cancels.';
alter table private.stripe_subscriptions enable row level security;
create function private.set_access_until() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.access_until := case
    when new.status = 'active' and not new.cancel_at_period_end then 'infinity'                            -- SUB-14
    when new.status = 'past_due' then new.past_due_since + interval '72 hours'                             -- SUB-16
    when new.status = 'trial' then coalesce(new.trial_end, new.current_period_end)                         -- SUB-15
    when new.cancel_at_period_end and new.status in ('active', 'canceled') then new.current_period_end     -- SUB-17
  end;
  new.access_until := coalesce(new.access_until, '-infinity');                                             -- SUB-18
  new.updated_at := now();
  return new;
end;
$$;
comment on function private.set_access_until is 'Trigger of subscriptions: the gate (SUB-14 to SUB-18), in one place.';
create trigger subscriptions_set_access_until before insert or update on public.subscriptions
  for each row execute function private.set_access_until();
create function private.count_subscriber() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before int := case when tg_op <> 'INSERT' and old.status in ('active', 'trial', 'past_due') then 1 else 0 end;
  v_after int := case when tg_op <> 'DELETE' and new.status in ('active', 'trial', 'past_due') then 1 else 0 end;
begin
  if v_after <> v_before then
    update private.profiles set subscribers_count = subscribers_count + v_after - v_before
    where id = case tg_op when 'DELETE' then old.creator_id else new.creator_id end;
  end if;
  return null;
end;
$$;
comment on function private.count_subscriber is 'Trigger of subscriptions: maintains profiles.subscribers_count.';
create trigger subscriptions_count after insert or update of status or delete on public.subscriptions
  for each row execute function private.count_subscriber();

-- Stripe's times have whole seconds, so two states can have the same time. The later stage of a subscription's life wins.
create function private.subscription_stage(status text) returns int
language sql immutable set search_path = ''
as $$
  select case status
    when 'incomplete' then 0 when 'trial' then 1 when 'active' then 2 when 'paused' then 3
    when 'past_due' then 4 when 'unpaid' then 5 when 'incomplete_expired' then 6 when 'canceled' then 7
  end;
$$;
comment on function private.subscription_stage is 'The order of states that Stripe reported for the same second: the higher one wins.';

-- Stripe retries a failing card for weeks and reports past_due all that time. The grace period of three days must not start again with each
-- report (SUB-16), so past_due_since is kept and an unpaid subscription stays unpaid.
-- A trial notifies the creator of a new subscriber, unless the fan already has a subscription to them: then the trial is a duplicate.
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
  p_event_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
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
      trial_end, cancel_at_period_end, canceled_at, past_due_since, access_until)
    values (p_subscriber, p_creator, p_product, v_status, p_current_period_start, p_current_period_end,
      p_trial_end, coalesce(p_cancel_at_period_end, false), p_canceled_at, case v_status when 'past_due' then p_event_at end, '-infinity')
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
      perform private.notify(p_creator, 'subscription', 'New subscriber',
        (select coalesce(f.display_name, f.username) || ' started a free trial of ' || t.name || '.'
         from private.profiles f, public.subscription_products t where f.id = p_subscriber and t.id = p_product),
        jsonb_build_object('profile_id', p_subscriber, 'subscription_id', v_id));
    end if;
  end if;
  return v_id;
end;
$$;
comment on function private.apply_subscription_state is
  'Writes a state of a Stripe subscription and returns subscriptions.id. Late, repeated, and out-of-order states change nothing. p_event_at: Stripe''s time of the state.';
create policy select_party on public.subscriptions for select to authenticated
  using ((select private.my_profile_id()) in (subscriber_id, creator_id) or (select private.is_admin()));
grant select on public.subscriptions to authenticated;

-- insert, update and delete are not granted: only Stripe's confirmation makes a subscription.

-- An inactive plan stays visible to its subscribers.
create policy select_subscribed on public.subscription_products for select to authenticated
  using (exists (select from public.subscriptions s where s.tier_id = subscription_products.id and s.subscriber_id = (select private.my_profile_id())));
alter publication ovation_realtime add table public.subscriptions;
create type public.subscription_status as (
  status text,
  days_remaining integer,
  current_period_end timestamptz,
  has_access boolean,
  access_until timestamptz
);
comment on type public.subscription_status is 'Subscription status lookup result (DATA-20).';
comment on column public.subscription_status.status is 'active, trial, past_due, canceled, unpaid, or paused; canceled as soon as the fan cancels. Never null.';
comment on column public.subscription_status.days_remaining is 'Days until access ends, or until the period ends while the subscription renews, rounded up. Never null.';
comment on column public.subscription_status.has_access is 'The gate''s answer (SUB-14 to SUB-18). Never null.';
comment on column public.subscription_status.access_until is 'When access ends; null while the subscription renews, and when there is no access.';
create function public.get_subscription_status(subscriber_profile_id uuid, creator_profile_id uuid)
returns setof public.subscription_status
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and coalesce(private.my_profile_id() not in (subscriber_profile_id, creator_profile_id), true) then
    raise exception 'Only the subscriber, the creator, and admins can see this status' using errcode = '42501';
  end if;
  return query
    select
      case when s.cancel_at_period_end and s.status in ('active', 'trial') then 'canceled' else s.status end,
      case
        when s.access_until = '-infinity' then 0
        else greatest(0, ceil(extract(epoch from
          case when s.access_until = 'infinity' then s.current_period_end else s.access_until end - now()) / 86400))
      end::int,
      s.current_period_end,
      s.access_until > now(),
      case when isfinite(s.access_until) then s.access_until end
    from public.subscriptions s
    where s.subscriber_id = subscriber_profile_id and s.creator_id = creator_profile_id
      and s.status not in ('incomplete', 'incomplete_expired') -- a checkout session that was never paid
    order by s.access_until desc, s.created_at desc;
end;
$$;
comment on function public.get_subscription_status is
  'The fan''s subscriptions to the creator, the one with the longest access first (RPC-05). For the fan, the creator, and admins.';
grant execute on function public.get_subscription_status(uuid, uuid) to authenticated;

create index subscriptions_lapsing_idx on public.subscriptions (access_until) where status in ('active', 'trial', 'past_due');

-- Access doesn't need a job: the gate compares access_until with the clock. The job updates the status and the subscriber count, and notifies
-- the fan. It waits an hour, because Stripe usually reports the end within seconds.
create function private.expire_subscriptions() returns setof text
language plpgsql security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_stripe_id text;
begin
  for v_subscription in
    select * from public.subscriptions s
    where s.status in ('active', 'trial', 'past_due') and s.access_until <= now() - interval '1 hour'
    order by s.id for update skip locked
  loop
    update public.subscriptions set
      status = case when v_subscription.cancel_at_period_end then 'canceled' else 'unpaid' end,
      canceled_at = case when v_subscription.cancel_at_period_end then coalesce(canceled_at, now()) end
    where id = v_subscription.id;
    update private.stripe_subscriptions set presumed_ended_at = now() where subscription_id = v_subscription.id
    returning stripe_subscription_id into v_stripe_id;
    perform private.notify(v_subscription.subscriber_id, 'subscription', 'Subscription Expired',
      'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' has ended.',
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
    if v_stripe_id is not null then
      return next v_stripe_id;
    end if;
  end loop;
end;
$$;
comment on function private.expire_subscriptions is
  'Ends subscriptions whose access ended an hour ago: canceled at period end, past due for more than 3 days, or a trial without a payment (SUB-15..SUB-17). Returns their Stripe ids, so that the job can sync them with Stripe.';

-- Subscribers of each plan (PROD-10), for the creator's list of plans. Counted in the index alone, because a plan may have 100,000.
create index subscriptions_tier_id_status_idx on public.subscriptions (tier_id, status);
create type public.plan_subscribers as (
  product_id uuid,
  subscribers integer
);
comment on type public.plan_subscribers is 'A plan and its number of subscribers.';
comment on column public.plan_subscribers.product_id is 'The plan: subscription_products.id. Never null.';
comment on column public.plan_subscribers.subscribers is 'Subscriptions that are active, in trial, or past due, like profiles.subscribers_count. Never null.';
create function public.get_plan_subscribers(creator_profile_id uuid) returns setof public.plan_subscribers
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, (select count(*)::int from public.subscriptions s where s.tier_id = p.id and s.status in ('active', 'trial', 'past_due'))
    from public.subscription_products p where p.creator_id = creator_profile_id;
end;
$$;
comment on function public.get_plan_subscribers is 'The number of subscribers of each plan of a creator, including inactive plans. For the creator and admins.';
revoke execute on function public.get_plan_subscribers(uuid) from public, anon;
grant execute on function public.get_plan_subscribers(uuid) to authenticated;

create function private.end_duplicate(p_stripe_subscription_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason constant text := 'The fan was already subscribed to this creator.';
  v_subscription public.subscriptions;
begin
  -- A payment locks this row while it is booked (private.post_subscription_payment): either it is found below, or it finds is_duplicate.
  select s.* into v_subscription
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where k.stripe_subscription_id = p_stripe_subscription_id for update of s;
  update private.stripe_subscriptions set is_duplicate = true where subscription_id = v_subscription.id and not is_duplicate;
  if not found then
    return;
  end if;
  perform private.end_subscription(v_subscription.id, v_reason);
  perform private.request_refund(t.id, v_reason)
  from public.transactions t where t.subscription_id = v_subscription.id and t.transaction_type = 'subscription' order by t.id;
  perform private.notify(v_subscription.subscriber_id, 'subscription', 'Duplicate subscription canceled',
    'You already had a subscription to ' || private.name_of(v_subscription.creator_id) || ', so we canceled the second one'
      || case v_subscription.status when 'trial' then ' before it was charged.' else '. You''ll get a full refund for it.' end,
    jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
end;
$$;
comment on function private.end_duplicate is 'Ends the second of a fan''s two subscriptions to the same creator, requests the refund of its payments, and notifies the fan, once.';
create function private.post_subscription_payment(
  p_cause text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_subscription uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_is_first boolean := not exists (
    select from public.transactions t
    where t.to_user_id = p_creator and t.transaction_type = 'subscription' and t.from_user_id = p_subscriber
  );
  v_plan text := (select s.name from public.subscription_products s where s.id = p_product);
  v_earned text := private.dollars(p_gross_cents - p_fee_cents);
  v_subscription uuid;
begin
  perform private.lock_books(); -- always before the row
  select s.id into v_subscription from public.subscriptions s where s.id = p_subscription for key share;
  select * into v_payment from private.post_payment(
    'subscription', p_cause, p_subscriber, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, p_product, null, coalesce(v_subscription, (
      -- A payment belongs to a running subscription rather than to one that has ended.
      select s.id from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator
      order by s.status in ('canceled', 'incomplete_expired'), s.tier_id = p_product desc, s.created_at desc limit 1
    )));
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  if exists (select from private.stripe_subscriptions k where k.subscription_id = v_subscription and k.is_duplicate) then
    perform private.request_refund(v_payment.transaction_id, 'The fan was already subscribed to this creator.');
    return v_payment.transaction_id;
  end if;
  if exists (select from private.profiles p where p.id in (p_subscriber, p_creator) and p.suspended_at <= p_occurred_at) then
    perform private.request_refund(v_payment.transaction_id, 'One of the accounts was suspended when this was charged.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator,
    case when v_is_first then 'subscription' else 'payment' end,
    case when v_is_first then 'New subscriber' else 'Subscription payment' end,
    private.name_of(p_subscriber) || case when v_is_first then ' subscribed to ' else ' paid for ' end
      || v_plan || '. You earned ' || v_earned || '.',
    jsonb_build_object('profile_id', p_subscriber, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_subscription_payment is
  'Books a paid invoice for its subscription and notifies the creator. Idempotent by p_cause. Requests a refund for a duplicate, and for a payment made while one of the two was suspended. Returns transactions.id.';
