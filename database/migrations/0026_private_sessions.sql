-- Up Migration

-- Private sessions: offers, their slots, bookings from hold to completion, and calls (PRIV, DATA-36, D11, D39, D41).
create table public.session_offers (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  title            text not null constraint session_offers_title_length check (title ~ '\S' and length(title) <= 100),
  description      text constraint session_offers_description_length check (length(description) <= 1000),
  duration_minutes int not null constraint session_offers_duration_range check (duration_minutes between 10 and 480),
  price_cents      int not null constraint session_offers_price_range check (price_cents between 100 and 999999),
  is_active        boolean not null default true,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);
comment on table public.session_offers is 'One-to-one sessions that a creator sells. Deactivated with is_active, never deleted. A change applies to later bookings.';
comment on column public.session_offers.creator_id is 'The creator''s profiles.id.';
comment on column public.session_offers.duration_minutes is 'The duration of a session. The end of a slot is computed from it when the slot is created.';
comment on column public.session_offers.price_cents is 'US cents for one session; at least $1.00.';
alter table public.session_offers enable row level security;
create index session_offers_creator_id_idx on public.session_offers (creator_id, is_active, price_cents);
create trigger session_offers_touch before update on public.session_offers for each row execute function private.touch_updated_at();
create table public.session_slots (
  id         uuid primary key default gen_random_uuid(),
  offer_id   uuid not null references public.session_offers on delete cascade,
  creator_id uuid not null references private.profiles on delete cascade,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null,
  held_until timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  -- A creator can be in only one session at a time, also across offers.
  constraint session_slots_no_overlap exclude using gist (creator_id with =, tstzrange(starts_at, ends_at) with &&),
  constraint session_slots_ends_after_start check (ends_at > starts_at)
);
comment on table public.session_slots is 'Times at which an offer can be booked. Slots are created and deleted, but never moved, so that fans book what they see.';
comment on column public.session_slots.creator_id is 'The creator of the offer, set by the server.';
comment on column public.session_slots.ends_at is 'starts_at plus the duration of the offer, set by the server.';
comment on column public.session_slots.held_until is 'The slot is available exactly when held_until <= now(). While a fan is paying, the end of their hold; when booked, infinity. Maintained by session_bookings.';
alter table public.session_slots enable row level security;
create index session_slots_offer_id_idx on public.session_slots (offer_id, starts_at);

create table public.session_bookings (
  id               uuid primary key default gen_random_uuid(),
  slot_id          uuid references public.session_slots on delete set null,
  offer_id         uuid not null references public.session_offers on delete cascade,
  creator_id       uuid not null references private.profiles on delete cascade,
  fan_id           uuid not null references private.profiles on delete cascade,
  state            text not null default 'pending_payment' check (state in
    ('pending_payment', 'expired', 'requested', 'accepted', 'declined', 'canceled', 'completed')),
  title            text not null,
  price_cents      int not null check (price_cents >= 100),
  starts_at        timestamptz not null,
  ends_at          timestamptz not null,
  hold_expires_at  timestamptz,
  transaction_id   uuid references public.transactions on delete restrict,
  refund_status    text not null default 'none' check (refund_status in ('none', 'requested', 'refunded')),
  closed_by        text check (closed_by in ('fan', 'creator', 'admin', 'system')),
  reason           text constraint session_bookings_reason_length check (length(reason) <= 500),
  created_at       timestamptz not null default now(),
  paid_at          timestamptz,
  answered_at      timestamptz,
  closed_at        timestamptz,
  updated_at       timestamptz not null default now(),
  reminded_at timestamptz,
  constraint session_bookings_not_self check (creator_id <> fan_id),
  constraint session_bookings_hold_has_end check (state <> 'pending_payment' or hold_expires_at is not null),
  constraint session_bookings_paid_has_transaction check (state not in ('requested', 'accepted', 'completed', 'declined') or transaction_id is not null),
  constraint session_bookings_closed_by_someone check ((state in ('expired', 'declined', 'canceled', 'completed')) = (closed_at is not null and closed_by is not null))
);
comment on table public.session_bookings is 'Bookings: the fan holds a slot and pays (requested), the creator answers (accepted, declined), and both can end it (canceled, completed). Only functions write it.';
comment on column public.session_bookings.slot_id is 'The slot; null after the creator deleted it, which is only possible for a slot that isn''t booked.';
comment on column public.session_bookings.title is 'Title, price, and time at the time of booking. Later changes of the offer don''t affect them.';
comment on column public.session_bookings.hold_expires_at is 'Until when an unpaid booking holds the slot.';
comment on column public.session_bookings.transaction_id is 'The payment; null while there is none.';
comment on column public.session_bookings.refund_status is 'none, requested (from the payment provider), or refunded.';
comment on column public.session_bookings.closed_by is 'Who declined, canceled, or completed the booking; system for a scheduled job.';
comment on column public.session_bookings.reminded_at is 'When both users were reminded that the session starts soon; null before.';
alter table public.session_bookings enable row level security;
alter table public.session_bookings replica identity full; -- as for notifications

