-- Up Migration

-- Mass messages (MASS-01 to MASS-07): stored once, with a row of private.messages for each recipient.
-- Contract: only functions of the database have read private.group_messages, and all of them are replaced here.

insert into private.audience_conditions (name, fields, sql) values ('everyone', '{}', 'true');

create table public.mass_messages (
  id                uuid primary key default gen_random_uuid(),
  creator_id        uuid not null references private.profiles on delete cascade,
  content           text not null default '' constraint mass_messages_content_length check (length(content) <= 5000),
  price_cents       int constraint mass_messages_price_range check (price_cents between 100 and 999999),
  file_ids          uuid[] not null default '{}' constraint mass_messages_at_most_ten_files check (cardinality(file_ids) <= 10),
  preview_index     int constraint mass_messages_preview_is_a_file check (preview_index between 0 and cardinality(file_ids) - 1),
  audience          jsonb not null constraint mass_messages_audience_length check (length(audience::text) <= 10000),
  skip_owners       boolean not null default false,
  skip_recent_hours int constraint mass_messages_skip_recent_range check (skip_recent_hours between 1 and 720),
  time_zone         text,
  scheduled_at      timestamptz,
  ends_at           timestamptz,
  status            text not null default 'draft'
    constraint mass_messages_status_known check (status in ('draft', 'scheduled', 'sending', 'sent', 'ended', 'unsent')),
  recipients_count  int,
  sent_count        int not null default 0,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  sent_at           timestamptz,
  finished_at       timestamptz,
  position          uuid,
  media_paths       text[] not null default '{}',
  media_types       text[] not null default '{}',
  media_preview     int,
  is_taking_back    boolean not null default false,
  constraint mass_messages_preview_is_of_a_paid_one check (preview_index is null or price_cents is not null),
  constraint mass_messages_end_is_of_a_paid_one check (ends_at is null or price_cents is not null),
  constraint mass_messages_media_pairs check (cardinality(media_paths) = cardinality(media_types))
);
comment on table public.mass_messages is 'Messages of creators to many fans. Only the creator sees the row; each recipient has a message of their own (messages.mass_message_id), which shows its content.';
comment on column public.mass_messages.creator_id is 'profiles.id of the creator.';
comment on column public.mass_messages.price_cents is 'The price of each copy, in cents; null for a free message.';
comment on column public.mass_messages.file_ids is 'Files of the vault, in order. No foreign key: a file that is deleted stays named, so that a draft with it can''t be sent by mistake.';
comment on column public.mass_messages.preview_index is 'The zero-based position in file_ids of the file that is shown before the purchase; null if there is none.';
comment on column public.mass_messages.audience is 'Who gets it: {"include": [condition, …], "exclude": [condition, …]}, as in private.compile_rule.';
comment on column public.mass_messages.skip_owners is 'Whether it skips fans who have bought or been given one of the files.';
comment on column public.mass_messages.skip_recent_hours is 'It skips fans who got another mass message of the creator in so many hours; null for nobody.';
comment on column public.mass_messages.time_zone is 'In which the creator chose scheduled_at.';
comment on column public.mass_messages.ends_at is 'When copies that aren''t bought disappear; null for never.';
comment on column public.mass_messages.status is 'draft, scheduled, sending, sent, ended (its end has come), or unsent (taken back).';
comment on column public.mass_messages.recipients_count is 'How many fans it was for when the sending began; null before.';
comment on column public.mass_messages.sent_count is 'How many copies have been sent, with those that are gone.';
comment on column public.mass_messages.sent_at is 'When the sending began.';
comment on column public.mass_messages.finished_at is 'When the last copy was sent.';
comment on column public.mass_messages.position is 'The last fan (profiles.id) who got it; null before the first.';
comment on column public.mass_messages.media_paths is 'The files in bucket messages, made when the sending begins; without those that were deleted from the vault.';
comment on column public.mass_messages.media_types is 'image or video, one for each of media_paths.';
comment on column public.mass_messages.media_preview is 'The position of the free preview in media_paths.';
comment on column public.mass_messages.is_taking_back is 'True until a job has taken back all copies that go.';
create index mass_messages_sent_idx on public.mass_messages (creator_id, sent_at desc, id desc) where sent_at is not null;
create index mass_messages_status_idx on public.mass_messages (creator_id, status, updated_at desc, id desc);
create index mass_messages_due_idx on public.mass_messages (scheduled_at) where status = 'scheduled';
create index mass_messages_ending_idx on public.mass_messages (ends_at) where status in ('sending', 'sent') and ends_at is not null;
create index mass_messages_open_idx on public.mass_messages (updated_at) where status = 'sending' or is_taking_back;
create trigger mass_messages_touch before update on public.mass_messages for each row execute function private.touch_updated_at();
alter table public.mass_messages enable row level security;
create policy select_own on public.mass_messages for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.mass_messages to authenticated;

-- A copy: its text and files are those of the mass message. A bought copy gets files of its own when one is deleted from the vault.
alter table private.messages
  add column mass_message_id uuid references public.mass_messages on delete cascade,
  add column is_muted boolean not null default false;
alter table private.messages
  drop constraint messages_content_required,
  add constraint messages_content_required check (body ~ '\S' or cardinality(media_paths) > 0 or mass_message_id is not null) not valid;
alter table private.messages validate constraint messages_content_required;
comment on column private.messages.mass_message_id is 'The mass message that this is a copy of. Its body is empty, and so are its files, unless it was bought before one of them was deleted.';
comment on column private.messages.is_muted is 'Whether it is an offer of a creator whose offers the recipient mutes (MASS-05): it is in the folder of offers only.';
create unique index messages_mass_once on private.messages (mass_message_id, recipient_id) where mass_message_id is not null;

alter table private.message_media
  alter column message_id drop not null,
  add column mass_message_id uuid references public.mass_messages on delete cascade,
  add constraint message_media_one_place check (num_nonnulls(message_id, mass_message_id) = 1);
comment on table private.message_media is 'The files of messages and mass messages, one row each. A file belongs to one of them only, because a free message could otherwise unlock a file of a paid one.';
create index message_media_mass_message_id_idx on private.message_media (mass_message_id) where mass_message_id is not null;

alter table private.vault_uses
  add column mass_message_id uuid references public.mass_messages on delete cascade,
  drop constraint vault_uses_one_place,
  add constraint vault_uses_one_place check (num_nonnulls(post_id, message_id, mass_message_id) = 1);
comment on table private.vault_uses is 'Which posts, messages, and mass messages have a file of the vault. A row is deleted with its object, or with its post or message.';
create index vault_uses_mass_message_id_idx on private.vault_uses (mass_message_id) where mass_message_id is not null;

create table private.mass_message_counts (
  mass_message_id uuid references public.mass_messages on delete cascade,
  slot            smallint,
  delivered       int not null default 0,
  viewed          int not null default 0,
  purchased       int not null default 0,
  earned_cents    bigint not null default 0,
  primary key (mass_message_id, slot)
);
comment on table private.mass_message_counts is 'What has become of the copies of mass messages (MASS-03): the sum of a message''s rows. In several rows, so that fans who read at the same time don''t wait for one another. Maintained from messages and transactions.';
comment on column private.mass_message_counts.slot is '0 for the sending, which waits for no reader; 1 to 8 by the recipient.';
comment on column private.mass_message_counts.delivered is 'Copies that exist; of them, viewed and purchased.';
comment on column private.mass_message_counts.earned_cents is 'What the copies have earned the creator, in cents, after fees and refunds.';
alter table private.mass_message_counts enable row level security; -- and no policy: functions read it for the creator

create function private.count_slot(p_recipient uuid) returns smallint
language sql immutable set search_path = ''
as $$
  select (1 + (get_byte(uuid_send(p_recipient), 15) & 7))::smallint;
$$;
comment on function private.count_slot is 'The slot of mass_message_counts in which this recipient''s copies are counted.';

create table private.mass_message_sales (
  transaction_id  uuid primary key references public.transactions on delete cascade,
  mass_message_id uuid not null references public.mass_messages on delete cascade
);
comment on table private.mass_message_sales is 'Which mass message each purchase of a copy was of, also after the copy was deleted.';
alter table private.mass_message_sales enable row level security; -- and no policy
create index mass_message_sales_mass_message_id_idx on private.mass_message_sales (mass_message_id);

create table private.offer_mutes (
  fan_id     uuid not null references private.profiles on delete cascade,
  creator_id uuid references private.profiles on delete cascade,
  created_at timestamptz not null default now(),
  constraint offer_mutes_once unique nulls not distinct (fan_id, creator_id),
  constraint offer_mutes_not_self check (fan_id <> creator_id)
);
comment on table private.offer_mutes is 'Whose offers, paid mass messages, a fan mutes (MASS-05). Creators know only how many do.';
comment on column private.offer_mutes.creator_id is 'Null for those of all creators.';
create index offer_mutes_creator_id_idx on private.offer_mutes (creator_id);
alter table private.offer_mutes enable row level security; -- and no policy

create table private.offer_threads (
  profile_id      uuid references private.profiles on delete cascade,
  other_id        uuid references private.profiles on delete cascade,
  last_message_id uuid not null references private.messages deferrable initially deferred,
  last_message_at timestamptz not null,
  unread_count    int not null default 0 check (unread_count >= 0),
  primary key (profile_id, other_id)
);
comment on table private.offer_threads is 'The folder of muted offers (MASS-05): for each creator the newest one. Maintained by messages, as private.conversations is, which these offers don''t touch.';
comment on column private.offer_threads.unread_count is 'Muted offers of the creator that the fan hasn''t read.';
create index offer_threads_newest_idx on private.offer_threads (profile_id, last_message_at desc, other_id desc);
create index offer_threads_last_message_id_idx on private.offer_threads (last_message_id);
create index offer_threads_other_id_idx on private.offer_threads (other_id);
alter table private.offer_threads enable row level security; -- and no policy

-- What recipients see of a copy is that of any message.
create or replace view public.messages with (security_barrier) as
select m.id, m.sender_id, m.recipient_id,
  case when access.can_read then coalesce(g.content, m.body) end as content,
  m.is_paid, m.price, m.is_read,
  not access.can_read as is_locked,
  m.created_at,
  case when access.can_read then files.paths else '{}' end as media_urls,
  files.types as media_types,
  case when cardinality(files.paths) = 0 then '[]' else private.message_previews(files.paths, not access.can_read, files.preview_index) end
    as media_previews,
  m.is_unlocked, m.sender_reaction, m.recipient_reaction, m.quoted_id,
  private.message_quote(m.quoted_id) as quote,
  files.preview_index,
  files.paths[files.preview_index + 1] as preview_url
