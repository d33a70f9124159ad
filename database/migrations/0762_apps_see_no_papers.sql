-- Up Migration
-- What connected apps could still read or keep: where the person is signed in (in the copy of their data), their identity documents, which
-- browsers get their notifications, and, by an upload link, a way to write after their access was taken back.

-- security definer: the account and its sign-ins belong to no role of the API.
create or replace function auth.export_account() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.refuse_app();
  return (
    select jsonb_build_object(
      'id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
      'last_sign_in_at', u.last_sign_in_at, 'user_metadata', u.raw_user_meta_data,
      'identities', (select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'email', i.email, 'created_at', i.created_at)), '[]')
        from auth.identities i where i.user_id = u.id),
      'sessions', (select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'ip', s.ip, 'user_agent', s.user_agent) order by s.created_at), '[]')
        from auth.sessions s where s.user_id = u.id),
      -- What they are called, never what they prove.
      'factors', (select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone, 'created_at', f.created_at) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = u.id),
      'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('name', w.friendly_name, 'created_at', w.created_at, 'last_used_at', w.last_used_at) order by w.created_at), '[]')
        from auth.webauthn_credentials w where w.user_id = u.id),
      'known_devices', (select coalesce(jsonb_agg(jsonb_build_object('created_at', d.created_at, 'last_seen_at', d.last_seen_at) order by d.created_at), '[]')
        from auth.known_devices d where d.user_id = u.id),
      'connected_apps', (select coalesce(jsonb_agg(jsonb_build_object('name', c.client_name, 'scopes', o.scopes, 'granted_at', o.granted_at) order by o.granted_at), '[]')
        from auth.oauth_consents o join auth.oauth_clients c on c.id = o.client_id where o.user_id = u.id)
    )
    from auth.users u where u.id = auth.uid()
  );
end;
$$;
comment on function auth.export_account() is 'The caller''s account and sign-ins, for open_own_data. No secret is in it, and connected apps don''t get it.';

create policy not_for_apps on storage.objects as restrictive for all to authenticated
  using (bucket_id <> 'verification' or not (select auth.jwt() ? 'client_id'));
create policy not_for_apps on public.creator_applications as restrictive for all to authenticated
  using (not (select auth.jwt() ? 'client_id'));

create or replace function public.list_push_subscriptions()
returns table (id uuid, endpoint text, user_agent text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.endpoint, s.user_agent, s.created_at from private.push_subscriptions s
  where s.user_id = private.my_profile_id() and not auth.jwt() ? 'client_id' order by s.created_at desc, s.id;
$$;
comment on function public.list_push_subscriptions() is 'The caller''s browsers that show push notifications, the newest first. Connected apps see none.';

create or replace function public.remove_push_subscription(subscription_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refuse_app();
  delete from private.push_subscriptions s where s.id = subscription_id and s.user_id = private.my_profile_id();
  return found;
end;
$$;

create or replace function public.save_push_subscription(endpoint text, p256dh text, auth text, user_agent text default null)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := private.my_profile_id();
  v_id uuid;
begin
  perform private.refuse_app();
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

-- A link ends with the session that made it: signing out everywhere, and taking back an app's access, ends its links too.
-- security definer: people reach neither accounts and sessions nor the list of used links.
create function storage.use_upload_link(p_link uuid, p_owner uuid, p_session uuid, p_expires_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_session is not null then
    perform from auth.sessions s
    where s.id = p_session and (s.not_after is null or s.not_after > now()) for key share;
    if not found then
      raise exception 'The session that made this upload link has ended.' using errcode = '42501', constraint = 'upload_links_session_stands';
    end if;
  end if;
  perform storage.use_upload_link(p_link, p_owner, p_expires_at);
end;
$$;
comment on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) is 'Uses an upload link, in the transaction that writes its object. A unique violation of used_upload_links: it has been used. 42501: its owner is banned or gone, or the session that made it has ended (null: it was made without one).';
revoke execute on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) from public;
grant execute on function storage.use_upload_link(uuid, uuid, uuid, timestamptz) to anon, authenticated, service_role;
