-- Up Migration
-- What is known of a message's files, as of a post's: size, blurred preview, and for videos the length and whether they stream. A video
-- in a message then plays as one in a post does, and a locked message says how long its videos run (MSG-07).
create function private.message_previews(p_paths text[], p_is_locked boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(case
      when p_is_locked then jsonb_build_object('duration', o.metadata -> 'duration')
      else jsonb_build_object(
        'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
        'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream'
      )
    end) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path;
$$;
comment on function private.message_previews is 'What messages.media_previews says of these files. While locked it is the length alone: not even a shape of what two people send each other.';
revoke execute on function private.message_previews from public;
grant execute on function private.message_previews to authenticated, service_role;

-- As before (0260), with previews. They are read with the message and kept nowhere: few messages have files, and a thread is read by page.
create or replace view public.messages with (security_barrier = true) as
select
  m.id,
  m.sender_id,
  m.recipient_id,
  case when access.can_read then m.body end as content,
  m.is_paid,
  m.price,
  m.is_read,
  not access.can_read as is_locked,
  m.created_at,
  case when access.can_read then m.media_paths else '{}' end as media_urls,
  m.media_types,
  case
    when cardinality(m.media_paths) = 0 then '[]'
    else private.message_previews(m.media_paths, not access.can_read)
  end as media_previews
from private.messages m
cross join lateral (
  select
    not m.is_paid or coalesce(m.sender_id = (select private.my_profile_id()), false) or (select private.is_service())
    or exists (
      select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = (select private.my_profile_id())
    ) as can_read
  offset 0
) access
where (select private.my_profile_id()) in (m.sender_id, m.recipient_id) or (select private.is_service());
comment on column public.messages.media_previews is
  'For each file: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS}; a key is missing while it is not known; while is_locked duration alone. Never null.';
