-- Up Migration

-- security definer: the check constraint runs it as the inserting role, which can't execute private.trimmed.
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
comment on function private.poll_options is 'The options as a list of texts; null when they aren''t a JSON list of texts.';

-- Polls of admins for all users (DATA-27, DATA-28, NOTI-16..NOTI-21, ADM-30..ADM-34, ADM-38, ADM-39), and polls of posts. Only viewers who see
-- the post in full can see and answer its poll, because the poll is part of what they paid for (POST-46).
create table public.polls (
  id          uuid primary key default gen_random_uuid(),
  title       text not null constraint polls_title_length check (title ~ '\S' and length(title) <= 200),
  description text constraint polls_description_length check (length(description) <= 300),
  options     text not null,
  expires_at  timestamptz not null default now() + interval '7 days',
  is_active   boolean not null default true,
  created_at  timestamptz not null default now(),
  post_id uuid unique references private.posts on delete cascade,
  constraint polls_options_valid check (
  coalesce(cardinality(private.poll_options(options)) between 2 and 10, false)
  and length(array_to_string(private.poll_options(options), '')) <= 1000
)
);
comment on table public.polls is 'Polls of admins for all users, and of creators in posts. A poll never changes; an admin can close it early.';
comment on column public.polls.options is 'A JSON list of 2 to 10 different texts, kept as text (NOTI-16).';
comment on column public.polls.is_active is 'False closes the poll early.';
comment on column public.polls.post_id is 'The post that the poll belongs to; null for an admin''s poll for all users.';
alter table public.polls enable row level security;
grant select on public.polls to anon;

alter table public.notifications add constraint notifications_poll_id_fkey
  foreign key (poll_id) references public.polls on delete set null;
create index polls_created_at_idx on public.polls (created_at desc, id desc); -- API-REST-37
grant execute on function private.poll_options(text) to authenticated;

-- The same limits as in the form, with its messages. Empty options are dropped, because ADM-31 counts only the others.
create function private.receive_poll() returns trigger
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
comment on function private.receive_poll is 'Trigger of polls: trims a new poll and checks it (ADM-30..ADM-34).';
create trigger polls_receive before insert on public.polls for each row execute function private.receive_poll();
create table public.poll_votes (
  id           uuid primary key default gen_random_uuid(),
  poll_id      uuid not null references public.polls on delete cascade,
  user_id      uuid not null references private.profiles on delete cascade,
  option_index int not null check (option_index >= 0),
  created_at   timestamptz not null default now(),
  constraint poll_votes_one_per_voter unique (poll_id, user_id)
);
comment on table public.poll_votes is 'Votes. A vote is final: it can''t be changed or deleted.';
comment on column public.poll_votes.user_id is 'The voter''s profiles.id, not auth.users.id (DATA-28).';
comment on column public.poll_votes.option_index is 'Zero-based position in polls.options.';
alter table public.poll_votes enable row level security;
create index poll_votes_user_id_idx on public.poll_votes (user_id); -- the cascade from profiles
create index poll_votes_option_idx on public.poll_votes (poll_id, option_index, created_at desc); -- counts and recent voters (ADM-39)

-- Runs before the policy is checked, so that the voter gets a specific error. security definer: whether a poll accepts votes doesn't depend on
-- what the voter can read of it.
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
  if v_poll.id is null or (v_poll.post_id is not null and not private.can_view_post(v_poll.post_id)) then
    raise sqlstate 'PT404' using message = 'Poll not found';
  elsif not v_poll.is_active then
    raise sqlstate 'PT409' using message = 'Poll is closed', hint = 'An admin has closed it.';
  elsif v_poll.expires_at <= now() then
    raise sqlstate 'PT409' using message = 'Poll is closed', hint = 'It ended at expires_at.';
  elsif coalesce(new.option_index, -1) not between 0 and jsonb_array_length(v_poll.options::jsonb) - 1 then
    raise exception 'This poll doesn''t have that option' using errcode = '23514', constraint = 'poll_votes_option_exists';
  end if;
  return new;
end;
$$;
comment on function private.require_open_poll is 'Trigger of poll_votes: a vote needs an open poll that the voter can see, and one of its options (NOTI-18, NOTI-19).';
create trigger poll_votes_require_open_poll before insert on public.poll_votes for each row execute function private.require_open_poll();
create policy insert_admin on public.polls for insert to authenticated with check ((select private.is_admin()));
create policy update_admin on public.polls for update to authenticated using ((select private.is_admin()));
grant select, insert (title, description, options, expires_at), update (is_active) on public.polls to authenticated;
create policy insert_own on public.poll_votes for insert to authenticated with check (user_id = (select private.my_profile_id()));

