import { GatewayError } from '../../http/errors.ts'
import { buildTextCache } from '../../text-cache.ts'
import { restErrors } from '../errors.ts'
import { Cursor } from './cursor.ts'
import { parseFilterValue, parseLogic } from './filter.ts'
import { readJsonPath, readName, readNames } from './names.ts'
import { parseOrder, readPath } from './order.ts'
import { parseSelect } from './select.ts'
import type { AtPath, Field, LogicTree, OrderTerm, PlacedFilter, QuerySyntax, Range, SelectItem } from './syntax.ts'
import type { Values } from './values.ts'

export type QueryParameter = readonly [name: string, value: string]

/** `arguments`: a parameter without an operator is an argument of the function (GET on `rpc/`), not an error. */
export type QueryMode = 'filters' | 'arguments'

export type ParsedQuery = {
  readonly syntax: QuerySyntax
  /** Equal for queries that differ only in values. */
  readonly shape: string
}

// `select` and `order` are constants in a client's code.
const selects = buildTextCache<SelectItem[]>({ maxEntries: 1_000, maxLength: 1_024 })
const orders = buildTextCache<OrderTerm[]>({ maxEntries: 1_000, maxLength: 1_024 })

const reserved = new Set(['select', 'columns', 'on_conflict'])

/** @throws GatewayError PGRST100 (400), PGRST103 (416) for a negative limit; never anything else. */
export function parseQuery(parameters: readonly QueryParameter[], values: Values, mode: QueryMode): ParsedQuery {
  const filters: PlacedFilter[] = []
  const logic: AtPath<LogicTree>[] = []
  const orderings: AtPath<OrderTerm[]>[] = []
  const ranges = new RangeCollector()
  const args: { name: string; value: number }[] = []
  const shape: string[] = []
  const first = (name: string) => parameters.find(([candidate]) => candidate === name)?.[1]

  for (const [name, value] of parameters) {
    if (reserved.has(name)) continue
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (last === 'order') {
      if (value === '') continue
      orderings.push({ path: parentPath(name), part: parseCachedOrder(value, values) })
      shape.push(name, value)
    } else if (last === 'limit' || last === 'offset') {
      ranges.add(parentPath(name), last, value)
      shape.push(name, value)
    } else if (last === 'and' || last === 'or') {
      const { path, negated } = logicPath(name)
      const cursor = new Cursor('logic tree', `${negated ? 'not.' : ''}${last}${value}`, value)
      logic.push({ path, part: parseLogic(cursor, values) })
      shape.push(name, cursor.shape())
    } else {
      const { filter, argument, shape: described } = readCondition(name, value, values, mode)
      if (filter) filters.push(filter)
      if (argument) args.push(argument)
      shape.push(name, described)
    }
  }

  const select = first('select')
  const columns = first('columns')
  const onConflict = first('on_conflict')
  // An absent text differs from the text `undefined`.
  for (const text of [select, columns, onConflict]) shape.push(text === undefined ? '' : `=${text}`)
  return {
    syntax: {
      select: parseCachedSelect(select || '*', values),
      filters,
      logic,
      orders: orderings,
      ranges: ranges.list(),
      columns: columns === undefined ? undefined : readNames(new Cursor('columns parameter', columns)),
      onConflict: onConflict === undefined ? undefined : readNames(new Cursor('on_conflict parameter', onConflict)),
      args,
    },
    shape: shape.join('\u0000'),
  }
}

function parseCachedSelect(text: string, values: Values): SelectItem[] {
  const cached = selects.get(text)
  if (cached) return cached
  const before = values.size
  const select = parseSelect(new Cursor('select parameter', text), values)
  // The position of a value differs from request to request.
  if (values.size === before) selects.set(text, select)
  return select
}

function parseCachedOrder(text: string, values: Values): OrderTerm[] {
  const cached = orders.get(text)
  if (cached) return cached
  const before = values.size
  const order = parseOrder(new Cursor('order', text), values)
  if (values.size === before) orders.set(text, order)
  return order
}

/** A filter or, where a function is called by GET, an argument: the operator decides. */
function readCondition(name: string, value: string, values: Values, mode: QueryMode) {
  const cursor = new Cursor('filter', value)
  const mayBeArgument = mode === 'arguments' && !name.includes('.')
  const condition = mayBeArgument ? attemptFilter(cursor, values) : parseFilterValue(cursor, values)
  if (condition) {
    const { path, field } = filterPath(name, values)
    const part = { field, ...condition }
    const filter = mayBeArgument ? { path, part, argument: values.add(value) } : { path, part }
    return { filter, shape: cursor.shape() }
  }
  if (mayBeArgument) return { argument: { name: requireArgumentName(name), value: values.add(value) }, shape: '\u0002' }
  cursor.position = 0
  throw cursor.fail('"not" or operator (eq, gt, ...)')
}

/** `is.land` begins like a filter but is a search text. */
function attemptFilter(cursor: Cursor, values: Values) {
  try {
    return parseFilterValue(cursor, values)
  } catch {
    return undefined
  }
}

function parentPath(name: string): string[] {
  if (plainName.test(name)) return []
  return readPath(new Cursor('tree path', name)).slice(0, -1)
}

function filterPath(name: string, values: Values): { path: string[]; field: Field } {
  if (plainName.test(name)) return { path: [], field: { name, path: [] } }
  const cursor = new Cursor('tree path', name)
  const names = [readName(cursor)]
  while (cursor.take('.')) names.push(readName(cursor))
  const path = readJsonPath(cursor, values)
  cursor.expectEnd()
  return { path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } }
}

const plainName = /^\w+$/

/** `a.b.not.or`: the level a.b, and whether the whole is negated. */
function logicPath(name: string): { path: string[]; negated: boolean } {
  if (plainName.test(name)) return { path: [], negated: false }
  const path = readPath(new Cursor('logic path', name)).slice(0, -1)
  return { path: path.filter((step) => step !== 'not'), negated: path.includes('not') }
}

function requireArgumentName(name: string): string {
  if (name === '' || name.includes('\u0000')) {
    throw restErrors.parse(`"failed to parse tree path (${name})" (line 1, column 1)`, 'unexpected end of input')
  }
  return name
}

/** `limit` and `offset` of a level come as two parameters. */
class RangeCollector {
  readonly #ranges = new Map<string, { path: string[]; offset: number; limit: number | undefined }>()

  add(path: string[], what: 'limit' | 'offset', text: string) {
    const number = readInteger(text)
    if (number === undefined) return
    const key = path.join('\u0000')
    const range = this.#ranges.get(key) ?? { path, offset: 0, limit: undefined }
    if (what === 'limit') {
      if (number < 0) throw restErrors.range('Limit should be greater than or equal to zero.')
      range.limit = number
    } else {
      if (number < 0) throw new GatewayError(400, '2201X', 'OFFSET must not be negative')
      range.offset = number
    }
    this.#ranges.set(key, range)
  }

  list(): AtPath<Range>[] {
    return [...this.#ranges.values()].map(({ path, offset, limit }) => ({ path, part: { offset, limit } }))
  }
}

/** Integers become part of the statement's text, so nothing else may pass. Other values are ignored, as in PostgREST. */
function readInteger(text: string): number | undefined {
  if (!/^ *-?[0-9]+ *$/.test(text)) return undefined
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
}
