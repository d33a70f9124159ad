import type { Relationship } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'
import type { OrderTerm, QuerySyntax, SelectColumn } from '../parse/syntax.ts'
import { planConditions } from './conditions.ts'
import { isToOne } from './find-relationship.ts'
import { type EmbeddedLevel, findLevel, type Level, planField } from './level.ts'
import type { ColumnPlan, EmbedPlan, JoinCondition, OrderPlan, ReadPlan } from './plan.ts'

export type ReadOptions = {
  /** Maximum rows of one level; undefined: a mutation's own rows, which are all returned. */
  readonly maxRows: number | undefined
  readonly aggregates: boolean
}

/** Assigns filters, orders, and ranges to their levels, except a mutation's root filters, which choose the rows to change. */
export function hangConditions(root: Level, query: QuerySyntax, { rootFilters }: { rootFilters: boolean }) {
  for (const { path, part } of query.filters)
    if (rootFilters || path.length > 0) findLevel(root, path).filters.push(part)
  for (const { path, part } of query.logic) if (rootFilters || path.length > 0) findLevel(root, path).logic.push(part)
  for (const { path, part } of query.orders) findLevel(root, path).order = part
  for (const { path, part } of query.ranges) if (path.length > 0) findLevel(root, path).range = part
}

export function planRead(level: Level, options: ReadOptions): ReadPlan {
  requireDistinctEmbeds(level)
  const embeds = level.embeds.map((embed) => planEmbed(level.alias, embed, options))
  return {
    from: level.from,
    alias: level.alias,
    columns: planColumns(level, embeds, options),
    names: uniqueNames(level),
    embeds: embeds.map(({ plan }) => plan),
    where: planConditions(level),
    joins: [],
    junction: undefined,
    order: level.order.map((term) => planOrder(level, term)),
    range: limitRange(level, options.maxRows),
  }
}

/** @throws GatewayError 42712 (400) for two embeds under one name: an object with a key twice loses the first of them in every reader. */
function requireDistinctEmbeds({ embeds }: Level): void {
  const labels = embeds.filter(({ syntax }) => !syntax.spread && syntax.items.length > 0).map(({ label }) => label)
  const repeated = labels.find((label, index) => labels.indexOf(label) !== index)
  if (repeated !== undefined) throw restErrors.repeatedEmbed(repeated)
}

function limitRange({ range }: Level, maxRows: number | undefined) {
  if (maxRows === undefined) return range
  return { offset: range.offset, limit: Math.min(range.limit ?? maxRows, maxRows) }
}

function planColumns(level: Level, embeds: readonly PlannedEmbed[], { aggregates }: ReadOptions): ColumnPlan[] {
  const raised = embeds.flatMap((embed) => embed.raised)
  const aggregated = raised.length > 0 || level.columns.some(({ aggregate }) => aggregate)
  if (aggregated && !aggregates) throw restErrors.aggregates()
  const own = level.columns.flatMap((column) => {
    // Grouped rows can't be grouped by a whole row at once.
    if (aggregated && column.field.name === '*' && !column.aggregate && level.known) {
      return [...level.known.columns.keys()].map((name) => planColumn(level, { ...column, field: { name, path: [] } }))
    }
    return [planColumn(level, column)]
  })
  return [...own, ...raised]
}

function planColumn(level: Level, column: SelectColumn): ColumnPlan {
  const { field, cast, aggregate, aggregateCast } = column
  return { field: planField(level, field), alias: column.alias ?? pathName(column), cast, aggregate, aggregateCast }
}

/** `data->a->>b` becomes b, `data->a->0` becomes a, `data->0` becomes data. */
function pathName({ field, aggregate }: SelectColumn): string | undefined {
  if (field.path.length === 0 || aggregate) return undefined
  return field.path.findLast(({ name }) => name !== undefined)?.name ?? field.name
}

/** `raised`: aggregates of a spread to-one row. Its columns count as the parent's, so they aggregate the parent's rows. */
type PlannedEmbed = { readonly plan: EmbedPlan; readonly raised: readonly ColumnPlan[] }

