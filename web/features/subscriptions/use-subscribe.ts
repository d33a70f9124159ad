import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useCheckout } from '../payments/use-checkout.ts'

/** Opens the checkout of a plan (SUB-01, SUB-02), for less with a promotion code. `pending` is the plan whose checkout is on its way. */
export function useSubscribe(): {
  start: (productId: string, promotionCode?: string) => void
  pending: string | undefined
} {
  const checkout = useCheckout<{ productId: string; promotionCode?: string }>(
    'create-subscription-checkout',
    subscriptionTexts.error,
  )
  return {
    start: (productId, promotionCode) => checkout.start({ productId, ...(promotionCode && { promotionCode }) }),
    pending: checkout.pending?.productId,
  }
}
