-- Up Migration

-- The audit log: what admins do to others, with the state before and after (DATA-25, GEN-44, ADM-06, POST-54, POST-58, D10, D39).
create table public.audit_log (
  id           uuid primary key default gen_random_uuid(),
  actor_id     uuid,
  action       text not null check (action ~ '^[a-z_]+$'),
  subject_type text not null,
  subject_id   uuid not null,
  details      jsonb not null default '{}',
  created_at   timestamptz not null default now(),
  before jsonb,
  after jsonb
);
comment on table public.audit_log is 'What admins did, to what, and when. Append-only; read by admins.';
comment on column public.audit_log.actor_id is 'Who did it: auth.users.id; null for the server itself. No foreign key: the log outlives the account.';
comment on column public.audit_log.subject_type is 'The table of subject_id.';
comment on column public.audit_log.action is 'reveal_ssn, review_application, grant_role, revoke_role, change_creator_flag, delete_post, delete_comment, delete_account …';
comment on column public.audit_log.before is
  'The state before, as states and ids. Never personal data or what a user wrote, because the log can''t be erased when the account is deleted. Of an email, only its first letter and domain; auth.audit_log_entries has the full email for as long as entries are kept.';
comment on column public.audit_log.after is 'The state after; null when it was deleted.';
alter table public.audit_log enable row level security;
create trigger audit_log_append_only before update or delete on public.audit_log for each row execute function private.reject_change();
create trigger audit_log_no_truncate before truncate on public.audit_log execute function private.reject_change();
revoke update, delete on public.audit_log from service_role;
create policy select_admin on public.audit_log for select to authenticated using ((select private.is_admin()));
grant select on public.audit_log to authenticated;

create function private.write_audit(
  p_action text, p_subject_type text, p_subject_id uuid, p_before jsonb default null, p_after jsonb default null,
  p_details jsonb default '{}', p_actor uuid default null
) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.audit_log (actor_id, action, subject_type, subject_id, before, after, details)
  values (coalesce(p_actor, auth.uid()), p_action, p_subject_type, p_subject_id, p_before, p_after, p_details);
$$;
comment on function private.write_audit is 'Writes an entry in the transaction of the change itself. p_actor: the admin for whom the server acts; otherwise the caller.';
create function private.acts_as_admin(p_owner uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not private.is_service() and private.is_admin() and p_owner is distinct from private.my_profile_id();
$$;
comment on function private.acts_as_admin is 'True when the caller is an admin acting on another user''s data.';
create function private.audit_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit('review_application', 'creator_applications', new.id,
    jsonb_build_object('status', old.status), jsonb_build_object('status', new.status), jsonb_build_object('user_id', new.user_id));
  return null;
end;
$$;
comment on function private.audit_review is 'Trigger of creator_applications: logs who approved or rejected an application.';
create function private.audit_role() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.write_audit('grant_role', 'user_roles', new.user_id, null, jsonb_build_object('role', new.role));
  else
    perform private.write_audit('revoke_role', 'user_roles', old.user_id, jsonb_build_object('role', old.role));
  end if;
  return null;
end;
$$;
comment on function private.audit_role is 'Trigger of user_roles: logs a granted or revoked role. subject_id is the account.';
create trigger user_roles_audit after insert or delete on public.user_roles for each row execute function private.audit_role();
create function private.audit_creator_flag() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.acts_as_admin(new.id) then
    perform private.write_audit('change_creator_flag', 'profiles', new.id,
      jsonb_build_object('is_creator', old.is_creator), jsonb_build_object('is_creator', new.is_creator));
  end if;
  return null;
end;
$$;
comment on function private.audit_creator_flag is 'Trigger of profiles: logs that an admin set another user''s creator flag (API-REST-08). A review has its own entry.';
create trigger profiles_audit_creator_flag after update of is_creator on private.profiles
  for each row when (new.is_creator <> old.is_creator and new.is_verified = old.is_verified) execute function private.audit_creator_flag();

-- Posts and comments that an admin deletes (GEN-05, POST-54, POST-58, D43, DATA-25). public.take_down sets ovation.takedown_reason.
create function private.audit_deleted_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := nullif(current_setting('ovation.takedown_reason', true), '');
begin
  if private.acts_as_admin(old.creator_id) then
    perform private.write_audit('delete_post', 'posts', old.id,
      jsonb_build_object('creator_id', old.creator_id, 'post_type', old.post_type, 'media_count', cardinality(old.media_urls), 'created_at', old.created_at),
      null, jsonb_strip_nulls(jsonb_build_object('reason', v_reason)));
    perform private.notify(old.creator_id, 'other', 'Post deleted for policy violation',
      'An admin deleted ' || coalesce('"' || old.title || '"', 'one of your posts') || '.' || coalesce(E'\nReason: ' || v_reason, ''),
      jsonb_build_object('post_id', old.id));
  end if;
  return null;
end;
$$;
comment on function private.audit_deleted_post is 'Trigger of posts: logs that an admin deleted another user''s post, and notifies its author (POST-54).';
create function private.audit_deleted_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := nullif(current_setting('ovation.takedown_reason', true), '');
begin
  -- A comment that is deleted with its post has no entry of its own.
  if private.acts_as_admin(old.user_id) and exists (select from private.posts p where p.id = old.post_id) then
    perform private.write_audit('delete_comment', 'comments', old.id,
      jsonb_build_object('user_id', old.user_id, 'post_id', old.post_id, 'created_at', old.created_at),
      null, jsonb_strip_nulls(jsonb_build_object('reason', v_reason)));
    if v_reason is not null then
      perform private.notify(old.user_id, 'other', 'Comment deleted for policy violation',
        'An admin deleted one of your comments.' || E'\nReason: ' || v_reason, jsonb_build_object('post_id', old.post_id));
    end if;
  end if;
  return null;
end;
$$;
comment on function private.audit_deleted_comment is 'Trigger of comments: logs that an admin deleted another user''s comment (POST-58).';

-- Private sessions that an admin closes (DATA-25, GEN-44).
create function private.audit_closed_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and new.closed_by = 'admin' then
    perform private.write_audit('close_booking', 'session_bookings', new.id,
      jsonb_build_object('state', old.state), jsonb_build_object('state', new.state),
      jsonb_strip_nulls(jsonb_build_object('reason', new.reason)));
  end if;
  return null;
end;
$$;
comment on function private.audit_closed_booking is 'Trigger of session_bookings: logs that an admin canceled or completed a booking.';
