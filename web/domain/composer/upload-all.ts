import { sequentialUploadPauseMs } from '@ovation/contract/limits'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { goesAlone } from './file-rules.ts'

export type Uploaded = { path: string } | { error: unknown }

/** Few at once: more share one line and finish no sooner. */
const parallel = 3
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Uploads every file and says how each went, in the order of the files. Files over 100 MB go one at a time with a pause
 * between, smaller ones side by side; a small one that failed for the connection's sake is tried once more by itself (POST-37).
 */
export async function uploadAll(files: File[], upload: (file: File) => Promise<string>): Promise<Uploaded[]> {
  const results = new Map<File, Uploaded>()
  const attempt = async (file: File) => {
    try {
      results.set(file, { path: await upload(file) })
    } catch (error) {
      results.set(file, { error })
    }
  }

  const small = files.filter((file) => !goesAlone(file))
  const queue = [...small]
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) await attempt(file)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  for (const file of small.filter((file) => isWorthAnotherTry(results.get(file)))) await attempt(file)

  for (const [index, file] of files.filter(goesAlone).entries()) {
    if (index > 0) await pause(sequentialUploadPauseMs)
    await attempt(file)
  }
  return files.map((file) => results.get(file) ?? { error: new UploadError({ kind: 'aborted' }) })
}

const isWorthAnotherTry = (result: Uploaded | undefined): boolean =>
  result !== undefined &&
  'error' in result &&
  result.error instanceof UploadError &&
  (result.error.failure.kind === 'network' || result.error.failure.kind === 'timeout')