alter table private.checkout_sessions add constraint checkout_sessions_booking_id_fkey
  foreign key (booking_id) references public.session_bookings on delete set null;
create unique index session_bookings_one_active on public.session_bookings (slot_id)
  where state in ('pending_payment', 'requested', 'accepted', 'completed');
create index session_bookings_slot_id_idx on public.session_bookings (slot_id);
create index session_bookings_offer_id_idx on public.session_bookings (offer_id);
create index session_bookings_creator_id_idx on public.session_bookings (creator_id, starts_at desc);
create index session_bookings_fan_id_idx on public.session_bookings (fan_id, starts_at desc);
create index session_bookings_transaction_id_idx on public.session_bookings (transaction_id);
create index session_bookings_running_idx on public.session_bookings (ends_at) where state in ('pending_payment', 'requested', 'accepted');
create trigger session_bookings_touch before update on public.session_bookings for each row execute function private.touch_updated_at();
create trigger session_bookings_reject_app before insert or update or delete on public.session_bookings
  for each statement execute function private.reject_app_change();

create trigger session_bookings_audit after update of state on public.session_bookings
  for each row when (new.state <> old.state) execute function private.audit_closed_booking();

create function private.require_session_seller() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_approved_creator(new.creator_id) then
    raise sqlstate 'PT403' using message = 'Only approved creators can offer private sessions', hint = 'Apply at /creator-verification.';
  elsif not exists (
    select from private.profiles p where p.id = new.creator_id and p.stripe_account_id is not null and p.stripe_charges_enabled
  ) then
    raise sqlstate 'PT409' using message = 'Please complete Stripe onboarding before offering sessions', hint = 'Set up payments at /creator-onboarding.';
  end if;
  new.title := private.trimmed(new.title);
  new.description := private.trimmed(new.description);
  return new;
end;
$$;
comment on function private.require_session_seller is 'Trigger of session_offers, also for the server: an offer needs an approved creator (D25) whose account can take charges.';
create trigger session_offers_require_seller before insert on public.session_offers
  for each row execute function private.require_session_seller();
create function private.make_slot() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_offer public.session_offers;
begin
  select * into v_offer from public.session_offers o where o.id = new.offer_id;
  if v_offer.id is null or not (private.is_service() or v_offer.creator_id = private.my_profile_id()) then
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
  if exists (
    select from public.session_slots s
    where s.creator_id = new.creator_id and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)
  ) then
    raise exception 'This time overlaps another of your slots' using errcode = '23P01', constraint = 'session_slots_no_overlap';
  end if;
  return new;
end;
$$;
comment on function private.make_slot is 'Trigger of session_slots: sets the creator and the end, and rejects an overlap with a message for users. The exclusion constraint catches two at the same time.';
create trigger session_slots_make before insert on public.session_slots for each row execute function private.make_slot();
create function private.keep_booked_slot() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.held_until > now() and not private.is_service() then -- the service deletes slots with the account, after canceling its bookings
    raise sqlstate 'PT409' using message = 'This slot is booked', hint = 'Cancel the booking first.';
  end if;
  return old;
