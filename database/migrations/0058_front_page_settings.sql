-- Up Migration

-- The front page belongs to the operator (FIND-06). Its settings are one row, which set_front_page writes together with the creators, so that
-- visitors never see half of a change. Without a value, the page shows the product's own.
create table public.front_page (
  id           uuid primary key default gen_random_uuid(),
  headline     text constraint front_page_headline_length check (headline ~ '\S' and length(headline) <= 80),
  message      text constraint front_page_message_length check (message ~ '\S' and length(message) <= 400),
  accent       text constraint front_page_accent_hex check (accent ~ '^#[0-9a-f]{6}$'),
  picture_path text,
  picture_alt  text constraint front_page_picture_alt_length check (picture_alt ~ '\S' and length(picture_alt) <= 200),
  logo_path    text,
  updated_at   timestamptz not null default now(),
  constraint front_page_picture_alt_of_picture check (picture_alt is null or picture_path is not null)
);
comment on table public.front_page is 'The operator''s settings of the front page, in one row. Everyone reads it; set_front_page writes it.';
comment on column public.front_page.headline is 'One line; null for the product''s own.';
comment on column public.front_page.message is 'The text below the headline; null for the product''s own.';
comment on column public.front_page.accent is 'The color of buttons and links, #rrggbb; null for the product''s own. The app makes it readable on light and dark.';
comment on column public.front_page.picture_path is 'A path in bucket front-page; null for none.';
comment on column public.front_page.picture_alt is 'What the picture shows, for those who can''t see it; null for a decoration.';
comment on column public.front_page.logo_path is 'The logo above the headline, a path in bucket front-page; null for none.';
create unique index front_page_one_row on public.front_page ((true));
alter table public.front_page enable row level security;
create trigger front_page_touch before update on public.front_page for each row execute function private.touch_updated_at();
create policy select_all on public.front_page for select to anon, authenticated using (true);
grant select on public.front_page to anon, authenticated;
-- insert, update and delete are not granted: only set_front_page writes it.
insert into public.front_page default values;

create table public.featured_creators (
  creator_id uuid primary key references private.profiles on delete cascade,
  position   int not null constraint featured_creators_position_once unique
    constraint featured_creators_position_valid check (position between 1 and 12)
);
comment on table public.featured_creators is 'The creators whom the front page shows first. Visitors read them through front_creators, which leaves out those they may not see.';
comment on column public.featured_creators.creator_id is 'profiles.id of the creator.';
alter table public.featured_creators enable row level security;
create policy select_admin on public.featured_creators for select to authenticated using ((select private.is_admin()));
grant select on public.featured_creators to authenticated;
-- insert, update and delete are not granted: only set_front_page writes it.