from private.messages m
left join public.mass_messages g on g.id = m.mass_message_id
cross join lateral (
  select case when own.are then m.media_paths else g.media_paths end as paths,
    case when own.are then m.media_types else g.media_types end as types,
    case when own.are then m.preview_index else g.media_preview end as preview_index
  from (select g.id is null or cardinality(m.media_paths) > 0 as are) own
) files
cross join lateral (
  select not m.is_paid
    or coalesce(m.sender_id = (select private.my_profile_id()), false)
    or (select private.is_service())
    or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = (select private.my_profile_id())) as can_read
  offset 0
) access
where (select private.my_profile_id()) = m.sender_id or (select private.my_profile_id()) = m.recipient_id or (select private.is_service());

-- Of a copy, the row itself doesn't have these anymore.
update private.followed_views set plain_columns = array_remove(array_remove(plain_columns, 'media_types'), 'preview_index') where view_name = 'messages';

create or replace function private.can_read_message_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join public.messages v on v.id = f.message_id
    where f.path = p_path and (not v.is_locked or v.preview_url = p_path)
  ) or exists (
    select from private.message_media f
    join private.messages m on m.mass_message_id = f.mass_message_id and m.recipient_id = (select private.my_profile_id())
    join public.messages v on v.id = m.id
    where f.path = p_path and (v.preview_url = p_path or p_path = any (v.media_urls))
  ) or exists (
    select from private.message_media f
    join public.mass_messages g on g.id = f.mass_message_id and g.creator_id = (select private.my_profile_id())
    where f.path = p_path
  );
$$;
comment on function private.can_read_message_file is 'True when the file belongs to a message that the caller may read (MSG-09), or to a mass message of the caller. Uses public.messages, so that both always agree.';

create or replace function private.is_reported_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    cross join lateral (
      select m.id, m.is_paid, m.media_paths[m.preview_index + 1] as preview from private.messages m where m.id = f.message_id
      union all
      select m.id, m.is_paid, g.media_paths[g.media_preview + 1]
      from public.reports r
      join private.messages m on m.id = r.target_id and m.mass_message_id = f.mass_message_id
      join public.mass_messages g on g.id = m.mass_message_id
      where r.target_type = 'message' and r.status = 'open'
    ) m
    join public.reports r on r.target_type = 'message' and r.target_id = m.id and r.status = 'open'
    where f.path = p_path and (
      not m.is_paid or m.preview = p_path
      or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = r.reporter_id))
  );
$$;

-- The conversations: a copy is new in the recipient's inbox, and doesn't move the creator's, where a hundred thousand would bury the fans who wrote.
create or replace function private.newest_message(p_one uuid, p_other uuid) returns private.messages
language sql stable security definer set search_path = ''
as $$
  select m.* from (
    (
      select a.* from private.messages a where a.sender_id = p_one and a.recipient_id = p_other and a.mass_message_id is null
      order by a.created_at desc, a.id desc limit 1
    )
    union all
    (
      select b.* from private.messages b where b.sender_id = p_other and b.recipient_id = p_one and not b.is_muted
      order by b.created_at desc, b.id desc limit 1
    )
  ) m
  order by m.created_at desc, m.id desc limit 1;
$$;
comment on function private.newest_message is 'The last message in the conversation of p_one with p_other, as p_one''s inbox shows it: without copies of p_one''s mass messages, and without muted offers.';

create or replace function private.waiting_since(p_profile uuid, p_other uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select m.created_at from private.messages m
  where m.sender_id = p_other and m.recipient_id = p_profile and m.mass_message_id is null and m.created_at > coalesce((
    select a.created_at from private.messages a
    where a.sender_id = p_profile and a.recipient_id = p_other and a.mass_message_id is null order by a.created_at desc, a.id desc limit 1
  ), '-infinity')
  order by m.created_at, m.id limit 1;
$$;

create or replace function private.keep_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if (
      select count(*) from private.conversations c
      where (c.profile_id, c.other_id) in ((new.sender_id, new.recipient_id), (new.recipient_id, new.sender_id))
    ) < 2 then
      perform private.lock_pair(new.sender_id, new.recipient_id);
    end if;
    insert into private.conversations as c
      (profile_id, other_id, last_message_id, last_message_at, unread_count, waiting_since, is_subscriber, is_restricted, spent)
    select s.profile_id, s.other_id, new.id, new.created_at, s.unread, case when not s.is_sender then new.created_at end,
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
      waiting_since = case when c.profile_id = new.recipient_id then coalesce(c.waiting_since, excluded.waiting_since) end,
      is_archived = c.is_archived and (c.profile_id = new.sender_id or c.is_restricted),
      is_marked_unread = c.is_marked_unread and c.profile_id = new.recipient_id;
  elsif tg_op = 'UPDATE' and new.is_muted then
    update private.offer_threads t set unread_count = t.unread_count + case when new.is_read then -1 else 1 end
    where t.profile_id = new.recipient_id and t.other_id = new.sender_id;
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
    from (values (old.sender_id, old.recipient_id), (old.recipient_id, old.sender_id)) s (profile_id, other_id)
    cross join lateral private.newest_message(s.profile_id, s.other_id) m
    where c.profile_id = s.profile_id and c.other_id = s.other_id and c.last_message_id = old.id and m.id is not null;
    delete from private.conversations c where c.last_message_id = old.id;
  end if;
  return null;
end;
$$;
comment on function private.keep_conversations is 'Trigger of messages: maintains private.conversations: of both sides the newest message, the unread count, and how long the other user has waited for an answer. For copies of mass messages, which keep_mass_conversations inserts and deletes, only what is read.';

create function private.keep_mass_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from changed m where m.mass_message_id is not null) then
      return null;
    end if;
    -- As in keep_conversations. Only with a creator can there be something to show, and only a muted offer inserts nothing that others wait for.
    perform private.lock_pair(l.recipient_id, l.sender_id)
    from (
      select m.recipient_id, m.sender_id from changed m join private.profiles p on p.id = m.recipient_id
      where m.mass_message_id is not null and (p.is_creator or m.is_muted)
        and not exists (select from private.conversations c where c.profile_id = m.recipient_id and c.other_id = m.sender_id)
      order by m.recipient_id
    ) l;
    perform from private.conversations c
    where (c.profile_id, c.other_id) in (select m.recipient_id, m.sender_id from changed m where m.is_muted)
    order by c.profile_id for no key update;
    insert into private.conversations as c (profile_id, other_id, last_message_id, last_message_at, unread_count, is_subscriber, is_restricted, spent)
    select m.recipient_id, m.sender_id, m.id, m.created_at, (not m.is_read)::int,
      exists (
        select from public.subscriptions s
        where s.creator_id = m.recipient_id and s.subscriber_id = m.sender_id and s.status in ('active', 'trial', 'past_due')),
      exists (select from private.restrictions r where r.creator_id = m.recipient_id and r.fan_id = m.sender_id),
      coalesce((select f.spent from private.fans f where f.creator_id = m.recipient_id and f.fan_id = m.sender_id), 0)
    from changed m where m.mass_message_id is not null and not m.is_muted
    order by m.recipient_id
    on conflict (profile_id, other_id) do update set
      last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
      last_message_at = greatest(excluded.last_message_at, c.last_message_at),
      unread_count = c.unread_count + excluded.unread_count,
      is_archived = c.is_archived and c.is_restricted;
    insert into private.offer_threads as t (profile_id, other_id, last_message_id, last_message_at, unread_count)
    select m.recipient_id, m.sender_id, m.id, m.created_at, (not m.is_read)::int
    from changed m where m.is_muted
    order by m.recipient_id
    on conflict (profile_id, other_id) do update set
      last_message_id = case when excluded.last_message_at >= t.last_message_at then excluded.last_message_id else t.last_message_id end,
      last_message_at = greatest(excluded.last_message_at, t.last_message_at),
      unread_count = t.unread_count + excluded.unread_count;
    return null;
  elsif not exists (select from changed m where m.mass_message_id is not null) then
    return null;
  end if;

  perform from private.conversations c
  where (c.profile_id, c.other_id) in (select m.recipient_id, m.sender_id from changed m where m.mass_message_id is not null and not m.is_muted)
  order by c.profile_id, c.other_id for no key update;
  update private.conversations c set unread_count = c.unread_count - k.unread
  from (
    select m.recipient_id, m.sender_id, count(*) filter (where not m.is_read) as unread
    from changed m where m.mass_message_id is not null and not m.is_muted group by 1, 2
  ) k
  where c.profile_id = k.recipient_id and c.other_id = k.sender_id and k.unread > 0;
  update private.conversations c set last_message_id = n.id, last_message_at = n.created_at
  from changed m cross join lateral private.newest_message(m.recipient_id, m.sender_id) n
  where m.mass_message_id is not null and c.profile_id = m.recipient_id and c.other_id = m.sender_id and c.last_message_id = m.id and n.id is not null;
  delete from private.conversations c using changed m
  where m.mass_message_id is not null and c.profile_id = m.recipient_id and c.other_id = m.sender_id and c.last_message_id = m.id;

  perform from private.offer_threads t
  where (t.profile_id, t.other_id) in (select m.recipient_id, m.sender_id from changed m where m.is_muted)
  order by t.profile_id, t.other_id for no key update;
  update private.offer_threads t set unread_count = t.unread_count - k.unread
  from (select m.recipient_id, m.sender_id, count(*) filter (where not m.is_read) as unread from changed m where m.is_muted group by 1, 2) k
  where t.profile_id = k.recipient_id and t.other_id = k.sender_id and k.unread > 0;
  update private.offer_threads t set last_message_id = n.id, last_message_at = n.created_at
  from changed m
  cross join lateral (
    select o.id, o.created_at from private.messages o where o.sender_id = m.sender_id and o.recipient_id = m.recipient_id and o.is_muted
    order by o.created_at desc, o.id desc limit 1
  ) n
  where m.is_muted and t.profile_id = m.recipient_id and t.other_id = m.sender_id and t.last_message_id = m.id;
  delete from private.offer_threads t using changed m
  where m.is_muted and t.profile_id = m.recipient_id and t.other_id = m.sender_id and t.last_message_id = m.id;
  return null;
end;
$$;
comment on function private.keep_mass_conversations is 'Trigger of messages: maintains the recipients'' private.conversations, and of muted offers private.offer_threads, when copies of mass messages are sent or deleted, a thousand at a time.';

create or replace trigger messages_keep_conversations after insert on private.messages
  for each row when (new.mass_message_id is null) execute function private.keep_conversations();
create trigger messages_keep_conversations_without after delete on private.messages
  for each row when (old.mass_message_id is null) execute function private.keep_conversations();
create trigger messages_keep_mass_conversations after insert on private.messages
  referencing new table as changed for each statement execute function private.keep_mass_conversations();
create trigger messages_keep_mass_conversations_without after delete on private.messages
  referencing old table as changed for each statement execute function private.keep_mass_conversations();
create or replace trigger messages_limit_new_conversations before insert on private.messages
  for each row when (new.mass_message_id is null) execute function private.limit_new_conversations();
create or replace trigger messages_note_reply_time after insert on private.messages
  for each row when (new.created_at > now() - interval '30 days' and new.mass_message_id is null) execute function private.note_reply_time();
