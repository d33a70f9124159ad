import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp, { type Sharp } from 'sharp'
import { storageErrors } from './errors.ts'

/** Twice what large cameras take. A small file can unfold to any number of pixels: this many are opened, and no more. */
const maxPixels = 120_000_000
/** Formats that browsers show and that can be written again without their notes. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

type Bytes = AsyncIterable<Uint8Array>

/**
 * Hands a picture on without what it tells of its taking: place, time, camera, comments. The pixels of a picture that carries no
 * such notes are not touched; any other is written again, upright, at a quality where the difference can't be seen.
 * @param file path for the picture while it is looked at; gone when `keep` has returned.
 * @throws InvalidMimeType (415) for a damaged picture; EntityTooLarge (413) for one with too many pixels.
 */
export async function cleanPicture<Kept>(content: Bytes, file: string, keep: (clean: Bytes) => Promise<Kept>) {
  await mkdir(dirname(file), { recursive: true })
  try {
    await pipeline(content, createWriteStream(file, { mode: 0o600 }))
    return await keep(await withoutNotes(file))
  } finally {
    await rm(file, { force: true })
  }
}

async function withoutNotes(file: string): Promise<Bytes> {
  const picture = sharp(file, { animated: true, limitInputPixels: maxPixels })
  const facts = await picture.metadata().catch((cause: Error) => {
    throw /exceeds pixel limit/i.test(cause.message) ? storageErrors.tooManyPixels() : storageErrors.brokenPicture()
  })
  if (!formats.has(facts.format) || (facts.format === 'heif' && facts.compression !== 'av1')) {
    throw storageErrors.brokenPicture()
  }
  // `height` counts all frames of an animation.
  if (facts.width * facts.height > maxPixels) throw storageErrors.tooManyPixels()
  const hasNotes = facts.exif ?? facts.xmp ?? facts.iptc ?? facts.tifftagPhotoshop ?? facts.comments
  if (!hasNotes || facts.format === 'gif') return createReadStream(file)
  const upright = (facts.pages ?? 1) > 1 ? picture : picture.autoOrient()
  return encoded(encode(upright.keepIccProfile(), facts.format))
}

function encode(picture: Sharp, format: string): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: 95 })
    default:
      return picture.avif({ quality: 80, effort: 2 })
  }
}

/** A file can be whole at its head and damaged further on. */
async function* encoded(picture: Sharp): Bytes {
  const chunks = picture[Symbol.asyncIterator]()
  for (;;) {
    const next = await chunks.next().catch(() => {
      throw storageErrors.brokenPicture()
    })
    if (next.done) return
    yield next.value
  }
}
