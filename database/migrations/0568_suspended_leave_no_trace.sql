-- Up Migration
-- Who is suspended is nobody until the token ends (docs/architecture.md): no presence, and no view that a creator would count.
create or replace function public.record_presence() returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.presence as p (profile_id)
  select me.id from (select private.my_profile_id() as id) me where me.id is not null
  on conflict (profile_id) do update set last_seen_at = now() where p.last_seen_at < now() - interval '30 seconds';
$$;

create or replace function public.record_profile_view(profile_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.profile_views (profile_id, viewer_id)
  select p.id, viewer.id
  from (select private.my_profile_id() as id) viewer join private.profiles p on p.id = record_profile_view.profile_id
  where viewer.id <> p.id
  on conflict do nothing;
$$;
