import { sql } from '../postgres/sql.ts'
import type { Visibility } from './visibility.ts'

export type Column = { readonly name: string; readonly type: string }

/** A table as one role reaches it. */
export type Relation = {
  readonly schema: string
  readonly table: string
  /** Columns that the role may read, in order. */
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Types of the key's columns, as they stand in SQL. */
  readonly keyTypes: readonly string[]
  /** Columns that show what the table holds, to everybody who sees the row: all of a table's, some of a view's. */
  readonly plainColumns: readonly string[]
  /** Columns of the table the log tells of, readable or not; generated ones are not told. They never leave the server. */
  readonly allColumns: readonly Column[]
  /** Whether rows are hidden from the role, by policies that do not let all of them through or by a view before the table. */
  readonly isGuarded: boolean
}

/** The tables whose changes the log reader hears of (database/migrations). */
export const publication = 'ovation_realtime'

/** What `realtime.send` sends (0230). No table that clients may follow. */
export const broadcasts = 'ovation_broadcasts'

const keptMs = 30_000

/**
 * What the catalogue says of followed tables. Asks on the connections of live updates, as the service: about other roles' rights, and
 * when requests are refused for want of a connection too, or changes would be lost just then.
 */
export class Relations {
  readonly #service: Pick<Visibility, 'rows'>
  readonly #kept = new Map<string, { readonly until: number; readonly relation: Promise<Relation | undefined> }>()

  constructor(service: Pick<Visibility, 'rows'>) {
    this.#service = service
  }

  /** @returns undefined when there is no such table, or it is not followed. Kept for half a minute, for rights may change. */
  find(schema: string, table: string, role: string): Promise<Relation | undefined> {
    const name = JSON.stringify([schema, table, role])
    const kept = this.#kept.get(name)
    if (kept && kept.until > Date.now()) return kept.relation
    const relation = this.#load(schema, table, role)
    this.#kept.set(name, { until: Date.now() + keptMs, relation })
    relation.catch(() => this.#kept.delete(name)) // an answer that failed is asked for again
    return relation
  }

  /** A table changed its shape. */
  forget() {
    this.#kept.clear()
  }

  async hasFollowedTables(schema: string): Promise<boolean> {
    const rows = await this.#service.rows(sql`
      select 1 from pg_publication_tables where pubname = ${publication} and schemaname in (${schema}, ${hiddenSchema(schema)}) limit 1`)
    return rows.length > 0
  }

  /** The table itself, or, where a view of the same name shows a hidden one, the view with the hidden table's key. */
  async #load(schema: string, table: string, role: string): Promise<Relation | undefined> {
    const [relation] = await this.#service.rows<Relation>(sql`
      with followed as (
        select format('%I.%I', p.schemaname, p.tablename)::regclass as oid from pg_publication_tables p
        where p.pubname = ${publication} and p.tablename = ${table} and p.schemaname in (${schema}, ${hiddenSchema(schema)})
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
      ) k
      join pg_class c on c.relname = ${table} and c.relkind in ('r', 'p', 'v')
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = ${schema}
      join pg_roles r on r.rolname = ${role}`)
    return relation
  }
}

/** Tables that clients see through a view lie in `private` (DESIGN §6). */
function hiddenSchema(schema: string): string {
  return schema === 'public' ? 'private' : schema
}

/** The schema in which clients know a table. */
export function exposedSchema(schema: string): string {
  return schema === 'private' ? 'public' : schema
}
