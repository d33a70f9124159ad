import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callFunction } from '../../lib/functions.ts'
import { useSession } from '../../lib/session.tsx'
import { useAskToSignIn } from '../../lib/use-ask-to-sign-in.ts'
import { toast } from '../../ui/toast.ts'

type Checkout = 'create-subscription-checkout' | 'create-payment-checkout'

/** Opens a checkout of the payment provider. A visitor is asked to sign in first, and comes back here (GEN-40, SUB-03). */
export function useCheckout<Order extends Record<string, unknown>>(checkout: Checkout, failureTitle: string) {
  const { user } = useSession()
  const askToSignIn = useAskToSignIn()

  const opening = useMutation({
    mutationFn: async (order: Order) => {
      const { url } = await callFunction<{ url?: string }>(checkout, order)
      if (!url) throw new Error(subscriptionTexts.noUrl)
      return url
    },
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => toast.error(error.message, failureTitle),
  })

  // Back from the checkout, the browser may show this page as it was left: ready for another press.
  const { reset } = opening
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])

  return {
    start: (order: Order) => (user ? opening.mutate(order) : askToSignIn()),
    /** The order being opened. Also once it succeeded: the page is on its way out, and a second press must not open a second checkout. */
    pending: opening.isPending || opening.isSuccess ? opening.variables : undefined,
  }
}
