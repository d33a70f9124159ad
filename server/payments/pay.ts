import type { Payer } from './customers.ts'
import { payByOneClick } from './one-click.ts'
import { closePages, leaveOnePage, type Wish } from './one-page.ts'
import { createPage, settlePages } from './payment-page.ts'
import type { Payments } from './payments.ts'
import { listSavedCards, type SavedCard } from './saved-cards.ts'
import { type AttemptId, isOpenPage, type KnownPayment, readPayments, type SinglePayment } from './single-payment.ts'

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
 * @param requireStillWanted refuses once the earlier payments are settled: one of them may have been paid.
 */
export async function pay(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  how: How,
  requireStillWanted: () => Promise<unknown>,
): Promise<Paying> {
  const before = await readPayments(payments, fan, payment)
  const payable = await settlePages(payments, before)
  const pressed = before.find((known) => isSamePress(known, how))
  if (pressed && how.savedCard === 'use') return { status: 'paid', paymentId: pressed.id }
  await requireStillWanted()
  const readOpen = async () => (await readPayments(payments, fan, payment)).filter(isOpenPage)
  const wish: Wish = { payable, readOpen, requireStillWanted }
  const openPage = () => createPage(payments, fan, payment, how.siteOrigin, before[0]?.id)
  const [card] = how.savedCard === 'skip' ? [] : await listSavedCards(payments, fan)
  if (!card) {
    const present = payable.find(({ same }) => same)
    return { url: await leaveOnePage(payments, wish, present, openPage) }
  }
  const { amountCents, title } = payment
  if (how.savedCard === 'ask') return { status: 'confirm', card, amountCents, title }

  // No page may be open beside the charge, or the same thing could be paid on it too.
  const busy = await closePages(payments, wish, payable)
  if (busy) return { url: busy.url }
  const clicked = await payByOneClick(payments, fan, payment, card, before[0]?.id, how.attemptId)
  return 'paymentId' in clicked
    ? { status: 'paid', paymentId: clicked.paymentId }
    : { url: await leaveOnePage(payments, { ...wish, payable: [] }, undefined, openPage), reason: clicked.reason }
}

/** Whether this is what was charged by one click already. Whoever names the attempt is taken at their word: another one is another wish. */
function isSamePress({ same, url, ageSeconds, attemptId }: KnownPayment, how: How): boolean {
  if (!same || url !== null) return false
  return how.attemptId === null ? ageSeconds < secondPressSeconds : how.attemptId === attemptId
}
