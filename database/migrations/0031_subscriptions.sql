-- Up Migration
-- Who is subscribed to whom, as Stripe last said (DATA-18, DATA-20, SUB-14..SUB-18, D15).
create table public.subscriptions (
  id                   uuid primary key default gen_random_uuid(),
  subscriber_id        uuid not null references private.profiles on delete cascade,
  creator_id           uuid not null references private.profiles on delete cascade,
  -- Deferred, so that deleting an account may take plan and subscription in either order.
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
comment on table public.subscriptions is 'Subscriptions as Stripe last told them. Only private.apply_subscription_state writes here.';
comment on column public.subscriptions.tier_id is 'The plan: subscription_products.id, also subscription_tiers.id.';
comment on column public.subscriptions.cancel_at_period_end is 'The subscriber has cancelled; the paid time runs out at current_period_end.';
comment on column public.subscriptions.past_due_since is 'When a charge first failed; the grace period of 3 days counts from here (SUB-16).';
comment on column public.subscriptions.access_until is 'The gate: access is exactly access_until > now(). Kept by private.set_access_until from the other columns.';
create index subscriptions_subscriber_id_idx on public.subscriptions (subscriber_id, creator_id); -- the gate, asked for each post
create index subscriptions_creator_id_idx on public.subscriptions (creator_id, status, created_at desc); -- API-REST-21
create index subscriptions_tier_id_idx on public.subscriptions (tier_id);

create table private.stripe_subscriptions (
  subscription_id        uuid primary key references public.subscriptions on delete cascade,
  stripe_subscription_id text not null unique,
  last_event_at          timestamptz not null,
  created_at             timestamptz not null default now()
);
comment on table private.stripe_subscriptions is 'Stripe''s id of a subscription, and how recent our picture of it is.';
comment on column private.stripe_subscriptions.last_event_at is 'Stripe''s time of the newest state applied; an older one changes nothing.';
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
comment on function private.set_access_until is 'The gate rows of the specification, in one place.';
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
comment on function private.count_subscriber is 'Keeps profiles.subscribers_count.';
create trigger subscriptions_count after insert or update of status or delete on public.subscriptions
  for each row execute function private.count_subscriber();

-- How far a state lies along a subscription's life. Stripe's times have whole seconds, so two states may bear the same one.
create function private.subscription_stage(status text) returns int
language sql immutable set search_path = ''
as $$
  select case status
    when 'incomplete' then 0 when 'trial' then 1 when 'active' then 2 when 'paused' then 3
    when 'past_due' then 4 when 'unpaid' then 5 when 'incomplete_expired' then 6 when 'canceled' then 7
  end;
$$;
comment on function private.subscription_stage is 'Orders states that Stripe stamped with the same second: the later stage wins.';

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
      or (v_current.status in ('canceled', 'incomplete_expired') and v_status <> v_current.status) -- an ended subscription never comes back
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
    update private.stripe_subscriptions set last_event_at = p_event_at where subscription_id = v_id;
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
comment on function private.apply_subscription_state is
  'Takes over one state of a Stripe subscription and returns subscriptions.id. Late, repeated and out-of-order states change nothing. p_event_at: Stripe''s time of the state.';

alter table public.subscriptions enable row level security;
create policy select_party on public.subscriptions for select to authenticated
  using ((select private.my_profile_id()) in (subscriber_id, creator_id) or (select private.is_admin()));
grant select on public.subscriptions to authenticated;
-- insert, update and delete are not granted: what Stripe has not confirmed is no subscription.

-- A retired plan stays readable for those who are subscribed to it.
create policy select_subscribed on public.subscription_products for select to authenticated
  using (exists (select from public.subscriptions s where s.tier_id = subscription_products.id and s.subscriber_id = (select private.my_profile_id())));

alter publication ovation_realtime add table public.subscriptions;
alter table public.subscriptions replica identity full; -- as for notifications

create type public.subscription_status as (status text, days_remaining int, current_period_end timestamptz, has_access boolean);
comment on type public.subscription_status is 'Subscription status lookup result (DATA-20).';
comment on column public.subscription_status.status is 'active, trial, past_due, canceled, unpaid or paused; canceled from the moment the subscriber cancels. Never null.';
comment on column public.subscription_status.days_remaining is 'Started days until access ends, or until the period ends while the subscription renews. Never null.';
comment on column public.subscription_status.has_access is 'The gate''s answer (SUB-14 to SUB-18). Never null.';

create function public.get_subscription_status(subscriber_profile_id uuid, creator_profile_id uuid)
returns setof public.subscription_status
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and coalesce(private.my_profile_id() not in (subscriber_profile_id, creator_profile_id), true) then
    raise exception 'Only the subscriber, the creator and admins may ask for this status' using errcode = '42501';
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
      s.access_until > now()
    from public.subscriptions s
    where s.subscriber_id = subscriber_profile_id and s.creator_id = creator_profile_id
      and s.status not in ('incomplete', 'incomplete_expired') -- a checkout that was never paid
    order by s.access_until desc, s.created_at desc;
end;
$$;
comment on function public.get_subscription_status is
  'The subscriber''s subscriptions to the creator, the most useful first (RPC-05). For the two of them and admins.';
grant execute on function public.get_subscription_status(uuid, uuid) to authenticated;
