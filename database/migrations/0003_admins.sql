-- Up Migration

-- Admins (GEN-34, GEN-42, DATA-06). A row here makes an admin; ADMIN_EMAIL creates the first one (GEN-43, D8).
create table public.user_roles (
  user_id    uuid not null references auth.users on delete cascade,
  role       text not null check (role in ('admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);
comment on table public.user_roles is 'Permissions beyond those of every signed-in user. Read by has_role and the policies.';
comment on column public.user_roles.user_id is 'The account''s auth.users.id, not a profile id (DATA-06).';
alter table public.user_roles enable row level security;

-- security definer: the answer does not depend on which role rows the caller may read.
create function public.has_role(_user_id uuid, _role text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.user_roles r where r.user_id = _user_id and r.role = _role);
$$;
comment on function public.has_role is 'True when the account has the role (RPC-01).';
grant execute on function public.has_role(uuid, text) to authenticated;

-- has_role says who is an admin; is_admin says whether the caller has an admin's permissions now. With AUTH_MFA_REQUIRED_FOR_ADMINS, that
-- takes a second factor. A connected app (client_id) acts for the user, but never as an admin.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select public.has_role(auth.uid(), 'admin')
    and (auth.aal() = 'aal2' or private.setting('admin_needs_second_factor') is distinct from 'true')
    and not auth.jwt() ? 'client_id';
$$;
comment on function private.is_admin is 'True when the caller is an admin and, with AUTH_MFA_REQUIRED_FOR_ADMINS, has verified a second factor in this session. Never true for a connected app.';
grant execute on function private.is_admin() to anon, authenticated;
create function private.is_privileged() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_service() or private.is_admin();
$$;
comment on function private.is_privileged is 'True when the caller may see all rows: an admin, or the service itself.';
grant execute on function private.is_privileged() to anon, authenticated;
create policy select_own on public.user_roles for select to authenticated using (user_id = (select auth.uid()));
grant select on public.user_roles to authenticated;

-- insert, update and delete are not granted: the operator's setting or service_role grants roles.

-- The first admin is the account whose confirmed email is ADMIN_EMAIL. Only an email that reached the address confirms it; the claim of an
-- identity provider doesn't.
create function private.grant_configured_admin(account auth.users) returns void
language sql security definer set search_path = ''
as $$
  insert into public.user_roles (user_id, role)
  select account.id, 'admin'
  where account.email_confirmed_at is not null and not account.is_sso_user
    and lower(account.email) = lower(private.setting('admin_email'))
  on conflict do nothing;
$$;
comment on function private.grant_configured_admin is 'Makes the account an admin when its confirmed email is the operator''s ADMIN_EMAIL.';
create function private.on_email_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.grant_configured_admin(new);
  return null;
end;
$$;
comment on function private.on_email_confirmed is 'Trigger of auth.users: checks for ADMIN_EMAIL when an email is confirmed or changed.';
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
  -- The email may have been confirmed before the operator set ADMIN_EMAIL.
  perform private.grant_configured_admin(u)
  from auth.users u where lower(u.email) = lower(private.setting('admin_email')) and u.email_confirmed_at is not null;
end;
$$;
comment on function private.apply_settings is 'Writes the operator''s settings at start. A null removes a setting. A new ADMIN_EMAIL doesn''t revoke the role of the previous one.';

-- For functions/v1, which asks as the caller and can't reach the schema private.
-- security definer: it only returns the answer of private.is_admin.
create function auth.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_admin();
$$;
comment on function auth.is_admin is 'True when the caller has an admin''s permissions in this session.';
revoke execute on function auth.is_admin() from public;
grant execute on function auth.is_admin() to authenticated;
