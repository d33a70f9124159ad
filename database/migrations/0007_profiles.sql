-- Up Migration

-- Profiles: one for each account, created with it (DATA-02, DATA-03, DATA-04, DATA-05, DATA-16). Clients can't read private.profiles;
-- public.profiles shows what a viewer may see (PROF-22).
--
-- reach is a power of two, so it rarely changes: most follows update a profile without touching its indexes. fillfactor leaves room on the
-- page for the new version of a row, for the same reason.
--
-- An admin can suspend an account (GEN-05, GEN-35). From then on, my_profile_id() is null, so that every policy treats the user as
-- signed out, even while an access token is still valid. To others, the profile looks private: what they paid for stays open until it
-- expires, and nothing new is sold.
--
-- terms_version records which texts the user agreed to (AUTH-07, D16). The date alone doesn't tell, because the page shows today's date (D18).
create table private.profiles (
  id                  uuid primary key default gen_random_uuid(),
  user_id             uuid not null references auth.users on delete cascade,
  username            text not null,
  display_name        text constraint profiles_display_name_length check (length(display_name) <= 50),
  avatar_url          text constraint profiles_avatar_url_length check (length(avatar_url) <= 2048),
  cover_url           text constraint profiles_cover_url_length check (length(cover_url) <= 2048),
  bio                 text constraint profiles_bio_length check (length(bio) <= 1000),
  website_url         text constraint profiles_website_url_format check (website_url ~* '^https?://\S+$' and length(website_url) <= 200),
  is_creator          boolean not null default false,
  is_verified         boolean not null default false,
  is_private          boolean not null default false,
  tiered_access       boolean not null default false,
  categories          text[] not null default '{}',
  followers_count     int not null default 0 check (followers_count >= 0),
  following_count     int not null default 0 check (following_count >= 0),
  total_photos        int not null default 0 check (total_photos >= 0),
  total_videos        int not null default 0 check (total_videos >= 0),
  total_posts         int not null default 0 check (total_posts >= 0),
  total_earnings      bigint not null default 0,
  terms_accepted_at   timestamptz,
  stripe_account_id           text,
  stripe_onboarding_completed boolean not null default false,
  stripe_charges_enabled      boolean not null default false,
  stripe_payouts_enabled      boolean not null default false,
  subscribers_count   int not null default 0 check (subscribers_count >= 0),
  likes_received      int not null default 0 check (likes_received >= 0),
  last_posted_at      timestamptz,
  lowest_price_cents  numeric(12, 2),
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  is_listed boolean not null default false,
  reach smallint not null generated always as (ceil(log(2, followers_count + 1))::smallint) stored,
  suspended_at timestamptz,
  suspension_reason text constraint profiles_suspension_reason_length check (length(suspension_reason) between 1 and 500),
  was_private boolean,
  terms_version text constraint profiles_terms_version_length check (length(terms_version) between 1 and 40),
  constraint profiles_user_id_key unique (user_id),
  constraint profiles_username_key unique (username),
  constraint profiles_username_format check (username ~ '^[a-z0-9_-]{3,30}$'),
  constraint profiles_stripe_account_id_key unique (stripe_account_id),
  constraint profiles_categories_known check (categories <@ array['Fitness', 'Lifestyle', 'Photography', 'Fashion', 'Cooking', 'Art', 'Travel', 'Wellness']),
  constraint profiles_categories_at_most_three check (cardinality(categories) <= 3),
  constraint profiles_suspension_whole check (num_nulls(suspended_at, suspension_reason, was_private) in (0, 3))
) with (fillfactor = 85);
comment on table private.profiles is 'The public profile of an account. The rest of the product refers to users by profiles.id, not by auth.users.id.';
comment on column private.profiles.username is 'Always lowercase, so that it is unique regardless of case (AUTH-09, AUTH-10).';
comment on column private.profiles.is_creator is 'The user wants to be a creator. An approved application sets it (D25).';
comment on column private.profiles.is_verified is 'True while the user has an approved application. Set by creator_applications.';
comment on column private.profiles.tiered_access is 'The creator''s switch "higher plans unlock more" (POST-43, D14).';
comment on column private.profiles.total_earnings is 'Earnings after the platform''s fee, in cents. Maintained by transactions.';
comment on column private.profiles.terms_accepted_at is 'When the user confirmed their age and the terms (AUTH-07, DATA-05).';
comment on column private.profiles.subscribers_count is 'Subscriptions that are active, trial, or past_due. Maintained by subscriptions.';
comment on column private.profiles.lowest_price_cents is 'The monthly price of the cheapest active plan, in cents (D36). Maintained by subscription_products.';
comment on column private.profiles.is_listed is 'Appears in Explore: wants to be a creator, is approved or an admin, and isn''t private. Maintained by triggers.';
comment on column private.profiles.reach is 'The power of two above followers_count. Search looks at profiles in this order.';
comment on column private.profiles.suspended_at is 'When an admin suspended the user; null when the user isn''t suspended.';
comment on column private.profiles.suspension_reason is 'The reason, as shown to the user.';
comment on column private.profiles.was_private is 'Whether the profile was private before the suspension, which makes it private.';
comment on column private.profiles.terms_version is 'The version of the Terms of Service and the Privacy Policy that the user agreed to at terms_accepted_at; null when it wasn''t recorded.';
comment on column private.profiles.stripe_charges_enabled is
  'Whether the creator can be paid: the transfers capability of the Stripe account is active. Without it, nothing is sold and nothing renews.';
