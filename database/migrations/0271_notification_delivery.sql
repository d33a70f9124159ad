-- Up Migration
-- Notifications leave the building: by e-mail, at once or once a day, and as web push, each as the person wants it (SET-16, SET-17, D9).

alter table private.user_settings add column digest boolean not null default false;
comment on column private.user_settings.digest is 'E-mail once a day, in the morning (UTC), with what was not seen, instead of one for each event.';

create or replace view public.user_settings with (security_barrier = true) as
select
  s.user_id,
  jsonb_build_object('email', s.email, 'push', s.push, 'messages', s.messages, 'tips', s.tips, 'subscriptions', s.subscriptions, 'digest', s.digest) as notifications,
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
comment on column public.user_settings.notifications is '{email, push, messages, tips, subscriptions, digest}, all boolean. Never null.';

-- As before (0101), with the digest.
create or replace function private.update_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.notifications := private.require_settings_shape('notifications', old.notifications, new.notifications);
  new.privacy := private.require_settings_shape('privacy', old.privacy, new.privacy);
  new.security := private.require_settings_shape('security', old.security, new.security);
  if new.security -> 'twoFactorEnabled' <> old.security -> 'twoFactorEnabled' and not private.is_service() then
    raise exception 'Two-factor sign-in follows from the account''s factors' using errcode = '42501',
      hint = 'Enrol and verify a TOTP factor to turn it on; remove the factor to turn it off.';
  end if;
  update private.user_settings set
    email = (new.notifications -> 'email')::boolean,
    push = (new.notifications -> 'push')::boolean,
    messages = (new.notifications -> 'messages')::boolean,
    tips = (new.notifications -> 'tips')::boolean,
    subscriptions = (new.notifications -> 'subscriptions')::boolean,
    digest = (new.notifications -> 'digest')::boolean,
    show_online_status = (new.privacy -> 'showOnlineStatus')::boolean,
    allow_direct_messages = (new.privacy -> 'allowDirectMessages')::boolean,
    two_factor_enabled = (new.security -> 'twoFactorEnabled')::boolean,
    login_alerts = (new.security -> 'loginAlerts')::boolean
  where user_id = old.user_id;
  update private.profiles p set is_private = new.privacy ->> 'profileVisibility' = 'private'
  where p.id = old.user_id and p.is_private <> (new.privacy ->> 'profileVisibility' = 'private');
  select s.* into new from public.user_settings s where s.user_id = old.user_id;
  return new;
end;
$$;

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
comment on table private.push_subscriptions is 'Browsers that show push notifications (RFC 8030, RFC 8291). A dead one is removed when its push service says so.';
comment on column private.push_subscriptions.endpoint is 'Where the browser''s push service takes messages. Whoever knows it can be no other than that browser.';
comment on column private.push_subscriptions.session_id is 'The sign-in that it was made in: a browser that is signed out of shows nothing more.';
create index push_subscriptions_session_id_idx on private.push_subscriptions (session_id); -- the cascade from sessions
create index push_subscriptions_user_id_idx on private.push_subscriptions (user_id, created_at);
alter table private.push_subscriptions enable row level security; -- and no policy: people call the functions below

