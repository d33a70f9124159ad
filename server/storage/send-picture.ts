import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'
import { storageErrors } from './errors.ts'
import type { ContentRow } from './object-queries.ts'
import { type Rendering, renderPicture } from './pictures/render-picture.ts'
import { formatFor, normalise, type Transform } from './pictures/transform.ts'
import { attachment, contentPolicy, type Delivery } from './send-object.ts'
import type { StorageParts } from './storage-parts.ts'
import { findPoster } from './video/video-queries.ts'

type Parts = Pick<StorageParts, 'database' | 'store' | 'scratch' | 'pictureQueue' | 'pictureCache'>

export type PictureOrder = Delivery & {
  readonly transform: Transform
  /** What is written across the picture; undefined: nothing. */
  readonly mark?: string | undefined
}

/**
 * Answers GET and HEAD with a picture as it was asked for (API-STO-17). Of a video it is the poster.
 * @throws InvalidRequest (422) for an object that is neither; InvalidMimeType (415) when it can't be read; SlowDown (503).
 */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
  object: ContentRow,
  { transform, mark, cacheControl, download }: PictureOrder,
) {
  const original = await findOriginal(parts, object)
  const rendering: Rendering = {
    transform: normalise(transform),
    format: formatFor(request.headers.accept, transform, original.type),
    mark,
  }
  const name = JSON.stringify(rendering)
  const etag = `"${createHash('md5').update(original.version).update(name).digest('hex')}"`
  const lastModified = new Date(object.metadata?.lastModified ?? object.updated_at)
  reply.headers({
    'Cache-Control': cacheControl,
    'Content-Security-Policy': contentPolicy,
    ETag: etag,
    'Last-Modified': lastModified.toUTCString(),
    Vary: appendAccept(reply.getHeader('Vary')),
    'X-Content-Type-Options': 'nosniff',
  })
  if (isNotModified(request.headers, { etag, lastModified })) return reply.status(304).send()

  const path = await parts.pictureCache.get(original.version, name, (target) =>
    renderStored(parts, original.version, target, rendering),
  )
  const { size } = await stat(path)
  reply.headers({
    'Content-Type': `image/${rendering.format}`,
    'Content-Length': size,
    ...(download !== undefined && { 'Content-Disposition': attachment(download) }),
  })
  return reply.send(request.method === 'HEAD' ? undefined : createReadStream(path))
}

/** With a format of the server's choice, the answer depends on what the browser shows. */
function appendAccept(vary: ReturnType<FastifyReply['getHeader']>): string {
  return vary ? `${vary}, Accept` : 'Accept'
}

async function findOriginal({ database }: Parts, { id, version, metadata }: ContentRow) {
  if (!metadata) throw storageErrors.noSuchKey()
  if (metadata.mimetype.startsWith('image/')) return { version, type: metadata.mimetype }
  const poster = await findPoster(database.service, id, version)
  if (!poster) throw storageErrors.noPicture()
  return poster
}

/** Makes one rendering of what the store has, when its turn comes. @throws as `renderPicture`; SlowDown (503). */
export function renderStored(
  { store, scratch, pictureQueue }: Pick<Parts, 'store' | 'scratch' | 'pictureQueue'>,
  version: string,
  target: string,
  rendering: Rendering,
): Promise<void> {
  return pictureQueue(async () => {
    // As a file: libvips then reads what it needs of it, and a large original is nowhere in memory.
    const source = join(scratch, `${version}.${process.hrtime.bigint()}`)
    await mkdir(scratch, { recursive: true })
    try {
      await pipeline(await store.read(version), createWriteStream(source, { mode: 0o600 }))
      await renderPicture(source, target, rendering)
    } finally {
      await rm(source, { force: true })
    }
  })
}
