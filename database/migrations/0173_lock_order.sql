-- Up Migration
-- Two people who undo the same thing at once must not wait in a circle. Whoever withdraws a like or a comment holds its row and then
-- wants the post's, to count; a deleted post held its own row and then wanted theirs. Reactions come first now, on both sides.
create or replace function private.delete_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and old.creator_id is distinct from private.my_profile_id() then
    return null;
  end if;
  perform from public.post_likes l where l.post_id = old.id order by l.id for update;
  perform from public.comments c where c.post_id = old.id order by c.id for update;
  delete from private.posts where id = old.id;
  return old;
end;
$$;

-- Likewise a block, which ends follows, and somebody who unfollows at that moment. The locks of the profiles stay (0100): a follow that
-- comes in between waits for them.
create or replace function private.carry_out_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.follows f
  where (f.follower_id = new.blocker_id and f.following_id = new.blocked_id)
    or (f.follower_id = new.blocked_id and f.following_id = new.blocker_id)
  order by f.id for update;
  perform from private.profiles p where p.id in (new.blocker_id, new.blocked_id) order by p.id for no key update;
  delete from public.follows f
  where (f.follower_id = new.blocker_id and f.following_id = new.blocked_id)
    or (f.follower_id = new.blocked_id and f.following_id = new.blocker_id);
  return null;
end;
$$;
