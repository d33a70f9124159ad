import type { Caller } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { type LinkTokens, stableEnd } from './link-tokens.ts'
import { findObject, findObjects, findPostFiles, type ObjectRow } from './object-queries.ts'
import type { Transform } from './pictures/transform.ts'

/** A link outlives the permission to make it, so only the service makes links that last longer (S3's own limit). */
const maxLinkSeconds = 7 * 24 * 3600

export type SignedLink = { readonly error: string | null; readonly path: string; readonly signedURL: string | null }

/**
 * Signs a download link for an object the caller may already read (POST-47, ADM-11).
 * @returns path and query relative to `/storage/v1`; the client adds its own base URL.
 * @throws NoSuchKey (404) when the object is missing or hidden from the caller: both get the same answer on purpose.
 */
export async function signObject(
  db: CallerDb,
  links: LinkTokens,
  { bucket, name, expiresIn, transform }: { bucket: string; name: string; expiresIn: number; transform?: Transform },
) {
  const object = await findObject(db, bucket, name)
  if (!object) throw storageErrors.noSuchKey()
  return signedPath(links, bucket, object, expiresIn, transform)
}

/** Makes the path of the link to one object. */
type Sign = (links: LinkTokens, bucket: string, object: Signable, expiresIn: number) => Promise<string>
type Signable = Pick<ObjectRow, 'name' | 'version' | 'mark' | 'ends_at'>

/**
 * Signs many at once: a path that the caller may not read gets an error in its place, and the others their links.
 * @param sign `signedPath`, as the official client expects it, or `stablePath`.
 */
export async function signObjects(
  db: CallerDb,
  links: LinkTokens,
  bucket: string,
  names: readonly string[],
  expiresIn: number,
  sign: Sign = signedPath,
): Promise<SignedLink[]> {
  const objects = await (bucket === 'posts' ? findPostFiles(db, names) : findObjects(db, bucket, names))
  const found = new Map(objects.map((object) => [object.name, object]))
  return Promise.all(
    names.map(async (path) => {
      const object = found.get(path)
      return object
        ? { error: null, path, signedURL: await sign(links, bucket, object, expiresIn) }
        : { error: 'Either the object does not exist or you do not have access to it', path, signedURL: null }
    }),
  )
}

/** @throws InvalidRequest (400) when a link would last longer than the caller may allow. */
export function requireLinkLifetime({ role }: Caller, expiresIn: number): void {
  if (role !== 'service_role' && expiresIn > maxLinkSeconds) {
    throw storageErrors.invalidRequest(`expiresIn must be at most ${maxLinkSeconds} seconds`)
  }
}

/** The last second of a story, since 1970: no link to its file outlasts it (STORY-01). */
const endOf = (end: Date | null | undefined): number =>
  end ? Math.floor(end.getTime() / 1000) : Number.POSITIVE_INFINITY
const secondsLeft = (end: Date | null | undefined): number => Math.max(1, endOf(end) - Math.floor(Date.now() / 1000))

/**
 * A link to a transformed picture, or to one with the viewer's watermark, leads to its rendering and is signed for nothing else:
 * it can't be used to get the original.
 */
export async function signedPath(
  links: LinkTokens,
  bucket: string,
  { name, mark, ends_at }: Signable,
  seconds: number,
  transform?: Transform,
): Promise<string> {
  const url = `${bucket}/${name}` // not encoded: storage-js encodes the whole URL, and twice would break spaces
  const expiresIn = Math.min(seconds, secondsLeft(ends_at))
  if (transform || mark) {
    const claims = { url, ...(transform && { transform }), ...(mark && { mark }) }
    return `/render/image/sign/${url}?token=${await links.sign('image', claims, expiresIn)}`
  }
  return `/object/sign/${url}?token=${await links.sign('download', { url }, expiresIn)}`
}

/**
 * A stable link (SCALE-06): all who may read the same content with the same permissions get the same one until its window ends, so browsers and
 * caches in between keep what it opens. It carries them in its path, because some caches tell addresses apart by their paths alone.
 * @param expiresIn the longest that it may last; at least half of it.
 * @param spread whether windows of different files begin at different times.
 */
export async function stablePath(
  links: LinkTokens,
  bucket: string,
  { name, version, mark, ends_at }: Signable,
  expiresIn: number,
  { spread = true } = {},
): Promise<string> {
  const url = `${bucket}/${name}`
  const claims = { url, version, ...(mark && { mark }) }
  const end = Math.min(stableEnd(expiresIn, spread ? url : ''), endOf(ends_at))
  const token = await links.signUntil(mark ? 'image' : 'download', claims, end)
  return `/links/${token}/${mark ? 'render/image' : 'object'}/${url}`
}
