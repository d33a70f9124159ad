-- Up Migration

-- Likes, bookmarks, and comments (DATA-09, DATA-37, D28, D39, POST-04, POST-05, POST-56..POST-59). A locked post can't be liked and shows no
-- comments.
create table public.post_likes (
  id         uuid primary key default gen_random_uuid(),
  post_id    uuid not null references private.posts on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint post_likes_once unique (post_id, user_id)
);
comment on table public.post_likes is 'Likes. Their number is public (posts.likes_count); users see only their own rows.';
comment on column public.post_likes.user_id is 'The profiles.id of the user who likes the post.';
alter table public.post_likes enable row level security;
create index post_likes_user_id_idx on public.post_likes (user_id, created_at desc);
create table public.bookmarks (
  id         uuid primary key default gen_random_uuid(),
  post_id    uuid not null references private.posts on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint bookmarks_once unique (post_id, user_id)
);
comment on table public.bookmarks is 'Saved posts. Users see only their own.';
comment on column public.bookmarks.user_id is 'The profiles.id of the user who saved the post.';
alter table public.bookmarks enable row level security;
create index bookmarks_user_id_idx on public.bookmarks (user_id, created_at desc);
create table public.comments (
  id         uuid primary key default gen_random_uuid(),
  post_id    uuid not null references private.posts on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  content    text not null
    constraint comments_content_required check (content ~ '\S')
    constraint comments_content_length check (length(content) <= 1000),
  created_at timestamptz not null default now()
);
comment on table public.comments is 'Comments on posts. They can be deleted, but not edited.';
comment on column public.comments.user_id is 'The author''s profiles.id.';
alter table public.comments enable row level security;
alter table public.comments replica identity full;
create index comments_post_id_idx on public.comments (post_id, created_at);
create index comments_user_id_idx on public.comments (user_id);

create trigger comments_audit_delete after delete on public.comments for each row execute function private.audit_deleted_comment();

-- Deleting a post cascades to its likes, and private.count_likes can't find the post's creator anymore.
create function private.uncount_likes_of_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.profiles set likes_received = likes_received - old.likes_count where id = old.creator_id;
  return null;
end;
$$;
comment on function private.uncount_likes_of_post is 'Trigger of posts: maintains profiles.likes_received when a post is deleted.';
create trigger posts_uncount_likes after delete on private.posts
  for each row when (old.likes_count > 0) execute function private.uncount_likes_of_post();
create policy select_own on public.post_likes for select to authenticated using (user_id = (select private.my_profile_id()));
create policy insert_own on public.post_likes for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.may_react(post_id));
create policy delete_own on public.post_likes for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, insert (post_id, user_id), delete on public.post_likes to authenticated;
create policy select_own on public.bookmarks for select to authenticated using (user_id = (select private.my_profile_id()));
create policy insert_own on public.bookmarks for insert to authenticated
  with check (((user_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (EXISTS ( SELECT
   FROM public.posts p
  WHERE (p.id = bookmarks.post_id)))));
create policy delete_own on public.bookmarks for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, insert (post_id, user_id), delete on public.bookmarks to authenticated;

-- Users who have blocked each other don't see each other's comments on other creators' posts either. Admins see all comments.
create policy select_visible on public.comments for select to anon, authenticated using (private.can_view_post(post_id) and (user_id <> all ((select private.my_blocks())::uuid[]) or (select private.is_admin())));
create policy insert_own on public.comments for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.may_react(post_id));
create policy delete_own on public.comments for delete to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_admin on public.comments for delete to authenticated using ((select private.is_admin()));
grant select on public.comments to anon;
grant select, insert (post_id, user_id, content), delete on public.comments to authenticated;

-- Counters are updated once at the end of each statement, in the order of ids: posts first, then profiles, then notifications. Row by row, two
-- users who remove the same likes in a different order would deadlock.
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
comment on function private.count_likes is 'Trigger of post_likes: maintains posts.likes_count and profiles.likes_received.';

-- PostgreSQL calls triggers in the order of their names: the counters (count) come before the notifications (ring).
create trigger post_likes_count after insert on public.post_likes referencing new table as changed for each statement execute function private.count_likes();

create function private.ring_for_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_like record;
begin
  -- When the post is deleted, the join finds nothing, and its notifications are deleted with it.
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
comment on function private.ring_for_likes is 'Trigger of post_likes: notifies the creator.';
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
comment on function private.count_comments is 'Trigger of comments: maintains posts.comments_count.';

create trigger comments_count after insert on public.comments referencing new table as changed for each statement execute function private.count_comments();

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
comment on function private.ring_for_comments is 'Trigger of comments: notifies the creator.';
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
comment on function private.count_follows is 'Trigger of follows: maintains followers_count and following_count.';

create trigger follows_count after insert on public.follows referencing new table as changed for each statement execute function private.count_follows();

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
comment on function private.ring_for_follows is 'Trigger of follows: notifies the followed user.';

-- Deleting a viewer or a post deletes many views at once; private.count_post_views locks the same rows in the same order.
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
comment on function private.uncount_post_views is 'Trigger of post_views: maintains posts.views_count.';
create trigger post_likes_uncount after delete on public.post_likes referencing old table as changed for each statement execute function private.count_likes();
create trigger post_likes_unring after delete on public.post_likes referencing old table as changed for each statement execute function private.ring_for_likes();
create trigger comments_uncount after delete on public.comments referencing old table as changed for each statement execute function private.count_comments();
create trigger comments_unring after delete on public.comments referencing old table as changed for each statement execute function private.ring_for_comments();
create trigger follows_uncount after delete on public.follows referencing old table as changed for each statement execute function private.count_follows();
create trigger follows_unring after delete on public.follows referencing old table as changed for each statement execute function private.ring_for_follows();
