-- Up Migration
-- A post that was being inserted while its video got ready took over what was known before, and was not there yet when finish_video told the
-- posts: it stayed without a poster and a length for ever. Now the one waits for the other.
create or replace function private.fill_media_previews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- finish_video and set_video_captions lock the video first. Whoever comes second sees what the first has done.
  perform from storage.objects o join private.videos v on v.object_id = o.id
  where o.bucket_id = 'posts' and o.name = any (new.media_urls)
  order by v.object_id for share of v;
  new.media_previews := private.previews_of(new.media_urls);
  return new;
end;
$$;

-- Posts that were left behind.
update private.posts p set media_previews = private.previews_of(p.media_urls)
where 'video' = any (p.media_types) and p.media_previews is distinct from private.previews_of(p.media_urls);
