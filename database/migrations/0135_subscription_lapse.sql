-- Up Migration
-- Subscriptions whose time is over, and a fan's own list of them (SUB-14..SUB-20, SET-06, D15, D29).
alter table private.stripe_subscriptions add column presumed_ended_at timestamptz;
comment on column private.stripe_subscriptions.presumed_ended_at is
  'When the clock ended it here for want of word from the provider. Word that it lives on still counts. Null else.';

-- As before, but an end that only the clock has told does not outrank the provider.
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
  -- One state of a subscription at a time: events of the same one may be fulfilled by two workers.
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
      or (v_current.status in ('canceled', 'incomplete_expired') and v_status <> v_current.status and v_known.presumed_ended_at is null) -- an ended subscription never comes back
    then
      return v_id;
    end if;
    update public.subscriptions set
      tier_id = p_product,
      status = v_status,
      current_period_start = p_current_period_start,
      current_period_end = p_current_period_end,
      trial_end = p_trial_end,
      cancel_at_period_end = coalesce(p_cancel_at_period_end, false),
      canceled_at = p_canceled_at,
      past_due_since = case when v_status = 'past_due' then coalesce(v_current.past_due_since, p_event_at) end
    where id = v_id;
    update private.stripe_subscriptions set last_event_at = p_event_at, presumed_ended_at = null where subscription_id = v_id;
  end if;
  if v_status = 'trial' and coalesce(v_current.status, 'incomplete') = 'incomplete' then
    perform private.notify(p_creator, 'subscription', 'New subscriber',
      (select coalesce(f.display_name, f.username) || ' started a free trial of ' || t.name || '.'
       from private.profiles f, public.subscription_products t where f.id = p_subscriber and t.id = p_product),
      jsonb_build_object('profile_id', p_subscriber, 'subscription_id', v_id));
  end if;
  return v_id;
end;
$$;

create index subscriptions_lapsing_idx on public.subscriptions (access_until) where status in ('active', 'trial', 'past_due');

-- Access needs no job: the gate compares access_until with the clock. What needs one is what people count and read: states,
-- subscriber counts, and the word that it is over. An hour of patience, for the provider's own word usually comes within seconds.
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
      canceled_at = case when v_subscription.cancel_at_period_end then coalesce(canceled_at, now()) end,
      past_due_since = null
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
  'Ends subscriptions whose access ran out an hour ago: canceled at period end, past due beyond its 3 days, trial that nothing followed (SUB-15..SUB-17). Returns the provider''s ids of them, for the job to ask how they really stand.';

create type public.own_subscription as (
  id uuid, status text, has_access boolean, days_remaining int, current_period_end timestamptz, cancel_at_period_end boolean,
  access_until timestamptz, created_at timestamptz,
  product_id uuid, plan_name text, price_cents int, "interval" text,
  creator_id uuid, creator_username text, creator_display_name text, creator_avatar_url text
);
comment on type public.own_subscription is 'A line of Settings > Subscriptions: the subscription with its plan and creator.';
comment on column public.own_subscription.id is 'subscriptions.id. Never null.';
comment on column public.own_subscription.status is 'As in subscription_status. Never null.';
comment on column public.own_subscription.has_access is 'Never null.';
comment on column public.own_subscription.days_remaining is 'As in subscription_status. Never null.';
comment on column public.own_subscription.cancel_at_period_end is 'Never null.';
comment on column public.own_subscription.access_until is 'Until when the gate lets the subscriber in; null while the subscription renews. The countdown''s end (SUB-20).';
comment on column public.own_subscription.created_at is 'Never null.';
comment on column public.own_subscription.product_id is 'Never null.';
comment on column public.own_subscription.plan_name is 'Never null.';
comment on column public.own_subscription.price_cents is 'For one interval. Never null.';
comment on column public.own_subscription."interval" is 'Never null.';
comment on column public.own_subscription.creator_id is 'Never null.';
comment on column public.own_subscription.creator_username is 'Never null.';

create function public.get_own_subscriptions() returns setof public.own_subscription
language sql stable security definer set search_path = ''
as $$
  select s.id,
    case when s.cancel_at_period_end and s.status in ('active', 'trial') then 'canceled' else s.status end,
    s.access_until > now(),
    case when s.access_until = '-infinity' then 0
      else greatest(0, ceil(extract(epoch from
        case when s.access_until = 'infinity' then s.current_period_end else s.access_until end - now()) / 86400))
    end::int,
    s.current_period_end, s.cancel_at_period_end, case when isfinite(s.access_until) then s.access_until end, s.created_at,
    t.id, t.name, t.price_cents, t.interval, c.id, c.username, c.display_name, c.avatar_url
  from public.subscriptions s
  join public.subscription_products t on t.id = s.tier_id
  join private.profiles c on c.id = s.creator_id
  where s.subscriber_id = (select private.my_profile_id()) and s.status not in ('incomplete', 'incomplete_expired')
  order by s.access_until > now() desc, s.created_at desc;
$$;
comment on function public.get_own_subscriptions is 'The caller''s subscriptions, those with access first. Security definer: a plan may be retired and a creator private, and the subscriber still reads what they pay for.';
grant execute on function public.get_own_subscriptions() to authenticated;
