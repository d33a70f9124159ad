-- Up Migration
-- Posts that wait for their time (GEN-41). They wait in a table of their own, so that nothing that reads posts (feeds, counts, search,
-- the dashboard, live changes) has to remember that one may not be out yet. When the time comes it becomes a post by the same insert as
-- any other, dated then. Nobody has paid for it, so until then its author may change it.

-- What public.posts asks of a new post (0032), asked of a scheduled one as well.
create function private.require_publishable(
  p_creator uuid, p_content text, p_post_type text, p_media_urls text[], p_media_types text[], p_tier uuid, p_price numeric
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and p_creator is distinct from private.my_profile_id() then
    raise exception 'One posts as oneself only' using errcode = '42501';
  elsif not private.is_approved_creator(p_creator) then
    raise exception 'Only approved creators can publish posts' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif p_content !~ '\S' and cardinality(p_media_urls) = 0 then
    raise exception 'Please add some content or upload files' using errcode = '23514', constraint = 'posts_content_or_media';
  elsif cardinality(p_media_urls) <> cardinality(p_media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'posts_media_pairs';
  elsif p_post_type = 'subscription' and not exists (
    select from public.subscription_products t where t.id = p_tier and t.creator_id = p_creator and t.is_active
  ) then
    raise exception 'A subscription post needs one of your active subscription products' using errcode = '23514', constraint = 'posts_subscription_has_tier';
  elsif p_post_type = 'ppv' and coalesce(p_price < 1, true) then
    raise exception 'A pay-per-view post costs at least $1.00' using errcode = '23514', constraint = 'posts_ppv_price_range';
  end if;
  perform private.require_own_media(p_creator, p_media_urls, p_media_types);
end;
$$;
comment on function private.require_publishable is 'Approved creators, as themselves, with their own plan and files (GEN-41, D25, POST-21, POST-22, D26).';

-- As before (0032), with the questions in a function of their own.
create or replace function private.insert_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_post private.posts;
begin
  new.content := coalesce(new.content, '');
  new.media_urls := coalesce(new.media_urls, '{}');
  new.media_types := coalesce(new.media_types, '{}');
  new.post_type := coalesce(new.post_type, 'free');
  perform private.require_publishable(
    new.creator_id, new.content, new.post_type, new.media_urls, new.media_types, new.required_tier_id, new.ppv_price
  );
  insert into private.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, created_at)
  values (coalesce(new.id, gen_random_uuid()), new.creator_id, private.trimmed(new.title), new.content, new.post_type,
    new.media_urls, new.media_types, new.required_tier_id, new.ppv_price, coalesce(new.created_at, now()))
  returning * into v_post;
  select v.* into new from public.posts v where v.id = v_post.id;
  return new;
end;
$$;

create table public.scheduled_posts (
  id               uuid primary key default gen_random_uuid(),
  creator_id       uuid not null references private.profiles on delete cascade,
  title            text constraint scheduled_posts_title_length check (length(title) <= 150),
  content          text not null default '' constraint scheduled_posts_content_length check (length(content) <= 10000),
  post_type        text not null default 'free' constraint scheduled_posts_post_type_known check (post_type in ('free', 'subscription', 'ppv')),
  media_urls       text[] not null default '{}' constraint scheduled_posts_media_at_most_twenty check (cardinality(media_urls) <= 20),
  media_types      text[] not null default '{}' constraint scheduled_posts_media_types_known check (media_types <@ array['image', 'video']),
  required_tier_id uuid references public.subscription_products on delete set null,
  ppv_price        numeric(12, 2) constraint scheduled_posts_ppv_price_range check (ppv_price between 1.00 and 9999.99),
  poll             jsonb,
  publish_at       timestamptz not null default now(),
  failure          text,
  created_at       timestamptz not null default now(),
  constraint scheduled_posts_subscription_has_tier check (post_type = 'subscription' or required_tier_id is null),
  constraint scheduled_posts_ppv_has_price check ((post_type = 'ppv') = (ppv_price is not null))
);
comment on table public.scheduled_posts is 'Posts before their time: their author''s and admins'' to see, nobody else''s. With its publication a row becomes a post of the same id.';
comment on column public.scheduled_posts.creator_id is 'The author''s profiles.id.';
comment on column public.scheduled_posts.media_urls is 'Paths in bucket posts. Files of no post are their owner''s alone.';
comment on column public.scheduled_posts.required_tier_id is 'The plan chosen as audience; null when it is gone, and then the post is not published.';
comment on column public.scheduled_posts.poll is 'What the post asks, {title, options: list of texts, days: 1, 3, 7, 14 or 30}; null when it asks nothing.';
comment on column public.scheduled_posts.publish_at is 'A job publishes within a minute after this time. Default: now, which publishes at once.';
comment on column public.scheduled_posts.failure is 'Why it could not be published when its time came; a change of the post takes it away, and it is tried again.';
create index scheduled_posts_creator_id_idx on public.scheduled_posts (creator_id, publish_at, id); -- the dashboard's list
create index scheduled_posts_due_idx on public.scheduled_posts (publish_at) where failure is null;
create index scheduled_posts_required_tier_id_idx on public.scheduled_posts (required_tier_id) where required_tier_id is not null;

create function private.receive_scheduled_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_options text[];
begin
  new.title := private.trimmed(new.title);
  perform private.require_publishable(
    new.creator_id, new.content, new.post_type, new.media_urls, new.media_types, new.required_tier_id, new.ppv_price
  );
  if new.publish_at > now() + interval '1 year' then
    raise exception 'A post is scheduled up to a year ahead' using errcode = '23514', constraint = 'scheduled_posts_within_a_year';
  elsif new.publish_at < now() - interval '1 minute' and (tg_op = 'INSERT' or new.publish_at <> old.publish_at) then
    raise exception 'Choose a time that is still to come' using errcode = '23514', constraint = 'scheduled_posts_to_come';
  end if;
  if new.poll is not null then
    v_options := array_remove(private.poll_options((new.poll -> 'options')::text), '');
    new.poll := jsonb_build_object('title', private.trimmed(new.poll ->> 'title'), 'options', v_options, 'days', new.poll -> 'days');
    perform private.require_poll(new.poll ->> 'title', null, v_options);
    perform private.require_poll_days(case jsonb_typeof(new.poll -> 'days') when 'number' then (new.poll ->> 'days')::numeric end);
  end if;
  new.failure := null;
  return new;
end;
$$;
comment on function private.receive_scheduled_post is 'Holds a scheduled post to what a post is held to, so that its author hears of it now and not when its time has come.';
create trigger scheduled_posts_receive before insert or update of title, content, publish_at on public.scheduled_posts
  for each row execute function private.receive_scheduled_post();

-- Files that no post took up go with the row.
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
comment on function private.remove_scheduled_files is 'Trigger of scheduled_posts: no orphan stays.';
create trigger scheduled_posts_remove_files after delete on public.scheduled_posts
  for each row when (old.media_urls <> '{}') execute function private.remove_scheduled_files();

alter table public.scheduled_posts enable row level security;
create policy select_own on public.scheduled_posts for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.scheduled_posts for insert to authenticated with check (creator_id = (select private.my_profile_id()));
create policy update_own on public.scheduled_posts for update to authenticated using (creator_id = (select private.my_profile_id()));
create policy delete_own on public.scheduled_posts for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select, delete on public.scheduled_posts to authenticated;
grant insert (creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, poll, publish_at) on public.scheduled_posts to authenticated;
grant update (title, content, publish_at) on public.scheduled_posts to authenticated;
-- Audience, price, files and question are not updatable: who wants others schedules another post. failure is the server's word.

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
comment on function private.publish is 'Makes a scheduled post a post, with its poll. @returns its id.';

create function private.publish_at_once() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish(new);
  return null;
end;
$$;
comment on function private.publish_at_once is 'Trigger of scheduled_posts: what is scheduled for now is published now, so that a post and what it asks are made in one request.';
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
    raise sqlstate 'PT404' using message = 'This post is not scheduled (any more)';
  end if;
  return private.publish(v_scheduled);
end;
$$;
comment on function public.publish_scheduled_post is 'Publishes one of the caller''s scheduled posts now. Returns the id of the post, which is the same.';
grant execute on function public.publish_scheduled_post(uuid) to authenticated;

-- What a rule refuses is told to the author and not tried again as it is; whatever else goes wrong is the job's to try again.
create function private.publish_due_post(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_scheduled public.scheduled_posts;
begin
  select s.* into v_scheduled from public.scheduled_posts s
  where s.id = p_id and s.publish_at <= now() and s.failure is null for update skip locked;
  if v_scheduled.id is null then
    return false; -- published, put off or deleted meanwhile
  end if;
  perform private.publish(v_scheduled);
  return true;
exception when insufficient_privilege or integrity_constraint_violation or sqlstate 'PT403' or sqlstate 'PT422' then
  update public.scheduled_posts s set failure = sqlerrm where s.id = p_id;
  perform private.notify(v_scheduled.creator_id, 'other', 'A scheduled post was not published',
    coalesce('"' || v_scheduled.title || '": ', '') || sqlerrm || '. Your dashboard keeps it under Content.');
  return false;
end;
$$;
comment on function private.publish_due_post is 'Publishes a scheduled post whose time has come. False when it is not due, or when a rule refuses it, which its author is told.';
revoke execute on function private.publish_due_post(uuid) from public;
grant execute on function private.publish_due_post(uuid) to service_role;
