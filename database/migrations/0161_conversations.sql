-- Up Migration
-- The list of conversations reads what its page shows, and no more. As before (0103), but each line's message and person are looked up
-- for that line: joined as views they could be planned as a scan of all messages, for a page whose size the planner does not know.
create or replace function public.get_conversations(
  search text default null,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.conversation
language sql stable security definer set search_path = ''
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
    page.last_message_at, page.unread_count, private.accepts_messages(page.other_id, page.profile_id)
  from page
  cross join lateral (select p.* from public.profiles p where p.id = page.other_id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = page.last_message_id offset 0) m
  order by page.last_message_at desc, page.other_id desc;
$$;
