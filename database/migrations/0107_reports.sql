-- Up Migration
-- Reported content (D39, D43, SUPP-20): from the menu of a post, comment, message or profile, to the admins.
create table public.reports (
  id          uuid primary key default gen_random_uuid(),
  reporter_id uuid references private.profiles on delete set null,
  target_type text not null constraint reports_target_type_known check (target_type in ('post', 'comment', 'message', 'profile')),
  target_id   uuid not null,
  reported_id uuid references private.profiles on delete set null,
  reason      text not null constraint reports_reason_known
    check (reason in ('spam', 'harassment', 'hate', 'nudity', 'violence', 'underage', 'copyright', 'scam', 'impersonation', 'other')),
  details     text constraint reports_details_length check (length(details) <= 1000),
  excerpt     text constraint reports_excerpt_length check (length(excerpt) <= 500),
  status      text not null default 'open' constraint reports_status_known check (status in ('open', 'resolved', 'dismissed')),
  resolution  text constraint reports_resolution_length check (length(resolution) <= 1000),
  resolved_by uuid references auth.users on delete set null,
  resolved_at timestamptz,
  created_at  timestamptz not null default now()
);
comment on table public.reports is 'What people hold to be against the rules. The reported person is not told who reported.';
comment on column public.reports.reporter_id is 'Who reported: profiles.id; null once that account is deleted.';
comment on column public.reports.target_id is 'Id in posts, comments, messages or profiles. No foreign key: a report outlives what it is about.';
comment on column public.reports.reported_id is 'Whose it is: profiles.id, found by the server; null once that account is deleted.';
comment on column public.reports.excerpt is 'The first 500 characters of what the reporter saw, kept by the server: it is all an admin sees of a message, and stays when the original is deleted.';
comment on column public.reports.resolved_by is 'The admin''s auth.users.id.';
create unique index reports_one_open on public.reports (reporter_id, target_type, target_id) where status = 'open';
create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc);
create index reports_reported_id_idx on public.reports (reported_id, created_at desc);
create index reports_resolved_by_idx on public.reports (resolved_by);
create index reports_status_idx on public.reports (status, created_at desc, id desc);

-- The target is looked up as the reporter sees it, so that a report neither tells of hidden things nor carries locked text.
create function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c where c.id = new.target_id and private.can_view_post(c.post_id);
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'There is nothing to report here';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You cannot report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything; what the reporter saw can't be told from there, so nothing is kept.
  new.excerpt := case when not private.is_service() then left(new.excerpt, 500) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;
comment on function private.receive_report is 'Finds whose the target is and keeps what the reporter saw of it.';
create trigger reports_receive before insert on public.reports for each row execute function private.receive_report();

create function private.resolve_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.resolution := private.trimmed(new.resolution);
  if new.status = old.status then
    return new;
  elsif new.status = 'open' then
    raise sqlstate 'PT409' using message = 'This report has been settled';
  end if;
  new.resolved_at := now();
  new.resolved_by := auth.uid();
  return new;
end;
$$;
comment on function private.resolve_report is 'A report is settled by someone at some time, which the server writes.';
-- Of these columns alone: a deleted account sets its columns to null and settles nothing.
create trigger reports_resolve before update of status, resolution on public.reports for each row execute function private.resolve_report();

alter table public.reports enable row level security;
create policy select_own on public.reports for select to authenticated using (reporter_id = (select private.my_profile_id()));
create policy select_admin on public.reports for select to authenticated using ((select private.is_admin()));
create policy insert_own on public.reports for insert to authenticated with check (reporter_id = (select private.my_profile_id()));
create policy update_admin on public.reports for update to authenticated using ((select private.is_admin()));
grant select, insert (reporter_id, target_type, target_id, reason, details), update (status, resolution) on public.reports to authenticated;
-- delete is not granted: that something was reported is part of the record.
