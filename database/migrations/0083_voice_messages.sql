-- Up Migration

-- Voice messages (INBOX-05): files of kind audio, in messages only. Those of approved creators are in their vault, as every upload is (VAULT-02).
update storage.buckets set allowed_mime_types = array['image/*', 'video/*', 'audio/*'] where id = 'messages';
alter table private.messages
  drop constraint messages_media_types_known,
  add constraint messages_media_types_known check (media_types <@ array['image', 'video', 'audio']);
comment on column private.messages.media_types is 'image, video, or audio, one for each file. Shown while the message is locked.';
comment on column public.messages.media_types is 'image, video, or audio, one for each file, also while is_locked. Never null.';
comment on column public.mass_messages.media_types is 'image, video, or audio, one for each of media_paths.';
comment on column public.conversation.last_media_types is 'image, video, or audio, one for each file of the last message. Never null.';
comment on column public.queued_report.media_types is 'image, video, or audio, one for each of media_urls. Never null.';
comment on column storage.objects.metadata is
  'mimetype, size (bytes), eTag, cacheControl, lastModified; of pictures and videos also width, height (pixels, as shown), preview (a ThumbHash in base64), and duration (seconds), measured by the server; of pictures also focus ({x, y}: fractions of width and height) and alt (the alt text), set by their owner; of voice messages duration and waveform (the loudness of 80 equal parts, a byte each, in base64).';

