-- Up Migration

-- Support requests, also from visitors (DATA-26, SUPP-05..SUPP-13, ADM-22..ADM-26, D43), reports, and the audit log as admins read it.
create table public.support_requests (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid references auth.users on delete set null,
  name       text not null constraint support_requests_name_length check (name ~ '\S' and length(name) <= 100),
  email      text not null constraint support_requests_email_format check (email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and length(email) <= 254),
  subject    text not null constraint support_requests_subject_length check (subject ~ '\S' and length(subject) <= 200),
  category   text constraint support_requests_category_known
    check (category in ('Account', 'Billing', 'Technical', 'Safety', 'Creator', 'Other')),
  message    text not null constraint support_requests_message_length check (message ~ '\S' and length(message) <= 5000),
  priority   text not null default 'normal' constraint support_requests_priority_known check (priority in ('low', 'normal', 'high', 'urgent')),
  status     text not null default 'open' constraint support_requests_status_known check (status in ('open', 'in_progress', 'resolved')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.support_requests is 'Requests to customer support. private.delete_account deletes those of the account, because name, email, and text are personal data.';
comment on column public.support_requests.user_id is 'The auth.users.id of the user; null for a visitor (SUPP-13).';
comment on column public.support_requests.email is 'The email for the answer, as entered and not confirmed.';
comment on column public.support_requests.updated_at is 'When the status last changed (ADM-24).';
alter table public.support_requests enable row level security;
create index support_requests_created_at_idx on public.support_requests (created_at desc, id desc); -- API-REST-33
create index support_requests_user_id_idx on public.support_requests (user_id, created_at desc);
create trigger support_requests_touch before update on public.support_requests for each row execute function private.touch_updated_at();

-- The tab of support requests filters by status (ADM-22, ADM-23).
create index support_requests_status_idx on public.support_requests (status, created_at desc, id desc);

create function private.receive_support_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.trimmed(new.name);
  new.email := private.trimmed(new.email);
  new.subject := private.trimmed(new.subject);
  new.message := private.trimmed(new.message);
  new.category := private.trimmed(new.category); -- an empty select sends ''
  new.priority := coalesce(new.priority, 'normal');
  if new.name is null or new.email is null or new.subject is null or new.message is null then
    raise exception 'Please fill in all required fields.' using errcode = '23514', constraint = 'support_requests_required';
  end if;
  return new;
end;
$$;
comment on function private.receive_support_request is 'Trigger of support_requests: trims a request and rejects missing fields (SUPP-06).';
create trigger support_requests_receive before insert on public.support_requests
  for each row execute function private.receive_support_request();
create policy insert_anonymous on public.support_requests for insert to anon, authenticated with check (user_id is null);
create policy insert_own on public.support_requests for insert to authenticated with check (user_id = (select auth.uid()));
create policy select_own on public.support_requests for select to authenticated using (user_id = (select auth.uid()));
create policy select_admin on public.support_requests for select to authenticated using ((select private.is_admin()));

-- An admin can set a request to in_progress or resolved, but not back to open (ADM-23).
create policy update_admin on public.support_requests for update to authenticated
  using ((select private.is_admin())) with check (status in ('in_progress', 'resolved'));
grant insert (name, email, subject, category, message, priority, user_id) on public.support_requests to anon, authenticated;

-- updated_at is updatable because clients send it (API-REST-35); the trigger writes its own time.
grant select, update (status, updated_at) on public.support_requests to authenticated;

-- Reports of posts, comments, messages, and profiles to the admins (D39, D43, SUPP-20). Admins can read a reported message in full, with its
-- files, and take it down (D43, GEN-05). They can neither read nor delete messages that weren't reported.
create table public.reports (
  id          uuid primary key default gen_random_uuid(),
  reporter_id uuid references private.profiles on delete set null,
  target_type text not null constraint reports_target_type_known check (target_type in ('post', 'comment', 'message', 'profile')),
  target_id   uuid not null,
  reported_id uuid references private.profiles on delete set null,
  reason      text not null constraint reports_reason_known
    check (reason in ('spam', 'harassment', 'hate', 'nudity', 'violence', 'underage', 'copyright', 'scam', 'impersonation', 'other')),
  details     text constraint reports_details_length check (length(details) <= 1000),
  excerpt     text,
  status      text not null default 'open' constraint reports_status_known check (status in ('open', 'resolved', 'dismissed')),
  resolution  text constraint reports_resolution_length check (length(resolution) <= 1000),
  resolved_by uuid references auth.users on delete set null,
  resolved_at timestamptz,
  created_at  timestamptz not null default now(),
  constraint reports_excerpt_length check (length(excerpt) <= 5000)
);
comment on table public.reports is 'Content that users have reported. The reported user doesn''t learn who reported it.';
comment on column public.reports.reporter_id is 'The reporter''s profiles.id; null after that account was deleted.';
comment on column public.reports.target_id is 'The id in posts, comments, messages, or profiles. No foreign key: a report outlives the reported content.';
comment on column public.reports.reported_id is 'The profiles.id of the reported user, found by the server. private.delete_account deletes the reports about a user; null if the account was deleted in another way.';
comment on column public.reports.excerpt is
  'The content as the reporter saw it, copied by the server: a message in full, otherwise the first 500 characters. It is all that admins see of a message''s text, and stays when the original is deleted.';
comment on column public.reports.resolved_by is 'The admin''s auth.users.id.';
alter table public.reports enable row level security;
create unique index reports_one_open on public.reports (reporter_id, target_type, target_id) where status = 'open';
create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc);
create index reports_reported_id_idx on public.reports (reported_id, created_at desc);
create index reports_resolved_by_idx on public.reports (resolved_by);
create index reports_status_idx on public.reports (status, created_at desc, id desc);

-- The target is looked up as the reporter sees it, so that a report neither reveals hidden content nor contains locked text.
create function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.can_view_post(c.post_id)
      and (c.user_id <> all ((select private.my_blocks())::uuid[]) or (select private.is_admin()));
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'The content to report was not found';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You can''t report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything, so what the reporter saw is unknown, and no excerpt is stored.
  new.excerpt := case when not private.is_service() then left(new.excerpt, case new.target_type when 'message' then 5000 else 500 end) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;
comment on function private.receive_report is 'Trigger of reports: sets the reported user and the excerpt.';
create trigger reports_receive before insert on public.reports for each row execute function private.receive_report();
create function private.resolve_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.resolution := private.trimmed(new.resolution);
  if new.status = old.status then
    return new;
  elsif new.status = 'open' then
    raise sqlstate 'PT409' using message = 'This report has already been settled';
  end if;
  new.resolved_at := now();
  new.resolved_by := auth.uid();
  return new;
end;
$$;
comment on function private.resolve_report is 'Trigger of reports: sets by whom and when a report was settled.';

-- Only for these columns: deleting an account sets other columns to null.
create trigger reports_resolve before update of status, resolution on public.reports for each row execute function private.resolve_report();
create policy select_own on public.reports for select to authenticated using (reporter_id = (select private.my_profile_id()));
create policy select_admin on public.reports for select to authenticated using ((select private.is_admin()));
create policy insert_own on public.reports for insert to authenticated with check (reporter_id = (select private.my_profile_id()));
create policy update_admin on public.reports for update to authenticated using ((select private.is_admin()));
grant select, insert (reporter_id, target_type, target_id, reason, details), update (status, resolution) on public.reports to authenticated;

create function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', cardinality(v_message.media_paths), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'An admin deleted one of your messages.' || E'\nReason: ' || v_reason, '{}');
    end if;
  else
    raise exception 'target_type must be post, comment, or message' using errcode = '22023', hint = 'To act against a user, suspend the account.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'This content no longer exists';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;
comment on function public.take_down is
  'Deletes a post, a comment, or a reported message, notifies its author of the reason, and settles the reports about it (POST-54, POST-58, D43); for admins. target_type: post, comment, or message. PT404 when it no longer exists, and for a message that wasn''t reported.';
grant execute on function public.take_down(text, uuid, text) to authenticated;
create type public.queued_report as (
  id uuid,
  target_type text,
  target_id uuid,
  reason text,
  details text,
  excerpt text,
  status text,
  resolution text,
  created_at timestamptz,
  resolved_at timestamptz,
  reporter_username text,
  reported_id uuid,
  reported_username text,
  reported_name text,
  reported_suspended boolean,
  post_id uuid,
  still_there boolean,
  open_on_target integer,
  media_urls text[],
  media_types text[]
);
comment on type public.queued_report is 'A report with the data that an admin needs to decide.';
comment on column public.queued_report.id is 'reports.id. Never null.';
comment on column public.queued_report.target_type is 'post, comment, message, or profile. Never null.';
comment on column public.queued_report.target_id is 'Never null.';
comment on column public.queued_report.reason is 'Never null.';
comment on column public.queued_report.status is 'open, resolved, or dismissed. Never null.';
comment on column public.queued_report.created_at is 'Never null.';
comment on column public.queued_report.reporter_username is 'Null after that account was deleted.';
comment on column public.queued_report.reported_id is 'profiles.id; null after that account was deleted.';
comment on column public.queued_report.reported_suspended is 'Never null.';
comment on column public.queued_report.post_id is 'The reported post, or the post of the reported comment; null when it was deleted, and for messages and profiles.';
comment on column public.queued_report.still_there is 'Whether the content still exists. Never null.';
comment on column public.queued_report.open_on_target is 'The number of open reports about the same content. Never null.';
comment on column public.queued_report.media_urls is 'The files of a reported message in bucket messages, while the report is open, and if the reporter could see them. Never null.';
comment on column public.queued_report.media_types is 'image or video, one for each of media_urls. Never null.';
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
      when 'message' then message.id is not null else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open'),
    case when seen.whole then message.media_paths else '{}' end,
    case when seen.whole then message.media_types else '{}' end
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  left join private.messages message on r.target_type = 'message' and message.id = r.target_id
  cross join lateral (
    select r.status = 'open' and message.id is not null and (not message.is_paid or exists (
      select from public.message_unlocks u where u.message_id = message.id and u.buyer_id = r.reporter_id
    )) as whole
  ) seen
  order by r.created_at desc, r.id desc;
end;
$$;
comment on function public.get_reports is 'Open or settled reports, newest first (D43); for admins. For the next page, set before and before_id to created_at and id of the last row.';
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
comment on function private.audit_settled_report is 'Trigger of reports: logs who settled a report, and how.';
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
comment on function private.audit_support_status is 'Trigger of support_requests: logs who changed the status (ADM-23).';
create trigger support_requests_audit after update of status on public.support_requests
  for each row when (new.status <> old.status) execute function private.audit_support_status();
create function private.audit_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.acts_as_admin(new.creator_id) then
    -- Only whether there is a note, and for whom. Its text is deleted with the post.
    perform private.write_audit('change_note', 'posts', new.id,
      jsonb_build_object('noted', old.admin_note is not null, 'public', old.admin_note_is_public),
      jsonb_build_object('noted', new.admin_note is not null, 'public', new.admin_note_is_public));
  end if;
  return null;
end;
$$;
comment on function private.audit_note is 'Trigger of posts: logs that an admin added, changed, or removed a note (D28).';
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
comment on function private.audit_poll is 'Trigger of polls: logs that an admin created or closed a poll (ADM-27).';
create trigger polls_audit after insert or update of is_active, expires_at on public.polls for each row execute function private.audit_poll();

-- The audit log for admins.
create type public.audit_line as (
  id uuid,
  created_at timestamptz,
  action text,
  actor_id uuid,
  actor text,
  subject_type text,
  subject_id uuid,
  before jsonb,
  after jsonb,
  details jsonb
);
comment on type public.audit_line is 'An entry of the audit log, with the username of the actor.';
comment on column public.audit_line.id is 'Never null.';
comment on column public.audit_line.created_at is 'Never null.';
comment on column public.audit_line.action is 'Never null.';
comment on column public.audit_line.actor is 'The username; null for the server itself, and after that account was deleted.';
comment on column public.audit_line.subject_type is 'Never null.';
comment on column public.audit_line.subject_id is 'Never null.';
comment on column public.audit_line.details is 'Never null.';
create index audit_log_page_idx on public.audit_log (created_at desc, id desc);
create index audit_log_action_idx on public.audit_log (action, created_at desc, id desc);
create index audit_log_actor_idx on public.audit_log (actor_id, created_at desc, id desc);
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
  -- The statement contains only the requested conditions, so that each of them finds its index.
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
  'The audit log, newest first, up to 1000 entries at a time (DATA-25); for admins. actor: a username. subject: the subject_id of the entry. since is inclusive, until is exclusive. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_audit_log(text, text, uuid, timestamptz, timestamptz, int, timestamptz, uuid) to authenticated;

-- The files that the reporter could see: those of a paid message only if the reporter had unlocked it.
create function private.is_reported_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join private.messages m on m.id = f.message_id
    join public.reports r on r.target_type = 'message' and r.target_id = m.id and r.status = 'open'
    where f.path = p_path
      and (not m.is_paid or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = r.reporter_id))
  );
$$;
comment on function private.is_reported_file is 'True while there is an open report about the message that this file belongs to, and its reporter could see the file.';
revoke execute on function private.is_reported_file(text) from public;
grant execute on function private.is_reported_file(text) to authenticated;
create policy select_reported_message_file on storage.objects for select to authenticated
  using (bucket_id = 'messages' and (select private.is_admin()) and private.is_reported_file(name));
