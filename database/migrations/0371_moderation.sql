-- Up Migration
-- The queue of reports, takedowns with a reason, and a log that holds every act of an admin (GEN-05, POST-54, POST-58, D43, DATA-25).

-- As before (0137), with the reason that an admin gave.
create or replace function private.audit_deleted_post() returns trigger
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

create or replace function private.audit_deleted_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := nullif(current_setting('ovation.takedown_reason', true), '');
begin
  -- A comment that goes with its post stands in the post's line.
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

create function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
  else
    raise exception 'Posts and comments can be taken down' using errcode = '22023', hint = 'Against a person or a message, suspend the person.';
  end if;
  if not found then
    raise sqlstate 'PT404' using message = 'It is gone already';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;
comment on function public.take_down is
  'Deletes a post or a comment for a reason that its author is told, and settles what was reported about it (POST-54, POST-58, D43); for admins. target_type: post or comment. PT404 when it is gone.';
grant execute on function public.take_down(text, uuid, text) to authenticated;

create type public.queued_report as (
  id uuid, target_type text, target_id uuid, reason text, details text, excerpt text, status text, resolution text,
  created_at timestamptz, resolved_at timestamptz, reporter_username text, reported_id uuid, reported_username text, reported_name text,
  reported_suspended boolean, post_id uuid, still_there boolean, open_on_target int
);
comment on type public.queued_report is 'A report with what an admin needs to decide about it.';
comment on column public.queued_report.id is 'reports.id. Never null.';
comment on column public.queued_report.target_type is 'post, comment, message or profile. Never null.';
comment on column public.queued_report.target_id is 'Never null.';
comment on column public.queued_report.reason is 'Never null.';
comment on column public.queued_report.status is 'open, resolved or dismissed. Never null.';
comment on column public.queued_report.created_at is 'Never null.';
comment on column public.queued_report.reporter_username is 'Null once that account is gone.';
comment on column public.queued_report.reported_id is 'profiles.id; null once that account is gone.';
comment on column public.queued_report.reported_suspended is 'Never null.';
comment on column public.queued_report.post_id is 'The post that it is, or stands under; null when that is gone, and for messages and profiles.';
comment on column public.queued_report.still_there is 'Whether there is still something to take down. Never null.';
comment on column public.queued_report.open_on_target is 'How many people have an open report about the same. Never null.';
create index reports_target_idx on public.reports (target_type, target_id) where status = 'open';

