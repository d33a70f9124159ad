-- Up Migration
-- Photos and videos in messages (MSG-04, MSG-07, MSG-09). Their files lie in a bucket of their own: post media is the business of
-- admins too (POST-50), what two people send each other is not.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('messages', 'messages', false, 1024 * 1024 * 1024, array['image/*', 'video/*']); -- the bounds of post media (POST-24, POST-25)

alter table private.messages
  add column media_paths text[] not null default '{}' constraint messages_media_at_most_ten check (cardinality(media_paths) <= 10),
  add column media_types text[] not null default '{}' constraint messages_media_types_known check (media_types <@ array['image', 'video']),
  add constraint messages_media_pairs check (cardinality(media_paths) = cardinality(media_types)),
  drop constraint messages_content_required,
  add constraint messages_content_required check (body ~ '\S' or cardinality(media_paths) > 0);
comment on column private.messages.media_paths is 'Paths in bucket messages, shown as `media_urls`: masked like the text, and so named apart from what clients see.';
comment on column private.messages.media_types is 'image or video, one for each file. Shown while the message is locked: what waits behind the lock.';

create table private.message_media (
  path       text primary key,
  message_id uuid not null references private.messages on delete cascade
);
comment on table private.message_media is 'The files of messages, one row each. A file belongs to one message, or a free one could open what a paid one locks.';
create index message_media_message_id_idx on private.message_media (message_id);
alter table private.message_media enable row level security; -- and no policy

create or replace view public.messages with (security_barrier = true) as
select
  m.id,
  m.sender_id,
  m.recipient_id,
  case when access.can_read then m.body end as content,
  m.is_paid,
  m.price,
  m.is_read,
  not access.can_read as is_locked,
  m.created_at,
  case when access.can_read then m.media_paths else '{}' end as media_urls,
  m.media_types
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
comment on column public.messages.media_urls is 'Paths in bucket messages; empty when is_locked. Never null.';
comment on column public.messages.media_types is 'image or video, one for each file, also while is_locked. Never null.';
alter view public.messages alter column media_urls set default '{}';
alter view public.messages alter column media_types set default '{}';

create function private.can_read_message_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join public.messages v on v.id = f.message_id
    where f.path = p_path and not v.is_locked
  );
$$;
comment on function private.can_read_message_file is 'True when the file belongs to a message that the caller may read (MSG-09). One truth with public.messages.';

create function private.is_sent_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.message_media f where f.path = p_path);
$$;
comment on function private.is_sent_file is 'True when a message holds the file: from then on it is fixed.';
grant execute on function private.can_read_message_file(text), private.is_sent_file(text) to authenticated;

-- A file of no message yet is its owner's alone (select_own); a file of a message is as open as the message.
create policy select_message_file on storage.objects for select to authenticated
  using (bucket_id = 'messages' and private.can_read_message_file(name));
create policy insert_message_file on storage.objects for insert to authenticated
  with check (bucket_id = 'messages' and private.is_own_path(name));
create policy delete_unsent_file on storage.objects for delete to authenticated
  using (bucket_id = 'messages' and private.is_own_path(name) and not private.is_sent_file(name));
-- There is no policy for update: what was sent stays what it was.
alter policy select_admin on storage.objects using (bucket_id <> 'messages' and (select private.is_admin()));

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
comment on function private.keep_message_media is 'Keeps private.message_media. A message is never changed, so an insert is all there is.';
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
comment on function private.remove_message_file is 'Trigger of message_media: a file goes with its message.';
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
      raise sqlstate 'PT403' using message = 'Files must lie in the sender''s own folder of bucket messages', detail = v_file.path;
    elsif v_file.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this message has not been uploaded', detail = v_file.path;
    elsif v_file.stored_type <> v_file.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_file.path;
    end if;
  end loop;
end;
$$;
comment on function private.require_message_media is 'Refuses files that are not the sender''s, not there, or not what media_types says.';

-- As before (0103), with files.
create or replace function private.insert_message() returns trigger
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
    raise exception 'One writes as oneself only' using errcode = '42501';
  elsif new.sender_id = new.recipient_id then
    raise exception 'You cannot send a message to yourself' using errcode = '23514', constraint = 'messages_not_self';
  elsif coalesce(new.content, '') !~ '\S' and cardinality(new.media_urls) = 0 then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(new.content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif cardinality(new.media_urls) <> cardinality(new.media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'messages_media_pairs';
  elsif cardinality(new.media_urls) > 10 then
    raise exception 'A message holds up to 10 files' using errcode = '23514', constraint = 'messages_media_at_most_ten';
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
  perform private.require_message_media(new.sender_id, new.media_urls, new.media_types);
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, coalesce(new.content, ''), new.is_paid, new.price,
    new.media_urls, new.media_types)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;
grant insert (media_urls, media_types) on public.messages to authenticated;

-- A page of one thread, newest first: two index ranges, one for each direction, and no more rows of either than the page holds.
-- Asked through the view with an or-condition, every message of the thread is read and sorted for each page.
create function public.get_thread(
  other_id uuid,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.messages
language sql stable security definer set search_path = ''
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
comment on function public.get_thread is
  'The caller''s messages with one other person, newest first (MSG-04). The next page: before and before_id take created_at and id of the last row.';
grant execute on function public.get_thread(uuid, int, timestamptz, uuid) to authenticated;

-- The list says what was sent where there are no words.
alter type public.conversation add attribute last_media_types text[];
comment on column public.conversation.last_media_types is 'image or video, one for each file of the last message. Never null.';

-- As before (0161), with the kinds of files.
create or replace function public.get_conversations(
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
    page.last_message_at, page.unread_count, private.accepts_messages(page.other_id, page.profile_id), m.media_types
  from page
  cross join lateral (select p.* from public.profiles p where p.id = page.other_id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = page.last_message_id offset 0) m
  order by page.last_message_at desc, page.other_id desc;
$$;
