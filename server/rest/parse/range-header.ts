import { restErrors } from '../errors.ts'
import type { Range } from './syntax.ts'

/** `Range: 10-19`, counted in rows. Other units are ignored. @throws GatewayError PGRST103 (416). */
export function parseRangeHeader(header: string | undefined): Range | undefined {
  const found = /^(?:items=)?([0-9]{1,15})-([0-9]{0,15})$/.exec(header?.trim() ?? '')
  if (!found) return undefined
  const first = Number(found[1])
  if (found[2] === '') return { offset: first, limit: undefined }
  const last = Number(found[2])
  if (last < first) {
    throw restErrors.range('The lower boundary must be lower than or equal to the upper boundary in the Range header.')
  }
  return { offset: first, limit: last - first + 1 }
}

/** The intersection of both ranges. */
export function intersect(a: Range, b: Range | undefined): Range {
  if (!b) return a
  const offset = Math.max(a.offset, b.offset)
  const end = Math.min(endOf(a), endOf(b))
  return { offset, limit: end === Number.POSITIVE_INFINITY ? undefined : Math.max(0, end - offset) }
}

function endOf({ offset, limit }: Range): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : offset + limit
}
