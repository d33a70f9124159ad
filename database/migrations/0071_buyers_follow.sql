-- Up Migration

-- The first payment to a creator also follows them (LOOP-01): a fan who has only bought a post, unlocked a message, booked a session, or given a
-- tip had an empty home. As with a subscription (0036_subscribers_follow.sql), this happens once. After that, the follow is the fan's own,
-- and no later payment undoes an unfollow. Plans have their own trigger, because a trial follows without a payment.

-- Named to run before transactions_count_earning, which locks the creator's profile: the follow locks both profiles in the order of their ids.
-- Across a block there are no follows. The payment counts, and a follow that it can't have must not reject it.
create function private.follow_paid() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.are_blocked(new.from_user_id, new.to_user_id)
    and not exists (
      select from public.transactions t
      where t.from_user_id = new.from_user_id and t.to_user_id = new.to_user_id and t.id <> new.id
    )
    and not exists (
      select from public.subscriptions s
      where s.subscriber_id = new.from_user_id and s.creator_id = new.to_user_id and s.status not in ('incomplete', 'incomplete_expired')
    )
  then
    insert into public.follows (follower_id, following_id) values (new.from_user_id, new.to_user_id)
    on conflict on constraint follows_once do nothing;
  end if;
  return null;
end;
$$;
comment on function private.follow_paid is 'Trigger of transactions: follows the creator with the first payment to them (LOOP-01).';
create trigger transactions_also_follow after insert on public.transactions
  for each row when (
    new.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session') and new.from_user_id is not null and new.to_user_id is not null
  ) execute function private.follow_paid();

-- As in 0036_subscribers_follow.sql. Nor does the creator hear of a follower besides the payment.
create or replace function private.ring_for_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_follow record;
begin
  for v_follow in
    select c.* from changed c
    where not exists (
      select from public.subscriptions s
      where s.subscriber_id = c.follower_id and s.creator_id = c.following_id
        and case tg_op when 'INSERT' then s.access_until > now() else s.status not in ('incomplete', 'incomplete_expired') end
    ) and not exists (
      select from public.transactions t
      where t.from_user_id = c.follower_id and t.to_user_id = c.following_id
        and t.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session')
    )
    order by c.following_id, c.created_at, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_follow.following_id, 'follow', v_follow.follower_id, null);
    else
      perform private.take_back(v_follow.following_id, 'follow', v_follow.follower_id, null, v_follow.created_at, (
        select f.follower_id from public.follows f where f.following_id = v_follow.following_id order by f.created_at desc limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.ring_for_follows is 'Trigger of follows: notifies the followed user, except of their subscribers and buyers.';

-- Everyone whose payment stands today. Nobody could know before that a payment isn't a follow, so that no unfollow is undone here.
insert into public.follows (follower_id, following_id)
select distinct t.from_user_id, t.to_user_id
from public.transactions t
where t.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session') and t.status in ('completed', 'partially_refunded')
  and t.from_user_id is not null and t.to_user_id is not null and not private.are_blocked(t.from_user_id, t.to_user_id)
on conflict on constraint follows_once do nothing;

-- As in 0019_payments.sql, with the creator's name: it is the line of the checkout, of the confirmation with a saved card, and of the receipt.
create or replace function private.quote_purchase(p_buyer uuid, p_post uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_post private.posts;
  v_creator private.profiles;
  v_name text;
begin
  select * into v_post from private.posts p where p.id = p_post and p.post_type = 'ppv';
  if v_post.id is null then
    raise sqlstate 'PT404' using message = 'Post not found';
  elsif exists (select from public.purchases b where b.buyer_id = p_buyer and b.post_id = p_post) then
    raise sqlstate 'PT409' using message = 'You''ve already bought this post';
  end if;
  v_creator := private.require_payable(p_buyer, v_post.creator_id);
  v_name := private.name_of(v_creator.id);
  return (v_creator.id, v_creator.stripe_account_id, v_post.ppv_price,
    coalesce('"' || v_post.title || '" by ' || v_name, 'Post by ' || v_name))::private.quote;
end;
$$;

-- As in 0026_private_sessions.sql, with the creator's name.
create or replace function private.quote_session(p_fan uuid, p_booking uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_creator private.profiles;
begin
  select * into v_booking from public.session_bookings b where b.id = p_booking and b.fan_id = p_fan;
  if v_booking.id is null then
    raise sqlstate 'PT404' using message = 'Booking not found';
  elsif v_booking.state <> 'pending_payment' or v_booking.hold_expires_at <= now() then
    raise sqlstate 'PT409' using message = 'This slot is no longer held for you', hint = 'Choose the slot again.';
  end if;
  v_creator := private.require_payable(p_fan, v_booking.creator_id);
  return (v_creator.id, v_creator.stripe_account_id, v_booking.price_cents,
    v_booking.title || ' with ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
