-- Up Migration

-- Plans have benefits, an order, and one may be marked as the most popular (LOOP-15). None of it is part of what Stripe charges for, so it can
-- change at any time.
alter table public.subscription_products
  add column benefits text[] not null default '{}'
    constraint subscription_products_benefits_at_most_ten check (cardinality(benefits) <= 10)
    -- Joined, because a check can't look at the elements: each is one line of up to 100 characters.
    constraint subscription_products_benefits_one_line_each check (
      array_position(benefits, null) is null and coalesce(array_ndims(benefits), 1) = 1
      and strpos(array_to_string(benefits, ''), E'\n') = 0
      and (cardinality(benefits) = 0 or array_to_string(benefits, E'\n') ~ '^[^\n]{1,100}(\n[^\n]{1,100})*$')
    ),
  add column position int constraint subscription_products_position_positive check (position > 0),
  add column is_popular boolean not null default false;
comment on column public.subscription_products.benefits is 'What subscribers get, one short line each. The server writes them, like the name.';
comment on column public.subscription_products.position is 'The place among the creator''s plans; null until the creator arranges them. Plans without one come last, by price. Only arrange_plans writes it.';
comment on column public.subscription_products.is_popular is 'The creator''s own mark "Most popular", at most on one plan. Only mark_popular_plan writes it.';
create unique index subscription_products_one_popular on public.subscription_products (creator_id) where is_popular;

