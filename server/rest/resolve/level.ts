import { type Catalog, keyOf, type Name, type Relation, type Relationship } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'
import type {
  Field,
  Filter,
  LogicTree,
  OrderTerm,
  Range,
  SelectColumn,
  SelectEmbed,
  SelectItem,
} from '../parse/syntax.ts'
import { findRelationship } from './find-relationship.ts'
import type { FieldPlan, ReadSource } from './plan.ts'

/** One level while it is being resolved: the tree of `select`, to which filters, orders, and ranges are assigned by their path. */
export type Level = {
  readonly from: ReadSource
  readonly relation: Name
  /** Undefined for rows that don't belong to a relation, e.g. a function's. */
  readonly known: Relation | undefined
  readonly alias: string
  readonly depth: number
  readonly columns: readonly SelectColumn[]
  readonly embeds: readonly EmbeddedLevel[]
  readonly filters: Filter[]
  readonly logic: LogicTree[]
  order: readonly OrderTerm[]
  range: Range
}

export type EmbeddedLevel = {
  readonly level: Level
  readonly syntax: SelectEmbed
  readonly relationship: Relationship
  readonly label: string
  readonly joinAlias: string
  readonly junctionAlias: string
}

export function buildRoot(catalog: Catalog, relation: Name, from: ReadSource, items: readonly SelectItem[]): Level {
  return buildLevel(catalog, relation, from, items, { alias: rowAlias(relation.name, 0, []), depth: 0, taken: [] })
}

type Place = { readonly alias: string; readonly depth: number; readonly taken: readonly string[] }

function buildLevel(
  catalog: Catalog,
  relation: Name,
  from: ReadSource,
  items: readonly SelectItem[],
  { alias, depth, taken }: Place,
): Level {
  const embeds: EmbeddedLevel[] = []
  for (const item of items) {
    if (item.kind === 'embed') embeds.push(buildEmbed(catalog, relation, item, embeds.length, { alias, depth, taken }))
  }
  return {
    from,
    relation,
    known: catalog.relations.get(keyOf(relation.schema, relation.name)),
    alias,
    depth,
    columns: items.filter((item) => item.kind === 'column'),
    embeds,
    filters: [],
    logic: [],
    order: [],
    range: { offset: 0, limit: undefined },
  }
}

function buildEmbed(catalog: Catalog, parent: Name, syntax: SelectEmbed, index: number, place: Place): EmbeddedLevel {
  const relationship = findRelationship(catalog, parent, syntax.name, syntax.hint)
  const { target } = relationship
  const depth = place.depth + 1
  const taken = [...place.taken, place.alias]
  const from: ReadSource =
    relationship.cardinality === 'computed'
      ? { kind: 'computed', function: relationship.function, row: place.alias, rowType: relationship.source }
      : { kind: 'relation', relation: target }
  const alias = rowAlias(target.name, depth, taken)
  return {
    level: buildLevel(catalog, target, from, syntax.items, { alias, depth, taken }),
    syntax,
    relationship,
    label: syntax.alias ?? syntax.name,
    // Two underscores and the position in the tree: no name in the database looks like this.
    joinAlias: `__embed_${depth}_${index}`,
    junctionAlias: `__junction_${depth}_${index}`,
  }
}

/** PostgreSQL truncates names at 63 bytes, which could make two of them equal. */
function rowAlias(name: string, depth: number, taken: readonly string[]): string {
  let alias = /^[\x20-\x7e]{1,50}$/.test(name) ? name : `row of ${depth}`
  if (depth > 0) alias += `_${depth}`
  while (taken.includes(alias)) alias += '_'
  return alias
}

/** The level at the path of a filter. @throws GatewayError PGRST108 (400). */
export function findLevel(root: Level, path: readonly string[]): Level {
  let level = root
  for (const name of path) {
    const next = level.embeds.find(({ syntax }) => syntax.name === name || syntax.alias === name)
    if (!next) throw restErrors.notEmbedded(name)
    level = next.level
  }
  return level
}

export function planField({ known, alias }: Pick<Level, 'known' | 'alias'>, field: Field): FieldPlan {
  const type = known?.columns.get(field.name)?.type
  return { row: alias, column: field.name, path: field.path, toJson: type !== 'json' && type !== 'jsonb' }
}
