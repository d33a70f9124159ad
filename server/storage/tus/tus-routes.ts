import { productFileMaxBytes } from '@ovation/contract/limits'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { drain } from '../byte-stream.ts'
import { storageErrors } from '../errors.ts'
import { ownerOf } from '../owner-of.ts'
import type { StorageParts } from '../storage-parts.ts'
import { takeFiles } from '../take-files.ts'
import { readUploadLink } from '../upload-link.ts'
import { ActiveUploads } from './active-uploads.ts'
import {
  checksumAlgorithms,
  readBytes,
  readChecksum,
  readConcatenation,
  requireTusVersion,
  tusExtensions,
  tusVersion,
} from './tus-headers.ts'
import { type Progress, readTarget, type Sender, TusUploads } from './tus-uploads.ts'

type One = FastifyRequest<{ Params: { id: string } }>
/** The sender; `target` is known before the upload is. */
type FindSender = (request: FastifyRequest, target: { bucket: string; name: string } | string) => Promise<Sender>

const pieceType = 'application/offset+octet-stream'

/**
 * Resumable uploads: TUS 1.0 at `/upload/resumable` as the caller, and at `/upload/resumable/sign` through an upload
 * link, sent as `x-signature`, once and on behalf of its maker (supabase/storage `src/http/routes/tus`). The metadata is storage-js's: bucketName, objectName, contentType,
 * cacheControl (seconds) and metadata (JSON).
 */
export const tusRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const uploads = new TusUploads(parts)
  const active = new ActiveUploads()

  takeFiles(app)
  app.addHook('onError', async (request) => drain(request.raw))
  app.addHook('onSend', async (request, reply) => {
    reply.header('Tus-Resumable', tusVersion)
    if (request.method !== 'OPTIONS') return
    reply.headers({
      'Tus-Version': tusVersion,
      'Tus-Extension': tusExtensions.join(','),
      'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
      'Tus-Max-Size': productFileMaxBytes,
    })
  })
  app.addHook('preHandler', async (request) => {
    if (request.method !== 'OPTIONS') requireTusVersion(request.headers)
  })

  function serve(base: string, findSender: FindSender) {
    app.options(base, answerOptions)
    app.options(`${base}/:id`, answerOptions)

    app.post(base, async (request, reply) => {
      const { headers } = request
      const metadata = headers['upload-metadata'] as string | undefined
      const concatenation = readConcatenation(headers)
      const sizeBytes = readBytes(headers, 'upload-length')
      const deferred = headers['upload-defer-length'] === '1'
      if (concatenation?.kind !== 'final' && (sizeBytes === undefined) !== deferred) {
        throw storageErrors.invalidRequest('Set either Upload-Length or Upload-Defer-Length: 1')
      }
      const sender = await findSender(request, readTarget(metadata))
      const progress = await uploads.create(sender, {
        metadata,
        sizeBytes,
        concatenation,
        tusConcat: headers['upload-concat'] as string | undefined,
      })
      const { id } = progress.upload
      tell(reply.status(201), progress).header('Location', `${app.prefix}${base}/${id}`)
      const carriesBytes = headers['content-type'] === pieceType && !progress.upload.finished
      if (carriesBytes) tell(reply, await append(request, id, sender, 0))
      return reply.send()
    })

    async function append(request: FastifyRequest, id: string, sender: Sender, offset: number) {
      const { headers, raw } = request
      const announced = headers['content-length']
      const stop = () => raw.destroy(new Error('taken over'))
      const progress = await active.alone(id, stop, () =>
        uploads.append(sender, id, raw, {
          offset,
          length: readBytes(headers, 'upload-length'),
          announcedBytes: announced === undefined ? undefined : Number(announced),
          checksum: readChecksum(headers),
        }),
      )
      if (!progress.complete) throw storageErrors.cutOff()
      return progress
    }

    async function patch(request: One, reply: FastifyReply) {
      const { headers, params } = request
      if (headers['content-type'] !== pieceType) throw storageErrors.wrongPieceType()
      const offset = readBytes(headers, 'upload-offset')
      if (offset === undefined) throw storageErrors.invalidRequest('Upload-Offset is required')
      const sender = await findSender(request, params.id)
      return tell(reply.status(204), await append(request, params.id, sender, offset)).send()
    }

    async function head(request: One, reply: FastifyReply) {
      const { uploader } = await findSender(request, request.params.id)
      const { id } = request.params
      // The client reconnects because its connection broke: bytes that the old request still has are recorded first.
      const progress = await active.alone(
        id,
        () => undefined,
        () => uploads.find(uploader, id),
      )
      const { sizeBytes, tusMetadata, tusConcat } = progress.upload
      return tell(reply.status(200), progress)
        .headers({
          'Cache-Control': 'no-store',
          ...(sizeBytes === null ? { 'Upload-Defer-Length': 1 } : { 'Upload-Length': sizeBytes }),
          ...(tusMetadata && { 'Upload-Metadata': tusMetadata }),
          ...(tusConcat && { 'Upload-Concat': tusConcat }),
        })
        .send()
    }

    async function terminate(request: One, reply: FastifyReply) {
      const { id } = request.params
      const { uploader } = await findSender(request, id)
      await active.alone(
        id,
        () => undefined,
        () => uploads.terminate(uploader, id),
      )
      return reply.status(204).send()
    }

    const byMethod: Readonly<Record<string, typeof patch>> = { PATCH: patch, HEAD: head, DELETE: terminate }
    app.patch(`${base}/:id`, patch)
    app.head(`${base}/:id`, head)
    app.delete(`${base}/:id`, terminate)
    // For clients that can send only POST.
    app.post(`${base}/:id`, async (request: One, reply) => {
      const handle = byMethod[String(request.headers['x-http-method-override'])]
      if (!handle) throw storageErrors.invalidRequest('X-HTTP-Method-Override must be PATCH, HEAD or DELETE')
      return handle(request, reply)
    })
  }

  serve('/upload/resumable', async ({ caller, headers }) => ({
    caller,
    uploader: { role: caller.role, owner: ownerOf(caller) },
    upsert: headers['x-upsert'] === 'true',
  }))

  serve('/upload/resumable/sign', async ({ headers }, target) => {
    const token = headers['x-signature']
    if (typeof token !== 'string') throw storageErrors.invalidLink('Missing x-signature header')
    const { bucket, name } = typeof target === 'string' ? await uploads.targetOf(target) : target
    const verified = await parts.links.verify('upload', token, `${bucket}/${name}`)
    const link = readUploadLink(verified)
    const { caller, owner } = link
    return { caller, uploader: { role: caller.role, owner }, upsert: verified.upsert ?? false, link }
  })
}

async function answerOptions(_request: FastifyRequest, reply: FastifyReply) {
  return reply.status(204).send()
}

function tell(reply: FastifyReply, { upload, offset }: Progress): FastifyReply {
  return reply.headers({ 'Upload-Offset': offset, 'Upload-Expires': upload.expiresAt.toUTCString() })
}
