-- Up Migration

-- Reactions and quotes (INBOX-06). A conversation has two users, so a message has at most two reactions: they are columns of the message, and
-- travel live with it as is_read does.

-- immutable, because a constraint uses it. A keycap, a flag, or a pictograph with its variations and those joined to it. Digits and letters
-- are no emoji.
create function private.is_emoji(reaction text) returns boolean
language sql immutable set search_path = ''
as $$
  select length(reaction) <= 16 and reaction ~ ('^([0-9#*]\uFE0F?\u20E3|[\U0001F1E6-\U0001F1FF]{2}|' || p.pictograph || '(\u200D' || p.pictograph || ')*)$')
  from (select
    '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u21AA\u231A-\u23FF\u24C2\u25AA-\u27BF\u2934\u2935\u2B05-\u2B55\u3030\u303D\u3297\u3299\U0001F004-\U0001F1E5\U0001F200-\U0001FAFF]'
    || '[\uFE0F\U0001F3FB-\U0001F3FF]?[\U000E0020-\U000E007F]*' as pictograph) p;
$$;
comment on function private.is_emoji is 'True for one emoji, however many characters it is made of.';

alter table private.messages
  add column sender_reaction text,
  add column recipient_reaction text,
  add column quoted_id uuid,
  add constraint messages_reactions_emoji check (
    (sender_reaction is null or private.is_emoji(sender_reaction)) and (recipient_reaction is null or private.is_emoji(recipient_reaction)));
comment on column private.messages.sender_reaction is 'The emoji with which the sender reacts to the message. Written by public.react_to_message, as recipient_reaction is.';
comment on column private.messages.quoted_id is
  'The message of this conversation that it replies to. No foreign key: it outlives a message that is unsent, so that the reply shows that there was one.';

create function private.message_quote(p_quoted uuid) returns jsonb
language sql stable strict security definer set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'sender_id', v.sender_id, 'is_locked', v.is_locked, 'text', nullif(left(v.content, 140), ''),
    'media_url', v.media_urls[1], 'media_type', case when not v.is_locked then v.media_types[1] end,
    'preview', case when not v.is_locked then v.media_previews -> 0 -> 'preview' end))
  from public.messages v where v.id = p_quoted;
$$;
comment on function private.message_quote is
  'The value of messages.quote: what the caller may see of the message, by public.messages, so that both always agree. Null once it was unsent.';
grant execute on function private.message_quote(uuid) to authenticated;

-- A free preview (INBOX-08): one file of a paid message that its recipient sees before the purchase.
alter table private.messages
  add column preview_index int,
  add constraint messages_preview_is_a_file check (
    preview_index is null or (is_paid and preview_index between 0 and cardinality(media_paths) - 1));
comment on column private.messages.preview_index is 'The zero-based position in media_paths of the file that is shown before the purchase; null if there is none.';

create function private.message_previews(p_paths text[], p_is_locked boolean, p_preview_index int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(case
      when p_is_locked and f.position - 1 is distinct from p_preview_index then jsonb_build_object('duration', o.metadata -> 'duration')
      else jsonb_build_object(
        'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
        'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream', 'alt', o.metadata -> 'alt'
      )
    end) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path;
$$;
comment on function private.message_previews(text[], boolean, int) is
  'The value of messages.media_previews for these files. While the message is locked, only the duration, except for its free preview: not even a blurred preview.';
grant execute on function private.message_previews(text[], boolean, int) to authenticated;

-- As in 0037_locked_messages_are_read.sql, with the new columns at the end.
create or replace view public.messages with (security_barrier=true) as
 SELECT m.id,
    m.sender_id,
    m.recipient_id,
        CASE
            WHEN access.can_read THEN m.body
            ELSE NULL::text
        END AS content,
    m.is_paid,
    m.price,
    m.is_read,
    (NOT access.can_read) AS is_locked,
    m.created_at,
        CASE
            WHEN access.can_read THEN m.media_paths
            ELSE '{}'::text[]
        END AS media_urls,
    m.media_types,
        CASE
            WHEN (cardinality(m.media_paths) = 0) THEN '[]'::jsonb
            ELSE private.message_previews(m.media_paths, (NOT access.can_read), m.preview_index)
        END AS media_previews,
    m.is_unlocked,
    m.sender_reaction,
    m.recipient_reaction,
    m.quoted_id,
    private.message_quote(m.quoted_id) AS quote,
    m.preview_index,
    m.media_paths[(m.preview_index + 1)] AS preview_url
   FROM (private.messages m
     CROSS JOIN LATERAL ( SELECT ((NOT m.is_paid) OR COALESCE((m.sender_id = ( SELECT private.my_profile_id() AS my_profile_id)), false) OR ( SELECT private.is_service() AS is_service) OR (EXISTS ( SELECT
                   FROM public.message_unlocks u
                  WHERE ((u.message_id = m.id) AND (u.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)))))) AS can_read
         OFFSET 0) access)
  WHERE ((( SELECT private.my_profile_id() AS my_profile_id) = m.sender_id) OR (( SELECT private.my_profile_id() AS my_profile_id) = m.recipient_id) OR ( SELECT private.is_service() AS is_service));
