import { isTooDeep, maxJsonDepth } from '../../http/json-depth.ts'
import { restErrors } from '../errors.ts'

/** A body as the statement takes it: JSON text that PostgreSQL parses, so that numbers keep every digit. */
export type JsonPayload = {
  readonly kind: 'json'
  readonly text: string
  /** An object, not a list of objects. */
  readonly isObject: boolean
  /** The keys that all objects have, sorted. */
  readonly keys: readonly string[]
}

/** A body that is one value of a function's single unnamed parameter. */
export type RawPayload = { readonly kind: 'raw'; readonly type: 'text' | 'xml' | 'bytea'; readonly value: string }

export type Payload = JsonPayload | RawPayload
export type PayloadTarget = 'relation' | 'function'

const tooDeep = `The JSON is nested deeper than ${maxJsonDepth} levels`
const empty: JsonPayload = { kind: 'json', text: '[]', isObject: false, keys: [] }

/**
 * @param columns of the query's `columns`: the body's own keys are then ignored, and the body isn't parsed.
 * @throws GatewayError PGRST102 (400).
 */
export function parsePayload(
  body: Buffer | undefined,
  contentType: string | undefined,
  columns: readonly string[] | undefined,
  target: PayloadTarget,
): Payload {
  const mediaType = (contentType ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  switch (mediaType) {
    case '':
    case 'application/json':
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return parseJson(body?.toString('utf8') ?? '', columns, target)
    case 'text/csv':
      return fromRows(parseCsv(body?.toString('utf8') ?? ''))
    case 'application/x-www-form-urlencoded':
      return fromForm(body?.toString('utf8') ?? '')
    case 'text/plain':
      if (target === 'function') return { kind: 'raw', type: 'text', value: body?.toString('utf8') ?? '' }
      break
    case 'text/xml':
      if (target === 'function') return { kind: 'raw', type: 'xml', value: body?.toString('utf8') ?? '' }
      break
    case 'application/octet-stream':
      if (target === 'function') return { kind: 'raw', type: 'bytea', value: `\\x${body?.toString('hex') ?? ''}` }
  }
  throw restErrors.body(`Content-Type not acceptable: ${mediaType}`)
}

function parseJson(text: string, columns: readonly string[] | undefined, target: PayloadTarget): JsonPayload {
  if (text.trim() === '' && target === 'function') return { kind: 'json', text: '{}', isObject: true, keys: [] }
  const isObject = /^[ \t\r\n]*\{/.test(text)
  if (isTooDeep(text)) throw restErrors.body(tooDeep)
  if (columns) return { kind: 'json', text, isObject, keys: [...new Set(columns)].sort() }
  const json = readJson(text)
  if (Array.isArray(json)) return json.length === 0 ? empty : { kind: 'json', text, isObject, keys: commonKeys(json) }
  if (typeof json !== 'object' || json === null) return empty
  return { kind: 'json', text, isObject: true, keys: checkKeys(Object.keys(json)) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw restErrors.body('Empty or invalid json')
  }
}

function commonKeys(rows: readonly unknown[]): string[] {
  let expected: string[] | undefined
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw restErrors.body('All object keys must match')
    const keys = Object.keys(row).sort()
    expected ??= keys
    if (keys.length !== expected.length || keys.some((key, index) => key !== expected?.[index])) {
      throw restErrors.body('All object keys must match')
    }
  }
  return checkKeys(expected ?? [])
}

/** Keys become column names in the statement's text, which ends at a NUL. */
function checkKeys(keys: string[]): string[] {
  if (keys.some((key) => key.includes('\u0000'))) throw restErrors.body('Empty or invalid json')
  return keys.sort()
}

function fromForm(text: string): JsonPayload {
  const pairs = [...new URLSearchParams(text)]
  const object = Object.fromEntries(pairs)
  return { kind: 'json', text: JSON.stringify(object), isObject: true, keys: checkKeys(Object.keys(object)) }
}

function fromRows([header, ...lines]: string[][]): JsonPayload {
  if (!header) return empty
  const rows = lines.map((fields) => {
    if (fields.length !== header.length) throw restErrors.body('All lines must have same number of fields')
    return Object.fromEntries(header.map((name, index) => [name, fields[index] === 'NULL' ? null : fields[index]]))
  })
  return { kind: 'json', text: JSON.stringify(rows), isObject: false, keys: checkKeys([...new Set(header)]) }
}

const csvPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** RFC 4180. @throws GatewayError PGRST102 (400) where a quote is left open. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  csvPattern.lastIndex = 0
  while (csvPattern.lastIndex < text.length || row.length > 0) {
    const found = csvPattern.exec(text)
    if (!found) throw restErrors.body('The CSV is malformed')
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
