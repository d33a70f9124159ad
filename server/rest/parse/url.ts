import { buildTextCache } from '../../text-cache.ts'
import type { QueryParameter } from './query.ts'

/** Parameters that are constants in a client's code, so it pays to cache their text; others contain values. */
const isConstant = (name: string) => name === 'select' || name === 'order' || name === 'columns'

/**
 * The query string as ordered pairs. A parser of our own, because names repeat, their order counts, and a client may send any
 * bytes: invalid UTF-8 becomes the replacement character, and a stray `%` stays.
 */
export function parseQueryString(text: string): QueryParameter[] {
  const parameters: QueryParameter[] = []
  for (const piece of text.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const name = decode(equals < 0 ? piece : piece.slice(0, equals))
    // The key of a websocket or a link is in the query; it is for the gateway, not for the database.
    if (name === 'apikey') continue
    const value = equals < 0 ? '' : piece.slice(equals + 1)
    parameters.push([name, isConstant(name) ? decodeConstant(value) : decode(value)])
  }
  return parameters
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    const bytes = Buffer.from(spaced, 'utf8').toString('latin1')
    const unescaped = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return Buffer.from(unescaped, 'latin1').toString('utf8')
  }
}

const decoded = buildTextCache<string>({ maxEntries: 1_000, maxLength: 1_024 })

function decodeConstant(text: string): string {
  const cached = decoded.get(text)
  if (cached !== undefined) return cached
  const plain = decode(text)
  decoded.set(text, plain)
  return plain
}

/** The same parameters by name; those of one name keep their order. */
export function renderQueryString(parameters: readonly QueryParameter[]): string {
  const sorted = parameters.length < 2 ? parameters : [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted
    .map(([name, value]) => `${encode(name)}=${isConstant(name) ? encodeConstant(value) : encode(value)}`)
    .join('&')
}

function encode(text: string): string {
  return /^[\w.*()-]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

const encoded = buildTextCache<string>({ maxEntries: 1_000, maxLength: 1_024 })

function encodeConstant(text: string): string {
  const cached = encoded.get(text)
  if (cached !== undefined) return cached
  const escaped = encode(text)
  encoded.set(text, escaped)
  return escaped
}
