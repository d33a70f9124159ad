-- Up Migration

-- Buckets and objects, with storage-api's names (API-STO). The bytes are on disk or in S3; a row here says that they exist and who owns them.
-- Contract: supabase/storage `migrations/tenant/`.
create table storage.buckets (
  id                 text primary key,
  name               text not null constraint bname unique,
  owner              uuid,
  owner_id           text,
  public             boolean not null default false,
  avif_autodetection boolean not null default false,
  file_size_limit    bigint check (file_size_limit > 0),
  allowed_mime_types text[],
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
comment on table storage.buckets is 'Buckets for files, with their limits.';
comment on column storage.buckets.public is 'Files of a public bucket can be downloaded without a token. Listing and writing still follow the policies of storage.objects.';
comment on column storage.buckets.file_size_limit is 'In bytes; null means the gateway''s own limit.';
alter table storage.buckets enable row level security;
create trigger buckets_touch before update on storage.buckets for each row execute function private.touch_updated_at();
create table storage.objects (
  id               uuid primary key default gen_random_uuid(),
  bucket_id        text not null references storage.buckets on update cascade,
  name             text not null check (length(name) between 1 and 1024),
  owner            uuid,
  owner_id         text,
  metadata         jsonb,
  user_metadata    jsonb,
  version          text,
  path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  last_accessed_at timestamptz default now()
);
comment on table storage.objects is 'One row for each stored file.';
comment on column storage.objects.name is 'The path inside the bucket. Its first folder is the owner''s auth user id (API-STO-01).';
comment on column storage.objects.owner is 'Kept for compatibility with storage-api; use owner_id.';
comment on column storage.objects.metadata is
  'mimetype, size (bytes), eTag, cacheControl, lastModified; of pictures and videos also width, height (pixels, as shown), preview (a ThumbHash in base64), and duration (seconds), measured by the server.';
comment on column storage.objects.version is 'Identifies the stored bytes. An overwrite stores new bytes under a new version.';
alter table storage.objects enable row level security;
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index objects_bucket_id_name_c_idx on storage.objects (bucket_id, name collate "C"); -- listing below a prefix (API-STO-14)
create trigger objects_touch before update of bucket_id, name, metadata, user_metadata, version on storage.objects
  for each row execute function private.touch_updated_at();
create function storage.foldername(name text) returns text[]
language sql immutable
as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1];
$$;
comment on function storage.foldername is 'The folders of a path, outermost first.';
create function storage.filename(name text) returns text
language sql immutable
as $$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];
$$;
comment on function storage.filename is 'The last part of a path.';
create function storage.extension(name text) returns text
language sql immutable
as $$
  select nullif(substring(storage.filename(name) from '\.([^.]*)$'), '');
$$;
comment on function storage.extension is 'What follows the last dot of the file name; null when there is none.';
grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text) to anon, authenticated;
create function private.is_own_path(name text) returns boolean
language sql stable
as $$
  select (storage.foldername(name))[1] = auth.uid()::text;
$$;
comment on function private.is_own_path is 'True when the path lies in the caller''s own folder.';
grant execute on function private.is_own_path(text) to anon, authenticated;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('posts', 'posts', false, 1024 * 1024 * 1024, array['image/*', 'video/*']), -- POST-24, POST-25
  -- Public files are served from the product's own origin: no SVG, which may carry script.
  ('avatars', 'avatars', true, 10 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']),
  ('banners', 'banners', true, 10 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']),
  ('verification', 'verification', false, 10 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
create policy select_own on storage.objects for select to authenticated using ((select auth.uid()::text) = path_tokens[1]);

-- Admins see ID images for review (ADM-11) and the media of every post (POST-49, POST-50), but not the files of messages.
create policy select_admin on storage.objects for select to authenticated using (bucket_id <> 'messages' and (select private.is_admin()));
-- Connected apps act for their user, but don't see identity documents.
create policy not_for_apps on storage.objects as restrictive for all to authenticated
  using (bucket_id <> 'verification' or not (select auth.jwt() ? 'client_id'));
create policy insert_own on storage.objects for insert to authenticated
  with check (bucket_id in ('posts', 'avatars', 'banners', 'verification') and private.is_own_path(name));
create policy update_own on storage.objects for update to authenticated
  using (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name))
  with check (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name));
create policy delete_own on storage.objects for delete to authenticated
  using (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name));

