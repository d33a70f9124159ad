import type { Constraint, Relation } from './relations.ts'
import type { Origin } from './view-columns.ts'

type Exposure = { readonly relation: Relation; readonly column: (base: string) => string | undefined }

/**
 * The relationships that supabase-js may embed by, as rest/v1 derives them: foreign keys of a table, and those of a view's base
 * tables as far as the view shows their columns, each to every exposed relation that shows the columns it points at.
 */
export function readRelationships(
  exposed: readonly Relation[],
  origins: ReadonlyMap<Relation, ReadonlyMap<string, Origin>>,
) {
  const bases = (relation: Relation) =>
    relation.kind === 'r'
      ? [relation]
      : [...new Set([...(origins.get(relation)?.values() ?? [])].map((origin) => origin.relation))]

  /** How a relation shows the columns of a base table: a table shows its own, a view those it passes on plainly. */
  const exposure = (relation: Relation, base: Relation): Exposure => ({
    relation,
    column: (name) =>
      relation === base
        ? name
        : [...(origins.get(relation) ?? [])].find(
            ([, origin]) => origin.relation === base && origin.column.name === name,
          )?.[0],
  })

  const targets = ({ references }: Constraint): Exposure[] =>
    exposed
      .flatMap((relation) => bases(relation).map((base) => ({ base, shown: exposure(relation, base) })))
      .filter(({ base }) => base.schema === references?.schema && base.name === references.relation)
      .map(({ shown }) => shown)

  return (relation: Relation): string[] =>
    bases(relation).flatMap((base) =>
      base.constraints
        .filter(({ kind }) => kind === 'f')
        .flatMap((key) => targets(key).map((target) => describe(key, base, exposure(relation, base), target)))
        .filter((line) => line !== undefined),
    )
}

function describe(key: Constraint, base: Relation, source: Exposure, target: Exposure): string | undefined {
  const columns = key.columns.map(source.column)
  const referenced = (key.references?.columns ?? []).map(target.column)
  if (![...columns, ...referenced].every((name) => name !== undefined)) return undefined
  const isOneToOne = base.constraints.some(
    ({ kind, columns: unique }) =>
      (kind === 'p' || kind === 'u') && unique.toSorted().join() === key.columns.toSorted().join(),
  )
  const list = (names: readonly (string | undefined)[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  return `{ foreignKeyName: '${key.name}'; columns: ${list(columns)}; isOneToOne: ${isOneToOne}; referencedRelation: '${target.relation.name}'; referencedColumns: ${list(referenced)} },`
}
