-- Up Migration
-- Creators welcome new subscribers and followers one by one, more than thirty in a good hour. To strangers they write like everybody else.
create or replace function private.limit_new_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most int := private.setting('new_conversations_per_hour')::int;
  v_begun int;
begin
  if v_most is null or private.is_service() then
    return new;
  elsif exists (
    select from private.conversations c where c.profile_id = new.sender_id and c.other_id = new.recipient_id
  ) then
    return new;
  elsif private.is_approved_creator(new.sender_id) and (
    exists (select from public.follows f where f.follower_id = new.recipient_id and f.following_id = new.sender_id)
    or exists (
      select from public.subscriptions s
      where s.subscriber_id = new.recipient_id and s.creator_id = new.sender_id and s.status not in ('incomplete', 'incomplete_expired')
    )
  ) then
    return new;
  end if;
  -- One after the other, or many at once would all find room.
  perform pg_advisory_xact_lock(hashtextextended('new conversations ' || new.sender_id, 0));
  select count(*) into v_begun
  from private.conversations c
  where c.profile_id = new.sender_id and c.last_message_at > now() - interval '1 hour'
    and exists (select from private.messages m where m.sender_id = c.profile_id and m.recipient_id = c.other_id)
    and not exists (
      select from private.messages m
      where m.created_at <= now() - interval '1 hour'
        and ((m.sender_id = c.profile_id and m.recipient_id = c.other_id) or (m.sender_id = c.other_id and m.recipient_id = c.profile_id))
    );
  if v_begun >= v_most then
    raise exception 'You can start % new conversations an hour.', v_most
      using errcode = 'PT429', hint = 'Try again later. You can still write to people you have written with.';
  end if;
  return new;
end;
$$;
comment on function private.limit_new_conversations is
  'Trigger of messages: how many people one may write to for the first time within an hour (API_LIMIT_NEW_CONVERSATIONS). Not limited: approved creators among their followers and subscribers, jobs, and the service key.';
