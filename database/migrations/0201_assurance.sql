-- Up Migration
-- Admins have to show a second factor when the operator wants that (AUTH_MFA_REQUIRED_FOR_ADMINS). Policies of other tables may ask
-- for one with auth.aal() or private.has_proved_factors().

-- has_role still says who is an admin; an admin's rights are another question.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select public.has_role(auth.uid(), 'admin')
    and (auth.aal() = 'aal2' or private.setting('admin_needs_second_factor') is distinct from 'true');
$$;
comment on function private.is_admin is 'True when the caller is an admin and, where AUTH_MFA_REQUIRED_FOR_ADMINS is set, has shown a second factor in this session.';

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
