import { buildTextCache } from '../../text-cache.ts'
import type { RequestHeadCache } from './request.ts'

/**
 * What requests without their bodies were parsed to: many people ask for a feed's first page or a profile and its posts, again and again. For
 * one set of options. At most some megabytes, or tens of them if somebody means to fill it.
 */
export const buildRequestHeadCache = (): RequestHeadCache =>
  buildTextCache({ maxEntries: 8_000, maxLength: 1_024, maxTotalLength: 500_000 })
