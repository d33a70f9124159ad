import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import { objectCacheSeconds } from '@ovation/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowSlowBody } from '../../http/request-guard.ts'
import { parseContentEncoding, requireCacheControl } from '../incoming-file.ts'
import { requireObjectKey } from '../object-key.ts'
import { ownerOf } from '../owner-of.ts'
import type { StorageParts } from '../storage-parts.ts'
import { uploadObject } from '../upload-object.ts'
import { Checksums } from './checksums.ts'
import { sendXml } from './operation.ts'
import {
  type FormFields,
  holdSize,
  isSignedPolicy,
  readFormSignature,
  readPolicy,
  requirePolicy,
} from './post-policy.ts'
import { s3Errors } from './s3-errors.ts'
import { findSecrets, type SessionParts } from './s3-session.ts'

type Form = { readonly fields: FormFields; readonly file: MultipartFile }

// S3 allows 20 KB before the file.
const longestFieldsBytes = 20 * 1024
const formLimits = { files: 1, fields: 100, fieldSize: longestFieldsBytes, fileSize: Number.POSITIVE_INFINITY }

/**
 * `POST /storage/v1/s3/:bucket` with a form: a file from a browser without a key, under a policy that its maker signed. The file is
 * written with the signer's permissions, as through a presigned PUT.
 * @throws AccessDenied, InvalidAccessKeyId, SignatureDoesNotMatch (403), InvalidPolicyDocument, InvalidArgument, InvalidToken,
 * EntityTooSmall, EntityTooLarge (400), and as `uploadObject`.
 */
export async function postObject(
  { parts, session, siteUrl }: { parts: StorageParts; session: SessionParts; siteUrl: string },
  bucket: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { fields, file } = await readForm(bucket, request)
  const signature = readFormSignature(fields)
  const { secrets, caller } = await findSecrets(session, signature)
  const encoded = fields.policy ?? ''
  if (!secrets.some((secret) => isSignedPolicy(encoded, signature, secret))) throw s3Errors.wrongSignature()
  const policy = readPolicy(encoded)
  requirePolicy(policy, fields)
  const redirect = readRedirect(fields, siteUrl)
  const name = requireObjectKey(fields.key ?? '')

  const proven = await caller()
  const target = { bucket, name, owner: ownerOf(proven), upsert: true }
  const length = request.headers['content-length']
  const { eTag } = await uploadObject(parts, proven, target, async () => ({
    body: Readable.from(new Checksums(fields).check(holdSize(file.file, policy)), { objectMode: false }),
    declaredType: fields['content-type'] || 'binary/octet-stream',
    cacheControl: requireCacheControl(fields['cache-control'] || `max-age=${objectCacheSeconds}`),
    contentEncoding: parseContentEncoding(fields['content-encoding']),
    userMetadata: userMetadata(fields),
    declaredSizeBytes: undefined,
    announcedBytes: length === undefined ? undefined : Number(length),
  }))

  const path = [bucket, ...name.split('/')].map(encodeURIComponent).join('/')
  const location = `${request.protocol}://${request.host}/storage/v1/s3/${path}`
  reply.headers({ ETag: eTag, Location: location })
  if (redirect) {
    for (const [field, value] of Object.entries({ bucket, key: name, etag: eTag }))
      redirect.searchParams.set(field, value)
    return reply.redirect(redirect.href, 303)
  }
  switch (fields.success_action_status) {
    case '200':
      return reply.send()
    case '201':
      return sendXml({ reply: reply.status(201) }, 'PostResponse', {
        Location: location,
        Bucket: bucket,
        Key: name,
        ETag: eTag,
      })
    default:
      return reply.status(204).send()
  }
}

/** The fields come first; anything after the file isn't read. */
async function readForm(bucket: string, request: FastifyRequest): Promise<Form> {
  const file = await request.file({ limits: formLimits, throwFileSizeLimit: false })
  if (file?.fieldname !== 'file') {
    throw s3Errors.invalidArgument('POST requires exactly one file upload per request, in the field file')
  }
  const fields: Record<string, string> = Object.create(null)
  let sizeBytes = 0
  allowSlowBody(request.raw)
  for (const field of Object.values(file.fields).flat()) {
    if (field?.type !== 'field') continue
    const name = field.fieldname.toLowerCase()
    if (field.valueTruncated || field.fieldnameTruncated) throw s3Errors.fieldsTooLarge()
    // With a repeated field, one value would be checked and another used.
    if (typeof field.value !== 'string' || name in fields) {
      throw s3Errors.invalidArgument(`The field ${name.slice(0, 100)} must be given once, as text`)
    }
    fields[name] = field.value
    sizeBytes += name.length + Buffer.byteLength(field.value)
  }
  if (sizeBytes > longestFieldsBytes) throw s3Errors.fieldsTooLarge()
  if ((fields.bucket ?? bucket) !== bucket)
    throw s3Errors.invalidArgument('The field bucket must name the bucket of the address')
  const filename = file.filename?.split(/[/\\]/).at(-1) ?? ''
  // The policy judges the key that the file gets.
  const key = (fields.key ?? '').replaceAll(/\$\{filename\}/g, () => filename)
  return { fields: Object.assign(fields, { bucket, key }), file }
}

/** `x-amz-meta-…`, without the prefix; null when there is none. */
function userMetadata(fields: FormFields): Record<string, string> | null {
  const prefix = 'x-amz-meta-'
  const entries = Object.entries(fields).filter(([name]) => name.startsWith(prefix))
  return entries.length > 0
    ? Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]))
    : null
}

/** The address that the browser goes to next. @throws InvalidArgument (400) for another site than this one. */
function readRedirect(fields: FormFields, siteUrl: string): URL | undefined {
  const given = fields.success_action_redirect || fields.redirect
  if (!given) return undefined
  const url = URL.parse(given)
  if (url?.origin !== new URL(siteUrl).origin) {
    throw s3Errors.invalidArgument(`success_action_redirect must be an address of ${siteUrl}`)
  }
  return url
}
