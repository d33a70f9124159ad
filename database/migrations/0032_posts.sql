-- Up Migration
-- Posts (DATA-07, DATA-08, POST-41..POST-54). The rows live in private.posts and no client role can reach them there;
-- public.posts is what a viewer may see (DESIGN §6), so that locked content never leaves the database (POST-46, D5).
create table private.posts (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  title            text constraint posts_title_length check (length(title) <= 150),
  content          text not null default '' constraint posts_content_length check (length(content) <= 10000),
  post_type        text not null default 'free' constraint posts_post_type_known check (post_type in ('free', 'subscription', 'ppv')),
  media_urls       text[] not null default '{}' constraint posts_media_at_most_twenty check (cardinality(media_urls) <= 20),
  media_types      text[] not null default '{}' constraint posts_media_types_known check (media_types <@ array['image', 'video']),
  required_tier_id uuid references public.subscription_products on delete no action deferrable initially deferred,
  ppv_price        numeric(12, 2) constraint posts_ppv_price_range check (ppv_price between 1.00 and 9999.99),
  likes_count      int not null default 0 check (likes_count >= 0),
  comments_count   int not null default 0 check (comments_count >= 0),
  is_pinned        boolean not null default false,
  created_at       timestamptz not null default now(),
  constraint posts_content_or_media check (content ~ '\S' or cardinality(media_urls) > 0),
  constraint posts_media_pairs check (cardinality(media_urls) = cardinality(media_types)),
  constraint posts_subscription_has_tier check ((post_type = 'subscription') = (required_tier_id is not null)),
  constraint posts_ppv_has_price check ((post_type = 'ppv') = (ppv_price is not null))
);
comment on table private.posts is 'Whole posts, locked ones included. Read through public.posts.';
comment on column private.posts.creator_id is 'The author''s profiles.id.';
comment on column private.posts.media_urls is 'Paths in bucket posts (D23), each paired with its entry in media_types.';
comment on column private.posts.required_tier_id is 'The plan chosen as audience. It narrows access only while the creator has tiered_access on (D14).';
comment on column private.posts.ppv_price is 'Dollars; at least $1.00 (D26).';
create index posts_creator_id_created_at_idx on private.posts (creator_id, created_at desc, id desc); -- profile page, and one probe for each followed creator
create index posts_created_at_idx on private.posts (created_at desc, id desc);
create index posts_required_tier_id_idx on private.posts (required_tier_id) where required_tier_id is not null;
alter table private.posts enable row level security; -- and no policy

-- Which post holds a file: the storage policies ask by path.
create table private.post_media (
  path       text primary key,
  post_id    uuid not null references private.posts on delete cascade,
  position   int not null check (position >= 1),
  media_type text not null check (media_type in ('image', 'video')),
  constraint post_media_position_key unique (post_id, position)
);
comment on table private.post_media is 'The files of posts, one row each, kept from posts.media_urls. A file belongs to one post, or a free post could open what another one locks.';
alter table private.post_media enable row level security;

create table public.purchases (
  id         uuid primary key default gen_random_uuid(),
  buyer_id   uuid not null references private.profiles on delete cascade,
  post_id    uuid not null references private.posts on delete cascade,
  created_at timestamptz not null default now(),
  constraint purchases_once unique (buyer_id, post_id)
);
comment on table public.purchases is 'Bought pay-per-view posts (POST-44). A refund takes the row away; the ledger keeps the history.';
comment on column public.purchases.buyer_id is 'The fan''s profiles.id.';
create index purchases_post_id_idx on public.purchases (post_id);
alter table public.purchases enable row level security;
create policy select_own on public.purchases for select to authenticated using (buyer_id = (select private.my_profile_id()));
grant select on public.purchases to authenticated;
-- insert is not granted: a purchase follows a payment, and payments arrive from the provider.

-- Access is decided once for each row. `offset 0` keeps the planner from copying the decision into every masked column;
-- the row's own columns stay plain, so indexes on creator and time serve filters and order, and only the page found is masked.
create view public.posts as
select
  p.id,
  p.creator_id,
  case when access.is_visible then p.title end as title,
  case when access.can_view then p.content when access.is_visible then left(p.content, 100) end as content,
  p.post_type,
  case when access.can_view then p.media_urls else '{}' end as media_urls,
  p.media_types,
  cardinality(p.media_urls) as media_count,
  p.required_tier_id,
  p.ppv_price,
  p.likes_count,
  p.comments_count,
  p.is_pinned,
  not access.can_view as is_locked,
  p.created_at
from private.posts p
cross join lateral (
  select
    a.can_view,
    -- A private profile's posts are there for those who may open them or who pay the creator, and for nobody else (PROF-22, POST-48).
    a.can_view or not a.is_private or exists (
      select from public.subscriptions s
      where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
    ) as is_visible
  from (
    select
      c.is_private,
      case
        when (select private.is_privileged()) or coalesce(c.user_id = (select auth.uid()), false) then true -- POST-49
        when p.post_type = 'free' then not c.is_private or exists ( -- POST-41
          select from public.subscriptions s
          where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
        )
        when p.post_type = 'subscription' then exists ( -- POST-42, POST-43
          select from public.subscriptions s
          join public.subscription_products mine on mine.id = s.tier_id
          join public.subscription_products required on required.id = p.required_tier_id
          where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
            and (
              not c.tiered_access or mine.id = required.id
              or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(required.price_cents, required.interval)
            )
        )
        else exists ( -- POST-44
          select from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = p.id
        )
      end as can_view
    from private.profiles c
    where c.id = p.creator_id
    offset 0
  ) a
  offset 0
) access
where access.is_visible;
comment on view public.posts is 'Posts as the viewer may see them. Locked: content is its first 100 characters (POST-11), media_urls is empty, media_types and media_count stay.';
comment on column public.posts.content is 'Whole, or its first 100 characters when is_locked. Never null.';
comment on column public.posts.media_urls is 'Paths in bucket posts; empty when is_locked. Never null.';
comment on column public.posts.media_count is 'How many files the post has, locked or not. Never null.';
comment on column public.posts.is_locked is 'True when the viewer has to subscribe or buy to see the whole post. Never null.';
-- A view has no defaults of its own; clients that leave these out mean the table's.
alter view public.posts alter column id set default gen_random_uuid();
alter view public.posts alter column post_type set default 'free';
alter view public.posts alter column media_urls set default '{}';
alter view public.posts alter column media_types set default '{}';

