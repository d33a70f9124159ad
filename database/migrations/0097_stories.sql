-- Up Migration

-- Stories (STORY-01 to STORY-03): photos and short videos that others can see for 24 hours. A story is a use of a file of the vault, so nothing is
-- uploaded here, and its end takes nothing from the creator.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values ('stories', 'stories', false, 1073741824, '{image/*,video/*}');

create table public.stories (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null references private.profiles on delete cascade,
  path       text not null constraint stories_path_key unique,
  media_type text not null constraint stories_media_type_known check (media_type in ('image', 'video')),
  caption    text constraint stories_caption_length check (caption ~ '\S' and length(caption) <= 200),
  alt_text   text constraint stories_alt_text_length check (alt_text ~ '\S' and length(alt_text) <= 1000),
  audience   text not null constraint stories_audience_known check (audience in ('everyone', 'followers', 'subscribers', 'list')),
  list_id    uuid references public.fan_lists on delete set null,
  created_at timestamptz not null default now(),
  ends_at    timestamptz not null default now() + interval '24 hours',
  constraint stories_list_of_audience check (list_id is null or audience = 'list')
);
comment on table public.stories is 'Photos and videos that a creator shows for 24 hours, and longer in a highlight. Users who may not see a story don''t see its row.';
comment on column public.stories.creator_id is 'The creator''s profiles.id.';
comment on column public.stories.path is 'The path in bucket stories. It changes when the story leaves its last highlight after its end, which ends all links.';
comment on column public.stories.audience is 'Who sees it: everyone, followers (and subscribers), subscribers, or the fans on list_id.';
comment on column public.stories.list_id is 'One of the creator''s lists. If it is deleted, nobody else sees its stories.';
comment on column public.stories.ends_at is '24 hours after created_at. From then on, only its creator and admins see it, unless it is in a highlight.';
create index stories_creator_id_idx on public.stories (creator_id, ends_at desc, id desc);
create index stories_ends_at_idx on public.stories (ends_at); -- private.remove_ended_stories
create index stories_list_id_idx on public.stories (list_id) where list_id is not null;

create table public.story_views (
  story_id  uuid not null references public.stories on delete cascade,
  viewer_id uuid not null references private.profiles on delete cascade,
  viewed_at timestamptz not null default now(),
  primary key (story_id, viewer_id)
);
comment on table public.story_views is 'Who has seen a story before its end, each viewer once. Viewers see their own rows; get_story_viewers shows them to the creator.';
comment on column public.story_views.viewer_id is 'The viewer''s profiles.id.';
create index story_views_viewed_at_idx on public.story_views (story_id, viewed_at desc, viewer_id desc);
create index story_views_viewer_id_idx on public.story_views (viewer_id);

create table public.story_highlights (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null references private.profiles on delete cascade,
  name       text not null constraint story_highlights_name_format check (name ~ '^\S([^\n]*\S)?$' and length(name) <= 30),
  story_ids  uuid[] not null constraint story_highlights_size check (cardinality(story_ids) between 1 and 50),
  cover_id   uuid,
  created_at timestamptz not null default now()
);
comment on table public.story_highlights is 'Stories that stay on a profile after their end. Only the creator sees the rows: get_story_highlights shows others what they may see.';
comment on column public.story_highlights.creator_id is 'The creator''s profiles.id.';
comment on column public.story_highlights.story_ids is 'Stories of the creator, in order. Maintained when one is deleted.';
comment on column public.story_highlights.cover_id is 'The story that stands for the highlight, for those who may see it; null for the first one.';
create unique index story_highlights_name_once on public.story_highlights (creator_id, lower(name));

-- Who sees what. One rule, for rows and files.
create function private.is_highlighted(p_story public.stories) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.story_highlights h where h.creator_id = p_story.creator_id and p_story.id = any (h.story_ids));
$$;
comment on function private.is_highlighted is 'True when the story is in one of its creator''s highlights.';
revoke execute on function private.is_highlighted from public;

create function private.is_in_story_audience(p_story public.stories) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (p_story.ends_at > now() or private.is_highlighted(p_story))
    and p_story.creator_id <> all (private.my_blocks())
    and exists (
      select from private.profiles c where c.id = p_story.creator_id and c.suspended_at is null and (not c.is_private or fan.subscribes)
    )
    and case p_story.audience
      when 'everyone' then true
      when 'followers' then fan.subscribes
        or exists (select from public.follows f where f.follower_id = fan.id and f.following_id = p_story.creator_id)
      when 'subscribers' then fan.subscribes
      else fan.id is not null and exists (
        select from public.fan_lists l
        where l.id = p_story.list_id and case
          when l.rule is null then exists (select from public.fan_list_members m where m.list_id = l.id and m.fan_id = fan.id)
          else private.meets_rule(l.creator_id, fan.id, l.rule)
        end)
    end
  from (
    select me.id, exists (
      select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = p_story.creator_id and s.access_until > now()
    ) as subscribes
    from (select private.my_profile_id() as id) me
    offset 0
  ) fan;
$$;
comment on function private.is_in_story_audience is
  'True when the story is shown to the caller as one of its audience: before its end or in a highlight, and as with posts not across a block, not of a suspended creator, and of a private profile only to subscribers.';
revoke execute on function private.is_in_story_audience from public;

create function private.can_see_story(p_story public.stories) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(p_story.creator_id = private.my_profile_id(), false) or private.is_privileged() or private.is_in_story_audience(p_story);
$$;
comment on function private.can_see_story is 'True when the caller may see the story: its creator, an admin, or its audience.';
revoke execute on function private.can_see_story from public;
grant execute on function private.can_see_story to anon, authenticated;

create function private.can_read_story_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.stories s where s.path = p_path and private.can_see_story(s));
$$;
comment on function private.can_read_story_file is 'True when the file belongs to a story that the caller may see.';
revoke execute on function private.can_read_story_file from public;
grant execute on function private.can_read_story_file to anon, authenticated;

alter table public.stories enable row level security;
create policy select_visible on public.stories for select to anon, authenticated using (private.can_see_story(stories));
create policy delete_own on public.stories for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.stories to anon, authenticated;
grant delete on public.stories to authenticated;
-- insert isn't granted: create_story checks the file. Neither is update: all viewers of a story have seen the same one.

alter table public.story_views enable row level security;
create policy select_own on public.story_views for select to authenticated using (viewer_id = (select private.my_profile_id()));
grant select on public.story_views to authenticated;
-- insert, update, and delete are not granted: record_story_view writes them.

alter table public.story_highlights enable row level security;
create policy select_own on public.story_highlights for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy delete_own on public.story_highlights for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select, delete on public.story_highlights to authenticated;
-- insert and update are not granted: save_story_highlight checks the stories.

-- The files. Nobody writes to the bucket but create_story, and nobody deletes from it but with the story.
create policy select_story_file on storage.objects for select to anon, authenticated
  using (bucket_id = 'stories' and private.can_read_story_file(name));

create function storage.story_end(p_path text) returns timestamptz
language sql stable set search_path = ''
as $$
  select s.ends_at from public.stories s where s.path = p_path and s.ends_at > now();
$$;
comment on function storage.story_end is 'When the story with this file in bucket stories ends, if the caller may see it: no link to the file lasts longer. Null after its end.';
grant execute on function storage.story_end to anon, authenticated, service_role;