-- security definer: a browser that somebody else was signed in with before changes hands, which no policy could allow.
create function public.save_push_subscription(endpoint text, p256dh text, auth text, user_agent text default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := private.my_profile_id();
  v_id uuid;
begin
  if v_user is null then
    raise exception 'Sign in to get push notifications' using errcode = '42501';
  end if;
  insert into private.push_subscriptions as s (user_id, endpoint, p256dh, auth, session_id, user_agent)
  values (v_user, save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth,
    (select x.id from auth.sessions x where x.id::text = auth.jwt() ->> 'session_id'), left(save_push_subscription.user_agent, 400))
  on conflict on constraint push_subscriptions_endpoint_key do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, session_id = excluded.session_id, user_agent = excluded.user_agent
  returning s.id into v_id;
  -- Twenty browsers are enough for anybody; the oldest make room.
  delete from private.push_subscriptions s
  where s.user_id = v_user and s.id in (
    select o.id from private.push_subscriptions o where o.user_id = v_user order by o.id = v_id desc, o.created_at desc offset 20);
  return v_id;
end;
$$;
comment on function public.save_push_subscription is 'This browser shows the caller''s push notifications from now on, and nobody else''s. Returns the subscription''s id.';
revoke execute on function public.save_push_subscription(text, text, text, text) from public, anon;
grant execute on function public.save_push_subscription(text, text, text, text) to authenticated;

create function public.list_push_subscriptions()
returns table (id uuid, endpoint text, user_agent text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.endpoint, s.user_agent, s.created_at from private.push_subscriptions s
  where s.user_id = private.my_profile_id() order by s.created_at desc, s.id;
$$;
comment on function public.list_push_subscriptions is 'The caller''s browsers that show push notifications, the newest first.';
revoke execute on function public.list_push_subscriptions() from public, anon;
grant execute on function public.list_push_subscriptions() to authenticated;

create function public.remove_push_subscription(subscription_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.push_subscriptions s where s.id = subscription_id and s.user_id = private.my_profile_id();
  return found;
end;
$$;
comment on function public.remove_push_subscription is 'One of the caller''s browsers shows no more push notifications. False when there is none.';
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
comment on table private.notification_deliveries is 'What is still to be sent. A row leaves when it was sent, was seen in the app first, or is not wanted any more.';
comment on column private.notification_deliveries.user_id is 'The receiver: profiles.id, as in notifications.';
comment on column private.notification_deliveries.attempts is 'How often it was taken up. A failed one is due again, later each time, until it is given up.';
create index notification_deliveries_due_idx on private.notification_deliveries (channel, due_at);
create index notification_deliveries_user_id_idx on private.notification_deliveries (user_id, channel);
alter table private.notification_deliveries enable row level security; -- and no policy: the jobs are its only readers

-- Once for each statement, not for each row: a broadcast writes as many rows as there are people. A like is no reason to write to
-- anybody by itself; it stands in the digest. The switches are asked again before sending: they may change meanwhile.
create function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_pushes boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, channel, user_id, due_at)
    select n.id, c.channel, n.user_id,
      case when c.channel = 'email' and s.digest then date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 day 8 hours' else now() end
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
  -- A push goes out at once; mails wait for the clock, and commits need not queue up to announce them.
  if v_pushes then
    notify ovation_pushes;
  end if;
  return null;
end;
$$;
comment on function private.queue_deliveries is 'Trigger of notifications: what its receivers want by e-mail or push waits to be sent.';
create trigger notifications_queue_deliveries after insert on public.notifications
  referencing new table as added for each statement execute function private.queue_deliveries();

-- Takes up what is due, and moves its next attempt into the future, so that no other node takes it and a crash loses nothing.
create function private.take_deliveries(p_channel text, p_delay_seconds int, p_limit int)
returns table (user_id uuid, notification_id uuid, type text, title text, message text, data jsonb, created_at timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_until timestamptz := now() - make_interval(secs => p_delay_seconds);
begin
  -- Seen in the app meanwhile, switched off meanwhile, or tried often enough.
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
    -- Whoever is written to is told all that waits, not only what is due.
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
  'What is to be sent now by this channel: of people who have something due for longer than the delay, all that waits. To be followed by finish_deliveries; what is not finished is due again after 1, 2, 4 … minutes, six times in all.';
revoke execute on function private.take_deliveries(text, int, int) from public;
grant execute on function private.take_deliveries(text, int, int) to service_role;

create function private.finish_deliveries(p_channel text, p_notifications uuid[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.notification_deliveries d where d.channel = p_channel and d.notification_id = any (p_notifications);
$$;
comment on function private.finish_deliveries is 'These were sent.';
revoke execute on function private.finish_deliveries(text, uuid[]) from public;
grant execute on function private.finish_deliveries(text, uuid[]) to service_role;
grant select, delete on private.push_subscriptions to service_role;
