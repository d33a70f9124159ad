import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { maxPixels, workSeconds } from './picture-limits.ts'

/** What a card may show of a picture before, or instead of, the picture itself. Stored in `storage.objects.metadata`. */
export type PictureFacts = {
  /** Pixels of one frame, upright. */
  readonly width: number
  readonly height: number
  /** ThumbHash in base64, about 25 bytes: colors and rough shapes, no recognizable detail (POST-10). */
  readonly preview: string
}

/** A ThumbHash needs no more than this many pixels a side. */
const previewSide = 64

/** @throws sharp's own error for a damaged picture. */
export async function measurePicture(file: string): Promise<PictureFacts> {
  const picture = sharp(file, { limitInputPixels: maxPixels }).timeout({ seconds: workSeconds })
  const [{ autoOrient }, small] = await Promise.all([
    picture.metadata(),
    picture
      .clone()
      .autoOrient()
      .resize(previewSide, previewSide, { fit: 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  ])
  const hash = rgbaToThumbHash(small.info.width, small.info.height, small.data)
  return { width: autoOrient.width, height: autoOrient.height, preview: Buffer.from(hash).toString('base64') }
}
