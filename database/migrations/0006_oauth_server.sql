-- Up Migration

-- The OAuth 2.1 server: apps act for users who allow it, with GoTrue's names. Only the gateway uses these tables, as service_role: no
-- policy, and no grant to anon or authenticated.
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
comment on table auth.oauth_clients is 'Apps that can ask users for access to their accounts.';
comment on column auth.oauth_clients.client_secret_hash is 'SHA-256 in hex. Null for a public client, which can''t keep a secret.';
comment on column auth.oauth_clients.registration_type is 'manual: by the operator; dynamic: by the app itself (RFC 7591).';
comment on column auth.oauth_clients.redirect_uris is 'The only URLs that a redirect may lead to, compared as text.';
comment on column auth.oauth_clients.scope is 'The scopes that the app may request, separated by spaces; null for all.';
alter table auth.oauth_clients enable row level security;

alter table auth.sessions add constraint sessions_oauth_client_id_fkey
  foreign key (oauth_client_id) references auth.oauth_clients on delete cascade;
create index oauth_clients_created_at_idx on auth.oauth_clients (created_at);
grant select, insert, update, delete on auth.oauth_clients to service_role;
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
comment on table auth.oauth_authorizations is 'An app''s request for access, from its redirect to us until its code is exchanged. Kept for one more day, so that reuse of the code is noticed.';
comment on column auth.oauth_authorizations.user_id is 'The user who opened the consent screen. No one else can answer it until that session has ended.';
comment on column auth.oauth_authorizations.session_id is 'The session that opened the screen, then the session that approved. The app''s session takes its assurance level, and the code ends with it.';
comment on column auth.oauth_authorizations.given_session_id is 'The session that the code was exchanged for. Reuse of the code ends it.';
comment on column auth.oauth_authorizations.code_challenge is 'SHA-256 of the verifier in base64url (RFC 7636, S256).';
comment on column auth.oauth_authorizations.code_hash is 'SHA-256 of the code in hex.';
alter table auth.oauth_authorizations enable row level security;
create index oauth_authorizations_client_id_idx on auth.oauth_authorizations (client_id);
create index oauth_authorizations_user_id_idx on auth.oauth_authorizations (user_id) where user_id is not null;
create index oauth_authorizations_session_id_idx on auth.oauth_authorizations (session_id) where session_id is not null;
create index oauth_authorizations_given_session_id_idx on auth.oauth_authorizations (given_session_id) where given_session_id is not null;
create index oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);
grant select, insert, update, delete on auth.oauth_authorizations to service_role;
create table auth.oauth_consents (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  client_id  uuid not null references auth.oauth_clients on delete cascade,
  scopes     text[] not null,
  granted_at timestamptz not null default now(),
  constraint oauth_consents_one_per_client unique (user_id, client_id)
);
comment on table auth.oauth_consents is 'What a user allows an app. Revoking deletes the row and ends the app''s sessions.';
alter table auth.oauth_consents enable row level security;
create index oauth_consents_client_id_idx on auth.oauth_consents (client_id);
grant select, insert, update, delete on auth.oauth_consents to service_role;
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
  -- Tabs that refresh at the same time queue here. The second one reads below what the first one wrote.
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
    -- Two clients hold this token, and it's unknown which one stole it: the session ends for both.
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
comment on function private.rotate_refresh_token is 'Exchanges a refresh token (given and stored as its hash) for its successor. client: the app that presents it; null for the user''s own sign-in. outcome: rotated, reused (within the grace: active names the current one), already_used (the session is gone), expired, banned, not_found (also for another client''s token).';
revoke execute on function private.rotate_refresh_token from public;
grant execute on function private.rotate_refresh_token to service_role;

-- Connected apps act for their user, but they can't move money (canceling a booking refunds it) or weaken the account (login alerts).
create function private.reject_app() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if auth.jwt() ? 'client_id' then
    raise exception 'Connected apps can''t do this' using errcode = '42501';
  end if;
end;
$$;
comment on function private.reject_app is 'Rejects the request when a connected app (auth.oauth_clients) makes it for a user.';

create function private.reject_app_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.reject_app();
  return null;
end;
$$;
comment on function private.reject_app_change is 'Trigger of tables that connected apps can''t change.';
