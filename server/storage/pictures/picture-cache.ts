import { createHash, randomUUID } from 'node:crypto'
import { mkdir, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Renderings on this node's disk. They may be deleted at any time: all of them can be made again. */
export type PictureCache = {
  /**
   * The path of the file that `make` wrote, now or earlier. Concurrent requests wait for one run.
   * @param version of the source picture.
   * @param name identifies a rendering of the picture.
   */
  get(version: string, name: string, make: (target: string) => Promise<void>): Promise<string>
  /** Whether that rendering exists. */
  has(version: string, name: string): Promise<boolean>
  /** Whether this picture has at least so many renderings. */
  hasAsMany(version: string, renderings: number): Promise<boolean>
  /** Removes renderings without an original, and the least recently used above `maxBytes`. */
  sweep(knownVersions: (versions: string[]) => Promise<Set<string>>, now?: Date): Promise<void>
}

/** Uses are recorded on the file only from time to time, so that reads cause few writes. */
const useNotedEveryMs = 3_600_000
/** A file younger than this may still be written, so it is left alone. */
const unfinishedMs = 3_600_000

const maxWellKnown = 10_000

type Cached = { readonly path: string; readonly bytes: number; readonly usedAt: number }

/**
 * Files below `root`: `ab/<version>/<hash of the name>`. Whenever a tenth of `maxBytes` has been added, the least recently
 * used files are removed until the rest is at most `maxBytes`.
 */
export function buildPictureCache(root: string, maxBytes: number): PictureCache {
  const making = new Map<string, Promise<string>>()
  /** Pictures that had many renderings since the last trim: listing a full folder for each request is what an attacker would like. */
  const wellKnown = new Set<string>()
  let freshBytes = 0
  let trimming = false

  async function make(path: string, write: (target: string) => Promise<void>): Promise<string> {
    const unfinished = `${path}.${randomUUID()}.tmp`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      await write(unfinished)
      freshBytes += (await stat(unfinished)).size
      await rename(unfinished, path)
    } finally {
      await rm(unfinished, { force: true })
    }
    if (!trimming) trimWhileGrowing().catch(() => undefined) // the sweep tries the same and logs a failing disk
    return path
  }

  async function trimWhileGrowing() {
    trimming = true
    try {
      while (freshBytes > maxBytes / 10) await trim()
    } finally {
      trimming = false
    }
  }

  async function trim(now = new Date()) {
    freshBytes = 0
    wellKnown.clear()
    const files: Cached[] = []
    for (const folder of await foldersIn(root)) {
      for (const version of await foldersIn(join(root, folder))) {
        files.push(...(await filesIn(join(root, folder, version), now)))
      }
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    files.sort((one, other) => one.usedAt - other.usedAt)
    for (const file of files) {
      if (bytes <= maxBytes) return
      await rm(file.path, { force: true })
      bytes -= file.bytes
    }
  }

  const folderOf = (version: string) => join(root, version.slice(0, 2), version)
  const pathOf = (version: string, name: string) =>
    join(folderOf(version), createHash('sha256').update(name).digest('hex'))

  return {
    async has(version, name) {
      const path = pathOf(version, name)
      return making.has(path) || (await stat(path).catch(() => undefined)) !== undefined
    },

    async hasAsMany(version, renderings) {
      if (wellKnown.has(version)) return true
      const hasMany = (await namesIn(folderOf(version), 'isFile')).length >= renderings
      if (hasMany && wellKnown.size < maxWellKnown) wellKnown.add(version)
      return hasMany
    },

    async get(version, name, write) {
      const path = pathOf(version, name)
      const found = await stat(path).catch(() => undefined)
      if (found) {
        const now = new Date()
        if (now.getTime() - found.mtimeMs > useNotedEveryMs) await utimes(path, now, now).catch(() => undefined)
        return path
      }
      const begun = making.get(path) ?? make(path, write).finally(() => making.delete(path))
      making.set(path, begun)
      return begun
    },

    async sweep(knownVersions, now = new Date()) {
      for (const folder of await foldersIn(root)) {
        const versions = await foldersIn(join(root, folder))
        const known = await knownVersions(versions)
        const gone = versions.filter((version) => !known.has(version))
        for (const version of gone) await rm(join(root, folder, version), { recursive: true, force: true })
      }
      await trim(now)
    },
  }
}

async function namesIn(folder: string, wanted: 'isDirectory' | 'isFile'): Promise<string[]> {
  const names: string[] = []
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // the folder doesn't exist yet, or was just removed
    throw error
  })
  for await (const entry of entries) if (entry[wanted]()) names.push(entry.name)
  return names
}
const foldersIn = (folder: string): Promise<string[]> => namesIn(folder, 'isDirectory')

/** Also removes half-written files that a crash left. */
async function filesIn(folder: string, now: Date): Promise<Cached[]> {
  const files: Cached[] = []
  for (const name of await namesIn(folder, 'isFile')) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (!found) continue
    if (!name.endsWith('.tmp')) files.push({ path, bytes: found.size, usedAt: found.mtimeMs })
    else if (now.getTime() - found.mtimeMs > unfinishedMs) await rm(path, { force: true })
  }
  return files
}
