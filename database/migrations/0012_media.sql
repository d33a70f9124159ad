-- Up Migration

-- Media of posts: previews, videos, watermarks, and captions.
create function private.previews_of(p_paths text[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
      'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream',
      'captions', (select jsonb_agg(c.language order by c.language) from private.video_captions c where c.object_id = o.id)
    )) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'posts' and o.name = f.path;
$$;
comment on function private.previews_of is 'The value of posts.media_previews for these files.';

-- A post can be inserted while its video is being processed. Without the lock, the post would copy what was known before, and finish_video
-- wouldn't find the post yet, so that it would never get its poster and duration.
create function private.fill_media_previews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- finish_video and set_video_captions lock the video first. The second one sees what the first one did.
  perform from storage.objects o join private.videos v on v.object_id = o.id
  where o.bucket_id = 'posts' and o.name = any (new.media_urls)
  order by v.object_id for share of v;
  new.media_previews := private.previews_of(new.media_urls);
  return new;
end;
$$;
comment on function private.fill_media_previews is 'Trigger of posts: sets media_previews from what is known about the files. Clients can''t set it.';

-- Videos: with FFmpeg installed, a background job makes a poster and streams in several qualities. Without it, rows wait, and the original
-- plays.
create table private.videos (
  object_id  uuid primary key references storage.objects on delete cascade,
  version    text not null,
  state      text not null default 'waiting' check (state in ('waiting', 'working', 'ready', 'failed')),
  attempts   int not null default 0,
  failure    text,
  started_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table private.videos is 'Uploaded videos, and the state of their processing.';
comment on column private.videos.version is 'The version of the content. An overwritten video is processed again.';
comment on column private.videos.failure is 'Why the last attempt failed, for the operator.';
alter table private.videos enable row level security; -- and no policy: the job and storage/v1 read it as the service
create index videos_to_make_idx on private.videos (created_at) where state in ('waiting', 'working');
create table private.video_files (
  version    text primary key,
  object_id  uuid not null references private.videos on delete cascade,
  kind       text not null check (kind in ('poster', 'stream')),
  size_bytes bigint not null,
  mimetype   text not null,
  stream     jsonb,
  constraint video_files_stream_has_facts check ((kind = 'stream') = (stream is not null))
);
comment on table private.video_files is 'Files made from a video, in the same store as the originals. Anyone who can read the video can read them.';
comment on column private.video_files.version is 'Identifies the stored bytes, as in storage.objects.';
comment on column private.video_files.stream is 'Of one quality: {name, bandwidth (bits a second), width, height, codecs, playlist (its HLS media playlist)}.';
alter table private.video_files enable row level security; -- and no policy
create index video_files_object_id_idx on private.video_files (object_id);
create function private.remove_video_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.storage_removals (bucket_id, name, version) values ('', '', old.version);
  return null;
end;
$$;
comment on function private.remove_video_file is 'Trigger of video_files: queues the bytes of a deleted row for removal.';
create trigger video_files_remove after delete on private.video_files for each row execute function private.remove_video_file();
create function private.note_video() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.video_files f using private.videos v
  where v.object_id = new.id and f.object_id = v.object_id and v.version <> new.version;
  insert into private.videos (object_id, version) values (new.id, new.version)
  on conflict (object_id) do update set version = excluded.version, state = 'waiting', attempts = 0, failure = null
  where videos.version <> excluded.version;
  return null;
end;
$$;
comment on function private.note_video is 'Trigger of storage.objects: queues a new or overwritten video for processing, no matter how it was uploaded.';
create trigger objects_note_video after insert or update of version, metadata on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages') and new.metadata ->> 'mimetype' like 'video/%')
  execute function private.note_video();

-- Called twice for each video: with the poster, and with the streams, which take as long as the video (POST-10, POST-16). Each call replaces
-- only the kind of files that it brings, and the video is ready when it has its streams.
create function private.finish_video(p_object uuid, p_version text, p_facts jsonb, p_files jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_path text;
begin
  -- The video was overwritten or deleted in the meantime: the files are useless.
  perform from private.videos v where v.object_id = p_object and v.version = p_version for update;
  if not found then
    return false;
  end if;
  delete from private.video_files f
  where f.object_id = p_object and f.kind in (select made.kind from jsonb_to_recordset(p_files) as made (kind text));
  insert into private.video_files (version, object_id, kind, size_bytes, mimetype, stream)
  select f.version, p_object, f.kind, f.size_bytes, f.mimetype, f.stream
  from jsonb_to_recordset(p_files) as f (version text, kind text, size_bytes bigint, mimetype text, stream jsonb);
  if p_facts ? 'stream' then
    update private.videos set state = 'ready', failure = null where object_id = p_object;
  end if;
  update storage.objects o set metadata = o.metadata || p_facts where o.id = p_object and o.version = p_version returning o.name into v_path;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = v_path and p.id = m.post_id;
  return true;
end;
$$;
comment on function private.finish_video is 'Stores the poster or the streams of a video, and updates its post. False when the video was overwritten or deleted.';
revoke execute on function private.finish_video from public;
grant execute on function private.finish_video(uuid, text, jsonb, jsonb) to service_role;

-- A creator's media settings: whether viewers see their username on their copies of photos.
create table public.media_settings (
  profile_id uuid primary key default private.my_profile_id() references private.profiles on delete cascade,
  watermark  boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.media_settings is 'A creator''s media settings. Without a row, the defaults apply.';
comment on column public.media_settings.profile_id is 'The creator''s profiles.id.';
comment on column public.media_settings.watermark is 'On: viewers see their own username on the photos of this creator''s posts. Only the creator and admins see the originals.';
alter table public.media_settings enable row level security;
create trigger media_settings_touch before update on public.media_settings for each row execute function private.touch_updated_at();
create policy select_own on public.media_settings for select to authenticated using (profile_id = (select private.my_profile_id()));
create policy insert_own on public.media_settings for insert to authenticated with check (profile_id = (select private.my_profile_id()));
create policy update_own on public.media_settings for update to authenticated
  using (profile_id = (select private.my_profile_id())) with check (profile_id = (select private.my_profile_id()));
grant select, insert (profile_id, watermark), update (profile_id, watermark) on public.media_settings to authenticated;

-- profile_id is updatable because an upsert names it; update_own limits it to the caller. delete is not granted: watermark can be set to false.
create function storage.watermark_on(p_path text) returns text
language sql stable security definer set search_path = ''
as $$
  select '@' || coalesce((select v.username from private.profiles v where v.user_id = auth.uid()), c.username)
  from private.post_media m
  join private.posts p on p.id = m.post_id
  join public.media_settings s on s.profile_id = p.creator_id and s.watermark
  join private.profiles c on c.id = p.creator_id
  where m.path = p_path and m.media_type = 'image'
    and c.user_id is distinct from auth.uid() and not private.is_privileged();
$$;
comment on function storage.watermark_on is
  'The watermark for the caller''s copy of this file of a post: their own username, or the creator''s for a visitor. Null: the caller gets the original.';
grant execute on function storage.watermark_on(text) to anon, authenticated;

-- Captions of posts' videos, one text for each language. A link to the video also gives access to its captions (storage/v1);
-- media_previews lists their languages.
create table private.video_captions (
  object_id uuid not null references private.videos on delete cascade,
  language  text not null,
  content   text not null,
  primary key (object_id, language)
);
comment on table private.video_captions is 'Captions of a video as WebVTT, one text for each language.';
comment on column private.video_captions.language is 'A language tag (BCP 47), such as en or pt-BR.';
alter table private.video_captions enable row level security; -- and no policy: a function sets them, and storage/v1 reads them as the service

-- security definer: checks first that the file is in the caller's own folder.
create function public.set_video_captions(video text, language text, content text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object uuid;
  -- Drop a byte order mark, and accept the line ends of any system.
  v_content text := replace(ltrim(content, chr(65279)), E'\r\n', E'\n');
begin
  -- A suspended user has no profile id.
  select v.object_id into v_object
  from storage.objects o join private.videos v on v.object_id = o.id
  where o.bucket_id = 'posts' and o.name = video and private.is_own_path(o.name) and private.my_profile_id() is not null
  for update of v;
  if v_object is null then
    raise sqlstate 'PT404' using message = 'This isn''t one of your videos';
  elsif coalesce(language !~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', true) then
    raise sqlstate 'PT422' using message = 'Captions need a language, such as en';
  end if;
  if content is null then
    delete from private.video_captions c where c.object_id = v_object and c.language = set_video_captions.language;
  else
    if length(v_content) > 500000 then
      raise sqlstate 'PT422' using message = 'Captions can have up to 500 kB';
    elsif v_content !~ '^WEBVTT([ \t\n]|$)' or v_content !~ '\n(\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(\d{2,}:)?\d{2}:\d{2}\.\d{3}' then
      raise sqlstate 'PT422' using message = 'This isn''t a WebVTT file with captions', hint = 'The first line must be WEBVTT, and each caption needs a line such as 00:01.000 --> 00:04.000.';
    end if;
    insert into private.video_captions (object_id, language, content) values (v_object, language, v_content)
    on conflict on constraint video_captions_pkey do update set content = excluded.content;
    if (select count(*) from private.video_captions c where c.object_id = v_object) > 20 then
      raise sqlstate 'PT422' using message = 'A video can have captions in up to 20 languages';
    end if;
  end if;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = video and p.id = m.post_id;
end;
$$;
comment on function public.set_video_captions is
  'Sets the captions of one of the caller''s videos, by its path in bucket posts, in one language. A null content deletes them. The video may belong to a post, or not yet.';
grant execute on function public.set_video_captions(text, text, text) to authenticated;

-- A page of posts requests links to all its files at once. A policy checks one file at a time, and each check evaluates the view of posts
-- again: who is the caller, are they an admin, whom have they blocked. Evaluated once for all, twenty files cost little more than one.

-- security definer, yet it answers for the caller, like private.can_read_post_file: the view reads the request's claims.
create function storage.open_post_files(p_paths text[]) returns table (name text, version text, mark text)
language sql stable security definer set search_path = '' rows 20
as $$
  select o.name, o.version,
    -- Most creators have no watermark, which saves the call for each file.
    case when exists (select from public.media_settings s where s.profile_id = v.creator_id and s.watermark)
      then storage.watermark_on(o.name) end
  from private.post_media m
  join public.posts v on v.id = m.post_id
  join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
  where m.path = any (p_paths) and not v.is_locked and not (select auth.is_suspended());
$$;
comment on function storage.open_post_files is
  'Which of these files in bucket posts belong to a post that the caller can see in full, with the watermark for the caller''s copy. Uses public.posts, like the policy select_post_file (POST-46, POST-47).';
revoke execute on function storage.open_post_files(text[]) from public;
grant execute on function storage.open_post_files(text[]) to anon, authenticated, service_role;