create function private.remove_story_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o where o.bucket_id = 'stories' and o.name = old.path returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  delete from public.story_highlights h where h.creator_id = old.creator_id and h.story_ids <@ array[old.id];
  update public.story_highlights h set story_ids = array_remove(h.story_ids, old.id), cover_id = nullif(h.cover_id, old.id)
  where h.creator_id = old.creator_id and old.id = any (h.story_ids);
  return null;
end;
$$;
comment on function private.remove_story_file is 'Trigger of stories: deletes the file with its row, and takes the story out of the highlights.';
create trigger stories_remove_file after delete on public.stories for each row execute function private.remove_story_file();

create function private.close_story_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_story public.stories;
  v_path text;
begin
  for v_story in
    select s.* from public.stories s
    where s.id = any (old.story_ids) and s.creator_id = old.creator_id and s.ends_at <= now() and not private.is_highlighted(s)
    order by s.id for no key update
  loop
    v_path := split_part(v_story.path, '/', 1) || '/' || gen_random_uuid() || coalesce('.' || storage.extension(v_story.path), '');
    update storage.objects o set name = v_path where o.bucket_id = 'stories' and o.name = v_story.path;
    update public.stories s set path = v_path where s.id = v_story.id;
  end loop;
  return null;
end;
$$;
comment on function private.close_story_files is
  'Trigger of story_highlights: gives the files of ended stories that leave their last highlight new names, so that no link to them works any more.';
create trigger story_highlights_close_files after delete or update of story_ids on public.story_highlights
  for each row execute function private.close_story_files();

-- Uses of the vault.
alter table private.vault_uses
  add column story_id uuid references public.stories on delete cascade,
  drop constraint vault_uses_one_place,
  add constraint vault_uses_one_place check (num_nonnulls(post_id, message_id, mass_message_id, story_id) = 1);
comment on table private.vault_uses is 'Which posts, messages, mass messages, and stories have a file of the vault. A row is deleted with its object, or with what has the file.';
comment on column private.vault_uses.used_at is 'When the post was published, the message sent, or the story posted.';
create index vault_uses_story_id_idx on private.vault_uses (story_id) where story_id is not null;
alter table public.vault_files add column story_uses int not null default 0;
comment on column public.vault_files.story_uses is 'In how many stories the file is, also after their end.';
-- Before version 17, PostgreSQL can't change the expression of a generated column.
-- Contract: the version before finds vault_files.uses again, under the same name, when this transaction is over.
drop trigger vault_files_keep_album_files on public.vault_files;
alter table public.vault_files drop column uses;
alter table public.vault_files add column uses smallint not null generated always as ((
  case when post_uses > 0 then 1 else 0 end + case when message_uses > 0 then 2 else 0 end + case when story_uses > 0 then 4 else 0 end)::smallint) stored;
create index vault_files_created_at_idx on public.vault_files (creator_id, kind, uses, created_at, id);
create index vault_files_size_idx on public.vault_files (creator_id, kind, uses, size_bytes, id);
create index vault_files_earned_idx on public.vault_files (creator_id, kind, uses, earned_cents, id);
create trigger vault_files_keep_album_files after update on public.vault_files
  for each row when (old.uses <> new.uses or old.earned_cents <> new.earned_cents) execute function private.keep_album_files();
comment on column public.vault_files.uses is 'Where the file is used: the sum of 1 for posts, 2 for messages, and 4 for stories; 0 for nowhere.';
alter type public.vault_file add attribute story_uses integer;
comment on column public.vault_file.story_uses is 'In how many stories the file is. Never null.';
alter type public.vault_use add attribute story_id uuid;
comment on column public.vault_use.story_id is 'Null for anything else.';
comment on column public.vault_use.post_id is 'Null for anything else.';
comment on column public.vault_use.message_id is 'Null for anything but a message to one fan.';
comment on column public.vault_use.mass_message_id is 'Null for anything else.';
comment on column public.vault_use.title is
  'The title of the post, or else the beginning of its text, or of that of a mass message; the caption of a story; null for a message.';
comment on column public.vault_use.username is 'The recipient of the message; null for anything else.';
comment on column public.vault_use.used_at is 'When it was published, sent, or posted. Never null.';
comment on type public.vault_use is 'A post, message, or story with a file of the calling creator''s vault (VAULT-05).';
alter type public.vault_removal add attribute stories integer;
comment on column public.vault_removal.stories is 'Stories with the files, which will be deleted. Never null.';

-- A video of a story has the poster and the streams of its file, and captions of its own.
drop trigger objects_note_video on storage.objects;
create trigger objects_note_video after insert or update of version, metadata on storage.objects
  for each row when (new.version is not null and new.bucket_id in ('posts', 'messages', 'vault', 'stories') and new.metadata ->> 'mimetype' like 'video/%')
  execute function private.note_video();

-- Posting.
create function public.create_story(
  file_id uuid, audience text default 'everyone', caption text default null, alt_text text default null, list_id uuid default null,
  story_id uuid default gen_random_uuid()
) returns setof public.stories
language plpgsql security definer rows 1 set search_path = ''
as $$
#variable_conflict use_column
declare
  v_me uuid := private.require_approved_creator();
  v_file record;
  v_seconds double precision;
  v_object uuid;
  v_story public.stories;
begin
  perform pg_advisory_xact_lock(hashtextextended('stories ' || v_me, 0));
  -- The response to an earlier request was lost.
  return query select s.* from public.stories s where s.id = create_story.story_id and s.creator_id = v_me;
  if found then
    return;
  end if;
  if create_story.audience is null or create_story.audience not in ('everyone', 'followers', 'subscribers', 'list') then
    raise exception 'audience must be everyone, followers, subscribers, or list' using errcode = '22023';
  elsif (create_story.audience = 'list') <> (create_story.list_id is not null) then
    raise exception 'list_id belongs to the audience list' using errcode = '22023';
  elsif create_story.list_id is not null
    and not exists (select from public.fan_lists l where l.id = create_story.list_id and l.creator_id = v_me) then
    raise sqlstate 'PT404' using message = 'This list was deleted';
  elsif length(private.trimmed(create_story.caption)) > 200 then
    raise sqlstate 'PT422' using message = 'A caption can have up to 200 characters';
  elsif length(private.trimmed(create_story.alt_text)) > 1000 then
    raise sqlstate 'PT422' using message = 'An alt text can have up to 1000 characters';
  elsif (select count(*) from public.stories s where s.creator_id = v_me and s.ends_at > now()) >= 50 then
    raise sqlstate 'PT422' using message = 'You can have up to 50 stories at a time';
  end if;
  select f.id, f.kind, f.alt_text, f.version, (o.metadata ->> 'duration')::double precision as seconds into v_file
  from public.vault_files f join storage.objects o on o.id = f.id
  where f.id = create_story.file_id and f.creator_id = v_me;
  if v_file.id is null then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  elsif v_file.kind = 'audio' then
    raise sqlstate 'PT422' using message = 'A story is a photo or a video';
  elsif v_file.kind = 'video' and v_file.seconds is null then
    if exists (select from private.videos v where v.version = v_file.version and v.state = 'failed') then
      raise sqlstate 'PT422' using message = 'This video can''t be played';
    end if;
    raise sqlstate 'PT409' using message = 'This video is still being prepared. Try again in a moment.';
  elsif v_file.kind = 'video' and v_file.seconds >= 61 then
    -- A recording of 60 seconds is often a few frames longer.
    raise sqlstate 'PT422' using message = 'A story''s video can be up to 60 seconds';
  end if;
  insert into public.stories (id, creator_id, path, media_type, caption, alt_text, audience, list_id)
  select coalesce(create_story.story_id, gen_random_uuid()), v_me, c.path, v_file.kind, private.trimmed(create_story.caption),
    coalesce(private.trimmed(create_story.alt_text), v_file.alt_text), create_story.audience, create_story.list_id
  from unnest(private.copy_vault_files(v_me, array[v_file.id], 'stories')) c (path)
  returning * into v_story;
  insert into private.vault_uses (object_id, file_id, story_id, used_at)
  select o.id, v_file.id, v_story.id, v_story.created_at from storage.objects o where o.bucket_id = 'stories' and o.name = v_story.path;
  return next v_story;
