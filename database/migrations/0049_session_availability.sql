-- Up Migration

-- When creators are available for private sessions (LOOP-25): weekly hours in their own time zone, days with other hours, and the times that
-- follow from them. A booked time is a slot, as before, so session_slots_no_overlap still keeps a creator out of two sessions at once.

create function private.are_day_hours(p_hours jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  -- case, because the order in which "and" evaluates its sides isn't defined.
  select case when jsonb_typeof(p_hours) is distinct from 'array' or jsonb_array_length(p_hours) > 8 then false else (
    select coalesce(bool_and(coalesce(
      h.value - 'start' - 'end' = '{}'
        and h.start ~ '^([01]\d|2[0-3]):[0-5]\d$' and h.stop ~ '^(([01]\d|2[0-3]):[0-5]\d|24:00)$'
        and h.start < h.stop and (h.before is null or h.before <= h.start), false)), true)
    from (
      select e.value, e.value ->> 'start' collate "C" as start, e.value ->> 'end' collate "C" as stop,
        lag(e.value ->> 'end' collate "C") over (order by e.position) as before
      from jsonb_array_elements(p_hours) with ordinality as e (value, position)
      where jsonb_typeof(e.value) = 'object'
    ) h
  ) and not exists (select from jsonb_array_elements(p_hours) e where jsonb_typeof(e) <> 'object') end;
$$;
comment on function private.are_day_hours is 'True for the hours of a day: up to 8 of {"start": "09:00", "end": "17:00"}, in order and without overlap. The last can end at "24:00".';
create function private.are_weekly_hours(p_weekly jsonb) returns boolean
language sql immutable security definer set search_path = '' -- users can't look a function of this schema up
as $$
  select case when jsonb_typeof(p_weekly) is distinct from 'array' or jsonb_array_length(p_weekly) <> 7 then false
    else (select bool_and(private.are_day_hours(d)) from jsonb_array_elements(p_weekly) d) end;
$$;
comment on function private.are_weekly_hours is 'True for the hours of seven days, from Monday.';
-- A check constraint runs as the role that writes the row.
grant execute on function private.are_day_hours(jsonb), private.are_weekly_hours(jsonb) to authenticated, service_role;

create table public.session_availability (
  creator_id     uuid primary key references private.profiles on delete cascade,
  time_zone      text not null constraint session_availability_time_zone_known references private.digest_zones,
  weekly         jsonb not null default '[[], [], [], [], [], [], []]'
    constraint session_availability_weekly_hours check (private.are_weekly_hours(weekly)),
  buffer_minutes int not null default 0 constraint session_availability_buffer_range check (buffer_minutes between 0 and 240),
  notice_hours   int not null default 24 constraint session_availability_notice_range check (notice_hours between 0 and 336),
  horizon_days   int not null default 60 constraint session_availability_horizon_range check (horizon_days between 1 and 120),
  updated_at     timestamptz not null default now()
);
comment on table public.session_availability is 'When a creator is available for private sessions. Without a row, only the slots that they opened can be booked.';
comment on column public.session_availability.creator_id is 'The creator''s profiles.id.';
comment on column public.session_availability.time_zone is 'The time zone of weekly and of session_days, such as Europe/Lisbon.';
comment on column public.session_availability.weekly is 'The hours of each weekday, from Monday: seven lists of {"start": "09:00", "end": "17:00"}. "24:00" is the end of the day.';
comment on column public.session_availability.buffer_minutes is 'The break before and after each booked session.';
comment on column public.session_availability.notice_hours is 'How long before its start a session can be booked at the latest.';
comment on column public.session_availability.horizon_days is 'How many days ahead a session can be booked.';
alter table public.session_availability enable row level security;
create index session_availability_time_zone_idx on public.session_availability (time_zone);
create trigger session_availability_touch before update on public.session_availability for each row execute function private.touch_updated_at();

create table public.session_days (
  creator_id uuid not null references private.profiles on delete cascade,
  day        date not null,
  hours      jsonb not null default '[]' constraint session_days_hours check (private.are_day_hours(hours)),
  primary key (creator_id, day)
);
comment on table public.session_days is 'Days on which other hours apply than on other weeks (exceptions). Only the creator sees them.';
comment on column public.session_days.creator_id is 'The creator''s profiles.id.';
comment on column public.session_days.day is 'A day in the creator''s time zone.';
comment on column public.session_days.hours is 'The hours of this day, as in session_availability.weekly. Empty: the creator isn''t available.';
alter table public.session_days enable row level security;
create function private.limit_session_day() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.day not between current_date - 1 and current_date + 366 then
    raise sqlstate 'PT422' using message = 'Choose a day from today to a year from now';
  end if;
  return new;
end;
$$;
comment on function private.limit_session_day is 'Trigger of session_days: bounds how many rows a creator can have. A day of tolerance is for time zones.';
create trigger session_days_limit before insert or update of day on public.session_days
  for each row execute function private.limit_session_day();

create policy select_own on public.session_availability for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.session_availability for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.session_availability for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select,
  insert (creator_id, time_zone, weekly, buffer_minutes, notice_hours, horizon_days),
  -- creator_id, because an upsert names it; update_own limits it to the caller.
  update (creator_id, time_zone, weekly, buffer_minutes, notice_hours, horizon_days)
  on public.session_availability to authenticated;
create policy select_own on public.session_days for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.session_days for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.session_days for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy delete_own on public.session_days for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select, insert (creator_id, day, hours), update (creator_id, day, hours), delete on public.session_days to authenticated;

-- A slot that was made for a booking of a time within the hours. Once it is free, the hours alone say whether the time can be booked.
alter table public.session_slots add column from_hours boolean not null default false;
comment on column public.session_slots.from_hours is 'True when a fan''s booking made the slot from the creator''s hours; false when the creator opened it. Fans see only the latter.';
drop policy select_offered on public.session_slots;
create policy select_offered on public.session_slots for select to authenticated
  using (starts_at > now() and not from_hours and exists (select from public.session_offers o where o.id = offer_id));

create or replace function private.make_slot() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_offer public.session_offers;
  v_slot uuid;
begin
  select * into v_offer from public.session_offers o where o.id = new.offer_id;
  -- Only book_session_time can set from_hours.
  if v_offer.id is null or not (private.is_service() or new.from_hours or v_offer.creator_id = private.my_profile_id()) then
    raise exception 'You can only add slots to your own offers' using errcode = '42501';
  elsif not v_offer.is_active then
    raise sqlstate 'PT409' using message = 'This offer is inactive', hint = 'Activate it to add slots.';
  elsif new.starts_at <= now() then
    raise sqlstate 'PT422' using message = 'A slot must start in the future';
  elsif new.starts_at > now() + interval '1 year' then
    raise sqlstate 'PT422' using message = 'A slot can start within a year from now';
  end if;
  new.creator_id := v_offer.creator_id;
  new.ends_at := new.starts_at + make_interval(mins => v_offer.duration_minutes);
  new.held_until := '-infinity';
  -- Slots that were released and that nobody sees make room. The lock comes first, so that expire_holds doesn't skip them.
  for v_slot in
    select s.id from public.session_slots s
    where s.creator_id = new.creator_id and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)
      and s.from_hours and s.held_until <= now()
    order by s.id for update
  loop
    perform private.expire_holds(v_slot);
    delete from public.session_slots s where s.id = v_slot and s.held_until <= now();
  end loop;
  if exists (
    select from public.session_slots s
    where s.creator_id = new.creator_id and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)
  ) then
    raise exception 'This time overlaps another of your slots' using errcode = '23P01', constraint = 'session_slots_no_overlap';
  end if;
  return new;
