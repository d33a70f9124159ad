-- Up Migration
-- The creator's subscribers as a table to search, and a message to a group of them (DASH-03, DASH-11, MSG-05).
create type public.subscriber as (
  subscription_id uuid, status text, created_at timestamptz, current_period_end timestamptz, cancel_at_period_end boolean, plan_name text,
  profile_id uuid, user_id uuid, username text, display_name text, avatar_url text, updated_at timestamptz, spent numeric
);
comment on type public.subscriber is 'A line of the dashboard''s table of subscribers: a subscription with its person.';
comment on column public.subscriber.subscription_id is 'subscriptions.id. Never null.';
comment on column public.subscriber.status is 'Never null.';
comment on column public.subscriber.created_at is 'Since when. Never null.';
comment on column public.subscriber.cancel_at_period_end is 'Never null.';
comment on column public.subscriber.plan_name is 'Never null.';
comment on column public.subscriber.profile_id is 'The subscriber''s profiles.id. Never null.';
comment on column public.subscriber.user_id is 'Never null.';
comment on column public.subscriber.updated_at is 'Of the profile; its pictures are named by it. Never null.';
comment on column public.subscriber.spent is 'Dollars that the person has paid this creator in all, for whatever it was, refunds taken off. Never null.';

create function private.subscriber_is_in(p_subscription public.subscriptions, p_group text) returns boolean
language sql stable set search_path = ''
as $$
  select case p_group
    when 'current' then p_subscription.status in ('active', 'trial', 'past_due')
    when 'ending' then p_subscription.status in ('active', 'trial', 'past_due') and p_subscription.cancel_at_period_end
    when 'past' then p_subscription.status not in ('active', 'trial', 'past_due', 'incomplete', 'incomplete_expired')
    else p_subscription.status not in ('incomplete', 'incomplete_expired')
  end;
$$;
comment on function private.subscriber_is_in is 'Whether a subscription belongs to a group of the dashboard: current, ending, past, or all that were ever paid or tried.';

