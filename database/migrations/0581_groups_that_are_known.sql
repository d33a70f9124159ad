-- Up Migration
-- A group of subscribers that nobody knows was read as all of them, and a creator who asked for "curent" saw everybody. It is refused
-- (DASH-03), in the words of message_subscribers. None (null) is all, as before.
create or replace function private.statuses_of_group(p_group text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  case coalesce(p_group, 'all')
    when 'all' then return array['active', 'trial', 'past_due', 'canceled', 'unpaid', 'paused'];
    when 'current', 'ending' then return array['active', 'trial', 'past_due'];
    when 'past' then return array['canceled', 'unpaid', 'paused'];
    else raise exception 'subscriber_group is all, current, ending or past' using errcode = '22023';
  end case;
end;
$$;

-- A message to a group goes to a thousand people at a time, in the order of their ids. Each thousand read and sorted all the others again;
-- by this index it begins where the last one ended. The condition is never "or": it is what the index is asked.
create index subscriptions_creator_people_idx on public.subscriptions (creator_id, subscriber_id);
create or replace function private.subscribers_in_group(p_creator uuid, p_group text, p_after uuid default null, p_most int default null) returns setof uuid
language sql stable set search_path = ''
as $$
  select distinct s.subscriber_id from public.subscriptions s
  where s.creator_id = p_creator and s.status = any ((select private.statuses_of_group(p_group))::text[])
    and (p_group <> 'ending' or s.cancel_at_period_end)
    and s.subscriber_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
  order by s.subscriber_id limit p_most;
$$;
