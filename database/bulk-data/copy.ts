import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | null | Date | Buffer | readonly string[]
export type Table = {
  /** With its schema, e.g. `public.follows`. */
  readonly name: string
  readonly columns: readonly string[]
  rows(): Iterable<readonly Value[]>
}

const chunkLength = 256 * 1024

/** Streams the rows into the table. @returns how many. */
export async function copyRows(client: pg.Client, { name, columns, rows }: Table): Promise<number> {
  const target = `${name.split('.').map(pg.escapeIdentifier).join('.')} (${columns.map(pg.escapeIdentifier).join(', ')})`
  const stream = client.query(copyFrom(`copy ${target} from stdin`))
  await pipeline(Readable.from(encodeChunks(rows()), { objectMode: true }), stream)
  return stream.rowCount ?? 0
}

function* encodeChunks(rows: Iterable<readonly Value[]>): Generator<Buffer> {
  let text = ''
  for (const row of rows) {
    text += `${row.map(encodeValue).join('\t')}\n`
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** COPY's text format: https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS */
export function encodeValue(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  return escapeText(`{${value.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`)
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : text
}
