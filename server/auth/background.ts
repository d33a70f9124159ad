import type { AuthContext } from './context.ts'

/** Work that the answer does not wait for, so that it takes the same time whether there is anything to do or not. */
export function inBackground({ log }: Pick<AuthContext, 'log'>, work: () => Promise<void>) {
  work().catch((err: unknown) => log.error({ err }, 'an account message was not sent'))
}
