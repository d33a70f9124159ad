-- Up Migration
-- On a profile that is closed an admin reads that its owner is suspended, since when and why (GEN-44). Everybody else sees a private profile.
create type public.suspension as (since timestamptz, reason text);
comment on type public.suspension is 'Why an admin keeps somebody out.';
comment on column public.suspension.since is 'Never null.';
comment on column public.suspension.reason is 'In words that the person reads. Never null.';

create function public.get_suspension(profile_id uuid) returns setof public.suspension
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select p.suspended_at, p.suspension_reason from private.profiles p
    where p.id = get_suspension.profile_id and p.suspended_at is not null;
end;
$$;
comment on function public.get_suspension is 'Since when and why somebody is suspended, for admins; no row for everybody else''s profile.';
revoke execute on function public.get_suspension(uuid) from public, anon;
grant execute on function public.get_suspension(uuid) to authenticated;
