-- Up Migration

-- Inboxes with thousands of threads (INBOX-01, INBOX-10, LIST-05). What an inbox filters and sorts by is in private.conversations, so that a
-- page of any filter in any order is the beginning of a few ranges of one index, however many conversations there are.
alter table private.conversations
  add column waiting_since timestamptz,
  add column is_subscriber boolean not null default false,
  add column is_restricted boolean not null default false,
  add column is_archived boolean not null default false,
  add column is_marked_unread boolean not null default false,
  add column pinned_at timestamptz,
  add column spent bigint not null default 0;

create function private.waiting_since(p_profile uuid, p_other uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select m.created_at from private.messages m
  where m.sender_id = p_other and m.recipient_id = p_profile and m.created_at > coalesce((
    select a.created_at from private.messages a
    where a.sender_id = p_profile and a.recipient_id = p_other order by a.created_at desc, a.id desc limit 1
  ), '-infinity')
  order by m.created_at, m.id limit 1;
$$;
comment on function private.waiting_since is 'When p_other wrote the first message that p_profile hasn''t answered; null if there is none.';

create function private.is_subscriber(p_creator uuid, p_fan uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.subscriptions s
    where s.creator_id = p_creator and s.subscriber_id = p_fan and s.status in ('active', 'trial', 'past_due')
  );
$$;
comment on function private.is_subscriber is 'Whether the fan counts as a subscriber of the creator, as in profiles.subscribers_count.';

update private.conversations c
set waiting_since = private.waiting_since(c.profile_id, c.other_id), is_subscriber = private.is_subscriber(c.profile_id, c.other_id),
  spent = coalesce((select f.spent from private.fans f where f.creator_id = c.profile_id and f.fan_id = c.other_id), 0);

alter table private.conversations add column state smallint not null generated always as ((
  case when is_restricted then 16 when is_archived then 8 else 0 end
  + case when unread_count > 0 or is_marked_unread then 4 else 0 end
  + case when waiting_since is not null then 2 else 0 end
  + case when is_subscriber then 1 else 0 end
)::smallint) stored;
comment on column private.conversations.waiting_since is
  'When the other user wrote the first message that profile_id hasn''t answered; null once it is answered. A message to many neither asks nor answers.';
comment on column private.conversations.is_subscriber is 'Whether the other user counts as a subscriber of profile_id. Maintained by subscriptions.';
comment on column private.conversations.is_restricted is 'Whether profile_id restricts the other user. Maintained by private.restrictions.';
comment on column private.conversations.is_archived is 'Until the other user writes again, unless they are restricted.';
comment on column private.conversations.is_marked_unread is 'Marked as unread by profile_id, until they open it or write in it.';
comment on column private.conversations.pinned_at is 'When profile_id pinned the conversation; null if they haven''t. 20 at most.';
comment on column private.conversations.spent is 'What the other user has paid profile_id, in cents, after refunds. Maintained by private.fans.';
comment on column private.conversations.state is
  'The filters that the conversation belongs to: 16 restricted, or else 8 archived; 4 unread, 2 unanswered, 1 with a subscriber.';

drop index private.conversations_newest_idx;
create index conversations_newest_idx on private.conversations (profile_id, state, last_message_at desc, other_id desc);
create index conversations_waiting_idx on private.conversations (profile_id, state, waiting_since, other_id) where waiting_since is not null;
create index conversations_spent_idx on private.conversations (profile_id, state, spent desc, last_message_at desc, other_id desc);
create index conversations_pinned_idx on private.conversations (profile_id) where pinned_at is not null;

-- Restricted fans write to a folder of their own, without a notification (LIST-05). They never find out.
create table private.restrictions (
  creator_id uuid not null references private.profiles on delete cascade,
  fan_id     uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (creator_id, fan_id),
  constraint restrictions_not_self check (creator_id <> fan_id)
);
comment on table private.restrictions is 'Fans whom a creator restricts. Only the creator can know, through public.restricted_among.';
comment on column private.restrictions.creator_id is 'profiles.id of the creator.';
comment on column private.restrictions.fan_id is 'profiles.id of the restricted fan.';
create index restrictions_fan_id_idx on private.restrictions (fan_id); -- the deletion of the fan's account
alter table private.restrictions enable row level security; -- and no policy: a fan must not be able to tell

create function private.restricts(p_creator uuid, p_fan uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.restrictions r where r.creator_id = p_creator and r.fan_id = p_fan);
$$;
comment on function private.restricts is 'Whether the creator restricts the fan (LIST-05).';

-- As in 0024_messages.sql, with what the inbox filters by. A message to many is one whose job is still at work.
create or replace function private.keep_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_to_many boolean;
begin
  if tg_op = 'INSERT' then
    v_is_to_many := exists (
      select from private.group_messages g where g.creator_id = new.sender_id and g.finished_at is null and g.body = new.body
    );
    insert into private.conversations as c
      (profile_id, other_id, last_message_id, last_message_at, unread_count, waiting_since, is_subscriber, is_restricted, spent)
    select s.profile_id, s.other_id, new.id, new.created_at, s.unread, case when not s.is_sender and not v_is_to_many then new.created_at end,
      private.is_subscriber(s.profile_id, s.other_id), private.restricts(s.profile_id, s.other_id),
      coalesce((select f.spent from private.fans f where f.creator_id = s.profile_id and f.fan_id = s.other_id), 0)
    from (values
      (new.sender_id, new.recipient_id, 0, true),
      (new.recipient_id, new.sender_id, case when new.is_read then 0 else 1 end, false)
    ) as s (profile_id, other_id, unread, is_sender)
    order by s.profile_id
    on conflict (profile_id, other_id) do update set
      last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
      last_message_at = greatest(excluded.last_message_at, c.last_message_at),
      unread_count = c.unread_count + excluded.unread_count,
      waiting_since = case
        when v_is_to_many then c.waiting_since
        when c.profile_id = new.recipient_id then coalesce(c.waiting_since, excluded.waiting_since)
      end,
      is_archived = c.is_archived and (c.profile_id = new.sender_id or c.is_restricted),
      is_marked_unread = c.is_marked_unread and (c.profile_id = new.recipient_id or v_is_to_many);
  elsif tg_op = 'UPDATE' then
    update private.conversations c set
      unread_count = c.unread_count + case when new.is_read then -1 else 1 end,
      is_marked_unread = c.is_marked_unread and not new.is_read
    where c.profile_id = new.recipient_id and c.other_id = new.sender_id;
  else
    perform from private.conversations c
    where (c.profile_id, c.other_id) in ((old.sender_id, old.recipient_id), (old.recipient_id, old.sender_id))
    order by c.profile_id for no key update;
    update private.conversations c set
      unread_count = c.unread_count - case when old.is_read then 0 else 1 end,
      waiting_since = case when c.waiting_since = old.created_at then private.waiting_since(c.profile_id, c.other_id) else c.waiting_since end
    where c.profile_id = old.recipient_id and c.other_id = old.sender_id and (not old.is_read or c.waiting_since = old.created_at);
    -- It may have been the answer.
    update private.conversations c set waiting_since = w.since
    from private.waiting_since(old.sender_id, old.recipient_id) w (since)
    where c.profile_id = old.sender_id and c.other_id = old.recipient_id and c.waiting_since is distinct from w.since;
    update private.conversations c set last_message_id = m.id, last_message_at = m.created_at
    from private.newest_message(old.sender_id, old.recipient_id) m
    where c.last_message_id = old.id and m.id is not null;
    delete from private.conversations c where c.last_message_id = old.id;
  end if;
  return null;
end;
$$;
comment on function private.keep_conversations is
  'Trigger of messages: maintains private.conversations: of both sides the newest message, the unread count, and how long the other user has waited for an answer.';

create function private.keep_subscriber() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.conversations c set is_subscriber = not c.is_subscriber
  where c.profile_id = coalesce(new.creator_id, old.creator_id) and c.other_id = coalesce(new.subscriber_id, old.subscriber_id)
    and c.is_subscriber <> private.is_subscriber(c.profile_id, c.other_id);
  return null;
end;
$$;
comment on function private.keep_subscriber is 'Trigger of subscriptions: maintains conversations.is_subscriber.';
-- Named to run after those that lock the profiles.
create trigger subscriptions_keep_subscriber after insert or update of status or delete on public.subscriptions
  for each row execute function private.keep_subscriber();

create function private.keep_spent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.conversations c set spent = new.spent
  where c.profile_id = new.creator_id and c.other_id = new.fan_id and c.spent <> new.spent;
  return null;
end;
$$;
comment on function private.keep_spent is 'Trigger of fans: maintains conversations.spent.';
create trigger fans_keep_spent after insert or update of spent on private.fans for each row execute function private.keep_spent();

create or replace function private.verify_conversations() returns table (profile_id uuid, other_id uuid, problem text)
language sql stable security definer set search_path = ''
as $$
  with counted as (
    select s.profile_id, s.other_id, max(s.created_at) as last_message_at, count(*) filter (where s.is_unread)::int as unread_count
    from (
      select m.sender_id as profile_id, m.recipient_id as other_id, m.created_at, false as is_unread from private.messages m
      union all
      select m.recipient_id, m.sender_id, m.created_at, not m.is_read from private.messages m
    ) s
    group by s.profile_id, s.other_id
  )
  select coalesce(k.profile_id, c.profile_id), coalesce(k.other_id, c.other_id),
    case
      when k.profile_id is null then 'is listed but has no message'
      when c.profile_id is null then 'is not listed'
      when k.unread_count <> c.unread_count then 'has a wrong number of unread messages'
      when k.last_message_at <> c.last_message_at then 'has a wrong last message'
      when k.spent <> c.spent then 'has a wrong amount spent'
      else 'is with a subscriber or a restricted fan, or not'
    end
  from (
    select n.*, coalesce(f.spent, 0) as spent
    from counted n left join private.fans f on f.creator_id = n.profile_id and f.fan_id = n.other_id
  ) k
  full join private.conversations c on c.profile_id = k.profile_id and c.other_id = k.other_id
  where (k.last_message_at, k.unread_count, k.spent, private.is_subscriber(c.profile_id, c.other_id), private.restricts(c.profile_id, c.other_id))
    is distinct from (c.last_message_at, c.unread_count, c.spent, c.is_subscriber, c.is_restricted);
$$;

-- A name is found by the beginnings of its words. Only of approved creators' conversations: nobody else has so many that they can't be
-- read one by one, and a creator's change of name would otherwise change a row for each of their fans.
create table private.conversation_names (
  profile_id uuid not null,
  other_id   uuid not null,
  words      tsvector not null,
  primary key (profile_id, other_id),
  foreign key (profile_id, other_id) references private.conversations on delete cascade
);
comment on table private.conversation_names is 'The names of those with whom approved creators have conversations, for the search (INBOX-10). Maintained by conversations and profiles.';
comment on column private.conversation_names.words is 'As in vault_files: each word with profile_id before it.';
create index conversation_names_other_id_idx on private.conversation_names (other_id);
create index conversation_names_words_idx on private.conversation_names using gin (words) with (gin_pending_list_limit = 64);
alter table private.conversation_names enable row level security; -- and no policy

create function private.name_conversations(p_profile uuid, p_other uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.conversation_names as n (profile_id, other_id, words)
  select c.profile_id, c.other_id, private.vault_words(c.profile_id, o.username, o.display_name, null)
  from private.conversations c
  join private.profiles p on p.id = c.profile_id and p.is_verified
  join private.profiles o on o.id = c.other_id
  where (c.profile_id = p_profile or p_profile is null) and (c.other_id = p_other or p_other is null)
  order by c.profile_id, c.other_id
  on conflict (profile_id, other_id) do update set words = excluded.words where n.words <> excluded.words;
$$;
comment on function private.name_conversations is 'Writes the names of the conversations of p_profile, or with p_other, or both; of null, of all.';

create function private.name_conversation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.name_conversations(new.profile_id, new.other_id);
  return null;
end;
$$;
comment on function private.name_conversation is 'Trigger of conversations: maintains private.conversation_names.';
create trigger conversations_name after insert on private.conversations for each row execute function private.name_conversation();

create function private.rename_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (new.username, new.display_name) is distinct from (old.username, old.display_name) then
    perform private.name_conversations(n.profile_id, new.id) from private.conversation_names n where n.other_id = new.id order by n.profile_id;
  end if;
  if new.is_verified and not old.is_verified then
    perform private.name_conversations(new.id, null);
  end if;
  return null;
end;
$$;
comment on function private.rename_conversations is 'Trigger of profiles: maintains private.conversation_names when a user changes their name or becomes an approved creator.';
create trigger profiles_rename_conversations after update of username, display_name, is_verified on private.profiles
  for each row execute function private.rename_conversations();

select private.name_conversations(null, null);

create function private.conversation_states(p_filter text) returns smallint[]
language sql immutable set search_path = ''
as $$
  select case p_filter
    when 'all' then '{0,1,2,3,4,5,6,7}' when 'unread' then '{4,5,6,7}' when 'unanswered' then '{2,3,6,7}' when 'subscribers' then '{1,3,5,7}'
    when 'archived' then '{8,9,10,11,12,13,14,15}' when 'restricted' then '{16,17,18,19,20,21,22,23}'
  end::smallint[];
$$;
comment on function private.conversation_states is 'The values of conversations.state that a filter of the inbox shows; null for an unknown filter.';

-- p_others: only these; otherwise each state is a range of the index, and the page is the first rows of all of them together.
create function private.page_of_conversations(p_me uuid, p_states smallint[], p_order text, p_at timestamptz, p_id uuid, p_spent bigint,
  p_size int, p_with_pinned boolean, p_others uuid[] default null) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_order text := case p_order when 'waiting' then 'c.waiting_since, c.other_id'
    when 'spending' then 'c.spent desc, c.last_message_at desc, c.other_id desc' else 'c.last_message_at desc, c.other_id desc' end;
  v_where text := case p_order when 'waiting' then 'c.waiting_since is not null and (c.waiting_since, c.other_id) > ($3, $4)'
    when 'spending' then '(c.spent, c.last_message_at, c.other_id) < ($7, $3, $4)'
    else '(c.last_message_at, c.other_id) < ($3, $4)' end || case when p_with_pinned then '' else ' and c.pinned_at is null' end;
  v_page uuid[];
begin
  execute format(case when p_others is null then
    'select array(select c.other_id from unnest($2) s (state) cross join lateral (
       select c.other_id, c.last_message_at, c.waiting_since, c.spent from private.conversations c
       where c.profile_id = $1 and c.state = s.state and %1$s order by %2$s limit $5) c order by %2$s limit $5)'
    else 'select array(select c.other_id from private.conversations c
       where c.profile_id = $1 and c.other_id = any ($6) and c.state = any ($2) and %1$s order by %2$s limit $5)'
    end, v_where, v_order)
  into v_page using p_me, p_states, p_at, p_id, p_size, p_others, p_spent;
  return v_page;