alter table private.profiles enable row level security; -- and no policy: clients read the view
create index profiles_username_trgm_idx on private.profiles using gin (username extensions.gin_trgm_ops); -- SRCH-04
create index profiles_display_name_trgm_idx on private.profiles using gin (display_name extensions.gin_trgm_ops);

-- REF-14. Among 100,000 profiles, eight hex digits collide: private.create_profile then draws another id. The unique index is on an
-- expression and not on a generated column, because then every update of a counter would lock the row against all foreign keys.
create function private.referral_code(profile uuid) returns text
language sql immutable set search_path = ''
as $$
  select 'REF' || upper(left(profile::text, 8));
$$;
comment on function private.referral_code is 'A user''s referral code, derived from the profile id (REF-14, D30).';
create unique index profiles_referral_code_key on private.profiles (private.referral_code(id));
create trigger profiles_touch before update of username, display_name, avatar_url, cover_url, bio, website_url, categories
  on private.profiles for each row execute function private.touch_updated_at(); -- counters leave updated_at alone (API-STO-04)
create function private.my_profile_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id from private.profiles p where p.user_id = auth.uid() and p.suspended_at is null;
$$;
comment on function private.my_profile_id is 'The caller''s profiles.id; null for a visitor and for a suspended user.';
grant execute on function private.my_profile_id() to anon, authenticated;
create function private.is_approved_creator(profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.profiles p
    where p.id = profile and (p.is_verified or public.has_role(p.user_id, 'admin'))
  );
