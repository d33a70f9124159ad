-- Up Migration
-- A copy of one's data lacked what a person keeps here and reads through functions alone (STAT-03): the keys and devices of the account, promotion
-- codes, messages to groups, devices that take pushes, and the statement of their earnings.
create or replace function auth.export_account() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
    'last_sign_in_at', u.last_sign_in_at, 'user_metadata', u.raw_user_meta_data,
    'identities', (select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'email', i.email, 'created_at', i.created_at)), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'ip', s.ip, 'user_agent', s.user_agent) order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    -- What they are called, never what they prove.
    'factors', (select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone, 'created_at', f.created_at) order by f.created_at), '[]')
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('name', w.friendly_name, 'created_at', w.created_at, 'last_used_at', w.last_used_at) order by w.created_at), '[]')
      from auth.webauthn_credentials w where w.user_id = u.id),
    'known_devices', (select coalesce(jsonb_agg(jsonb_build_object('created_at', d.created_at, 'last_seen_at', d.last_seen_at) order by d.created_at), '[]')
      from auth.known_devices d where d.user_id = u.id)
  )
  from auth.users u where u.id = auth.uid();
$$;

-- security definer: these tables are read through functions, which have forms of their own for screens.
create function auth.export_unseen() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'promotion_codes', (select coalesce(jsonb_agg(to_jsonb(c) - array['stripe_coupon_id', 'stripe_promotion_id'] order by c.created_at), '[]')
      from private.promotion_codes c where c.creator_id = me.id),
    'group_messages', (select coalesce(jsonb_agg(to_jsonb(g) - 'position' order by g.created_at), '[]')
      from private.group_messages g where g.creator_id = me.id),
    'push_subscriptions', (select coalesce(jsonb_agg(jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at) order by s.created_at), '[]')
      from private.push_subscriptions s where s.user_id = me.id),
    'statement', (select coalesce(jsonb_agg(to_jsonb(l)), '[]') from private.read_statement(me.id) l)
  )
  from (select private.my_profile_id() as id) me;
$$;
comment on function auth.export_unseen is 'Of a copy of one''s data, what no view or table shows the caller (STAT-03).';
revoke execute on function auth.export_unseen() from public;
grant execute on function auth.export_unseen() to authenticated;

create or replace function public.export_own_data() returns jsonb
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
  return v_export || auth.export_unseen();
end;
$$;
