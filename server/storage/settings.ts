import type { EnvironmentReader } from '../environment.ts'

/** Bounds of what people may store and have worked on. */
export type StorageSettings = {
  /** Bytes that the files of an account may take up; 0: no bound. */
  readonly fanQuotaBytes: number
  readonly creatorQuotaBytes: number
  /** Uploads in pieces that an account may have open. */
  readonly openUploads: number
  /** Videos of one account that may wait for their streams. */
  readonly waitingVideos: number
  /** How long an upload may send nothing. */
  readonly uploadIdleMs: number
  /** How fast an upload has to be on average; 0: as slow as it likes. */
  readonly uploadMinBytesPerSecond: number
  /** How long one picture may be worked on. */
  readonly deadlineMs: number
  /** Renderings of pictures that one address may wait for. */
  readonly renderingsPerAddress: number
}

const mebibyte = 1024 ** 2

export function readStorageSettings(read: EnvironmentReader): StorageSettings {
  return {
    fanQuotaBytes: read.integer('STORAGE_FAN_QUOTA_MB', 5120, 0, 1_000_000_000) * mebibyte,
    creatorQuotaBytes: read.integer('STORAGE_CREATOR_QUOTA_MB', 204_800, 0, 1_000_000_000) * mebibyte,
    openUploads: read.integer('STORAGE_OPEN_UPLOADS', 10, 1, 100_000),
    waitingVideos: read.integer('STORAGE_WAITING_VIDEOS', 25, 1, 100_000),
    uploadIdleMs: read.integer('STORAGE_UPLOAD_IDLE_SECONDS', 60, 1, 3600) * 1000,
    uploadMinBytesPerSecond: read.integer('STORAGE_UPLOAD_MIN_BYTES_PER_SECOND', 1024, 0, 1_000_000_000),
    deadlineMs: read.integer('STORAGE_PICTURE_SECONDS', 30, 1, 600) * 1000,
    renderingsPerAddress: read.integer('STORAGE_RENDERINGS_PER_ADDRESS', 60, 1, 100_000),
  }
}