-- Both lock the creator's plans in the order of their ids, so that two devices can't mix their orders or marks.
create function public.arrange_plans(plan_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to arrange your plans' using errcode = '42501';
  elsif cardinality(plan_ids) > 1000 or cardinality(plan_ids) <> (select count(distinct p.id) from unnest(plan_ids) p (id)) then
    raise exception 'plan_ids must name each plan once' using errcode = '22023';
  end if;
  perform from public.subscription_products s where s.creator_id = v_me order by s.id for no key update;
  if exists (
    select from unnest(plan_ids) p (id)
    where not exists (select from public.subscription_products s where s.id = p.id and s.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'Plan not found';
  end if;
  update public.subscription_products s set position = array_position(plan_ids, s.id)
  where s.creator_id = v_me and s.position is distinct from array_position(plan_ids, s.id);
end;
$$;
comment on function public.arrange_plans is
  'Puts the caller''s plans in this order. Those that it leaves out come last, by price; null or an empty list orders all by price. PT404 for a plan of another creator.';
revoke execute on function public.arrange_plans(uuid[]) from public, anon;
grant execute on function public.arrange_plans(uuid[]) to authenticated;
create function public.mark_popular_plan(plan_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to mark a plan' using errcode = '42501';
  end if;
  perform from public.subscription_products s where s.creator_id = v_me order by s.id for no key update;
  if plan_id is not null and not exists (
    select from public.subscription_products s where s.id = plan_id and s.creator_id = v_me
  ) then
    raise sqlstate 'PT404' using message = 'Plan not found';
  end if;
  update public.subscription_products s set is_popular = false where s.creator_id = v_me and s.is_popular and s.id is distinct from plan_id;
  update public.subscription_products s set is_popular = true where s.id = plan_id and not s.is_popular;
end;
$$;
comment on function public.mark_popular_plan is
  'Marks one of the caller''s plans as the most popular one, instead of the one marked before; without a plan, removes the mark. PT404 for a plan of another creator.';
revoke execute on function public.mark_popular_plan(uuid) from public, anon;
grant execute on function public.mark_popular_plan(uuid) to authenticated;

-- For new creators, higher plans include lower ones. Creators with plans keep their choice, because fans have paid under it.
alter table private.profiles alter column tiered_access set default true;
update private.profiles p set tiered_access = true
where not p.tiered_access and not exists (select from public.subscription_products s where s.creator_id = p.id);
comment on column private.profiles.tiered_access is 'The creator''s switch "higher plans unlock more" (POST-43, D14). On for new creators (LOOP-15).';

-- A locked post can have a free cover (LOOP-14): a picture that everyone may see, so its bucket is public, like that of banners. It is a file of
-- its own and never one of the post's, because those are what fans pay for.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('covers', 'covers', true, 10 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
alter policy insert_own on storage.objects
  with check (bucket_id in ('posts', 'avatars', 'banners', 'verification', 'covers') and private.is_own_path(name));
alter policy update_own on storage.objects
  using (bucket_id in ('posts', 'avatars', 'banners', 'covers') and private.is_own_path(name))
  with check (bucket_id in ('posts', 'avatars', 'banners', 'covers') and private.is_own_path(name));
alter policy delete_own on storage.objects
  using (bucket_id in ('posts', 'avatars', 'banners', 'covers') and private.is_own_path(name));
alter table private.posts
  add column cover_path text,
  add constraint posts_cover_only_when_locked check (cover_path is null or post_type <> 'free');
comment on column private.posts.cover_path is 'The free cover of a post for subscribers or for a price: a path in bucket covers. Null for none.';
create unique index posts_cover_path_key on private.posts (cover_path) where cover_path is not null;
alter table public.scheduled_posts
  add column cover_path text,
  add constraint scheduled_posts_cover_only_when_locked check (cover_path is null or post_type <> 'free');
comment on column public.scheduled_posts.cover_path is 'The free cover of the post: a path in bucket covers. Null for none.';
create unique index scheduled_posts_cover_path_key on public.scheduled_posts (cover_path) where cover_path is not null;
grant insert (cover_path) on public.scheduled_posts to authenticated;

-- The view of 0015_posts.sql with one more column at the end, which everyone sees who sees the post.
create or replace view public.posts as
 SELECT p.id,
    p.creator_id,
    p.title,
        CASE
            WHEN access.can_view THEN p.content
            ELSE "left"(p.content, 100)
        END AS content,
    p.post_type,
        CASE
            WHEN access.can_view THEN p.media_urls
            ELSE '{}'::text[]
        END AS media_urls,
    p.media_types,
    cardinality(p.media_urls) AS media_count,
    p.required_tier_id,
    p.ppv_price,
    p.likes_count,
    p.comments_count,
    p.is_pinned,
    (NOT access.can_view) AS is_locked,
    p.created_at,
        CASE
            WHEN (access.is_own OR p.admin_note_is_public) THEN p.admin_note
            ELSE NULL::text
        END AS admin_note,
    p.admin_note_is_public,
    p.media_previews,
    p.cover_path
   FROM (private.posts p
     CROSS JOIN LATERAL ( SELECT own.is_own,
                CASE
                    WHEN own.is_own THEN true
                    WHEN (p.post_type = 'free'::text) THEN true
                    WHEN (p.post_type = 'subscription'::text) THEN (EXISTS ( SELECT
                       FROM ((public.subscriptions s
                         JOIN public.subscription_products mine ON ((mine.id = s.tier_id)))
                         JOIN public.subscription_products required ON ((required.id = p.required_tier_id)))
                      WHERE ((s.subscriber_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (s.creator_id = p.creator_id) AND (s.access_until > now()) AND ((mine.id = required.id) OR (private.monthly_cents(mine.price_cents, mine."interval") > private.monthly_cents(required.price_cents, required."interval")) OR (NOT ( SELECT c.tiered_access
                               FROM private.profiles c
                              WHERE (c.id = p.creator_id)))))))
                    ELSE (EXISTS ( SELECT
                       FROM public.purchases b
                      WHERE ((b.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (b.post_id = p.id))))
                END AS can_view
           FROM ( SELECT (( SELECT private.is_privileged() AS is_privileged) OR (p.creator_id = ( SELECT private.my_profile_id() AS my_profile_id))) AS is_own) own
         OFFSET 0) access);
comment on column public.posts.cover_path is 'The free cover of a post for subscribers or for a price, for everyone who sees the post: a path in the public bucket covers; null for none.';
grant insert (cover_path), update (cover_path) on public.posts to authenticated;
update private.followed_views set plain_columns = plain_columns || 'cover_path'::text where view_name = 'posts';

-- The same rules as for the files of a post (private.require_own_media).
create function private.require_own_cover(p_creator uuid, p_post uuid, p_post_type text, p_path text) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_type text;
begin
  if p_path is null then
    return;
  elsif p_post_type = 'free' then
    raise exception 'Only a post for subscribers or for a price can have a cover' using errcode = '23514', constraint = 'posts_cover_only_when_locked';
  elsif not exists (
    select from private.profiles c where c.id = p_creator and (storage.foldername(p_path))[1] = c.user_id::text
  ) then
    raise sqlstate 'PT403' using message = 'The cover must be in the author''s own folder of bucket covers';
  end if;
  select coalesce(o.metadata ->> 'mimetype', 'image/') into v_type from storage.objects o where o.bucket_id = 'covers' and o.name = p_path;
  if v_type is null then
    raise sqlstate 'PT422' using message = 'The cover has not been uploaded';
  elsif v_type not like 'image/%' then
    raise sqlstate 'PT422' using message = 'The cover must be a picture';
  elsif exists (select from private.posts p where p.cover_path = p_path and p.id is distinct from p_post) then
    raise exception 'This cover already belongs to a post' using errcode = '23505', constraint = 'posts_cover_path_key',
      hint = 'Upload the file again to use it for another post.';
  end if;
end;
$$;
comment on function private.require_own_cover is 'Rejects a cover that isn''t the author''s, isn''t an uploaded picture, belongs to another post, or is for a free post. p_post: the post that may have it already.';
create or replace function private.insert_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_post private.posts;
begin
  new.content := coalesce(new.content, '');
  new.media_urls := coalesce(new.media_urls, '{}');
  new.media_types := coalesce(new.media_types, '{}');
  new.post_type := coalesce(new.post_type, 'free');
  perform private.require_publishable(
    new.creator_id, new.content, new.post_type, new.media_urls, new.media_types, new.required_tier_id, new.ppv_price
  );
  perform private.require_own_cover(new.creator_id, null, new.post_type, new.cover_path);
  insert into private.posts
    (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, cover_path, created_at)
  values (coalesce(new.id, gen_random_uuid()), new.creator_id, private.trimmed(new.title), new.content, new.post_type,
    new.media_urls, new.media_types, new.required_tier_id, new.ppv_price, new.cover_path, coalesce(new.created_at, now()))
  returning * into v_post;
  select v.* into new from public.posts v where v.id = v_post.id;
  return new;
end;
$$;
create or replace function private.update_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_author boolean := private.is_service() or old.creator_id = private.my_profile_id();
  v_changes jsonb := private.changes_of(to_jsonb(old), to_jsonb(new));
  v_now private.posts;
  v_note text;
begin
  if not private.is_privileged() then
    if v_is_author is not true then
      return null;
    elsif v_changes ?| '{admin_note,admin_note_is_public}' then
      raise exception 'Only admins can add a note to a post' using errcode = '42501';
    end if;
  end if;
  perform private.require_changeable('posts', v_changes,
    case when v_is_author then '{title,content,is_pinned,cover_path,admin_note,admin_note_is_public}' else '{admin_note,admin_note_is_public}' end::text[]);
  select * into v_now from private.posts p where p.id = old.id for no key update;
  if not found then
    return null;
  end if;
  if v_changes @> '{"is_pinned": true}' and not v_now.is_pinned then
    perform from private.profiles c where c.id = old.creator_id for no key update; -- two pins at the same time count each other
    if (select count(*) from private.posts p where p.creator_id = old.creator_id and p.is_pinned) >= 3 then
      raise sqlstate 'PT409' using message = 'You can pin up to three posts', hint = 'Unpin another post first.';
    end if;
  end if;
  if v_changes ? 'cover_path' then
    perform private.require_own_cover(old.creator_id, old.id, old.post_type, new.cover_path);
  end if;
  v_now := jsonb_populate_record(v_now, v_changes);
  v_note := private.trimmed(v_now.admin_note);
  update private.posts p set
    title = private.trimmed(v_now.title),
    content = coalesce(v_now.content, ''),
    is_pinned = v_now.is_pinned,
    cover_path = v_now.cover_path,
    admin_note = v_note,
    admin_note_is_public = v_note is not null and coalesce(v_now.admin_note_is_public, false)
  where p.id = old.id;
  if v_note is distinct from old.admin_note and v_note is not null and v_is_author is not true then
    perform private.notify(old.creator_id, 'other', 'A note on your post', v_note, jsonb_build_object('post_id', old.id));
  end if;
  select v.* into new from public.posts v where v.id = old.id;
  return new;
end;
$$;
comment on function private.update_post is
  'Trigger of public.posts: authors edit the text, change the cover, and pin up to three posts (GEN-41, D28, LOOP-14). Of others'' posts, admins can only change the note.';

-- A replaced cover, and that of a deleted post, is deleted as a file, so that its public address ends.
create function private.remove_post_cover() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o where o.bucket_id = 'covers' and o.name = old.cover_path returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_post_cover is 'Trigger of posts: deletes the file of a cover that the post no longer has.';
create trigger posts_remove_cover after delete on private.posts
  for each row when (old.cover_path is not null) execute function private.remove_post_cover();
create trigger posts_replace_cover after update of cover_path on private.posts
  for each row when (old.cover_path is not null and old.cover_path is distinct from new.cover_path) execute function private.remove_post_cover();

-- Scheduled posts bring their cover along.
create function private.receive_scheduled_cover() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_own_cover(new.creator_id, null, new.post_type, new.cover_path);
  return new;
end;
$$;
comment on function private.receive_scheduled_cover is 'Trigger of scheduled_posts: checks the cover like that of a post, so that the author learns of an error now and not when the post is published.';
create trigger scheduled_posts_receive_cover before insert or update of title, content, publish_at on public.scheduled_posts
  for each row when (new.cover_path is not null) execute function private.receive_scheduled_cover();
create or replace function private.publish(p_scheduled public.scheduled_posts) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, cover_path)
  values (p_scheduled.id, p_scheduled.creator_id, p_scheduled.title, p_scheduled.content, p_scheduled.post_type,
    p_scheduled.media_urls, p_scheduled.media_types, p_scheduled.required_tier_id, p_scheduled.ppv_price, p_scheduled.cover_path);
  if p_scheduled.poll is not null then
    insert into public.polls (post_id, title, options, expires_at)
    values (p_scheduled.id, p_scheduled.poll ->> 'title', p_scheduled.poll ->> 'options', now() + (p_scheduled.poll ->> 'days')::int * interval '1 day');
  end if;
  delete from public.scheduled_posts s where s.id = p_scheduled.id;
  return p_scheduled.id;
end;
$$;
create function private.remove_scheduled_cover() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o
    where o.bucket_id = 'covers' and o.name = old.cover_path
      and not exists (select from private.posts p where p.cover_path = o.name)
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_scheduled_cover is 'Trigger of scheduled_posts: deletes the cover''s file, unless the post has been published with it.';
create trigger scheduled_posts_remove_cover after delete on public.scheduled_posts
  for each row when (old.cover_path is not null) execute function private.remove_scheduled_cover();

-- What unlocks a page of locked posts, in one request (LOOP-14).
create type public.post_unlock as (
  post_id uuid,
  plan_id uuid,
  plan_name text,
  price_cents integer,
  "interval" text,
  trial_days integer,
  more_posts integer,
  is_subscribed boolean
);
comment on type public.post_unlock is 'The cheapest plan that opens a locked post for the caller (LOOP-14). No column is null.';
comment on column public.post_unlock.plan_id is 'The plan: subscription_products.id.';
comment on column public.post_unlock.price_cents is 'For one interval.';
comment on column public.post_unlock.trial_days is 'The free trial that the caller would get, in days; 0 for none.';
comment on column public.post_unlock.more_posts is 'How many other posts the plan opens that the caller can''t see now. At most 100, which stands for 100 or more.';
comment on column public.post_unlock.is_subscribed is 'The caller has a subscription to the creator, and so switches plans instead of buying a second one.';
create function public.get_unlocks(post_ids uuid[]) returns setof public.post_unlock
language sql stable security definer rows 20 set search_path = ''
as $$
  with locked as materialized (
    select v.id, v.creator_id, v.required_tier_id
    from public.posts v
    where v.id = any (post_ids[1:100]) and v.is_locked and v.post_type = 'subscription'
  ), wanted as materialized (
    select distinct l.creator_id, l.required_tier_id, c.tiered_access, me.id as viewer,
      private.monthly_cents(r.price_cents, r.interval) as monthly
    from locked l
    -- The plans of a private profile aren't for sale.
    join private.profiles c on c.id = l.creator_id and not c.is_private
    join public.subscription_products r on r.id = l.required_tier_id
    cross join (select private.my_profile_id() as id) me
  )
  select l.id, offer.id, offer.name, offer.price_cents, offer.interval,
    case when past.is_known then 0 else offer.trial_days end,
    least(opened.posts - 1, 100)::int,
    past.is_subscribed
  from wanted w
  -- As public.posts decides: the required plan and more expensive ones, or any plan.
  cross join lateral (
    select s.*, private.monthly_cents(s.price_cents, s.interval) as monthly
    from public.subscription_products s
    where s.creator_id = w.creator_id and s.is_active
      and (not w.tiered_access or s.id = w.required_tier_id or private.monthly_cents(s.price_cents, s.interval) > w.monthly)
    order by private.monthly_cents(s.price_cents, s.interval), s.created_at, s.id
    limit 1
  ) offer
  cross join lateral (
    select exists (
        select from public.subscriptions b
        where b.subscriber_id = w.viewer and b.creator_id = w.creator_id and b.status not in ('incomplete', 'incomplete_expired')
      ) as is_known,
      exists (
        select from public.subscriptions b
        where b.subscriber_id = w.viewer and b.creator_id = w.creator_id and b.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
      ) as is_subscribed
  ) past
  -- Counts up to 101 entries of an index: with this post, a hundred others.
  cross join lateral (
    select count(*) as posts
    from (
      select
      from public.subscription_products t
      cross join lateral (select from private.posts p where p.required_tier_id = t.id limit 101) p
      where t.creator_id = w.creator_id
        and (not w.tiered_access or t.id = offer.id or private.monthly_cents(t.price_cents, t.interval) < offer.monthly)
        -- Without what the caller's own plan opens.
        and not exists (
          select from public.subscriptions b
          join public.subscription_products mine on mine.id = b.tier_id
          where b.subscriber_id = w.viewer and b.creator_id = w.creator_id and b.access_until > now()
            and (not w.tiered_access or mine.id = t.id
              or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(t.price_cents, t.interval))
        )
      limit 101
    ) found
  ) opened
  join locked l on l.creator_id = w.creator_id and l.required_tier_id = w.required_tier_id;
$$;
comment on function public.get_unlocks is
  'What unlocks these posts: for each one that is locked for the caller and for subscribers, the cheapest active plan that opens it, and what else comes with it (LOOP-14). No row for other posts, and while there is no such plan. Considers the first 100 ids.';
grant execute on function public.get_unlocks(uuid[]) to anon, authenticated;
