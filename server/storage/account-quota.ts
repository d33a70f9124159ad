import { serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Database } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import type { StorageSettings } from './settings.ts'

type Use = {
  readonly isCreator: boolean
  readonly storedBytes: number
  readonly openBytes: number
  readonly openUploads: number
  readonly waitingVideos: number
  /** What an admin has set for the account; 0: no limit. */
  readonly quotaBytes: number | null
}

export type Room = {
  /** Passes the bytes through up to the limit. @throws QuotaExceeded (413) at the first byte above it. */
  limit(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Call it once the row is written, or the upload has failed. */
  release(): void
}

const unlimited: Room = { limit: (content) => content, release: () => undefined }

/** The uploads of one account that this node is receiving. */
type InFlight = {
  uploads: number
  /** Declared, or received without having been declared. */
  bytes: number
  /** Of uploads that ended while others went on. */
  endedBytes: number
}

type Settings = Pick<StorageSettings, 'fanQuotaBytes' | 'creatorQuotaBytes' | 'openUploads' | 'waitingVideos'>

/**
 * Limits how much an account may store and upload at once. Files of the service belong to no account and are not counted. The
 * database knows the stored bytes; this class counts the bytes that are arriving at this node.
 */
export class AccountQuota {
  readonly #database: Database
  readonly #settings: Settings
  /** Whether this installation transcodes videos. Without it they stay in the queue forever. */
  readonly #makesVideos: boolean
  readonly #inFlight = new Map<string, InFlight>()
  readonly #reads = new Set<{ readonly owner: string; isStale: boolean }>()

  constructor(database: Database, settings: Settings, makesVideos: boolean) {
    this.#database = database
    this.#settings = settings
    this.#makesVideos = makesVideos
  }

  /** @throws QuotaExceeded (413). @param sizeBytes the declared size; a form is a little larger than its file. */
  async take(owner: string | undefined, sizeBytes: number | undefined): Promise<Room> {
    if (owner === undefined) return unlimited
    return this.#withUse(this.#database.service, owner, (use) => {
      const left = this.#requireRoom(owner, use, sizeBytes ?? 1)
      const inFlight = this.#inFlight.get(owner) ?? { uploads: 0, bytes: 0, endedBytes: 0 }
      this.#inFlight.set(owner, inFlight)
      const mostBytes = left + inFlight.bytes + inFlight.endedBytes
      let reserved = sizeBytes ?? 0
      inFlight.uploads += 1
      inFlight.bytes += reserved
      /** What wasn't declared is counted as it arrives, so that uploads at the same time share what is left. */
      const reserve = (bytes: number) => {
        reserved += bytes
        inFlight.bytes += bytes
        if (inFlight.bytes + inFlight.endedBytes > mostBytes) throw storageErrors.quotaExceeded(this.#quota(use))
      }
      async function* limit(content: AsyncIterable<Uint8Array>) {
        let arrived = 0
        for await (const chunk of content) {
          arrived += chunk.byteLength
          if (arrived > reserved) reserve(arrived - reserved)
          yield chunk
        }
      }
      return { limit, release: () => this.#end(owner, inFlight, reserved) }
    })
  }

  /** How many bytes more the account may store. @throws QuotaExceeded (413) when they are fewer than `sizeBytes`. */
  async left(owner: string | undefined, sizeBytes = 1): Promise<number> {
    if (owner === undefined) return Number.POSITIVE_INFINITY
    return this.#withUse(this.#database.service, owner, (use) => this.#requireRoom(owner, use, sizeBytes))
  }

  /** @throws TooManyVideos (429). */
  async requireVideoPlace(owner: string | undefined): Promise<void> {
    if (owner === undefined || !this.#makesVideos) return
    const { waitingVideos } = await readUse(this.#database.service, owner)
    if (waitingVideos >= this.#settings.waitingVideos) throw storageErrors.tooManyVideos(this.#settings.waitingVideos)
  }

  /**
   * Begins a resumable upload. Two that begin at once are counted one after the other, on any node.
   * @throws QuotaExceeded (413), TooManyUploads (429).
   */
  async openUpload<Result>(
    owner: string | undefined,
    sizeBytes: number | undefined,
    insert: (db: CallerDb) => Promise<Result>,
  ): Promise<Result> {
    return this.#database.transaction(serviceRole, async (db) => {
      if (owner !== undefined) {
        await db.rows(sql`select pg_advisory_xact_lock(hashtextextended('uploads of ' || ${owner}::text, 0))`)
        await this.#withUse(db, owner, (use) => {
          if (use.openUploads >= this.#settings.openUploads)
            throw storageErrors.tooManyUploads(this.#settings.openUploads)
          this.#requireRoom(owner, use, sizeBytes ?? 1)
        })
      }
      return insert(db)
    })
  }

  /**
   * Decides by what the account uses. An upload that ends during the read is missing from both numbers: the read began before its row,
   * and its bytes are no longer arriving. The read is then repeated.
   */
  async #withUse<Result>(db: CallerDb, owner: string, decide: (use: Use) => Result): Promise<Result> {
    const read = { owner, isStale: false }
    this.#reads.add(read)
    try {
      for (;;) {
        read.isStale = false
        const use = await readUse(db, owner)
        if (!read.isStale) return decide(use)
      }
    } finally {
      this.#reads.delete(read)
    }
  }

  #requireRoom(owner: string, use: Use, sizeBytes: number): number {
    const quota = this.#quota(use)
    if (quota === 0) return Number.POSITIVE_INFINITY
    const left = quota - use.storedBytes - use.openBytes - (this.#inFlight.get(owner)?.bytes ?? 0)
    if (sizeBytes > left) throw storageErrors.quotaExceeded(quota)
    return left
  }

  #quota({ isCreator, quotaBytes }: Use): number {
    return quotaBytes ?? (isCreator ? this.#settings.creatorQuotaBytes : this.#settings.fanQuotaBytes)
  }

  #end(owner: string, inFlight: InFlight, bytes: number) {
    inFlight.uploads -= 1
    inFlight.bytes -= bytes
    inFlight.endedBytes += bytes
    if (inFlight.uploads === 0) this.#inFlight.delete(owner)
    for (const read of this.#reads) if (read.owner === owner) read.isStale = true
  }
}

async function readUse(db: CallerDb, owner: string): Promise<Use> {
  const [use] = await db.rows<Use>(sql`
    select is_creator as "isCreator", stored_bytes::float8 as "storedBytes", open_bytes::float8 as "openBytes",
      open_uploads as "openUploads", waiting_videos as "waitingVideos", quota_bytes::float8 as "quotaBytes"
    from private.storage_use(${owner}::uuid)`)
  if (!use) throw new Error('storage_use returned no row')
  return use
}
