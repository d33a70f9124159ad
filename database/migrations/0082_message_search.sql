-- Up Migration

-- What a fan already has of the vault (INBOX-04).
create type public.vault_history as (
  file_id uuid,
  post_id uuid,
  price integer,
  is_bought boolean,
  received_at timestamptz
);
comment on type public.vault_history is 'How one fan got a file of the calling creator''s vault (INBOX-04).';
comment on column public.vault_history.file_id is 'vault_files.id. Never null.';
comment on column public.vault_history.post_id is 'The post that was bought; null for a message.';
comment on column public.vault_history.price is 'What the post was bought for, or the price of the message, in cents; 0 when it was free. Never null.';
comment on column public.vault_history.is_bought is 'Whether the fan has paid or unlocked it; false for a free message. Never null.';
comment on column public.vault_history.received_at is 'When the message was sent or the post bought. Never null.';

-- Reads the fan's conversation and purchases, and not the uses of a file, which may have been sent to a hundred thousand fans: materialized and
-- offset 0, because the planner can't know that.
create function public.get_vault_history(file_ids uuid[], fan_id uuid) returns setof public.vault_history
language plpgsql stable security definer rows 60 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  perform private.require_file_ids(file_ids);
  return query
  with received as materialized (
    select m.id as message_id, m.mass_message_id, null::uuid as post_id, m.price, m.is_unlocked as is_bought, m.created_at as received_at
    from private.messages m
    where m.sender_id = v_me and m.recipient_id = fan_id and (cardinality(m.media_paths) > 0 or m.mass_message_id is not null)
    union all
    select null, null, b.post_id, coalesce(t.amount, 0)::int, true, b.created_at
    from public.purchases b
    join private.posts p on p.id = b.post_id
    left join public.transactions t on t.id = b.transaction_id
    where b.buyer_id = fan_id and p.creator_id = v_me
  )
  select distinct on (f.id) f.id, r.post_id, r.price, r.is_bought, r.received_at
  from received r
  cross join lateral (
    select u.file_id from private.vault_uses u where u.message_id = r.message_id or u.mass_message_id = r.mass_message_id or u.post_id = r.post_id offset 0
  ) u
  join public.vault_files f on f.id = u.file_id
  where f.id = any (file_ids) and f.creator_id = v_me
  order by f.id, r.is_bought desc, r.price = 0 desc, r.received_at desc;
end;
$$;
comment on function public.get_vault_history is
  'For each of these files of the calling creator''s vault that a fan got in a message or a bought post: when, and for how much (INBOX-04). Purchases come before free messages, and those before messages that the fan hasn''t unlocked; then the latest. No row for other files.';
grant execute on function public.get_vault_history(uuid[], uuid) to authenticated;

-- The words of messages (INBOX-02), each side's own: a locked message has no row for its recipient, so no search, count, or order can show
-- that one of its words is there. A table of its own, because marking messages as read would otherwise write their words again.

-- immutable, as private.search_words is. Punctuation separates words. Chinese, Japanese, Thai, Lao, Burmese, and Khmer are written without
-- spaces: each of their characters is a word, and a search for several of them is one for their sequence.
create function private.message_words(value text) returns tsvector
language sql immutable cost 200 set search_path = ''
as $$
  select private.search_words(regexp_replace(translate(value, '._-/\+@<>&', '          '),
    '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3041-\u30FF\u3400-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]', ' \& ', 'g'));
$$;
comment on function private.message_words is 'The words of a message in any language, with their positions.';

create function private.message_query(search text) returns tsquery
language sql immutable set search_path = ''
as $$
  select string_agg(format('(%s%s)', q.words, case when q.place = q.last and octet_length(q.part) >= 3 then ':*' end), ' & ' order by q.place)::tsquery
  from (
    select p.part, p.place, max(p.place) over () as last, (
      select string_agg(quote_literal(w.lexeme), ' <-> ' order by w.position)
      from (select u.lexeme, unnest(u.positions) as position from unnest(private.message_words(p.part)) u) w
    )::tsquery as words
    from regexp_split_to_table(private.trimmed(left(search, 100)), '\s+') with ordinality p (part, place)
  ) q
  where numnode(q.words) > 0;
