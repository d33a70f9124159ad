/** One condition on a changed row, e.g. `user_id=eq.42` or `title=not.like.%draft%`. */
export type RowFilter = {
  readonly column: string
  readonly operator: Operator
  readonly isNegated: boolean
  readonly values: readonly string[]
}
type Operator = (typeof operators)[number]

/** As in realtime-js `RealtimePostgresChangesFilterOperator`. */
const operators = [
  'eq',
  'neq',
  'lte',
  'lt',
  'gte',
  'gt',
  'in',
  'ilike',
  'like',
  'isdistinct',
  'is',
  'imatch',
  'match',
] as const

/** A row from the log: PostgreSQL's text for each value. Undefined: omitted, because it did not change. */
export type LoggedRow = Readonly<Record<string, string | null | undefined>>

const opening = new RegExp(`([^=,]+)=(not\\.)?(${operators.join('|')})\\.`, 'y')
const nextCondition = new RegExp(`,(?=[^=,]+=(?:not\\.)?(?:${operators.join('|')})\\.)`, 'g')
const quoted = /"(?:[^"\\]|\\.)*"/sy
const list = /\((?:"(?:[^"\\]|\\.)*"|[^)"])*\)/sy

/**
 * Parses `a=eq.1,b=in.(2,3)`: conditions that must all hold. A value with a comma is quoted; an unquoted value ends where the next
 * condition begins.
 * @returns undefined for a text that isn't a filter.
 */
export function parseFilters(text: string): RowFilter[] | undefined {
  const filters: RowFilter[] = []
  for (let position = 0; ; ) {
    opening.lastIndex = position
    const match = opening.exec(text)
    if (!match) return undefined
    const [whole, column = '', not, operator = ''] = match
    position += whole.length
    const end = endOfValue(text, position, operator === 'in')
    const values = operator === 'in' ? listOf(text.slice(position, end)) : [unquote(text.slice(position, end))]
    if (!values || (operator === 'is' && !isKeyword(values[0]))) return undefined
    filters.push({ column, operator: operator as Operator, isNegated: not !== undefined, values })
    if (end === text.length) return filters
    position = end + 1
  }
}

function endOfValue(text: string, start: number, isList: boolean): number {
  const closed = isList ? list : quoted
  closed.lastIndex = start
  if (closed.test(text) && (closed.lastIndex === text.length || text[closed.lastIndex] === ',')) return closed.lastIndex
  nextCondition.lastIndex = start
  return nextCondition.exec(text)?.index ?? text.length
}

/** Patterns have PostgreSQL's syntax, so `matches` of {@link Visibility} evaluates them. */
export const isPattern = ({ operator }: RowFilter): boolean => operator === 'match' || operator === 'imatch'

/** Whether the values have the column's type: any other value could never match, and is a mistake of the client's. */
export function fits({ operator, values }: RowFilter, type: string): boolean {
  if (operator === 'like' || operator === 'ilike' || operator === 'is' || operator === 'match' || operator === 'imatch')
    return true
  return values.every(
    (value) => compare(value, value, type) === 0 && (type !== 'uuid' || /^[0-9a-f-]{36}$/i.test(value.trim())),
  )
}

/** Whether a value matches the condition. As in SQL, nothing is equal to null or different from it. */
export function meets(filter: RowFilter, value: string | null, type: string): boolean {
  const { operator, isNegated, values } = filter
  if (operator === 'is') return isKept(value, values[0] ?? '', type) !== isNegated
  if (operator === 'isdistinct') return (value === null || compare(value, values[0] ?? '', type) !== 0) !== isNegated
  if (value === null) return false
  return holds(operator, value, values, type) !== isNegated
}

