import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../http/client-address.ts'
import { isNotModified } from '../http/conditional.ts'
import { isLoopback } from '../http/loopback.ts'
import { storageErrors } from './errors.ts'
import type { ContentRow } from './object-queries.ts'
import { type Rendering, renderPicture } from './pictures/render-picture.ts'
import {
  formatFor,
  mostExactRenderings,
  normalize,
  roundSizesUp,
  type Transform,
  withQualityStep,
} from './pictures/transform.ts'
import { detectType, headBytes } from './require-content-type.ts'
import { sendFile } from './send-file.ts'
import { attachment, contentPolicy, type Delivery, sendContent } from './send-object.ts'
import { smallBytes } from './small-content.ts'
import type { StorageParts } from './storage-parts.ts'
import { findPoster } from './video/video-queries.ts'

type Parts = Pick<StorageParts, 'database' | 'store' | 'scratch' | 'pictureQueues' | 'pictureCache'>

export type PictureOrder = Delivery & {
  readonly transform: Transform
  /** The watermark text; undefined: none. */
  readonly mark?: string | undefined
  /** Whether anyone may request it. The number of its renderings is then bounded. */
  readonly isPublic?: boolean
}

/**
 * Answers GET and HEAD with the requested rendering of a picture (API-STO-17). A video is rendered as its poster.
 * @throws InvalidRequest (422) for an object that is neither, (400) when it can't be read; SlowDown (503).
 */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
  object: ContentRow,
  { transform: asked, mark, cacheControl, download, isPublic = false }: PictureOrder,
) {
  const original = await findOriginal(parts, object)
  const format = formatFor(request.headers.accept, asked, original.type)
  const exact: Rendering = { transform: normalize(isPublic ? withQualityStep(asked) : asked), format, mark }
  const rendering = isPublic ? await boundedForm(parts, original.version, exact) : exact
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
    renderStored(parts, original.version, target, rendering, keyOf(request.ip)),
  )
  const file = await open(path, 'r')
  const { size } = await file.stat()
  reply.headers({
    'Content-Type': `image/${rendering.format}`,
    'Content-Length': size,
    ...(download !== undefined && { 'Content-Disposition': attachment(download) }),
  })
  const isHead = request.method === 'HEAD'
  if (!isHead && size > smallBytes) {
    return sendContent(request, reply, { sendTo: (receiver) => sendFile(file, { start: 0, end: size - 1 }, receiver) })
  }
  try {
    return reply.send(isHead ? undefined : await file.readFile())
  } finally {
    await file.close()
  }
}

/** The exact rendering, until a picture has so many renderings that no real client needs more. */
async function boundedForm({ pictureCache }: Parts, version: string, exact: Rendering): Promise<Rendering> {
  if (await pictureCache.has(version, JSON.stringify(exact))) return exact
  if (!(await pictureCache.hasAsMany(version, mostExactRenderings))) return exact
  return { ...exact, transform: normalize(roundSizesUp(exact.transform)) }
}

/** With a format of the server's choice, the answer depends on the browser's `Accept`. */
function appendAccept(vary: ReturnType<FastifyReply['getHeader']>): string {
  return vary ? `${vary}, Accept` : 'Accept'
}

async function findOriginal({ database, store }: Parts, { version, metadata }: ContentRow) {
  if (!metadata) throw storageErrors.noSuchKey()
  if (metadata.mimetype.startsWith('image/')) return { version, type: metadata.mimetype }
  const poster = await findPoster(database.service, version)
  if (poster) return poster
  // Uploaded without its type, as Node's clients do: the content decides.
  const detected = metadata.size > 0 ? await detectStored(store, version, metadata.size) : undefined
  if (!detected?.startsWith('image/')) throw storageErrors.noPicture()
  return { version, type: detected }
}

async function detectStored(store: Parts['store'], version: string, sizeBytes: number): Promise<string | undefined> {
  const head = await store.read(version, { start: 0, end: Math.min(headBytes, sizeBytes) - 1 })
  return detectType(Buffer.concat(await Array.fromAsync(head)))
}

/** Behind a trusted proxy that doesn't forward client addresses, clients can't be distinguished. */
const keyOf = (address: string): string | undefined => (isLoopback(address) ? undefined : addressKey(address))

/** Renders one picture from the store when its turn comes. @throws as `renderPicture`; SlowDown (503). */
export function renderStored(
  { store, scratch, pictureQueues }: Pick<Parts, 'store' | 'scratch' | 'pictureQueues'>,
  version: string,
  target: string,
  rendering: Rendering,
  key?: string,
): Promise<void> {
  return pictureQueues.renderings(
    async (signal) => {
      // As a file: libvips reads only what it needs, and a large original never fills the memory.
      const source = join(scratch, `${version}.${process.hrtime.bigint()}`)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      try {
        await store.saveAs(version, source)
        signal.throwIfAborted()
        await renderPicture(source, target, rendering)
      } finally {
        await rm(source, { force: true })
      }
    },
    { key },
  )
}
