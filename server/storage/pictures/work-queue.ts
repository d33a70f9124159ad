import { storageErrors } from '../errors.ts'

/** Runs a task when its turn comes. @throws SlowDown (503) when too many wait already. */
export type WorkQueue = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * One line for all work on pictures: however many are asked for at once, a few are worked on, so that the process keeps answering.
 * @param lanes how many are worked on at once. libvips borrows the threads that also read files: leave some.
 */
export function buildWorkQueue({ lanes, maxWaiting }: { lanes: number; maxWaiting: number }): WorkQueue {
  const waiting: (() => void)[] = []
  let working = 0

  return async (task) => {
    if (working >= lanes) {
      if (waiting.length >= maxWaiting) throw storageErrors.busy()
      await new Promise<void>((turn) => waiting.push(turn))
    } else working += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working -= 1 // a lane that is handed on stays taken
    }
  }
}

/** As storage/v1 has it: libvips uses both cores for one picture where it can, and Node has four threads for files and libvips. */
export const buildPictureQueue = (): WorkQueue => buildWorkQueue({ lanes: 2, maxWaiting: 500 })
