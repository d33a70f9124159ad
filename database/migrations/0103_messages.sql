-- Up Migration
-- Messages between two people (DATA-11, MSG, D9, D27, API-REST-09..11). The rows live in private.messages and no client role can reach
-- them there; public.messages is what the caller may see: own threads, and a paid message without its text until it is bought (MSG-09).
create table private.messages (
  id           uuid primary key default gen_random_uuid(),
  sender_id    uuid not null references private.profiles on delete cascade,
  recipient_id uuid not null references private.profiles on delete cascade,
  body         text not null
    constraint messages_content_required check (body ~ '\S')
    constraint messages_content_length check (length(body) <= 5000),
  is_paid      boolean not null default false,
  price        numeric(12, 2) not null default 0,
  is_read      boolean not null default false,
  created_at   timestamptz not null default now(),
  constraint messages_not_self check (sender_id <> recipient_id),
  constraint messages_price_range check (case when is_paid then price between 1.00 and 9999.99 else price = 0 end)
);
comment on table private.messages is 'Whole messages, locked ones included. Read through public.messages. They go with either account.';
comment on column private.messages.body is 'The text, shown as `content`. Its other name keeps realtime filters from testing what is masked: they know columns by the names that clients see.';
comment on column private.messages.price is 'Dollars; 0 when the message is free (D27).';
comment on column private.messages.is_read is 'A paid message becomes read when it is unlocked (D27).';
-- A thread is read in both directions by the first, all of one's messages by the first and the second.
create index messages_sender_id_idx on private.messages (sender_id, recipient_id, created_at desc, id desc);
create index messages_recipient_id_idx on private.messages (recipient_id, created_at desc, id desc);
create index messages_unread_idx on private.messages (recipient_id, sender_id) where not is_read; -- the badge (GEN-22, API-REST-09)
alter table private.messages enable row level security; -- and no policy

create table public.message_unlocks (
  id             uuid primary key default gen_random_uuid(),
  message_id     uuid not null references private.messages on delete cascade,
  buyer_id       uuid not null references private.profiles on delete cascade,
  transaction_id uuid references public.transactions on delete restrict,
  created_at     timestamptz not null default now(),
  constraint message_unlocks_once unique (message_id, buyer_id)
);
comment on table public.message_unlocks is 'Bought messages (MSG-08, D39). A refund takes the row away; the ledger keeps the history.';
comment on column public.message_unlocks.buyer_id is 'The recipient of the message: profiles.id.';
comment on column public.message_unlocks.transaction_id is 'The payment that opened the message. Null when the server opened it without one.';
create index message_unlocks_buyer_id_idx on public.message_unlocks (buyer_id, created_at desc);
create index message_unlocks_transaction_id_idx on public.message_unlocks (transaction_id);

alter table public.transactions add column message_id uuid references private.messages on delete set null;
comment on column public.transactions.message_id is 'The message that was paid for; null for other payments, and once the message is gone.';
create index transactions_message_id_idx on public.transactions (message_id) where message_id is not null;

-- One row for each side of each thread, so that the list of conversations is one index range whatever the number of messages.
create table private.conversations (
  profile_id      uuid not null references private.profiles on delete cascade,
  other_id        uuid not null references private.profiles on delete cascade,
  last_message_id uuid not null references private.messages on delete no action deferrable initially deferred,
  last_message_at timestamptz not null,
  unread_count    int not null default 0 check (unread_count >= 0),
  primary key (profile_id, other_id)
);
comment on table private.conversations is 'A thread as one of its two people sees it in the list. Kept by private.messages.';
comment on column private.conversations.unread_count is 'Messages of the other person that profile_id has not read.';
create index conversations_newest_idx on private.conversations (profile_id, last_message_at desc, other_id desc);
create index conversations_other_id_idx on private.conversations (other_id);
create index conversations_last_message_id_idx on private.conversations (last_message_id);
alter table private.conversations enable row level security; -- and no policy

-- Both sides are written in the order of their ids: two people who write to each other at once must not wait in a circle.
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
comment on function private.keep_conversations is 'Keeps private.conversations: the newest message and the unread count of either side.';

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
comment on function private.newest_message is 'The last message of the thread of two people.';
create trigger messages_keep_conversations after insert or delete on private.messages
  for each row execute function private.keep_conversations();
create trigger messages_keep_unread after update of is_read on private.messages
  for each row when (new.is_read <> old.is_read) execute function private.keep_conversations();

-- A security barrier: no condition of the caller's may run on another thread's row, where an error could tell what it holds.
create view public.messages with (security_barrier = true) as
select
  m.id,
  m.sender_id,
  m.recipient_id,
  case when access.can_read then m.body end as content,
  m.is_paid,
  m.price,
  m.is_read,
  not access.can_read as is_locked,
  m.created_at