end;
$$;
comment on function private.page_of_conversations is
  'The other users of the next conversations of p_me in these states. p_order: newest (last_message_at before p_at), waiting (waiting_since after p_at), or spending (below p_spent, and then newest).';

-- Longest unanswered: first those that wait, and then the others, newest first.
create function private.sort_conversations(p_me uuid, p_states smallint[], p_sort text, p_before timestamptz, p_before_waiting timestamptz,
  p_before_spent bigint, p_before_id uuid, p_size int, p_with_pinned boolean, p_others uuid[] default null) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_at timestamptz := coalesce(p_before, 'infinity');
  v_id uuid := coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_page uuid[] := '{}';
begin
  if p_sort in ('newest', 'spending') then
    return private.page_of_conversations(p_me, p_states, p_sort, v_at, v_id, coalesce(p_before_spent, 9223372036854775807), p_size, p_with_pinned, p_others);
  end if;
  if p_before is null or p_before_waiting is not null then
    v_page := private.page_of_conversations(p_me, array(select s from unnest(p_states) s where s & 2 > 0), 'waiting',
      coalesce(p_before_waiting, '-infinity'), v_id, null, p_size, p_with_pinned, p_others);
    v_at := 'infinity';
    v_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  end if;
  return v_page || private.page_of_conversations(p_me, array(select s from unnest(p_states) s where s & 2 = 0), 'newest',
    v_at, v_id, null, p_size - cardinality(v_page), p_with_pinned, p_others);
