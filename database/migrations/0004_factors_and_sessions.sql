-- Up Migration

-- Second factors, passkeys, and the lists of devices and sessions, with GoTrue's names (API-AUTH-19..22, API-AUTH-26, AUTH-19).
create table auth.mfa_factors (
  id                      uuid primary key default gen_random_uuid(),
  user_id                 uuid not null references auth.users on delete cascade,
  friendly_name           text check (length(friendly_name) <= 120),
  factor_type             text not null check (factor_type in ('totp', 'phone', 'webauthn', 'recovery_code')),
  status                  text not null default 'unverified' check (status in ('unverified', 'verified')),
  secret                  text,
  phone                   text,
  last_totp_step          bigint,
  web_authn_credential    jsonb,
  web_authn_aaguid        uuid,
  last_challenged_at      timestamptz,
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now()
);
comment on table auth.mfa_factors is 'Second factors. Only a verified one counts; an unverified one is an enrollment that isn''t finished.';
comment on column auth.mfa_factors.secret is 'A TOTP secret, encrypted by the gateway with a key that the database does not have.';
comment on column auth.mfa_factors.last_totp_step is 'The time step of the last accepted code: no code is accepted twice, and none that is older.';
comment on column auth.mfa_factors.web_authn_credential is '{id, public_key, counter, transports}. Nothing in it is secret.';
alter table auth.mfa_factors enable row level security;

alter table auth.sessions add constraint sessions_factor_id_fkey
  foreign key (factor_id) references auth.mfa_factors on delete set null;
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (user_id, friendly_name) where trim(friendly_name) <> '';
create unique index mfa_factors_recovery_code_key on auth.mfa_factors (user_id) where factor_type = 'recovery_code';
create unique index unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);
create index mfa_factors_user_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;
create table auth.mfa_challenges (
  id                     uuid primary key default gen_random_uuid(),
  factor_id              uuid not null references auth.mfa_factors on delete cascade,
  ip_address             inet,
  otp_code               text,
  web_authn_session_data jsonb,
  verified_at            timestamptz,
  created_at             timestamptz not null default now()
);
comment on table auth.mfa_challenges is 'A request to verify a factor, answered once and within minutes.';
comment on column auth.mfa_challenges.otp_code is 'A keyed hash of the code that was sent to the phone. The code itself is never stored.';
alter table auth.mfa_challenges enable row level security;
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_created_at_idx on auth.mfa_challenges (created_at);
create table auth.mfa_recovery_codes (
  id        uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  code_hash text not null,
  used_at   timestamptz,
  constraint mfa_recovery_codes_factor_id_code_hash_key unique (factor_id, code_hash)
);
comment on table auth.mfa_recovery_codes is 'Codes for users who have lost their other factors. Each works once.';
comment on column auth.mfa_recovery_codes.code_hash is 'A keyed hash. The codes are shown once, when they are created.';
alter table auth.mfa_recovery_codes enable row level security;
create table auth.webauthn_credentials (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  credential_id text not null,
  public_key    text not null,
  aaguid        uuid,
  sign_count    bigint not null default 0,
  transports    jsonb not null default '[]',
  backed_up     boolean not null default false,
  friendly_name text check (length(friendly_name) <= 120),
  last_used_at  timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  constraint webauthn_credentials_credential_id_key unique (credential_id)
);
comment on table auth.webauthn_credentials is 'Passkeys: each signs a user in without a password.';
comment on column auth.webauthn_credentials.credential_id is 'The authenticator''s id, in base64url, like public_key (COSE).';
alter table auth.webauthn_credentials enable row level security;
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);
create table auth.webauthn_challenges (
  id             uuid primary key default gen_random_uuid(),
  user_id        uuid references auth.users on delete cascade,
  challenge_type text not null check (challenge_type in ('registration', 'authentication')),
  session_data   jsonb not null,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null
);
comment on table auth.webauthn_challenges is 'Challenges for an authenticator to sign. Deleted with the answer. user_id is null while the user is unknown.';
alter table auth.webauthn_challenges enable row level security;
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
create function auth.aal() returns text
language sql stable
as $$
  select coalesce(auth.jwt() ->> 'aal', 'aal1');
$$;
comment on function auth.aal is 'The caller''s assurance level: aal1, or aal2 after a second factor. For policies that require a second factor.';
grant execute on function auth.aal() to anon, authenticated;

-- security definer: clients can't read auth.mfa_factors.
create function private.has_proved_factors() returns boolean
language sql stable security definer set search_path = ''
as $$
  select auth.aal() = 'aal2' or not exists (
    select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified'
  );
$$;
comment on function private.has_proved_factors is 'False for a caller who has a second factor and hasn''t verified it in this session. For restrictive policies.';
revoke execute on function private.has_proved_factors() from public;
grant execute on function private.has_proved_factors() to anon, authenticated;

