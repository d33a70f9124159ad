-- Up Migration

-- The rails above Explore's list: New, Popular this week, and one for each category (LOOP-09). Each reads a few rows of an index, whatever the
-- number of creators.

-- New counts from the first post, not from the sign-up: a creator has something to show from then on. The date never changes, so that nobody
-- becomes new again by deleting posts or by closing the profile for a while.
alter table private.profiles add column debut_at timestamptz;
comment on column private.profiles.debut_at is 'When the first post of a creator in Explore was published; null before the first one. Maintained by triggers.';
create function private.note_debut() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- An import brings posts of the past.
  new.debut_at := coalesce((select min(p.created_at) from private.posts p where p.creator_id = new.id), now());
  return new;
end;
$$;
comment on function private.note_debut is 'Trigger of profiles: sets debut_at once the profile is listed and has a post.';

-- Named to run after profiles_list, which decides is_listed.
create trigger profiles_note_debut before insert or update of is_creator, is_private, is_verified, is_listed, total_posts on private.profiles
  for each row when (new.debut_at is null and new.is_listed and new.total_posts > 0) execute function private.note_debut();
update private.profiles p set debut_at = (select min(o.created_at) from private.posts o where o.creator_id = p.id)
where p.is_listed and p.total_posts > 0;
create index profiles_listed_new_idx on private.profiles (debut_at desc nulls last, id) where is_listed and total_posts > 0;

-- Popular this week: counting the follows and subscriptions of a week for each visitor would take longer the more there are. A job counts them
-- (server/scheduled-jobs.ts) and keeps the top hundred, of which the rail shows those that are listed when it is read.
create table private.weekly_popularity (
  creator_id uuid primary key references private.profiles on delete cascade,
  new_fans   int not null check (new_fans > 0)
);
comment on table private.weekly_popularity is 'The hundred creators with the most new followers and subscribers in the last seven days, when the job last counted.';
comment on column private.weekly_popularity.new_fans is 'New followers and new subscribers. A new subscriber also follows, and so counts twice.';
alter table private.weekly_popularity enable row level security; -- and no policy

-- Both tables grow in the order of time, so a block range index of a few pages finds the rows of a week.
create index follows_created_at_brin on public.follows using brin (created_at) with (autosummarize = on);
create index subscriptions_created_at_brin on public.subscriptions using brin (created_at) with (autosummarize = on);
create function private.refresh_weekly_popularity() returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.weekly_popularity;
  insert into private.weekly_popularity (creator_id, new_fans)
  select c.id, n.new_fans
  from (
    select f.creator_id, count(*)::int as new_fans
    from (
      select f.following_id as creator_id from public.follows f where f.created_at > now() - interval '7 days'
      union all
      select s.creator_id from public.subscriptions s
      where s.created_at > now() - interval '7 days' and s.status not in ('incomplete', 'incomplete_expired')
    ) f
    group by f.creator_id
  ) n
  join private.profiles c on c.id = n.creator_id and c.is_listed
  order by n.new_fans desc, c.subscribers_count desc, c.id
  limit 100;
$$;
comment on function private.refresh_weekly_popularity is 'Counts private.weekly_popularity again. For the job.';
grant execute on function private.refresh_weekly_popularity() to service_role;
select private.refresh_weekly_popularity();

create function private.rail_creators(p_rail text, p_size int) returns setof public.creator_listing
language plpgsql stable security definer rows 10 set search_path = ''
as $$
begin
  if p_rail = 'new' then
    return query
      select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
        c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
      from private.profiles c
      where c.is_listed and c.total_posts > 0
      order by c.debut_at desc nulls last, c.id
      limit p_size;
  elsif p_rail = 'week' then
    return query
      select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
        c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
      from private.weekly_popularity w
      join private.profiles c on c.id = w.creator_id and c.is_listed
      order by w.new_fans desc, c.subscribers_count desc, c.id
      limit p_size;
  else
    return query select d.* from public.discover_creators(category => p_rail, page_size => p_size) d;
  end if;
end;
$$;
comment on function private.rail_creators is 'The creators of a rail in order: new, week, or a category, by subscribers.';

-- Computed columns of Explore's listing, as cover_url: only requests that name them read posts and plans.

