import { join } from 'node:path'
import type { Config } from '../config.ts'
import { buildDiskStore } from './disk-store.ts'
import type { ObjectStore } from './object-store.ts'
import { buildS3Store } from './s3-store.ts'

/** Files below `DATA_DIR` that storage/v1 keeps: all of them, or with S3 only what is on its way. */
export const storageFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'storage')

/** Folder for files that are looked at, or sent on, before they are kept. Emptied by the sweep. */
export const scratchFolder = (config: Pick<Config, 'dataDir'>): string => join(storageFolder(config), 'scratch')

/** Folder for pictures made from others: each node has its own. */
export const pictureFolder = (config: Pick<Config, 'dataDir'>): string => join(storageFolder(config), 'pictures')

/** The disk, unless the configuration names an S3 bucket (DESIGN §2). */
export function buildStore(config: Pick<Config, 'dataDir' | 's3'>): ObjectStore {
  return config.s3 ? buildS3Store(config.s3, scratchFolder(config)) : buildDiskStore(storageFolder(config))
}
