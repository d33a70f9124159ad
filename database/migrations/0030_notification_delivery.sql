-- Up Migration

-- Grouped notifications for likes, comments, and new followers (NOTI-15): one unread notification for each post, and one for all followers,
-- names the last user and counts the others, so that a popular post doesn't hide everything else. Undoing a like counts back. Writers of
-- one group can't race, because each of them has locked the counter of the same post or profile.
-- The rest of this file sends notifications by email and web push (SET-16, SET-17, D9).
create index notifications_open_groups_idx on public.notifications (user_id, (data ->> 'group')) where not is_read and data ? 'group';
create function private.group_words(p_kind text, p_actor uuid, p_count int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case p_kind when 'like' then 'New like' when 'comment' then 'New comment' else 'New follower' end || case when p_count > 1 then 's' else '' end,
    coalesce(private.name_of(p_actor), 'Someone')
      || case
        when p_count < 2 then ''
        when p_kind = 'comment' then ' and others' -- one user may write several comments
        when p_count = 2 then ' and one other'
        else ' and ' || (p_count - 1) || ' others'
      end
      || case
        when p_kind = 'follow' then ' started following you.'
        when p_kind = 'like' then ' liked '
        when p_count > 1 then ' wrote ' || p_count || ' comments on '
        else ' commented on '
      end
      || case when p_kind = 'follow' then '' else coalesce((select '"' || p.title || '"' from private.posts p where p.id = p_post), 'your post') || '.' end;
$$;
comment on function private.group_words is 'The text of a grouped notification. It doesn''t quote comments, because they may be deleted.';
create function private.ring_together(p_user uuid, p_kind text, p_actor uuid, p_post uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_group text := concat_ws(':', p_kind, p_post);
  v_entry public.notifications;
  v_words record;
begin
  if p_user = p_actor then
    return; -- users aren't notified of their own actions
  end if;
  select n.* into v_entry from public.notifications n
  where n.user_id = p_user and not n.is_read and n.data ? 'group' and n.data ->> 'group' = v_group
  limit 1 for update;
  v_words := private.group_words(p_kind, p_actor, coalesce((v_entry.data ->> 'count')::int, 0) + 1, p_post);
  if v_entry.id is null then
    perform private.notify(p_user, case p_kind when 'like' then 'like' else 'other' end, v_words.title, v_words.message,
      jsonb_strip_nulls(jsonb_build_object('group', v_group, 'count', 1, 'since', now(), 'profile_id', p_actor, 'post_id', p_post)));
  else
    update public.notifications n set
      title = v_words.title,
      message = v_words.message,
      data = n.data || jsonb_build_object('count', (n.data ->> 'count')::int + 1, 'profile_id', p_actor),
      created_at = now()
    where n.id = v_entry.id;
  end if;
end;
$$;
comment on function private.ring_together is 'Notifies a user of what others did, with one unread notification for each group (NOTI-15).';

-- p_since: when it was done; what was done before the group began isn't counted in it. p_next: the user to name instead, if p_actor is named.
create function private.take_back(p_user uuid, p_kind text, p_actor uuid, p_post uuid, p_since timestamptz, p_next uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_entry public.notifications;
  v_count int;
  v_actor uuid;
  v_words record;
begin
  select n.* into v_entry from public.notifications n
  where n.user_id = p_user and not n.is_read and n.data ? 'group' and n.data ->> 'group' = concat_ws(':', p_kind, p_post)
    and p_since >= (n.data ->> 'since')::timestamptz
  limit 1 for update;
  v_count := (v_entry.data ->> 'count')::int - 1;
  v_actor := case when v_entry.data ->> 'profile_id' = p_actor::text then p_next else (v_entry.data ->> 'profile_id')::uuid end;
  if v_count < 1 or v_actor is null then
    delete from public.notifications n where n.id = v_entry.id;
  else
    v_words := private.group_words(p_kind, v_actor, v_count, p_post);
    update public.notifications n set
      title = v_words.title,
      message = v_words.message,
      data = n.data || jsonb_build_object('count', v_count, 'profile_id', v_actor)
    where n.id = v_entry.id;
  end if;
end;
$$;
comment on function private.take_back is 'Counts back a grouped notification when a like, comment, or follow is deleted before it was read. Deletes the notification with the last one.';
create trigger post_likes_ring after insert on public.post_likes referencing new table as changed for each statement execute function private.ring_for_likes();
create trigger comments_ring after insert on public.comments referencing new table as changed for each statement execute function private.ring_for_comments();
create trigger follows_ring after insert on public.follows referencing new table as changed for each statement execute function private.ring_for_follows();
create function private.silence_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where n.user_id = old.creator_id and not n.is_read and n.data ? 'group' and n.data ->> 'group' in ('like:' || old.id, 'comment:' || old.id);
  return null;
end;
$$;
comment on function private.silence_post is 'Trigger of posts: deletes the unread grouped notifications about a deleted post.';
create trigger posts_silence after delete on private.posts for each row execute function private.silence_post();

-- The first approved creator, whom /protected-content shows by default (PREM-02).
create index profiles_first_creator_idx on private.profiles (created_at) where is_verified;

create table private.push_subscriptions (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references private.profiles on delete cascade,
  endpoint     text not null check (length(endpoint) between 12 and 2000 and endpoint ~ '^https?://'),
  p256dh       text not null check (length(p256dh) between 40 and 200),
  auth         text not null check (length(auth) between 8 and 100),
  session_id   uuid references auth.sessions on delete cascade,
  user_agent   text check (length(user_agent) <= 400),
  created_at   timestamptz not null default now(),
  constraint push_subscriptions_endpoint_key unique (endpoint)
);
comment on table private.push_subscriptions is 'Browsers that show push notifications (RFC 8030, RFC 8291). A subscription is deleted when its push service reports that it has expired.';
comment on column private.push_subscriptions.endpoint is 'The URL of the push service for this browser. Only this browser knows it.';
comment on column private.push_subscriptions.session_id is 'The session in which it was created. Signing out ends the push notifications of the browser.';
alter table private.push_subscriptions enable row level security; -- and no policy: clients call the functions below
create index push_subscriptions_session_id_idx on private.push_subscriptions (session_id); -- the cascade from sessions
create index push_subscriptions_user_id_idx on private.push_subscriptions (user_id, created_at);

-- security definer: a browser where another user was signed in before changes its user, which no policy could allow.
create function public.save_push_subscription(endpoint text, p256dh text, auth text, user_agent text default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := private.my_profile_id();
  v_id uuid;
begin
  perform private.reject_app();
  if v_user is null then
    raise exception 'Sign in to get push notifications' using errcode = '42501';
  end if;
  insert into private.push_subscriptions as s (user_id, endpoint, p256dh, auth, session_id, user_agent)
  values (v_user, save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth,
    (select x.id from auth.sessions x where x.id::text = auth.jwt() ->> 'session_id'), left(save_push_subscription.user_agent, 400))
  on conflict on constraint push_subscriptions_endpoint_key do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, session_id = excluded.session_id, user_agent = excluded.user_agent
  returning s.id into v_id;
  -- At most twenty browsers; the oldest ones are deleted.
  delete from private.push_subscriptions s
  where s.user_id = v_user and s.id in (
    select o.id from private.push_subscriptions o where o.user_id = v_user order by o.id = v_id desc, o.created_at desc offset 20);
  return v_id;
end;
$$;
comment on function public.save_push_subscription is 'This browser shows only the caller''s push notifications from now on. Returns the id of the subscription.';
revoke execute on function public.save_push_subscription(text, text, text, text) from public, anon;
grant execute on function public.save_push_subscription(text, text, text, text) to authenticated;
create function public.list_push_subscriptions()
returns table (id uuid, endpoint text, user_agent text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.endpoint, s.user_agent, s.created_at from private.push_subscriptions s
  where s.user_id = private.my_profile_id() and not auth.jwt() ? 'client_id' order by s.created_at desc, s.id;
$$;
comment on function public.list_push_subscriptions is 'The caller''s browsers that show push notifications, newest first. Connected apps see none.';
revoke execute on function public.list_push_subscriptions() from public, anon;
grant execute on function public.list_push_subscriptions() to authenticated;
create function public.remove_push_subscription(subscription_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.reject_app();
  delete from private.push_subscriptions s where s.id = subscription_id and s.user_id = private.my_profile_id();
  return found;
end;
$$;
comment on function public.remove_push_subscription is 'Turns off push notifications on one of the caller''s browsers. False when there is no such subscription.';
revoke execute on function public.remove_push_subscription(uuid) from public, anon;
grant execute on function public.remove_push_subscription(uuid) to authenticated;
create table private.notification_deliveries (
  notification_id uuid not null references public.notifications on delete cascade,
  channel         text not null check (channel in ('email', 'push')),
  user_id         uuid not null references private.profiles on delete cascade,
  due_at          timestamptz not null,
  attempts        int not null default 0,
  primary key (notification_id, channel)
);
comment on table private.notification_deliveries is 'Notifications to send by email or push. A row is deleted when it was sent, read in the app, or turned off in the settings.';
comment on column private.notification_deliveries.user_id is 'The receiver''s profiles.id, as in notifications.';
comment on column private.notification_deliveries.attempts is 'The number of attempts. A failed attempt is retried with an increasing delay, until it is given up.';
alter table private.notification_deliveries enable row level security; -- and no policy: only jobs read it
create index notification_deliveries_due_idx on private.notification_deliveries (channel, due_at);
create index notification_deliveries_user_id_idx on private.notification_deliveries (user_id, channel);

-- Runs once for each statement, because a broadcast inserts a row for each user. Likes are only in the daily email. The settings are checked
-- again before sending, because they may change.
create function private.queue_deliveries() returns trigger
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
    where case c.channel
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
comment on function private.queue_deliveries is 'Trigger of notifications: queues what the receivers want by email or push.';
create trigger notifications_queue_deliveries after insert on public.notifications
  referencing new table as added for each statement execute function private.queue_deliveries();

-- Takes what is due and moves its next attempt into the future, so that no other node takes it and a crash loses nothing.
create function private.take_deliveries(p_channel text, p_delay_seconds int, p_limit int)
returns table (user_id uuid, notification_id uuid, type text, title text, message text, data jsonb, created_at timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_until timestamptz := now() - make_interval(secs => p_delay_seconds);
begin
  -- Read in the app, turned off in the settings, or tried often enough.
  delete from private.notification_deliveries d
  using public.notifications n
  where d.channel = p_channel and d.due_at <= v_until and n.id = d.notification_id
    and (n.is_read or d.attempts >= 6 or not private.wants(d.user_id, p_channel, private.notification_kind(n.type)));
  return query
  with due as (
    select d.user_id from private.notification_deliveries d
    where d.channel = p_channel and d.due_at <= v_until
    order by d.due_at limit p_limit
  ), waiting as (
    -- Everything that is queued for these users, not only what is due.
    select d.notification_id from private.notification_deliveries d
    where d.channel = p_channel and d.user_id in (select due.user_id from due) and (d.attempts = 0 or d.due_at <= v_until)
    for update skip locked
  ), taken as (
    update private.notification_deliveries d
    set attempts = d.attempts + 1, due_at = now() + make_interval(mins => (2 ^ d.attempts)::int)
    from waiting w where d.notification_id = w.notification_id and d.channel = p_channel
    returning d.notification_id
  )
  select n.user_id, n.id, n.type, n.title, n.message, n.data, n.created_at
  from taken t join public.notifications n on n.id = t.notification_id
  where not n.is_read and private.wants(n.user_id, p_channel, private.notification_kind(n.type))
  order by n.user_id, n.created_at, n.id;
end;
$$;
comment on function private.take_deliveries is
  'Takes what to send now by this channel: everything queued for users who have something due for longer than the delay. finish_deliveries must follow; what isn''t finished is retried after 1, 2, 4, … minutes, with six attempts in total.';
revoke execute on function private.take_deliveries(text, int, int) from public;
grant execute on function private.take_deliveries(text, int, int) to service_role;
create function private.finish_deliveries(p_channel text, p_notifications uuid[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.notification_deliveries d where d.channel = p_channel and d.notification_id = any (p_notifications);
$$;
comment on function private.finish_deliveries is 'Deletes deliveries that were sent.';
revoke execute on function private.finish_deliveries(text, uuid[]) from public;
grant execute on function private.finish_deliveries(text, uuid[]) to service_role;
grant select, delete on private.push_subscriptions to service_role;

-- What happens at night is in the email of the same morning (SET-16).
create function private.next_digest(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$
  select (date_trunc('day', p_at at time zone 'UTC' - interval '8 hours') + interval '1 day 8 hours') at time zone 'UTC';
$$;
comment on function private.next_digest is 'The next 8:00 (UTC) after p_at, when the daily email is sent.';
revoke execute on function private.next_digest from public;
