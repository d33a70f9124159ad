-- Up Migration

-- Search engines (FIND-02). The sitemap lists the creators who are in Explore, and their posts, unless they have opted out. Their pages say
-- so themselves, so everyone may know it.
alter table private.profiles add column is_indexed boolean not null default true;
comment on column private.profiles.is_indexed is 'Whether search engines may list the profile and its posts. The user decides.';
-- Parts of the sitemap. The same for posts is posts_created_at_creator_idx.
create index profiles_indexed_idx on private.profiles (created_at, id) where is_listed and is_indexed;

create or replace view public.profiles as
 SELECT p.id,
    p.user_id,
    p.username,
    p.display_name,
    p.avatar_url,
        CASE
            WHEN viewer.reads_profile THEN p.cover_url
            ELSE NULL::text
        END AS cover_url,
        CASE
            WHEN viewer.reads_profile THEN p.bio
            ELSE NULL::text
        END AS bio,
        CASE
            WHEN viewer.reads_profile THEN p.website_url
            ELSE NULL::text
        END AS website_url,
    p.is_creator,
    p.is_verified,
    p.is_private,
    p.tiered_access,
        CASE
            WHEN viewer.reads_profile THEN p.categories
            ELSE '{}'::text[]
        END AS categories,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.user_roles r
              WHERE ((r.user_id = p.user_id) AND (r.role = 'admin'::text)))) THEN 'admin'::text
            ELSE 'user'::text
        END AS role,
    p.followers_count,
    p.following_count,
    p.total_photos,
    p.total_videos,
    p.total_posts,
        CASE
            WHEN viewer.is_own THEN p.total_earnings
            ELSE NULL::bigint
        END AS total_earnings,
        CASE
            WHEN viewer.is_own THEN p.terms_accepted_at
            ELSE NULL::timestamp with time zone
        END AS terms_accepted_at,
        CASE
            WHEN viewer.is_own THEN p.stripe_account_id
            ELSE NULL::text
        END AS stripe_account_id,
        CASE
            WHEN viewer.is_own THEN p.stripe_onboarding_completed
            ELSE NULL::boolean
        END AS stripe_onboarding_completed,
        CASE
            WHEN viewer.is_own THEN p.stripe_charges_enabled
            ELSE NULL::boolean
        END AS stripe_charges_enabled,
        CASE
            WHEN viewer.is_own THEN p.stripe_payouts_enabled
            ELSE NULL::boolean
        END AS stripe_payouts_enabled,
    p.created_at,
    p.updated_at,
        CASE
            WHEN viewer.reads_profile THEN ( SELECT v.last_seen_at
               FROM (private.presence v
                 JOIN private.user_settings s ON ((s.user_id = v.profile_id)))
              WHERE ((v.profile_id = p.id) AND (s.show_online_status OR viewer.is_own)))
            ELSE NULL::timestamp with time zone
        END AS last_seen_at,
    p.is_listed,
    p.is_indexed
   FROM (private.profiles p
     CROSS JOIN LATERAL ( SELECT own.is_own,
            (own.is_own OR ((NOT p.is_private) AND (p.id <> ALL (( SELECT private.my_blocks() AS my_blocks)::uuid[])))) AS reads_profile
           FROM ( SELECT (COALESCE((p.user_id = ( SELECT auth.uid() AS uid)), false) OR ( SELECT private.is_privileged() AS is_privileged)) AS is_own) own
         OFFSET 0) viewer);
comment on column public.profiles.is_listed is 'Appears in Explore.';
comment on column public.profiles.is_indexed is 'Whether search engines may list the profile and its posts (FIND-02). Changed by user_settings.privacy.';

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
    'allowDirectMessages', s.allow_direct_messages,
    'allowSearchEngines', p.is_indexed
  ) as privacy,
  jsonb_build_object('twoFactorEnabled', s.two_factor_enabled, 'loginAlerts', s.login_alerts) as security,
  s.updated_at
from private.user_settings s
join private.profiles p on p.id = s.user_id
where s.user_id = (select private.my_profile_id()) or (select private.is_service());
comment on column public.user_settings.privacy is
  '{profileVisibility: public or private, showOnlineStatus, allowDirectMessages, allowSearchEngines}. Never null.';

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
  if v_privacy ?| '{profileVisibility,allowSearchEngines}' then
    update private.profiles p set
      is_private = coalesce(v_privacy ->> 'profileVisibility' = 'private', p.is_private),
      is_indexed = coalesce((v_privacy -> 'allowSearchEngines')::boolean, p.is_indexed)
    where p.id = old.user_id;
  end if;
  select s.* into new from public.user_settings s where s.user_id = old.user_id;
  return new;
end;
$$;
