import { type Split, splitPayment } from '@ovation/contract/fees'
import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { payByOneClick } from '../cards/one-click.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { readPayments } from './single-payment.ts'
import { quoteTip } from './start-payment.ts'

/**
 * Pays a creator by the id of their account at the provider, with a card given by its id. Booked as a tip.
 * @throws 404 for an unknown account, 409 for the fan's own or one that can't take payments, 402 if the card was declined.
 */
export async function payAccount(
  payments: Payments,
  fan: Payer,
  wanted: {
    readonly amountInCents: number
    readonly sellerAccountId: string
    readonly paymentMethodId: string
    readonly description: string | null
  },
): Promise<{ paymentId: string; amountCents: number } & Omit<Split, 'grossCents'>> {
  const [creator] = await payments.database.service.rows<{ id: string }>(sql`
    select id from private.profiles where stripe_account_id = ${wanted.sellerAccountId}`)
  if (!creator) throw paymentErrors.creatorNotFound()
  const quoted = await quoteTip(payments, fan, creator.id, wanted.amountInCents, { postId: null })
  const payment = { ...quoted, title: wanted.description ?? quoted.title }
  const [previous] = await readPayments(payments, fan, payment)
  const paid = await payByOneClick(payments, fan, payment, { id: wanted.paymentMethodId }, previous?.id)
  if (!('paymentId' in paid)) throw paymentErrors.cardDeclined(paid.reason)
  const { grossCents: amountCents, ...rest } = splitPayment(payment.amountCents, payments.config.platformFeePercent)
  return { paymentId: paid.paymentId, amountCents, ...rest }
}
