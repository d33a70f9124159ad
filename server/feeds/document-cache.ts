import { LRUCache } from 'lru-cache'
import { etagOf } from '../http/conditional.ts'

/** A rendered feed with what a reader compares it by. */
export type FeedDocument = {
  readonly body: string
  /** Quoted, as in `ETag` without its `W/`. */
  readonly tag: string
  readonly lastModified: Date
}

/** A feed may be shown for so long after its creator has closed the profile: with the time of a read, less than five seconds. */
const freshMs = 4_000
const maxDocuments = 2_000
const maxTotalBytes = 32 * 1024 ** 2
/** Larger ones are read each time. */
const maxDocumentBytes = 2 * 1024 ** 2

/** Reads a feed. @returns its document, and when its newest part was published; undefined if there is no such feed. */
export type ReadDocument = (key: string) => Promise<{ readonly body: string; readonly newest: Date } | undefined>

/** No feed is cached as well, so that asking for one that doesn't exist costs as little. */
type Entry = { readonly document: FeedDocument | undefined }

/** Documents for everyone. Readers that ask at the same time wait for one read. */
export class DocumentCache {
  readonly #documents: LRUCache<string, Entry>

  /** @param clock in milliseconds. */
  constructor(read: ReadDocument, clock: { now(): number } = performance) {
    this.#documents = new LRUCache<string, Entry>({
      max: maxDocuments,
      maxSize: maxTotalBytes,
      maxEntrySize: maxDocumentBytes,
      sizeCalculation: ({ document }) => 200 + (document ? Buffer.byteLength(document.body) : 0),
      ttl: freshMs,
      perf: clock,
      ignoreFetchAbort: true, // those who wait for a document get it, even if it has no place in the cache any more
      fetchMethod: async (key, before) => toEntry(await read(key), before),
    })
  }

  async get(key: string): Promise<FeedDocument | undefined> {
    return (await this.#documents.fetch(key))?.document
  }
}

/**
 * A post that was edited or deleted has no time of that, so a document that differs from the one before is modified now. A new process
 * begins with the newest post: readers that know only the date miss an edit from before, and those that know the tag miss none.
 */
function toEntry(read: Awaited<ReturnType<ReadDocument>>, before: Entry | undefined): Entry {
  if (!read) return { document: undefined }
  const { body, newest } = read
  const tag = etagOf(body)
  const known = before?.document
  if (known?.tag === tag) return { document: known }
  return { document: { body, tag, lastModified: known ? new Date() : newest } }
}
