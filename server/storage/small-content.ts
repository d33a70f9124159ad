import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from './object-store.ts'

/** Avatars, thumbnails, playlists: what a page asks for by the dozen, and what costs more to open than to send. */
export const smallBytes = 64 * 1024
const mostBytes = 32 * 1024 * 1024

/** By version, the least recently asked for first. Content never changes, so nothing here is ever out of date. */
const kept = new Map<string, Buffer>()
let keptBytes = 0

/** The whole of small content, from memory where it was read lately. @throws as `store.read`. */
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
