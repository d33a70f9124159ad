-- Up Migration
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
revoke execute on function private.call_off_bookings(uuid, text, text) from public;

-- As before (0138), by the function above.
create or replace function private.call_off_bookings(p_profile uuid) returns void
language sql security definer set search_path = ''
as $$
  select private.call_off_bookings(p_profile, 'The account was deleted');
$$;

-- As before (0370), with sessions and posts that wait.
create or replace function public.suspend_user(profile_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_profile private.profiles;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'profiles_suspension_reason_length';
  end if;
  select * into v_profile from private.profiles p where p.id = suspend_user.profile_id for update;
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
