import type { CallerDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import type { LinkPurpose, VerifiedLink } from './link-tokens.ts'
import { type ContentRow, findContent, lifetime, type Place } from './object-queries.ts'
import { requireObject } from './require-version.ts'
import type { StorageParts } from './storage-parts.ts'

/**
 * An object as the caller may read it. A public bucket needs no permission. `cacheControl` says who may cache the answer.
 * @throws NoSuchBucket (404), NoSuchKey (404).
 */
export async function findForCaller({ rowCache }: StorageParts, db: CallerDb, place: Place, versionId?: string) {
  const limits = await rowCache.bucket(place.bucket)
  if (!limits) throw storageErrors.noSuchBucket()
  const found = limits.public ? await rowCache.content(place) : await findContent(db, place.bucket, place.name)
  const object = requireObject(found, versionId)
  return { object, cacheControl: limits.public ? lifetime(object) : `private, ${lifetime(object)}` }
}

/** An object of a public bucket, as the service. @throws NoSuchBucket (404), also for a bucket that isn't public; NoSuchKey (404). */
export async function findInPublicBucket({ rowCache }: StorageParts, place: Place, versionId?: string) {
  const limits = await rowCache.bucket(place.bucket)
  if (!limits?.public) throw storageErrors.noSuchBucket()
  const object = requireObject(await rowCache.content(place), versionId)
  return { object, cacheControl: lifetime(object) }
}

/**
 * What a link opens. As the service: the permission to read was checked when the link was made (POST-47).
 * @throws as `links.verify`; NoSuchKey (404), also when the content that a stable link is for was replaced.
 */
export async function findLinked(
  { links, rowCache }: Pick<StorageParts, 'links' | 'rowCache'>,
  purpose: LinkPurpose | LinkPurpose[],
  token: string,
  { bucket, name }: Place,
): Promise<{ readonly link: VerifiedLink; readonly object: ContentRow }> {
  const link = await links.verify(purpose, token, `${bucket}/${name}`)
  const object = await rowCache.content({ bucket, name })
  if (!object || (link.version !== undefined && link.version !== object.version)) throw storageErrors.noSuchKey()
  return { link, object }
}
