import { balanceOf } from '../billing/balance.ts'
import { currencyOf } from '../billing/currency.ts'
import { payOut } from '../billing/payout.ts'
import { errors } from '../http/errors.ts'
import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { integer, oneOf, required, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const payouts: Resource = {
  kind: 'payout',
  expandable: ['balance_transaction', 'destination'],
  routes: [
    route(
      'POST',
      '/v1/payouts',
      { amount: required(integer({ min: 1 })), currency: required(string(3)) },
      (context, { amount, currency }) => {
        if (!context.account) throw errors.state('This sandbox pays out connected accounts alone.')
        if (currency !== currencyOf(context))
          throw errors.invalidParam('currency', `You have no bank account for payouts in ${currency}.`)
        if (amount > balanceOf(context, context.account).available)
          throw errors.state(
            'You have insufficient funds in your Stripe account for this transfer.',
            'balance_insufficient',
          )
        return payOut(context, context.account, amount, false)
      },
    ),
    route(
      'GET',
      '/v1/payouts',
      { ...pagingFields, status: oneOf('canceled', 'failed', 'in_transit', 'paid', 'pending') },
      (context, { status, ...paging }) => listPage(context, 'payout', '/v1/payouts', paging, { status }),
    ),
    route('GET', '/v1/payouts/:id', {}, (context, _params, id) => fromPath(context, 'payout', id)),
  ],
}
