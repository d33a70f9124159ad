-- Up Migration

-- Tags and mentions in posts and comments (TALK-01), replies, likes, and pins of comments, who may comment (TALK-02), and comments that are held
-- for review (TALK-03).

-- The names in a text. contract/text-names.ts finds the same ones for the screens; a test compares the two.
-- immutable, although it names a collation: that of PostgreSQL itself, whose rules change only with its version.
create function private.name_key(name text) returns text
language sql immutable set search_path = ''
as $$
  select left(lower(normalize(ltrim(btrim(name), '#@'), nfc) collate "pg_c_utf8"), 50);
$$;
comment on function private.name_key is 'A tag or username as it is compared: lowercase, without its sign, at most 50 characters.';

create function private.names_in(p_text text, p_sign text) returns text[]
language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(n.name order by n.place), '{}')
  from (
    select private.name_key(f.found[1]) as name, min(w.place * 10000 + f.place) as place
    from regexp_matches(normalize(p_text, nfc) collate "pg_c_utf8", '\S+', 'g') with ordinality w (word, place)
    cross join lateral regexp_matches(
      w.word[1] collate "pg_c_utf8",
      case p_sign when '#' then '(?<![\w/&#@])#(\w{1,50})(?!\w)' else '(?<![\w/&#@])@([A-Za-z0-9_-]{2,29}[A-Za-z0-9_])(?![\w@])' end, 'g'
    ) with ordinality f (found, place)
    -- Nothing within a URL is a name, and a number isn't a tag.
    where w.word[1] !~* '://|www\.|\w\.\w{2,}/' and (p_sign <> '#' or f.found[1] collate "pg_c_utf8" ~ '[^0-9_]')
    group by 1
    order by 2
    limit case p_sign when '#' then 20 else 10 end
  ) n;
$$;
comment on function private.names_in is 'The first 20 tags (p_sign #) or 10 usernames (p_sign @) of a text, in order and once each. Never null.';

create table private.post_tags (
  tag        text collate "C" not null constraint post_tags_tag_length check (length(tag) between 1 and 50),
  created_at timestamptz not null,
  post_id    uuid not null references private.posts on delete cascade,
  creator_id uuid not null,
  in_preview boolean not null,
  is_open    boolean not null,
  primary key (tag, created_at, post_id)
);
comment on table private.post_tags is 'The tags of posts. Maintained from posts.content; public.get_tagged_posts decides who finds a post by them.';
comment on column private.post_tags.created_at is 'That of the post, for the order of a tag''s page.';
comment on column private.post_tags.creator_id is 'The post''s creator. No foreign key: the post has one, and takes its tags along.';
comment on column private.post_tags.in_preview is 'Whether the tag is in the first 100 characters, which are shown while the post is locked.';
comment on column private.post_tags.is_open is 'Whether the tag can be read without subscribing or buying. Only such tags are suggested.';
alter table private.post_tags enable row level security;
create index post_tags_post_id_idx on private.post_tags (post_id);
create index post_tags_newest_idx on private.post_tags (created_at desc) include (tag, creator_id) where is_open; -- suggestions

create table private.comment_tags (
  tag        text collate "C" not null constraint comment_tags_tag_length check (length(tag) between 1 and 50),
  created_at timestamptz not null,
  comment_id uuid not null references public.comments on delete cascade,
  primary key (tag, created_at, comment_id)
);
comment on table private.comment_tags is 'The tags of comments. public.get_tagged_comments decides who finds a comment by them.';
comment on column private.comment_tags.created_at is 'That of the comment, for the order of a tag''s page.';
alter table private.comment_tags enable row level security;
create index comment_tags_comment_id_idx on private.comment_tags (comment_id);

create table private.mentions (
  user_id    uuid not null references private.profiles on delete cascade,
  text_id    uuid not null,
  post_id    uuid not null references private.posts on delete cascade,
  comment_id uuid references public.comments on delete cascade,
  actor_id   uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, text_id)
);
comment on table private.mentions is 'Whom a text has notified of a mention. A row stays when the text loses the mention, so that an edit never notifies twice.';
comment on column private.mentions.user_id is 'The mentioned user''s profiles.id.';
comment on column private.mentions.text_id is 'The comment''s id, or the post''s.';
comment on column private.mentions.post_id is 'The post, or that of the comment.';
comment on column private.mentions.actor_id is 'The author''s profiles.id.';
alter table private.mentions enable row level security;
create index mentions_text_id_idx on private.mentions (text_id);
create index mentions_post_id_idx on private.mentions (post_id, user_id);
create index mentions_comment_id_idx on private.mentions (comment_id) where comment_id is not null;
create index mentions_actor_id_idx on private.mentions (actor_id);

-- Who may comment.
create table public.comment_settings (
  creator_id    uuid primary key references private.profiles on delete cascade,
  commenters    text not null default 'everyone'
    constraint comment_settings_commenters_known check (commenters in ('everyone', 'followers', 'subscribers', 'plan', 'nobody')),
  plan_id       uuid references public.subscription_products on delete set null,
  blocked_words text[] not null default '{}',
  blocked_keys  text[] not null default '{}',
  updated_at    timestamptz not null default now(),
  constraint comment_settings_plan check (plan_id is null or commenters = 'plan'),
  constraint comment_settings_blocked_words check (cardinality(blocked_words) <= 200)
);
comment on table public.comment_settings is 'Each creator''s rules for comments. Without a row, everyone who can see a post may comment, and no word is blocked.';
comment on column public.comment_settings.creator_id is 'profiles.id of the creator.';
comment on column public.comment_settings.commenters is 'Who may comment on posts without a rule of their own: everyone, followers, subscribers, plan, or nobody.';
comment on column public.comment_settings.plan_id is 'The plan whose subscribers may comment, like those of more expensive ones. Null for the other rules, and when the plan is gone: then nobody may.';
comment on column public.comment_settings.blocked_words is 'Words and phrases, as the creator wrote them, that hold a comment back for review.';
comment on column public.comment_settings.blocked_keys is 'blocked_words as they are compared (private.words_of). Maintained by the server.';
create index comment_settings_plan_id_idx on public.comment_settings (plan_id) where plan_id is not null;
create trigger comment_settings_touch before update on public.comment_settings for each row execute function private.touch_updated_at();

alter table private.posts
  add column commenters text constraint posts_commenters_known check (commenters in ('everyone', 'followers', 'subscribers', 'plan', 'nobody')),
  add column commenters_plan_id uuid references public.subscription_products on delete set null,
  add constraint posts_commenters_plan check (commenters_plan_id is null or commenters = 'plan');