end;
$$;
comment on function private.sort_conversations is 'The other users of the next conversations of p_me in these states, in the order of get_conversations.';

alter type public.conversation
  add attribute is_pinned boolean,
  add attribute is_archived boolean,
  add attribute is_restricted boolean,
  add attribute is_marked_unread boolean,
  add attribute is_subscriber boolean,
  add attribute waiting_since timestamptz,
  add attribute spent bigint;
comment on column public.conversation.is_pinned is 'Never null.';
comment on column public.conversation.is_archived is 'Never null.';
comment on column public.conversation.is_restricted is 'Whether the viewer restricts the other user. Never null.';
comment on column public.conversation.is_marked_unread is 'Whether the viewer marked the conversation as unread. Never null.';
comment on column public.conversation.is_subscriber is 'Whether the other user subscribes to the viewer. Never null.';
comment on column public.conversation.waiting_since is 'When the other user wrote the first message that the viewer hasn''t answered; null once it is answered.';

comment on column public.conversation.spent is 'What the other user has paid the viewer, in cents, after refunds. Never null.';

create function private.show_conversations(p_me uuid, p_others uuid[]) returns setof public.conversation
language sql stable security definer rows 30 set search_path = ''
as $$
  select o.id, o.username, o.display_name, o.avatar_url, o.is_verified, o.is_creator, o.last_seen_at,
    m.id, m.sender_id, left(m.content, 200), m.is_paid, m.is_locked, m.price,
    c.last_message_at, c.unread_count, private.accepts_messages(c.other_id, p_me), m.media_types, o.updated_at,
    c.pinned_at is not null, c.is_archived, c.is_restricted, c.is_marked_unread, c.is_subscriber, c.waiting_since, c.spent
  from unnest(p_others) with ordinality page (id, place)
  cross join lateral (select k.* from private.conversations k where k.profile_id = p_me and k.other_id = page.id offset 0) c
  cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = c.last_message_id offset 0) m
  order by page.place;
