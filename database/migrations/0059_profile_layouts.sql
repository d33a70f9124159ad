-- Up Migration

-- Creators' own profiles (PAGE-01): an accent color, links, a welcome for visitors, a featured post, the order of the tabs, and what visitors
-- see of the subscription. The cover is profiles.cover_url.
create table public.profile_layouts (
  creator_id             uuid primary key references private.profiles on delete cascade,
  accent_color           text constraint profile_layouts_accent_color_format check (accent_color ~ '^#[0-9a-f]{6}$'),
  featured_post_id       uuid references private.posts on delete set null,
  welcome_text           text constraint profile_layouts_welcome_text_length check (welcome_text ~ '\S' and length(welcome_text) <= 500),
  welcome_post_id        uuid references private.posts on delete set null,
  -- One dimension, because an array of arrays contains the same values.
  tab_order              text[] constraint profile_layouts_tab_order_whole check (
    array_ndims(tab_order) = 1 and cardinality(tab_order) = 4
    and tab_order @> array['posts', 'media', 'subscribe', 'about'] and tab_order <@ array['posts', 'media', 'subscribe', 'about']),
  shows_subscriber_count boolean not null default false,
  shows_post_count       boolean not null default false,
  updated_at             timestamptz not null default now()
);
comment on table public.profile_layouts is 'How a creator''s profile looks, for everyone who may read the profile. Without a row, everything is as usual.';
comment on column public.profile_layouts.creator_id is 'profiles.id of the creator.';
comment on column public.profile_layouts.accent_color is 'As chosen, "#b3123b". Screens use the nearest shade that can be read; null for the product''s own color.';
comment on column public.profile_layouts.featured_post_id is 'One of the creator''s posts, shown above the others; null for none.';
comment on column public.profile_layouts.welcome_text is 'Shown to those who don''t follow the creator.';
comment on column public.profile_layouts.welcome_post_id is 'A free post of the creator with the video that welcomes those who don''t follow; null for none.';
comment on column public.profile_layouts.tab_order is 'The four tabs in the creator''s order: the first one is open. Null for the usual order.';
comment on column public.profile_layouts.shows_subscriber_count is 'Visitors see the number of subscribers beside the plans: get_subscription_facts.';
comment on column public.profile_layouts.shows_post_count is 'Visitors see how many posts are for subscribers, beside the plans: get_subscription_facts.';
create index profile_layouts_featured_post_id_idx on public.profile_layouts (featured_post_id) where featured_post_id is not null; -- the deletion of a post
create index profile_layouts_welcome_post_id_idx on public.profile_layouts (welcome_post_id) where welcome_post_id is not null; -- the same
alter table public.profile_layouts enable row level security;
create trigger profile_layouts_touch before update on public.profile_layouts for each row execute function private.touch_updated_at();

-- security definer: whose post it is doesn't depend on what the caller may read of it.
create function private.require_own_posts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.featured_post_id is not null and not exists (
    select from private.posts p where p.id = new.featured_post_id and p.creator_id = new.creator_id
  ) then
    raise sqlstate 'PT422' using message = 'Feature one of your own posts';
  end if;
  if new.welcome_post_id is not null and not exists (
    select from private.posts p
    where p.id = new.welcome_post_id and p.creator_id = new.creator_id and p.post_type = 'free' and 'video' = any (p.media_types)
  ) then
    raise sqlstate 'PT422' using message = 'Welcome visitors with one of your own free posts that has a video';
  end if;
  return new;
end;
$$;
comment on function private.require_own_posts is 'Trigger of profile_layouts: a creator shows only posts of their own. A post of another creator looks like one that doesn''t exist.';
create trigger profile_layouts_require_own_posts before insert or update of creator_id, featured_post_id, welcome_post_id on public.profile_layouts
  for each row execute function private.require_own_posts();

-- The condition of profiles.bio, as long as the creator is approved.
create function private.shows_layout(p_creator uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.profiles p
    where p.id = p_creator and (
      p.id = private.my_profile_id() or private.is_privileged()
      or (not p.is_private and p.id <> all (private.my_blocks()) and private.is_approved_creator(p.id))
    )
  );
$$;
comment on function private.shows_layout is 'True when the caller sees the creator''s layout and links: of a private profile, and across a block, only its owner and admins do (PROF-22, D39).';
grant execute on function private.shows_layout(uuid) to anon, authenticated;
create policy select_shown on public.profile_layouts for select to anon, authenticated using (private.shows_layout(creator_id));
create policy insert_own on public.profile_layouts for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.profile_layouts for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select on public.profile_layouts to anon;
grant select,
  insert (creator_id, accent_color, featured_post_id, welcome_text, welcome_post_id, tab_order, shows_subscriber_count, shows_post_count),
  -- creator_id, because an upsert names it; update_own limits it to the caller.
  update (creator_id, accent_color, featured_post_id, welcome_text, welcome_post_id, tab_order, shows_subscriber_count, shows_post_count)
  on public.profile_layouts to authenticated;
-- delete is not granted: a layout whose columns are null is the usual one.

