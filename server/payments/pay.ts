import type { Payer } from './customers.ts'
import { payByOneClick } from './one-click.ts'
import { closePages, createPage, settlePages } from './payment-page.ts'
import type { Payments } from './payments.ts'
import { type KnownPayment, readPayments, type SinglePayment } from './single-payment.ts'

export type How = {
  /** The site as the fan's browser knows it, without a trailing slash. */
  readonly siteOrigin: string
  /** Charge a saved card at once, where there is one. */
  readonly useSavedCard: boolean
}

/** Paid already, by a saved card; or the page on which it is paid, and why a saved card did not do (D40). */
export type Paying =
  | { readonly status: 'paid'; readonly paymentId: string }
  | { readonly url: string; readonly reason?: 'authentication_required' | 'card_declined' }

/** A second press that comes after the first was answered, and still means the same. */
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
  const pressed = before.find(isSecondPress)
  if (pressed && how.useSavedCard) return { status: 'paid', paymentId: pressed.id }
  await requireStillWanted()
  if (!how.useSavedCard) return { url: await openPage(payments, fan, payment, how, { before, payable }) }

  const clicked = await payByOneClick(payments, fan, payment, {
    previous: before[0]?.id,
    // No page may be open beside the charge, or the same thing could be paid on it too.
    beforeCharge: async () => {
      if (payable.length === 0) return
      await closePages(payments, fan, payment)
      await requireStillWanted()
    },
  })
  if ('paymentId' in clicked) return { status: 'paid', paymentId: clicked.paymentId }
  const { reason } = clicked
  if (reason === 'no_card') return { url: await openPage(payments, fan, payment, how, { before, payable }) }
  return { url: await openPage(payments, fan, payment, how, { before, payable: [] }), reason }
}

type Past = { readonly before: readonly KnownPayment[]; readonly payable: readonly KnownPayment[] }

const isSecondPress = ({ same, url, ageSeconds }: KnownPayment) =>
  same && url === null && ageSeconds < secondPressSeconds

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
