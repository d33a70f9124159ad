-- Up Migration
-- Contract: the five tables are replaced by partitioned ones of the same name, with the same columns and permissions. The version before
-- names them only, so it goes on when the migration is complete. Until then, it waits: rows are copied.

-- Tables that grow without end are partitioned by month, in UTC (SCALE-05): what is read or deleted by time then touches a few months, and
-- old months are dropped instead of deleted row by row. The months are made by this function, because extensions for this aren't available
-- everywhere. Two further partitions take what is before and after all months, so that no insert ever fails. They aren't one default
-- partition: with that, PostgreSQL can't read the newest rows from the newest partition and stop.
--
-- Not security definer and not granted: only the owner of the tables calls it. Its lock_timeout is below PostgreSQL's deadlock_timeout: when it
-- and a request wait for each other, it gives up, and the request goes on.
create function private.create_partitions(p_table regclass, p_from date default null) returns int
language plpgsql set search_path = '' set timezone = 'UTC' set lock_timeout = '500ms'
as $$
declare
  v_name text := (select c.relname from pg_catalog.pg_class c where c.oid = p_table);
  v_key text := (select a.attname from pg_catalog.pg_partitioned_table t
    join pg_catalog.pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0] where t.partrelid = p_table);
  v_earlier text := format('private.%I', v_name || '_earlier');
  v_later text := format('private.%I', v_name || '_later');
  v_this_month date := date_trunc('month', now());
  v_oldest date;
  -- The months that have a partition, and those that will; both without the second date.
  v_begin date;
  v_end date;
  v_from date;
  v_until date := v_this_month + interval '4 months';
  v_month date;
  v_partition text;
  v_count int := 0;
begin
  select to_date(min(right(c.relname, 6)), 'YYYYMM'), to_date(max(right(c.relname, 6)), 'YYYYMM') + interval '1 month' into v_begin, v_end
  from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = p_table and c.relname ~ '_\d{6}$';
  if v_begin is null then
    v_begin := v_this_month;
    v_end := v_this_month;
    v_oldest := v_this_month;
  else
    execute format('select min(%I) from %s', v_key, v_earlier) into v_oldest;
  end if;
  -- A wrong date shouldn't make thousands of partitions.
  v_from := date_trunc('month', greatest(least(v_oldest, p_from, v_begin), v_this_month - interval '10 years'));
  v_from := least(v_from, v_begin);
  v_until := greatest(v_until, v_end);
  if v_from = v_begin and v_until = v_end then
    return 0;
  end if;

  execute format('lock table %s in access exclusive mode', p_table);
  if to_regclass(v_earlier) is null then
    execute format('create table %s (like %s including defaults including constraints)', v_earlier, p_table);
    execute format('create table %s (like %s including defaults including constraints)', v_later, p_table);
  else
    execute format('alter table %s detach partition %s', p_table, v_earlier);
    execute format('alter table %s detach partition %s', p_table, v_later);
  end if;
  -- Rows move between tables that aren't partitions at this moment: no trigger counts them again, and no subscriber hears of them.
  for v_month in select m::date from generate_series(v_from, v_until - interval '1 month', interval '1 month') m
    where m < v_begin or m >= v_end
  loop
    v_partition := format('private.%I', v_name || to_char(v_month, '_YYYYMM'));
    execute format('create table %s (like %s including defaults including constraints)', v_partition, p_table);
    execute format('with moved as (delete from %s where %I >= %L and %2$I < %4$L returning *) insert into %5$s select * from moved',
      case when v_month < v_begin then v_earlier else v_later end, v_key, v_month, (v_month + interval '1 month')::date, v_partition);
    execute format('alter table %s attach partition %s for values from (%L) to (%L)',
      p_table, v_partition, v_month + time '00:00', v_month + interval '1 month');
    v_count := v_count + 1;
  end loop;
  execute format('alter table %s attach partition %s for values from (minvalue) to (%L)', p_table, v_earlier, v_from + time '00:00');
  execute format('alter table %s attach partition %s for values from (%L) to (maxvalue)', p_table, v_later, v_until + time '00:00');

  -- Nobody reads or writes a partition by its own name: the permissions are those of the table. Default privileges are taken back.
  for v_partition in
    select i.inhrelid::regclass::text from pg_catalog.pg_inherits i
    where i.inhparent = p_table and obj_description(i.inhrelid, 'pg_class') is null
  loop
    execute format('comment on table %s is %L', v_partition, 'A partition of ' || p_table || '. Made by private.create_partitions.');
    execute format('alter table %s enable row level security', v_partition);
    execute format('revoke all on %s from public, anon, authenticated, service_role', v_partition);
    -- What live updates need of a deleted row isn't inherited.
    execute (select format('alter table %s replica identity %s', v_partition, case c.relreplident when 'f' then 'full' else 'default' end)
      from pg_catalog.pg_class c where c.oid = p_table);
    -- Unlike triggers for each row, those for truncate aren't inherited.
    if p_table = 'public.audit_log'::regclass then
      execute format('create trigger audit_log_no_truncate before truncate on %s execute function private.reject_change()', v_partition);
    end if;
  end loop;
  return v_count;
