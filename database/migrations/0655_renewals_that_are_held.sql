-- Up Migration
-- Renewals that the platform holds back: a party is suspended, or the creator's account can't be paid. The fan's own cancellation is kept
-- apart from that, so that lifting the hold never charges a fan who canceled, and no resumption from anywhere (our API, the provider's
-- portal, its dashboard) charges anybody while the hold lasts.
alter table private.stripe_subscriptions add column renewal_held boolean not null default false;
comment on column private.stripe_subscriptions.renewal_held is
  'The platform has stopped the renewal, not the fan: it goes on when the reason is gone. A fan who cancels meanwhile takes this mark away.';

update private.stripe_subscriptions k set renewal_held = true
from public.subscriptions s, private.payment_tasks t, private.profiles p
where s.id = k.subscription_id and s.status not in ('canceled', 'incomplete_expired')
  and t.kind = 'stop_renewal' and t.target = k.stripe_subscription_id
  and p.id in (s.subscriber_id, s.creator_id) and t.created_at >= p.suspended_at;

create function private.renewal_bar(p_subscriber uuid, p_creator uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when exists (select from private.profiles p where p.id in (p_subscriber, p_creator) and p.suspended_at is not null)
      then 'The account of a party is suspended'
    when exists (select from private.profiles c where c.id = p_creator and c.stripe_account_id is not null and not c.stripe_charges_enabled)
      then 'The creator cannot take payments'
  end;
$$;
comment on function private.renewal_bar is 'Why a subscription between the two must not be charged again for now; null when it may be.';
revoke execute on function private.renewal_bar from public;
grant execute on function private.renewal_bar to service_role;

create function private.wish_renewal(p_target text, p_kind text, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  -- The opposite wish may not have been carried out yet.
  update private.payment_tasks set done_at = now()
  where target = p_target and done_at is null and kind in ('stop_renewal', 'resume_renewal') and kind <> p_kind;
  insert into private.payment_tasks as t (kind, target, reason) values (p_kind, p_target, p_reason)
  -- One that waits is tried as it is: asking for it again must not begin its attempts again.
  on conflict (kind, target) do update set done_at = null, attempts = 0, error = null, reason = excluded.reason, created_at = now()
  where t.done_at is not null;
$$;
comment on function private.wish_renewal is 'Asks the provider to stop or resume a renewal (kind: stop_renewal, resume_renewal).';
revoke execute on function private.wish_renewal from public;

create function private.settle_renewal(p_subscription uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_target text;
  v_held boolean;
  v_bar text;
begin
  select k.stripe_subscription_id, k.renewal_held into v_target, v_held
  from private.stripe_subscriptions k where k.subscription_id = p_subscription for update;
  select * into v_subscription from public.subscriptions s
  where s.id = p_subscription and s.status not in ('canceled', 'incomplete', 'incomplete_expired');
  if v_target is null or v_subscription.id is null then
    return;
  end if;
  v_bar := private.renewal_bar(v_subscription.subscriber_id, v_subscription.creator_id);
  if v_bar is not null and not v_subscription.cancel_at_period_end then
    update private.stripe_subscriptions set renewal_held = true where subscription_id = p_subscription;
    perform private.wish_renewal(v_target, 'stop_renewal', v_bar);
  elsif v_bar is null and v_held then
    update private.stripe_subscriptions set renewal_held = false where subscription_id = p_subscription;
    perform private.wish_renewal(v_target, 'resume_renewal', 'It may be charged again');
  else
    return;
  end if;
  if v_held <> (v_bar is not null) then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      case when v_bar is null then 'Renewal resumed' else 'Renewal paused' end,
      case
        when v_bar is null then 'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' renews again as before.'
        when v_bar = 'The creator cannot take payments'
          then private.name_of(v_subscription.creator_id) || ' can''t take payments right now, so your subscription won''t renew until that changes. '
            || 'Nothing is wrong with your card, and you keep access for the time you paid for.'
        else 'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' won''t renew for now. You keep access for the time you paid for.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
  end if;
end;
$$;
comment on function private.settle_renewal is
  'Stops the renewal of a subscription that must not be charged for now, and resumes it when it may be. Called whenever the provider''s state was taken over, so that a resumption from elsewhere is undone. Idempotent.';
revoke execute on function private.settle_renewal from public;
grant execute on function private.settle_renewal to service_role;

create function private.settle_renewals(p_profile uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.settle_renewal(s.id)
  from (
    select s.id from public.subscriptions s
    where p_profile in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete', 'incomplete_expired')
    order by s.id
  ) s;
end;
$$;
comment on function private.settle_renewals is 'settle_renewal for every running subscription of and to a person.';
revoke execute on function private.settle_renewals from public;
grant execute on function private.settle_renewals to service_role;

create or replace function private.wish_renewals(p_profile uuid, p_kind text, p_reason text, p_since timestamptz default now()) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.settle_renewals(p_profile);
$$;
comment on function private.wish_renewals is
  'What a suspension and its end call: how a person''s subscriptions renew follows from how the account is now, so the other parameters change nothing.';

create function private.release_renewal(p_subscription uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.payment_tasks t set done_at = now()
  from private.stripe_subscriptions k
  where k.subscription_id = p_subscription and t.target = k.stripe_subscription_id and t.kind = 'resume_renewal' and t.done_at is null;
  update private.stripe_subscriptions set renewal_held = false where subscription_id = p_subscription and renewal_held;
$$;
comment on function private.release_renewal is 'The fan has canceled: the end of a hold must not resume the renewal.';
revoke execute on function private.release_renewal from public;
grant execute on function private.release_renewal to service_role;

-- What is asked of the provider is asked at once, not at the next minute of the clock: a trial may end in between.
create function private.announce_payment_task() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('ovation_payment_tasks', '');
  return null;
end;
$$;
comment on function private.announce_payment_task is 'Trigger of payment_tasks: wakes the job that carries them out when the transaction commits.';
create trigger payment_tasks_announce_new after insert on private.payment_tasks
  for each row when (new.done_at is null) execute function private.announce_payment_task();
-- A failed attempt leaves done_at null as it was, and waits for the job's own retry.
create trigger payment_tasks_announce_again after update of done_at on private.payment_tasks
  for each row when (old.done_at is not null and new.done_at is null) execute function private.announce_payment_task();

comment on column private.profiles.stripe_charges_enabled is
  'Whether the creator can be paid: the transfers capability of the account is active. Nothing is sold and nothing renews without it.';
