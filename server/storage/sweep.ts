import { mkdir, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { findKnownVersions } from './object-queries.ts'
import type { StorageParts } from './storage-parts.ts'
import { deleteExpiredLinks, deleteExpiredUploads, findKnownPartFiles } from './uploads/upload-queries.ts'

/** Longer than any upload takes between its last byte and its row. */
const orphanAgeMs = 3600 * 1000
/** Longer than any upload takes. */
const unfinishedAgeMs = 24 * 3600 * 1000
const batchSize = 500

type SweepParts = Pick<StorageParts, 'store' | 'scratch'> & { readonly service: ServiceDb }

/**
 * Removes what a crash can leave behind: content that no row names, parts that no upload knows, and expired uploads. Needs the
 * service: content is an orphan only if no row of any user names it.
 * @param now for tests that don't wait.
 * @returns the number of removed orphans.
 */
export async function sweepStorage({ service, store, scratch }: SweepParts, now = new Date()): Promise<number> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  await store.removeUnfinishedBefore(before(unfinishedAgeMs))
  await emptyFolder(scratch, before(unfinishedAgeMs))
  for (const file of await deleteExpiredUploads(service, now)) await store.removePart(file)
  await deleteExpiredLinks(service, now)
  for await (const files of inBatches(store.listPartsBefore(before(orphanAgeMs)))) {
    const known = await findKnownPartFiles(service, files)
    for (const file of files) if (!known.has(file)) await store.removePart(file)
  }
  let removed = 0
  for await (const versions of inBatches(store.listBefore(before(orphanAgeMs)))) {
    const known = await findKnownVersions(service, versions)
    const orphans = versions.filter((version) => !known.has(version))
    await Promise.all(orphans.map((version) => store.remove(version)))
    removed += orphans.length
  }
  return removed
}

async function* inBatches(versions: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = []
  for await (const version of versions) {
    batch.push(version)
    if (batch.length === batchSize) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

async function emptyFolder(folder: string, before: Date) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    const found = await stat(path).catch(() => undefined)
    // Also a video's folder, which a crashed node may have left full.
    if (found && found.mtime < before) await rm(path, { recursive: true, force: true })
  }
}

const firstSweepMs = 60_000
const sweepEveryMs = 6 * 3600 * 1000

/** Sweeps regularly while the process runs. @returns a function that stops it, once a running sweep has ended. */
export function startSweeping(
  parts: SweepParts & Pick<StorageParts, 'pictureCache'>,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const sweepAll = async () => {
    await parts.pictureCache.sweep((versions) => findKnownVersions(parts.service, versions))
    return sweepStorage(parts)
  }
  const sweep = () => {
    running = sweepAll().then(
      (removed) => log.info({ removed }, 'storage swept'),
      (err) => log.error({ err }, 'storage could not be swept'),
    )
  }
  const first = setTimeout(sweep, firstSweepMs).unref()
  const timer = setInterval(sweep, sweepEveryMs).unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    await running
  }
}
