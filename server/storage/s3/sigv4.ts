import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { s3Errors } from './s3-errors.ts'

// AWS Signature Version 4, the server's side (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html).
// Why no library: docs/decisions/0023-parts-that-no-library-makes-smaller.md.

const algorithm = 'AWS4-HMAC-SHA256'
export const longestSkewMs = 15 * 60 * 1000
export const longestPresignedSeconds = 7 * 24 * 3600
export const unsignedPayload = 'UNSIGNED-PAYLOAD'

/** The signed parts of a request. `url` is path and query as received. */
export type SignedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The name that the client used for this server; a proxy may have put another into `headers.host`. */
  readonly host: string
}

/** The claimed signer and time of a request, not yet verified. */
export type Signature = {
  readonly accessKeyId: string
  readonly sessionToken: string | undefined
  /** `20260102/eu-central-1/s3/aws4_request` */
  readonly scope: string
  readonly date: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** The body's part of the signature: its hash, or its transfer mode. */
  readonly payload: string
  readonly presigned: boolean
}

/** @throws AccessDenied (403), AuthorizationHeaderMalformed, MissingSecurityHeader (400), RequestTimeTooSkewed (403). */
export function readSignature(request: SignedRequest, now = new Date()): Signature {
  const signature = readPresigned(request, now) ?? readHeader(request, now)
  if (!signature) throw s3Errors.accessDenied("Anonymous access isn't supported. Sign the request.")
  if (!/^[^/]+\/[^/]*\/s3\/aws4_request$/.test(signature.scope) || !signature.signedHeaders.includes('host')) {
    throw s3Errors.malformedAuthorization()
  }
  return signature
}

function readHeader({ headers }: SignedRequest, now: Date): Signature | undefined {
  const { authorization } = headers
  if (authorization === undefined) return undefined
  const fields =
    /^AWS4-HMAC-SHA256\s+Credential=([^/,]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(
      authorization.trim(),
    )
  if (!fields) throw s3Errors.malformedAuthorization()
  const [, accessKeyId = '', scope = '', signedHeaders = '', signature = ''] = fields
  const date = text(headers['x-amz-date']) ?? ''
  const payload = text(headers['x-amz-content-sha256'])
  if (!payload) throw s3Errors.missingHeader('x-amz-content-sha256')
  if (Math.abs(readDate(date).getTime() - now.getTime()) > longestSkewMs) throw s3Errors.timeSkewed()
  return {
    accessKeyId,
    scope,
    date,
    signature,
    payload,
    sessionToken: text(headers['x-amz-security-token']),
    signedHeaders: signedHeaders.split(';'),
    presigned: false,
  }
}

function readPresigned({ url }: SignedRequest, now: Date): Signature | undefined {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  if (!query.has('X-Amz-Signature')) return undefined
  const [accessKeyId = '', ...scope] = (query.get('X-Amz-Credential') ?? '').split('/')
  const date = query.get('X-Amz-Date') ?? ''
  const seconds = Number(query.get('X-Amz-Expires'))
  if (query.get('X-Amz-Algorithm') !== algorithm || !Number.isInteger(seconds) || seconds < 1) {
    throw s3Errors.malformedAuthorization()
  }
  if (seconds > longestPresignedSeconds) throw s3Errors.malformedAuthorization('X-Amz-Expires must be at most 604800')
  const madeAt = readDate(date).getTime()
  if (madeAt - now.getTime() > longestSkewMs) throw s3Errors.timeSkewed()
  if (madeAt + seconds * 1000 < now.getTime()) throw s3Errors.accessDenied('Request has expired')
  return {
    accessKeyId,
    date,
    scope: scope.join('/'),
    signature: query.get('X-Amz-Signature') ?? '',
    sessionToken: query.get('X-Amz-Security-Token') ?? undefined,
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    payload: query.get('X-Amz-Content-Sha256') ?? unsignedPayload,
    presigned: true,
  }
}

/** True when the signature was made with the secret. @returns also the key for chunk signatures. */
export function verifySignature(
  request: SignedRequest,
  signature: Signature,
  secret: string,
): { valid: boolean; key: Buffer } {
  const key = signingKey(secret, signature.scope)
  const hosts = new Set([request.headers.host ?? '', request.host])
  const valid = [...hosts].some((host) => {
    const toSign = [
      algorithm,
      signature.date,
      signature.scope,
      sha256(canonicalRequest(request, signature, host)),
    ].join('\n')
    return timingSafeEqualText(hmac(key, toSign).toString('hex'), signature.signature)
  })
  return { valid, key }
}

export function signingKey(secret: string, scope: string): Buffer {
  return scope.split('/').reduce((key: Buffer, part) => hmac(key, part), Buffer.from(`AWS4${secret}`))
}

export function hmac(key: Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value).digest()
}

export function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

function canonicalRequest(
  { method, url, headers }: SignedRequest,
  { signedHeaders, payload }: Signature,
  host: string,
): string {
  const [path = '', query = ''] = url.split('?')
  const lines = signedHeaders.map((name) => {
    const value = name === 'host' ? host : (text(headers[name]) ?? '')
    return `${name}:${value.trim().replace(/\s+/g, ' ')}\n`
  })
  return [
    method,
    path.split('/').map(reencode).join('/'),
    canonicalQuery(query),
    lines.join(''),
    signedHeaders.join(';'),
    payload,
  ].join('\n')
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const cut = pair.indexOf('=')
      const [name, value] = cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)]
      return [reencode(name), reencode(value)] as const
    })
    .toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Clients escape different characters; the signature covers one form, which escapes all but ASCII alphanumerics and `-_.~`. */
function reencode(piece: string): string {
  let plain = piece
  try {
    plain = decodeURIComponent(piece)
  } catch {
    // Not a valid escape: used unchanged.
  }
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** @param date `20260102T030405Z` */
export function readDate(date: string): Date {
  const fields = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  const [, year, month, day, hour, minute, second] = fields ?? []
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // Rejects month 13: compared with now, an invalid date is neither too early nor too late, so the link would never expire.
  if (Number.isNaN(moment.getTime())) throw s3Errors.missingHeader('x-amz-date')
  return moment
}

function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
