import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'
import { subscriptionsKey } from './plan-queries.ts'

type Change = {
  change: 'cancel-subscription' | 'resume-subscription' | 'switch-subscription' | 'pause-subscription' | 'end-pause'
  subscriptionId: string
  /** The plan to switch to. */
  productId?: string
  /** The term to switch to: how many of the plan's intervals a period has. */
  intervalCount?: number
  /** How long to pause. */
  months?: number
  /** The message on success. */
  done: string
}

/** The bank has to confirm it: at this URL, until then. A renewal has no such end. */
export type BankQuestion = { url: string; expiresAt: string | undefined }

/** Cancels, resumes, pauses, or switches through Stripe (SUB-04, SUB-05). Not optimistic, because money is involved. Shows the server's error. */
export function useManageSubscription(onDone?: (bank?: BankQuestion) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ change, done: _done, ...body }: Change) => callFunction<{ confirm?: BankQuestion }>(change, body),
    onSuccess: async ({ confirm }, { done }) => {
      await queryClient.invalidateQueries({ queryKey: subscriptionsKey })
      // Another plan may unlock other posts.
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
