-- Up Migration

-- security definer: the answer does not depend on what the caller may read of profiles.
create function auth.is_suspended() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.user_id = auth.uid() and p.suspended_at is not null);
$$;
comment on function auth.is_suspended is 'True for a caller whom an admin keeps out. For restrictive policies, and for doors that say why they refuse.';
grant execute on function auth.is_suspended() to anon, authenticated;

-- Where the account itself owns rows, not its profile.
create policy not_suspended on storage.objects as restrictive for all to authenticated using (not (select auth.is_suspended()));
create policy not_suspended on public.creator_applications as restrictive for all to authenticated using (not (select auth.is_suspended()));

-- support_requests have no such policy: a suspended person may write to support, and export_own_data still answers.
create function private.refuse_suspended_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id = auth.uid() and not private.is_privileged() then
    raise exception 'Your account is suspended' using errcode = '42501';
  end if;
  return new;
end;
$$;
comment on function private.refuse_suspended_change is 'Trigger of profiles: the profile''s own columns stay as they are while its owner is suspended. What others cause (counters) goes on.';
create trigger profiles_refuse_suspended
  before update of username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories
  on private.profiles for each row when (old.suspended_at is not null) execute function private.refuse_suspended_change();
create function private.wish_renewals(p_profile uuid, p_kind text, p_reason text, p_since timestamptz default now()) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.settle_renewals(p_profile);
$$;
comment on function private.wish_renewals is
  'What a suspension and its end call: how a person''s subscriptions renew follows from how the account is now, so the other parameters change nothing.';

