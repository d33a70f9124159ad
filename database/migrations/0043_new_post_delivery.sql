-- Up Migration

-- New posts by push and email (LOOP-02). A job walks a creator's followers and subscribers in the order of their ids, a few at a time. The
-- transaction that takes them also stores how far the walk has come, so that a crash resumes behind them and never notifies anyone twice.
-- What each of them hears is computed in that moment, from what they haven't seen. There is a row for a fan only after a failure.

-- Settings: new posts are a type of their own, and their emails have their own pace.
alter table private.user_settings
  add column posts boolean not null default true,
  add column post_emails text not null default 'daily'
    constraint user_settings_post_emails_known check (post_emails in ('immediately', 'daily', 'none')),
  add column time_zone text not null default 'UTC',
  add column posts_digested_until timestamptz not null default now();
comment on column private.user_settings.digest is 'One email a day, in the morning, with everything unread, instead of one for each event.';
comment on column private.user_settings.posts is 'Off sends no emails and no push notifications about new posts. The bell shows them.';
comment on column private.user_settings.post_emails is 'When emails about new posts are sent: immediately, daily in one email, or none.';
comment on column private.user_settings.time_zone is 'Where morning is, for the daily email: the name of a time zone, reported by the app.';
comment on column private.user_settings.posts_digested_until is 'Posts published until then were in a daily email, or are older than the choice to get one.';
-- The walk of a daily email.
create index user_settings_time_zone_idx on private.user_settings (time_zone, user_id) where email and posts and post_emails <> 'none';

create or replace view public.user_settings with (security_barrier = true) as
select
  s.user_id,
  jsonb_build_object(
    'email', s.email, 'push', s.push, 'messages', s.messages, 'tips', s.tips, 'subscriptions', s.subscriptions, 'posts', s.posts,
    'digest', s.digest, 'postEmails', s.post_emails
  ) as notifications,
  jsonb_build_object(
    'profileVisibility', case when p.is_private then 'private' else 'public' end,
    'showOnlineStatus', s.show_online_status,
    'allowDirectMessages', s.allow_direct_messages
  ) as privacy,
  jsonb_build_object('twoFactorEnabled', s.two_factor_enabled, 'loginAlerts', s.login_alerts) as security,
  s.updated_at
from private.user_settings s
join private.profiles p on p.id = s.user_id
where s.user_id = (select private.my_profile_id()) or (select private.is_service());
comment on column public.user_settings.notifications is
  '{email, push, messages, tips, subscriptions, posts, digest: boolean, postEmails: immediately, daily, or none}. Never null.';

