-- Up Migration

-- Explore, the home feed, and search (EXPL, HOME-04, HOME-05, SRCH-03, SRCH-04, DATA-31, D3, D34, D36). All of them find a page with an index
-- on the base tables first, and compute masked columns only for its rows.
create function private.list_creator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.is_listed := new.is_creator and not new.is_private and (new.is_verified or public.has_role(new.user_id, 'admin'));
  return new;
end;
$$;
comment on function private.list_creator is 'Trigger of profiles: maintains profiles.is_listed.';
create trigger profiles_list before insert or update of is_creator, is_private, is_verified, is_listed on private.profiles
  for each row execute function private.list_creator();
create function private.relist_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.profiles set is_listed = false -- the trigger above decides
  where user_id = case tg_op when 'DELETE' then old.user_id else new.user_id end;
  return null;
end;
$$;
comment on function private.relist_admin is 'Trigger of user_roles: granting or revoking the admin role may change profiles.is_listed.';
create trigger user_roles_relist after insert or delete on public.user_roles for each row execute function private.relist_admin();
create index profiles_listed_popular_idx on private.profiles (subscribers_count desc, id) where is_listed;
create index profiles_listed_newest_idx on private.profiles (last_posted_at desc nulls last, total_posts desc, id) where is_listed;
create index profiles_listed_price_low_idx on private.profiles (coalesce(lowest_price_cents, 0), id) where is_listed;
create index profiles_listed_price_high_idx on private.profiles (coalesce(lowest_price_cents, 0) desc, id) where is_listed;
create index profiles_listed_categories_idx on private.profiles using gin (categories) where is_listed;
create function private.like_pattern(search text) returns text
language sql immutable set search_path = ''
as $$
  select '%' || regexp_replace(trim(search), '([\\%_])', '\\\1', 'g') || '%';
$$;
comment on function private.like_pattern is 'The ilike pattern for texts that contain the search, with its wildcards escaped.';

-- The statement contains only the requested conditions and order, so that each variant finds its own index.
create function private.listed_creators_where(search text, category text) returns text
language sql immutable set search_path = ''
as $$
  select 'c.is_listed'
    || case when trim(coalesce(search, '')) <> '' then ' and (c.username ilike $1 or c.display_name ilike $1)' else '' end
    || case when coalesce(category, 'all') <> 'all' then ' and c.categories @> array[$2]' else '' end;
$$;
comment on function private.listed_creators_where is 'The condition shared by discover_creators and count_creators. It contains no values, only $1 (pattern) and $2 (category).';
create type public.creator_listing as (
  id uuid,
  username text,
  display_name text,
  bio text,
  avatar_url text,
  categories text[],
  is_verified boolean,
  subscriber_count integer,
  content_count integer,
  likes_count integer,
  subscription_price numeric,
  updated_at timestamptz
);
comment on type public.creator_listing is 'Creator listing item (DATA-31).';
comment on column public.creator_listing.id is 'profiles.id. Never null.';
comment on column public.creator_listing.username is 'Never null.';
comment on column public.creator_listing.categories is 'Never null.';
comment on column public.creator_listing.is_verified is 'Never null.';
comment on column public.creator_listing.subscriber_count is 'Never null.';
comment on column public.creator_listing.content_count is 'The number of posts. Never null.';
comment on column public.creator_listing.likes_count is 'The likes of all posts. Never null.';
comment on column public.creator_listing.subscription_price is 'The monthly price of the cheapest active plan, in dollars; null when there is none ("Free").';
comment on column public.creator_listing.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
create function public.discover_creators(
  search text default null,
  category text default null,
  sort text default 'popular',
  page_size int default 24,
  page_offset int default 0
) returns setof public.creator_listing
language plpgsql stable security definer rows 24 set search_path = ''
as $$
declare
  v_order text := case sort
    when 'popular' then 'c.subscribers_count desc, c.id'
    when 'newest' then 'c.last_posted_at desc nulls last, c.total_posts desc, c.id'
    when 'price_low' then 'coalesce(c.lowest_price_cents, 0), c.id'
    when 'price_high' then 'coalesce(c.lowest_price_cents, 0) desc, c.id'
  end;
begin
  if v_order is null then
    raise exception 'sort must be popular, newest, price_low, or price_high' using errcode = '22023';
  end if;
  return query execute
    'select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
       c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
     from private.profiles c where ' || private.listed_creators_where(search, category)
    || ' order by ' || v_order || ' limit $3 offset $4'
    using private.like_pattern(search), category, least(greatest(page_size, 0), 100), greatest(page_offset, 0);
end;
$$;
comment on function public.discover_creators is
  'A page of creators for Explore (DATA-31). sort: popular (subscribers), newest (latest post), price_low, or price_high.';
grant execute on function public.discover_creators(text, text, text, int, int) to anon, authenticated;
create function public.count_creators(search text default null, category text default null) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_count bigint;
begin
  execute 'select count(*) from private.profiles c where ' || private.listed_creators_where(search, category)
    into v_count using private.like_pattern(search), category;
  return v_count;
end;
$$;
comment on function public.count_creators is 'The number of creators for this search and category ("N creators found", EXPL-07).';
grant execute on function public.count_creators(text, text) to anon, authenticated;

-- The home feed (HOME-04, HOME-05). One index probe for each followed creator is the fastest way for dozens of creators, but slow for thousands.
-- A user who follows thousands finds a followed creator in every few posts of the time index, so that the newest posts are read from it,
-- and those of followed creators are kept.

-- Includes the creator, so that the table isn't read.
create index posts_created_at_creator_idx on private.posts (created_at desc, id desc) include (creator_id);

