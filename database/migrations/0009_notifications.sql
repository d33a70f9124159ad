-- Up Migration

-- Notifications: the server writes them, and their user reads and deletes them (DATA-12, DATA-13, API-REST-12..15, API-RT-02).
create table public.notifications (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references private.profiles on delete cascade,
  type       text not null constraint notifications_type_known
    check (type in ('tip', 'payment', 'like', 'message', 'subscription', 'verification', 'poll', 'announcement', 'other')),
  title      text not null check (length(title) between 1 and 200),
  message    text not null default '',
  data       jsonb not null default '{}',
  is_read    boolean not null default false,
  created_at timestamptz not null default now(),
  poll_id uuid
);
comment on table public.notifications is 'A user''s notifications. Only the server writes them.';
comment on column public.notifications.user_id is 'The receiver''s profiles.id (DATA-12).';
comment on column public.notifications.data is
  'Ids that the client links to, by type: post_id, profile_id, transaction_id, poll_id, message_id. Of grouped notifications also: group, count, and since, when the group began.';
comment on column public.notifications.poll_id is 'The linked poll of a poll notification (DATA-12, API-REST-13).';
alter table public.notifications enable row level security;
alter table public.notifications replica identity full;
create index notifications_user_id_created_at_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not is_read; -- the badge (GEN-21)
create function private.notify(p_user uuid, p_type text, p_title text, p_message text, p_data jsonb default '{}') returns uuid
language sql security definer set search_path = ''
as $$
  insert into public.notifications (user_id, type, title, message, data)
  values (p_user, p_type, p_title, p_message, p_data)
  returning id;
$$;
comment on function private.notify is 'Creates a notification. Realtime sends it to open screens.';
create policy select_own on public.notifications for select to authenticated using (user_id = (select private.my_profile_id()));
create policy update_own on public.notifications for update to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_own on public.notifications for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, update (is_read), delete on public.notifications to authenticated;

-- insert is not granted: users can't notify each other.

-- The tables whose changes clients can follow. Later files add theirs.
create publication ovation_realtime for table public.notifications;

-- A notification to all users (RPC-06, ADM-27..ADM-37): one statement, one row for each user. It doesn't block readers or updates of
-- profiles, because foreign keys only take `for key share`. Realtime sends each row to its own user after the commit.
create function public.broadcast_notification_to_all_users(
  notification_type text,
  notification_title text,
  notification_message text default '',
  notification_data jsonb default '{}',
  poll_ref uuid default null
) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_title text := private.trimmed(notification_title);
  v_message text := coalesce(private.trimmed(notification_message), '');
  v_data jsonb := coalesce(notification_data, '{}');
  v_poll uuid;
  v_broadcast uuid := gen_random_uuid();
  v_count int;
begin
  if not private.is_privileged() then
    raise exception 'Only admins can notify all users' using errcode = '42501';
  elsif coalesce(notification_type, '') not in ('announcement', 'poll') then
    raise exception 'notification_type must be announcement or poll' using errcode = '22023';
  elsif jsonb_typeof(v_data) <> 'object' or length(v_data::text) > 2000 then
    raise exception 'notification_data must be an object of at most 2000 characters' using errcode = '22023';
  elsif v_title is null then
    raise exception 'Title is required' using errcode = '23514', constraint = 'broadcast_title';
  elsif length(v_title) > 100 then
    raise exception 'A title can have up to 100 characters' using errcode = '23514', constraint = 'broadcast_title';
  elsif notification_type = 'announcement' and v_message = '' then
    raise exception 'Message is required for announcements' using errcode = '23514', constraint = 'broadcast_message';
  elsif length(v_message) > 500 then
    raise exception 'A message can have up to 500 characters' using errcode = '23514', constraint = 'broadcast_message';
  end if;
  if notification_type = 'poll' then
    -- Clients name the poll in the data (DATA-12), in poll_ref, or in both.
    select p.id into v_poll from public.polls p where p.id::text = coalesce(poll_ref::text, v_data ->> 'poll_id');
    if not found then
      raise sqlstate 'PT404' using message = 'Poll not found';
    end if;
    v_data := v_data || jsonb_build_object('poll_id', v_poll);
  elsif poll_ref is not null then
    raise exception 'An announcement can''t have a poll' using errcode = '22023';
  end if;
  insert into public.notifications (user_id, type, title, message, data, poll_id)
  select p.id, notification_type, v_title, v_message, v_data || jsonb_build_object('broadcast_id', v_broadcast), v_poll
  from private.profiles p;
  get diagnostics v_count = row_count;
  perform private.write_audit('broadcast', 'notifications', v_broadcast, null,
    jsonb_build_object('type', notification_type, 'title', v_title, 'poll_id', v_poll, 'recipients', v_count));
  return v_count;
end;
$$;
comment on function public.broadcast_notification_to_all_users is
  'Notifies all users and returns how many; for admins, and recorded in audit_log. notification_type: announcement or poll, the latter with poll_ref or notification_data.poll_id.';
grant execute on function public.broadcast_notification_to_all_users(text, text, text, jsonb, uuid) to authenticated;