create or replace function private.require_settings_shape(p_group text, p_before jsonb, p_given jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  v_key text;
  v_value jsonb;
begin
  if jsonb_typeof(p_given) is distinct from 'object' then
    raise exception '% must be an object', p_group using errcode = '22023';
  end if;
  for v_key, v_value in select e.key, e.value from jsonb_each(p_given) e loop
    if not p_before ? v_key then
      raise exception 'Unknown setting %.%', p_group, v_key using errcode = '22023';
    elsif v_key = 'profileVisibility' and v_value not in ('"public"', '"private"') then
      raise exception 'privacy.profileVisibility must be public or private' using errcode = '22023';
    elsif v_key = 'postEmails' and v_value not in ('"immediately"', '"daily"', '"none"') then
      raise exception 'notifications.postEmails must be immediately, daily, or none' using errcode = '22023';
    elsif v_key not in ('profileVisibility', 'postEmails') and jsonb_typeof(v_value) <> 'boolean' then
      raise exception '%.% must be true or false', p_group, v_key using errcode = '22023';
    end if;
  end loop;
  return p_before || p_given;
end;
$$;

create function private.post_emails_of(s private.user_settings) returns text
language sql immutable
as $$
  select case
    when not (s.email and s.posts) then 'none'
    when s.digest and s.post_emails = 'immediately' then 'daily'
    else s.post_emails
  end;
$$;
comment on function private.post_emails_of is 'When a user gets emails about new posts: immediately, daily, or none. With the daily digest on, daily at most.';

create or replace function private.update_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb := private.changes_of(to_jsonb(old), to_jsonb(new));
  v_notifications jsonb := private.changes_of(
    old.notifications, private.require_settings_shape('notifications', old.notifications, new.notifications));
  v_privacy jsonb := private.changes_of(old.privacy, private.require_settings_shape('privacy', old.privacy, new.privacy));
  v_security jsonb := private.changes_of(old.security, private.require_settings_shape('security', old.security, new.security));
begin
  perform private.require_changeable('user_settings', v_changes, '{notifications,privacy,security}');
  if v_security <> '{}' then
    perform private.reject_app();
  end if;
  if v_security ? 'twoFactorEnabled' and not private.is_service() then
    raise exception 'twoFactorEnabled is read-only' using errcode = '42501',
      hint = 'Enroll and verify a TOTP factor to turn it on. Remove the factor to turn it off.';
  end if;
  update private.user_settings s set
    email = coalesce((v_notifications -> 'email')::boolean, s.email),
    push = coalesce((v_notifications -> 'push')::boolean, s.push),
    messages = coalesce((v_notifications -> 'messages')::boolean, s.messages),
    tips = coalesce((v_notifications -> 'tips')::boolean, s.tips),
    subscriptions = coalesce((v_notifications -> 'subscriptions')::boolean, s.subscriptions),
    posts = coalesce((v_notifications -> 'posts')::boolean, s.posts),
    digest = coalesce((v_notifications -> 'digest')::boolean, s.digest),
    post_emails = coalesce(v_notifications ->> 'postEmails', s.post_emails),
    -- A daily email begins with the choice: older posts aren't news, and other emails may have announced them.
    posts_digested_until = case private.post_emails_of(s) when 'daily' then s.posts_digested_until else now() end,
    show_online_status = coalesce((v_privacy -> 'showOnlineStatus')::boolean, s.show_online_status),
    allow_direct_messages = coalesce((v_privacy -> 'allowDirectMessages')::boolean, s.allow_direct_messages),
    two_factor_enabled = coalesce((v_security -> 'twoFactorEnabled')::boolean, s.two_factor_enabled),
    login_alerts = coalesce((v_security -> 'loginAlerts')::boolean, s.login_alerts)
  where s.user_id = old.user_id;
  if v_privacy ? 'profileVisibility' then
    update private.profiles p set is_private = v_privacy ->> 'profileVisibility' = 'private' where p.id = old.user_id;
  end if;
  select s.* into new from public.user_settings s where s.user_id = old.user_id;
  return new;
end;
$$;

-- The daily email in the user's morning (SET-16).
-- A zone that this server's version of the time zone database doesn't know must not stop a notification.
drop function private.next_digest(timestamptz);
create function private.next_digest(p_at timestamptz, p_zone text default 'UTC') returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  return (date_trunc('day', p_at at time zone p_zone - interval '8 hours') + interval '1 day 8 hours') at time zone p_zone;
exception when invalid_parameter_value then
  return private.next_digest(p_at, 'UTC');
end;
$$;
comment on function private.next_digest is 'The next 8:00 in this time zone after p_at, when the daily email is sent.';

create table private.digest_zones (
  time_zone text primary key,
  next_at   timestamptz not null,
  position  uuid not null default '00000000-0000-0000-0000-000000000000',
  taken_at  timestamptz not null default '-infinity'
);
comment on table private.digest_zones is 'All time zones, and the daily email about new posts in each. A job walks the users of a zone once a day.';
comment on column private.digest_zones.next_at is 'When its next daily email is due. In the past while the walk lasts.';
comment on column private.digest_zones.position is 'The last user (profiles.id) whom the walk has taken.';
comment on column private.digest_zones.taken_at is 'When the walk took the last ones. The zone that has waited for longest goes on.';
alter table private.digest_zones enable row level security; -- and no policy
-- As many as browsers name. Looking a zone up in the list of PostgreSQL itself reads a thousand files, and ignores case.
insert into private.digest_zones (time_zone, next_at)
select z.name, private.next_digest(now(), z.name) from pg_catalog.pg_timezone_names z where z.name ~ '^(UTC|[A-Z]\w+/.+)$';

create function public.report_time_zone(zone text) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_settings s set time_zone = z.time_zone from private.digest_zones z
  where s.user_id = private.my_profile_id() and z.time_zone = zone and s.time_zone <> zone;
$$;
comment on function public.report_time_zone is 'Stores the caller''s time zone, so that the daily email comes in the morning. An unknown zone changes nothing.';
revoke execute on function public.report_time_zone(text) from public, anon;
grant execute on function public.report_time_zone(text) to authenticated;

create or replace function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_pushes boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, channel, user_id, due_at)
    select n.id, c.channel, n.user_id,
      case when c.channel = 'email' and s.digest then private.next_digest(now(), s.time_zone) else now() end
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

