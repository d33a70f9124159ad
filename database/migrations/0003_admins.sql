-- Up Migration

-- Who is an admin (GEN-34, GEN-42, DATA-06). Nobody is one by name: a row here decides, and ADMIN_EMAIL makes the first (GEN-43, D8).
create table public.user_roles (
  user_id    uuid not null references auth.users on delete cascade,
  role       text not null check (role in ('admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Rights beyond those of every signed-in person. Read by has_role and the policies.';
comment on column public.user_roles.user_id is 'The account''s auth.users.id, not a profile id (DATA-06).';
alter table public.user_roles enable row level security;

-- security definer: the answer does not depend on which role rows the caller may read.
create function public.has_role(_user_id uuid, _role text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.user_roles r where r.user_id = _user_id and r.role = _role);
$$;
comment on function public.has_role is 'Says whether the account has the role (RPC-01).';
grant execute on function public.has_role(uuid, text) to authenticated;

-- Admins have to show a second factor when the operator wants that (AUTH_MFA_REQUIRED_FOR_ADMINS). Policies of other tables may ask
-- for one with auth.aal() or private.has_proved_factors().

-- has_role still says who is an admin; an admin's rights are another question.
-- An application acts for the person, and never with the powers of an admin.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select public.has_role(auth.uid(), 'admin')
    and (auth.aal() = 'aal2' or private.setting('admin_needs_second_factor') is distinct from 'true')
    and not auth.jwt() ? 'client_id';
$$;
comment on function private.is_admin is 'True when the caller is an admin and, where AUTH_MFA_REQUIRED_FOR_ADMINS is set, has shown a second factor in this session.';
grant execute on function private.is_admin() to anon, authenticated;
create function private.is_privileged() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_service() or private.is_admin();
$$;
comment on function private.is_privileged is 'True when the caller may see everybody''s rows: an admin, or the service itself.';
grant execute on function private.is_privileged() to anon, authenticated;
create policy select_own on public.user_roles for select to authenticated using (user_id = (select auth.uid()));
grant select on public.user_roles to authenticated;

-- insert, update and delete are not granted: roles are given by the operator's setting or by service_role.

-- The first admin: the account whose confirmed address is ADMIN_EMAIL.
-- ADMIN_EMAIL is proved by a message that reached the address. What a company's identity provider says of one is no such proof.
create function private.grant_configured_admin(account auth.users) returns void
language sql security definer set search_path = ''
as $$
  insert into public.user_roles (user_id, role)
  select account.id, 'admin'
  where account.email_confirmed_at is not null and not account.is_sso_user
    and lower(account.email) = lower(private.setting('admin_email'))
  on conflict do nothing;
$$;
comment on function private.grant_configured_admin is 'Makes the account an admin when its confirmed address is the operator''s ADMIN_EMAIL.';
create function private.on_email_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.grant_configured_admin(new);
  return null;
end;
$$;
comment on function private.on_email_confirmed is 'Trigger of auth.users: looks for ADMIN_EMAIL when an address is confirmed or changed.';
create trigger users_grant_admin after insert or update of email, email_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null) execute function private.on_email_confirmed();
create function private.apply_settings(settings jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.settings as s (key, value)
  select e.key, e.value from jsonb_each_text(settings) e where e.value is not null
  on conflict (key) do update set value = excluded.value, updated_at = now() where s.value is distinct from excluded.value;
  delete from private.settings s using jsonb_each_text(settings) e where s.key = e.key and e.value is null;
  -- The address may have been confirmed before the operator named it.
  perform private.grant_configured_admin(u)
  from auth.users u where lower(u.email) = lower(private.setting('admin_email')) and u.email_confirmed_at is not null;
end;
$$;
comment on function private.apply_settings is 'Takes over the operator''s settings at start. A null removes one. Naming another ADMIN_EMAIL takes no role away from the first.';

-- For functions/v1, which asks as the caller; the schema private is out of reach by name.
-- security definer: the answer is private.is_admin's own.
create function auth.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_admin();
$$;
comment on function auth.is_admin is 'True when the caller has an admin''s rights in this session.';
revoke execute on function auth.is_admin() from public;
grant execute on function auth.is_admin() to authenticated;
