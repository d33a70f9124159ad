-- Up Migration
-- A file that has been filed (an ID image of an application, the file of a sent message) stays as it is, no matter who writes: policies
-- bind people only, while links, keys, and jobs write with more rights than theirs.
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

-- An update waits for the row's lock before this runs, and then asks with a snapshot of its own: hold_filed_files below closes the race.
create function private.refuse_filed_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_filed(old.bucket_id, old.name) then
    raise exception 'This file has been filed and can''t be changed or removed.' using errcode = '42501', constraint = 'objects_filed_are_final';
  end if;
  return new;
end;
$$;
comment on function private.refuse_filed_change() is 'Trigger of storage.objects: no other content and no other name for what has been filed.';
revoke execute on function private.refuse_filed_change() from public;
create trigger objects_refuse_filed_change before update of bucket_id, name, version on storage.objects
  for each row when (old.bucket_id in ('messages', 'verification')
    and (old.bucket_id, old.name, old.version) is distinct from (new.bucket_id, new.name, new.version))
  execute function private.refuse_filed_change();

-- The one product path that removes filed files is private.delete_account: they go with their owner. Asked at the end of the transaction,
-- when the account is gone as well. A message that is deleted takes its file with it: by then, no message holds the file.
create function private.refuse_filed_removal() returns trigger
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
comment on function private.refuse_filed_removal() is 'Constraint trigger of storage.objects: what has been filed goes with its message or with its owner''s account, and in no other way.';
revoke execute on function private.refuse_filed_removal() from public;
create constraint trigger objects_refuse_filed_removal after delete on storage.objects
  deferrable initially deferred for each row when (old.bucket_id in ('messages', 'verification'))
  execute function private.refuse_filed_removal();

-- Filing locks the file's row: an overwrite under way ends before, and one that comes after finds the file filed.
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
comment on function private.hold_filed_files() is 'Trigger of creator_applications and message_media: what is being filed is not overwritten at the same moment.';
revoke execute on function private.hold_filed_files() from public;
create trigger creator_applications_hold_images before insert on public.creator_applications
  for each row execute function private.hold_filed_files();
create trigger message_media_hold_file before insert on private.message_media
  for each row execute function private.hold_filed_files();

-- Upload links work once. The database remembers a used one until it expires, so that all nodes agree.
create table private.used_upload_links (
  id         uuid primary key,
  expires_at timestamptz not null
);
comment on table private.used_upload_links is 'Upload links that a file has come through. A row leaves once its link has expired.';
comment on column private.used_upload_links.id is 'The link token''s jti.';
create index used_upload_links_expires_at_idx on private.used_upload_links (expires_at);
alter table private.used_upload_links enable row level security;
grant select, insert, update, delete on private.used_upload_links to service_role;

-- security definer: people reach neither auth.users nor the list of used links.
create function storage.use_upload_link(p_link uuid, p_owner uuid, p_expires_at timestamptz) returns void
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
  insert into private.used_upload_links (id, expires_at) values (p_link, p_expires_at);
end;
$$;
comment on function storage.use_upload_link(uuid, uuid, timestamptz) is 'Uses an upload link, in the transaction that writes its object. A unique violation of used_upload_links: it has been used. 42501: its owner is banned or gone.';
revoke execute on function storage.use_upload_link(uuid, uuid, timestamptz) from public;
grant execute on function storage.use_upload_link(uuid, uuid, timestamptz) to anon, authenticated, service_role;
