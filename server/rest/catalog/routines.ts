import type { RoutineRow } from './queries.ts'
import { keyOf, type Name, type Relationship, type Routine } from './types.ts'

const volatility = { v: 'volatile', s: 'stable', i: 'immutable' } as const

/** Types of a function's only unnamed parameter that a request body can fill. */
const bodyTypes: ReadonlySet<string> = new Set(['bytea', 'json', 'jsonb', 'text', 'xml'])

/**
 * Whether a function can be called over HTTP. Arguments are passed by name, so at most one parameter may be unnamed, and the first
 * must then have a type that a body can have. Contract: PostgREST/postgrest `src/library/PostgREST/SchemaCache.hs`.
 */
function isCallable({ parameters }: RoutineRow): boolean {
  const unnamed = parameters.filter(({ name }) => name === '').length
  return unnamed === 0 || (unnamed === 1 && bodyTypes.has(parameters[0]?.type ?? ''))
}

/** @param nameOfOid exposed relations by oid. */
export function buildRoutines(rows: readonly RoutineRow[], nameOfOid: ReadonlyMap<string, Name>) {
  const routines = rows.filter(isCallable).map((row): Routine => {
    const firstDefault = row.parameters.length - row.defaults
    return {
      schema: row.schema,
      name: row.name,
      description: row.description,
      volatility: volatility[row.volatility],
      parameters: row.parameters.map(({ name, type, mode }, index) => ({
        name,
        type,
        required: index < firstDefault,
        variadic: mode === 'v',
      })),
      returns: {
        kind: row.isVoid ? 'void' : row.isComposite ? 'composite' : 'scalar',
        setOf: row.setOf,
        type: row.returnType,
        relation: row.returnOid === null ? undefined : nameOfOid.get(row.returnOid),
        columns: row.resultColumns ?? [],
      },
    }
  })
  return Map.groupBy(routines, ({ schema, name }) => keyOf(schema, name))
}

/** A function with one row parameter that returns rows of a relation is a computed relationship. */
export function buildComputedRelationships(rows: readonly RoutineRow[], nameOfOid: ReadonlyMap<string, Name>) {
  const found: Relationship[] = []
  const nameOfType = new Map([...nameOfOid.values()].map((name) => [typeName(name), name]))
  for (const row of rows) {
    const source = row.parameters.length === 1 ? nameOfType.get(row.parameters[0]?.type ?? '') : undefined
    const target = row.returnOid === null ? undefined : nameOfOid.get(row.returnOid)
    if (!source || !target) continue
    found.push({
      cardinality: 'computed',
      source,
      target,
      targetIsView: false,
      isSelf: source.schema === target.schema && source.name === target.name,
      function: { schema: row.schema, name: row.name },
      toOne: !row.setOf || row.oneRow,
    })
  }
  return Map.groupBy(found, ({ source }) => keyOf(source.schema, source.name))
}

/** How `format_type` writes a relation's row type while the search path is empty. */
function typeName({ schema, name }: Name): string {
  return `${quoteIfNeeded(schema)}.${quoteIfNeeded(name)}`
}

function quoteIfNeeded(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
