-- Up Migration

-- Sign-in with other services, wallets, and single sign-on.
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id) where linking_target_id is not null;
create index flow_state_created_at_idx on auth.flow_state (created_at);
create table auth.spent_wallet_messages (
  message_hash text primary key,
  expires_at   timestamptz not null
);
comment on table auth.spent_wallet_messages is 'Wallet messages that have signed a user in. Each works once. Kept for as long as it could be used again.';
alter table auth.spent_wallet_messages enable row level security; -- and no policy: only auth/v1 reads it, as service_role
create index spent_wallet_messages_expires_at_idx on auth.spent_wallet_messages (expires_at);

-- Single sign-on with a company's identity provider over SAML 2.0 (API-AUTH-15), with GoTrue's names.
create table auth.sso_providers (
  id          uuid primary key default gen_random_uuid(),
  resource_id text check (length(resource_id) between 1 and 255),
  disabled    boolean not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
comment on table auth.sso_providers is 'A company whose users sign in with its own identity provider. Their identities have the provider `sso:{id}`.';
comment on column auth.sso_providers.resource_id is 'The operator''s own name for the company.';
alter table auth.sso_providers enable row level security;
create unique index sso_providers_resource_id_key on auth.sso_providers (lower(resource_id));

-- metadata_tried_at: when an identity provider doesn't answer, only one sign-in in 15 minutes fetches its metadata and waits for it
-- (server/auth/saml/providers.ts).
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
  metadata_tried_at timestamptz,
  constraint saml_providers_sso_provider_id_key unique (sso_provider_id),
  constraint saml_providers_entity_id_key unique (entity_id)
);
comment on table auth.saml_providers is 'The SAML configuration of a company: its identity provider''s name, address, and certificates.';
comment on column auth.saml_providers.attribute_mapping is '{"keys": {"department": {"name": "ou"}}}: which attributes are kept, and under which names.';
comment on column auth.saml_providers.updated_at is 'When the metadata was last read. Metadata with a URL is read again after a day.';
comment on column auth.saml_providers.metadata_tried_at is 'When the metadata URL was last requested, successfully or not.';
alter table auth.saml_providers enable row level security;
create table auth.sso_domains (
  id              uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null references auth.sso_providers on delete cascade,
  domain          text not null check (domain = lower(domain) and length(domain) between 1 and 253),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint sso_domains_domain_key unique (domain)
);
comment on table auth.sso_domains is 'Which email domain belongs to which company: `signInWithSSO({domain})`.';
alter table auth.sso_domains enable row level security;
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create table auth.spent_saml_assertions (
  assertion_hash text primary key,
  expires_at     timestamptz not null
);
comment on table auth.spent_saml_assertions is 'SAML assertions that have signed a user in. Each works once. Kept for as long as it could be used again.';
alter table auth.spent_saml_assertions enable row level security;
create index spent_saml_assertions_expires_at_idx on auth.spent_saml_assertions (expires_at);
