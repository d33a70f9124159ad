-- Up Migration

-- New posts in the bell (LOOP-02). A published post is one row, whatever the number of followers: who hears of it, and what of it they haven't
-- seen, is computed when a follower looks. Until then there is no row for each follower. What a user reads becomes an ordinary notification.

-- No foreign key to profiles: the post has one, and its creator never changes.
create table private.new_posts (
  post_id      uuid primary key references private.posts on delete cascade,
  creator_id   uuid not null,
  is_paid      boolean not null,
  published_at timestamptz not null
);
comment on table private.new_posts is 'Published posts that followers and subscribers hear of. Deleting the post deletes the row, so that nobody hears of it any more.';
comment on column private.new_posts.is_paid is 'Whether the post is for subscribers or pay-per-view.';
comment on column private.new_posts.published_at is 'When the post was published. Increases from post to post of a creator, in the order in which they became visible.';
alter table private.new_posts enable row level security; -- and no policy
create index new_posts_creator_id_idx on private.new_posts (creator_id, published_at desc) include (is_paid, post_id);

-- Runs after posts_count, which has locked the creator's profile until the commit. Together with the real time, this makes published_at
-- increase in the order of the commits, so that no post can appear behind what its followers have seen. Posts of the past, which an import
-- brings, are no news.
create function private.announce_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.new_posts (post_id, creator_id, is_paid, published_at)
  values (new.id, new.creator_id, new.post_type <> 'free', clock_timestamp());
  return null;
end;
$$;
comment on function private.announce_post is 'Trigger of posts: followers and subscribers hear of a published post (LOOP-02).';
create trigger posts_notify after insert on private.posts
  for each row when (new.created_at > now() - interval '1 hour') execute function private.announce_post();

create table public.post_alerts (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references private.profiles on delete cascade,
  creator_id uuid not null references private.profiles on delete cascade,
  level      text not null default 'all' constraint post_alerts_level_known check (level in ('all', 'paid', 'none')),
  seen_until timestamptz not null default '-infinity',
  constraint post_alerts_once unique (user_id, creator_id)
);
comment on table public.post_alerts is 'Which new posts of a creator a user hears of, and which ones they have seen. Without a row: all posts, and none was seen.';
comment on column public.post_alerts.user_id is 'The fan''s profiles.id.';
comment on column public.post_alerts.creator_id is 'The creator''s profiles.id.';
comment on column public.post_alerts.level is 'all: every post; paid: only those for subscribers and pay-per-view; none.';
comment on column public.post_alerts.seen_until is 'Posts published until then are no news: the user has read or dismissed them, or has turned the bell on later.';
alter table public.post_alerts enable row level security;
alter table public.post_alerts replica identity full; -- as for notifications
create index post_alerts_creator_id_idx on public.post_alerts (creator_id);
create policy select_own on public.post_alerts for select to authenticated using (user_id = (select private.my_profile_id()));
grant select on public.post_alerts to authenticated;

-- insert, update, and delete are not granted: set_post_alerts, read_new_posts, and dismiss_new_posts write it.

-- A user's other devices follow what they have seen.
alter publication ovation_realtime add table public.post_alerts;

-- Followers and subscribers, since they are one, who may see that the creator's posts exist: as the policy select_visible on private.posts
-- says, but never across a block and never of a suspended creator.
create function private.heard_creators(p_user uuid, p_creator uuid default null) returns table (creator_id uuid, since timestamptz, level text)
language sql stable security definer rows 50 set search_path = ''
as $$
  select a.creator_id, greatest(a.since, l.seen_until), coalesce(l.level, 'all')
  from (
    select e.creator_id, min(e.since) as since, bool_or(e.subscribes) as subscribes
    from (
      select f.following_id as creator_id, f.created_at as since, false as subscribes from public.follows f
      where f.follower_id = p_user and (p_creator is null or f.following_id = p_creator)
      union all
      select s.creator_id, s.created_at, true from public.subscriptions s
      where s.subscriber_id = p_user and (p_creator is null or s.creator_id = p_creator) and s.access_until > now()
    ) e
    group by e.creator_id
  ) a
  join private.profiles c on c.id = a.creator_id and c.suspended_at is null and (a.subscribes or not c.is_private)
  left join public.post_alerts l on l.user_id = p_user and l.creator_id = a.creator_id
  where l.level is distinct from 'none'
    and not exists (select from public.blocks b where b.blocker_id = p_user and b.blocked_id = a.creator_id)
    and not exists (select from public.blocks b where b.blocked_id = p_user and b.blocker_id = a.creator_id);
$$;
comment on function private.heard_creators is 'Of whose new posts a user hears, since when, and of which ones (LOOP-02). since is never null. p_creator: only of this one.';

create function private.unread_posts(p_user uuid, p_creator uuid default null, p_until timestamptz default 'infinity')
returns table (creator_id uuid, posts int, post_id uuid, published_at timestamptz)
language sql stable security definer rows 20 set search_path = ''
as $$
  select h.creator_id, n.posts, n.post_id, n.published_at
  from private.heard_creators(p_user, p_creator) h
  cross join lateral (
    select count(*)::int as posts, max(p.published_at) as published_at, (array_agg(p.post_id order by p.published_at desc))[1] as post_id
    from private.new_posts p
    where p.creator_id = h.creator_id and p.published_at > h.since and p.published_at <= p_until and (h.level = 'all' or p.is_paid)
  ) n
  where n.posts > 0;
