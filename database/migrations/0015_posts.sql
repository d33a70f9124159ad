-- Up Migration

-- Posts (DATA-07, DATA-08, POST-41..POST-54). No client role can read private.posts; public.posts shows what a viewer may see, so that
-- locked content never leaves the database (POST-46, D5). An admin's note appears on the post, for its author or for everyone (POST-13, D28).
create table private.posts (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  title            text constraint posts_title_length check (length(title) <= 150),
  content          text not null default '' constraint posts_content_length check (length(content) <= 10000),
  post_type        text not null default 'free' constraint posts_post_type_known check (post_type in ('free', 'subscription', 'ppv')),
  media_urls       text[] not null default '{}' constraint posts_media_at_most_twenty check (cardinality(media_urls) <= 20),
  media_types      text[] not null default '{}' constraint posts_media_types_known check (media_types <@ array['image', 'video']),
  required_tier_id uuid references public.subscription_products on delete no action deferrable initially deferred,
  ppv_price        integer,
  likes_count      int not null default 0 check (likes_count >= 0),
  comments_count   int not null default 0 check (comments_count >= 0),
  is_pinned        boolean not null default false,
  created_at       timestamptz not null default now(),
  admin_note text constraint posts_admin_note_length check (admin_note ~ '\S' and length(admin_note) <= 500),
  admin_note_is_public boolean not null default false,
  views_count int not null default 0 check (views_count >= 0),
  media_previews jsonb not null default '[]',
  constraint posts_content_or_media check (content ~ '\S' or cardinality(media_urls) > 0),
  constraint posts_media_pairs check (cardinality(media_urls) = cardinality(media_types)),
  constraint posts_subscription_has_tier check ((post_type = 'subscription') = (required_tier_id is not null)),
  constraint posts_ppv_has_price check ((post_type = 'ppv') = (ppv_price is not null)),
  constraint posts_ppv_price_range check (ppv_price between 100 and 999999)
);
comment on table private.posts is 'Posts in full, including locked ones. Read through public.posts.';
comment on column private.posts.creator_id is 'The author''s profiles.id.';
comment on column private.posts.media_urls is 'Paths in bucket posts (D23), each paired with its entry in media_types.';
comment on column private.posts.required_tier_id is 'The plan chosen as audience. It narrows access only while the creator has tiered_access on (D14).';
comment on column private.posts.ppv_price is 'In cents; at least 100, which is $1.00 (D26).';
comment on column private.posts.admin_note is 'An admin''s note on the post; null for none.';
comment on column private.posts.admin_note_is_public is 'Whether everyone who sees the post sees the note, or only its author and admins.';
comment on column private.posts.views_count is 'Views, counting each user once a day. Maintained by post_views; only the author can read it.';
comment on column private.posts.media_previews is
  'One entry for each of media_urls: {preview, width, height, duration, stream, captions}, without unknown keys. Maintained from storage.objects and video_captions.';
alter table private.posts enable row level security; -- and no policy
alter table private.posts replica identity full;
create index posts_creator_id_created_at_idx on private.posts (creator_id, created_at desc, id desc); -- profile page, and one probe for each followed creator
create index posts_required_tier_id_idx on private.posts (required_tier_id) where required_tier_id is not null;

create trigger posts_audit_delete after delete on private.posts for each row execute function private.audit_deleted_post();

create trigger posts_fill_media_previews before insert on private.posts
  for each row when (cardinality(new.media_urls) > 0) execute function private.fill_media_previews();

-- Which post a file belongs to: the storage policies look it up by path.
create table private.post_media (
  path       text primary key,
  post_id    uuid not null references private.posts on delete cascade,
  position   int not null check (position >= 1),
  media_type text not null check (media_type in ('image', 'video')),
  constraint post_media_position_key unique (post_id, position)
);
comment on table private.post_media is 'The files of posts, one row each, copied from posts.media_urls. A file belongs to one post only, because a free post could otherwise unlock a file of a paid one.';
alter table private.post_media enable row level security;
create table public.purchases (
  id         uuid primary key default gen_random_uuid(),
  buyer_id   uuid not null references private.profiles on delete cascade,
  post_id    uuid not null references private.posts on delete cascade,
  created_at timestamptz not null default now(),
  transaction_id uuid,
  constraint purchases_once unique (buyer_id, post_id)
);
comment on table public.purchases is 'Bought pay-per-view posts (POST-44). A refund deletes the row; the ledger keeps the history.';
comment on column public.purchases.buyer_id is 'The fan''s profiles.id.';
comment on column public.purchases.transaction_id is 'The payment that unlocked the post. Null when the server unlocked it without one.';
alter table public.purchases enable row level security;
create index purchases_post_id_idx on public.purchases (post_id);
create policy select_own on public.purchases for select to authenticated using (buyer_id = (select private.my_profile_id()));
grant select on public.purchases to authenticated;

-- insert is not granted: a purchase follows a payment, which Stripe confirms.