create or replace trigger messages_notify after insert on private.messages
  for each row when (new.mass_message_id is null) execute function private.notify_message();

create or replace function private.note_reply_time() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from private.profiles p where p.id = new.sender_id and p.is_creator) then
    return null;
  end if;
  insert into private.reply_times (creator_id, replied_at, seconds)
  select new.sender_id, new.created_at, extract(epoch from new.created_at - asked.created_at)
  from (
    select m.created_at from private.messages m
    where m.sender_id = new.recipient_id and m.recipient_id = new.sender_id and m.created_at <= new.created_at and m.mass_message_id is null
      and m.created_at > coalesce((
        select o.created_at from private.messages o
        where o.sender_id = new.sender_id and o.recipient_id = new.recipient_id and o.created_at <= new.created_at and o.id <> new.id
          and o.mass_message_id is null
        order by o.created_at desc limit 1
      ), '-infinity')
    order by m.created_at limit 1
  ) asked
  -- Fans who wrote during the absence knew of it.
  where not exists (
    select from public.message_settings s where s.creator_id = new.sender_id and asked.created_at <@ s.away_period
  );
  return null;
end;
$$;
comment on function private.note_reply_time is 'Trigger of messages: stores how long the fan had waited, if this is a creator''s first reply to a message that didn''t arrive while they were away. A mass message is neither a question nor a reply.';

create function private.notify_mass_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, type, title, message, data)
  select m.recipient_id, 'message', s.name || case when m.is_paid then ' sent you a paid message' else ' sent you a message' end,
    case when m.is_paid then 'Unlock it for ' || private.dollars(m.price) || '.' else '' end,
    jsonb_build_object('profile_id', m.sender_id, 'message_id', m.id)
  from (select o.sender_id, private.name_of(o.sender_id) as name from changed o where o.mass_message_id is not null group by o.sender_id) s
  join changed m on m.sender_id = s.sender_id
  where m.mass_message_id is not null and not m.is_muted
    and not exists (select from private.restrictions r where r.creator_id = m.recipient_id and r.fan_id = m.sender_id)
    and not exists (
      select from public.notifications n
      where n.user_id = m.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = m.sender_id::text
    )
  order by m.recipient_id;
  return null;
end;
$$;
comment on function private.notify_mass_message is 'Trigger of messages: notifies the recipients of a mass message as notify_message does, except of muted offers.';
create trigger messages_notify_many after insert on private.messages
  referencing new table as changed for each statement execute function private.notify_mass_message();

create or replace function private.name_conversation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.conversation_names as n (profile_id, other_id, words)
  select c.profile_id, c.other_id, private.vault_words(c.profile_id, o.username, o.display_name, null)
  from added c
  join private.profiles p on p.id = c.profile_id and p.is_verified
  join private.profiles o on o.id = c.other_id
  order by c.profile_id, c.other_id
  on conflict (profile_id, other_id) do update set words = excluded.words where n.words <> excluded.words;
  return null;
end;
$$;
create or replace trigger conversations_name after insert on private.conversations
  referencing new table as added for each statement execute function private.name_conversation();

-- The numbers.
create function private.count_mass_copies() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.mass_message_counts as c (mass_message_id, slot, delivered, viewed, purchased)
    select m.mass_message_id, 0, count(*), count(*) filter (where m.is_read), count(*) filter (where m.is_unlocked)
    from changed m where m.mass_message_id is not null group by 1 order by 1
    on conflict (mass_message_id, slot) do update set
      delivered = c.delivered + excluded.delivered, viewed = c.viewed + excluded.viewed, purchased = c.purchased + excluded.purchased;
  elsif tg_op = 'UPDATE' then
    insert into private.mass_message_counts as c (mass_message_id, slot, viewed, purchased)
    select n.mass_message_id, private.count_slot(n.recipient_id), sum(n.is_read::int - o.is_read::int), sum(n.is_unlocked::int - o.is_unlocked::int)
    from changed n join former o on o.id = n.id
    where n.mass_message_id is not null and (n.is_read, n.is_unlocked) <> (o.is_read, o.is_unlocked)
    group by 1, 2 order by 1, 2
    on conflict (mass_message_id, slot) do update set viewed = c.viewed + excluded.viewed, purchased = c.purchased + excluded.purchased;
  else
    -- No row for a mass message that is deleted with its copies.
    insert into private.mass_message_counts as c (mass_message_id, slot, delivered, viewed, purchased)
    select m.mass_message_id, private.count_slot(m.recipient_id), -count(*), -count(*) filter (where m.is_read), -count(*) filter (where m.is_unlocked)
    from changed m where exists (select from public.mass_messages g where g.id = m.mass_message_id) group by 1, 2 order by 1, 2
    on conflict (mass_message_id, slot) do update set
      delivered = c.delivered + excluded.delivered, viewed = c.viewed + excluded.viewed, purchased = c.purchased + excluded.purchased;
  end if;
  return null;
end;
$$;
comment on function private.count_mass_copies is 'Trigger of messages: maintains the copies in private.mass_message_counts.';
create trigger messages_count_mass_copies after insert on private.messages
  referencing new table as changed for each statement execute function private.count_mass_copies();
create trigger messages_recount_mass_copies after update on private.messages
  referencing old table as former new table as changed for each statement execute function private.count_mass_copies();
create trigger messages_uncount_mass_copies after delete on private.messages
  referencing old table as changed for each statement execute function private.count_mass_copies();

create function private.count_mass_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass uuid;
begin
  if new.transaction_type = 'refund' then
    v_mass := (select s.mass_message_id from private.mass_message_sales s where s.transaction_id = new.original_transaction_id);
  else
    insert into private.mass_message_sales (transaction_id, mass_message_id)
    select new.id, m.mass_message_id from private.messages m where m.id = new.message_id and m.mass_message_id is not null
    returning mass_message_id into v_mass;
  end if;
  if v_mass is not null then
    insert into private.mass_message_counts as c (mass_message_id, slot, earned_cents)
    values (v_mass, coalesce(private.count_slot(new.from_user_id), 1), new.net_amount)
    on conflict (mass_message_id, slot) do update set earned_cents = c.earned_cents + excluded.earned_cents;
  end if;
  return null;
end;
$$;
comment on function private.count_mass_sale is 'Trigger of transactions: notes which mass message was sold or refunded, and maintains what it has earned.';
create trigger transactions_count_mass_refund after insert on public.transactions
  for each row when (new.transaction_type = 'refund') execute function private.count_mass_sale();
-- As for the vault: the message of a payment is set right after its insert.
create trigger transactions_count_mass_sale after update of message_id on public.transactions
  for each row when (new.transaction_type = 'paid_message' and old.message_id is null and new.message_id is not null)
  execute function private.count_mass_sale();

-- The files.
create function private.copy_vault_files(p_creator uuid, p_files uuid[], p_bucket text) returns text[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_paths text[];
begin
  perform from storage.objects o where o.id = any (p_files) order by o.id for key share;
  if exists (
    select from unnest(p_files) asked (id)
    where not exists (select from public.vault_files f where f.id = asked.id and f.creator_id = p_creator)
  ) then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  end if;
  with named as materialized (
    select asked.position, o.*, o.path_tokens[1] || '/' || gen_random_uuid() || coalesce('.' || storage.extension(o.name), '') as new_name,
      case when f.kind = 'image' and f.alt_text is not null then jsonb_build_object('alt', f.alt_text) else '{}' end as described
    from unnest(p_files) with ordinality asked (id, position)
    join storage.objects o on o.id = asked.id
    join public.vault_files f on f.id = o.id
  ), made as (
    insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version)
    select p_bucket, n.new_name, n.owner, n.owner_id, n.metadata || n.described, n.version from named n
  )
  select array_agg(n.new_name order by n.position) into v_paths from named n;
  return coalesce(v_paths, '{}');
end;
$$;
comment on function private.copy_vault_files is 'Makes files of a creator''s vault ready for a bucket, without another copy of their content. Returns the path of each, in order. PT404 for other files.';

create or replace function public.use_vault_files(file_ids uuid[], bucket text) returns text[]
language plpgsql security definer set search_path = ''
as $$
begin
  if bucket is null or bucket not in ('posts', 'messages') then
    raise exception 'bucket must be posts or messages' using errcode = '22023';
  elsif file_ids is null or cardinality(file_ids) not between 1 and 20 or array_position(file_ids, null) is not null then
    raise exception 'file_ids must name 1 to 20 files' using errcode = '22023';
  end if;
  return private.copy_vault_files(private.my_profile_id(), file_ids, bucket);
end;
$$;

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
  elsif new.mass_message_id is not null then
    perform from public.vault_files f
    where f.id in (
      select v.id from private.message_media c
      join public.mass_messages g on g.id = c.mass_message_id
      join storage.objects o on o.bucket_id = 'messages' and o.name = c.path
      join public.vault_files v on v.creator_id = g.creator_id and v.version = o.version
      where c.mass_message_id = new.mass_message_id
    ) order by f.id for no key update;
    insert into private.vault_uses (object_id, file_id, mass_message_id, used_at)
    select o.id, f.id, g.id, g.sent_at
    from public.mass_messages g
    join storage.objects o on o.bucket_id = 'messages' and o.name = new.path
    join public.vault_files f on f.creator_id = g.creator_id and f.version = o.version
    where g.id = new.mass_message_id on conflict (object_id) do nothing;
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

create or replace function private.count_vault_uses() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_use private.vault_uses := case tg_op when 'INSERT' then new else old end;
  v_change int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update public.vault_files f set
    post_uses = f.post_uses + case when v_use.post_id is not null then v_change else 0 end,
    message_uses = f.message_uses + case when v_use.post_id is null then v_change else 0 end
  where f.id = v_use.file_id;
  return null;
end;
$$;
comment on column public.vault_files.message_uses is 'In how many messages the file is; a mass message is one.';

create or replace function private.count_vault_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass uuid;
begin
  if new.transaction_type = 'refund' then
    perform from public.vault_files f
    where f.id in (select s.file_id from private.vault_sales s where s.transaction_id = new.original_transaction_id) order by f.id for no key update;
    update public.vault_files f set earned_cents = f.earned_cents + new.net_amount
    from private.vault_sales s where s.transaction_id = new.original_transaction_id and f.id = s.file_id;
    return null;
  end if;
  v_mass := (select m.mass_message_id from private.messages m where m.id = new.message_id);
  perform from public.vault_files f
  where f.id in (
    select u.file_id from private.vault_uses u
    where case new.transaction_type when 'ppv' then u.post_id = new.post_id else u.message_id = new.message_id or u.mass_message_id = v_mass end
  ) order by f.id for no key update;
  with sold as (
    insert into private.vault_sales (file_id, transaction_id, transaction_type, sold_at)
    select distinct u.file_id, new.id, new.transaction_type, new.created_at from private.vault_uses u
    where case new.transaction_type when 'ppv' then u.post_id = new.post_id else u.message_id = new.message_id or u.mass_message_id = v_mass end
    returning file_id
  )
  update public.vault_files f set sales = f.sales + 1, earned_cents = f.earned_cents + new.net_amount from sold where f.id = sold.file_id;
  return null;
