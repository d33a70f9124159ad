import type { Videos } from '../jobs/videos.ts'
import type { Database } from '../postgres/database.ts'
import type { LinkTokens } from './link-tokens.ts'
import type { ObjectStore } from './object-store.ts'
import type { PictureCache } from './pictures/picture-cache.ts'
import type { WorkQueue } from './pictures/work-queue.ts'

/** What the routes of storage/v1 share. */
export type StorageParts = {
  readonly database: Database
  readonly store: ObjectStore
  readonly links: LinkTokens
  readonly videos: Pick<Videos, 'notice'>
  /** Folder for pictures that are looked at before they are kept. */
  readonly scratch: string
  /** All work on pictures goes through it: uploads and renderings. */
  readonly pictureQueue: WorkQueue
  readonly pictureCache: PictureCache
}
