-- Up Migration
-- Notifications: written by the server, read and cleared by their owner, live (DATA-12, DATA-13, API-REST-12..15, API-RT-02).
create table public.notifications (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references private.profiles on delete cascade,
  type       text not null constraint notifications_type_known
    check (type in ('tip', 'payment', 'like', 'message', 'subscription', 'verification', 'poll', 'announcement', 'other')),
  title      text not null check (length(title) between 1 and 200),
  message    text not null default '',
  data       jsonb not null default '{}',
  is_read    boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table public.notifications is 'What happened to a person, newest first in the bell. Only the server writes them.';
comment on column public.notifications.user_id is 'The receiver''s profiles.id (DATA-12).';
comment on column public.notifications.data is 'Ids the client links to, by type: post_id, profile_id, transaction_id, poll_id.';
create index notifications_user_id_created_at_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not is_read; -- the badge (GEN-21)

create function private.notify(p_user uuid, p_type text, p_title text, p_message text, p_data jsonb default '{}') returns uuid
language sql security definer set search_path = ''
as $$
  insert into public.notifications (user_id, type, title, message, data)
  values (p_user, p_type, p_title, p_message, p_data)
  returning id;
$$;
comment on function private.notify is 'Tells a person something. Realtime carries it to the open screens.';

alter table public.notifications enable row level security;
create policy select_own on public.notifications for select to authenticated using (user_id = (select private.my_profile_id()));
create policy update_own on public.notifications for update to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_own on public.notifications for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, update (is_read), delete on public.notifications to authenticated;
-- insert is not granted: nobody writes into another person's bell.

-- The tables that clients may follow. Later domains add theirs.
create publication ovation_realtime for table public.notifications;
-- A deleted row's user_id must reach the reader of the log, or nobody could be told that the count went down (API-RT-01).
alter table public.notifications replica identity full;