comment on column private.posts.commenters is 'Who may comment, as in comment_settings; null for the creator''s default.';
comment on column private.posts.commenters_plan_id is 'The plan of the rule plan, as in comment_settings.';
create index posts_commenters_plan_id_idx on private.posts (commenters_plan_id) where commenters_plan_id is not null;

alter table public.scheduled_posts
  add column commenters text
    constraint scheduled_posts_commenters_known check (commenters in ('everyone', 'followers', 'subscribers', 'plan', 'nobody')),
  add column commenters_plan_id uuid references public.subscription_products on delete set null,
  add constraint scheduled_posts_commenters_plan check (commenters_plan_id is null or commenters = 'plan');
comment on column public.scheduled_posts.commenters is 'Who may comment on the post; null for the creator''s default.';
comment on column public.scheduled_posts.commenters_plan_id is 'The plan of the rule plan.';
create index scheduled_posts_commenters_plan_id_idx on public.scheduled_posts (commenters_plan_id) where commenters_plan_id is not null;

alter table public.comments
  add column parent_id uuid references public.comments on delete cascade,
  add column likes_count int not null default 0 constraint comments_likes_count_check check (likes_count >= 0),
  add column is_pinned boolean not null default false,
  add column is_held boolean not null default false,
  add constraint comments_pinned_is_shown check (not is_pinned or (parent_id is null and not is_held));
comment on column public.comments.parent_id is 'The comment that this one replies to; null for a comment on the post. A reply has no replies.';
comment on column public.comments.likes_count is 'Maintained by comment_likes.';
comment on column public.comments.is_pinned is 'Shown first. One for each post, by its creator.';
comment on column public.comments.is_held is 'Waits for the creator''s review, because it has one of their blocked words. Only the author, the creator, and admins see it, and it isn''t counted.';
create unique index comments_one_pin on public.comments (post_id) where is_pinned;
create index comments_parent_id_idx on public.comments (parent_id, created_at, id) where parent_id is not null;
-- The three orders of a post's comments, each after the pinned one.
create index comments_newest_idx on public.comments (post_id, is_pinned desc, created_at desc, id desc) where parent_id is null;
create index comments_oldest_idx on public.comments (post_id, is_pinned desc, created_at, id) where parent_id is null;
create index comments_liked_idx on public.comments (post_id, is_pinned desc, likes_count desc, created_at desc, id desc) where parent_id is null;
create index comments_held_idx on public.comments (created_at desc, id desc) include (post_id) where is_held;
-- Also the limit of comments for each minute.
create index comments_user_id_created_at_idx on public.comments (user_id, created_at desc);
-- Contract: comments_user_id_idx is the beginning of the new index.
drop index public.comments_user_id_idx;

create table public.comment_likes (
  comment_id uuid not null references public.comments on delete cascade,
  user_id    uuid not null references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint comment_likes_once primary key (comment_id, user_id)
);
comment on table public.comment_likes is 'Likes of comments. Their number is comments.likes_count; users see only their own rows.';
comment on column public.comment_likes.user_id is 'The profiles.id of the user who likes the comment.';
create index comment_likes_user_id_idx on public.comment_likes (user_id, created_at desc);

-- Tags.
create function private.keep_post_tags() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.post_tags t where t.post_id = new.id;
  insert into private.post_tags (tag, created_at, post_id, creator_id, in_preview, is_open)
  select t.tag, new.created_at, new.id, new.creator_id, t.in_preview, t.in_preview or new.post_type = 'free'
  from (
    select n.tag, n.tag = any (private.names_in(left(new.content, 100), '#')) as in_preview
    from unnest(private.names_in(new.content, '#')) n (tag)
  ) t;
  return null;
end;
$$;
comment on function private.keep_post_tags is 'Trigger of posts: maintains post_tags.';
create trigger posts_tags after insert on private.posts
  for each row when (new.content like '%#%') execute function private.keep_post_tags();
create trigger posts_change_tags after update of content on private.posts
  for each row when (old.content <> new.content and (old.content like '%#%' or new.content like '%#%')) execute function private.keep_post_tags();

create function private.keep_comment_tags() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.comment_tags (tag, created_at, comment_id)
  select t.tag, new.created_at, new.id from unnest(private.names_in(new.content, '#')) t (tag);
  return null;
end;
$$;
comment on function private.keep_comment_tags is 'Trigger of comments: keeps the tags of a comment, which never changes.';
create trigger comments_tags after insert on public.comments
  for each row when (new.content like '%#%') execute function private.keep_comment_tags();

insert into private.post_tags (tag, created_at, post_id, creator_id, in_preview, is_open)
select t.tag, p.created_at, p.id, p.creator_id, t.in_preview, t.in_preview or p.post_type = 'free'
from private.posts p
cross join lateral (
  select n.tag, n.tag = any (private.names_in(left(p.content, 100), '#')) as in_preview from unnest(private.names_in(p.content, '#')) n (tag)
) t
where p.content like '%#%';
insert into private.comment_tags (tag, created_at, comment_id)
select t.tag, c.created_at, c.id from public.comments c cross join lateral unnest(private.names_in(c.content, '#')) t (tag) where c.content like '%#%';