$$;
comment on function private.is_approved_creator is 'True when the user may publish and sell: an approved application, or the admin role (D25, DASH-09).';
grant execute on function private.is_approved_creator(uuid) to authenticated;
create function private.is_private_profile(profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.id = profile and p.is_private);
$$;
comment on function private.is_private_profile is 'True when the profile is private (PROF-22).';
grant execute on function private.is_private_profile(uuid) to anon, authenticated;
create function private.normalize_username(username text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(lower(regexp_replace(username, '\s', '', 'g')), '');
$$;
comment on function private.normalize_username is 'The username in lowercase, without white space (AUTH-09); null when nothing is left.';
create function private.require_username(username text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if username is null or username !~ '^[a-z0-9_-]{3,30}$' then
    raise exception 'A username has 3 to 30 characters: lowercase letters, digits, underscore and hyphen.'
      using errcode = '23514', constraint = 'profiles_username_format';
  end if;
end;
$$;
comment on function private.require_username is 'Rejects an invalid username with a message for users.';
create function private.username_taken() returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception 'This username is already taken. Please choose another one.'
    using errcode = '23505', constraint = 'profiles_username_key';
end;
$$;
comment on function private.username_taken is 'Raises the error for a taken username (AUTH-10), with the code and name of the constraint.';

-- The first attempt is the local part of the email, without characters that usernames can't have. Later attempts add a random suffix.
create function private.suggest_username(email text, attempt int) returns text
language sql volatile set search_path = ''
as $$
  with base as (
    select left(regexp_replace(lower(split_part(coalesce(email, ''), '@', 1)), '[^a-z0-9_-]', '', 'g'), 23) as name
  )
  select case
    when attempt = 0 and length(name) >= 3 then name
    else case when length(name) >= 3 then name else 'user' end || '-' || substr(md5(gen_random_uuid()::text), 1, 6)
  end
  from base;
$$;
comment on function private.suggest_username is 'A username for a user who didn''t choose one.';
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_meta jsonb := coalesce(new.raw_user_meta_data, '{}');
  v_username text := private.normalize_username(v_meta ->> 'username');
  v_constraint text;
begin
  if v_username is not null then
    perform private.require_username(v_username);
  end if;
  for attempt in 0..9 loop
    begin
      insert into private.profiles (user_id, username, display_name, is_creator, terms_accepted_at)
      values (
        new.id,
        coalesce(v_username, private.suggest_username(new.email, attempt)),
        left(private.trimmed(v_meta ->> 'display_name'), 50),
        coalesce(v_meta ->> 'is_creator', 'false') = 'true',
        case when v_meta ->> 'terms_accepted' = 'true' then now() end
      );
      return null;
    exception when unique_violation then
      get stacked diagnostics v_constraint = constraint_name;
      if v_constraint = 'profiles_username_key' and v_username is not null then
        perform private.username_taken();
      end if; -- otherwise the suggested name or the referral code is taken: try again
    end;
  end loop;
  raise exception 'Could not find an available username' using errcode = 'PT503', hint = 'Choose a username and try again.';
end;
$$;
comment on function private.create_profile is 'Trigger of auth.users: creates the profile with the account. If it fails, so does the account.';
create trigger users_create_profile after insert on auth.users for each row execute function private.create_profile();
create function private.insert_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
  v_constraint text;
begin
  if new.user_id is distinct from auth.uid() and not private.is_service() then
    raise exception 'You can only create a profile for your own account' using errcode = '42501';
  end if;
  new.username := private.normalize_username(new.username);
  perform private.require_username(new.username);
  insert into private.profiles (user_id, username, display_name)
  values (new.user_id, new.username, private.trimmed(new.display_name))
  returning * into v_profile;
  select p.* into new from public.profiles p where p.id = v_profile.id;
  return new;
exception when unique_violation then
  get stacked diagnostics v_constraint = constraint_name;
  if v_constraint = 'profiles_username_key' then
    perform private.username_taken();
  end if;
  raise;
end;
$$;
comment on function private.insert_profile is 'Trigger of public.profiles (API-REST-02): creates a profile for an account that has none.';

-- A row of another user is skipped, as a policy would. The grants decide which columns may change.
create function private.update_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb := private.changes_of(to_jsonb(old), to_jsonb(new));
  v_now private.profiles;
  v_constraint text;
begin
  if old.user_id is distinct from auth.uid() and not private.is_service() then
    if not private.is_admin() then
      return null;
    end if;
    -- Of other users, an admin can only change the creator flag (API-REST-08).
    perform private.require_changeable('profiles', v_changes, '{is_creator}');
  else
    perform private.require_changeable('profiles', v_changes,
      '{username,display_name,avatar_url,cover_url,bio,website_url,is_creator,is_private,tiered_access,categories}');
  end if;
  if v_changes ? 'username' then
    v_changes := v_changes || jsonb_build_object('username', private.normalize_username(new.username));
    if v_changes ->> 'username' is distinct from old.username then
      perform private.require_username(v_changes ->> 'username');
    end if;
  end if;
  -- Read the row again: someone else may have changed it since the statement read it.
  select * into v_now from private.profiles p where p.id = old.id for no key update;
  v_now := jsonb_populate_record(v_now, v_changes);
  update private.profiles p set
    username = v_now.username,
    display_name = private.trimmed(v_now.display_name),
    avatar_url = private.trimmed(v_now.avatar_url),
    cover_url = private.trimmed(v_now.cover_url),
    bio = private.trimmed(v_now.bio),
    website_url = private.trimmed(v_now.website_url),
    is_creator = v_now.is_creator,
    is_private = v_now.is_private,
    tiered_access = v_now.tiered_access,
    categories = v_now.categories
  where p.id = old.id;
  if not found then
    return null;
  end if;
  select p.* into new from public.profiles p where p.id = old.id;
  return new;
exception when unique_violation then
  get stacked diagnostics v_constraint = constraint_name;
  if v_constraint = 'profiles_username_key' then
    perform private.username_taken();
  end if;
  raise;
end;
$$;
comment on function private.update_profile is 'Trigger of public.profiles: users update their own row, and admins update the creator flag.';

-- Settings, the same on every device (DATA-35, SET-15..SET-22, D9, D38): columns with defaults, which public.user_settings shows in the
-- shape of DATA-35. `profileVisibility` is profiles.is_private itself, not a copy (SET-18).
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
  updated_at            timestamptz not null default now(),
  digest boolean not null default false
);
comment on table private.user_settings is 'Each user''s settings, created with the profile. Read through public.user_settings.';
comment on column private.user_settings.user_id is 'profiles.id, as in notifications and messages.';
comment on column private.user_settings.email is 'Channel: off sends no notification emails (SET-16). Emails that the account needs (confirmation, password) are always sent.';
comment on column private.user_settings.allow_direct_messages is 'Off: only users whom this user has messaged can message this user (SET-20).';
comment on column private.user_settings.two_factor_enabled is 'Whether the account has a verified second factor. Maintained by auth.mfa_factors, never written by a client.';
comment on column private.user_settings.digest is 'One email a day, in the morning (UTC), with everything unread, instead of one for each event.';
alter table private.user_settings enable row level security; -- and no policy: clients read the view
create trigger user_settings_touch before update on private.user_settings for each row execute function private.touch_updated_at();
create function private.create_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.user_settings (user_id) values (new.id);
  return null;
end;
$$;
comment on function private.create_settings is 'Trigger of profiles: creates the settings with their defaults (D38).';
create trigger profiles_create_settings after insert on private.profiles for each row execute function private.create_settings();
create view public.user_settings with (security_barrier = true) as
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
comment on view public.user_settings is 'The caller''s own settings (DATA-35). An update may contain part of a group: what it leaves out stays as it is.';
comment on column public.user_settings.notifications is '{email, push, messages, tips, subscriptions, digest}, all boolean. Never null.';
comment on column public.user_settings.privacy is '{profileVisibility: public or private, showOnlineStatus, allowDirectMessages}. Never null.';
comment on column public.user_settings.security is '{twoFactorEnabled (read-only), loginAlerts}. Never null.';

-- An unknown key in a settings object is a mistake of the client, so it is rejected instead of dropped.
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
      raise exception 'Unknown setting %.%', p_group, v_key using errcode = '22023';
    elsif v_key = 'profileVisibility' and v_value not in ('"public"', '"private"') then
      raise exception 'privacy.profileVisibility must be public or private' using errcode = '22023';
    elsif v_key <> 'profileVisibility' and jsonb_typeof(v_value) <> 'boolean' then
      raise exception '%.% must be true or false', p_group, v_key using errcode = '22023';
    end if;
  end loop;
  return p_before || p_given;
end;
$$;
comment on function private.require_settings_shape is 'The group of settings with the given changes. Rejects unknown names and wrong types.';
create function private.update_settings() returns trigger
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
    digest = coalesce((v_notifications -> 'digest')::boolean, s.digest),
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
comment on function private.update_settings is 'Trigger of public.user_settings: checks each group, merges it, and writes the columns that enforce it.';
create trigger user_settings_update instead of update on public.user_settings for each row execute function private.update_settings();
create trigger user_settings_no_insert instead of insert or delete on public.user_settings
  for each row execute function private.reject_view_change('Settings are created and deleted with the account. Update them instead.');
grant select, update (notifications, privacy, security) on public.user_settings to authenticated;

-- insert and delete are not granted: the row lives as long as the profile.

-- Called just before an email or a push notification is sent.
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
  'Whether the user wants notifications of this kind by this channel (SET-16, SET-17, SET-22). p_channel: email, push. p_kind: messages, tips, subscriptions, login_alerts; any other kind depends only on the channel.';

-- The setting that turns a type of notifications on and off (SET-17).
create function private.notification_kind(type text) returns text
language sql immutable set search_path = ''
as $$
  select case type when 'message' then 'messages' when 'tip' then 'tips' when 'subscription' then 'subscriptions' when 'payment' then 'subscriptions' else type end;
$$;
comment on function private.notification_kind is 'The p_kind for private.wants of a notification of this type.';

-- When users were last online. A separate table, because it is written every minute and profiles has many indexes.
create table private.presence (
  profile_id   uuid primary key references private.profiles on delete cascade,
  last_seen_at timestamptz not null default now()
) with (fillfactor = 70
);
comment on table private.presence is 'When a user last had a screen open. Shown as profiles.last_seen_at, unless the user hides it (SET-19).';
alter table private.presence enable row level security; -- and no policy

-- A suspended user whose token is still valid has no profile id (docs/architecture.md), so no presence is recorded.
create function public.record_presence() returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.presence as p (profile_id)
  select me.id from (select private.my_profile_id() as id) me where me.id is not null
  on conflict (profile_id) do update set last_seen_at = now() where p.last_seen_at < now() - interval '30 seconds';
$$;
comment on function public.record_presence is 'Records that the caller is online. Screens call it once a minute; calling it more often changes nothing.';
grant execute on function public.record_presence() to authenticated;

-- The consent of users who joined through another service (AUTH-07, D16): their sign-up had no checkbox, so the app asks for it later,
-- together with the referral code that the browser remembered (AUTH-02, REF-16). The referral is written before the consent, because the
-- consent completes the referral of a creator who is already approved. The lock is "no key": two users who joined with each other's
-- codes and agree at the same moment would otherwise deadlock, each holding their own profile and referring to the other's.
create function public.accept_terms(referral_code text default null) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  select * into v_profile from private.profiles p where p.user_id = auth.uid() for no key update;
  if v_profile.id is null or v_profile.terms_accepted_at is not null then
    -- Already given: its time stays, and a later referral code doesn't count.
    return v_profile.terms_accepted_at;
  end if;
  insert into public.referrals (referrer_id, referred_id, referral_code)
  select r.id, v_profile.id, private.referral_code(r.id)
  from private.profiles r
  where private.referral_code(r.id) = upper(trim(accept_terms.referral_code)) and r.id <> v_profile.id
  on conflict do nothing;
  update private.profiles p set terms_accepted_at = now() where p.id = v_profile.id returning p.* into v_profile;
  return v_profile.terms_accepted_at;
end;
$$;
comment on function public.accept_terms is 'Stores when the caller confirmed their age and the terms, and who referred them; only the first call counts. Returns that time; null without a profile.';
revoke execute on function public.accept_terms(text) from public, anon;
grant execute on function public.accept_terms(text) to authenticated;

create function private.note_terms_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.terms_version := case when new.terms_accepted_at is not null then private.setting('terms_version') end;
  return new;
end;
$$;
comment on function private.note_terms_version is 'Trigger of profiles: a consent is to the texts that are current at that time.';
create trigger profiles_note_terms_version before insert or update of terms_accepted_at on private.profiles
  for each row execute function private.note_terms_version();

-- An update of the views profiles, posts, messages, and user_settings writes only the columns that it changes. Otherwise, of two updates at
-- the same time, the second would undo the first with the values it has read. A column that can't be changed is an error, not ignored.
create function private.changes_of(p_before jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(a.key, a.value), '{}')
  from jsonb_each(p_after) a
  where a.value is distinct from p_before -> a.key;
$$;
comment on function private.changes_of is 'The keys of p_after that are missing in p_before or have another value there.';
create function private.require_changeable(p_view text, p_changes jsonb, p_allowed text[]) returns void
language plpgsql immutable set search_path = ''
as $$
declare
  v_column text := (select min(c.name) from jsonb_object_keys(p_changes) c(name) where c.name <> all(p_allowed));
begin
  if v_column is not null then
    raise exception 'permission denied to update % of %', v_column, p_view
      using errcode = '42501', hint = format('You can update %s.', array_to_string(p_allowed, ', '));
  end if;
end;
$$;
comment on function private.require_changeable is
  'Rejects an update of a view that changes other columns than these. Grants limit users; this limits the service key and admins.';
