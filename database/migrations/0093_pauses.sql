-- Up Migration

-- Pauses: a creator stops billing for everyone (OFFER-09), and a fan pauses one subscription (OFFER-10). Both are Stripe's
-- pause_collection, which voids the invoices of the periods that begin meanwhile. The database decides what Stripe shall have; a queue
-- brings it there, and each sync takes over what an operator has changed at Stripe.
create table public.billing_pauses (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null references private.profiles on delete cascade,
  months     int not null constraint billing_pauses_months_range check (months between 1 and 3),
  started_at timestamptz not null default now(),
  resumes_at timestamptz not null,
  is_early   boolean not null default false,
  stage      text not null default 'starting' check (stage in ('starting', 'paused', 'noticing', 'noticed', 'resuming', 'ended')),
  ended_at   timestamptz,
  constraint billing_pauses_resume_in_time check (resumes_at > started_at and resumes_at <= started_at + interval '3 months'),
  constraint billing_pauses_end check ((ended_at is not null) = (stage = 'ended'))
);
comment on table public.billing_pauses is 'Times in which a creator''s subscribers aren''t billed and keep their access (OFFER-09).';
comment on column public.billing_pauses.resumes_at is 'When renewals are charged again. Earlier than the months, if the creator ended the pause early; never within 7 days of that.';
comment on column public.billing_pauses.is_early is 'The creator ended it early, so that Stripe needs the new date.';
comment on column public.billing_pauses.stage is 'Which of the walks over all subscribers comes next: starting (notices, and the pause at Stripe), noticing (the notice that billing resumes), resuming (periods that begin on the day). Between them, it waits.';
alter table public.billing_pauses enable row level security;
create unique index billing_pauses_one_open on public.billing_pauses (creator_id) where ended_at is null;
create index billing_pauses_creator_id_idx on public.billing_pauses (creator_id, started_at desc);
create index billing_pauses_open_idx on public.billing_pauses (resumes_at) where ended_at is null;
-- Who may see the creator's plans may see that nobody is billed for them now. The policies of plans apply within this one.
create policy select_open on public.billing_pauses for select to anon, authenticated
  using (ended_at is null and exists (select from public.subscription_products s where s.creator_id = billing_pauses.creator_id));
create policy select_own on public.billing_pauses for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
grant select on public.billing_pauses to anon, authenticated;
-- insert, update, and delete are not granted: pause_billing and resume_billing keep the notice.

-- Apart, because it names a subscriber.
create table private.billing_pause_walks (
  pause_id uuid primary key references public.billing_pauses on delete cascade,
  position uuid not null
);
comment on table private.billing_pause_walks is 'The subscriber up to whom the present walk of a pause has come, so that a killed one goes on where it was.';
alter table private.billing_pause_walks enable row level security; -- and no policy: the job is the only reader

create table public.pause_settings (
  creator_id     uuid primary key references private.profiles on delete cascade,
  fans_may_pause boolean not null
);
comment on table public.pause_settings is 'Whether a creator''s subscribers may pause instead of canceling (OFFER-10). Without a row, they may not.';
alter table public.pause_settings enable row level security;
-- The choice is offered to subscribers, who see the creator's plans. The policies of plans apply within this one.
create policy select_with_plans on public.pause_settings for select to authenticated
  using (exists (select from public.subscription_products s where s.creator_id = pause_settings.creator_id));
grant select on public.pause_settings to authenticated;
-- insert, update, and delete are not granted: set_fans_may_pause is for creators.

-- The triggers needn't be off: columns that are added are no update.
alter table public.subscriptions
  add column paused_from timestamptz,
  add column paused_until timestamptz,
  add column billing_paused_until timestamptz,
  add constraint subscriptions_pause_has_both check ((paused_from is null) = (paused_until is null)),
  add constraint subscriptions_pause_in_order check (paused_until > paused_from),
  add constraint subscriptions_no_paused_gift check (not is_gift or paused_from is null);
comment on column public.subscriptions.paused_from is 'The fan''s own pause begins then, at the end of the period that is paid: there is no access from then on, until a payment (OFFER-10). Null without one.';
comment on column public.subscriptions.paused_until is 'When the fan''s own pause ends, and the subscription is charged again.';
comment on column public.subscriptions.billing_paused_until is 'Until when Stripe voids the invoices: the fan''s pause, the creator''s, or one that an operator set at Stripe; infinity without an end. Null without a pause.';
create index subscriptions_paused_from_idx on public.subscriptions (paused_from) where paused_from is not null;

alter table private.stripe_subscriptions add column resume_claimed_until timestamptz;
comment on column private.stripe_subscriptions.resume_claimed_until is 'One process ends a pause at a time, so that it is charged once. A killed one loses its claim after two minutes.';

