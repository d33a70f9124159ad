-- Up Migration

-- The vault: every picture and video that a creator has uploaded for posts and messages, once each, however often it is used (VAULT-01,
-- VAULT-02). A file is an object of bucket vault. Each of its uses is an object of its own that names the same content, so who may read it
-- is decided by its use, as before.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('vault', 'vault', false, 1024 * 1024 * 1024, array['image/*', 'video/*']);

-- Nobody else sees what a creator hasn't published, or has sent to one fan (VAULT-09).
alter policy select_admin on storage.objects using (bucket_id not in ('messages', 'vault') and (select private.is_admin()));

-- immutable, as private.search_words is. Names of files aren't sentences: each part of one is a word.
create function private.vault_words(creator_id uuid, name text, alt_text text, caption text) returns tsvector
language sql immutable set search_path = ''
as $$
  select coalesce(array_to_tsvector(array_agg(creator_id || w.word)), '')
  from unnest(tsvector_to_array(private.search_words(translate(concat_ws(' ', name, alt_text, caption), '._-/\+', '      ')))) w (word);
$$;
comment on function private.vault_words is
  'The words of a file, each with its creator before it, so that a search reads only what its creator has, even with the beginning of a word.';

create table public.vault_files (
  id           uuid primary key references storage.objects on delete cascade,
  creator_id   uuid not null references private.profiles on delete cascade,
  version      text not null,
  kind         text not null check (kind in ('image', 'video')),
  size_bytes   bigint not null,
  name         text constraint vault_files_name_format check (name ~ '\S' and length(name) <= 255),
  alt_text     text constraint vault_files_alt_text_format check (alt_text ~ '\S' and length(alt_text) <= 1000),
  caption      text constraint vault_files_caption_format check (caption ~ '\S' and length(caption) <= 2000),
  post_uses    int not null default 0,
  message_uses int not null default 0,
  created_at   timestamptz not null default now(),
  uses         smallint not null generated always as ((case when post_uses > 0 then 1 else 0 end + case when message_uses > 0 then 2 else 0 end)::smallint) stored,
  words        tsvector not null generated always as (private.vault_words(creator_id, name, alt_text, caption)) stored,
  constraint vault_files_once unique (creator_id, version)
);
comment on table public.vault_files is 'The files in a creator''s vault. Only the creator sees them.';
comment on column public.vault_files.id is 'The id of the file''s row in storage.objects, in bucket vault.';
comment on column public.vault_files.creator_id is 'profiles.id of the creator.';
comment on column public.vault_files.version is 'The content, as in storage.objects: the objects with this version are the file''s uses.';
comment on column public.vault_files.name is 'The name that the file had on the creator''s device; null for files from before the vault. Nobody else sees it.';
comment on column public.vault_files.post_uses is 'In how many posts the file is. Maintained from vault_uses, as message_uses is.';
comment on column public.vault_files.uses is 'Where the file is used: 1 in posts, 2 in messages, 3 in both, 0 nowhere.';

-- A filter by kind and use is one range of each index, or up to eight whose first rows are merged (VAULT-08).
create index vault_files_created_at_idx on public.vault_files (creator_id, kind, uses, created_at, id);
create index vault_files_size_idx on public.vault_files (creator_id, kind, uses, size_bytes, id);
create index vault_files_words_idx on public.vault_files using gin (words) with (gin_pending_list_limit = 64);
alter table public.vault_files enable row level security;
create policy select_own on public.vault_files for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.vault_files to authenticated;
-- insert, update, and delete are not granted: uploads write the rows.

create table private.vault_uses (
  object_id  uuid primary key references storage.objects on delete cascade,
  file_id    uuid not null references public.vault_files on delete cascade,
  post_id    uuid references private.posts on delete cascade,
  message_id uuid references private.messages on delete cascade,
  constraint vault_uses_one_place check (num_nonnulls(post_id, message_id) = 1)
);
comment on table private.vault_uses is 'Which posts and messages have a file of the vault. A row is deleted with its object, or with its post or message.';
alter table private.vault_uses enable row level security; -- and no policy: functions read it for the creator
create index vault_uses_file_id_idx on private.vault_uses (file_id);
create index vault_uses_post_id_idx on private.vault_uses (post_id) where post_id is not null; -- the cascade from posts
create index vault_uses_message_id_idx on private.vault_uses (message_id) where message_id is not null; -- the cascade from messages

