import type { Resource } from '../http/resource.ts'

/** Reached through their transfer; here is what they can be expanded to. */
export const transferReversals: Resource = {
  kind: 'transfer_reversal',
  expandable: ['balance_transaction', 'destination_payment_refund', 'source_refund', 'transfer'],
  routes: [],
}
