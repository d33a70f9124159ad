-- Up Migration
-- What anybody who sees a post may know of its files, locked or not (POST-10): a blurred preview of some two dozen bytes, the size, so
-- that a card does not jump when the picture comes, and how long a video runs. It is measured when a file is uploaded and lies with
-- storage.objects.metadata until a post takes the file up.
comment on column storage.objects.metadata is
  'mimetype, size (bytes), eTag, cacheControl, lastModified; of pictures and videos also width, height (pixels, as shown), preview (a ThumbHash in base64), duration (seconds): facts the server measured.';

alter table private.posts add column media_previews jsonb not null default '[]';
comment on column private.posts.media_previews is 'An entry for each of media_urls: {preview, width, height, duration, stream}, without what is not known. Kept from storage.objects.';

create function private.previews_of(p_paths text[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
      'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream'
    )) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'posts' and o.name = f.path;
$$;
comment on function private.previews_of is 'What posts.media_previews says of these files.';

create function private.fill_media_previews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.media_previews := private.previews_of(new.media_urls);
  return new;
end;
$$;
comment on function private.fill_media_previews is 'Trigger of posts: takes over what is known of the files. Nobody says it for them.';
create trigger posts_fill_media_previews before insert on private.posts
  for each row when (cardinality(new.media_urls) > 0) execute function private.fill_media_previews();

-- Posts that are there already: files from before have no previews, and get an empty entry each.
update private.posts p set media_previews = private.previews_of(p.media_urls) where cardinality(p.media_urls) > 0;

-- As before (0180), with previews.
create or replace view public.posts as
select
  p.id,
  p.creator_id,
  p.title,
  case when access.can_view then p.content else left(p.content, 100) end as content,
  p.post_type,
  case when access.can_view then p.media_urls else '{}' end as media_urls,
  p.media_types,
  cardinality(p.media_urls) as media_count,
  p.required_tier_id,
  p.ppv_price,
  p.likes_count,
  p.comments_count,
  p.is_pinned,
  not access.can_view as is_locked,
  p.created_at,
  case when access.is_own or p.admin_note_is_public then p.admin_note end as admin_note,
  p.admin_note_is_public,
  p.media_previews
from private.posts p
cross join lateral (
  select
    own.is_own,
    case
      when own.is_own then true -- POST-49
      when p.post_type = 'free' then true -- POST-41
      when p.post_type = 'subscription' then exists ( -- POST-42, POST-43
        select from public.subscriptions s
        join public.subscription_products mine on mine.id = s.tier_id
        join public.subscription_products required on required.id = p.required_tier_id
        where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
          and (
            mine.id = required.id
            or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(required.price_cents, required.interval)
            or not (select c.tiered_access from private.profiles c where c.id = p.creator_id)
          )
      )
      else exists ( -- POST-44
        select from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = p.id
      )
    end as can_view
  from (select (select private.is_privileged()) or p.creator_id = (select private.my_profile_id()) as is_own) own
  offset 0
) access;
comment on column public.posts.media_previews is
  'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS}; a key is missing while it is not known. Never null.';

