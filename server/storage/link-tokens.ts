import { hkdfSync, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { storageErrors } from './errors.ts'

import type { Transform } from './pictures/transform.ts'

/** What a link allows: reading one object, viewing one rendering of a picture, or writing an object. */
export type LinkPurpose = 'download' | 'image' | 'upload'

export type LinkClaims = {
  /** `bucket/path`: the one object the link is for. */
  readonly url: string
  /** Stable links: the one content they open. Absent: whatever is at the path. */
  readonly version?: string
  /** Upload links: the role that writes the file, and whether it may replace one. */
  readonly maker?: LinkMaker
  readonly upsert?: boolean
  /** Picture links: the one rendering it is for; absent: any. */
  readonly transform?: Transform
  /** Picture links: the watermark text. */
  readonly mark?: string
}

/** The maker of an upload link. The file is written on their behalf, under the policies in force at that time. */
export type LinkMaker = {
  readonly role: string
  /** Absent: an API key, not an account. */
  readonly owner?: string
  readonly aal?: string
  /** The link ends with this session. */
  readonly session?: string
  /** The connected app that made it for the owner. */
  readonly client?: string
}

export type VerifiedLink = LinkClaims & {
  /** Identifies an upload link: each works once. Empty for the others. */
  readonly id: string
  readonly expiresAt: Date
}

export type LinkTokens = {
  sign(purpose: LinkPurpose, claims: LinkClaims, expiresInSeconds: number): Promise<string>
  /** The same claims and end give the same token, on every node. @param end in seconds since 1970. */
  signUntil(purpose: 'download' | 'image', claims: LinkClaims, end: number): Promise<string>
  /** @throws InvalidJWT (400) when forged, expired, or made for another purpose; InvalidSignature (400) for another path. */
  verify(purpose: LinkPurpose | LinkPurpose[], token: string, url: string): Promise<VerifiedLink>
}

const mostVerified = 5000

/**
 * Links are signed with a separate key, derived from the JWT secret: an access token is never a link and a link is never an
 * access token, whatever their claims say. The audience keeps the two kinds of links apart.
 */
export function buildLinkTokens(jwtSecret: string): LinkTokens {
  const key = new Uint8Array(hkdfSync('sha256', jwtSecret, '', 'ovation storage links', 32))
  const audience = (purpose: LinkPurpose) => `storage:${purpose}`
  /** Verified links: a player requests a video's ranges with the same link a hundred times. */
  const verified = new Map<string, VerifiedLink>()
  const buildToken = (
    purpose: LinkPurpose,
    { url, version, maker, upsert, transform, mark }: LinkClaims,
    end: number,
  ) =>
    new SignJWT({
      url,
      ...(version && { version }),
      ...(maker && { maker }),
      ...(upsert && { upsert }),
      ...(transform && { transform }),
      ...(mark && { mark }),
      ...(purpose === 'upload' && { jti: randomUUID() }),
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience(purpose))
      .setExpirationTime(end)
  return {
    sign(purpose, claims, expiresInSeconds) {
      const now = inSeconds(Date.now())
      return buildToken(purpose, claims, now + expiresInSeconds)
        .setIssuedAt(now)
        .sign(key)
    },
    signUntil: (purpose, claims, end) => buildToken(purpose, claims, end).sign(key),
    async verify(purpose, token, url) {
      const known = `${[purpose].flat().join()} ${token}`
      const before = verified.get(known)
      if (before && before.url === url && before.expiresAt.getTime() > Date.now()) return before
      const { payload } = await jwtVerify<LinkClaims>(token, key, {
        algorithms: ['HS256'],
        audience: [purpose].flat().map(audience),
        requiredClaims: ['exp', 'url'],
      }).catch((error: unknown) => {
        const expired = error instanceof joseErrors.JWTExpired
        throw storageErrors.invalidLink(expired ? '"exp" claim timestamp check failed' : 'Invalid link token')
      })
      if (payload.url !== url) throw storageErrors.wrongLink()
      const { version, maker, upsert, transform, mark, jti = '', exp = 0 } = payload
      const claims = { id: jti, url, version, maker, upsert, transform, mark, expiresAt: new Date(exp * 1000) }
      if (verified.size >= mostVerified) verified.clear()
      verified.set(known, claims)
      return claims
    },
  }
}

const inSeconds = (ms: number): number => Math.floor(ms / 1000)

/** The remaining lifetime of a link; 0 when it has expired. */
const secondsUntil = (expiresAt: Date): number => Math.max(0, inSeconds(expiresAt.getTime() - Date.now()))

/**
 * How long the response to a link may be kept: until the link ends, and no longer. What a stable link opens never changes and depends on
 * nothing else, so a cache in between may give it to anyone who has the link.
 */
export function lifetimeOf({ version, expiresAt }: VerifiedLink) {
  const seconds = secondsUntil(expiresAt)
  return {
    seconds,
    cacheControl: version === undefined ? `private, max-age=${seconds}` : `public, max-age=${seconds}, immutable`,
  }
}

/**
 * When a stable link ends: after at most `seconds`, and at least half of them. All who ask within the same half get the same end.
 * @param of shifts the halves, so that the links to all files don't end at once. Empty: they begin at midnight UTC, if a day has a whole
 * number of them.
 * @returns seconds since 1970.
 */
export function stableEnd(seconds: number, of = '', now = Date.now()): number {
  const half = Math.ceil(seconds / 2)
  const latest = inSeconds(now) + seconds
  return latest - ((latest - (crc32(of) % half)) % half)
}
