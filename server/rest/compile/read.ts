import type { Range } from '../parse/syntax.ts'
import type { EmbedPlan, ReadPlan } from '../resolve/plan.ts'
import { compileWhere } from './conditions.ts'
import { compileColumn, compileOrder } from './fields.ts'
import { type Parameters, qualified, quote } from './parameters.ts'

/** The name of the rows that a mutation or a function gave. */
export const sourceName = 'pgrst_source'

/** One level as a select; the levels inside it are lateral joins, so that each keeps its own order and limit. */
export function compileRead(plan: ReadPlan, parameters: Parameters, otherwise = ''): string {
  const aggregates = plan.columns.some(({ aggregate }) => aggregate)
  const columns = plan.columns.map((column) => compileColumn(column, parameters))
  const embedded = plan.embeds.flatMap((embed) => compileEmbedColumns(embed, aggregates))
  const list = [...columns.map(({ text }) => text), ...embedded.map(({ text }) => text)].join(', ')
  const joins = plan.embeds.map((embed) => compileJoin(embed, parameters)).join('')
  const where = compileWhere(plan.where, plan.joins, parameters)
  const groups = aggregates ? [...columns, ...embedded].flatMap(({ group }) => group ?? []) : []
  const grouped = groups.length > 0 ? ` group by ${groups.join(', ')}` : ''
  const order = compileOrder(plan.order, parameters)
  return `select ${list || otherwise}${compileFrom(plan)}${joins}${where}${grouped}${order}${compileRange(plan.range)}`
}

/** How many rows the outermost level has without its range. Joins matter only where they drop rows. */
export function compileCount(plan: ReadPlan, parameters: Parameters, limit?: number): string {
  const inner = plan.embeds.filter((embed) => embed.inner)
  const where = compileWhere(
    plan.where,
    plan.joins,
    parameters,
    ({ alias }, exists) => {
      const embed = plan.embeds.find((candidate) => candidate.alias === alias)
      return embed ? `${exists ? '' : 'not '}exists (${compileCount(embed.read, parameters)})` : 'true'
    },
    inner.map(({ read }) => `exists (${compileCount(read, parameters)})`),
  )
  return `select 1${compileFrom(plan)}${where}${limit === undefined ? '' : ` limit ${limit}`}`
}

function compileFrom({ from, alias, junction }: ReadPlan): string {
  const beside = junction ? `, ${qualified(junction)} as ${quote(junction.alias)}` : ''
  switch (from.kind) {
    case 'relation':
      return ` from ${qualified(from.relation)} as ${quote(alias)}${beside}`
    case 'source':
      return ` from ${sourceName} as ${quote(alias)}${beside}`
    case 'computed':
      // The cast chooses among overloads when the row comes from a function or a mutation.
      return ` from ${qualified(from.function)}(${quote(from.row)}::${qualified(from.rowType)}) as ${quote(alias)}`
  }
}

function compileRange({ offset, limit }: Range): string {
  return `${limit === undefined ? '' : ` limit ${limit}`}${offset === 0 ? '' : ` offset ${offset}`}`
}

function compileEmbedColumns({ alias, label, toOne, spread, hidden }: EmbedPlan, aggregates: boolean) {
  if (hidden) return []
  const row = quote(alias)
  if (spread) {
    return spread.map((name) => {
      const column = `${row}.${quote(name)}`
      // json has no equality, so rows with lists in them can't be grouped.
      return { text: toOne ? column : `coalesce(${column}, '[]') as ${quote(name)}`, group: column }
    })
  }
  const toJson = aggregates ? 'to_jsonb' : 'row_to_json'
  const value = toOne ? `${toJson}(${row}.*)` : `coalesce(${row}.${row}, '[]')`
  return [{ text: `${value} as ${quote(label)}`, group: value }]
}

function compileJoin({ read, alias, toOne, inner, spread }: EmbedPlan, parameters: Parameters): string {
  const row = quote(alias)
  // A row without columns would count as null; what is joined for a condition only has one that nobody reads.
  const rows = compileRead(read, parameters, '1')
  const kind = inner ? ' inner' : ' left'
  if (toOne) return `${kind} join lateral (${rows}) as ${row} on true`
  const lists = spread?.map((name) => `, json_agg(${row}.${quote(name)}) as ${quote(name)}`).join('') ?? ''
  const on = inner ? `${row}.${row} is not null` : 'true'
  return `${kind} join lateral (select json_agg(${row}) as ${row}${lists} from (${rows}) as ${row}) as ${row} on ${on}`
}
