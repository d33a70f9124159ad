-- Up Migration
-- The OAuth 2.1 server: other applications act for people who allow it, in GoTrue's names. The gateway alone uses these tables, as
-- service_role: no policy, and no grant to anon or authenticated.

create table auth.oauth_clients (
  id                         uuid primary key default gen_random_uuid(),
  client_secret_hash         text,
  registration_type          text not null,
  token_endpoint_auth_method text not null,
  client_type                text not null generated always as (case token_endpoint_auth_method when 'none' then 'public' else 'confidential' end) stored,
  client_name                text not null,
  client_uri                 text,
  logo_uri                   text,
  redirect_uris              text[] not null,
  grant_types                text[] not null,
  scope                      text,
  created_at                 timestamptz not null default now(),
  updated_at                 timestamptz not null default now(),
  constraint oauth_clients_registration_type_check check (registration_type in ('dynamic', 'manual')),
  constraint oauth_clients_auth_method_check check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  constraint oauth_clients_secret_check check ((client_secret_hash is null) = (token_endpoint_auth_method = 'none')),
  constraint oauth_clients_name_check check (length(client_name) between 1 and 255),
  constraint oauth_clients_redirect_uris_check check (cardinality(redirect_uris) between 1 and 10),
  constraint oauth_clients_grant_types_check check ('authorization_code' = any (grant_types) and grant_types <@ array['authorization_code', 'refresh_token'])
);
comment on table auth.oauth_clients is 'Applications that may ask people for access to their account.';
comment on column auth.oauth_clients.client_secret_hash is 'SHA-256 in hex. Null for a public client, which cannot keep a secret.';
comment on column auth.oauth_clients.registration_type is 'manual: by the operator; dynamic: by the application itself (RFC 7591).';
comment on column auth.oauth_clients.redirect_uris is 'Compared as text: a redirect goes to one of these or nowhere.';
comment on column auth.oauth_clients.scope is 'The scopes it may ask for, separated by spaces; null for all.';
create index oauth_clients_created_at_idx on auth.oauth_clients (created_at);
alter table auth.oauth_clients enable row level security;
grant select, insert, update, delete on auth.oauth_clients to service_role;

alter table auth.sessions
  add column oauth_client_id uuid references auth.oauth_clients on delete cascade,
  add column oauth_scope text,
  add constraint sessions_oauth_check check ((oauth_client_id is null) = (oauth_scope is null));
comment on column auth.sessions.oauth_client_id is 'The application that acts in this session; null for the person''s own sign-in.';
comment on column auth.sessions.oauth_scope is 'The scopes that the person granted to it, separated by spaces.';
create index sessions_oauth_client_id_idx on auth.sessions (oauth_client_id, user_id) where oauth_client_id is not null;

create table auth.oauth_authorizations (
  id               uuid primary key default gen_random_uuid(),
  client_id        uuid not null references auth.oauth_clients on delete cascade,
  user_id          uuid references auth.users on delete cascade,
  session_id       uuid references auth.sessions on delete set null,
  given_session_id uuid references auth.sessions on delete set null,
  redirect_uri     text not null,
  scope            text not null,
  state            text,
  resource         text,
  nonce            text,
  code_challenge   text not null,
  code_hash        text,
  status           text not null default 'pending',
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null,
  constraint oauth_authorizations_status_check check (status in ('pending', 'approved', 'denied', 'spent')),
  constraint oauth_authorizations_code_hash_key unique (code_hash)
);
comment on table auth.oauth_authorizations is 'A request of an application for access, from its redirect to us until its code is exchanged. Kept for a day after, so that a code that is used again is noticed.';
comment on column auth.oauth_authorizations.user_id is 'Who opened the consent screen; nobody else can answer it.';
comment on column auth.oauth_authorizations.session_id is 'The session in which the person approved: the application''s session takes its assurance level. The code ends with it.';
comment on column auth.oauth_authorizations.given_session_id is 'The session that the code was exchanged for. It ends when the code is used again.';
comment on column auth.oauth_authorizations.code_challenge is 'SHA-256 of the verifier in base64url (RFC 7636, S256).';
comment on column auth.oauth_authorizations.code_hash is 'SHA-256 of the code in hex.';
create index oauth_authorizations_client_id_idx on auth.oauth_authorizations (client_id);
create index oauth_authorizations_user_id_idx on auth.oauth_authorizations (user_id) where user_id is not null;
create index oauth_authorizations_session_id_idx on auth.oauth_authorizations (session_id) where session_id is not null;
create index oauth_authorizations_given_session_id_idx on auth.oauth_authorizations (given_session_id) where given_session_id is not null;
create index oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);
alter table auth.oauth_authorizations enable row level security;
grant select, insert, update, delete on auth.oauth_authorizations to service_role;

