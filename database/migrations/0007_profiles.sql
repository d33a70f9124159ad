-- Up Migration

-- Profiles: one for each account, made with it (DATA-02, DATA-03, DATA-04, DATA-05, DATA-16).
-- The rows live in private.profiles; public.profiles is what a viewer may see of them (PROF-22).
-- Finding creators and following what they publish (EXPL, HOME-04, HOME-05, DATA-31, D3, D25, D34, D36).
-- Pages are found by indexes on the base tables; masks are computed for the rows of the page alone.
-- Search among any number of people (SRCH-03, SRCH-04, API-REST-07). A name that thousands bear would have all of them fetched and
-- sorted, to show twenty. Who is known best is asked first; only a name that is not found there is looked up by its trigrams.

-- Generated, and by the power of two: it changes seldom, so most follows still update a profile without touching its indexes.
-- Room for new versions of a row beside the old one, for the same end.
-- An operator closes an account without deleting it, and opens it again (GEN-05, GEN-35). A suspended person is nobody to the
-- database, at once and on every door: the access token that they still hold tells who they are, and my_profile_id() no longer does.
-- To others their profile is closed as a private one is: what is paid for stays open until it runs out, and nothing new is sold.
-- To which words a person consented (AUTH-07, D16): the page shows today's date (D18), so that the date of the consent alone does not
-- tell. The version comes from the texts, with the operator's settings at start.
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
comment on table private.profiles is 'The public face of an account. Everything a person is in the product refers to profiles.id, not to auth.users.id.';
comment on column private.profiles.username is 'Lowercase by its check, so that unique means unique whatever the letter case (AUTH-09, AUTH-10).';
comment on column private.profiles.is_creator is 'The person''s wish until an application is approved (D25); approval sets it.';
comment on column private.profiles.is_verified is 'True while an application of this person stands approved. Kept by creator_applications.';
comment on column private.profiles.tiered_access is 'The creator''s switch "higher plans unlock more" (POST-43, D14).';
comment on column private.profiles.total_earnings is 'Earned after the platform''s fee, in cents. Kept by transactions.';
comment on column private.profiles.terms_accepted_at is 'When the person confirmed age and terms (AUTH-07, DATA-05).';
comment on column private.profiles.subscribers_count is 'Subscriptions in the states active, trial and past_due. Kept by subscriptions.';
comment on column private.profiles.lowest_price_cents is 'The cheapest active product per month, in cents (D36). Kept by subscription_products.';
comment on column private.profiles.is_listed is 'Has a place in discovery: wants to be a creator, may be one (approved, or admin), and is not private. Kept by triggers.';
comment on column private.profiles.reach is 'How well known, in powers of two of followers_count: the order in which search asks.';
comment on column private.profiles.suspended_at is 'Since when an admin keeps the person out; null for everybody else.';
comment on column private.profiles.suspension_reason is 'Why, in words that the person reads.';
comment on column private.profiles.was_private is 'Whether the profile was private before: a suspension closes it.';
comment on column private.profiles.terms_version is 'Of the Terms of Service and the Privacy Policy that terms_accepted_at is about; null for a consent from before versions were kept.';
comment on column private.profiles.stripe_charges_enabled is
  'Whether the creator can be paid: the transfers capability of the account is active. Nothing is sold and nothing renews without it.';
alter table private.profiles enable row level security; -- and no policy: people read the view
create index profiles_username_trgm_idx on private.profiles using gin (username extensions.gin_trgm_ops); -- SRCH-04
create index profiles_display_name_trgm_idx on private.profiles using gin (display_name extensions.gin_trgm_ops);

-- REF-14. Eight hex digits meet their like among 100 thousand people: private.create_profile draws another id when the code is taken.
-- An index on an expression, not on a generated column: that would make every counter's update lock the row against all foreign keys.
create function private.referral_code(profile uuid) returns text
language sql immutable set search_path = ''
as $$
  select 'REF' || upper(left(profile::text, 8));
$$;
comment on function private.referral_code is 'A person''s one code, from the profile id (REF-14, D30).';
create unique index profiles_referral_code_key on private.profiles (private.referral_code(id));
create trigger profiles_touch before update of username, display_name, avatar_url, cover_url, bio, website_url, categories
  on private.profiles for each row execute function private.touch_updated_at(); -- counters leave updated_at alone (API-STO-04)