create table private.pause_tasks (
  subscription_id uuid primary key references public.subscriptions on delete cascade,
  version         uuid not null default gen_random_uuid(),
  due_at          timestamptz,
  attempts        int not null default 0,
  retry_at        timestamptz not null default now(),
  error           text
);
comment on table private.pause_tasks is 'Subscriptions whose pause at Stripe may differ from the one that they shall have. A row is deleted once Stripe has it.';
comment on column private.pause_tasks.version is 'Another one with each request, so that a request made during an attempt isn''t lost.';
comment on column private.pause_tasks.due_at is 'When the subscription renews: the soonest comes first, so that a creator''s pause reaches everyone before their renewal.';
alter table private.pause_tasks enable row level security; -- and no policy: the job is the only reader
create index pause_tasks_due_idx on private.pause_tasks (due_at, subscription_id);

create function private.request_pause(p_subscriptions uuid[]) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.pause_tasks (subscription_id, due_at)
  select s.id, s.current_period_end
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where s.id = any (p_subscriptions) and s.status not in ('canceled', 'incomplete', 'incomplete_expired')
  order by s.id
  on conflict (subscription_id) do update set version = gen_random_uuid(), due_at = excluded.due_at, attempts = 0, retry_at = now(), error = null;
$$;
comment on function private.request_pause is 'Requests Stripe to have the pauses that these subscriptions shall have (private.pauses_to_set).';
revoke execute on function private.request_pause from public;

