-- Up Migration

-- Messages between two users (DATA-11, MSG, D9, D27, API-REST-09..11). No client role can read private.messages; public.messages shows what
-- the caller may see: their own conversations, and a paid message without its text until it is unlocked (MSG-09).
create table private.messages (
  id           uuid primary key default gen_random_uuid(),
  sender_id    uuid not null references private.profiles on delete cascade,
  recipient_id uuid not null references private.profiles on delete cascade,
  body         text not null
    constraint messages_content_length check (length(body) <= 5000),
  is_paid      boolean not null default false,
  price        integer not null default 0,
  is_read      boolean not null default false,
  created_at   timestamptz not null default now(),
  media_paths text[] not null default '{}' constraint messages_media_at_most_ten check (cardinality(media_paths) <= 10),
  media_types text[] not null default '{}' constraint messages_media_types_known check (media_types <@ array['image', 'video']),
  constraint messages_not_self check (sender_id <> recipient_id),
  constraint messages_media_pairs check (cardinality(media_paths) = cardinality(media_types)),
  constraint messages_content_required check (body ~ '\S' or cardinality(media_paths) > 0),
  constraint messages_price_range check (case when is_paid then price between 100 and 999999 else price = 0 end)
);
comment on table private.messages is 'Messages in full, including locked ones. Read through public.messages. Deleting either account deletes them.';
comment on column private.messages.body is 'The text, shown as `content`. It has another name here, so that realtime filters, which use the names that clients see, can''t test masked text.';
comment on column private.messages.price is 'In cents; 0 when the message is free (D27).';
comment on column private.messages.is_read is 'A paid message becomes read when it is unlocked (D27).';
comment on column private.messages.media_paths is 'Paths in bucket messages, shown as `media_urls`. Masked like the text, so the name differs, too.';
comment on column private.messages.media_types is 'image or video, one for each file. Shown while the message is locked.';
alter table private.messages enable row level security; -- and no policy
alter table private.messages replica identity full; -- as for notifications

alter table public.transactions add constraint transactions_message_id_fkey
  foreign key (message_id) references private.messages on delete set null;

alter table private.checkout_sessions add constraint checkout_sessions_message_id_fkey
  foreign key (message_id) references private.messages on delete set null;

-- A conversation is read in both directions with the first index, and all messages of a user with the first and the second.
create index messages_sender_id_idx on private.messages (sender_id, recipient_id, created_at desc, id desc);
create index messages_recipient_id_idx on private.messages (recipient_id, created_at desc, id desc);
create index messages_unread_idx on private.messages (recipient_id, sender_id) where not is_read; -- the badge (GEN-22, API-REST-09)
create table public.message_unlocks (
  id             uuid primary key default gen_random_uuid(),
  message_id     uuid not null references private.messages on delete cascade,
  buyer_id       uuid not null references private.profiles on delete cascade,
  transaction_id uuid references public.transactions on delete restrict,
  created_at     timestamptz not null default now(),
  constraint message_unlocks_once unique (message_id, buyer_id)
);
comment on table public.message_unlocks is 'Unlocked messages (MSG-08, D39). A refund deletes the row; the ledger keeps the history.';
comment on column public.message_unlocks.buyer_id is 'The recipient of the message: profiles.id.';
comment on column public.message_unlocks.transaction_id is 'The payment that unlocked the message. Null when the server unlocked it without one.';
alter table public.message_unlocks enable row level security;
create index message_unlocks_buyer_id_idx on public.message_unlocks (buyer_id, created_at desc);
create index message_unlocks_transaction_id_idx on public.message_unlocks (transaction_id);
create index transactions_message_id_idx on public.transactions (message_id) where message_id is not null;

