import { Client } from '../../postgres/client.ts'
import {
  type ColumnRow,
  type ConstraintRow,
  columnsQuery,
  constraintsQuery,
  geoJsonQuery,
  type RelationRow,
  type RoutineRow,
  relationsQuery,
  roleTimeoutsQuery,
  routinesQuery,
} from './queries.ts'
import { deriveRelationships, type Face } from './relationships.ts'
import { buildComputedRelationships, buildRoutines } from './routines.ts'
import { type Catalog, type Column, keyOf, type Name, type Relation } from './types.ts'
import { type Origin, readViewColumns } from './view-columns.ts'

/** Reads the catalog as the owner. PostgreSQL decides what a role may use of it when a request runs. */
export async function loadCatalog(ownerUrl: string, schemas: readonly string[]): Promise<Catalog> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'ovation' })
  await client.connect()
  try {
    await client.query("begin isolation level repeatable read read only; set local search_path = ''")
    const relations = await client.query<RelationRow>(relationsQuery)
    const columns = await client.query<ColumnRow>(columnsQuery)
    const constraints = await client.query<ConstraintRow>(constraintsQuery)
    const routines = await client.query<RoutineRow>(routinesQuery, [schemas])
    const geoJson = await client.query<Name>(geoJsonQuery)
    const timeouts = await client.query<{ role: string; timeout: string }>(roleTimeoutsQuery)
    await client.query('commit')
    return {
      ...buildCatalog(schemas, relations.rows, columns.rows, constraints.rows, routines.rows),
      geoJson: geoJson.rows[0],
      roleTimeouts: new Map(timeouts.rows.map(({ role, timeout }) => [role, timeout])),
    }
  } finally {
    await client.end()
  }
}

/** Combines the rows into relations and functions. Pure. */
export function buildCatalog(
  schemas: readonly string[],
  relationRows: readonly RelationRow[],
  columnRows: readonly ColumnRow[],
  constraintRows: readonly ConstraintRow[],
  routineRows: readonly RoutineRow[],
): Catalog {
  const columnsByOid = Map.groupBy(columnRows, ({ oid }) => oid)
  const origins = new OriginFinder(relationRows)
  const columnOf = new Map(columnRows.map((column) => [`${column.oid}.${column.number}`, column]))
  const keyOfBase = new Map<string, readonly number[]>()
  for (const { kind, oid, columns } of constraintRows) if (kind === 'p') keyOfBase.set(oid, columns)

  const relations = new Map<string, Relation>()
  const faces = new Map<string, Face[]>()
  for (const row of relationRows) {
    if (!schemas.includes(row.schema)) continue
    const name = { schema: row.schema, name: row.name }
    const columns = new Map<string, Column>()
    const shown = new Map<string, Map<number, string[]>>()
    for (const column of columnsByOid.get(row.oid) ?? []) {
      const origin = origins.find(row.oid, column.number)
      const base = columnOf.get(`${origin?.oid}.${origin?.number}`)
      columns.set(column.name, { ...column, default: column.default ?? base?.default ?? null })
      if (!origin) continue
      const names = shown.get(origin.oid) ?? new Map<number, string[]>()
      names.set(origin.number, [...(names.get(origin.number) ?? []), column.name])
      shown.set(origin.oid, names)
    }
    for (const [oid, names] of shown) {
      faces.set(oid, [...(faces.get(oid) ?? []), { relation: name, isView: row.isView, columns: names }])
    }
    relations.set(keyOf(row.schema, row.name), {
      ...name,
      kind: row.isView ? 'view' : 'table',
      columns,
      primaryKey: findPrimaryKey(shown, keyOfBase),
      insertable: row.insertable,
      updatable: row.updatable,
      deletable: row.deletable,
      description: row.description,
    })
  }

  const primaryKeys = new Map([...relations].map(([key, { primaryKey }]) => [key, primaryKey]))
  const relationships = deriveRelationships(constraintRows, faces, primaryKeys)
  const nameOfOid = new Map(
    relationRows
      .filter(({ schema }) => schemas.includes(schema))
      .map(({ oid, schema, name }) => [oid, { schema, name }] as const),
  )
  for (const [key, computed] of buildComputedRelationships(routineRows, nameOfOid)) {
    relationships.set(key, [...(relationships.get(key) ?? []), ...computed])
  }
  const routines = buildRoutines(routineRows, nameOfOid)
  return { schemas, relations, relationships, routines, geoJson: undefined, roleTimeouts: new Map() }
}

/** The key of the one base table whose whole key is shown; with several such tables a view has no key. */
function findPrimaryKey(
  shown: ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>,
  keyOfBase: ReadonlyMap<string, readonly number[]>,
): string[] {
  const keys: string[][] = []
  for (const [oid, names] of shown) {
    const key = keyOfBase.get(oid)?.map((number) => names.get(number)?.[0])
    if (key?.every((name): name is string => name !== undefined) && key.length > 0) keys.push(key)
  }
  return keys.length === 1 ? (keys[0] ?? []) : []
}

/** Follows a view's column through nested views to a table. */
class OriginFinder {
  readonly #rules: ReadonlyMap<string, string | null>
  readonly #read = new Map<string, Map<number, Origin>>()

  constructor(relations: readonly RelationRow[]) {
    this.#rules = new Map(relations.map(({ oid, rule }) => [oid, rule]))
  }

  find(oid: string, number: number): Origin | undefined {
    const rule = this.#rules.get(oid)
    if (rule === undefined) return undefined // a relation of PostgreSQL itself
    if (rule === null) return { oid, number }
    const origins = this.#read.get(oid) ?? readViewColumns(rule)
    this.#read.set(oid, origins)
    const origin = origins.get(number)
    return origin && this.find(origin.oid, origin.number)
  }
}
