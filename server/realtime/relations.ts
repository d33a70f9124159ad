import { sql } from '../postgres/sql.ts'
import type { Relation } from './relation.ts'
import type { Visibility } from './visibility.ts'

/**
 * The publications that the log reader follows: the product's own (database/migrations), and the one that operators add tables to, with the name
 * that Supabase's guides and tools use.
 */
export const publications: readonly string[] = ['ovation_realtime', 'supabase_realtime']

/** `realtime.send` writes to it. Clients can't follow it. */
export const broadcasts = 'ovation_broadcasts'

const keptMs = 30_000
/** For a join, which must see a table that an operator has just added to a publication or removed. */
const freshMs = 1_000
const mostKept = 10_000
type Kept<Value> = { readonly since: number; readonly value: Promise<Value> }

/**
 * Reads followed tables from the catalog. It uses the connections of live updates, as the service: it needs the permissions of other roles,
 * and it must also work when requests are rejected for lack of a connection, or changes would be lost.
 */
export class Relations {
  readonly #service: Pick<Visibility, 'rows'>
  readonly #kept = new Map<string, Kept<Relation | undefined>>()
  readonly #exposed = new Map<string, Kept<boolean>>()

  constructor(service: Pick<Visibility, 'rows'>) {
    this.#service = service
  }

  /** @returns undefined when the table doesn't exist or isn't followed. Cached for half a minute, because permissions may change. */
  find(schema: string, table: string, role: string, maxAgeMs = keptMs): Promise<Relation | undefined> {
    return this.#keep(this.#kept, JSON.stringify([schema, table, role]), maxAgeMs, () =>
      this.#load(schema, table, role),
    )
  }

  /** The same for a join: at most a second old. */
  findForJoin(schema: string, table: string, role: string): Promise<Relation | undefined> {
    return this.find(schema, table, role, freshMs)
  }

  /** Whether clients with this role can use the schema. Nobody follows `private`: its tables are seen through those of `public`. */
  async isExposed(schema: string, role: string): Promise<boolean> {
    if (schema === hidden) return false
    return this.#keep(this.#exposed, JSON.stringify([schema, role]), freshMs, async () => {
      const rows = await this.#service.rows(sql`
        select 1 from pg_namespace n where n.nspname = ${schema} and has_schema_privilege(${role}, n.oid, 'usage')`)
      return rows.length > 0
    })
  }

  #keep<Value>(all: Map<string, Kept<Value>>, name: string, maxAgeMs: number, load: () => Promise<Value>) {
    const kept = all.get(name)
    if (kept && kept.since + maxAgeMs > Date.now()) return kept.value
    // Clients choose these names.
    if (all.size >= mostKept) all.clear()
    const value = load()
    all.set(name, { since: Date.now(), value })
    // A failure isn't cached, and neither is a missing table: it appears as soon as an operator adds or grants it.
    value.then(
      (found) => void (found || all.delete(name)),
      () => all.delete(name),
    )
    return value
  }

  /** A table's columns have changed. */
  forget() {
    this.#kept.clear()
    this.#exposed.clear()
  }

  async hasFollowedTables(schema: string): Promise<boolean> {
    const rows = await this.#service.rows(sql`
      select 1 from pg_publication_tables where pubname = any(${publications}) and schemaname in (${schema}, ${hiddenSchema(schema)}) limit 1`)
    return rows.length > 0
  }

  /** The table itself, or, where a view of the same name shows a hidden table, the view with the hidden table's key. */
  async #load(schema: string, table: string, role: string): Promise<Relation | undefined> {
    const [relation] = await this.#service.rows<Relation>(sql`
      with followed as (
        select format('%I.%I', p.schemaname, p.tablename)::regclass as oid from pg_publication_tables p
        where p.pubname = any(${publications}) and p.tablename = ${table} and p.schemaname in (${schema}, ${hiddenSchema(schema)})
        order by p.schemaname = ${schema} desc limit 1
      ), applying as (
        select p.polpermissive as permissive, pg_get_expr(p.polqual, p.polrelid) = 'true' as allows
        from pg_policy p join followed f on f.oid = p.polrelid
        where p.polcmd in ('r', '*') and (p.polroles = '{0}' or (select oid from pg_roles where rolname = ${role}) = any(p.polroles))
      )
      select n.nspname as schema, c.relname as table,
        case c.relkind when 'v' then true else c.relrowsecurity and not r.rolbypassrls and not r.rolsuper and not (
          exists (select from applying where permissive and allows) and not exists (select from applying where not permissive)
        ) end as "isGuarded",
        coalesce((
          select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
          from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(r.oid, c.oid, a.attnum, 'select')
        ), '[]') as columns,
        (
          select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
          from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = f.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        ) as "allColumns",
        coalesce(k.names, '[]') as key,
        coalesce(k.types, '[]') as "keyTypes",
        case when c.relkind = 'v'
          then coalesce((select to_jsonb(v.plain_columns) from private.followed_views v where v.view_name = ${table} and ${schema} = 'public'), '[]')
          else (select jsonb_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
        end as "plainColumns"
      from followed f
      cross join lateral (
        select jsonb_agg(a.attname order by n.position) as names, jsonb_agg(format_type(a.atttypid, a.atttypmod) order by n.position) as types
        from pg_index i, unnest(i.indkey::int2[]) with ordinality n (attnum, position)
        join pg_attribute a on true
        where i.indrelid = f.oid and i.indisprimary and a.attrelid = f.oid and a.attnum = n.attnum
          -- The column that a table is partitioned by is in each of its keys. It is no part of what identifies a row whose ID PostgreSQL made.
          and not exists (
            select from pg_partitioned_table p join pg_attribute made on made.attrelid = p.partrelid
            where p.partrelid = f.oid and a.attnum = any(p.partattrs::int2[])
              and made.attnum = any(i.indkey::int2[]) and made.attnum <> all(p.partattrs::int2[])
              and (made.attidentity <> '' or made.atthasdef)
          )
      ) k
      join pg_class c on c.relname = ${table} and c.relkind in ('r', 'p', 'v')
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = ${schema}
      join pg_roles r on r.rolname = ${role}`)
    return relation
  }
}

/** Schema of the tables that clients see through a view. */
const hidden = 'private'

function hiddenSchema(schema: string): string {
  return schema === 'public' ? hidden : schema
}

/** The schema that clients use for a table. */
export function exposedSchema(schema: string): string {
  return schema === hidden ? 'public' : schema
}