-- One row for each side of each conversation, so that the list of conversations is one index range, no matter how many messages there are.
create table private.conversations (
  profile_id      uuid not null references private.profiles on delete cascade,
  other_id        uuid not null references private.profiles on delete cascade,
  last_message_id uuid not null references private.messages on delete no action deferrable initially deferred,
  last_message_at timestamptz not null,
  unread_count    int not null default 0 check (unread_count >= 0),
  primary key (profile_id, other_id)
);
comment on table private.conversations is 'A conversation as one of its two users sees it in the list. Maintained by private.messages.';
comment on column private.conversations.unread_count is 'Messages of the other user that profile_id hasn''t read.';
alter table private.conversations enable row level security; -- and no policy
create index conversations_newest_idx on private.conversations (profile_id, last_message_at desc, other_id desc);
create index conversations_other_id_idx on private.conversations (other_id);
create index conversations_last_message_id_idx on private.conversations (last_message_id);

-- Both sides are written in the order of their ids: two users who write to each other at the same time would otherwise deadlock.
create function private.keep_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.conversations as c (profile_id, other_id, last_message_id, last_message_at, unread_count)
    select s.profile_id, s.other_id, new.id, new.created_at, s.unread
    from (values
      (new.sender_id, new.recipient_id, 0),
      (new.recipient_id, new.sender_id, case when new.is_read then 0 else 1 end)
    ) as s (profile_id, other_id, unread)
    order by s.profile_id
    on conflict (profile_id, other_id) do update set
      last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
      last_message_at = greatest(excluded.last_message_at, c.last_message_at),
      unread_count = c.unread_count + excluded.unread_count;
  elsif tg_op = 'UPDATE' then
    update private.conversations c set unread_count = c.unread_count + case when new.is_read then -1 else 1 end
    where c.profile_id = new.recipient_id and c.other_id = new.sender_id;
  else
    update private.conversations c set unread_count = c.unread_count - 1
    where not old.is_read and c.profile_id = old.recipient_id and c.other_id = old.sender_id;
    update private.conversations c set last_message_id = m.id, last_message_at = m.created_at
    from private.newest_message(old.sender_id, old.recipient_id) m
    where c.last_message_id = old.id and m.id is not null;
    delete from private.conversations c where c.last_message_id = old.id;
  end if;
  return null;
end;
$$;
comment on function private.keep_conversations is 'Trigger of messages: maintains private.conversations, the newest message and the unread count of both sides.';
create function private.newest_message(p_one uuid, p_other uuid) returns private.messages
language sql stable security definer set search_path = ''
as $$
  select m.* from (
    (select a.* from private.messages a where a.sender_id = p_one and a.recipient_id = p_other order by a.created_at desc, a.id desc limit 1)
    union all
    (select b.* from private.messages b where b.sender_id = p_other and b.recipient_id = p_one order by b.created_at desc, b.id desc limit 1)
  ) m
  order by m.created_at desc, m.id desc limit 1;
$$;
comment on function private.newest_message is 'The last message of a conversation.';
create trigger messages_keep_conversations after insert or delete on private.messages
  for each row execute function private.keep_conversations();
create trigger messages_keep_unread after update of is_read on private.messages
  for each row when (new.is_read <> old.is_read) execute function private.keep_conversations();