end;
$$;
comment on function private.create_partitions is
  'Makes the partitions of a table for all months from p_from, or from its oldest row, to three months ahead, and moves into them what was stored outside the months. Returns how many it made. Called by a scheduled job; waits at most half a second for a lock.';
revoke execute on function private.create_partitions from service_role;

create function private.drop_partitions(p_table regclass, p_days int) returns int
language plpgsql set search_path = '' set timezone = 'UTC' set lock_timeout = '500ms'
as $$
declare
  v_name text := (select c.relname from pg_catalog.pg_class c where c.oid = p_table);
  v_earlier text := format('private.%I', v_name || '_earlier');
  v_first date := date_trunc('month', now() - make_interval(days => p_days)); -- the first month to keep
  v_old text[];
  v_partition text;
begin
  if p_table not in ('public.notifications'::regclass, 'auth.audit_log_entries'::regclass) then
    raise exception '% is kept', p_table using errcode = '42501';
  end if;
  select array_agg(i.inhrelid::regclass::text) into v_old
  from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
  where i.inhparent = p_table and c.relname ~ '_\d{6}$' and right(c.relname, 6) < to_char(v_first, 'YYYYMM');
  if v_old is null then
    return 0;
  end if;
  execute format('lock table %s in access exclusive mode', p_table);
  foreach v_partition in array v_old loop
    execute format('alter table %s detach partition %s', p_table, v_partition);
    execute format('drop table %s', v_partition);
  end loop;
  -- What is even older goes, too, and the gap is closed.
  execute format('alter table %s detach partition %s', p_table, v_earlier);
  execute format('truncate %s', v_earlier);
  execute format('alter table %s attach partition %s for values from (minvalue) to (%L)', p_table, v_earlier, v_first + time '00:00');
  return cardinality(v_old);
end;
$$;
comment on function private.drop_partitions is
  'Drops the months of a table that ended more than p_days ago, and returns how many. Only for tables with retention: notifications and the entries about accounts.';
revoke execute on function private.drop_partitions from service_role;

-- A partition's trigger names the table that the caller knows.
create or replace function private.reject_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception '% is append-only', coalesce(pg_partition_root(tg_relid), tg_relid)::regclass
    using errcode = '42501', hint = 'Correct a record with a new one that reverses it.';
end;
$$;