-- An account that is deleted is held first and its profile then; a suspension and its end went the other way.
create function public.suspend_user(profile_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_profile private.profiles;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'profiles_suspension_reason_length';
  end if;
  perform from auth.users u where u.id = (select p.user_id from private.profiles p where p.id = suspend_user.profile_id) for no key update;
  select * into v_profile from private.profiles p where p.id = suspend_user.profile_id for no key update;
  if v_profile.id is null then
    raise sqlstate 'PT404' using message = 'User not found';
  elsif v_profile.user_id = auth.uid() then
    raise sqlstate 'PT409' using message = 'You cannot suspend yourself';
  elsif public.has_role(v_profile.user_id, 'admin') then
    raise sqlstate 'PT409' using message = 'An admin cannot be suspended', hint = 'Take the role away first.';
  elsif v_profile.suspended_at is not null then
    raise sqlstate 'PT409' using message = 'This account is suspended already';
  end if;
  update private.profiles p
  set suspended_at = now(), suspension_reason = v_reason, was_private = p.is_private, is_private = true
  where p.id = v_profile.id;
  -- A hundred years: for good, and still a date that clients of auth/v1 can read.
  update auth.users u set banned_until = now() + interval '100 years', updated_at = now() where u.id = v_profile.user_id;
  delete from auth.sessions s where s.user_id = v_profile.user_id;
  perform private.wish_renewals(v_profile.id, 'stop_renewal', 'The account of a party is suspended');
  perform private.call_off_bookings(v_profile.id, 'The account of a party was suspended', 'admin');
  -- Kept with their words, under Content, for the day that the person is back.
  update public.scheduled_posts s set failure = 'Your account was suspended' where s.creator_id = v_profile.id and s.failure is null;
  perform private.notify(v_profile.id, 'other', 'Your account is suspended',
    v_reason || E'\n\nWrite to customer support if you think that this is a mistake.', '{}');
  perform private.write_audit('suspend_user', 'profiles', v_profile.id, '{"suspended": false}', '{"suspended": true}',
    jsonb_build_object('reason', v_reason));
  perform pg_notify('ovation_suspensions', v_profile.user_id::text);
end;
$$;
comment on function public.suspend_user is
  'Keeps a person out from now on, by profiles.id, for a reason that they are told (GEN-05); for admins. Ends their sessions, closes their profile, stops renewals to and by them, calls off private sessions and holds back posts that wait. PT409 for an admin and for who is suspended already.';
grant execute on function public.suspend_user(uuid, text) to authenticated;
create function public.reinstate_user(profile_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.require_admin();
  perform from auth.users u where u.id = (select p.user_id from private.profiles p where p.id = reinstate_user.profile_id) for no key update;
  select * into v_profile from private.profiles p where p.id = reinstate_user.profile_id for no key update;
  if v_profile.id is null then
    raise sqlstate 'PT404' using message = 'User not found';
  elsif v_profile.suspended_at is null then
    raise sqlstate 'PT409' using message = 'This account is not suspended';
  end if;
  update private.profiles p
  set suspended_at = null, suspension_reason = null, is_private = p.was_private, was_private = null
  where p.id = v_profile.id;
  update auth.users u set banned_until = null, updated_at = now() where u.id = v_profile.user_id;
  perform private.wish_renewals(v_profile.id, 'resume_renewal', 'The account is open again', v_profile.suspended_at);
  perform private.notify(v_profile.id, 'other', 'Your account is open again', 'Sign in to go on where you were.', '{}');
  perform private.write_audit('reinstate_user', 'profiles', v_profile.id, '{"suspended": true}', '{"suspended": false}',
    jsonb_build_object('reason', v_profile.suspension_reason));
end;
$$;
comment on function public.reinstate_user is 'Lets a suspended person in again, by profiles.id; for admins. The profile is as it was, and renewals that were stopped go on. PT409 for who is not suspended.';
grant execute on function public.reinstate_user(uuid) to authenticated;

-- What somebody who is suspended had still before them: private sessions are called off, and posts that wait are not published
-- (GEN-05, PRIV-06, D41). A reinstated person makes both anew: the money is back with the fans, and a date may have passed.
create function private.call_off_bookings(p_profile uuid, p_reason text, p_by text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
begin
  perform from public.session_slots s
  where s.id in (select b.slot_id from public.session_bookings b where p_profile in (b.creator_id, b.fan_id)) order by s.id for update;
  for v_booking in
    select * from public.session_bookings b
    where p_profile in (b.creator_id, b.fan_id) and b.state in ('pending_payment', 'requested', 'accepted') order by b.id for update
  loop
    if v_booking.ends_at <= now() and v_booking.state = 'accepted' then
      null; -- it took place
    elsif v_booking.state <> 'pending_payment' and v_booking.fan_id = p_profile and v_booking.starts_at < now() + interval '24 hours' then
      perform private.notify(v_booking.creator_id, 'other', 'Session canceled',
        private.session_time(v_booking) || ' will not take place: the fan has left. You keep the payment.', '{}');
    else
      perform private.close_booking(v_booking, 'canceled',
        coalesce(p_by, case p_profile when v_booking.fan_id then 'fan' else 'creator' end), p_reason);
    end if;
  end loop;
end;
$$;
comment on function private.call_off_bookings(uuid, text, text) is
  'Ends the sessions of someone who leaves or is kept out, by the rules of a cancellation (D41): a creator''s with a refund, a fan''s with one until 24 hours before the start. p_by: who closes them, else the one who leaves.';

-- On a profile that is closed an admin reads that its owner is suspended, since when and why (GEN-44). Everybody else sees a private profile.
create type public.suspension as (
  since timestamptz,
  reason text
);
comment on type public.suspension is 'Why an admin keeps somebody out.';
comment on column public.suspension.since is 'Never null.';
comment on column public.suspension.reason is 'In words that the person reads. Never null.';
create function public.get_suspension(profile_id uuid) returns setof public.suspension
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select p.suspended_at, p.suspension_reason from private.profiles p
    where p.id = get_suspension.profile_id and p.suspended_at is not null;
end;
$$;
comment on function public.get_suspension is 'Since when and why somebody is suspended, for admins; no row for everybody else''s profile.';
revoke execute on function public.get_suspension(uuid) from public, anon;
grant execute on function public.get_suspension(uuid) to authenticated;
