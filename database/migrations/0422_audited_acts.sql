-- Up Migration
-- What the audit log did not hold yet: an admin who ends somebody else's private session, and what a broadcast became (DATA-25, GEN-44).
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
comment on function private.audit_closed_booking is 'Trigger of session_bookings: an admin, a party of it or not, canceled or completed it.';
create trigger session_bookings_audit after update of state on public.session_bookings
  for each row when (new.state <> old.state) execute function private.audit_closed_booking();

-- The tab of support requests shows them by state (ADM-22, ADM-23).
create index support_requests_status_idx on public.support_requests (status, created_at desc, id desc);

-- As before (0105); the line of the log says what came of it where every other line does.
create or replace function public.broadcast_notification_to_all_users(
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
    raise exception 'notification_type is announcement or poll' using errcode = '22023';
  elsif jsonb_typeof(v_data) <> 'object' or length(v_data::text) > 2000 then
    raise exception 'notification_data is an object of at most 2000 characters' using errcode = '22023';
  elsif v_title is null then
    raise exception 'Title is required' using errcode = '23514', constraint = 'broadcast_title';
  elsif length(v_title) > 100 then
    raise exception 'A title has at most 100 characters' using errcode = '23514', constraint = 'broadcast_title';
  elsif notification_type = 'announcement' and v_message = '' then
    raise exception 'Message is required for announcements' using errcode = '23514', constraint = 'broadcast_message';
  elsif length(v_message) > 500 then
    raise exception 'A message has at most 500 characters' using errcode = '23514', constraint = 'broadcast_message';
  end if;
  if notification_type = 'poll' then
    -- Clients name the poll in the data (DATA-12), in poll_ref, or in both.
    select p.id into v_poll from public.polls p where p.id::text = coalesce(poll_ref::text, v_data ->> 'poll_id');
    if not found then
      raise sqlstate 'PT404' using message = 'Poll not found';
    end if;
    v_data := v_data || jsonb_build_object('poll_id', v_poll);
  elsif poll_ref is not null then
    raise exception 'An announcement has no poll' using errcode = '22023';
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