-- The walks: one row for each creator and channel, whatever the number of followers and posts.
create table private.post_announcements (
  creator_id      uuid not null references private.profiles on delete cascade,
  channel         text not null check (channel in ('email', 'push')),
  announced_until timestamptz not null,
  due_at          timestamptz,
  walk_until      timestamptz,
  position        uuid not null default '00000000-0000-0000-0000-000000000000',
  began_at        timestamptz not null default '-infinity',
  taken_at        timestamptz not null default '-infinity',
  primary key (creator_id, channel)
);
comment on table private.post_announcements is 'How far creators'' new posts have been announced by email and push. A job walks the fans of a creator, and posts that come meanwhile wait for the next walk.';
comment on column private.post_announcements.announced_until is 'Posts published until then have been announced by this channel.';
comment on column private.post_announcements.due_at is 'When the next walk may begin; null without new posts.';
comment on column private.post_announcements.walk_until is 'The walk announces posts published until then. Null when there is no walk.';
comment on column private.post_announcements.position is 'The last fan (profiles.id) whom the walk has taken.';
comment on column private.post_announcements.began_at is 'When the last walk began. The next one waits for some time, so that posts close together are announced together.';
comment on column private.post_announcements.taken_at is 'When the walk took the last fans. The walk that has waited for longest goes on, so that no creator waits for the fans of another one.';
alter table private.post_announcements enable row level security; -- and no policy: only jobs read it
create index post_announcements_open_idx on private.post_announcements (channel, taken_at) where walk_until is not null or due_at is not null;

create table private.post_announcement_retries (
  creator_id  uuid not null,
  channel     text not null,
  user_id     uuid not null references private.profiles on delete cascade,
  posts_after timestamptz not null,
  posts_until timestamptz not null,
  attempts    int not null,
  due_at      timestamptz not null,
  primary key (creator_id, channel, user_id),
  constraint post_announcement_retries_of foreign key (creator_id, channel) references private.post_announcements on delete cascade
);
comment on table private.post_announcement_retries is 'Announcements that a mail server or push service rejected, to be sent again.';
comment on column private.post_announcement_retries.user_id is 'The fan''s profiles.id.';
comment on column private.post_announcement_retries.posts_after is 'It is about posts published later than this.';
comment on column private.post_announcement_retries.posts_until is 'It is about posts published until then.';
comment on column private.post_announcement_retries.attempts is 'How many there have been. After six, it is given up.';
alter table private.post_announcement_retries enable row level security; -- and no policy: only jobs read it
create index post_announcement_retries_due_idx on private.post_announcement_retries (channel, due_at);
create index post_announcement_retries_user_id_idx on private.post_announcement_retries (user_id);

-- Locks the creator's rows of post_announcements until the commit, so that no walk begins while a post is on its way.
create or replace function private.announce_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_at timestamptz := clock_timestamp();
begin
  insert into private.new_posts (post_id, creator_id, is_paid, published_at) values (new.id, new.creator_id, new.post_type <> 'free', v_at);
  insert into private.post_announcements as a (creator_id, channel, announced_until, due_at)
  values (new.creator_id, 'email', v_at - interval '1 microsecond', v_at), (new.creator_id, 'push', v_at - interval '1 microsecond', v_at)
  on conflict (creator_id, channel) do update set
    due_at = coalesce(a.due_at, greatest(excluded.due_at, a.began_at + case a.channel when 'email' then interval '1 hour' else interval '10 minutes' end));
  notify ovation_pushes;
  return null;
