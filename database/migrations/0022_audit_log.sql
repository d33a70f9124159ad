-- Up Migration
-- What admins did that must be answered for (DATA-25, D10, D39).
create table public.audit_log (
  id           uuid primary key default gen_random_uuid(),
  actor_id     uuid,
  action       text not null check (action ~ '^[a-z_]+$'),
  subject_type text not null,
  subject_id   uuid not null,
  details      jsonb not null default '{}',
  created_at   timestamptz not null default now()
);
comment on table public.audit_log is 'Who looked at or did something grave, and when. Append-only; read by admins.';
comment on column public.audit_log.actor_id is 'The admin''s auth.users.id. No foreign key: the log outlives the account.';
comment on column public.audit_log.subject_type is 'The table of subject_id.';
create index audit_log_created_at_idx on public.audit_log (created_at desc);
create index audit_log_subject_idx on public.audit_log (subject_type, subject_id);
create trigger audit_log_append_only before update or delete on public.audit_log for each row execute function private.refuse_change();
create trigger audit_log_no_truncate before truncate on public.audit_log execute function private.refuse_change();
revoke update, delete on public.audit_log from service_role;

alter table public.audit_log enable row level security;
create policy select_admin on public.audit_log for select to authenticated using ((select private.is_admin()));
grant select on public.audit_log to authenticated;
-- insert is not granted: the functions that do the grave thing write the line.
