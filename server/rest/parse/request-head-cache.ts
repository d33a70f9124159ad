import { buildTextCache } from '../../text-cache.ts'
import type { RequestHeadCache } from './request.ts'

/**
 * Caches parsed request heads (requests without bodies): many users request a feed's first page or a profile and its posts again and again. For
 * one set of options. Its size is some megabytes at most, or tens of them under attack.
 */
export const buildRequestHeadCache = (): RequestHeadCache =>
  buildTextCache({ maxEntries: 8_000, maxLength: 1_024, maxTotalLength: 500_000 })
