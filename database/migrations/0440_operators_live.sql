-- Up Migration
-- What the admin panel counts is counted live (ADM-04): applications and support requests, each as the receiver may read it (API-RT-04).
alter publication ovation_realtime add table public.creator_applications, public.support_requests;

comment on column public.audit_log.before is
  'What it was: states and ids. Never what a person wrote, nor who they are: the log can''t be erased when they leave. Of an e-mail address the first letter and the domain alone; the whole one is in auth.audit_log_entries for as long as that is kept.';
