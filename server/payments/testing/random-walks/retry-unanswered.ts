import { setTimeout as sleep } from 'node:timers/promises'
import { FunctionsFetchError } from '@supabase/supabase-js'

const pauseMs = 10
export const patienceMs = 60_000

/**
 * Clicks again if the site doesn't respond, as users do. They can't know whether the first click was received.
 * @throws any response that is an error, including a rejection.
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

/** The connection was refused, or broke before the whole response arrived. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof FunctionsFetchError) return true
  const { message, cause } = error as { message?: unknown; cause?: unknown }
  return /fetch failed|^TypeError: terminated|^terminated/.test(String(message)) || (!!cause && isUnanswered(cause))
}
