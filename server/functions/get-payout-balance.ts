import { defineFunction } from './define.ts'

/**
 * `get-payout-balance` → {balance: {availableCents, pendingCents} | null}: what the provider holds for the creator, ready for the bank or on
 * its way; null without an account. The ledger's own balance is the database's (`get_creator_balance`).
 */
export const getPayoutBalance = defineFunction({
  name: 'get-payout-balance',
  fields: {},
  run: async ({ person, services }) => {
    if (!person.stripeAccountId) return { balance: null }
    const { available, pending } = await services.stripe.api.balance.retrieve(
      {},
      { stripeAccount: person.stripeAccountId },
    )
    const dollars = (amounts: readonly { amount: number; currency: string }[]) =>
      amounts.filter(({ currency }) => currency === 'usd').reduce((sum, { amount }) => sum + amount, 0)
    return { balance: { availableCents: dollars(available), pendingCents: dollars(pending) } }
  },
})
