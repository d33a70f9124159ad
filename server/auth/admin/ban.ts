import type { Body } from '../body.ts'
import { authErrors } from '../errors.ts'

const unitsInMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
/** A hundred years: permanent, but still a date. */
const longestMs = 100 * 365 * 24 * 3_600_000

/**
 * `ban_duration` in Go's notation (`24h`, `1h30m`, or `none`), as auth-js documents it.
 * @returns the end; `{ until: null }` lifts the ban; undefined if the field is absent.
 */
export function readBan(body: Body): { readonly until: Date | null } | undefined {
  const text = body.text('ban_duration', 40)
  if (!text) return undefined
  if (text === 'none') return { until: null }
  if (!/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(text))
    throw authErrors.validationFailed('invalid format for ban duration')
  let durationMs = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)) {
    durationMs += Number(amount) * (unitsInMs[unit ?? ''] ?? 0)
  }
  return { until: new Date(Date.now() + Math.min(durationMs, longestMs)) }
}
