-- Up Migration

-- Data export and account deletion (STAT-03, SET-13, SET-14, ADM-19, D6).
create table private.storage_removals (
  id         bigint generated always as identity primary key,
  bucket_id  text not null,
  name       text not null,
  version    text,
  created_at timestamptz not null default now()
);
comment on table private.storage_removals is 'Deleted files whose bytes a job removes. A row is deleted with the bytes, so an empty table means that nothing is left behind.';
comment on column private.storage_removals.version is 'Identifies the stored bytes, as in storage.objects: a later file with the same name has another version.';
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
comment on function private.remove_post_file is 'Trigger of post_media: deletes a file with its post, so that no old link finds it.';
create trigger post_media_remove_file after delete on private.post_media for each row execute function private.remove_post_file();

-- The export contains exactly what users may read about themselves: public.open_own_data runs with the caller's permissions, so row-level
-- security decides about each row. It finds tables by their foreign keys to accounts and profiles, so that a new table is included
-- automatically. auth.export_account and auth.open_unseen_data add what users otherwise read only through functions.
create function auth.export_account() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.reject_app();
  return (
    select jsonb_build_object(
      'id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
      'last_sign_in_at', u.last_sign_in_at, 'user_metadata', u.raw_user_meta_data,
      'identities', (select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'email', i.email, 'created_at', i.created_at)), '[]')
        from auth.identities i where i.user_id = u.id),
      'sessions', (select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'ip', s.ip, 'user_agent', s.user_agent) order by s.created_at), '[]')
        from auth.sessions s where s.user_id = u.id),
      -- Their names, never their secrets.
      'factors', (select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone, 'created_at', f.created_at) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = u.id),
      'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('name', w.friendly_name, 'created_at', w.created_at, 'last_used_at', w.last_used_at) order by w.created_at), '[]')
        from auth.webauthn_credentials w where w.user_id = u.id),
      'known_devices', (select coalesce(jsonb_agg(jsonb_build_object('created_at', d.created_at, 'last_seen_at', d.last_seen_at) order by d.created_at), '[]')
        from auth.known_devices d where d.user_id = u.id),
      'connected_apps', (select coalesce(jsonb_agg(jsonb_build_object('name', c.client_name, 'scopes', o.scopes, 'granted_at', o.granted_at) order by o.granted_at), '[]')
        from auth.oauth_consents o join auth.oauth_clients c on c.id = o.client_id where o.user_id = u.id)
    )
    from auth.users u where u.id = auth.uid()
  );
