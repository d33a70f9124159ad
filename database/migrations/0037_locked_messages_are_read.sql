-- Up Migration

-- Opening a thread reads all of its messages, locked ones too (LOOP-16), so that no badge stays until the fan pays. is_read therefore no longer
-- says that a paid message was bought: is_unlocked does, for both users, and live.
alter table private.messages add column is_unlocked boolean not null default false;
comment on column private.messages.is_unlocked is 'Whether the recipient has unlocked a paid message. Maintained by message_unlocks.';
comment on column private.messages.is_read is 'Whether the recipient has opened the thread since (LOOP-16).';
update private.messages m set is_unlocked = true from public.message_unlocks u where u.message_id = m.id;

-- It leaves is_read alone: opening the thread reads the message. An unlock that read it would lock the message and then the conversation, while
-- a reader of several messages, who holds the conversation already, waits for the message.
create function private.keep_unlocked() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A refund deletes the unlock.
  update private.messages m set is_unlocked = tg_op = 'INSERT' where m.id = coalesce(new.message_id, old.message_id);
  return null;
end;
$$;
comment on function private.keep_unlocked is 'Trigger of message_unlocks: maintains messages.is_unlocked.';
create trigger message_unlocks_keep_unlocked after insert or delete on public.message_unlocks for each row execute function private.keep_unlocked();

create or replace function private.open_message(p_buyer uuid, p_message uuid, p_transaction uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.message_unlocks (message_id, buyer_id, transaction_id)
  select m.id, m.recipient_id, p_transaction from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid
  on conflict on constraint message_unlocks_once do nothing;
  return found;
end;
$$;
comment on function private.open_message is 'Unlocks a paid message for its recipient. False when there is no such message, or it is already unlocked.';

-- Messages that the caller can't mark as read are skipped, as a policy would.
create or replace function private.update_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and old.recipient_id is distinct from private.my_profile_id() then
    return null;
  end if;
  perform private.require_changeable('messages', private.changes_of(to_jsonb(old), to_jsonb(new)), '{is_read}');
  if old.is_read and new.is_read is not true then
    raise exception 'permission denied to update is_read of messages'
      using errcode = '42501', hint = 'A message that was read can''t become unread.';
  end if;
  update private.messages set is_read = true where id = old.id and not is_read and new.is_read;
  if not found then
    return null;
  end if;
  select v.* into new from public.messages v where v.id = old.id;
  return new;
end;
$$;
comment on function private.update_message is 'Trigger of public.messages: the recipient marks a message as read, locked or not (LOOP-16), which can''t be undone.';

-- As in 0024_messages.sql, with is_unlocked at the end.
create or replace view public.messages with (security_barrier=true) as
 SELECT m.id,
    m.sender_id,
    m.recipient_id,
        CASE
            WHEN access.can_read THEN m.body
            ELSE NULL::text
        END AS content,
    m.is_paid,
    m.price,
    m.is_read,
    (NOT access.can_read) AS is_locked,
    m.created_at,
        CASE
            WHEN access.can_read THEN m.media_paths
            ELSE '{}'::text[]
        END AS media_urls,
    m.media_types,
        CASE
            WHEN (cardinality(m.media_paths) = 0) THEN '[]'::jsonb
            ELSE private.message_previews(m.media_paths, (NOT access.can_read))
        END AS media_previews,
    m.is_unlocked
   FROM (private.messages m
     CROSS JOIN LATERAL ( SELECT ((NOT m.is_paid) OR COALESCE((m.sender_id = ( SELECT private.my_profile_id() AS my_profile_id)), false) OR ( SELECT private.is_service() AS is_service) OR (EXISTS ( SELECT
                   FROM public.message_unlocks u
                  WHERE ((u.message_id = m.id) AND (u.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)))))) AS can_read
         OFFSET 0) access)
  WHERE (((( SELECT private.my_profile_id() AS my_profile_id) = m.sender_id) OR (( SELECT private.my_profile_id() AS my_profile_id) = m.recipient_id)) OR ( SELECT private.is_service() AS is_service));
comment on column public.messages.is_unlocked is 'Whether the recipient has unlocked a paid message; false for a free one. Never null.';
update private.followed_views set plain_columns = array_append(plain_columns, 'is_unlocked') where view_name = 'messages';
