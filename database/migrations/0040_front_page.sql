-- Up Migration

-- The front page shows covers (LOOP-03). A computed column of Explore's listing: only requests that name it read the covers.
create function public.cover_url(creator public.creator_listing) returns text
language sql stable security definer set search_path = ''
as $$
  select p.cover_url from private.profiles p where p.id = creator.id and p.is_listed;
$$;
comment on function public.cover_url is 'The cover of a creator in Explore; null without one, and for profiles that are not listed.';
grant execute on function public.cover_url to anon, authenticated;
