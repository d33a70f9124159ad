-- Up Migration

-- Search beyond names (LOOP-10): words of names, bios, categories, titles, and free posts. Only text that everyone may see has an index: of a
-- locked post, the title; of a private profile, the names. So nobody can guess locked text from what a search finds.

-- immutable, although unaccent isn't: an index needs that, and the extension's rules change only with its version.
create function private.search_words(value text) returns tsvector
language sql immutable cost 200 set search_path = ''
as $$
  select to_tsvector('pg_catalog.simple', extensions.unaccent('extensions.unaccent', value));
$$;
comment on function private.search_words is 'The words of a text, without case and accents. Not stemmed, because creators write in many languages.';

create function private.search_query(search text) returns tsquery
language sql immutable set search_path = ''
as $$
  select case
    when numnode(q.words) = 0 then null
    -- The last word may be incomplete. The beginnings of one or two characters are those of too many words.
    when length(regexp_replace(private.trimmed(search), '^.*\s', '')) >= 3 then (q.words::text || ':*')::tsquery
    else q.words
  end
  from (select plainto_tsquery('pg_catalog.simple', extensions.unaccent('extensions.unaccent', left(search, 100))) as words) q;
$$;
comment on function private.search_query is 'Finds search_words with all words of the search, of which the last one may be incomplete; null without words.';

create function private.profile_words(display_name text, username text, bio text, categories text[]) returns tsvector
language sql immutable cost 200 set search_path = ''
as $$
  select private.search_words(concat_ws(' ', display_name, username, bio, array_to_string(categories, ' ')));
$$;
comment on function private.profile_words is 'What search finds a public profile by.';
create index profiles_words_idx on private.profiles
  using gin (private.profile_words(display_name, username, bio, categories)) with (gin_pending_list_limit = 64) where not is_private;

create function private.post_words(title text, content text, post_type text) returns tsvector
language sql immutable cost 200 set search_path = ''
as $$
  select private.search_words(concat_ws(' ', title, case post_type when 'free' then content end));
$$;
comment on function private.post_words is 'What search finds a post by: the title, and the text of a free post.';
create index posts_words_idx on private.posts using gin (private.post_words(title, content, post_type)) with (gin_pending_list_limit = 64);
create index posts_title_trgm_idx on private.posts using gin (title extensions.gin_trgm_ops) with (gin_pending_list_limit = 64);

create or replace function public.search_profiles(search text, page_size integer DEFAULT 20)
returns SETOF public.profiles
language plpgsql stable security definer rows 20
set search_path = ''
 SET enable_seqscan TO 'off'
-- One wrong character in the middle of a name still counts as similar.
set pg_trgm.word_similarity_threshold = 0.45
as $$
declare
  v_search text := private.trimmed(left(search, 100));
  v_pattern text := private.like_pattern(v_search);
  v_words tsquery := private.search_query(v_search);
  v_size int := least(greatest(page_size, 0), 100);
  v_page uuid[] := '{}';
begin
  if v_search is null then
    return;
  end if;
  -- Searches the profiles with the most followers first, in up to four batches of a thousand, and stops once the hits so far show that four
  -- batches won't fill the page: a name that thousands share is found without sorting all of them.
  for v_turn in 0..3 loop
    v_page := v_page || array(
      select k.id
      from (
        select p.id, p.username, p.display_name, p.reach from private.profiles p
        order by p.reach desc, p.username limit 1000 offset v_turn * 1000
      ) k
      where k.username ilike v_pattern or k.display_name ilike v_pattern
      order by k.reach desc, k.username limit v_size - cardinality(v_page)
    );
    exit when cardinality(v_page) = v_size or cardinality(v_page) * 4 < v_size * (v_turn + 1);
  end loop;
  -- Names that aren't found there are looked up by trigrams. One or two characters have no trigram, but appear in enough of the best-known names.
  if cardinality(v_page) < v_size and length(v_search) >= 3 then
    with found as materialized (
      select p.id, p.username, p.reach from private.profiles p where p.username ilike v_pattern or p.display_name ilike v_pattern limit 200
    )
    select array(
      select f.id from (select f.* from found f union select p.id, p.username, p.reach from private.profiles p where p.id = any (v_page)) f
      order by f.reach desc, f.username limit v_size
    ) into v_page;
  end if;
  -- Then the profiles with these words. Those of blocked users show only their names.
  if cardinality(v_page) < v_size and length(v_search) >= 3 and v_words is not null then
    with found as materialized (
      select p.id, p.username, p.reach from private.profiles p
      where not p.is_private and private.profile_words(p.display_name, p.username, p.bio, p.categories) @@ v_words
      limit 1000
    )
    select v_page || array(
      select f.id from found f
      where f.id <> all (v_page) and f.id <> all ((select private.my_blocks())::uuid[])
      order by f.reach desc, f.username limit v_size - cardinality(v_page)
    ) into v_page;
  end if;
  -- Nothing: it may be a name with a typo.
  if v_page = '{}' and length(v_search) >= 4 then
    with found as materialized (
      select p.id, p.reach, greatest(
          extensions.word_similarity(v_search, p.username), extensions.word_similarity(v_search, coalesce(p.display_name, ''))
        ) as likeness
      from private.profiles p
      where p.username operator(extensions.%>) v_search or p.display_name operator(extensions.%>) v_search
      limit 200
    )
    select array(select f.id from found f order by f.likeness desc, f.reach desc, f.id limit v_size) into v_page;
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) v
    order by page.place;
end;
$$;
comment on function public.search_profiles(text,integer) is 'Profiles whose username or display name contains the text, ignoring case, with the most followers first (SRCH-04); then those with its words in the bio or categories; and if there are none, those with a similar name (LOOP-10). Considers at most 200 names beyond the best-known profiles and 1,000 profiles with the words, and only names for one or two characters.';