end;
$$;

-- Who gets it.
create function private.compile_audience(p_creator uuid, p_audience jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_include jsonb := p_audience -> 'include';
  v_exclude jsonb := coalesce(p_audience -> 'exclude', '[]');
begin
  if jsonb_typeof(p_audience) is distinct from 'object' or p_audience - array['include', 'exclude'] <> '{}'
    or jsonb_typeof(v_include) is distinct from 'array' or jsonb_typeof(v_exclude) <> 'array' then
    raise exception 'An audience is an object with the lists "include" and "exclude"' using errcode = '22023';
  end if;
  return (case when v_include = '[]' then 'false' else private.compile_rule(p_creator, jsonb_build_object('any', v_include)) end)
    || case when v_exclude = '[]' then '' else ' and ' || private.compile_rule(p_creator, jsonb_build_object('any', v_exclude)) || ' is not true' end;
end;
$$;
comment on function private.compile_audience is 'The condition on a row f of private.fans that the audience of a mass message stands for: any of include, and none of exclude. 22023 with the reason for any other document.';

create function private.mass_recipients(
  p_creator uuid, p_audience jsonb, p_files uuid[], p_skip_owners boolean, p_skip_recent_hours int, p_mass uuid
) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return private.compile_audience(p_creator, p_audience)
    -- As in private.accepts_messages.
    || $sql$ and f.fan_id <> $1
      and f.fan_id not in (
        select b.blocked_id from public.blocks b where b.blocker_id = $1 union all select b.blocker_id from public.blocks b where b.blocked_id = $1)
      and not exists (select from private.profiles p where p.id in (f.fan_id, $1) and p.suspended_at is not null)
      and exists (
        select from private.user_settings s
        where s.user_id = f.fan_id and (
          s.allow_direct_messages or exists (select from private.messages m where m.sender_id = f.fan_id and m.recipient_id = $1)))$sql$
    || case when p_skip_owners and cardinality(p_files) > 0 then format(' and f.fan_id not in (
      select t.from_user_id from private.vault_sales s join public.transactions t on t.id = s.transaction_id
      where s.file_id = any (%1$L::uuid[]) and t.status in (''completed'', ''partially_refunded'') and t.from_user_id is not null
      union all
      select m.recipient_id from private.vault_uses u join private.messages m on m.id = u.message_id
      where u.file_id = any (%1$L::uuid[]) and (not m.is_paid or m.is_unlocked)
      union all
      select m.recipient_id from private.vault_uses u join private.messages m on m.mass_message_id = u.mass_message_id
      where u.file_id = any (%1$L::uuid[]) and u.mass_message_id is distinct from %2$L::uuid and (not m.is_paid or m.is_unlocked))',
      p_files, p_mass) else '' end
    || case when p_skip_recent_hours is not null then format(' and not exists (
      select from private.messages m
      where m.sender_id = $1 and m.recipient_id = f.fan_id and m.created_at > now() - make_interval(hours => %s)
        and m.mass_message_id is not null and m.mass_message_id is distinct from %L::uuid)', p_skip_recent_hours, p_mass) else '' end;
end;
$$;
comment on function private.mass_recipients is 'The condition on a row f of private.fans of the creator $1 who gets a mass message now: in its audience, accepts messages, and isn''t skipped. p_mass: the message itself, whose copies are no reason to skip anyone.';

create function private.require_mass_sender() returns uuid
language plpgsql stable set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can send mass messages' using errcode = '42501', hint = 'Apply at /creator-verification.';
  end if;
  return v_me;
end;
$$;
comment on function private.require_mass_sender is 'The calling creator''s profiles.id. 42501 for anyone else.';

create function private.lock_mass_message(p_id uuid) returns public.mass_messages
language plpgsql set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
  v_mass public.mass_messages;
begin
  perform from private.profiles p where p.id = v_me for no key update; -- one at a time: a double click sends once
  select * into v_mass from public.mass_messages g where g.id = p_id and g.creator_id = v_me for update;
  if v_mass.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  end if;
  return v_mass;
end;
$$;
comment on function private.lock_mass_message is 'Locks a mass message of the calling creator, and the creator''s others against being sent meanwhile. PT404 for any other message.';

create function private.require_mass_files(p_creator uuid, p_files uuid[]) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if exists (
    select from unnest(p_files) asked (id)
    where not exists (select from public.vault_files f where f.id = asked.id and f.creator_id = p_creator)
  ) then
    raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
  end if;
end;
$$;
comment on function private.require_mass_files is 'Rejects files that aren''t in the creator''s vault.';

