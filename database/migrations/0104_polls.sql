-- Up Migration
-- Polls: asked by admins, answered once by everybody (DATA-27, DATA-28, NOTI-16..NOTI-21, ADM-30..ADM-34, ADM-38, ADM-39).
create table public.polls (
  id          uuid primary key default gen_random_uuid(),
  title       text not null constraint polls_title_length check (title ~ '\S' and length(title) <= 200),
  description text constraint polls_description_length check (length(description) <= 300),
  options     text not null,
  expires_at  timestamptz not null default now() + interval '7 days',
  is_active   boolean not null default true,
  created_at  timestamptz not null default now()
);
comment on table public.polls is 'Questions to everybody. What was asked is never changed; an admin may close a poll early.';
comment on column public.polls.options is 'A JSON list of 2 to 10 different texts, kept as text (NOTI-16).';
comment on column public.polls.is_active is 'False closes the poll before its time.';
create index polls_created_at_idx on public.polls (created_at desc, id desc); -- API-REST-37

-- security definer: the check below runs it for whoever inserts, and they can't reach private.trimmed.
create function private.poll_options(options text) returns text[]
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if jsonb_typeof(options::jsonb) <> 'array' or exists (
    select from jsonb_array_elements(options::jsonb) o where jsonb_typeof(o) <> 'string'
  ) then
    return null;
  end if;
  return array(
    select coalesce(private.trimmed(o.value), '') from jsonb_array_elements_text(options::jsonb) with ordinality o (value, position) order by o.position
  );
exception when invalid_text_representation or untranslatable_character then
  return null;
end;
$$;
comment on function private.poll_options is 'The options as a list of texts; null when they are no JSON list of texts.';
grant execute on function private.poll_options(text) to authenticated;
alter table public.polls add constraint polls_options_valid check (
  coalesce(cardinality(private.poll_options(options)) between 2 and 10, false)
  and length(array_to_string(private.poll_options(options), '')) <= 1000
);

-- The same limits as the form's, in the form's words. Empty options of the form are dropped, as ADM-31 counts the others.
create function private.receive_poll() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_options text[] := private.poll_options(new.options);
  v_days numeric := extract(epoch from new.expires_at - new.created_at) / 86400;
begin
  v_options := array_remove(v_options, '');
  new.title := private.trimmed(new.title);
  new.description := private.trimmed(new.description);
  if new.title is null then
    raise exception 'Poll title is required' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(new.title) > 200 then
    raise exception 'A poll title has at most 200 characters' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(new.description) > 300 then
    raise exception 'A poll description has at most 300 characters' using errcode = '23514', constraint = 'polls_description_length';
  elsif v_options is null then
    raise exception 'options is a JSON list of texts' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(v_options) < 2 then
    raise exception 'At least 2 poll options are required' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(v_options) > 10 then
    raise exception 'A poll has at most 10 options' using errcode = '23514', constraint = 'polls_options_valid';
  elsif exists (select from unnest(v_options) o where length(o) > 100) then
    raise exception 'A poll option has at most 100 characters' using errcode = '23514', constraint = 'polls_options_valid';
  elsif (select count(distinct lower(o)) from unnest(v_options) o) < cardinality(v_options) then
    raise exception 'Poll options must differ from one another' using errcode = '23514', constraint = 'polls_options_valid';
  -- Two hours either way: the client's clock, and a day that is an hour longer or shorter.
  elsif not exists (select from unnest(array[1, 3, 7, 14, 30]) d where abs(v_days - d) <= 2 / 24.0) then
    raise exception 'A poll runs for 1, 3, 7, 14 or 30 days' using errcode = '23514', constraint = 'polls_duration';
  end if;
  new.options := array_to_json(v_options)::text;
  return new;
end;
$$;
comment on function private.receive_poll is 'Trims a new poll and holds it to ADM-30..ADM-34.';
create trigger polls_receive before insert on public.polls for each row execute function private.receive_poll();

create table public.poll_votes (
  id           uuid primary key default gen_random_uuid(),
  poll_id      uuid not null references public.polls on delete cascade,
  user_id      uuid not null references private.profiles on delete cascade,
  option_index int not null check (option_index >= 0),
  created_at   timestamptz not null default now(),
  constraint poll_votes_one_per_voter unique (poll_id, user_id)
);
comment on table public.poll_votes is 'A vote is final: it is cast and read, never changed or withdrawn.';
comment on column public.poll_votes.user_id is 'The voter''s profiles.id, not auth.users.id (DATA-28).';
comment on column public.poll_votes.option_index is 'Zero-based position in polls.options.';
create index poll_votes_user_id_idx on public.poll_votes (user_id); -- the cascade from profiles
create index poll_votes_option_idx on public.poll_votes (poll_id, option_index, created_at desc); -- counts and recent voters (ADM-39)

