import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useMutation } from '@tanstack/react-query'
import { callFunction } from '../../lib/functions.ts'
import { useSession } from '../../lib/session.tsx'
import { useAskToSignIn } from '../../lib/use-ask-to-sign-in.ts'
import { toast } from '../../ui/toast.ts'

/** Opens the checkout of a plan (SUB-01). A visitor is asked to sign in first, and comes back here (GEN-40, SUB-03). */
export function useSubscribe(): { start: (productId: string) => void; pending: string | undefined } {
  const { user } = useSession()
  const askToSignIn = useAskToSignIn()

  const checkout = useMutation({
    mutationFn: async (productId: string) => {
      const { url } = await callFunction<{ url?: string }>('create-subscription-checkout', { productId })
      if (!url) throw new Error(subscriptionTexts.noUrl)
      return url
    },
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => toast.error(error.message, subscriptionTexts.error),
  })

  const start = (productId: string) => (user ? checkout.mutate(productId) : askToSignIn())
  // Also once it succeeded: the page is on its way out, and a second press must not open a second checkout.
  const pending = checkout.isPending || checkout.isSuccess ? checkout.variables : undefined
  return { start, pending }
}
