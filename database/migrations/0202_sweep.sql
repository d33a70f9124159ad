-- Up Migration
-- What auth/v1 throws away, now with the audit log and the assertions of single sign-on.
drop function private.sweep_accounts(int);
create function private.sweep_accounts(unconfirmed_days int, audit_days int) returns void
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
  delete from auth.known_devices where last_seen_at < now() - interval '400 days';
  -- A used token is kept for as long as its theft may be noticed by it.
  delete from auth.refresh_tokens where revoked and updated_at < now() - interval '30 days';
  -- It holds addresses of people: not longer than the operator needs it.
  delete from auth.audit_log_entries where created_at < now() - make_interval(days => audit_days);
  -- Nobody ever came: the address and the username are free for who does.
  delete from auth.users u
  where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
    and not u.is_anonymous and not u.is_sso_user and u.deleted_at is null
    and greatest(u.created_at, u.confirmation_sent_at, u.invited_at) < now() - make_interval(days => unconfirmed_days);
end;
$$;
comment on function private.sweep_accounts is 'Removes what auth/v1 no longer needs: spent and old tokens, abandoned flows, audit entries older than these days, accounts that nobody confirmed for this many days.';
revoke execute on function private.sweep_accounts(int, int) from public;
grant execute on function private.sweep_accounts(int, int) to service_role;