create function public.get_subscribers(
  creator_profile_id uuid,
  search text default null,
  subscriber_group text default 'all',
  page_size int default 50,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.subscriber
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_pattern text := case when private.trimmed(search) is not null then private.like_pattern(search) end;
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    -- The page first, by the index on (creator_id, created_at); what stands beside it is looked up for its lines alone.
    select s.id, s.status, s.created_at, s.current_period_end, s.cancel_at_period_end, t.name,
      p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.updated_at, coalesce(money.spent, 0)
    from (
      select o.* from public.subscriptions o
      where o.creator_id = creator_profile_id and private.subscriber_is_in(o, subscriber_group)
        and (before is null or (o.created_at, o.id) < (before, before_id))
        and (v_pattern is null or exists (
          select from private.profiles f where f.id = o.subscriber_id and (f.username ilike v_pattern or f.display_name ilike v_pattern)
        ))
      order by o.created_at desc, o.id desc limit least(greatest(page_size, 0), 1000)
    ) s
    join public.subscription_products t on t.id = s.tier_id
    join private.profiles p on p.id = s.subscriber_id
    left join lateral (
      select sum(m.amount) as spent from public.transactions m
      where m.from_user_id = s.subscriber_id and m.to_user_id = creator_profile_id
    ) money on true
    order by s.created_at desc, s.id desc;
end;
$$;
comment on function public.get_subscribers is
  'A page of the creator''s subscribers, the newest first: subscriber_group is all, current, ending or past; search goes by name; the next page begins before the last line''s created_at and subscription_id. For the creator and admins.';
revoke execute on function public.get_subscribers(uuid, text, text, int, timestamptz, uuid) from public, anon;
grant execute on function public.get_subscribers(uuid, text, text, int, timestamptz, uuid) to authenticated;

create table private.group_messages (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  subscriber_group text not null check (subscriber_group in ('all', 'current', 'ending', 'past')),
  body             text not null,
  price            numeric(12, 2) not null,
  position         uuid,
  sent_count       int not null default 0,
  created_at       timestamptz not null default now(),
  finished_at      timestamptz
);
comment on table private.group_messages is 'Messages of creators to a group of subscribers, on their way or done. Each becomes ordinary messages, a thousand in one transaction.';
comment on column private.group_messages.position is 'The last subscriber (profiles.id) that was written to; null before the first.';
create index group_messages_creator_id_idx on private.group_messages (creator_id, created_at desc);
create index group_messages_open_idx on private.group_messages (created_at) where finished_at is null;
alter table private.group_messages enable row level security; -- and no policy: written by the function below, carried out by the server

create function public.message_subscribers(content text, price numeric default 0, subscriber_group text default 'current') returns int
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
  return (select count(distinct s.subscriber_id)::int from public.subscriptions s where s.creator_id = v_me and private.subscriber_is_in(s, v_group));
end;
$$;
comment on function public.message_subscribers is
  'Writes to each of the caller''s subscribers in a group, free (price 0) or to be unlocked. It is sent within a minute, to those who take messages. Returns how many are in the group.';
revoke execute on function public.message_subscribers(text, numeric, text) from public, anon;
grant execute on function public.message_subscribers(text, numeric, text) to authenticated;

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
  v_recipients := array(
    select distinct s.subscriber_id from public.subscriptions s
    where s.creator_id = v_group.creator_id and private.subscriber_is_in(s, v_group.subscriber_group)
      and (v_group.position is null or s.subscriber_id > v_group.position)
    order by s.subscriber_id limit 1000
  );
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
comment on function private.send_group_messages is 'Carries one message to a group on, by up to a thousand people in this transaction, so that a crash neither loses nor repeats one. False when there is nothing to do.';
revoke execute on function private.send_group_messages from public;
grant execute on function private.send_group_messages to service_role;

-- What the earnings tab shows beside the months: what the ledger holds for the creator, and what went to the bank.
create type public.creator_balance as (earned numeric, balance numeric, paid_out numeric);
comment on type public.creator_balance is 'The creator''s account in the ledger, in dollars. Nothing is null.';
comment on column public.creator_balance.earned is 'All that was earned, after the fee and after refunds.';
comment on column public.creator_balance.balance is 'What of it has not been paid out. Negative when more was refunded than was left.';
comment on column public.creator_balance.paid_out is 'What went to the bank.';

create function public.get_creator_balance(creator_profile_id uuid) returns public.creator_balance
language plpgsql stable security definer set search_path = ''
as $$
declare
  v public.creator_balance;
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  -- Kept sums, not the ledger: a creator may have millions of entries there. private.verify_money holds them to it.
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
comment on function public.get_creator_balance is 'What the creator has earned, has been paid out and has still to get, to the cent. For the creator and admins.';
revoke execute on function public.get_creator_balance(uuid) from public, anon;
grant execute on function public.get_creator_balance(uuid) to authenticated;

create type public.post_figures as (id uuid, views int, purchases int, earnings numeric);
comment on type public.post_figures is 'What a post brought. Nothing is null.';
comment on column public.post_figures.views is 'Each person once a day.';
comment on column public.post_figures.purchases is 'Payments for it, refunded ones left out.';
comment on column public.post_figures.earnings is 'Dollars after the fee and refunds, from purchases and tips under it.';

create function public.get_post_figures(post_ids uuid[]) returns setof public.post_figures
language sql stable security definer set search_path = ''
as $$
  select p.id, p.views_count, coalesce(money.purchases, 0)::int, coalesce(money.earnings, 0)
  from private.posts p
  left join lateral (
    select count(*) filter (where t.transaction_type = 'ppv' and t.status in ('completed', 'partially_refunded')) as purchases, sum(t.net_amount) as earnings
    from public.transactions t where t.post_id = p.id
  ) money on true
  where p.id = any (post_ids[1:100]) and (p.creator_id = private.my_profile_id() or private.is_privileged());
$$;
comment on function public.get_post_figures is 'Views, purchases and earnings of up to 100 of the caller''s own posts; of any for admins. Others are left out.';
revoke execute on function public.get_post_figures(uuid[]) from public, anon;
grant execute on function public.get_post_figures(uuid[]) to authenticated;
