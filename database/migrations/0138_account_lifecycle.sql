-- Up Migration
-- A copy of one's data, and the end of an account (STAT-03, SET-13, SET-14, ADM-19, D6).

create table private.storage_removals (
  id         bigint generated always as identity primary key,
  bucket_id  text not null,
  name       text not null,
  version    text,
  created_at timestamptz not null default now()
);
comment on table private.storage_removals is 'Files whose rows are gone and whose bytes a job removes. A row leaves with the bytes, so an empty table means that nothing is left behind.';
comment on column private.storage_removals.version is 'Names the stored bytes, as in storage.objects: a file of the same name that came later has another.';
alter table private.storage_removals enable row level security;
-- No policy: the job is the only reader.

create function private.remove_post_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o where o.bucket_id = 'posts' and o.name = old.path returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_post_file is 'Trigger of post_media: a file goes with its post, so that no orphan stays and no old link finds it.';
create trigger post_media_remove_file after delete on private.post_media for each row execute function private.remove_post_file();

-- What a person may read about themselves, they may take with them, and nothing else: the copy is read with their own rights, so
-- row-level security decides each row of it. Tables are found by their references to a person, so that a new one is in it from its first day.
create function auth.export_account() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
    'last_sign_in_at', u.last_sign_in_at, 'user_metadata', u.raw_user_meta_data,
    'identities', (select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'email', i.email, 'created_at', i.created_at)), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'ip', s.ip, 'user_agent', s.user_agent) order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id)
  )
  from auth.users u where u.id = auth.uid();
$$;
comment on function auth.export_account is 'The caller''s account and sign-ins, for export_own_data. No secret is in it.';
grant execute on function auth.export_account() to authenticated;

create function public.export_own_data() returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
  v_profile uuid := (select p.id from public.profiles p where p.user_id = v_user);
  v_table record;
  v_rows jsonb;
  v_export jsonb;
begin
  if v_user is null then
    raise exception 'Sign in to get a copy of your data' using errcode = '42501';
  end if;
  v_export := jsonb_build_object(
    'exported_at', now(),
    'account', auth.export_account(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = v_user),
    'files', (select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'path', o.name, 'created_at', o.created_at) order by o.created_at), '[]')
      from storage.objects o where o.path_tokens[1] = v_user::text)
  );
  for v_table in
    select seen.oid::regclass as name, c.relname as section,
      string_agg(distinct format('t.%I = $%s', a.attname, case k.confrelid when 'auth.users'::regclass then 1 else 2 end), ' or ') as condition
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    -- A table of schema private is read through the view of its name, where there is one.
    join pg_catalog.pg_class seen on seen.relname = c.relname and seen.relnamespace = 'public'::regnamespace and seen.relkind in ('r', 'v', 'p')
    join pg_catalog.pg_attribute seen_column on seen_column.attrelid = seen.oid and seen_column.attname = a.attname
    where k.contype = 'f' and c.relname <> 'profiles'
      and k.confrelid in ('auth.users'::regclass, (select p.oid from pg_catalog.pg_class p join pg_catalog.pg_namespace s on s.oid = p.relnamespace
        where s.nspname = 'private' and p.relname = 'profiles'))
      and has_table_privilege(seen.oid, 'select')
    group by seen.oid, c.relname order by c.relname
  loop
    execute format('select jsonb_agg(to_jsonb(t)) from %s t where %s', v_table.name, v_table.condition) into v_rows using v_user, v_profile;
    v_export := v_export || jsonb_build_object(v_table.section, coalesce(v_rows, '[]'));
  end loop;
  return v_export;
end;
$$;
comment on function public.export_own_data is 'A copy of all that the caller may read about themselves, table by table (STAT-03). With the caller''s own rights: what is locked or hidden for them stays so.';
grant execute on function public.export_own_data() to authenticated;