-- Without it, a creator of a thousand paid posts and a few free ones would have all of them read.
create index posts_free_pictures_idx on private.posts (creator_id, created_at desc, id desc) where post_type = 'free' and media_types @> '{image}';
create function public.pictures(creator public.creator_listing) returns text[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select f.path
    from (
      select p.media_urls, p.media_types, row_number() over (order by p.created_at desc, p.id desc) as place
      from private.posts p
      where p.creator_id = c.id and p.post_type = 'free' and p.media_types @> '{image}'
      order by p.created_at desc, p.id desc
      limit 3
    ) newest
    cross join lateral (
      select m.path, row_number() over (order by m.position) as place
      from unnest(newest.media_urls, newest.media_types) with ordinality m (path, type, position)
      where m.type = 'image'
    ) f
    -- The first picture of each post, before the second of any.
    order by f.place, newest.place
    limit 3
  )
  from private.profiles c
  -- Addresses of other sites aren't shown (web/lib/media/public-image.ts).
  where c.id = creator.id and c.is_listed and strpos(coalesce(c.cover_url, ''), '/storage/v1/object/public/') = 0
    and c.id <> all ((select private.my_blocks())::uuid[]);
$$;
comment on function public.pictures(public.creator_listing) is
  'Up to three pictures of the latest free posts of a creator in Explore who has no cover: paths in bucket posts. Null with a cover, across a block, and for profiles that are not listed.';
grant execute on function public.pictures(public.creator_listing) to anon, authenticated;
create function public.trial_days(creator public.creator_listing) returns int
language sql stable security definer set search_path = ''
as $$
  select case
    -- The trial is for new subscribers (private.quote_subscription).
    when exists (
      select from public.subscriptions b
      where b.subscriber_id = (select private.my_profile_id()) and b.creator_id = c.id and b.status not in ('incomplete', 'incomplete_expired')
    ) then 0
    else s.trial_days
  end
  from private.profiles c
  join public.subscription_products s on s.creator_id = c.id and s.is_active
  where c.id = creator.id and c.is_listed
  order by private.monthly_cents(s.price_cents, s.interval), s.created_at, s.id
  limit 1;
$$;
comment on function public.trial_days(public.creator_listing) is
  'The free trial, in days, of the plan whose price the listing shows; 0 for none, and for a caller who has had a subscription. Null without a plan, and for profiles that are not listed.';
grant execute on function public.trial_days(public.creator_listing) to anon, authenticated;

create type public.rail_creator as (
  rail text,
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
  updated_at timestamptz,
  cover_url text,
  pictures text[],
  trial_days integer
);
comment on type public.rail_creator is 'A creator in one of the rails of Explore (LOOP-09): the rail, then the columns of creator_listing and those computed for it.';
comment on column public.rail_creator.rail is 'new, week (popular this week), or a category. Never null.';
comment on column public.rail_creator.id is 'profiles.id. Never null.';
comment on column public.rail_creator.username is 'Never null.';
comment on column public.rail_creator.categories is 'Never null.';
comment on column public.rail_creator.is_verified is 'Never null.';
comment on column public.rail_creator.subscriber_count is 'Never null.';
comment on column public.rail_creator.content_count is 'The number of posts. Never null.';
comment on column public.rail_creator.likes_count is 'The likes of all posts. Never null.';
comment on column public.rail_creator.subscription_price is 'The monthly price of the cheapest active plan, in dollars; null when there is none ("Free").';
comment on column public.rail_creator.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.rail_creator.pictures is 'Without a cover, up to three pictures of free posts: paths in bucket posts.';
comment on column public.rail_creator.trial_days is 'The free trial of the plan with that price, in days; null without a plan.';
create function public.explore_rails(rail_size int default 10) returns setof public.rail_creator
language sql stable security definer rows 100 set search_path = ''
as $$
  select r.rail, c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified, c.subscriber_count, c.content_count,
    c.likes_count, c.subscription_price, c.updated_at,
    public.cover_url(shown.listing), public.pictures(shown.listing), public.trial_days(shown.listing)
  from unnest(array['new', 'week', 'Fitness', 'Lifestyle', 'Photography', 'Fashion', 'Cooking', 'Art', 'Travel', 'Wellness'])
    with ordinality r (rail, place)
  cross join lateral (
    select l as listing, row_number() over () as place
    from private.rail_creators(r.rail, least(greatest(explore_rails.rail_size, 0), 24)) l
  ) shown
  cross join lateral (select (shown.listing).*) c
  order by r.place, shown.place;
$$;
comment on function public.explore_rails is
  'The rails of Explore, in order, each with up to rail_size creators (at most 24): New by the first post, Popular this week, and the categories by subscribers. A rail without creators has no rows.';
grant execute on function public.explore_rails(int) to anon, authenticated;
