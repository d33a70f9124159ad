import type Stripe from 'stripe'
import { isAccountGone } from '../payments/accounts/accounts.ts'
import { defineFunction } from './define.ts'
import type { Services } from './services.ts'

/**
 * `get-payout-balance` → {balance: {availableCents, pendingCents} | null}: the creator's balance at the provider, available or
 * pending; null without an account, or with a closed one. The ledger's own balance is in the database (`get_creator_balance`).
 */
export const getPayoutBalance = defineFunction({
  name: 'get-payout-balance',
  fields: {},
  run: async ({ person, services }) => {
    if (!person.stripeAccountId) return { balance: null }
    const balance = await readBalance(services, person.stripeAccountId)
    if (!balance) return { balance: null }
    const dollars = (amounts: readonly { amount: number; currency: string }[]) =>
      amounts.filter(({ currency }) => currency === 'usd').reduce((sum, { amount }) => sum + amount, 0)
    return { balance: { availableCents: dollars(balance.available), pendingCents: dollars(balance.pending) } }
  },
})

function readBalance({ stripe }: Services, stripeAccount: string): Promise<Stripe.Balance | undefined> {
  return stripe.api.balance.retrieve({}, { stripeAccount }).catch((error: unknown) => {
    if (!isAccountGone(error)) throw error
    return undefined
  })
}
