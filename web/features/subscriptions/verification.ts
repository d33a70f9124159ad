import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** The answer of `verify-subscription` (API-FN-01, DATA-19). */
export type Verification = {
  hasActiveSubscription: boolean
  subscription: {
    tier?: { name: string } | null
    creator?: { username: string; display_name: string | null } | null
  } | null
  /** Whether there is a checkout with this creator whose payment may still arrive. */
  isAwaited: boolean
}

/** The payment's own message to the server may be a few seconds behind the browser. */
const tries = 12
const pauseMs = 1_500

/** Asks until the subscription is there, for about twenty seconds, and once when there is no payment to wait for. A failed call ends the asking: the person can retry. */
export const verificationQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['verification', creatorId],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Verification> => {
      for (let left = tries; ; left--) {
        const answer = await callFunction<Verification>('verify-subscription', { creatorId })
        if (answer.hasActiveSubscription || !answer.isAwaited || left === 1 || signal.aborted) return answer
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
  })
