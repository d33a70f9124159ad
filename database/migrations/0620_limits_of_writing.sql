-- Limits that hold whichever API is written through: they need to know what is there already.

create function private.refuse_many_support_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (select count(*) from added) > 1 then
    raise exception 'You can send one support request at a time.' using errcode = 'PT400';
  end if;
  return null;
end;
$$;
comment on function private.refuse_many_support_requests is
  'Trigger of support_requests: a request of a visitor holds one row, so that a limit of requests is a limit of rows.';
revoke execute on function private.refuse_many_support_requests from public;
create trigger support_requests_one_at_a_time after insert on public.support_requests
  referencing new table as added for each statement execute function private.refuse_many_support_requests();

create function private.limit_new_conversations() returns trigger
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
  'Trigger of messages: how many people one may write to for the first time within an hour (API_LIMIT_NEW_CONVERSATIONS). Jobs and the service key are not limited.';
revoke execute on function private.limit_new_conversations from public;
create trigger messages_limit_new_conversations before insert on private.messages
  for each row execute function private.limit_new_conversations();