create function private.count_vault_uses() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_use private.vault_uses := case tg_op when 'INSERT' then new else old end;
  v_change int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update public.vault_files f set
    post_uses = f.post_uses + case when v_use.post_id is not null then v_change else 0 end,
    message_uses = f.message_uses + case when v_use.message_id is not null then v_change else 0 end
  where f.id = v_use.file_id;
  return null;
end;
$$;
comment on function private.count_vault_uses is 'Trigger of vault_uses: maintains the counts in vault_files.';
create trigger vault_uses_count after insert or delete on private.vault_uses for each row execute function private.count_vault_uses();

create function private.note_vault_use() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'post_media' then
    insert into private.vault_uses (object_id, file_id, post_id)
    select o.id, f.id, p.id
    from private.posts p
    join storage.objects o on o.bucket_id = 'posts' and o.name = new.path
    join public.vault_files f on f.creator_id = p.creator_id and f.version = o.version
    where p.id = new.post_id on conflict (object_id) do nothing;
  else
    insert into private.vault_uses (object_id, file_id, message_id)
    select o.id, f.id, m.id
    from private.messages m
    join storage.objects o on o.bucket_id = 'messages' and o.name = new.path
    join public.vault_files f on f.creator_id = m.sender_id and f.version = o.version
    where m.id = new.message_id on conflict (object_id) do nothing;
  end if;
  return null;
end;
$$;
comment on function private.note_vault_use is 'Trigger of post_media and message_media: notes that a file of the vault is used.';
create trigger post_media_note_vault_use after insert on private.post_media for each row execute function private.note_vault_use();
create trigger message_media_note_vault_use after insert on private.message_media for each row execute function private.note_vault_use();

-- Content belongs to the vault if it lies in the folder of an approved creator, no matter who uploaded it, and how.
create function private.keep_in_vault(p_folder text, p_file text, p_version text, p_metadata jsonb, p_name text, p_created_at timestamptz)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := case when p_folder ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_folder::uuid end;
  v_creator uuid := (select p.id from private.profiles p where p.user_id = v_user and private.is_approved_creator(p.id));
  v_id uuid := gen_random_uuid();
begin
  if v_creator is null or exists (select from public.vault_files f where f.creator_id = v_creator and f.version = p_version) then
    return;
  end if;
  insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, version, created_at)
  values (v_id, 'vault', v_user || '/' || v_id || coalesce('.' || storage.extension(p_file), ''), v_user, v_user::text,
    p_metadata, p_version, p_created_at);
  insert into public.vault_files (id, creator_id, version, kind, size_bytes, name, created_at)
  values (v_id, v_creator, p_version, split_part(p_metadata ->> 'mimetype', '/', 1), coalesce((p_metadata ->> 'size')::bigint, 0),
    left(private.trimmed(p_name), 255), p_created_at);
end;
$$;
comment on function private.keep_in_vault is 'Adds content to the vault of the approved creator whose folder this is, unless it is there already.';

-- Before the row is written, because the name of the file on the creator's device is for the vault only: an object's readers can read its
-- user_metadata.
create function private.keep_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.keep_in_vault((storage.foldername(new.name))[1], new.name, new.version, new.metadata, new.user_metadata ->> 'fileName', now());
  new.user_metadata := nullif(new.user_metadata - 'fileName', '{}');
  return new;
end;
$$;
comment on function private.keep_upload is 'Trigger of storage.objects: adds new content of posts and messages to the vault, and takes fileName out of user_metadata.';
create trigger objects_keep_upload before insert or update of version on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages') and new.metadata ->> 'mimetype' ~ '^(image|video)/')
  execute function private.keep_upload();