-- Both functions leave out posts that the viewer can't see (of private creators without a subscription) before they limit the page, so that
-- only the last page is short.
create function private.feed_by_creator(p_viewer uuid, p_before timestamptz, p_before_id uuid, p_size int) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select newest.id
    from (
      select f.following_id as creator_id
      from public.follows f
      join private.profiles c on c.id = f.following_id
      where f.follower_id = p_viewer
        and (
          not c.is_private or (select private.is_admin()) or exists (
            select from public.subscriptions s
            where s.subscriber_id = p_viewer and s.creator_id = c.id and s.access_until > now()
          )
        )
      union all
      select p_viewer
    ) source
    cross join lateral (
      select p.id, p.created_at
      from private.posts p
      where p.creator_id = source.creator_id and (p.created_at, p.id) < (p_before, p_before_id)
      order by p.created_at desc, p.id desc
      limit p_size
    ) newest
    order by newest.created_at desc, newest.id desc
    limit p_size
  );
$$;
comment on function private.feed_by_creator is 'A page of the feed with one index probe for each followed creator: fast for dozens, and correct for any number.';
create function private.feed_by_time(p_viewer uuid, p_before timestamptz, p_before_id uuid, p_size int) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  with followed as materialized (
    select f.following_id as creator_id from public.follows f where f.follower_id = p_viewer
    union all
    select p_viewer
  ), newest as materialized (
    select p.id, p.creator_id, p.created_at
    from private.posts p
    where (p.created_at, p.id) < (p_before, p_before_id)
    order by p.created_at desc, p.id desc
    limit 5000
  ), theirs as (
    select n.* from newest n join followed f on f.creator_id = n.creator_id
    order by n.created_at desc, n.id desc
    offset 0
  )
  -- In order, and only until the page is full.
  select array(
    select t.id
    from theirs t
    cross join lateral (
      select from private.profiles c
      where c.id = t.creator_id
        and (
          not c.is_private or c.id = p_viewer or (select private.is_admin()) or exists (
            select from public.subscriptions s
            where s.subscriber_id = p_viewer and s.creator_id = c.id and s.access_until > now()
          )
        )
      offset 0
    ) shown
    order by t.created_at desc, t.id desc
    limit p_size
  );
$$;
comment on function private.feed_by_time is 'A page of the feed from the 5,000 newest posts. When they contain too few posts of followed creators, the page is short, although there may be older ones.';
create function public.get_feed(page_size integer DEFAULT 20, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.posts
language plpgsql stable security definer rows 20
set search_path = ''
as $$
declare
  v_viewer uuid := private.my_profile_id();
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_page uuid[] := '{}';
begin
  if (select count(*) from (select from public.follows f where f.follower_id = v_viewer limit 51) followed) > 50 then
    v_page := private.feed_by_time(v_viewer, v_before, v_before_id, v_size);
  end if;
  -- The viewer follows few creators, or they haven't posted for long.
  if cardinality(v_page) < v_size then
    v_page := private.feed_by_creator(v_viewer, v_before, v_before_id, v_size);
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    join public.posts v on v.id = page.id
    order by page.place;
end;
$$;
comment on function public.get_feed(integer,timestamp with time zone,uuid) is 'The home feed (HOME-04): posts of followed creators and the caller''s own, newest first. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_feed(integer,timestamp with time zone,uuid) to authenticated, service_role;

create index profiles_reach_idx on private.profiles (reach desc, username) include (id, display_name);

-- Each search reads the pending list of these indexes, so it is limited to a few pages.
alter index private.profiles_username_trgm_idx set (gin_pending_list_limit = 64);
alter index private.profiles_display_name_trgm_idx set (gin_pending_list_limit = 64);
create function public.search_profiles(search text, page_size integer DEFAULT 20)
returns SETOF public.profiles
language plpgsql stable security definer rows 20
set search_path = ''
 SET enable_seqscan TO 'off'
as $$
declare
  v_pattern text := private.like_pattern(search);
  v_size int := least(greatest(page_size, 0), 100);
  v_page uuid[] := '{}';
begin
  if private.trimmed(search) is null then
    return;
  end if;
  -- Searches the profiles with the most followers first, in up to four batches of a thousand, and stops once the hits so far show that four
  -- batches won't fill the page: a name that thousands share is found without sorting all of them.
  for v_turn in 0..3 loop
    v_page := v_page || array(
      select k.id
      from (
        select p.id, p.username, p.display_name, p.reach from private.profiles p
        order by p.reach desc, p.username limit 1000 offset v_turn * 1000
      ) k
      where k.username ilike v_pattern or k.display_name ilike v_pattern
      order by k.reach desc, k.username limit v_size - cardinality(v_page)
    );
    exit when cardinality(v_page) = v_size or cardinality(v_page) * 4 < v_size * (v_turn + 1);
  end loop;
  -- Names that aren't found there are looked up by trigrams. One or two letters have no trigram, but appear in enough of the best-known names.
  if cardinality(v_page) < v_size and length(private.trimmed(search)) >= 3 then
    with found as materialized (
      select p.id, p.username, p.reach from private.profiles p where p.username ilike v_pattern or p.display_name ilike v_pattern limit 200
    )
    select array(
      select f.id from (select f.* from found f union select p.id, p.username, p.reach from private.profiles p where p.id = any (v_page)) f
      order by f.reach desc, f.username limit v_size
    ) into v_page;
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) v
    order by page.place;
end;
$$;
comment on function public.search_profiles(text,integer) is 'Profiles whose username or display name contains the text, ignoring case, with the most followers first (SRCH-04). Beyond the best-known profiles, it considers at most 200 matches, and none for one or two letters.';
grant execute on function public.search_profiles(text,integer) to anon, authenticated, service_role;
