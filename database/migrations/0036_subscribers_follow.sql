-- Up Migration

-- Subscribing to a creator also follows them (LOOP-01), so that the home feed (HOME-04) has what the fan pays for. This happens once, when
-- the subscription begins. It stays with the fan after that: a renewal, a recovered payment, or a resumed subscription doesn't follow again a
-- creator whom the fan unfollowed on purpose. A new subscription does, because it is a new decision.

-- Named to run before subscriptions_count, which locks the creator's profile: the follow locks both profiles in the order of their ids.
-- Across a block there are no follows. The payment counts, and a follow that it can't have must not reject it.
create function private.follow_subscribed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.are_blocked(new.subscriber_id, new.creator_id) then
    insert into public.follows (follower_id, following_id) values (new.subscriber_id, new.creator_id)
    on conflict on constraint follows_once do nothing;
  end if;
  return null;
end;
$$;
comment on function private.follow_subscribed is 'Trigger of subscriptions: follows the creator when a subscription or its trial begins (LOOP-01).';
create trigger subscriptions_begin after insert on public.subscriptions
  for each row when (new.status in ('active', 'trial', 'past_due')) execute function private.follow_subscribed();
create trigger subscriptions_begin_later after update of status on public.subscriptions
  for each row when (old.status = 'incomplete' and new.status in ('active', 'trial', 'past_due')) execute function private.follow_subscribed();

-- "New subscriber" already notifies the creator, so that the fan isn't also a new follower. Subscriptions are never deleted before the
-- profiles, so that a follow which wasn't counted in a notification isn't counted back either.
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
comment on function private.ring_for_follows is 'Trigger of follows: notifies the followed user, except of their subscribers.';

-- Everyone who subscribes today. Nobody could know before that a subscription isn't a follow, so that no unfollow is undone here.
insert into public.follows (follower_id, following_id)
select distinct s.subscriber_id, s.creator_id
from public.subscriptions s
where s.access_until > now() and not private.are_blocked(s.subscriber_id, s.creator_id)
on conflict on constraint follows_once do nothing;

-- Creators for a user whose feed is empty (HOME-06, D37): the most popular ones that the user doesn't know yet.
create function public.suggest_creators(page_size int default 6) returns setof public.creator_listing
language sql stable security definer rows 6 set search_path = ''
as $$
  select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
    c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
  from private.profiles c, (select private.my_profile_id() as id) me
  where c.is_listed and c.id is distinct from me.id
    and not exists (select from public.follows f where f.follower_id = me.id and f.following_id = c.id)
    and not exists (
      select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = c.id and s.access_until > now())
  order by c.subscribers_count desc, c.id
  limit least(greatest(page_size, 0), 100);
$$;
comment on function public.suggest_creators is
  'Popular creators for the caller, without those they already follow or subscribe to, and without themselves (LOOP-01).';
revoke execute on function public.suggest_creators(int) from public, anon;
grant execute on function public.suggest_creators(int) to authenticated;