end;
$$;

create function private.session_starts(
  p_offer public.session_offers,
  p_now timestamptz default now(),
  p_only timestamptz default null
) returns setof timestamptz
language sql stable set search_path = ''
as $$
  select s.starts_at from public.session_slots s
  where s.offer_id = p_offer.id and not s.from_hours and s.held_until <= p_now and s.starts_at > p_now
  union -- each once
  select i.starts_at
  from public.session_availability a
  cross join lateral (select
      make_interval(mins => p_offer.duration_minutes) as duration,
      make_interval(mins => greatest(15, least(30, p_offer.duration_minutes))) as step,
      make_interval(mins => a.buffer_minutes) as buffer,
      p_now + make_interval(hours => a.notice_hours) as earliest) c
  cross join lateral generate_series(
    (c.earliest at time zone a.time_zone)::date::timestamp,
    (p_now at time zone a.time_zone)::date::timestamp + make_interval(days => a.horizon_days), interval '1 day') as d (day)
  left join public.session_days x on x.creator_id = a.creator_id and x.day = d.day::date
  cross join lateral jsonb_to_recordset(coalesce(x.hours, a.weekly -> (extract(isodow from d.day)::int - 1))) as h (start time, "end" time)
  cross join lateral generate_series(d.day + h.start::interval, d.day + h."end"::interval - c.duration, c.step) as w (clock)
  -- What the clock shows is an instant by the time zone's offset before or after a change of the clocks that day. When a local hour is
  -- skipped, neither offset leads back to it; when one is repeated, both do.
  cross join lateral (values (d.day - interval '12 hours'), (d.day + interval '36 hours')) as o (near)
  cross join lateral (select (w.clock - (o.near - (o.near at time zone a.time_zone) at time zone 'UTC')) at time zone 'UTC' as starts_at) i
  where a.creator_id = p_offer.creator_id
    and (p_only is null or d.day = (p_only at time zone a.time_zone)::date)
    and i.starts_at at time zone a.time_zone = w.clock
    and (i.starts_at + c.duration) at time zone a.time_zone <= d.day + h."end"::interval
    and i.starts_at > p_now and i.starts_at >= c.earliest
    and not exists (
      select from public.session_slots s
      where s.creator_id = a.creator_id
        and tstzrange(s.starts_at, s.ends_at) && tstzrange(i.starts_at - c.buffer, i.starts_at + c.duration + c.buffer)
        and (s.held_until > p_now
          or not s.from_hours and tstzrange(s.starts_at, s.ends_at) && tstzrange(i.starts_at, i.starts_at + c.duration))
    );