$$;
comment on function private.message_query is
  'Finds message_words with all parts of the search. The last one may be incomplete, from three Latin letters on, as in private.search_query: characters of other scripts say more, and have more bytes. Null without words.';

-- A month of a user's messages, so that a search can begin with the newest. Eight digits of an id are enough: the search compares the whole.
create function private.message_period(sent_at timestamptz) returns integer
language sql immutable set search_path = ''
as $$
  select floor(extract(epoch from sent_at) / 2592000)::int;
$$;
comment on function private.message_period is 'The number of the 30 days in which the message was sent.';

create function private.message_key(profile_id uuid, period integer) returns text
language sql immutable set search_path = ''
as $$
  select left(profile_id::text, 8) || lpad(to_hex(period), 4, '0');
$$;
comment on function private.message_key is 'What the index of private.message_texts has before each word: whose it is, and when.';

create function private.keyed_words(profile_id uuid, sent_at timestamptz, words tsvector) returns tsvector
language sql immutable cost 200 set search_path = ''
as $$
  select array_to_tsvector(array(select k.key || left(w.word, 100) from unnest(tsvector_to_array(words)) w (word)))
  from (select private.message_key(profile_id, private.message_period(sent_at)) as key offset 0) k;
$$;
comment on function private.keyed_words is 'The words with their key, so that a search reads only the words of one user and month, even with the beginning of a word.';

create table private.message_texts (
  message_id uuid not null references private.messages on delete cascade,
  profile_id uuid not null,
  other_id   uuid not null,
  sent_at    timestamptz not null,
  words      tsvector not null,
  primary key (message_id, profile_id)
);
comment on table private.message_texts is
  'The words of messages, for each of the two users who may read it, but not for the creators of mass messages. Written by private.add_message_texts, and deleted with the message.';
comment on column private.message_texts.profile_id is 'profiles.id. No foreign key: deleting a profile deletes its messages.';
comment on column private.message_texts.other_id is 'The other user of the conversation.';
comment on column private.message_texts.sent_at is 'created_at of the message.';
alter table private.message_texts enable row level security; -- and no policy: search_messages reads it for its user

