import {
  createLocalJWKSet,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { errors, GatewayError } from './errors.ts'

/** Signs and verifies access tokens: HS256 with the shared secret, or the first private key of a JWK set. */
export type Tokens = {
  /** @param expiresInSeconds lifetime from now. */
  sign(claims: Record<string, unknown>, expiresInSeconds: number): Promise<string>
  /** @throws GatewayError 401: `jwt_expired`, `bad_audience` or `bad_jwt`. */
  verify(token: string): Promise<Record<string, unknown>>
  /** The result of `verify`, if the token was verified before and is still valid. */
  cached(token: string): Record<string, unknown> | undefined
  /** The public keys in `/.well-known/jwks.json` (API-AUTH-23). Empty with a shared secret, which is never published. */
  readonly publicKeys: JSONWebKeySet
  /** Whether the public keys can verify the tokens of `sign`. */
  readonly isVerifiableByOthers: boolean
}

/** `token_use` of an ID token, which tells an application who a user is. It gives access to no API. */
export const idTokenUse = 'id'

const maxCached = 10_000
/** The tolerated difference between two machines' clocks. */
const clockToleranceSeconds = 5

/** @param audience rejects tokens for others; a token that names none is for everyone, like PostgREST's `jwt-aud`. */
export async function buildTokens(
  jwtSecret: string,
  signingKeys: string | undefined,
  audience?: string,
): Promise<Tokens> {
  const own: JWK = { kty: 'oct', k: Buffer.from(jwtSecret).toString('base64url') }
  const secret = await importSecret(own)
  const keySet = signingKeys ? parseKeySet(signingKeys) : { keys: [] }
  const publicKeys: JSONWebKeySet = { keys: keySet.keys.filter(isAsymmetric).map(publicPart) }
  const signer = findSigner(keySet.keys)
  const seal = await sealWithKey(signer ?? own)
  const findPublicKey = createLocalJWKSet(publicKeys)
  const shared = keySet.keys.filter((key) => !isAsymmetric(key))
  const secrets = new Map(await Promise.all(shared.map(async (key) => [key.kid, await importSecret(key)] as const)))
  const secretOf = (kid: string | undefined) => (kid === undefined ? undefined : secrets.get(kid)) ?? secret
  // Caches verified tokens: the signature is checked once, the expiry each time.
  const verified = new LRUCache<string, Record<string, unknown>>({ max: maxCached })

  async function check(token: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(
        token,
        (protectedHeader, jws) =>
          protectedHeader.alg === 'HS256' ? secretOf(protectedHeader.kid) : findPublicKey(protectedHeader, jws),
        { algorithms: ['HS256', 'RS256', 'ES256'], clockTolerance: clockToleranceSeconds },
      )
      if (payload.token_use === idTokenUse) throw errors.invalidToken('An ID token is not an access token')
      if (audience !== undefined && ![payload.aud ?? audience].flat().includes(audience)) throw errors.wrongAudience()
      return payload
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (error instanceof joseErrors.JWTExpired) throw errors.expiredToken()
      throw errors.invalidToken(error instanceof Error ? error.message : undefined)
    }
  }

  function cached(token: string) {
    const claims = verified.get(token)
    return claims && !isExpired(claims) ? claims : undefined
  }

  return {
    publicKeys,
    isVerifiableByOthers: signer !== undefined && isAsymmetric(signer),
    cached,
    sign(claims, expiresInSeconds) {
      const now = Math.floor(Date.now() / 1000)
      return seal({ iat: now, exp: now + expiresInSeconds, ...claims })
    },
    async verify(token) {
      const known = cached(token)
      if (known) return known
      const claims = await check(token)
      verified.set(token, claims)
      return claims
    },
  }
}

type Seal = (claims: Record<string, unknown>) => Promise<string>

const isAsymmetric = ({ kty }: JWK): boolean => kty !== 'oct'

/** The key that declares signing, as in GoTrue; otherwise the first that can sign. */
function findSigner(keys: readonly JWK[]): JWK | undefined {
  const able = keys.filter((key) => (isAsymmetric(key) ? key.d : key.k) !== undefined)
  return able.find(({ key_ops }) => key_ops?.includes('sign')) ?? able[0]
}

/** @throws an Error whose sentence names JWT_SIGNING_KEYS. */
async function sealWithKey(signer: JWK): Promise<Seal> {
  const alg = isAsymmetric(signer) ? (signer.alg ?? (signer.kty === 'RSA' ? 'RS256' : 'ES256')) : 'HS256'
  // Supabase's tools write ["sign", "verify"] for the private key, which WebCrypto doesn't import.
  const { key_ops: _operations, use: _use, ...bare } = signer
  const key = await (isAsymmetric(signer) ? importJWK(bare, alg) : importSecret(signer)).catch((cause: unknown) => {
    throw new Error("JWT_SIGNING_KEYS has a key that can't be used to sign.", { cause })
  })
  const header = { alg, typ: 'JWT', ...(signer.kid && { kid: signer.kid }) }
  return (claims) => new SignJWT(claims).setProtectedHeader(header).sign(key)
}

/** As a key of WebCrypto: given bytes, jose imports them again for every signature. */
const importSecret = ({ k = '' }: JWK) =>
  crypto.subtle.importKey('raw', Buffer.from(k, 'base64url'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

function isExpired(claims: Record<string, unknown>): boolean {
  return typeof claims.exp === 'number' && claims.exp + clockToleranceSeconds <= Date.now() / 1000
}

/** @throws an Error whose sentence names JWT_SIGNING_KEYS. */
function parseKeySet(text: string): { keys: JWK[] } {
  try {
    const parsed = JSON.parse(text) as { keys?: JWK[] } | JWK[]
    const keys = Array.isArray(parsed) ? parsed : (parsed.keys ?? [])
    if (keys.length > 0 && keys.every(isUsable)) return { keys }
  } catch {
    // Handled below: text that isn't JSON and a set without usable keys are the same mistake.
  }
  throw new Error(
    'JWT_SIGNING_KEYS must be a JWK set with EC, RSA, or oct keys, and an oct key needs a kid and at least 32 bytes.',
  )
}

function isUsable({ kty, kid, k }: JWK): boolean {
  if (kty !== 'oct') return kty === 'EC' || kty === 'RSA'
  return kid !== undefined && Buffer.from(k ?? '', 'base64url').length >= 32
}

function publicPart({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, k: _k, ...key }: JWK): JWK {
  return { ...key, key_ops: ['verify'] }
}
