-- Up Migration

-- What creators note about their fans (LIST-03), and what a creator sees of one fan (LIST-04). Fans see none of it.
create function private.are_tags(tags text[]) returns boolean
language sql immutable set search_path = ''
as $$
  select count(*) = count(distinct lower(t.tag)) and coalesce(bool_and(t.tag ~ '^\S([^,\n]*\S)?$' and length(t.tag) <= 30), true)
  from unnest(tags) t (tag);
$$;
comment on function private.are_tags is 'True when each tag has 1 to 30 characters without a comma or a line break, and none is there twice, in whatever case.';
grant execute on function private.are_tags(text[]) to authenticated; -- a constraint is checked as the caller

create table public.fan_notes (
  creator_id  uuid not null references private.profiles on delete cascade,
  fan_id      uuid not null references private.profiles on delete cascade,
  custom_name text constraint fan_notes_custom_name_format check (custom_name ~ '^\S(.*\S)?$' and length(custom_name) <= 50),
  tags        text[] not null default '{}' constraint fan_notes_tags_format check (cardinality(tags) <= 20 and private.are_tags(tags)),
  note        text constraint fan_notes_note_length check (note ~ '\S' and length(note) <= 2000),
  updated_at  timestamptz not null default now(),
  primary key (creator_id, fan_id),
  constraint fan_notes_not_self check (creator_id <> fan_id)
);
comment on table public.fan_notes is 'A creator''s own note, tags, and name for a fan. The fan never sees them.';
comment on column public.fan_notes.creator_id is 'profiles.id of the creator.';
comment on column public.fan_notes.fan_id is 'profiles.id of the fan.';
comment on column public.fan_notes.custom_name is 'What the creator calls the fan; null for the fan''s own name.';
create index fan_notes_fan_id_idx on public.fan_notes (fan_id); -- the deletion of the fan's account
alter table public.fan_notes enable row level security;
create trigger fan_notes_touch before update on public.fan_notes for each row execute function private.touch_updated_at();
create policy select_own on public.fan_notes for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy insert_own on public.fan_notes for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.fan_notes for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy delete_own on public.fan_notes for delete to authenticated using (creator_id = (select private.my_profile_id()));
grant select,
  insert (creator_id, fan_id, custom_name, tags, note),
  -- The keys, because an upsert names them; update_own limits them to the caller's.
  update (creator_id, fan_id, custom_name, tags, note),
  delete on public.fan_notes to authenticated;

create type public.fan_sheet as (
  profile_id uuid,
  username text,
  display_name text,
  avatar_url text,
  updated_at timestamptz,
  last_seen_at timestamptz,
  followed_at timestamptz,
  plan_name text,
  subscription_status text,
  subscribed_at timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean,
  spent bigint,
  spent_in_30_days bigint,
  spent_by_type jsonb,
  purchases integer,
  paid_messages integer,
  unlocked_messages integer
);
comment on type public.fan_sheet is 'What a creator sees of one fan (LIST-04).';
comment on column public.fan_sheet.profile_id is 'The fan''s profiles.id. Never null.';
comment on column public.fan_sheet.username is 'Never null.';
comment on column public.fan_sheet.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.fan_sheet.last_seen_at is 'As in profiles; null when it is hidden.';
comment on column public.fan_sheet.followed_at is 'Null when the fan doesn''t follow the creator.';
comment on column public.fan_sheet.plan_name is 'The plan of the current subscription, or else of the last one; null for a fan who has never subscribed.';
comment on column public.fan_sheet.subscribed_at is 'When that subscription began.';
comment on column public.fan_sheet.spent is 'Everything the fan has paid this creator, in cents, after refunds. Never null.';
comment on column public.fan_sheet.spent_in_30_days is 'The same in the last 30 days, without older payments that were refunded in them. Never null.';
comment on column public.fan_sheet.spent_by_type is 'Cents by transaction_type, after refunds: {"tip": 500}. Never null.';
comment on column public.fan_sheet.purchases is 'Posts, messages, and sessions that the fan has paid for and not been refunded. Never null.';
comment on column public.fan_sheet.paid_messages is 'Paid messages from the creator to the fan. Never null.';
comment on column public.fan_sheet.unlocked_messages is 'How many of them the fan has unlocked. Never null.';

-- Each part reads the index range of this one fan.
create function public.get_fan_sheet(fan_profile_id uuid) returns setof public.fan_sheet
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url, p.updated_at, p.last_seen_at, f.created_at,
    s.plan_name, s.status, s.created_at, s.current_period_end, s.cancel_at_period_end,
    money.spent, money.recent, money.by_type, money.purchases, sent.paid, sent.unlocked
  from (select private.my_profile_id() as id) me
  cross join lateral (select v.* from public.profiles v where v.id = fan_profile_id and v.id <> me.id offset 0) p
  left join public.follows f on f.follower_id = p.id and f.following_id = me.id
  left join lateral (
    select t.name as plan_name, o.status, o.created_at, o.current_period_end, o.cancel_at_period_end
    from public.subscriptions o join public.subscription_products t on t.id = o.tier_id
    where o.creator_id = me.id and o.subscriber_id = p.id
    order by o.access_until > now() desc, o.created_at desc limit 1
  ) s on true
  cross join lateral (
    select coalesce(sum(k.cents), 0)::bigint as spent, coalesce(sum(k.recent), 0)::bigint as recent,
      coalesce(jsonb_object_agg(k.kind, k.cents) filter (where k.cents <> 0), '{}') as by_type,
      coalesce(sum(k.purchases), 0)::int as purchases
    from (
      select coalesce(o.transaction_type, m.transaction_type) as kind, sum(m.amount) as cents,
        sum(m.amount) filter (where coalesce(o.created_at, m.created_at) > now() - interval '30 days') as recent,
        count(*) filter (where m.transaction_type in ('ppv', 'paid_message', 'private_session') and m.refunded_amount < m.amount) as purchases
      from public.transactions m
      left join public.transactions o on o.id = m.original_transaction_id
      where m.from_user_id = p.id and m.to_user_id = me.id
      group by 1
    ) k
  ) money
  cross join lateral (
    select count(*)::int as paid, count(*) filter (where m.is_unlocked)::int as unlocked
    from private.messages m where m.sender_id = me.id and m.recipient_id = p.id and m.is_paid
  ) sent
  where private.is_approved_creator(me.id);
$$;
comment on function public.get_fan_sheet is 'What the calling creator knows of one fan, by profiles.id (LIST-04). No row for other callers, and for an unknown fan.';
grant execute on function public.get_fan_sheet(uuid) to authenticated;