-- Deliveries refer to notifications without a foreign key: the key of a partitioned table contains its month, and a grouped notification
-- changes its time. A delivery whose notification is gone is deleted when it is due, like one that was read.
alter table private.notification_deliveries drop constraint notification_deliveries_notification_id_fkey;
create or replace function private.take_deliveries(p_channel text, p_delay_seconds int, p_limit int)
returns table (user_id uuid, notification_id uuid, type text, title text, message text, data jsonb, created_at timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_until timestamptz := now() - make_interval(secs => p_delay_seconds);
begin
  -- Deleted, read in the app, turned off in the settings, or tried often enough.
  delete from private.notification_deliveries d
  where d.channel = p_channel and d.due_at <= v_until and not exists (
    select from public.notifications n
    where n.id = d.notification_id and not n.is_read and d.attempts < 6
      and private.wants(d.user_id, p_channel, private.notification_kind(n.type)));
  return query
  with due as (
    select d.user_id from private.notification_deliveries d
    where d.channel = p_channel and d.due_at <= v_until
    order by d.due_at limit p_limit
  ), waiting as (
    -- Everything that is queued for these users, not only what is due.
    select d.notification_id from private.notification_deliveries d
    where d.channel = p_channel and d.user_id in (select due.user_id from due) and (d.attempts = 0 or d.due_at <= v_until)
    for update skip locked
  ), taken as (
    update private.notification_deliveries d
    set attempts = d.attempts + 1, due_at = now() + make_interval(mins => (2 ^ d.attempts)::int)
    from waiting w where d.notification_id = w.notification_id and d.channel = p_channel
    returning d.notification_id
  )
  select n.user_id, n.id, n.type, n.title, n.message, n.data, n.created_at
  from taken t join public.notifications n on n.id = t.notification_id
  where not n.is_read and private.wants(n.user_id, p_channel, private.notification_kind(n.type))
  order by n.user_id, n.created_at, n.id;
end;
$$;
comment on table private.notification_deliveries is
  'Notifications to send by email or push. A row is deleted when it was sent, or, once it is due, when the notification was read in the app, turned off in the settings, or deleted.';

-- `offset 0`: the caller is looked up once, and not again for each month.
create or replace function public.get_unread_counts() returns public.unread_counts
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*)::int from (select from public.notifications n where n.user_id = me.id and not n.is_read limit 1000) unread)
      + (select count(*)::int from private.unread_posts(me.id)),
    (select count(*)::int from (select from private.messages m where m.recipient_id = me.id and not m.is_read limit 1000) unread)
  from (select private.my_profile_id() as id offset 0) me;
$$;

-- The tables as they are, in the schema that clients can't reach, with the names of their indexes and sequences.
lock table public.notifications, public.audit_log, auth.audit_log_entries, public.post_views, public.profile_views in access exclusive mode;
alter table public.notifications set schema private;
alter table public.audit_log set schema private;
alter table auth.audit_log_entries set schema private;
alter table public.post_views set schema private;
alter table public.profile_views set schema private;

create table public.notifications (like private.notifications including defaults including constraints including comments)
  partition by range (created_at);
create table public.audit_log (like private.audit_log including defaults including constraints including comments)
  partition by range (created_at);
create table auth.audit_log_entries (like private.audit_log_entries including defaults including constraints including comments)
  partition by range (created_at);
create table public.post_views (like private.post_views including defaults including constraints including comments including identity)
  partition by range (viewed_on);
create table public.profile_views (like private.profile_views including defaults including constraints including comments including identity)
  partition by range (viewed_on);
comment on table public.notifications is 'A user''s notifications. Only the server writes them. Partitioned by month.';
comment on table public.audit_log is 'What admins did, to what, and when. Append-only; read by admins. Partitioned by month.';
comment on table auth.audit_log_entries is 'What happened to accounts: sign-ups, sign-ins, changes. Never a secret. Partitioned by month.';
comment on table public.post_views is
  'Views of posts, once a day for each user. Clients only get the numbers (get_top_posts, get_views_series). Partitioned by month.';
comment on table public.profile_views is
  'Views of profiles, once a day for each user. Clients only get the number (get_creator_stats). Partitioned by month.';

-- Nothing that a grant or policy of this file doesn't open again; service_role has its default privileges.
alter table public.notifications enable row level security;
alter table public.notifications replica identity full;
create policy select_own on public.notifications for select to authenticated using (user_id = (select private.my_profile_id()));
create policy update_own on public.notifications for update to authenticated using (user_id = (select private.my_profile_id()));
create policy delete_own on public.notifications for delete to authenticated using (user_id = (select private.my_profile_id()));
grant select, update (is_read), delete on public.notifications to authenticated;
alter table public.audit_log enable row level security;
revoke update, delete on public.audit_log from service_role;
create policy select_admin on public.audit_log for select to authenticated using ((select private.is_admin()));
grant select on public.audit_log to authenticated;
alter table auth.audit_log_entries enable row level security;
alter table public.post_views enable row level security; -- no policy and no grant: no one can see who viewed a post
alter table public.profile_views enable row level security; -- no policy and no grant: no one can see who viewed a profile

