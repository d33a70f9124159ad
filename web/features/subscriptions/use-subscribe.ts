import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useCheckout } from '../payments/use-checkout.ts'

/** Opens the checkout of a plan (SUB-01, SUB-02). `pending` is the plan whose checkout is on its way. */
export function useSubscribe(): { start: (productId: string) => void; pending: string | undefined } {
  const checkout = useCheckout<{ productId: string }>('create-subscription-checkout', subscriptionTexts.error)
  return { start: (productId) => checkout.start({ productId }), pending: checkout.pending?.productId }
}
