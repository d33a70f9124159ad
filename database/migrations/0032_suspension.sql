-- Up Migration

-- Suspended accounts (GEN-05, GEN-44). private.my_profile_id() is null for a suspended user, so most policies need nothing more.

-- security definer: the answer does not depend on what the caller may read of profiles.
create function auth.is_suspended() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.user_id = auth.uid() and p.suspended_at is not null);
$$;
comment on function auth.is_suspended is 'True when the caller is suspended. For restrictive policies, and for APIs that explain why they reject a request.';
grant execute on function auth.is_suspended() to anon, authenticated;

-- For tables whose rows belong to the account instead of the profile.
create policy not_suspended on storage.objects as restrictive for all to authenticated using (not (select auth.is_suspended()));
create policy not_suspended on public.creator_applications as restrictive for all to authenticated using (not (select auth.is_suspended()));

-- support_requests has no such policy: a suspended user can contact support, and can still export their data.
create function private.reject_suspended_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id = auth.uid() and not private.is_privileged() then
    raise exception 'Your account is suspended' using errcode = '42501';
  end if;
  return new;
end;
$$;
comment on function private.reject_suspended_change is 'Trigger of profiles: a suspended user can''t edit their profile. Counters that others cause still change.';
create trigger profiles_reject_suspended
  before update of username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories
  on private.profiles for each row when (old.suspended_at is not null) execute function private.reject_suspended_change();
-- Locks the account before the profile, like private.delete_account.
create function public.suspend_user(profile_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_profile private.profiles;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'profiles_suspension_reason_length';
  end if;
  perform from auth.users u where u.id = (select p.user_id from private.profiles p where p.id = suspend_user.profile_id) for no key update;
  select * into v_profile from private.profiles p where p.id = suspend_user.profile_id for no key update;
  if v_profile.id is null then
    raise sqlstate 'PT404' using message = 'User not found';
  elsif v_profile.user_id = auth.uid() then
    raise sqlstate 'PT409' using message = 'You can''t suspend yourself';
  elsif public.has_role(v_profile.user_id, 'admin') then
    raise sqlstate 'PT409' using message = 'You can''t suspend an admin', hint = 'Revoke the admin role first.';
  elsif v_profile.suspended_at is not null then
    raise sqlstate 'PT409' using message = 'This account is already suspended';
  end if;
  update private.profiles p
  set suspended_at = now(), suspension_reason = v_reason, was_private = p.is_private, is_private = true
  where p.id = v_profile.id;
  -- 100 years: permanent, but still a date that clients of auth/v1 can parse.
  update auth.users u set banned_until = now() + interval '100 years', updated_at = now() where u.id = v_profile.user_id;
  delete from auth.sessions s where s.user_id = v_profile.user_id;
  perform private.settle_renewals(v_profile.id);
  perform private.cancel_bookings(v_profile.id, 'One of the accounts was suspended', 'admin');
  -- Scheduled posts stay in the dashboard for when the user is reinstated.
  update public.scheduled_posts s set failure = 'Your account was suspended' where s.creator_id = v_profile.id and s.failure is null;
  perform private.notify(v_profile.id, 'other', 'Your account is suspended',
    v_reason || E'\n\nContact customer support if you think this is a mistake.', '{}');
  perform private.write_audit('suspend_user', 'profiles', v_profile.id, '{"suspended": false}', '{"suspended": true}',
    jsonb_build_object('reason', v_reason));
  perform pg_notify('ovation_suspensions', v_profile.user_id::text);
end;
$$;
comment on function public.suspend_user is
  'Suspends a user, by profiles.id, for a reason that is sent to them (GEN-05); for admins. Ends their sessions, makes their profile private, stops renewals of and to them, cancels private sessions, and stops scheduled posts. PT409 for an admin and for a user who is already suspended.';
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
    raise sqlstate 'PT409' using message = 'This account isn''t suspended';
  end if;
  update private.profiles p
  set suspended_at = null, suspension_reason = null, is_private = p.was_private, was_private = null
  where p.id = v_profile.id;
  update auth.users u set banned_until = null, updated_at = now() where u.id = v_profile.user_id;
  perform private.settle_renewals(v_profile.id);
  perform private.notify(v_profile.id, 'other', 'Your account has been reinstated', 'Sign in to continue.', '{}');
  perform private.write_audit('reinstate_user', 'profiles', v_profile.id, '{"suspended": true}', '{"suspended": false}',
    jsonb_build_object('reason', v_profile.suspension_reason));
end;
$$;
comment on function public.reinstate_user is 'Reinstates a suspended user, by profiles.id; for admins. Restores the profile and resumes stopped renewals. PT409 for a user who isn''t suspended.';
grant execute on function public.reinstate_user(uuid) to authenticated;

-- Future private sessions of a suspended or deleted user are canceled (GEN-05, PRIV-06, D41). Reinstating doesn't restore them, because the
-- fans were refunded.
create function private.cancel_bookings(p_profile uuid, p_reason text, p_by text default null) returns void
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
        private.session_time(v_booking) || ' won''t take place because the fan''s account was closed. You keep the payment.', '{}');
    else
      perform private.close_booking(v_booking, 'canceled',
        coalesce(p_by, case p_profile when v_booking.fan_id then 'fan' else 'creator' end), p_reason);
    end if;
  end loop;
end;
$$;
comment on function private.cancel_bookings(uuid, text, text) is
  'Cancels the sessions of a deleted or suspended user by the cancellation rules (D41): a creator''s sessions with a refund, a fan''s with a refund until 24 hours before the start. p_by: who closes them; by default, the user themselves.';

-- Admins see on a suspended user's profile since when and why (GEN-44). Everyone else sees a private profile.
create type public.suspension as (
  since timestamptz,
  reason text
);
comment on type public.suspension is 'The suspension of a user.';
comment on column public.suspension.since is 'Never null.';
comment on column public.suspension.reason is 'The reason, as shown to the user. Never null.';
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
comment on function public.get_suspension is 'Since when and why a user is suspended, for admins. No row for a user who isn''t suspended.';
revoke execute on function public.get_suspension(uuid) from public, anon;
grant execute on function public.get_suspension(uuid) to authenticated;
