-- Up Migration
-- Blocks: two people who are to leave each other alone (D39). A block closes both sides' profiles to each other as a private profile
-- is closed (0101, 0102): what is paid for stays open until it runs out, the rest is out of sight. It ends all contact.
create table public.blocks (
  id         uuid primary key default gen_random_uuid(),
  blocker_id uuid not null references private.profiles on delete cascade,
  blocked_id uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint blocks_once unique (blocker_id, blocked_id),
  constraint blocks_not_self check (blocker_id <> blocked_id)
);
comment on table public.blocks is 'Who has blocked whom. It works both ways, and the blocked person is not told.';
comment on column public.blocks.blocker_id is 'Who wants to be left alone: profiles.id.';
comment on column public.blocks.blocked_id is 'By whom: profiles.id.';
create index blocks_blocked_id_idx on public.blocks (blocked_id);

-- An array, so that a query asks once and compares each row with the answer. Lists of blocks are short.
create function private.my_blocks() returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select b.blocked_id from public.blocks b where b.blocker_id = me.id
    union
    select b.blocker_id from public.blocks b where b.blocked_id = me.id
  )
  from (select private.my_profile_id() as id) me;
$$;
comment on function private.my_blocks is 'Profiles with whom the caller has nothing to do, whoever of the two blocked. Empty for a visitor. Never null.';
grant execute on function private.my_blocks() to anon, authenticated;

create function private.are_blocked(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.blocks b where b.blocker_id = p_one and b.blocked_id = p_other)
    or exists (select from public.blocks b where b.blocker_id = p_other and b.blocked_id = p_one);
$$;
comment on function private.are_blocked is 'True when either of the two has blocked the other.';

-- The two profile rows are locked as private.count_follow locks them, so that a follow at the same moment comes before the block
-- and is taken away, or after it and is refused below.
create function private.carry_out_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.profiles p where p.id in (new.blocker_id, new.blocked_id) order by p.id for no key update;
  delete from public.follows f
  where (f.follower_id = new.blocker_id and f.following_id = new.blocked_id)
    or (f.follower_id = new.blocked_id and f.following_id = new.blocker_id);
  return null;
end;
$$;
comment on function private.carry_out_block is 'A block ends the follows between the two. Lifting it brings none of them back.';
create trigger blocks_carry_out after insert on public.blocks for each row execute function private.carry_out_block();

create function private.refuse_blocked_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.are_blocked(new.follower_id, new.following_id) then
    raise sqlstate 'PT403' using message = 'You cannot follow this person';
  end if;
  return null;
end;
$$;
comment on function private.refuse_blocked_follow is 'Nobody follows across a block. The words do not say who blocked.';
create trigger follows_refuse_blocked after insert on public.follows -- after follows_count, which holds the locks
  for each row execute function private.refuse_blocked_follow();

alter table public.blocks enable row level security;
create policy select_own on public.blocks for select to authenticated using (blocker_id = (select private.my_profile_id()));
create policy insert_own on public.blocks for insert to authenticated with check (blocker_id = (select private.my_profile_id()));
create policy delete_own on public.blocks for delete to authenticated using (blocker_id = (select private.my_profile_id()));
grant select, insert (blocker_id, blocked_id), delete on public.blocks to authenticated;
-- update is not granted: one blocks or one does not.

-- Who pays may still read, but a block ends likes and comments for both.
create function private.may_react(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.posts v where v.id = p_post and not v.is_locked and v.creator_id <> all ((select private.my_blocks())::uuid[])
  );
$$;
comment on function private.may_react is 'True when the caller may like the post and comment on it: one sees all of it, and no block stands between.';
grant execute on function private.may_react(uuid) to authenticated;

alter policy insert_own on public.post_likes with check (user_id = (select private.my_profile_id()) and private.may_react(post_id));
alter policy insert_own on public.comments with check (user_id = (select private.my_profile_id()) and private.may_react(post_id));
-- The two do not read each other under other people's posts either. What one wrote oneself, and an admin's view, stay whole.
alter policy select_visible on public.comments
  using (private.can_view_post(post_id) and (user_id <> all ((select private.my_blocks())::uuid[]) or (select private.is_admin())));
-- bookmarks need no rule: they are seen by nobody else, and hold only what public.posts shows.
