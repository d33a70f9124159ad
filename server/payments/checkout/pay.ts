import type { Payer } from '../cards/customers.ts'
import { payByOneClick } from '../cards/one-click.ts'
import { listSavedCards, type SavedCard } from '../cards/saved-cards.ts'
import type { Payments } from '../payments.ts'
import { createSession, settleSessions } from './payment-page.ts'
import { closeSessions, keepOneSession, type PendingCheckout } from './pending-checkout.ts'
import { type AttemptId, isOpenSession, type KnownPayment, readPayments, type SinglePayment } from './single-payment.ts'

export type How = {
  /** The site as the fan's browser knows it, without a trailing slash. */
  readonly siteOrigin: string
  /** What to do where the fan has a saved card: charge it at once, ask the fan first, or leave it and open the page. */
  readonly savedCard: 'use' | 'ask' | 'skip'
  readonly attemptId: AttemptId
}

/** Paid already, by a saved card; a question whether to charge it; or the page on which it is paid, and why the card did not do (D40). */
export type Paying =
  | { readonly status: 'paid'; readonly paymentId: string }
  | { readonly status: 'confirm'; readonly card: SavedCard; readonly amountCents: number; readonly title: string }
  | { readonly url: string; readonly reason?: 'authentication_required' | 'card_declined' }

/** A second press that comes after the first was answered, and still means the same, where no attempt says so. */
const secondPressSeconds = 5

/**
 * Has the fan pay. Two clicks get the same page or make one charge, and so does a fan who went back and tries again; the pages of
 * other amounts are closed. What was paid already is taken over first.
 * @param requireUnpaid refuses once the earlier payments are settled: one of them may have been paid.
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

  // No page may be open beside the charge, or the same thing could be paid on it too.
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

/** Whether this is what was charged by one click already. Another attempt id is another payment. */
function isSamePress({ same, url, ageSeconds, attemptId }: KnownPayment, how: How): boolean {
  if (!same || url !== null) return false
  return how.attemptId === null ? ageSeconds < secondPressSeconds : how.attemptId === attemptId
}
