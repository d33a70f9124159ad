import type { LRUCache } from 'lru-cache'
import { buildTextCache } from '../../text-cache.ts'
import type { ParsedHead, RestRequest } from './request.ts'

export type RequestHeadCache = LRUCache<string, ParsedHead>

/**
 * What requests without their bodies were parsed to: many people ask for a feed's first page or a profile and its posts, again and again. For
 * one set of options. At most some megabytes, or tens of them if somebody means to fill it.
 */
export const buildRequestHeadCache = (): RequestHeadCache =>
  buildTextCache({ maxEntries: 8_000, maxLength: 1_024, maxTotalLength: 500_000 })

/** All that a request's head is parsed from. Only the name can contain a line break, so no two heads have the same key. */
export function requestHeadKey({ method, target, name, search, headers }: RestRequest): string {
  const profile = headers[method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile'] ?? absent
  const { accept = absent, prefer = absent, range = absent } = headers
  return `${method}\n${target}\n${name}\n${search}\n${accept}\n${profile}\n${prefer}\n${range}`
}
const absent = '\r' // what no header can contain