-- user_id is insertable because clients send it (API-REST-40); insert_own limits it to the caller.
-- update and delete are not granted: a vote is final.
grant select, insert (poll_id, user_id, option_index) on public.poll_votes to authenticated;
create index notifications_poll_id_idx on public.notifications (poll_id) where poll_id is not null;
create type public.poll_result as (
  id uuid,
  title text,
  description text,
  options text,
  expires_at timestamptz,
  is_active boolean,
  created_at timestamptz,
  total_votes integer,
  my_option integer,
  results jsonb
);
comment on type public.poll_result is 'A poll with its results so far (ADM-38).';
comment on column public.poll_result.id is 'polls.id. Never null.';
comment on column public.poll_result.title is 'Never null.';
comment on column public.poll_result.options is 'JSON text, as in polls. Never null.';
comment on column public.poll_result.expires_at is 'Never null.';
comment on column public.poll_result.is_active is 'Never null.';
comment on column public.poll_result.created_at is 'Never null.';
comment on column public.poll_result.total_votes is 'Never null.';
comment on column public.poll_result.my_option is 'The option that the caller voted for; null if they haven''t voted.';
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
comment on function public.get_poll_results is
  'Polls with results and recent voters, newest first, or the poll for_poll_id (ADM-38, ADM-39). For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_poll_results(uuid, int, timestamptz, uuid) to authenticated;

-- Open screens get new votes and the early end of a poll (API-RT-03).
alter publication ovation_realtime add table public.poll_votes, public.polls;

create policy select_visible on public.polls for select to authenticated using (post_id is null or private.can_view_post(post_id));

-- Visitors see the polls of posts (D35), but not the polls for all users.
create policy select_of_post on public.polls for select to anon using (private.can_view_post(post_id));
create policy select_visible on public.poll_votes for select to authenticated
  using (exists (select from public.polls p where p.id = poll_votes.poll_id)); -- those of visible polls
