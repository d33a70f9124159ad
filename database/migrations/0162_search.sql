-- Up Migration
-- Search among any number of people (SRCH-03, SRCH-04, API-REST-07). A name that thousands bear would have all of them fetched and
-- sorted, to show twenty. Who is known best is asked first; only a name that is not found there is looked up by its trigrams.

-- Generated, and by the power of two: it changes seldom, so most follows still update a profile without touching its indexes.
alter table private.profiles add column reach smallint not null generated always as (ceil(log(2, followers_count + 1))::smallint) stored;
comment on column private.profiles.reach is 'How well known, in powers of two of followers_count: the order in which search asks.';
create index profiles_reach_idx on private.profiles (reach desc, username) include (id, display_name);
-- Room for new versions of a row beside the old one, for the same end.
alter table private.profiles set (fillfactor = 85);
-- What waits to be sorted into these indexes is read whole by each search: not more than a few pages of it.
alter index private.profiles_username_trgm_idx set (gin_pending_list_limit = 64);
alter index private.profiles_display_name_trgm_idx set (gin_pending_list_limit = 64);

create function public.search_profiles(search text, page_size int default 20) returns setof public.profiles
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  v_pattern text := private.like_pattern(search);
  v_size int := least(greatest(page_size, 0), 100);
  v_page uuid[] := '{}';
begin
  if private.trimmed(search) is null then
    return;
  end if;
  -- A thousand of the best known at a time, as long as four thousand would fill the page at that rate.
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
  -- One or two letters make no trigram; they stand in enough of the known names.
  if cardinality(v_page) < v_size and length(private.trimmed(search)) >= 3 then
    with found as materialized (
      select p.id, p.username, p.reach from private.profiles p where p.username ilike v_pattern or p.display_name ilike v_pattern limit 200
    )
    select array(
      select f.id from (select f.* from found f union select p.id, p.username, p.reach from private.profiles p where p.id = any (v_page)) f
      order by f.reach desc, f.username limit v_size
    ) into v_page;
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) v
    order by page.place;
end;
$$;
comment on function public.search_profiles is
  'People whose username or display name holds the text, in any letter case, the best known first (SRCH-04). Of a name that few of the best known bear, at most 200 bearers are considered; one or two letters are looked for among the best known alone.';
grant execute on function public.search_profiles(text, int) to anon, authenticated;