$$;
comment on function private.unread_posts is
  'The new posts that a user hasn''t seen: for each creator, their number and the newest one. p_creator: only of this one. p_until: without later ones.';

create function private.new_posts_words(p_creator uuid, p_posts int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case p_posts when 1 then 'New post' else 'New posts' end,
    private.name_of(p_creator) || ' published ' || case p_posts
      when 1 then coalesce((select '"' || p.title || '"' from private.posts p where p.id = p_post), 'a post')
      else p_posts || ' posts'
    end || '.';
$$;
comment on function private.new_posts_words is 'The text of the notification about new posts of a creator.';

create type public.new_posts_notice as (
  creator_id uuid,
  posts integer,
  post_id uuid,
  title text,
  message text,
  published_at timestamptz
);
comment on type public.new_posts_notice is 'The unread notification about new posts of one creator.';
comment on column public.new_posts_notice.creator_id is 'The creator''s profiles.id. Never null.';
comment on column public.new_posts_notice.posts is 'How many new posts there are. Never null.';
comment on column public.new_posts_notice.post_id is 'The newest one. Never null.';
comment on column public.new_posts_notice.title is 'Never null.';
comment on column public.new_posts_notice.message is 'Never null.';
comment on column public.new_posts_notice.published_at is 'When the newest one was published: the p_until of what the user sees. Never null.';

create function public.get_new_posts() returns setof public.new_posts_notice
language sql stable security definer rows 20 set search_path = ''
as $$
  select u.creator_id, u.posts, u.post_id, w.title, w.message, u.published_at
  from (
    select * from private.unread_posts((select private.my_profile_id())) order by published_at desc, creator_id limit 100
  ) u
  cross join lateral private.new_posts_words(u.creator_id, u.posts, u.post_id) w
  order by u.published_at desc, u.creator_id;
$$;
comment on function public.get_new_posts is
  'The caller''s unread notifications about new posts, one for each creator, newest first; at most 100, as many as a screen lists.';
revoke execute on function public.get_new_posts() from public, anon;
grant execute on function public.get_new_posts() to authenticated;

create function public.count_new_posts() returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from private.unread_posts((select private.my_profile_id()));
$$;
comment on function public.count_new_posts is 'The number of the caller''s unread notifications about new posts: of creators, not of posts. The badge adds it to the others.';
revoke execute on function public.count_new_posts() from public, anon;
grant execute on function public.count_new_posts() to authenticated;

-- Both devices of a user may do this at the same time: the second one waits, and finds nothing left to do.
create function private.see_posts(p_creator uuid, p_until timestamptz, p_keep boolean) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_count int;
begin
  perform from private.user_settings s where s.user_id = v_me for no key update;
  with seen as materialized (
    select * from private.unread_posts(v_me, p_creator, coalesce(p_until, 'infinity'))
  ), kept as (
    -- A screen lists the newest hundred.
    insert into public.notifications (user_id, type, title, message, data, is_read, created_at)
    select v_me, 'other', w.title, w.message, jsonb_build_object('new_posts', s.posts, 'profile_id', s.creator_id, 'post_id', s.post_id), true,
      s.published_at
    from (select * from seen where p_keep order by published_at desc limit 100) s
    cross join lateral private.new_posts_words(s.creator_id, s.posts, s.post_id) w
  )
  insert into public.post_alerts as l (user_id, creator_id, seen_until)
  select v_me, s.creator_id, s.published_at from seen s
  on conflict (user_id, creator_id) do update set seen_until = greatest(l.seen_until, excluded.seen_until);
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.see_posts is 'Makes new posts seen by the caller. p_keep: whether a notification that was read stays in the list.';

create function public.read_new_posts(creator_profile_id uuid default null, until timestamptz default null) returns int
language sql volatile security definer set search_path = ''
as $$
  select private.see_posts(creator_profile_id, until, true);
$$;
comment on function public.read_new_posts is
  'Marks the caller''s notifications about new posts as read, of one creator or of all, without posts published after until. Returns how many notifications.';
revoke execute on function public.read_new_posts(uuid, timestamptz) from public, anon;
grant execute on function public.read_new_posts(uuid, timestamptz) to authenticated;

create function public.dismiss_new_posts(creator_profile_id uuid, until timestamptz default null) returns int
language sql volatile security definer set search_path = ''
as $$
  select private.see_posts(creator_profile_id, until, false) where creator_profile_id is not null;
$$;
comment on function public.dismiss_new_posts is 'Deletes the caller''s notification about new posts of a creator, without posts published after until. Null for no creator.';
revoke execute on function public.dismiss_new_posts(uuid, timestamptz) from public, anon;
grant execute on function public.dismiss_new_posts(uuid, timestamptz) to authenticated;

-- The bell on a profile.
create function public.get_post_alerts(creator_profile_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce((select l.level from public.post_alerts l where l.user_id = me.id and l.creator_id = creator_profile_id), 'all')
  from (select private.my_profile_id() as id) me
  where exists (select from public.follows f where f.follower_id = me.id and f.following_id = creator_profile_id)
    or exists (
      select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = creator_profile_id and s.access_until > now());
$$;
comment on function public.get_post_alerts is 'Which new posts of a creator the caller hears of: all, paid, or none. Null when the caller neither follows nor subscribes.';
revoke execute on function public.get_post_alerts(uuid) from public, anon;
grant execute on function public.get_post_alerts(uuid) to authenticated;

create function public.set_post_alerts(creator_profile_id uuid, alert_level text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_levels constant text[] := '{none,paid,all}';
begin
  if v_me is null then
    raise exception 'Sign in to choose which new posts you hear of' using errcode = '42501';
  elsif coalesce(alert_level <> all (v_levels), true) then
    raise exception 'alert_level must be all, paid, or none' using errcode = '22023';
  elsif not exists (select from private.profiles p where p.id = creator_profile_id) then
    raise sqlstate 'PT404' using message = 'User not found';
  end if;
  -- Hearing of more begins now: posts from before aren't news.
  insert into public.post_alerts as l (user_id, creator_id, level) values (v_me, creator_profile_id, alert_level)
  on conflict (user_id, creator_id) do update set
    level = excluded.level,
    seen_until = case
      when array_position(v_levels, excluded.level) > array_position(v_levels, l.level) then clock_timestamp()
      else l.seen_until
    end;
  return alert_level;
end;
$$;
comment on function public.set_post_alerts is 'Chooses which new posts of a creator the caller hears of: all, paid, or none. Returns the level. PT404 for an unknown creator.';
revoke execute on function public.set_post_alerts(uuid, text) from public, anon;
grant execute on function public.set_post_alerts(uuid, text) to authenticated;

-- For live updates: clients follow the posts of these creators.
create function public.list_heard_creators() returns setof uuid
language sql stable security definer rows 50 set search_path = ''
as $$
  select h.creator_id from private.heard_creators((select private.my_profile_id())) h order by h.since desc, h.creator_id limit 500;
$$;
comment on function public.list_heard_creators is 'Creators (profiles.id) of whose new posts the caller hears, latest first; at most 500.';
revoke execute on function public.list_heard_creators() from public, anon;
grant execute on function public.list_heard_creators() to authenticated;

create or replace function public.get_unread_counts() returns public.unread_counts
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*)::int from (select from public.notifications n where n.user_id = me.id and not n.is_read limit 1000) unread)
      + (select count(*)::int from private.unread_posts(me.id)),
    (select count(*)::int from (select from private.messages m where m.recipient_id = me.id and not m.is_read limit 1000) unread)
  from (select private.my_profile_id() as id) me;
$$;
comment on function public.get_unread_counts is
  'The caller''s unread notifications, with those about new posts, and messages (GEN-21, GEN-22). Stored ones are counted up to 1000, because a badge shows 99+.';

-- The text of a read notification may quote the title of a post, until the post is deleted.
comment on column public.notifications.data is
  'Ids that the client links to, by type: post_id, profile_id, transaction_id, poll_id, message_id. Of grouped notifications also: group, count, and since, when the group began. Of new posts also: new_posts, their number.';
create index notifications_new_posts_idx on public.notifications ((data ->> 'post_id')) where data ? 'new_posts';
create or replace function private.silence_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where n.user_id = old.creator_id and not n.is_read and n.data ? 'group' and n.data ->> 'group' in ('like:' || old.id, 'comment:' || old.id);
  delete from public.notifications n where n.data ? 'new_posts' and n.data ->> 'post_id' = old.id::text and n.data ->> 'new_posts' = '1';
  return null;
end;
$$;
comment on function private.silence_post is
  'Trigger of posts: deletes the unread grouped notifications about a deleted post, and read ones that say that it was published.';

-- A notification that is read from the start goes out by no other channel.
create or replace function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_pushes boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, channel, user_id, due_at)
    select n.id, c.channel, n.user_id,
      case when c.channel = 'email' and s.digest then private.next_digest(now()) else now() end
    from added n
    join private.user_settings s on s.user_id = n.user_id
    cross join (values ('email'), ('push')) c (channel)
    where not n.is_read
      and case c.channel
        when 'email' then s.email and (s.digest or n.type <> 'like')
        else s.push and n.type <> 'like' and exists (select from private.push_subscriptions p where p.user_id = n.user_id)
      end
      and case private.notification_kind(n.type)
        when 'messages' then s.messages when 'tips' then s.tips when 'subscriptions' then s.subscriptions else true
      end
    returning notification_deliveries.channel
  )
  select bool_or(q.channel = 'push') into v_pushes from queued q;
  -- Push notifications are sent immediately. Emails are sent by a scheduled job, so they need no notify, which would serialize commits.
  if v_pushes then
    notify ovation_pushes;
  end if;
  return null;
end;
$$;
