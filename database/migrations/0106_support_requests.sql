-- Up Migration
-- Requests to customer support, from visitors too (DATA-26, SUPP-05..SUPP-13, ADM-22..ADM-26, D43).
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
comment on table public.support_requests is 'What people ask the operator. They stay when the account goes: a request about a deletion must not vanish with it.';
comment on column public.support_requests.user_id is 'The asking account''s auth.users.id; null for a visitor (SUPP-13) and for a deleted account.';
comment on column public.support_requests.email is 'Where the answer goes; what the person typed, not proven.';
comment on column public.support_requests.updated_at is 'When the status last changed (ADM-24).';
create index support_requests_created_at_idx on public.support_requests (created_at desc, id desc); -- API-REST-33
create index support_requests_user_id_idx on public.support_requests (user_id, created_at desc);
create trigger support_requests_touch before update on public.support_requests for each row execute function private.touch_updated_at();

create function private.receive_support_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.trimmed(new.name);
  new.email := private.trimmed(new.email);
  new.subject := private.trimmed(new.subject);
  new.message := private.trimmed(new.message);
  new.category := private.trimmed(new.category); -- a select that was left alone sends ''
  new.priority := coalesce(new.priority, 'normal');
  if new.name is null or new.email is null or new.subject is null or new.message is null then
    raise exception 'Please fill in all required fields.' using errcode = '23514', constraint = 'support_requests_required';
  end if;
  return new;
end;
$$;
comment on function private.receive_support_request is 'Trims a request and asks for what is missing in SUPP-06''s words.';
create trigger support_requests_receive before insert on public.support_requests
  for each row execute function private.receive_support_request();

alter table public.support_requests enable row level security;
create policy insert_anonymous on public.support_requests for insert to anon, authenticated with check (user_id is null);
create policy insert_own on public.support_requests for insert to authenticated with check (user_id = (select auth.uid()));
create policy select_own on public.support_requests for select to authenticated using (user_id = (select auth.uid()));
create policy select_admin on public.support_requests for select to authenticated using ((select private.is_admin()));
-- An admin takes a request up or settles it; none goes back to open (ADM-23).
create policy update_admin on public.support_requests for update to authenticated
  using ((select private.is_admin())) with check (status in ('in_progress', 'resolved'));
grant insert (name, email, subject, category, message, priority, user_id) on public.support_requests to anon, authenticated;
-- updated_at is updatable because clients send it (API-REST-35); the trigger writes its own time.
grant select, update (status, updated_at) on public.support_requests to authenticated;
-- anon can't read: a visitor's request is known to the operator alone. delete is not granted: requests are settled, not removed.
