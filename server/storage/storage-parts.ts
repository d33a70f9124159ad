import type { Videos } from '../jobs/videos.ts'
import type { Database } from '../postgres/database.ts'
import type { Services } from '../services.ts'
import { pictureFolder, scratchFolder } from './build-store.ts'
import { KnownRows } from './known-rows.ts'
import { buildLinkTokens, type LinkTokens } from './link-tokens.ts'
import type { ObjectStore } from './object-store.ts'
import { buildPictureCache, type PictureCache } from './pictures/picture-cache.ts'
import { buildPictureQueue, type WorkQueue } from './pictures/work-queue.ts'

/** What the routes of storage/v1 share. */
export type StorageParts = {
  readonly database: Database
  readonly store: ObjectStore
  readonly links: LinkTokens
  readonly known: KnownRows
  readonly videos: Pick<Videos, 'notice'>
  /** Folder for pictures that are looked at before they are kept. */
  readonly scratch: string
  /** All work on pictures goes through it: uploads and renderings. */
  readonly pictureQueue: WorkQueue
  readonly pictureCache: PictureCache
}

export function buildParts({ config, secrets, database, store, videos, log }: Services): StorageParts {
  return {
    database,
    store,
    videos,
    links: buildLinkTokens(secrets.jwtSecret),
    known: new KnownRows(database, log),
    scratch: scratchFolder(config),
    pictureCache: buildPictureCache(pictureFolder(config), config.pictureCacheBytes),
    pictureQueue: buildPictureQueue(),
  }
}
