-- Up Migration

-- Who wrote a message (INBOX-09): its sender, a member of the sender's team, or an automation. Clients can't write these columns, and nobody
-- can turn them off or change them later.
alter table private.messages
  add column author_kind text not null default 'user'
    constraint messages_author_kind_known check (author_kind in ('user', 'team', 'automation')),
  add column author_id uuid,
  add column author_name text constraint messages_author_name_length check (length(author_name) <= 100),
  add column record_salt uuid,
  add constraint messages_user_is_author check (author_kind <> 'user' or (author_id is null and author_name is null));
-- Without rewriting the messages from before: they have no salt, because they have no line in the record.
alter table private.messages alter column record_salt set default gen_random_uuid();
comment on column private.messages.author_kind is 'user: the sender. team: a member of the sender''s team. automation: nobody, at that moment.';
comment on column private.messages.author_id is 'The member''s profiles.id, or the automation. Null for a user. No foreign key: the record outlives both.';
comment on column private.messages.author_name is 'The member''s or the automation''s name when the message was sent. Null for a user, and after the member''s account was deleted.';
comment on column private.messages.record_salt is
  'Secret, so that nobody can guess the text behind the hash in private.message_authors. It ends with the message. Null for messages from before the record.';

create function private.keep_message_author() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The author of a message can''t be changed' using errcode = '42501';
end;
$$;
comment on function private.keep_message_author is 'Trigger of messages. Only the name can be removed, when the account of a team''s member is deleted.';
create trigger messages_keep_author before update of author_kind, author_id, author_name, record_salt on private.messages
  for each row when (
    (new.author_kind, new.author_id, new.record_salt) is distinct from (old.author_kind, old.author_id, old.record_salt)
    or new.author_name <> old.author_name or (old.author_name is null and new.author_name is not null))
  execute function private.keep_message_author();

-- The record of authors: append-only and chained by hashes, as the ledger is. There is one chain for each conversation, so that both users
-- can verify theirs without data of others. It begins with the first message after this migration: a line about an earlier message would
-- prove nothing about the time before.
create table private.message_authors (
  first_id      uuid not null,
  second_id     uuid not null,
  seq           bigint not null check (seq >= 1),
  message_id    uuid not null constraint message_authors_message_id_key unique,
  sender_id     uuid not null check (sender_id in (first_id, second_id)),
  author_kind   text not null check (author_kind in ('user', 'team', 'automation')),
  author_id     uuid,
  name_hash     bytea check (length(name_hash) = 32),
  content_hash  bytea not null check (length(content_hash) = 32),
  file_hashes   bytea[] not null,
  sent_at       timestamptz not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash          bytea not null check (length(hash) = 32),
  primary key (first_id, second_id, seq),
  check (first_id < second_id)
);
comment on table private.message_authors is
  'Who wrote each message, and the hash of what was written. The lines of each conversation form a chain of hashes. A line stays when its message is unsent, and when an account is deleted: it has no text and no name.';
comment on column private.message_authors.first_id is
  'The user of the conversation with the lower profiles.id. No foreign key, as in the ledger: the other user''s chain outlives a deleted profile.';
comment on column private.message_authors.seq is '1, 2, 3, … within the conversation.';
comment on column private.message_authors.message_id is 'The id of a message that was unsent can''t be used again.';
comment on column private.message_authors.author_id is 'profiles.id of the sender or the team''s member, or the automation, if it has an id.';
comment on column private.message_authors.name_hash is 'private.author_name_hash; null without a name.';
comment on column private.message_authors.content_hash is 'private.message_content_hash.';
comment on column private.message_authors.file_hashes is 'private.message_file_hashes, one for each file that was sent. The creator can delete files later (VAULT-06), but not add any.';
comment on column private.message_authors.hash is 'sha256 of private.message_author_text; the first line follows 32 zero bytes.';
alter table private.message_authors enable row level security; -- and no policy
create index message_authors_second_id_idx on private.message_authors (second_id, first_id, seq); -- the export of the second user

