-- Up Migration
-- Follows (DATA-10, PROF-18, PROF-19, API-REST-22).
create table public.follows (
  id           uuid primary key default gen_random_uuid(),
  follower_id  uuid not null references private.profiles on delete cascade,
  following_id uuid not null references private.profiles on delete cascade,
  created_at   timestamptz not null default now(),
  constraint follows_once unique (follower_id, following_id),
  constraint follows_not_self check (follower_id <> following_id)
);
comment on table public.follows is 'Who follows whom. Following is free; it grants no access.';
comment on column public.follows.follower_id is 'The fan''s profiles.id.';
comment on column public.follows.following_id is 'The followed person''s profiles.id.';
create index follows_following_id_idx on public.follows (following_id, created_at desc); -- the list of followers
create index follows_follower_id_created_at_idx on public.follows (follower_id, created_at desc); -- the list of followed

-- Both rows are locked in the order of their ids: two people who follow each other at once must not wait in a circle.
create function private.count_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_follow public.follows := case tg_op when 'INSERT' then new else old end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from private.profiles p where p.id in (v_follow.follower_id, v_follow.following_id) order by p.id for no key update;
  update private.profiles set following_count = following_count + v_step where id = v_follow.follower_id;
  update private.profiles set followers_count = followers_count + v_step where id = v_follow.following_id;
  return null;
end;
$$;
comment on function private.count_follow is 'Keeps followers_count and following_count.';
create trigger follows_count after insert or delete on public.follows for each row execute function private.count_follow();

alter table public.follows enable row level security;
create policy select_own on public.follows for select to authenticated
  using ((select private.my_profile_id()) in (follower_id, following_id) or (select private.is_admin()));
-- The lists on a profile are as public as the two profiles are (D35, PROF-22).
create policy select_public on public.follows for select to anon, authenticated
  using (not private.is_private_profile(follower_id) and not private.is_private_profile(following_id));
create policy insert_own on public.follows for insert to authenticated with check (follower_id = (select private.my_profile_id()));
create policy delete_own on public.follows for delete to authenticated using (follower_id = (select private.my_profile_id()));
grant select on public.follows to anon;
grant select, insert (follower_id, following_id), delete on public.follows to authenticated;
-- update is not granted: one follows or one does not.
