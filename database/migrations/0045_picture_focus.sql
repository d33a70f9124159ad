-- Up Migration

-- The focus point of a picture: the part that stays in view wherever a list crops it (LOOP-11). It belongs to the stored bytes, like the size
-- that the server measured, so an overwritten picture loses it.
comment on column storage.objects.metadata is
  'mimetype, size (bytes), eTag, cacheControl, lastModified; of pictures and videos also width, height (pixels, as shown), preview (a ThumbHash in base64), and duration (seconds), measured by the server; of pictures also focus ({x, y}: fractions of width and height), set by their owner.';

-- As in 0012_media.sql, with the focus.
create or replace function private.previews_of(p_paths text[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
      'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream', 'focus', o.metadata -> 'focus',
      'captions', (select jsonb_agg(c.language order by c.language) from private.video_captions c where c.object_id = o.id)
    )) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'posts' and o.name = f.path;
$$;
comment on column private.posts.media_previews is
  'One entry for each of media_urls: {preview, width, height, duration, stream, focus, captions}, without unknown keys. Maintained from storage.objects and video_captions.';
comment on column public.posts.media_previews is 'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, focus: {x, y} of a picture, as fractions of its width and height, captions: language tags}; a key is missing while it is unknown. Never null.';

-- security definer: checks first that the file is in the caller's own folder.
create function public.set_picture_focus(picture text, x numeric, y numeric) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not coalesce(x between 0 and 1 and y between 0 and 1, false) then
    raise sqlstate 'PT422' using message = 'A focus point needs x and y from 0 to 1';
  end if;
  update storage.objects o
  set metadata = o.metadata || jsonb_build_object('focus', jsonb_build_object('x', round(x, 3), 'y', round(y, 3)))
  -- A suspended user has no profile id.
  where o.bucket_id = 'posts' and o.name = picture and o.metadata ->> 'mimetype' like 'image/%'
    and private.is_own_path(o.name) and private.my_profile_id() is not null;
  if not found then
    raise sqlstate 'PT404' using message = 'This isn''t one of your pictures';
  end if;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = picture and p.id = m.post_id;
end;
$$;
comment on function public.set_picture_focus is
  'Sets the focus point of one of the caller''s pictures, by its path in bucket posts: x from the left and y from the top, as fractions. The picture may belong to a post, or not yet.';
grant execute on function public.set_picture_focus(text, numeric, numeric) to authenticated;
