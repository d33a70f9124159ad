import type pg from 'pg'
import { schemas } from './schemas.ts'

const roles = `
  select format('create role %I %s %s%s;', r.rolname, case when r.rolcanlogin then 'login' else 'nologin' end,
      case when r.rolinherit then 'inherit' else 'noinherit' end, case when r.rolbypassrls then ' bypassrls' else '' end)
    || coalesce((select format(E'\\ngrant %s to %I;', string_agg(g.rolname, ', ' order by g.rolname), r.rolname)
      from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid having count(*) > 0), '') as line
  from pg_roles r where r.rolname in ('anon', 'authenticated', 'authenticator', 'service_role', 'view_owner') order by r.rolname`

const namespaces = `
  select format('create schema if not exists %I;', n.nspname)
    || coalesce(format(E'\\ncomment on schema %I is %L;', n.nspname, obj_description(n.oid, 'pg_namespace')), '')
    || coalesce((select string_agg(format(E'\\ngrant %s on schema %I to %s;', lower(a.privilege_type), n.nspname,
        case a.grantee when 0 then 'public' else a.grantee::regrole::text end), '' order by a.privilege_type, a.grantee::regrole::text)
      from aclexplode(n.nspacl) a where a.grantee <> n.nspowner), '') as line
  from pg_namespace n where n.nspname = any($1) or n.nspname = 'extensions' order by n.nspname`

const extensions = `
  select format('create extension %I with schema %I;', e.extname, n.nspname) as line
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname <> 'plpgsql' order by e.extname`

const defaultPrivileges = `
  select format('-- new %s%s: %s to %s', case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else d.defaclobjtype::text end,
      coalesce(' in schema ' || nullif(d.defaclnamespace, 0)::regnamespace, ''),
      string_agg(lower(a.privilege_type), ', ' order by a.privilege_type),
      case a.grantee when 0 then 'public' when d.defaclrole then 'their owner' else a.grantee::regrole::text end) as line
  from pg_default_acl d cross join aclexplode(d.defaclacl) a
  group by d.defaclobjtype, d.defaclnamespace, d.defaclrole, a.grantee order by 1`

const publications = `
  select format('create publication %I for table %s%s;', p.pubname,
      (select string_agg(format('%I.%I', t.schemaname, t.tablename), ', ' order by t.schemaname, t.tablename) from pg_publication_tables t where t.pubname = p.pubname),
      case when not p.pubupdate and not p.pubdelete then $$ with (publish = 'insert')$$
        when p.pubviaroot then ' with (publish_via_partition_root = true)' end) as line
  from pg_publication p order by p.pubname`

const buckets = `
  select format('insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values (%L, %L, %s, %s, %L);',
      b.id, b.name, b.public::text, coalesce(b.file_size_limit::text, 'null'), b.allowed_mime_types) as line
  from storage.buckets b order by b.id`

/** What is no relation or function, each under the name of its file. */
export async function readGlobals(client: pg.Client): Promise<Map<string, string>> {
  const sections = new Map<string, string>()
  for (const [name, text, values] of [
    ['roles', roles, []],
    ['schemas', namespaces, [schemas]],
    ['extensions', extensions, []],
    ['default-privileges', defaultPrivileges, []],
    ['publications', publications, []],
    ['storage/buckets', buckets, []],
  ] as const) {
    const { rows } = await client.query<{ line: string }>(text, [...values])
    sections.set(name, rows.map(({ line }) => line).join('\n'))
  }
  return sections
}
