import type { ConstraintRow } from './queries.ts'
import { keyOf, type Name, type Relationship } from './types.ts'

/**
 * How an exposed relation shows a base table: the names of each base column there. A table shows itself; a view
 * shows every base table whose columns it selects.
 */
export type Face = {
  readonly relation: Name
  readonly isView: boolean
  readonly columns: ReadonlyMap<number, readonly string[]>
}

type ManyToOne = Extract<Relationship, { cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' }>

/**
 * Every foreign key, seen from both of its ends and through every exposed relation that shows all of its columns.
 * @param faces by the base table's oid.
 */
export function deriveRelationships(
  constraints: readonly ConstraintRow[],
  faces: ReadonlyMap<string, readonly Face[]>,
  primaryKeys: ReadonlyMap<string, readonly string[]>,
): Map<string, Relationship[]> {
  const unique = new Set(constraints.filter(({ kind }) => kind !== 'f').map(({ oid, columns }) => keySet(oid, columns)))
  const forward: ManyToOne[] = []
  for (const constraint of constraints) {
    if (constraint.kind !== 'f') continue
    const cardinality = unique.has(keySet(constraint.oid, constraint.columns)) ? 'one-to-one' : 'many-to-one'
    for (const source of faces.get(constraint.oid) ?? []) {
      for (const target of faces.get(constraint.targetOid) ?? []) {
        for (const columns of pairColumns(constraint, source, target)) {
          forward.push({
            cardinality,
            constraint: constraint.name,
            source: source.relation,
            target: target.relation,
            targetIsView: target.isView,
            isSelf: isSame(source.relation, target.relation),
            columns,
          })
        }
      }
    }
  }
  const isView = (name: Name) => viewNames.has(keyOf(name.schema, name.name))
  const viewNames = new Set<string>()
  for (const list of faces.values()) {
    for (const face of list) if (face.isView) viewNames.add(keyOf(face.relation.schema, face.relation.name))
  }
  const all: Relationship[] = []
  for (const relationship of forward) all.push(relationship, invert(relationship, isView(relationship.source)))
  all.push(...throughJunctions(forward, primaryKeys, isView))
  return Map.groupBy(all, ({ source }) => keyOf(source.schema, source.name))
}

function keySet(oid: string, columns: readonly number[]): string {
  return `${oid}:${[...columns].sort((a, b) => a - b).join(',')}`
}

const isSame = (a: Name, b: Name) => a.schema === b.schema && a.name === b.name

/** A view may show one key column under several names: each combination is a separate relationship. */
function pairColumns({ columns, targetColumns }: ConstraintRow, source: Face, target: Face): [string, string][][] {
  let combinations: [string, string][][] = [[]]
  columns.forEach((column, index) => {
    const sources = source.columns.get(column) ?? []
    const targets = target.columns.get(targetColumns?.[index] ?? 0) ?? []
    combinations = combinations.flatMap((pairs) =>
      sources.flatMap((from) => targets.map((to): [string, string][] => [...pairs, [from, to]])),
    )
  })
  return combinations
}

function invert(relationship: ManyToOne, sourceIsView: boolean): Relationship {
  return {
    ...relationship,
    cardinality: relationship.cardinality === 'one-to-one' ? 'one-to-one' : 'one-to-many',
    source: relationship.target,
    target: relationship.source,
    targetIsView: sourceIsView,
    columns: relationship.columns.map(([from, to]) => [to, from] as const),
  }
}

/** A relation joins two others when two of its foreign keys are both part of its primary key. */
function throughJunctions(
  forward: readonly ManyToOne[],
  primaryKeys: ReadonlyMap<string, readonly string[]>,
  isView: (name: Name) => boolean,
): Relationship[] {
  const found: Relationship[] = []
  const bySource = Map.groupBy(forward, ({ source }) => keyOf(source.schema, source.name))
  for (const [junctionKey, list] of bySource) {
    const primaryKey = new Set(primaryKeys.get(junctionKey) ?? [])
    const keyed = list.filter(({ columns }) => columns.every(([column]) => primaryKey.has(column)))
    for (const a of keyed) {
      for (const b of keyed) {
        if (a.constraint === b.constraint) continue
        found.push({
          cardinality: 'many-to-many',
          source: a.target,
          target: b.target,
          targetIsView: isView(b.target),
          isSelf: isSame(a.target, b.target),
          junction: {
            ...a.source,
            sourceConstraint: a.constraint,
            targetConstraint: b.constraint,
            sourceColumns: a.columns.map(([from, to]) => [to, from] as const),
            targetColumns: b.columns.map(([from, to]) => [to, from] as const),
          },
        })
      }
    }
  }
  return found
}