-- Owners can't replace or delete ID images: the admin decides on what was submitted (D10).
grant select, insert, update, delete on storage.objects to authenticated;
grant select on storage.objects to anon; -- media of free posts; the policy comes with the posts

-- Uploads that arrive in parts: resumable ones (TUS) and S3's multipart uploads. content_encoding is stored when the upload begins, because
-- S3 clients may send compressed parts.
create table private.uploads (
  id            uuid primary key default gen_random_uuid(),
  protocol      text not null check (protocol in ('tus', 's3')),
  bucket_id     text not null references storage.buckets on update cascade on delete cascade,
  name          text not null check (length(name) between 1 and 1024),
  role          text not null check (role in ('anon', 'authenticated', 'service_role')),
  owner         uuid references auth.users on delete cascade,
  upsert        boolean not null,
  version       uuid,
  size_bytes    bigint check (size_bytes >= 0),
  content_type  text not null check (length(content_type) <= 255),
  cache_control text not null check (length(cache_control) <= 255),
  user_metadata jsonb,
  tus_metadata  text,
  tus_concat    text,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null,
  content_encoding text,
  constraint uploads_content_encoding_check check (length(content_encoding) <= 255)
);
comment on table private.uploads is 'Uploads in progress. A finished upload keeps its row until it expires, so that a client that missed the last response learns that it is complete.';
comment on column private.uploads.role is 'With owner: the only caller who may continue the upload.';
comment on column private.uploads.version is 'The version under which the last attempt to finish stores the content. An object with this version means that the upload is finished.';
comment on column private.uploads.size_bytes is 'The size that the client announced; null until it knows, and always null for S3.';
comment on column private.uploads.tus_metadata is 'Upload-Metadata as the client sent it, returned on request.';
comment on column private.uploads.tus_concat is 'Upload-Concat as the client sent it: a partial upload, or the final upload of several.';
alter table private.uploads enable row level security;
create index uploads_bucket_id_idx on private.uploads (bucket_id, name collate "C"); -- ListMultipartUploads, and the cascade from buckets
create index uploads_owner_idx on private.uploads (owner); -- the cascade from auth.users
create index uploads_expires_at_idx on private.uploads (expires_at); -- the sweep

-- No policy: storage/v1 writes it, after checking the policies of storage.objects as the caller.
create table private.upload_parts (
  upload_id  uuid not null references private.uploads on delete cascade,
  number     int not null check (number between 1 and 100000),
  file       uuid not null,
  start      bigint not null check (start >= 0),
  size_bytes bigint not null check (size_bytes >= 0),
  md5        text not null,
  created_at timestamptz not null default now(),
  primary key (upload_id, number)
);
comment on table private.upload_parts is 'The parts of an upload that are stored, in order.';
comment on column private.upload_parts.file is 'Identifies the stored bytes. One file may contain several consecutive parts of an upload.';
alter table private.upload_parts enable row level security;
create index upload_parts_file_idx on private.upload_parts (file); -- the sweep looks up which files are known

-- No policy, as for private.uploads.
create table private.s3_keys (
  access_key_id text primary key,
  sealed_secret text not null,
  description   text not null check (length(description) <= 200),
  created_at    timestamptz not null default now()
);
comment on table private.s3_keys is 'Keys for the S3 protocol that the operator created. They have the permissions of service_role.';
comment on column private.s3_keys.sealed_secret is 'Encrypted by the gateway. A hash wouldn''t do, because checking a signature needs the secret.';
alter table private.s3_keys enable row level security;

