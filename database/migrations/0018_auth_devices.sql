-- Up Migration
-- Where people are signed in: what they see of it, what they are told, and what is swept away (SET-22, D38).

create table auth.known_devices (
  user_id      uuid not null references auth.users on delete cascade,
  device_hash  text not null,
  last_seen_at timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  primary key (user_id, device_hash)
);
comment on table auth.known_devices is 'Kinds of device that an account was used from: a sign-in from another one is told to its owner.';
comment on column auth.known_devices.device_hash is 'A keyed hash of the browser''s name without its version, so that an update is no new device.';
create index known_devices_last_seen_at_idx on auth.known_devices (last_seen_at);
alter table auth.known_devices enable row level security; -- and no policy: auth/v1 alone reads it, as service_role

-- security definer: sessions are auth/v1's; one's own are shown without what would let anybody in.
create function public.list_own_sessions()
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text, aal text, is_current boolean)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, coalesce(s.refreshed_at, s.created_at), s.user_agent, host(s.ip), s.aal,
    s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by 7 desc, 3 desc;
$$;
comment on function public.list_own_sessions is 'Where the caller is signed in, the session of the request first.';
revoke execute on function public.list_own_sessions() from public, anon;
grant execute on function public.list_own_sessions() to authenticated, service_role;

-- security definer: only one's own, which the condition says.
create function public.end_own_session(session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
begin
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
comment on function public.end_own_session is 'Ends one of the caller''s sessions: its refresh token is gone at once, its access token with its hour. False when there is none.';
revoke execute on function public.end_own_session(uuid) from public, anon;
grant execute on function public.end_own_session(uuid) to authenticated, service_role;

create function private.sweep_accounts(unconfirmed_days int) returns void
language plpgsql set search_path = ''
as $$
begin
  delete from auth.one_time_tokens where created_at < now() - interval '7 days';
  delete from auth.flow_state where created_at < now() - interval '1 day';
  delete from auth.mfa_challenges where created_at < now() - interval '1 day';
  delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day';
  delete from auth.webauthn_challenges where expires_at < now();
  delete from auth.spent_wallet_messages where expires_at < now();
  delete from auth.sessions where not_after < now();
  delete from auth.known_devices where last_seen_at < now() - interval '400 days';
  -- A used token is kept for as long as its theft may be noticed by it.
  delete from auth.refresh_tokens where revoked and updated_at < now() - interval '30 days';
  -- Nobody ever came: the address and the username are free for who does.
  delete from auth.users u
  where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
    and not u.is_anonymous and not u.is_sso_user and u.deleted_at is null
    and greatest(u.created_at, u.confirmation_sent_at, u.invited_at) < now() - make_interval(days => unconfirmed_days);
end;
$$;
comment on function private.sweep_accounts is 'Removes what auth/v1 no longer needs: spent and old tokens, abandoned flows, accounts that nobody confirmed for this many days.';
revoke execute on function private.sweep_accounts(int) from public;
grant execute on function private.sweep_accounts(int) to service_role;