-- Who can message a user (SET-20): everyone or, with allow_direct_messages off, only those whom the user has messaged. So the user can still
-- start a conversation and get replies, and a sender who never got a reply can't continue.
create function private.accepts_messages(p_recipient uuid, p_sender uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not private.are_blocked(p_sender, p_recipient) and exists (
    select from private.user_settings s where s.user_id = p_recipient and (
      s.allow_direct_messages
      or exists (select from private.messages m where m.sender_id = p_recipient and m.recipient_id = p_sender)
    )
  );
$$;
comment on function private.accepts_messages is 'Whether the recipient accepts messages from the sender, by settings and blocks (MSG-12, D9).';
create function public.can_message(recipient_profile_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(private.my_profile_id() <> recipient_profile_id
    and private.accepts_messages(recipient_profile_id, private.my_profile_id()), false);
$$;
comment on function public.can_message is 'Whether the caller can message this user. The "Message" button calls it before it opens a composer.';
grant execute on function public.can_message(uuid) to authenticated;
create function private.insert_message()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_message private.messages;
begin
  new.price := coalesce(new.price, 0);
  new.is_paid := coalesce(new.is_paid, false) and new.price <> 0; -- a price of 0 sends a free message (D27)
  new.media_urls := coalesce(new.media_urls, '{}');
  new.media_types := coalesce(new.media_types, '{}');
  if not private.is_service() and new.sender_id is distinct from private.my_profile_id() then
    raise exception 'You can only send messages as yourself' using errcode = '42501';
  elsif new.sender_id = new.recipient_id then
    raise exception 'You can''t message yourself' using errcode = '23514', constraint = 'messages_not_self';
  elsif coalesce(new.content, '') !~ '\S' and cardinality(new.media_urls) = 0 then
    raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(new.content) > 5000 then
    raise exception 'A message can have up to 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif cardinality(new.media_urls) <> cardinality(new.media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'messages_media_pairs';
  elsif cardinality(new.media_urls) > 10 then
    raise exception 'A message can have up to 10 files' using errcode = '23514', constraint = 'messages_media_at_most_ten';
  elsif not new.is_paid and new.price <> 0 then
    raise exception 'Only a paid message can have a price' using errcode = '23514', constraint = 'messages_price_range';
  elsif new.is_paid and not private.is_approved_creator(new.sender_id) then
    raise exception 'Only approved creators can send paid messages' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif new.is_paid and new.price not between 100 and 999999 then
    raise exception 'A paid message must cost between $1.00 and $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif not exists (select from private.profiles p where p.id = new.recipient_id) then
    raise sqlstate 'PT404' using message = 'Recipient not found';
  elsif not private.accepts_messages(new.recipient_id, new.sender_id) then
    raise sqlstate 'PT403' using message = 'This user doesn''t accept messages from you'; -- the same words for settings and blocks
  end if;
  perform private.require_message_media(new.sender_id, new.media_urls, new.media_types);
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, coalesce(new.content, ''), new.is_paid, new.price,
    new.media_urls, new.media_types)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;
comment on function private.insert_message is 'Trigger of public.messages: users send as themselves, to recipients who accept it; only approved creators send paid messages (MSG-05, MSG-06, MSG-12, D25, D27).';

-- Messages that the caller can't mark as read are skipped, as a policy would: opening a conversation marks all its messages, and locked ones
-- stay unread.
create function private.update_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (old.is_locked or old.recipient_id is distinct from private.my_profile_id()) then
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
comment on function private.update_message is 'Trigger of public.messages: the recipient marks a free or unlocked message as read, which can''t be undone.';
grant select on public.message_unlocks to authenticated;

-- insert is not granted: an unlock follows a payment, which Stripe confirms.
create function private.open_message(p_buyer uuid, p_message uuid, p_transaction uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.message_unlocks (message_id, buyer_id, transaction_id)
  select m.id, m.recipient_id, p_transaction from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid
  on conflict on constraint message_unlocks_once do nothing;
  if not found then
    return false;
  end if;
  update private.messages m set is_read = true where m.id = p_message and not m.is_read;
  return true;
end;
$$;
comment on function private.open_message is 'Unlocks a paid message for its recipient and marks it as read (D27). False when there is no such message, or it is already unlocked.';
create function private.post_message_unlock(p_cause text, p_buyer uuid, p_creator uuid, p_message uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamp with time zone)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  select * into v_payment from private.post_payment(
    'paid_message', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  update public.transactions t set message_id = m.id from private.messages m where t.id = v_payment.transaction_id and m.id = p_message;
  if not private.open_message(p_buyer, p_message, v_payment.transaction_id) then
    -- Paid twice from two screens, or the message was deleted while the card was being charged: there is nothing to unlock.
    perform private.request_refund(v_payment.transaction_id, 'The message was already bought or no longer exists.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', 'Message unlocked',
    (select coalesce(b.display_name, b.username) from private.profiles b where b.id = p_buyer)
      || ' unlocked your message. You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', p_buyer, 'message_id', p_message, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_message_unlock is
  'Books the payment for a message, unlocks the message, and notifies the sender (MSG-08). Idempotent by p_cause. Requests a refund when there is nothing to unlock. Returns transactions.id.';
create function private.restore_message_unlock(p_payment public.transactions) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.open_message(p_payment.from_user_id, p_payment.message_id, p_payment.id);
$$;
comment on function private.restore_message_unlock is 'Unlocks the message of this payment again, after its dispute was won.';

-- One notification for each sender until it is read (NOTI-15). It doesn't contain the text of the message.
create function private.notify_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from public.notifications n
    where n.user_id = new.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = new.sender_id::text
  ) then
    perform private.notify(new.recipient_id, 'message', 'New message',
      (select coalesce(s.display_name, s.username) from private.profiles s where s.id = new.sender_id)
        || case when new.is_paid then ' sent you a paid message.' else ' sent you a message.' end,
      jsonb_build_object('profile_id', new.sender_id, 'message_id', new.id));
  end if;
  return null;
end;
$$;
comment on function private.notify_message is 'Trigger of messages: notifies the recipient.';
create trigger messages_notify after insert on private.messages for each row execute function private.notify_message();

-- Reading the conversation also reads its notification.
create function private.silence_message_bell() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set is_read = true
  where n.user_id = new.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = new.sender_id::text;
  return null;
end;
$$;
comment on function private.silence_message_bell is 'Trigger of messages: marks the notification about a sender as read when a message of that sender is read.';
create trigger messages_silence_bell after update of is_read on private.messages
  for each row when (new.is_read and not old.is_read) execute function private.silence_message_bell();
create index notifications_unread_messages_idx on public.notifications (user_id, (data ->> 'profile_id')) where not is_read and type = 'message';
create type public.conversation as (
  other_id uuid,
  username text,
  display_name text,
  avatar_url text,
  is_verified boolean,
  is_creator boolean,
  last_seen_at timestamptz,
  last_message_id uuid,
  last_sender_id uuid,
  last_content text,
  last_is_paid boolean,
  last_is_locked boolean,
  last_price integer,
  last_message_at timestamptz,
  unread_count integer,
  can_message boolean,
  last_media_types text[],
  updated_at timestamptz
);
comment on type public.conversation is 'A row of the conversation list (MSG-03): the other user, the last message as the viewer may see it, and the unread count.';
comment on column public.conversation.other_id is 'The other user''s profiles.id. Never null.';
comment on column public.conversation.username is 'Never null.';
comment on column public.conversation.is_verified is 'Never null.';
comment on column public.conversation.is_creator is 'Never null.';
comment on column public.conversation.last_message_id is 'Never null.';
comment on column public.conversation.last_sender_id is 'Never null.';
comment on column public.conversation.last_content is 'Null when last_is_locked.';
comment on column public.conversation.last_is_paid is 'Never null.';
comment on column public.conversation.last_is_locked is 'Never null.';
comment on column public.conversation.last_price is 'In cents. Never null.';
comment on column public.conversation.last_message_at is 'Never null.';
comment on column public.conversation.unread_count is 'Never null.';
comment on column public.conversation.last_seen_at is 'As in profiles; null when it is hidden.';
comment on column public.conversation.can_message is 'Whether the viewer can message the other user (MSG-12). Never null.';
comment on column public.conversation.last_media_types is 'image or video, one for each file of the last message. Never null.';
comment on column public.conversation.updated_at is 'updated_at of the other user''s profile, which versions the URLs of its pictures. Never null.';

-- The page is found in the index first; then the message and the user of each row are looked up with a lateral join. Joined directly, the
-- planner, which doesn't know the size of the page, could scan all messages.
create function public.get_conversations(
  search text default null,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.conversation
language sql stable security definer rows 30 set search_path = ''
as $$
  with page as (
    select c.*
    from private.conversations c
    where c.profile_id = (select private.my_profile_id())
      and (before is null or (c.last_message_at, c.other_id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      and (private.trimmed(search) is null or exists (
        select from private.profiles p
        where p.id = c.other_id
          and (p.username ilike private.like_pattern(search) or p.display_name ilike private.like_pattern(search))
      ))
    order by c.last_message_at desc, c.other_id desc
    limit least(greatest(page_size, 0), 100)
  )
  select o.id, o.username, o.display_name, o.avatar_url, o.is_verified, o.is_creator, o.last_seen_at,
    m.id, m.sender_id, left(m.content, 200), m.is_paid, m.is_locked, m.price,
    page.last_message_at, page.unread_count, private.accepts_messages(page.other_id, page.profile_id), m.media_types, o.updated_at
  from page
  cross join lateral (select p.* from public.profiles p where p.id = page.other_id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = page.last_message_id offset 0) m
  order by page.last_message_at desc, page.other_id desc;
$$;
comment on function public.get_conversations is
  'The caller''s conversations, newest first; search matches the other user''s name. For the next page, set before and before_id to last_message_at and other_id of the last row. last_content is cut at 200 characters.';
grant execute on function public.get_conversations(text, int, timestamptz, uuid) to authenticated;
create function private.verify_conversations() returns table (profile_id uuid, other_id uuid, problem text)
language sql stable security definer set search_path = ''
as $$
  with counted as (
    select s.profile_id, s.other_id, max(s.created_at) as last_message_at, count(*) filter (where s.is_unread)::int as unread_count
    from (
      select m.sender_id as profile_id, m.recipient_id as other_id, m.created_at, false as is_unread from private.messages m
      union all
      select m.recipient_id, m.sender_id, m.created_at, not m.is_read from private.messages m
    ) s
    group by s.profile_id, s.other_id
  )
  select coalesce(k.profile_id, c.profile_id), coalesce(k.other_id, c.other_id),
    case
      when k.profile_id is null then 'is listed but has no message'
      when c.profile_id is null then 'is not listed'
      when k.unread_count <> c.unread_count then 'has a wrong number of unread messages'
      else 'has a wrong last message'
    end
  from counted k
  full join private.conversations c on c.profile_id = k.profile_id and c.other_id = k.other_id
  where (k.last_message_at, k.unread_count) is distinct from (c.last_message_at, c.unread_count);
$$;
comment on function private.verify_conversations is 'Conversations that differ from the messages. No rows when all is well.';

-- Both users get inserts, each as they may see the message (MSG-11), and reads and unlocks, too.
alter publication ovation_realtime add table private.messages;

-- DATA-32: the messages a creator has received.
create function private.messages_received(p_profile uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select coalesce((select c.received from private.message_counts c where c.profile_id = p_profile), 0)::int;
$$;
comment on function private.messages_received is 'How many messages the user has received (get_creator_stats.total_messages).';

-- Photos and videos in messages (MSG-04, MSG-07, MSG-09). They have their own bucket, because admins can see the media of posts (POST-50),
-- but not the files of messages.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('messages', 'messages', false, 1024 * 1024 * 1024, array['image/*', 'video/*']); -- the limits of post media (POST-24, POST-25)
create table private.message_media (
  path       text primary key,
  message_id uuid not null references private.messages on delete cascade
);
comment on table private.message_media is 'The files of messages, one row each. A file belongs to one message only, because a free message could otherwise unlock a file of a paid one.';
alter table private.message_media enable row level security; -- and no policy
create index message_media_message_id_idx on private.message_media (message_id);

create trigger message_media_hold_file before insert on private.message_media
  for each row execute function private.hold_filed_files();

create function private.can_read_message_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join public.messages v on v.id = f.message_id
    where f.path = p_path and not v.is_locked
  );
$$;
comment on function private.can_read_message_file is 'True when the file belongs to a message that the caller may read (MSG-09). Uses public.messages, so that both always agree.';
create function private.is_sent_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.message_media f where f.path = p_path);
$$;
comment on function private.is_sent_file is 'True when the file belongs to a message; from then on it can''t be changed.';
grant execute on function private.can_read_message_file(text), private.is_sent_file(text) to authenticated;

-- A file without a message is visible only to its owner (select_own); a file of a message is visible to everyone who can read the message.
create policy select_message_file on storage.objects for select to authenticated
  using (bucket_id = 'messages' and private.can_read_message_file(name));
create policy insert_message_file on storage.objects for insert to authenticated
  with check (bucket_id = 'messages' and private.is_own_path(name));
create policy delete_unsent_file on storage.objects for delete to authenticated
  using (bucket_id = 'messages' and private.is_own_path(name) and not private.is_sent_file(name));
create function private.keep_message_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_constraint text;
begin
  insert into private.message_media (path, message_id) select f.path, new.id from unnest(new.media_paths) f (path);
  return null;
exception when unique_violation then
  get stacked diagnostics v_constraint = constraint_name;
  raise exception 'This file already belongs to a message' using errcode = '23505', constraint = v_constraint,
    hint = 'Upload the file again to send it once more.';
end;
$$;
comment on function private.keep_message_media is 'Trigger of messages: maintains private.message_media. A message never changes, so only inserts matter.';
create trigger messages_keep_media after insert on private.messages
  for each row when (cardinality(new.media_paths) > 0) execute function private.keep_message_media();
create function private.remove_message_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o where o.bucket_id = 'messages' and o.name = old.path returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_message_file is 'Trigger of message_media: deletes a file with its message.';
create trigger message_media_remove_file after delete on private.message_media for each row execute function private.remove_message_file();
create function private.require_message_media(p_sender uuid, p_paths text[], p_types text[]) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_file record;
begin
  for v_file in
    select f.path, f.media_type, o.id as object_id, split_part(o.metadata ->> 'mimetype', '/', 1) as stored_type,
      (storage.foldername(f.path))[1] = s.user_id::text as is_own
    from unnest(p_paths, p_types) as f (path, media_type)
    join private.profiles s on s.id = p_sender
    left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path
  loop
    if v_file.is_own is not true then
      raise sqlstate 'PT403' using message = 'Files must be in the sender''s own folder of bucket messages', detail = v_file.path;
    elsif v_file.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this message has not been uploaded', detail = v_file.path;
    elsif v_file.stored_type <> v_file.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_file.path;
    end if;
  end loop;
end;
$$;
comment on function private.require_message_media is 'Rejects files that aren''t the sender''s, aren''t uploaded, or don''t match media_types.';

-- Data about a message's files, like that of a post's: size, blurred preview, and for videos, the duration and whether they stream. A locked
-- message shows only the duration of its videos (MSG-07).
create function private.message_previews(p_paths text[], p_is_locked boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(case
      when p_is_locked then jsonb_build_object('duration', o.metadata -> 'duration')
      else jsonb_build_object(
        'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
        'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream'
      )
    end) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path;
$$;
comment on function private.message_previews is 'The value of messages.media_previews for these files. While the message is locked, only the duration: not even a blurred preview.';
revoke execute on function private.message_previews from public;
grant execute on function private.message_previews to authenticated, service_role;

-- security_barrier: no condition of the caller may run on a row of another conversation, where an error could reveal its content.
create view public.messages with (security_barrier=true) as
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
        END AS media_previews
   FROM (private.messages m
     CROSS JOIN LATERAL ( SELECT ((NOT m.is_paid) OR COALESCE((m.sender_id = ( SELECT private.my_profile_id() AS my_profile_id)), false) OR ( SELECT private.is_service() AS is_service) OR (EXISTS ( SELECT
                   FROM public.message_unlocks u
                  WHERE ((u.message_id = m.id) AND (u.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)))))) AS can_read
         OFFSET 0) access)
  WHERE (((( SELECT private.my_profile_id() AS my_profile_id) = m.sender_id) OR (( SELECT private.my_profile_id() AS my_profile_id) = m.recipient_id)) OR ( SELECT private.is_service() AS is_service));
comment on view public.messages is 'Messages as the sender and the recipient may see them. The content of a locked message is null until the recipient unlocks it (MSG-07, MSG-09). Admins don''t see messages of others.';
comment on column public.messages.content is 'The text; null when is_locked.';
comment on column public.messages.is_locked is 'True when the viewer has to unlock the message to read it. Never null.';
comment on column public.messages.media_urls is 'Paths in bucket messages; empty when is_locked. Never null.';
comment on column public.messages.media_types is 'image or video, one for each file, also while is_locked. Never null.';
comment on column public.messages.media_previews is 'For each file: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS}; a key is missing while it is unknown; while is_locked, only duration. Never null.';
comment on column public.messages.price is 'The price of a paid message, in cents; 0 for a free one. Never null.';
grant insert (media_urls, media_types) on public.messages to authenticated;
grant select on public.messages to authenticated;
grant insert (id, sender_id, recipient_id, content, is_paid, price, media_urls, media_types) on public.messages to authenticated;
grant update (is_read) on public.messages to authenticated;

alter view public.messages alter column id set default gen_random_uuid();

alter view public.messages alter column is_paid set default false;

alter view public.messages alter column price set default 0;

CREATE TRIGGER messages_insert INSTEAD OF INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.insert_message();

CREATE TRIGGER messages_update INSTEAD OF UPDATE ON public.messages FOR EACH ROW EXECUTE FUNCTION private.update_message();

CREATE TRIGGER messages_delete INSTEAD OF DELETE ON public.messages FOR EACH ROW EXECUTE FUNCTION private.reject_view_change('Messages can''t be deleted.');

grant select, insert (id, sender_id, recipient_id, content, is_paid, price), update (is_read) on public.messages to authenticated;

create policy select_party on public.message_unlocks for select to authenticated
  using (((buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)) OR (EXISTS ( SELECT
   FROM public.messages m
  WHERE (m.id = message_unlocks.message_id)))));

alter view public.messages alter column media_urls set default '{}';

alter view public.messages alter column media_types set default '{}';

create function public.get_thread(other_id uuid, page_size integer DEFAULT 30, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.messages
language sql stable security definer
set search_path = ''
as $$
  with start as (
    select private.my_profile_id() as me, coalesce(before, 'infinity') as at,
      coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id, least(greatest(page_size, 0), 100) as size
  ), page as (
    select either.id, either.created_at
    from start
    cross join lateral (
      (
        select s.id, s.created_at from private.messages s
        where s.sender_id = start.me and s.recipient_id = get_thread.other_id and (s.created_at, s.id) < (start.at, start.id)
        order by s.created_at desc, s.id desc limit start.size
      )
      union all
      (
        select r.id, r.created_at from private.messages r
        where r.sender_id = get_thread.other_id and r.recipient_id = start.me and (r.created_at, r.id) < (start.at, start.id)
        order by r.created_at desc, r.id desc limit start.size
      )
    ) either
    order by either.created_at desc, either.id desc
    limit (select start.size from start)
  )
  select m.*
  from page
  cross join lateral (select v.* from public.messages v where v.id = page.id offset 0) m
  order by page.created_at desc, page.id desc;
$$;
comment on function public.get_thread(uuid,integer,timestamp with time zone,uuid) is 'The caller''s messages with one other user, newest first (MSG-04). For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_thread(uuid,integer,timestamp with time zone,uuid) to authenticated, service_role;
