-- Up Migration
-- Captions of posts' videos, one text for each language. They are as open as the video: whoever holds a link to it reads them by that link
-- (storage/v1), and that there are any is said with the other facts of the file.
create table private.video_captions (
  object_id uuid not null references private.videos on delete cascade,
  language  text not null,
  content   text not null,
  primary key (object_id, language)
);
comment on table private.video_captions is 'Captions of a video as WebVTT, one text for each language.';
comment on column private.video_captions.language is 'A language tag (BCP 47), such as en or pt-BR.';
alter table private.video_captions enable row level security; -- and no policy: they are set by a function, and storage/v1 reads them as the service

-- As before (0220), with the languages of the captions.
create or replace function private.previews_of(p_paths text[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
      'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream',
      'captions', (select jsonb_agg(c.language order by c.language) from private.video_captions c where c.object_id = o.id)
    )) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'posts' and o.name = f.path;
$$;
comment on column private.posts.media_previews is
  'An entry for each of media_urls: {preview, width, height, duration, stream, captions}, without what is not known. Kept from storage.objects and video_captions.';
comment on column public.posts.media_previews is
  'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, captions: language tags}; a key is missing while it is not known. Never null.';

-- security definer: the caller's right is that the file lies in the own folder, which is asked first.
create function public.set_video_captions(video text, language text, content text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object uuid;
  -- A byte order mark is no part of the text; lines may end as on any system.
  v_content text := replace(ltrim(content, chr(65279)), E'\r\n', E'\n');
begin
  -- No profile: nobody to the product, such as whoever is suspended.
  select v.object_id into v_object
  from storage.objects o join private.videos v on v.object_id = o.id
  where o.bucket_id = 'posts' and o.name = video and private.is_own_path(o.name) and private.my_profile_id() is not null
  for update of v;
  if v_object is null then
    raise sqlstate 'PT404' using message = 'This is not one of your videos';
  elsif coalesce(language !~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', true) then
    raise sqlstate 'PT422' using message = 'Captions need their language, such as en';
  end if;
  if content is null then
    delete from private.video_captions c where c.object_id = v_object and c.language = set_video_captions.language;
  else
    if length(v_content) > 500000 then
      raise sqlstate 'PT422' using message = 'Captions can have up to 500 kB';
    elsif v_content !~ '^WEBVTT([ \t\n]|$)' or v_content !~ '\n(\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(\d{2,}:)?\d{2}:\d{2}\.\d{3}' then
      raise sqlstate 'PT422' using message = 'This is not a WebVTT file with captions', hint = 'Its first line is WEBVTT, and each caption has a line such as 00:01.000 --> 00:04.000.';
    end if;
    insert into private.video_captions (object_id, language, content) values (v_object, language, v_content)
    on conflict on constraint video_captions_pkey do update set content = excluded.content;
    if (select count(*) from private.video_captions c where c.object_id = v_object) > 20 then
      raise sqlstate 'PT422' using message = 'A video has captions in up to 20 languages';
    end if;
  end if;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = video and p.id = m.post_id;
end;
$$;
comment on function public.set_video_captions is
  'Gives a video of the caller''s, by its path in bucket posts, captions in one language; content null takes them away. The video may be of a post already, or not yet.';
grant execute on function public.set_video_captions(text, text, text) to authenticated;

-- As before (0490), with the captions.
create or replace function auth.open_unseen_data() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_account uuid := (select a.id from private.ledger_accounts a where a.code = 'creator:' || v_me);
  v_rows refcursor := 'own_unseen_data';
begin
  open v_rows no scroll for
    (select 'promotion_codes' as section, (to_jsonb(c) - array['stripe_coupon_id', 'stripe_promotion_id'])::text as item
      from private.promotion_codes c where c.creator_id = v_me order by c.created_at)
    union all
    (select 'group_messages', (to_jsonb(g) - 'position')::text from private.group_messages g where g.creator_id = v_me order by g.created_at)
    union all
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'video_captions', 'statement'];
end;
$$;