drop function private.message_previews(text[], boolean);
comment on column public.messages.media_previews is
  'For each file: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, alt: the alt text of a picture}; a key is missing while it is unknown; while is_locked, only duration, except for the free preview. Never null.';
comment on column public.messages.preview_index is 'The zero-based position in media_types of the free preview of a paid message.';
comment on column public.messages.preview_url is 'The path of the free preview in bucket messages, also while is_locked.';
comment on column public.messages.sender_reaction is 'The emoji with which the sender reacts to the message.';
comment on column public.messages.recipient_reaction is 'The emoji with which the recipient reacts to the message.';
comment on column public.messages.quoted_id is 'The message that this one replies to.';
comment on column public.messages.quote is
  'What the viewer may see of that message: {sender_id, is_locked, text: its beginning, media_url, media_type, preview: of its first file}; a key is missing where there is nothing to show. Null without a quoted message, and after it was unsent.';
grant insert (quoted_id, preview_index) on public.messages to authenticated;
update private.followed_views set plain_columns = plain_columns || '{sender_reaction,recipient_reaction,quoted_id,preview_index}'::text[] where view_name = 'messages';

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
  end if;
  perform private.require_message_media(new.sender_id, new.media_urls, new.media_types);
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types, quoted_id, preview_index)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, coalesce(new.content, ''), new.is_paid, new.price,
    new.media_urls, new.media_types, new.quoted_id, new.preview_index)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;

-- As in 0024_messages.sql, with the free preview.
create or replace function private.can_read_message_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join public.messages v on v.id = f.message_id
    where f.path = p_path and (not v.is_locked or v.preview_url = p_path)
  );
$$;

-- As in 0031_reports_and_support.sql, with the free preview.
create or replace function private.is_reported_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join private.messages m on m.id = f.message_id
    join public.reports r on r.target_type = 'message' and r.target_id = m.id and r.status = 'open'
    where f.path = p_path and (
      not m.is_paid or m.media_paths[m.preview_index + 1] = p_path
      or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = r.reporter_id))
  );
$$;

