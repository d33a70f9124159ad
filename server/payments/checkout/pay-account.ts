import { type Split, splitPayment } from '@ovation/contract/fees'
import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { payByOneClick } from '../cards/one-click.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { readPayments } from './single-payment.ts'
import { quoteTip } from './start-payment.ts'

/**
 * Pays a creator who is known by their account at the provider, with a card that is known by its id. Booked as a tip.
 * @throws 404 for an account of nobody here, 409 for one's own or one that takes no payments, 402 when the card did not do.
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
  const quoted = await quoteTip(payments, fan, creator.id, wanted.amountInCents, null)
  const payment = { ...quoted, title: wanted.description ?? quoted.title }
  const [previous] = await readPayments(payments, fan, payment)
  const paid = await payByOneClick(payments, fan, payment, { id: wanted.paymentMethodId }, previous?.id)
  if (!('paymentId' in paid)) throw paymentErrors.cardDeclined(paid.reason)
  const { grossCents: amountCents, ...rest } = splitPayment(payment.amountCents, payments.config.platformFeePercent)
  return { paymentId: paid.paymentId, amountCents, ...rest }
}