end;
$$;
comment on function private.keep_booked_slot is 'Trigger of session_slots: rejects deleting a slot that is booked or being paid for.';
create trigger session_slots_keep_booked before delete on public.session_slots for each row execute function private.keep_booked_slot();
create function private.hold_slot() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.session_slots s set held_until = case
      when tg_op = 'DELETE' then '-infinity'
      when new.state = 'pending_payment' then new.hold_expires_at
      when new.state in ('requested', 'accepted', 'completed') then 'infinity'
      else '-infinity'
    end
  where s.id = case tg_op when 'DELETE' then old.slot_id else new.slot_id end
    -- A closed booking doesn't affect the hold of a later one.
    and not exists (
      select from public.session_bookings b
      where b.slot_id = s.id and b.id <> case tg_op when 'DELETE' then old.id else new.id end
        and b.state in ('pending_payment', 'requested', 'accepted', 'completed')
    );
  return null;
end;
$$;
comment on function private.hold_slot is 'Trigger of session_bookings: maintains session_slots.held_until.';
create trigger session_bookings_hold_slot after insert or update of state, hold_expires_at or delete on public.session_bookings
  for each row execute function private.hold_slot();
create policy select_active on public.session_offers for select to authenticated
  using (is_active and not private.is_private_profile(creator_id) and creator_id <> all ((select private.my_blocks())::uuid[]));
create policy select_own on public.session_offers for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.session_offers for insert to authenticated with check (creator_id = (select private.my_profile_id()));
create policy update_own on public.session_offers for update to authenticated using (creator_id = (select private.my_profile_id()));
grant select, insert (creator_id, title, description, duration_minutes, price_cents, is_active),
  update (title, description, duration_minutes, price_cents, is_active) on public.session_offers to authenticated;
create policy select_own on public.session_slots for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));

-- Everyone who sees the offer sees its future slots. Slots don't show who booked them.
create policy select_offered on public.session_slots for select to authenticated
  using (starts_at > now() and exists (select from public.session_offers o where o.id = offer_id));
create policy insert_own on public.session_slots for insert to authenticated with check (creator_id = (select private.my_profile_id()));
create policy delete_own on public.session_slots for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select, insert (offer_id, starts_at), delete on public.session_slots to authenticated;
create policy select_party on public.session_bookings for select to authenticated
  using ((select private.my_profile_id()) in (creator_id, fan_id) or (select private.is_admin())); -- PRIV-04
grant select on public.session_bookings to authenticated;

-- insert, update and delete are not granted: each step is a function that checks who may take it, and when (D41).
alter publication ovation_realtime add table public.session_bookings;
create function private.session_time(p_booking public.session_bookings) returns text
language sql immutable set search_path = ''
as $$
  select p_booking.title || ' on ' || to_char(p_booking.starts_at at time zone 'UTC', 'FMMonth FMDD at HH24:MI') || ' UTC';
$$;
comment on function private.session_time is 'The name of a booking in notifications.';

-- A fan can hold three slots. The advisory lock serializes a fan's requests, so that requests at the same time count each other.
create function public.book_session(slot_id uuid) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_slot public.session_slots;
  v_offer public.session_offers;
  v_booking public.session_bookings;