create function private.billing_pause_of(p_creator uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select b.resumes_at from public.billing_pauses b where b.creator_id = p_creator and b.ended_at is null and b.resumes_at > now();
$$;
comment on function private.billing_pause_of is 'Until when the creator has paused billing; null if they haven''t.';
revoke execute on function private.billing_pause_of from public;
grant execute on function private.billing_pause_of to service_role;

-- The gate, with pauses: no access from the end of the paid period until the next payment, also if that payment fails.
create or replace function private.set_access_until() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.access_until := case
    when new.status = 'active' and not new.cancel_at_period_end then coalesce(new.paused_from, 'infinity')                      -- SUB-14, OFFER-10
    when new.status = 'past_due' then least(new.past_due_since + interval '72 hours', new.paused_from)                         -- SUB-16
    when new.status = 'trial' then coalesce(new.trial_end, new.current_period_end)                                             -- SUB-15
    when new.status = 'paused' then new.paused_from
    when new.cancel_at_period_end and new.status in ('active', 'canceled') then least(new.current_period_end, new.paused_from) -- SUB-17
  end;
  new.access_until := coalesce(new.access_until, '-infinity');                                                                 -- SUB-18
  new.updated_at := now();
  return new;
end;
$$;

create function private.pausing_creator() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can change pauses' using errcode = '42501';
  end if;
  return v_me;
end;
$$;
comment on function private.pausing_creator is 'The calling creator''s profiles.id. 42501 for anyone else.';
revoke execute on function private.pausing_creator from public;

-- A creator pauses billing.
create function public.pause_billing(months int) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.pausing_creator();
  v_resumes_at timestamptz;
begin
  if months is null or months not between 1 and 3 then
    raise sqlstate 'PT422' using message = 'Choose 1 to 3 months', detail = 'pause_months';
  end if;
  v_resumes_at := date_trunc('second', now()) + make_interval(months => months);
  begin
    insert into public.billing_pauses (creator_id, months, started_at, resumes_at)
    values (v_me, pause_billing.months, date_trunc('second', now()), v_resumes_at);
  exception when unique_violation then
    raise sqlstate 'PT409' using message = 'Billing is already paused', detail = 'billing_paused';
  end;
  -- Nobody begins to pay now: open payment pages close.
  perform private.close_checkouts(array(
    select c.id from private.checkout_sessions c where c.creator_id = v_me and c.kind = 'subscription' and c.status = 'open'));
  perform private.advance_billing_pause(v_me, 200); -- the rest of a large number follows by a job, within minutes
  return v_resumes_at;
end;
$$;
comment on function public.pause_billing is 'Pauses billing for the caller''s subscribers for 1 to 3 months (OFFER-09). They keep their access, nobody new subscribes, and each gets notice. Returns when billing resumes. PT409 if it is paused already.';
revoke execute on function public.pause_billing(int) from public, anon;
grant execute on function public.pause_billing(int) to authenticated;

create function public.resume_billing() returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_pause public.billing_pauses;
  v_resumes_at timestamptz := date_trunc('second', now()) + interval '7 days';
begin
  if v_me is null then
    raise exception 'Sign in to resume billing' using errcode = '42501';
  end if;
  -- Also a creator whose approval was withdrawn meanwhile.
  select * into v_pause from public.billing_pauses b where b.creator_id = v_me and b.ended_at is null for update;
  if v_pause.id is null then
    raise sqlstate 'PT409' using message = 'Billing isn''t paused', detail = 'billing_not_paused';
  elsif v_pause.stage not in ('starting', 'paused') or v_pause.is_early or v_pause.resumes_at <= v_resumes_at then
    raise sqlstate 'PT409' using message = 'Billing already resumes within 7 days, which your subscribers know', detail = 'billing_resumes_soon';
  end if;
  update public.billing_pauses set resumes_at = v_resumes_at, is_early = true where id = v_pause.id;
  return v_resumes_at;
end;
$$;
comment on function public.resume_billing is 'Ends the caller''s pause of billing in 7 days instead of later, with notice to each subscriber (OFFER-09). Returns when billing resumes. PT409 if that is within 7 days anyway.';
revoke execute on function public.resume_billing() from public, anon;
grant execute on function public.resume_billing() to authenticated;

create function public.set_fans_may_pause(may boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.pausing_creator();
begin
  if may is null then
    raise exception 'may must be true or false' using errcode = '22023';
  end if;
  insert into public.pause_settings (creator_id, fans_may_pause) values (v_me, may)
  on conflict (creator_id) do update set fans_may_pause = excluded.fans_may_pause;
end;
$$;
comment on function public.set_fans_may_pause is 'Whether the caller''s subscribers may pause instead of canceling (OFFER-10). Pauses that have been requested stay.';
revoke execute on function public.set_fans_may_pause(boolean) from public, anon;
grant execute on function public.set_fans_may_pause(boolean) to authenticated;

alter table private.payment_emails drop constraint payment_emails_kind_check,
  add constraint payment_emails_kind_check check (kind in ('receipt', 'refund', 'payment_failed', 'trial_started', 'trial_ends', 'renewal',
    'price_change', 'billing_paused', 'billing_resumes', 'pause_confirmed', 'pause_ends'));

create function private.date_of(p_moment timestamptz) returns text
language sql stable set search_path = ''
as $$
  select to_char(p_moment at time zone 'UTC', 'FMMonth FMDD, YYYY');
$$;
comment on function private.date_of is 'A date in a notification: May 4, 2026.';
revoke execute on function private.date_of from public;

create function private.has_long_period(p_subscription public.subscriptions) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_subscription.interval_count > 1
    or exists (select from public.subscription_products p where p.id = p_subscription.tier_id and p.interval = 'year');
$$;
comment on function private.has_long_period is 'Whether a period lasts longer than a month. One that begins within a creator''s pause ends with the pause: otherwise, a pause of one month would be worth a year.';

create function private.next_payment_at(p_subscription public.subscriptions, p_pause public.billing_pauses) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select case
    when private.has_long_period(p_subscription) then
      case when p_subscription.current_period_start >= p_pause.started_at then p_pause.resumes_at else greatest(p_subscription.current_period_end, p_pause.resumes_at) end
    -- A short period that begins within the pause is free, and the first one after it is paid.
    else (
      select min(d.day) from public.subscription_products p
      cross join lateral generate_series(p_subscription.current_period_end, greatest(p_subscription.current_period_end, p_pause.resumes_at) + interval '1 month',
        ('1 ' || p.interval)::interval) as d (day)
      where p.id = p_subscription.tier_id and d.day >= p_pause.resumes_at)
  end;
$$;
comment on function private.next_payment_at is 'When the subscription is charged first after the pause.';

-- One walk at a time; each call makes a step of it and commits, and the position goes with what it has written.
create function private.advance_billing_pause(p_creator uuid, p_most int) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_pause public.billing_pauses;
  v_people uuid[];
begin
  select * into v_pause from public.billing_pauses b
  where b.ended_at is null and (p_creator is null or b.creator_id = p_creator) and case b.stage
    when 'paused' then b.resumes_at <= now() + interval '7 days'
    when 'noticed' then b.resumes_at <= now()
    else true end
  order by b.started_at limit 1 for update skip locked;
  if v_pause.id is null then
    return false;
  end if;
  v_pause.stage := case v_pause.stage when 'paused' then 'noticing' when 'noticed' then 'resuming' else v_pause.stage end;
  v_people := array(
    select distinct s.subscriber_id from public.subscriptions s
    where s.creator_id = v_pause.creator_id and s.subscriber_id > coalesce((select w.position from private.billing_pause_walks w where w.pause_id = v_pause.id), '00000000-0000-0000-0000-000000000000')
      and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused') and not s.is_gift
    order by s.subscriber_id limit p_most);
  if v_pause.stage = 'starting' then
    perform private.request_pause(array(
      select s.id from public.subscriptions s where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift));
    perform private.notify(s.subscriber_id, 'subscription', private.name_of(s.creator_id) || ' has paused billing',
      'You won''t be charged until ' || private.date_of(v_pause.resumes_at) || ', and your access stays as it is. You''ll get a notice before billing resumes.',
      jsonb_build_object('profile_id', s.creator_id, 'subscription_id', s.id))
    from public.subscriptions s
    where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift and s.status in ('active', 'trial', 'past_due')
    order by s.subscriber_id;
    insert into private.payment_emails (kind, profile_id, subscription_id, key)
    select 'billing_paused', s.subscriber_id, s.id, 'billing_paused:' || v_pause.id || ':' || s.id
    from public.subscriptions s
    where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift and s.status in ('active', 'trial', 'past_due')
    on conflict on constraint payment_emails_once do nothing;
  elsif v_pause.stage = 'noticing' then
    if v_pause.is_early then
      perform private.request_pause(array(
        select s.id from public.subscriptions s where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift));
    end if;
    perform private.notify(s.subscriber_id, 'subscription',
      private.name_of(s.creator_id) || ' resumes billing on ' || private.date_of(v_pause.resumes_at),
      'Your next payment of ' || private.dollars(s.price_cents) || ' is due on ' || private.date_of(private.next_payment_at(s, v_pause))
        || '. You can cancel before then.',
      jsonb_build_object('profile_id', s.creator_id, 'subscription_id', s.id))
    from public.subscriptions s
    where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift
      and s.status in ('active', 'trial', 'past_due') and not s.cancel_at_period_end
    order by s.subscriber_id;
    insert into private.payment_emails (kind, profile_id, subscription_id, key)
    select 'billing_resumes', s.subscriber_id, s.id, 'billing_resumes:' || v_pause.id || ':' || s.id
    from public.subscriptions s
    where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift
      and s.status in ('active', 'trial', 'past_due') and not s.cancel_at_period_end
    on conflict on constraint payment_emails_once do nothing;
  else
    -- Stripe resumes by itself. These need more: a long period that was free begins again, and bills that were held are due.
    perform private.request_pause(array(
      select s.id from public.subscriptions s
      where s.creator_id = v_pause.creator_id and s.subscriber_id = any (v_people) and not s.is_gift
        and (s.status in ('past_due', 'unpaid') or private.has_long_period(s))));
  end if;
  if cardinality(v_people) < p_most then
    delete from private.billing_pause_walks w where w.pause_id = v_pause.id;
    update public.billing_pauses set
      stage = case v_pause.stage when 'starting' then 'paused' when 'noticing' then 'noticed' else 'ended' end,
      ended_at = case v_pause.stage when 'resuming' then now() end
    where id = v_pause.id;
  else
    insert into private.billing_pause_walks (pause_id, position) values (v_pause.id, v_people[cardinality(v_people)])
    on conflict (pause_id) do update set position = excluded.position;
    update public.billing_pauses b set stage = v_pause.stage where b.id = v_pause.id and b.stage <> v_pause.stage;
  end if;
  return true;
end;
$$;
comment on function private.advance_billing_pause is 'Makes the next step of a pause that has one, of this creator or of any. False if none has.';
revoke execute on function private.advance_billing_pause, private.has_long_period, private.next_payment_at from public;
grant execute on function private.advance_billing_pause to service_role;

-- A fan pauses.
create function private.pause_subscription(p_subscription uuid, p_months int) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.id = p_subscription for no key update;
  if p_months is null or p_months not between 1 and 3 then
    raise sqlstate 'PT422' using message = 'Choose 1 to 3 months', detail = 'pause_months';
  elsif v_subscription.paused_from is not null then
    raise sqlstate 'PT409' using message = 'This subscription is already paused', detail = 'already_paused';
  elsif v_subscription.status in ('canceled', 'incomplete', 'incomplete_expired') or v_subscription.is_gift then
    raise sqlstate 'PT409' using message = 'There is no renewal to pause', detail = 'pause_without_renewal';
  elsif v_subscription.cancel_at_period_end then
    raise sqlstate 'PT409' using message = 'You canceled this subscription. Resume it before you pause it.', detail = 'pause_without_renewal';
  elsif v_subscription.status <> 'active' or v_subscription.current_period_end <= now() then
    raise sqlstate 'PT409' using message = 'You can pause once your payment went through', detail = 'pause_not_paid';
  elsif not exists (select from public.pause_settings p where p.creator_id = v_subscription.creator_id and p.fans_may_pause) then
    raise sqlstate 'PT409' using message = 'This creator doesn''t offer pauses', detail = 'pauses_not_offered';
  elsif private.billing_pause_of(v_subscription.creator_id) is not null or v_subscription.billing_paused_until > now() then
    raise sqlstate 'PT409' using message = 'Billing is paused already: you keep your access and pay nothing', detail = 'billing_paused';
  elsif exists (select from private.subscription_confirmations c where c.subscription_id = p_subscription) then
    raise sqlstate 'PT409' using message = 'A payment waits for your bank. Confirm it before you pause.', detail = 'pause_not_paid';
  end if;
  -- An hour before a period would begin anyway, so that the pause is over by then and the new period is paid.
  update public.subscriptions s set paused_from = v_subscription.current_period_end,
    paused_until = date_trunc('second', v_subscription.current_period_end) + make_interval(months => p_months) - interval '1 hour'
  where s.id = p_subscription
  returning * into v_subscription;
  perform private.request_pause(array[p_subscription]);
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  values ('pause_confirmed', v_subscription.subscriber_id, p_subscription, 'pause_confirmed:' || p_subscription || ':' || v_subscription.paused_until)
  on conflict on constraint payment_emails_once do nothing;
  perform private.notify(v_subscription.creator_id, 'subscription',
    private.name_of(v_subscription.subscriber_id) || ' pauses their subscription',
    'From ' || private.date_of(v_subscription.paused_from) || ' to ' || private.date_of(v_subscription.paused_until) || '.',
    jsonb_build_object('profile_id', v_subscription.subscriber_id, 'subscription_id', p_subscription));
end;
$$;
comment on function private.pause_subscription is 'Pauses a subscription for 1 to 3 months from the end of its paid period (OFFER-10). The caller knows that it is the fan''s.';
revoke execute on function private.pause_subscription from public;
grant execute on function private.pause_subscription to service_role;

create function private.undo_pause(p_subscription uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.id = p_subscription for no key update;
  if v_subscription.paused_from is null then
    raise sqlstate 'PT409' using message = 'This subscription isn''t paused', detail = 'not_paused';
  elsif v_subscription.paused_from <= now() and private.billing_pause_of(v_subscription.creator_id) is null then
    return false;
  end if;
  update public.subscriptions s set paused_from = null, paused_until = null, status = case s.status when 'paused' then 'active' else s.status end
  where s.id = p_subscription;
  perform private.request_pause(array[p_subscription]);
  return true;
end;
$$;
comment on function private.undo_pause is 'Ends a fan''s pause where that costs nothing: it hasn''t begun, or the creator has paused billing. False if the next period must be paid first.';
revoke execute on function private.undo_pause from public;
grant execute on function private.undo_pause to service_role;

create function private.claim_resume(p_subscription uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.stripe_subscriptions k set resume_claimed_until = clock_timestamp() + interval '2 minutes'
  from public.subscriptions s
  where k.subscription_id = p_subscription and s.id = p_subscription and s.paused_from <= now() and s.status = 'paused'
    and not s.cancel_at_period_end and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null
    and coalesce(k.resume_claimed_until <= clock_timestamp(), true);
  return found;
end;
$$;
comment on function private.claim_resume is 'Claims the end of a fan''s pause for one process. False if another has it, or if the subscription must not be charged.';
revoke execute on function private.claim_resume from public;
grant execute on function private.claim_resume to service_role;

create function private.end_pause(p_subscription uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  update public.subscriptions s set paused_from = null, paused_until = null, status = case s.status when 'paused' then 'active' else s.status end
  where s.id = p_subscription and s.paused_from is not null and s.status in ('paused', 'active', 'past_due')
  returning * into v_subscription;
  if found then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' is active again', 'Your pause is over.',
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription));
  end if;
end;
$$;
comment on function private.end_pause is 'Ends a fan''s pause, because the next period is paid. Idempotent.';
revoke execute on function private.end_pause from public;
grant execute on function private.end_pause to service_role;

create function private.move_pause(p_subscription uuid, p_from timestamptz) returns timestamptz
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set paused_from = p_from, paused_until = p_from + (s.paused_until - s.paused_from),
    status = case s.status when 'paused' then 'active' else s.status end
  where s.id = p_subscription and s.paused_from < p_from
  returning s.paused_until;
$$;
comment on function private.move_pause is 'Moves a fan''s pause to the end of a period that was charged before Stripe had the pause, so that what was paid for gives access.';
revoke execute on function private.move_pause from public;
grant execute on function private.move_pause to service_role;

create type private.pause_to_set as (
  subscription_id uuid,
  stripe_id text,
  version uuid,
  wanted_until timestamptz,
  paused_from timestamptz,
  holds_bills boolean,
  begins boolean
);
comment on type private.pause_to_set is 'A subscription and the pause that it shall have at Stripe.';
create function private.pauses_to_set(p_most int, p_subscription uuid default null) returns setof private.pause_to_set
language sql stable security definer set search_path = ''
as $$
  select s.id, k.stripe_subscription_id, t.version,
    -- The later one: a fan's pause that ends within the creator's must not be charged.
    greatest(case when s.paused_until > now() then s.paused_until end, private.billing_pause_of(s.creator_id)),
    case when s.paused_until > now() then s.paused_from end,
    private.billing_pause_of(s.creator_id) is not null,
    private.billing_pause_of(s.creator_id) is null and s.paused_from is null and s.status = 'active' and not s.cancel_at_period_end
      and private.has_long_period(s) and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null
      and exists (
        select from public.billing_pauses b
        where b.creator_id = s.creator_id and b.resumes_at <= now() and s.current_period_start >= b.started_at and s.current_period_start < b.resumes_at)
  from private.pause_tasks t
  join public.subscriptions s on s.id = t.subscription_id
  join private.stripe_subscriptions k on k.subscription_id = s.id
  where t.subscription_id = p_subscription or (p_subscription is null and t.retry_at <= now())
  order by t.due_at, t.subscription_id limit p_most;
$$;
comment on function private.pauses_to_set is 'What Stripe shall have, for the subscriptions that request it, or for one of them: wanted_until, its pause; paused_from, where a fan''s own pause begins; holds_bills, whether open bills aren''t collected; begins, whether a period that was free ends now and a paid one begins.';
revoke execute on function private.pauses_to_set from public;
grant execute on function private.pauses_to_set to service_role;

create function private.note_pause_set(p_subscription uuid, p_version uuid, p_error text) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.pause_tasks t set attempts = t.attempts + 1, error = p_error,
    retry_at = now() + least(interval '1 minute' * (2 ^ least(t.attempts, 10)), interval '1 hour')
  where t.subscription_id = p_subscription and t.version = p_version and p_error is not null;
  delete from private.pause_tasks t where t.subscription_id = p_subscription and t.version = p_version and p_error is null;
$$;
comment on function private.note_pause_set is 'Notes that Stripe has the pause (p_error null), or why it hasn''t. Nothing, if another was requested meanwhile.';
revoke execute on function private.note_pause_set from public;
grant execute on function private.note_pause_set to service_role;

create function private.needs_billing_pause(p_subscription public.subscriptions) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- One that an operator resumed at Stripe stays resumed: only those that began after the walk came by.
  select private.billing_pause_of(p_subscription.creator_id) is not null and exists (
    select from public.billing_pauses b
    where b.creator_id = p_subscription.creator_id and b.ended_at is null and p_subscription.created_at > b.started_at)
    and p_subscription.billing_paused_until is null;
$$;
comment on function private.needs_billing_pause is 'Whether a subscription began within its creator''s pause, and Stripe doesn''t know of the pause yet.';
revoke execute on function private.needs_billing_pause from public;

-- Stripe's side wins, unless it doesn't have our latest request yet.
create function private.settle_pause(p_subscription uuid, p_asked_at timestamptz, p_until timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.id = p_subscription for no key update;
  if v_subscription.id is null or v_subscription.status in ('canceled', 'incomplete', 'incomplete_expired')
    or exists (select from private.stripe_subscriptions k where k.subscription_id = p_subscription and k.last_event_at > p_asked_at)
  then
    return false;
  end if;
  if v_subscription.billing_paused_until is distinct from p_until then
    update public.subscriptions set billing_paused_until = p_until where id = p_subscription;
  end if;
  if exists (select from private.pause_tasks t where t.subscription_id = p_subscription) then
    return false;
  elsif v_subscription.paused_from is null then
    -- Someone who subscribed, or whose payment arrived, while the creator pauses.
    if p_until is null and private.needs_billing_pause(v_subscription) then
      perform private.request_pause(array[p_subscription]);
    end if;
    return false;
  elsif v_subscription.paused_until <= now() and private.billing_pause_of(v_subscription.creator_id) is not null then
    perform private.undo_pause(p_subscription); -- access, and no charge
    return false;
  elsif p_until is not null then
    if p_until > v_subscription.paused_from and p_until <> v_subscription.paused_until and private.billing_pause_of(v_subscription.creator_id) is null then
      update public.subscriptions set paused_until = p_until where id = p_subscription;
    end if;
    return false;
  elsif v_subscription.paused_from > now() then
    update public.subscriptions set paused_from = null, paused_until = null where id = p_subscription;
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' won''t be paused', 'It renews as before.',
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription));
    return false;
  elsif private.billing_pause_of(v_subscription.creator_id) is not null then
    perform private.undo_pause(p_subscription);
    return false;
  end if;
  return v_subscription.status = 'paused';
end;
$$;
comment on function private.settle_pause is 'Takes over Stripe''s pause of a subscription (p_until: its end; null: none; p_asked_at: when it was read). True if a fan''s pause is over there, so that the next period must be paid.';
revoke execute on function private.settle_pause from public;
grant execute on function private.settle_pause to service_role;

create function private.begin_next_pause() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- One in a transaction: each changes a creator's count of subscribers.
  update public.subscriptions set status = 'paused'
  where id = (
    select s.id from public.subscriptions s
    where s.paused_from <= now() and s.status = 'active' and not exists (select from private.pause_tasks t where t.subscription_id = s.id)
    order by s.paused_from limit 1 for update skip locked);
  return found;
end;
$$;
comment on function private.begin_next_pause is 'Counts a subscription as paused once its paid period is over. The access has ended by itself. False if there is none.';
revoke execute on function private.begin_next_pause from public;
grant execute on function private.begin_next_pause to service_role;

create function private.tell_of_pause() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.subscriber_id, 'subscription', 'Your subscription to ' || private.name_of(new.creator_id) || ' is paused',
    'You have no access and pay nothing' || case when isfinite(new.paused_until) then ' until ' || private.date_of(new.paused_until) else '' end
      || '. You can resume at any time.',
    jsonb_build_object('profile_id', new.creator_id, 'subscription_id', new.id));
  return null;
end;
$$;
comment on function private.tell_of_pause is 'Trigger of subscriptions: notifies the fan that their pause has begun.';
create trigger subscriptions_tell_of_pause after update of status on public.subscriptions
  for each row when (new.status = 'paused' and old.status = 'active' and new.paused_from is not null) execute function private.tell_of_pause();

create function private.forget_pause() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.pause_tasks t where t.subscription_id = new.id;
  return null;
end;
$$;
comment on function private.forget_pause is 'Trigger of subscriptions: one that has ended needs no pause at Stripe.';
create trigger subscriptions_forget_pause after update of status on public.subscriptions
  for each row when (new.status in ('canceled', 'incomplete_expired') and old.status <> new.status) execute function private.forget_pause();

create function private.pauses_due() returns setof text
language sql stable security definer set search_path = ''
as $$
  select k.stripe_subscription_id
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where s.paused_from is not null and s.status = 'paused' and s.paused_until <= now() and not s.cancel_at_period_end
    and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null
  order by s.paused_until limit 200;
$$;
comment on function private.pauses_due is 'Stripe''s ids of subscriptions whose fan''s pause is over, in case Stripe''s event was lost.';
revoke execute on function private.pauses_due from public;
grant execute on function private.pauses_due to service_role;

create function private.write_pause_notices() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  with written as (
    insert into private.payment_emails (kind, profile_id, subscription_id, key)
    select 'pause_ends', s.subscriber_id, s.id, 'pause_ends:' || s.id || ':' || s.paused_until
    from public.subscriptions s
    where s.paused_from is not null and s.status = 'paused' and s.paused_until between now() and now() + interval '7 days' and not s.cancel_at_period_end
      and not exists (select from private.payment_emails e where e.key = 'pause_ends:' || s.id || ':' || s.paused_until)
    order by s.paused_until limit 500
    on conflict on constraint payment_emails_once do nothing
    returning subscription_id
  )
  select count(private.notify(s.subscriber_id, 'subscription',
    'Your subscription to ' || private.name_of(s.creator_id) || ' resumes on ' || private.date_of(s.paused_until),
    'You''ll pay ' || private.dollars(s.price_cents) || ' then. You can cancel before that.',
    jsonb_build_object('profile_id', s.creator_id, 'subscription_id', s.id)))
  into v_count
  from written w join public.subscriptions s on s.id = w.subscription_id;
  return v_count;
end;
$$;
comment on function private.write_pause_notices is 'Writes the notices, in the app and by email, of fans'' pauses that end within 7 days. Returns how many.';
revoke execute on function private.write_pause_notices from public;
grant execute on function private.write_pause_notices to service_role;

-- As in 0087_plan_terms_and_price_lock.sql: nobody begins to pay, or pays more, while billing is paused.
create or replace function private.quote_plan(p_fan uuid, p_plan uuid, p_interval_count integer DEFAULT 1) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_creator private.profiles;
  v_price text;
  v_paused_until timestamptz;
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
  v_paused_until := private.billing_pause_of(v_plan.creator_id);
  if v_paused_until is not null then
    raise sqlstate 'PT409' using message = 'This creator has paused billing until ' || private.date_of(v_paused_until) || '. You can choose a plan then.', detail = 'billing_paused';
  end if;
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

-- As in 0050_notification_texts.sql. A fan's pause is no end; a failed payment after one has its three days, without access.
create or replace function private.expire_subscriptions() returns SETOF text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_stripe_id text;
begin
  for v_subscription in
    select * from public.subscriptions s
    where s.status in ('active', 'trial', 'past_due') and s.access_until <= now() - interval '1 hour'
      and (s.paused_from is null or s.cancel_at_period_end or s.past_due_since <= now() - interval '73 hours')
    order by s.id for update skip locked
  loop
    update public.subscriptions set
      status = case when v_subscription.cancel_at_period_end then 'canceled' else 'unpaid' end,
      canceled_at = case when v_subscription.cancel_at_period_end then coalesce(canceled_at, now()) end
    where id = v_subscription.id;
    update private.stripe_subscriptions set presumed_ended_at = now() where subscription_id = v_subscription.id
    returning stripe_subscription_id into v_stripe_id;
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' has ended', 'You can subscribe again at any time.',
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
    if v_stripe_id is not null then
      return next v_stripe_id;
    end if;
  end loop;
end;
$$;

-- As in 0087_plan_terms_and_price_lock.sql. Stripe calls a paused subscription active; here, it is paused from the end of its paid period on.
create or replace function private.apply_subscription_state(p_stripe_subscription_id text, p_subscriber uuid, p_creator uuid, p_product uuid, p_status text, p_current_period_start timestamp with time zone, p_current_period_end timestamp with time zone, p_trial_end timestamp with time zone, p_cancel_at_period_end boolean, p_canceled_at timestamp with time zone, p_event_at timestamp with time zone, p_price_cents integer DEFAULT NULL::integer, p_interval_count integer DEFAULT NULL::integer) returns uuid
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
    if v_status = 'active' and v_current.paused_from <= now()
      and not exists (select from private.pause_tasks t where t.subscription_id = v_id and v_current.status = 'active') -- Stripe may not have the pause yet
    then
      v_status := 'paused';
    end if;
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

-- As in 0087_plan_terms_and_price_lock.sql. What isn't charged needs no reminder.
create or replace function private.write_reminders() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  select case s.status when 'trial' then 'trial_ends' else 'renewal' end, s.subscriber_id, s.id, 'renewal:' || s.id || ':' || s.current_period_end
  from public.subscriptions s join public.subscription_products p on p.id = s.tier_id
  where not s.cancel_at_period_end and s.paused_from is null and coalesce(s.billing_paused_until <= s.current_period_end, true) and s.current_period_end > now() and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and (
    (s.status = 'trial' and s.current_period_end <= now() + interval '3 days')
    or (s.status = 'active' and (p.interval = 'year' or s.interval_count > 1) and s.current_period_end <= now() + interval '14 days'))
  on conflict on constraint payment_emails_once do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

alter type private.email_to_send add attribute paused_from timestamptz, add attribute paused_until timestamptz, add attribute next_payment_at timestamptz;
-- As in 0087_plan_terms_and_price_lock.sql, with the notices of pauses.
create or replace function private.emails_to_send() returns SETOF private.email_to_send
language sql stable security definer set search_path = ''
as $$
  select e.id, e.kind,
    -- Nothing is sent to an unconfirmed email, or to a user who has turned emails off (SET-16).
    -- Between queueing and sending, the charge may have succeeded or the renewal been canceled. A renewal that is paused because the
    -- creator can't be paid doesn't blame the fan's card.
    case when u.email_confirmed_at is not null and case e.kind
      -- The notice protects its reader, and without it the price can't rise: no setting holds it back.
      when 'price_change' then move.id is not null and s.status in ('trial', 'active', 'past_due', 'paused')
      -- Without these, a fan could be charged by surprise.
      when 'billing_resumes' then s.status in ('trial', 'active', 'past_due') and not s.cancel_at_period_end
      when 'pause_ends' then s.paused_from is not null and s.status in ('active', 'paused') and not s.cancel_at_period_end
      else settings.email and (s.id is null or (
        private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and case e.kind
          when 'payment_failed' then s.status in ('past_due', 'unpaid')
          when 'billing_paused' then s.status in ('trial', 'active', 'past_due') and pause.ended_at is null
          when 'pause_confirmed' then s.paused_from is not null and s.status in ('active', 'paused')
          else s.status in ('trial', 'active') and not s.cancel_at_period_end
            and s.paused_from is null and coalesce(s.billing_paused_until <= s.current_period_end, true) end))
      end then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, coalesce(s.price_cents, p.price_cents), p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url, coalesce(s.interval_count, 1),
    move.to_cents, move.moves_at, goal.title, s.paused_from, coalesce(pause.resumes_at, s.paused_until),
    case e.kind when 'billing_resumes' then private.next_payment_at(s, pause) end
  from private.payment_emails e
  join private.profiles f on f.id = e.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = e.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.goals goal on goal.id = coalesce(original.goal_id, t.goal_id)
  left join public.subscriptions s on s.id = e.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join public.price_moves move on e.kind = 'price_change' and e.key = 'price_change:' || move.id
  left join public.billing_pauses pause
    on pause.id = case when e.kind in ('billing_paused', 'billing_resumes') then split_part(e.key, ':', 2)::uuid end
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where e.sent_at is null and e.attempts < 10
  order by e.attempts, e.id limit 200;
$$;

-- As in 0088_gifts.sql: a creator whose billing is paused has no monthly revenue now.
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
    coalesce(round(sum(s.paying * private.monthly_cents(s.price_cents, p."interval") / s.interval_count)
      filter (where not exists (select from public.billing_pauses b where b.creator_id = p.creator_id and b.ended_at is null and b.resumes_at > now()))), 0)
  into v_overview.subscriptions, v_overview.monthly_cents
  from (
    select x.tier_id, x.interval_count, x.price_cents, count(*) as paying
    from public.subscriptions x where x.status in ('active', 'past_due') group by x.tier_id, x.interval_count, x.price_cents
    union all
    -- Gifts don't recur. From an index of their own, so that the other one needs no more columns.
    select g.tier_id, g.interval_count, g.price_cents, -count(*)
    from public.subscriptions g where g.is_gift and g.status = 'active' group by g.tier_id, g.interval_count, g.price_cents
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
