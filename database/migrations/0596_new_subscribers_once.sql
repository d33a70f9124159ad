-- Up Migration
-- Two payment pages of one creator that a fan opens a free trial on are two subscriptions, and the second is ended (0590). The creator is
-- told of one new subscriber.

-- As before (0565), but of a trial beside another subscription of the same two people nothing is said.
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
    if v_status = 'past_due' and v_current.status = 'unpaid' and v_current.past_due_since <= now() - interval '72 hours' then
      v_status := 'unpaid'; -- its grace is spent
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
    -- Whichever of the two is written first is told of, also when two workers write them at once.
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