create function public.save_mass_message(
  content text, price_cents int, file_ids uuid[], preview_index int, audience jsonb, skip_owners boolean, skip_recent_hours int,
  ends_at timestamptz, mass_message_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
  v_files uuid[] := coalesce(save_mass_message.file_ids, '{}');
  v_mass public.mass_messages;
  v_id uuid;
begin
  if save_mass_message.mass_message_id is not null then
    v_mass := private.lock_mass_message(save_mass_message.mass_message_id);
    if v_mass.status not in ('draft', 'scheduled') then
      raise sqlstate 'PT409' using message = 'This message has already been sent';
    elsif v_mass.status = 'scheduled' and coalesce(save_mass_message.content, '') !~ '\S' and v_files = '{}' then
      raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
    end if;
  elsif (select count(*) from public.mass_messages g where g.creator_id = v_me and g.status = 'draft') >= 200 then
    raise sqlstate 'PT422' using message = 'You can have up to 200 drafts', hint = 'Delete one that you don''t need.';
  end if;
  if length(save_mass_message.content) > 5000 then
    raise exception 'A message can have up to 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif save_mass_message.price_cents not between 100 and 999999 then
    raise exception 'A paid message must cost between $1.00 and $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif cardinality(v_files) > 10 then
    raise exception 'A message can have up to 10 files' using errcode = '23514', constraint = 'messages_media_at_most_ten';
  elsif cardinality(v_files) <> (select count(distinct f.id) from unnest(v_files) f (id)) then
    raise exception 'Each of file_ids can be there once' using errcode = '22023';
  elsif save_mass_message.skip_recent_hours not between 1 and 720 then
    raise exception 'skip_recent_hours must be 1 to 720' using errcode = '22023';
  elsif save_mass_message.ends_at <= greatest(now(), v_mass.scheduled_at) then
    raise sqlstate 'PT422' using message = 'An offer must end after it is sent';
  end if;
  perform private.require_mass_files(v_me, v_files);
  perform private.compile_audience(v_me, save_mass_message.audience);
  insert into public.mass_messages as g
    (id, creator_id, content, price_cents, file_ids, preview_index, audience, skip_owners, skip_recent_hours, ends_at)
  values (coalesce(v_mass.id, gen_random_uuid()), v_me, coalesce(save_mass_message.content, ''), save_mass_message.price_cents, v_files,
    case when save_mass_message.price_cents is not null then save_mass_message.preview_index end, save_mass_message.audience,
    coalesce(save_mass_message.skip_owners, false), save_mass_message.skip_recent_hours,
    case when save_mass_message.price_cents is not null then save_mass_message.ends_at end)
  on conflict (id) do update set content = excluded.content, price_cents = excluded.price_cents, file_ids = excluded.file_ids,
    preview_index = excluded.preview_index, audience = excluded.audience, skip_owners = excluded.skip_owners,
    skip_recent_hours = excluded.skip_recent_hours, ends_at = excluded.ends_at
  returning g.id into v_id;
  return v_id;
end;
$$;
comment on function public.save_mass_message is 'Saves a draft of the calling creator, or changes the draft or scheduled message mass_message_id (MASS-02). Returns its id. A draft may have no content, and nobody in include. 22023 with the reason for an invalid audience, PT404 for an unknown message or file, PT409 once it is being sent, PT422 for an end in the past.';
grant execute on function public.save_mass_message to authenticated;

create function private.count_recipients(p_creator uuid, p_condition text) returns int
language plpgsql stable set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_count int;
begin
  execute 'select count(*)::int from private.fans f where f.creator_id = $1 and ' || p_condition into v_count using p_creator;
  return v_count;
end;
$$;
comment on function private.count_recipients is 'How many fans of the creator meet a condition of private.mass_recipients.';

create function public.count_mass_recipients(
  audience jsonb, file_ids uuid[] default '{}', skip_owners boolean default false, skip_recent_hours int default null
) returns int
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
begin
  return private.count_recipients(v_me, private.mass_recipients(v_me, count_mass_recipients.audience, coalesce(count_mass_recipients.file_ids, '{}'),
    coalesce(count_mass_recipients.skip_owners, false), count_mass_recipients.skip_recent_hours, null));
end;
$$;
comment on function public.count_mass_recipients is 'How many fans would get a mass message of the calling creator now (MASS-01). 22023 with the reason for an invalid audience.';
grant execute on function public.count_mass_recipients to authenticated;

-- The limit: no 24 hours have more than so many (MASS-07).
create function private.next_mass_time(p_creator uuid, p_at timestamptz, p_except uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  with taken as (
    select coalesce(g.sent_at, g.scheduled_at) as at from public.mass_messages g
    where g.creator_id = p_creator and g.id is distinct from p_except and (g.sent_at > p_at - interval '24 hours' or g.status = 'scheduled')
  )
  select min(c.at) from (select p_at as at union all select t.at + interval '24 hours' from taken t where t.at + interval '24 hours' > p_at) c
  where not exists (
    select from (select c.at as begins union all select t.at from taken t where t.at > c.at - interval '24 hours' and t.at <= c.at) w
    where (select count(*) from taken t where t.at >= w.begins and t.at < w.begins + interval '24 hours')
      >= coalesce(private.setting('mass_messages_per_day')::int, 6)
  );
$$;
comment on function private.next_mass_time is 'The first moment from p_at on at which the creator may send one more mass message: p_at, or 24 hours after one of the others (MASS_MESSAGES_PER_DAY).';

create function private.require_mass_time(p_creator uuid, p_at timestamptz, p_except uuid) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_next timestamptz := private.next_mass_time(p_creator, p_at, p_except);
  v_zone text := (select s.time_zone from private.user_settings s where s.user_id = p_creator);
begin
  if v_next > p_at then
    raise exception 'You can send % mass messages in 24 hours. The next one can go out on %.',
      coalesce(private.setting('mass_messages_per_day'), '6'), to_char(v_next at time zone coalesce(v_zone, 'UTC'), 'FMMonth FMDD "at" FMHH12:MI AM')
      using errcode = 'PT429', detail = to_char(v_next at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  end if;
end;
$$;
comment on function private.require_mass_time is 'PT429 with the next allowed time when the creator may not send a mass message at p_at.';

create function private.begin_mass_message(p_mass public.mass_messages, p_count int) returns public.mass_messages
language plpgsql set search_path = ''
as $$
declare
  v_paths text[] := private.copy_vault_files(p_mass.creator_id, p_mass.file_ids, 'messages');
  v_mass public.mass_messages;
begin
  update public.mass_messages g set
    status = 'sending', sent_at = now(), recipients_count = p_count, media_paths = v_paths, media_preview = g.preview_index,
    media_types = array(select f.kind from unnest(g.file_ids) with ordinality asked (id, position) join public.vault_files f on f.id = asked.id order by asked.position)
  where g.id = p_mass.id returning * into v_mass;
  insert into private.message_media (path, mass_message_id) select f.path, v_mass.id from unnest(v_paths) f (path);
  notify ovation_mass_messages;
  return v_mass;
end;
$$;
comment on function private.begin_mass_message is 'Begins to send a mass message: copies its files once, for all copies. PT404 when one of them was deleted.';

create function public.send_mass_message(mass_message_id uuid, send_at timestamptz default null, time_zone text default null) returns public.mass_messages
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages := private.lock_mass_message(send_mass_message.mass_message_id);
  v_count int;
begin
  if v_mass.status not in ('draft', 'scheduled') then
    raise sqlstate 'PT409' using message = 'This message has already been sent';
  elsif v_mass.content !~ '\S' and v_mass.file_ids = '{}' then
    raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif send_at <= now() or send_at > now() + interval '1 year' then
    raise sqlstate 'PT422' using message = 'Choose a time in the next year';
  elsif v_mass.ends_at <= coalesce(send_at, now()) then
    raise sqlstate 'PT422' using message = 'An offer must end after it is sent';
  end if;
  perform now() at time zone send_mass_message.time_zone; -- 22023 for an unknown one
  perform private.require_mass_files(v_mass.creator_id, v_mass.file_ids);
  v_count := private.count_recipients(v_mass.creator_id, private.mass_recipients(
    v_mass.creator_id, v_mass.audience, v_mass.file_ids, v_mass.skip_owners, v_mass.skip_recent_hours, v_mass.id));
  if v_count = 0 then
    raise sqlstate 'PT422' using message = 'Nobody would get this message';
  end if;
  perform private.require_mass_time(v_mass.creator_id, coalesce(send_at, now()), v_mass.id);
  if send_at is null then
    return private.begin_mass_message(v_mass, v_count);
  end if;
  update public.mass_messages g set status = 'scheduled', scheduled_at = send_at, time_zone = send_mass_message.time_zone
  where g.id = v_mass.id returning * into v_mass;
  notify ovation_mass_messages;
  return v_mass;
end;
$$;
comment on function public.send_mass_message is 'Sends a draft or scheduled mass message of the calling creator: now, or at send_at (MASS-02). A job delivers it. PT409 when it is being sent already, PT422 when nobody would get it or the time isn''t in the next year, PT429 beyond MASS_MESSAGES_PER_DAY, with the next allowed time as details (MASS-07).';
grant execute on function public.send_mass_message to authenticated;

create function public.unschedule_mass_message(mass_message_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages := private.lock_mass_message(unschedule_mass_message.mass_message_id);
begin
  if v_mass.status <> 'scheduled' then
    raise sqlstate 'PT409' using message = 'This message isn''t scheduled';
  end if;
  update public.mass_messages g set status = 'draft', scheduled_at = null, time_zone = null where g.id = v_mass.id;
end;
$$;
comment on function public.unschedule_mass_message is 'Makes a scheduled mass message of the calling creator a draft again. PT409 for others.';
grant execute on function public.unschedule_mass_message to authenticated;

create function public.delete_mass_message(mass_message_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages := private.lock_mass_message(delete_mass_message.mass_message_id);
begin
  if v_mass.status <> 'draft' then
    raise sqlstate 'PT409' using message = 'Only a draft can be deleted';
  end if;
  delete from public.mass_messages g where g.id = v_mass.id;
end;
$$;
comment on function public.delete_mass_message is 'Deletes a draft of the calling creator. PT409 for a mass message that is scheduled or was sent.';
grant execute on function public.delete_mass_message to authenticated;

-- Taking back (MASS-04).
create function private.copies_to_take_back(p_mass public.mass_messages, p_most int default null) returns uuid[]
language sql stable set search_path = ''
as $$
  select array(
    select m.recipient_id from private.messages m
    where m.mass_message_id = p_mass.id and not m.is_unlocked
      and (m.is_paid or not m.is_read or (p_mass.content !~ '\S' and cardinality(p_mass.media_paths || m.media_paths) = 0))
      -- As in unsend_message: a report needs what it is about.
      and not exists (select from public.reports r where r.reporter_id = m.recipient_id and r.target_type = 'message' and r.target_id = m.id)
    order by m.recipient_id limit p_most
  );
$$;
comment on function private.copies_to_take_back is 'The recipients of those copies of a mass message that aren''t bought or, if it is free, read; of one whose only files were deleted, of read ones, too.';

create function private.take_back_copies(p_mass public.mass_messages) returns void
language plpgsql set search_path = ''
as $$
declare
  v_recipients uuid[] := private.copies_to_take_back(p_mass, 1000);
begin
  -- In the order of unsend_message. A copy that is being read or bought right now is for the next turn.
  perform from private.conversations c
  where c.profile_id = any (v_recipients) and c.other_id = p_mass.creator_id order by c.profile_id for no key update;
  perform from private.offer_threads t
  where t.profile_id = any (v_recipients) and t.other_id = p_mass.creator_id order by t.profile_id for no key update;
  delete from private.messages m
  where m.id in (
    select o.id from private.messages o
    where o.mass_message_id = p_mass.id and o.recipient_id = any (v_recipients) and not o.is_unlocked
    for update skip locked
  );
  delete from public.notifications n
  where n.user_id = any (v_recipients) and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = p_mass.creator_id::text
    and not exists (select from private.messages m where m.recipient_id = n.user_id and m.sender_id = p_mass.creator_id and not m.is_read);
  if private.copies_to_take_back(p_mass, 1) = '{}' then
    update public.mass_messages g set is_taking_back = false where g.id = p_mass.id;
    if not exists (select from private.messages m where m.mass_message_id = p_mass.id) then
      delete from private.message_media f where f.mass_message_id = p_mass.id;
    end if;
  else
    update public.mass_messages g set updated_at = now() where g.id = p_mass.id; -- the others first
  end if;
end;
$$;
comment on function private.take_back_copies is 'Deletes the next thousand copies of a mass message that was unsent or has ended, and its files with the last copy.';

create function private.stop_mass_message(p_mass public.mass_messages, p_status text) returns int
language plpgsql set search_path = ''
as $$
declare
  v_count int;
begin
  update public.mass_messages g set status = p_status, is_taking_back = true,
    finished_at = coalesce(g.finished_at, now()), ends_at = case when p_status = 'ended' then least(g.ends_at, now()) else g.ends_at end
  where g.id = p_mass.id returning * into p_mass;
  v_count := cardinality(private.copies_to_take_back(p_mass));
  perform private.take_back_copies(p_mass);
  notify ovation_mass_messages;
  return v_count;
end;
$$;
comment on function private.stop_mass_message is 'Unsends or ends a mass message, also while it is being sent: from now on nobody can buy a copy. Takes back the first thousand copies, and leaves the others to the job. Returns how many there are.';

create function public.unsend_mass_message(mass_message_id uuid) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages := private.lock_mass_message(unsend_mass_message.mass_message_id);
begin
  if v_mass.status not in ('sending', 'sent') then
    raise sqlstate 'PT409' using message = case when v_mass.status in ('draft', 'scheduled')
      then 'This message hasn''t been sent' else 'This message has already been taken back' end;
  end if;
  return private.stop_mass_message(v_mass, 'unsent');
end;
$$;
comment on function public.unsend_mass_message is 'Takes back every copy of a mass message of the calling creator that isn''t bought or, if it is free, read, and stops sending it (MASS-04). Returns how many. PT409 unless it is being sent or was sent.';
grant execute on function public.unsend_mass_message to authenticated;

create function public.set_mass_message_end(mass_message_id uuid, ends_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages := private.lock_mass_message(set_mass_message_end.mass_message_id);
begin
  if v_mass.status in ('ended', 'unsent') then
    raise sqlstate 'PT409' using message = 'This message has already been taken back';
  elsif v_mass.price_cents is null and set_mass_message_end.ends_at is not null then
    raise sqlstate 'PT422' using message = 'Only a paid message can end';
  elsif v_mass.status in ('sending', 'sent') and set_mass_message_end.ends_at <= now() then
    perform private.stop_mass_message(v_mass, 'ended');
    return;
  elsif set_mass_message_end.ends_at <= greatest(now(), v_mass.scheduled_at) then
    raise sqlstate 'PT422' using message = 'An offer must end after it is sent';
  end if;
  update public.mass_messages g set ends_at = set_mass_message_end.ends_at where g.id = v_mass.id;
  notify ovation_mass_messages;
end;
$$;
comment on function public.set_mass_message_end is 'Sets when the offer of a paid mass message of the calling creator ends: at a time that has passed at once, for null never (MASS-04). Then copies that aren''t bought disappear. PT409 once it has ended or was unsent.';
grant execute on function public.set_mass_message_end to authenticated;

create or replace function private.quote_message(p_buyer uuid, p_message uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_message private.messages;
  v_creator private.profiles;
begin
  select * into v_message from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid;
  if v_message.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  elsif exists (select from public.message_unlocks u where u.message_id = p_message and u.buyer_id = p_buyer) then
    raise sqlstate 'PT409' using message = 'You''ve already unlocked this message';
  elsif exists (
    select from public.mass_messages g where g.id = v_message.mass_message_id and (g.status in ('ended', 'unsent') or g.ends_at <= now())
  ) then
    raise sqlstate 'PT409' using message = 'This offer has ended';
  end if;
  v_creator := private.require_payable(p_buyer, v_message.sender_id);
  return (v_creator.id, v_creator.stripe_account_id, v_message.price, 'Message from ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_message is 'What a paid message costs its recipient (MSG-08). PT404 when there is no such message for them, PT409 when it is already unlocked, or its offer has ended.';

-- Sending.
create function private.begin_due_message(p_mass public.mass_messages) returns void
language plpgsql set search_path = ''
as $$
begin
  if not private.is_approved_creator(p_mass.creator_id) then
    update public.mass_messages g set status = 'draft', scheduled_at = null where g.id = p_mass.id;
    return;
  end if;
  perform private.begin_mass_message(p_mass, private.count_recipients(p_mass.creator_id, private.mass_recipients(
    p_mass.creator_id, p_mass.audience, p_mass.file_ids, p_mass.skip_owners, p_mass.skip_recent_hours, p_mass.id)));
exception when sqlstate 'PT404' or invalid_parameter_value then
  update public.mass_messages g set status = 'draft', scheduled_at = null where g.id = p_mass.id;
  perform private.notify(p_mass.creator_id, 'other', 'A scheduled message wasn''t sent',
    case sqlstate when 'PT404' then 'One of its files isn''t in your vault anymore.' else 'A list or plan that it was for no longer exists.' end
      || ' It is a draft again.', '{}');
end;
$$;
comment on function private.begin_due_message is 'Begins to send a scheduled mass message whose time has come. Without one of its files or lists it becomes a draft again, and the creator is notified.';

create function private.send_mass_copies(p_mass public.mass_messages) returns void
language plpgsql set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_most constant int := 1000;
  v_recipients uuid[] := '{}';
  v_sent int;
begin
  if private.is_approved_creator(p_mass.creator_id) then
    begin
      execute 'select array(select f.fan_id from private.fans f where f.creator_id = $1 and ($2 is null or f.fan_id > $2) and '
        || private.mass_recipients(p_mass.creator_id, p_mass.audience, p_mass.file_ids, p_mass.skip_owners, p_mass.skip_recent_hours, p_mass.id)
        || ' order by f.fan_id limit $3)'
      into v_recipients using p_mass.creator_id, p_mass.position, v_most;
    exception when invalid_parameter_value then -- one of its lists or plans was deleted: nobody is left in it
    end;
  end if;
  insert into private.messages (sender_id, recipient_id, body, is_paid, price, mass_message_id, is_muted)
  select p_mass.creator_id, r.id, '', p_mass.price_cents is not null, coalesce(p_mass.price_cents, 0), p_mass.id,
    p_mass.price_cents is not null and exists (
      select from private.offer_mutes o where o.fan_id = r.id and (o.creator_id is null or o.creator_id = p_mass.creator_id))
  from unnest(v_recipients) with ordinality r (id, place)
  order by r.place
  on conflict do nothing;
  get diagnostics v_sent = row_count;
  update public.mass_messages g set
    sent_count = g.sent_count + v_sent,
    position = coalesce(v_recipients[cardinality(v_recipients)], g.position),
    status = case when cardinality(v_recipients) < v_most then 'sent' else 'sending' end,
    finished_at = case when cardinality(v_recipients) < v_most then now() end
  where g.id = p_mass.id;
end;
$$;
comment on function private.send_mass_copies is 'Sends a mass message to its next thousand recipients, and stores how far it has come in the same transaction, so that a crash neither loses nor repeats one.';

create function private.send_mass_messages() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_mass public.mass_messages;
begin
  select * into v_mass from public.mass_messages g where g.status = 'scheduled' and g.scheduled_at <= now()
  order by g.scheduled_at limit 1 for update skip locked;
  if found then
    perform private.begin_due_message(v_mass);
    return true;
  end if;
  select * into v_mass from public.mass_messages g where g.status in ('sending', 'sent') and g.ends_at <= now()
  order by g.ends_at limit 1 for update skip locked;
  if found then
    perform private.stop_mass_message(v_mass, 'ended');
    return true;
  end if;
  -- Each creator in turn: a step updates the row.
  select * into v_mass from public.mass_messages g where g.status = 'sending' or g.is_taking_back
  order by g.updated_at limit 1 for update skip locked;
  if not found then
    return false;
  elsif v_mass.is_taking_back then
    perform private.take_back_copies(v_mass);
  else
    perform private.send_mass_copies(v_mass);
  end if;
  return true;
end;
$$;
comment on function private.send_mass_messages is 'One step of the mass messages of all creators: begins one whose time has come, ends one whose end has come, or sends or takes back the next thousand copies of one. False when there is nothing to do.';

create function private.next_mass_step() returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select least(
    (select min(g.scheduled_at) from public.mass_messages g where g.status = 'scheduled'),
    (select min(g.ends_at) from public.mass_messages g where g.status in ('sending', 'sent') and g.ends_at is not null)
  );
$$;
comment on function private.next_mass_step is 'When the next mass message is to be sent or ends; null if none is waiting.';

-- For nodes of the version before, whose job calls it while they are being replaced. Nothing else does.
create or replace function private.send_group_messages() returns boolean
language sql security definer set search_path = ''
as $$
  select private.send_mass_messages();
$$;
comment on function private.send_group_messages is 'private.send_mass_messages under its former name, for nodes of the version before.';

create or replace function public.message_subscribers(content text, price int default 0, subscriber_group text default 'current') returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price int := nullif(price, 0);
  v_audience jsonb := case coalesce(subscriber_group, 'current')
    when 'current' then '{"include": [{"condition": "subscribed", "status": "any"}]}'
    when 'ending' then '{"include": [{"condition": "renewal_off"}]}'
    when 'past' then '{"include": [{"condition": "not_subscribed", "before": "ever"}]}'
    when 'all' then '{"include": [{"condition": "subscribed", "status": "any"}, {"condition": "not_subscribed", "before": "ever"}]}'
  end;
  v_mass uuid;
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can message their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message can''t be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif v_audience is null then
    raise exception 'subscriber_group must be all, current, ending, or past' using errcode = '22023';
  end if;
  -- One at a time: a double click is one message.
  perform from private.profiles p where p.id = v_me for no key update;
  if exists (select from public.mass_messages g where g.creator_id = v_me and g.status = 'sending') then
    raise sqlstate 'PT409' using message = 'Your last message to many is still being sent', hint = 'Try again in a moment.';
  elsif public.count_mass_recipients(v_audience) = 0 then
    return 0;
  end if;
  v_mass := public.save_mass_message(message_subscribers.content, v_price, null, null, v_audience, false, null, null);
  return (public.send_mass_message(v_mass)).recipients_count;
end;
$$;
comment on function public.message_subscribers is 'Sends a mass message (MASS-01) to a group of the caller''s subscribers, free (price 0) or to be unlocked for price in cents. Returns how many get it.';

-- What the creator sees (MASS-03).
create type public.mass_message_row as (
  id uuid, creator_id uuid, content text, price_cents int, file_ids uuid[], preview_index int, audience jsonb, skip_owners boolean,
  skip_recent_hours int, time_zone text, scheduled_at timestamptz, ends_at timestamptz, status text, recipients_count int, sent_count int,
  created_at timestamptz, updated_at timestamptz, sent_at timestamptz, finished_at timestamptz, delivered int, viewed int, purchased int,
  earned_cents bigint, files jsonb
);
comment on type public.mass_message_row is 'A mass message of the calling creator (MASS-03), as in mass_messages, with its numbers.';
comment on column public.mass_message_row.id is 'Never null.';
comment on column public.mass_message_row.creator_id is 'Never null.';
comment on column public.mass_message_row.content is 'Never null.';
comment on column public.mass_message_row.file_ids is 'Never null.';
comment on column public.mass_message_row.audience is 'Never null.';
comment on column public.mass_message_row.skip_owners is 'Never null.';
comment on column public.mass_message_row.status is 'draft, scheduled, sending, sent, ended, or unsent. Never null.';
comment on column public.mass_message_row.sent_count is 'How many copies have been sent, with those that are gone. Never null.';
comment on column public.mass_message_row.created_at is 'Never null.';
comment on column public.mass_message_row.updated_at is 'Never null.';
comment on column public.mass_message_row.delivered is 'How many copies there are: without those that were taken back, and those of deleted accounts. Never null.';
comment on column public.mass_message_row.viewed is 'How many of them were opened. Never null.';
comment on column public.mass_message_row.purchased is 'How many of them are bought, without refunded ones. Never null.';
comment on column public.mass_message_row.earned_cents is 'What it has earned, in cents, after fees and refunds. Never null.';
comment on column public.mass_message_row.files is 'Those of its files that are in the vault, in order: [{id, path in bucket vault, kind, name, preview, duration, created_at}]. Never null.';

create function private.show_mass_message(p_mass public.mass_messages) returns public.mass_message_row
language sql stable set search_path = ''
as $$
  select (p_mass.id, p_mass.creator_id, p_mass.content, p_mass.price_cents, p_mass.file_ids, p_mass.preview_index, p_mass.audience, p_mass.skip_owners,
    p_mass.skip_recent_hours, p_mass.time_zone, p_mass.scheduled_at, p_mass.ends_at, p_mass.status, p_mass.recipients_count, p_mass.sent_count,
    p_mass.created_at, p_mass.updated_at, p_mass.sent_at, p_mass.finished_at, k.delivered, k.viewed, k.purchased, k.earned, coalesce(f.list, '[]')
  )::public.mass_message_row
  from (
    select coalesce(sum(c.delivered), 0)::int as delivered, coalesce(sum(c.viewed), 0)::int as viewed, coalesce(sum(c.purchased), 0)::int as purchased,
      coalesce(sum(c.earned_cents), 0)::bigint as earned
    from private.mass_message_counts c where c.mass_message_id = p_mass.id
  ) k
  cross join (
    select jsonb_agg(jsonb_build_object(
      'id', v.id, 'path', o.name, 'kind', v.kind, 'name', v.name, 'preview', o.metadata -> 'preview', 'duration', o.metadata -> 'duration',
      'created_at', v.created_at) order by named.position) as list
    from unnest(p_mass.file_ids) with ordinality named (id, position)
    join public.vault_files v on v.id = named.id and v.creator_id = p_mass.creator_id
    join storage.objects o on o.id = v.id
  ) f;
$$;
comment on function private.show_mass_message is 'A mass message with its numbers and files.';

create function public.get_mass_messages(kind text, after_at timestamptz default null, after_id uuid default null, page_size int default 20)
returns setof public.mass_message_row
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
  v_size int := least(greatest(page_size, 1), 100);
begin
  if kind = 'draft' then
    return query select s.* from (
      select g from public.mass_messages g
      where g.creator_id = v_me and g.status = 'draft' and (after_id is null or (g.updated_at, g.id) < (after_at, after_id))
      order by g.updated_at desc, g.id desc limit v_size
    ) p (g) cross join lateral private.show_mass_message(p.g) s order by s.updated_at desc, s.id desc;
  elsif kind = 'scheduled' then
    return query select s.* from (
      select g from public.mass_messages g
      where g.creator_id = v_me and g.status = 'scheduled' and (after_id is null or (g.scheduled_at, g.id) > (after_at, after_id))
      order by g.scheduled_at, g.id limit v_size
    ) p (g) cross join lateral private.show_mass_message(p.g) s order by s.scheduled_at, s.id;
  elsif kind = 'history' then
    return query select s.* from (
      select g from public.mass_messages g
      where g.creator_id = v_me and g.sent_at is not null and (after_id is null or (g.sent_at, g.id) < (after_at, after_id))
      order by g.sent_at desc, g.id desc limit v_size
    ) p (g) cross join lateral private.show_mass_message(p.g) s order by s.sent_at desc, s.id desc;
  else
    raise exception 'kind must be draft, scheduled, or history' using errcode = '22023';
  end if;
end;
$$;
comment on function public.get_mass_messages is 'A page of the calling creator''s mass messages (MASS-03): draft (changed last first), scheduled (soonest first), or history (newest first). after_at and after_id: of the last row of the page before updated_at, scheduled_at, or sent_at, and id.';
grant execute on function public.get_mass_messages to authenticated;

create function public.get_mass_message(mass_message_id uuid) returns public.mass_message_row
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
  v_mass public.mass_messages;
begin
  select * into v_mass from public.mass_messages g where g.id = get_mass_message.mass_message_id and g.creator_id = v_me;
  if v_mass.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  end if;
  return private.show_mass_message(v_mass);
end;
$$;
comment on function public.get_mass_message is 'A mass message of the calling creator (MASS-03). PT404 for any other.';
grant execute on function public.get_mass_message to authenticated;

create function public.get_mass_message_fans(mass_message_id uuid, which text, after_id uuid default null, page_size int default 50)
returns setof public.fan
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  v_me uuid := private.require_mass_sender();
begin
  if which is null or which not in ('delivered', 'viewed', 'purchased') then
    raise exception 'which must be delivered, viewed, or purchased' using errcode = '22023';
  elsif not exists (select from public.mass_messages g where g.id = get_mass_message_fans.mass_message_id and g.creator_id = v_me) then
    raise sqlstate 'PT404' using message = 'Message not found';
  end if;
  return query
  select p.id, p.user_id, p.username, p.display_name, n.custom_name, p.avatar_url, p.updated_at, coalesce(f.since, c.created_at), coalesce(f.spent, 0),
    t.name, case when t.id is not null then f.subscription_status end, p.id::text
  from (
    select m.recipient_id, m.created_at from private.messages m
    where m.mass_message_id = get_mass_message_fans.mass_message_id and (after_id is null or m.recipient_id > after_id)
      and case which when 'viewed' then m.is_read when 'purchased' then m.is_unlocked else true end
    order by m.recipient_id limit least(greatest(page_size, 1), 200)
  ) c
  join private.profiles p on p.id = c.recipient_id
  left join private.fans f on f.creator_id = v_me and f.fan_id = p.id
  left join public.fan_notes n on n.creator_id = v_me and n.fan_id = p.id
  left join public.subscription_products t on t.id = f.plan_id and f.subscribed_until > now()
  order by p.id;
end;
$$;
comment on function public.get_mass_message_fans is 'A page of the fans behind a number of a mass message of the calling creator (MASS-03), as in get_fans. which: delivered, viewed, or purchased. after_id: fan_id of the last row of the page before.';
grant execute on function public.get_mass_message_fans to authenticated;

-- Muted offers (MASS-05).
create function public.mute_offers(creator uuid default null, muted boolean default true) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to mute offers' using errcode = '42501';
  elsif muted is not false then
    if creator is not null and not exists (select from private.profiles p where p.id = creator and p.id <> v_me) then
      raise sqlstate 'PT404' using message = 'Creator not found';
    end if;
    insert into private.offer_mutes (fan_id, creator_id) values (v_me, creator) on conflict do nothing;
  else
    delete from private.offer_mutes o where o.fan_id = v_me and o.creator_id is not distinct from creator;
  end if;
end;
$$;
comment on function public.mute_offers is 'Mutes the offers (paid mass messages) of one creator, or with null of all, for the caller, or the opposite (MASS-05). Those that come then send no notification and are in the inbox''s filter offers.';
grant execute on function public.mute_offers to authenticated;

create function public.get_muted_offers()
returns table (creator_id uuid, username text, display_name text, avatar_url text, updated_at timestamptz, muted_at timestamptz)
language sql stable security definer rows 20 set search_path = ''
as $$
  select o.creator_id, p.username, p.display_name, p.avatar_url, p.updated_at, o.created_at
  from private.offer_mutes o left join private.profiles p on p.id = o.creator_id
  where o.fan_id = (select private.my_profile_id())
  order by o.created_at desc, o.creator_id;
$$;
comment on function public.get_muted_offers is 'Whose offers the caller mutes (MASS-05), the latest first; a row without a creator stands for all.';
grant execute on function public.get_muted_offers to authenticated;

create function public.count_offer_mutes() returns int
language sql stable security definer set search_path = ''
as $$
  select count(o.fan_id)::int from (select private.require_mass_sender() as id) me left join private.offer_mutes o on o.creator_id = me.id;
$$;
comment on function public.count_offer_mutes is 'How many fans mute the calling creator''s offers (MASS-05), without those who mute all.';
grant execute on function public.count_offer_mutes to authenticated;

-- The vault's files in mass messages.

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
  insert into private.vault_uses (object_id, file_id, post_id, message_id, mass_message_id, used_at)
  select o.id, f.id, pm.post_id, mm.message_id, mm.mass_message_id, coalesce(s.created_at, m.created_at, g.sent_at)
  from private.profiles p
  join public.vault_files f on f.creator_id = p.id
  join storage.objects o on o.version = f.version and o.bucket_id in ('posts', 'messages')
  left join private.post_media pm on o.bucket_id = 'posts' and pm.path = o.name
  left join private.posts s on s.id = pm.post_id
  left join private.message_media mm on o.bucket_id = 'messages' and mm.path = o.name
  left join private.messages m on m.id = mm.message_id
  left join public.mass_messages g on g.id = mm.mass_message_id
  where p.user_id = p_user and num_nonnulls(pm.post_id, mm.message_id, mm.mass_message_id) = 1
  on conflict (object_id) do nothing;
end;
$$;

create or replace function public.get_vault_removal(file_ids uuid[]) returns setof public.vault_removal
language plpgsql stable security definer rows 1 set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_own uuid[] := array(select f.id from public.vault_files f where f.id = any (file_ids) and f.creator_id = v_me);
  v_going uuid[] := private.removable_files(v_own);
  v_posts uuid[] := array(select distinct u.post_id from private.vault_uses u where u.file_id = any (v_own) and u.post_id is not null);
  v_mass uuid[] := array(select distinct u.mass_message_id from private.vault_uses u where u.file_id = any (v_own) and u.mass_message_id is not null);
  v_messages uuid[] := array(select distinct u.message_id from private.vault_uses u where u.file_id = any (v_own) and u.message_id is not null);
begin
  perform private.require_file_ids(file_ids);
  return query select
    cardinality(v_posts) + (
      select count(distinct s.id)::int from public.scheduled_posts s
      join storage.objects o on o.bucket_id = 'posts' and o.name = any (s.media_urls)
      join public.vault_files f on f.version = o.version and f.id = any (v_own)
      where s.creator_id = v_me),
    cardinality(v_messages) + cardinality(v_mass),
    (select count(distinct b.id)::int from (
      select p.buyer_id as id from public.purchases p where p.post_id = any (v_posts)
      union all
      select k.buyer_id from public.message_unlocks k where k.message_id = any (v_messages)
      union all
      select m.recipient_id from private.messages m where m.mass_message_id = any (v_mass) and m.is_unlocked) b),
    cardinality(private.emptied_posts(v_going)),
    cardinality(v_own) - cardinality(v_going);
end;
$$;

alter type public.vault_use add attribute mass_message_id uuid;
comment on column public.vault_use.message_id is 'Null for a post or a mass message.';
comment on column public.vault_use.title is 'The title of the post, or else the beginning of its text, or of that of a mass message; null for a message.';
comment on column public.vault_use.username is 'The recipient of the message; null for a post or a mass message.';
comment on column public.vault_use.mass_message_id is 'Null for a post or a message to one fan.';

create or replace function public.get_vault_uses(file_id uuid, before timestamptz default null, before_id uuid default null, page_size int default 20) returns setof public.vault_use
language sql stable security definer rows 20 set search_path = ''
as $$
  select u.object_id, u.post_id, u.message_id,
    case when p.id is not null then coalesce(p.title, left(private.trimmed(p.content), 80)) when g.id is not null then left(private.trimmed(g.content), 80) end,
    coalesce(p.ppv_price, nullif(m.price, 0), g.price_cents), r.username, r.display_name, u.used_at, g.id
  from public.vault_files f
  cross join lateral (
    select u.* from private.vault_uses u
    where u.file_id = f.id and (before_id is null or (u.used_at, u.object_id) < (before, before_id))
    order by u.used_at desc, u.object_id desc limit least(greatest(page_size, 1), 100)
  ) u
  left join private.posts p on p.id = u.post_id
  left join private.messages m on m.id = u.message_id
  left join public.mass_messages g on g.id = u.mass_message_id
  left join private.profiles r on r.id = m.recipient_id
  where f.id = get_vault_uses.file_id and f.creator_id = private.my_profile_id()
  order by u.used_at desc, u.object_id desc;
$$;

create or replace function public.get_vault_recipients(file_id uuid, before timestamptz default null, before_id uuid default null, page_size int default 20) returns setof public.vault_recipient
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
      select m.id, m.recipient_id, null, m.price, m.is_unlocked, m.created_at
      from private.vault_uses u
      join private.messages m on m.mass_message_id = u.mass_message_id
      where u.file_id = f.id and u.mass_message_id is not null and (before_id is null or (m.created_at, m.id) < (before, before_id))
      order by m.created_at desc, m.id desc limit least(greatest(page_size, 1), 100)
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

create or replace function public.delete_vault_files(file_ids uuid[]) returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_folder text := (select p.user_id::text from private.profiles p where p.id = v_me);
  v_files uuid[];
  v_versions text[];
  v_posts uuid[];
  v_bought uuid[];
  v_messages uuid[];
  v_mass uuid[];
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

  -- Mass messages. Who bought a copy, is buying one, or has reported one keeps its files, as with other messages.
  v_mass := array(select distinct u.mass_message_id from private.vault_uses u where u.file_id = any (v_files) and u.mass_message_id is not null);
  perform from public.mass_messages g where g.id = any (v_mass) order by g.id for update;
  update private.messages m set media_paths = g.media_paths, media_types = g.media_types, preview_index = g.media_preview
  from public.mass_messages g
  where g.id = any (v_mass) and m.mass_message_id = g.id and cardinality(m.media_paths) = 0 and (
    m.is_unlocked
    or exists (select from private.checkout_sessions s where s.message_id = m.id and s.status = 'open')
    or exists (select from public.reports r where r.reporter_id = m.recipient_id and r.target_type = 'message' and r.target_id = m.id));
  update public.mass_messages g set media_paths = l.paths, media_types = l.types,
    media_preview = array_position(l.paths, g.media_paths[g.media_preview + 1]) - 1
  from (
    select a.id, coalesce(array_agg(f.path order by f.position) filter (where u.object_id is null), '{}') as paths,
      coalesce(array_agg(f.media_type order by f.position) filter (where u.object_id is null), '{}') as types
    from public.mass_messages a
    cross join unnest(a.media_paths, a.media_types) with ordinality f (path, media_type, position)
    left join storage.objects o on o.bucket_id = 'messages' and o.name = f.path
    left join private.vault_uses u on u.object_id = o.id and u.file_id = any (v_files)
    where a.id = any (v_mass) group by a.id
  ) l where g.id = l.id;
  delete from private.message_media c
  using public.mass_messages g
  where c.mass_message_id = any (v_mass) and g.id = c.mass_message_id and c.path <> all (g.media_paths)
    and not exists (select from private.messages m where m.mass_message_id = g.id and c.path = any (m.media_paths));
  perform private.stop_mass_message(g, 'unsent') from public.mass_messages g
  where g.id = any (v_mass) and g.status in ('sending', 'sent') and g.content !~ '\S' and g.media_paths = '{}';

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

-- Moderation.

create or replace function public.get_reports(settled boolean default false, page_size int default 25, before timestamptz default null, before_id uuid default null) returns setof public.queued_report
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with page as (
    select r.* from public.reports r
    where case when get_reports.settled then r.status in ('resolved', 'dismissed') else r.status = 'open' end
      and (before is null or (r.created_at, r.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by r.created_at desc, r.id desc limit least(greatest(page_size, 0), 100)
  )
  select r.id, r.target_type, r.target_id, r.reason, r.details, r.excerpt, r.status, r.resolution, r.created_at, r.resolved_at,
    reporter.username, r.reported_id, reported.username, reported.display_name, coalesce(reported.suspended_at is not null, false),
    coalesce(post.id, comment.post_id),
    case r.target_type
      when 'post' then post.id is not null when 'comment' then comment.id is not null
      when 'message' then message.id is not null else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open'),
    case when seen.whole then coalesce(nullif(message.media_paths, '{}'), mass.media_paths, '{}') else '{}' end,
    case when seen.whole then coalesce(nullif(message.media_types, '{}'), mass.media_types, '{}') else '{}' end
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  left join private.messages message on r.target_type = 'message' and message.id = r.target_id
  left join public.mass_messages mass on mass.id = message.mass_message_id
  cross join lateral (
    select r.status = 'open' and message.id is not null and (not message.is_paid or exists (
      select from public.message_unlocks u where u.message_id = message.id and u.buyer_id = r.reporter_id
    )) as whole
  ) seen
  order by r.created_at desc, r.id desc;
end;
$$;

create or replace function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', greatest(cardinality(v_message.media_paths),
            (select cardinality(g.media_paths) from public.mass_messages g where g.id = v_message.mass_message_id)), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'Reason: ' || v_reason, '{}');
    end if;
  else
    raise exception 'target_type must be post, comment, or message' using errcode = '22023', hint = 'To act against a user, suspend the account.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'This content no longer exists';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;

-- Lists that a mass message is for.

create or replace function public.delete_fan_list(list_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_list public.fan_lists := private.lock_fan_list(list_id);
  v_fans uuid[] := array(select m.fan_id from public.fan_list_members m where m.list_id = v_list.id);
  v_user text;
begin
  perform private.lock_fan_lists(v_list.creator_id);
  select l.name into v_user from public.fan_lists l
  where l.creator_id = v_list.creator_id and l.id <> v_list.id and strpos(l.rule::text, v_list.id::text) > 0 order by l.name limit 1;
  if v_user is not null then
    raise sqlstate 'PT409' using message = format('The smart list "%s" uses this list', v_user), hint = 'Change its rule first.';
  end if;
  if exists (
    select from public.mass_messages g
    where g.creator_id = v_list.creator_id and g.status in ('scheduled', 'sending') and strpos(g.audience::text, v_list.id::text) > 0
  ) then
    raise sqlstate 'PT409' using message = 'A mass message that is scheduled or being sent uses this list', hint = 'Change the message first.';
  end if;
  perform from private.fans f where f.creator_id = v_list.creator_id and f.fan_id = any (v_fans) order by f.fan_id for update;
  delete from public.fan_lists l where l.id = v_list.id;
  perform private.forget_former_fans(v_list.creator_id, v_fans);
end;
$$;
comment on function public.delete_fan_list is 'Deletes a list of the calling creator, with its members. PT409 while a smart list, or a mass message that is yet to be sent, uses it.';

-- The folder of muted offers, as a filter of the inbox.

create function private.show_offers(p_me uuid, p_others uuid[]) returns setof public.conversation
language sql stable security definer rows 30 set search_path = ''
as $$
  select o.id, o.username, o.display_name, o.avatar_url, o.is_verified, o.is_creator, o.last_seen_at,
    m.id, m.sender_id, left(m.content, 200), m.is_paid, m.is_locked, m.price,
    t.last_message_at, t.unread_count, private.accepts_messages(t.other_id, p_me), m.media_types, o.updated_at,
    false, false, coalesce(c.is_restricted, false), false, coalesce(c.is_subscriber, false), null::timestamptz, coalesce(c.spent, 0)
  from unnest(p_others) with ordinality page (id, place)
  cross join lateral (select k.* from private.offer_threads k where k.profile_id = p_me and k.other_id = page.id offset 0) t
  cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) o
  cross join lateral (select s.* from public.messages s where s.id = t.last_message_id offset 0) m
  left join private.conversations c on c.profile_id = p_me and c.other_id = page.id
  order by page.place;
$$;
comment on function private.show_offers is 'The muted offers to p_me of these creators, in this order: of each the newest, as show_conversations shows a conversation.';

create or replace function public.get_conversations(search text default null, page_size int default 30, before timestamptz default null, before_id uuid default null, filter text default 'all'::text, sort text default 'newest'::text, before_waiting timestamptz default null, before_spent bigint default null, list_id uuid default null) returns setof public.conversation
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
  if filter = 'offers' then
    return query select * from private.show_offers(v_me, array(
      select t.other_id from private.offer_threads t
      where t.profile_id = v_me
        and (before is null or (t.last_message_at, t.other_id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
        and (v_search is null or exists (
          select from private.profiles p
          where p.id = t.other_id and (p.username ilike private.like_pattern(v_search) or p.display_name ilike private.like_pattern(v_search))))
      order by t.last_message_at desc, t.other_id desc limit v_size));
    return;
  elsif v_states is null then
    raise exception 'filter must be all, unread, unanswered, subscribers, restricted, archived, or offers' using errcode = '22023';
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
comment on function public.get_conversations is 'The caller''s conversations (INBOX-01). filter: all, unread, unanswered, subscribers, restricted, archived, or offers; only restricted and archived show those. offers: of each creator the newest offer that the caller mutes (MASS-05), newest first, whatever sort and list_id say. sort: newest, waiting (longest unanswered first, then the others), or spending (highest first). The first page begins with up to 20 pinned ones, beyond page_size. list_id leaves the fans on one of the caller''s lists. search matches the other user''s name: any part of it in the first 1,000 conversations, and beyond them, for approved creators, the beginnings of its words. For the next page, set before, before_waiting, before_spent, and before_id to last_message_at, waiting_since, spent, and other_id of the last row. last_content is cut at 200 characters.';

-- The checks and the export.

create or replace function private.verify_conversations() returns table (profile_id uuid, other_id uuid, problem text)
language sql stable security definer set search_path = ''
as $$
  with counted as (
    select s.profile_id, s.other_id, max(s.created_at) as last_message_at, count(*) filter (where s.is_unread)::int as unread_count
    from (
      select m.sender_id as profile_id, m.recipient_id as other_id, m.created_at, false as is_unread from private.messages m where m.mass_message_id is null
      union all
      select m.recipient_id, m.sender_id, m.created_at, not m.is_read from private.messages m where not m.is_muted
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

create function private.verify_mass_messages() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  select g.creator_id, 'mass_message_counts.' || n.counter, n.kept, n.counted
  from public.mass_messages g
  left join (
    select mass_message_id, sum(delivered) as delivered, sum(viewed) as viewed, sum(purchased) as purchased, sum(earned_cents) as earned
    from private.mass_message_counts group by 1
  ) k on k.mass_message_id = g.id
  left join (
    select mass_message_id, count(*) as delivered, count(*) filter (where is_read) as viewed, count(*) filter (where is_unlocked) as purchased
    from private.messages where mass_message_id is not null group by 1
  ) m on m.mass_message_id = g.id
  left join (
    select s.mass_message_id, sum(t.net_amount + coalesce(r.net_amount, 0)) as earned
    from private.mass_message_sales s
    join public.transactions t on t.id = s.transaction_id
    left join (
      select original_transaction_id, sum(net_amount) as net_amount from public.transactions where transaction_type = 'refund' group by 1
    ) r on r.original_transaction_id = t.id
    group by 1
  ) s on s.mass_message_id = g.id
  cross join lateral (values
    ('delivered', k.delivered, m.delivered), ('viewed', k.viewed, m.viewed), ('purchased', k.purchased, m.purchased), ('earned_cents', k.earned, s.earned)
  ) n (counter, kept, counted)
  where coalesce(n.kept, 0) <> coalesce(n.counted, 0)
  union all
  select coalesce(t.profile_id, m.recipient_id), 'offer_threads.unread_count', t.unread_count, m.unread
  from private.offer_threads t
  full join (
    select recipient_id, sender_id, max(created_at) as last_at, count(*) filter (where not is_read) as unread
    from private.messages where is_muted group by 1, 2
  ) m on m.recipient_id = t.profile_id and m.sender_id = t.other_id
  where (t.last_message_at, t.unread_count) is distinct from (m.last_at, m.unread);
$$;
comment on function private.verify_mass_messages is 'The numbers of mass messages, and the folder of muted offers, that differ from what they count.';

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
  select * from private.verify_vault()
  union all
  select * from private.verify_fans()
  union all
  select * from private.verify_mass_messages();
$$;

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
    (select 'muted_offers', jsonb_build_object('creator_id', o.creator_id, 'created_at', o.created_at)::text
      from private.offer_mutes o where o.fan_id = v_me order by o.created_at)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'restrictions', 'muted_offers', 'statement'];
end;
$$;

-- What was sent to groups before. The copies stay messages of their own; one that was still being sent goes on where it is.
insert into public.mass_messages
  (id, creator_id, content, price_cents, audience, status, sent_count, created_at, updated_at, sent_at, finished_at, position)
select g.id, g.creator_id, g.body, nullif(g.price, 0), case g.subscriber_group
    when 'current' then '{"include": [{"condition": "subscribed", "status": "any"}]}'
    when 'ending' then '{"include": [{"condition": "renewal_off"}]}'
    when 'past' then '{"include": [{"condition": "not_subscribed", "before": "ever"}]}'
    else '{"include": [{"condition": "subscribed", "status": "any"}, {"condition": "not_subscribed", "before": "ever"}]}'
  end::jsonb, case when g.finished_at is null then 'sending' else 'sent' end, g.sent_count, g.created_at, coalesce(g.finished_at, g.created_at),
  g.created_at, g.finished_at, g.position
from private.group_messages g;
drop table private.group_messages;
do $$
begin
  if to_regclass('pgboss.schedule') is not null then -- the job that sent them
    delete from pgboss.schedule where name = 'group-messages';
    delete from pgboss.job where name = 'group-messages' and state < 'active';
  end if;
end;
$$;
drop function private.subscribers_in_group(uuid, text, uuid, int);
