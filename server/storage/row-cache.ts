import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../postgres/database.ts'
import { Listener } from '../postgres/listener.ts'
import { type BucketLimits, findBucketLimits } from './bucket-queries.ts'
import { type ContentRow, findContentForService, type Place } from './object-queries.ts'

const mostRows = 10_000

/**
 * Caches rows that downloads read again and again as the service, until the database reports a change
 * (`storage.tell_change`). Only for addresses and links that need no permission; permissions are checked in the database every time.
 */
export class RowCache {
  readonly #database: Database
  readonly #listener: Listener
  /** Keyed by `bucket/name`, or by a bucket's id, which no object's key can equal. */
  readonly #rows = new Map<string, ContentRow | BucketLimits>()
  /** Nothing is cached while the listener is disconnected. */
  #isListening = false
  /** How often an entry was evicted. */
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

  /** Call it after changing a row: the database's notification may arrive after the response. @param key absent or empty: everything. */
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
    // A row that changed during the query may be outdated.
    if (!found || !this.#isListening || changes !== this.#changes) return found
    if (this.#rows.size >= mostRows) this.#rows.clear()
    this.#rows.set(key, found)
    return found
  }
}

/** The cache key of an object. */
export const keyOf = ({ bucket, name }: Place): string => `${bucket}/${name}`
