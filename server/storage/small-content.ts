import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from './object-store.ts'

/** Avatars, thumbnails, playlists: a page requests them by the dozen, and opening them costs more than sending them. */
export const smallBytes = 64 * 1024
const mostBytes = 32 * 1024 * 1024

/** By version, the least recently used first. Content never changes, so no entry is ever outdated. */
const kept = new Map<string, Buffer>()
let keptBytes = 0

/** The whole of a small content, from memory if it was read recently. @throws as `store.read`. */
export async function readSmall(store: ObjectStore, version: string): Promise<Buffer> {
  const content = kept.get(version) ?? (await buffer(await store.read(version)))
  if (kept.delete(version)) keptBytes -= content.byteLength
  kept.set(version, content)
  keptBytes += content.byteLength
  for (const [oldest, { byteLength }] of kept) {
    if (keptBytes <= mostBytes) break
    kept.delete(oldest)
    keptBytes -= byteLength
  }
  return content
}
