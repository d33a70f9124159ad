import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { storageErrors } from './errors.ts'
import type { ObjectStore } from './object-store.ts'

/** Files below `root`: `objects/ab/<version>` once they are whole, `incoming/<version>` until then. */
export function buildDiskStore(root: string): ObjectStore {
  const finished = (version: string) => join(root, 'objects', version.slice(0, 2), version)
  const incoming = (version: string) => join(root, 'incoming', version)

  return {
    async write(version, content) {
      const temporary = incoming(version)
      const hash = createHash('md5')
      let sizeBytes = 0
      await mkdir(dirname(temporary), { recursive: true })
      try {
        await pipeline(
          content,
          async function* measure(chunks: AsyncIterable<Uint8Array>) {
            for await (const chunk of chunks) {
              sizeBytes += chunk.byteLength
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
        )
        await publish(temporary, finished(version))
      } catch (error) {
        await rm(temporary, { force: true })
        throw isDiskFull(error) ? storageErrors.storageFull(error) : error
      }
      return { sizeBytes, md5: hash.digest('hex') }
    },

    async read(version, range) {
      const stream = createReadStream(finished(version), range ?? {})
      return new Promise((resolve, reject) => {
        stream.once('open', () => resolve(stream))
        stream.once('error', (error) => reject(storageErrors.lostContent(error)))
      })
    },

    async copy(from, to) {
      const target = finished(to)
      await mkdir(dirname(target), { recursive: true })
      // Content never changes, so two versions may share it; a file system without links gets a copy.
      await link(finished(from), target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw storageErrors.lostContent(error)
        await copyFile(finished(from), incoming(to))
        await publish(incoming(to), target)
      })
    },

    async remove(version) {
      await rm(finished(version), { force: true })
    },

    async *listBefore(time) {
      for await (const file of filesBelow(join(root, 'objects'))) {
        if ((await changedAt(file.path)) < time) yield file.name
      }
    },

    async removeUnfinishedBefore(time) {
      for await (const file of filesBelow(join(root, 'incoming'))) {
        if ((await changedAt(file.path)) < time) await rm(file.path, { force: true })
      }
    },
  }
}

/** Gives a finished file its name, and makes the name survive a power cut: the folder itself is written out too. */
async function publish(temporary: string, target: string) {
  await mkdir(dirname(target), { recursive: true })
  await rename(temporary, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function* filesBelow(folder: string): AsyncIterable<{ name: string; path: string }> {
  const entries = await opendir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // nothing has been stored yet
    throw error
  })
  for await (const entry of entries) {
    if (entry.isFile()) yield { name: entry.name, path: join(entry.parentPath, entry.name) }
  }
}

/** A file that went away meanwhile counts as new, so that nobody touches it. */
async function changedAt(path: string): Promise<Date> {
  const found = await stat(path).catch(() => undefined)
  return found?.ctime ?? new Date()
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT'
}
