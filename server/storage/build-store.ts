import { join } from 'node:path'
import type { Config } from '../config.ts'
import { buildDiskStore } from './disk-store.ts'
import type { ObjectStore } from './object-store.ts'

/** Files below `DATA_DIR` that storage/v1 keeps: all files, or with S3 only those in transit. */
export const storageFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'storage')

/** Folder for files that are inspected or forwarded before they are stored. The sweep empties it. */
export const scratchFolder = (config: Pick<Config, 'dataDir'>): string => join(storageFolder(config), 'scratch')

/** Folder for rendered pictures. Each node has its own. */
export const pictureFolder = (config: Pick<Config, 'dataDir'>): string => join(storageFolder(config), 'pictures')

/** The disk, unless the configuration names an S3 bucket. */
export async function buildStore(config: Pick<Config, 'dataDir' | 's3'>): Promise<ObjectStore> {
  if (!config.s3) return buildDiskStore(storageFolder(config))
  const { buildS3Store } = await import('./s3-store.ts') // with its SDK, which the disk doesn't need
  return buildS3Store(config.s3, scratchFolder(config))
}