-- Links to a creator's other sites. A link is verified while the other site links back to the profile with rel="me", which only its owner can
-- write there. The server finds out (server/profile-links); no client can write the mark.
create table public.profile_links (
  id          uuid primary key default gen_random_uuid(),
  creator_id  uuid not null references private.profiles on delete cascade,
  position    int not null constraint profile_links_position_range check (position between 0 and 7),
  -- Without control characters and marks that change the direction of the text around them.
  label       text not null constraint profile_links_label_format check (
    length(label) <= 40 and label ~ '^\S(.*\S)?$' and label !~ '[[:cntrl:]\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'),
  -- As browsers write an address with a domain name: no user, no port, no other character than in RFC 3986.
  url         text not null constraint profile_links_url_format check (
    length(url) <= 300 and url ~ '^https://([a-z0-9_-]+\.)+[a-z][a-z0-9-]*[a-z0-9]([/?#][A-Za-z0-9/?#\[\]@!$&''()*+,;=:._~%-]*)?$'),
  verified_at timestamptz,
  checked_at  timestamptz,
  created_at  timestamptz not null default now(),
  constraint profile_links_once unique (creator_id, url),
  -- A new order is one statement, in which two links trade places.
  constraint profile_links_one_at_each_position unique (creator_id, position) deferrable
);
comment on table public.profile_links is 'A creator''s links to other sites, up to eight, for everyone who may read the profile. Written by set_profile_links.';
comment on column public.profile_links.creator_id is 'profiles.id of the creator.';
comment on column public.profile_links.position is 'Zero-based place in the list.';
comment on column public.profile_links.verified_at is 'When the other site last linked back with rel="me"; null while it doesn''t. Written by the server.';
comment on column public.profile_links.checked_at is 'When the server last looked; null for never.';
create index profile_links_due_idx on public.profile_links (checked_at) where verified_at is not null; -- the weekly check
alter table public.profile_links enable row level security;
create policy select_shown on public.profile_links for select to anon, authenticated using (private.shows_layout(creator_id));
grant select on public.profile_links to anon, authenticated;
-- insert, update, and delete are not granted: set_profile_links writes a whole list, and only the server verifies.

create function public.set_profile_links(links jsonb) returns setof public.profile_links
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_constraint text;
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can have links' using errcode = '42501';
  end if;
  -- case, because the order in which "or" evaluates its sides isn't defined.
  if (case when jsonb_typeof(links) is distinct from 'array' then true else jsonb_array_length(links) > 8 end) then
    raise sqlstate 'PT422' using message = 'Send a list of up to 8 links';
  elsif exists (
    select from jsonb_array_elements(links) e
    where case when jsonb_typeof(e.value) = 'object'
      then jsonb_typeof(e.value -> 'label') is distinct from 'string' or jsonb_typeof(e.value -> 'url') is distinct from 'string'
      else true end
  ) then
    raise sqlstate 'PT422' using message = 'Each link needs a label and a url';
  elsif (select count(distinct e.value ->> 'url') from jsonb_array_elements(links) e) < jsonb_array_length(links) then
    raise sqlstate 'PT422' using message = 'Add each url once';
  end if;
  -- Two lists that are saved at the same time don't mix.
  perform from private.profiles p where p.id = v_me for no key update;
  delete from public.profile_links l
  where l.creator_id = v_me and l.url not in (select e.value ->> 'url' from jsonb_array_elements(links) e);
  insert into public.profile_links (creator_id, position, label, url)
  select v_me, e.place - 1, btrim(e.value ->> 'label'), e.value ->> 'url'
  from jsonb_array_elements(links) with ordinality e (value, place)
  on conflict on constraint profile_links_once do update set position = excluded.position, label = excluded.label;
  return query select l.* from public.profile_links l where l.creator_id = v_me order by l.position;
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  if v_constraint = 'profile_links_label_format' then
    raise sqlstate 'PT422' using message = 'A label is one line of up to 40 characters';
  elsif v_constraint = 'profile_links_url_format' then
    raise sqlstate 'PT422' using message = 'A url begins with https:// and has up to 300 characters';
  end if;
  raise;
end;
$$;
comment on function public.set_profile_links is 'Replaces the caller''s links with [{label, url}], in this order, and returns them. A url that stays keeps its mark.';
grant execute on function public.set_profile_links(jsonb) to authenticated;

create type public.subscription_facts as (
  subscribers int,
  posts int
);
comment on type public.subscription_facts is 'The numbers that a creator shows beside their plans.';
comment on column public.subscription_facts.subscribers is 'Null unless the creator shows it.';
comment on column public.subscription_facts.posts is 'How many posts are for subscribers, up to 10,000; null unless the creator shows it.';
create function public.get_subscription_facts(creator_profile_id uuid) returns setof public.subscription_facts
language sql stable security definer rows 1 set search_path = ''
as $$
  select f.* from public.profile_layouts s
  join private.profiles p on p.id = s.creator_id
  cross join lateral (
    select case when s.shows_subscriber_count then p.subscribers_count end,
      case when s.shows_post_count then (
        select count(*)::int from (
          select from private.posts o
          where o.required_tier_id in (select t.id from public.subscription_products t where t.creator_id = s.creator_id)
          limit 10000
        ) counted
      ) end
  ) f (subscribers, posts)
  where s.creator_id = creator_profile_id and num_nonnulls(f.subscribers, f.posts) > 0 and private.shows_layout(s.creator_id);
$$;
comment on function public.get_subscription_facts is 'The numbers that the creator shows beside their plans, to everyone who may read the profile (PAGE-01). No row if there is nothing to show.';
grant execute on function public.get_subscription_facts(uuid) to anon, authenticated;