end;
$$;
comment on function public.create_story(uuid, text, text, text, uuid, uuid) is
  'Shows a file of the calling creator''s vault as a story for 24 hours (STORY-01). audience: everyone, followers, subscribers, or list, with list_id. alt_text: the file''s, if it isn''t given. The same story_id again returns the story that exists. PT404 for other files and lists, PT409 while a video isn''t measured, PT422 for a video of more than 60 seconds.';
grant execute on function public.create_story(uuid, text, text, text, uuid, uuid) to authenticated;

-- Watching.
create type public.story as (
  id uuid, creator_id uuid, path text, media_type text, caption text, alt_text text, audience text, list_name text,
  width int, height int, duration double precision, preview text, stream boolean, captions text[],
  created_at timestamptz, ends_at timestamptz, is_seen boolean, viewers int
);
comment on type public.story is 'A story, as the caller sees it (STORY-01).';
comment on column public.story.id is 'Never null.';
comment on column public.story.creator_id is 'The creator''s profiles.id. Never null.';
comment on column public.story.path is 'The path in bucket stories. Never null.';
comment on column public.story.media_type is 'image or video. Never null.';
comment on column public.story.audience is 'everyone, followers, subscribers, or list. Never null.';
comment on column public.story.list_name is 'The name of the list, for the creator only; null for other audiences, and after it was deleted.';
comment on column public.story.duration is 'In seconds; of videos only.';
comment on column public.story.preview is 'A ThumbHash in base64.';
comment on column public.story.stream is 'Whether the video plays as HLS. Never null.';
comment on column public.story.captions is 'The languages of the video''s captions. Never null.';
comment on column public.story.created_at is 'Never null.';
comment on column public.story.ends_at is 'Never null.';
comment on column public.story.is_seen is 'Whether the caller has seen it. Never null.';
comment on column public.story.viewers is 'How many users have seen it, for the creator only; null for others.';

create function private.show_story(p_story public.stories) returns public.story
language sql stable security definer set search_path = ''
as $$
  select row(p_story.id, p_story.creator_id, p_story.path, p_story.media_type, p_story.caption, p_story.alt_text, p_story.audience,
    case when own.is then (select l.name from public.fan_lists l where l.id = p_story.list_id) end,
    (o.metadata ->> 'width')::int, (o.metadata ->> 'height')::int, (o.metadata ->> 'duration')::double precision, o.metadata ->> 'preview',
    coalesce((o.metadata ->> 'stream')::boolean, false),
    array(select c.language from private.video_captions c where c.object_id = o.id order by c.language),
    p_story.created_at, p_story.ends_at,
    own.is or exists (select from public.story_views v where v.story_id = p_story.id and v.viewer_id = me.id),
    case when own.is then (select count(*)::int from public.story_views v where v.story_id = p_story.id) end)::public.story
  from (select private.my_profile_id() as id) me
  cross join lateral (select coalesce(p_story.creator_id = me.id, false) as is) own
  left join storage.objects o on o.bucket_id = 'stories' and o.name = p_story.path;
$$;
comment on function private.show_story is 'A story as the caller sees it. Doesn''t check whether they may.';
revoke execute on function private.show_story from public;

create function public.get_stories(creator_profile_id uuid) returns setof public.story
language sql stable security definer rows 10 set search_path = ''
as $$
  select v.* from (
    select s from public.stories s
    where s.creator_id = creator_profile_id and s.ends_at > now() and private.can_see_story(s)
    order by s.ends_at, s.id limit 50
  ) page
  cross join lateral private.show_story(page.s) v
  order by v.ends_at, v.id;
$$;
comment on function public.get_stories(uuid) is 'The stories of a creator that haven''t ended and that the caller may see, oldest first (STORY-01).';
grant execute on function public.get_stories(uuid) to anon, authenticated;

create function public.get_story(story_id uuid) returns setof public.story
language sql stable security definer rows 1 set search_path = ''
as $$
  select v.* from public.stories s cross join lateral private.show_story(s) v where s.id = get_story.story_id and private.can_see_story(s);
$$;
comment on function public.get_story(uuid) is 'A story that the caller may see, also in a highlight, or after its end for its creator and admins; no row for others (STORY-02).';
grant execute on function public.get_story(uuid) to anon, authenticated;

create function public.get_story_archive(before timestamptz default null, before_id uuid default null, page_size int default 30) returns setof public.story
language sql stable security definer rows 30 set search_path = ''
as $$
  select v.* from (
    select s from public.stories s
    where s.creator_id = private.my_profile_id() and (before_id is null or (s.ends_at, s.id) < (before, before_id))
    order by s.ends_at desc, s.id desc limit least(greatest(page_size, 1), 100)
  ) page
  cross join lateral private.show_story(page.s) v
  order by v.ends_at desc, v.id desc;
$$;
comment on function public.get_story_archive(timestamptz, uuid, int) is
  'A page of the calling creator''s stories, newest first: those of the last 31 days, and older ones in highlights. before and before_id: ends_at and id of the last story of the page before.';
grant execute on function public.get_story_archive(timestamptz, uuid, int) to authenticated;

create type public.story_ring as (
  creator_id uuid, username text, display_name text, avatar_url text, updated_at timestamptz, stories int, unseen int, newest_at timestamptz
);
comment on type public.story_ring is 'A creator with stories, as the caller sees them (STORY-01).';
comment on column public.story_ring.creator_id is 'The creator''s profiles.id. Never null.';
comment on column public.story_ring.username is 'Never null.';
comment on column public.story_ring.updated_at is 'When the creator''s profile last changed. Never null.';
comment on column public.story_ring.stories is 'How many stories they may see. Never null.';
comment on column public.story_ring.unseen is 'How many of them they haven''t seen. Never null.';
comment on column public.story_ring.newest_at is 'When the newest one was posted. Never null.';

create function public.get_story_rings() returns setof public.story_ring
language sql stable security definer rows 20 set search_path = ''
as $$
  with me as materialized (select private.my_profile_id() as id),
  -- A bounded number of creators, before any story is looked at. Each costs a probe of an index.
  followed as materialized (
    (select f.following_id as creator_id from public.follows f where f.follower_id = (select id from me) order by f.created_at desc limit 3000)
    union
    (select s.creator_id from public.subscriptions s where s.subscriber_id = (select id from me) and s.access_until > now() limit 1000)
    union
    select id from me
  ), posting as materialized (
    select f.creator_id, newest.ends_at
    from followed f
    cross join lateral (
      select s.ends_at from public.stories s where s.creator_id = f.creator_id and s.ends_at > now() order by s.ends_at desc, s.id desc limit 1
    ) newest
    order by f.creator_id = (select id from me) desc, newest.ends_at desc limit 200
  ), rings as (
    select p.creator_id, count(*)::int as stories, count(*) filter (where seen.story_id is null)::int as unseen, max(s.created_at) as newest_at
    from posting p
    join public.stories s on s.creator_id = p.creator_id and s.ends_at > now()
    left join public.story_views seen on seen.story_id = s.id and seen.viewer_id = (select id from me)
    where s.creator_id = (select id from me) or private.is_in_story_audience(s)
    group by p.creator_id
  )
  select r.creator_id, c.username, c.display_name, c.avatar_url, c.updated_at, r.stories, case when r.creator_id = me.id then 0 else r.unseen end, r.newest_at
  from rings r
  cross join me
  join private.profiles c on c.id = r.creator_id
  order by r.creator_id = me.id desc, r.unseen > 0 desc, r.newest_at desc, r.creator_id
  limit 50;
