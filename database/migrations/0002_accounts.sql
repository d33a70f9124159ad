-- Up Migration

-- Accounts and sessions, with GoTrue's names, so that developers who know GoTrue know these tables (API-AUTH-01..14).
-- Contract: supabase/auth `migrations/`. Tokens are stored only as hashes, in one_time_tokens and refresh_tokens. A refresh token is used
-- once (API-AUTH-03).

-- The size of raw_user_meta_data is limited because every access token carries it, and servers and proxies limit a request's headers
-- (16 kB).
create table auth.users (
  id                          uuid primary key default gen_random_uuid(),
  aud                         text not null default 'authenticated',
  role                        text not null default 'authenticated',
  email                       text check (length(email) <= 255),
  encrypted_password          text,
  email_confirmed_at          timestamptz,
  invited_at                  timestamptz,
  confirmation_sent_at        timestamptz,
  recovery_sent_at            timestamptz,
  email_change                text,
  email_change_sent_at        timestamptz,
  email_change_confirm_status smallint not null default 0 check (email_change_confirm_status between 0 and 2),
  phone                       text,
  phone_confirmed_at          timestamptz,
  phone_change                text,
  phone_change_sent_at        timestamptz,
  confirmed_at                timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  reauthentication_sent_at    timestamptz,
  last_sign_in_at             timestamptz,
  raw_app_meta_data           jsonb not null default '{}',
  raw_user_meta_data          jsonb not null default '{}',
  is_super_admin              boolean,
  is_sso_user                 boolean not null default false,
  is_anonymous                boolean not null default false,
  banned_until                timestamptz,
  deleted_at                  timestamptz,
  created_at                  timestamptz not null default now(),
  updated_at                  timestamptz not null default now(),
  constraint users_phone_key unique (phone),
  constraint users_user_metadata_size check (octet_length(raw_user_meta_data::text) <= 4096)
);
comment on table auth.users is 'One row for each account. Creating one creates its public profile (private.create_profile).';
comment on column auth.users.encrypted_password is 'An argon2id or bcrypt hash in its own encoding; null when the account has no password.';
comment on column auth.users.raw_user_meta_data is 'What the user entered at sign-up: username, display_name, is_creator, terms_accepted, ref (API-AUTH-01). Users can change it, so no permission may depend on it.';
comment on column auth.users.raw_app_meta_data is 'Providers and other data that only the server writes.';
comment on column auth.users.is_super_admin is 'Unused; kept for compatibility with GoTrue. Admins are rows in user_roles (D24).';
alter table auth.users enable row level security;

