import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { FunctionFailure } from '../../lib/api/functions.ts'
import { useCheckout } from '../payments/use-checkout.ts'

/**
 * Opens the checkout of a plan (SUB-01, SUB-02), for less with a promotion code. `pending` is the plan whose checkout is on its way,
 * `codeError` why the code did not do: it belongs to the field, and the plan is still for sale.
 */
export function useSubscribe(): {
  start: (productId: string, promotionCode?: string) => void
  pending: string | undefined
  codeError: string | undefined
} {
  const checkout = useCheckout<{ productId: string; promotionCode?: string }>(
    'create-subscription-checkout',
    subscriptionTexts.error,
    { isTold: isAboutCode },
  )
  return {
    start: (productId, promotionCode) => checkout.start({ productId, ...(promotionCode && { promotionCode }) }),
    pending: checkout.pending?.productId,
    codeError: checkout.error && isAboutCode(checkout.error) ? checkout.error.message : undefined,
  }
}

/** The server's codes for it: promotion_not_found, promotion_expired, promotion_used_up. */
function isAboutCode(error: Error): boolean {
  return error instanceof FunctionFailure && Boolean(error.refusal.code?.startsWith('promotion_'))
}
