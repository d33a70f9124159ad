import { setTimeout as sleep } from 'node:timers/promises'
import { FunctionsFetchError } from '@supabase/supabase-js'

const pauseMs = 10
export const patienceMs = 60_000

/**
 * What people do when the site does not answer: they press again. Whether the first press was heard they can not know.
 * @throws whatever is an answer, a refusal too.
 */
export async function retryUnanswered<Result>(press: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await press()
    } catch (error) {
      if (!isUnanswered(error) || Date.now() > deadline) throw error
    }
  }
}

/** The connection was refused, or broke before the whole answer was here. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof FunctionsFetchError) return true
  const { message, cause } = error as { message?: unknown; cause?: unknown }
  return /fetch failed|^TypeError: terminated|^terminated/.test(String(message)) || (!!cause && isUnanswered(cause))
}