-- Both hashes have a salt that is deleted with the message. Without it, short texts and names could be guessed. The functions of the record are
-- PL/pgSQL, because it keeps their plans: every message needs them.
create function private.message_content_hash(message private.messages) returns bytea
language plpgsql stable set search_path = ''
as $$
begin
  return sha256(convert_to(concat_ws('|', message.record_salt, message.price, encode(sha256(convert_to(coalesce(
    (select g.content from public.mass_messages g where g.id = message.mass_message_id), message.body), 'UTF8')), 'hex')), 'UTF8'));
end;
$$;
comment on function private.message_content_hash is 'sha256 of `record_salt|price|sha256 of the text`.';

create function private.message_file_hashes(message private.messages) returns bytea[]
language plpgsql stable set search_path = ''
as $$
declare
  v_path text;
  v_paths text[] := message.media_paths;
  v_hashes bytea[] := '{}';
begin
  if message.mass_message_id is not null and v_paths = '{}' then
    v_paths := (select g.media_paths from public.mass_messages g where g.id = message.mass_message_id);
  end if;
  foreach v_path in array v_paths loop
    v_hashes := v_hashes || sha256(convert_to(message.record_salt || '|' || v_path, 'UTF8'));
  end loop;
  return v_hashes;
end;
$$;
comment on function private.message_file_hashes is
  'For each file, sha256 of `record_salt|path`. A path stands for its file, which can''t be changed once it is sent.';

create function private.author_name_salt(message private.messages) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return encode(sha256(convert_to(message.record_salt::text, 'UTF8')), 'hex');
end;
$$;
comment on function private.author_name_salt is 'The salt of the author''s name. It doesn''t reveal that of the content, which may be locked.';

create function private.author_name_hash(message private.messages) returns bytea
language plpgsql stable set search_path = ''
as $$
begin
  return sha256(convert_to(private.author_name_salt(message) || '|' || message.author_name, 'UTF8'));
end;
$$;
comment on function private.author_name_hash is 'sha256 of `salt|name`; null without a name.';

-- The canonical form of a line. A user with an export, which contains these values line by line, can recompute the chain with any SHA-256 tool.
create function private.message_author_text(line private.message_authors) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return concat_ws('|', 'v1', line.first_id, line.second_id, line.seq, line.message_id, line.sender_id, line.author_kind,
    coalesce(line.author_id::text, ''), coalesce(encode(line.name_hash, 'hex'), ''), encode(line.content_hash, 'hex'),
    (select coalesce(string_agg(encode(f.hash, 'hex'), ',' order by f.place), '') from unnest(line.file_hashes) with ordinality f (hash, place)),
    to_char(line.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), encode(line.previous_hash, 'hex'));
end;
$$;
comment on function private.message_author_text is
  'The text that is hashed for a line: v1|first_id|second_id|seq|message_id|sender_id|author_kind|author_id|name_hash|content_hash|file_hashes with commas|sent_at|previous_hash. Its format never changes; a new format would get a new version.';

-- The database sets seq and the hashes, no matter what the writer sends. Writers of a conversation take turns: private.keep_conversations has
-- locked both of its sides before. enable_seqscan: a plan from when the table was small would read all of it for each of a hundred thousand
-- messages.
create function private.chain_message_author() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off
as $$
begin
  select a.seq + 1, a.hash into new.seq, new.previous_hash
  from private.message_authors a where a.first_id = new.first_id and a.second_id = new.second_id order by a.seq desc limit 1;
  if new.seq is null then
    new.seq := 1;
    new.previous_hash := decode(repeat('00', 32), 'hex');
  end if;
  new.hash := sha256(convert_to(private.message_author_text(new), 'UTF8'));
  return new;
