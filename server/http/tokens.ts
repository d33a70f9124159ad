import {
  createLocalJWKSet,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from 'jose'
import { errors, GatewayError } from './errors.ts'

/** Signs and verifies access tokens: HS256 with the shared secret, or the first private key of a JWK set. */
export type Tokens = {
  /** @param expiresInSeconds lifetime from now. */
  sign(claims: Record<string, unknown>, expiresInSeconds: number): Promise<string>
  /** @throws GatewayError 401: `jwt_expired`, `bad_audience` or `bad_jwt`. */
  verify(token: string): Promise<Record<string, unknown>>
  /** The public keys, as `/.well-known/jwks.json` shows them (API-AUTH-23). Empty with a shared secret: it is never published. */
  readonly publicKeys: JSONWebKeySet
}

const maxCached = 10_000
/** How far the clocks of two machines may differ. */
const clockToleranceSeconds = 5

/** @param audience refuses tokens that are for others; a token that names none is for everybody, as PostgREST's `jwt-aud` has it. */
export async function buildTokens(
  jwtSecret: string,
  signingKeys: string | undefined,
  audience?: string,
): Promise<Tokens> {
  const secret = new TextEncoder().encode(jwtSecret)
  const keySet = signingKeys ? parseKeySet(signingKeys) : { keys: [] }
  const publicKeys: JSONWebKeySet = { keys: keySet.keys.map(publicPart) }
  const signer = keySet.keys.find((key) => key.d !== undefined)
  const signingKey = signer ? await importJWK(signer, signer.alg ?? 'ES256') : secret
  const header = signer
    ? { alg: signer.alg ?? 'ES256', typ: 'JWT', ...(signer.kid && { kid: signer.kid }) }
    : { alg: 'HS256', typ: 'JWT' }
  const findPublicKey = createLocalJWKSet(publicKeys)
  // A verified token is verified for the rest of its life: the signature is checked once, the expiry each time.
  const verified = new Map<string, Record<string, unknown>>()

  async function check(token: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(
        token,
        (protectedHeader, jws) => (protectedHeader.alg === 'HS256' ? secret : findPublicKey(protectedHeader, jws)),
        { algorithms: ['HS256', 'RS256', 'ES256'], clockTolerance: clockToleranceSeconds },
      )
      if (audience !== undefined && ![payload.aud ?? audience].flat().includes(audience)) throw errors.wrongAudience()
      return payload
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (error instanceof joseErrors.JWTExpired) throw errors.expiredToken()
      throw errors.invalidToken(error instanceof Error ? error.message : undefined)
    }
  }

  return {
    publicKeys,
    sign(claims, expiresInSeconds) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ iat: now, exp: now + expiresInSeconds, ...claims })
        .setProtectedHeader(header)
        .sign(signingKey)
    },
    async verify(token) {
      const known = verified.get(token)
      if (known && !isExpired(known)) return known
      verified.delete(token)
      const claims = await check(token)
      if (verified.size >= maxCached) verified.clear()
      verified.set(token, claims)
      return claims
    },
  }
}

function isExpired(claims: Record<string, unknown>): boolean {
  return typeof claims.exp === 'number' && claims.exp + clockToleranceSeconds <= Date.now() / 1000
}

/** @throws an Error whose sentence names JWT_SIGNING_KEYS. */
function parseKeySet(text: string): { keys: JWK[] } {
  try {
    const parsed = JSON.parse(text) as { keys?: JWK[] } | JWK[]
    const keys = Array.isArray(parsed) ? parsed : (parsed.keys ?? [])
    if (keys.length > 0 && keys.every((key) => key.kty === 'EC' || key.kty === 'RSA')) return { keys }
  } catch {
    // Answered below: text that is not JSON and a set without usable keys are the same mistake.
  }
  throw new Error('JWT_SIGNING_KEYS must be a JWK set with EC or RSA keys.')
}

function publicPart({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, k: _k, ...key }: JWK): JWK {
  return { ...key, key_ops: ['verify'] }
}
