import { findNearest } from '../catalog/nearest.ts'
import { type Catalog, keyOf, type Name, type Relationship } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'

/**
 * Finds the relationship for `parent?select=target!hint(…)`. The target is the name of a relation, or of a constraint or column of the
 * parent; the hint is a constraint, a column of either side, or a junction
 * (PostgREST/postgrest `docs/references/api/resource_embedding.rst`).
 * @throws GatewayError PGRST200 (400) for none, PGRST201 (300) for several.
 */
export function findRelationship(
  catalog: Catalog,
  parent: Name,
  target: string,
  hint: string | undefined,
): Relationship {
  const candidates = (catalog.relationships.get(keyOf(parent.schema, parent.name)) ?? []).filter(
    (relationship) => relationship.target.schema === parent.schema || relationship.cardinality === 'computed',
  )
  const found = candidates.filter((relationship) => matches(relationship, target, hint))
  const [first, second] = found
  if (!first) {
    throw restErrors.noRelationship(
      parent.name,
      target,
      hint,
      parent.schema,
      suggest(catalog, parent, target, candidates),
    )
  }
  if (!second) return first
  // Computed relationships exist to override derived ones.
  const computed = found.find(({ cardinality }) => cardinality === 'computed')
  if (computed) return computed
  throw restErrors.ambiguousRelationship(parent.name, target, found.map(describe), found.map(asHint).join(', '))
}

/** At most one row on the other side: it is embedded as an object, not as a list. */
export function isToOne(relationship: Relationship): boolean {
  if (relationship.cardinality === 'computed') return relationship.toOne
  return relationship.cardinality === 'many-to-one' || relationship.cardinality === 'one-to-one'
}

function matches(relationship: Relationship, target: string, hint: string | undefined): boolean {
  if (relationship.cardinality === 'computed') return relationship.function.name === target
  const byName = relationship.target.name === target
  if (relationship.cardinality === 'many-to-many') {
    if (relationship.isSelf && hint === undefined) return false
    return byName && (hint === undefined || relationship.junction.name === hint)
  }
  const { cardinality, constraint, columns, targetIsView, isSelf } = relationship
  const [own, other] = columns.length === 1 ? (columns[0] ?? []) : []
  if (isSelf) {
    // One foreign key has two directions: the table's name means to-many, the column's name to-one.
    if (hint === undefined) {
      return (byName && cardinality === 'one-to-many') || (own === target && cardinality === 'many-to-one')
    }
    return byName && cardinality === 'one-to-many' ? other === hint || constraint === hint : false
  }
  if (hint === undefined) return byName || (!targetIsView && (constraint === target || own === target))
  return byName && (constraint === hint || own === hint || other === hint)
}

/** A known name that leads nowhere with this hint isn't misspelled. */
function suggest(catalog: Catalog, parent: Name, target: string, candidates: readonly Relationship[]) {
  if (candidates.length > 0) {
    const names = new Set(candidates.map((candidate) => candidate.target.name))
    const nearest = names.has(target) ? undefined : findNearest(target, names, 0.33)
    return nearest && `Perhaps you meant '${nearest}' instead of '${target}'.`
  }
  const parents = [...catalog.relationships.values()].flatMap(([first]) =>
    first?.source.schema === parent.schema ? [first.source.name] : [],
  )
  const nearest = findNearest(parent.name, parents, 0.33)
  return nearest && `Perhaps you meant '${nearest}' instead of '${parent.name}'.`
}

function describe(relationship: Relationship) {
  const { source, target, cardinality } = relationship
  const embedding = `${source.name} with ${target.name}`
  if (relationship.cardinality === 'computed')
    return { cardinality, embedding, relationship: relationship.function.name }
  if (relationship.cardinality === 'many-to-many') {
    const { junction } = relationship
    const side = (constraint: string, columns: readonly (readonly [string, string])[]) =>
      `${constraint}(${columns.map(([, column]) => column).join(', ')})`
    return {
      cardinality,
      embedding,
      relationship: `${junction.name} using ${side(junction.sourceConstraint, junction.sourceColumns)} and ${side(junction.targetConstraint, junction.targetColumns)}`,
    }
  }
  const names = (index: 0 | 1) => relationship.columns.map((pair) => pair[index]).join(', ')
  return {
    cardinality,
    embedding,
    relationship: `${relationship.constraint} using ${source.name}(${names(0)}) and ${target.name}(${names(1)})`,
  }
}

function asHint(relationship: Relationship): string {
  const hint =
    relationship.cardinality === 'many-to-many'
      ? relationship.junction.name
      : relationship.cardinality === 'computed'
        ? relationship.function.name
        : relationship.constraint
  return `'${relationship.target.name}!${hint}'`
}