-- The one place that reads texts for the search.
create function private.add_message_texts(p_messages uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.message_texts (message_id, profile_id, other_id, sent_at, words)
  select m.id, s.profile_id, s.other_id, m.created_at, w.words
  from unnest(p_messages) n (id)
  join private.messages m on m.id = n.id
  left join public.mass_messages g on g.id = m.mass_message_id
  cross join lateral (select private.message_words(coalesce(g.content, m.body)) as words offset 0) w
  cross join lateral (values (m.sender_id, m.recipient_id), (m.recipient_id, m.sender_id)) s (profile_id, other_id)
  where w.words <> ''
    -- Its creator would find a mass message a hundred thousand times.
    and case when s.profile_id = m.sender_id then g.id is null else not m.is_paid or m.is_unlocked end
  on conflict do nothing;
end;
$$;
comment on function private.add_message_texts is 'Writes private.message_texts for these messages: for the sender, except of mass messages, and for a recipient who may read it.';

create function private.keep_message_texts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_message_texts(array(select a.id from added a));
  elsif new.is_unlocked then
    perform private.add_message_texts(array[new.id]);
  else -- refunded
    delete from private.message_texts t where t.message_id = new.id and t.profile_id = new.recipient_id;
  end if;
  return null;
end;
$$;
comment on function private.keep_message_texts is 'Trigger of messages: maintains private.message_texts.';

select private.add_message_texts(array(select m.id from private.messages m));
create index message_texts_sent_at_idx on private.message_texts (profile_id, sent_at, message_id);
create index message_texts_thread_idx on private.message_texts (profile_id, other_id, sent_at, message_id);
create index message_texts_words_idx on private.message_texts using gin (private.keyed_words(profile_id, sent_at, words))
  with (gin_pending_list_limit = 64);

-- Only now, because messages can't be sent from here to the end of the migration. Then those of the meantime.
create trigger messages_keep_texts after insert on private.messages referencing new table as added
  for each statement execute function private.keep_message_texts();
create trigger messages_keep_unlocked_texts after update of is_unlocked on private.messages
  for each row when (new.is_unlocked <> old.is_unlocked) execute function private.keep_message_texts();
select private.add_message_texts(array(
  select m.id from private.messages m where m.created_at > now() - interval '1 hour'
  union
  select u.message_id from public.message_unlocks u where u.created_at > now() - interval '1 hour'));
delete from private.message_texts t using private.messages m
where m.id = t.message_id and m.recipient_id = t.profile_id and m.is_paid and not m.is_unlocked;
analyze private.message_texts;

create function private.excerpt(content text, search text) returns text
language sql immutable set search_path = ''
as $$
  select case when s.first > 1 then '…' else '' end || substr(content, s.first, 200) || case when length(content) >= s.first + 200 then '…' else '' end
  from (
    select greatest(1, strpos(lower(extensions.unaccent('extensions.unaccent', content)),
      lower(extensions.unaccent('extensions.unaccent', (regexp_split_to_array(private.trimmed(search), '\s+'))[1]))) - 60) as first
  ) s;
$$;
comment on function private.excerpt is 'Up to 200 characters of a text around the first word of the search.';

create type public.found_message as (
  id uuid,
  sender_id uuid,
  other_id uuid,
  username text,
  display_name text,
  avatar_url text,
  updated_at timestamptz,
  excerpt text,
  created_at timestamptz
);
comment on type public.found_message is 'A message that a search found (INBOX-02).';
comment on column public.found_message.id is 'Never null.';
comment on column public.found_message.sender_id is 'The caller or the other user. Never null.';
comment on column public.found_message.other_id is 'The other user''s profiles.id. Never null.';
comment on column public.found_message.username is 'Never null.';
comment on column public.found_message.updated_at is 'updated_at of the other user''s profile, which versions the URLs of its pictures. Never null.';
comment on column public.found_message.excerpt is 'The text around the words, at most 200 characters and an ellipsis where it is cut. Never null.';
comment on column public.found_message.created_at is 'Never null.';

-- A frequent word is in enough of the newest messages. A rare one is found by the index, month by month, until the page is full, so that it is
-- in order, too.
create function public.search_messages(
  search text, with_id uuid default null, before timestamptz default null, before_id uuid default null, page_size integer default 20
) returns setof public.found_message
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_query tsquery := private.message_query(search);
  v_at timestamptz := coalesce(before, 'infinity');
  v_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_size int := least(greatest(page_size, 1), 100);
  v_most constant int := 500;
  v_from text := 'from private.message_texts t where t.profile_id = $1 and (t.sent_at, t.message_id) < ($3, $4)'
    || case when with_id is null then '' else ' and t.other_id = $2' end;
  v_order constant text := 'order by t.sent_at desc, t.message_id desc';
  v_keys text; -- the lexemes of the query, without their order, and each with a place for its key
  v_read int;
  v_period int;
  v_oldest int;
  v_found uuid[];
  v_next uuid[];
begin
  if v_me is null or v_query is null then
    return; -- only punctuation: no message has it
  end if;
  execute format('select count(*), coalesce((array_agg(t.message_id %1$s) filter (where t.words @@ $5))[:$6], ''{}''),
      private.message_period(max(t.sent_at)) from (select t.* %2$s %1$s limit $7) t', v_order, v_from)
  into v_read, v_found, v_period using v_me, with_id, v_at, v_id, v_query, v_size, v_most;
  if cardinality(v_found) < v_size and v_read = v_most then
    v_found := '{}';
    execute format('select private.message_period(min(t.sent_at)) %s', v_from) into v_oldest using v_me, with_id, v_at, v_id;
    v_keys := regexp_replace(regexp_replace(v_query::text, '<[-0-9]+>', '&', 'g'), '(^|[ (])''', '\1''<key>', 'g');
    while cardinality(v_found) < v_size and v_period >= v_oldest loop
      execute format('select array(select t.message_id %1$s and private.keyed_words(t.profile_id, t.sent_at, t.words) @@ $5 and t.words @@ $6
          %2$s limit $7)', v_from, v_order)
      into v_next using v_me, with_id, v_at, v_id, replace(v_keys, '<key>', private.message_key(v_me, v_period))::tsquery, v_query,
        v_size - cardinality(v_found);
      v_found := v_found || v_next;
      v_period := v_period - 1;
    end loop;
  end if;
  return query
  select m.id, m.sender_id, o.id, o.username, o.display_name, o.avatar_url, o.updated_at, private.excerpt(m.content, search), m.created_at
  from unnest(v_found) with ordinality page (id, place)
  cross join lateral (select v.* from public.messages v where v.id = page.id and not v.is_locked offset 0) m
  cross join lateral (
    select p.* from public.profiles p where p.id = case when m.sender_id = v_me then m.recipient_id else m.sender_id end offset 0
  ) o
  order by page.place;
end;
$$;
comment on function public.search_messages is
  'The caller''s messages with these words, in any language, newest first (INBOX-02): all that they sent or may read, also in the archive. with_id: only those with this user. The last word may be incomplete, from three Latin letters on. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.search_messages(text, uuid, timestamptz, uuid, integer) to authenticated;

create function public.get_thread_around(other_id uuid, message_id uuid, older integer default 15, newer integer default 15) returns setof public.messages
language sql stable security definer set search_path = ''
as $$
  with start as (
    select private.my_profile_id() as me, least(greatest(older, 0), 100) as older, least(greatest(newer, 0), 100) as newer, m.id, m.created_at
    from private.messages m
    where m.id = get_thread_around.message_id and (
      (m.sender_id = private.my_profile_id() and m.recipient_id = get_thread_around.other_id)
      or (m.sender_id = get_thread_around.other_id and m.recipient_id = private.my_profile_id()))
  ), page as (
    (
      select before.id, before.created_at from start cross join lateral (
        (
          select s.id, s.created_at from private.messages s
          where s.sender_id = start.me and s.recipient_id = get_thread_around.other_id and (s.created_at, s.id) <= (start.created_at, start.id)
          order by s.created_at desc, s.id desc limit start.older + 1
        )
        union all
        (
          select r.id, r.created_at from private.messages r
          where r.sender_id = get_thread_around.other_id and r.recipient_id = start.me and (r.created_at, r.id) <= (start.created_at, start.id)
          order by r.created_at desc, r.id desc limit start.older + 1
        )
      ) before
      order by before.created_at desc, before.id desc limit (select start.older + 1 from start)
    )
    union all
    (
      select after.id, after.created_at from start cross join lateral (
        (
          select s.id, s.created_at from private.messages s
          where s.sender_id = start.me and s.recipient_id = get_thread_around.other_id and (s.created_at, s.id) > (start.created_at, start.id)
          order by s.created_at, s.id limit start.newer
        )
        union all
        (
          select r.id, r.created_at from private.messages r
          where r.sender_id = get_thread_around.other_id and r.recipient_id = start.me and (r.created_at, r.id) > (start.created_at, start.id)
          order by r.created_at, r.id limit start.newer
        )
      ) after
      order by after.created_at, after.id limit (select start.newer from start)
    )
  )
  select m.*
  from page
  cross join lateral (select v.* from public.messages v where v.id = page.id offset 0) m
  order by page.created_at desc, page.id desc;
$$;
comment on function public.get_thread_around is
  'A message of the caller with this user, up to older ones before it, and up to newer ones after it, newest first, as in get_thread. None if it was unsent.';
grant execute on function public.get_thread_around(uuid, uuid, integer, integer) to authenticated;
