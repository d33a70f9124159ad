import type { Range } from '../parse/syntax.ts'
import type { ColumnPlan, Condition, EmbedPlan, ReadPlan } from '../resolve/plan.ts'
import { compileWhere } from './conditions.ts'
import { type CompiledColumn, compileColumn, compileOrder } from './fields.ts'
import { type Parameters, qualified, quote } from './parameters.ts'

/** The name of the rows that a mutation or a function returned. */
export const sourceName = 'pgrst_source'

/** One level as a select, and the levels inside it, each with its own order and limit. */
export function compileRead(plan: ReadPlan, parameters: Parameters, otherwise = ''): string {
  const aggregates = plan.columns.some(({ aggregate }) => aggregate)
  const columns = plan.columns.map((column) => compileColumn(column, parameters))
  const joined = new Set(plan.embeds.filter((embed) => aggregates || needsJoin(embed, plan)))
  const subselects = plan.embeds.filter((embed) => !joined.has(embed))
  if (plan.names && plan.range.offset > 0 && subselects.length > 0 && !subselects.some(needsWholeRow)) {
    return compileLaterPage(plan, plan.names, joined, parameters)
  }
  const embedded = plan.embeds.flatMap((embed) =>
    joined.has(embed) ? compileJoinedColumns(embed, aggregates) : compileSubselect(embed, parameters),
  )
  const list = [...columns.map(({ text }) => text), ...embedded.map(({ text }) => text)].join(', ')
  const joins = [...joined].map((embed) => compileJoin(embed, parameters)).join('')
  const where = compileWhere(plan.where, plan.joins, parameters)
  const groups = aggregates ? [...columns, ...embedded].flatMap(({ group }) => group ?? []) : []
  const grouped = groups.length > 0 ? ` group by ${groups.join(', ')}` : ''
  const order = compileOrder(plan.order, parameters)
  return `select ${list || otherwise}${compileFrom(plan)}${joins}${where}${grouped}${order}${compileRange(plan.range)}`
}

/**
 * PostgreSQL builds a whole row before OFFSET skips it, including subselects. So a later page first selects its rows with
 * their key columns, and then embeds only into those rows.
 */
function compileLaterPage(
  plan: ReadPlan,
  names: readonly string[],
  joined: ReadonlySet<EmbedPlan>,
  parameters: Parameters,
): string {
  const keys = new Map<string, string>()
  const onPage = (column: string) => {
    const name = keys.get(column) ?? `__key_${keys.size}`
    keys.set(column, name)
    return name
  }
  const embedded = plan.embeds.flatMap((embed) => {
    if (joined.has(embed)) return embed.hidden ? [] : (embed.spread ?? [embed.label]).map(ofPage)
    const joins = embed.read.joins.map(({ left, right }) =>
      left[0] === plan.alias ? { left: [pageAlias, onPage(left[1])] as const, right } : { left, right },
    )
    return compileSubselect({ ...embed, read: { ...embed.read, joins } }, parameters).map(({ text }) => text)
  })
  const keyColumns = [...keys].map(([column, alias]): ColumnPlan => {
    const field = { row: plan.alias, column, path: [], toJson: false }
    return { field, alias, cast: undefined, aggregate: undefined, aggregateCast: undefined }
  })
  const page = compileRead({ ...plan, columns: [...plan.columns, ...keyColumns], embeds: [...joined] }, parameters, '1')
  return `select ${[...names.map(ofPage), ...embedded].join(', ')} from (${page}) as ${pageAlias}`
}

/** A computed relationship is a function of the parent's row, which has the table's type only if it comes directly from the table. */
const needsWholeRow = ({ read }: EmbedPlan) => read.from.kind === 'computed'

const pageAlias = '__page'
const ofPage = (name: string) => `${pageAlias}.${quote(name)}`

/** The number of rows of the outermost level without its range. Only joins that drop rows matter. */
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
      // The cast selects the overload when the row comes from a function or a mutation.
      return ` from ${qualified(from.function)}(${quote(from.row)}::${qualified(from.rowType)}) as ${quote(alias)}`
  }
}

function compileRange({ offset, limit }: Range): string {
  return `${limit === undefined ? '' : ` limit ${limit}`}${offset === 0 ? '' : ` offset ${offset}`}`
}

/**
 * The level needs a join only when it uses its embeds: to drop rows, to filter or sort by them, or to spread their columns.
 * Everything else is a subselect in the list of columns, which PostgreSQL evaluates after ORDER BY and LIMIT: for
 * the rows that are returned, and not for those that are skipped.
 */
function needsJoin(embed: EmbedPlan, { where, order }: ReadPlan): boolean {
  if (embed.inner || embed.spread) return true
  return (
    order.some(({ field }) => field.row === embed.alias) || where.some((condition) => mentions(condition, embed.alias))
  )
}

function mentions(condition: Condition, alias: string): boolean {
  if (condition.kind === 'group') return condition.members.some((member) => mentions(member, alias))
  return condition.kind === 'embedded' && condition.embed.alias === alias
}

function compileSubselect({ read, alias, label, toOne, hidden }: EmbedPlan, parameters: Parameters): CompiledColumn[] {
  if (hidden) return []
  const row = quote(alias)
  const rows = `from (${compileRead(read, parameters)}) as ${row}`
  // A view may have a row twice. The first one is used, because a subselect of two rows would fail.
  const value = toOne
    ? `(select row_to_json(${row}) ${rows} limit 1)`
    : `coalesce((select json_agg(${row}) ${rows}), '[]')`
  return [{ text: `${value} as ${quote(label)}`, group: undefined }]
}

function compileJoinedColumns(
  { alias, label, toOne, spread, hidden }: EmbedPlan,
  aggregates: boolean,
): CompiledColumn[] {
  if (hidden) return []
  const row = quote(alias)
  if (spread) {
    return spread.map((name) => {
      const column = `${row}.${quote(name)}`
      // json has no equality, so rows with lists can't be grouped.
      return { text: toOne ? column : `coalesce(${column}, '[]') as ${quote(name)}`, group: column }
    })
  }
  const toJson = aggregates ? 'to_jsonb' : 'row_to_json'
  const value = toOne ? `${toJson}(${row}.*)` : `coalesce(${row}.${row}, '[]')`
  return [{ text: `${value} as ${quote(label)}`, group: value }]
}

function compileJoin({ read, alias, toOne, inner, spread }: EmbedPlan, parameters: Parameters): string {
  const row = quote(alias)
  // A row without columns would count as null, so a join for a condition gets an unused column.
  const rows = compileRead(read, parameters, '1')
  const kind = inner ? ' inner' : ' left'
  if (toOne) return `${kind} join lateral (${rows}) as ${row} on true`
  const lists = spread?.map((name) => `, json_agg(${row}.${quote(name)}) as ${quote(name)}`).join('') ?? ''
  const on = inner ? `${row}.${row} is not null` : 'true'
  return `${kind} join lateral (select json_agg(${row}) as ${row}${lists} from (${rows}) as ${row}) as ${row} on ${on}`
}
