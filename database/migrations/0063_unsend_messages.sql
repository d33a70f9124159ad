-- Up Migration

-- Unsending (INBOX-07). A message that nobody has read, or bought, can be taken back without a trace. A reported one stays as evidence.

-- Locks both sides of the conversation first, in order, like a new message. A reader who marks several messages as read holds one of them
-- and the conversation in turns: who waited here for a message, holding the conversation, would wait for ever. So a message that is being read at this
-- moment counts as read.
create function public.unsend_message(message_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_recipient uuid := (select m.recipient_id from private.messages m where m.id = unsend_message.message_id and m.sender_id = v_me);
  v_message private.messages;
begin
  if v_recipient is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  end if;
  perform from private.conversations c
  where (c.profile_id, c.other_id) in ((v_me, v_recipient), (v_recipient, v_me))
  order by c.profile_id for no key update;
  select * into v_message from private.messages m where m.id = unsend_message.message_id for update skip locked;
  if v_message.is_paid and v_message.is_unlocked then
    raise sqlstate 'PT409' using message = 'This message has been unlocked, so it can''t be unsent';
  elsif v_message.id is null or (not v_message.is_paid and v_message.is_read)
    or exists (select from public.reports r where r.target_type = 'message' and r.target_id = v_message.id) then
    raise sqlstate 'PT409' using message = 'This message has been read, so it can''t be unsent';
  end if;
  delete from private.messages m where m.id = v_message.id;
  -- The one about a sender is about all of their messages.
  delete from public.notifications n
  where n.user_id = v_recipient and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_me::text
    and not exists (select from private.messages m where m.recipient_id = v_recipient and m.sender_id = v_me and not m.is_read);
end;
$$;
comment on function public.unsend_message is
  'Deletes a message of the caller for both users, with its files and its notification (INBOX-07). PT409 once it has been read or, if it is paid, unlocked. PT404 for a message of another user.';
grant execute on function public.unsend_message(uuid) to authenticated;
