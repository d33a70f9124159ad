-- Up Migration
-- Sessions as auth/v1 keeps them: refresh tokens that are used once (API-AUTH-03), and what an account may carry in its token.

-- The metadata travels in every access token, and a request's headers have to stay below what servers and proxies accept (16 kB).
alter table auth.users add constraint users_user_metadata_size check (octet_length(raw_user_meta_data::text) <= 4096);

-- Rotation in one round trip. It never raises: a refusal has to keep what it wrote (the revoked session, the audit entry).
create function private.rotate_refresh_token(
  presented text, successor text, reuse_seconds int, user_agent text, ip inet,
  out outcome text, out user_id uuid, out session_id uuid, out active text
)
language plpgsql set search_path = ''
as $$
declare
  v_token auth.refresh_tokens;
  v_session auth.sessions;
begin
  outcome := 'not_found';
  select t.* into v_token from auth.refresh_tokens t where t.token_hash = presented;
  if not found then
    return;
  end if;
  -- Tabs that refresh at once queue here; who comes second reads below what the first one did.
  select s.* into v_session from auth.sessions s where s.id = v_token.session_id for update;
  if not found then
    return;
  end if;
  select t.* into v_token from auth.refresh_tokens t where t.id = v_token.id;
  user_id := v_token.user_id;
  session_id := v_token.session_id;

  if v_session.not_after <= now() then
    outcome := 'expired';
    delete from auth.sessions s where s.id = v_session.id;
  elsif exists (select from auth.users u where u.id = v_token.user_id and u.banned_until > now()) then
    outcome := 'banned';
  elsif not v_token.revoked then
    outcome := 'rotated';
    active := successor;
    update auth.refresh_tokens t set revoked = true, updated_at = clock_timestamp() where t.id = v_token.id;
    insert into auth.refresh_tokens (token_hash, user_id, session_id, parent)
    values (successor, v_token.user_id, v_token.session_id, presented);
    update auth.sessions s set
      refreshed_at = now(), updated_at = now(),
      user_agent = rotate_refresh_token.user_agent, ip = rotate_refresh_token.ip
    where s.id = v_session.id;
  elsif v_token.updated_at + make_interval(secs => reuse_seconds) > clock_timestamp() then
    outcome := 'reused';
    select t.token_hash into active from auth.refresh_tokens t where t.session_id = v_session.id and not t.revoked;
  else
    -- Two people hold this token, and which of them is the thief can't be told: the session ends for both.
    outcome := 'already_used';
    delete from auth.sessions s where s.id = v_session.id;
    insert into auth.audit_log_entries (payload, ip_address)
    select
      jsonb_build_object(
        'action', 'token_revoked', 'log_type', 'token', 'actor_id', u.id, 'actor_username', u.email,
        'traits', jsonb_build_object('session_id', v_session.id, 'reason', 'refresh token used again')
      ),
      coalesce(host(rotate_refresh_token.ip), '')
    from auth.users u where u.id = v_token.user_id;
  end if;
end;
$$;
comment on function private.rotate_refresh_token is 'Exchanges a refresh token (given and stored as its hash) for its successor. outcome: rotated, reused (within the grace: active names the current one), already_used (the session is gone), expired, banned, not_found.';
