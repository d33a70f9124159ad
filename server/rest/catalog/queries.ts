/**
 * The queries behind the catalog. They run as the owner with an empty search path, so that every type name includes its schema.
 * They read the relations of all schemas, because exposed views depend on them; `load.ts` keeps the exposed ones.
 */
export const relationsQuery = `
  select c.oid::int8::text as oid, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView",
    c.relkind in ('r', 'p') or pg_relation_is_updatable(c.oid, true) & 8 = 8 as insertable,
    c.relkind in ('r', 'p') or pg_relation_is_updatable(c.oid, true) & 4 = 4 as updatable,
    c.relkind in ('r', 'p') or pg_relation_is_updatable(c.oid, true) & 16 = 16 as deletable,
    obj_description(c.oid, 'pg_class') as description,
    (select r.ev_action::text from pg_rewrite r where r.ev_class = c.oid and r.ev_type = '1') as rule
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition and c.relpersistence <> 't'
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`

export const columnsQuery = `
  select a.attrelid::int8::text as oid, a.attnum as number, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
    case
      when a.attgenerated <> '' or a.attidentity = 'a' then null
      when a.attidentity = 'd' then
        format('nextval(%L::regclass)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
      when d.adbin is not null then pg_get_expr(d.adbin, d.adrelid)
      else t.typdefault
    end as "default",
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid) as enumeration,
    col_description(a.attrelid, a.attnum) as description
  from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped
    and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition and c.relpersistence <> 't'
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  order by a.attrelid, a.attnum`

export const constraintsQuery = `
  select conname as name, contype as kind, conrelid::int8::text as oid, confrelid::int8::text as "targetOid",
    conkey::int[] as columns, confkey::int[] as "targetColumns"
  from pg_constraint
  where contype in ('p', 'u', 'f') and conrelid <> 0 and conparentid = 0
  order by conname`

/** `alter role … set statement_timeout`, for this database or all: PostgreSQL applies it at login only, not on `set role`. */
export const roleTimeoutsQuery = `
  select r.rolname as role, split_part(setting, '=', 2) as timeout
  from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole
  cross join unnest(s.setconfig) as setting
  where setting like 'statement\\_timeout=%' and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by s.setdatabase`

export const geoJsonQuery = `
  select n.nspname as schema, p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.proname = 'st_asgeojson' and p.proargtypes[0] = 'record'::regtype limit 1`

export const routinesQuery = `
  select n.nspname as schema, p.proname as name, obj_description(p.oid, 'pg_proc') as description,
    p.provolatile as volatility, p.proretset as "setOf", p.prorows = 1 as "oneRow",
    coalesce((
      select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[i], ''), 'type', format_type(type, null),
        'typeOid', type::int8::text, 'mode', coalesce(p.proargmodes[i], 'i')) order by i)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as _(type, i)
      where coalesce(p.proargmodes[i], 'i') in ('i', 'b', 'v')
    ), '[]') as parameters,
    (select array_agg(p.proargnames[i]::text) from unnest(p.proargmodes::text[]) with ordinality as _(mode, i)
      where mode in ('o', 'b', 't')) as "resultColumns",
    p.pronargdefaults as defaults,
    p.prorettype = 'void'::regtype as "isVoid",
    t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false) as "isComposite",
    format_type(p.prorettype, null) as "returnType",
    case when t.typtype = 'c' then t.typrelid::int8::text end as "returnOid"
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    join pg_type r on r.oid = p.prorettype
    join pg_type t on t.oid = case when r.typtype = 'd' then r.typbasetype else r.oid end
  where p.prokind = 'f' and n.nspname = any ($1::text[])
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by n.nspname, p.proname, p.oid`

export type RelationRow = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly isView: boolean
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  readonly description: string | null
  /** Of a view: its query, as PostgreSQL stores it. */
  readonly rule: string | null
}

export type ColumnRow = {
  readonly oid: string
  readonly number: number
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
  readonly enumeration: string[] | null
  readonly description: string | null
}

export type ConstraintRow = {
  readonly name: string
  readonly kind: 'p' | 'u' | 'f'
  readonly oid: string
  readonly targetOid: string
  readonly columns: number[]
  readonly targetColumns: number[] | null
}

export type RoutineRow = {
  readonly schema: string
  readonly name: string
  readonly description: string | null
  readonly volatility: 'v' | 's' | 'i'
  readonly setOf: boolean
  readonly oneRow: boolean
  readonly parameters: { name: string; type: string; typeOid: string; mode: 'i' | 'b' | 'v' }[]
  readonly resultColumns: string[] | null
  readonly defaults: number
  readonly isVoid: boolean
  readonly isComposite: boolean
  readonly returnType: string
  readonly returnOid: string | null
}
