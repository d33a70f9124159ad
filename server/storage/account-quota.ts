import { serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Database } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { limitSize } from './byte-stream.ts'
import { storageErrors } from './errors.ts'
import type { StorageSettings } from './settings.ts'

type Use = {
  readonly isCreator: boolean
  readonly storedBytes: number
  readonly openBytes: number
  readonly openUploads: number
  readonly waitingVideos: number
}

export type Room = {
  /** Passes the bytes through up to the limit. @throws QuotaExceeded (413) at the first byte above it. */
  limit(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Call it once the row is written, or the upload has failed. */
  release(): void
}

const unlimited: Room = { limit: (content) => content, release: () => undefined }

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
  readonly #arriving = new Map<string, number>()
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
      const excess = () => storageErrors.quotaExceeded(this.#quota(use))
      const reserved = sizeBytes ?? 0
      this.#arrives(owner, reserved)
      return {
        limit: (content) => limitSize(content, left, excess),
        release: () => this.#leaves(owner, reserved),
      }
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
    const left = quota - use.storedBytes - use.openBytes - (this.#arriving.get(owner) ?? 0)
    if (sizeBytes > left) throw storageErrors.quotaExceeded(quota)
    return left
  }

  #quota({ isCreator }: Use): number {
    return isCreator ? this.#settings.creatorQuotaBytes : this.#settings.fanQuotaBytes
  }

  #arrives(owner: string, bytes: number) {
    const sum = (this.#arriving.get(owner) ?? 0) + bytes
    if (sum > 0) this.#arriving.set(owner, sum)
    else this.#arriving.delete(owner)
  }

  #leaves(owner: string, bytes: number) {
    this.#arrives(owner, -bytes)
    for (const read of this.#reads) if (read.owner === owner) read.isStale = true
  }
}

async function readUse(db: CallerDb, owner: string): Promise<Use> {
  const [use] = await db.rows<Use>(sql`
    select is_creator as "isCreator", stored_bytes::float8 as "storedBytes", open_bytes::float8 as "openBytes",
      open_uploads as "openUploads", waiting_videos as "waitingVideos"
    from private.storage_use(${owner}::uuid)`)
  if (!use) throw new Error('storage_use returned no row')
  return use
}
