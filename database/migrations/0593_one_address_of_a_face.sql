-- Up Migration
-- A picture is addressed by its file and by the moment its profile was last changed, so that a new one is fetched anew (API-STO-04). Lists
-- that do not tell the moment give the same picture another address, and the browser fetches it twice: here by the small rendering.
alter type public.creator_listing add attribute updated_at timestamptz;
comment on column public.creator_listing.updated_at is 'Of the profile; its pictures are named by it. Never null.';
alter type public.conversation add attribute updated_at timestamptz;
comment on column public.conversation.updated_at is 'Of the other person''s profile; its pictures are named by it. Never null.';
alter type public.user_with_email add attribute updated_at timestamptz;
comment on column public.user_with_email.updated_at is 'Of the profile; its pictures are named by it. Never null.';

-- As before (0061), with that moment.
create or replace function public.discover_creators(
  search text default null,
  category text default null,
  sort text default 'popular',
  page_size int default 24,
  page_offset int default 0
) returns setof public.creator_listing
language plpgsql stable security definer rows 24 set search_path = ''
as $$
declare
  v_order text := case sort
    when 'popular' then 'c.subscribers_count desc, c.id'
    when 'newest' then 'c.last_posted_at desc nulls last, c.total_posts desc, c.id'
    when 'price_low' then 'coalesce(c.lowest_price_cents, 0), c.id'
    when 'price_high' then 'coalesce(c.lowest_price_cents, 0) desc, c.id'
  end;
begin
  if v_order is null then
    raise exception 'sort is one of popular, newest, price_low, price_high' using errcode = '22023';
  end if;
  return query execute
    'select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
       c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
     from private.profiles c where ' || private.listed_creators_where(search, category)
    || ' order by ' || v_order || ' limit $3 offset $4'
    using private.like_pattern(search), category, least(greatest(page_size, 0), 100), greatest(page_offset, 0);
end;
$$;

-- As before (0260), with that moment, and with the rows of a page (0163), which that one left out.
create or replace function public.get_conversations(
  search text default null,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.conversation
language sql stable security definer rows 30 set search_path = ''
as $$
  with page as (
    select c.*
    from private.conversations c
    where c.profile_id = (select private.my_profile_id())
      and (before is null or (c.last_message_at, c.other_id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      and (private.trimmed(search) is null or exists (
        select from private.profiles p
        where p.id = c.other_id
          and (p.username ilike private.like_pattern(search) or p.display_name ilike private.like_pattern(search))
      ))
    order by c.last_message_at desc, c.other_id desc
    limit least(greatest(page_size, 0), 100)
  )
  select o.id, o.username, o.display_name, o.avatar_url, o.is_verified, o.is_creator, o.last_seen_at,
    m.id, m.sender_id, left(m.content, 200), m.is_paid, m.is_locked, m.price,
    page.last_message_at, page.unread_count, private.accepts_messages(page.other_id, page.profile_id), m.media_types, o.updated_at
  from page
  cross join lateral (select p.* from public.profiles p where p.id = page.other_id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = page.last_message_id offset 0) m
  order by page.last_message_at desc, page.other_id desc;
$$;

-- As before (0370), with that moment.
create or replace function public.get_users_with_emails(
  search text default null,
  page_size int default 1000,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.user_with_email
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query execute
    'select p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.bio, p.is_creator, p.is_verified, p.is_private,
       case when public.has_role(p.user_id, ''admin'') then ''admin'' else ''user'' end,
       p.followers_count, p.following_count, p.created_at, u.email::text, u.email_confirmed_at, u.last_sign_in_at, u.banned_until,
       p.total_posts, p.total_earnings, p.suspended_at, p.suspension_reason, p.updated_at
     from (
       select f.* from private.profiles f
       where ($2 is null or (f.created_at, f.id) < ($2, coalesce($3, ''ffffffff-ffff-ffff-ffff-ffffffffffff'')))'
    || case when private.trimmed(search) is null then '' else ' and f.id in (select private.find_users($1))' end
    || ' order by f.created_at desc, f.id desc limit $4
     ) p
     join auth.users u on u.id = p.user_id
     order by p.created_at desc, p.id desc'
    using search, before, before_id, least(greatest(page_size, 0), 1000);
end;
$$;
