-- Up Migration
-- An admin who acts alone, or whose session was stolen, must not remove the other admins or take over their accounts (ADM-17, ADM-19).
create function private.require_not_admin(p_user uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if public.has_role(p_user, 'admin') then
    raise sqlstate 'PT403' using message = 'This account belongs to an admin. The operator has to revoke the admin role first.';
  end if;
end;
$$;
comment on function private.require_not_admin is 'Rejects an act of one admin on the account of another. Revoking the role first leaves an entry in the audit log of its own.';
revoke execute on function private.require_not_admin(uuid) from public;
grant execute on function private.require_not_admin(uuid) to service_role;