create function public.get_tagged_posts(tag text, page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.posts
language plpgsql stable security definer set search_path = '' rows 20
as $$
declare
  v_tag text := private.name_key(tag);
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  -- In order, and only until the page is full of posts that the viewer may see.
  return query
    select v.*
    from (
      select t.post_id, t.created_at, t.in_preview from private.post_tags t
      where t.tag = v_tag and (t.created_at, t.post_id) < (v_before, v_before_id)
      order by t.created_at desc, t.post_id desc
      limit 5000
    ) f
    cross join lateral (select p.* from public.posts p where p.id = f.post_id offset 0) v
    where f.in_preview or not v.is_locked
    order by f.created_at desc, f.post_id desc
    limit v_size;
end;
$$;
comment on function public.get_tagged_posts is 'The posts with this tag that the caller may see, newest first (TALK-01). A locked post counts only if the tag is in the text that it shows. Considers 5,000 posts. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_tagged_posts to anon, authenticated;

create type public.tag_suggestion as (tag text, posts int);
comment on type public.tag_suggestion is 'A tag to choose while typing (TALK-01). No column is null.';
comment on column public.tag_suggestion.posts is 'How many posts show the tag to everyone. At most 1,000, which stands for 1,000 or more.';

create function public.suggest_tags(search text) returns setof public.tag_suggestion
language sql stable security definer set search_path = '' rows 8
as $$
  with recursive wanted as (
    select private.name_key(search) as prefix
  ), recent as (
    select n.tag from (select t.tag, t.creator_id from private.post_tags t where t.is_open order by t.created_at desc limit 1000) n
    where starts_with(n.tag, (select w.prefix from wanted w))
      and not exists (select from private.profiles c where c.id = n.creator_id and (c.is_private or c.suspended_at is not null))
    group by n.tag order by count(*) desc, n.tag limit 8
  ), known (tag, place) as ( -- from one tag to the next along the index, however many posts each has
    select (select t.tag from private.post_tags t where t.tag >= w.prefix and t.is_open order by t.tag limit 1), 1 from wanted w
    union all
    select (select t.tag from private.post_tags t where t.tag > k.tag and t.is_open order by t.tag limit 1), k.place + 1
    from known k where k.place < 20 and starts_with(k.tag, (select w.prefix from wanted w))
  )
  select f.tag, u.posts
  from (
    select r.tag from recent r
    union
    select k.tag from known k where starts_with(k.tag, (select w.prefix from wanted w))
  ) f
  cross join lateral (
    select count(*)::int as posts
    from (
      select from private.post_tags t
      join private.profiles c on c.id = t.creator_id and not c.is_private and c.suspended_at is null
      where t.tag = f.tag and t.is_open limit 1000
    ) counted
  ) u
  where u.posts > 0
  order by u.posts desc, f.tag
  limit 8;
$$;
comment on function public.suggest_tags is 'Up to eight tags that begin with the search: those of the newest posts, and the first ones in alphabetical order (TALK-01). Only tags that everyone can read.';
grant execute on function public.suggest_tags to authenticated;

-- Who may see and write comments.
create function private.is_own_post(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.posts p where p.id = p_post and p.creator_id = private.my_profile_id());
$$;
comment on function private.is_own_post is 'Whether the caller is the creator of the post.';
grant execute on function private.is_own_post to anon, authenticated;

create function private.sees_comment(p_post uuid, p_author uuid, p_held boolean) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.can_view_post(p_post) and (
    private.is_admin() or (
      p_author <> all (private.my_blocks()) and not private.is_hidden_comment(p_post, p_author)
      and (not p_held or p_author = private.my_profile_id() or private.is_own_post(p_post))
    )
  );
$$;
comment on function private.sees_comment is 'Whether the caller may see a comment, as the policy of comments decides.';

drop policy select_visible on public.comments;
-- Users who have blocked each other don't see each other's comments on other creators' posts either. Admins see all comments.
create policy select_visible on public.comments for select to anon, authenticated
  using (private.can_view_post(post_id) and ((select private.is_admin()) or (
    user_id <> all ((select private.my_blocks())::uuid[]) and not private.is_hidden_comment(post_id, user_id)
    and (not is_held or user_id = (select private.my_profile_id()) or private.is_own_post(post_id))
  )));
-- The creator of a post decides about everything that is written under it.
create policy delete_on_own_post on public.comments for delete to authenticated using (private.is_own_post(post_id));

create function private.comment_rule(p_post uuid, out creator_id uuid, out commenters text, out plan_id uuid)
language sql stable security definer set search_path = ''
as $$
  select p.creator_id, coalesce(p.commenters, s.commenters, 'everyone'), case when p.commenters is null then s.plan_id else p.commenters_plan_id end
  from private.posts p left join public.comment_settings s on s.creator_id = p.creator_id
  where p.id = p_post;
$$;
comment on function private.comment_rule is 'Who may comment on the post, by its own rule or the creator''s default.';

create function private.meets_comment_rule(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select r.creator_id = me.id or case r.commenters
      when 'everyone' then me.id is not null
      when 'followers' then exists (select from public.follows f where f.follower_id = me.id and f.following_id = r.creator_id)
        or exists (select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = r.creator_id and s.access_until > now())
      when 'subscribers' then
        exists (select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = r.creator_id and s.access_until > now())
      when 'plan' then exists (
        select from public.subscriptions s
        join public.subscription_products mine on mine.id = s.tier_id
        join public.subscription_products wanted on wanted.id = r.plan_id
        where s.subscriber_id = me.id and s.creator_id = r.creator_id and s.access_until > now()
          and (mine.id = wanted.id or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(wanted.price_cents, wanted.interval))
      )
      else false
    end
    from private.comment_rule(p_post) r cross join (select private.my_profile_id() as id) me
  ), false);
$$;
comment on function private.meets_comment_rule is 'Whether the caller belongs to those who may comment on the post (TALK-02). Subscribers count as followers, and a more expensive plan as the required one.';

create function private.may_comment(p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_react(p_post) and private.meets_comment_rule(p_post);
$$;
comment on function private.may_comment is 'Whether the caller may comment on the post: it is unlocked for them, neither side has blocked the other, and they meet the creator''s rule.';
grant execute on function private.may_comment to authenticated;

drop policy insert_own on public.comments;
create policy insert_own on public.comments for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.may_comment(post_id));
grant insert (parent_id) on public.comments to authenticated;
-- likes_count, is_pinned, and is_held aren't granted: only the server sets them.

create type public.comment_access as (commenters text, plan_id uuid, plan_name text, may_comment boolean, is_default boolean);
comment on type public.comment_access is 'Who may comment on a post (TALK-02).';
comment on column public.comment_access.commenters is 'everyone, followers, subscribers, plan, or nobody. Never null.';
comment on column public.comment_access.plan_id is 'The plan of the rule plan; null for the other rules, and when the plan is gone.';
comment on column public.comment_access.may_comment is 'Whether the caller may. Never null.';
comment on column public.comment_access.is_default is 'Whether it is the creator''s default. Never null.';

create function public.get_comment_access(post_id uuid) returns setof public.comment_access
language sql stable security definer set search_path = '' rows 1
as $$
  select r.commenters, r.plan_id, s.name, private.may_comment(get_comment_access.post_id), p.commenters is null
  from private.comment_rule(get_comment_access.post_id) r
  join private.posts p on p.id = get_comment_access.post_id
  left join public.subscription_products s on s.id = r.plan_id
  where private.can_view_post(get_comment_access.post_id);
$$;
comment on function public.get_comment_access is 'Who may comment on the post, and whether the caller may. No row if the caller can''t see the post in full.';
grant execute on function public.get_comment_access to anon, authenticated;