$$;
comment on function private.show_conversations is 'The conversations of p_me with these users, in this order, as p_me sees them.';

create function private.on_list(p_creator uuid, p_list text, p_fans uuid[]) returns uuid[]
language plpgsql stable set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_fans uuid[];
begin
  if p_list is null then
    return p_fans;
  end if;
  execute 'select array(select f.fan_id from private.fans f where f.creator_id = $1 and ($2 is null or f.fan_id = any ($2)) and ' || p_list || ')'
  into v_fans using p_creator, p_fans;
  return v_fans;
end;
$$;
comment on function private.on_list is
  'Those of the fans who are on a list, whose condition private.compile_rule made; without p_fans, everyone on it. All of them if p_list is null.';

-- Contract: the version before names the first four parameters, which the function below has, too.
drop function public.get_conversations(text, int, timestamptz, uuid);
create function public.get_conversations(
  search text default null,
  page_size int default 30,
  before timestamptz default null,
  before_id uuid default null,
  filter text default 'all',
  sort text default 'newest',
  before_waiting timestamptz default null,
  before_spent bigint default null,
  list_id uuid default null
) returns setof public.conversation
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_states smallint[] := private.conversation_states(filter);
  v_search text := private.trimmed(left(search, 100));
  v_words tsquery;
  v_list text; -- true for a row f of private.fans that is on the list
  v_size int := least(greatest(page_size, 0), 100);
  v_most constant int := 1000;
  v_walked uuid[];
  v_page uuid[] := '{}';
