import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../postgres/database.ts'
import { Listener } from '../postgres/listener.ts'
import { type BucketLimits, findBucketLimits } from './bucket-queries.ts'
import { type ContentRow, findContentForService, type Place } from './object-queries.ts'

const mostRows = 10_000

/**
 * Rows that downloads ask for again and again, as the service: kept in memory until the database says that they changed
 * (`storage.tell_change`). For what an address or a link alone opens; a right is never kept, it is asked of the database each time.
 */
export class RowCache {
  readonly #database: Database
  readonly #listener: Listener
  /** By `bucket/name` and, which no object's key can be, by a bucket's id. */
  readonly #rows = new Map<string, ContentRow | BucketLimits>()
  /** Nothing is kept while nobody would tell of changes. */
  #isListening = false
  /** How often something was forgotten. */
  #changes = 0

  constructor(database: Database, log: FastifyBaseLogger) {
    this.#database = database
    this.#listener = new Listener({
      ownerUrl: database.ownerUrl,
      channel: 'ovation_storage',
      log,
      onNotification: (key) => {
        this.#isListening = true
        this.forget(key)
      },
      onLost: () => {
        this.#isListening = false
        this.forget()
      },
    })
  }

  listen(): Promise<void> {
    return this.#listener.listen()
  }

  close(): Promise<void> {
    return this.#listener.close()
  }

  content({ bucket, name }: Place): Promise<ContentRow | undefined> {
    return this.#get(keyOf({ bucket, name }), () => findContentForService(this.#database.service, bucket, name))
  }

  bucket(id: string): Promise<BucketLimits | undefined> {
    return this.#get(id, () => findBucketLimits(this.#database.service, id))
  }

  /** Whoever changes a row here says so: the database's word may come a moment after the answer. @param key absent or empty: everything. */
  forget(key?: string): void {
    this.#changes++
    if (key) this.#rows.delete(key)
    else this.#rows.clear()
  }

  async #get<Row extends ContentRow | BucketLimits>(
    key: string,
    find: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const known = this.#rows.get(key)
    if (known) return known as Row
    const changes = this.#changes
    const found = await find()
    // What changed while it was asked for may be what was found.
    if (!found || !this.#isListening || changes !== this.#changes) return found
    if (this.#rows.size >= mostRows) this.#rows.clear()
    this.#rows.set(key, found)
    return found
  }
}

/** Under which an object is known. */
export const keyOf = ({ bucket, name }: Place): string => `${bucket}/${name}`
