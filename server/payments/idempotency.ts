import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'

/** How many kept rejections one call skips: more than anyone retries in a day, and each costs a request. */
const mostKeptRefusals = 25
/** How long to wait for a response that another request is working on: a user is waiting for this one. */
const patienceMs = 8_000
const firstPauseMs = 200
const longestPauseMs = 1_600

/**
 * Stripe looked at the request and did nothing. It keeps the response under the idempotency key for a day, even if the reason is gone.
 * A lost connection, a server error, and "another request is in progress" don't prove that.
 */
export function isDefiniteRefusal(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError) || isBusy(error)) return false
  const status = error.statusCode ?? 0
  return status >= 400 && status < 500 && status !== 401 && error.type !== 'StripeIdempotencyError'
}

/** Another request with this key, or for this object, is in progress, or we send too many: the same request succeeds in a moment. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  return error.statusCode === 429 || error.code === 'idempotency_key_in_use' || error.code === 'lock_timeout'
}

type Asking = {
  /** Which old rejections are skipped; every definite one by default. */
  readonly isOld?: (error: Stripe.errors.StripeError) => boolean
}

/**
 * Sends one request to Stripe, once, under a key. An old rejection is skipped by using the next key: it is known to have done nothing, so
 * nothing is done twice, and everyone who sends the same request uses the same keys. If another request is in progress, it waits.
 * @throws Stripe's error; `isBusy` if it took too long.
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

/** Retries while another request is working on the same thing. */
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

/** The key for tasks that the schedule retries, which count rejections as they happen. */
export const keyAfter = (key: string, refusals: number): string => (refusals === 0 ? key : `${key}:${refusals}`)