create function private.require_commenters(p_creator uuid, p_commenters text, p_plan uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_commenters = 'plan' and not exists (
    select from public.subscription_products t where t.id = p_plan and t.creator_id = p_creator
  ) then
    raise exception 'Choose one of your plans' using errcode = '23514', constraint = 'commenters_plan';
  end if;
end;
$$;
comment on function private.require_commenters is 'Rejects the rule plan without one of the creator''s own plans.';

create function private.receive_scheduled_commenters() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_commenters(new.creator_id, new.commenters, new.commenters_plan_id);
  return new;
end;
$$;
comment on function private.receive_scheduled_commenters is 'Trigger of scheduled_posts: checks who may comment.';
create trigger scheduled_posts_receive_commenters before insert on public.scheduled_posts
  for each row when (new.commenters is not null) execute function private.receive_scheduled_commenters();
grant insert (commenters, commenters_plan_id) on public.scheduled_posts to authenticated;

create or replace function private.publish(p_scheduled public.scheduled_posts) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.posts (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, cover_path)
  values (p_scheduled.id, p_scheduled.creator_id, p_scheduled.title, p_scheduled.content, p_scheduled.post_type,
    p_scheduled.media_urls, p_scheduled.media_types, p_scheduled.required_tier_id, p_scheduled.ppv_price, p_scheduled.cover_path);
  if p_scheduled.commenters is not null then
    update private.posts p set commenters = p_scheduled.commenters, commenters_plan_id = p_scheduled.commenters_plan_id where p.id = p_scheduled.id;
  end if;
  if p_scheduled.poll is not null then
    insert into public.polls (post_id, title, options, expires_at)
    values (p_scheduled.id, p_scheduled.poll ->> 'title', p_scheduled.poll ->> 'options', now() + (p_scheduled.poll ->> 'days')::int * interval '1 day');
  end if;
  delete from public.scheduled_posts s where s.id = p_scheduled.id;
  return p_scheduled.id;
end;
$$;

create function public.set_commenters(post_id uuid, commenters text default null, plan_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_own_post(set_commenters.post_id) then
    raise sqlstate 'PT404' using message = 'Post not found';
  end if;
  perform private.require_commenters(private.my_profile_id(), set_commenters.commenters, set_commenters.plan_id);
  update private.posts p set
    commenters = set_commenters.commenters,
    commenters_plan_id = case set_commenters.commenters when 'plan' then set_commenters.plan_id end
  where p.id = set_commenters.post_id;
end;
$$;
comment on function public.set_commenters is 'Sets who may comment on one of the caller''s posts (TALK-02): everyone, followers, subscribers, plan, or nobody; null for the default of comment_settings. PT404 for any other post.';
grant execute on function public.set_commenters to authenticated;

-- Blocked words.
create function private.words_of(value text) returns text
language sql immutable set search_path = ''
as $$
  select btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent', normalize(value, nfkc)) collate "pg_c_utf8"), '\W+', ' ', 'g'
  ));
$$;
comment on function private.words_of is 'The words of a text as blocked words are compared: lowercase, without accents and punctuation, with one space between two.';

create function private.keep_comment_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Not when the plan was deleted: the foreign key empties plan_id.
  if tg_op = 'INSERT' or new.plan_id is not null or new.commenters <> old.commenters then
    perform private.require_commenters(new.creator_id, new.commenters, new.plan_id);
  end if;
  if new.commenters <> 'plan' then
    new.plan_id := null;
  end if;
  new.blocked_words := array(
    select private.trimmed(min(w.word)) from unnest(new.blocked_words) with ordinality w (word, place)
    where private.trimmed(w.word) is not null group by private.words_of(w.word), case when private.words_of(w.word) = '' then w.place end order by min(w.place)
  );
  new.blocked_keys := array(select private.words_of(w.word) from unnest(new.blocked_words) w (word));
  if '' = any (new.blocked_keys) then
    raise exception 'A blocked word needs a letter or digit' using errcode = '23514', constraint = 'comment_settings_blocked_word';
  elsif exists (select from unnest(new.blocked_words) w (word) where length(w.word) > 60) then
    raise exception 'A blocked word has at most 60 characters' using errcode = '23514', constraint = 'comment_settings_blocked_word';
  end if;
  return new;
end;
$$;
comment on function private.keep_comment_settings is 'Trigger of comment_settings: checks the plan and the blocked words, each once, and maintains blocked_keys.';
create trigger comment_settings_keep before insert or update on public.comment_settings
  for each row execute function private.keep_comment_settings();

alter table public.comment_settings enable row level security;
create policy select_own on public.comment_settings for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy insert_own on public.comment_settings for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.comment_settings for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select, insert (creator_id, commenters, plan_id, blocked_words), update (creator_id, commenters, plan_id, blocked_words)
  on public.comment_settings to authenticated;
-- Without delete: a creator resets the values.

create function private.has_blocked_word(p_creator uuid, p_text text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from (select ' ' || private.words_of(p_text) || ' ' as words) t
    cross join (select s.blocked_keys from public.comment_settings s where s.creator_id = p_creator and s.blocked_keys <> '{}') s
    cross join unnest(s.blocked_keys) k (word)
    where position(' ' || k.word || ' ' in t.words) > 0
  );
$$;
comment on function private.has_blocked_word is 'Whether the text has one of the creator''s blocked words or phrases, as whole words, whatever their case and accents (TALK-03).';

create function private.receive_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_rule record;
  v_parent public.comments;
begin
  -- What the policies reject anyway shouldn't learn anything from the messages below.
  if not private.is_service() and (new.user_id is distinct from private.my_profile_id() or not private.may_react(new.post_id)) then
    return new;
  end if;
  select * into v_rule from private.comment_rule(new.post_id);
  if not private.is_service() then
    if not private.meets_comment_rule(new.post_id) then
      raise exception '%', case v_rule.commenters
        when 'followers' then 'Only followers can comment on this post'
        when 'subscribers' then 'Only subscribers can comment on this post'
        when 'plan' then 'Only subscribers of one plan can comment on this post'
        else 'Nobody can comment on this post'
      end using errcode = '42501';
    elsif (
      select count(*) from (select from public.comments c where c.user_id = new.user_id and c.created_at > now() - interval '1 minute' limit 30) recent
    ) >= 30 then
      raise sqlstate 'PT429' using message = 'You''ve written 30 comments within a minute', hint = 'Wait a moment.';
    end if;
    new.is_held := v_rule.creator_id <> new.user_id and private.has_blocked_word(v_rule.creator_id, new.content);
  end if;
  if new.parent_id is not null then
    select c.* into v_parent from public.comments c where c.id = new.parent_id for key share;
    if v_parent.id is null or v_parent.post_id <> new.post_id or v_parent.is_held
      or not (private.is_service() or private.sees_comment(v_parent.post_id, v_parent.user_id, v_parent.is_held))
    then
      raise sqlstate 'PT404' using message = 'The comment that you reply to no longer exists';
    elsif v_parent.parent_id is not null then
      raise exception 'A reply can''t have replies' using errcode = '23514', constraint = 'comments_one_level', hint = 'Reply to the first comment.';
    end if;
  end if;
  return new;
