-- Up Migration
-- How much room an account's files take up, and how many of its uploads and videos are under way. Asked before an upload is taken.
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
comment on function private.storage_use(uuid) is 'What the files of an account take up, and what is under way: announced or arrived bytes of open uploads, their number, and videos that wait for their streams.';
revoke execute on function private.storage_use(uuid) from public;
grant execute on function private.storage_use(uuid) to service_role;
