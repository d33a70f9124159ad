import type { Payments } from '../payments.ts'
import { closeCheckout } from './close-checkout.ts'

export type CheckoutSession = { readonly id: string; readonly url: string }

/** Something that is paid once: at most one checkout session for it is open at a time. */
export type PendingCheckout = {
  /** The sessions that can still be paid, as Stripe has said. */
  readonly payable: readonly CheckoutSession[]
  /** The sessions that are open as far as we know by now: another tab may have opened one meanwhile. */
  readonly readOpen: () => Promise<readonly CheckoutSession[]>
  /** Rejects when a payment on one of the sessions was enough. */
  readonly requireUnpaid: () => Promise<unknown>
}

/**
 * Leaves the fan one open session, so that nothing is paid twice: the others are closed before one is opened, and again after. Two
 * tabs that open two at once close each other's, which is safe.
 * @param reusable the session of `payable` that is kept, if there is one; otherwise `open` makes one.
 * @returns the URL to pay at. Where Stripe is processing a payment on another session, that one's: its fan finishes there.
 */
export async function keepOneSession(
  payments: Payments,
  pending: PendingCheckout,
  reusable: CheckoutSession | undefined,
  open: () => Promise<CheckoutSession>,
): Promise<string> {
  // Not those of `readOpen`: a second click would close the session of the first.
  const processing = await closeSessions(payments, pending, pending.payable, reusable)
  if (processing) return processing.url
  const session = reusable ?? (await open())
  return ((await closeSessions(payments, pending, await pending.readOpen(), session)) ?? session).url
}

/**
 * Closes all sessions except the one that is kept. Where another can't be closed, or its payment was enough, the kept one is closed too.
 * @returns one that stays open, because Stripe is processing a payment.
 * @throws what `requireUnpaid` throws, when one of them was paid at this very moment.
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
