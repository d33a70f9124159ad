-- Up Migration
-- Accounts and sessions in GoTrue's own names, so that whoever knows GoTrue knows these tables (API-AUTH-01..14).
-- Contract: supabase/auth `migrations/`. Tokens are stored as hashes only, in one_time_tokens and refresh_tokens.

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
  constraint users_phone_key unique (phone)
);
comment on table auth.users is 'One row for each account. Creating one creates its public profile (private.create_profile).';
comment on column auth.users.encrypted_password is 'An argon2id or bcrypt hash in its own encoding; null when the account has no password.';
comment on column auth.users.raw_user_meta_data is 'What the person gave at sign-up: username, display_name, is_creator, terms_accepted, ref (API-AUTH-01). They may change it, so no right may hang on it.';
comment on column auth.users.raw_app_meta_data is 'Providers and other facts that only the server writes.';
comment on column auth.users.is_super_admin is 'Kept for GoTrue''s shape and read by nothing: admins are rows in user_roles (D24).';
-- Two accounts never differ by letter case alone. Single sign-on may bring an address that a password account has.
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
comment on table auth.identities is 'How an account proves who it is: one row for each provider, e-mail included.';
comment on column auth.identities.provider_id is 'The person''s id at the provider; for e-mail and phone the account''s own id.';
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
  updated_at   timestamptz not null default now()
);
comment on table auth.sessions is 'A sign-in on one device. Its row gone, its access tokens are refused and its refresh tokens are gone too.';
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
comment on table auth.mfa_amr_claims is 'How a session was proved (password, otp, totp …): the `amr` claim of its tokens.';

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
comment on table auth.refresh_tokens is 'Refresh tokens, each used once; presenting a revoked one reveals theft.';
comment on column auth.refresh_tokens.token_hash is 'SHA-256 of the token, hex. The token itself is never stored.';
comment on column auth.refresh_tokens.parent is 'token_hash of the token that this one replaced.';
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
  constraint one_time_tokens_user_id_token_type_key unique (user_id, token_type)
);
comment on table auth.one_time_tokens is 'Codes and links that were sent: at most one of each kind for an account, the newest.';
comment on column auth.one_time_tokens.relates_to is 'The address or number the token was sent to.';
create index one_time_tokens_token_hash_idx on auth.one_time_tokens using hash (token_hash);
create index one_time_tokens_relates_to_idx on auth.one_time_tokens using hash (relates_to);

create table auth.audit_log_entries (
  id         uuid primary key default gen_random_uuid(),
  payload    jsonb not null,
  ip_address text not null default '',
  created_at timestamptz not null default now()
);
comment on table auth.audit_log_entries is 'What happened to accounts: sign-ups, sign-ins, changes. Never a secret.';
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);

-- No policies: accounts are read through auth/v1, which works as service_role.
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.audit_log_entries enable row level security;

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
comment on function auth.uid is 'The caller''s account id, null for a visitor.';

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
comment on function auth.email is 'The caller''s e-mail address at the time the token was issued.';
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated;

-- `role` is the setting that SET ROLE writes; unlike current_user it still names the caller inside a security definer function.
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
comment on function private.is_service is 'True for service_role and for the database''s owner, never for a person''s request.';
grant execute on function private.is_service() to anon, authenticated;
