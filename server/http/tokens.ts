import { createHmac, createSecretKey } from 'node:crypto'
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
  /** What `verify` would resolve to, when the token was verified before and is still good. */
  remembered(token: string): Record<string, unknown> | undefined
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
  const seal = signer ? await sealWithKey(signer) : sealWithSecret(jwtSecret)
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

  function remembered(token: string) {
    const known = verified.get(token)
    if (known && !isExpired(known)) return known
    verified.delete(token)
    return undefined
  }

  return {
    publicKeys,
    remembered,
    sign(claims, expiresInSeconds) {
      const now = Math.floor(Date.now() / 1000)
      return seal({ iat: now, exp: now + expiresInSeconds, ...claims })
    },
    async verify(token) {
      const known = remembered(token)
      if (known) return known
      const claims = await check(token)
      if (verified.size >= maxCached) verified.clear()
      verified.set(token, claims)
      return claims
    },
  }
}

type Seal = (claims: Record<string, unknown>) => Promise<string>

async function sealWithKey(signer: JWK): Promise<Seal> {
  const alg = signer.alg ?? 'ES256'
  const key = await importJWK(signer, alg)
  const header = { alg, typ: 'JWT', ...(signer.kid && { kid: signer.kid }) }
  return (claims) => new SignJWT(claims).setProtectedHeader(header).sign(key)
}

/** HS256 (RFC 7515) on the spot: jose takes it to a thread and copies claims and key for it, a quarter of what a refresh costs. */
function sealWithSecret(jwtSecret: string): Seal {
  const key = createSecretKey(jwtSecret, 'utf8')
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')
  return async (claims) => {
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
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
