-- Up Migration
-- Who is in a group of subscribers stands in one place, and is asked of a set: a function called line by line kept PostgreSQL from the
-- indexes, and said the same as private.statuses_of_group in other words.
-- Contract: only the two functions below named private.subscriber_is_in.
create function private.subscribers_in_group(p_creator uuid, p_group text, p_after uuid default null, p_most int default null) returns setof uuid
language sql stable set search_path = ''
as $$
  select distinct s.subscriber_id from public.subscriptions s
  where s.creator_id = p_creator and s.status = any ((select private.statuses_of_group(p_group))::text[])
    and (p_group <> 'ending' or s.cancel_at_period_end)
    and (p_after is null or s.subscriber_id > p_after)
  order by s.subscriber_id limit p_most;
$$;
comment on function private.subscribers_in_group is
  'The people of a group of the dashboard (all, current, ending, past) by profiles.id, in its order; from behind p_after on, at most p_most.';
revoke execute on function private.subscribers_in_group from public;
comment on function private.statuses_of_group is 'The statuses of the dashboard''s groups of subscribers: all that were ever paid or tried, current, past; ending are those of current that end with their period.';

-- As before (0351), by the function above.
create or replace function public.message_subscribers(content text, price numeric default 0, subscriber_group text default 'current') returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price numeric := round(coalesce(price, 0), 2);
  v_group text := coalesce(subscriber_group, 'current');
begin
  -- One at a time: two windows, or two presses, are one message.
  perform from private.profiles p where p.id = v_me for update;
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can write to their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif v_price <> 0 and v_price not between 1.00 and 9999.99 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif v_group not in ('all', 'current', 'ending', 'past') then
    raise exception 'subscriber_group is all, current, ending or past' using errcode = '22023';
  elsif exists (select from private.group_messages g where g.creator_id = v_me and g.finished_at is null) then
    raise sqlstate 'PT409' using message = 'Your last message to a group is still on its way', hint = 'Try again in a moment.';
  end if;
  insert into private.group_messages (creator_id, subscriber_group, body, price) values (v_me, v_group, content, v_price);
  return (select count(*)::int from private.subscribers_in_group(v_me, v_group));
end;
$$;

create or replace function private.send_group_messages() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_group private.group_messages;
  v_recipients uuid[];
  v_sent int;
begin
  select * into v_group from private.group_messages g where g.finished_at is null order by g.created_at limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  v_recipients := array(select private.subscribers_in_group(v_group.creator_id, v_group.subscriber_group, v_group.position, 1000));
  insert into public.messages (sender_id, recipient_id, content, is_paid, price)
  select v_group.creator_id, r.id, v_group.body, v_group.price > 0, v_group.price
  from unnest(v_recipients) with ordinality as r (id, place)
  where private.is_approved_creator(v_group.creator_id) and private.accepts_messages(r.id, v_group.creator_id)
  order by r.place;
  get diagnostics v_sent = row_count;
  update private.group_messages g set
    sent_count = g.sent_count + v_sent,
    position = coalesce(v_recipients[cardinality(v_recipients)], g.position),
    finished_at = case when cardinality(v_recipients) < 1000 then now() end
  where g.id = v_group.id;
  return true;
end;
$$;

drop function private.subscriber_is_in(public.subscriptions, text);
