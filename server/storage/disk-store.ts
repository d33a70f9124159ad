import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, copyFile, link, mkdir, open, opendir, rename, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { storageErrors } from './errors.ts'
import type { ObjectStore, StoredContent, StoredPart } from './object-store.ts'
import { sendFile } from './send-file.ts'

/** Large enough that a file of 1 GB takes thousands of reads, not tens of thousands. */
const readBytes = 256 * 1024

/**
 * Files below `root`: `objects/ab/<version>` once they are complete, `incoming/…` until then, `parts/<file>` for uploads that
 * arrive in pieces.
 */
export function buildDiskStore(root: string): ObjectStore {
  const finished = (version: string) => join(root, 'objects', version.slice(0, 2), version)
  const incoming = () => join(root, 'incoming', randomUUID())
  const part = (file: string) => join(root, 'parts', file)
  /** Part files that this process began. Other files may still have a writer in another process, so they are never written to. */
  const ownParts = new Set<string>()

  async function* readParts(parts: readonly StoredPart[]) {
    for (const { file, start, sizeBytes } of parts) {
      if (sizeBytes === 0) continue
      yield* createReadStream(part(file), { start, end: start + sizeBytes - 1, highWaterMark: readBytes })
    }
  }

  /** Gives a complete file its name and syncs the folder, so that the name survives a power cut. */
  async function publish<Result>(target: string, write: (temporary: string) => Promise<Result>): Promise<Result> {
    const temporary = incoming()
    await makeFolder(dirname(temporary))
    await makeFolder(dirname(target))
    try {
      const result = await write(temporary)
      await rename(temporary, target)
      await syncFolder(dirname(target))
      return result
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  return {
    async write(version, content) {
      return publish(finished(version), (temporary) => writeFile(temporary, content, { flags: 'wx' }))
    },

    async read(version, range) {
      const stream = createReadStream(finished(version), { ...range, highWaterMark: readBytes })
      return new Promise((resolve, reject) => {
        stream.once('open', () => resolve(stream))
        stream.once('error', (error) => reject(storageErrors.lostContent(error)))
      })
    },

    async open(version, range) {
      const file = await open(finished(version), 'r').catch((error: unknown) => {
        throw storageErrors.lostContent(error)
      })
      return { sendTo: (receiver) => sendFile(file, range, receiver) }
    },

    async saveAs(version, path) {
      await linkOrCopy(finished(version), path)
    },

    async copy(from, to) {
      await publish(finished(to), (temporary) => linkOrCopy(finished(from), temporary))
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

    async writePart(content, after) {
      if (after && ownParts.has(after.file)) {
        // Bytes behind `after` come from a failed write: they are overwritten here, or cut off during assembly.
        const start = after.start + after.sizeBytes
        return { ...(await writeFile(part(after.file), content, { flags: 'r+', start })), file: after.file, start }
      }
      const file = randomUUID()
      const folder = dirname(part(file))
      await makeFolder(folder)
      try {
        const measured = await writeFile(part(file), content, { flags: 'wx' })
        await syncFolder(folder)
        ownParts.add(file)
        return { ...measured, file, start: 0 }
      } catch (error) {
        await rm(part(file), { force: true })
        throw error
      }
    },

    readParts,

    async assemble(version, parts) {
      const whole = wholeFile(parts)
      if (!whole) {
        await publish(finished(version), (temporary) => writeFile(temporary, readParts(parts), { flags: 'wx' }))
        return
      }
      const path = part(whole.file)
      ownParts.delete(whole.file) // from here on its bytes are content, and content never changes
      const { size } = await stat(path)
      if (size < whole.sizeBytes) throw storageErrors.lostContent(new Error(`part ${whole.file} is too short`))
      await truncate(path, whole.sizeBytes)
      await publish(finished(version), (temporary) => linkOrCopy(path, temporary))
    },

    async removePart(file) {
      ownParts.delete(file)
      await rm(part(file), { force: true })
    },

    async *listPartsBefore(time) {
      for await (const file of filesBelow(join(root, 'parts'))) {
        if ((await changedAt(file.path)) < time) yield file.name
      }
    },

    async linkTo() {
      return undefined // the files are behind us
    },

    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await access(root, constants.R_OK | constants.W_OK)
    },
  }
}

/** Writes a stream and syncs it to the disk. @throws InsufficientStorage (507). */
async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: { flags: 'wx' | 'r+'; start?: number },
): Promise<StoredContent> {
  const hash = createHash('md5')
  let sizeBytes = 0
  async function* measure(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.byteLength
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(content, measure, createWriteStream(path, { ...options, mode: 0o600, flush: true })).catch((error) => {
    throw isDiskFull(error) ? storageErrors.storageFull(error) : error
  })
  return { sizeBytes, md5: hash.digest('hex') }
}

/** The one file that holds all parts from its first byte on, and their total size. */
function wholeFile(parts: readonly StoredPart[]): { file: string; sizeBytes: number } | undefined {
  const [first] = parts
  if (!first) return undefined
  let sizeBytes = 0
  for (const { file, start, sizeBytes: more } of parts) {
    if (file !== first.file || start !== sizeBytes) return undefined
    sizeBytes += more
  }
  return { file: first.file, sizeBytes }
}

/** Content never changes, so two names may share it; a file system without links gets a copy. */
async function linkOrCopy(from: string, to: string) {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw storageErrors.lostContent(error)
    await copyFile(from, to)
  })
}

/** A power cut removes a folder and its contents unless the folder's own name is synced. */
async function makeFolder(path: string) {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    await syncFolder(dirname(made))
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
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

/** A file that was deleted in the meantime counts as new, so that nobody touches it. */
async function changedAt(path: string): Promise<Date> {
  const found = await stat(path).catch(() => undefined)
  return found?.ctime ?? new Date()
}

/** EFBIG: a limit on the size of one file, the file system's or the process's. */
function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
}
