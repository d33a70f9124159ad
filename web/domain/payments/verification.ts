import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** The answer of `verify-payment`. */
export type Payment = {
  status: 'paid' | 'open' | 'expired' | 'none'
  kind: 'ppv' | 'tip' | 'message' | 'session' | null
  amountCents: number | null
  /** Whether what was paid for is open to the caller now. */
  hasAccess: boolean
}

/** The provider's own message to the server may be a few seconds behind the browser. */
const tries = 12
const pauseMs = 1_500

/** Asks until the payment is decided, for about twenty seconds. It grants nothing: it takes over what the provider says. */
export const paymentQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['payment', sessionId],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Payment> => {
      for (let left = tries; ; left--) {
        const payment = await callFunction<Payment>('verify-payment', { sessionId })
        if (payment.status !== 'open' || payment.hasAccess || left === 1 || signal.aborted) return payment
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
  })