-- The view decides which of the visible posts are unlocked; the policy select_visible on private.posts (below) decides which are visible.
-- Access is computed once for each row: `offset 0` keeps the planner from copying the computation into every masked column. All other columns
-- are the table's own, so that indexes serve filters and order, and only the rows of the page are masked. A security barrier would keep
-- order and limit from reaching the index, so that a page would sort all posts.
create view public.posts as
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
    p.media_previews
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
comment on view public.posts is 'Posts as the viewer may see them. Of a locked post, content is its first 100 characters (POST-11), and media_urls is empty; media_types and media_count are shown.';
comment on column public.posts.content is 'In full, or its first 100 characters when is_locked. Never null.';
comment on column public.posts.media_urls is 'Paths in bucket posts; empty when is_locked. Never null.';
comment on column public.posts.media_count is 'How many files the post has, locked or not. Never null.';
comment on column public.posts.is_locked is 'True when the viewer has to subscribe or buy to see the post in full. Never null.';
comment on column public.posts.admin_note is 'An admin''s note (D28); null when there is none, or when this viewer can''t see it.';
comment on column public.posts.admin_note_is_public is 'Whether everyone sees the note. Never null.';
comment on column public.posts.likes_count is 'Maintained by post_likes. Never null.';
comment on column public.posts.comments_count is 'Maintained by comments. Never null.';
comment on column public.posts.is_pinned is 'Shown first on the profile; a creator can pin up to three. Never null.';
comment on column public.posts.ppv_price is 'The price of a pay-per-view post, in cents; null for other posts.';
comment on column public.posts.media_previews is 'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, captions: language tags}; a key is missing while it is unknown. Never null.';
grant update (admin_note, admin_note_is_public) on public.posts to authenticated; -- for admins; the trigger rejects others
grant select on public.posts to anon;
grant delete, select on public.posts to authenticated;
grant update (title, content, is_pinned, admin_note, admin_note_is_public) on public.posts to authenticated;

-- A view doesn't inherit the table's defaults.
alter view public.posts alter column id set default gen_random_uuid();
alter view public.posts alter column post_type set default 'free';
alter view public.posts alter column media_urls set default '{}';
alter view public.posts alter column media_types set default '{}';

-- security definer, yet it answers for the caller: the view reads the request's claims, not the database role.
create function private.can_view_post(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts v where v.id = p_post and not v.is_locked);
$$;
comment on function private.can_view_post is 'True when the caller may see the post in full. Uses public.posts, so that both always agree.';
grant execute on function private.can_view_post(uuid) to anon, authenticated;
create function private.can_read_post_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.post_media m where m.path = p_path and private.can_view_post(m.post_id));
$$;
comment on function private.can_read_post_file is 'True when the file belongs to a post that the caller may see in full (POST-46, POST-47).';
grant execute on function private.can_read_post_file(text) to anon, authenticated;

-- A file without a post is visible only to its owner; a file of a post is visible to everyone who sees the post in full.
create policy select_post_file on storage.objects for select to anon, authenticated
  using (bucket_id = 'posts' and private.can_read_post_file(name));
create function private.keep_post_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_constraint text;
begin
  insert into private.post_media (path, post_id, position, media_type)
  select m.path, new.id, m.position, m.media_type
  from unnest(new.media_urls, new.media_types) with ordinality as m (path, media_type, position);
  return null;
exception when unique_violation then
  get stacked diagnostics v_constraint = constraint_name;
  raise exception 'This file already belongs to a post' using errcode = '23505', constraint = v_constraint,
    hint = 'Upload the file again to use it in another post.';
end;
$$;
comment on function private.keep_post_media is 'Trigger of posts: maintains private.post_media. The media of a published post never changes, so only inserts matter.';
create trigger posts_keep_media after insert on private.posts for each row execute function private.keep_post_media();
create function private.count_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_post private.posts := case tg_op when 'INSERT' then new else old end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update private.profiles set
    total_posts = total_posts + v_step,
    total_photos = total_photos + v_step * cardinality(array_positions(v_post.media_types, 'image')),
    total_videos = total_videos + v_step * cardinality(array_positions(v_post.media_types, 'video')),
    last_posted_at = case tg_op
      when 'INSERT' then greatest(last_posted_at, v_post.created_at)
      else (select max(p.created_at) from private.posts p where p.creator_id = v_post.creator_id)
    end
  where id = v_post.creator_id;
  return null;
end;
$$;
comment on function private.count_post is 'Trigger of posts: maintains the numbers of posts, photos, and videos (PROF-05) and the time of the newest post (D34).';
create trigger posts_count after insert or delete on private.posts for each row execute function private.count_post();

-- Every file of a new post must be the author's own, uploaded, and of the given type.
create function private.require_own_media(p_creator uuid, p_urls text[], p_types text[]) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_media record;
begin
  for v_media in
    select m.path, m.media_type, o.id as object_id, split_part(o.metadata ->> 'mimetype', '/', 1) as stored_type,
      (storage.foldername(m.path))[1] = c.user_id::text as is_own
    from unnest(p_urls, p_types) as m (path, media_type)
    join private.profiles c on c.id = p_creator
    left join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
  loop
    if v_media.is_own is not true then
      raise sqlstate 'PT403' using message = 'Media must be in the author''s own folder of bucket posts', detail = v_media.path;
    elsif v_media.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this post has not been uploaded', detail = v_media.path;
    elsif v_media.stored_type <> v_media.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_media.path;
    end if;
  end loop;
