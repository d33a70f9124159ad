-- Up Migration
-- A checkout may also be for a paid message or for a held session (MSG-08, PRIV-03, D40, D41).
alter table private.checkout_sessions
  add column message_id uuid references private.messages on delete set null,
  add column booking_id uuid references public.session_bookings on delete set null;
comment on column private.checkout_sessions.message_id is 'The paid message that is unlocked; null for other payments, and once the message is gone.';
comment on column private.checkout_sessions.booking_id is 'The booking that is paid for; null for other payments, and once it is gone.';
create index checkout_sessions_message_id_idx on private.checkout_sessions (message_id);
create index checkout_sessions_booking_id_idx on private.checkout_sessions (booking_id);

create function private.quote_message(p_buyer uuid, p_message uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_message private.messages;
  v_creator private.profiles;
begin
  select * into v_message from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid;
  if v_message.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  elsif exists (select from public.message_unlocks u where u.message_id = p_message and u.buyer_id = p_buyer) then
    raise sqlstate 'PT409' using message = 'You have already unlocked this message';
  end if;
  v_creator := private.require_payable(p_buyer, v_message.sender_id);
  return (v_creator.id, v_creator.stripe_account_id, private.cents(v_message.price)::int, 'Message from ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_message is
  'What a paid message costs the person it was sent to (MSG-08). PT404 when there is none for them, PT409 when it is open already.';
