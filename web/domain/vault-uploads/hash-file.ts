import { UploadError } from '../../lib/uploads/upload-error.ts'

type Answer = { hash?: string }

/** @returns SHA-256 in hex. @throws UploadError when the file can't be read. */
export function hashFile(file: File): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  const hash = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new UploadError({ kind: 'unreadable' }))
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => (data.hash ? resolve(data.hash) : fail()))
    worker.addEventListener('error', fail)
  })
  worker.postMessage(file)
  return hash.finally(() => worker.terminate())
}
