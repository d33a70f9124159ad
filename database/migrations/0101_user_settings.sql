-- Up Migration
-- Settings, the same on every device (DATA-35, SET-15..SET-22, D9, D38), and what enforces them. They are columns with defaults;
-- public.user_settings shows them in the shape of DATA-35. `profileVisibility` is profiles.is_private itself, not a copy (SET-18).
create table private.user_settings (
  user_id               uuid primary key references private.profiles on delete cascade,
  email                 boolean not null default true,
  push                  boolean not null default true,
  messages              boolean not null default true,
  tips                  boolean not null default true,
  subscriptions         boolean not null default true,
  show_online_status    boolean not null default true,
  allow_direct_messages boolean not null default true,
  two_factor_enabled    boolean not null default false,
  login_alerts          boolean not null default true,
  updated_at            timestamptz not null default now()
);
comment on table private.user_settings is 'What each person decided, made with the profile. Read through public.user_settings.';
comment on column private.user_settings.user_id is 'profiles.id, as in notifications and messages.';
comment on column private.user_settings.email is 'Channel: off sends no e-mail about events (SET-16). Mail that an account needs (confirmation, password) is no event.';
comment on column private.user_settings.allow_direct_messages is 'Off: only people whom the person has written to may write to them (SET-20).';
comment on column private.user_settings.two_factor_enabled is 'Written by auth/v1 when a TOTP factor is verified or removed, never by a client.';
alter table private.user_settings enable row level security; -- and no policy: people read the view
create trigger user_settings_touch before update on private.user_settings for each row execute function private.touch_updated_at();

insert into private.user_settings (user_id) select p.id from private.profiles p;

create function private.create_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.user_settings (user_id) values (new.id);
  return null;
end;
$$;
comment on function private.create_settings is 'Settings come with the profile, at their defaults (D38).';
create trigger profiles_create_settings after insert on private.profiles for each row execute function private.create_settings();

create view public.user_settings with (security_barrier = true) as
select
  s.user_id,
  jsonb_build_object('email', s.email, 'push', s.push, 'messages', s.messages, 'tips', s.tips, 'subscriptions', s.subscriptions) as notifications,
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
comment on view public.user_settings is 'One''s own settings (DATA-35). An update may bring a group in part: what it leaves out stays.';
comment on column public.user_settings.notifications is '{email, push, messages, tips, subscriptions}, all boolean. Never null.';
comment on column public.user_settings.privacy is '{profileVisibility: public or private, showOnlineStatus, allowDirectMessages}. Never null.';
comment on column public.user_settings.security is '{twoFactorEnabled (read-only), loginAlerts}. Never null.';

-- A stranger's word in a settings object is a client's mistake, and is said to be one, instead of being dropped.
create function private.require_settings_shape(p_group text, p_before jsonb, p_given jsonb) returns jsonb
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
      raise exception '%.% is no setting', p_group, v_key using errcode = '22023';
    elsif v_key = 'profileVisibility' and v_value not in ('"public"', '"private"') then
      raise exception 'privacy.profileVisibility is public or private' using errcode = '22023';
    elsif v_key <> 'profileVisibility' and jsonb_typeof(v_value) <> 'boolean' then
      raise exception '%.% is true or false', p_group, v_key using errcode = '22023';
    end if;
  end loop;
  return p_before || p_given;
end;
$$;
comment on function private.require_settings_shape is 'The group with the given settings taken over. Refuses unknown names and wrong types.';

create function private.update_settings() returns trigger
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
comment on function private.update_settings is 'Trigger of public.user_settings: groups are merged, checked and written where they are enforced.';
create trigger user_settings_update instead of update on public.user_settings for each row execute function private.update_settings();
create trigger user_settings_no_insert instead of insert or delete on public.user_settings
  for each row execute function private.refuse_view_change('Settings come and go with the account: update them.');
grant select, update (notifications, privacy, security) on public.user_settings to authenticated;
-- insert and delete are not granted: the row lives as long as the profile.

