-- Up Migration
-- Code-challenge exchange (AUTH-20, API-AUTH-04): a link in a mail gives a code, and only the browser that asked for the mail can
-- turn the code into a session.
create table auth.flow_state (
  id                    uuid primary key default gen_random_uuid(),
  user_id               uuid not null references auth.users on delete cascade,
  code_challenge        text not null check (code_challenge ~ '^[A-Za-z0-9._~-]{43,128}$'),
  code_challenge_method text not null check (code_challenge_method in ('s256', 'plain')),
  authentication_method text not null,
  auth_code_hash        text,
  auth_code_issued_at   timestamptz,
  created_at            timestamptz not null default now(),
  constraint flow_state_auth_code_hash_key unique (auth_code_hash)
);
comment on table auth.flow_state is 'A sign-in by mail that was begun in one browser and is to end there. Gone once its code is exchanged.';
comment on column auth.flow_state.authentication_method is 'The mail''s kind: signup, recovery, email_change.';
comment on column auth.flow_state.auth_code_hash is 'SHA-256 of the code that the link gave, hex; null until the link is followed.';
create index flow_state_user_id_created_at_idx on auth.flow_state (user_id, created_at);
alter table auth.flow_state enable row level security; -- and no policy: auth/v1 alone reads it, as service_role

alter table auth.one_time_tokens add column flow_state_id uuid references auth.flow_state on delete cascade;
comment on column auth.one_time_tokens.flow_state_id is 'The flow that the token''s link leads back into; null when the link itself opens the session.';
create index one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id) where flow_state_id is not null;