end;
$$;
comment on function private.require_own_media is 'Rejects media that isn''t the author''s, isn''t uploaded, or doesn''t match media_types.';
create function private.insert_post() returns trigger
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
  insert into private.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, created_at)
  values (coalesce(new.id, gen_random_uuid()), new.creator_id, private.trimmed(new.title), new.content, new.post_type,
    new.media_urls, new.media_types, new.required_tier_id, new.ppv_price, coalesce(new.created_at, now()))
  returning * into v_post;
  select v.* into new from public.posts v where v.id = v_post.id;
  return new;
end;
$$;
comment on function private.insert_post is 'Trigger of public.posts: approved creators post as themselves, with their own plan and files (GEN-41, D25, POST-21, POST-22, D26).';
CREATE TRIGGER posts_insert INSTEAD OF INSERT ON public.posts FOR EACH ROW EXECUTE FUNCTION private.insert_post();

-- A post of another user is skipped, as a policy would.
-- Functions lock rows in one order, so that they can't deadlock: the account; likes, comments, follows, and subscriptions; the post; the
-- profile. A profile is locked "for no key update", so that others can still refer to it. Here, a pin locks the post before the profile,
-- like a like.
create function private.update_post() returns trigger
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
    case when v_is_author then '{title,content,is_pinned,admin_note,admin_note_is_public}' else '{admin_note,admin_note_is_public}' end::text[]);
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
  v_now := jsonb_populate_record(v_now, v_changes);
  v_note := private.trimmed(v_now.admin_note);
  update private.posts p set
    title = private.trimmed(v_now.title),
    content = coalesce(v_now.content, ''),
    is_pinned = v_now.is_pinned,
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
  'Trigger of public.posts: authors edit the text and pin up to three posts (GEN-41, D28). Of others'' posts, admins can only change the note.';
CREATE TRIGGER posts_update INSTEAD OF UPDATE ON public.posts FOR EACH ROW EXECUTE FUNCTION private.update_post();

-- Locks the post's likes and comments before the post: removing a like locks its row and then the post, to count. The same order here avoids a
-- deadlock.
create function private.delete_post() returns trigger
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
comment on function private.delete_post is 'Trigger of public.posts: authors delete their own posts, admins any post (POST-53, POST-54).';
CREATE TRIGGER posts_delete INSTEAD OF DELETE ON public.posts FOR EACH ROW EXECUTE FUNCTION private.delete_post();
grant select on public.posts to anon, authenticated;
grant delete on public.posts to authenticated;
grant insert (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price) on public.posts to authenticated;
grant update (title, content, is_pinned) on public.posts to authenticated;

-- No condition of a caller may run on a hidden post (PROF-22, GEN-35). If the view filtered hidden posts, PostgreSQL could evaluate the
-- caller's condition first, and `1 / (case when post_type = 'ppv' then 0 else 1 end)` would fail on a post of a private profile and so
-- reveal it. A policy on the table is evaluated before such conditions, and conditions that can't fail (`=`, `<` on ids and times) still
-- use an index. Policies apply to the owner of the view unless it owns the table, too, so the view has an owner of its own: view_owner.
do $$
begin
  if to_regrole('view_owner') is null then create role view_owner nologin noinherit; end if;
exception
  when duplicate_object or unique_violation then null; -- two databases migrate at once: the other one created it
end
$$;
do $$
begin
  if not pg_has_role(current_user, 'view_owner', 'usage') then
    execute format('grant view_owner to %I', current_user);
  end if;
end
$$;
comment on role view_owner is 'Owns public.posts, so that the policies on private.posts apply to the view. No one signs in with it.';
grant usage on schema public, private, auth to view_owner;
grant select on private.posts, private.profiles, public.subscriptions, public.subscription_products, public.purchases to view_owner;

-- The posts of a private or blocked creator are visible only to subscribers and to fans who bought the post (PROF-22, POST-48, POST-49).
-- Scalar subqueries, not `exists`: PostgreSQL could hash those, which reads every profile.
create policy select_visible on private.posts for select to view_owner using (
  (select private.is_privileged())
  or creator_id = (select private.my_profile_id())
  or (
    select not (o.is_private or o.id = any ((select private.my_blocks())::uuid[]))
    from private.profiles o
    where o.id = posts.creator_id
  )
  or (
    select true from public.subscriptions s
    where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = posts.creator_id and s.access_until > now()
    limit 1
  )
  or (select true from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = posts.id)
);

-- The view reads these tables to decide access, and shows none of them.
create policy select_for_views on private.profiles for select to view_owner using (true);
create policy select_for_views on public.subscriptions for select to view_owner using (true);
create policy select_for_views on public.subscription_products for select to view_owner using (true);
create policy select_for_views on public.purchases for select to view_owner using (true);
grant create on schema public to view_owner; -- required to become the owner, and revoked below
alter view public.posts owner to view_owner;
revoke create on schema public from view_owner;