$$;
comment on function private.session_starts is
  'When a session of this offer can start: at its free slots, and within the creator''s hours every 15 to 30 minutes, without what is booked, the breaks around it, and the notice period. horizon_days bounds it, and p_only limits the hours to the day of this time.';

create type public.session_times as (
  time_zone text,
  starts_at timestamptz[]
);
comment on type public.session_times is 'When an offer can be booked.';
comment on column public.session_times.time_zone is 'The creator''s time zone; null when they have set no hours.';
comment on column public.session_times.starts_at is 'The free times, soonest first. Never null.';
create function public.get_session_times(offer_id uuid) returns public.session_times
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_offer public.session_offers;
begin
  select o.* into v_offer from public.session_offers o where o.id = get_session_times.offer_id;
  if v_me is null then
    raise exception 'Could not find your profile' using errcode = '42501';
  elsif v_offer.id is null or not v_offer.is_active or private.is_private_profile(v_offer.creator_id)
    or private.are_blocked(v_me, v_offer.creator_id) then
    raise sqlstate 'PT404' using message = 'Offer not found';
  end if;
  return (
    (select a.time_zone from public.session_availability a where a.creator_id = v_offer.creator_id),
    array(select t from private.session_starts(v_offer) t order by t)
  )::public.session_times;
end;
$$;
comment on function public.get_session_times is 'When an offer can be booked with book_session_time. PT404 for an offer that the caller doesn''t see.';
grant execute on function public.get_session_times(uuid) to authenticated;

-- As book_session in 0026_private_sessions.sql, for a slot of either kind.
create function private.book_slot(p_slot uuid) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_slot public.session_slots;
  v_offer public.session_offers;
  v_booking public.session_bookings;
