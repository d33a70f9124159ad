import { maxRenderedSide } from './picture-limits.ts'

/** The options of a rendering, with storage-js's names (`TransformOptions`). */
export type Transform = {
  readonly width?: number
  readonly height?: number
  /** Default `cover`. */
  readonly resize?: 'cover' | 'contain' | 'fill'
  /** 20 to 100; default 80. */
  readonly quality?: number
  /** `origin` keeps the format of the upload; absent: the best that the browser supports. */
  readonly format?: 'origin' | 'avif' | 'webp'
}

const side = { type: 'integer', minimum: 0, maximum: 100_000 } as const
export const transformProperties = {
  width: side,
  height: side,
  resize: { type: 'string', enum: ['cover', 'contain', 'fill'] },
  quality: { type: 'integer', minimum: 20, maximum: 100 },
  format: { type: 'string', enum: ['origin', 'avif', 'webp'] },
} as const

/** Makes equal requests identical: limits the sides (like storage-api), drops defaults, sorts the keys. */
export function normalize({ width, height, resize, quality, format }: Transform): Transform {
  return {
    ...(width && { width: Math.min(width, maxRenderedSide) }),
    ...(height && { height: Math.min(height, maxRenderedSide) }),
    ...(resize && resize !== 'cover' && { resize }),
    ...(quality !== undefined && quality !== 80 && { quality }),
    ...(format && { format }),
  }
}

/** A user requests a public picture in few renderings. Above this number, over all formats, new ones are rounded. */
export const mostExactRenderings = 100

const sides = [64, 128, 256, 512, 768, 1024, 1600, maxRenderedSide] as const
const qualities = [40, 60, 80, 100] as const
const roundedUp = (value: number, steps: readonly number[]): number => steps.find((step) => step >= value) ?? value

/** Quality in few steps: nobody sees the ones between, and each would cost time and space. */
export function withQualityStep(transform: Transform): Transform {
  const { quality } = transform
  return quality === undefined ? transform : { ...transform, quality: roundedUp(quality, qualities) }
}

/** Rounds up to the next step, so that one picture has a limited number of renderings. */
export function roundSizesUp({ width, height, quality: _, ...transform }: Transform): Transform {
  return {
    ...transform,
    ...(width && { width: roundedUp(width, sides) }),
    ...(height && { height: roundedUp(height, sides) }),
  }
}

export type PictureFormat = 'avif' | 'webp' | 'jpeg' | 'png' | 'gif'

/** The smallest format that the browser supports. Browsers list these in `Accept`; other programs don't. */
export function formatFor(accept: string | undefined, { format }: Transform, stored: string): PictureFormat {
  const original = plainFormat(stored)
  if (format === 'origin') return original
  if (format) return format
  const shows = (type: string) => accept?.includes(type) === true
  // An animation stays animated: AVIF is written with one frame.
  if (shows('image/avif') && !isAnimated(stored)) return 'avif'
  if (shows('image/webp')) return 'webp'
  return original === 'avif' || original === 'webp' ? 'jpeg' : original
}

/** Types whose files can hold more than one frame. */
const isAnimated = (type: string): boolean => type === 'image/gif' || type === 'image/webp' || type === 'image/png'

function plainFormat(type: string): PictureFormat {
  const format = type.replace('image/', '')
  return format === 'avif' || format === 'webp' || format === 'png' || format === 'gif' ? format : 'jpeg'
}
