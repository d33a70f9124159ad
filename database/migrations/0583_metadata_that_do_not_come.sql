-- Up Migration
-- Metadata of an identity provider that does not answer were asked for at every sign-in, and each waited for it. Now once in a quarter of
-- an hour, by one sign-in (server/auth/saml/providers.ts).
alter table auth.saml_providers add column metadata_tried_at timestamptz;
comment on column auth.saml_providers.metadata_tried_at is 'When the address of the metadata was asked last, whether it answered or not.';
