import { LRUCache } from 'lru-cache'

export type TextCacheLimits = {
  readonly maxEntries: number
  /** Longer texts aren't kept: they seldom come twice, and take the room of many. */
  readonly maxLength: number
  /** Of all texts together, where what is kept grows with them. */
  readonly maxTotalLength?: number
}

/** A cache by texts that clients choose, so its size has a limit: beyond it the least recently used entry is evicted. */
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