$$;
comment on function public.get_story_rings() is
  'The creators whose stories the caller has at the top of the home feed (STORY-01): themselves, then those they follow or subscribe to, with unseen and newest stories first. Up to 50.';
grant execute on function public.get_story_rings() to authenticated;

create function public.record_story_view(story_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.story_views (story_id, viewer_id)
  select s.id, me.id
  from (select private.my_profile_id() as id) me
  join public.stories s on s.id = record_story_view.story_id
  where me.id <> s.creator_id and s.ends_at > now() and private.is_in_story_audience(s)
  on conflict on constraint story_views_pkey do nothing;
$$;
comment on function public.record_story_view(uuid) is
  'Notes that the caller has seen a story (STORY-02). Changes nothing for its creator, after its end, and for those whom it isn''t shown to.';
grant execute on function public.record_story_view(uuid) to authenticated;

create type public.story_viewer as (
  profile_id uuid, username text, display_name text, avatar_url text, is_verified boolean, updated_at timestamptz, viewed_at timestamptz
);
comment on type public.story_viewer is 'A user who has seen a story (STORY-02).';
comment on column public.story_viewer.profile_id is 'Never null.';
comment on column public.story_viewer.username is 'Never null.';
comment on column public.story_viewer.is_verified is 'Never null.';
comment on column public.story_viewer.updated_at is 'When their profile last changed. Never null.';
comment on column public.story_viewer.viewed_at is 'Never null.';

create function public.get_story_viewers(story_id uuid, before timestamptz default null, before_id uuid default null, page_size int default 30)
returns setof public.story_viewer
language sql stable security definer rows 30 set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url, p.is_verified, p.updated_at, v.viewed_at
  from (
    select v.* from public.stories s
    join public.story_views v on v.story_id = s.id
    where s.id = get_story_viewers.story_id and s.creator_id = private.my_profile_id()
      and (before_id is null or (v.viewed_at, v.viewer_id) < (before, before_id))
    order by v.viewed_at desc, v.viewer_id desc limit least(greatest(page_size, 1), 100)
  ) v
  join private.profiles p on p.id = v.viewer_id
  order by v.viewed_at desc, v.viewer_id desc;
$$;
comment on function public.get_story_viewers(uuid, timestamptz, uuid, int) is
  'A page of those who have seen a story of the calling creator, latest first (STORY-02). before and before_id: viewed_at and profile_id of the last one of the page before.';
grant execute on function public.get_story_viewers(uuid, timestamptz, uuid, int) to authenticated;

-- Highlights.
create type public.story_highlight as (id uuid, name text, cover_path text, cover_type text, stories int);
comment on type public.story_highlight is 'A highlight, as the caller sees it (STORY-02).';
comment on column public.story_highlight.id is 'Never null.';
comment on column public.story_highlight.name is 'Never null.';
comment on column public.story_highlight.cover_path is 'The path of its cover in bucket stories, or of the first story that the caller may see. Never null.';
comment on column public.story_highlight.cover_type is 'image or video. Never null.';
comment on column public.story_highlight.stories is 'How many stories the caller may see. Never null.';

create function public.get_story_highlights(creator_profile_id uuid) returns setof public.story_highlight
language sql stable security definer rows 10 set search_path = ''
as $$
  select h.id, h.name, (array_agg(s.path order by coalesce(s.id = h.cover_id, false) desc, i.place))[1],
    (array_agg(s.media_type order by coalesce(s.id = h.cover_id, false) desc, i.place))[1], count(*)::int
  from public.story_highlights h
  cross join lateral unnest(h.story_ids) with ordinality i (id, place)
  join public.stories s on s.id = i.id
  where h.creator_id = creator_profile_id and private.can_see_story(s)
  group by h.id
  order by h.created_at, h.id;
$$;
comment on function public.get_story_highlights(uuid) is 'The highlights of a creator with stories that the caller may see, oldest first (STORY-02).';
grant execute on function public.get_story_highlights(uuid) to anon, authenticated;

create function public.get_highlight_stories(highlight_id uuid) returns setof public.story
language sql stable security definer rows 10 set search_path = ''
as $$
  select v.*
  from public.story_highlights h
  cross join lateral unnest(h.story_ids) with ordinality i (id, place)
  join public.stories s on s.id = i.id
  cross join lateral private.show_story(s) v
  where h.id = highlight_id and private.can_see_story(s)
  order by i.place;
$$;
comment on function public.get_highlight_stories(uuid) is 'The stories of a highlight that the caller may see, in order (STORY-02).';
grant execute on function public.get_highlight_stories(uuid) to anon, authenticated;

create function public.save_story_highlight(name text, story_ids uuid[], cover_id uuid default null, highlight_id uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_me uuid := private.require_approved_creator();
  v_name text := private.trimmed(save_story_highlight.name);
  v_stories uuid[] := save_story_highlight.story_ids;
  v_id uuid;
begin
  if v_name is null or length(v_name) > 30 or v_name ~ '\n' then
    raise sqlstate 'PT422' using message = 'Enter a name of up to 30 characters';
  elsif v_stories is null or cardinality(v_stories) not between 1 and 50
    or (select count(distinct i) from unnest(v_stories) i) <> cardinality(v_stories) then
    raise sqlstate 'PT422' using message = 'A highlight has 1 to 50 stories';
  elsif save_story_highlight.cover_id is not null and save_story_highlight.cover_id <> all (v_stories) then
    raise sqlstate 'PT422' using message = 'The cover must be one of the stories';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('stories ' || v_me, 0));
  -- Locked, so that none is deleted before the highlight has it.
  perform from public.stories s where s.id = any (v_stories) and s.creator_id = v_me order by s.id for key share;
  if (select count(*) from public.stories s where s.id = any (v_stories) and s.creator_id = v_me) <> cardinality(v_stories) then
    raise sqlstate 'PT404' using message = 'A story was deleted';
  elsif exists (
    select from public.story_highlights h
    where h.creator_id = v_me and lower(h.name) = lower(v_name) and h.id is distinct from save_story_highlight.highlight_id
  ) then
    raise sqlstate 'PT409' using message = 'You already have a highlight with this name';
  end if;
  if save_story_highlight.highlight_id is not null then
    update public.story_highlights h set name = v_name, story_ids = v_stories, cover_id = save_story_highlight.cover_id
    where h.id = save_story_highlight.highlight_id and h.creator_id = v_me returning h.id into v_id;
    if v_id is null then
      raise sqlstate 'PT404' using message = 'This highlight was deleted';
    end if;
    return v_id;
  elsif (select count(*) from public.story_highlights h where h.creator_id = v_me) >= 20 then
    raise sqlstate 'PT422' using message = 'You can have up to 20 highlights';
  end if;
  insert into public.story_highlights (creator_id, name, story_ids, cover_id) values (v_me, v_name, v_stories, save_story_highlight.cover_id)
  returning id into v_id;
  return v_id;
end;
$$;
comment on function public.save_story_highlight(text, uuid[], uuid, uuid) is
  'Creates a highlight of the calling creator, or changes it, with up to 50 of their stories in order, and returns its id (STORY-02). Up to 20, each with a name of its own.';
grant execute on function public.save_story_highlight(text, uuid[], uuid, uuid) to authenticated;

-- Correctness needs no job: this one keeps the table small.
create function private.remove_ended_stories() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_count int;
begin
  with ended as (
    select s.id from public.stories s
    where s.ends_at < now() - interval '30 days' and not private.is_highlighted(s)
    order by s.id limit 500 for update skip locked
  )
  delete from public.stories s using ended e where s.id = e.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.remove_ended_stories is
  'Deletes stories 30 days after their end, with their viewers, unless they are in a highlight. Returns how many: 0 when there are no more. Files stay in the vault.';
revoke execute on function private.remove_ended_stories from public;

-- Replies are messages that name the story.
alter table private.messages add column story_id uuid;
comment on column private.messages.story_id is
  'The recipient''s story that it replies to. No foreign key: it outlives the story, so that the reply shows that there was one.';

-- As in 0084_message_authors.sql, with the story at the end.
create or replace view public.messages with (security_barrier) as
select m.id, m.sender_id, m.recipient_id,
  case when access.can_read then coalesce(g.content, m.body) end as content,
  m.is_paid, m.price, m.is_read,
  not access.can_read as is_locked,
  m.created_at,
  case when access.can_read then files.paths else '{}' end as media_urls,
  files.types as media_types,
  case when cardinality(files.paths) = 0 then '[]' else private.message_previews(files.paths, not access.can_read, files.preview_index) end
    as media_previews,
  m.is_unlocked, m.sender_reaction, m.recipient_reaction, m.quoted_id,
  private.message_quote(m.quoted_id) as quote,
  files.preview_index,
  files.paths[files.preview_index + 1] as preview_url,
  m.author_kind,
  case when m.author_kind = 'team' or m.sender_id = (select private.my_profile_id()) or (select private.is_service()) then m.author_name end as author_name,
  m.story_id
from private.messages m
left join public.mass_messages g on g.id = m.mass_message_id
cross join lateral (
  select case when own.are then m.media_paths else g.media_paths end as paths,
    case when own.are then m.media_types else g.media_types end as types,
    case when own.are then m.preview_index else g.media_preview end as preview_index
  from (select g.id is null or cardinality(m.media_paths) > 0 as are) own
) files
cross join lateral (
  select not m.is_paid
    or coalesce(m.sender_id = (select private.my_profile_id()), false)
    or (select private.is_service())
    or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = (select private.my_profile_id())) as can_read
  offset 0
) access
where (select private.my_profile_id()) = m.sender_id or (select private.my_profile_id()) = m.recipient_id or (select private.is_service());
comment on column public.messages.story_id is 'The recipient''s story that the message replies to, also after it ended or was deleted. Null for other messages.';
grant insert (story_id) on public.messages to authenticated;
update private.followed_views set plain_columns = plain_columns || 'story_id'::text where view_name = 'messages';

