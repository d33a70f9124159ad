-- Up Migration
-- A post may ask a question. Its poll is a poll like the others (NOTI-16..NOTI-21), seen and answered by whoever may see the whole
-- post: what a locked post asks is part of what is paid for (POST-46).
alter table public.polls add column post_id uuid unique references private.posts on delete cascade;
comment on column public.polls.post_id is 'The post that asks; null for a poll that an admin asks everybody.';
comment on table public.polls is 'Questions of admins to everybody, and of creators to who sees their post. What was asked is never changed; an admin may close a poll early.';

drop policy select_all on public.polls;
create policy select_visible on public.polls for select to authenticated using (post_id is null or private.can_view_post(post_id));
-- Visitors read posts with what they ask (D35); what is asked of everybody is asked of people with an account.
create policy select_of_post on public.polls for select to anon using (private.can_view_post(post_id));
grant select on public.polls to anon;
-- post_id is not insertable: a poll comes with its post (0331).

drop policy select_all on public.poll_votes;
create policy select_visible on public.poll_votes for select to authenticated
  using (exists (select from public.polls p where p.id = poll_votes.poll_id)); -- as far as polls' own policy goes

create function private.require_poll(p_title text, p_description text, p_options text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_title is null then
    raise exception 'Poll title is required' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(p_title) > 200 then
    raise exception 'A poll title has at most 200 characters' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(p_description) > 300 then
    raise exception 'A poll description has at most 300 characters' using errcode = '23514', constraint = 'polls_description_length';
  elsif p_options is null then
    raise exception 'options is a JSON list of texts' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(p_options) < 2 then
    raise exception 'At least 2 poll options are required' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(p_options) > 10 then
    raise exception 'A poll has at most 10 options' using errcode = '23514', constraint = 'polls_options_valid';
  elsif exists (select from unnest(p_options) o where length(o) > 100) then
    raise exception 'A poll option has at most 100 characters' using errcode = '23514', constraint = 'polls_options_valid';
  elsif (select count(distinct lower(o)) from unnest(p_options) o) < cardinality(p_options) then
    raise exception 'Poll options must differ from one another' using errcode = '23514', constraint = 'polls_options_valid';
  end if;
end;
$$;
comment on function private.require_poll is 'Holds the words of a poll, trimmed and without empty options, to ADM-31..ADM-33.';

create function private.require_poll_days(p_days numeric) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  -- Two hours either way: the client's clock, and a day that is an hour longer or shorter.
  if not exists (select from unnest(array[1, 3, 7, 14, 30]) d where abs(p_days - d) <= 2 / 24.0) or p_days is null then
    raise exception 'A poll runs for 1, 3, 7, 14 or 30 days' using errcode = '23514', constraint = 'polls_duration';
  end if;
end;
$$;
comment on function private.require_poll_days is 'Holds a poll to the lengths of ADM-34.';

-- As before (0104), in two parts that a scheduled post asks as well.
create or replace function private.receive_poll() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_options text[] := array_remove(private.poll_options(new.options), '');
begin
  new.title := private.trimmed(new.title);
  new.description := private.trimmed(new.description);
  perform private.require_poll(new.title, new.description, v_options);
  perform private.require_poll_days(extract(epoch from new.expires_at - new.created_at) / 86400);
  new.options := array_to_json(v_options)::text;
  return new;
end;
$$;

create or replace function private.require_open_poll() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_poll public.polls;
begin
  if new.user_id is null then
    raise exception 'Could not find your profile' using errcode = '42501'; -- ERR-01
  end if;
  select p.* into v_poll from public.polls p where p.id = new.poll_id for key share; -- as its foreign key would
  if v_poll.id is null or (v_poll.post_id is not null and not private.can_view_post(v_poll.post_id)) then
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
comment on function private.require_open_poll is 'A vote counts while the poll is active and not expired, for an option it has, from who sees it (NOTI-18, NOTI-19).';

-- As before (0104), yet the list is of what admins asked everybody (ADM-38), and a poll of a post is told to who sees the post.
-- Not granted to anon: visitors read the question with the post, and results name people.
create or replace function public.get_poll_results(
  for_poll_id uuid default null,
  page_size int default 20,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.poll_result
language sql stable security definer set search_path = ''
as $$
  with page as (
    select p.* from public.polls p
    where case
        when for_poll_id is null then p.post_id is null
        else p.id = for_poll_id and (p.post_id is null or private.can_view_post(p.post_id))
      end
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
