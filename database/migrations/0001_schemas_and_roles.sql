-- Up Migration
-- The files of the first release are applied in one transaction, and a function may name what a later file creates. A test checks every
-- function body afterwards.
set local check_function_bodies = off;

-- Roles, schemas, extensions, and the rule that nothing is reachable unless a later file grants it (GEN-34, GEN-35).

-- Roles belong to the whole server, so another database on it may have created them already. Passwords are not set here: the embedded
-- server sets the one of `authenticator` at start, and an operator with DATABASE_URL sets it by hand.
do $$
begin
  if to_regrole('anon') is null then create role anon nologin noinherit; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
  if to_regrole('authenticator') is null then create role authenticator login noinherit; end if;
  if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
exception
  when duplicate_object or unique_violation then null; -- two databases migrate at once: the other one created them
  when insufficient_privilege then
    raise exception 'The migrating role may not create the role service_role with bypassrls'
      using hint = 'Create it once as a superuser: create role service_role nologin noinherit bypassrls;';
end
$$;

-- Only missing grants: an owner who isn't a superuser can't grant roles that someone else created.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role'] loop
    if not pg_has_role('authenticator', v_role, 'member') then
      execute format('grant %I to authenticator', v_role);
    end if;
  end loop;
end
$$;

-- Schemas define trust: clients reach `public`; only policies, views, and the gateway reach `private`.
create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
create schema if not exists realtime;
create schema if not exists private;
comment on schema public is 'What clients reach through rest/v1. Row-level security decides every row.';
comment on schema private is 'Tables and functions that clients can''t reach. Policies, views, and the gateway use them.';
comment on schema auth is 'Accounts and sessions, in GoTrue''s names (auth/v1).';
comment on schema storage is 'Buckets and objects, in storage-api''s names (storage/v1).';
comment on schema realtime is 'Channels and their authorization (realtime/v1).';
comment on schema extensions is 'PostgreSQL extensions, kept out of the exposed schema.';

-- Before the default privileges below: the functions behind extension operators stay executable by everyone.
create extension if not exists pgcrypto with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists citext with schema extensions;
create extension if not exists unaccent with schema extensions;
create extension if not exists btree_gist with schema extensions;
revoke create on schema public from public;
grant usage on schema public, extensions, auth, storage, realtime to anon, authenticated, service_role;
grant usage on schema private to service_role;

-- By default, PostgreSQL lets every role execute a new function. Here, a function stays closed until its migration grants it.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public, auth, storage, realtime, private
  grant select, insert, update, delete on tables to service_role;
alter default privileges in schema public, auth, storage, realtime, private
  grant usage, select on sequences to service_role;
alter default privileges in schema public, auth, storage, realtime, private
  grant execute on functions to service_role;

-- Settings of the operator that rules in the database need. The gateway writes them at start.
create table private.settings (
  key        text primary key check (key ~ '^[a-z_]+$'),
  value      text not null,
  updated_at timestamptz not null default now()
);
comment on table private.settings is 'Operator settings that rules in the database read. private.apply_settings writes them at each start. No secrets.';
alter table private.settings enable row level security;
create function private.setting(key text) returns text
language sql stable security definer set search_path = ''
as $$
  select s.value from private.settings s where s.key = setting.key;
$$;
comment on function private.setting is 'One operator setting; null when it is not set.';

-- SQL's trim removes only spaces; users also mean tabs and line breaks.
create function private.trimmed(value text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(regexp_replace(value, '^\s+|\s+$', '', 'g'), '');
$$;
comment on function private.trimmed is 'The text without surrounding white space; null when nothing is left.';

-- For tables with updated_at.
create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;
comment on function private.touch_updated_at is 'Sets updated_at on every update, no matter which role writes the row.';

-- For append-only tables: rows are inserted and never changed.
create function private.reject_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception '%.% is append-only', tg_table_schema, tg_table_name
    using errcode = '42501', hint = 'Correct a record with a new one that reverses it.';
end;
$$;
comment on function private.reject_change is 'Trigger of append-only tables. It rejects changes by service_role as well.';

-- For views that PostgreSQL can't write to by itself: clients get the error of a missing grant, not a server error.
create function private.reject_view_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'permission denied to % %', lower(tg_op), tg_table_name using errcode = '42501', hint = tg_argv[0];
end;
$$;
comment on function private.reject_view_change is 'Trigger of views that reject this change. Its argument is the hint: what to do instead.';

-- The list of applied migrations. The runner creates it before the first one; it is absent when migrations are applied by hand.
do $$
begin
  if to_regclass('private.migrations') is not null then
    comment on table private.migrations is 'The migrations that were applied to this database.';
    alter table private.migrations enable row level security;
  end if;
end
$$;

-- By default, every role can create temporary tables and functions. A caller's own function in a condition would see every row that the
-- condition is tried on, including rows that a view filters out afterwards (GEN-35). The product doesn't need temporary objects.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
