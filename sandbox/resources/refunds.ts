import { refundCharge } from '../billing/refund.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, integer, metadata, oneOf, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Kinds } from '../store/kinds.ts'

/** The charge that is meant: named itself, or by its payment intent. */
function chargeOf(context: Context, charge: string | undefined, intentId: string | undefined): Kinds['charge'] {
  if (charge && intentId)
    throw errors.exclusive('charge', 'You may only specify one of these parameters: charge, payment_intent.')
  if (charge) return fromParam(context, 'charge', charge, 'charge')
  if (!intentId) throw errors.missingParam('payment_intent')
  const intent = fromParam(context, 'payment_intent', intentId, 'payment_intent')
  if (intent.status !== 'succeeded' || !intent.latest_charge)
    throw errors.state(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  return context.store.get('charge', intent.latest_charge)
}

/** What the bank has given back is the seller's to refund again. */
function wasWon({ store, account }: Context, charge: string): boolean {
  return store.list('dispute', { account, where: { charge, status: 'won' }, limit: 1 }).data.length > 0
}

export const refunds: Resource = {
  kind: 'refund',
  expandable: ['balance_transaction', 'charge', 'failure_balance_transaction', 'payment_intent', 'transfer_reversal'],
  routes: [
    route(
      'POST',
      '/v1/refunds',
      {
        amount: integer({ min: 1 }),
        charge: string(),
        metadata: metadata(),
        payment_intent: string(),
        reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
        refund_application_fee: boolean(),
        reverse_transfer: boolean(),
      },
      (context, params) => {
        const charge = chargeOf(context, params.charge, params.payment_intent)
        if (charge.disputed && !wasWon(context, charge.id))
          throw errors.state(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
        if (params.refund_application_fee && !params.reverse_transfer)
          throw errors.invalidParam(
            'refund_application_fee',
            'This sandbox gives a fee back together with the transfer: set `reverse_transfer` too.',
          )
        if (charge.refunded)
          throw errors.state(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
        return refundCharge(context, {
          charge,
          amount: params.amount ?? charge.amount - charge.amount_refunded,
          reason: params.reason ?? null,
          metadata: mergeMetadata({}, params.metadata),
          reverseTransfer: params.reverse_transfer ?? false,
          refundFee: params.refund_application_fee ?? false,
        })
      },
    ),
    route(
      'GET',
      '/v1/refunds',
      { ...pagingFields, charge: string(), payment_intent: string() },
      (context, { charge, payment_intent, ...paging }) =>
        listPage(context, 'refund', '/v1/refunds', paging, { charge, payment_intent }),
    ),
    route('GET', '/v1/refunds/:id', {}, (context, _params, id) => fromPath(context, 'refund', id)),
  ],
}
