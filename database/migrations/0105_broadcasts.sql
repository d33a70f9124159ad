-- Up Migration
-- Word to everybody (RPC-06, ADM-27..ADM-37): one statement, one row in each person's bell.
-- It reads profiles and locks none of them against readers or their own updates (foreign keys take `for key share`), so nobody waits.
-- To realtime it is one transaction: the log tells it once it is committed, a row at a time, and each row goes to its own person's
-- channel alone. Whoever is offline finds the row in the bell, so nothing has to be kept for them.
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
  insert into public.audit_log (actor_id, action, subject_type, subject_id, details)
  values (auth.uid(), 'broadcast', 'notifications', v_broadcast,
    jsonb_build_object('type', notification_type, 'title', v_title, 'poll_id', v_poll, 'recipients', v_count));
  return v_count;
end;
$$;
comment on function public.broadcast_notification_to_all_users is
  'Notifies every person and returns how many they are; for admins, each time written to audit_log. notification_type: announcement or poll, the latter with poll_ref or notification_data.poll_id.';
grant execute on function public.broadcast_notification_to_all_users(text, text, text, jsonb, uuid) to authenticated;
