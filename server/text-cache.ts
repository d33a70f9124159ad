import { LRUCache } from 'lru-cache'

export type TextCacheLimits = {
  readonly maxEntries: number
  /** Longer texts aren't cached: they seldom repeat, and take the space of many. */
  readonly maxLength: number
  /** The total length of all texts, for caches whose values grow with them. */
  readonly maxTotalLength?: number
}

/** A cache keyed by texts that clients choose, so its size is limited: beyond the limit, the least recently used entry is evicted. */
export function buildTextCache<Value extends NonNullable<unknown>>({
  maxEntries,
  maxLength,
  maxTotalLength = maxEntries * maxLength,
}: TextCacheLimits): LRUCache<string, Value> {
  return new LRUCache({
    max: maxEntries,
    maxSize: maxTotalLength,
    maxEntrySize: maxLength,
    sizeCalculation: (_value, text) => Math.max(1, text.length),
  })
}
