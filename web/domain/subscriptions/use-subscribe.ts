import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FunctionFailure } from '../../lib/api/functions.ts'
import { planOffersKey } from '../offers/plan-offers.ts'
import { useCheckout } from '../payments/use-checkout.ts'

type Choice = {
  /** The months of a term; 1 for the plan's own interval (OFFER-01). */
  intervalCount?: number
  promotionCode?: string
}

/**
 * Opens the checkout of a plan, with an optional promotion code (SUB-01, SUB-02). `pending` is the plan whose checkout is opening;
 * `codeError` is the promotion code's error, which belongs on its field.
 */
export function useSubscribe(): {
  start: (productId: string, choice?: Choice) => void
  pending: string | undefined
  codeError: string | undefined
} {
  const checkout = useCheckout<{ productId: string; intervalCount?: number; promotionCode?: string }>(
    'create-subscription-checkout',
    subscriptionTexts.error,
    { isHandled: isAboutCode },
  )
  // An offer may have ended since its price was shown.
  const queryClient = useQueryClient()
  const { error } = checkout
  useEffect(() => {
    if (error) void queryClient.invalidateQueries({ queryKey: planOffersKey })
  }, [error, queryClient])
  return {
    start: (productId, { intervalCount = 1, promotionCode } = {}) =>
      checkout.start({
        productId,
        ...(intervalCount > 1 && { intervalCount }),
        ...(promotionCode && { promotionCode }),
      }),
    pending: checkout.pending?.productId,
    codeError: error && isAboutCode(error) ? error.message : undefined,
  }
}

/** The server's error codes: promotion_not_found, promotion_expired, promotion_used_up, promotion_not_for_terms, promotion_below_offer. */
function isAboutCode(error: Error): boolean {
  return error instanceof FunctionFailure && Boolean(error.refusal.code?.startsWith('promotion_'))
}
