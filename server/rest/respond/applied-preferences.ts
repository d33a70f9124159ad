import type { Preferences } from '../parse/preferences.ts'

/** `Preference-Applied`: only preferences that had an effect on this kind of request. */
export function renderApplied(applied: Partial<Preferences>): string | undefined {
  const parts = [
    applied.resolution && `resolution=${applied.resolution}`,
    applied.missing && `missing=${applied.missing}`,
    applied.representation && `return=${applied.representation}`,
    applied.count && `count=${applied.count}`,
    applied.transaction && `tx=${applied.transaction}`,
    applied.handling && `handling=${applied.handling}`,
    applied.timezone && `timezone=${applied.timezone}`,
    applied.handling === 'strict' && applied.maxAffected !== undefined && `max-affected=${applied.maxAffected}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : undefined
}
