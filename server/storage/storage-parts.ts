import type { Database } from '../postgres/database.ts'
import { AccountQuota } from './account-quota.ts'
import { pictureFolder, scratchFolder } from './build-store.ts'
import type { Pace } from './byte-stream.ts'
import { buildLinkTokens, type LinkTokens } from './link-tokens.ts'
import type { ObjectStore } from './object-store.ts'
import { buildPictureCache, type PictureCache } from './pictures/picture-cache.ts'
import { buildPictureQueues, type PictureQueues } from './pictures/picture-queues.ts'
import { RowCache } from './row-cache.ts'
import type { Services } from './services.ts'
import type { Videos } from './video/videos.ts'
import { buildVoiceEncoder, type VoiceEncoder } from './voice/clean-voice.ts'

/** What the routes of storage/v1 share. */
export type StorageParts = {
  readonly database: Database
  readonly store: ObjectStore
  readonly links: LinkTokens
  readonly rowCache: RowCache
  readonly videos: Pick<Videos, 'notice'>
  /** Folder for pictures and voice messages that are processed before they are stored. */
  readonly scratch: string
  /** All work on pictures goes through these. */
  readonly pictureQueues: PictureQueues
  readonly pictureCache: PictureCache
  /** Encodes voice messages. */
  readonly voices: VoiceEncoder
  /** Storage quotas of accounts. */
  readonly quota: AccountQuota
  /** Minimum pace of uploads. */
  readonly pace: Pace
}

export function buildParts({ config, secrets, database, store, videos, log }: Services): StorageParts {
  return {
    database,
    store,
    videos,
    links: buildLinkTokens(secrets.jwtSecret),
    rowCache: new RowCache(database, log),
    scratch: scratchFolder(config),
    voices: buildVoiceEncoder(config),
    pictureCache: buildPictureCache(pictureFolder(config), config.pictureCacheBytes),
    quota: new AccountQuota(database, config.storage, videos.areMade),
    pace: config.storage,
    pictureQueues: buildPictureQueues(config.storage),
  }
}