-- As in 0078_message_contents.sql, with the story.
create or replace function private.insert_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_message private.messages;
begin
  new.price := coalesce(new.price, 0);
  new.is_paid := coalesce(new.is_paid, false) and new.price <> 0; -- a price of 0 sends a free message (D27)
  new.media_urls := coalesce(new.media_urls, '{}');
  new.media_types := coalesce(new.media_types, '{}');
  new.preview_index := case when new.is_paid then new.preview_index end;
  if not private.is_service() and new.sender_id is distinct from private.my_profile_id() then
    raise exception 'You can only send messages as yourself' using errcode = '42501';
  elsif new.sender_id = new.recipient_id then
    raise exception 'You can''t message yourself' using errcode = '23514', constraint = 'messages_not_self';
  elsif coalesce(new.content, '') !~ '\S' and cardinality(new.media_urls) = 0 then
    raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(new.content) > 5000 then
    raise exception 'A message can have up to 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif cardinality(new.media_urls) <> cardinality(new.media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'messages_media_pairs';
  elsif cardinality(new.media_urls) > 10 then
    raise exception 'A message can have up to 10 files' using errcode = '23514', constraint = 'messages_media_at_most_ten';
  elsif new.preview_index not between 0 and cardinality(new.media_urls) - 1 then
    raise exception 'preview_index must be the position of one of media_urls' using errcode = '23514', constraint = 'messages_preview_is_a_file';
  elsif not new.is_paid and new.price <> 0 then
    raise exception 'Only a paid message can have a price' using errcode = '23514', constraint = 'messages_price_range';
  elsif new.is_paid and not private.is_approved_creator(new.sender_id) then
    raise exception 'Only approved creators can send paid messages' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif new.is_paid and new.price not between 100 and 999999 then
    raise exception 'A paid message must cost between $1.00 and $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif not exists (select from private.profiles p where p.id = new.recipient_id) then
    raise sqlstate 'PT404' using message = 'Recipient not found';
  elsif not private.accepts_messages(new.recipient_id, new.sender_id) then
    raise sqlstate 'PT403' using message = 'This user doesn''t accept messages from you'; -- the same words for settings and blocks
  elsif new.quoted_id is not null and not exists (
    select from private.messages q
    where q.id = new.quoted_id and q.sender_id in (new.sender_id, new.recipient_id) and q.recipient_id in (new.sender_id, new.recipient_id)
  ) then
    raise sqlstate 'PT404' using message = 'The message you''re replying to is no longer available';
  elsif new.story_id is not null and not exists (
    select from public.stories s where s.id = new.story_id and s.creator_id = new.recipient_id and private.can_see_story(s)
  ) then
    raise sqlstate 'PT404' using message = 'This story is no longer available';
  end if;
  perform private.require_message_media(new.sender_id, new.media_urls, new.media_types);
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types, quoted_id, preview_index, story_id)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, coalesce(new.content, ''), new.is_paid, new.price,
    new.media_urls, new.media_types, new.quoted_id, new.preview_index, new.story_id)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;

-- As in 0081_mass_messages.sql, with stories.
create or replace function private.count_vault_uses() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_use private.vault_uses := case tg_op when 'INSERT' then new else old end;
  v_change int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update public.vault_files f set
    post_uses = f.post_uses + case when v_use.post_id is not null then v_change else 0 end,
    message_uses = f.message_uses + case when v_use.post_id is null and v_use.story_id is null then v_change else 0 end,
    story_uses = f.story_uses + case when v_use.story_id is not null then v_change else 0 end
  where f.id = v_use.file_id;
  return null;
end;
$$;

