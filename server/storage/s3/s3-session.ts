import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type Caller, serviceRole } from '../../postgres/caller.ts'
import { chunksOf } from '../byte-stream.ts'
import { ownerOf } from '../owner-of.ts'
import type { Services } from '../services.ts'
import type { Uploader } from '../uploads/upload-queries.ts'
import { decodeChunks } from './aws-chunked.ts'
import { Checksums } from './checksums.ts'
import { s3Errors } from './s3-errors.ts'
import type { S3Keys } from './s3-keys.ts'
import { readSignature, type Signature, sha256, unsignedPayload, verifySignature } from './sigv4.ts'

/** The verified sender and content of a request. */
export type S3Session = {
  readonly caller: Caller
  readonly uploader: Uploader
  /** The content, decoded. Read it to its end: its checksums are verified there. */
  readonly body: Readable
  /** The declared length of the content. */
  readonly sizeBytes: number | undefined
}

export type SessionParts = Pick<Services, 'secrets' | 'callers'> & { readonly keys: S3Keys }

/**
 * Finds the caller. A key of the operator's means the service. A session token, as at Supabase, means the user whose access
 * token it is; the request is then signed with the anonymous key (https://supabase.com/docs/guides/storage/s3/authentication).
 * @throws AccessDenied, InvalidAccessKeyId, SignatureDoesNotMatch (403), InvalidToken (400).
 */
export async function openSession(parts: SessionParts, request: FastifyRequest): Promise<S3Session> {
  const signed = { method: request.method, url: request.raw.url ?? '', headers: request.headers, host: request.host }
  const signature = readSignature(signed)
  const { secrets, caller } = await findSecrets(parts, signature)
  for (const secret of secrets) {
    const { valid, key } = verifySignature(signed, signature, secret)
    if (!valid) continue
    const proven = await caller()
    return {
      caller: proven,
      uploader: { role: proven.role, owner: ownerOf(proven) },
      ...readBody(request, signature, key),
    }
  }
  throw s3Errors.wrongSignature()
}

/** The possible signing keys, and the caller for each. @throws InvalidAccessKeyId (403). */
export async function findSecrets(
  { secrets, callers, keys }: SessionParts,
  { accessKeyId, sessionToken }: Pick<Signature, 'accessKeyId' | 'sessionToken'>,
) {
  if (sessionToken === undefined) {
    const secret = await keys.findSecret(accessKeyId)
    if (secret === undefined) throw s3Errors.unknownKey()
    return { secrets: [secret], caller: async () => serviceRole }
  }
  return {
    secrets: [secrets.anonKey, secrets.publishableKey],
    caller: () =>
      callers.fromToken(sessionToken).catch(() => {
        throw s3Errors.invalidToken()
      }),
  }
}

function readBody(request: FastifyRequest, signature: Signature, key: Buffer): Pick<S3Session, 'body' | 'sizeBytes'> {
  const { headers, raw } = request
  const { payload, date, scope } = signature
  const checksums = new Checksums(headers)
  const chunked = payload.startsWith('STREAMING-')
  const length = headers[chunked ? 'x-amz-decoded-content-length' : 'content-length']
  const sizeBytes = length === undefined ? undefined : Number(length)
  const onTrailer = (name: string, value: string) => checksums.expect(name, value)

  function content(): AsyncIterable<Uint8Array> {
    const bytes = chunksOf(raw)
    switch (payload) {
      case unsignedPayload:
        return bytes
      case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
        return decodeChunks(bytes, undefined, onTrailer)
      case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
        return decodeChunks(bytes, { key, date, scope, seed: signature.signature }, onTrailer)
    }
    if (!/^[0-9a-f]{64}$/.test(payload)) throw s3Errors.notImplemented(payload)
    return payload === sha256('') && sizeBytes === undefined ? none() : checkHash(bytes, payload)
  }

  // Built on the first read: a request without a body has nothing to check.
  async function* checked() {
    yield* checkLength(checksums.check(content()), chunked ? sizeBytes : undefined)
  }
  return { body: Readable.from(checked(), { objectMode: false }), sizeBytes }
}

async function* none(): AsyncGenerator<Uint8Array> {}

async function* checkHash(body: AsyncIterable<Uint8Array>, expected: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== expected) throw s3Errors.wrongPayloadHash()
}

async function* checkLength(body: AsyncIterable<Uint8Array>, expected: number | undefined): AsyncGenerator<Uint8Array> {
  let seenBytes = 0
  for await (const chunk of body) {
    seenBytes += chunk.byteLength
    yield chunk
  }
  if (expected !== undefined && seenBytes !== expected) throw s3Errors.malformedChunk()
}
