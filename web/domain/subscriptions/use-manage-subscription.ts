import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'
import { subscriptionsKey } from './queries.ts'

type Change = {
  change: 'cancel-subscription' | 'resume-subscription' | 'switch-subscription'
  subscriptionId: string
  /** The plan to switch to. */
  productId?: string
  /** What to say when it is done. */
  done: string
}

/** The bank wants to ask first: on this page, until then. */
export type BankQuestion = { url: string; expiresAt: string }

/**
 * Cancels, resumes, or switches on the server, through Stripe (SUB-04, SUB-05). Not optimistic, because it is about
 * money. A rejection shows the server's message.
 */
export function useManageSubscription(onDone?: (bank?: BankQuestion) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ change, subscriptionId, productId }: Change) =>
      callFunction<{ confirm?: BankQuestion }>(change, { subscriptionId, ...(productId && { productId }) }),
    onSuccess: async ({ confirm }, { done }) => {
      await queryClient.invalidateQueries({ queryKey: subscriptionsKey })
      // Another plan may open other posts.
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
      if (!confirm) toast.success(done)
      onDone?.(confirm)
    },
    onError: (error) => {
      toast.error(error.message, subscriptionTexts.error)
      onDone?.()
    },
  })
}