-- Asked by whatever sends e-mail and push, just before it sends.
create function private.wants(p_profile uuid, p_channel text, p_kind text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_channel when 'email' then s.email when 'push' then s.push else false end
      and case p_kind
        when 'messages' then s.messages
        when 'tips' then s.tips
        when 'subscriptions' then s.subscriptions
        when 'login_alerts' then s.login_alerts
        else true
      end
    from private.user_settings s where s.user_id = p_profile
  ), false);
$$;
comment on function private.wants is
  'Whether the person wants to hear of this by this channel (SET-16, SET-17, SET-22). p_channel: email, push. p_kind: messages, tips, subscriptions, login_alerts; any other kind follows the channel alone.';

-- The kind by which a notification's type is switched on and off (SET-17).
create function private.notification_kind(type text) returns text
language sql immutable set search_path = ''
as $$
  select case type when 'message' then 'messages' when 'tip' then 'tips' when 'subscription' then 'subscriptions' when 'payment' then 'subscriptions' else type end;
$$;
comment on function private.notification_kind is 'Which of a person''s switches a notification of this type obeys, for private.wants.';

-- When people were last here. A table of its own: it is written every minute, and profiles carry many indexes.
create table private.presence (
  profile_id   uuid primary key references private.profiles on delete cascade,
  last_seen_at timestamptz not null default now()
) with (fillfactor = 70);
comment on table private.presence is 'When a person last had a screen open. Shown as profiles.last_seen_at, unless the person hides it (SET-19).';
alter table private.presence enable row level security; -- and no policy

create function public.record_presence() returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.presence as p (profile_id)
  select me.id from private.profiles me where me.user_id = auth.uid()
  on conflict (profile_id) do update set last_seen_at = now() where p.last_seen_at < now() - interval '30 seconds';
$$;
comment on function public.record_presence is 'The caller is here. Screens call it once a minute; more often changes nothing.';
grant execute on function public.record_presence() to authenticated;

-- As before (0012), with blocks and presence: to either side of a block the other's profile is closed.
create or replace view public.profiles as
select
  p.id,
  p.user_id,
  p.username,
  p.display_name,
  p.avatar_url,
  case when viewer.reads_profile then p.cover_url end as cover_url,
  case when viewer.reads_profile then p.bio end as bio,
  case when viewer.reads_profile then p.website_url end as website_url,
  p.is_creator,
  p.is_verified,
  p.is_private,
  p.tiered_access,
  case when viewer.reads_profile then p.categories else '{}' end as categories,
  case when exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'admin') then 'admin' else 'user' end as role,
  p.followers_count,
  p.following_count,
  p.total_photos,
  p.total_videos,
  p.total_posts,
  case when viewer.is_own then p.total_earnings end as total_earnings,
  case when viewer.is_own then p.terms_accepted_at end as terms_accepted_at,
  case when viewer.is_own then p.stripe_account_id end as stripe_account_id,
  case when viewer.is_own then p.stripe_onboarding_completed end as stripe_onboarding_completed,
  case when viewer.is_own then p.stripe_charges_enabled end as stripe_charges_enabled,
  case when viewer.is_own then p.stripe_payouts_enabled end as stripe_payouts_enabled,
  p.created_at,
  p.updated_at,
  case when viewer.reads_profile then (
    select v.last_seen_at from private.presence v join private.user_settings s on s.user_id = v.profile_id
    where v.profile_id = p.id and (s.show_online_status or viewer.is_own)
  ) end as last_seen_at
from private.profiles p
cross join lateral (
  select own.is_own, own.is_own or (not p.is_private and p.id <> all ((select private.my_blocks())::uuid[])) as reads_profile
  from (select coalesce(p.user_id = (select auth.uid()), false) or (select private.is_privileged()) as is_own) own
  offset 0
) viewer;
comment on column public.profiles.categories is 'Up to three of the eight (D36); empty for others while the profile is private, or across a block. Never null.';
comment on column public.profiles.last_seen_at is 'When the person was last here (SET-19); null when that is hidden.';
