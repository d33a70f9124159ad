-- Up Migration

-- Earnings of the vault's files (VAULT-01). A sale remembers its files, so what a file has earned outlives the post or message.
alter table public.vault_files
  add column sales integer not null default 0,
  add column earned_cents bigint not null default 0;
comment on column public.vault_files.sales is 'How many purchases of posts and messages included the file, without those that were refunded or are disputed. Maintained from transactions.';
comment on column public.vault_files.earned_cents is
  'What those posts and messages have earned the creator, in cents, after fees and refunds. A sale of several files counts in full for each of them. Maintained from transactions.';
create index vault_files_earned_idx on public.vault_files (creator_id, kind, uses, earned_cents, id);

create table private.vault_sales (
  file_id          uuid not null references public.vault_files on delete cascade,
  transaction_id   uuid not null references public.transactions on delete cascade,
  transaction_type text not null constraint vault_sales_type_known check (transaction_type in ('ppv', 'paid_message')),
  sold_at          timestamptz not null,
  primary key (file_id, transaction_id)
);
comment on table private.vault_sales is 'Which files of the vault each purchase included, also after its post or message was deleted.';
comment on column private.vault_sales.transaction_type is 'As in transactions.';
comment on column private.vault_sales.sold_at is 'created_at of the transaction.';
alter table private.vault_sales enable row level security; -- and no policy: functions read it for the creator
create index vault_sales_transaction_id_idx on private.vault_sales (transaction_id);
create index vault_sales_sold_at_idx on private.vault_sales (file_id, transaction_type, sold_at, transaction_id);

-- The files are locked in one order, which sending and publishing use, too.
create function private.count_vault_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.transaction_type = 'refund' then
    perform from public.vault_files f
    where f.id in (select s.file_id from private.vault_sales s where s.transaction_id = new.original_transaction_id) order by f.id for no key update;
    update public.vault_files f set earned_cents = f.earned_cents + new.net_amount
    from private.vault_sales s where s.transaction_id = new.original_transaction_id and f.id = s.file_id;
    return null;
  end if;
  perform from public.vault_files f
  where f.id in (
    select u.file_id from private.vault_uses u
    where case new.transaction_type when 'ppv' then u.post_id = new.post_id else u.message_id = new.message_id end
  ) order by f.id for no key update;
  with sold as (
    insert into private.vault_sales (file_id, transaction_id, transaction_type, sold_at)
    select distinct u.file_id, new.id, new.transaction_type, new.created_at from private.vault_uses u
    where case new.transaction_type when 'ppv' then u.post_id = new.post_id else u.message_id = new.message_id end
    returning file_id
  )
  update public.vault_files f set sales = f.sales + 1, earned_cents = f.earned_cents + new.net_amount from sold where f.id = sold.file_id;
  return null;
end;
$$;
comment on function private.count_vault_sale is 'Trigger of transactions: notes which files of the vault were sold or refunded, and maintains vault_files.';
create trigger transactions_count_vault_sale after insert on public.transactions
  for each row when (new.transaction_type = 'refund' or (new.transaction_type = 'ppv' and new.post_id is not null))
  execute function private.count_vault_sale();
-- The message of a payment is set right after its insert.
create trigger transactions_count_vault_message after update of message_id on public.transactions
  for each row when (new.transaction_type = 'paid_message' and old.message_id is null and new.message_id is not null)
  execute function private.count_vault_sale();

create function private.recount_vault_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.vault_files f
  where f.id in (select s.file_id from private.vault_sales s where s.transaction_id = new.id) order by f.id for no key update;
  update public.vault_files f set sales = f.sales
    + (new.status in ('completed', 'partially_refunded'))::int - (old.status in ('completed', 'partially_refunded'))::int
  from private.vault_sales s where s.transaction_id = new.id and f.id = s.file_id;
  return null;
end;
$$;
comment on function private.recount_vault_sale is 'Trigger of transactions: updates vault_files.sales when a purchase is refunded or disputed, which has a transaction of its own.';
create trigger transactions_recount_vault_sale after update of status on public.transactions
  for each row when (new.transaction_type in ('ppv', 'paid_message') and new.status <> old.status)
  execute function private.recount_vault_sale();

insert into private.vault_sales (file_id, transaction_id, transaction_type, sold_at)
select distinct u.file_id, t.id, t.transaction_type, t.created_at
from public.transactions t join private.vault_uses u on u.post_id = t.post_id where t.transaction_type = 'ppv'
union
select u.file_id, t.id, t.transaction_type, t.created_at
from public.transactions t join private.vault_uses u on u.message_id = t.message_id where t.transaction_type = 'paid_message';
update public.vault_files f set sales = k.sales, earned_cents = k.earned
from (
  select s.file_id, count(*) filter (where t.status in ('completed', 'partially_refunded')) as sales,
    sum(t.net_amount + coalesce((select sum(r.net_amount) from public.transactions r
      where r.original_transaction_id = t.id and r.transaction_type = 'refund'), 0)) as earned
  from private.vault_sales s join public.transactions t on t.id = s.transaction_id group by 1
) k where f.id = k.file_id;

-- Where a file is used, and who has received it (VAULT-05): the newest first, page by page.
alter table private.vault_uses add column used_at timestamptz not null default now();
comment on column private.vault_uses.used_at is 'When the post was published or the message sent.';
update private.vault_uses u set used_at = p.created_at from private.posts p where p.id = u.post_id;
update private.vault_uses u set used_at = m.created_at from private.messages m where m.id = u.message_id;
create index vault_uses_used_at_idx on private.vault_uses (file_id, used_at, object_id);
create index vault_uses_sent_idx on private.vault_uses (file_id, used_at, object_id) where message_id is not null;
drop index private.vault_uses_file_id_idx;

create or replace function private.note_vault_use() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Counting the use updates the file. All files of a post or message are locked first and in one order, as by its sale.
  if tg_table_name = 'post_media' then
    perform from public.vault_files f
    where f.id in (
      select v.id from private.post_media m
      join private.posts p on p.id = m.post_id
      join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
      join public.vault_files v on v.creator_id = p.creator_id and v.version = o.version
      where m.post_id = new.post_id
    ) order by f.id for no key update;
    insert into private.vault_uses (object_id, file_id, post_id, used_at)
    select o.id, f.id, p.id, p.created_at
    from private.posts p
    join storage.objects o on o.bucket_id = 'posts' and o.name = new.path
    join public.vault_files f on f.creator_id = p.creator_id and f.version = o.version
    where p.id = new.post_id on conflict (object_id) do nothing;
  else
    perform from public.vault_files f
    where f.id in (
      select v.id from private.message_media c
      join private.messages m on m.id = c.message_id
      join storage.objects o on o.bucket_id = 'messages' and o.name = c.path
      join public.vault_files v on v.creator_id = m.sender_id and v.version = o.version
      where c.message_id = new.message_id
    ) order by f.id for no key update;
    insert into private.vault_uses (object_id, file_id, message_id, used_at)
    select o.id, f.id, m.id, m.created_at
    from private.messages m
    join storage.objects o on o.bucket_id = 'messages' and o.name = new.path
    join public.vault_files f on f.creator_id = m.sender_id and f.version = o.version
    where m.id = new.message_id on conflict (object_id) do nothing;
  end if;
  return null;
end;
$$;

