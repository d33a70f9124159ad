-- Up Migration
-- Slots that a fan asked for at once were each held beside the three that one may hold: none of the requests saw the others.
create or replace function public.book_session(slot_id uuid) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_slot public.session_slots;
  v_offer public.session_offers;
  v_booking public.session_bookings;
begin
  -- One request of a fan at a time, so that the next counts this one's hold. Before the slot, and taken by nobody else: no waiting in a circle.
  perform pg_advisory_xact_lock(hashtextextended('holds:' || v_me, 0));
  -- The lock lets of two fans one go first; the other finds the hold.
  select s.* into v_slot from public.session_slots s where s.id = book_session.slot_id for update;
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
    return v_booking; -- a second click: the same hold
  end if;
  perform private.expire_holds(v_slot.id);
  if (select count(*) from public.session_bookings b where b.fan_id = v_me and b.state = 'pending_payment' and b.hold_expires_at > now()) >= 3 then
    raise sqlstate 'PT409' using message = 'You are holding three slots that are not paid for', hint = 'Pay for one or let it go first.';
  end if;
  insert into public.session_bookings (slot_id, offer_id, creator_id, fan_id, title, price_cents, starts_at, ends_at, hold_expires_at)
  values (v_slot.id, v_offer.id, v_slot.creator_id, v_me, v_offer.title, v_offer.price_cents, v_slot.starts_at, v_slot.ends_at, now() + interval '30 minutes')
  returning * into v_booking;
  return v_booking;
end;
$$;
