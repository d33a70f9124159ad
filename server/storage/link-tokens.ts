import { hkdfSync } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { storageErrors } from './errors.ts'

/** What a link opens: reading one object, or writing one. */
export type LinkPurpose = 'download' | 'upload'

export type LinkClaims = {
  /** `bucket/path`: the one object the link is for. */
  readonly url: string
  /** Upload links: whose object it becomes, and whether it may replace one. */
  readonly owner?: string
  readonly upsert?: boolean
}

export type LinkTokens = {
  sign(purpose: LinkPurpose, claims: LinkClaims, expiresInSeconds: number): Promise<string>
  /** @throws InvalidJWT (400) when forged, expired or made for something else; InvalidSignature (400) for another path. */
  verify(purpose: LinkPurpose, token: string, url: string): Promise<LinkClaims & { readonly expiresAt: Date }>
}

/**
 * Links are signed with a key of their own, drawn from the JWT secret: an access token is never a link and a link is never an
 * access token, whatever their claims say. The audience keeps the two kinds of links apart.
 */
export function buildLinkTokens(jwtSecret: string): LinkTokens {
  const key = new Uint8Array(hkdfSync('sha256', jwtSecret, '', 'ovation storage links', 32))
  const audience = (purpose: LinkPurpose) => `storage:${purpose}`
  return {
    sign(purpose, { url, owner, upsert }, expiresInSeconds) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ url, ...(owner && { owner }), ...(upsert && { upsert }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience(purpose))
        .setIssuedAt(now)
        .setExpirationTime(now + expiresInSeconds)
        .sign(key)
    },
    async verify(purpose, token, url) {
      const { payload } = await jwtVerify<LinkClaims>(token, key, {
        algorithms: ['HS256'],
        audience: audience(purpose),
        requiredClaims: ['exp', 'url'],
      }).catch((error: unknown) => {
        const expired = error instanceof joseErrors.JWTExpired
        throw storageErrors.invalidLink(expired ? '"exp" claim timestamp check failed' : 'Invalid link token')
      })
      if (payload.url !== url) throw storageErrors.wrongLink()
      const { owner, upsert, exp = 0 } = payload
      return { url, owner, upsert, expiresAt: new Date(exp * 1000) }
    },
  }
}