-- Emails are unique regardless of case. Single sign-on may bring an email that another account already has.
create unique index users_email_key on auth.users (lower(email)) where not is_sso_user;
create index users_created_at_idx on auth.users (created_at desc); -- GET /admin/users
create table auth.identities (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users on delete cascade,
  provider        text not null,
  provider_id     text not null,
  identity_data   jsonb not null,
  email           text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint identities_provider_id_provider_unique unique (provider_id, provider)
);
comment on table auth.identities is 'How a user can sign in: one row for each provider, including email.';
comment on column auth.identities.provider_id is 'The user''s id at the provider; for email and phone, the account''s own id.';
alter table auth.identities enable row level security;
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email);
create table auth.sessions (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users on delete cascade,
  aal          text not null default 'aal1' check (aal in ('aal1', 'aal2', 'aal3')),
  factor_id    uuid,
  not_after    timestamptz,
  refreshed_at timestamptz,
  user_agent   text,
  ip           inet,
  tag          text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  oauth_client_id uuid,
  oauth_scope text,
  constraint sessions_oauth_check check ((oauth_client_id is null) = (oauth_scope is null))
);
comment on table auth.sessions is 'A sign-in on one device. Deleting the row deletes its refresh tokens, and its access tokens are rejected.';
comment on column auth.sessions.factor_id is 'The factor that raised the session to aal2.';
comment on column auth.sessions.oauth_client_id is 'The connected app that this session belongs to; null for the user''s own sign-in.';
comment on column auth.sessions.oauth_scope is 'The scopes that the user granted to the app, separated by spaces.';
alter table auth.sessions enable row level security;
create index sessions_user_id_created_at_idx on auth.sessions (user_id, created_at);
create index sessions_not_after_idx on auth.sessions (not_after) where not_after is not null;
create table auth.mfa_amr_claims (
  id                    uuid primary key default gen_random_uuid(),
  session_id            uuid not null references auth.sessions on delete cascade,
  authentication_method text not null,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  constraint mfa_amr_claims_session_id_authentication_method_key unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'The methods that authenticated a session (password, otp, totp …): the `amr` claim of its tokens.';
alter table auth.mfa_amr_claims enable row level security;
create table auth.refresh_tokens (
  id         bigint generated always as identity primary key,
  token_hash text not null,
  user_id    uuid not null references auth.users on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  parent     text,
  revoked    boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refresh_tokens_token_hash_key unique (token_hash)
);
comment on table auth.refresh_tokens is 'Refresh tokens, each used once. Using a revoked one reveals theft.';
comment on column auth.refresh_tokens.token_hash is 'SHA-256 of the token, hex. The token itself is never stored.';
comment on column auth.refresh_tokens.parent is 'token_hash of the token that this one replaced.';
alter table auth.refresh_tokens enable row level security;
create index refresh_tokens_user_id_idx on auth.refresh_tokens (user_id);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create table auth.one_time_tokens (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  token_type text not null check (token_type in ('confirmation_token', 'reauthentication_token', 'recovery_token',
    'email_change_token_new', 'email_change_token_current', 'phone_change_token')),
  token_hash text not null check (length(token_hash) > 0),
  relates_to text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  flow_state_id uuid,
  constraint one_time_tokens_user_id_token_type_key unique (user_id, token_type)
);
comment on table auth.one_time_tokens is 'Codes and links that were sent: only the newest of each kind for an account.';
comment on column auth.one_time_tokens.relates_to is 'The email or phone number that the token was sent to.';
comment on column auth.one_time_tokens.flow_state_id is 'The flow that the link continues; null when the link itself opens the session.';
alter table auth.one_time_tokens enable row level security;
create index one_time_tokens_token_hash_idx on auth.one_time_tokens using hash (token_hash);
create index one_time_tokens_relates_to_idx on auth.one_time_tokens using hash (relates_to);
create table auth.audit_log_entries (
  id         uuid primary key default gen_random_uuid(),
  payload    jsonb not null,
  ip_address text not null default '',
  created_at timestamptz not null default now()
);
comment on table auth.audit_log_entries is 'What happened to accounts: sign-ups, sign-ins, changes. Never a secret.';
alter table auth.audit_log_entries enable row level security;
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);
create function auth.jwt() returns jsonb
language sql stable
as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
$$;
comment on function auth.jwt is 'The verified claims of the request''s token; empty for a visitor without one.';
create function auth.uid() returns uuid
language sql stable
as $$
  select nullif(auth.jwt() ->> 'sub', '')::uuid;
$$;
comment on function auth.uid is 'The caller''s account id; null for a visitor.';
create function auth.role() returns text
language sql stable
as $$
  select auth.jwt() ->> 'role';
$$;
comment on function auth.role is 'The role that the caller''s token names.';
create function auth.email() returns text
language sql stable
as $$
  select auth.jwt() ->> 'email';
$$;
comment on function auth.email is 'The caller''s email when the token was issued.';
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated;

-- `role` is the setting that SET ROLE writes. Unlike current_user, it still names the caller inside a security definer function.
create function private.is_service() returns boolean
language sql stable
as $$
  select case coalesce(nullif(current_setting('role', true), ''), 'none')
    when 'service_role' then true
    when 'none' then (
      select pg_catalog.pg_has_role(session_user, n.nspowner, 'usage') from pg_catalog.pg_namespace n where n.nspname = 'private'
    )
    else false
  end;
$$;
comment on function private.is_service is 'True for service_role and for the owner of the database, never for a user''s request.';
grant execute on function private.is_service() to anon, authenticated;