-- As in 0080_changes_at_the_same_moment.sql, with stories.
create or replace function private.verify_vault() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  select f.creator_id, 'vault_files.post_uses + message_uses + story_uses', f.post_uses + f.message_uses + f.story_uses,
    coalesce(u.posts + u.messages + u.stories, 0)
  from public.vault_files f
  left join (select file_id, count(post_id) as posts, count(story_id) as stories,
    count(*) filter (where post_id is null and story_id is null) as messages from private.vault_uses group by 1) u on u.file_id = f.id
  where (f.post_uses, f.message_uses, f.story_uses) is distinct from (coalesce(u.posts, 0), coalesce(u.messages, 0), coalesce(u.stories, 0))
  union all
  select f.creator_id, 'vault_files.earned_cents', f.earned_cents, coalesce(k.earned, 0)
  from public.vault_files f
  left join (
    select s.file_id, count(*) filter (where t.status in ('completed', 'partially_refunded')) as sales, sum(t.net_amount + coalesce(r.net_amount, 0)) as earned
    from private.vault_sales s
    join public.transactions t on t.id = s.transaction_id
    left join (
      select original_transaction_id, sum(net_amount) as net_amount from public.transactions where transaction_type = 'refund' group by 1
    ) r on r.original_transaction_id = t.id
    group by 1
  ) k on k.file_id = f.id
  where (f.sales, f.earned_cents) is distinct from (coalesce(k.sales, 0), coalesce(k.earned, 0))
  union all
  select a.creator_id, 'vault_albums.file_count', a.file_count, coalesce(k.files, 0)
  from public.vault_albums a
  left join (select album_id, count(*) as files from public.vault_album_files group by 1) k on k.album_id = a.id
  where a.file_count <> coalesce(k.files, 0)
  union all
  select a.creator_id, 'vault_album_files.uses', a.uses, f.uses
  from public.vault_album_files a join public.vault_files f on f.id = a.file_id
  where (a.kind, a.uses, a.size_bytes, a.earned_cents, a.created_at) is distinct from (f.kind, f.uses, f.size_bytes, f.earned_cents, f.created_at);
$$;

-- As in 0083_voice_messages.sql, with stories.
create or replace function private.vault_page(
  kind text, usage text, search text, sort text, after_value text, after_id uuid, page_size integer, album uuid
) returns setof public.vault_file
language plpgsql stable security definer rows 60 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_kinds text[] := case when kind is null then array['image', 'video', 'audio'] else array[kind] end;
  v_uses smallint[] := case usage
    when 'unused' then '{0}' when 'used' then '{1,2,3,4,5,6,7}' when 'posts' then '{1,3,5,7}' when 'messages' then '{2,3,6,7}'
    when 'stories' then '{4,5,6,7}' else '{0,1,2,3,4,5,6,7}' end;
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
  elsif usage not in ('used', 'unused', 'posts', 'messages', 'stories') then
    raise exception 'usage must be used, unused, posts, messages, or stories' using errcode = '22023';
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
      f.sales, f.earned_cents, f.story_uses
    from (select p.id from %1$s p order by p.%2$I %3$s, p.id %3$s limit $6) page
    join public.vault_files f on f.id = page.id
    join storage.objects o on o.id = f.id
    order by f.%2$I %3$s, f.id %3$s', v_from, v_column, v_way)
  using v_me, v_kinds, v_uses, after_value, after_id, least(greatest(page_size, 1), 200), v_words, album;
end;
$$;

comment on function public.get_vault_files(text, text, text, text, text, uuid, int) is
  'A page of the calling creator''s vault (VAULT-01). kind: image, video, or audio. usage: used, unused, posts, messages, or stories. sort: newest, oldest, largest, or earnings. after_value and after_id: created_at (or size_bytes or earned_cents, if that is the order) and id of the last file of the page before.';

-- As in 0081_mass_messages.sql, with stories.
create or replace function public.get_vault_uses(file_id uuid, before timestamptz default null, before_id uuid default null, page_size int default 20) returns setof public.vault_use
language sql stable security definer rows 20 set search_path = ''
as $$
  select u.object_id, u.post_id, u.message_id,
    case when p.id is not null then coalesce(p.title, left(private.trimmed(p.content), 80)) when g.id is not null then left(private.trimmed(g.content), 80) else s.caption end,
    coalesce(p.ppv_price, nullif(m.price, 0), g.price_cents), r.username, r.display_name, u.used_at, g.id, u.story_id
  from public.vault_files f
  cross join lateral (
    select u.* from private.vault_uses u
    where u.file_id = f.id and (before_id is null or (u.used_at, u.object_id) < (before, before_id))
    order by u.used_at desc, u.object_id desc limit least(greatest(page_size, 1), 100)
  ) u
  left join private.posts p on p.id = u.post_id
  left join private.messages m on m.id = u.message_id
  left join public.mass_messages g on g.id = u.mass_message_id
  left join public.stories s on s.id = u.story_id
  left join private.profiles r on r.id = m.recipient_id
  where f.id = get_vault_uses.file_id and f.creator_id = private.my_profile_id()
  order by u.used_at desc, u.object_id desc;
$$;

comment on function public.get_vault_uses(uuid, timestamptz, uuid, int) is
  'A page of the posts, messages, and stories with a file of the calling creator''s vault, newest first (VAULT-05). before and before_id: used_at and id of the last row of the page before.';

create or replace function public.get_vault_removal(file_ids uuid[]) returns setof public.vault_removal
language plpgsql stable security definer rows 1 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_own uuid[] := array(select f.id from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me);
  v_going uuid[] := private.removable_files(v_own);
  v_posts uuid[] := array(select distinct u.post_id from private.vault_uses u where u.file_id = any (v_own) and u.post_id is not null);
  v_mass uuid[] := array(select distinct u.mass_message_id from private.vault_uses u where u.file_id = any (v_own) and u.mass_message_id is not null);
  v_messages uuid[] := array(select distinct u.message_id from private.vault_uses u where u.file_id = any (v_own) and u.message_id is not null);
begin
  perform private.require_file_ids(file_ids);
  return query select
    cardinality(v_posts) + (
      select count(distinct s.id)::int from public.scheduled_posts s
      join storage.objects o on o.bucket_id = 'posts' and o.name = any (s.media_urls)
      join public.vault_files f on f.version = o.version and f.id = any (v_own)
      where s.creator_id = v_me),
    cardinality(v_messages) + cardinality(v_mass),
    (select count(distinct b.id)::int from (
      select p.buyer_id as id from public.purchases p where p.post_id = any (v_posts)
      union all
      select k.buyer_id from public.message_unlocks k where k.message_id = any (v_messages)
      union all
      select m.recipient_id from private.messages m where m.mass_message_id = any (v_mass) and m.is_unlocked) b),
    cardinality(private.emptied_posts(v_going)),
    cardinality(v_own) - cardinality(v_going),
    (select count(distinct u.story_id)::int from private.vault_uses u where u.file_id = any (v_going) and u.story_id is not null);
end;
$$;

create or replace function public.delete_vault_files(file_ids uuid[]) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_folder text := (select p.user_id::text from private.profiles p where p.id = v_me);
  v_files uuid[];
  v_versions text[];
  v_posts uuid[];
  v_bought uuid[];
  v_messages uuid[];
  v_mass uuid[];
  v_emptied uuid[];
  v_recipients uuid[];
  v_photos int;
  v_videos int;
  v_kept record;
  v_path text;