create index notifications_about_idx on public.notifications ((data ->> 'profile_id')); -- what others' bells say of someone who leaves
create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'));
create index stripe_events_customer_idx on private.stripe_events ((payload #>> '{data,object,customer}'));

-- Sessions that are still to come: the other side is told, and gets the money back where D41 gives it back.
create function private.call_off_bookings(p_profile uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
begin
  perform from public.session_slots s
  where s.id in (select b.slot_id from public.session_bookings b where p_profile in (b.creator_id, b.fan_id)) order by s.id for update;
  for v_booking in
    select * from public.session_bookings b
    where p_profile in (b.creator_id, b.fan_id) and b.state in ('pending_payment', 'requested', 'accepted') order by b.id for update
  loop
    if v_booking.state <> 'pending_payment' and v_booking.fan_id = p_profile and v_booking.starts_at < now() + interval '24 hours' then
      perform private.notify(v_booking.creator_id, 'other', 'Session canceled',
        private.session_time(v_booking) || ' will not take place: the fan has left. You keep the payment.', '{}');
    else
      perform private.close_booking(v_booking, 'canceled', case p_profile when v_booking.fan_id then 'fan' else 'creator' end, 'The account was deleted');
    end if;
  end loop;
end;
$$;
comment on function private.call_off_bookings is 'Ends the sessions of someone who leaves.';

create function private.delete_account(p_user uuid, p_actor uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.lock_books(); -- before the rows: a payment that comes now finds the account whole or gone
  perform from auth.users u where u.id = p_user for update;
  if not found then
    return false;
  end if;
  select * into v_profile from private.profiles p where p.user_id = p_user;
  perform private.write_audit('delete_account', 'users', p_user,
    jsonb_build_object('profile_id', v_profile.id, 'is_creator', v_profile.is_creator, 'is_verified', v_profile.is_verified,
      'subscribers', v_profile.subscribers_count, 'balance_cents', private.balance_of(v_profile.id)),
    null, jsonb_build_object('by', case when p_actor is null then 'server' when p_actor = p_user then 'self' else 'admin' end), p_actor);
  -- Nobody pays for, or to, someone who is gone. The provider's ids are in the wishes, for the rows that know them go now.
  insert into private.payment_tasks (kind, target, reason)
  select 'cancel_subscription', k.stripe_subscription_id, 'The account of a party was deleted'
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where v_profile.id in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete_expired')
  on conflict (kind, target) do nothing;
  insert into private.payment_tasks (kind, target, reason)
  select 'delete_customer', c.customer_id, 'The account was deleted' from private.stripe_customers c where c.profile_id = v_profile.id
  on conflict (kind, target) do nothing;
  perform private.notify(s.subscriber_id, 'subscription', 'Subscription ended',
    'A creator you subscribed to has closed the account. You will not be charged again.', '{}')
  from public.subscriptions s where s.creator_id = v_profile.id and s.access_until > now();
  perform private.call_off_bookings(v_profile.id);
  with gone as (
    delete from storage.objects o
    where o.bucket_id in (select b.id from storage.buckets b)
      and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0' -- '0' follows '/': all that lies in the folder
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  delete from public.notifications n where n.data ->> 'profile_id' = v_profile.id::text;
  delete from auth.audit_log_entries e where e.payload ->> 'actor_id' = p_user::text;
  update private.stripe_events e set payload = jsonb_build_object('id', e.id, 'type', e.type, 'redacted', true)
  from private.stripe_customers c
  where c.profile_id = v_profile.id and e.payload #>> '{data,object,customer}' = c.customer_id and e.processed_at is not null;
  delete from public.support_requests r where r.user_id = p_user; -- name, address and words
  delete from public.reports r where r.reported_id = v_profile.id; -- excerpts of what the person wrote
  delete from auth.users u where u.id = p_user;
  return true;
end;
$$;
comment on function private.delete_account is
  'Deletes an account and all that is personal (SET-14, ADM-19). The books stay, with the party null; bookings are called off; wishes to the provider and files to remove are queued; the username is free again. p_actor: who asked, auth.users.id. False when there is no such account.';
