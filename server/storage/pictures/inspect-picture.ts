import { stat } from 'node:fs/promises'
import { runInThread } from '../../threads.ts'
import { inspectStructure, type PictureStructure, TooManyParts } from './picture-end.ts'
import type { Inspected } from './structure-worker.ts'

/** A smaller file takes no time worth another thread. */
const threadFromBytes = 1024 * 1024

/** Like `inspectStructure`, in another thread for a large file. @throws TooManyParts; the signal's reason. */
export async function inspectPicture(file: string, format: string, signal: AbortSignal): Promise<PictureStructure> {
  const { size } = await stat(file)
  if (size < threadFromBytes) return inspectStructure(file, format, signal)
  signal.throwIfAborted()
  const module = new URL('./structure-worker.ts', import.meta.url)
  const { structure } = await runInThread<Inspected>(module, { file, format }, signal)
  if (!structure) throw new TooManyParts()
  return structure
}
