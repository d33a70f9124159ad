import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { WorkQueue } from '../work-lanes.ts'
import { storageErrors } from './errors.ts'
import { decodeHeic } from './pictures/decode-heic.ts'
import { inspectPicture } from './pictures/inspect-picture.ts'
import { measurePicture, type PictureFacts } from './pictures/measure-picture.ts'
import { TooManyParts } from './pictures/picture-end.ts'
import { maxHeicPixels, maxPixels, workSeconds } from './pictures/picture-limits.ts'

/** Formats that browsers show and that can be written without metadata. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

type Bytes = AsyncIterable<Uint8Array>

export type CleanPicture<Kept> = {
  readonly kept: Kept
  readonly facts: PictureFacts
  /** The new type, when it differs from the uploaded one. */
  readonly newType: string | undefined
}

/**
 * Removes a picture's metadata (place, time, camera, comments) and any data behind its end.
 * A picture without either keeps its pixels; any other is encoded again, upright, at a quality where the
 * difference can't be seen. HEIC, which few browsers show, becomes JPEG.
 * @param file path for the picture during inspection; deleted once `keep` has returned.
 * @param account owner of the picture, so that no account takes all lanes.
 * @throws InvalidMimeType (415) for a damaged picture; EntityTooLarge (413) for one with too many pixels; SlowDown (503).
 */
export async function cleanPicture<Kept>(
  content: Bytes,
  file: string,
  queue: WorkQueue,
  account: string | undefined,
  keep: (clean: Bytes) => Promise<Kept>,
): Promise<CleanPicture<Kept>> {
  const rewritten = `${file}.clean`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  try {
    await pipeline(content, createWriteStream(file, { mode: 0o600 }))
    const { clean, facts, newType } = await queue(
      async (signal) => {
        const change = await rewriting(file, signal)
        if (change) await change.picture.toFile(rewritten).catch(broken)
        const clean = change ? rewritten : file
        signal.throwIfAborted()
        return { clean, newType: change?.newType, facts: await measurePicture(clean).catch(broken) }
      },
      { key: account },
    )
    return { kept: await keep(createReadStream(clean)), facts, newType }
  } finally {
    await rm(file, { force: true })
    await rm(rewritten, { force: true })
  }
}

type Rewriting = { readonly picture: Sharp; readonly newType?: string }

/** How to encode the picture again; undefined: it may stay as it is. */
async function rewriting(file: string, signal: AbortSignal): Promise<Rewriting | undefined> {
  const picture = sharp(file, { animated: true, limitInputPixels: maxPixels }).timeout({ seconds: workSeconds })
  const facts = await picture.metadata().catch((cause: Error) => {
    throw /exceeds pixel limit/i.test(cause.message) ? storageErrors.tooManyPixels() : storageErrors.brokenPicture()
  })
  if (!formats.has(facts.format)) throw storageErrors.brokenPicture()
  // `height` counts all frames of an animation.
  if (facts.width * facts.height > maxPixels) throw storageErrors.tooManyPixels()
  if (facts.format === 'heif' && facts.compression !== 'av1')
    return { picture: await fromHeic(file, facts, signal), newType: 'image/jpeg' }
  const notes = facts.exif ?? facts.xmp ?? facts.iptc ?? facts.tifftagPhotoshop ?? facts.comments
  const { endsWithPicture, hasGifNotes } = await inspectPicture(file, facts.format, signal).catch((error: unknown) => {
    throw error instanceof TooManyParts ? storageErrors.brokenPicture(error) : error
  })
  const hasNotes = facts.format === 'gif' ? hasGifNotes : notes !== undefined
  if (!hasNotes && endsWithPicture) return undefined
  signal.throwIfAborted()
  const upright = (facts.pages ?? 1) > 1 ? picture : picture.autoOrient()
  return { picture: encode(upright.keepIccProfile(), facts.format) }
}

async function fromHeic(file: string, { width, height }: Metadata, signal: AbortSignal): Promise<Sharp> {
  if (width * height > maxHeicPixels) throw storageErrors.tooManyPixels()
  const { data, ...size } = await decodeHeic(file, signal).catch(broken)
  const raw = { ...size, channels: 4 } as const
  return encode(sharp(data, { raw }).flatten({ background: '#fff' }), 'jpeg')
}

function encode(picture: Sharp, format: string): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: 95 })
    case 'gif':
      return picture.gif()
    default:
      return picture.avif({ quality: 80, effort: 2 })
  }
}

/** A file can be intact at its head and damaged further on. */
function broken(): never {
  throw storageErrors.brokenPicture()
}