-- Videos: a poster and streams for every line, made in the background where FFmpeg is on the machine. Where it is not, rows wait, and
-- the original plays.
create table private.videos (
  object_id  uuid primary key references storage.objects on delete cascade,
  version    text not null,
  state      text not null default 'waiting' check (state in ('waiting', 'working', 'ready', 'failed')),
  attempts   int not null default 0,
  failure    text,
  started_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table private.videos is 'Uploaded videos, and how far the making of their streams is.';
comment on column private.videos.version is 'The content it is about; an overwritten video is made anew.';
comment on column private.videos.failure is 'Why the last attempt failed, for the operator.';
create index videos_to_make_idx on private.videos (created_at) where state in ('waiting', 'working');
alter table private.videos enable row level security; -- and no policy: the job and storage/v1 read it as the service

create table private.video_files (
  version    text primary key,
  object_id  uuid not null references private.videos on delete cascade,
  kind       text not null check (kind in ('poster', 'stream')),
  size_bytes bigint not null,
  mimetype   text not null,
  stream     jsonb,
  constraint video_files_stream_has_facts check ((kind = 'stream') = (stream is not null))
);
comment on table private.video_files is 'Content made from a video, in the same store as the originals. Whoever may read the video may read it.';
comment on column private.video_files.version is 'Names the stored bytes, as in storage.objects.';
comment on column private.video_files.stream is 'Of one quality: {name, bandwidth (bits a second), width, height, codecs, playlist (its HLS media playlist)}.';
create index video_files_object_id_idx on private.video_files (object_id);
alter table private.video_files enable row level security; -- and no policy

create function private.remove_video_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.storage_removals (bucket_id, name, version) values ('', '', old.version);
  return null;
end;
$$;
comment on function private.remove_video_file is 'Trigger of video_files: the bytes go after the row.';
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
comment on function private.note_video is 'Trigger of storage.objects: a video waits for its streams from the moment it is there, whichever way it came.';
create trigger objects_note_video after insert or update of version, metadata on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages') and new.metadata ->> 'mimetype' like 'video/%')
  execute function private.note_video();

-- What was uploaded before waits as well.
insert into private.videos (object_id, version)
select o.id, o.version from storage.objects o
where o.bucket_id in ('posts', 'messages') and o.metadata ->> 'mimetype' like 'video/%' and o.version is not null;

create function private.finish_video(p_object uuid, p_version text, p_facts jsonb, p_files jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_path text;
begin
  -- Overwritten or deleted meanwhile: what was made is of no use.
  perform from private.videos v where v.object_id = p_object and v.version = p_version for update;
  if not found then
    return false;
  end if;
  delete from private.video_files f where f.object_id = p_object;
  insert into private.video_files (version, object_id, kind, size_bytes, mimetype, stream)
  select f.version, p_object, f.kind, f.size_bytes, f.mimetype, f.stream
  from jsonb_to_recordset(p_files) as f (version text, kind text, size_bytes bigint, mimetype text, stream jsonb);
  update private.videos set state = 'ready', failure = null where object_id = p_object;
  update storage.objects o set metadata = o.metadata || p_facts where o.id = p_object and o.version = p_version returning o.name into v_path;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = v_path and p.id = m.post_id;
  return true;
end;
$$;
comment on function private.finish_video is 'Takes over what was made from a video, and tells its post. False when the video is another one by now.';
revoke execute on function private.finish_video from public;
grant execute on function private.finish_video(uuid, text, jsonb, jsonb) to service_role;

-- A creator's choices about media: whether viewers' names stand on their copies of photos.
create table public.media_settings (
  profile_id uuid primary key default private.my_profile_id() references private.profiles on delete cascade,
  watermark  boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.media_settings is 'A creator''s choices about media. No row: all at their defaults.';
comment on column public.media_settings.profile_id is 'The creator''s profiles.id.';
comment on column public.media_settings.watermark is 'On: whoever sees a photo of this creator''s posts sees the own username on it; the original is the creator''s and admins'' alone.';
create trigger media_settings_touch before update on public.media_settings for each row execute function private.touch_updated_at();
alter table public.media_settings enable row level security;
create policy select_own on public.media_settings for select to authenticated using (profile_id = (select private.my_profile_id()));
create policy insert_own on public.media_settings for insert to authenticated with check (profile_id = (select private.my_profile_id()));
create policy update_own on public.media_settings for update to authenticated
  using (profile_id = (select private.my_profile_id())) with check (profile_id = (select private.my_profile_id()));
grant select, insert (profile_id, watermark), update (profile_id, watermark) on public.media_settings to authenticated;
-- profile_id is updatable because an upsert names it; update_own holds it to the caller. delete is not granted: off is off.

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
  'What must stand on the caller''s copy of this post file: the own username, a visitor''s copy names the creator. Null: the original is theirs to have.';
grant execute on function storage.watermark_on(text) to anon, authenticated;