create function private.my_profile_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id from private.profiles p where p.user_id = auth.uid() and p.suspended_at is null;
$$;
comment on function private.my_profile_id is 'The caller''s profiles.id, null for a visitor and for whoever is suspended.';
grant execute on function private.my_profile_id() to anon, authenticated;
create function private.is_approved_creator(profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.profiles p
    where p.id = profile and (p.is_verified or public.has_role(p.user_id, 'admin'))
  );
$$;
comment on function private.is_approved_creator is 'True when the person may publish and sell: an approved application, or the admin role (D25, DASH-09).';
grant execute on function private.is_approved_creator(uuid) to authenticated;
create function private.is_private_profile(profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.id = profile and p.is_private);
$$;
comment on function private.is_private_profile is 'True when the person has closed the profile to others (PROF-22).';
grant execute on function private.is_private_profile(uuid) to anon, authenticated;
create function private.normalise_username(wish text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(lower(regexp_replace(wish, '\s', '', 'g')), '');
$$;
comment on function private.normalise_username is 'Lowercased, whitespace stripped (AUTH-09); null when nothing is left.';
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
comment on function private.require_username is 'Refuses an ill-formed username in words that a person can read.';
create function private.username_taken() returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception 'This username is already taken. Please choose another one.'
    using errcode = '23505', constraint = 'profiles_username_key';
end;
$$;
comment on function private.username_taken is 'The one wording of a taken username (AUTH-10), with the code of the constraint behind it.';

-- The first guess is the local part of the address, cut to what a username may hold; later guesses carry a random tail.
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
comment on function private.suggest_username is 'A username for someone who wished for none.';
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_meta jsonb := coalesce(new.raw_user_meta_data, '{}');
  v_wish text := private.normalise_username(v_meta ->> 'username');
  v_constraint text;
begin
  if v_wish is not null then
    perform private.require_username(v_wish);
  end if;
  for attempt in 0..9 loop
    begin
      insert into private.profiles (user_id, username, display_name, is_creator, terms_accepted_at)
      values (
        new.id,
        coalesce(v_wish, private.suggest_username(new.email, attempt)),
        left(private.trimmed(v_meta ->> 'display_name'), 50),
        coalesce(v_meta ->> 'is_creator', 'false') = 'true',
        case when v_meta ->> 'terms_accepted' = 'true' then now() end
      );
      return null;
    exception when unique_violation then
      get stacked diagnostics v_constraint = constraint_name;
      if v_constraint = 'profiles_username_key' and v_wish is not null then
        perform private.username_taken();
      end if; -- else a suggested name or the referral code of the drawn id is taken: draw again
    end;
  end loop;
  raise exception 'Could not find a free username' using errcode = 'PT503', hint = 'Try again with a username of your own.';
end;
$$;
comment on function private.create_profile is 'Trigger of auth.users: the profile comes with the account or the account does not come at all.';
create trigger users_create_profile after insert on auth.users for each row execute function private.create_profile();
create function private.insert_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
  v_constraint text;
begin
  if new.user_id is distinct from auth.uid() and not private.is_service() then
    raise exception 'A profile can be created for one''s own account only' using errcode = '42501';
  end if;
  new.username := private.normalise_username(new.username);
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
comment on function private.insert_profile is 'Trigger of public.profiles (API-REST-02): for an account that has none.';

-- A row that is not the caller's is skipped, as a policy would skip it. Which columns may change stands in the grant below.
-- A row that is not the caller's is skipped, as a policy would skip it.
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
    -- An admin changes nothing of others here but the creator flag (API-REST-08).
    perform private.require_changeable('profiles', v_changes, '{is_creator}');
  else
    perform private.require_changeable('profiles', v_changes,
      '{username,display_name,avatar_url,cover_url,bio,website_url,is_creator,is_private,tiered_access,categories}');
  end if;
  if v_changes ? 'username' then
    v_changes := v_changes || jsonb_build_object('username', private.normalise_username(new.username));
    if v_changes ->> 'username' is distinct from old.username then
      perform private.require_username(v_changes ->> 'username');
    end if;
  end if;
  -- The row as it is now, which the statement may have read before somebody else changed it.
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
comment on function private.update_profile is 'Trigger of public.profiles: one''s own row, and the creator flag for admins.';

-- Settings, the same on every device (DATA-35, SET-15..SET-22, D9, D38), and what enforces them. They are columns with defaults;
-- public.user_settings shows them in the shape of DATA-35. `profileVisibility` is profiles.is_private itself, not a copy (SET-18).
-- Notifications leave the building: by e-mail, at once or once a day, and as web push, each as the person wants it (SET-16, SET-17, D9).
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
comment on table private.user_settings is 'What each person decided, made with the profile. Read through public.user_settings.';
comment on column private.user_settings.user_id is 'profiles.id, as in notifications and messages.';
comment on column private.user_settings.email is 'Channel: off sends no e-mail about events (SET-16). Mail that an account needs (confirmation, password) is no event.';
comment on column private.user_settings.allow_direct_messages is 'Off: only people whom the person has written to may write to them (SET-20).';
comment on column private.user_settings.two_factor_enabled is 'Whether the account has a verified second factor. Kept by auth.mfa_factors, never written by a client.';
comment on column private.user_settings.digest is 'E-mail once a day, in the morning (UTC), with what was not seen, instead of one for each event.';
alter table private.user_settings enable row level security; -- and no policy: people read the view
create trigger user_settings_touch before update on private.user_settings for each row execute function private.touch_updated_at();
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
comment on view public.user_settings is 'One''s own settings (DATA-35). An update may bring a group in part: what it leaves out stays.';
comment on column public.user_settings.notifications is '{email, push, messages, tips, subscriptions, digest}, all boolean. Never null.';
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
declare
  v_changes jsonb := private.changes_of(to_jsonb(old), to_jsonb(new));
  v_notifications jsonb := private.changes_of(
    old.notifications, private.require_settings_shape('notifications', old.notifications, new.notifications));
  v_privacy jsonb := private.changes_of(old.privacy, private.require_settings_shape('privacy', old.privacy, new.privacy));
  v_security jsonb := private.changes_of(old.security, private.require_settings_shape('security', old.security, new.security));
begin
  perform private.require_changeable('user_settings', v_changes, '{notifications,privacy,security}');
  if v_security <> '{}' then
    perform private.refuse_app();
  end if;
  if v_security ? 'twoFactorEnabled' and not private.is_service() then
    raise exception 'Two-factor sign-in follows from the account''s factors' using errcode = '42501',
      hint = 'Enrol and verify a TOTP factor to turn it on; remove the factor to turn it off.';
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
) with (fillfactor = 70
);
comment on table private.presence is 'When a person last had a screen open. Shown as profiles.last_seen_at, unless the person hides it (SET-19).';
alter table private.presence enable row level security; -- and no policy