end;
$$;

-- The walk of a creator's followers; subscribers have such an index.
create index follows_audience_idx on public.follows (following_id, follower_id);

-- The texts of a post are its title and the 100 characters that everyone sees of a locked post, so that an announcement reveals no more.
create function private.post_news(p_user uuid, p_creator uuid, p_after timestamptz, p_until timestamptz)
returns table (published_at timestamptz, news jsonb)
language sql stable security definer rows 20 set search_path = ''
as $$
  select l.published_at, jsonb_build_object('creatorId', h.creator_id, 'name', coalesce(c.display_name, c.username, 'A creator'),
    'address', coalesce(c.username, c.user_id::text), 'posts', n.posts, 'latest', l.latest)
  from private.heard_creators(p_user, p_creator) h
  join private.profiles c on c.id = h.creator_id
  cross join lateral (
    select count(*)::int as posts from private.new_posts p
    where p.creator_id = h.creator_id and p.published_at > greatest(h.since, p_after) and p.published_at <= p_until and (h.level = 'all' or p.is_paid)
  ) n
  cross join lateral (
    select max(r.published_at) as published_at,
      jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'preview', r.preview) order by r.published_at desc) as latest
    from (
      select p.published_at, o.id, o.title, coalesce(left(o.content, 100), '') as preview
      from private.new_posts p
      join private.posts o on o.id = p.post_id
      where p.creator_id = h.creator_id and p.published_at > greatest(h.since, p_after) and p.published_at <= p_until and (h.level = 'all' or p.is_paid)
      order by p.published_at desc limit 3
    ) r
  ) l
  where n.posts > 0;
$$;
comment on function private.post_news is
  'What a user hears of new posts, for each creator, or for p_creator: those published after p_after, until p_until, that the user hasn''t seen. news: {creatorId, name, address, posts: their number, latest: up to three of {id, title, preview}}.';

