import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { chunksOf, limitSize } from '../byte-stream.ts'
import { s3Errors } from './s3-errors.ts'
import { hmac, longestPresignedSeconds, longestSkewMs, readDate, type Signature, signingKey } from './sigv4.ts'

// POST forms (docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html).

/** A form's fields, by their names in lower case. */
export type FormFields = Readonly<Record<string, string>>

type Condition =
  | { readonly kind: 'equals' | 'starts-with'; readonly field: string; readonly value: string }
  | { readonly kind: 'size'; readonly minBytes: number; readonly maxBytes: number }

export type PostPolicy = { readonly expiresAt: Date; readonly conditions: readonly Condition[] }

/** The signature that the form claims. @throws AccessDenied (403), AuthorizationHeaderMalformed, MissingSecurityHeader (400). */
export function readFormSignature(
  fields: FormFields,
  now = new Date(),
): Pick<Signature, 'accessKeyId' | 'sessionToken' | 'scope' | 'signature'> {
  const { policy, 'x-amz-credential': credential = '', 'x-amz-date': date = '' } = fields
  if (!policy) throw s3Errors.accessDenied('Sign the form: it has no policy')
  const [accessKeyId = '', ...rest] = credential.split('/')
  const scope = rest.join('/')
  const isScope = /^\d{8}\/[^/]*\/s3\/aws4_request$/.test(scope) && date.startsWith(scope.slice(0, 8))
  if (fields['x-amz-algorithm'] !== 'AWS4-HMAC-SHA256' || !isScope) {
    throw s3Errors.malformedAuthorization('The form must be signed with AWS4-HMAC-SHA256')
  }
  const ageMs = now.getTime() - readDate(date).getTime()
  if (ageMs < -longestSkewMs) throw s3Errors.timeSkewed()
  if (ageMs > longestPresignedSeconds * 1000)
    throw s3Errors.accessDenied('Invalid according to Policy: Policy expired.')
  return {
    accessKeyId,
    scope,
    sessionToken: fields['x-amz-security-token'],
    signature: fields['x-amz-signature'] ?? '',
  }
}

/** The policy is signed as sent, in base64. */
export function isSignedPolicy(
  policy: string,
  { scope, signature }: Pick<Signature, 'scope' | 'signature'>,
  secret: string,
): boolean {
  return timingSafeEqualText(hmac(signingKey(secret, scope), policy).toString('hex'), signature)
}

/** @throws InvalidPolicyDocument (400). */
export function readPolicy(encoded: string): PostPolicy {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0
  if (!isBase64) throw s3Errors.invalidPolicy('it is not base64')
  const policy = parseObject(Buffer.from(encoded, 'base64').toString('utf8'))
  const { expiration, conditions } = policy
  const isMoment = typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(expiration)
  const expiresAt = new Date(isMoment ? expiration : Number.NaN)
  if (Number.isNaN(expiresAt.getTime())) throw s3Errors.invalidPolicy('expiration must be a time in UTC')
  if (!Array.isArray(conditions)) throw s3Errors.invalidPolicy('conditions must be a list')
  return { expiresAt, conditions: conditions.flatMap(readCondition) }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed)) return parsed
  } catch {
    // Answered below.
  }
  throw s3Errors.invalidPolicy('it is not a JSON object')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{"field": "value"}`, `["eq", "$field", "value"]`, `["starts-with", "$field", "value"]`, `["content-length-range", 1, 10]`. */
function readCondition(given: unknown): Condition[] {
  if (isObject(given)) {
    return Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string') throw s3Errors.invalidPolicy(`the value of ${name} must be text`)
      return { kind: 'equals', field: name.toLowerCase(), value }
    })
  }
  const [operator, first, second] = Array.isArray(given) && given.length === 3 ? (given as unknown[]) : []
  switch (typeof operator === 'string' ? operator.toLowerCase() : undefined) {
    case 'content-length-range': {
      const [minBytes, maxBytes] = [Number(first), Number(second)]
      const areSizes = Number.isSafeInteger(minBytes) && Number.isSafeInteger(maxBytes) && minBytes >= 0
      if (!areSizes || maxBytes < minBytes) throw s3Errors.invalidPolicy('content-length-range must have two sizes')
      return [{ kind: 'size', minBytes, maxBytes }]
    }
    case 'eq':
    case 'starts-with': {
      if (typeof first !== 'string' || !first.startsWith('$') || typeof second !== 'string') break
      const kind = operator === 'starts-with' ? 'starts-with' : 'equals'
      return [{ kind, field: first.slice(1).toLowerCase(), value: second }]
    }
  }
  throw s3Errors.invalidPolicy(`unknown condition ${JSON.stringify(given)?.slice(0, 100)}`)
}

const exempt = (field: string) =>
  field === 'policy' || field === 'x-amz-signature' || field === 'file' || field.startsWith('x-amz-ignore-')

/**
 * Checks the form against its policy: each condition holds, and the policy names every field.
 * @param fields with the bucket of the address.
 * @throws AccessDenied (403).
 */
export function requirePolicy({ expiresAt, conditions }: PostPolicy, fields: FormFields, now = new Date()): void {
  if (expiresAt <= now) throw s3Errors.accessDenied('Invalid according to Policy: Policy expired.')
  const named = new Set<string>()
  for (const condition of conditions) {
    if (condition.kind === 'size') continue
    const { kind, field, value } = condition
    named.add(field)
    const given = fields[field] ?? ''
    if (kind === 'equals' ? given !== value : !startsWith(field, given, value)) {
      throw s3Errors.accessDenied(`Invalid according to Policy: Policy Condition failed: ${field}`)
    }
  }
  const extra = Object.keys(fields).find((field) => !exempt(field) && !named.has(field))
  if (extra) throw s3Errors.accessDenied(`Invalid according to Policy: Extra input fields: ${extra.slice(0, 100)}`)
}

/** In a list of content types, every entry must have the prefix. */
function startsWith(field: string, given: string, prefix: string): boolean {
  const parts = field === 'content-type' ? given.split(',').map((part) => part.trim()) : [given]
  return parts.every((part) => part.startsWith(prefix))
}

/** Checks the size of the file as it arrives. @throws EntityTooLarge at the first byte above the limit, EntityTooSmall (400) at its end. */
export async function* holdSize(
  file: Parameters<typeof chunksOf>[0],
  { conditions }: PostPolicy,
): AsyncGenerator<Uint8Array> {
  const sizes = conditions.filter(({ kind }) => kind === 'size') as Extract<Condition, { kind: 'size' }>[]
  const minBytes = Math.max(0, ...sizes.map((size) => size.minBytes))
  const maxBytes = Math.min(Number.MAX_SAFE_INTEGER, ...sizes.map((size) => size.maxBytes))
  let seenBytes = 0
  for await (const chunk of limitSize(chunksOf(file), maxBytes)) {
    seenBytes += chunk.byteLength
    yield chunk
  }
  if (seenBytes < minBytes) throw s3Errors.tooSmall()
}
