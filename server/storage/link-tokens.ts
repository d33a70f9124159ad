import { hkdfSync, randomUUID } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { storageErrors } from './errors.ts'

import type { Transform } from './pictures/transform.ts'

/** What a link allows: reading one object, viewing one rendering of a picture, or writing an object. */
export type LinkPurpose = 'download' | 'image' | 'upload'

export type LinkClaims = {
  /** `bucket/path`: the one object the link is for. */
  readonly url: string
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
  return {
    sign(purpose, { url, maker, upsert, transform, mark }, expiresInSeconds) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({
        url,
        ...(maker && { maker }),
        ...(upsert && { upsert }),
        ...(transform && { transform }),
        ...(mark && { mark }),
        ...(purpose === 'upload' && { jti: randomUUID() }),
      })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience(purpose))
        .setIssuedAt(now)
        .setExpirationTime(now + expiresInSeconds)
        .sign(key)
    },
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
      const { maker, upsert, transform, mark, jti = '', exp = 0 } = payload
      const claims = { id: jti, url, maker, upsert, transform, mark, expiresAt: new Date(exp * 1000) }
      if (verified.size >= mostVerified) verified.clear()
      verified.set(known, claims)
      return claims
    },
  }
}

/** The remaining lifetime of a link; 0 when it has expired. */
export const secondsUntil = (expiresAt: Date): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))
