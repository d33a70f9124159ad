import { randomInt } from 'node:crypto'
import type { AuthContext } from './context.ts'

/** Long enough for the answer to have gone, and by lot, so that the next answer does not tell of the work behind this one either. */
const [leastMs, mostMs] = [10, 60]

/** Work that the answer does not wait for, so that it takes the same time whether there is anything to do or not. */
export function inBackground(
  { log, backgroundWork }: Pick<AuthContext, 'log' | 'backgroundWork'>,
  work: () => Promise<void>,
): void {
  backgroundWork.add(
    new Promise<void>((resolve) => setTimeout(resolve, randomInt(leastMs, mostMs)))
      .then(work)
      .catch((err: unknown) => log.error({ err }, 'an account message was not sent')),
  )
}