function planEmbed(parentAlias: string, embed: EmbeddedLevel, options: ReadOptions): PlannedEmbed {
  const { level, syntax, relationship, label, joinAlias, junctionAlias } = embed
  const planned = planRead(level, options)
  if (syntax.spread && !isToOne(relationship) && planned.columns.some(({ aggregate }) => aggregate)) {
    throw restErrors.notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.')
  }
  const { read, raised } = syntax.spread ? raiseAggregates(planned, joinAlias) : { read: planned, raised: [] }
  const junction = relationship.cardinality === 'many-to-many' ? relationship.junction : undefined
  const single = isToOne(relationship) && relationship.cardinality !== 'computed'
  const plan: EmbedPlan = {
    read: {
      ...read,
      // A limit on a to-one row would keep PostgreSQL from joining it directly.
      range: single ? level.range : read.range,
      joins: joinColumns(relationship, parentAlias, level.alias, junctionAlias),
      junction: junction && { schema: junction.schema, name: junction.name, alias: junctionAlias },
    },
    label,
    alias: joinAlias,
    toOne: isToOne(relationship),
    inner: syntax.join === 'inner',
    spread: syntax.spread ? outputNames(level) : undefined,
    hidden: syntax.items.length === 0,
  }
  return { plan, raised }
}

/** A spread row passes the columns of its aggregates on, under unique names; the parent aggregates them. */
function raiseAggregates(read: ReadPlan, joinAlias: string): { read: ReadPlan; raised: ColumnPlan[] } {
  const raised: ColumnPlan[] = []
  const columns = read.columns.flatMap((column): ColumnPlan[] => {
    if (!column.aggregate) return [column]
    const isWhole = column.field.column === '*'
    const name = isWhole ? '*' : `__raised_${raised.length}`
    raised.push({
      ...column,
      field: { row: joinAlias, column: name, path: [], toJson: false },
      alias: column.alias ?? column.aggregate,
      cast: undefined,
    })
    return isWhole ? [] : [{ ...column, alias: name, aggregate: undefined, aggregateCast: undefined }]
  })
  return { read: { ...read, columns }, raised }
}

function joinColumns(relationship: Relationship, parent: string, child: string, junction: string): JoinCondition[] {
  switch (relationship.cardinality) {
    case 'computed':
      return []
    case 'many-to-many':
      return [
        ...relationship.junction.targetColumns.map(
          ([target, middle]): JoinCondition => ({ left: [child, target], right: [junction, middle] }),
        ),
        ...relationship.junction.sourceColumns.map(
          ([source, middle]): JoinCondition => ({ left: [parent, source], right: [junction, middle] }),
        ),
      ]
    default:
      return relationship.columns.map(([own, other]) => ({ left: [parent, own], right: [child, other] }))
  }
}

function planOrder(level: Level, { relation, field, direction, nulls }: OrderTerm): OrderPlan {
  if (relation === undefined) return { field: planField(level, field), direction, nulls }
  const embed = level.embeds.find(({ label }) => label === relation)
  if (!embed) throw restErrors.notEmbedded(relation)
  if (!isToOne(embed.relationship)) throw restErrors.relatedOrder(level.relation.name, relation)
  const known = knownNames(embed.level)
  if (known && !known.includes(field.name)) throw restErrors.orderBySelected(relation, field.name)
  return { field: { row: embed.joinAlias, column: field.name, path: field.path, toJson: true }, direction, nulls }
}

/** The names of a level's own columns, as far as they are known. */
function columnNames(level: Level): string[] {
  return level.columns.flatMap((column) => {
    if (column.aggregate) return []
    if (column.field.name === '*') return [...(level.known?.columns.keys() ?? [])]
    return [column.alias ?? pathName(column) ?? column.field.name]
  })
}

function uniqueNames(level: Level): string[] | undefined {
  const all = knownNames(level)
  return all && new Set(all).size === all.length ? columnNames(level) : undefined
}

/** @returns undefined when `*` stands for columns that the catalog doesn't know. */
function knownNames(level: Level): string[] | undefined {
  if (!level.known && level.columns.some(({ field }) => field.name === '*')) return undefined
  return outputNames(level)
}

/** The column names of a level's result, which a spread adds to its parent's. */
function outputNames(level: Level): string[] {
  const nested = level.embeds.flatMap(({ syntax, label, level: inner }) => {
    if (syntax.items.length === 0) return []
    return syntax.spread ? outputNames(inner) : [label]
  })
  return [...columnNames(level), ...nested]
}