begin
  -- Taken before the slot's lock, and nowhere else, so that it can't deadlock.
  perform pg_advisory_xact_lock(hashtextextended('holds:' || v_me, 0));
  -- Of two fans, one gets the lock first; the other one finds the hold.
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
comment on function public.book_session is 'Holds an available slot for the caller for 30 minutes, so that they can pay for it (PRIV-03). PT409 when it is taken.';
grant execute on function public.book_session(uuid) to authenticated;
create function private.expire_holds(p_slot uuid default null) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_count int;
begin
  update public.session_bookings b set state = 'expired', closed_at = now(), closed_by = 'system'
  where b.id in (
    -- Locks slots and bookings together, and skips locked ones: it never waits, so it can't deadlock.
    select h.id from public.session_bookings h join public.session_slots s on s.id = h.slot_id
    where h.state = 'pending_payment' and h.hold_expires_at <= now() and (p_slot is null or h.slot_id = p_slot)
    for update of h, s skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.expire_holds is 'Releases slots whose hold has expired without a payment: one slot or all. Returns how many.';
create function private.quote_session(p_fan uuid, p_booking uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_creator private.profiles;
begin
  select * into v_booking from public.session_bookings b where b.id = p_booking and b.fan_id = p_fan;
  if v_booking.id is null then
    raise sqlstate 'PT404' using message = 'Booking not found';
  elsif v_booking.state <> 'pending_payment' or v_booking.hold_expires_at <= now() then
    raise sqlstate 'PT409' using message = 'This slot is no longer held for you', hint = 'Choose the slot again.';
  end if;
  v_creator := private.require_payable(p_fan, v_booking.creator_id);
  return (v_creator.id, v_creator.stripe_account_id, v_booking.price_cents, v_booking.title)::private.quote;
end;
$$;
comment on function private.quote_session is 'What a held booking costs (PRIV-07).';
create function private.post_session_payment(
  p_cause text,
  p_booking uuid,
  p_fan uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_booking public.session_bookings;
  v_is_free boolean;
begin
  select * into v_payment from private.post_payment(
    'private_session', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  -- Slot first, as in book_session.
  perform from public.session_slots s where s.id = (select b.slot_id from public.session_bookings b where b.id = p_booking) for update;
  select * into v_booking from public.session_bookings b where b.id = p_booking for update;
  -- A payment that arrives after the hold has expired still counts while no one else has taken the slot.
  v_is_free := v_booking.state in ('pending_payment', 'expired') and v_booking.starts_at > now() and exists (
    select from public.session_slots s where s.id = v_booking.slot_id
  ) and not exists (
    select from public.session_bookings other
    where other.slot_id = v_booking.slot_id and other.id <> v_booking.id
      and (other.state in ('requested', 'accepted', 'completed') or (other.state = 'pending_payment' and other.hold_expires_at > now()))
  );
  if v_is_free is not true then
    perform private.request_refund(v_payment.transaction_id, 'The slot was no longer available when the payment arrived.');
    -- If the booking has an earlier payment, it stays valid, and only this payment is refunded.
    update public.session_bookings set state = 'canceled', transaction_id = v_payment.transaction_id, refund_status = 'requested',
      paid_at = p_occurred_at, closed_at = now(), closed_by = 'system', reason = 'The slot was no longer available when the payment arrived.'
    where id = p_booking and transaction_id is null;
    perform private.notify(f.id, 'payment', 'Session not booked',
      'The slot was no longer available when your payment arrived. You''ll get a full refund.', jsonb_build_object('transaction_id', v_payment.transaction_id))
    from private.profiles f where f.id = p_fan;
    return v_payment.transaction_id;
  end if;
  perform private.expire_holds(v_booking.slot_id);
  update public.session_bookings set state = 'requested', transaction_id = v_payment.transaction_id, paid_at = p_occurred_at,
    hold_expires_at = null, closed_at = null, closed_by = null
  where id = p_booking
  returning * into v_booking;
  perform private.notify(v_booking.creator_id, 'payment', 'New session request',
    private.name_of(v_booking.fan_id) || ' booked ' || private.session_time(v_booking) || '. You earn '
      || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', v_booking.fan_id, 'booking_id', v_booking.id, 'transaction_id', v_payment.transaction_id));
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_session_payment is
  'Books the payment of a booking, which becomes a request to the creator. Idempotent by p_cause. Requests a refund when the slot is taken. Returns transactions.id.';

-- The caller's own booking, locked. A booking of others is "not found", so that ids reveal nothing.
create function private.booking_of_caller(p_booking uuid) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
begin
  perform from public.session_slots s where s.id = (select b.slot_id from public.session_bookings b where b.id = p_booking) for update;
  select * into v_booking from public.session_bookings b
  where b.id = p_booking and (private.my_profile_id() in (b.creator_id, b.fan_id) or private.is_privileged()) for update;
  if v_booking.id is null then
    raise sqlstate 'PT404' using message = 'Booking not found';
  end if;
  return v_booking;
end;
$$;
comment on function private.booking_of_caller is 'A booking of the caller as fan or creator, or any booking for admins. PT404 otherwise.';
create function private.close_booking(p_booking public.session_bookings, p_state text, p_by text, p_reason text) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_refunds boolean := p_state in ('declined', 'canceled') and p_booking.transaction_id is not null;
begin
  update public.session_bookings b set
    state = p_state, closed_at = now(), closed_by = p_by, reason = private.trimmed(p_reason),
    answered_at = case when p_state = 'declined' then now() else b.answered_at end,
    refund_status = case when v_refunds and b.refund_status = 'none' then 'requested' else b.refund_status end
  where b.id = p_booking.id
  returning * into v_booking;
  if v_refunds then
    perform private.request_refund(v_booking.transaction_id, coalesce(v_booking.reason, 'Private session ' || p_state));
  end if;
  if p_booking.state <> 'pending_payment' then
    -- Notify both sides, except the one who closed it.
    perform private.notify(party.id, 'other', 'Session ' || p_state,
      private.session_time(v_booking) || ' was ' || p_state || coalesce(': ' || v_booking.reason, '')
        || case when v_refunds and party.id = v_booking.fan_id then '. You''ll get a full refund.' else '.' end,
      jsonb_build_object('booking_id', v_booking.id))
    from (values (v_booking.fan_id, 'fan'), (v_booking.creator_id, 'creator')) as party (id, name) where party.name <> p_by;
  end if;
  return v_booking;
end;
$$;
comment on function private.close_booking is 'Closes a booking, requests the refund if one is due, and notifies the others.';
create function public.accept_booking(booking_id uuid) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings := private.booking_of_caller(booking_id);
begin
  if v_booking.creator_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator can accept a booking' using errcode = '42501';
  elsif v_booking.state = 'accepted' then
    return v_booking;
  elsif v_booking.state <> 'requested' or v_booking.starts_at <= now() then
    raise sqlstate 'PT409' using message = 'This booking can no longer be accepted';
  end if;
  update public.session_bookings b set state = 'accepted', answered_at = now() where b.id = v_booking.id returning * into v_booking;
  perform private.notify(v_booking.fan_id, 'other', 'Session accepted', private.session_time(v_booking) || ' is confirmed.',
    jsonb_build_object('booking_id', v_booking.id));
  return v_booking;
end;
$$;
comment on function public.accept_booking is 'The creator accepts a paid request (PRIV-05, D41).';
create function public.decline_booking(booking_id uuid, reason text default null) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings := private.booking_of_caller(booking_id);
begin
  if v_booking.creator_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator can decline a booking' using errcode = '42501';
  elsif v_booking.state = 'declined' then
    return v_booking;
  elsif v_booking.state <> 'requested' then
    raise sqlstate 'PT409' using message = 'This booking can no longer be declined', hint = 'You can cancel an accepted booking.';
  end if;
  return private.close_booking(v_booking, 'declined', 'creator', reason);
end;
$$;
comment on function public.decline_booking is 'The creator declines a request, and the fan gets a full refund (PRIV-05, D41).';
create function public.cancel_booking(booking_id uuid, reason text default null) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings := private.booking_of_caller(booking_id);
  v_by text := case private.my_profile_id() when v_booking.fan_id then 'fan' when v_booking.creator_id then 'creator' else 'admin' end;
begin
  if v_booking.state = 'canceled' then
    return v_booking;
  elsif v_booking.state = 'pending_payment' and v_by <> 'creator' then
    return private.close_booking(v_booking, 'canceled', v_by, reason); -- releases the slot
  elsif v_booking.state not in ('requested', 'accepted') then
    raise sqlstate 'PT409' using message = 'This booking can no longer be canceled';
  elsif v_by = 'fan' and v_booking.starts_at < now() + interval '24 hours' then
    raise sqlstate 'PT409' using message = 'A session can be canceled until 24 hours before its start', hint = 'Ask the creator to cancel it.';
  end if;
  return private.close_booking(v_booking, 'canceled', v_by, reason);
end;
$$;
comment on function public.cancel_booking is 'Cancels a booking, with a full refund: the creator at any time, the fan until 24 hours before the start (PRIV-06, D41).';
create function public.complete_booking(booking_id uuid) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings := private.booking_of_caller(booking_id);
begin
  if v_booking.state = 'completed' then
    return v_booking;
  elsif v_booking.state <> 'accepted' or v_booking.ends_at > now() then
    raise sqlstate 'PT409' using message = 'A session can be completed after its end';
  end if;
  return private.close_booking(v_booking, 'completed',
    case private.my_profile_id() when v_booking.fan_id then 'fan' when v_booking.creator_id then 'creator' else 'admin' end, null);
end;
$$;
comment on function public.complete_booking is 'The fan or the creator confirms that the session took place (PRIV-05, D41).';
grant execute on function public.accept_booking(uuid), public.decline_booking(uuid, text), public.cancel_booking(uuid, text),
  public.complete_booking(uuid) to authenticated;

-- A scheduled job calls it every few minutes. It skips bookings that are locked.
create function private.settle_bookings() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_count int := private.expire_holds();
begin
  for v_booking in
    select b.* from public.session_bookings b join public.session_slots s on s.id = b.slot_id
    where (b.state = 'requested' and b.starts_at <= now()) or (b.state = 'accepted' and b.ends_at <= now() - interval '1 day')
    for update of b, s skip locked
  loop
    if v_booking.state = 'requested' then
      perform private.close_booking(v_booking, 'declined', 'system', 'The creator didn''t answer before the start');
    else
      perform private.close_booking(v_booking, 'completed', 'system', null);
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.settle_bookings is 'Releases expired holds, declines requests that weren''t answered before the start, and completes sessions a day after their end (D41). Returns how many changed.';
grant execute on function private.settle_bookings() to service_role;
create function private.refund_booking(p_transaction uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
begin
  perform from public.session_slots s
  where s.id = (select b.slot_id from public.session_bookings b where b.transaction_id = p_transaction) for update; -- always slot before booking
  update public.session_bookings b set refund_status = 'refunded' where b.transaction_id = p_transaction returning * into v_booking;
  if v_booking.state in ('requested', 'accepted') then
    perform private.close_booking(v_booking, 'canceled', 'system', 'The payment was refunded');
  end if;
end;
$$;
comment on function private.refund_booking is 'Marks the booking of a refunded payment as refunded, and cancels a future session.';

create index session_bookings_to_remind_idx on public.session_bookings (starts_at) where state = 'accepted' and reminded_at is null;

-- security definer: the caller may not be able to read the booking that the topic names.
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
comment on function private.may_meet is 'Whether the caller may join the call with this topic, `session:{booking id}`: the fan and the creator of an accepted booking, from 15 minutes before its start to 15 minutes after its end.';
revoke execute on function private.may_meet from public;
grant execute on function private.may_meet to authenticated;
create function public.may_join_call(booking_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_meet('session:' || booking_id);
$$;
comment on function public.may_join_call is 'Whether the caller may join the call of this booking now.';
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
      private.session_time(v_booking) || ' with ' || private.name_of(party.other) || ' starts within an hour.',
      jsonb_build_object('booking_id', v_booking.id, 'call', true))
    from (values (v_booking.fan_id, v_booking.creator_id), (v_booking.creator_id, v_booking.fan_id)) as party (id, other);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.remind_of_sessions is 'Reminds both sides of each session that starts within an hour, once. Returns how many sessions.';
revoke execute on function private.remind_of_sessions from public;
grant execute on function private.remind_of_sessions to service_role;
