import { sequentialUploadPauseMs } from '@ovation/contract/limits'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { goesAlone } from './file-rules.ts'

export type Uploaded = { path: string } | { error: unknown }

/** More uploads would share the same bandwidth and finish no sooner. */
const parallel = 3
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Uploads all files and returns their results in order. Files over 100 MB go one at a time with a pause between, smaller ones in
 * parallel. A small file that failed because of the connection is retried once, alone (POST-37).
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
