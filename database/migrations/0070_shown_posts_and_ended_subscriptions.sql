-- Up Migration

-- As in 0059_profile_layouts.sql, but it checks only what changes. The deletion of a post clears first one column and then the other one, so a
-- post that was both, two that were deleted together, and an account with both couldn't be deleted.
create or replace function private.require_own_posts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.featured_post_id is not null and (new.creator_id, new.featured_post_id) is distinct from (old.creator_id, old.featured_post_id)
    and not exists (select from private.posts p where p.id = new.featured_post_id and p.creator_id = new.creator_id)
  then
    raise sqlstate 'PT422' using message = 'Feature one of your own posts';
  end if;
  if new.welcome_post_id is not null and (new.creator_id, new.welcome_post_id) is distinct from (old.creator_id, old.welcome_post_id)
    and not exists (
      select from private.posts p
      where p.id = new.welcome_post_id and p.creator_id = new.creator_id and p.post_type = 'free' and 'video' = any (p.media_types)
    )
  then
    raise sqlstate 'PT422' using message = 'Welcome visitors with one of your own free posts that has a video';
  end if;
  return new;
end;
$$;

-- A subscription that was refunded or ended at once keeps its current_period_end, which the fan sheet showed as the day it ended: often a day
-- to come. And a checkout that was never paid hid the subscription before it.
alter type public.fan_sheet rename attribute current_period_end to runs_until;
comment on column public.fan_sheet.plan_name is
  'The plan of the current subscription, or else of the last one; null for a fan who has never subscribed. A checkout that was never paid is none.';
comment on column public.fan_sheet.runs_until is 'When that subscription is renewed, ends, or ended; null while it isn''t paid, and for a fan who has never subscribed.';

-- As in 0064_fan_notes.sql, with the end of the subscription. Each part reads the index range of this one fan.
create or replace function public.get_fan_sheet(fan_profile_id uuid) returns setof public.fan_sheet
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url, p.updated_at, p.last_seen_at, f.created_at,
    s.plan_name, s.status, s.created_at, s.runs_until, s.cancel_at_period_end,
    money.spent, money.recent, money.by_type, money.purchases, sent.paid, sent.unlocked
  from (select private.my_profile_id() as id) me
  cross join lateral (select v.* from public.profiles v where v.id = fan_profile_id and v.id <> me.id offset 0) p
  left join public.follows f on f.follower_id = p.id and f.following_id = me.id
  left join lateral (
    select t.name as plan_name, o.status, o.created_at, o.cancel_at_period_end, case
        when o.status in ('active', 'trial') then o.current_period_end
        -- At the end of a period that was paid for, or before.
        when o.status = 'canceled' then case when o.cancel_at_period_end then o.current_period_end else least(o.canceled_at, o.current_period_end) end
      end as runs_until
    from public.subscriptions o join public.subscription_products t on t.id = o.tier_id
    where o.creator_id = me.id and o.subscriber_id = p.id and o.status not in ('incomplete', 'incomplete_expired')
    order by o.access_until > now() desc, o.created_at desc limit 1
  ) s on true
  cross join lateral (
    select coalesce(sum(k.cents), 0)::bigint as spent, coalesce(sum(k.recent), 0)::bigint as recent,
      coalesce(jsonb_object_agg(k.kind, k.cents) filter (where k.cents <> 0), '{}') as by_type,
      coalesce(sum(k.purchases), 0)::int as purchases
    from (
      select coalesce(o.transaction_type, m.transaction_type) as kind, sum(m.amount) as cents,
        sum(m.amount) filter (where coalesce(o.created_at, m.created_at) > now() - interval '30 days') as recent,
        count(*) filter (where m.transaction_type in ('ppv', 'paid_message', 'private_session') and m.refunded_amount < m.amount) as purchases
      from public.transactions m
      left join public.transactions o on o.id = m.original_transaction_id
      where m.from_user_id = p.id and m.to_user_id = me.id
      group by 1
    ) k
  ) money
  cross join lateral (
    select count(*)::int as paid, count(*) filter (where m.is_unlocked)::int as unlocked
    from private.messages m where m.sender_id = me.id and m.recipient_id = p.id and m.is_paid
  ) sent
  where private.is_approved_creator(me.id);
$$;

-- As in 0063_unsend_messages.sql, but a report is found by its reporter, who can only be the recipient: no index has reports of a message that
-- aren't open anymore, and they only pile up.
-- Locks both sides of the conversation first, in order, like a new message. A reader who marks several messages as read holds one of them and
-- the conversation in turns: who waited here for a message, holding the conversation, would wait for ever. So a message that is being read at
-- this moment counts as read.
create or replace function public.unsend_message(message_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_recipient uuid := (select m.recipient_id from private.messages m where m.id = unsend_message.message_id and m.sender_id = v_me);
  v_message private.messages;
begin
  if v_recipient is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  end if;
  perform from private.conversations c
  where (c.profile_id, c.other_id) in ((v_me, v_recipient), (v_recipient, v_me))
  order by c.profile_id for no key update;
  select * into v_message from private.messages m where m.id = unsend_message.message_id for update skip locked;
  if v_message.is_paid and v_message.is_unlocked then
    raise sqlstate 'PT409' using message = 'This message has been unlocked, so it can''t be unsent';
  elsif v_message.id is null or (not v_message.is_paid and v_message.is_read)
    or exists (
      select from public.reports r where r.reporter_id = v_recipient and r.target_type = 'message' and r.target_id = v_message.id
    ) then
    raise sqlstate 'PT409' using message = 'This message has been read, so it can''t be unsent';
  end if;
  delete from private.messages m where m.id = v_message.id;
  -- The one about a sender is about all of their messages.
  delete from public.notifications n
  where n.user_id = v_recipient and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_me::text
    and not exists (select from private.messages m where m.recipient_id = v_recipient and m.sender_id = v_me and not m.is_read);
end;
$$;