function holds(operator: Operator, value: string, values: readonly string[], type: string): boolean {
  const [wanted = ''] = values
  switch (operator) {
    case 'eq':
    case 'in':
      return values.some((each) => compare(value, each, type) === 0)
    case 'neq':
      return compare(value, wanted, type) !== 0
    case 'lt':
      return compare(value, wanted, type) < 0
    case 'lte':
      return compare(value, wanted, type) <= 0
    case 'gt':
      return compare(value, wanted, type) > 0
    case 'gte':
      return compare(value, wanted, type) >= 0
    case 'like':
      return isLike(value, wanted)
    case 'ilike':
      return isLike(value.toLowerCase(), wanted.toLowerCase())
    default:
      return false // `is` and `isdistinct` are handled above, patterns elsewhere
  }
}

/** A text that is equal for equal values of a type, e.g. `7` for `07`; undefined where texts can't show equality. */
export function keyOf(value: string, type: string): string | undefined {
  if (type === 'uuid') return value.trim().toLowerCase()
  if (type === 'text' || type === 'varchar') return value
  if (/^int[248]$/.test(type) && /^\s*-?\d+\s*$/.test(value)) return String(BigInt(value))
  return undefined
}

const numbers = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'oid'])
const times = new Set(['timestamptz', 'timestamp', 'date'])

/** Below, equal, or above as -1, 0, or 1; NaN when the wanted value doesn't have the column's type. */
function compare(value: string, wanted: string, type: string): number {
  if (type === 'int8' && /^-?\d+$/.test(wanted)) return order(BigInt(value), BigInt(wanted))
  if (numbers.has(type)) return wanted.trim() === '' ? Number.NaN : order(Number(value), Number(wanted))
  if (times.has(type)) return order(microseconds(value), microseconds(wanted))
  if (type === 'bool') return order(truth(value), truth(wanted))
  if (type === 'uuid') return order(value.toLowerCase(), wanted.trim().toLowerCase())
  return Buffer.compare(Buffer.from(value), Buffer.from(wanted)) // by code point, as the database sorts
}

function order<Value extends number | bigint | string>(a: Value, b: Value): number {
  if (a < b) return -1
  if (a > b) return 1
  return a === b ? 0 : Number.NaN
}

/** Microseconds of the epoch: JavaScript's dates have only milliseconds. */
function microseconds(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return Date.parse(text) * 1000 + Number(fraction.padEnd(6, '0').slice(3, 6))
}

function truth(text: string): number {
  if (/^(t|true|1|yes|on)$/i.test(text.trim())) return 1
  return /^(f|false|0|no|off)$/i.test(text.trim()) ? 0 : Number.NaN
}

const isKeyword = (text: string | undefined) => /^(null|true|false|unknown)$/i.test(text ?? '')

function isKept(value: string | null, keyword: string, type: string): boolean {
  if (/^(null|unknown)$/i.test(keyword)) return value === null
  return type === 'bool' && value !== null && truth(value) === truth(keyword)
}

/** SQL's `like`: `%` for any characters, `_` for one, `\` escapes the next one. It takes at most length × length steps. */
function isLike(text: string, pattern: string): boolean {
  const parts = [...pattern.matchAll(/\\(.)|([%_])|(.)/gsu)].map(
    ([, escaped, wild, plain]) => wild ?? { is: escaped ?? plain },
  )
  const characters = [...text]
  let [at, part] = [0, 0]
  let retry: { at: number; part: number } | undefined
  while (at < characters.length) {
    const wanted = parts[part]
    if (wanted === '%') retry = { at, part: part++ }
    else if (wanted === '_' || (typeof wanted === 'object' && wanted.is === characters[at])) {
      at++
      part++
    } else if (retry) {
      at = ++retry.at
      part = retry.part + 1
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '%')
}

/** `(a,"b,c",d)`: a value that holds a comma is quoted. */
function listOf(text: string): string[] | undefined {
  if (!/^\(.*\)$/s.test(text)) return undefined
  const items = text.slice(1, -1).match(/\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)/gs) ?? []
  return items
    .map((item) => unquote(item.replace(/,$/, '').trim()))
    .filter((item, index, all) => item !== '' || index < all.length - 1)
}

function unquote(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
}