create function public.search_posts(search text, page_size int default 20) returns setof public.posts
language plpgsql stable security definer rows 20
set search_path = ''
set enable_seqscan = off
set pg_trgm.word_similarity_threshold = 0.45
as $$
declare
  v_search text := private.trimmed(left(search, 100));
  v_words tsquery := private.search_query(v_search);
  v_size int := least(greatest(page_size, 0), 100);
  v_found uuid[];
begin
  if length(v_search) < 3 or v_words is null then
    return;
  end if;
  -- A common word is in enough of the newest posts. The index finds a rare one, but not in the order of time.
  v_found := array(
    select n.id
    from (select p.id, p.title, p.content, p.post_type from private.posts p order by p.created_at desc, p.id desc limit 300) n
    where private.post_words(n.title, n.content, n.post_type) @@ v_words
  );
  if cardinality(v_found) < v_size then
    v_found := v_found || array(
      select p.id from private.posts p where private.post_words(p.title, p.content, p.post_type) @@ v_words limit 1000
    );
  end if;
  -- Nothing: it may be a title with a typo.
  if v_found = '{}' and length(v_search) >= 4 then
    v_found := array(select p.id from private.posts p where p.title operator(extensions.%>) v_search limit 200);
  end if;
  -- In order, and only until the page is full of posts that the viewer may see.
  return query
    select v.*
    from (
      select p.id, p.created_at from private.posts p where p.id = any (v_found)
      order by p.created_at desc, p.id desc
      offset 0
    ) f
    cross join lateral (select p.* from public.posts p where p.id = f.id offset 0) v
    order by f.created_at desc, f.id desc
    limit v_size;
end;
$$;
comment on function public.search_posts is
  'Posts that the caller may see with these words in the title or, if the post is free, in its text, newest first; if there are none, those with a similar title (LOOP-10). Considers the 300 newest posts and at most 1,000 others.';
grant execute on function public.search_posts(text, int) to anon, authenticated;

create type public.tag_listing as (
  category text,
  creators bigint
);
comment on type public.tag_listing is 'A tag that search found (LOOP-10).';
comment on column public.tag_listing.category is 'Never null.';
comment on column public.tag_listing.creators is 'The number of creators in Explore with this category. Never null.';
create function public.search_tags(search text) returns setof public.tag_listing
language sql stable security definer rows 8 set search_path = ''
as $$
  select c.category, (select count(*) from private.profiles p where p.is_listed and p.categories @> array[c.category])
  from unnest(array['Fitness', 'Lifestyle', 'Photography', 'Fashion', 'Cooking', 'Art', 'Travel', 'Wellness']) c (category)
  where private.search_words(c.category) @@ private.search_query(search)
    or (length(private.trimmed(search)) >= 4 and extensions.word_similarity(left(search, 100), c.category) >= 0.45)
  order by c.category;
$$;
comment on function public.search_tags is 'The categories that the search names, also with a typo (LOOP-10).';
grant execute on function public.search_tags(text) to anon, authenticated;

-- Explore finds creators by the same words.
create or replace function private.listed_creators_where(search text, category text) returns text
language sql immutable set search_path = ''
as $$
  select 'c.is_listed'
    || case when trim(coalesce(search, '')) <> '' then
      -- A listed creator is never private. The condition lets the planner use the index of words.
      ' and not c.is_private and (c.username ilike $1 or c.display_name ilike $1'
      || ' or private.profile_words(c.display_name, c.username, c.bio, c.categories) @@ $3)' else '' end
    || case when coalesce(category, 'all') <> 'all' then ' and c.categories @> array[$2]' else '' end;
$$;
comment on function private.listed_creators_where is 'The condition shared by discover_creators and count_creators. It contains no values, only $1 (pattern), $2 (category), and $3 (words).';
create or replace function public.discover_creators(
  search text default null,
  category text default null,
  sort text default 'popular',
  page_size int default 24,
  page_offset int default 0
) returns setof public.creator_listing
language plpgsql stable security definer rows 24 set search_path = ''
as $$
declare
  v_search text := left(search, 100);
  v_order text := case sort
    when 'popular' then 'c.subscribers_count desc, c.id'
    when 'newest' then 'c.last_posted_at desc nulls last, c.total_posts desc, c.id'
    when 'price_low' then 'coalesce(c.lowest_price_cents, 0), c.id'
    when 'price_high' then 'coalesce(c.lowest_price_cents, 0) desc, c.id'
  end;
begin
  if v_order is null then
    raise exception 'sort must be popular, newest, price_low, or price_high' using errcode = '22023';
  end if;
  return query execute
    'select c.id, c.username, c.display_name, c.bio, c.avatar_url, c.categories, c.is_verified,
       c.subscribers_count, c.total_posts, c.likes_received, round(c.lowest_price_cents / 100, 2), c.updated_at
     from private.profiles c where ' || private.listed_creators_where(v_search, category)
    || ' order by ' || v_order || ' limit $4 offset $5'
    using private.like_pattern(v_search), category, private.search_query(v_search), least(greatest(page_size, 0), 100), greatest(page_offset, 0);
end;
$$;
comment on function public.discover_creators is
  'A page of creators for Explore (DATA-31), with the search in a name or its words in the bio or categories (LOOP-10). sort: popular (subscribers), newest (latest post), price_low, or price_high.';
create or replace function public.count_creators(search text default null, category text default null) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_search text := left(search, 100);
  v_count bigint;
begin
  execute 'select count(*) from private.profiles c where ' || private.listed_creators_where(v_search, category)
    into v_count using private.like_pattern(v_search), category, private.search_query(v_search);
  return v_count;
end;
$$;
