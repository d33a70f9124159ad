-- Up Migration
-- Who withdraws many likes at once held the first post while waiting for the second, and met somebody who did the same the other way round:
-- PostgreSQL ended one of them. What a statement changes is counted at its end now, each row once and in the order of ids: posts first,
-- then profiles, then what rings in the bell (its writers hold the post or profile by then, as in 0261).
create function private.count_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from private.posts p where p.id in (select c.post_id from changed c) order by p.id for no key update;
  perform from private.profiles f
  where f.id in (select p.creator_id from changed c join private.posts p on p.id = c.post_id) order by f.id for no key update;
  update private.posts p set likes_count = p.likes_count + v_step * c.likes
  from (select l.post_id, count(*)::int as likes from changed l group by 1) c where p.id = c.post_id;
  update private.profiles f set likes_received = f.likes_received + v_step * c.likes
  from (select p.creator_id, count(*)::int as likes from changed l join private.posts p on p.id = l.post_id group by 1) c where f.id = c.creator_id;
  return null;
end;
$$;
comment on function private.count_likes is 'Trigger of post_likes: keeps posts.likes_count and profiles.likes_received.';

create function private.ring_for_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_like record;
begin
  -- With a deleted post there is nothing to look up, and its entries go with it.
  for v_like in
    select c.user_id, c.post_id, c.created_at, p.creator_id from changed c join private.posts p on p.id = c.post_id order by c.post_id, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_like.creator_id, 'like', v_like.user_id, v_like.post_id);
    else
      perform private.take_back(v_like.creator_id, 'like', v_like.user_id, v_like.post_id, v_like.created_at, (
        select l.user_id from public.post_likes l where l.post_id = v_like.post_id and l.user_id <> v_like.creator_id limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.ring_for_likes is 'Trigger of post_likes: tells the creator.';

create function private.count_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from private.posts p where p.id in (select c.post_id from changed c) order by p.id for no key update;
  update private.posts p set comments_count = p.comments_count + v_step * c.comments
  from (select w.post_id, count(*)::int as comments from changed w group by 1) c where p.id = c.post_id;
  return null;
end;
$$;
comment on function private.count_comments is 'Trigger of comments: keeps posts.comments_count.';

create function private.ring_for_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment record;
begin
  for v_comment in
    select c.user_id, c.post_id, c.created_at, p.creator_id from changed c join private.posts p on p.id = c.post_id order by c.post_id, c.created_at, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_comment.creator_id, 'comment', v_comment.user_id, v_comment.post_id);
    elsif v_comment.user_id <> v_comment.creator_id then
      perform private.take_back(v_comment.creator_id, 'comment', v_comment.user_id, v_comment.post_id, v_comment.created_at, (
        select c.user_id from public.comments c
        where c.post_id = v_comment.post_id and c.user_id <> v_comment.creator_id order by c.created_at desc limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.ring_for_comments is 'Trigger of comments: tells the creator.';

create function private.count_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from private.profiles p
  where p.id in (select c.follower_id from changed c union select c.following_id from changed c) order by p.id for no key update;
  update private.profiles p set
    following_count = p.following_count + v_step * c.following,
    followers_count = p.followers_count + v_step * c.followers
  from (
    select e.id, count(*) filter (where e.follows)::int as following, count(*) filter (where not e.follows)::int as followers
    from (select f.follower_id as id, true as follows from changed f union all select f.following_id, false from changed f) e group by 1
  ) c where p.id = c.id;
  return null;
end;
$$;
comment on function private.count_follows is 'Trigger of follows: keeps followers_count and following_count.';

create function private.ring_for_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_follow record;
begin
  for v_follow in select c.* from changed c order by c.following_id, c.created_at, c.id loop
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
comment on function private.ring_for_follows is 'Trigger of follows: tells the person who is followed.';

-- Views go with their viewer or their post, many at once; count_post_views takes the same rows in the same order.
create function private.uncount_post_views() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.posts p where p.id in (select c.post_id from changed c) order by p.id for no key update;
  update private.posts p set views_count = p.views_count - c.views
  from (select v.post_id, count(*)::int as views from changed v group by 1) c where p.id = c.post_id;
  return null;
end;
$$;
comment on function private.uncount_post_views is 'Trigger of post_views: keeps posts.views_count.';

drop trigger post_likes_count on public.post_likes;
drop trigger post_likes_ring on public.post_likes;
drop trigger comments_count on public.comments;
drop trigger comments_ring on public.comments;
drop trigger follows_count on public.follows;
drop trigger follows_ring on public.follows;
drop trigger follows_refuse_blocked on public.follows;
drop trigger post_views_uncount on public.post_views;
drop function private.count_like();
drop function private.ring_for_like();
drop function private.count_comment();
drop function private.ring_for_comment();
drop function private.count_follow();
drop function private.ring_for_follow();
drop function private.uncount_post_view();

-- After the counter, which locks both profiles: a block that comes at the same moment is before it or after (0100).
create or replace function private.refuse_blocked_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from changed c where private.are_blocked(c.follower_id, c.following_id)) then
    raise sqlstate 'PT403' using message = 'You cannot follow this person';
  end if;
  return null;
end;
$$;

-- PostgreSQL calls them in the order of their names: counters first, the bell last.
create trigger post_likes_count after insert on public.post_likes referencing new table as changed for each statement execute function private.count_likes();
create trigger post_likes_ring after insert on public.post_likes referencing new table as changed for each statement execute function private.ring_for_likes();
create trigger post_likes_uncount after delete on public.post_likes referencing old table as changed for each statement execute function private.count_likes();
create trigger post_likes_unring after delete on public.post_likes referencing old table as changed for each statement execute function private.ring_for_likes();
create trigger comments_count after insert on public.comments referencing new table as changed for each statement execute function private.count_comments();
create trigger comments_ring after insert on public.comments referencing new table as changed for each statement execute function private.ring_for_comments();
create trigger comments_uncount after delete on public.comments referencing old table as changed for each statement execute function private.count_comments();
create trigger comments_unring after delete on public.comments referencing old table as changed for each statement execute function private.ring_for_comments();
create trigger follows_count after insert on public.follows referencing new table as changed for each statement execute function private.count_follows();
create trigger follows_refuse_blocked after insert on public.follows referencing new table as changed for each statement execute function private.refuse_blocked_follow();
create trigger follows_ring after insert on public.follows referencing new table as changed for each statement execute function private.ring_for_follows();
create trigger follows_uncount after delete on public.follows referencing old table as changed for each statement execute function private.count_follows();
create trigger follows_unring after delete on public.follows referencing old table as changed for each statement execute function private.ring_for_follows();
create trigger post_views_uncount after delete on public.post_views referencing old table as changed for each statement execute function private.uncount_post_views();
