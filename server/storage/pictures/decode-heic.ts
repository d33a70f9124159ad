import { Worker } from 'node:worker_threads'
import { workSeconds } from './picture-limits.ts'

export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray<ArrayBuffer> }

/**
 * The pixels of an iPhone's photo (HEVC inside HEIF), RGBA and upright: libheif rotates it. sharp's own build may not
 * read HEVC. Place and camera are not pixels, so they are left behind.
 * @throws an Error when the file is damaged or takes too long.
 */
export async function decodeHeic(file: string, signal: AbortSignal): Promise<Pixels> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { workerData: { file } })
  const stop = () => void worker.terminate()
  const timer = setTimeout(stop, workSeconds * 1000)
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<Pixels>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The picture could not be decoded in time')))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
