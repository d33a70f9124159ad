-- Up Migration

-- Custom domains (PAGE-02). A creator enters a domain; it leads to their profile once a DNS record proves that it is theirs. Only verified
-- domains are unique: an unproven entry must not keep the owner of a domain from using it.
create table public.custom_domains (
  creator_id    uuid primary key references private.profiles on delete cascade,
  domain        text not null constraint custom_domains_domain_format check (
    length(domain) <= 253 and domain ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$'
  ),
  record        text not null default 'ovation-domain=' || replace(gen_random_uuid()::text, '-', ''),
  verified_at   timestamptz,
  checked_at    timestamptz,
  missing_since timestamptz,
  created_at    timestamptz not null default now()
);
comment on table public.custom_domains is 'A creator''s own domain, which leads to their profile while its DNS record is there. To use another domain, a creator deletes the row and inserts a new one.';
comment on column public.custom_domains.creator_id is 'profiles.id of the creator.';
comment on column public.custom_domains.domain is 'In lowercase and ASCII, without a port.';
comment on column public.custom_domains.record is 'The text of the TXT record at _ovation.{domain} that proves the ownership. A new one for each row.';
comment on column public.custom_domains.verified_at is 'Since when the domain has led to the profile; null while it doesn''t.';
comment on column public.custom_domains.checked_at is 'When the record was last looked up.';
comment on column public.custom_domains.missing_since is 'Since when the record hasn''t been found. After three days, the domain no longer leads to the profile.';
alter table public.custom_domains enable row level security;
-- private.find_domain_username, and the rule that a domain leads to one profile.
create unique index custom_domains_verified_key on public.custom_domains (domain) where verified_at is not null;
create policy select_own on public.custom_domains for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.custom_domains for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy delete_own on public.custom_domains for delete to authenticated
  using (creator_id = (select private.my_profile_id()));
grant select, insert (creator_id, domain), delete on public.custom_domains to authenticated;
-- update is not granted: the server writes the results of its checks.

-- The record is passed along, because the creator may have replaced the row while it was looked up.
create function private.confirm_custom_domain(p_creator uuid, p_record text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_domain text;
begin
  select d.domain into v_domain from public.custom_domains d where d.creator_id = p_creator and d.record = p_record for update;
  if not found then
    return false;
  end if;
  -- The domain has a new owner, who has put up another record.
  update public.custom_domains d set verified_at = null where d.domain = v_domain and d.creator_id <> p_creator and d.verified_at is not null;
  update public.custom_domains d set verified_at = coalesce(d.verified_at, now()), checked_at = now(), missing_since = null
  where d.creator_id = p_creator;
  return true;
end;
$$;
comment on function private.confirm_custom_domain is 'The DNS record was found: from now on, the domain leads to this creator''s profile, and to nobody else''s. False if the row has been replaced in the meantime.';

create function private.miss_custom_domain(p_creator uuid, p_record text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.custom_domains d
  set checked_at = now(),
    missing_since = coalesce(d.missing_since, now()),
    verified_at = case when d.missing_since <= now() - interval '3 days' then null else d.verified_at end
  where d.creator_id = p_creator and d.record = p_record;
$$;
comment on function private.miss_custom_domain is 'The DNS record wasn''t found. A verified domain keeps leading to the profile for three days: records get lost when a provider is changed.';

create function private.find_domain_username(p_domain text) returns text
language sql stable security definer set search_path = ''
as $$
  select p.username from public.custom_domains d
  join private.profiles p on p.id = d.creator_id
  where d.domain = p_domain and d.verified_at is not null and private.is_approved_creator(d.creator_id)
    and p.suspended_at is null;
$$;
comment on function private.find_domain_username is 'The username of the creator whose profile a domain leads to; null for all other domains.';
