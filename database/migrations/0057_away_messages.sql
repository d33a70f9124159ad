-- Up Migration

-- Away messages and response times (PAGE-03). An away message is no message: it is a setting that the fan's screen shows in the thread, so it
-- never counts as unread, notifies nobody, and costs nothing.
create table public.message_settings (
  creator_id       uuid primary key references private.profiles on delete cascade,
  is_away          boolean not null default false,
  away_message     text constraint message_settings_away_message_length check (away_message ~ '\S' and length(away_message) <= 500),
  away_until       timestamptz,
  away_period      tstzrange,
  shows_reply_time boolean not null default false,
  updated_at       timestamptz not null default now(),
  constraint message_settings_away_message_required check (not is_away or away_message is not null)
);
comment on table public.message_settings is 'Each creator''s away message, and whether fans see how soon they usually reply. Without a row, neither. Fans read it through get_message_notice.';
comment on column public.message_settings.creator_id is 'profiles.id of the creator.';
comment on column public.message_settings.is_away is 'The switch. The text stays while it is off, for the next time.';
comment on column public.message_settings.away_until is 'When the away message ends by itself; null for never.';
comment on column public.message_settings.away_period is 'When the creator is away, or was away last. Maintained by a trigger.';
comment on column public.message_settings.shows_reply_time is 'Fans see how soon the creator usually replies, except while the creator is away.';
alter table public.message_settings enable row level security;
create trigger message_settings_touch before update on public.message_settings for each row execute function private.touch_updated_at();
create function private.keep_away_period() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_since timestamptz := now();
  v_was_away boolean := false;
begin
  if tg_op = 'UPDATE' then
    v_was_away := old.is_away and now() <@ old.away_period;
    if v_was_away then
      v_since := lower(old.away_period);
    end if;
  end if;
  if new.is_away then
    new.away_period := tstzrange(v_since, case when new.away_until is not null then greatest(new.away_until, v_since) end);
  elsif v_was_away then
    new.away_period := tstzrange(v_since, now());
  end if;
  return new;
end;
$$;
comment on function private.keep_away_period is 'Trigger of message_settings: maintains away_period.';
create trigger message_settings_keep_away_period before insert or update of is_away, away_until on public.message_settings
  for each row execute function private.keep_away_period();
create policy select_own on public.message_settings for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy insert_own on public.message_settings for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.message_settings for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select,
  insert (creator_id, is_away, away_message, away_until, shows_reply_time),
  -- creator_id, because an upsert names it; update_own limits it to the caller.
  update (creator_id, is_away, away_message, away_until, shows_reply_time)
  on public.message_settings to authenticated;

-- How long fans waited for a first reply, one row each. Measured when the reply is written, it costs two probes of an index. Measured when a
-- fan looks, it would read thousands of messages of a creator with many threads, and a message to all subscribers would push the replies out
-- of the part that is affordable.
create table private.reply_times (
  id         bigint generated always as identity primary key,
  creator_id uuid not null references private.profiles on delete cascade,
  replied_at timestamptz not null,
  seconds    int not null check (seconds >= 0)
);
comment on table private.reply_times is 'How long fans waited for a creator''s first reply, for 30 days. It doesn''t say who waited.';
comment on column private.reply_times.seconds is 'From the first message that the creator hadn''t answered yet.';
alter table private.reply_times enable row level security; -- and no policy
create index reply_times_newest_idx on private.reply_times (creator_id, replied_at desc) include (seconds); -- private.usual_reply_time
create index reply_times_replied_at_idx on private.reply_times (replied_at); -- private.forget_reply_times

create function private.note_reply_time() returns trigger
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
    where m.sender_id = new.recipient_id and m.recipient_id = new.sender_id and m.created_at <= new.created_at
      and m.created_at > coalesce((
        select o.created_at from private.messages o
        where o.sender_id = new.sender_id and o.recipient_id = new.recipient_id and o.created_at <= new.created_at and o.id <> new.id
        order by o.created_at desc limit 1
      ), '-infinity')
    order by m.created_at limit 1
  ) asked
  -- A message to many isn't a reply to anyone. Its row is open while it is being sent.
  where not exists (
    select from private.group_messages g where g.creator_id = new.sender_id and g.finished_at is null and g.body = new.body
  )
  -- Fans who wrote during the absence knew of it.
  and not exists (
    select from public.message_settings s where s.creator_id = new.sender_id and asked.created_at <@ s.away_period
  );
  return null;