end;
$$;
comment on function private.chain_message_author is 'Trigger of message_authors: sets the number and the hash of a line in its conversation''s chain.';
create trigger message_authors_chain before insert on private.message_authors
  for each row execute function private.chain_message_author();
create trigger message_authors_append_only before update or delete on private.message_authors for each row execute function private.reject_change();
create trigger message_authors_no_truncate before truncate on private.message_authors execute function private.reject_change();
-- Contract: the table is new, so the version before can't miss these permissions.
revoke insert, update, delete on private.message_authors from service_role;

create function private.record_message_authors() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.message_authors
    (first_id, second_id, message_id, sender_id, author_kind, author_id, name_hash, content_hash, file_hashes, sent_at)
  select least(m.sender_id, m.recipient_id), greatest(m.sender_id, m.recipient_id), m.id, m.sender_id, m.author_kind,
    case m.author_kind when 'user' then m.sender_id else m.author_id end,
    private.author_name_hash(m::private.messages), private.message_content_hash(m::private.messages),
    private.message_file_hashes(m::private.messages), m.created_at
  from added m
  order by 1, 2, m.created_at, m.id;
  return null;
end;
$$;
comment on function private.record_message_authors is 'Trigger of messages: adds them to the record of authors, those of a conversation in the order in which they were sent.';
create trigger messages_record_authors after insert on private.messages
  referencing new table as added for each statement execute function private.record_message_authors();

create function private.verify_message_authors() returns table (conversation text, seq bigint, problem text)
language sql stable security definer set search_path = ''
as $$
  with chain as (
    select a as line, a.first_id || ':' || a.second_id as conversation, a.seq, a.hash, a.previous_hash,
      lag(a.hash, 1, decode(repeat('00', 32), 'hex')) over w as expected_previous, row_number() over w as expected_seq
    from private.message_authors a
    window w as (partition by a.first_id, a.second_id order by a.seq)
  )
  select c.conversation, c.seq, 'the line before this one is missing' from chain c where c.seq <> c.expected_seq
  union all
  select c.conversation, c.seq, 'does not follow the line before it' from chain c where c.previous_hash <> c.expected_previous
  union all
  select c.conversation, c.seq, 'was changed after it was written' from chain c
  where c.hash <> sha256(convert_to(private.message_author_text(c.line), 'UTF8'))
  union all
  select a.first_id || ':' || a.second_id, a.seq, 'differs from the message'
  from private.messages m join private.message_authors a on a.message_id = m.id
  where (a.first_id, a.second_id, a.sender_id, a.author_kind, a.author_id, a.content_hash, a.sent_at) is distinct from
      (least(m.sender_id, m.recipient_id), greatest(m.sender_id, m.recipient_id), m.sender_id, m.author_kind,
        case m.author_kind when 'user' then m.sender_id else m.author_id end, private.message_content_hash(m), m.created_at)
    or not private.message_file_hashes(m) <@ a.file_hashes
    or (m.author_name is not null and a.name_hash is distinct from private.author_name_hash(m))
  union all
  select least(m.sender_id, m.recipient_id) || ':' || greatest(m.sender_id, m.recipient_id), null, 'has a message that is not in the record'
  from private.messages m
  where m.record_salt is not null and not exists (select from private.message_authors a where a.message_id = m.id);
$$;
comment on function private.verify_message_authors is
  'Broken links, changed lines, and messages that differ from the record of authors or are missing there. No rows when all is well.';

-- As in 0081_mass_messages.sql, with the author at the end. An automation's name is the creator's own word for it: recipients don't see it.
create or replace view public.messages with (security_barrier) as
select m.id, m.sender_id, m.recipient_id,
  case when access.can_read then coalesce(g.content, m.body) end as content,
  m.is_paid, m.price, m.is_read,
  not access.can_read as is_locked,
  m.created_at,
  case when access.can_read then files.paths else '{}' end as media_urls,
  files.types as media_types,
  case when cardinality(files.paths) = 0 then '[]' else private.message_previews(files.paths, not access.can_read, files.preview_index) end
    as media_previews,
  m.is_unlocked, m.sender_reaction, m.recipient_reaction, m.quoted_id,
  private.message_quote(m.quoted_id) as quote,
  files.preview_index,
  files.paths[files.preview_index + 1] as preview_url,
  m.author_kind,
  case when m.author_kind = 'team' or m.sender_id = (select private.my_profile_id()) or (select private.is_service()) then m.author_name end as author_name