select private.create_partitions('public.notifications', (select (min(created_at) at time zone 'UTC')::date from private.notifications));
select private.create_partitions('public.audit_log', (select (min(created_at) at time zone 'UTC')::date from private.audit_log));
select private.create_partitions('auth.audit_log_entries', (select (min(created_at) at time zone 'UTC')::date from private.audit_log_entries));
select private.create_partitions('public.post_views', (select min(viewed_on) from private.post_views));
select private.create_partitions('public.profile_views', (select min(viewed_on) from private.profile_views));

-- Before the triggers, which have done their work for these rows.
insert into public.notifications select * from private.notifications;
insert into public.audit_log select * from private.audit_log;
insert into auth.audit_log_entries select * from private.audit_log_entries;
insert into public.post_views overriding system value select * from private.post_views;
insert into public.profile_views overriding system value select * from private.profile_views;
select setval('public.post_views_id_seq', s.last_value, s.is_called) from private.post_views_id_seq s;
select setval('public.profile_views_id_seq', s.last_value, s.is_called) from private.profile_views_id_seq s;
drop table private.notifications, private.audit_log, private.audit_log_entries, private.post_views, private.profile_views;

-- A key of a partitioned table contains its month.
alter table public.notifications add primary key (id, created_at),
  add foreign key (user_id) references private.profiles on delete cascade,
  add foreign key (poll_id) references public.polls on delete set null;
create index notifications_user_id_created_at_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not is_read; -- the badge (GEN-21)
create index notifications_unread_messages_idx on public.notifications (user_id, (data ->> 'profile_id')) where not is_read and type = 'message';
create index notifications_open_groups_idx on public.notifications (user_id, (data ->> 'group')) where not is_read and data ? 'group';
create index notifications_about_idx on public.notifications ((data ->> 'profile_id')); -- other users' notifications about a deleted user
create index notifications_new_posts_idx on public.notifications ((data ->> 'post_id')) where data ? 'new_posts';
create index notifications_poll_id_idx on public.notifications (poll_id) where poll_id is not null;
create trigger notifications_queue_deliveries after insert on public.notifications
  referencing new table as added for each statement execute function private.queue_deliveries();

alter table public.audit_log add primary key (id, created_at);
create index audit_log_page_idx on public.audit_log (created_at desc, id desc);
create index audit_log_action_idx on public.audit_log (action, created_at desc, id desc);
create index audit_log_actor_idx on public.audit_log (actor_id, created_at desc, id desc);
create index audit_log_subject_idx on public.audit_log (subject_id, created_at desc, id desc);
create trigger audit_log_append_only before update or delete on public.audit_log for each row execute function private.reject_change();
create trigger audit_log_no_truncate before truncate on public.audit_log execute function private.reject_change();

alter table auth.audit_log_entries add primary key (id, created_at);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);
create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'));

alter table public.post_views add primary key (id, viewed_on),
  add constraint post_views_once_a_day unique (post_id, viewer_id, viewed_on),
  add foreign key (post_id) references private.posts on delete cascade,
  add foreign key (viewer_id) references private.profiles on delete cascade;
create index post_views_viewer_id_idx on public.post_views (viewer_id);
create trigger post_views_count after insert on public.post_views
  referencing new table as seen for each statement execute function private.count_post_views();
create trigger post_views_uncount after delete on public.post_views
  referencing old table as changed for each statement execute function private.uncount_post_views();

alter table public.profile_views add primary key (id, viewed_on),
  add constraint profile_views_once_a_day unique (profile_id, viewer_id, viewed_on),
  add foreign key (profile_id) references private.profiles on delete cascade,
  add foreign key (viewer_id) references private.profiles on delete cascade;
create index profile_views_viewer_id_idx on public.profile_views (viewer_id);
create trigger profile_views_count after insert on public.profile_views for each row execute function private.count_profile_view();

-- Subscribers hear of changes under the name of the table, whichever partition they are in.
alter publication ovation_realtime set (publish_via_partition_root = true);
alter publication ovation_realtime add table public.notifications;

analyze public.notifications, public.audit_log, auth.audit_log_entries, public.post_views, public.profile_views;
