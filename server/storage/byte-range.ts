import { storageErrors } from './errors.ts'
import type { ByteRange } from './object-store.ts'

/**
 * The part that a `Range` header requests. Undefined means the whole object: no header, several ranges, or a unit other than
 * bytes; HTTP lets a server answer these with everything (RFC 9110 §14.2).
 * @throws InvalidRange (416) when the range is outside the object.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  const range =
    first === ''
      ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 } // the last N bytes
      : { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
  const backwards = first !== '' && last !== '' && Number(last) < Number(first)
  if (backwards) return undefined // malformed, hence ignored
  if (range.start >= sizeBytes || range.end < range.start) throw storageErrors.invalidRange(sizeBytes)
  return range
}
