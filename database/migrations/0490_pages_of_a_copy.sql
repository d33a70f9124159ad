-- Up Migration
-- A copy of one's data, and a creator's statement, are read page by page: as one value they took as much memory as there is of them, and no
-- answer at all above what a value may hold. Cursors are opened here and fetched by the server, in one transaction.
-- Contract: export_own_data, auth.export_unseen and private.read_statement, which the functions below and the view replace.

create view private.statement_lines with (security_invoker = true) as
  select e.account_id, e.seq, a.code as account, to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
    t.type, t.cause, t.currency, e.amount_cents, (-sum(e.amount_cents) over (partition by e.account_id order by e.seq))::bigint as balance_cents,
    encode(e.previous_hash, 'hex') as previous_hash, encode(e.hash, 'hex') as hash
  from private.ledger_entries e
  join private.ledger_accounts a on a.id = e.account_id
  join private.ledger_transactions t on t.id = e.transaction_id;
comment on view private.statement_lines is
  'Entries of the ledger''s accounts, with what private.ledger_entry_text needs to recompute each hash. amount_cents: negative is a credit, which is what a creator earns. balance_cents: what was owed to them after it.';
grant select on private.statement_lines to service_role; -- and to nobody else: a statement is opened by a signed link

drop function auth.export_unseen();
drop function private.read_statement(uuid);
drop type private.statement_line;

-- security definer: these tables are read through functions, which have forms of their own for screens.
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
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'statement'];
end;
$$;
comment on function auth.open_unseen_data is
  'Of a copy of one''s data, what no view or table shows the caller (STAT-03): opens the cursor own_unseen_data, as public.open_own_data does its own, and names its sections in order.';
revoke execute on function auth.open_unseen_data() from public;
grant execute on function auth.open_unseen_data() to authenticated;

drop function public.export_own_data();
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
    -- A table of schema private is read through the view of its name, where there is one.
    join pg_catalog.pg_class seen on seen.relname = c.relname and seen.relnamespace = 'public'::regnamespace and seen.relkind in ('r', 'v', 'p')
    join pg_catalog.pg_attribute seen_column on seen_column.attrelid = seen.oid and seen_column.attname = a.attname
    where k.contype = 'f' and c.relname <> 'profiles'
      and k.confrelid in ('auth.users'::regclass, (select p.oid from pg_catalog.pg_class p join pg_catalog.pg_namespace s on s.oid = p.relnamespace
        where s.nspname = 'private' and p.relname = 'profiles'))
      and has_table_privilege(seen.oid, 'select')
    group by seen.oid, c.relname
  ) s;
  -- One after another: a cursor's plan is never a parallel one.
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
  'A copy of all that the caller may read about themselves, table by table (STAT-03), with their own rights: what is locked or hidden for them stays so. Opens the cursors own_data and own_unseen_data, of (section, item as JSON), and returns what there is one of, and the sections in their order.';
revoke execute on function public.open_own_data() from public, anon;
grant execute on function public.open_own_data() to authenticated;
comment on function auth.export_account is 'The caller''s account and sign-ins, for open_own_data. No secret is in it.';
