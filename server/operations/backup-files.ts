import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { GatewayError } from '../http/errors.ts'
import type { ObjectStore } from '../storage/object-store.ts'

const fileOf = (directory: string, version: string) => join(directory, 'files', version.slice(0, 2), version)

type Kept = { readonly count: number; readonly bytes: number; readonly lost: readonly string[] }

/** Copies the content of each version that the backup lacks. `lost` are the versions that the store lacks as well. */
export async function keepFiles(store: ObjectStore, directory: string, versions: readonly string[]): Promise<Kept> {
  const lost: string[] = []
  let bytes = 0
  for (const version of versions) {
    const file = fileOf(directory, version)
    try {
      const known = await sizeOf(file)
      bytes += known ?? (await copyOut(store, version, file))
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error // the backup's own disk, for example
      lost.push(version)
    }
  }
  return { count: versions.length - lost.length, bytes, lost }
}

/** Written under another name and renamed: an existing file is complete. */
async function copyOut(store: ObjectStore, version: string, file: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true })
  const content = await store.read(version)
  await pipeline(content, createWriteStream(`${file}.new`, { mode: 0o600 }))
  await rename(`${file}.new`, file)
  return (await sizeOf(file)) ?? 0
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size
}

/** Removes content of older backups in the same directory that no row names any more. */
export async function removeOthers(directory: string, versions: ReadonlySet<string>): Promise<void> {
  for await (const { version, file } of listFiles(directory)) if (!versions.has(version)) await rm(file)
}

/** Copies the backup's files into the store. @returns the number of files. */
export async function giveFiles(store: ObjectStore, directory: string): Promise<number> {
  let count = 0
  for await (const { version, file } of listFiles(directory)) {
    await store.write(version, createReadStream(file))
    count += 1
  }
  return count
}

async function* listFiles(directory: string): AsyncIterable<{ version: string; file: string }> {
  const root = join(directory, 'files')
  const folders = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // no file was ever stored
    throw error
  })
  for (const folder of folders) {
    for (const version of await readdir(join(root, folder))) yield { version, file: join(root, folder, version) }
  }
}
