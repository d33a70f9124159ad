-- Up Migration
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
create index ended_sessions_changed_at_idx on auth.ended_sessions (changed_at);
alter table auth.ended_sessions enable row level security;
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

-- security definer: as above.
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

create or replace function private.sweep_accounts(unconfirmed_days integer, audit_days integer) returns void
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
  -- The longest AUTH_JWT_EXP is a week.
  delete from auth.ended_sessions where changed_at < now() - interval '8 days';
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
