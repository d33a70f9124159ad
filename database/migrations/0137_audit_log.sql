-- Up Migration
-- The audit log whole: every grave thing an admin does to somebody, with before and after (DATA-25, GEN-44, ADM-06, POST-54, POST-58, D10, D39).
alter table public.audit_log
  add column before jsonb,
  add column after jsonb;
comment on column public.audit_log.actor_id is 'Who did it: auth.users.id, null for the server itself. No foreign key: the log outlives the account.';
comment on column public.audit_log.action is 'reveal_ssn, review_application, grant_role, revoke_role, change_creator_flag, delete_post, delete_comment, delete_account …';
comment on column public.audit_log.before is 'What it was: states and ids. Never what a person wrote, nor who they are: the log can''t be erased when they leave.';
comment on column public.audit_log.after is 'What it became; null when it is gone.';
create index audit_log_actor_id_idx on public.audit_log (actor_id, created_at desc);

create function private.write_audit(
  p_action text, p_subject_type text, p_subject_id uuid, p_before jsonb default null, p_after jsonb default null,
  p_details jsonb default '{}', p_actor uuid default null
) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.audit_log (actor_id, action, subject_type, subject_id, before, after, details)
  values (coalesce(p_actor, auth.uid()), p_action, p_subject_type, p_subject_id, p_before, p_after, p_details);
$$;
comment on function private.write_audit is 'One line of the log, in the transaction of what it tells. p_actor: for the server acting for an admin; else the caller.';

create function private.acts_as_admin(p_owner uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not private.is_service() and private.is_admin() and p_owner is distinct from private.my_profile_id();
$$;
comment on function private.acts_as_admin is 'True when the caller is an admin who touches what is not their own.';

create function private.audit_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit('review_application', 'creator_applications', new.id,
    jsonb_build_object('status', old.status), jsonb_build_object('status', new.status), jsonb_build_object('user_id', new.user_id));
  return null;
end;
$$;
comment on function private.audit_review is 'Trigger of creator_applications: who approved or rejected.';
create trigger creator_applications_audit after update of status on public.creator_applications
  for each row when (new.status <> old.status) execute function private.audit_review();

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
comment on function private.audit_role is 'Trigger of user_roles: a right given or taken. subject_id is the account.';
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
comment on function private.audit_creator_flag is 'Trigger of profiles: an admin set another person''s creator flag (API-REST-08). With a review it stands in the review''s line.';
create trigger profiles_audit_creator_flag after update of is_creator on private.profiles
  for each row when (new.is_creator <> old.is_creator and new.is_verified = old.is_verified) execute function private.audit_creator_flag();

create function private.audit_deleted_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.acts_as_admin(old.creator_id) then
    perform private.write_audit('delete_post', 'posts', old.id,
      jsonb_build_object('creator_id', old.creator_id, 'post_type', old.post_type, 'media_count', cardinality(old.media_urls), 'created_at', old.created_at));
    perform private.notify(old.creator_id, 'other', 'Post deleted for policy violation',
      'An admin deleted ' || coalesce('"' || old.title || '"', 'one of your posts') || '.', jsonb_build_object('post_id', old.id));
  end if;
  return null;
end;
$$;
comment on function private.audit_deleted_post is 'Trigger of posts: an admin deleted another person''s post (POST-54). Its author is told.';
create trigger posts_audit_delete after delete on private.posts for each row execute function private.audit_deleted_post();

create function private.audit_deleted_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A comment that goes with its post stands in the post's line.
  if private.acts_as_admin(old.user_id) and exists (select from private.posts p where p.id = old.post_id) then
    perform private.write_audit('delete_comment', 'comments', old.id,
      jsonb_build_object('user_id', old.user_id, 'post_id', old.post_id, 'created_at', old.created_at));
  end if;
  return null;
end;
$$;
comment on function private.audit_deleted_comment is 'Trigger of comments: an admin deleted another person''s comment (POST-58).';
create trigger comments_audit_delete after delete on public.comments for each row execute function private.audit_deleted_comment();
