import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of `backup --keep`: named for their start time in UTC, so that they sort by name. */
const name = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/

/** @throws an Error with one sentence unless it is a number of backups. */
export function parseKeep(text: string): number {
  const keep = Number(text)
  if (Number.isInteger(keep) && keep >= 1 && keep <= 10_000) return keep
  throw new Error(`--keep must be a whole number from 1 to 10000, not "${text}".`)
}

/** The folder of the next backup. */
export function nextGeneration(folder: string, now = new Date()): string {
  return join(folder, `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`)
}

/**
 * Removes all but the newest `keep` complete backups, and interrupted ones older than the oldest of those. Nothing else in the folder is
 * touched.
 * @returns the folders removed.
 */
export async function removeOldGenerations(folder: string, keep: number): Promise<string[]> {
  const found = (await readdir(folder)).filter((entry) => name.test(entry)).toSorted()
  const whole = found.filter((entry) => existsSync(join(folder, entry, 'manifest.json')))
  const oldestKept = whole.at(-keep)
  if (oldestKept === undefined) return []
  const removed = found.filter((entry) => entry < oldestKept).map((entry) => join(folder, entry))
  for (const path of removed) await rm(path, { recursive: true })
  return removed
}