from private.messages m
left join public.mass_messages g on g.id = m.mass_message_id
cross join lateral (
  select case when own.are then m.media_paths else g.media_paths end as paths,
    case when own.are then m.media_types else g.media_types end as types,
    case when own.are then m.preview_index else g.media_preview end as preview_index
  from (select g.id is null or cardinality(m.media_paths) > 0 as are) own
) files
cross join lateral (
  select not m.is_paid
    or coalesce(m.sender_id = (select private.my_profile_id()), false)
    or (select private.is_service())
    or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = (select private.my_profile_id())) as can_read
  offset 0
) access
where (select private.my_profile_id()) = m.sender_id or (select private.my_profile_id()) = m.recipient_id or (select private.is_service());
comment on column public.messages.author_kind is
  'Who wrote the message: user, the sender; team, a member of the sender''s team; automation, nobody at that moment. Set by the database, and final. Never null.';
comment on column public.messages.author_name is
  'The name of the team''s member. For the sender, also that of the automation, if it has one. Null for a user, and after the member''s account was deleted.';
update private.followed_views set plain_columns = plain_columns || 'author_kind'::text where view_name = 'messages';

-- The record in the data export, which both users get: the chains of their conversations.
create function auth.open_message_authors() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_rows refcursor := 'own_message_authors';
begin
  perform private.reject_app();
  open v_rows no scroll for
    select (jsonb_build_object(
      'chain', a.first_id || ':' || a.second_id, 'seq', a.seq, 'message_id', a.message_id, 'sender_id', a.sender_id,
      'author_kind', a.author_kind, 'author_id', a.author_id, 'name_hash', encode(a.name_hash, 'hex'),
      'content_hash', encode(a.content_hash, 'hex'), 'file_hashes', (
        select coalesce(jsonb_agg(encode(f.hash, 'hex') order by f.place), '[]') from unnest(a.file_hashes) with ordinality f (hash, place)),
      'sent_at', to_char(a.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'previous_hash', encode(a.previous_hash, 'hex'), 'hash', encode(a.hash, 'hex')
    ) || case when v.author_name is not null then
      jsonb_build_object('author_name', v.author_name, 'author_name_salt', private.author_name_salt(m)) else '{}' end
    || case when not v.is_locked then
      jsonb_build_object('content', v.content, 'files', v.media_urls, 'price', v.price, 'content_salt', m.record_salt) else '{}' end
    )::text as item
    from (
      (select o.* from private.message_authors o where o.first_id = v_me order by o.first_id, o.second_id, o.seq)
      union all
      (select o.* from private.message_authors o where o.second_id = v_me order by o.second_id, o.first_id, o.seq)
    ) a
    left join private.messages m on m.id = a.message_id
    left join lateral (select s.* from public.messages s where s.id = m.id offset 0) v on true;
  return (
    select jsonb_build_object('record', 'message authors', 'version', 1, 'profile_id', v_me, 'exported_at', now(), 'lines', count(*),
      'conversations', count(distinct (a.first_id, a.second_id)))
    from private.message_authors a where v_me in (a.first_id, a.second_id)
  );
end;
$$;
comment on function auth.open_message_authors is
  'Opens the cursor own_message_authors with the record of authors of the caller''s conversations (INBOX-09), as JSON, chain after chain, with the text and the salts of those messages that the caller may read. Returns the head of the file. For the data export; connected apps don''t get it.';
grant execute on function auth.open_message_authors() to authenticated;
