import { maxRenderedSide } from './picture-limits.ts'

/** How a picture is asked for, in storage-js's words (`TransformOptions`). */
export type Transform = {
  readonly width?: number
  readonly height?: number
  /** Default `cover`. */
  readonly resize?: 'cover' | 'contain' | 'fill'
  /** 20 to 100; default 80. */
  readonly quality?: number
  /** `origin` keeps the format of the upload; otherwise the browser's best. */
  readonly format?: 'origin'
}

const side = { type: 'integer', minimum: 0, maximum: 100_000 } as const
export const transformProperties = {
  width: side,
  height: side,
  resize: { type: 'string', enum: ['cover', 'contain', 'fill'] },
  quality: { type: 'integer', minimum: 20, maximum: 100 },
  format: { type: 'string', enum: ['origin'] },
} as const

/** Like asks become one: sides are held to the limit (as storage-api does), what is the default is left out, keys are in order. */
export function normalise({ width, height, resize, quality, format }: Transform): Transform {
  return {
    ...(width && { width: Math.min(width, maxRenderedSide) }),
    ...(height && { height: Math.min(height, maxRenderedSide) }),
    ...(resize && resize !== 'cover' && { resize }),
    ...(quality !== undefined && quality !== 80 && { quality }),
    ...(format && { format }),
  }
}

export type PictureFormat = 'avif' | 'webp' | 'jpeg' | 'png' | 'gif'

/** The smallest format that the browser says it shows; browsers name these in `Accept`, other programs do not. */
export function formatFor(accept: string | undefined, { format }: Transform, stored: string): PictureFormat {
  const original = plainFormat(stored)
  if (format === 'origin') return original
  const shows = (type: string) => accept?.includes(type) === true
  // An animation stays one: AVIF is written with one frame.
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