-- security definer, yet it answers for the caller: the view asks the request's claims, not the database role.
create function private.can_view_post(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts v where v.id = p_post and not v.is_locked);
$$;
comment on function private.can_view_post is 'True when the caller may see the whole post. One truth with public.posts.';
grant execute on function private.can_view_post(uuid) to anon, authenticated;

create function private.can_read_post_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.post_media m where m.path = p_path and private.can_view_post(m.post_id));
$$;
comment on function private.can_read_post_file is 'True when the file belongs to a post that the caller may see (POST-46, POST-47).';
grant execute on function private.can_read_post_file(text) to anon, authenticated;

-- A file of no post yet is its owner's alone; a file of a post is as open as the post.
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
comment on function private.keep_post_media is 'Keeps private.post_media. Media is fixed once a post is published, so an insert is all there is.';
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
comment on function private.count_post is 'Keeps the counts of posts, photos and videos (PROF-05) and the time of the newest post (D34).';
create trigger posts_count after insert or delete on private.posts for each row execute function private.count_post();

-- Every file of a new post is the author's own, uploaded, and of the kind it is said to be.
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
      raise sqlstate 'PT403' using message = 'Media must lie in the author''s own folder of bucket posts', detail = v_media.path;
    elsif v_media.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this post has not been uploaded', detail = v_media.path;
    elsif v_media.stored_type <> v_media.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_media.path;
    end if;
  end loop;
end;
$$;
comment on function private.require_own_media is 'Refuses media that is not the author''s, not there, or not what media_types says.';

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
  if not private.is_service() and new.creator_id is distinct from private.my_profile_id() then
    raise exception 'One posts as oneself only' using errcode = '42501';
  elsif not private.is_approved_creator(new.creator_id) then
    raise exception 'Only approved creators can publish posts' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif new.content !~ '\S' and cardinality(new.media_urls) = 0 then
    raise exception 'Please add some content or upload files' using errcode = '23514', constraint = 'posts_content_or_media';
  elsif cardinality(new.media_urls) <> cardinality(new.media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'posts_media_pairs';
  elsif new.post_type = 'subscription' and not exists (
    select from public.subscription_products t where t.id = new.required_tier_id and t.creator_id = new.creator_id and t.is_active
  ) then
    raise exception 'A subscription post needs one of your active subscription products' using errcode = '23514', constraint = 'posts_subscription_has_tier';
  elsif new.post_type = 'ppv' and coalesce(new.ppv_price < 1, true) then
    raise exception 'A pay-per-view post costs at least $1.00' using errcode = '23514', constraint = 'posts_ppv_price_range';
  end if;
  perform private.require_own_media(new.creator_id, new.media_urls, new.media_types);
  insert into private.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, created_at)
  values (coalesce(new.id, gen_random_uuid()), new.creator_id, private.trimmed(new.title), new.content, new.post_type,
    new.media_urls, new.media_types, new.required_tier_id, new.ppv_price, coalesce(new.created_at, now()))
  returning * into v_post;
  select v.* into new from public.posts v where v.id = v_post.id;
  return new;
end;
$$;
comment on function private.insert_post is 'Trigger of public.posts: approved creators, as themselves, with their own plan and files (GEN-41, D25, POST-21, POST-22, D26).';
create trigger posts_insert instead of insert on public.posts for each row execute function private.insert_post();

-- A post that is not the caller's is skipped, as a policy would skip it.
create function private.update_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and old.creator_id is distinct from private.my_profile_id() then
    return null;
  end if;
  if new.is_pinned and not old.is_pinned then
    perform from private.profiles c where c.id = old.creator_id for no key update; -- two pins at once count one another
    if (select count(*) from private.posts p where p.creator_id = old.creator_id and p.is_pinned) >= 3 then
      raise sqlstate 'PT409' using message = 'You can pin up to three posts', hint = 'Unpin another post first.';
    end if;
  end if;
  update private.posts set title = private.trimmed(new.title), content = coalesce(new.content, ''), is_pinned = new.is_pinned where id = old.id;
  select v.* into new from public.posts v where v.id = old.id;
  return new;
end;
$$;
comment on function private.update_post is 'Trigger of public.posts: the author edits text and pins up to three posts (GEN-41, D28).';
create trigger posts_update instead of update on public.posts for each row execute function private.update_post();

create function private.delete_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and old.creator_id is distinct from private.my_profile_id() then
    return null;
  end if;
  delete from private.posts where id = old.id;
  return old;
end;
$$;
comment on function private.delete_post is 'Trigger of public.posts: the author''s own posts, any post for an admin (POST-53, POST-54).';
create trigger posts_delete instead of delete on public.posts for each row execute function private.delete_post();

grant select on public.posts to anon, authenticated;
grant delete on public.posts to authenticated;
grant insert (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price) on public.posts to authenticated;
grant update (title, content, is_pinned) on public.posts to authenticated;
-- Audience, price and media are not updatable: people have paid for what the post was. Counters are kept by triggers.
