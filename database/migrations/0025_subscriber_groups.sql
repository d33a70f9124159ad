-- Up Migration

-- The dashboard's table of subscribers, messages to a group of them, and other numbers of the dashboard (DASH-03, DASH-11, MSG-05).
create type public.subscriber as (
  subscription_id uuid,
  status text,
  created_at timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean,
  plan_name text,
  profile_id uuid,
  user_id uuid,
  username text,
  display_name text,
  avatar_url text,
  updated_at timestamptz,
  spent bigint
);
comment on type public.subscriber is 'A row of the dashboard''s table of subscribers: a subscription and its fan.';
comment on column public.subscriber.subscription_id is 'subscriptions.id. Never null.';
comment on column public.subscriber.status is 'Never null.';
comment on column public.subscriber.created_at is 'When the subscription began. Never null.';
comment on column public.subscriber.cancel_at_period_end is 'Never null.';
comment on column public.subscriber.plan_name is 'Never null.';
comment on column public.subscriber.profile_id is 'The subscriber''s profiles.id. Never null.';
comment on column public.subscriber.user_id is 'Never null.';
comment on column public.subscriber.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.subscriber.spent is 'Everything the fan has paid this creator, in cents, after refunds. Never null.';
create function public.get_subscribers(creator_profile_id uuid, search text DEFAULT NULL::text, subscriber_group text DEFAULT 'all'::text, page_size integer DEFAULT 50, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.subscriber
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_pattern text := case when private.trimmed(search) is not null then private.like_pattern(search) end;
  v_condition text :=
    case when subscriber_group = 'ending' then ' and o.cancel_at_period_end' else '' end
    || case when before is not null then ' and (o.created_at, o.id) < ($4, $5)' else '' end
    || case when v_pattern is not null then
      ' and o.subscriber_id in (select f.id from private.profiles f where f.username ilike $6 or f.display_name ilike $6)' else '' end;
  v_newest text := ' order by o.created_at desc, o.id desc limit $3';
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query execute
    'select s.id, s.status, s.created_at, s.current_period_end, s.cancel_at_period_end, t.name,
      p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.updated_at, coalesce(money.spent, 0)::bigint
    from (select o.* from '
    || case when v_pattern is null and subscriber_group is distinct from 'ending'
      then 'unnest($2) g (status) cross join lateral (select o.* from public.subscriptions o where o.creator_id = $1 and o.status = g.status'
        || v_condition || v_newest || ') o'
      else 'public.subscriptions o where o.creator_id = $1 and o.status = any ($2)' || v_condition
    end
    || v_newest || ') s
    join public.subscription_products t on t.id = s.tier_id
    join private.profiles p on p.id = s.subscriber_id
    left join lateral (
      select sum(m.amount) as spent from public.transactions m where m.from_user_id = s.subscriber_id and m.to_user_id = $1
    ) money on true
    order by s.created_at desc, s.id desc'
  using creator_profile_id, private.statuses_of_group(subscriber_group), least(greatest(page_size, 0), 1000), before, before_id, v_pattern;
end;
$$;
comment on function public.get_subscribers is
  'The creator''s subscribers, newest first; for the creator and admins. subscriber_group: all, current, ending, or past. search matches names. For the next page, set before and before_id to created_at and subscription_id of the last row.';
revoke execute on function public.get_subscribers(uuid, text, text, int, timestamptz, uuid) from public, anon;
grant execute on function public.get_subscribers(uuid, text, text, int, timestamptz, uuid) to authenticated;
create table private.group_messages (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  subscriber_group text not null check (subscriber_group in ('all', 'current', 'ending', 'past')),
  body             text not null,
  price            integer not null,
  position         uuid,
  sent_count       int not null default 0,
  created_at       timestamptz not null default now(),
  finished_at      timestamptz
);
comment on table private.group_messages is 'Messages of creators to a group of subscribers. A job sends each as ordinary messages, a thousand in one transaction.';
comment on column private.group_messages.position is 'The last subscriber (profiles.id) that got the message; null before the first.';
comment on column private.group_messages.price is 'In cents; 0 when the message is free.';
alter table private.group_messages enable row level security; -- and no policy: public.message_subscribers writes it, and a job sends it
create index group_messages_creator_id_idx on private.group_messages (creator_id, created_at desc);
create index group_messages_open_idx on private.group_messages (created_at) where finished_at is null;
create function private.send_group_messages() returns boolean
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
comment on function private.send_group_messages is 'Sends a group message to the next thousand recipients in this transaction, so that a crash neither loses nor repeats one. False when there is nothing to do.';
revoke execute on function private.send_group_messages from public;
grant execute on function private.send_group_messages to service_role;

-- The balance and the payouts on the earnings tab.
create type public.creator_balance as (
  earned bigint,
  balance bigint,
  paid_out bigint
);
comment on type public.creator_balance is 'The creator''s account in the ledger, in cents. No column is null.';
comment on column public.creator_balance.earned is 'All earnings, after the fee and refunds.';
comment on column public.creator_balance.balance is 'Earnings that haven''t been paid out. Negative when refunds exceeded the balance.';
comment on column public.creator_balance.paid_out is 'What was paid out to the bank.';
create function public.get_creator_balance(creator_profile_id uuid) returns public.creator_balance
language plpgsql stable security definer set search_path = ''
as $$
declare
  v public.creator_balance;
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  -- From maintained sums, not from the ledger, where a creator may have millions of entries. private.verify_money checks the sums.
  select p.total_earnings into v.earned from private.profiles p where p.id = creator_profile_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Creator not found';
  end if;
  select coalesce(sum(t.net_amount), 0) into v.paid_out from public.transactions t
  where t.to_user_id = creator_profile_id and t.transaction_type = 'payout';
  v.balance := v.earned - v.paid_out;
  return v;
end;
$$;
comment on function public.get_creator_balance is 'What the creator has earned, has been paid out, and is still owed, in cents. For the creator and admins.';
revoke execute on function public.get_creator_balance(uuid) from public, anon;
grant execute on function public.get_creator_balance(uuid) to authenticated;
create type public.post_figures as (
  id uuid,
  views integer,
  purchases integer,
  earnings bigint
);
comment on type public.post_figures is 'Views and earnings of a post. No column is null.';
comment on column public.post_figures.views is 'Views, counting each user once a day.';
comment on column public.post_figures.purchases is 'Purchases of the post, without refunded ones.';
comment on column public.post_figures.earnings is 'Cents after the fee and refunds, from purchases of the post and tips on it.';
create function public.get_post_figures(post_ids uuid[])
returns SETOF public.post_figures
language sql stable security definer
set search_path = ''
as $$
  select p.id, p.views_count, coalesce(e.purchases, 0), coalesce(e.net_cents, 0)::bigint
  from private.posts p left join private.post_earnings e on e.post_id = p.id
  where p.id = any (post_ids[1:100]) and (p.creator_id = private.my_profile_id() or private.is_privileged());
$$;
comment on function public.get_post_figures is 'Views, purchases, and earnings of up to 100 of the caller''s own posts, or of any posts for admins. Other posts are left out.';
revoke execute on function public.get_post_figures(uuid[]) from public, anon;
grant execute on function public.get_post_figures(uuid[]) to authenticated;

-- A message to an empty group isn't queued, because it would block the next message until the job has processed it.
create function public.message_subscribers(content text, price integer DEFAULT 0, subscriber_group text DEFAULT 'current'::text)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price int := coalesce(price, 0);
  v_group text := coalesce(subscriber_group, 'current');
  v_count int;
begin
  -- One at a time: a double click is one message.
  perform from private.profiles p where p.id = v_me for no key update;
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can message their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(content) > 5000 then
    raise exception 'A message can have up to 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif v_price <> 0 and v_price not between 100 and 999999 then
    raise exception 'A paid message must cost between $1.00 and $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif v_group not in ('all', 'current', 'ending', 'past') then
    raise exception 'subscriber_group must be all, current, ending, or past' using errcode = '22023';
  elsif exists (select from private.group_messages g where g.creator_id = v_me and g.finished_at is null) then
    raise sqlstate 'PT409' using message = 'Your last group message is still being sent', hint = 'Try again in a moment.';
  end if;
  v_count := (select count(*)::int from private.subscribers_in_group(v_me, v_group));
  if v_count > 0 then
    insert into private.group_messages (creator_id, subscriber_group, body, price) values (v_me, v_group, content, v_price);
  end if;
  return v_count;
end;
$$;
comment on function public.message_subscribers(text,integer,text) is 'Messages each of the caller''s subscribers in a group, free (price 0) or to be unlocked for price in cents. A job sends it within a minute to those who accept messages. Returns how many are in the group.';
grant execute on function public.message_subscribers(text,integer,text) to authenticated, service_role;

-- The groups of subscribers. An unknown group is an error; null is all.
create function private.statuses_of_group(p_group text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  case coalesce(p_group, 'all')
    when 'all' then return array['active', 'trial', 'past_due', 'canceled', 'unpaid', 'paused'];
    when 'current', 'ending' then return array['active', 'trial', 'past_due'];
    when 'past' then return array['canceled', 'unpaid', 'paused'];
    else raise exception 'subscriber_group must be all, current, ending, or past' using errcode = '22023';
  end case;
end;
$$;
comment on function private.statuses_of_group is 'The statuses of the subscriptions in a group: all (ever paid or in trial), current, ending (current, but ending with their period), or past.';
create index subscriptions_ending_idx on public.subscriptions (creator_id, created_at desc) where cancel_at_period_end;

-- Counting a million received messages takes 300 ms, so the number is maintained.
create table private.message_counts (
  profile_id uuid primary key references private.profiles on delete cascade,
  received   bigint not null default 0
);
comment on table private.message_counts is 'How many messages each user has received, without deleted ones. Maintained by private.messages.';
alter table private.message_counts enable row level security; -- and no policy: read through get_creator_stats

-- One update for each recipient of the statement, in the order of their ids: two users who write to the same recipients at the same time can't
-- deadlock.
create function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.message_counts as c (profile_id, received)
  select m.recipient_id, count(*) from added m group by 1 order by 1
  on conflict (profile_id) do update set received = c.received + excluded.received;
  return null;
end;
$$;
comment on function private.count_messages is 'Trigger of messages: maintains private.message_counts.';
create trigger messages_count after insert on private.messages
  referencing new table as added for each statement execute function private.count_messages();
create function private.uncount_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Locks the rows in order first. A deleted recipient's row is deleted with the profile.
  perform from private.message_counts c where c.profile_id in (select m.recipient_id from removed m) order by c.profile_id for no key update;
  update private.message_counts c set received = c.received - m.count
  from (select r.recipient_id, count(*) as count from removed r group by 1) m where c.profile_id = m.recipient_id;
  return null;
end;
$$;
comment on function private.uncount_messages is 'Trigger of messages: maintains private.message_counts when messages are deleted.';
create trigger messages_uncount after delete on private.messages
  referencing old table as removed for each statement execute function private.uncount_messages();
create function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0);
$$;
comment on function private.verify_counters is 'Counters that differ from what they count. No rows when all is well.';

-- Returns a set, so that PostgreSQL can use the indexes. A function called for each row would prevent that.
create function private.subscribers_in_group(p_creator uuid, p_group text, p_after uuid default null, p_most int default null) returns setof uuid
language sql stable set search_path = ''
as $$
  select distinct s.subscriber_id from public.subscriptions s
  where s.creator_id = p_creator and s.status = any ((select private.statuses_of_group(p_group))::text[])
    and (p_group <> 'ending' or s.cancel_at_period_end)
    and s.subscriber_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
  order by s.subscriber_id limit p_most;
$$;
comment on function private.subscribers_in_group is
  'The subscribers in a group of the dashboard (all, current, ending, past), ordered by profiles.id, after p_after, and at most p_most.';
revoke execute on function private.subscribers_in_group from public;

-- Group messages go to a thousand recipients at a time, in the order of their ids. With this index, each thousand begins where the last one
-- ended, which needs a condition without "or".
create index subscriptions_creator_people_idx on public.subscriptions (creator_id, subscriber_id);