create function public.react_to_message(message_id uuid, emoji text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_message public.messages;
begin
  select v.* into v_message from public.messages v
  where v.id = react_to_message.message_id and v_me in (v.sender_id, v.recipient_id) and not v.is_locked;
  if v_message.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  elsif emoji is not null and private.are_blocked(v_message.sender_id, v_message.recipient_id) then
    raise sqlstate 'PT403' using message = 'You can''t react to messages of this user';
  elsif not private.is_emoji(emoji) then
    raise exception 'A reaction is one emoji' using errcode = '23514', constraint = 'messages_reactions_emoji';
  end if;
  update private.messages m set
    sender_reaction = case when m.sender_id = v_me then emoji else m.sender_reaction end,
    recipient_reaction = case when m.recipient_id = v_me then emoji else m.recipient_reaction end
  where m.id = v_message.id;
end;
$$;
comment on function public.react_to_message is
  'Sets or, with null, removes the caller''s reaction to a message that they may read (INBOX-06). It notifies nobody. PT404 for other messages, PT403 across a block.';
grant execute on function public.react_to_message(uuid, text) to authenticated;

-- Saved replies (INBOX-03): what a user often writes, with {name} for the other user's name. Creators add files of their vault, and a price.
create table public.saved_replies (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references private.profiles on delete cascade,
  position    smallint not null constraint saved_replies_at_most_hundred check (position between 1 and 100),
  content     text not null constraint saved_replies_content_length check (length(content) <= 5000),
  price_cents int constraint saved_replies_price_range check (price_cents between 100 and 999999),
  file_ids    uuid[] not null default '{}' constraint saved_replies_at_most_ten_files check (cardinality(file_ids) <= 10),
  constraint saved_replies_place unique (user_id, position),
  constraint saved_replies_content_required check (content ~ '\S' or cardinality(file_ids) > 0)
);
comment on table public.saved_replies is 'Texts that a user sends again and again. Only the user sees them.';
comment on column public.saved_replies.user_id is 'profiles.id of the user.';
comment on column public.saved_replies.position is 'From 1 to 100, each once, so that two at the same moment can''t exceed the limit either.';
comment on column public.saved_replies.content is 'The text. {name} stands for the name of the user who gets it.';
comment on column public.saved_replies.price_cents is 'The price of the message; null for a free one.';
comment on column public.saved_replies.file_ids is 'Files of the vault, in order. No foreign key: a file that is deleted leaves the reply.';
alter table public.saved_replies enable row level security;
create policy select_own on public.saved_replies for select to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_own on public.saved_replies for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, delete on public.saved_replies to authenticated;
-- insert and update are not granted: save_reply checks what they name.

create function public.save_reply(content text, price_cents int default null, file_ids uuid[] default '{}', reply_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_files uuid[] := coalesce(save_reply.file_ids, '{}');
  v_position smallint;
  v_id uuid;
begin
  if v_me is null then
    raise exception 'Sign in to save replies' using errcode = '42501';
  elsif (save_reply.price_cents is not null or cardinality(v_files) > 0) and not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can save replies with files or a price' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif exists (
    select from unnest(v_files) asked (id)
    where not exists (select from public.vault_files f where f.id = asked.id and f.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  end if;
  if reply_id is not null then
    update public.saved_replies r
    set content = save_reply.content, price_cents = save_reply.price_cents, file_ids = v_files
    where r.id = reply_id and r.user_id = v_me returning r.id into v_id;
    if v_id is null then
      raise sqlstate 'PT404' using message = 'Saved reply not found';
    end if;
    return v_id;
  end if;
  select min(p.place) into v_position from generate_series(1, 100) p (place)
  where not exists (select from public.saved_replies r where r.user_id = v_me and r.position = p.place);
  if v_position is null then
    raise sqlstate 'PT422' using message = 'You can have up to 100 saved replies', hint = 'Delete one that you don''t need.';
  end if;
  insert into public.saved_replies (user_id, position, content, price_cents, file_ids)
  values (v_me, v_position, save_reply.content, save_reply.price_cents, v_files) returning id into v_id;
  return v_id;
end;
$$;
comment on function public.save_reply is
  'Adds a saved reply of the caller, or changes the one with reply_id (INBOX-03). Returns its id. PT404 for an unknown reply or file, PT422 beyond 100, 42501 for files or a price of users who aren''t approved creators.';
grant execute on function public.save_reply(text, int, uuid[], uuid) to authenticated;

create type public.saved_reply as (
  id uuid,
  content text,
  price_cents int,
  files jsonb
);
comment on type public.saved_reply is 'A saved reply with its files.';
comment on column public.saved_reply.id is 'Never null.';
comment on column public.saved_reply.content is 'Never null.';
comment on column public.saved_reply.files is
  'The files that are still in the vault, in order: {id, path: in bucket vault, kind, name, preview, duration, created_at}. Never null.';

create function public.get_saved_replies() returns setof public.saved_reply
language sql stable security definer rows 100 set search_path = ''
as $$
  select r.id, r.content, r.price_cents, coalesce(files.list, '[]')
  from (select private.my_profile_id() as id) me
  join public.saved_replies r on r.user_id = me.id
  cross join lateral (
    select jsonb_agg(jsonb_build_object(
      'id', f.id, 'path', o.name, 'kind', f.kind, 'name', f.name, 'preview', o.metadata -> 'preview', 'duration', o.metadata -> 'duration',
      'created_at', f.created_at) order by named.position) as list
    from unnest(r.file_ids) with ordinality as named (id, position)
    join public.vault_files f on f.id = named.id and f.creator_id = me.id
    join storage.objects o on o.id = f.id
  ) files
  order by r.position;
$$;
comment on function public.get_saved_replies is 'The caller''s saved replies (INBOX-03), oldest first.';
grant execute on function public.get_saved_replies() to authenticated;