begin
  perform private.require_file_ids(file_ids);
  perform from storage.objects o where o.id = any (file_ids) order by o.id for update;
  v_files := array(select f.id from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me);
  perform from private.posts p
  where p.id in (select u.post_id from private.vault_uses u where u.file_id = any (v_files)) order by p.id for update;
  v_files := private.removable_files(v_files);
  v_versions := array(select f.version from public.vault_files f where f.id = any (v_files));
  v_posts := array(select distinct u.post_id from private.vault_uses u where u.file_id = any (v_files) and u.post_id is not null);

  -- Posts with nothing left. A bought one is never among them.
  v_emptied := private.emptied_posts(v_files);
  perform from public.post_likes l where l.post_id = any (v_emptied) order by l.id for update;
  perform from public.comments c where c.post_id = any (v_emptied) order by c.id for update;
  delete from private.posts p where p.id = any (v_emptied);

  -- The files of the other posts.
  v_bought := private.bought_posts(v_posts);
  select count(*) filter (where m.media_type = 'image'), count(*) filter (where m.media_type = 'video') into v_photos, v_videos
  from private.post_media m join private.vault_uses u on u.post_id = m.post_id join storage.objects o on o.id = u.object_id and o.name = m.path
  where u.file_id = any (v_files) and m.removed_at is null;
  for v_kept in
    select o.id, m.path from private.vault_uses u
    join storage.objects o on o.id = u.object_id
    join private.post_media m on m.path = o.name and m.post_id = u.post_id
    where u.file_id = any (v_files) and u.post_id = any (v_bought) and m.removed_at is null
    order by o.id
  loop
    v_path := v_folder || '/' || gen_random_uuid() || coalesce('.' || storage.extension(v_kept.path), '');
    update storage.objects o set name = v_path where o.id = v_kept.id;
    update private.post_media m set path = v_path, removed_at = now() where m.path = v_kept.path;
  end loop;
  delete from private.post_media m
  using private.vault_uses u join storage.objects o on o.id = u.object_id
  where u.file_id = any (v_files) and m.post_id = u.post_id and m.path = o.name and m.removed_at is null;
  update private.posts p set media_urls = l.urls, media_types = l.types, media_previews = private.previews_of(l.urls),
    keeps_media = p.keeps_media or p.id = any (v_bought)
  from (
    select a.id,
      coalesce(array_agg(m.path order by m.position) filter (where m.removed_at is null), '{}') as urls,
      coalesce(array_agg(m.media_type order by m.position) filter (where m.removed_at is null), '{}') as types
    from unnest(v_posts) a (id) left join private.post_media m on m.post_id = a.id group by a.id
  ) l where p.id = l.id;
  update private.profiles p set total_photos = p.total_photos - v_photos, total_videos = p.total_videos - v_videos
  where p.id = v_me and v_photos + v_videos > 0;

  delete from public.stories s where s.id in (select u.story_id from private.vault_uses u where u.file_id = any (v_files));
  -- Scheduled posts.
  delete from public.scheduled_posts s
  where s.creator_id = v_me and s.content !~ '\S' and s.media_urls <> '{}' and not exists (
    select from storage.objects o where o.bucket_id = 'posts' and o.name = any (s.media_urls) and o.version <> all (v_versions));
  update public.scheduled_posts s set media_urls = l.urls, media_types = l.types
  from (
    select a.id, coalesce(array_agg(m.path order by m.position) filter (where o.id is null), '{}') as urls,
      coalesce(array_agg(m.media_type order by m.position) filter (where o.id is null), '{}') as types
    from public.scheduled_posts a
    cross join unnest(a.media_urls, a.media_types) with ordinality m (path, media_type, position)
    left join storage.objects o on o.bucket_id = 'posts' and o.name = m.path and o.version = any (v_versions)
    where a.creator_id = v_me group by a.id having bool_or(o.id is not null)
  ) l where s.id = l.id;

  -- Messages.
  v_messages := private.messages_losing(v_files);
  v_recipients := array(select distinct m.recipient_id from private.messages m where m.id = any (v_messages));
  perform from private.conversations c
  where (c.profile_id = v_me and c.other_id = any (v_recipients)) or (c.other_id = v_me and c.profile_id = any (v_recipients))
  order by c.profile_id, c.other_id for no key update;
  perform from private.messages m where m.id = any (v_messages) order by m.id for update;
  v_messages := private.messages_losing(v_files); -- without those that were bought meanwhile
  delete from private.messages m
  where m.id = any (v_messages) and m.body !~ '\S' and not exists (
    select from private.message_media c
    left join storage.objects o on o.bucket_id = 'messages' and o.name = c.path
    left join private.vault_uses u on u.object_id = o.id
    where c.message_id = m.id and not coalesce(u.file_id = any (v_files), false));
  delete from private.message_media c
  using private.vault_uses u join storage.objects o on o.id = u.object_id
  where u.file_id = any (v_files) and u.message_id = any (v_messages) and c.message_id = u.message_id and c.path = o.name;
  -- The free preview stays at its file, if that is there.
  update private.messages m set media_paths = l.paths, media_types = l.types,
    preview_index = array_position(l.paths, m.media_paths[m.preview_index + 1]) - 1
  from (
    select a.id, coalesce(array_agg(f.path order by f.position) filter (where c.path is not null), '{}') as paths,
      coalesce(array_agg(f.media_type order by f.position) filter (where c.path is not null), '{}') as types
    from private.messages a
    cross join unnest(a.media_paths, a.media_types) with ordinality f (path, media_type, position)
    left join private.message_media c on c.path = f.path
    where a.id = any (v_messages) group by a.id
  ) l where m.id = l.id;
  -- As in unsend_message: the one about a sender is about all of their messages.
  delete from public.notifications n
  where n.user_id = any (v_recipients) and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_me::text
    and not exists (select from private.messages m where m.recipient_id = n.user_id and m.sender_id = v_me and not m.is_read);

  -- Mass messages. Who bought a copy, is buying one, or has reported one keeps its files, as with other messages.
  v_mass := array(select distinct u.mass_message_id from private.vault_uses u where u.file_id = any (v_files) and u.mass_message_id is not null);
  perform from public.mass_messages g where g.id = any (v_mass) order by g.id for update;
  update private.messages m set media_paths = g.media_paths, media_types = g.media_types, preview_index = g.media_preview
  from public.mass_messages g
  where g.id = any (v_mass) and m.mass_message_id = g.id and cardinality(m.media_paths) = 0 and (
    m.is_unlocked
    or exists (select from private.checkout_sessions s where s.message_id = m.id and s.status = 'open')
    or exists (select from public.reports r where r.reporter_id = m.recipient_id and r.target_type = 'message' and r.target_id = m.id));
  update public.mass_messages g set media_paths = l.paths, media_types = l.types,
    media_preview = array_position(l.paths, g.media_paths[g.media_preview + 1]) - 1
  from (
    select a.id, coalesce(array_agg(f.path order by f.position) filter (where u.object_id is null), '{}') as paths,
      coalesce(array_agg(f.media_type order by f.position) filter (where u.object_id is null), '{}') as types
    from public.mass_messages a
    cross join unnest(a.media_paths, a.media_types) with ordinality f (path, media_type, position)
    left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path
    left join private.vault_uses u on u.object_id = o.id and u.file_id = any (v_files)
    where a.id = any (v_mass) group by a.id
  ) l where g.id = l.id;
  delete from private.message_media c
  using public.mass_messages g
  where c.mass_message_id = any (v_mass) and g.id = c.mass_message_id and c.path <> all (g.media_paths)
    and not exists (select from private.messages m where m.mass_message_id = g.id and c.path = any (m.media_paths));
  perform private.stop_mass_message(g, 'unsent') from public.mass_messages g
  where g.id = any (v_mass) and g.status in ('sending', 'sent') and g.content !~ '\S' and g.media_paths = '{}';

  -- The files themselves, and what was uploaded or chosen for a post or a message that was never sent.
  with gone as (
    delete from storage.objects o
    where o.version = any (v_versions) and o.bucket_id in ('posts', 'messages', 'vault') and o.path_tokens[1] = v_folder
      and not exists (select from private.post_media m where o.bucket_id = 'posts' and m.path = o.name)
      and not exists (select from private.message_media c where o.bucket_id = 'messages' and c.path = o.name)
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return cardinality(v_files);
end;
$$;

comment on function public.delete_vault_files(uuid[]) is
  'Deletes up to 500 files of the calling creator''s vault, also from posts and messages, and returns how many (VAULT-06). Those who bought a post or message keep its files. Posts and messages with nothing else are deleted, and so are stories. A file that is all that a bought post has stays.';

-- As in 0012_media.sql, also for stories.
create or replace function public.set_video_captions(video text, language text, content text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object uuid;
  -- Drop a byte order mark, and accept the line ends of any system.
  v_content text := replace(ltrim(content, chr(65279)), E'\r\n', E'\n');
begin
  -- A suspended user has no profile id.
  select v.object_id into v_object
  from storage.objects o join private.videos v on v.object_id = o.id
  where o.bucket_id in ('posts', 'stories') and o.name = video and private.is_own_path(o.name) and private.my_profile_id() is not null
  for update of v;
  if v_object is null then
    raise sqlstate 'PT404' using message = 'This isn''t one of your videos';
  elsif coalesce(language !~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', true) then
    raise sqlstate 'PT422' using message = 'Captions need a language, such as en';
  end if;
  if content is null then
    delete from private.video_captions c where c.object_id = v_object and c.language = set_video_captions.language;
  else
    if length(v_content) > 500000 then
      raise sqlstate 'PT422' using message = 'Captions can have up to 500 kB';
    elsif v_content !~ '^WEBVTT([ \t\n]|$)' or v_content !~ '\n(\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(\d{2,}:)?\d{2}:\d{2}\.\d{3}' then
      raise sqlstate 'PT422' using message = 'This isn''t a WebVTT file with captions', hint = 'The first line must be WEBVTT, and each caption needs a line such as 00:01.000 --> 00:04.000.';
    end if;
    insert into private.video_captions (object_id, language, content) values (v_object, language, v_content)
    on conflict on constraint video_captions_pkey do update set content = excluded.content;
    if (select count(*) from private.video_captions c where c.object_id = v_object) > 20 then
      raise sqlstate 'PT422' using message = 'A video can have captions in up to 20 languages';
    end if;
  end if;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = video and p.id = m.post_id;
end;
$$;

comment on function public.set_video_captions(text, text, text) is
  'Sets the captions of one of the caller''s videos, by its path in bucket posts or stories, in one language. A null content deletes them. The video may belong to a post, or not yet.';

-- Reports and removal by an admin.
alter table public.reports
  drop constraint reports_target_type_known,
  add constraint reports_target_type_known check (target_type in ('post', 'comment', 'message', 'profile', 'product', 'story'));
comment on column public.reports.target_id is 'The id in posts, comments, messages, profiles, products, or stories. No foreign key: a report outlives the reported content.';
comment on column public.queued_report.target_type is 'post, comment, message, profile, product, or story. Never null.';

-- As in 0076_inbox.sql, with stories.
create or replace function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.can_view_post(c.post_id)
      and ((select private.is_admin())
        or (c.user_id <> all ((select private.my_blocks())::uuid[]) and not private.is_hidden_comment(c.post_id, c.user_id)));
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'story' then
    select s.creator_id, coalesce(s.caption, s.alt_text) into new.reported_id, new.excerpt
    from public.stories s where s.id = new.target_id and private.can_see_story(s);
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  elsif new.target_type = 'product' then
    select p.creator_id, concat_ws(': ', p.title, p.description) into new.reported_id, new.excerpt
    from public.products p where p.id = new.target_id and (private.is_service() or private.shows_product(p, private.my_profile_id()));
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'The content to report was not found';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You can''t report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything, so what the reporter saw is unknown, and no excerpt is stored.
  new.excerpt := case when not private.is_service() then left(new.excerpt, case new.target_type when 'message' then 5000 else 500 end) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;

-- As in 0081_mass_messages.sql, with stories.
create or replace function public.get_reports(settled boolean default false, page_size int default 25, before timestamptz default null, before_id uuid default null) returns setof public.queued_report
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with page as (
    select r.* from public.reports r
    where case when get_reports.settled then r.status in ('resolved', 'dismissed') else r.status = 'open' end
      and (before is null or (r.created_at, r.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by r.created_at desc, r.id desc limit least(greatest(page_size, 0), 100)
  )
  select r.id, r.target_type, r.target_id, r.reason, r.details, r.excerpt, r.status, r.resolution, r.created_at, r.resolved_at,
    reporter.username, r.reported_id, reported.username, reported.display_name, coalesce(reported.suspended_at is not null, false),
    coalesce(post.id, comment.post_id),
    case r.target_type
      when 'post' then post.id is not null when 'comment' then comment.id is not null
      when 'message' then message.id is not null when 'story' then story.id is not null
      when 'product' then product.id is not null and product.taken_down_at is null else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open'),
    case when seen.whole then coalesce(nullif(message.media_paths, '{}'), mass.media_paths, '{}') else '{}' end,
    case when seen.whole then coalesce(nullif(message.media_types, '{}'), mass.media_types, '{}') else '{}' end
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  left join private.messages message on r.target_type = 'message' and message.id = r.target_id
  left join public.products product on r.target_type = 'product' and product.id = r.target_id
  left join public.mass_messages mass on mass.id = message.mass_message_id
  left join public.stories story on r.target_type = 'story' and story.id = r.target_id
  cross join lateral (
    select r.status = 'open' and message.id is not null and (not message.is_paid or exists (
      select from public.message_unlocks u where u.message_id = message.id and u.buyer_id = r.reporter_id
    )) as whole
  ) seen
  order by r.created_at desc, r.id desc;
end;
$$;

create or replace function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_story public.stories;
  v_product public.products;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', greatest(cardinality(v_message.media_paths),
            (select cardinality(g.media_paths) from public.mass_messages g where g.id = v_message.mass_message_id)), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'Reason: ' || v_reason, '{}');
    end if;
  elsif take_down.target_type = 'story' then
    delete from public.stories s where s.id = take_down.target_id returning * into v_story;
    v_found := v_story.id is not null;
    if v_found then
      perform private.write_audit('delete_story', 'stories', v_story.id,
        jsonb_build_object('creator_id', v_story.creator_id, 'audience', v_story.audience, 'media_type', v_story.media_type, 'created_at', v_story.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_story.creator_id, 'other', 'Story deleted for policy violation', 'Reason: ' || v_reason, '{}');
    end if;
  elsif take_down.target_type = 'product' then
    -- Before the product, as in post_product_purchase: a purchase that is being made is done, or sees what happens here.
    perform from private.product_sales s where s.product_id = take_down.target_id for update;
    update public.products p set status = 'archived', taken_down_at = now()
    where p.id = take_down.target_id and p.taken_down_at is null
    returning * into v_product;
    v_found := v_product.id is not null;
    if v_found then
      perform private.write_audit('take_down_product', 'products', v_product.id,
        jsonb_build_object('creator_id', v_product.creator_id, 'price_cents', v_product.price_cents, 'created_at', v_product.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_product.creator_id, 'other', 'Product taken down for policy violation',
        '"' || v_product.title || '"' || E'\nReason: ' || v_reason, jsonb_build_object('product_id', v_product.id));
    end if;
  else
    raise exception 'target_type must be post, comment, message, product, or story' using errcode = '22023', hint = 'To act against a user, suspend the account.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'This content no longer exists';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;

comment on function public.take_down(text, uuid, text) is
  'Deletes a post, a comment, a reported message, or a story, notifies its author of the reason, and settles the reports about it (POST-54, POST-58, D43, STORY-03); for admins. target_type: post, comment, message, or story. PT404 when it no longer exists, and for a message that wasn''t reported.';

-- A ring shows as soon as there is a story.
alter publication ovation_realtime add table public.stories;