-- Before the policy has its word, so that the voter learns what is wrong. security definer: whether a poll takes votes does not
-- depend on what the voter may read of it.
create function private.require_open_poll() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_poll public.polls;
begin
  if new.user_id is null then
    raise exception 'Could not find your profile' using errcode = '42501'; -- ERR-01
  end if;
  select p.* into v_poll from public.polls p where p.id = new.poll_id for key share; -- as its foreign key would
  if not found then
    raise sqlstate 'PT404' using message = 'Poll not found';
  elsif not v_poll.is_active then
    raise sqlstate 'PT409' using message = 'Poll is closed', hint = 'An admin has closed it.';
  elsif v_poll.expires_at <= now() then
    raise sqlstate 'PT409' using message = 'Poll is closed', hint = 'It ended at expires_at.';
  elsif coalesce(new.option_index, -1) not between 0 and jsonb_array_length(v_poll.options::jsonb) - 1 then
    raise exception 'The poll has no such option' using errcode = '23514', constraint = 'poll_votes_option_exists';
  end if;
  return new;
end;
$$;
comment on function private.require_open_poll is 'A vote counts while the poll is active and not expired, for an option it has (NOTI-18, NOTI-19).';
create trigger poll_votes_require_open_poll before insert on public.poll_votes for each row execute function private.require_open_poll();

alter table public.polls enable row level security;
-- Signed-in people see all polls: their notifications embed them (API-REST-13).
create policy select_all on public.polls for select to authenticated using (true);
create policy insert_admin on public.polls for insert to authenticated with check ((select private.is_admin()));
create policy update_admin on public.polls for update to authenticated using ((select private.is_admin()));
grant select, insert (title, description, options, expires_at), update (is_active) on public.polls to authenticated;
-- Question, options and end are not updatable: votes were cast on them. delete is not granted: a poll is closed instead.

alter table public.poll_votes enable row level security;
-- Signed-in people see all votes: the widget counts them, and follows them live (API-REST-38, API-REST-39, API-RT-03).
create policy select_all on public.poll_votes for select to authenticated using (true);
create policy insert_own on public.poll_votes for insert to authenticated with check (user_id = (select private.my_profile_id()));
-- user_id is insertable because clients send it (API-REST-40); insert_own holds it to the caller.
grant select, insert (poll_id, user_id, option_index) on public.poll_votes to authenticated;
-- update and delete are not granted: a vote is final.

alter table public.notifications add column poll_id uuid references public.polls on delete set null;
comment on column public.notifications.poll_id is 'The linked poll of a poll notification (DATA-12, API-REST-13).';
create index notifications_poll_id_idx on public.notifications (poll_id) where poll_id is not null;

create type public.poll_result as (
  id uuid, title text, description text, options text, expires_at timestamptz, is_active boolean, created_at timestamptz,
  total_votes int, my_option int, results jsonb
);
comment on type public.poll_result is 'A poll with what was voted so far (ADM-38).';
comment on column public.poll_result.id is 'polls.id. Never null.';
comment on column public.poll_result.title is 'Never null.';
comment on column public.poll_result.options is 'JSON text, as in polls. Never null.';
comment on column public.poll_result.expires_at is 'Never null.';
comment on column public.poll_result.is_active is 'Never null.';
comment on column public.poll_result.created_at is 'Never null.';
comment on column public.poll_result.total_votes is 'Never null.';
comment on column public.poll_result.my_option is 'The option that the caller voted for; null before the vote.';
comment on column public.poll_result.results is
  'For each option in order {option_index, option, votes, voters: the 5 most recent as {profile_id, username, display_name, avatar_url, voted_at}} (ADM-39). Never null.';

create function public.get_poll_results(
  for_poll_id uuid default null,
  page_size int default 20,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.poll_result
language sql stable security definer set search_path = ''
as $$
  with page as (
    select p.* from public.polls p
    where (for_poll_id is null or p.id = for_poll_id)
      and (before is null or (p.created_at, p.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by p.created_at desc, p.id desc
    limit least(greatest(page_size, 0), 100)
  )
  select page.id, page.title, page.description, page.options, page.expires_at, page.is_active, page.created_at,
    counted.total_votes,
    (select v.option_index from public.poll_votes v where v.poll_id = page.id and v.user_id = (select private.my_profile_id())),
    counted.results
  from page
  cross join lateral (
    select sum(c.votes)::int as total_votes,
      jsonb_agg(jsonb_build_object('option_index', o.position - 1, 'option', o.option, 'votes', c.votes, 'voters', c.voters) order by o.position) as results
    from jsonb_array_elements_text(page.options::jsonb) with ordinality o (option, position)
    cross join lateral (
      select
        (select count(*)::int from public.poll_votes v where v.poll_id = page.id and v.option_index = o.position - 1) as votes,
        (select coalesce(jsonb_agg(jsonb_build_object('profile_id', r.user_id, 'username', r.username, 'display_name', r.display_name,
            'avatar_url', r.avatar_url, 'voted_at', r.created_at) order by r.created_at desc), '[]')
         from (
           select v.user_id, v.created_at, f.username, f.display_name, f.avatar_url
           from public.poll_votes v join private.profiles f on f.id = v.user_id
           where v.poll_id = page.id and v.option_index = o.position - 1
           order by v.created_at desc limit 5
         ) r) as voters
    ) c
  ) counted
  order by page.created_at desc, page.id desc;
$$;
comment on function public.get_poll_results is
  'Polls with results and recent voters, newest first, or the one asked for (ADM-38, ADM-39). The next page: before and before_id take created_at and id of the last row.';
grant execute on function public.get_poll_results(uuid, int, timestamptz, uuid) to authenticated;

-- New votes reach open widgets and the admin's results (API-RT-03), an early end reaches the widgets.
alter publication ovation_realtime add table public.poll_votes, public.polls;
