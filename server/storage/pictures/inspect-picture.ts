import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { inspectStructure, type PictureStructure, TooManyParts } from './picture-end.ts'

/** Inspecting a smaller file takes less time than starting a thread. */
const workerFromBytes = 1024 * 1024

/** Like `inspectStructure`, in a separate thread for a large file. @throws TooManyParts; the signal's reason. */
export async function inspectPicture(file: string, format: string, signal: AbortSignal): Promise<PictureStructure> {
  const { size } = await stat(file)
  if (size < workerFromBytes) return inspectStructure(file, format, signal)
  signal.throwIfAborted()
  const worker = new Worker(new URL('./structure-worker.ts', import.meta.url), { workerData: { file, format } })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<PictureStructure>((resolve, reject) => {
      worker.once('message', ({ structure }: { structure?: PictureStructure }) =>
        structure ? resolve(structure) : reject(new TooManyParts()),
      )
      worker.once('error', reject)
      worker.once('exit', () => reject(signal.reason ?? new Error('The picture could not be inspected')))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