create function public.get_reports(
  settled boolean default false, page_size int default 25, before timestamptz default null, before_id uuid default null
) returns setof public.queued_report
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with page as (
    select r.* from public.reports r
    where case when get_reports.settled then r.status in ('resolved', 'dismissed') else r.status = 'open' end
      and (before is null or (r.created_at, r.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by r.created_at desc, r.id desc limit least(greatest(page_size, 0), 100)
  )
  select r.id, r.target_type, r.target_id, r.reason, r.details, r.excerpt, r.status, r.resolution, r.created_at, r.resolved_at,
    reporter.username, r.reported_id, reported.username, reported.display_name, coalesce(reported.suspended_at is not null, false),
    coalesce(post.id, comment.post_id),
    case r.target_type
      when 'post' then post.id is not null when 'comment' then comment.id is not null
      when 'message' then exists (select from private.messages m where m.id = r.target_id) else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open')
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  order by r.created_at desc, r.id desc;
end;
$$;
comment on function public.get_reports is 'Reports that are open, or that have been settled, newest first (D43); for admins. The next page: before and before_id take created_at and id of the last row.';
grant execute on function public.get_reports(boolean, int, timestamptz, uuid) to authenticated;

create function private.audit_settled_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit('settle_report', 'reports', new.id, jsonb_build_object('status', old.status), jsonb_build_object('status', new.status),
    jsonb_build_object('target_type', new.target_type, 'target_id', new.target_id));
  return null;
end;
$$;
comment on function private.audit_settled_report is 'Trigger of reports: who settled it, and how.';
create trigger reports_audit after update of status on public.reports
  for each row when (new.status <> old.status) execute function private.audit_settled_report();

create function private.audit_support_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit('change_support_status', 'support_requests', new.id,
    jsonb_build_object('status', old.status), jsonb_build_object('status', new.status));
  return null;
end;
$$;
comment on function private.audit_support_status is 'Trigger of support_requests: who took it up or closed it (ADM-23).';
create trigger support_requests_audit after update of status on public.support_requests
  for each row when (new.status <> old.status) execute function private.audit_support_status();

create function private.audit_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.acts_as_admin(new.creator_id) then
    -- That there is one, and for whom: the words are on the post, and go with it.
    perform private.write_audit('change_note', 'posts', new.id,
      jsonb_build_object('noted', old.admin_note is not null, 'public', old.admin_note_is_public),
      jsonb_build_object('noted', new.admin_note is not null, 'public', new.admin_note_is_public));
  end if;
  return null;
end;
$$;
comment on function private.audit_note is 'Trigger of posts: an admin''s note came, changed or went (D28).';
create trigger posts_audit_note after update of admin_note, admin_note_is_public on private.posts
  for each row when ((new.admin_note, new.admin_note_is_public) is distinct from (old.admin_note, old.admin_note_is_public))
  execute function private.audit_note();

create function private.audit_poll() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and private.is_admin() then
    perform private.write_audit(case tg_op when 'INSERT' then 'create_poll' else 'change_poll' end, 'polls', new.id,
      case tg_op when 'UPDATE' then jsonb_build_object('is_active', old.is_active, 'expires_at', old.expires_at) end,
      jsonb_build_object('is_active', new.is_active, 'expires_at', new.expires_at));
  end if;
  return null;
end;
$$;
comment on function private.audit_poll is 'Trigger of polls: an admin asked everybody, or ended the question (ADM-27).';
create trigger polls_audit after insert or update of is_active, expires_at on public.polls for each row execute function private.audit_poll();

-- The log, as a person reads it.
create type public.audit_line as (
  id uuid, created_at timestamptz, action text, actor_id uuid, actor text, subject_type text, subject_id uuid,
  before jsonb, after jsonb, details jsonb
);
comment on type public.audit_line is 'A line of the audit log with who did it by name.';
comment on column public.audit_line.id is 'Never null.';
comment on column public.audit_line.created_at is 'Never null.';
comment on column public.audit_line.action is 'Never null.';
comment on column public.audit_line.actor is 'The username; null for the server itself, and once that account is gone.';
comment on column public.audit_line.subject_type is 'Never null.';
comment on column public.audit_line.subject_id is 'Never null.';
comment on column public.audit_line.details is 'Never null.';
create index audit_log_page_idx on public.audit_log (created_at desc, id desc);
drop index public.audit_log_created_at_idx;
create index audit_log_action_idx on public.audit_log (action, created_at desc, id desc);
drop index public.audit_log_actor_id_idx;
create index audit_log_actor_idx on public.audit_log (actor_id, created_at desc, id desc);
drop index public.audit_log_subject_idx;
create index audit_log_subject_idx on public.audit_log (subject_id, created_at desc, id desc);

create function public.get_audit_log(
  actor text default null, action text default null, subject uuid default null, since timestamptz default null, until timestamptz default null,
  page_size int default 50, before timestamptz default null, before_id uuid default null
) returns setof public.audit_line
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_actor text := private.trimmed(get_audit_log.actor);
begin
  perform private.require_admin();
  -- Only the conditions that are asked for stand in the text, so that each of them finds its index.
  return query execute
    'select l.id, l.created_at, l.action, l.actor_id, p.username, l.subject_type, l.subject_id, l.before, l.after, l.details
     from public.audit_log l left join private.profiles p on p.user_id = l.actor_id
     where true'
    || case when v_actor is null then '' else ' and l.actor_id in (select a.user_id from private.profiles a where a.username = lower($1))' end
    || case when get_audit_log.action is null then '' else ' and l.action = $2' end
    || case when subject is null then '' else ' and l.subject_id = $3' end
    || case when since is null then '' else ' and l.created_at >= $4' end
    || case when until is null then '' else ' and l.created_at < $5' end
    || case when before is null then '' else ' and (l.created_at, l.id) < ($6, coalesce($7, ''ffffffff-ffff-ffff-ffff-ffffffffffff''))' end
    || ' order by l.created_at desc, l.id desc limit $8'
    using v_actor, get_audit_log.action, subject, since, until, before, before_id, least(greatest(page_size, 0), 1000);
end;
$$;
comment on function public.get_audit_log is
  'The audit log, newest first, up to 1000 lines at a time (DATA-25); for admins. actor: a username. subject: the id that a line is about. since is the first moment, until the first after the last. The next page: before and before_id take created_at and id of the last line.';
grant execute on function public.get_audit_log(text, text, uuid, timestamptz, timestamptz, int, timestamptz, uuid) to authenticated;