create function private.fill_vault(p_user uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object storage.objects;
begin
  for v_object in
    select o.* from storage.objects o
    where o.bucket_id in ('posts', 'messages') and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0'
      and o.version is not null and o.metadata ->> 'mimetype' ~ '^(image|video)/'
    order by o.created_at, o.id
  loop
    perform private.keep_in_vault(p_user::text, v_object.name, v_object.version, v_object.metadata, null, v_object.created_at);
  end loop;
  insert into private.vault_uses (object_id, file_id, post_id, message_id)
  select o.id, f.id, pm.post_id, mm.message_id
  from private.profiles p
  join public.vault_files f on f.creator_id = p.id
  join storage.objects o on o.version = f.version and o.bucket_id in ('posts', 'messages')
  left join private.post_media pm on o.bucket_id = 'posts' and pm.path = o.name
  left join private.message_media mm on o.bucket_id = 'messages' and mm.path = o.name
  where p.user_id = p_user and num_nonnulls(pm.post_id, mm.message_id) = 1
  on conflict (object_id) do nothing;
end;
$$;
comment on function private.fill_vault is 'Adds everything that an approved creator has uploaded before to the vault, with its uses.';

create function private.fill_new_vault() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.fill_vault(new.user_id);
  return null;
end;
$$;
comment on function private.fill_new_vault is 'Trigger of profiles: what a user uploaded before being approved as a creator belongs to the vault, too.';
create trigger profiles_fill_vault after update of is_verified on private.profiles
  for each row when (new.is_verified and not old.is_verified) execute function private.fill_new_vault();

-- The renderings of a video are those of its content: a reused video has them at once, and they remain while an object has the content.
-- object_id is kept for servers of the previous version.
alter table private.video_files
  add column source text,
  alter column object_id drop not null,
  drop constraint video_files_object_id_fkey,
  add constraint video_files_object_id_fkey foreign key (object_id) references private.videos on delete set null;
update private.video_files f set source = v.version from private.videos v where v.object_id = f.object_id;
-- source may be null for PostgreSQL, because a server of the previous version can insert while this runs; finish_video always sets it.
comment on column private.video_files.source is 'The version of the video.';
comment on column private.video_files.object_id is 'The object for which the file was made; null when that one is gone, but not its content.';
create index video_files_source_idx on private.video_files (source);
create index videos_version_idx on private.videos (version);
comment on table private.video_files is 'Files made from a video''s content, in the same store as the originals. Anyone who can read the video can read them.';

-- Two objects with the same content can be deleted at the same time: the second one waits, and then finds no other.
create function private.drop_video_files(p_version text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('video ' || p_version, 0));
  delete from private.video_files f where f.source = p_version and not exists (select from private.videos v where v.version = p_version);
end;
$$;
comment on function private.drop_video_files is 'Deletes what was made of a video, unless another object has the same content.';

create function private.forget_video() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.drop_video_files(old.version);
  return null;
end;
$$;
comment on function private.forget_video is 'Trigger of videos: deletes what was made of content that is gone.';
create trigger videos_forget after delete on private.videos for each row execute function private.forget_video();
create trigger videos_forget_overwritten after update of version on private.videos
  for each row when (old.version <> new.version) execute function private.forget_video();

create or replace function private.note_video() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.videos (object_id, version, state, failure)
  select new.id, new.version, coalesce(same.state, 'waiting'), same.failure
  from (select) one
  left join lateral (
    select v.state, v.failure from private.videos v where v.version = new.version and v.object_id <> new.id limit 1
  ) same on true
  on conflict (object_id) do update set version = excluded.version, state = excluded.state, attempts = 0, failure = excluded.failure
  where videos.version <> excluded.version;
  return null;
end;
$$;
comment on function private.note_video is 'Trigger of storage.objects: queues a new or overwritten video for processing, no matter how it was uploaded. One with the content of another shares its state.';
drop trigger objects_note_video on storage.objects;
create trigger objects_note_video after insert or update of version, metadata on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages', 'vault') and new.metadata ->> 'mimetype' like 'video/%')
  execute function private.note_video();

create or replace function private.finish_video(p_object uuid, p_version text, p_facts jsonb, p_files jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  -- The content was overwritten or deleted in the meantime: the files are useless.
  perform from private.videos v where v.version = p_version order by v.object_id for update;
  if not found then
    return false;
  end if;
  delete from private.video_files f
  where f.source = p_version and f.kind in (select made.kind from jsonb_to_recordset(p_files) as made (kind text));
  insert into private.video_files (version, source, object_id, kind, size_bytes, mimetype, stream)
  select f.version, p_version, (select v.object_id from private.videos v where v.object_id = p_object), f.kind, f.size_bytes, f.mimetype, f.stream
  from jsonb_to_recordset(p_files) as f (version text, kind text, size_bytes bigint, mimetype text, stream jsonb);
  if p_facts ? 'stream' then
    update private.videos set state = 'ready', failure = null where version = p_version;
  end if;
  update storage.objects o set metadata = o.metadata || p_facts where o.version = p_version;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from storage.objects o join private.post_media m on m.path = o.name
  where o.version = p_version and o.bucket_id = 'posts' and p.id = m.post_id;
  return true;
end;
$$;
comment on function private.finish_video is 'Stores the poster or the streams of a video, and updates all objects with its content and their posts. False when no object has it anymore.';

-- Content that several objects name takes its space once.
create or replace function private.storage_use(p_owner uuid, out is_creator boolean, out stored_bytes bigint, out open_bytes bigint,
  out open_uploads int, out waiting_videos int)
language sql stable security definer set search_path = ''
as $$
  with open as (
    select coalesce(u.size_bytes, (select sum(p.size_bytes) from private.upload_parts p where p.upload_id = u.id)) as bytes
    from private.uploads u
    where u.owner = p_owner and u.expires_at > now()
      -- A finished upload has no parts any more.
      and (u.version is null or exists (select from private.upload_parts p where p.upload_id = u.id))
      and not exists (select from storage.objects o where o.version = u.version::text)
  ), stored as (
    select distinct on (coalesce(o.version, o.id::text)) (o.metadata ->> 'size')::bigint as bytes
    from storage.objects o where o.owner_id = p_owner::text
  )
  select
    exists (select from private.profiles p where p.user_id = p_owner and p.is_creator and p.is_verified),
    coalesce((select sum(s.bytes) from stored s), 0)::bigint,
    coalesce((select sum(o.bytes) from open o), 0)::bigint,
    (select count(*) from open)::int,
    (select count(distinct v.version) from private.videos v join storage.objects o on o.id = v.object_id
     where o.owner_id = p_owner::text and v.state in ('waiting', 'working'))::int;
$$;

select private.fill_vault(p.user_id) from private.profiles p where private.is_approved_creator(p.id);

create or replace function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0)
  union all
  select f.creator_id, 'vault_files.post_uses + message_uses', f.post_uses + f.message_uses, coalesce(u.posts + u.messages, 0)
  from public.vault_files f
  left join (select file_id, count(post_id) as posts, count(message_id) as messages from private.vault_uses group by 1) u on u.file_id = f.id
  where (f.post_uses, f.message_uses) is distinct from (coalesce(u.posts, 0), coalesce(u.messages, 0));
$$;

create type public.vault_file as (
  id uuid,
  path text,
  kind text,
  mime_type text,
  size_bytes bigint,
  name text,
  alt_text text,
  caption text,
  width integer,
  height integer,
  duration double precision,
  preview text,
  stream boolean,
  post_uses integer,
  message_uses integer,
  created_at timestamptz
);
comment on type public.vault_file is 'A file in the calling creator''s vault (VAULT-01).';
comment on column public.vault_file.id is 'Never null.';
comment on column public.vault_file.path is 'The path in bucket vault. Never null.';
comment on column public.vault_file.kind is 'image or video. Never null.';
comment on column public.vault_file.size_bytes is 'Never null.';
comment on column public.vault_file.duration is 'In seconds; of videos only.';
comment on column public.vault_file.preview is 'A ThumbHash in base64.';
comment on column public.vault_file.post_uses is 'In how many posts the file is. Never null.';
comment on column public.vault_file.message_uses is 'In how many messages the file is. Never null.';
comment on column public.vault_file.created_at is 'Never null.';

-- security definer: reads the rows of storage.objects without their policies, which are evaluated for each file. The caller's own only.
-- Each kind and use is a range of the index, and the page is the first rows of all of them together.
create function public.get_vault_files(
  kind text default null, usage text default null, search text default null, sort text default 'newest',
  after_value text default null, after_id uuid default null, page_size integer default 60
) returns setof public.vault_file
language plpgsql stable security definer rows 60 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_kinds text[] := case when kind is null then array['image', 'video'] else array[kind] end;
  v_uses smallint[] := case usage when 'unused' then '{0}' when 'used' then '{1,2,3}' when 'posts' then '{1,3}' when 'messages' then '{2,3}' else '{0,1,2,3}' end;
  v_column text := case sort when 'largest' then 'size_bytes' else 'created_at' end;
  v_way text := case sort when 'oldest' then 'asc' else 'desc' end;
  v_type text := case sort when 'largest' then 'bigint' else 'timestamptz' end;
  v_after text := '';
  v_from text;
  v_words tsquery := (
    select string_agg(format('''%s''', replace(v_me || w.word, '''', '''''')) || ':*', ' & ')::tsquery
    from unnest(tsvector_to_array(private.search_words(translate(left(search, 100), '._-/\+', '      ')))) w (word));
begin
  if sort is null or sort not in ('newest', 'oldest', 'largest') then
    raise exception 'sort must be newest, oldest, or largest' using errcode = '22023';
  elsif usage not in ('used', 'unused', 'posts', 'messages') then
    raise exception 'usage must be used, unused, posts, or messages' using errcode = '22023';
  elsif kind not in ('image', 'video') then
    raise exception 'kind must be image or video' using errcode = '22023';
  elsif private.trimmed(search) is not null and v_words is null then
    return; -- only punctuation: no file has it
  end if;
  if after_id is not null then
    v_after := format('and (f.%I, f.id) %s ($4::%s, $5)', v_column, case v_way when 'asc' then '>' else '<' end, v_type);
  end if;
  if v_words is not null then
    -- First all files of the creator with the words, and only then the order: otherwise a rare word would read everything in order.
    v_from := format('(
      with found as materialized (select f.id from public.vault_files f where f.words @@ $7)
      select f.id, f.%1$I from found join public.vault_files f on f.id = found.id
      where f.creator_id = $1 and f.kind = any ($2) and f.uses = any ($3) %2$s)', v_column, v_after);
  else
    v_from := format('(
      select f.id, f.%1$I from unnest($2) k (kind) cross join unnest($3) u (uses) cross join lateral (
        select f.id, f.%1$I from public.vault_files f where f.creator_id = $1 and f.kind = k.kind and f.uses = u.uses %2$s
        order by f.%1$I %3$s, f.id %3$s limit $6) f)', v_column, v_after, v_way);
  end if;
  -- The keys are in the index; the rest is read for the files of the page only.
  return query execute format('
    select f.id, o.name, f.kind, o.metadata ->> ''mimetype'', f.size_bytes, f.name, f.alt_text, f.caption,
      (o.metadata ->> ''width'')::int, (o.metadata ->> ''height'')::int, (o.metadata ->> ''duration'')::double precision,
      o.metadata ->> ''preview'', coalesce((o.metadata ->> ''stream'')::boolean, false), f.post_uses, f.message_uses, f.created_at
    from (select p.id from %1$s p order by p.%2$I %3$s, p.id %3$s limit $6) page
    join public.vault_files f on f.id = page.id
    join storage.objects o on o.id = f.id
    order by f.%2$I %3$s, f.id %3$s', v_from, v_column, v_way)
  using v_me, v_kinds, v_uses, after_value, after_id, least(greatest(page_size, 1), 200), v_words;
end;
$$;
comment on function public.get_vault_files is
  'A page of the calling creator''s vault (VAULT-01). kind: image or video. usage: used, unused, posts, or messages. sort: newest, oldest, or largest. after_value and after_id: created_at (or size_bytes, if that is the order) and id of the last file of the page before.';
grant execute on function public.get_vault_files(text, text, text, text, text, uuid, integer) to authenticated;

-- Locks the file against its deletion until the new object is visible.
create function public.use_vault_files(file_ids uuid[], bucket text) returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_paths text[];
begin
  if bucket is null or bucket not in ('posts', 'messages') then
    raise exception 'bucket must be posts or messages' using errcode = '22023';
  elsif file_ids is null or cardinality(file_ids) not between 1 and 20 or array_position(file_ids, null) is not null then
    raise exception 'file_ids must name 1 to 20 files' using errcode = '22023';
  end if;
  perform from storage.objects o where o.id = any (file_ids) order by o.id for key share;
  if exists (
    select from unnest(file_ids) asked (id)
    where not exists (select from public.vault_files f where f.id = asked.id and f.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  end if;
  with named as materialized (
    select asked.position, o.*, o.path_tokens[1] || '/' || gen_random_uuid() || coalesce('.' || storage.extension(o.name), '') as new_name
    from unnest(file_ids) with ordinality asked (id, position) join storage.objects o on o.id = asked.id
  ), made as (
    insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version)
    select use_vault_files.bucket, n.new_name, n.owner, n.owner_id, n.metadata, n.version from named n
  )
  select array_agg(n.new_name order by n.position) into v_paths from named n;
  return v_paths;
end;
$$;
comment on function public.use_vault_files is
  'Makes files of the calling creator''s vault ready for a post or a message (bucket posts or messages), without another copy of their content (VAULT-02). Returns the path of each in the bucket, in order. PT404 for other files.';
grant execute on function public.use_vault_files(uuid[], text) to authenticated;
