-- Up Migration
-- As before, and the reminder of a session says that it leads to the call (PRIV-04): letters and pushes open it, where other news of a booking
-- opens the calendar.
create or replace function private.remind_of_sessions() returns int
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
      jsonb_build_object('booking_id', v_booking.id, 'call', true))
    from (values (v_booking.fan_id, v_booking.creator_id), (v_booking.creator_id, v_booking.fan_id)) as party (id, other);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
