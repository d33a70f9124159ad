import type { Payments } from '../payments.ts'
import { closeCheckout } from './close-checkout.ts'

export type CheckoutSession = { readonly id: string; readonly url: string }

/** A purchase that is paid at most once: at most one checkout session for it is open at a time. */
export type PendingCheckout = {
  /** The sessions that can still be paid, according to Stripe. */
  readonly payable: readonly CheckoutSession[]
  /** The sessions that are open as far as we know now: another tab may have opened one in the meantime. */
  readonly readOpen: () => Promise<readonly CheckoutSession[]>
  /** Rejects if a payment on one of the sessions was enough. */
  readonly requireUnpaid: () => Promise<unknown>
}

/**
 * Leaves the fan one open session, so that nothing is paid twice. It closes the others before it opens one, and again afterwards. If two
 * tabs open sessions at once, they close each other's, which is safe.
 * @param reusable the session of `payable` to keep, if there is one; otherwise `open` creates one.
 * @returns the URL to pay at. If Stripe is processing a payment on another session, it is that session's URL: the fan finishes there.
 */
export async function keepOneSession(
  payments: Payments,
  pending: PendingCheckout,
  reusable: CheckoutSession | undefined,
  open: () => Promise<CheckoutSession>,
): Promise<string> {
  // Not the sessions of `readOpen`: a second click would close the first click's session.
  const processing = await closeSessions(payments, pending, pending.payable, reusable)
  if (processing) return processing.url
  const session = reusable ?? (await open())
  return ((await closeSessions(payments, pending, await pending.readOpen(), session)) ?? session).url
}

/**
 * Closes all sessions except the kept one. If another can't be closed, or its payment was enough, the kept one is closed too.
 * @returns a session that stays open because Stripe is processing a payment.
 * @throws what `requireUnpaid` throws, if one of them was paid at this very moment.
 */
export async function closeSessions(
  payments: Payments,
  { requireUnpaid }: Pick<PendingCheckout, 'requireUnpaid'>,
  sessions: readonly CheckoutSession[],
  kept?: CheckoutSession,
): Promise<CheckoutSession | undefined> {
  let processing: CheckoutSession | undefined
  let wasPaid = false
  for (const session of sessions) {
    if (session.id === kept?.id) continue
    const status = await closeCheckout(payments, session.id)
    if (status === 'open' || status === 'pending') processing = session
    if (status === 'complete') wasPaid = true
  }
  try {
    if (wasPaid) await requireUnpaid()
  } catch (refusal) {
    if (kept) await closeCheckout(payments, kept.id)
    throw refusal
  }
  if (processing && kept) await closeCheckout(payments, kept.id)
  return processing
}