create or replace function private.fill_vault(p_user uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_object storage.objects;
begin
  for v_object in
    select o.* from storage.objects o
    where o.bucket_id in ('posts', 'messages') and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0'
      and o.version is not null and o.metadata ->> 'mimetype' ~ '^(image|video)/'
    order by o.created_at, o.id
  loop
    perform private.keep_in_vault(p_user::text, v_object.name, v_object.version, v_object.metadata, null, v_object.created_at);
  end loop;
  insert into private.vault_uses (object_id, file_id, post_id, message_id, used_at)
  select o.id, f.id, pm.post_id, mm.message_id, coalesce(s.created_at, m.created_at)
  from private.profiles p
  join public.vault_files f on f.creator_id = p.id
  join storage.objects o on o.version = f.version and o.bucket_id in ('posts', 'messages')
  left join private.post_media pm on o.bucket_id = 'posts' and pm.path = o.name
  left join private.posts s on s.id = pm.post_id
  left join private.message_media mm on o.bucket_id = 'messages' and mm.path = o.name
  left join private.messages m on m.id = mm.message_id
  where p.user_id = p_user and num_nonnulls(pm.post_id, mm.message_id) = 1
  on conflict (object_id) do nothing;
end;
$$;

create type public.vault_use as (
  id uuid,
  post_id uuid,
  message_id uuid,
  title text,
  price integer,
  username text,
  display_name text,
  used_at timestamptz
);
comment on type public.vault_use is 'A post or message with a file of the calling creator''s vault (VAULT-05).';
comment on column public.vault_use.id is 'The id of the use, which the next page begins after. Never null.';
comment on column public.vault_use.post_id is 'Null for a message.';
comment on column public.vault_use.message_id is 'Null for a post.';
comment on column public.vault_use.title is 'The title of the post, or else the beginning of its text; null for a message.';
comment on column public.vault_use.price is 'The price of a pay-per-view post or a paid message, in cents; null for others.';
comment on column public.vault_use.username is 'The recipient of the message; null for a post.';
comment on column public.vault_use.used_at is 'When it was published or sent. Never null.';

-- security definer, like get_vault_recipients: reads the rows behind the views. Only those of the caller's own file.
create function public.get_vault_uses(
  file_id uuid, before timestamptz default null, before_id uuid default null, page_size integer default 20
) returns setof public.vault_use
language sql stable security definer rows 20 set search_path = ''
as $$
  select u.object_id, u.post_id, u.message_id,
    case when p.id is not null then coalesce(p.title, left(private.trimmed(p.content), 80)) end,
    coalesce(p.ppv_price, nullif(m.price, 0)), r.username, r.display_name, u.used_at
  from public.vault_files f
  cross join lateral (
    select u.* from private.vault_uses u
    where u.file_id = f.id and (before_id is null or (u.used_at, u.object_id) < (before, before_id))
    order by u.used_at desc, u.object_id desc limit least(greatest(page_size, 1), 100)
  ) u
  left join private.posts p on p.id = u.post_id
  left join private.messages m on m.id = u.message_id
  left join private.profiles r on r.id = m.recipient_id
  where f.id = get_vault_uses.file_id and f.creator_id = private.my_profile_id()
  order by u.used_at desc, u.object_id desc;
$$;
comment on function public.get_vault_uses is
  'A page of the posts and messages with a file of the calling creator''s vault, newest first (VAULT-05). before and before_id: used_at and id of the last row of the page before.';
grant execute on function public.get_vault_uses(uuid, timestamptz, uuid, integer) to authenticated;

create type public.vault_recipient as (
  id uuid,
  profile_id uuid,
  username text,
  display_name text,
  avatar_url text,
  updated_at timestamptz,
  post_id uuid,
  price integer,
  is_bought boolean,
  received_at timestamptz
);
comment on type public.vault_recipient is 'A fan who was sent a file of the calling creator''s vault or bought a post with it (VAULT-05).';
comment on column public.vault_recipient.id is 'What the next page begins after. Never null.';
comment on column public.vault_recipient.profile_id is 'The fan''s profiles.id. Never null.';
comment on column public.vault_recipient.username is 'Never null.';
comment on column public.vault_recipient.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.vault_recipient.post_id is 'The post that was bought; null for a message.';
comment on column public.vault_recipient.price is 'What the post was bought for, or the price of the message, in cents; 0 for a free message. Never null.';
comment on column public.vault_recipient.is_bought is 'Whether the fan has paid; false for a free message. Never null.';
comment on column public.vault_recipient.received_at is 'When the message was sent or the post bought. Never null.';

-- Two ranges of indexes, whose first rows are merged. A refund deletes the purchase.
create function public.get_vault_recipients(
  file_id uuid, before timestamptz default null, before_id uuid default null, page_size integer default 20
) returns setof public.vault_recipient
language sql stable security definer rows 20 set search_path = ''
as $$
  select g.id, g.profile_id, r.username, r.display_name, r.avatar_url, r.updated_at, g.post_id, g.price, g.is_bought, g.received_at
  from public.vault_files f
  cross join lateral (
    (
      select u.object_id as id, m.recipient_id as profile_id, null::uuid as post_id, m.price, m.is_unlocked as is_bought, u.used_at as received_at
      from private.vault_uses u
      join private.messages m on m.id = u.message_id
      where u.file_id = f.id and u.message_id is not null and (before_id is null or (u.used_at, u.object_id) < (before, before_id))
      order by u.used_at desc, u.object_id desc limit least(greatest(page_size, 1), 100)
    )
    union all
    (
      select s.transaction_id, b.buyer_id, b.post_id, t.amount::int, true, s.sold_at
      from private.vault_sales s
      join public.purchases b on b.transaction_id = s.transaction_id
      join public.transactions t on t.id = s.transaction_id
      where s.file_id = f.id and s.transaction_type = 'ppv' and (before_id is null or (s.sold_at, s.transaction_id) < (before, before_id))
      order by s.sold_at desc, s.transaction_id desc limit least(greatest(page_size, 1), 100)
    )
    order by received_at desc, id desc limit least(greatest(page_size, 1), 100)
  ) g
  join private.profiles r on r.id = g.profile_id
  where f.id = get_vault_recipients.file_id and f.creator_id = private.my_profile_id()
  order by g.received_at desc, g.id desc;
$$;
comment on function public.get_vault_recipients is
  'A page of the fans who were sent a file of the calling creator''s vault or bought a post with it, the latest first (VAULT-05). before and before_id: received_at and id of the last row of the page before.';
grant execute on function public.get_vault_recipients(uuid, timestamptz, uuid, integer) to authenticated;

-- What later uses of a file begin with.
create policy update_own on public.vault_files for update to authenticated using (creator_id = (select private.my_profile_id()));
grant update (name, alt_text, caption) on public.vault_files to authenticated;
-- A generated column is computed as the caller, who can't reach private.search_words.
alter function private.vault_words(uuid, text, text, text) security definer;
grant execute on function private.vault_words(uuid, text, text, text) to authenticated;

-- The alt text of a picture belongs to the stored row, like its focus. It describes what a locked post hides, so only viewers of the whole post get it.
comment on column storage.objects.metadata is
  'mimetype, size (bytes), eTag, cacheControl, lastModified; of pictures and videos also width, height (pixels, as shown), preview (a ThumbHash in base64), and duration (seconds), measured by the server; of pictures also focus ({x, y}: fractions of width and height) and alt (the alt text), set by their owner.';

-- As in 0045_picture_focus.sql, with the alt text.
create or replace function private.previews_of(p_paths text[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
      'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream', 'focus', o.metadata -> 'focus', 'alt', o.metadata -> 'alt',
      'captions', (select jsonb_agg(c.language order by c.language) from private.video_captions c where c.object_id = o.id)
    )) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'posts' and o.name = f.path;
$$;

create or replace function private.message_previews(p_paths text[], p_is_locked boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_strip_nulls(case
      when p_is_locked then jsonb_build_object('duration', o.metadata -> 'duration')
      else jsonb_build_object(
        'preview', o.metadata -> 'preview', 'width', o.metadata -> 'width', 'height', o.metadata -> 'height',
        'duration', o.metadata -> 'duration', 'stream', o.metadata -> 'stream', 'alt', o.metadata -> 'alt'
      )
    end) order by f.position
  ), '[]')
  from unnest(p_paths) with ordinality as f (path, position)
  left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path;