end;
$$;
comment on function private.receive_comment is 'Trigger of comments: says why a comment is rejected, holds it for review, and keeps replies one level deep (TALK-02, TALK-03).';
create trigger comments_receive before insert on public.comments for each row execute function private.receive_comment();

-- Mentions.
create function private.can_open_post(p_profile uuid, p_post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.posts p
    join private.profiles c on c.id = p.creator_id
    join private.profiles me on me.id = p_profile
    cross join lateral (
      select exists (select from public.purchases b where b.buyer_id = me.id and b.post_id = p.id) as bought,
        exists (select from public.subscriptions s where s.subscriber_id = me.id and s.creator_id = c.id and s.access_until > now()) as subscribed
    ) has
    where p.id = p_post and me.suspended_at is null and (
      c.id = me.id or public.has_role(me.user_id, 'admin') or (
        (has.bought or has.subscribed or not (c.is_private or private.are_blocked(c.id, me.id)))
        and case p.post_type
          when 'free' then true
          when 'subscription' then exists (
            select from public.subscriptions s
            join public.subscription_products mine on mine.id = s.tier_id
            join public.subscription_products required on required.id = p.required_tier_id
            where s.subscriber_id = me.id and s.creator_id = c.id and s.access_until > now()
              and (mine.id = required.id or not c.tiered_access
                or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(required.price_cents, required.interval))
          )
          else has.bought
        end
      )
    )
  );
$$;
comment on function private.can_open_post is 'Whether a user sees the post in full: private.can_view_post for someone else than the caller.';

