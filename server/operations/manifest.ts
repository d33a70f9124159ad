import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Changes when this version's restore can't read older backups any more. */
export const backupFormat = 1

export type DumpedTable = {
  /** As SQL writes it, e.g. `public.profiles`. */
  readonly name: string
  /** In the order of the file's columns, each as SQL writes it. */
  readonly columns: readonly string[]
  readonly file: string
  readonly rows: number
  /** SHA-256 of the file, in hex. */
  readonly sha256: string
}

/** `manifest.json` of a backup. It is written last, so a directory without it isn't a backup. */
export type Manifest = {
  readonly format: typeof backupFormat
  /** ISO 8601. The moment of the database's snapshot. */
  readonly takenAt: string
  readonly postgresVersion: string
  /** In the order in which they were applied. */
  readonly migrations: readonly string[]
  readonly tables: readonly DumpedTable[]
  readonly sequences: readonly { readonly name: string; readonly lastValue: string }[]
  readonly files: { readonly count: number; readonly bytes: number }
}

/** @throws an Error with one sentence when the directory is not a backup that this version can read. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8').catch(() => {
    throw new Error(`${directory} is not a backup: it has no manifest.json. An interrupted backup has none.`)
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== backupFormat) {
    throw new Error(`${directory} has backup format ${manifest.format}, and this version reads ${backupFormat}.`)
  }
  return manifest
}