end;
$$;
comment on function private.note_reply_time is 'Trigger of messages: stores how long the fan had waited, if this is a creator''s first reply to a message that didn''t arrive while they were away.';
-- Older messages come from an import or the demo.
create trigger messages_note_reply_time after insert on private.messages
  for each row when (new.created_at > now() - interval '30 days') execute function private.note_reply_time();

create function private.forget_reply_times() returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.reply_times r where r.replied_at <= now() - interval '30 days';
$$;
comment on function private.forget_reply_times is 'Deletes reply times after 30 days.';

-- Computed on each read, from at most 200 entries of one index range: a cached column would have to change when replies get too old, too.
create function private.usual_reply_time(p_creator uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when count(*) < 5 then null
    when percentile_cont(0.5) within group (order by r.seconds) <= 3600 then 'hour'
    when percentile_cont(0.5) within group (order by r.seconds) <= 6 * 3600 then 'few_hours'
    when percentile_cont(0.5) within group (order by r.seconds) <= 24 * 3600 then 'day'
    when percentile_cont(0.5) within group (order by r.seconds) <= 4 * 24 * 3600 then 'few_days'
  end
  from (
    select t.seconds from private.reply_times t
    where t.creator_id = p_creator and t.replied_at > now() - interval '30 days'
    order by t.replied_at desc limit 200
  ) r;
$$;
comment on function private.usual_reply_time is
  'How soon the creator usually replies: the median of the last 200 first replies in 30 days, as hour, few_hours (6), day, or few_days (4). Null with fewer than 5, or if it is longer.';

create type public.message_notice as (
  away_message text,
  away_until timestamptz,
  reply_time text
);
comment on type public.message_notice is 'What a fan sees before writing to a creator: the away message or, while the creator isn''t away, how soon they usually reply.';
comment on column public.message_notice.away_message is 'Null while the creator isn''t away.';
comment on column public.message_notice.away_until is 'The end of the away message; null if it has none.';
comment on column public.message_notice.reply_time is 'hour, few_hours, day, or few_days; null while the creator is away or doesn''t show it, and with fewer than 5 replies in 30 days.';

-- For those who can write to the creator. A visitor could after signing up, unless the profile is private.
create function public.get_message_notice(creator_profile_id uuid) returns setof public.message_notice
language sql stable security definer rows 1 set search_path = ''
as $$
  select n.* from public.message_settings s
  join private.profiles p on p.id = s.creator_id
  join private.user_settings u on u.user_id = s.creator_id
  cross join lateral (
    select case when away.is_now then s.away_message end, case when away.is_now then s.away_until end,
      case when s.shows_reply_time and not away.is_now then private.usual_reply_time(s.creator_id) end
    from (select s.is_away and coalesce(s.away_until > now(), true) as is_now) away
  ) n (away_message, away_until, reply_time)
  where s.creator_id = creator_profile_id and num_nonnulls(n.away_message, n.reply_time) > 0
    and private.is_approved_creator(s.creator_id)
    and case
      when private.my_profile_id() is null then u.allow_direct_messages and not p.is_private
      when private.my_profile_id() = s.creator_id then true
      else private.accepts_messages(s.creator_id, private.my_profile_id())
    end;
$$;
comment on function public.get_message_notice is 'The creator''s away message or usual response time, for a viewer who can message them, and for visitors of a public profile (PAGE-03). No row if there is nothing to show.';
grant execute on function public.get_message_notice(uuid) to anon, authenticated;

create function public.get_own_reply_time() returns text
language sql stable security definer set search_path = ''
as $$
  select private.usual_reply_time(private.my_profile_id());
$$;
comment on function public.get_own_reply_time is 'The caller''s usual response time as in message_notice, shown or not. Null with too few replies.';
grant execute on function public.get_own_reply_time() to authenticated;
