-- Up Migration
-- Sign-in with another service or with a wallet (API-AUTH-05, 06, 16..18).

-- A flow may begin before anybody is known, and without a challenge (the browser's cookie binds it then).
alter table auth.flow_state alter column user_id drop not null;
alter table auth.flow_state alter column code_challenge drop not null;
alter table auth.flow_state alter column code_challenge_method drop not null;
alter table auth.flow_state add column provider text;
alter table auth.flow_state add column state_hash text;
alter table auth.flow_state add column browser_hash text;
alter table auth.flow_state add column provider_secrets text;
alter table auth.flow_state add column redirect_to text;
alter table auth.flow_state add column linking_target_id uuid references auth.users on delete cascade;
alter table auth.flow_state add constraint flow_state_state_hash_key unique (state_hash);
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id) where linking_target_id is not null;
create index flow_state_created_at_idx on auth.flow_state (created_at);
comment on table auth.flow_state is 'A sign-in that was begun in one browser and is to end there, by mail or with another service. Gone once its code is exchanged.';
comment on column auth.flow_state.authentication_method is 'The mail''s kind (signup, recovery, email_change, magiclink), or oauth.';
comment on column auth.flow_state.state_hash is 'SHA-256 of the state that the service sends back, hex; null once it has come back.';
comment on column auth.flow_state.browser_hash is 'SHA-256 of the cookie of the browser that began.';
comment on column auth.flow_state.provider_secrets is 'Nonce and code verifier for the service, encrypted by the gateway.';
comment on column auth.flow_state.linking_target_id is 'The account that the identity is to be linked to; null at a sign-in.';

create table auth.spent_wallet_messages (
  message_hash text primary key,
  expires_at   timestamptz not null
);
comment on table auth.spent_wallet_messages is 'Messages that a wallet signed and that have signed somebody in: each does so once. Kept while they could be shown again.';
create index spent_wallet_messages_expires_at_idx on auth.spent_wallet_messages (expires_at);
alter table auth.spent_wallet_messages enable row level security; -- and no policy: auth/v1 alone reads it, as service_role
