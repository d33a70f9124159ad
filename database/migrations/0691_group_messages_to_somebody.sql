-- Up Migration
-- A message to a group that nobody is in was queued all the same, and blocked the next one until the queue had looked at it. The answer is 0 and
-- nothing is kept.
create or replace function public.message_subscribers(content text, price integer DEFAULT 0, subscriber_group text DEFAULT 'current'::text)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price int := coalesce(price, 0);
  v_group text := coalesce(subscriber_group, 'current');
  v_count int;
begin
  -- One at a time: two windows, or two presses, are one message.
  perform from private.profiles p where p.id = v_me for no key update;
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can write to their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif v_price <> 0 and v_price not between 100 and 999999 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif v_group not in ('all', 'current', 'ending', 'past') then
    raise exception 'subscriber_group is all, current, ending or past' using errcode = '22023';
  elsif exists (select from private.group_messages g where g.creator_id = v_me and g.finished_at is null) then
    raise sqlstate 'PT409' using message = 'Your last message to a group is still on its way', hint = 'Try again in a moment.';
  end if;
  v_count := (select count(*)::int from private.subscribers_in_group(v_me, v_group));
  if v_count > 0 then
    insert into private.group_messages (creator_id, subscriber_group, body, price) values (v_me, v_group, content, v_price);
  end if;
  return v_count;
end;
$$;
comment on function public.message_subscribers(text,integer,text) is 'Writes to each of the caller''s subscribers in a group, free (price 0) or to be unlocked for price in cents. It is sent within a minute, to those who take messages. Returns how many are in the group; of none, nothing is sent or kept.';
