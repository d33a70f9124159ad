-- Up Migration
-- Second factors and passkeys, in GoTrue's names (API-AUTH-19..22, API-AUTH-26, AUTH-19).

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
comment on table auth.mfa_factors is 'What a person has beside the password. Only a verified one counts; an unverified one is an enrolment that was begun.';
comment on column auth.mfa_factors.secret is 'A TOTP secret, encrypted by the gateway with a key that the database does not have.';
comment on column auth.mfa_factors.last_totp_step is 'The time step of the last code that was taken: no code is taken twice, nor an earlier one after it.';
comment on column auth.mfa_factors.web_authn_credential is '{id, public_key, counter, transports}: nothing in it is secret.';
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (user_id, friendly_name) where trim(friendly_name) <> '';
create unique index mfa_factors_recovery_code_key on auth.mfa_factors (user_id) where factor_type = 'recovery_code';
create unique index unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);
create index mfa_factors_user_id_created_at_idx on auth.mfa_factors (user_id, created_at);

alter table auth.sessions add constraint sessions_factor_id_fkey
  foreign key (factor_id) references auth.mfa_factors on delete set null;
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;
comment on column auth.sessions.factor_id is 'The factor that raised the session to aal2.';

create table auth.mfa_challenges (
  id                     uuid primary key default gen_random_uuid(),
  factor_id              uuid not null references auth.mfa_factors on delete cascade,
  ip_address             inet,
  otp_code               text,
  web_authn_session_data jsonb,
  verified_at            timestamptz,
  created_at             timestamptz not null default now()
);
comment on table auth.mfa_challenges is 'A request to prove a factor, answered once and within minutes.';
comment on column auth.mfa_challenges.otp_code is 'A keyed hash of the code that went to the phone; the code itself is never stored.';
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_created_at_idx on auth.mfa_challenges (created_at);

create table auth.mfa_recovery_codes (
  id        uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  code_hash text not null,
  used_at   timestamptz,
  constraint mfa_recovery_codes_factor_id_code_hash_key unique (factor_id, code_hash)
);
comment on table auth.mfa_recovery_codes is 'Codes for who has lost the other factors, each good once.';
comment on column auth.mfa_recovery_codes.code_hash is 'A keyed hash; the codes are shown once, when they are made.';

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
comment on table auth.webauthn_credentials is 'Passkeys: each signs in by itself, without a password.';
comment on column auth.webauthn_credentials.credential_id is 'As the authenticator named it, in base64url; so is public_key (COSE).';
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
  id             uuid primary key default gen_random_uuid(),
  user_id        uuid references auth.users on delete cascade,
  challenge_type text not null check (challenge_type in ('registration', 'authentication')),
  session_data   jsonb not null,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null
);
comment on table auth.webauthn_challenges is 'What an authenticator was asked to sign; gone with the answer. user_id is null while nobody is known.';
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

-- No policies: auth/v1 alone reads them, as service_role.
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
alter table auth.webauthn_credentials enable row level security;
alter table auth.webauthn_challenges enable row level security;

create function auth.aal() returns text
language sql stable
as $$
  select coalesce(auth.jwt() ->> 'aal', 'aal1');
$$;
comment on function auth.aal is 'How well the caller is known: aal1, or aal2 after a second factor. For policies of what everybody must prove twice.';
grant execute on function auth.aal() to anon, authenticated;

-- security definer: whether a caller has a factor is nobody else's to read.
create function private.has_proved_factors() returns boolean
language sql stable security definer set search_path = ''
as $$
  select auth.aal() = 'aal2' or not exists (
    select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified'
  );
$$;
comment on function private.has_proved_factors is 'False for a caller who has a second factor and has not shown it in this session. For restrictive policies.';
revoke execute on function private.has_proved_factors() from public;
grant execute on function private.has_proved_factors() to anon, authenticated;

-- security definer: settings are the person's own, and this one follows the factors (SET-21).
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
