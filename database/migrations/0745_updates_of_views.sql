-- Up Migration
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

-- A row that is not the caller's is skipped, as a policy would skip it.
create or replace function private.update_profile() returns trigger
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

create or replace function private.update_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_author boolean := private.is_service() or old.creator_id = private.my_profile_id();
  v_changes jsonb := private.changes_of(to_jsonb(old), to_jsonb(new));
  v_now private.posts;
  v_note text;
begin
  if not private.is_privileged() then
    if v_is_author is not true then
      return null;
    elsif v_changes ?| '{admin_note,admin_note_is_public}' then
      raise exception 'Only admins can put a note on a post' using errcode = '42501';
    end if;
  end if;
  perform private.require_changeable('posts', v_changes,
    case when v_is_author then '{title,content,is_pinned,admin_note,admin_note_is_public}' else '{admin_note,admin_note_is_public}' end::text[]);
  select * into v_now from private.posts p where p.id = old.id for no key update;
  if not found then
    return null;
  end if;
  if v_changes @> '{"is_pinned": true}' and not v_now.is_pinned then
    perform from private.profiles c where c.id = old.creator_id for no key update; -- two pins at once count one another
    if (select count(*) from private.posts p where p.creator_id = old.creator_id and p.is_pinned) >= 3 then
      raise sqlstate 'PT409' using message = 'You can pin up to three posts', hint = 'Unpin another post first.';
    end if;
  end if;
  v_now := jsonb_populate_record(v_now, v_changes);
  v_note := private.trimmed(v_now.admin_note);
  update private.posts p set
    title = private.trimmed(v_now.title),
    content = coalesce(v_now.content, ''),
    is_pinned = v_now.is_pinned,
    admin_note = v_note,
    admin_note_is_public = v_note is not null and coalesce(v_now.admin_note_is_public, false)
  where p.id = old.id;
  if v_note is distinct from old.admin_note and v_note is not null and v_is_author is not true then
    perform private.notify(old.creator_id, 'other', 'A note on your post', v_note, jsonb_build_object('post_id', old.id));
  end if;
  select v.* into new from public.posts v where v.id = old.id;
  return new;
end;
$$;

create or replace function private.update_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (old.is_locked or old.recipient_id is distinct from private.my_profile_id()) then
    return null;
  end if;
  perform private.require_changeable('messages', private.changes_of(to_jsonb(old), to_jsonb(new)), '{is_read}');
  if old.is_read and new.is_read is not true then
    raise exception 'permission denied to update is_read of messages'
      using errcode = '42501', hint = 'A message that was read stays read.';
  end if;
  update private.messages set is_read = true where id = old.id and not is_read and new.is_read;
  if not found then
    return null;
  end if;
  select v.* into new from public.messages v where v.id = old.id;
  return new;
end;
$$;

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
