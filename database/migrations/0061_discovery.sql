-- Up Migration
-- Finding creators and following what they publish (EXPL, HOME-04, HOME-05, DATA-31, D3, D25, D34, D36).
-- Pages are found by indexes on the base tables; masks are computed for the rows of the page alone.

alter table private.profiles add column is_listed boolean not null default false;
comment on column private.profiles.is_listed is 'Has a place in discovery: wants to be a creator, may be one (approved, or admin), and is not private. Kept by triggers.';

create function private.list_creator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.is_listed := new.is_creator and not new.is_private and (new.is_verified or public.has_role(new.user_id, 'admin'));
  return new;
end;
$$;
comment on function private.list_creator is 'Keeps profiles.is_listed.';
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
comment on function private.relist_admin is 'An admin role given or taken may change profiles.is_listed.';
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
comment on function private.like_pattern is 'A pattern that finds the text itself: what people type holds no wildcards.';

-- Only the conditions and the order that were asked for stand in the text, so that each form finds its own index.
create function private.listed_creators_where(search text, category text) returns text
language sql immutable set search_path = ''
as $$
  select 'c.is_listed'
    || case when trim(coalesce(search, '')) <> '' then ' and (c.username ilike $1 or c.display_name ilike $1)' else '' end
    || case when coalesce(category, 'all') <> 'all' then ' and c.categories @> array[$2]' else '' end;
$$;
comment on function private.listed_creators_where is 'The condition shared by discover_creators and count_creators. It holds no value, only $1 (pattern) and $2 (category).';

create type public.creator_listing as (
  id uuid, username text, display_name text, bio text, avatar_url text, categories text[], is_verified boolean,
  subscriber_count int, content_count int, likes_count int, subscription_price numeric
);
comment on type public.creator_listing is 'Creator listing item (DATA-31).';
comment on column public.creator_listing.id is 'profiles.id. Never null.';
comment on column public.creator_listing.username is 'Never null.';
comment on column public.creator_listing.categories is 'Never null.';
comment on column public.creator_listing.is_verified is 'Never null.';
comment on column public.creator_listing.subscriber_count is 'Never null.';
comment on column public.creator_listing.content_count is 'Posts. Never null.';
comment on column public.creator_listing.likes_count is 'Likes of all posts. Never null.';
comment on column public.creator_listing.subscription_price is 'Dollars per month of the cheapest active plan; null when there is none ("Free").';

create function public.discover_creators(
  search text default null,
  category text default null,
  sort text default 'popular',
  page_size int default 24,
  page_offset int default 0
) returns setof public.creator_listing
language plpgsql stable security definer set search_path = ''
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
    raise exception 'sort is one of popular, newest, price_low, price_high' using errcode = '22023';
  end if;
  return query execute
    'select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
       c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2)
     from private.profiles c where ' || private.listed_creators_where(search, category)
    || ' order by ' || v_order || ' limit $3 offset $4'
    using private.like_pattern(search), category, least(greatest(page_size, 0), 100), greatest(page_offset, 0);
end;
$$;
comment on function public.discover_creators is
  'A page of creators (DATA-31). sort: popular (subscribers), newest (latest post), price_low, price_high.';
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
comment on function public.count_creators is 'How many creators discover_creators has for this search and category ("N creators found", EXPL-07).';
grant execute on function public.count_creators(text, text) to anon, authenticated;

-- One index probe for each followed creator, then one mask for each row of the page. Followed creators whose posts the viewer
-- may not see at all (private, and not paid for) are left out before the page is cut, so that a page is short only at the end.
create function public.get_feed(page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.posts
language sql stable security definer set search_path = ''
as $$
  with page as (
    select newest.id, newest.created_at
    from (
      select f.following_id as creator_id
      from public.follows f
      join private.profiles c on c.id = f.following_id
      where f.follower_id = (select private.my_profile_id())
        and (
          not c.is_private or (select private.is_admin()) or exists (
            select from public.subscriptions s
            where s.subscriber_id = f.follower_id and s.creator_id = c.id and s.access_until > now()
          )
        )
      union all
      select (select private.my_profile_id())
    ) source
    cross join lateral (
      select p.id, p.created_at
      from private.posts p
      where p.creator_id = source.creator_id
        and (before is null or (p.created_at, p.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      order by p.created_at desc, p.id desc
      limit least(greatest(page_size, 0), 100)
    ) newest
    order by newest.created_at desc, newest.id desc
    limit least(greatest(page_size, 0), 100)
  )
  select v.* from page join public.posts v on v.id = page.id order by page.created_at desc, page.id desc;
$$;
comment on function public.get_feed is
  'The home feed (HOME-04): posts of followed creators and one''s own, newest first. The next page: before and before_id of the last row.';
grant execute on function public.get_feed(int, timestamptz, uuid) to authenticated;