-- Sign-ins that leave the page and come back: by a link in an email with a code challenge (AUTH-20, API-AUTH-04), where only the browser
-- that requested the email can exchange the code for a session, and with another service (API-AUTH-05, 06, 16..18).

-- user_id is null while the user is unknown; without a challenge, the browser's cookie binds the flow.
create table auth.flow_state (
  id                    uuid primary key default gen_random_uuid(),
  user_id               uuid references auth.users on delete cascade,
  code_challenge        text check (code_challenge ~ '^[A-Za-z0-9._~-]{43,128}$'),
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  authentication_method text not null,
  auth_code_hash        text,
  auth_code_issued_at   timestamptz,
  created_at            timestamptz not null default now(),
  provider text,
  state_hash text,
  browser_hash text,
  provider_secrets text,
  redirect_to text,
  linking_target_id uuid references auth.users on delete cascade,
  session_not_after timestamptz,
  constraint flow_state_auth_code_hash_key unique (auth_code_hash),
  constraint flow_state_state_hash_key unique (state_hash)
);
comment on table auth.flow_state is 'A sign-in that must end in the browser where it began, by email or with another service. Deleted when its code is exchanged.';
comment on column auth.flow_state.authentication_method is 'The kind of the email (signup, recovery, email_change, magiclink), oauth, or sso/saml.';
comment on column auth.flow_state.auth_code_hash is 'SHA-256 of the code, hex; null until the link is opened.';
comment on column auth.flow_state.state_hash is 'SHA-256 of the state that the service returns, hex; null after it was returned.';
comment on column auth.flow_state.browser_hash is 'SHA-256 of the cookie of the browser that started the flow.';
comment on column auth.flow_state.provider_secrets is 'State of the flow while the user is at the other service, encrypted by the gateway: nonce and verifier, the id of the request, or the returned user.';
comment on column auth.flow_state.linking_target_id is 'The account that the identity will be linked to; null for a sign-in.';
comment on column auth.flow_state.session_not_after is 'When the identity provider wants the session to end; null when it doesn''t say.';
alter table auth.flow_state enable row level security; -- and no policy: only auth/v1 reads it, as service_role

alter table auth.one_time_tokens add constraint one_time_tokens_flow_state_id_fkey
  foreign key (flow_state_id) references auth.flow_state on delete cascade;
create index flow_state_user_id_created_at_idx on auth.flow_state (user_id, created_at);
create index one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id) where flow_state_id is not null;

create function private.sweep_accounts(unconfirmed_days integer, audit_days integer) returns void
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
  -- Without a code there is no reuse to notice, and anyone can create these without signing in.
  delete from auth.oauth_authorizations
  where expires_at < case when code_hash is null then now() else now() - interval '1 day' end;
  -- Anyone can register an app. One that no user has allowed is deleted.
  delete from auth.oauth_clients c
  where c.registration_type = 'dynamic' and c.created_at < now() - interval '30 days'
    and not exists (select from auth.oauth_consents o where o.client_id = c.id)
    and not exists (select from auth.oauth_authorizations a where a.client_id = c.id);
  -- The longest AUTH_JWT_EXP is a week.
  delete from auth.ended_sessions where changed_at < now() - interval '8 days';
  delete from auth.known_devices where last_seen_at < now() - interval '400 days';
  -- A used token reveals theft when it is used again, so it is kept for a while.
  delete from auth.refresh_tokens where revoked and updated_at < now() - interval '30 days';
  -- Entries contain personal data: the operator decides how long they are kept.
  delete from auth.audit_log_entries where created_at < now() - make_interval(days => audit_days);
  -- Never confirmed: the email and the username become available again.
  delete from auth.users u
  where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
    and not u.is_anonymous and not u.is_sso_user and u.deleted_at is null
    and greatest(u.created_at, u.confirmation_sent_at, u.invited_at) < now() - make_interval(days => unconfirmed_days);
end;
$$;
comment on function private.sweep_accounts is 'Deletes what auth/v1 no longer needs: used and old tokens, abandoned flows, audit entries older than audit_days, and accounts unconfirmed for unconfirmed_days.';
revoke execute on function private.sweep_accounts(int, int) from public;
grant execute on function private.sweep_accounts(int, int) to service_role;
