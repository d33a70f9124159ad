-- Up Migration
-- Single sign-on with a company's identity provider by SAML 2.0 (API-AUTH-15), in GoTrue's names.

create table auth.sso_providers (
  id          uuid primary key default gen_random_uuid(),
  resource_id text check (length(resource_id) between 1 and 255),
  disabled    boolean not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
comment on table auth.sso_providers is 'A company whose people sign in with its own identity provider. Their identities carry the provider `sso:{id}`.';
comment on column auth.sso_providers.resource_id is 'The operator''s own name for it.';
create unique index sso_providers_resource_id_key on auth.sso_providers (lower(resource_id));

create table auth.saml_providers (
  id                uuid primary key default gen_random_uuid(),
  sso_provider_id   uuid not null references auth.sso_providers on delete cascade,
  entity_id         text not null check (length(entity_id) between 1 and 1024),
  metadata_xml      text not null check (length(metadata_xml) > 0),
  metadata_url      text,
  attribute_mapping jsonb not null default '{}',
  name_id_format    text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint saml_providers_sso_provider_id_key unique (sso_provider_id),
  constraint saml_providers_entity_id_key unique (entity_id)
);
comment on table auth.saml_providers is 'What SAML needs to know of the company: who its identity provider is, where it is, and by which certificates its answers are known.';
comment on column auth.saml_providers.attribute_mapping is '{"keys": {"department": {"name": "ou"}}}: which of the attributes that it sends are kept, and under which name.';
comment on column auth.saml_providers.updated_at is 'When the metadata were read last: those with an address are read again after a day.';

create table auth.sso_domains (
  id              uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null references auth.sso_providers on delete cascade,
  domain          text not null check (domain = lower(domain) and length(domain) between 1 and 253),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint sso_domains_domain_key unique (domain)
);
comment on table auth.sso_domains is 'Whose addresses lead to which company: `signInWithSSO({domain})`.';
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);

create table auth.spent_saml_assertions (
  assertion_hash text primary key,
  expires_at     timestamptz not null
);
comment on table auth.spent_saml_assertions is 'Assertions that have signed somebody in: each does so once. Kept while they could be shown again.';
create index spent_saml_assertions_expires_at_idx on auth.spent_saml_assertions (expires_at);

-- No policies: auth/v1 alone reads them, as service_role.
alter table auth.sso_providers enable row level security;
alter table auth.saml_providers enable row level security;
alter table auth.sso_domains enable row level security;
alter table auth.spent_saml_assertions enable row level security;

alter table auth.flow_state add column session_not_after timestamptz;
comment on column auth.flow_state.session_not_after is 'When the company wants the session to end; null when it does not say.';
comment on column auth.flow_state.authentication_method is 'The mail''s kind (signup, recovery, email_change, magiclink), oauth, or sso/saml.';
comment on column auth.flow_state.provider_secrets is 'What is remembered while the person is elsewhere, encrypted by the gateway: nonce and verifier, the request''s id, or who has come back.';

-- ADMIN_EMAIL is proved by a message that reached the address. What a company's identity provider says of one is no such proof.
create or replace function private.grant_configured_admin(account auth.users) returns void
language sql security definer set search_path = ''
as $$
  insert into public.user_roles (user_id, role)
  select account.id, 'admin'
  where account.email_confirmed_at is not null and not account.is_sso_user
    and lower(account.email) = lower(private.setting('admin_email'))
  on conflict do nothing;
$$;
