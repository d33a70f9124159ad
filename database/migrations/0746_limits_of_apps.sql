-- Up Migration
-- Connected apps act as the person, but don't move money, don't guard the account, and don't watch over it. Both were open to them: a
-- booking that is canceled is refunded, and login alerts could be turned off.

create function private.refuse_app() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if auth.jwt() ? 'client_id' then
    raise exception 'Connected apps can''t do this' using errcode = '42501';
  end if;
end;
$$;
comment on function private.refuse_app is 'Refuses what a connected app (auth.oauth_clients) asks for in the name of a person.';

create function private.refuse_app_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_app();
  return null;
end;
$$;
comment on function private.refuse_app_change is 'Trigger of tables that connected apps don''t change for anybody.';
create trigger session_bookings_refuse_app before insert or update or delete on public.session_bookings
  for each statement execute function private.refuse_app_change();

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

-- Where the person is signed in guards the account: an app's own sessions are listed as connected apps, and apps see none.
create or replace function public.list_own_sessions()
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text, aal text, is_current boolean)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, coalesce(s.refreshed_at, s.created_at), s.user_agent, host(s.ip), s.aal,
    s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
    and s.oauth_client_id is null and not auth.jwt() ? 'client_id'
  order by 7 desc, 3 desc;
$$;
comment on function public.list_own_sessions is 'Where the caller is signed in, the session of the request first. Without connected apps, and not for them.';

-- A person with two accounts signs out of one and answers with the other.
comment on column auth.oauth_authorizations.user_id is 'Who opened the consent screen; nobody else can answer it until that session has ended.';
comment on column auth.oauth_authorizations.session_id is 'The session that opened the screen, then the one that approved: the application''s session takes its assurance level. The code ends with it.';

create or replace function private.sweep_accounts(unconfirmed_days integer, audit_days integer) returns void
language plpgsql set search_path = ''
as $$
begin
  delete from auth.one_time_tokens where created_at < now() - interval '7 days';
  delete from auth.flow_state where created_at < now() - interval '1 day';
  delete from auth.mfa_challenges where created_at < now() - interval '1 day';
  delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day';
  delete from auth.webauthn_challenges where expires_at < now();
  delete from auth.spent_wallet_messages where expires_at < now();
  delete from auth.spent_saml_assertions where expires_at < now();
  delete from auth.sessions where not_after < now();
  -- What never gave a code has nothing to notice: anybody can make those without signing in.
  delete from auth.oauth_authorizations
  where expires_at < case when code_hash is null then now() else now() - interval '1 day' end;
  -- Anybody can register an application: one that nobody allowed anything is not kept.
  delete from auth.oauth_clients c
  where c.registration_type = 'dynamic' and c.created_at < now() - interval '30 days'
    and not exists (select from auth.oauth_consents o where o.client_id = c.id)
    and not exists (select from auth.oauth_authorizations a where a.client_id = c.id);
  -- The longest AUTH_JWT_EXP is a week.
  delete from auth.ended_sessions where changed_at < now() - interval '8 days';
  delete from auth.known_devices where last_seen_at < now() - interval '400 days';
  -- A used token is kept for as long as its theft may be noticed by it.
  delete from auth.refresh_tokens where revoked and updated_at < now() - interval '30 days';
  -- It holds addresses of people: not longer than the operator needs it.
  delete from auth.audit_log_entries where created_at < now() - make_interval(days => audit_days);
  -- Nobody ever came: the address and the username are free for who does.
  delete from auth.users u
  where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
    and not u.is_anonymous and not u.is_sso_user and u.deleted_at is null
    and greatest(u.created_at, u.confirmation_sent_at, u.invited_at) < now() - make_interval(days => unconfirmed_days);
end;
$$;
