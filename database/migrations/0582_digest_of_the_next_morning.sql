-- Up Migration
-- What happens in the night is in the mail of the same morning (SET-16). It waited for the next day's, up to 32 hours.
create function private.next_digest(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$
  select (date_trunc('day', p_at at time zone 'UTC' - interval '8 hours') + interval '1 day 8 hours') at time zone 'UTC';
$$;
comment on function private.next_digest is 'The first 8 o''clock in the morning (UTC) after a moment: when the daily mail goes out.';
revoke execute on function private.next_digest from public;

-- As before (0271), but for the time of the digest.
create or replace function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_pushes boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, channel, user_id, due_at)
    select n.id, c.channel, n.user_id,
      case when c.channel = 'email' and s.digest then private.next_digest(now()) else now() end
    from added n
    join private.user_settings s on s.user_id = n.user_id
    cross join (values ('email'), ('push')) c (channel)
    where case c.channel
        when 'email' then s.email and (s.digest or n.type <> 'like')
        else s.push and n.type <> 'like' and exists (select from private.push_subscriptions p where p.user_id = n.user_id)
      end
      and case private.notification_kind(n.type)
        when 'messages' then s.messages when 'tips' then s.tips when 'subscriptions' then s.subscriptions else true
      end
    returning notification_deliveries.channel
  )
  select bool_or(q.channel = 'push') into v_pushes from queued q;
  -- A push goes out at once; mails wait for the clock, and commits need not queue up to announce them.
  if v_pushes then
    notify ovation_pushes;
  end if;
  return null;
end;
$$;
