-- Up Migration
-- Profiles: one for each account, made with it (DATA-02, DATA-03, DATA-04, DATA-05, DATA-16).
-- The rows live in private.profiles; public.profiles is what a viewer may see of them (PROF-22).
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
  total_earnings      numeric(12, 2) not null default 0,
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
  constraint profiles_user_id_key unique (user_id),
  constraint profiles_username_key unique (username),
  constraint profiles_username_format check (username ~ '^[a-z0-9_-]{3,30}$'),
  constraint profiles_stripe_account_id_key unique (stripe_account_id),
  constraint profiles_categories_known check (categories <@ array['Fitness', 'Lifestyle', 'Photography', 'Fashion', 'Cooking', 'Art', 'Travel', 'Wellness']),
  constraint profiles_categories_at_most_three check (cardinality(categories) <= 3)
);
comment on table private.profiles is 'The public face of an account. Everything a person is in the product refers to profiles.id, not to auth.users.id.';
comment on column private.profiles.username is 'Lowercase by its check, so that unique means unique whatever the letter case (AUTH-09, AUTH-10).';
comment on column private.profiles.is_creator is 'The person''s wish until an application is approved (D25); approval sets it.';
comment on column private.profiles.is_verified is 'True while an application of this person stands approved. Kept by creator_applications.';
comment on column private.profiles.tiered_access is 'The creator''s switch "higher plans unlock more" (POST-43, D14).';
comment on column private.profiles.total_earnings is 'Dollars earned after the platform''s fee. Kept by transactions.';
comment on column private.profiles.terms_accepted_at is 'When the person confirmed age and terms (AUTH-07, DATA-05).';
comment on column private.profiles.subscribers_count is 'Subscriptions in the states active, trial and past_due. Kept by subscriptions.';
comment on column private.profiles.lowest_price_cents is 'The cheapest active product per month, in cents (D36). Kept by subscription_products.';
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
alter table private.profiles enable row level security; -- and no policy: people read the view

create trigger profiles_touch before update of username, display_name, avatar_url, cover_url, bio, website_url, categories
  on private.profiles for each row execute function private.touch_updated_at(); -- counters leave updated_at alone (API-STO-04)

create function private.my_profile_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id from private.profiles p where p.user_id = auth.uid();
$$;
comment on function private.my_profile_id is 'The caller''s profiles.id, null for a visitor.';
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

-- No row is hidden, so no condition of the caller's can run on a hidden row; what is withheld is withheld column by column.
-- `offset 0` keeps the lateral from being copied into each column that uses it; the subselects run once for each query.
create view public.profiles as
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
  p.updated_at
from private.profiles p
cross join lateral (
  select own.is_own, own.is_own or not p.is_private as reads_profile
  from (select coalesce(p.user_id = (select auth.uid()), false) or (select private.is_privileged()) as is_own) own
  offset 0
) viewer;
comment on view public.profiles is 'Profiles as the viewer may see them: a private profile shows its name and counts alone, money is the owner''s.';
comment on column public.profiles.role is 'admin or user. Derived from user_roles, which is what decides (DATA-04). Never null.';
comment on column public.profiles.categories is 'Up to three of the eight (D36); empty for others while the profile is private. Never null.';
comment on column public.profiles.total_earnings is 'Dollars earned after the fee; null for others, like the columns after it.';

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
create trigger profiles_insert instead of insert on public.profiles for each row execute function private.insert_profile();

-- A row that is not the caller's is skipped, as a policy would skip it. Which columns may change stands in the grant below.
create function private.update_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_constraint text;
begin
  if old.user_id is distinct from auth.uid() and not private.is_service() then
    if not private.is_admin() then
      return null;
    end if;
    -- An admin changes nothing of others here but the creator flag (API-REST-08).
    update private.profiles set is_creator = new.is_creator where id = old.id;
  else
    new.username := private.normalise_username(new.username);
    if new.username is distinct from old.username then
      perform private.require_username(new.username);
    end if;
    update private.profiles set
      username = new.username,
      display_name = private.trimmed(new.display_name),
      avatar_url = private.trimmed(new.avatar_url),
      cover_url = private.trimmed(new.cover_url),
      bio = private.trimmed(new.bio),
      website_url = private.trimmed(new.website_url),
      is_creator = new.is_creator,
      is_private = new.is_private,
      tiered_access = new.tiered_access,
      categories = new.categories
    where id = old.id;
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
create trigger profiles_update instead of update on public.profiles for each row execute function private.update_profile();

create trigger profiles_delete instead of delete on public.profiles
  for each row execute function private.refuse_view_change('A profile goes with its account: delete that.');

grant select on public.profiles to anon, authenticated;
grant insert (user_id, username, display_name) on public.profiles to authenticated;
grant update (username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories)
  on public.profiles to authenticated;
-- delete is not granted: a profile goes with its account. is_verified, counters and stripe_* are written by the server alone.
