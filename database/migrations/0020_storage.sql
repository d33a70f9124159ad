-- Up Migration
-- Buckets and objects in storage-api's own names (API-STO). The bytes lie on disk or in S3; a row here says that they exist and whose they are.
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
comment on table storage.buckets is 'Named places for files, with the limits that hold in them.';
comment on column storage.buckets.public is 'Public means: downloadable by its address without a token. Listing and writing still follow the policies of storage.objects.';
comment on column storage.buckets.file_size_limit is 'Bytes; null means the gateway''s own limit.';
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
comment on column storage.objects.owner is 'Kept for storage-api''s shape; owner_id is the one to use.';
comment on column storage.objects.metadata is 'mimetype, size (bytes), eTag, cacheControl, lastModified: facts the server measured.';
comment on column storage.objects.version is 'Names the stored bytes: an overwrite writes new bytes under a new version.';
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
comment on function storage.extension is 'What follows the last dot of the file name, null when there is none.';
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

-- Buckets have no policy: storage/v1 reads and manages them as service_role.
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

create policy select_own on storage.objects for select to authenticated using ((select auth.uid()::text) = path_tokens[1]);
-- Admins see ID images for review (ADM-11) and media of every post (POST-49, POST-50).
create policy select_admin on storage.objects for select to authenticated using ((select private.is_admin()));
create policy insert_own on storage.objects for insert to authenticated
  with check (bucket_id in ('posts', 'avatars', 'banners', 'verification') and private.is_own_path(name));
create policy update_own on storage.objects for update to authenticated
  using (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name))
  with check (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name));
create policy delete_own on storage.objects for delete to authenticated
  using (bucket_id in ('posts', 'avatars', 'banners') and private.is_own_path(name));
-- ID images are neither replaced nor withdrawn by their owner: the admin decides on what was handed in (D10).
grant select, insert, update, delete on storage.objects to authenticated;
grant select on storage.objects to anon; -- media of free posts; the policy comes with the posts
