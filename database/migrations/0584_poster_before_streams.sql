-- Up Migration
-- The poster of a video comes before its streams, which take as long as the video (POST-10, POST-16): what has been made so far is taken over.
-- As before (0220), but only what is made anew takes the place of what was there, and the video is ready with its streams.
create or replace function private.finish_video(p_object uuid, p_version text, p_facts jsonb, p_files jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_path text;
begin
  -- Overwritten or deleted meanwhile: what was made is of no use.
  perform from private.videos v where v.object_id = p_object and v.version = p_version for update;
  if not found then
    return false;
  end if;
  delete from private.video_files f
  where f.object_id = p_object and f.kind in (select made.kind from jsonb_to_recordset(p_files) as made (kind text));
  insert into private.video_files (version, object_id, kind, size_bytes, mimetype, stream)
  select f.version, p_object, f.kind, f.size_bytes, f.mimetype, f.stream
  from jsonb_to_recordset(p_files) as f (version text, kind text, size_bytes bigint, mimetype text, stream jsonb);
  if p_facts ? 'stream' then
    update private.videos set state = 'ready', failure = null where object_id = p_object;
  end if;
  update storage.objects o set metadata = o.metadata || p_facts where o.id = p_object and o.version = p_version returning o.name into v_path;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = v_path and p.id = m.post_id;
  return true;
end;
$$;
comment on function private.finish_video is 'Takes over what was made from a video, its poster or its streams, and tells its post. False when the video is another one by now.';