create function private.wants_posts(p_users uuid[], p_channel text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select s.user_id from private.user_settings s
  join private.profiles p on p.id = s.user_id and p.suspended_at is null
  where s.user_id = any (p_users)
    and case p_channel
      when 'push' then s.push and s.posts and exists (select from private.push_subscriptions x where x.user_id = s.user_id)
      else private.post_emails_of(s) = 'immediately'
    end;
$$;
comment on function private.wants_posts is 'Those of the users who want new posts announced at once by this channel.';

create function private.audience_after(p_creator uuid, p_position uuid, p_limit int) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select e.id from (
    (select f.follower_id as id from public.follows f
     where f.following_id = p_creator and f.follower_id > p_position order by f.follower_id limit p_limit)
    union
    (select s.subscriber_id from public.subscriptions s
     where s.creator_id = p_creator and s.subscriber_id > p_position and s.access_until > now() order by s.subscriber_id limit p_limit)
  ) e
  order by e.id limit p_limit;
$$;
comment on function private.audience_after is 'A creator''s next followers and subscribers behind this position, in the order of their ids.';

-- Each turn ends after a bounded number of fans, so that it is short even if none of them wants to be notified.
create function private.take_post_announcements(p_channel text, p_delay_seconds int, p_limit int, out more boolean, out recipients jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_walk private.post_announcements;
  v_batch uuid[];
  v_users uuid[] := '{}';
  v_scanned int := 0;
begin
  -- Failed ones first. They return only if they fail again.
  with due as (
    select r.creator_id, r.user_id from private.post_announcement_retries r
    where r.channel = p_channel and r.due_at <= now()
    order by r.due_at limit p_limit for update skip locked
  ), taken as (
    delete from private.post_announcement_retries r using due d
    where r.creator_id = d.creator_id and r.channel = p_channel and r.user_id = d.user_id
    returning r.*
  )
  select count(*) > 0, coalesce(jsonb_agg(
    jsonb_build_object('userId', t.user_id, 'after', t.posts_after, 'until', t.posts_until, 'attempts', t.attempts, 'news', jsonb_build_array(n.news))
  ) filter (where n.news is not null), '[]')
  into more, recipients
  from taken t
  left join lateral private.post_news(t.user_id, t.creator_id, t.posts_after, t.posts_until) n
    on exists (select from private.wants_posts(array[t.user_id], p_channel));
  if more then
    return;
  end if;

  select a.* into v_walk from private.post_announcements a
  where a.channel = p_channel and (a.walk_until is not null or a.due_at <= now() - make_interval(secs => p_delay_seconds))
  order by a.taken_at limit 1 for update skip locked;
  more := found;
  if not more then
    return;
  end if;
  if v_walk.walk_until is null then
    v_walk.began_at := now();
    v_walk.due_at := null;
    select max(n.published_at) into v_walk.walk_until from private.new_posts n
    where n.creator_id = v_walk.creator_id and n.published_at > v_walk.announced_until;
  end if;

  -- Null when the posts have been deleted.
  while v_walk.walk_until is not null and cardinality(v_users) <= p_limit / 2 and v_scanned < 1000 loop
    v_batch := array(select private.audience_after(v_walk.creator_id, v_walk.position, p_limit - cardinality(v_users)));
    v_scanned := v_scanned + cardinality(v_batch);
    if cardinality(v_batch) < p_limit - cardinality(v_users) then
      v_walk.position := null; -- it was the end
    else
      v_walk.position := v_batch[cardinality(v_batch)];
    end if;
    v_users := v_users || array(select private.wants_posts(v_batch, p_channel));
    exit when v_walk.position is null;
  end loop;
  select coalesce(jsonb_agg(jsonb_build_object('userId', u.id, 'after', v_walk.announced_until, 'until', v_walk.walk_until, 'attempts', 0,
    'news', jsonb_build_array(n.news))), '[]')
  into recipients
  from unnest(v_users) u (id)
  cross join lateral private.post_news(u.id, v_walk.creator_id, v_walk.announced_until, v_walk.walk_until) n;
  update private.post_announcements a set
    began_at = v_walk.began_at,
    due_at = v_walk.due_at,
    taken_at = clock_timestamp(),
    position = coalesce(v_walk.position, '00000000-0000-0000-0000-000000000000'),
    walk_until = case when v_walk.position is not null then v_walk.walk_until end,
    announced_until = case when v_walk.position is null then v_walk.walk_until else a.announced_until end
  where a.creator_id = v_walk.creator_id and a.channel = p_channel;
end;
$$;
comment on function private.take_post_announcements is
  'Takes the fans who are next to be notified of new posts by this channel, of the creator who has waited for longest, for longer than the delay. Nobody is taken twice; failed ones are given back with retry_post_announcement. recipients: [{userId, after, until, attempts, news: as in post_news}], at most p_limit. more: whether there may be others.';
revoke execute on function private.take_post_announcements(text, int, int) from public;
grant execute on function private.take_post_announcements(text, int, int) to service_role;

create function private.retry_post_announcement(p_channel text, p_creator uuid, p_user uuid, p_after timestamptz, p_until timestamptz, p_attempts int)
returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.post_announcement_retries as r (creator_id, channel, user_id, posts_after, posts_until, attempts, due_at)
  select p_creator, p_channel, p_user, p_after, p_until, p_attempts, now() + make_interval(mins => (2 ^ (p_attempts - 1))::int)
  where p_attempts < 6 and exists (select from private.profiles p where p.id = p_user)
    and exists (select from private.post_announcements a where a.creator_id = p_creator and a.channel = p_channel)
  on conflict (creator_id, channel, user_id) do update set
    posts_after = least(r.posts_after, excluded.posts_after), posts_until = greatest(r.posts_until, excluded.posts_until);
$$;
comment on function private.retry_post_announcement is 'Gives back an announcement that failed. It is retried after 1, 2, 4, … minutes, with six attempts in total.';
revoke execute on function private.retry_post_announcement(text, uuid, uuid, timestamptz, timestamptz, int) from public;
grant execute on function private.retry_post_announcement(text, uuid, uuid, timestamptz, timestamptz, int) to service_role;

-- Posts of the last minute wait for the next email: one of them may not be visible yet, although it was published before another one.
create function private.take_digest_posts(p_users uuid[], p_with_others boolean) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_until constant timestamptz := now() - interval '1 minute';
  v_recipients jsonb;
begin
  perform from private.user_settings s where s.user_id = any (p_users) order by s.user_id for no key update;
  with wanting as (
    select s.user_id, s.posts_digested_until as after from private.user_settings s
    join private.profiles p on p.id = s.user_id and p.suspended_at is null
    where s.user_id = any (p_users) and private.post_emails_of(s) = 'daily' and (s.digest or not p_with_others)
  ), news as materialized (
    select w.user_id, w.after, jsonb_agg(n.news order by n.published_at desc) as news
    from wanting w
    cross join lateral private.post_news(w.user_id, null, greatest(w.after, v_until - interval '2 days'), v_until) n
    group by w.user_id, w.after
  ), taken as (
    update private.user_settings s set posts_digested_until = v_until from news n where s.user_id = n.user_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('userId', n.user_id, 'after', n.after, 'until', v_until, 'news', n.news)), '[]')
  into v_recipients from news n;
  return v_recipients;
end;
$$;
comment on function private.take_digest_posts is
  'Takes the new posts for the daily email of these users, in the form of take_post_announcements. p_with_others: only of users whose daily email has everything. Nothing is taken twice; return_digest_posts gives back what failed.';
revoke execute on function private.take_digest_posts(uuid[], boolean) from public;
grant execute on function private.take_digest_posts(uuid[], boolean) to service_role;

create function private.return_digest_posts(p_user uuid, p_after timestamptz, p_until timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_settings s set posts_digested_until = p_after where s.user_id = p_user and s.posts_digested_until = p_until;
$$;
comment on function private.return_digest_posts is 'Gives back the posts of a daily email that failed, for the next one.';
revoke execute on function private.return_digest_posts(uuid, timestamptz, timestamptz) from public;
grant execute on function private.return_digest_posts(uuid, timestamptz, timestamptz) to service_role;

create function private.take_post_digests(p_delay_seconds int, p_limit int, out more boolean, out recipients jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_zone private.digest_zones;
  v_batch uuid[];
  v_scanned int := 0;
begin
  recipients := '[]';
  select z.* into v_zone from private.digest_zones z
  where z.next_at <= now() - make_interval(secs => p_delay_seconds)
  order by z.taken_at limit 1 for update skip locked;
  more := found;
  if not more then
    return;
  end if;
  while jsonb_array_length(recipients) <= p_limit / 2 and v_scanned < 500 loop
    v_batch := array(
      select s.user_id from private.user_settings s
      where s.time_zone = v_zone.time_zone and s.email and s.posts and s.post_emails <> 'none' and s.user_id > v_zone.position
      order by s.user_id limit p_limit - jsonb_array_length(recipients));
    v_scanned := v_scanned + cardinality(v_batch);
    v_zone.position := case when cardinality(v_batch) = p_limit - jsonb_array_length(recipients) then v_batch[cardinality(v_batch)] end;
    recipients := recipients || private.take_digest_posts(v_batch, false);
    exit when v_zone.position is null; -- it was the end
  end loop;
  update private.digest_zones z set
    taken_at = clock_timestamp(),
    position = coalesce(v_zone.position, '00000000-0000-0000-0000-000000000000'),
    next_at = case when v_zone.position is null then private.next_digest(now(), z.time_zone) else z.next_at end
  where z.time_zone = v_zone.time_zone;
end;
$$;
comment on function private.take_post_digests is
  'Takes the users who are next to get their daily email about new posts, in a zone where it has been due for longer than the delay. Like take_post_announcements.';
revoke execute on function private.take_post_digests(int, int) from public;
grant execute on function private.take_post_digests(int, int) to service_role;

create or replace function private.wants(p_profile uuid, p_channel text, p_kind text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_channel when 'email' then s.email when 'push' then s.push else false end
      and case p_kind
        when 'messages' then s.messages
        when 'tips' then s.tips
        when 'subscriptions' then s.subscriptions
        when 'posts' then s.posts
        when 'login_alerts' then s.login_alerts
        else true
      end
    from private.user_settings s where s.user_id = p_profile
  ), false);
$$;
