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
comment on table public.follows is 'Who follows whom. Following is free and unlocks nothing.';
comment on column public.follows.follower_id is 'The fan''s profiles.id.';
comment on column public.follows.following_id is 'The profiles.id of the followed user.';
alter table public.follows enable row level security;
create index follows_following_id_idx on public.follows (following_id, created_at desc); -- the list of followers
create index follows_follower_id_created_at_idx on public.follows (follower_id, created_at desc); -- the list of followed
create policy select_own on public.follows for select to authenticated
  using ((select private.my_profile_id()) in (follower_id, following_id) or (select private.is_admin()));

-- The lists on a profile are as public as the two profiles are (D35, PROF-22).
create policy select_public on public.follows for select to anon, authenticated
  using (not private.is_private_profile(follower_id) and not private.is_private_profile(following_id));
create policy insert_own on public.follows for insert to authenticated with check (follower_id = (select private.my_profile_id()));
create policy delete_own on public.follows for delete to authenticated using (follower_id = (select private.my_profile_id()));
grant select on public.follows to anon;
grant select, insert (follower_id, following_id), delete on public.follows to authenticated;

-- Blocks (D39). A block makes the two profiles private to each other: what one of them paid for stays open until it expires, the rest is
-- hidden. It ends all contact.
create table public.blocks (
  id         uuid primary key default gen_random_uuid(),
  blocker_id uuid not null references private.profiles on delete cascade,
  blocked_id uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint blocks_once unique (blocker_id, blocked_id),
  constraint blocks_not_self check (blocker_id <> blocked_id)
);
comment on table public.blocks is 'Who has blocked whom. A block works in both directions, and the blocked user isn''t notified.';
comment on column public.blocks.blocker_id is 'The user who blocks: profiles.id.';
comment on column public.blocks.blocked_id is 'The user who is blocked: profiles.id.';
alter table public.blocks enable row level security;
create index blocks_blocked_id_idx on public.blocks (blocked_id);

-- An array, so that a query calls it once and compares each row with the result. Lists of blocks are short.
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
comment on function private.my_blocks is 'The profiles that the caller has blocked or was blocked by. Empty for a visitor. Never null.';
grant execute on function private.my_blocks() to anon, authenticated;

-- The view hides columns, not rows, so no condition of the caller can run on a hidden row. `offset 0` keeps the planner from copying the
-- lateral into each column that uses it; the subselects run once for each query.
create view public.profiles as
 SELECT p.id,
    p.user_id,
    p.username,
    p.display_name,
    p.avatar_url,
        CASE
            WHEN viewer.reads_profile THEN p.cover_url
            ELSE NULL::text
        END AS cover_url,
        CASE
            WHEN viewer.reads_profile THEN p.bio
            ELSE NULL::text
        END AS bio,
        CASE
            WHEN viewer.reads_profile THEN p.website_url
            ELSE NULL::text
        END AS website_url,
    p.is_creator,
    p.is_verified,
    p.is_private,
    p.tiered_access,
        CASE
            WHEN viewer.reads_profile THEN p.categories
            ELSE '{}'::text[]
        END AS categories,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.user_roles r
              WHERE ((r.user_id = p.user_id) AND (r.role = 'admin'::text)))) THEN 'admin'::text
            ELSE 'user'::text
        END AS role,
    p.followers_count,
    p.following_count,
    p.total_photos,
    p.total_videos,
    p.total_posts,
        CASE
            WHEN viewer.is_own THEN p.total_earnings
            ELSE NULL::bigint
        END AS total_earnings,
        CASE
            WHEN viewer.is_own THEN p.terms_accepted_at
            ELSE NULL::timestamp with time zone
        END AS terms_accepted_at,
        CASE
            WHEN viewer.is_own THEN p.stripe_account_id
            ELSE NULL::text
        END AS stripe_account_id,
        CASE
            WHEN viewer.is_own THEN p.stripe_onboarding_completed
            ELSE NULL::boolean
        END AS stripe_onboarding_completed,
        CASE
            WHEN viewer.is_own THEN p.stripe_charges_enabled
            ELSE NULL::boolean
        END AS stripe_charges_enabled,
        CASE
            WHEN viewer.is_own THEN p.stripe_payouts_enabled
            ELSE NULL::boolean
        END AS stripe_payouts_enabled,
    p.created_at,
    p.updated_at,
        CASE
            WHEN viewer.reads_profile THEN ( SELECT v.last_seen_at
               FROM (private.presence v
                 JOIN private.user_settings s ON ((s.user_id = v.profile_id)))
              WHERE ((v.profile_id = p.id) AND (s.show_online_status OR viewer.is_own)))
            ELSE NULL::timestamp with time zone
        END AS last_seen_at
   FROM (private.profiles p
     CROSS JOIN LATERAL ( SELECT own.is_own,
            (own.is_own OR ((NOT p.is_private) AND (p.id <> ALL (( SELECT private.my_blocks() AS my_blocks)::uuid[])))) AS reads_profile
           FROM ( SELECT (COALESCE((p.user_id = ( SELECT auth.uid() AS uid)), false) OR ( SELECT private.is_privileged() AS is_privileged)) AS is_own) own
         OFFSET 0) viewer);
