import type Stripe from 'stripe'
import { balanceOf } from '../billing/balance.ts'
import { currencyOf } from '../billing/currency.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Wire } from '../store/wire.ts'

export const balance: Resource = {
  kind: 'balance',
  routes: [
    route('GET', '/v1/balance', {}, (context): Wire<Stripe.Balance> => {
      const { available, pending } = balanceOf(context, context.account)
      const currency = currencyOf(context)
      return {
        object: 'balance',
        available: [{ amount: available, currency, source_types: { card: available } }],
        ...(context.account === '' && { connect_reserved: [{ amount: 0, currency }] }),
        livemode: false,
        pending: [{ amount: pending, currency, source_types: { card: pending } }],
      }
    }),
  ],
}