end;
$$;
comment on function auth.export_account is 'The caller''s account and sign-ins, for public.open_own_data. It contains no secrets, and connected apps don''t get it.';
grant execute on function auth.export_account() to authenticated;
create index notifications_about_idx on public.notifications ((data ->> 'profile_id')); -- other users' notifications about a deleted user
create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'));
create index stripe_events_customer_idx on private.stripe_events ((payload #>> '{data,object,customer}'));

-- Future sessions of a deleted account: the other side is notified, and refunded according to D41.
create function private.cancel_bookings(p_profile uuid) returns void
language sql security definer set search_path = ''
as $$
  select private.cancel_bookings(p_profile, 'The account was deleted');
$$;
comment on function private.cancel_bookings(uuid) is 'Cancels the future sessions of a deleted user.';
revoke execute on function private.cancel_bookings(uuid, text, text) from public;

-- Locks likes, comments, follows, and subscriptions before it deletes the posts and the profile: removing a like locks its row and then the
-- post, to count. The same order here avoids deadlocks.
create function private.delete_account(p_user uuid, p_actor uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.lock_books(); -- before the rows: a payment at this moment finds the account either complete or deleted
  perform from auth.users u where u.id = p_user for update;
  if not found then
    return false;
  end if;
  select * into v_profile from private.profiles p where p.user_id = p_user;
  perform from public.post_likes l where l.post_id in (select p.id from private.posts p where p.creator_id = v_profile.id) order by l.id for update;
  perform from public.comments c where c.post_id in (select p.id from private.posts p where p.creator_id = v_profile.id) order by c.id for update;
  perform from public.follows f where v_profile.id in (f.follower_id, f.following_id) order by f.id for update;
  perform from public.subscriptions s where v_profile.id in (s.subscriber_id, s.creator_id) order by s.id for update;
  perform private.write_audit('delete_account', 'users', p_user,
    jsonb_build_object('profile_id', v_profile.id, 'is_creator', v_profile.is_creator, 'is_verified', v_profile.is_verified,
      'subscribers', v_profile.subscribers_count, 'balance_cents', private.balance_of(v_profile.id)),
    null, jsonb_build_object('by', case when p_actor is null then 'server' when p_actor = p_user then 'self' else 'admin' end), p_actor);
  -- Subscriptions of and to the account end. The requests contain Stripe's ids, because the rows that have them are deleted now.
  insert into private.payment_tasks (kind, target, reason)
  select 'cancel_subscription', k.stripe_subscription_id, 'One of the accounts was deleted'
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where v_profile.id in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete_expired')
  on conflict (kind, target) do nothing;
  insert into private.payment_tasks (kind, target, reason)
  select 'delete_customer', c.customer_id, 'The account was deleted' from private.stripe_customers c where c.profile_id = v_profile.id
  on conflict (kind, target) do nothing;
  perform private.notify(s.subscriber_id, 'subscription', 'Subscription ended',
    'A creator you subscribed to has closed their account. You won''t be charged again.', '{}')
  from public.subscriptions s where s.creator_id = v_profile.id and s.access_until > now();
  perform private.cancel_bookings(v_profile.id);
  with gone as (
    delete from storage.objects o
    where o.bucket_id in (select b.id from storage.buckets b)
      and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0' -- '0' comes after '/': everything in the folder
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  delete from public.notifications n where n.data ->> 'profile_id' = v_profile.id::text;
  delete from auth.audit_log_entries e where e.payload ->> 'actor_id' = p_user::text;
  update private.stripe_events e set payload = jsonb_build_object('id', e.id, 'type', e.type, 'redacted', true)
  from private.stripe_customers c
  where c.profile_id = v_profile.id and e.payload #>> '{data,object,customer}' = c.customer_id and e.processed_at is not null;
  delete from public.support_requests r where r.user_id = p_user; -- name, email, and text are personal data
  delete from public.reports r where r.reported_id = v_profile.id; -- they contain excerpts of the user's content
  delete from auth.users u where u.id = p_user;
  return true;
end;
$$;
comment on function private.delete_account is
  'Deletes an account and all personal data (SET-14, ADM-19). The ledger and the transactions stay, without the user; bookings are canceled; requests to Stripe and the removal of files are queued; the username becomes available. p_actor: auth.users.id of the user or admin who deletes it. False when there is no such account.';

create function private.close_checkouts(p_sessions text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks (kind, target, reason)
  select 'close_checkout', s.id, 'The payment arrived after the checkout session was closed.' from unnest(p_sessions) as s (id)
  on conflict (kind, target) do nothing;
$$;
comment on function private.close_checkouts is 'Requests the provider to close these checkout sessions, each once. Both users may read the reason in a refund, so it doesn''t say who left or blocked.';
revoke execute on function private.close_checkouts from public;
create function private.close_checkouts_of_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.close_checkouts(array(
    select c.id from private.checkout_sessions c
    where c.status = 'open' and (c.creator_id = old.id or (c.profile_id = old.id and (tg_op = 'DELETE' or new.suspended_at is not null)))
  ));
  return old; -- for the delete; ignored after an update
end;
$$;
comment on function private.close_checkouts_of_profile is 'Trigger of profiles: closes checkout sessions of and with a deleted or suspended user. A creator who may no longer sell can still buy from others.';

-- Before the delete, because the checkout sessions are deleted with the profile.
create trigger profiles_close_checkouts before delete on private.profiles
  for each row execute function private.close_checkouts_of_profile();
create trigger profiles_close_checkouts_on_update after update of suspended_at, is_verified on private.profiles
  for each row when ((old.suspended_at is null and new.suspended_at is not null) or (old.is_verified and not new.is_verified))
  execute function private.close_checkouts_of_profile();
create function private.close_checkouts_of_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.close_checkouts(
    array(select c.id from private.checkout_sessions c where c.product_id = new.id and c.status = 'open'));
  return null;
end;
$$;
comment on function private.close_checkouts_of_plan is 'Trigger of subscription_products: closes the checkout sessions of a deactivated plan.';
create trigger subscription_products_close_checkouts after update of is_active on public.subscription_products
  for each row when (old.is_active and not new.is_active) execute function private.close_checkouts_of_plan();
create function private.close_checkouts_of_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.close_checkouts(array(
    select c.id from private.checkout_sessions c
    where c.status = 'open' and (c.profile_id, c.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  ));
  return null;
end;
$$;
comment on function private.close_checkouts_of_block is 'Trigger of blocks: closes checkout sessions between the two users.';
create trigger blocks_close_checkouts after insert on public.blocks for each row execute function private.close_checkouts_of_block();
create function private.close_late_checkout() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- After the insert, which has waited for a suspension in progress.
  perform private.close_checkouts(array[new.id]) where private.are_blocked(new.profile_id, new.creator_id);
  return null;
end;
$$;
comment on function private.close_late_checkout is 'Trigger of checkout_sessions: closes the session when one of the two users was suspended or blocked while Stripe created it.';
create trigger checkout_sessions_close_late after insert on private.checkout_sessions
  for each row when (new.status = 'open') execute function private.close_late_checkout();

-- The export and a creator's statement may be large, so they are read in pages: functions open cursors, and the server fetches from them in the
-- same transaction.
create view private.statement_lines with (security_invoker = true) as
  select e.account_id, e.seq, a.code as account, to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
    t.type, t.cause, t.currency, e.amount_cents, (-sum(e.amount_cents) over (partition by e.account_id order by e.seq))::bigint as balance_cents,
    encode(e.previous_hash, 'hex') as previous_hash, encode(e.hash, 'hex') as hash
  from private.ledger_entries e
  join private.ledger_accounts a on a.id = e.account_id
  join private.ledger_transactions t on t.id = e.transaction_id;
comment on view private.statement_lines is
  'Ledger entries, with the values that private.ledger_entry_text needs to recompute each hash. amount_cents: negative is a credit, which is what a creator earns. balance_cents: what the creator was owed after the entry.';
grant select on private.statement_lines to service_role; -- and to no other role: a signed link opens a statement

-- security definer: users otherwise read these tables only through functions.
create function auth.open_unseen_data() returns text[]
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
    (select 'group_messages', (to_jsonb(g) - 'position')::text from private.group_messages g where g.creator_id = v_me order by g.created_at)
    union all
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'video_captions', 'statement'];
end;
$$;
comment on function auth.open_unseen_data is
  'Opens the cursor own_unseen_data with the part of the export that no view or table shows the caller (STAT-03), and returns its sections in order.';
revoke execute on function auth.open_unseen_data() from public;
grant execute on function auth.open_unseen_data() to authenticated;
create function public.open_own_data() returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
  v_profile uuid := (select p.id from public.profiles p where p.user_id = v_user);
  v_rows refcursor := 'own_data';
  v_sections text[];
  v_parts text;
begin
  if v_user is null then
    raise exception 'Sign in to get a copy of your data' using errcode = '42501';
  end if;
  select array_agg(s.section order by s.section),
    string_agg(format('select %L, to_jsonb(t)::text from %s t where %s', s.section, s.name, s.condition), ' union all ' order by s.section)
  into v_sections, v_parts
  from (
    select seen.oid::regclass as name, c.relname::text as section,
      string_agg(distinct format('t.%I = $%s', a.attname, case k.confrelid when 'auth.users'::regclass then 1 else 2 end), ' or ') as condition
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    -- A table in schema private is read through the view of the same name, if there is one.
    join pg_catalog.pg_class seen on seen.relname = c.relname and seen.relnamespace = 'public'::regnamespace and seen.relkind in ('r', 'v', 'p')
    join pg_catalog.pg_attribute seen_column on seen_column.attrelid = seen.oid and seen_column.attname = a.attname
    where k.contype = 'f' and c.relname <> 'profiles'
      and k.confrelid in ('auth.users'::regclass, (select p.oid from pg_catalog.pg_class p join pg_catalog.pg_namespace s on s.oid = p.relnamespace
        where s.nspname = 'private' and p.relname = 'profiles'))
      and has_table_privilege(seen.oid, 'select')
    group by seen.oid, c.relname
  ) s;
  -- The sections stay in order, because a cursor never uses a parallel plan.
  open v_rows no scroll for execute
    $part$(select 'files' as section, jsonb_build_object('bucket', o.bucket_id, 'path', o.name, 'created_at', o.created_at)::text as item
      from storage.objects o where o.path_tokens[1] = $1::text order by o.created_at) union all $part$ || v_parts
    using v_user, v_profile;
  return jsonb_build_object(
    'exported_at', now(),
    'account', auth.export_account(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = v_user),
    'sections', to_jsonb(array_prepend('files', v_sections) || auth.open_unseen_data())
  );
end;
$$;
comment on function public.open_own_data is
  'Exports everything that callers may read about themselves, table by table (STAT-03), with their own permissions: what is locked or hidden for them stays so. Opens the cursors own_data and own_unseen_data of (section, item as JSON), and returns the account, the profile, and the sections in order.';
revoke execute on function public.open_own_data() from public, anon;
grant execute on function public.open_own_data() to authenticated;

-- For the cascade from profiles: the index of active codes doesn't contain inactive ones.
create index promotion_codes_creator_id_idx on private.promotion_codes (creator_id, created_at desc);