-- The operator's pictures. They belong to the site, because the account of the admin who uploads them may be deleted. Nobody replaces or
-- deletes them: set_front_page removes what the page no longer shows.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('front-page', 'front-page', true, 10 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
create policy insert_front_page on storage.objects for insert to authenticated
  with check (bucket_id = 'front-page' and (select private.is_admin()));

create function public.set_front_page(
  headline text default null, message text default null, accent text default null, picture_path text default null,
  picture_alt text default null, logo_path text default null, creator_ids uuid[] default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.front_page;
  v_page public.front_page;
  v_featured uuid[];
begin
  perform private.require_admin();
  select f.* into v_before from public.front_page f for no key update; -- two admins at the same time save one after the other
  v_page := v_before;
  v_page.headline := private.trimmed(regexp_replace(set_front_page.headline, '\s+', ' ', 'g'));
  v_page.message := private.trimmed(set_front_page.message);
  v_page.accent := lower(private.trimmed(set_front_page.accent));
  v_page.picture_path := private.trimmed(set_front_page.picture_path);
  v_page.picture_alt := case when v_page.picture_path is not null then private.trimmed(set_front_page.picture_alt) end;
  v_page.logo_path := private.trimmed(set_front_page.logo_path);
  if length(v_page.headline) > 80 then
    raise exception 'The headline can have up to 80 characters' using errcode = '23514', constraint = 'front_page_headline_length';
  elsif length(v_page.message) > 400 then
    raise exception 'The text can have up to 400 characters' using errcode = '23514', constraint = 'front_page_message_length';
  elsif v_page.accent !~ '^#[0-9a-f]{6}$' then
    raise exception 'The color must be a hex value such as #1f5f99' using errcode = '23514', constraint = 'front_page_accent_hex';
  elsif length(v_page.picture_alt) > 200 then
    raise exception 'The description can have up to 200 characters' using errcode = '23514', constraint = 'front_page_picture_alt_length';
  elsif cardinality(creator_ids) > 12 then
    raise exception 'Up to 12 creators can be featured' using errcode = '22023';
  elsif cardinality(creator_ids) <> (select count(distinct c.id) from unnest(creator_ids) c (id)) then
    raise exception 'creator_ids must name each creator once' using errcode = '22023';
  elsif exists (
    select from unnest(array[v_page.picture_path, v_page.logo_path]) f (path)
    where f.path is not null and not exists (select from storage.objects o where o.bucket_id = 'front-page' and o.name = f.path)
  ) then
    raise sqlstate 'PT422' using message = 'The picture has not been uploaded', hint = 'Upload it to bucket front-page first.';
  end if;
  update public.front_page f set
    headline = v_page.headline, message = v_page.message, accent = v_page.accent,
    picture_path = v_page.picture_path, picture_alt = v_page.picture_alt, logo_path = v_page.logo_path
  where f.id = v_page.id;
  -- Locked before the rows that refer to them, as deleting an account does. Deleted profiles are left out.
  perform from private.profiles p where p.id = any (creator_ids) order by p.id for key share;
  v_featured := array(select c.creator_id from public.featured_creators c order by c.position);
  delete from public.featured_creators;
  insert into public.featured_creators (creator_id, position)
  select p.id, row_number() over (order by c.place)
  from unnest(creator_ids) with ordinality c (id, place)
  join private.profiles p on p.id = c.id;
  -- Files that the page doesn't show anymore, and uploads that were never saved.
  with gone as (
    delete from storage.objects o
    where o.bucket_id = 'front-page' and o.name is distinct from v_page.picture_path and o.name is distinct from v_page.logo_path
      and (o.name in (v_before.picture_path, v_before.logo_path) or o.created_at < now() - interval '1 day')
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  perform private.write_audit('change_front_page', 'front_page', v_page.id,
    jsonb_build_object('accent', v_before.accent, 'picture_path', v_before.picture_path, 'logo_path', v_before.logo_path, 'creator_ids', v_featured),
    jsonb_build_object('accent', v_page.accent, 'picture_path', v_page.picture_path, 'logo_path', v_page.logo_path,
      'creator_ids', array(select c.creator_id from public.featured_creators c order by c.position)),
    jsonb_build_object('new_headline', v_page.headline is distinct from v_before.headline, 'new_message', v_page.message is distinct from v_before.message));
end;
$$;
comment on function public.set_front_page is
  'Writes the settings of the front page (FIND-06); for admins. Each argument that is left out resets its setting to the product''s own. Pictures have to be in bucket front-page. creator_ids: up to 12, in order; deleted ones are left out.';
grant execute on function public.set_front_page(text, text, text, text, text, text, uuid[]) to authenticated;

create type public.front_creator as (
  id uuid,
  username text,
  display_name text,
  avatar_url text,
  cover_url text,
  categories text[],
  is_verified boolean,
  subscription_price numeric,
  updated_at timestamptz,
  is_featured boolean
);
comment on type public.front_creator is 'A creator on the front page (LOOP-03, FIND-06).';
comment on column public.front_creator.id is 'profiles.id. Never null.';
comment on column public.front_creator.username is 'Never null.';
comment on column public.front_creator.categories is 'Never null.';
comment on column public.front_creator.is_verified is 'Never null.';
comment on column public.front_creator.subscription_price is 'The monthly price of the cheapest active plan, in dollars; null when there is none ("Free").';
comment on column public.front_creator.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.front_creator.is_featured is 'Chosen by the operator. Never null.';

-- It reads at most 36 profiles by their keys and two dozen rows of an index, whatever the number of creators.
create function public.front_creators() returns setof public.front_creator
language sql stable security definer rows 12 set search_path = ''
as $$
  with featured as (
    select f.creator_id as id, f.position
    from public.featured_creators f
    join private.profiles c on c.id = f.creator_id
    where c.is_listed
  ), popular as (
    select d.id, d.ordinality as place
    from public.discover_creators(sort => 'popular', page_size => 24) with ordinality d
    where not exists (select from featured f where f.id = d.id)
    order by d.ordinality
    limit 12
  )
  select c.id, c.username, c.display_name, c.avatar_url, c.cover_url, c.categories, c.is_verified,
    round(c.lowest_price_cents / 100, 2), c.updated_at, shown.position is not null
  from (
    select f.id, f.position, null::bigint as place from featured f
    union all
    select p.id, null, p.place from popular p
  ) shown
  join private.profiles c on c.id = shown.id
  order by shown.position, coalesce(c.cover_url, '') = '', shown.place
  -- Rows of three.
  limit greatest(6, (select (count(*) + 2) / 3 * 3 from featured));
$$;
comment on function public.front_creators is
  'The creators on the front page: those whom the operator features, in order, then popular ones, those with a cover first. Six, or a multiple of three up to twelve. Only creators in Explore.';
grant execute on function public.front_creators() to anon, authenticated;