-- Who is suspended is nobody until the token ends (docs/architecture.md): no presence, and no view that a creator would count.
create function public.record_presence() returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.presence as p (profile_id)
  select me.id from (select private.my_profile_id() as id) me where me.id is not null
  on conflict (profile_id) do update set last_seen_at = now() where p.last_seen_at < now() - interval '30 seconds';
$$;
comment on function public.record_presence is 'The caller is here. Screens call it once a minute; more often changes nothing.';
grant execute on function public.record_presence() to authenticated;

-- The consent of who joined through another service (AUTH-07, D16): there was no form with the box, so it is asked for afterwards.
-- The invitation that the browser remembered comes with it (AUTH-02, REF-16).
-- The invitation is written before the consent, so that the consent completes it for somebody who is approved already.
-- Two people who came by each other's invitation, and agree at the same moment: each held the own profile and referred to the other's.
create function public.accept_terms(referral_code text default null) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  select * into v_profile from private.profiles p where p.user_id = auth.uid() for no key update;
  if v_profile.id is null or v_profile.terms_accepted_at is not null then
    -- Given before: its time stays, and an invitation that comes later is none.
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
comment on function public.accept_terms is 'Stores the time at which the caller confirmed age and terms, once, and with the first time who invited them. Returns that time; null without a profile.';
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
comment on function private.note_terms_version is 'Trigger of profiles: a consent is to the words of its day.';
create trigger profiles_note_terms_version before insert or update of terms_accepted_at on private.profiles
  for each row execute function private.note_terms_version();

-- Updates of profiles, posts, messages, and settings carry over what they change, and nothing else. They used to write all columns as
-- the statement had read them, so that two updates at once lost the first one's: an applicant who edited their profile while an admin
-- approved them stayed outside Explore. And a column that the trigger doesn't write was dropped without a word.
create function private.changes_of(p_before jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(a.key, a.value), '{}')
  from jsonb_each(p_after) a
  where a.value is distinct from p_before -> a.key;
$$;
comment on function private.changes_of is 'The keys of p_after that p_before does not have or has with another value.';
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
  'Refuses an update of a view that changes another column than those. Grants do it for people; this does it for the service key and for admins.';