begin
  -- Taken before the slot's lock, so that it can't deadlock.
  perform pg_advisory_xact_lock(hashtextextended('holds:' || v_me, 0));
  -- Of two fans, one gets the lock first; the other one finds the hold.
  select s.* into v_slot from public.session_slots s where s.id = p_slot for update;
  select o.* into v_offer from public.session_offers o where o.id = v_slot.offer_id;
  if v_me is null then
    raise exception 'Could not find your profile' using errcode = '42501';
  elsif v_slot.id is null or not v_offer.is_active or private.is_private_profile(v_slot.creator_id) then
    raise sqlstate 'PT404' using message = 'Slot not found';
  elsif v_slot.starts_at <= now() then
    raise sqlstate 'PT409' using message = 'This slot has passed';
  end if;
  perform private.require_payable(v_me, v_slot.creator_id);
  if v_slot.held_until > now() then
    select b.* into v_booking from public.session_bookings b
    where b.slot_id = v_slot.id and b.fan_id = v_me and b.state = 'pending_payment';
    if v_booking.id is null then
      raise sqlstate 'PT409' using message = 'This slot is no longer available', hint = 'Choose another slot.';
    end if;
    return v_booking; -- a double click gets the same hold
  end if;
  perform private.expire_holds(v_slot.id);
  if (select count(*) from public.session_bookings b where b.fan_id = v_me and b.state = 'pending_payment' and b.hold_expires_at > now()) >= 3 then
    raise sqlstate 'PT409' using message = 'You''re holding three unpaid slots', hint = 'Pay for one or release it first.';
  end if;
  insert into public.session_bookings (slot_id, offer_id, creator_id, fan_id, title, price_cents, starts_at, ends_at, hold_expires_at)
  values (v_slot.id, v_offer.id, v_slot.creator_id, v_me, v_offer.title, v_offer.price_cents, v_slot.starts_at, v_slot.ends_at, now() + interval '30 minutes')
  returning * into v_booking;
  return v_booking;
end;
$$;
comment on function private.book_slot is 'Holds a slot for the caller for 30 minutes.';
create or replace function public.book_session(slot_id uuid) returns public.session_bookings
language sql security definer set search_path = ''
as $$
  -- A released slot of the hours may be outside of them by now.
  select private.book_slot((select s.id from public.session_slots s where s.id = book_session.slot_id and not s.from_hours));
$$;

create function public.book_session_time(offer_id uuid, starts_at timestamptz) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_offer public.session_offers;
  v_booking public.session_bookings;
  v_slot uuid;
begin
  if v_me is null then
    raise exception 'Could not find your profile' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('holds:' || v_me, 0)); -- in the order of book_slot
  select o.* into v_offer from public.session_offers o where o.id = book_session_time.offer_id;
  if v_offer.id is null or not v_offer.is_active or private.is_private_profile(v_offer.creator_id) then
    raise sqlstate 'PT404' using message = 'Offer not found';
  end if;
  perform private.require_payable(v_me, v_offer.creator_id);
  -- Fans who book the same creator take turns, so that each finds the breaks around the sessions of the others.
  perform pg_advisory_xact_lock(hashtextextended('sessions:' || v_offer.creator_id, 0));
  select b.* into v_booking from public.session_bookings b
  where b.offer_id = v_offer.id and b.fan_id = v_me and b.starts_at = book_session_time.starts_at
    and b.state = 'pending_payment' and b.hold_expires_at > now();
  if v_booking.id is not null then
    return v_booking; -- a double click gets the same hold
  elsif not exists (
    select from private.session_starts(v_offer, now(), book_session_time.starts_at) t where t = book_session_time.starts_at
  ) then
    raise sqlstate 'PT409' using message = 'This time is no longer available', hint = 'Choose another time.';
  end if;
  select s.id into v_slot from public.session_slots s
  where s.offer_id = v_offer.id and s.starts_at = book_session_time.starts_at and not s.from_hours;
  if v_slot is null then
    begin
      insert into public.session_slots (offer_id, creator_id, starts_at, ends_at, from_hours)
      values (v_offer.id, v_offer.creator_id, book_session_time.starts_at, book_session_time.starts_at, true) returning id into v_slot;
    exception when exclusion_violation then -- the creator has just opened a slot
      raise sqlstate 'PT409' using message = 'This time is no longer available', hint = 'Choose another time.';
    end;
  end if;
  return private.book_slot(v_slot);
end;
$$;
comment on function public.book_session_time is
  'Holds a time that get_session_times returns for the caller for 30 minutes, so that they can pay for it (PRIV-03, LOOP-25). PT409 when it is taken.';
grant execute on function public.book_session_time(uuid, timestamptz) to authenticated;
