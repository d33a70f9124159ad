import type { EnvironmentReader } from '../environment-reader.ts'

/** Limits for stored files and for work on them. */
export type StorageSettings = {
  /** Bytes that the files of an account may take up; 0: no limit. */
  readonly fanQuotaBytes: number
  /** Unless an admin has set another quota for the creator (VAULT-07). */
  readonly creatorQuotaBytes: number
  /** Open resumable uploads of one account. */
  readonly openUploads: number
  /** Videos of one account in the queue. */
  readonly waitingVideos: number
  /** How long an upload may stay silent. */
  readonly uploadIdleMs: number
  /** Minimum average speed of an upload; 0: none. */
  readonly uploadMinBytesPerSecond: number
  /** Time limit for the work on one picture. */
  readonly deadlineMs: number
  /** Renderings that one address may wait for. */
  readonly renderingsPerAddress: number
}

const mebibyte = 1024 ** 2

export function readStorageSettings(read: EnvironmentReader): StorageSettings {
  const vaultQuota = read.integer('VAULT_QUOTA_GB', 0, 0, 1_000_000) * 1024 * mebibyte
  const creatorQuota = read.integer('STORAGE_CREATOR_QUOTA_MB', 204_800, 0, 1_000_000_000) * mebibyte
  return {
    fanQuotaBytes: read.integer('STORAGE_FAN_QUOTA_MB', 5120, 0, 1_000_000_000) * mebibyte,
    creatorQuotaBytes: vaultQuota || creatorQuota,
    openUploads: read.integer('STORAGE_OPEN_UPLOADS', 10, 1, 100_000),
    waitingVideos: read.integer('STORAGE_WAITING_VIDEOS', 25, 1, 100_000),
    uploadIdleMs: read.integer('STORAGE_UPLOAD_IDLE_SECONDS', 60, 1, 3600) * 1000,
    uploadMinBytesPerSecond: read.integer('STORAGE_UPLOAD_MIN_BYTES_PER_SECOND', 1024, 0, 1_000_000_000),
    deadlineMs: read.integer('STORAGE_PICTURE_SECONDS', 30, 1, 600) * 1000,
    renderingsPerAddress: read.integer('STORAGE_RENDERINGS_PER_ADDRESS', 60, 1, 100_000),
  }
}
