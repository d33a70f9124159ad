-- Up Migration
-- The call of a private session: who meets in its topic and when, and the reminder before it (PRIV-04, PRIV-05, D11).
alter table public.session_bookings add column reminded_at timestamptz;
comment on column public.session_bookings.reminded_at is 'When both were told that it begins soon; null until then.';
create index session_bookings_to_remind_idx on public.session_bookings (starts_at) where state = 'accepted' and reminded_at is null;

-- security definer: it is asked for a topic, by people who may or may not be a party of the booking in its name.
create function private.may_meet(p_topic text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.session_bookings b
    where b.id = (regexp_match(p_topic, '^session:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'))[1]::uuid
      and private.my_profile_id() in (b.creator_id, b.fan_id)
      and b.state = 'accepted'
      and now() between b.starts_at - interval '15 minutes' and b.ends_at + interval '15 minutes'
      and not private.are_blocked(b.creator_id, b.fan_id)
  );
$$;
comment on function private.may_meet is 'Whether the caller may be in the call of this topic, `session:{booking id}`: the two of an accepted booking, from 15 minutes before its start to 15 minutes after its end.';
revoke execute on function private.may_meet from public;
grant execute on function private.may_meet to authenticated;

-- Beside the policies of 0230: these say nothing about other topics.
create policy hear_own_sessions on realtime.messages for select to authenticated using (private.may_meet(topic));
create policy say_in_own_sessions on realtime.messages for insert to authenticated with check (private.may_meet(topic));

create function public.may_join_call(booking_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_meet('session:' || booking_id);
$$;
comment on function public.may_join_call is 'Whether the call of this booking is open to the caller now.';
revoke execute on function public.may_join_call(uuid) from public, anon;
grant execute on function public.may_join_call(uuid) to authenticated;

create function private.remind_of_sessions() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_count int := 0;
begin
  for v_booking in
    update public.session_bookings b set reminded_at = now()
    where b.id in (
      select d.id from public.session_bookings d
      where d.state = 'accepted' and d.reminded_at is null and d.starts_at <= now() + interval '1 hour' and d.ends_at > now()
      for update skip locked
    )
    returning b.*
  loop
    perform private.notify(party.id, 'other', 'Session soon',
      private.session_time(v_booking) || ' with ' || private.name_of(party.other) || ' begins within the hour.',
      jsonb_build_object('booking_id', v_booking.id))
    from (values (v_booking.fan_id, v_booking.creator_id), (v_booking.creator_id, v_booking.fan_id)) as party (id, other);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.remind_of_sessions is 'Tells both of each session that begins within the hour, once. Returns how many sessions that were.';
revoke execute on function private.remind_of_sessions from public;
grant execute on function private.remind_of_sessions to service_role;
grant execute on function private.settle_bookings() to service_role;
