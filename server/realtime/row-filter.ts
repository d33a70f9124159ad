/** One condition on a changed row, e.g. `user_id=eq.42`. */
export type RowFilter = { readonly column: string; readonly operator: Operator; readonly values: readonly string[] }
type Operator = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'in'

/** A row as the log tells it: PostgreSQL's own text for each value. Undefined: not told, because it did not change. */
export type LoggedRow = Readonly<Record<string, string | null | undefined>>

/** @returns undefined for a text that is no filter. */
export function parseFilter(text: string): RowFilter | undefined {
  const match = /^([^=]+)=(eq|neq|lt|lte|gt|gte|in)\.(.*)$/s.exec(text)
  if (!match) return undefined
  const [, column = '', operator = '', value = ''] = match
  if (operator !== 'in') return { column, operator: operator as Operator, values: [unquote(value)] }
  const list = /^\((.*)\)$/s.exec(value)?.[1]
  return list === undefined ? undefined : { column, operator: 'in', values: splitList(list) }
}

/** Whether a row meets the condition. As in SQL, nothing is equal to null, nor different from it. */
export function meets(filter: RowFilter, row: LoggedRow, type: string): boolean {
  const value = row[filter.column]
  if (value === null || value === undefined) return false
  const compared = filter.values.map((wanted) => compare(value, wanted, type))
  switch (filter.operator) {
    case 'eq':
    case 'in':
      return compared.includes(0)
    case 'neq':
      return compared[0] !== 0
    case 'lt':
      return (compared[0] ?? Number.NaN) < 0
    case 'lte':
      return (compared[0] ?? Number.NaN) <= 0
    case 'gt':
      return (compared[0] ?? Number.NaN) > 0
    case 'gte':
      return (compared[0] ?? Number.NaN) >= 0
  }
}

const numbers = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'oid'])
const times = new Set(['timestamptz', 'timestamp', 'date'])

/** Below, equal or above as -1, 0 or 1; NaN when the wanted value is none of the column's type. */
function compare(value: string, wanted: string, type: string): number {
  if (type === 'int8' && /^-?\d+$/.test(wanted)) return order(BigInt(value), BigInt(wanted))
  if (numbers.has(type)) return wanted.trim() === '' ? Number.NaN : order(Number(value), Number(wanted))
  if (times.has(type)) return order(Date.parse(value), Date.parse(wanted))
  if (type === 'bool') return order(truth(value), truth(wanted))
  if (type === 'uuid') return order(value, wanted.trim().toLowerCase())
  return order(value, wanted)
}

function order<Value extends number | bigint | string>(a: Value, b: Value): number {
  if (a < b) return -1
  if (a > b) return 1
  return a === b ? 0 : Number.NaN
}

function truth(text: string): number {
  if (/^(t|true|1|yes|on)$/i.test(text.trim())) return 1
  return /^(f|false|0|no|off)$/i.test(text.trim()) ? 0 : Number.NaN
}

/** `a,"b,c",d`: a value that holds a comma is quoted. */
function splitList(list: string): string[] {
  const items = list.match(/\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)/gs) ?? []
  return items
    .map((item) => unquote(item.replace(/,$/, '').trim()))
    .filter((item, index, all) => item !== '' || index < all.length - 1)
}

function unquote(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
}
