import type { Interval } from '@ovation/contract/limits'

/** `month`, or for a term of several months `3 months` (OFFER-01). */
export const formatPeriod = (interval: Interval, count = 1): string => (count > 1 ? `${count} ${interval}s` : interval)
