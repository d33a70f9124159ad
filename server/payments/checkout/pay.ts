import type { Payer } from '../cards/customers.ts'
import { payByOneClick } from '../cards/one-click.ts'
import { listSavedCards, type SavedCard } from '../cards/saved-cards.ts'
import type { Payments } from '../payments.ts'
import { createSession, settleSessions } from './payment-page.ts'
import { closeSessions, keepOneSession, type PendingCheckout } from './pending-checkout.ts'
import { type AttemptId, isOpenSession, type KnownPayment, readPayments, type SinglePayment } from './single-payment.ts'

export type How = {
  /** The site's origin in the fan's browser, without a trailing slash. */
  readonly siteOrigin: string
  /** What to do if the fan has a saved card: charge it right away, ask the fan first, or skip it and open the page. */
  readonly savedCard: 'use' | 'ask' | 'skip'
  readonly attemptId: AttemptId
}

/** Already paid with a saved card; a question whether to charge it; or the checkout page, and why the card failed (D40). */
export type Paying =
  | { readonly status: 'paid'; readonly paymentId: string }
  | { readonly status: 'confirm'; readonly card: SavedCard; readonly amountCents: number; readonly title: string }
  | { readonly url: string; readonly reason?: 'authentication_required' | 'card_declined' }

/** How long after the first response a second click without an attempt id still means the same purchase. */
const secondPressSeconds = 5

/**
 * Starts the fan's payment. Two clicks, or a fan who goes back and tries again, get the same page or make one charge; pages for
 * other amounts are closed. Completed payments are recorded first.
 * @param requireUnpaid throws once the earlier payments are settled: one of them may have been paid.
 */
export async function pay(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  how: How,
  requireUnpaid: () => Promise<unknown>,
): Promise<Paying> {
  const before = await readPayments(payments, fan, payment)
  const payable = await settleSessions(payments, before)
  const pressed = before.find((known) => isSamePress(known, how))
  if (pressed && how.savedCard === 'use') return { status: 'paid', paymentId: pressed.id }
  await requireUnpaid()
  const readOpen = async () => (await readPayments(payments, fan, payment)).filter(isOpenSession)
  const pending: PendingCheckout = { payable, readOpen, requireUnpaid }
  const openSession = () => createSession(payments, fan, payment, how.siteOrigin, before[0]?.id)
  const [card] = how.savedCard === 'skip' ? [] : await listSavedCards(payments, fan)
  if (!card) {
    const reusable = payable.find(({ same }) => same)
    return { url: await keepOneSession(payments, pending, reusable, openSession) }
  }
  const { amountCents, title } = payment
  if (how.savedCard === 'ask') return { status: 'confirm', card, amountCents, title }

  // No page may be open during the charge, or the same thing could be paid there too.
  const processing = await closeSessions(payments, pending, payable)
  if (processing) return { url: processing.url }
  const clicked = await payByOneClick(payments, fan, payment, card, before[0]?.id, how.attemptId)
  return 'paymentId' in clicked
    ? { status: 'paid', paymentId: clicked.paymentId }
    : {
        url: await keepOneSession(payments, { ...pending, payable: [] }, undefined, openSession),
        reason: clicked.reason,
      }
}

/** Whether this is the payment that was just charged by one click. Another attempt id is another payment. */
function isSamePress({ same, url, ageSeconds, attemptId }: KnownPayment, how: How): boolean {
  if (!same || url !== null) return false
  return how.attemptId === null ? ageSeconds < secondPressSeconds : how.attemptId === attemptId
}