create function private.require_poll(p_title text, p_description text, p_options text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_title is null then
    raise exception 'Poll title is required' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(p_title) > 200 then
    raise exception 'A poll title can have up to 200 characters' using errcode = '23514', constraint = 'polls_title_length';
  elsif length(p_description) > 300 then
    raise exception 'A poll description can have up to 300 characters' using errcode = '23514', constraint = 'polls_description_length';
  elsif p_options is null then
    raise exception 'options must be a JSON list of texts' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(p_options) < 2 then
    raise exception 'At least 2 poll options are required' using errcode = '23514', constraint = 'polls_options_valid';
  elsif cardinality(p_options) > 10 then
    raise exception 'A poll can have up to 10 options' using errcode = '23514', constraint = 'polls_options_valid';
  elsif exists (select from unnest(p_options) o where length(o) > 100) then
    raise exception 'A poll option can have up to 100 characters' using errcode = '23514', constraint = 'polls_options_valid';
  elsif (select count(distinct lower(o)) from unnest(p_options) o) < cardinality(p_options) then
    raise exception 'Poll options must be different' using errcode = '23514', constraint = 'polls_options_valid';
  end if;
end;
$$;
comment on function private.require_poll is 'Checks the texts of a poll, trimmed and without empty options (ADM-31..ADM-33).';
create function private.require_poll_days(p_days numeric) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  -- Two hours of tolerance, for the client's clock and for days that are an hour longer or shorter.
  if not exists (select from unnest(array[1, 3, 7, 14, 30]) d where abs(p_days - d) <= 2 / 24.0) or p_days is null then
    raise exception 'A poll can run for 1, 3, 7, 14, or 30 days' using errcode = '23514', constraint = 'polls_duration';
  end if;
end;
$$;
comment on function private.require_poll_days is 'Checks the duration of a poll (ADM-34).';

create function private.require_publishable(p_creator uuid, p_content text, p_post_type text, p_media_urls text[], p_media_types text[], p_tier uuid, p_price integer)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and p_creator is distinct from private.my_profile_id() then
    raise exception 'You can only post as yourself' using errcode = '42501';
  elsif not private.is_approved_creator(p_creator) then
    raise exception 'Only approved creators can publish posts' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif p_content !~ '\S' and cardinality(p_media_urls) = 0 then
    raise exception 'Please add some content or upload files' using errcode = '23514', constraint = 'posts_content_or_media';
  elsif cardinality(p_media_urls) <> cardinality(p_media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'posts_media_pairs';
  elsif p_post_type = 'subscription' and not exists (
    select from public.subscription_products t where t.id = p_tier and t.creator_id = p_creator and t.is_active
  ) then
    raise exception 'Choose one of your active plans for a subscription post' using errcode = '23514', constraint = 'posts_subscription_has_tier';
  elsif p_post_type = 'ppv' and coalesce(p_price < 100, true) then
    raise exception 'A pay-per-view post must cost at least $1.00' using errcode = '23514', constraint = 'posts_ppv_price_range';
  end if;
  perform private.require_own_media(p_creator, p_media_urls, p_media_types);
end;
$$;
comment on function private.require_publishable(uuid,text,text,text[],text[],uuid,integer) is 'Checks a post: approved creators post as themselves, with their own plan and files (GEN-41, D25, POST-21, POST-22, D26).';
grant execute on function private.require_publishable(uuid,text,text,text[],text[],uuid,integer) to service_role;
create table public.scheduled_posts (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  title            text constraint scheduled_posts_title_length check (length(title) <= 150),
  content          text not null default '' constraint scheduled_posts_content_length check (length(content) <= 10000),
  post_type        text not null default 'free' constraint scheduled_posts_post_type_known check (post_type in ('free', 'subscription', 'ppv')),
  media_urls       text[] not null default '{}' constraint scheduled_posts_media_at_most_twenty check (cardinality(media_urls) <= 20),
  media_types      text[] not null default '{}' constraint scheduled_posts_media_types_known check (media_types <@ array['image', 'video']),
  required_tier_id uuid references public.subscription_products on delete set null,
  ppv_price        integer,
  poll             jsonb,
  publish_at       timestamptz not null default now(),
  failure          text,
  created_at       timestamptz not null default now(),
  constraint scheduled_posts_subscription_has_tier check (post_type = 'subscription' or required_tier_id is null),
  constraint scheduled_posts_ppv_has_price check ((post_type = 'ppv') = (ppv_price is not null)),
  constraint scheduled_posts_ppv_price_range check (ppv_price between 100 and 999999)
);
comment on table public.scheduled_posts is 'Posts that will be published later, visible only to their author and admins. Publishing turns the row into a post with the same id.';
comment on column public.scheduled_posts.creator_id is 'The author''s profiles.id.';
comment on column public.scheduled_posts.media_urls is 'Paths in bucket posts. Until the post is published, only the owner can read the files.';
comment on column public.scheduled_posts.required_tier_id is 'The plan chosen as audience; null when it was deleted, and then the post can''t be published.';
comment on column public.scheduled_posts.poll is 'The poll of the post, {title, options: list of texts, days: 1, 3, 7, 14, or 30}; null for none.';
comment on column public.scheduled_posts.publish_at is 'A job publishes the post within a minute after this time. The default, now, publishes it immediately.';
comment on column public.scheduled_posts.failure is 'Why the post couldn''t be published. Editing the post clears it, and publishing is tried again.';
comment on column public.scheduled_posts.ppv_price is 'The price of a pay-per-view post, in cents; null for other posts.';
alter table public.scheduled_posts enable row level security;
create index scheduled_posts_creator_id_idx on public.scheduled_posts (creator_id, publish_at, id); -- the dashboard's list
create index scheduled_posts_due_idx on public.scheduled_posts (publish_at) where failure is null;
create index scheduled_posts_required_tier_id_idx on public.scheduled_posts (required_tier_id) where required_tier_id is not null;

-- poll.days is rounded, because clients may send 3.02 for the sake of their clocks (ADM-34), and private.publish needs an integer.
create function private.receive_scheduled_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_options text[];
  v_days numeric;
begin
  new.title := private.trimmed(new.title);
  perform private.require_publishable(
    new.creator_id, new.content, new.post_type, new.media_urls, new.media_types, new.required_tier_id, new.ppv_price
  );
  if new.publish_at > now() + interval '1 year' then
    raise exception 'A post can be scheduled up to a year ahead' using errcode = '23514', constraint = 'scheduled_posts_within_a_year';
  elsif new.publish_at < now() - interval '1 minute' and (tg_op = 'INSERT' or new.publish_at <> old.publish_at) then
    raise exception 'Choose a time in the future' using errcode = '23514', constraint = 'scheduled_posts_to_come';
  end if;
  if new.poll is not null then
    v_options := array_remove(private.poll_options((new.poll -> 'options')::text), '');
    v_days := case jsonb_typeof(new.poll -> 'days') when 'number' then (new.poll ->> 'days')::numeric end;
    perform private.require_poll(private.trimmed(new.poll ->> 'title'), null, v_options);
    perform private.require_poll_days(v_days);
    new.poll := jsonb_build_object('title', private.trimmed(new.poll ->> 'title'), 'options', v_options, 'days', round(v_days)::int);
  end if;
  new.failure := null;
  return new;
end;
$$;
comment on function private.receive_scheduled_post is 'Trigger of scheduled_posts: checks it like a post, so that the author learns of an error now and not when it is published.';
create trigger scheduled_posts_receive before insert or update of title, content, publish_at on public.scheduled_posts
  for each row execute function private.receive_scheduled_post();

-- Files that didn't become part of a post are deleted with the row.
create function private.remove_scheduled_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o
    where o.bucket_id = 'posts' and o.name = any (old.media_urls)
      and not exists (select from private.post_media m where m.path = o.name)
      and not exists (select from public.scheduled_posts s where s.creator_id = old.creator_id and o.name = any (s.media_urls))
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_scheduled_files is 'Trigger of scheduled_posts: deletes files that no post uses.';
create trigger scheduled_posts_remove_files after delete on public.scheduled_posts
  for each row when (old.media_urls <> '{}') execute function private.remove_scheduled_files();
create policy select_own on public.scheduled_posts for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.scheduled_posts for insert to authenticated with check (creator_id = (select private.my_profile_id()));
create policy update_own on public.scheduled_posts for update to authenticated using (creator_id = (select private.my_profile_id()));
create policy delete_own on public.scheduled_posts for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select, delete on public.scheduled_posts to authenticated;
grant insert (creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, poll, publish_at) on public.scheduled_posts to authenticated;
grant update (title, content, publish_at) on public.scheduled_posts to authenticated;

-- Audience, price, files, and poll are not updatable: the author schedules another post instead. Only the server writes failure.
create function private.publish(p_scheduled public.scheduled_posts) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price)
  values (p_scheduled.id, p_scheduled.creator_id, p_scheduled.title, p_scheduled.content, p_scheduled.post_type,
    p_scheduled.media_urls, p_scheduled.media_types, p_scheduled.required_tier_id, p_scheduled.ppv_price);
  if p_scheduled.poll is not null then
    insert into public.polls (post_id, title, options, expires_at)
    values (p_scheduled.id, p_scheduled.poll ->> 'title', p_scheduled.poll ->> 'options', now() + (p_scheduled.poll ->> 'days')::int * interval '1 day');
  end if;
  delete from public.scheduled_posts s where s.id = p_scheduled.id;
  return p_scheduled.id;
end;
$$;
comment on function private.publish is 'Turns a scheduled post into a post, with its poll. Returns its id.';
create function private.publish_at_once() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish(new);
  return null;
end;
$$;
comment on function private.publish_at_once is 'Trigger of scheduled_posts: publishes a post that is scheduled for now, so that one request creates a post and its poll.';
create trigger scheduled_posts_publish after insert on public.scheduled_posts
  for each row when (new.publish_at <= now()) execute function private.publish_at_once();
create function public.publish_scheduled_post(scheduled_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_scheduled public.scheduled_posts;
begin
  select s.* into v_scheduled from public.scheduled_posts s
  where s.id = scheduled_id and s.creator_id = private.my_profile_id() for update;
  if v_scheduled.id is null then
    raise sqlstate 'PT404' using message = 'This post isn''t scheduled, or it has been published';
  end if;
  return private.publish(v_scheduled);
end;
$$;
comment on function public.publish_scheduled_post is 'Publishes one of the caller''s scheduled posts now. Returns the id, which stays the same.';
grant execute on function public.publish_scheduled_post(uuid) to authenticated;

-- An error raised by a rule is stored and sent to the author, and publishing isn't retried. The job retries after any other error.
create function private.publish_due_post(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_scheduled public.scheduled_posts;
begin
  select s.* into v_scheduled from public.scheduled_posts s
  where s.id = p_id and s.publish_at <= now() and s.failure is null for update skip locked;
  if v_scheduled.id is null then
    return false; -- published, postponed, or deleted in the meantime
  end if;
  perform private.publish(v_scheduled);
  return true;
exception when insufficient_privilege or integrity_constraint_violation or sqlstate 'PT403' or sqlstate 'PT422' then
  update public.scheduled_posts s set failure = sqlerrm where s.id = p_id;
  perform private.notify(v_scheduled.creator_id, 'other', 'A scheduled post wasn''t published',
    coalesce('"' || v_scheduled.title || '": ', '') || sqlerrm || '. You can find it in your dashboard under Content.');
  return false;
end;
$$;
comment on function private.publish_due_post is 'Publishes a scheduled post that is due. False when it isn''t due, or when a rule rejects it; then its author is notified.';
revoke execute on function private.publish_due_post(uuid) from public;
grant execute on function private.publish_due_post(uuid) to service_role;