-- No policy: only storage/v1 reads it.
create index objects_version_idx on storage.objects (version); -- the sweep, and whether an upload is finished

-- Security invoker: row-level security leaves out what the caller can't read, and folders without readable files. One index probe for each
-- entry, so that a folder of a million files costs as much as a folder of ten. Paths contain neither control characters nor anything
-- beyond ASCII: appending chr(1) gives the next text in byte order, and chr(1114111) comes after everything with the same prefix.
create function storage.list_by_name(p_bucket text, p_prefix text, p_delimited boolean, p_after text, p_descending boolean, p_limit int)
returns table (
  name text, id uuid, created_at timestamptz, updated_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable rows 100 set search_path = ''
as $$
#variable_conflict use_column
declare
  v_from text collate "C" := p_prefix;
  v_to text collate "C" := p_prefix || chr(1114111);
  v_object record;
  v_slash int;
begin
  if p_after is not null and p_descending then
    v_to := least(p_after collate "C", v_to);
  elsif p_after is not null then
    v_from := greatest(case when p_delimited and right(p_after, 1) = '/' then left(p_after, -1) || '0' else p_after || chr(1) end collate "C", v_from);
  end if;
  for v_count in 1 .. p_limit loop
    if p_descending then
      select o.name, o.id, o.created_at, o.updated_at, o.last_accessed_at, o.metadata into v_object from storage.objects o
      where o.bucket_id = p_bucket and o.name collate "C" >= v_from and o.name collate "C" < v_to
      order by o.name collate "C" desc limit 1;
    else
      select o.name, o.id, o.created_at, o.updated_at, o.last_accessed_at, o.metadata into v_object from storage.objects o
      where o.bucket_id = p_bucket and o.name collate "C" >= v_from and o.name collate "C" < v_to
      order by o.name collate "C" limit 1;
    end if;
    exit when not found;
    v_slash := case when p_delimited then strpos(substr(v_object.name, length(p_prefix) + 1), '/') else 0 end;
    if v_slash > 0 then
      name := left(v_object.name, length(p_prefix) + v_slash);
      id := null; created_at := null; updated_at := null; last_accessed_at := null; metadata := null;
      v_from := case when p_descending then v_from else left(name, -1) || '0' end; -- '0' comes after '/': after everything in the folder
    else
      name := v_object.name;
      id := v_object.id; created_at := v_object.created_at; updated_at := v_object.updated_at;
      last_accessed_at := v_object.last_accessed_at; metadata := v_object.metadata;
      v_from := case when p_descending then v_from else name || chr(1) end;
    end if;
    v_to := case when p_descending then name else v_to end;
    return next;
  end loop;
end;
$$;
comment on function storage.list_by_name is
  'The readable objects of a bucket below a prefix, by name in byte order, after p_after. Delimited: one level, where a folder has a name that ends with a slash and no id.';
grant execute on function storage.list_by_name(text, text, boolean, text, boolean, int) to anon, authenticated;
create function storage.list_by_time(
  p_bucket text, p_prefix text, p_delimited boolean, p_column text, p_after timestamptz, p_after_name text, p_descending boolean, p_limit int
)
returns table (
  name text, id uuid, created_at timestamptz, updated_at timestamptz, last_accessed_at timestamptz, metadata jsonb, sorted_by timestamptz
)
language sql stable rows 100 set search_path = ''
as $$
  with visible as (
    select o.*, case p_column when 'updated_at' then o.updated_at else o.created_at end as moment,
      case when p_delimited then strpos(substr(o.name, length(p_prefix) + 1), '/') else 0 end as slash
    from storage.objects o
    where o.bucket_id = p_bucket and o.name collate "C" >= p_prefix and o.name collate "C" < p_prefix || chr(1114111)
  ), entries as (
    select v.name, v.id, v.created_at, v.updated_at, v.last_accessed_at, v.metadata, v.moment from visible v where v.slash = 0
    union all
    select left(v.name, length(p_prefix) + v.slash), null, null, null, null, null,
      case when p_descending then max(v.moment) else min(v.moment) end
    from visible v where v.slash > 0 group by 1
  )
  select e.name, e.id, e.created_at, e.updated_at, e.last_accessed_at, e.metadata, e.moment from entries e
  where p_after is null
    or (p_descending and (e.moment, e.name collate "C") < (p_after, p_after_name))
    or (not p_descending and (e.moment, e.name collate "C") > (p_after, p_after_name))
  order by case when p_descending then e.moment end desc, case when p_descending then e.name end collate "C" desc,
    e.moment, e.name collate "C"
  limit p_limit;
$$;
comment on function storage.list_by_time is
  'Like list_by_name, but ordered by created_at or updated_at, then name. A folder has the time of its first entry. Reads everything below the prefix.';
grant execute on function storage.list_by_time(text, text, boolean, text, timestamptz, text, boolean, int) to anon, authenticated;

-- Servers cache rows of storage for downloads (server/storage/row-cache.ts), and this tells them which rows changed. A new row isn't
-- announced, because no server has cached it.
create function storage.tell_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'TRUNCATE' then
    perform pg_notify('ovation_storage', '');
  elsif tg_table_name = 'buckets' then
    perform pg_notify('ovation_storage', old.id);
  else
    perform pg_notify('ovation_storage', old.bucket_id || '/' || old.name);
  end if;
  return null;
end;
$$;
comment on function storage.tell_change is 'Notifies ovation_storage of a changed or deleted row: `bucket/name` of an object, the id of a bucket, or an empty text for all rows.';
create trigger buckets_tell_change after update or delete on storage.buckets
  for each row execute function storage.tell_change();
create trigger buckets_tell_truncate after truncate on storage.buckets
  for each statement execute function storage.tell_change();
create trigger objects_tell_change after update or delete on storage.objects
  for each row execute function storage.tell_change();
create trigger objects_tell_truncate after truncate on storage.objects
  for each statement execute function storage.tell_change();

-- A file that has been filed (an ID image of an application, the file of a sent message) can't be changed by anyone. Policies limit only
-- users, while links, keys, and jobs have more permissions.
create function private.is_filed(p_bucket text, p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case p_bucket
    when 'messages' then private.is_sent_file(p_path)
    when 'verification' then exists (
      select from public.creator_applications a
      where a.user_id::text = (storage.foldername(p_path))[1] and p_path in (a.id_front_url, a.id_back_url))
    else false
  end;
$$;
comment on function private.is_filed(text, text) is 'True when the file is part of an application, under review or decided, or of a sent message: from then on it is final.';
revoke execute on function private.is_filed(text, text) from public;

-- An update waits for the row's lock before this runs, and then checks with a new snapshot; hold_filed_files below closes the race.
create function private.reject_filed_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_filed(old.bucket_id, old.name) then
    raise exception 'This file has been filed and can''t be changed or removed.' using errcode = '42501', constraint = 'objects_filed_are_final';
  end if;
  return new;
end;
$$;
comment on function private.reject_filed_change() is 'Trigger of storage.objects: rejects new content or a new name for a filed file.';
revoke execute on function private.reject_filed_change() from public;
create trigger objects_reject_filed_change before update of bucket_id, name, version on storage.objects
  for each row when (old.bucket_id in ('messages', 'verification')
    and (old.bucket_id, old.name, old.version) is distinct from (new.bucket_id, new.name, new.version))
  execute function private.reject_filed_change();

-- Filed files are deleted only with their owner's account (private.delete_account) or with their message. The check runs at the end of the
-- transaction, when the account is deleted as well, or no message has the file anymore.
create function private.reject_filed_removal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_filed(old.bucket_id, old.name)
    and exists (select from auth.users u where u.id::text = (storage.foldername(old.name))[1]) then
    raise exception 'This file has been filed and can''t be changed or removed.' using errcode = '42501', constraint = 'objects_filed_are_final';
  end if;
  return null;
end;
$$;
comment on function private.reject_filed_removal() is 'Constraint trigger of storage.objects: rejects deleting a filed file, except with its message or with its owner''s account.';
revoke execute on function private.reject_filed_removal() from public;
create constraint trigger objects_reject_filed_removal after delete on storage.objects
  deferrable initially deferred for each row when (old.bucket_id in ('messages', 'verification'))
  execute function private.reject_filed_removal();

-- Filing locks the file's row: an overwrite in progress finishes first, and a later one finds the file filed.
create function private.hold_filed_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'creator_applications' then
    perform from storage.objects o
    where o.bucket_id = 'verification' and o.name in (new.id_front_url, new.id_back_url) order by o.id for share;
  else
    perform from storage.objects o where o.bucket_id = 'messages' and o.name = new.path for share;
  end if;
  return new;
end;
$$;
comment on function private.hold_filed_files() is 'Trigger of creator_applications and message_media: locks the files, so that they can''t be overwritten while they are being filed.';
revoke execute on function private.hold_filed_files() from public;

-- Upload links work once. The database remembers a used one until it expires, so that all nodes agree.
create table private.used_upload_links (
  id         uuid primary key,
  expires_at timestamptz not null
);
comment on table private.used_upload_links is 'Upload links that were used. A row is deleted when its link has expired.';
comment on column private.used_upload_links.id is 'The link token''s jti.';
alter table private.used_upload_links enable row level security;
create index used_upload_links_expires_at_idx on private.used_upload_links (expires_at);
grant select, insert, update, delete on private.used_upload_links to service_role;

-- A link expires with the session that created it: signing out everywhere, or revoking an app's access, ends its links, too.
-- security definer: clients can't read accounts, sessions, or the used links.
create function storage.use_upload_link(p_link uuid, p_owner uuid, p_session uuid, p_expires_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_owner is not null then
    perform from auth.users u
    where u.id = p_owner and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    for key share;
    if not found then
      raise exception 'The account this upload link belongs to can''t upload.' using errcode = '42501', constraint = 'upload_links_owner_may_upload';
    end if;
  end if;
  if p_session is not null then
    perform from auth.sessions s where s.id = p_session and (s.not_after is null or s.not_after > now()) for key share;
    if not found then
      raise exception 'The session that made this upload link has ended.' using errcode = '42501', constraint = 'upload_links_session_stands';
    end if;
  end if;
  insert into private.used_upload_links (id, expires_at) values (p_link, p_expires_at);
end;
$$;
comment on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) is 'Uses an upload link, in the transaction that writes its object. Raises a unique violation of used_upload_links when the link was used before, and 42501 when its owner is banned or deleted, or the session that created it has ended (null: it was created without one).';
revoke execute on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) from public;
grant execute on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) to anon, authenticated, service_role;

-- How much space an account uses, and how many of its uploads and videos are in progress. Checked before an upload is accepted.
create index objects_owner_id_idx on storage.objects (owner_id) where owner_id is not null;
create function private.storage_use(p_owner uuid, out is_creator boolean, out stored_bytes bigint, out open_bytes bigint,
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
  )
  select
    exists (select from private.profiles p where p.user_id = p_owner and p.is_creator and p.is_verified),
    coalesce((select sum((o.metadata ->> 'size')::bigint) from storage.objects o where o.owner_id = p_owner::text), 0)::bigint,
    coalesce((select sum(o.bytes) from open o), 0)::bigint,
    (select count(*) from open)::int,
    (select count(*) from private.videos v join storage.objects o on o.id = v.object_id
     where o.owner_id = p_owner::text and v.state in ('waiting', 'working'))::int;
$$;
comment on function private.storage_use(uuid) is 'The space that an account''s files use, and what is in progress: the announced or received bytes of open uploads, their number, and videos that wait for their streams.';
revoke execute on function private.storage_use(uuid) from public;
grant execute on function private.storage_use(uuid) to service_role;