begin
  if v_states is null then
    raise exception 'filter must be all, unread, unanswered, subscribers, restricted, or archived' using errcode = '22023';
  elsif sort is null or sort not in ('newest', 'waiting', 'spending') then
    raise exception 'sort must be newest, waiting, or spending' using errcode = '22023';
  end if;
  if list_id is not null then
    v_list := private.compile_rule(v_me, jsonb_build_object('all', jsonb_build_array(
      jsonb_build_object('condition', 'in_list', 'list', list_id))));
  end if;
  if v_search is null and v_list is null then
    if before is null then
      v_page := private.sort_conversations(v_me, v_states, sort, null, null, null, null, 20, true, array(
        select c.other_id from private.conversations c where c.profile_id = v_me and c.pinned_at is not null));
    end if;
    v_page := v_page || private.sort_conversations(v_me, v_states, sort, before, before_waiting, before_spent, before_id, v_size, false);
    return query select * from private.show_conversations(v_me, v_page);
    return;
  end if;
  -- A frequent name, or a long list, is in enough of the first thousand. A rare one is found by itself.
  v_walked := private.sort_conversations(v_me, v_states, sort, before, before_waiting, before_spent, before_id, v_most, true);
  v_page := private.on_list(v_me, v_list, v_walked);
  v_page := array(
    select w.id from unnest(v_walked) with ordinality w (id, place)
    join private.profiles p on p.id = w.id
    where (v_list is null or w.id = any (v_page))
      and (v_search is null or p.username ilike private.like_pattern(v_search) or p.display_name ilike private.like_pattern(v_search))
    order by w.place limit v_size
  );
  if cardinality(v_page) < v_size and cardinality(v_walked) = v_most then
    if v_search is null then
      v_page := private.on_list(v_me, v_list, null);
    elsif exists (select from private.profiles p where p.id = v_me and p.is_verified) then
      v_words := (
        select string_agg(format('''%s''', replace(v_me || w.word, '''', '''''')) || ':*', ' & ')::tsquery
        from unnest(tsvector_to_array(private.search_words(translate(v_search, '._-/\+', '      ')))) w (word));
      v_page := v_page || array(select n.other_id from private.conversation_names n where n.words @@ v_words);
    else
      v_page := array(
        select c.other_id from private.conversations c join private.profiles p on p.id = c.other_id
        where c.profile_id = v_me
          and (p.username ilike private.like_pattern(v_search) or p.display_name ilike private.like_pattern(v_search))
      );
    end if;
    if v_search is not null then
      v_page := private.on_list(v_me, v_list, v_page);
    end if;
    v_page := private.sort_conversations(v_me, v_states, sort, before, before_waiting, before_spent, before_id, v_size, true, v_page);
  end if;
  return query select * from private.show_conversations(v_me, v_page);
end;
$$;
comment on function public.get_conversations is
  'The caller''s conversations (INBOX-01). filter: all, unread, unanswered, subscribers, restricted, or archived; only the last two show restricted and archived ones. sort: newest, waiting (longest unanswered first, then the others), or spending (highest first). The first page begins with up to 20 pinned ones, beyond page_size. list_id leaves the fans on one of the caller''s lists. search matches the other user''s name: any part of it in the first 1,000 conversations, and beyond them, for approved creators, the beginnings of its words. For the next page, set before, before_waiting, before_spent, and before_id to last_message_at, waiting_since, spent, and other_id of the last row. last_content is cut at 200 characters.';
grant execute on function public.get_conversations(text, int, timestamptz, uuid, text, text, timestamptz, bigint, uuid) to authenticated;

create function public.get_conversation(other_id uuid) returns setof public.conversation
language sql stable security definer rows 1 set search_path = ''
as $$
  select * from private.show_conversations(private.my_profile_id(), array[other_id]);
$$;
comment on function public.get_conversation is 'The caller''s conversation with one other user, as in get_conversations. No row before the first message.';
grant execute on function public.get_conversation(uuid) to authenticated;

create function public.update_conversation(
  other_id uuid,
  is_pinned boolean default null,
  is_archived boolean default null,
  is_unread boolean default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if update_conversation.is_pinned then
    perform pg_advisory_xact_lock(hashtextextended('pinned conversations ' || v_me, 0));
    if (select count(*) from private.conversations c
        where c.profile_id = v_me and c.pinned_at is not null and c.other_id <> update_conversation.other_id) >= 20 then
      raise sqlstate 'PT409' using message = 'You can pin up to 20 conversations', hint = 'Unpin another one first.';
    end if;
  end if;
  if not update_conversation.is_unread then
    update private.messages m set is_read = true
    where m.recipient_id = v_me and m.sender_id = update_conversation.other_id and not m.is_read;
  end if;
  update private.conversations c set
    pinned_at = case
      when update_conversation.is_pinned then coalesce(c.pinned_at, now())
      when not update_conversation.is_pinned or update_conversation.is_archived then null
      else c.pinned_at
    end,
    is_archived = coalesce(update_conversation.is_archived, c.is_archived),
    is_marked_unread = coalesce(update_conversation.is_unread, c.is_marked_unread)
  where c.profile_id = v_me and c.other_id = update_conversation.other_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Conversation not found';
  end if;
end;
$$;
comment on function public.update_conversation is
  'Pins, archives, or marks as unread the caller''s conversation with one other user, or the opposite; null leaves as it is (INBOX-01). Archiving unpins. Marking as read reads its messages. PT404 before the first message, PT409 for more than 20 pinned ones.';
grant execute on function public.update_conversation(uuid, boolean, boolean, boolean) to authenticated;

create function public.count_unread_messages() returns int
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(greatest(c.unread_count, 1)), 0)::int
  from (
    select k.unread_count from private.conversations k
    where k.profile_id = (select private.my_profile_id()) and k.state = any (private.conversation_states('unread')) limit 1000
  ) c;
$$;
comment on function public.count_unread_messages is
  'The caller''s unread messages outside of the archive and of restricted fans (GEN-22); a conversation that is only marked as unread counts as one. Of up to 1000 conversations, because a badge shows 99+.';
grant execute on function public.count_unread_messages() to authenticated;

create or replace function public.get_unread_counts() returns public.unread_counts
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*)::int from (select from public.notifications n where n.user_id = me.id and not n.is_read limit 1000) unread)
      + (select count(*)::int from private.unread_posts(me.id)),
    public.count_unread_messages()
  from (select private.my_profile_id() as id offset 0) me;
$$;

create or replace function private.notify_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.restricts(new.recipient_id, new.sender_id) and not exists (
    select from public.notifications n
    where n.user_id = new.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = new.sender_id::text
  ) then
    perform private.notify(new.recipient_id, 'message',
      private.name_of(new.sender_id) || case when new.is_paid then ' sent you a paid message' else ' sent you a message' end,
      case when new.is_paid then 'Unlock it for ' || private.dollars(new.price) || '.' else '' end,
      jsonb_build_object('profile_id', new.sender_id, 'message_id', new.id));
  end if;
  return null;
end;
$$;
comment on function private.notify_message is 'Trigger of messages: notifies the recipient, unless they restrict the sender (LIST-05).';

create function public.restrict_fan(fan_profile_id uuid, is_restricted boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can restrict fans' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif fan_profile_id = v_me then
    raise exception 'You can''t restrict yourself' using errcode = '23514', constraint = 'restrictions_not_self';
  elsif not exists (select from private.profiles p where p.id = fan_profile_id) then
    raise sqlstate 'PT404' using message = 'User not found';
  end if;
  if restrict_fan.is_restricted then
    insert into private.restrictions (creator_id, fan_id) values (v_me, fan_profile_id) on conflict do nothing;
  else
    delete from private.restrictions r where r.creator_id = v_me and r.fan_id = fan_profile_id;
  end if;
end;
$$;
comment on function public.restrict_fan is
  'Restricts a fan of the calling creator, or lifts that (LIST-05): their messages go to the folder Restricted without a notification, and only the two of them see the fan''s comments on the creator''s posts. PT404 for an unknown user.';
grant execute on function public.restrict_fan(uuid, boolean) to authenticated;

create function public.restricted_among(profile_ids uuid[]) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select r.fan_id from private.restrictions r
    where r.creator_id = private.my_profile_id() and r.fan_id = any (profile_ids[1:100]) order by r.fan_id
  );
$$;
comment on function public.restricted_among is 'Those of up to 100 users whom the caller restricts (LIST-05). Never null.';
grant execute on function public.restricted_among(uuid[]) to authenticated;

-- Only the creator, the restricted fan, and admins see that fan's comments on the creator's posts. Each viewer's number of comments is that of
-- those they see, so that nobody misses one, least of all the fan.
alter table private.posts add column restricted_comments_count int not null default 0 check (restricted_comments_count >= 0);
comment on column private.posts.restricted_comments_count is 'How many of comments_count are by fans whom the creator restricts. Maintained by comments and restrictions.';

create function private.is_hidden_comment(p_post uuid, p_author uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.posts p join private.restrictions r on r.creator_id = p.creator_id and r.fan_id = p_author
    where p.id = p_post and coalesce(private.my_profile_id() not in (p.creator_id, p_author), true)
  );
$$;
comment on function private.is_hidden_comment is 'Whether the caller may not see a comment on the post: its creator restricts the author, and the caller is neither of them (LIST-05).';
grant execute on function private.is_hidden_comment(uuid, uuid) to anon, authenticated;

alter policy select_visible on public.comments using (
  private.can_view_post(post_id) and (
    (select private.is_admin())
    or (user_id <> all ((select private.my_blocks())::uuid[]) and not private.is_hidden_comment(post_id, user_id))
  )
);

create function private.hidden_comments(p_post uuid, p_creator uuid, p_restricted int) returns int
language sql stable security definer set search_path = ''
as $$
  select case
    when private.is_privileged() or p_creator = me.id then 0
    when private.restricts(p_creator, me.id) then p_restricted - (
      select count(*)::int from public.comments c where c.post_id = p_post and c.user_id = me.id
    )
    else p_restricted
  end
  from (select private.my_profile_id() as id) me;
$$;
comment on function private.hidden_comments is 'How many of p_restricted, the restricted comments of the post, the caller doesn''t see.';
grant execute on function private.hidden_comments(uuid, uuid, int) to anon, authenticated, service_role;

-- As in 0042_plan_benefits_and_covers.sql, with the comments that this viewer sees.
create or replace view public.posts as
 SELECT p.id,
    p.creator_id,
    p.title,
        CASE
            WHEN access.can_view THEN p.content
            ELSE "left"(p.content, 100)
        END AS content,
    p.post_type,
        CASE
            WHEN access.can_view THEN p.media_urls
            ELSE '{}'::text[]
        END AS media_urls,
    p.media_types,
    cardinality(p.media_urls) AS media_count,
    p.required_tier_id,
    p.ppv_price,
    p.likes_count,
        CASE
            WHEN (p.restricted_comments_count = 0) THEN p.comments_count
            ELSE (p.comments_count - private.hidden_comments(p.id, p.creator_id, p.restricted_comments_count))
        END AS comments_count,
    p.is_pinned,
    (NOT access.can_view) AS is_locked,
    p.created_at,
        CASE
            WHEN (access.is_own OR p.admin_note_is_public) THEN p.admin_note
            ELSE NULL::text
        END AS admin_note,
    p.admin_note_is_public,
    p.media_previews,
    p.cover_path
   FROM (private.posts p
     CROSS JOIN LATERAL ( SELECT own.is_own,
                CASE
                    WHEN own.is_own THEN true
                    WHEN (p.post_type = 'free'::text) THEN true
                    WHEN (p.post_type = 'subscription'::text) THEN (EXISTS ( SELECT
                       FROM ((public.subscriptions s
                         JOIN public.subscription_products mine ON ((mine.id = s.tier_id)))
                         JOIN public.subscription_products required ON ((required.id = p.required_tier_id)))
                      WHERE ((s.subscriber_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (s.creator_id = p.creator_id) AND (s.access_until > now()) AND ((mine.id = required.id) OR (private.monthly_cents(mine.price_cents, mine."interval") > private.monthly_cents(required.price_cents, required."interval")) OR (NOT ( SELECT c.tiered_access
                               FROM private.profiles c
                              WHERE (c.id = p.creator_id)))))))
                    ELSE (EXISTS ( SELECT
                       FROM public.purchases b
                      WHERE ((b.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (b.post_id = p.id))))
                END AS can_view
           FROM ( SELECT (( SELECT private.is_privileged() AS is_privileged) OR (p.creator_id = ( SELECT private.my_profile_id() AS my_profile_id))) AS is_own) own
         OFFSET 0) access);
comment on column public.posts.comments_count is 'Maintained by comments, without those of restricted fans that the viewer doesn''t see. Never null.';
update private.followed_views set plain_columns = array_remove(plain_columns, 'comments_count') where view_name = 'posts';

create function private.restricted_comments(p_post uuid, p_creator uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from private.restrictions r join public.comments c on c.user_id = r.fan_id and c.post_id = p_post where r.creator_id = p_creator;
$$;
comment on function private.restricted_comments is 'Counts the comments on a post by fans whom its creator restricts.';

-- As in 0016_reactions.sql, with those by restricted fans, which are counted again after a deletion: that of an account deletes the restriction
-- at the same moment. A restriction of the author at this moment waits, or is waited for.
create or replace function private.count_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('restriction ' || w.creator_id || w.user_id, 0))
  from (select distinct p.creator_id, c.user_id from changed c join private.posts p on p.id = c.post_id order by 1, 2) w;
  perform from private.posts p where p.id in (select c.post_id from changed c) order by p.id for no key update;
  update private.posts p set
    comments_count = p.comments_count + v_step * c.comments,
    restricted_comments_count = case tg_op
      when 'INSERT' then p.restricted_comments_count + c.restricted else private.restricted_comments(p.id, p.creator_id) end
  from (
    select w.post_id, count(*)::int as comments, (count(*) filter (where private.restricts(o.creator_id, w.user_id)))::int as restricted
    from changed w join private.posts o on o.id = w.post_id group by 1
  ) c where p.id = c.post_id;
  return null;
end;
$$;
comment on function private.count_comments is 'Trigger of comments: maintains posts.comments_count and posts.restricted_comments_count.';

create function private.keep_restricted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row private.restrictions := case tg_op when 'INSERT' then new else old end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform pg_advisory_xact_lock(hashtextextended('restriction ' || v_row.creator_id || v_row.fan_id, 0));
  perform from private.posts p
  where p.creator_id = v_row.creator_id and p.id in (select c.post_id from public.comments c where c.user_id = v_row.fan_id)
  order by p.id for no key update;
  update private.posts p set restricted_comments_count = p.restricted_comments_count + v_step * c.comments
  from (select k.post_id, count(*)::int as comments from public.comments k where k.user_id = v_row.fan_id group by 1) c
  where p.id = c.post_id and p.creator_id = v_row.creator_id;
  update private.conversations c set is_restricted = tg_op = 'INSERT'
  where c.profile_id = v_row.creator_id and c.other_id = v_row.fan_id;
  if tg_op = 'INSERT' then
    update public.notifications n set is_read = true
    where n.user_id = v_row.creator_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_row.fan_id::text;
  end if;
  return null;
end;
$$;
comment on function private.keep_restricted is
  'Trigger of restrictions: maintains posts.restricted_comments_count and conversations.is_restricted, and takes the notification about the fan''s messages out of the badge.';
create trigger restrictions_keep_restricted after insert or delete on private.restrictions
  for each row execute function private.keep_restricted();

create or replace function private.verify_basic_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select p.id, c.counter, c.kept, c.counted
  from private.profiles p
  cross join lateral (values
    ('followers_count', p.followers_count::numeric, (select count(*) from public.follows f where f.following_id = p.id)::numeric),
    ('following_count', p.following_count, (select count(*) from public.follows f where f.follower_id = p.id)),
    ('total_posts', p.total_posts, (select count(*) from private.posts o where o.creator_id = p.id)),
    ('total_photos', p.total_photos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'image')),
    ('total_videos', p.total_videos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'video')),
    ('likes_received', p.likes_received, (select count(*) from public.post_likes l join private.posts o on o.id = l.post_id where o.creator_id = p.id)),
    ('subscribers_count', p.subscribers_count, (select count(*) from public.subscriptions s where s.creator_id = p.id and s.status in ('active', 'trial', 'past_due'))),
    ('total_earnings', p.total_earnings, coalesce((select -sum(e.amount_cents) from private.ledger_entries e
      join private.ledger_accounts a on a.id = e.account_id join private.ledger_transactions t on t.id = e.transaction_id
      where a.code = 'creator:' || p.id and t.type <> 'payout'), 0)),
    ('posts.likes_count', (select sum(o.likes_count) from private.posts o where o.creator_id = p.id),
      (select count(l.id) from private.posts o left join public.post_likes l on l.post_id = o.id where o.creator_id = p.id)),
    ('posts.comments_count', (select sum(o.comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o left join public.comments k on k.post_id = o.id where o.creator_id = p.id)),
    ('posts.restricted_comments_count', (select sum(o.restricted_comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o join public.comments k on k.post_id = o.id
       join private.restrictions r on r.creator_id = o.creator_id and r.fan_id = k.user_id where o.creator_id = p.id))
  ) as c (counter, kept, counted)
  where coalesce(c.kept, 0) <> coalesce(c.counted, 0);
$$;

-- As in 0016_reactions.sql, but a restricted fan's comments don't notify.
create or replace function private.ring_for_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment record;
begin
  for v_comment in
    select c.user_id, c.post_id, c.created_at, p.creator_id from changed c join private.posts p on p.id = c.post_id
    where not private.restricts(p.creator_id, c.user_id) order by c.post_id, c.created_at, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_comment.creator_id, 'comment', v_comment.user_id, v_comment.post_id);
    elsif v_comment.user_id <> v_comment.creator_id then
      perform private.take_back(v_comment.creator_id, 'comment', v_comment.user_id, v_comment.post_id, v_comment.created_at, (
        select c.user_id from public.comments c
        where c.post_id = v_comment.post_id and c.user_id <> v_comment.creator_id order by c.created_at desc limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.ring_for_comments is 'Trigger of comments: notifies the creator, unless they restrict the author (LIST-05).';

-- As in 0031_reports_and_support.sql, but a comment that the caller doesn't see can't be reported.
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
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
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

-- As in 0065_tip_notes_and_decided_applications.sql, with the fans whom the creator restricts.
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
    (select 'feed_addresses', jsonb_build_object('creator_id', f.creator_id, 'created_at', f.created_at, 'paused_at', f.paused_at)::text
      from private.feed_addresses f where f.fan_id = v_me order by f.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'tip_notes', jsonb_build_object('creator_id', c.creator_id, 'post_id', c.post_id, 'amount_cents', c.amount_cents, 'note', c.note,
        'status', c.status, 'created_at', c.created_at)::text
      from private.checkout_sessions c where c.profile_id = v_me and c.note is not null order by c.created_at)
    union all
    (select 'restrictions', jsonb_build_object('fan_id', r.fan_id, 'created_at', r.created_at)::text
      from private.restrictions r where r.creator_id = v_me order by r.created_at)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'restrictions', 'statement'];
end;
$$;

analyze private.conversations;
