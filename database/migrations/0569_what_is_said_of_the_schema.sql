-- Up Migration
-- The index of the active codes does not serve a deleted account, whose retired ones go with it.
create index promotion_codes_creator_id_idx on private.promotion_codes (creator_id, created_at desc);

-- What these say was true once.
comment on table private.settings is 'Operator settings that rules in the database read, written at each start by private.apply_settings. No secrets.';
comment on table public.support_requests is 'What people ask the operator. With an account that is deleted go its requests: name, address and words are personal (private.delete_account).';
comment on column public.support_requests.user_id is 'The asking account''s auth.users.id; null for a visitor (SUPP-13).';
comment on column public.reports.reported_id is 'Whose it is: profiles.id, found by the server. Deleting that account deletes the reports about it; null where the account went another way.';
comment on column private.user_settings.two_factor_enabled is 'Whether the account has a verified second factor. Kept by auth.mfa_factors, never written by a client.';
