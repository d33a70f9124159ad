-- Up Migration
-- Uploads that arrive in pieces: resumable ones (TUS) and S3's multipart uploads. And keys for S3's protocol.

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
  expires_at    timestamptz not null
);
comment on table private.uploads is 'Uploads that have begun. The row of a finished one stays until it expires, so that a client whose last answer was lost learns that all is there.';
comment on column private.uploads.role is 'With owner: who began it, and who alone may go on.';
comment on column private.uploads.version is 'Under which the last attempt to finish it stores the content: an object with this version means that it is finished.';
comment on column private.uploads.size_bytes is 'Announced by the client; null until it knows, and always for S3.';
comment on column private.uploads.tus_metadata is 'Upload-Metadata as the client sent it, to be told again.';
comment on column private.uploads.tus_concat is 'Upload-Concat as the client sent it: a part of something larger, or what parts were put together to.';
create index uploads_bucket_id_idx on private.uploads (bucket_id, name collate "C"); -- ListMultipartUploads, and the cascade from buckets
create index uploads_owner_idx on private.uploads (owner); -- the cascade from auth.users
create index uploads_expires_at_idx on private.uploads (expires_at); -- the sweep
alter table private.uploads enable row level security;
-- No policy: storage/v1 writes it, after it has asked storage.objects as the caller.

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
comment on table private.upload_parts is 'What has arrived of an upload and is safely stored, in order.';
comment on column private.upload_parts.file is 'Names the stored bytes; several parts of one upload may follow one another in one file.';
create index upload_parts_file_idx on private.upload_parts (file); -- the sweep asks which files are known
alter table private.upload_parts enable row level security;
-- No policy, as for private.uploads.

create table private.s3_keys (
  access_key_id text primary key,
  sealed_secret text not null,
  description   text not null check (length(description) <= 200),
  created_at    timestamptz not null default now()
);
comment on table private.s3_keys is 'Keys for S3''s protocol that the operator has made. They have the rights of service_role.';
comment on column private.s3_keys.sealed_secret is 'Encrypted by the gateway: a signature can not be checked against a hash.';
alter table private.s3_keys enable row level security;
-- No policy: only storage/v1 reads it.

create index objects_version_idx on storage.objects (version); -- the sweep, and whether an upload is finished

-- Security invoker: row-level security leaves out what the caller may not read, folders included when nothing in them is readable.
-- One index probe for each entry, so that a folder of a million files costs as much as one of ten. Paths hold no control characters
-- and nothing beyond ASCII: chr(1) makes the next text in the order of bytes, and chr(1114111) lies behind all that begins alike.
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
      v_from := case when p_descending then v_from else left(name, -1) || '0' end; -- '0' follows '/': behind all that lies in the folder
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
  'The readable objects of a bucket below a prefix, by name in the order of bytes, behind p_after. Delimited: one level, where a folder has a name that ends with a slash, and no id.';
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
  'As list_by_name, by created_at or updated_at, then name. A folder has the time of what comes first in it. Reads all that lies below the prefix.';
grant execute on function storage.list_by_time(text, text, boolean, text, timestamptz, text, boolean, int) to anon, authenticated;