-- security definer: users can't write this setting, because it follows their factors (SET-21).
create function private.note_two_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := coalesce(new.user_id, old.user_id);
begin
  update private.user_settings s
  set two_factor_enabled = exists (select from auth.mfa_factors f where f.user_id = v_user and f.status = 'verified')
  from private.profiles p
  where p.id = s.user_id and p.user_id = v_user;
  return null;
end;
$$;
comment on function private.note_two_factor is 'Trigger of auth.mfa_factors: security.twoFactorEnabled says whether there is a verified factor.';
revoke execute on function private.note_two_factor() from public;
create trigger mfa_factors_note_two_factor after insert or delete or update of status on auth.mfa_factors
  for each row execute function private.note_two_factor();

-- Devices and sessions: login alerts, and the list of sessions in Settings (SET-22, D38).
create table auth.known_devices (
  user_id      uuid not null references auth.users on delete cascade,
  device_hash  text not null,
  last_seen_at timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  primary key (user_id, device_hash)
);
comment on table auth.known_devices is 'Kinds of devices that an account was used on. A sign-in from a new one sends its user an alert.';
comment on column auth.known_devices.device_hash is 'A keyed hash of the browser''s name without its version, so that an update isn''t a new device.';
alter table auth.known_devices enable row level security; -- and no policy: only auth/v1 reads it, as service_role
create index known_devices_last_seen_at_idx on auth.known_devices (last_seen_at);

-- security definer: clients can't read auth.sessions. The list contains no tokens.
create function public.list_own_sessions()
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
comment on function public.list_own_sessions is
  'Where the caller is signed in, the session of the request first. Connected apps are listed elsewhere, and see none of it.';
revoke execute on function public.list_own_sessions() from public, anon;
grant execute on function public.list_own_sessions() to authenticated, service_role;

-- security definer: the condition limits it to the caller's own sessions. Connected apps can't end sessions, because that could lock out the
-- user.
create function public.end_own_session(session_id uuid) returns boolean
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
comment on function public.end_own_session is 'Ends one of the caller''s sessions: its refresh tokens are deleted, and its access tokens are rejected. False when there is no such session.';
revoke execute on function public.end_own_session(uuid) from public, anon;
grant execute on function public.end_own_session(uuid) to authenticated, service_role;

-- An access token outlives its session by up to AUTH_JWT_EXP. Every node keeps the sessions that have ended in memory and rejects their
-- tokens on each API. The table is what the nodes load; the notification makes it immediate.
create table auth.ended_sessions (
  session_id   uuid primary key,
  required_aal text,
  changed_at   timestamptz not null default clock_timestamp(),
  constraint ended_sessions_required_aal_check check (required_aal in ('aal1', 'aal2', 'aal3'))
);
comment on table auth.ended_sessions is 'Sessions whose access tokens are rejected before they expire. Without a foreign key: the session and often the user are gone.';
comment on column auth.ended_sessions.required_aal is 'The assurance level that tokens of a session still need, because it was raised after they were issued. aal1 requires nothing. Null when the session has ended.';
comment on column auth.ended_sessions.changed_at is 'Rows are removed when no token from that time can be alive.';
alter table auth.ended_sessions enable row level security;
create index ended_sessions_changed_at_idx on auth.ended_sessions (changed_at);
grant select, delete on auth.ended_sessions to service_role;

-- No policy and no grant to anon or authenticated: only the server reads it.

-- security definer: sessions also end by cascades and by functions of roles that must not write here.
create function private.note_ended_sessions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_count int;
begin
  insert into auth.ended_sessions (session_id)
  select o.id from old_sessions o
  on conflict (session_id) do update set required_aal = null, changed_at = clock_timestamp();
  get diagnostics v_count = row_count;
  if v_count > 100 then
    perform pg_notify('ovation_ended_sessions', 'reload');
  else
    perform pg_notify('ovation_ended_sessions', o.id || ':') from old_sessions o;
  end if;
  return null;
end;
$$;
comment on function private.note_ended_sessions is 'Tells every node which sessions have ended. Many at once are a single request to load them all.';
create trigger sessions_note_ended after delete on auth.sessions
  referencing old table as old_sessions for each statement execute function private.note_ended_sessions();

-- security definer: for the same reason.
create function private.note_changed_assurance() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into auth.ended_sessions (session_id, required_aal) values (new.id, new.aal)
  on conflict (session_id) do update set required_aal = excluded.required_aal, changed_at = clock_timestamp();
  perform pg_notify('ovation_ended_sessions', new.id || ':' || new.aal);
  return null;
end;
$$;
comment on function private.note_changed_assurance is 'A token issued before the second factor was shown is no longer enough. A session that is lowered again requires nothing.';
create trigger sessions_note_assurance after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal) execute function private.note_changed_assurance();