create or replace function private.group_words(p_kind text, p_actor uuid, p_count int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case
      when p_kind = 'comment' and p_count > 1 then p_count || ' new comments on your post' -- one user may write several comments
      -- The same holds for replies, mentions, reports, and support requests.
      when p_kind = 'reply' and p_count > 1 then p_count || ' new replies to your comments'
      when p_kind = 'mention' and p_count > 1 then 'You were mentioned ' || p_count || ' times'
      when p_kind = 'held' and p_count > 1 then p_count || ' comments are waiting for your review'
      when p_kind = 'report' and p_count > 1 then p_count || ' new reports'
      when p_kind = 'support_request' and p_count > 1 then p_count || ' new support requests'
      else a.name
        || case when p_count < 2 then '' when p_count = 2 then ' and one other' else ' and ' || (p_count - 1) || ' others' end
        || case p_kind
          when 'follow' then ' started following you'
          when 'like' then ' liked your post'
          when 'comment_like' then ' liked your comment'
          when 'reply' then ' replied to your comment'
          when 'mention' then ' mentioned you'
          when 'held' then '''s comment is waiting for your review'
          when 'application' then ' applied to become a creator'
          when 'report' then ' sent a report'
          when 'support_request' then ' sent a support request'
          else ' commented on your post'
        end
    end,
    case
      when p_kind in ('comment', 'reply', 'mention', 'held') and p_count > 1 then
        a.name || ' wrote the latest one' || coalesce(', on ' || private.post_label(p_post), '') || '.'
      when p_kind in ('report', 'support_request') and p_count > 1 then 'The latest one is from ' || a.who || '.'
      when p_kind = 'follow' then ''
      else coalesce(private.post_label(p_post), '')
    end
  from (
    select coalesce(n.name, case p_kind when 'support_request' then 'A visitor' else 'Someone' end) as name,
      coalesce(n.name, 'a visitor') as who
    from (select private.name_of(p_actor) as name) n
  ) a;
$$;

create or replace function private.ring_together(p_user uuid, p_kind text, p_actor uuid, p_post uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_group text := concat_ws(':', p_kind, p_post);
  v_entry public.notifications;
  v_words record;
begin
  if p_user = p_actor then
    return; -- users aren't notified of their own actions
  end if;
  select n.* into v_entry from public.notifications n
  where n.user_id = p_user and not n.is_read and n.data ? 'group' and n.data ->> 'group' = v_group
  limit 1 for update;
  v_words := private.group_words(p_kind, p_actor, coalesce((v_entry.data ->> 'count')::int, 0) + 1, p_post);
  if v_entry.id is null then
    perform private.notify(p_user, case when p_kind in ('like', 'comment_like') then 'like' else 'other' end, v_words.title, v_words.message,
      jsonb_strip_nulls(jsonb_build_object('group', v_group, 'count', 1, 'since', now(), 'profile_id', p_actor, 'post_id', p_post)));
  else
    update public.notifications n set
      title = v_words.title,
      message = v_words.message,
      data = n.data || jsonb_build_object('count', (n.data ->> 'count')::int + 1, 'profile_id', p_actor),
      created_at = now()
    where n.id = v_entry.id;
  end if;
end;
$$;

create function private.ring_mentions(p_actor uuid, p_post uuid, p_comment uuid, p_text text, p_without uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_text uuid := coalesce(p_comment, p_post);
  v_user uuid;
begin
  for v_user in
    select p.id from unnest(private.names_in(p_text, '@')) n (name) join private.profiles p on p.username = n.name
    where p.id <> p_actor and p.id <> all (p_without)
      and not private.are_blocked(p.id, p_actor) and not private.restricts(p.id, p_actor) and private.can_open_post(p.id, p_post)
      and not exists (select from private.mentions m where m.user_id = p.id and m.text_id = v_text)
    order by p.id
    limit greatest(10 - (select count(*) from private.mentions m where m.text_id = v_text), 0)
  loop
    insert into private.mentions (user_id, text_id, post_id, comment_id, actor_id) values (v_user, v_text, p_post, p_comment, p_actor)
    on conflict do nothing;
    if found then
      perform private.ring_together(v_user, 'mention', p_actor, p_post);
    end if;
  end loop;
end;
$$;
comment on function private.ring_mentions is 'Notifies the users whom a text mentions (TALK-01): each once for a text, ten at most, and nobody who can''t see the post, across a block, or who restricts the author. p_without: who is notified of the text in another way.';

create function private.unring_mention() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.take_back(old.user_id, 'mention', old.actor_id, old.post_id, old.created_at, (
    select m.actor_id from private.mentions m where m.post_id = old.post_id and m.user_id = old.user_id order by m.created_at desc limit 1
  ));
  return null;
end;
$$;
comment on function private.unring_mention is 'Trigger of mentions: takes back the notification of a deleted text, unless it was read.';
create trigger mentions_unring after delete on private.mentions for each row execute function private.unring_mention();

create function private.ring_post_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.ring_mentions(new.creator_id, new.id, null, new.content, '{}');
  return null;
end;
$$;
comment on function private.ring_post_mentions is 'Trigger of posts: notifies the users whom the text mentions.';
create trigger posts_mentions after insert on private.posts
  for each row when (new.content like '%@%' and new.created_at > now() - interval '1 hour') execute function private.ring_post_mentions();
create trigger posts_change_mentions after update of content on private.posts
  for each row when (new.content like '%@%' and old.content <> new.content) execute function private.ring_post_mentions();

-- Counters. A held comment counts when it is approved.
create or replace function private.count_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('restriction ' || w.creator_id || w.user_id, 0))
  from (select distinct p.creator_id, c.user_id from changed c join private.posts p on p.id = c.post_id order by 1, 2) w;
  perform from private.posts p where p.id in (select c.post_id from changed c where not c.is_held) order by p.id for no key update;
  update private.posts p set
    comments_count = p.comments_count + v_step * c.comments,
    restricted_comments_count = case tg_op
      when 'INSERT' then p.restricted_comments_count + c.restricted else private.restricted_comments(p.id, p.creator_id) end
  from (
    select w.post_id, count(*)::int as comments, (count(*) filter (where private.restricts(o.creator_id, w.user_id)))::int as restricted
    from changed w join private.posts o on o.id = w.post_id where not w.is_held group by 1
  ) c where p.id = c.post_id;
  return null;
end;
$$;
comment on function private.count_comments is 'Trigger of comments: maintains posts.comments_count and posts.restricted_comments_count, without held comments.';

create or replace function private.restricted_comments(p_post uuid, p_creator uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from private.restrictions r join public.comments c on c.user_id = r.fan_id and c.post_id = p_post and not c.is_held
  where r.creator_id = p_creator;
$$;

create or replace function private.hidden_comments(p_post uuid, p_creator uuid, p_restricted int) returns int
language sql stable security definer set search_path = ''
as $$
  select case
    when private.is_privileged() or p_creator = me.id then 0
    when private.restricts(p_creator, me.id) then p_restricted - (
      select count(*)::int from public.comments c where c.post_id = p_post and c.user_id = me.id and not c.is_held
    )
    else p_restricted
  end
  from (select private.my_profile_id() as id) me;
$$;

create or replace function private.keep_restricted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row private.restrictions := case tg_op when 'INSERT' then new else old end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform pg_advisory_xact_lock(hashtextextended('restriction ' || v_row.creator_id || v_row.fan_id, 0));
  perform from private.posts p
  where p.creator_id = v_row.creator_id and p.id in (select c.post_id from public.comments c where c.user_id = v_row.fan_id and not c.is_held)
  order by p.id for no key update;
  update private.posts p set restricted_comments_count = p.restricted_comments_count + v_step * c.comments
  from (select k.post_id, count(*)::int as comments from public.comments k where k.user_id = v_row.fan_id and not k.is_held group by 1) c
  where p.id = c.post_id and p.creator_id = v_row.creator_id;
  perform private.lock_pair(v_row.creator_id, v_row.fan_id);
  update private.conversations c set is_restricted = tg_op = 'INSERT'
  where c.profile_id = v_row.creator_id and c.other_id = v_row.fan_id;
  if tg_op = 'INSERT' then
    update public.notifications n set is_read = true
    where n.user_id = v_row.creator_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_row.fan_id::text;
  end if;
  return null;
end;
$$;

create or replace function private.verify_basic_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select p.id, c.counter, c.kept, c.counted
  from private.profiles p
  cross join lateral (values
    ('followers_count', p.followers_count::numeric, (select count(*) from public.follows f where f.following_id = p.id)::numeric),
    ('following_count', p.following_count, (select count(*) from public.follows f where f.follower_id = p.id)),
    ('total_posts', p.total_posts, (select count(*) from private.posts o where o.creator_id = p.id)),
    ('total_photos', p.total_photos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'image' and m.removed_at is null)),
    ('total_videos', p.total_videos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'video' and m.removed_at is null)),
    ('likes_received', p.likes_received, (select count(*) from public.post_likes l join private.posts o on o.id = l.post_id where o.creator_id = p.id)),
    ('subscribers_count', p.subscribers_count, (select count(*) from public.subscriptions s where s.creator_id = p.id and s.status in ('active', 'trial', 'past_due'))),
    ('total_earnings', p.total_earnings, coalesce((select -sum(e.amount_cents) from private.ledger_entries e
      join private.ledger_accounts a on a.id = e.account_id join private.ledger_transactions t on t.id = e.transaction_id
      where a.code = 'creator:' || p.id and t.type <> 'payout'), 0)),
    ('posts.likes_count', (select sum(o.likes_count) from private.posts o where o.creator_id = p.id),
      (select count(l.id) from private.posts o left join public.post_likes l on l.post_id = o.id where o.creator_id = p.id)),
    ('posts.comments_count', (select sum(o.comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o left join public.comments k on k.post_id = o.id and not k.is_held where o.creator_id = p.id)),
    ('posts.restricted_comments_count', (select sum(o.restricted_comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o join public.comments k on k.post_id = o.id and not k.is_held
       join private.restrictions r on r.creator_id = o.creator_id and r.fan_id = k.user_id where o.creator_id = p.id)),
    ('comments.likes_count', (select sum(k.likes_count) from public.comments k where k.user_id = p.id),
      (select count(*) from public.comments k join public.comment_likes l on l.comment_id = k.id where k.user_id = p.id))
  ) as c (counter, kept, counted)
  where coalesce(c.kept, 0) <> coalesce(c.counted, 0);
$$;
comment on function private.verify_basic_counters is 'The counters of profiles, posts, and comments that differ from what they count.';

-- Notifications of comments and replies.
create function private.ring_for_comment(p_comment uuid, p_creator uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment public.comments;
  v_replied_to uuid;
begin
  select c.* into v_comment from public.comments c where c.id = p_comment;
  if private.restricts(p_creator, v_comment.user_id) then
    return; -- nobody else sees it (LIST-05)
  end if;
  select c.user_id into v_replied_to from public.comments c where c.id = v_comment.parent_id;
  if v_replied_to <> p_creator and not private.are_blocked(v_replied_to, v_comment.user_id)
    and not private.restricts(v_replied_to, v_comment.user_id) and private.can_open_post(v_replied_to, v_comment.post_id)
  then
    perform private.ring_together(v_replied_to, 'reply', v_comment.user_id, v_comment.post_id);
  end if;
  if v_comment.content like '%@%' then
    perform private.ring_mentions(v_comment.user_id, v_comment.post_id, v_comment.id, v_comment.content,
      array_remove(array[p_creator, v_replied_to], null));
  end if;
end;
$$;
comment on function private.ring_for_comment is 'Notifies the author of the comment that this one replies to, and the users whom it mentions. Without the creator of the post, who is notified of every comment.';

create or replace function private.ring_for_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment record;
  v_replied_to uuid;
begin
  if tg_op = 'DELETE' then
    -- Of the replies and likes of comments that are gone, as with their whole post.
    delete from public.notifications n using (select distinct c.user_id, c.post_id from changed c) w
    where n.user_id = w.user_id and not n.is_read and n.data ? 'group'
      and n.data ->> 'group' in ('reply:' || w.post_id, 'comment_like:' || w.post_id)
      and not exists (select from public.comments k where k.post_id = w.post_id and k.user_id = w.user_id);
  end if;
  for v_comment in
    select c.id, c.post_id, c.user_id, c.parent_id, c.is_held, c.created_at, p.creator_id from changed c join private.posts p on p.id = c.post_id
    where not private.restricts(p.creator_id, c.user_id) order by c.post_id, c.created_at, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_comment.creator_id, case when v_comment.is_held then 'held' else 'comment' end, v_comment.user_id, v_comment.post_id);
      if not v_comment.is_held then
        perform private.ring_for_comment(v_comment.id, v_comment.creator_id);
      end if;
    else
      if v_comment.user_id <> v_comment.creator_id then
        perform private.take_back(v_comment.creator_id, case when v_comment.is_held then 'held' else 'comment' end,
          v_comment.user_id, v_comment.post_id, v_comment.created_at, (
            select c.user_id from public.comments c
            where c.post_id = v_comment.post_id and c.user_id <> v_comment.creator_id and c.is_held = v_comment.is_held order by c.created_at desc limit 1
          ));
      end if;
      select c.user_id into v_replied_to from public.comments c where c.id = v_comment.parent_id;
      if not v_comment.is_held and v_replied_to <> v_comment.user_id and v_replied_to <> v_comment.creator_id then
        perform private.take_back(v_replied_to, 'reply', v_comment.user_id, v_comment.post_id, v_comment.created_at, (
          select r.user_id from public.comments c join public.comments r on r.parent_id = c.id
          where c.post_id = v_comment.post_id and c.user_id = v_replied_to and r.user_id <> v_replied_to and not r.is_held
          order by r.created_at desc limit 1
        ));
      end if;
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.ring_for_comments is 'Trigger of comments: notifies the creator, unless they restrict the author (LIST-05), the author of the comment that is replied to, and the users who are mentioned.';

create or replace function private.silence_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where n.user_id = old.creator_id and not n.is_read and n.data ? 'group'
    and n.data ->> 'group' in ('like:' || old.id, 'comment:' || old.id, 'held:' || old.id);
  delete from public.notifications n where n.data ? 'new_posts' and n.data ->> 'post_id' = old.id::text and n.data ->> 'new_posts' = '1';
  return null;
end;
$$;

-- Likes of comments.
create function private.may_like_comment(p_comment uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.comments c
    where c.id = p_comment and not c.is_held and private.may_react(c.post_id) and private.sees_comment(c.post_id, c.user_id, c.is_held)
  );
$$;
comment on function private.may_like_comment is 'Whether the caller may like the comment: they see it, and may like its post.';
grant execute on function private.may_like_comment to authenticated;

alter table public.comment_likes enable row level security;
create policy select_own on public.comment_likes for select to authenticated using (user_id = (select private.my_profile_id()));
create policy insert_own on public.comment_likes for insert to authenticated
  with check (user_id = (select private.my_profile_id()) and private.may_like_comment(comment_id));
create policy delete_own on public.comment_likes for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, insert (comment_id, user_id), delete on public.comment_likes to authenticated;

create function private.count_comment_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
  v_like record;
begin
  perform from public.comments k where k.id in (select c.comment_id from changed c) order by k.id for no key update;
  update public.comments k set likes_count = k.likes_count + v_step * c.likes
  from (select l.comment_id, count(*)::int as likes from changed l group by 1) c where k.id = c.comment_id;
  for v_like in
    select l.user_id, l.created_at, k.user_id as author, k.post_id from changed l join public.comments k on k.id = l.comment_id
    where k.user_id <> l.user_id and not private.restricts(k.user_id, l.user_id) order by k.id, l.user_id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_like.author, 'comment_like', v_like.user_id, v_like.post_id);
    else
      perform private.take_back(v_like.author, 'comment_like', v_like.user_id, v_like.post_id, v_like.created_at, (
        select l.user_id from public.comments k join public.comment_likes l on l.comment_id = k.id
        where k.post_id = v_like.post_id and k.user_id = v_like.author and l.user_id <> v_like.author limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.count_comment_likes is 'Trigger of comment_likes: maintains comments.likes_count, and notifies the author.';
create trigger comment_likes_count after insert on public.comment_likes
  referencing new table as changed for each statement execute function private.count_comment_likes();
create trigger comment_likes_uncount after delete on public.comment_likes
  referencing old table as changed for each statement execute function private.count_comment_likes();

-- What creators do with comments under their posts.
create function public.pin_comment(comment_id uuid, is_pinned boolean default true) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment public.comments;
begin
  select c.* into v_comment from public.comments c where c.id = pin_comment.comment_id and private.is_own_post(c.post_id);
  if v_comment.id is null then
    raise sqlstate 'PT404' using message = 'Comment not found';
  elsif v_comment.parent_id is not null or v_comment.is_held then
    raise exception 'Only a comment on the post itself can be pinned' using errcode = '23514', constraint = 'comments_pinned_is_shown';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('pin ' || v_comment.post_id, 0)); -- two pins at the same time
  perform from public.comments c where c.post_id = v_comment.post_id and (c.is_pinned or c.id = v_comment.id) order by c.id for no key update;
  update public.comments c set is_pinned = false where c.post_id = v_comment.post_id and c.is_pinned and c.id <> v_comment.id and pin_comment.is_pinned;
  update public.comments c set is_pinned = pin_comment.is_pinned where c.id = v_comment.id;
end;
$$;
comment on function public.pin_comment is 'Pins a comment on one of the caller''s posts, instead of the one that was, or unpins it (TALK-02). PT404 for any other comment.';
grant execute on function public.pin_comment to authenticated;

create function public.approve_comment(comment_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_comment public.comments;
  v_creator uuid := private.my_profile_id();
begin
  select c.* into v_comment from public.comments c
  where c.id = approve_comment.comment_id and private.is_own_post(c.post_id) for no key update of c;
  if v_comment.id is null then
    raise sqlstate 'PT404' using message = 'Comment not found';
  elsif not v_comment.is_held then
    return; -- approved in another window
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('restriction ' || v_creator || v_comment.user_id, 0));
  update public.comments c set is_held = false where c.id = v_comment.id;
  update private.posts p set
    comments_count = p.comments_count + 1,
    restricted_comments_count = p.restricted_comments_count + private.restricts(v_creator, v_comment.user_id)::int
  where p.id = v_comment.post_id;
  perform private.take_back(v_creator, 'held', v_comment.user_id, v_comment.post_id, v_comment.created_at, (
    select c.user_id from public.comments c where c.post_id = v_comment.post_id and c.is_held order by c.created_at desc limit 1
  ));
  perform private.ring_for_comment(v_comment.id, v_creator);
end;
$$;
comment on function public.approve_comment is 'Publishes a comment that waits for review on one of the caller''s posts (TALK-03). PT404 for any other comment.';
grant execute on function public.approve_comment to authenticated;

create function public.get_held_comments(page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.comments
language sql stable security definer set search_path = '' rows 20
as $$
  select c.* from public.comments c join private.posts p on p.id = c.post_id
  where c.is_held and p.creator_id = private.my_profile_id()
    and (c.created_at, c.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by c.created_at desc, c.id desc
  limit least(greatest(page_size, 0), 100);
$$;
comment on function public.get_held_comments is 'The comments on the caller''s posts that wait for review, newest first (TALK-03). For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_held_comments to authenticated;

create function public.remove_comments_of(profile_id uuid) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_ids uuid[];
  v_count int;
begin
  -- The replies too, and all in the order of ids: they would go with their comments, but comment by comment.
  with theirs as (
    select c.id from public.comments c join private.posts p on p.id = c.post_id
    where c.user_id = remove_comments_of.profile_id and p.creator_id = private.my_profile_id()
  )
  select array_agg(g.id), count(*) filter (where g.user_id = remove_comments_of.profile_id) into v_ids, v_count
  from (
    select c.id, c.user_id from public.comments c
    where c.id in (select t.id from theirs t) or c.parent_id in (select t.id from theirs t)
    order by c.id for update
  ) g;
  delete from public.comments c where c.id = any (v_ids);
  return v_count;
end;
$$;
comment on function public.remove_comments_of is 'Deletes all comments of a user on the caller''s posts, with the replies to them (TALK-03). Returns how many of the user''s comments that were.';
grant execute on function public.remove_comments_of to authenticated;

create function private.remove_own_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.comments c
  where c.user_id = old.id or c.parent_id in (select k.id from public.comments k where k.user_id = old.id) order by c.id for update;
  delete from public.comments c where c.user_id = old.id or c.parent_id in (select k.id from public.comments k where k.user_id = old.id);
  return old;
end;
$$;
comment on function private.remove_own_comments is 'Trigger of profiles: deletes a user''s comments and the replies to them at once, so that their posts are locked in the order of ids.';
create trigger profiles_remove_comments before delete on private.profiles for each row execute function private.remove_own_comments();

create function public.get_tagged_comments(tag text, page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.comments
language plpgsql stable security definer set search_path = '' rows 20
as $$
declare
  v_tag text := private.name_key(tag);
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  return query
    select c.*
    from (
      select t.comment_id, t.created_at from private.comment_tags t
      where t.tag = v_tag and (t.created_at, t.comment_id) < (v_before, v_before_id)
      order by t.created_at desc, t.comment_id desc
      limit 1000
    ) f
    cross join lateral (
      select k.* from public.comments k where k.id = f.comment_id and private.sees_comment(k.post_id, k.user_id, k.is_held) offset 0
    ) c
    order by f.created_at desc, f.comment_id desc
    limit v_size;
end;
$$;
comment on function public.get_tagged_comments is 'The comments with this tag that the caller may see, newest first (TALK-01). Considers 1,000 comments. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_tagged_comments to anon, authenticated;

create function public.suggest_people(search text, post_id uuid default null) returns setof public.profiles
language sql stable security definer set search_path = '' rows 8
as $$
  with me as (
    select private.my_profile_id() as id
  ), wanted as (
    select lower(left(ltrim(btrim(search), '@'), 30)) as prefix
  ), close as materialized (
    -- Under a post: its creator and who has commented last.
    select p.creator_id as id, 0 as rank from private.posts p
    where p.id = suggest_people.post_id and private.can_view_post(suggest_people.post_id)
    union all
    select n.user_id, 1
    from (
      select c.user_id from public.comments c
      where c.post_id = suggest_people.post_id and not c.is_held and private.can_view_post(suggest_people.post_id)
        and not private.is_hidden_comment(c.post_id, c.user_id)
      order by c.created_at desc limit 100
    ) n
    union all
    (select f.following_id, 2 from public.follows f where f.follower_id = (select me.id from me) order by f.created_at desc limit 1000)
    union all
    -- Anyone else by the beginning of the username.
    (select p.id, 3 from private.profiles p, wanted w
     where length(w.prefix) >= 2 and p.username >= w.prefix and p.username < w.prefix || '~' order by p.username limit 50)
  ), found as (
    select c.id, min(c.rank) as rank
    from close c join private.profiles p on p.id = c.id cross join wanted w cross join me
    where (starts_with(p.username, w.prefix) or starts_with(lower(p.display_name), w.prefix))
      and p.id <> me.id and p.suspended_at is null and p.id <> all ((select private.my_blocks())::uuid[])
    group by c.id
    order by 2, min(p.username)
    limit 8
  )
  select v.* from found f cross join lateral (select p.* from public.profiles p where p.id = f.id offset 0) v, me
  where me.id is not null
  order by f.rank, v.username;
$$;
comment on function public.suggest_people is 'Up to eight users to mention, by the beginning of their username or name: first the creator and the commenters of the post, then those whom the caller follows, then anyone (TALK-01).';
grant execute on function public.suggest_people to authenticated;

create or replace function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.sees_comment(c.post_id, c.user_id, c.is_held);
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
