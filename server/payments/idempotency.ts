import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'

/** How often one call goes past refusals that Stripe has kept: more than anybody asks again in a day, and each costs a request. */
const mostKeptRefusals = 25
/** How long an answer is waited for that another request is working on: a person waits for this one. */
const patienceMs = 8_000
const firstPauseMs = 200
const longestPauseMs = 1_600

/**
 * Stripe has looked at the request and done nothing. Kept under the idempotency key for a day and given again, also when the reason is gone.
 * A lost connection, a server error and "somebody else is at work on it" say nothing of the kind.
 */
export function isDefiniteRefusal(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError) || isBusy(error)) return false
  const status = error.statusCode ?? 0
  return status >= 400 && status < 500 && status !== 401 && error.type !== 'StripeIdempotencyError'
}

/** Another request with this key, or on this object, is unanswered, or we ask too often: the same question has an answer in a moment. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  return error.statusCode === 429 || error.code === 'idempotency_key_in_use' || error.code === 'lock_timeout'
}

type Asking = {
  /** Which refusals are gone past when they are old; every definite one unless said otherwise. */
  readonly isOld?: (error: Stripe.errors.StripeError) => boolean
}

/**
 * Asks Stripe for one thing, once, under a key. An old refusal is gone past by the next key: it is known to have done nothing, so nothing is
 * done twice, and everybody who asks for the same goes through the same keys. While another request works on it, its answer is waited for.
 * @throws Stripe's answer; `isBusy` when it took too long.
 */
export async function askOnce<Answer>(
  key: string,
  ask: (idempotencyKey: string) => Promise<Answer>,
  { isOld = () => true }: Asking = {},
): Promise<Answer> {
  for (let number = 0; ; number += 1) {
    try {
      return await patiently(() => ask(number === 0 ? key : `${key}:${number}`))
    } catch (error) {
      if (number >= mostKeptRefusals || !isDefiniteRefusal(error) || !wasKept(error) || !isOld(error)) throw error
    }
  }
}

const wasKept = ({ headers }: Stripe.errors.StripeError): boolean => headers?.['idempotent-replayed'] === 'true'

/** Asks again while another request is at work on the same. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await ask()
    } catch (error) {
      if (!isBusy(error) || Date.now() + pauseMs > deadline) throw error
    }
    await sleep(pauseMs)
  }
}

/** The key of work that is tried by the clock, which counts refusals as it meets them. */
export const keyAfter = (key: string, refusals: number): string => (refusals === 0 ? key : `${key}:${refusals}`)