from private.messages m
cross join lateral (
  select
    not m.is_paid or coalesce(m.sender_id = (select private.my_profile_id()), false) or (select private.is_service())
    or exists (
      select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = (select private.my_profile_id())
    ) as can_read
  offset 0
) access
where (select private.my_profile_id()) in (m.sender_id, m.recipient_id) or (select private.is_service());
comment on view public.messages is 'Messages as their two people may see them. Locked: content is null until the recipient buys it (MSG-07, MSG-09). Admins see no messages of others.';
comment on column public.messages.content is 'The text; null when is_locked.';
comment on column public.messages.is_locked is 'True when the viewer has to buy the message to read it. Never null.';
alter view public.messages alter column id set default gen_random_uuid();
alter view public.messages alter column is_paid set default false;
alter view public.messages alter column price set default 0;

-- Whom a person lets write (SET-20): everybody; or, once closed, those to whom the person has written. So whoever closes the door can
-- still write first, and is answered; and nobody who never was answered can go on writing.
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
comment on function private.accepts_messages is 'Whether the recipient takes messages of the sender: settings and blocks (MSG-12, D9).';

create function public.can_message(recipient_profile_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(private.my_profile_id() <> recipient_profile_id
    and private.accepts_messages(recipient_profile_id, private.my_profile_id()), false);
$$;
comment on function public.can_message is 'Whether the caller may write to this person: what the "Message" button asks before it opens a composer.';
grant execute on function public.can_message(uuid) to authenticated;

create function private.insert_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_message private.messages;
begin
  new.price := coalesce(new.price, 0);
  new.is_paid := coalesce(new.is_paid, false) and new.price <> 0; -- a price of 0 sends a free message (D27)
  if not private.is_service() and new.sender_id is distinct from private.my_profile_id() then
    raise exception 'One writes as oneself only' using errcode = '42501';
  elsif new.sender_id = new.recipient_id then
    raise exception 'You cannot send a message to yourself' using errcode = '23514', constraint = 'messages_not_self';
  elsif coalesce(new.content, '') !~ '\S' then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(new.content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif not new.is_paid and new.price <> 0 then
    raise exception 'Only a paid message has a price' using errcode = '23514', constraint = 'messages_price_range';
  elsif new.is_paid and not private.is_approved_creator(new.sender_id) then
    raise exception 'Only approved creators can send paid messages' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif new.is_paid and new.price not between 1.00 and 9999.99 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif not exists (select from private.profiles p where p.id = new.recipient_id) then
    raise sqlstate 'PT404' using message = 'There is no such person to write to';
  elsif not private.accepts_messages(new.recipient_id, new.sender_id) then
    raise sqlstate 'PT403' using message = 'This person does not accept messages from you'; -- the same words for settings and blocks
  end if;
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, new.content, new.is_paid, new.price)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;
comment on function private.insert_message is 'Trigger of public.messages: as oneself, to someone who takes it; paid ones by approved creators (MSG-05, MSG-06, MSG-12, D25, D27).';
create trigger messages_insert instead of insert on public.messages for each row execute function private.insert_message();

-- What is not the caller's to mark is skipped, as a policy would skip it: opening a thread marks all of it, and locked ones stay unread.
create function private.update_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (old.is_locked or old.recipient_id is distinct from private.my_profile_id()) then
    return null;
  end if;
  update private.messages set is_read = true where id = old.id and not is_read and new.is_read;
  if not found then
    return null;
  end if;
  select v.* into new from public.messages v where v.id = old.id;
  return new;
end;
$$;
comment on function private.update_message is 'Trigger of public.messages: the recipient has read a free or unlocked message. Reading is never undone.';
create trigger messages_update instead of update on public.messages for each row execute function private.update_message();
create trigger messages_delete instead of delete on public.messages
  for each row execute function private.refuse_view_change('What was said stays with both people.');

grant select, insert (id, sender_id, recipient_id, content, is_paid, price), update (is_read) on public.messages to authenticated;
-- Text and price are not updatable: people have read or bought what the message was. delete is not granted: a thread belongs to two.
-- anon has no grant: messages are between accounts.

alter table public.message_unlocks enable row level security;
create policy select_party on public.message_unlocks for select to authenticated
  using (buyer_id = (select private.my_profile_id()) or exists (select from public.messages m where m.id = message_id));
grant select on public.message_unlocks to authenticated;
-- insert is not granted: an unlock follows a payment, and payments arrive from the provider.

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
comment on function private.open_message is 'Opens a paid message to its recipient, and it is read (D27). False when there is none to open, or it is open already.';

create function private.post_message_unlock(
  p_cause text,
  p_buyer uuid,
  p_creator uuid,
  p_message uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
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
    -- Paid twice from two screens, or the message went while the card was being charged: there is nothing to hand out.
    perform private.request_refund(v_payment.transaction_id, 'The payment opened nothing: the message was bought already or is gone.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', 'Message unlocked',
    (select coalesce(b.display_name, b.username) from private.profiles b where b.id = p_buyer)
      || ' unlocked your message. You earned ' || to_char((p_gross_cents - p_fee_cents) / 100.0, 'FM$999,999,990.00') || '.',
    jsonb_build_object('profile_id', p_buyer, 'message_id', p_message, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_message_unlock is
  'A paid message was bought: books it, opens the message and tells the sender (MSG-08). Idempotent by p_cause; what opens nothing is given back. Returns transactions.id.';

create function private.restore_message_unlock(p_payment public.transactions) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.open_message(p_payment.from_user_id, p_payment.message_id, p_payment.id);
$$;
comment on function private.restore_message_unlock is 'Opens again the message that this payment had opened: its dispute was won.';

-- One bell entry for each sender until it is read: a lively thread rings once (NOTI-15). Its text names nobody's words.
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
comment on function private.notify_message is 'Tells the recipient that somebody has written.';
create trigger messages_notify after insert on private.messages for each row execute function private.notify_message();

-- Who reads the thread has heard the bell.
create function private.silence_message_bell() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set is_read = true
  where n.user_id = new.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = new.sender_id::text;
  return null;
end;
$$;
comment on function private.silence_message_bell is 'Marks the bell entry about a sender as read, once a message of that sender is.';
create trigger messages_silence_bell after update of is_read on private.messages
  for each row when (new.is_read and not old.is_read) execute function private.silence_message_bell();
create index notifications_unread_messages_idx on public.notifications (user_id, (data ->> 'profile_id')) where not is_read and type = 'message';

create type public.conversation as (
  other_id uuid, username text, display_name text, avatar_url text, is_verified boolean, is_creator boolean, last_seen_at timestamptz,
  last_message_id uuid, last_sender_id uuid, last_content text, last_is_paid boolean, last_is_locked boolean, last_price numeric,
  last_message_at timestamptz, unread_count int, can_message boolean
);
comment on type public.conversation is 'A line of the conversation list (MSG-03): the other person, the last message as the viewer may see it, and what is unread.';
comment on column public.conversation.other_id is 'The other person''s profiles.id. Never null.';
comment on column public.conversation.username is 'Never null.';
comment on column public.conversation.is_verified is 'Never null.';
comment on column public.conversation.is_creator is 'Never null.';
comment on column public.conversation.last_message_id is 'Never null.';
comment on column public.conversation.last_sender_id is 'Never null.';
comment on column public.conversation.last_content is 'Null when last_is_locked.';
comment on column public.conversation.last_is_paid is 'Never null.';
comment on column public.conversation.last_is_locked is 'Never null.';
comment on column public.conversation.last_price is 'Dollars. Never null.';
comment on column public.conversation.last_message_at is 'Never null.';
comment on column public.conversation.unread_count is 'Never null.';
comment on column public.conversation.last_seen_at is 'As in profiles: null when it is hidden.';
comment on column public.conversation.can_message is 'Whether the viewer may write to the other person (MSG-12). Never null.';

-- The page is cut on the index first; names, masks and rights are looked up for its rows alone.
create function public.get_conversations(
  search text default null,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.conversation
language sql stable security definer set search_path = ''
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
    page.last_message_at, page.unread_count, private.accepts_messages(page.other_id, page.profile_id)
  from page
  join public.profiles o on o.id = page.other_id
  join public.messages m on m.id = page.last_message_id
  order by page.last_message_at desc, page.other_id desc;
$$;
comment on function public.get_conversations is
  'The caller''s conversations, newest first; search matches the other person''s name. The next page: before and before_id take last_message_at and other_id of the last row. last_content is cut at 200 characters.';
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
      when k.profile_id is null then 'is listed and has no message'
      when c.profile_id is null then 'is not listed'
      when k.unread_count <> c.unread_count then 'has another number of unread messages'
      else 'has another last message'
    end
  from counted k
  full join private.conversations c on c.profile_id = k.profile_id and c.other_id = k.other_id
  where (k.last_message_at, k.unread_count) is distinct from (c.last_message_at, c.unread_count);
$$;
comment on function private.verify_conversations is 'Lines of conversation lists that differ from the messages; none when all is well.';

-- Inserts arrive at both people, each as they may see it (MSG-11); so do reads and unlocks.
alter publication ovation_realtime add table private.messages;
alter table private.messages replica identity full; -- as for notifications

-- DATA-32: the messages a creator has received.
create function private.messages_received(p_profile uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from private.messages m where m.recipient_id = p_profile;
$$;
comment on function private.messages_received is 'How many messages the person has been sent (get_creator_stats.total_messages).';

create or replace function public.get_creator_stats(creator_profile_id uuid) returns public.creator_stats
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats public.creator_stats;
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins may see these numbers' using errcode = '42501';
  end if;
  select
    p.total_earnings,
    (select coalesce(sum(t.net_amount), 0) from public.transactions t
     where t.to_user_id = p.id and t.transaction_type <> 'payout'
       and t.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
    p.subscribers_count,
    (select count(*)::int from public.subscriptions s
     where s.creator_id = p.id and s.status not in ('incomplete', 'incomplete_expired') and s.created_at >= now() - interval '7 days'),
    p.likes_received,
    private.messages_received(p.id),
    (select count(*)::int from public.profile_views w where w.profile_id = p.id)
  into v_stats
  from private.profiles p where p.id = creator_profile_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Creator not found';
  end if;
  return v_stats;
end;
$$;
comment on function public.get_creator_stats is 'The dashboard''s numbers for one creator (RPC-02): the creator''s own, or any for admins.';
