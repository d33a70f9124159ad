import { runInThread } from '../../threads.ts'
import { workSeconds } from './picture-limits.ts'

export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray<ArrayBuffer> }

/**
 * The pixels of an iPhone's photo (HEVC inside HEIF), RGBA and upright: libheif rotates it. sharp's own build may not
 * read HEVC. Place and camera are not pixels, so they are left behind.
 * @throws an Error when the file is damaged or takes too long; the signal's reason.
 */
export function decodeHeic(file: string, signal: AbortSignal): Promise<Pixels> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(workSeconds * 1000)])
  return runInThread<Pixels>(new URL('./heic-worker.ts', import.meta.url), file, inTime)
}