-- As in 0078_message_contents.sql, with the waveform of a voice message: where somebody speaks and pauses is content, so a locked one has none.
create or replace function private.message_previews(p_paths text[], p_is_locked boolean, p_preview_index int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(case
      when p_is_locked and f.position - 1 is distinct from p_preview_index then jsonb_build_object('duration', o.metadata -> 'duration')
      else jsonb_build_object(
        'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
        'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream', 'alt', o.metadata -> 'alt',
        'waveform', o.metadata -> 'waveform'
      )
    end) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path;
$$;
comment on function private.message_previews(text[], boolean, int) is
  'The value of messages.media_previews for these files. While the message is locked, only the duration, except for its free preview: no blurred preview and no waveform.';
comment on column public.messages.media_previews is
  'For each file: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, alt: the alt text of a picture, waveform: the loudness of 80 equal parts of a voice message, a byte each, in base64}; a key is missing while it is unknown; while is_locked, only duration, except for the free preview. Never null.';

alter table public.vault_files
  drop constraint vault_files_kind_check,
  add constraint vault_files_kind_known check (kind in ('image', 'video', 'audio'));
alter table public.vault_album_files
  drop constraint vault_album_files_kind_known,
  add constraint vault_album_files_kind_known check (kind in ('image', 'video', 'audio'));
comment on column public.vault_file.kind is 'image, video, or audio. Never null.';
comment on column public.vault_album.cover_kind is 'image, video, or audio; null for an empty album.';

create or replace trigger objects_add_vault_file after insert on storage.objects
  for each row when (new.version is not null and new.bucket_id = 'vault' and new.metadata ->> 'mimetype' ~ '^(image|video|audio)/')
  execute function private.add_vault_file();
create or replace trigger objects_keep_upload before insert or update of version on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages') and new.metadata ->> 'mimetype' ~ '^(image|video|audio)/')
  execute function private.keep_upload();

-- As in 0081_mass_messages.sql, with audio.
create or replace function private.fill_vault(p_user uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object storage.objects;
begin
  for v_object in
    select o.* from storage.objects o
    where o.bucket_id in ('posts', 'messages') and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0'
      and o.version is not null and o.metadata ->> 'mimetype' ~ '^(image|video|audio)/'
    order by o.created_at, o.id
  loop
    perform private.keep_in_vault(p_user::text, v_object.name, v_object.version, v_object.metadata, null, v_object.created_at);
  end loop;
  insert into private.vault_uses (object_id, file_id, post_id, message_id, mass_message_id, used_at)
  select o.id, f.id, pm.post_id, mm.message_id, mm.mass_message_id, coalesce(s.created_at, m.created_at, g.sent_at)
  from private.profiles p
  join public.vault_files f on f.creator_id = p.id
  join storage.objects o on o.version = f.version and o.bucket_id in ('posts', 'messages')
  left join private.post_media pm on o.bucket_id = 'posts' and pm.path = o.name
  left join private.posts s on s.id = pm.post_id
  left join private.message_media mm on o.bucket_id = 'messages' and mm.path = o.name
  left join private.messages m on m.id = mm.message_id
  left join public.mass_messages g on g.id = mm.mass_message_id
  where p.user_id = p_user and num_nonnulls(pm.post_id, mm.message_id, mm.mass_message_id) = 1
  on conflict (object_id) do nothing;
end;
$$;

-- As in 0077_vault_albums.sql, with audio.
create or replace function private.vault_page(
  kind text, usage text, search text, sort text, after_value text, after_id uuid, page_size integer, album uuid
) returns setof public.vault_file
language plpgsql stable security definer rows 60 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_kinds text[] := case when kind is null then array['image', 'video', 'audio'] else array[kind] end;
  v_uses smallint[] := case usage when 'unused' then '{0}' when 'used' then '{1,2,3}' when 'posts' then '{1,3}' when 'messages' then '{2,3}' else '{0,1,2,3}' end;
  v_column text := case sort when 'largest' then 'size_bytes' when 'earnings' then 'earned_cents' else 'created_at' end;
  v_way text := case sort when 'oldest' then 'asc' else 'desc' end;
  v_type text := case when sort in ('largest', 'earnings') then 'bigint' else 'timestamptz' end;
  v_source text := case when album is null then 'public.vault_files f where f.creator_id = $1' else 'public.vault_album_files f where f.album_id = $8 and f.creator_id = $1' end;
  v_id text := case when album is null then 'id' else 'file_id' end;
  v_after text := '';
  v_from text;
  v_words tsquery := (
    select string_agg(format('''%s''', replace(v_me || w.word, '''', '''''')) || ':*', ' & ')::tsquery
    from unnest(tsvector_to_array(private.search_words(translate(left(search, 100), '._-/\+', '      ')))) w (word));
begin
  if sort is null or sort not in ('newest', 'oldest', 'largest', 'earnings') then
    raise exception 'sort must be newest, oldest, largest, or earnings' using errcode = '22023';
  elsif usage not in ('used', 'unused', 'posts', 'messages') then
    raise exception 'usage must be used, unused, posts, or messages' using errcode = '22023';
  elsif kind not in ('image', 'video', 'audio') then
    raise exception 'kind must be image, video, or audio' using errcode = '22023';
  elsif private.trimmed(search) is not null and v_words is null then
    return; -- only punctuation: no file has it
  end if;
  if after_id is not null then
    v_after := format('and (f.%I, f.%I) %s ($4::%s, $5)', v_column, v_id, case v_way when 'asc' then '>' else '<' end, v_type);
  end if;
  if v_words is not null then
    -- First all files of the creator with the words, and only then the order: otherwise a rare word would read everything in order.
    v_from := format('(
      with found as materialized (select f.id from public.vault_files f where f.words @@ $7)
      select f.%5$I as id, f.%1$I from found cross join lateral (select f.* from %4$s and f.%5$I = found.id) f
      where f.kind = any ($2) and f.uses = any ($3) %2$s)', v_column, v_after, v_way, v_source, v_id);
  else
    v_from := format('(
      select f.id, f.%1$I from unnest($2) k (kind) cross join unnest($3) u (uses) cross join lateral (
        select f.%5$I as id, f.%1$I from %4$s and f.kind = k.kind and f.uses = u.uses %2$s
        order by f.%1$I %3$s, f.%5$I %3$s limit $6) f)', v_column, v_after, v_way, v_source, v_id);
  end if;
  -- The keys are in the index; the rest is read for the files of the page only.
  return query execute format('
    select f.id, o.name, f.kind, o.metadata ->> ''mimetype'', f.size_bytes, f.name, f.alt_text, f.caption,
      (o.metadata ->> ''width'')::int, (o.metadata ->> ''height'')::int, (o.metadata ->> ''duration'')::double precision,
      o.metadata ->> ''preview'', coalesce((o.metadata ->> ''stream'')::boolean, false), f.post_uses, f.message_uses, f.created_at,
      f.sales, f.earned_cents
    from (select p.id from %1$s p order by p.%2$I %3$s, p.id %3$s limit $6) page
    join public.vault_files f on f.id = page.id
    join storage.objects o on o.id = f.id
    order by f.%2$I %3$s, f.id %3$s', v_from, v_column, v_way)
  using v_me, v_kinds, v_uses, after_value, after_id, least(greatest(page_size, 1), 200), v_words, album;
end;
$$;
comment on function public.get_vault_files is
  'A page of the calling creator''s vault (VAULT-01). kind: image, video, or audio. usage: used, unused, posts, or messages. sort: newest, oldest, largest, or earnings. after_value and after_id: created_at (or size_bytes or earned_cents, if that is the order) and id of the last file of the page before.';

-- As in 0081_mass_messages.sql. A post has photos and videos only, so a voice message in it would be a file that nobody can publish.
create or replace function public.use_vault_files(file_ids uuid[], bucket text) returns text[]
language plpgsql security definer set search_path = ''
as $$
begin
  if bucket is null or bucket not in ('posts', 'messages') then
    raise exception 'bucket must be posts or messages' using errcode = '22023';
  elsif file_ids is null or cardinality(file_ids) not between 1 and 20 or array_position(file_ids, null) is not null then
    raise exception 'file_ids must name 1 to 20 files' using errcode = '22023';
  elsif bucket = 'posts' and exists (
    select from public.vault_files f where f.id = any (file_ids) and f.creator_id = private.my_profile_id() and f.kind = 'audio'
  ) then
    raise sqlstate 'PT422' using message = 'Voice messages can''t be part of a post';
  end if;
  return private.copy_vault_files(private.my_profile_id(), file_ids, bucket);
end;
$$;
comment on function public.use_vault_files is
  'Makes files of the calling creator''s vault ready for a post or a message (bucket posts or messages), without another copy of their content (VAULT-02). Returns the path of each in the bucket, in order. PT404 for other files, PT422 for a voice message in a post.';
