import { randomInt } from 'node:crypto'
import type { AuthContext } from './context.ts'

/** A random delay, longer than the response takes, so that later response times don't reveal whether there was work either. */
const [leastMs, mostMs] = [10, 60]

/** Runs work after the response, so that the response takes the same time whether there is anything to do or not. */
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
