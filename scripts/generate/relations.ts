import type pg from 'pg'
import { schemas } from './schemas.ts'

export type Column = {
  readonly name: string
  /** As format_type writes it. */
  readonly type: string
  readonly notNull: boolean
  readonly identity: '' | 'a' | 'd'
  readonly generated: boolean
  readonly default: string | null
  readonly comment: string | null
  readonly grants: readonly Grant[]
}
export type Grant = { readonly role: string; readonly privileges: readonly string[] }
export type Constraint = {
  readonly name: string
  readonly kind: 'c' | 'f' | 'p' | 'u' | 'x'
  readonly definition: string
  readonly columns: readonly string[]
  readonly references: {
    readonly schema: string
    readonly relation: string
    readonly columns: readonly string[]
  } | null
}
export type Relation = {
  readonly oid: number
  readonly schema: string
  readonly name: string
  /** r: table, v: view, c: composite type. */
  readonly kind: 'r' | 'v' | 'c'
  /** As `partition by` writes it. Partitions aren't listed: their months depend on the day. */
  readonly partitionKey: string | null
  readonly comment: string | null
  /** Null where it is the owner of all the rest. */
  readonly owner: string | null
  readonly rowSecurity: boolean
  readonly replicaIdentityFull: boolean
  readonly options: readonly string[]
  readonly viewDefinition: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  readonly indexes: readonly string[]
  readonly triggers: readonly string[]
  readonly policies: readonly Policy[]
  readonly grants: readonly Grant[]
}
export type Policy = {
  readonly name: string
  /** Takes away from what the others allow, where they add to one another. */
  readonly restrictive: boolean
  readonly command: string
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
}

/** Privileges of an acl column by role, the owner's own left out. */
const grantsOf = (acl: string) => `
  (select coalesce(json_agg(json_build_object('role', g.role, 'privileges', g.privileges) order by g.role), '[]')
   from (
     select case a.grantee when 0 then 'public' else a.grantee::regrole::text end as role,
       array_agg(lower(a.privilege_type) order by a.privilege_type) as privileges
     from aclexplode(${acl}) a where a.grantee <> c.relowner group by a.grantee
   ) g)`

const query = `
  select c.oid::int, n.nspname as schema, c.relname as name, case c.relkind when 'p' then 'r' else c.relkind end as kind,
    pg_get_partkeydef(c.oid) as "partitionKey", obj_description(coalesce(t.oid, c.oid), case when t.oid is null then 'pg_class' else 'pg_type' end) as comment,
    case when c.relowner <> n.nspowner then c.relowner::regrole::text end as owner,
    c.relrowsecurity as "rowSecurity", c.relreplident = 'f' as "replicaIdentityFull", coalesce(c.reloptions, '{}') as options,
    case c.relkind when 'v' then pg_get_viewdef(c.oid) end as "viewDefinition",
    ${grantsOf('c.relacl')} as grants,
    (select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull, 'identity', a.attidentity,
        'generated', a.attgenerated <> '', 'default', pg_get_expr(d.adbin, d.adrelid), 'comment', col_description(c.oid, a.attnum),
        'grants', ${grantsOf('a.attacl')}
      ) order by a.attnum), '[]')
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object(
        'name', k.conname, 'kind', k.contype, 'definition', pg_get_constraintdef(k.oid),
        'columns', (select json_agg(a.attname order by o.i) from unnest(k.conkey) with ordinality o (num, i) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.num),
        'references', case k.contype when 'f' then json_build_object(
          'schema', (select fn.nspname from pg_class f join pg_namespace fn on fn.oid = f.relnamespace where f.oid = k.confrelid),
          'relation', (select f.relname from pg_class f where f.oid = k.confrelid),
          'columns', (select json_agg(a.attname order by o.i) from unnest(k.confkey) with ordinality o (num, i) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.num)
        ) end
      ) order by array_position(array['p', 'u', 'f', 'x', 'c'], k.contype::text), k.conname), '[]')
     from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f', 'p', 'u', 'x')) as constraints,
    (select coalesce(json_agg(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') order by i.indexrelid::regclass::text), '[]')
     from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))) as indexes,
    (select coalesce(json_agg(pg_get_triggerdef(g.oid) order by g.tgname), '[]')
     from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as triggers,
    (select coalesce(json_agg(json_build_object(
        'name', p.polname, 'restrictive', not p.polpermissive, 'command', p.polcmd,
        'roles', (select json_agg(case r when 0 then 'public' else r::regrole::text end order by 1) from unnest(p.polroles) r),
        'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)
      ) order by p.polname), '[]')
     from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_type t on c.relkind = 'c' and t.typrelid = c.oid
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'c') and not c.relispartition and c.oid is distinct from to_regclass('private.migrations')
  order by n.nspname, c.relname`

/** Tables, views and composite types of our schemas, each with all that hangs on it, in an order that never changes. */
export async function readRelations(client: pg.Client): Promise<Relation[]> {
  return (await client.query<Relation>(query, [schemas])).rows
}
