-- Up Migration

-- Files can be uploaded to the vault itself, hundreds at once, and content that is there already isn't sent again (VAULT-03).
alter table public.vault_files add column sha256 text constraint vault_files_sha256_format check (sha256 ~ '^[0-9a-f]{64}$');
comment on column public.vault_files.sha256 is
  'The hash of the file as it was sent, before anything was removed from it. Null for files from before this column, and for copies.';
create index vault_files_sha256_idx on public.vault_files (creator_id, sha256) where sha256 is not null;

create policy insert_vault_file on storage.objects for insert to authenticated
  with check (bucket_id = 'vault' and private.is_own_path(name) and private.is_approved_creator((select private.my_profile_id())));

create function private.vault_creator(p_folder text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id from private.profiles p
  where p.user_id = case when p_folder ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_folder::uuid end
    and private.is_approved_creator(p.id);
$$;
comment on function private.vault_creator is 'The approved creator whose folder this is (profiles.id); null for other folders.';

-- The row of the vault is made in one place, no matter how the object came: uploaded there, or kept from a post or message.
create function private.add_vault_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.vault_files (id, creator_id, version, kind, size_bytes, name, sha256, created_at)
  select new.id, c.id, new.version, split_part(new.metadata ->> 'mimetype', '/', 1), coalesce((new.metadata ->> 'size')::bigint, 0),
    left(private.trimmed(new.user_metadata ->> 'fileName'), 255), substring(new.user_metadata ->> 'sha256' from '^[0-9a-f]{64}$'), new.created_at
  from (select private.vault_creator((storage.foldername(new.name))[1]) as id) c
  where c.id is not null;
  return null;
end;
$$;
comment on function private.add_vault_file is 'Trigger of storage.objects: adds an object of bucket vault to its creator''s files.';
create trigger objects_add_vault_file after insert on storage.objects
  for each row when (new.version is not null and new.bucket_id = 'vault' and new.metadata ->> 'mimetype' ~ '^(image|video)/')
  execute function private.add_vault_file();

drop function private.keep_in_vault(text, text, text, jsonb, text, timestamptz);
create function private.keep_in_vault(
  p_folder text, p_file text, p_version text, p_metadata jsonb, p_about jsonb, p_created_at timestamptz
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_creator uuid := private.vault_creator(p_folder);
  v_id uuid := gen_random_uuid();
begin
  if v_creator is null or exists (select from public.vault_files f where f.creator_id = v_creator and f.version = p_version) then
    return;
  end if;
  insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version, created_at)
  values (v_id, 'vault', p_folder || '/' || v_id || coalesce('.' || storage.extension(p_file), ''), p_folder::uuid, p_folder,
    p_metadata, p_about, p_version, p_created_at);
end;
$$;
comment on function private.keep_in_vault is 'Adds content to the vault of the approved creator whose folder this is, unless it is there already.';

-- Name and hash are for the vault only: an object's readers can read its user_metadata.
create or replace function private.keep_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.keep_in_vault((storage.foldername(new.name))[1], new.name, new.version, new.metadata,
    jsonb_strip_nulls(jsonb_build_object('fileName', new.user_metadata -> 'fileName', 'sha256', new.user_metadata -> 'sha256')), now());
  new.user_metadata := nullif(new.user_metadata - 'fileName' - 'sha256', '{}');
  return new;
end;
$$;
comment on function private.keep_upload is
  'Trigger of storage.objects: adds new content of posts and messages to the vault, and takes fileName and sha256 out of user_metadata.';
