import type { Payer } from './customers.ts'
import { payByOneClick } from './one-click.ts'
import { closePages, createPage, settlePages } from './payment-page.ts'
import type { Payments } from './payments.ts'
import { listSavedCards, type SavedCard } from './saved-cards.ts'
import { type AttemptId, type KnownPayment, readPayments, type SinglePayment } from './single-payment.ts'

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
 * other amounts are closed, so that one wish is never paid twice. What was paid already is taken over first.
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
  const page = async (still: readonly KnownPayment[]) =>
    openPage(payments, fan, payment, how, { before, payable: still })
  const [card] = how.savedCard === 'skip' ? [] : await listSavedCards(payments, fan)
  if (!card) return { url: await page(payable) }
  const { amountCents, title } = payment
  if (how.savedCard === 'ask') return { status: 'confirm', card, amountCents, title }

  // No page may be open beside the charge, or the same thing could be paid on it too.
  if (payable.length > 0) {
    const [stuck] = await closePages(payments, fan, payment)
    if (stuck) return { url: stuck.url ?? '' } // being paid this very moment: its fan finishes there
    await requireStillWanted()
  }
  const clicked = await payByOneClick(payments, fan, payment, card, before[0]?.id, how.attemptId)
  return 'paymentId' in clicked
    ? { status: 'paid', paymentId: clicked.paymentId }
    : { url: await page([]), reason: clicked.reason }
}

type Past = { readonly before: readonly KnownPayment[]; readonly payable: readonly KnownPayment[] }

/** Whether this is what was charged by one click already. Whoever names the attempt is taken at their word: another one is another wish. */
function isSamePress({ same, url, ageSeconds, attemptId }: KnownPayment, how: How): boolean {
  if (!same || url !== null) return false
  return how.attemptId === null ? ageSeconds < secondPressSeconds : how.attemptId === attemptId
}

async function openPage(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  { siteOrigin }: How,
  { before, payable }: Past,
): Promise<string> {
  const present = payable.find(({ same }) => same)
  const { id, url } = present ?? (await createPage(payments, fan, payment, siteOrigin, before[0]?.id))
  await closePages(payments, fan, payment, id)
  return url ?? ''
}
