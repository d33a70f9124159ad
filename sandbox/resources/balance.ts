import type Stripe from 'stripe'
import { readBooks } from '../billing/balance.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Wire } from '../store/wire.ts'

export const balance: Resource = {
  kind: 'balance',
  routes: [
    route('GET', '/v1/balance', {}, (context): Wire<Stripe.Balance> => {
      const books = readBooks(context)
      const amount = context.account === '' ? books.platform : (books.accounts[context.account] ?? 0)
      return {
        object: 'balance',
        available: [{ amount, currency: 'usd', source_types: { card: amount } }],
        livemode: false,
        pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
      }
    }),
  ],
}
