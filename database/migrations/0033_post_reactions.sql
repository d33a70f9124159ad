-- Up Migration
-- Likes, bookmarks and comments (DATA-09, DATA-37, D28, D39, POST-04, POST-05, POST-56..POST-59).
-- One reacts to what one may see: a locked post takes no like and shows no comments.
create table public.post_likes (
  id         uuid primary key default gen_random_uuid(),
  post_id    uuid not null references private.posts on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint post_likes_once unique (post_id, user_id)
);
comment on table public.post_likes is 'Hearts. How many there are is public (posts.likes_count); whose they are, only one''s own.';
comment on column public.post_likes.user_id is 'Who likes: profiles.id.';
create index post_likes_user_id_idx on public.post_likes (user_id, created_at desc);

create table public.bookmarks (
  id         uuid primary key default gen_random_uuid(),
  post_id    uuid not null references private.posts on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint bookmarks_once unique (post_id, user_id)
);
comment on table public.bookmarks is 'Posts kept for later, seen by nobody else.';
comment on column public.bookmarks.user_id is 'Who keeps it: profiles.id.';
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
comment on table public.comments is 'Comments under posts: written and withdrawn, never edited.';
comment on column public.comments.user_id is 'Who wrote it: profiles.id.';
create index comments_post_id_idx on public.comments (post_id, created_at);
create index comments_user_id_idx on public.comments (user_id);

create function private.count_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_post uuid := case tg_op when 'INSERT' then new.post_id else old.post_id end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update private.posts set likes_count = likes_count + v_step where id = v_post;
  update private.profiles c set likes_received = likes_received + v_step from private.posts p where p.id = v_post and c.id = p.creator_id;
  return null;
end;
$$;
comment on function private.count_like is 'Keeps posts.likes_count and profiles.likes_received.';
create trigger post_likes_count after insert or delete on public.post_likes for each row execute function private.count_like();

-- A deleted post takes its likes with it, and count_like no longer finds whose they were.
create function private.uncount_likes_of_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.profiles set likes_received = likes_received - old.likes_count where id = old.creator_id;
  return null;
end;
$$;
comment on function private.uncount_likes_of_post is 'Keeps profiles.likes_received when a post goes.';
create trigger posts_uncount_likes after delete on private.posts
  for each row when (old.likes_count > 0) execute function private.uncount_likes_of_post();

create function private.count_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.posts set comments_count = comments_count + case tg_op when 'INSERT' then 1 else -1 end
  where id = case tg_op when 'INSERT' then new.post_id else old.post_id end;
  return null;
end;
$$;
comment on function private.count_comment is 'Keeps posts.comments_count.';
create trigger comments_count after insert or delete on public.comments for each row execute function private.count_comment();

alter table public.post_likes enable row level security;
create policy select_own on public.post_likes for select to authenticated using (user_id = (select private.my_profile_id()));
create policy insert_own on public.post_likes for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.can_view_post(post_id));
create policy delete_own on public.post_likes for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, insert (post_id, user_id), delete on public.post_likes to authenticated;
-- update is not granted: one likes or one does not.

alter table public.bookmarks enable row level security;
create policy select_own on public.bookmarks for select to authenticated using (user_id = (select private.my_profile_id()));
create policy insert_own on public.bookmarks for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and exists (select from public.posts p where p.id = post_id));
create policy delete_own on public.bookmarks for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, insert (post_id, user_id), delete on public.bookmarks to authenticated;
-- update is not granted. A locked post may be kept: it opens when the person subscribes.

alter table public.comments enable row level security;
create policy select_visible on public.comments for select to anon, authenticated using (private.can_view_post(post_id));
create policy insert_own on public.comments for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.can_view_post(post_id));
create policy delete_own on public.comments for delete to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_admin on public.comments for delete to authenticated using ((select private.is_admin()));
grant select on public.comments to anon;
grant select, insert (post_id, user_id, content), delete on public.comments to authenticated;
-- update is not granted: what was answered stays as it was written.