$$;

create function private.without_alt(p_previews jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(f.preview - 'alt' order by f.position), '[]') from jsonb_array_elements(p_previews) with ordinality f (preview, position);
$$;
comment on function private.without_alt is 'posts.media_previews as everyone may see them: without the alt texts.';
grant execute on function private.without_alt(jsonb) to anon, authenticated; -- the view runs it as its reader

comment on column private.posts.media_previews is
  'One entry for each of media_urls: {preview, width, height, duration, stream, focus, alt, captions}, without unknown keys. Maintained from storage.objects and video_captions.';
comment on column public.posts.media_previews is 'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, focus: {x, y} of a picture, as fractions of its width and height, alt: the alt text of a picture, which a locked post doesn''t show, captions: language tags}; a key is missing while it is unknown. Never null.';

-- security definer: checks first that the file is in the caller's own folder.
create function public.set_alt_text(picture text, alt_text text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_text text := private.trimmed(alt_text);
begin
  if length(v_text) > 1000 then
    raise sqlstate 'PT422' using message = 'An alt text can have up to 1000 characters';
  end if;
  update storage.objects o
  set metadata = case when v_text is null then o.metadata - 'alt' else o.metadata || jsonb_build_object('alt', v_text) end
  -- A suspended user has no profile id.
  where o.bucket_id = 'posts' and o.name = picture and o.metadata ->> 'mimetype' like 'image/%'
    and private.is_own_path(o.name) and private.my_profile_id() is not null;
  if not found then
    raise sqlstate 'PT404' using message = 'This isn''t one of your pictures';
  end if;
  update private.posts p set media_previews = private.previews_of(p.media_urls)
  from private.post_media m where m.path = picture and p.id = m.post_id;
end;
$$;
comment on function public.set_alt_text is
  'Sets the alt text of one of the caller''s pictures, by its path in bucket posts; an empty one removes it (VAULT-05). The picture may belong to a post, or not yet.';
grant execute on function public.set_alt_text(text, text) to authenticated;

-- As in 0067_vault.sql; a use begins with the alt text of the file.
create or replace function public.use_vault_files(file_ids uuid[], bucket text) returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_paths text[];
begin
  if bucket is null or bucket not in ('posts', 'messages') then
    raise exception 'bucket must be posts or messages' using errcode = '22023';
  elsif file_ids is null or cardinality(file_ids) not between 1 and 20 or array_position(file_ids, null) is not null then
    raise exception 'file_ids must name 1 to 20 files' using errcode = '22023';
  end if;
  perform from storage.objects o where o.id = any (file_ids) order by o.id for key share;
  if exists (
    select from unnest(file_ids) asked (id)
    where not exists (select from public.vault_files f where f.id = asked.id and f.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  end if;
  with named as materialized (
    select asked.position, o.*, o.path_tokens[1] || '/' || gen_random_uuid() || coalesce('.' || storage.extension(o.name), '') as new_name,
      case when f.kind = 'image' and f.alt_text is not null then jsonb_build_object('alt', f.alt_text) else '{}' end as described
    from unnest(file_ids) with ordinality asked (id, position)
    join storage.objects o on o.id = asked.id
    join public.vault_files f on f.id = o.id
  ), made as (
    insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version)
    select use_vault_files.bucket, n.new_name, n.owner, n.owner_id, n.metadata || n.described, n.version from named n
  )
  select array_agg(n.new_name order by n.position) into v_paths from named n;
  return v_paths;
end;
$$;

-- Albums (VAULT-04).
create table public.vault_albums (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null references private.profiles on delete cascade,
  name       text not null constraint vault_albums_name_format check (name ~ '^\S(.*\S)?$' and length(name) <= 60),
  position   integer,
  cover_id   uuid references public.vault_files on delete set null,
  file_count integer not null default 0,
  created_at timestamptz not null default now()
);
comment on table public.vault_albums is 'Albums in a creator''s vault. Only the creator sees them.';
comment on column public.vault_albums.creator_id is 'profiles.id of the creator.';
comment on column public.vault_albums.position is 'The place in the creator''s order; null for a new album, which comes last.';
comment on column public.vault_albums.cover_id is 'The file shown for the album; null for any of its files.';
comment on column public.vault_albums.file_count is 'Maintained by vault_album_files.';
create unique index vault_albums_name_key on public.vault_albums (creator_id, lower(name));
create index vault_albums_cover_id_idx on public.vault_albums (cover_id) where cover_id is not null; -- the deletion of the file
alter table public.vault_albums enable row level security;
create policy select_own on public.vault_albums for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy insert_own on public.vault_albums for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.vault_albums for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  -- vault_files shows the caller's own only.
  with check (cover_id is null or cover_id in (select f.id from public.vault_files f where f.id = cover_id));
create policy delete_own on public.vault_albums for delete to authenticated using (creator_id = (select private.my_profile_id()));
-- position and file_count aren't granted: arrange_vault_albums and vault_album_files write them.
grant select, insert (creator_id, name), update (name, cover_id), delete on public.vault_albums to authenticated;

create function private.limit_vault_albums() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Serialize the creator's requests: at the same time, each would pass.
  perform pg_advisory_xact_lock(hashtextextended('vault albums ' || new.creator_id, 0));
  if (select count(*) from public.vault_albums a where a.creator_id = new.creator_id) >= 100 then
    raise sqlstate 'PT409' using message = 'You can have up to 100 albums', hint = 'Remove an album first.';
  end if;
  return new;
end;
$$;
comment on function private.limit_vault_albums is 'Trigger of vault_albums: limits a creator to 100, so that one page shows them all.';
create trigger vault_albums_limit before insert on public.vault_albums for each row execute function private.limit_vault_albums();

-- With what the grid filters and sorts by, so that an album is ranges of an index, too (VAULT-08).
create table public.vault_album_files (
  album_id     uuid not null references public.vault_albums on delete cascade,
  file_id      uuid not null references public.vault_files on delete cascade,
  creator_id   uuid not null references private.profiles on delete cascade,
  kind         text not null constraint vault_album_files_kind_known check (kind in ('image', 'video')),
  uses         smallint not null,
  size_bytes   bigint not null,
  earned_cents bigint not null,
  created_at   timestamptz not null,
  primary key (album_id, file_id)
);
comment on table public.vault_album_files is 'The files in each album of a vault. Only the creator sees them.';
comment on column public.vault_album_files.creator_id is 'profiles.id of the creator of both.';
comment on column public.vault_album_files.uses is 'As in vault_files, from which all following columns are maintained.';
comment on column public.vault_album_files.earned_cents is 'What the file has earned, in cents.';
comment on column public.vault_album_files.created_at is 'created_at of the file.';
create index vault_album_files_file_id_idx on public.vault_album_files (file_id); -- the cascade from vault_files, and its changes
create index vault_album_files_creator_id_idx on public.vault_album_files (creator_id); -- the cascade from profiles
create index vault_album_files_created_at_idx on public.vault_album_files (album_id, kind, uses, created_at, file_id);
create index vault_album_files_size_idx on public.vault_album_files (album_id, kind, uses, size_bytes, file_id);
create index vault_album_files_earned_idx on public.vault_album_files (album_id, kind, uses, earned_cents, file_id);
alter table public.vault_album_files enable row level security;
create policy select_own on public.vault_album_files for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.vault_album_files to authenticated;
-- insert and delete are not granted: add_to_vault_album and remove_from_vault_album write the rows.

create function private.keep_album_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.vault_album_files a set uses = new.uses, earned_cents = new.earned_cents where a.file_id = new.id;
  return null;
end;
$$;
comment on function private.keep_album_files is 'Trigger of vault_files: maintains what vault_album_files has of a file.';
create trigger vault_files_keep_album_files after update on public.vault_files
  for each row when (old.uses <> new.uses or old.earned_cents <> new.earned_cents) execute function private.keep_album_files();

create function private.count_album_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.vault_albums a where a.id in (select c.album_id from changed c) order by a.id for no key update;
  update public.vault_albums a set file_count = a.file_count + v_step * c.files
  from (select album_id, count(*) as files from changed group by 1) c where a.id = c.album_id;
  return null;
end;
$$;
comment on function private.count_album_files is 'Trigger of vault_album_files: maintains vault_albums.file_count.';
create trigger vault_album_files_count after insert on public.vault_album_files
  referencing new table as changed for each statement execute function private.count_album_files();
create trigger vault_album_files_uncount after delete on public.vault_album_files
  referencing old table as changed for each statement execute function private.count_album_files();

create function private.require_file_ids(p_files uuid[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_files is null or cardinality(p_files) not between 1 and 500 or array_position(p_files, null) is not null then
    raise exception 'file_ids must name 1 to 500 files' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_file_ids is 'Rejects a selection of files that is empty or has more than 500.';

create function public.add_to_vault_album(album_id uuid, file_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_added int;
begin
  perform private.require_file_ids(file_ids);
  perform from public.vault_albums a where a.id = add_to_vault_album.album_id and a.creator_id = v_me for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'Album not found';
  end if;
  -- Their columns must not change between being read and being maintained.
  perform from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me order by f.id for share;
  insert into public.vault_album_files (album_id, file_id, creator_id, kind, uses, size_bytes, earned_cents, created_at)
  select add_to_vault_album.album_id, f.id, v_me, f.kind, f.uses, f.size_bytes, f.earned_cents, f.created_at
  from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me
  on conflict do nothing;
  get diagnostics v_added = row_count;
  return v_added;
end;
$$;
comment on function public.add_to_vault_album is
  'Adds up to 500 files of the calling creator''s vault to an album, and returns how many weren''t in it (VAULT-04). Skips files that aren''t in the vault. PT404 for an album of another creator.';
grant execute on function public.add_to_vault_album(uuid, uuid[]) to authenticated;

create function public.remove_from_vault_album(album_id uuid, file_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_removed int;
begin
  perform private.require_file_ids(file_ids);
  perform from public.vault_albums a where a.id = remove_from_vault_album.album_id and a.creator_id = private.my_profile_id() for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'Album not found';
  end if;
  delete from public.vault_album_files f where f.album_id = remove_from_vault_album.album_id and f.file_id = any (file_ids);
  get diagnostics v_removed = row_count;
  update public.vault_albums a set cover_id = null where a.id = remove_from_vault_album.album_id and a.cover_id = any (file_ids);
  return v_removed;
end;
$$;
comment on function public.remove_from_vault_album is
  'Takes up to 500 files out of an album of the calling creator, and returns how many were in it (VAULT-04). They stay in the vault. PT404 for an album of another creator.';
grant execute on function public.remove_from_vault_album(uuid, uuid[]) to authenticated;

create function public.arrange_vault_albums(album_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if album_ids is null or cardinality(album_ids) > 100 or cardinality(album_ids) <> (select count(distinct a.id) from unnest(album_ids) a (id)) then
    raise exception 'album_ids must name each album once' using errcode = '22023';
  end if;
  perform from public.vault_albums a where a.creator_id = v_me order by a.id for no key update;
  if exists (
    select from unnest(album_ids) n (id)
    where not exists (select from public.vault_albums a where a.id = n.id and a.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'Album not found';
  end if;
  update public.vault_albums a set position = array_position(album_ids, a.id)
  where a.creator_id = v_me and a.position is distinct from array_position(album_ids, a.id);
end;
$$;
comment on function public.arrange_vault_albums is
  'Puts the calling creator''s albums in this order (VAULT-04). Those that it leaves out come last. PT404 for an album of another creator.';
grant execute on function public.arrange_vault_albums(uuid[]) to authenticated;

create type public.vault_album as (
  id uuid,
  name text,
  file_count integer,
  cover_id uuid,
  cover_path text,
  cover_kind text,
  cover_preview text
);
comment on type public.vault_album is 'An album of the calling creator''s vault (VAULT-04).';
comment on column public.vault_album.id is 'Never null.';
comment on column public.vault_album.name is 'Never null.';
comment on column public.vault_album.file_count is 'Never null.';
comment on column public.vault_album.cover_id is 'The file that the creator has set as cover; null for none.';
comment on column public.vault_album.cover_path is 'That file''s path in bucket vault, or else that of one of the files; null for an empty album.';
comment on column public.vault_album.cover_kind is 'image or video; null for an empty album.';
comment on column public.vault_album.cover_preview is 'A ThumbHash in base64.';

create function public.get_vault_albums() returns setof public.vault_album
language sql stable security definer rows 100 set search_path = ''
as $$
  select a.id, a.name, a.file_count, a.cover_id, o.name, f.kind, o.metadata ->> 'preview'
  from public.vault_albums a
  left join lateral (
    select coalesce(a.cover_id, (select c.file_id from public.vault_album_files c where c.album_id = a.id order by c.file_id limit 1)) as id
  ) cover on true
  left join public.vault_files f on f.id = cover.id
  left join storage.objects o on o.id = f.id
  where a.creator_id = private.my_profile_id()
  order by a.position, a.created_at, a.id;
$$;
comment on function public.get_vault_albums is 'The albums of the calling creator''s vault, in the creator''s order (VAULT-04).';
grant execute on function public.get_vault_albums() to authenticated;

-- The grid, with albums and earnings (VAULT-01).
alter type public.vault_file add attribute sales integer;
alter type public.vault_file add attribute earned_cents bigint;
comment on column public.vault_file.sales is 'How many purchases included the file. Never null.';
comment on column public.vault_file.earned_cents is
  'What posts and messages with the file have earned, in cents, after fees and refunds. Each counts in full for each of its files. Never null.';

-- security definer: reads the rows of storage.objects without their policies, which are evaluated for each file. The caller's own only.
-- Each kind and use is a range of the index, of the vault or of an album, and the page is the first rows of all of them together.
create function private.vault_page(
  kind text, usage text, search text, sort text, after_value text, after_id uuid, page_size integer, album uuid
) returns setof public.vault_file
language plpgsql stable security definer rows 60 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_kinds text[] := case when kind is null then array['image', 'video'] else array[kind] end;
  v_uses smallint[] := case usage when 'unused' then '{0}' when 'used' then '{1,2,3}' when 'posts' then '{1,3}' when 'messages' then '{2,3}' else '{0,1,2,3}' end;
  v_column text := case sort when 'largest' then 'size_bytes' when 'earnings' then 'earned_cents' else 'created_at' end;
  v_way text := case sort when 'oldest' then 'asc' else 'desc' end;
  v_type text := case when sort in ('largest', 'earnings') then 'bigint' else 'timestamptz' end;
  v_source text := case when album is null then 'public.vault_files f where f.creator_id = $1' else 'public.vault_album_files f where f.album_id = $8 and f.creator_id = $1' end;
  v_id text := case when album is null then 'id' else 'file_id' end;
  v_after text := '';
  v_from text;
  v_words tsquery := (
    select string_agg(format('''%s''', replace(v_me || w.word, '''', '''''')) || ':*', ' & ')::tsquery
    from unnest(tsvector_to_array(private.search_words(translate(left(search, 100), '._-/\+', '      ')))) w (word));
begin
  if sort is null or sort not in ('newest', 'oldest', 'largest', 'earnings') then
    raise exception 'sort must be newest, oldest, largest, or earnings' using errcode = '22023';
  elsif usage not in ('used', 'unused', 'posts', 'messages') then
    raise exception 'usage must be used, unused, posts, or messages' using errcode = '22023';
  elsif kind not in ('image', 'video') then
    raise exception 'kind must be image or video' using errcode = '22023';
  elsif private.trimmed(search) is not null and v_words is null then
    return; -- only punctuation: no file has it
  end if;
  if after_id is not null then
    v_after := format('and (f.%I, f.%I) %s ($4::%s, $5)', v_column, v_id, case v_way when 'asc' then '>' else '<' end, v_type);
  end if;
  if v_words is not null then
    -- First all files of the creator with the words, and only then the order: otherwise a rare word would read everything in order.
    v_from := format('(
      with found as materialized (select f.id from public.vault_files f where f.words @@ $7)
      select f.%5$I as id, f.%1$I from found cross join lateral (select f.* from %4$s and f.%5$I = found.id) f
      where f.kind = any ($2) and f.uses = any ($3) %2$s)', v_column, v_after, v_way, v_source, v_id);
  else
    v_from := format('(
      select f.id, f.%1$I from unnest($2) k (kind) cross join unnest($3) u (uses) cross join lateral (
        select f.%5$I as id, f.%1$I from %4$s and f.kind = k.kind and f.uses = u.uses %2$s
        order by f.%1$I %3$s, f.%5$I %3$s limit $6) f)', v_column, v_after, v_way, v_source, v_id);
  end if;
  -- The keys are in the index; the rest is read for the files of the page only.
  return query execute format('
    select f.id, o.name, f.kind, o.metadata ->> ''mimetype'', f.size_bytes, f.name, f.alt_text, f.caption,
      (o.metadata ->> ''width'')::int, (o.metadata ->> ''height'')::int, (o.metadata ->> ''duration'')::double precision,
      o.metadata ->> ''preview'', coalesce((o.metadata ->> ''stream'')::boolean, false), f.post_uses, f.message_uses, f.created_at,
      f.sales, f.earned_cents
    from (select p.id from %1$s p order by p.%2$I %3$s, p.id %3$s limit $6) page
    join public.vault_files f on f.id = page.id
    join storage.objects o on o.id = f.id
    order by f.%2$I %3$s, f.id %3$s', v_from, v_column, v_way)
  using v_me, v_kinds, v_uses, after_value, after_id, least(greatest(page_size, 1), 200), v_words, album;
end;
$$;
comment on function private.vault_page is 'What get_vault_files and get_vault_album_files return; album is null for the whole vault.';

create or replace function public.get_vault_files(
  kind text default null, usage text default null, search text default null, sort text default 'newest',
  after_value text default null, after_id uuid default null, page_size integer default 60
) returns setof public.vault_file
language sql stable security definer rows 60 set search_path = ''
as $$
  select * from private.vault_page(kind, usage, search, sort, after_value, after_id, page_size, null);
$$;
comment on function public.get_vault_files is
  'A page of the calling creator''s vault (VAULT-01). kind: image or video. usage: used, unused, posts, or messages. sort: newest, oldest, largest, or earnings. after_value and after_id: created_at (or size_bytes or earned_cents, if that is the order) and id of the last file of the page before.';

create function public.get_vault_album_files(
  album uuid, kind text default null, usage text default null, search text default null, sort text default 'newest',
  after_value text default null, after_id uuid default null, page_size integer default 60
) returns setof public.vault_file
language sql stable security definer rows 60 set search_path = ''
as $$
  -- Not the whole vault without an album.
  select f.* from private.vault_page(kind, usage, search, sort, after_value, after_id, page_size, album) f where album is not null;
$$;
comment on function public.get_vault_album_files is 'A page of an album of the calling creator''s vault (VAULT-01), as get_vault_files returns it. No files for an album of another creator.';
grant execute on function public.get_vault_album_files(uuid, text, text, text, text, text, uuid, integer) to authenticated;

create or replace function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0)
  union all
  select f.creator_id, 'vault_files.post_uses + message_uses', f.post_uses + f.message_uses, coalesce(u.posts + u.messages, 0)
  from public.vault_files f
  left join (select file_id, count(post_id) as posts, count(message_id) as messages from private.vault_uses group by 1) u on u.file_id = f.id
  where (f.post_uses, f.message_uses) is distinct from (coalesce(u.posts, 0), coalesce(u.messages, 0))
  union all
  select coalesce(f.creator_id, c.creator_id), 'fans.' || k.counter, k.kept, k.counted
  from private.fans f
  full join private.compute_fans() c on c.creator_id = f.creator_id and c.fan_id = f.fan_id
  cross join lateral (values
    ('fan_id', num_nonnulls(f.fan_id), num_nonnulls(c.fan_id)), ('spent', f.spent, c.spent), ('tipped', f.tipped, c.tipped),
    ('posts_bought', f.posts_bought, c.posts_bought), ('messages_bought', f.messages_bought, c.messages_bought),
    ('sessions_bought', f.sessions_bought, c.sessions_bought),
    ('subscription', ((f.plan_id, f.subscription_status, f.subscribed_at, f.subscribed_until, f.renewal_off)
      is distinct from (c.plan_id, c.subscription_status, c.subscribed_at, c.subscribed_until, c.renewal_off))::int, 0)
  ) k (counter, kept, counted)
  where coalesce(k.kept, 0) <> coalesce(k.counted, 0)
  union all
  select f.creator_id, 'vault_files.earned_cents', f.earned_cents, coalesce(k.earned, 0)
  from public.vault_files f
  left join (
    select s.file_id, count(*) filter (where t.status in ('completed', 'partially_refunded')) as sales, sum(t.net_amount + coalesce(r.net_amount, 0)) as earned
    from private.vault_sales s
    join public.transactions t on t.id = s.transaction_id
    left join (
      select original_transaction_id, sum(net_amount) as net_amount from public.transactions where transaction_type = 'refund' group by 1
    ) r on r.original_transaction_id = t.id
    group by 1
  ) k on k.file_id = f.id
  where (f.sales, f.earned_cents) is distinct from (coalesce(k.sales, 0), coalesce(k.earned, 0))
  union all
  select a.creator_id, 'vault_albums.file_count', a.file_count, coalesce(k.files, 0)
  from public.vault_albums a
  left join (select album_id, count(*) as files from public.vault_album_files group by 1) k on k.album_id = a.id
  where a.file_count <> coalesce(k.files, 0)
  union all
  select a.creator_id, 'vault_album_files.uses', a.uses, f.uses
  from public.vault_album_files a join public.vault_files f on f.id = a.file_id
  where (a.kind, a.uses, a.size_bytes, a.earned_cents, a.created_at) is distinct from (f.kind, f.uses, f.size_bytes, f.earned_cents, f.created_at);
$$;

-- The quota (VAULT-07). Admins can change it for one creator; otherwise, it is the operator's setting.
create table private.vault_quotas (
  creator_id uuid primary key references private.profiles on delete cascade,
  quota_gb   integer not null constraint vault_quotas_range check (quota_gb between 0 and 1000000),
  updated_at timestamptz not null default now()
);
comment on table private.vault_quotas is 'The space that an admin has set for one creator''s files.';
comment on column private.vault_quotas.creator_id is 'profiles.id of the creator.';
comment on column private.vault_quotas.quota_gb is 'In GB of 1024³ bytes; 0 for no limit.';
alter table private.vault_quotas enable row level security; -- and no policy: functions read and write it

drop function private.storage_use(uuid);
-- As in 0067_vault.sql, with the quota that an admin has set.
create function private.storage_use(p_owner uuid, out is_creator boolean, out stored_bytes bigint, out open_bytes bigint,
  out open_uploads int, out waiting_videos int, out quota_bytes bigint)
language sql stable security definer set search_path = ''
as $$
  with open as (
    select coalesce(u.size_bytes, (select sum(p.size_bytes) from private.upload_parts p where p.upload_id = u.id)) as bytes
    from private.uploads u
    where u.owner = p_owner and u.expires_at > now()
      -- A finished upload has no parts any more.
      and (u.version is null or exists (select from private.upload_parts p where p.upload_id = u.id))
      and not exists (select from storage.objects o where o.version = u.version::text)
  ), stored as (
    select distinct on (coalesce(o.version, o.id::text)) (o.metadata ->> 'size')::bigint as bytes
    from storage.objects o where o.owner_id = p_owner::text
  )
  select
    exists (select from private.profiles p where p.user_id = p_owner and p.is_creator and p.is_verified),
    coalesce((select sum(s.bytes) from stored s), 0)::bigint,
    coalesce((select sum(o.bytes) from open o), 0)::bigint,
    (select count(*) from open)::int,
    (select count(distinct v.version) from private.videos v join storage.objects o on o.id = v.object_id
     where o.owner_id = p_owner::text and v.state in ('waiting', 'working'))::int,
    (select q.quota_gb * 1024::bigint ^ 3 from private.vault_quotas q join private.profiles p on p.id = q.creator_id where p.user_id = p_owner)::bigint;
$$;
comment on function private.storage_use is
  'The space that an account''s files use, and what is in progress: the announced or received bytes of open uploads, their number, and videos that wait for their streams. quota_bytes: what an admin has set for this account; 0 for no limit, null for the usual one.';

create type public.vault_space as (
  used_bytes bigint,
  quota_bytes bigint,
  own_quota_gb integer
);
comment on type public.vault_space is 'The space of a creator''s files (VAULT-07).';
comment on column public.vault_space.used_bytes is 'What the account''s files take, each content once, with uploads under way. Never null.';
comment on column public.vault_space.quota_bytes is 'What they can take; null for no limit.';
comment on column public.vault_space.own_quota_gb is 'What an admin has set for this creator, in GB; 0 for no limit, null for the usual quota.';

create function public.get_vault_space(profile_id uuid default null) returns setof public.vault_space
language plpgsql stable security definer rows 1 set search_path = ''
as $$
begin
  if profile_id is not null then
    perform private.require_admin();
  end if;
  return query
    select u.stored_bytes + u.open_bytes, nullif(coalesce(u.quota_bytes, private.setting('creator_quota_bytes')::bigint), 0), q.quota_gb
    from private.profiles p
    cross join lateral private.storage_use(p.user_id) u
    left join private.vault_quotas q on q.creator_id = p.id
    where p.id = coalesce(get_vault_space.profile_id, private.my_profile_id()) and private.is_approved_creator(p.id);
end;
$$;
comment on function public.get_vault_space is
  'The space of the calling creator''s files, or, for admins, of the creator with this profiles.id (VAULT-07). No row for others.';
grant execute on function public.get_vault_space(uuid) to authenticated;

create function public.set_vault_quota(profile_id uuid, quota_gb integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before int;
begin
  perform private.require_admin();
  perform from private.profiles p where p.id = set_vault_quota.profile_id for key share;
  if not found or not private.is_approved_creator(set_vault_quota.profile_id) then
    raise sqlstate 'PT404' using message = 'Creator not found';
  elsif quota_gb not between 0 and 1000000 then
    raise exception 'A quota has 0 to 1,000,000 GB' using errcode = '23514', constraint = 'vault_quotas_range';
  end if;
  select q.quota_gb into v_before from private.vault_quotas q where q.creator_id = set_vault_quota.profile_id for update;
  if quota_gb is null then
    delete from private.vault_quotas q where q.creator_id = set_vault_quota.profile_id;
  else
    insert into private.vault_quotas as q (creator_id, quota_gb) values (set_vault_quota.profile_id, set_vault_quota.quota_gb)
    on conflict (creator_id) do update set quota_gb = excluded.quota_gb, updated_at = now();
  end if;
  perform private.write_audit('set_vault_quota', 'profiles', set_vault_quota.profile_id,
    jsonb_build_object('quota_gb', v_before), jsonb_build_object('quota_gb', quota_gb));
end;
$$;
comment on function public.set_vault_quota is
  'Sets the space for a creator''s files, in GB, by profiles.id, for admins (VAULT-07). 0: no limit; null: the usual quota. PT404 for others.';
grant execute on function public.set_vault_quota(uuid, integer) to authenticated;

-- Deleting files in use (VAULT-06). Who bought a post with a file keeps it: its row stays in post_media with the time of the removal, under another
-- path, so that no link from before opens it. For everyone else, and in posts.media_urls, it is gone.
alter table private.post_media add column removed_at timestamptz;
comment on column private.post_media.removed_at is 'When the creator deleted the file; from then on, only those who had bought the post have it. Null while it is part of the post.';
alter table private.posts add column keeps_media boolean not null default false;
comment on column private.posts.keeps_media is 'Whether post_media has files that only earlier buyers see.';

-- The time of the payment, which a dispute that is won doesn't change.
create function private.bought_before(p_post uuid, p_moment timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.purchases b left join public.transactions t on t.id = b.transaction_id
    where b.buyer_id = private.my_profile_id() and b.post_id = p_post and coalesce(t.created_at, b.created_at) <= p_moment
  );
$$;
comment on function private.bought_before is 'True when the caller has bought the post, and paid for it by then.';

create type private.post_files as (urls text[], types text[], previews jsonb);
create function private.files_kept_for_me(p_post uuid) returns private.post_files
language sql stable security definer set search_path = ''
as $$
  select array_agg(m.path order by m.position), array_agg(m.media_type order by m.position), private.previews_of(array_agg(m.path order by m.position))
  from private.post_media m
  where m.post_id = p_post and (m.removed_at is null or private.bought_before(m.post_id, m.removed_at))
  having bool_or(m.removed_at is not null);
$$;
comment on function private.files_kept_for_me is 'The files of a post for a caller who bought it before some of them were deleted. Null for everyone else.';
grant execute on function private.files_kept_for_me(uuid) to anon, authenticated; -- the view runs it as its reader

-- The view again, with what earlier buyers keep. Their media_types differ, so filters of live changes can't read the row itself.
update private.followed_views set plain_columns = array_remove(plain_columns, 'media_types') where view_name = 'posts';
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
            WHEN access.can_view THEN COALESCE((access.kept).urls, p.media_urls)
            ELSE '{}'::text[]
        END AS media_urls,
    COALESCE((access.kept).types, p.media_types) AS media_types,
    cardinality(COALESCE((access.kept).urls, p.media_urls)) AS media_count,
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
        CASE
            WHEN access.can_view THEN COALESCE((access.kept).previews, p.media_previews)
            ELSE private.without_alt(p.media_previews)
        END AS media_previews,
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
                END AS can_view,
                CASE
                    WHEN p.keeps_media THEN private.files_kept_for_me(p.id)
                    ELSE NULL::private.post_files
                END AS kept
           FROM ( SELECT (( SELECT private.is_privileged() AS is_privileged) OR (p.creator_id = ( SELECT private.my_profile_id() AS my_profile_id))) AS is_own) own
         OFFSET 0) access);
comment on column public.posts.media_types is 'image or video, one for each file, also while is_locked. Never null.';
comment on column public.posts.media_count is 'How many files the post has, locked or not. Never null.';

create or replace function private.can_read_post_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.post_media m
    where m.path = p_path and private.can_view_post(m.post_id) and (m.removed_at is null or private.bought_before(m.post_id, m.removed_at))
  );
$$;

create or replace function storage.open_post_files(p_paths text[]) returns table (name text, version text, mark text)
language sql stable security definer rows 20 set search_path = ''
as $$
  select o.name, o.version,
    -- Most creators have no watermark, which saves the call for each file.
    case when exists (select from public.media_settings s where s.profile_id = v.creator_id and s.watermark)
      then storage.watermark_on(o.name) end
  from private.post_media m
  join public.posts v on v.id = m.post_id
  join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
  where m.path = any (p_paths) and not v.is_locked and not (select auth.is_suspended()) and m.path = any (v.media_urls);
$$;

-- A file that buyers keep is final, like one of a sent message.
create or replace function private.is_filed(p_bucket text, p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case p_bucket
    when 'posts' then exists (select from private.post_media m where m.path = p_path and m.removed_at is not null)
    when 'messages' then private.is_sent_file(p_path)
    when 'verification' then exists (
      select from public.creator_applications a
      where a.user_id::text = (storage.foldername(p_path))[1] and p_path in (a.id_front_url, a.id_back_url))
    else false
  end;
$$;
drop trigger objects_reject_filed_change on storage.objects;
create trigger objects_reject_filed_change before update of bucket_id, name, version on storage.objects
  for each row when (old.bucket_id in ('posts', 'messages', 'verification')
    and (old.bucket_id is distinct from new.bucket_id or old.name is distinct from new.name or old.version is distinct from new.version))
  execute function private.reject_filed_change();
drop trigger objects_reject_filed_removal on storage.objects;
create constraint trigger objects_reject_filed_removal after delete on storage.objects deferrable initially deferred
  for each row when (old.bucket_id in ('posts', 'messages', 'verification')) execute function private.reject_filed_removal();

-- A payment under way counts as a purchase: it may have been made already.
create function private.bought_posts(p_posts uuid[]) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select b.id from unnest(p_posts) b (id)
    where exists (select from public.purchases c where c.post_id = b.id)
      or exists (select from private.checkout_sessions s where s.post_id = b.id and s.kind = 'ppv' and s.status = 'open')
  );
$$;
comment on function private.bought_posts is 'Those of these posts that somebody has bought or is buying.';

create function private.emptied_posts(p_files uuid[]) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select p.id from private.posts p
    where p.id in (select u.post_id from private.vault_uses u where u.file_id = any (p_files)) and p.content !~ '\S'
      and not exists (
        select from private.post_media m
        left join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
        left join private.vault_uses u on u.object_id = o.id
        where m.post_id = p.id and m.removed_at is null and not coalesce(u.file_id = any (p_files), false)
      )
  );
$$;
comment on function private.emptied_posts is 'The posts that have nothing but these files of a vault.';

create function private.removable_files(p_files uuid[]) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select f.id from public.vault_files f
    where f.id = any (p_files) and f.creator_id = private.my_profile_id() and not exists (
      select from private.vault_uses u
      where u.file_id = f.id and u.post_id = any (private.bought_posts(private.emptied_posts(p_files)))
    )
  );
$$;
comment on function private.removable_files is 'Those of these files that are in the caller''s vault and aren''t all that a bought post has.';

-- The messages that lose a file: not what is bought or being bought, and not what the recipient has reported, which is evidence.
create function private.messages_losing(p_files uuid[]) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select distinct m.id from private.vault_uses u
    join private.messages m on m.id = u.message_id
    where u.file_id = any (p_files) and not (m.is_paid and m.is_unlocked)
      and not exists (select from private.checkout_sessions s where s.message_id = m.id and s.status = 'open')
      and not exists (select from public.reports r where r.reporter_id = m.recipient_id and r.target_type = 'message' and r.target_id = m.id)
  );
$$;
comment on function private.messages_losing is 'The messages that lose these files of a vault when they are deleted.';

create type public.vault_removal as (
  posts integer,
  messages integer,
  buyers integer,
  emptied_posts integer,
  staying_files integer
);
comment on type public.vault_removal is 'What deleting files of the calling creator''s vault does (VAULT-06).';
comment on column public.vault_removal.posts is 'Posts and scheduled posts with the files. Never null.';
comment on column public.vault_removal.messages is 'Messages with the files. Never null.';
comment on column public.vault_removal.buyers is 'Fans who have bought one of those posts or messages. Never null.';
comment on column public.vault_removal.emptied_posts is 'Posts that have nothing else, and that will be deleted. Never null.';
comment on column public.vault_removal.staying_files is 'Files that are all that a bought post has, and that will stay. Never null.';

create function public.get_vault_removal(file_ids uuid[]) returns setof public.vault_removal
language plpgsql stable security definer rows 1 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_own uuid[] := array(select f.id from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me);
  v_going uuid[] := private.removable_files(v_own);
  v_posts uuid[] := array(select distinct u.post_id from private.vault_uses u where u.file_id = any (v_own) and u.post_id is not null);
  v_messages uuid[] := array(select distinct u.message_id from private.vault_uses u where u.file_id = any (v_own) and u.message_id is not null);
begin
  perform private.require_file_ids(file_ids);
  return query select
    cardinality(v_posts) + (
      select count(distinct s.id)::int from public.scheduled_posts s
      join storage.objects o on o.bucket_id = 'posts' and o.name = any (s.media_urls)
      join public.vault_files f on f.version = o.version and f.id = any (v_own)
      where s.creator_id = v_me),
    cardinality(v_messages),
    (select count(distinct b.id)::int from (
      select p.buyer_id as id from public.purchases p where p.post_id = any (v_posts)
      union all
      select k.buyer_id from public.message_unlocks k where k.message_id = any (v_messages)) b),
    cardinality(private.emptied_posts(v_going)),
    cardinality(v_own) - cardinality(v_going);
end;
$$;
comment on function public.get_vault_removal is 'What deleting up to 500 files of the calling creator''s vault does (VAULT-06). Counts nothing of files that aren''t in it.';
grant execute on function public.get_vault_removal(uuid[]) to authenticated;

-- Locks the objects first: use_vault_files, which adds uses, waits or makes this wait. Then posts against purchases, and conversations before
-- messages, as unsend_message does.
create function public.delete_vault_files(file_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_folder text := (select p.user_id::text from private.profiles p where p.id = v_me);
  v_files uuid[];
  v_versions text[];
  v_posts uuid[];
  v_bought uuid[];
  v_messages uuid[];
  v_emptied uuid[];
  v_recipients uuid[];
  v_photos int;
  v_videos int;
  v_kept record;
  v_path text;
begin
  perform private.require_file_ids(file_ids);
  perform from storage.objects o where o.id = any (file_ids) order by o.id for update;
  v_files := array(select f.id from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me);
  perform from private.posts p
  where p.id in (select u.post_id from private.vault_uses u where u.file_id = any (v_files)) order by p.id for update;
  v_files := private.removable_files(v_files);
  v_versions := array(select f.version from public.vault_files f where f.id = any (v_files));
  v_posts := array(select distinct u.post_id from private.vault_uses u where u.file_id = any (v_files) and u.post_id is not null);

  -- Posts with nothing left. A bought one is never among them.
  v_emptied := private.emptied_posts(v_files);
  perform from public.post_likes l where l.post_id = any (v_emptied) order by l.id for update;
  perform from public.comments c where c.post_id = any (v_emptied) order by c.id for update;
  delete from private.posts p where p.id = any (v_emptied);

  -- The files of the other posts.
  v_bought := private.bought_posts(v_posts);
  select count(*) filter (where m.media_type = 'image'), count(*) filter (where m.media_type = 'video') into v_photos, v_videos
  from private.post_media m join private.vault_uses u on u.post_id = m.post_id join storage.objects o on o.id = u.object_id and o.name = m.path
  where u.file_id = any (v_files) and m.removed_at is null;
  for v_kept in
    select o.id, m.path from private.vault_uses u
    join storage.objects o on o.id = u.object_id
    join private.post_media m on m.path = o.name and m.post_id = u.post_id
    where u.file_id = any (v_files) and u.post_id = any (v_bought) and m.removed_at is null
    order by o.id
  loop
    v_path := v_folder || '/' || gen_random_uuid() || coalesce('.' || storage.extension(v_kept.path), '');
    update storage.objects o set name = v_path where o.id = v_kept.id;
    update private.post_media m set path = v_path, removed_at = now() where m.path = v_kept.path;
  end loop;
  delete from private.post_media m
  using private.vault_uses u join storage.objects o on o.id = u.object_id
  where u.file_id = any (v_files) and m.post_id = u.post_id and m.path = o.name and m.removed_at is null;
  update private.posts p set media_urls = l.urls, media_types = l.types, media_previews = private.previews_of(l.urls),
    keeps_media = p.keeps_media or p.id = any (v_bought)
  from (
    select a.id,
      coalesce(array_agg(m.path order by m.position) filter (where m.removed_at is null), '{}') as urls,
      coalesce(array_agg(m.media_type order by m.position) filter (where m.removed_at is null), '{}') as types
    from unnest(v_posts) a (id) left join private.post_media m on m.post_id = a.id group by a.id
  ) l where p.id = l.id;
  update private.profiles p set total_photos = p.total_photos - v_photos, total_videos = p.total_videos - v_videos
  where p.id = v_me and v_photos + v_videos > 0;

  -- Scheduled posts.
  delete from public.scheduled_posts s
  where s.creator_id = v_me and s.content !~ '\S' and s.media_urls <> '{}' and not exists (
    select from storage.objects o where o.bucket_id = 'posts' and o.name = any (s.media_urls) and o.version <> all (v_versions));
  update public.scheduled_posts s set media_urls = l.urls, media_types = l.types
  from (
    select a.id, coalesce(array_agg(m.path order by m.position) filter (where o.id is null), '{}') as urls,
      coalesce(array_agg(m.media_type order by m.position) filter (where o.id is null), '{}') as types
    from public.scheduled_posts a
    cross join unnest(a.media_urls, a.media_types) with ordinality m (path, media_type, position)
    left join storage.objects o on o.bucket_id = 'posts' and o.name = m.path and o.version = any (v_versions)
    where a.creator_id = v_me group by a.id having bool_or(o.id is not null)
  ) l where s.id = l.id;

  -- Messages.
  v_messages := private.messages_losing(v_files);
  v_recipients := array(select distinct m.recipient_id from private.messages m where m.id = any (v_messages));
  perform from private.conversations c
  where (c.profile_id = v_me and c.other_id = any (v_recipients)) or (c.other_id = v_me and c.profile_id = any (v_recipients))
  order by c.profile_id, c.other_id for no key update;
  perform from private.messages m where m.id = any (v_messages) order by m.id for update;
  v_messages := private.messages_losing(v_files); -- without those that were bought meanwhile
  delete from private.messages m
  where m.id = any (v_messages) and m.body !~ '\S' and not exists (
    select from private.message_media c
    left join storage.objects o on o.bucket_id = 'messages' and o.name = c.path
    left join private.vault_uses u on u.object_id = o.id
    where c.message_id = m.id and not coalesce(u.file_id = any (v_files), false));
  delete from private.message_media c
  using private.vault_uses u join storage.objects o on o.id = u.object_id
  where u.file_id = any (v_files) and u.message_id = any (v_messages) and c.message_id = u.message_id and c.path = o.name;
  -- The free preview stays at its file, if that is there.
  update private.messages m set media_paths = l.paths, media_types = l.types,
    preview_index = array_position(l.paths, m.media_paths[m.preview_index + 1]) - 1
  from (
    select a.id, coalesce(array_agg(f.path order by f.position) filter (where c.path is not null), '{}') as paths,
      coalesce(array_agg(f.media_type order by f.position) filter (where c.path is not null), '{}') as types
    from private.messages a
    cross join unnest(a.media_paths, a.media_types) with ordinality f (path, media_type, position)
    left join private.message_media c on c.path = f.path
    where a.id = any (v_messages) group by a.id
  ) l where m.id = l.id;
  -- As in unsend_message: the one about a sender is about all of their messages.
  delete from public.notifications n
  where n.user_id = any (v_recipients) and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_me::text
    and not exists (select from private.messages m where m.recipient_id = n.user_id and m.sender_id = v_me and not m.is_read);

  -- The files themselves, and what was uploaded or chosen for a post or a message that was never sent.
  with gone as (
    delete from storage.objects o
    where o.version = any (v_versions) and o.bucket_id in ('posts', 'messages', 'vault') and o.path_tokens[1] = v_folder
      and not exists (select from private.post_media m where o.bucket_id = 'posts' and m.path = o.name)
      and not exists (select from private.message_media c where o.bucket_id = 'messages' and c.path = o.name)
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return cardinality(v_files);
end;
$$;
comment on function public.delete_vault_files is
  'Deletes up to 500 files of the calling creator''s vault, also from posts and messages, and returns how many (VAULT-06). Those who bought a post or message keep its files. Posts and messages with nothing else are deleted. A file that is all that a bought post has stays.';
grant execute on function public.delete_vault_files(uuid[]) to authenticated;

-- As in 0024_messages.sql and 0015_posts.sql, with words for files that were deleted after they were chosen.
create or replace function private.require_message_media(p_sender uuid, p_paths text[], p_types text[]) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_file record;
begin
  for v_file in
    select f.path, f.media_type, o.id as object_id, split_part(o.metadata ->> 'mimetype', '/', 1) as stored_type,
      (storage.foldername(f.path))[1] = s.user_id::text as is_own
    from unnest(p_paths, p_types) as f (path, media_type)
    join private.profiles s on s.id = p_sender
    left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path
  loop
    if v_file.is_own is not true then
      raise sqlstate 'PT403' using message = 'Files must be in the sender''s own folder of bucket messages', detail = v_file.path;
    elsif v_file.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this message was deleted or has not been uploaded', detail = v_file.path;
    elsif v_file.stored_type <> v_file.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_file.path;
    end if;
  end loop;
end;
$$;

create or replace function private.require_own_media(p_creator uuid, p_urls text[], p_types text[]) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_media record;
begin
  for v_media in
    select m.path, m.media_type, o.id as object_id, split_part(o.metadata ->> 'mimetype', '/', 1) as stored_type,
      (storage.foldername(m.path))[1] = c.user_id::text as is_own
    from unnest(p_urls, p_types) as m (path, media_type)
    join private.profiles c on c.id = p_creator
    left join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
  loop
    if v_media.is_own is not true then
      raise sqlstate 'PT403' using message = 'Media must be in the author''s own folder of bucket posts', detail = v_media.path;
    elsif v_media.object_id is null then
      raise sqlstate 'PT422' using message = 'A file of this post was deleted or has not been uploaded', detail = v_media.path;
    elsif v_media.stored_type <> v_media.media_type then -- unknown (null) passes: storage/v1 always records it
      raise sqlstate 'PT422' using message = 'media_types does not match the uploaded file', detail = v_media.path;
    end if;
  end loop;
end;
$$;

-- As in 0029_dashboard.sql, without the files that only buyers keep.
create or replace function private.verify_basic_counters()
returns TABLE(profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer
set search_path = ''
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
      (select count(k.id) from private.posts o left join public.comments k on k.post_id = o.id where o.creator_id = p.id)),
    ('posts.restricted_comments_count', (select sum(o.restricted_comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o join public.comments k on k.post_id = o.id
       join private.restrictions r on r.creator_id = o.creator_id and r.fan_id = k.user_id where o.creator_id = p.id))
  ) as c (counter, kept, counted)
  where coalesce(c.kept, 0) <> coalesce(c.counted, 0);
$$;