comment on view public.profiles is 'Profiles as the viewer may see them: a private profile shows only its name and counts, and only the owner sees payment columns.';
comment on column public.profiles.role is 'admin or user. Derived from user_roles, which is what decides (DATA-04). Never null.';
comment on column public.profiles.categories is 'Up to three of the eight (D36); empty for others while the profile is private, or across a block. Never null.';
comment on column public.profiles.total_earnings is 'Earned after the fee, in cents; null for others, like the columns after it.';
comment on column public.profiles.last_seen_at is 'When the user was last online (SET-19); null when that is hidden.';
grant select on public.profiles to anon;
grant select on public.profiles to authenticated;

CREATE TRIGGER profiles_insert INSTEAD OF INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.insert_profile();

CREATE TRIGGER profiles_update INSTEAD OF UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.update_profile();

CREATE TRIGGER profiles_delete INSTEAD OF DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.reject_view_change('A profile is deleted with its account. Delete the account instead.');

grant select on public.profiles to anon, authenticated;

grant insert (user_id, username, display_name) on public.profiles to authenticated;

grant update (username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories) on public.profiles to authenticated;

-- For follows, messages, payments, and presence.
create function private.are_blocked(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.blocks b where b.blocker_id = p_one and b.blocked_id = p_other)
    or exists (select from public.blocks b where b.blocker_id = p_other and b.blocked_id = p_one)
    or exists (select from private.profiles p where p.id in (p_one, p_other) and p.suspended_at is not null);
$$;
comment on function private.are_blocked is 'True when the two users can''t interact: one has blocked the other, or one is suspended.';

-- Locks in the order of private.count_follows: follows first, then both profiles. A follow at the same time either comes first and is
-- deleted, or waits for the profiles and is rejected below. An unfollow at the same time can't deadlock.
create function private.carry_out_block() returns trigger
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
comment on function private.carry_out_block is 'Trigger of blocks: deletes the follows between the two users. Removing the block doesn''t restore them.';
create trigger blocks_carry_out after insert on public.blocks for each row execute function private.carry_out_block();

-- Runs after the counter, which locks both profiles: a block at the same time comes either before or after.
create function private.reject_blocked_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from changed c where private.are_blocked(c.follower_id, c.following_id)) then
    raise sqlstate 'PT403' using message = 'You can''t follow this user';
  end if;
  return null;
end;
$$;
comment on function private.reject_blocked_follow is 'Trigger of follows: rejects a follow across a block. The message doesn''t say who blocked.';
create trigger follows_reject_blocked after insert on public.follows referencing new table as changed for each statement execute function private.reject_blocked_follow();
create policy select_own on public.blocks for select to authenticated using (blocker_id = (select private.my_profile_id()));
create policy insert_own on public.blocks for insert to authenticated with check (blocker_id = (select private.my_profile_id()));
create policy delete_own on public.blocks for delete to authenticated using (blocker_id = (select private.my_profile_id()));
grant select, insert (blocker_id, blocked_id), delete on public.blocks to authenticated;

-- update is not granted: a block is created or deleted.

-- A subscriber can still read across a block, but neither side can like or comment.
create function private.may_react(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.posts v where v.id = p_post and not v.is_locked and v.creator_id <> all ((select private.my_blocks())::uuid[])
  );
$$;
comment on function private.may_react is 'True when the caller may like and comment on the post: it is unlocked for them, and neither side has blocked the other.';
grant execute on function private.may_react(uuid) to authenticated;