create table auth.oauth_consents (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  client_id  uuid not null references auth.oauth_clients on delete cascade,
  scopes     text[] not null,
  granted_at timestamptz not null default now(),
  constraint oauth_consents_one_per_client unique (user_id, client_id)
);
comment on table auth.oauth_consents is 'What a person allows an application. Revoking removes the row and ends the application''s sessions.';
create index oauth_consents_client_id_idx on auth.oauth_consents (client_id);
alter table auth.oauth_consents enable row level security;
grant select, insert, update, delete on auth.oauth_consents to service_role;

-- A refresh token of an application's session is exchanged by that application alone, and never by the person's own clients.
drop function private.rotate_refresh_token(text, text, int, text, inet);
create function private.rotate_refresh_token(
  presented text, successor text, reuse_seconds int, user_agent text, ip inet, client uuid default null,
  out outcome text, out user_id uuid, out session_id uuid, out active text
)
language plpgsql set search_path = ''
as $$
declare
  v_token auth.refresh_tokens;
  v_session auth.sessions;
begin
  outcome := 'not_found';
  select t.* into v_token from auth.refresh_tokens t where t.token_hash = presented;
  if not found then
    return;
  end if;
  -- Tabs that refresh at once queue here; who comes second reads below what the first one did.
  select s.* into v_session from auth.sessions s where s.id = v_token.session_id for update;
  if not found or v_session.oauth_client_id is distinct from client then
    return;
  end if;
  select t.* into v_token from auth.refresh_tokens t where t.id = v_token.id;
  user_id := v_token.user_id;
  session_id := v_token.session_id;

  if v_session.not_after <= now() then
    outcome := 'expired';
    delete from auth.sessions s where s.id = v_session.id;
  elsif exists (select from auth.users u where u.id = v_token.user_id and u.banned_until > now()) then
    outcome := 'banned';
  elsif not v_token.revoked then
    outcome := 'rotated';
    active := successor;
    update auth.refresh_tokens t set revoked = true, updated_at = clock_timestamp() where t.id = v_token.id;
    insert into auth.refresh_tokens (token_hash, user_id, session_id, parent)
    values (successor, v_token.user_id, v_token.session_id, presented);
    update auth.sessions s set
      refreshed_at = now(), updated_at = now(),
      user_agent = rotate_refresh_token.user_agent, ip = rotate_refresh_token.ip
    where s.id = v_session.id;
  elsif v_token.updated_at + make_interval(secs => reuse_seconds) > clock_timestamp() then
    outcome := 'reused';
    select t.token_hash into active from auth.refresh_tokens t where t.session_id = v_session.id and not t.revoked;
  else
    -- Two people hold this token, and which of them is the thief can't be told: the session ends for both.
    outcome := 'already_used';
    delete from auth.sessions s where s.id = v_session.id;
    insert into auth.audit_log_entries (payload, ip_address)
    select
      jsonb_build_object(
        'action', 'token_revoked', 'log_type', 'token', 'actor_id', u.id, 'actor_username', u.email,
        'traits', jsonb_build_object('session_id', v_session.id, 'reason', 'refresh token used again')
      ),
      coalesce(host(rotate_refresh_token.ip), '')
    from auth.users u where u.id = v_token.user_id;
  end if;
end;
$$;
comment on function private.rotate_refresh_token is 'Exchanges a refresh token (given and stored as its hash) for its successor. client: the application that presents it, null for the person''s own sign-in. outcome: rotated, reused (within the grace: active names the current one), already_used (the session is gone), expired, banned, not_found (also for another client''s token).';
revoke execute on function private.rotate_refresh_token from public;
grant execute on function private.rotate_refresh_token to service_role;

-- An application acts for the person, and never with the powers of an admin.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select public.has_role(auth.uid(), 'admin')
    and (auth.aal() = 'aal2' or private.setting('admin_needs_second_factor') is distinct from 'true')
    and not auth.jwt() ? 'client_id';
$$;

-- Nor does it end the person's sign-ins: those guard the account.
create or replace function public.end_own_session(session_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
begin
  if auth.jwt() ? 'client_id' then
    raise exception 'Connected apps can''t end sessions' using errcode = '42501';
  end if;
  delete from auth.sessions s where s.id = session_id and s.user_id = v_user;
  if not found then
    return false;
  end if;
  insert into auth.audit_log_entries (payload)
  values (jsonb_build_object(
    'action', 'logout', 'log_type', 'account', 'actor_id', v_user, 'actor_username', coalesce(auth.email(), ''),
    'actor_via_sso', false, 'traits', jsonb_build_object('scope', 'session', 'session_id', session_id)
  ));
  return true;
end;
$$;

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
  delete from auth.oauth_authorizations where expires_at < now() - interval '1 day';
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

create or replace function auth.export_account() returns jsonb
language sql stable security definer set search_path = ''
as $$
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
  from auth.users u where u.id = auth.uid();
$$;
