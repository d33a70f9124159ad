import { type QueryState, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** The provider's own message to the server may be a few seconds behind the browser. */
const tries = 12
const pauseMs = 1_500

type Options<Answer> = {
  /** The function to call. Its answer grants nothing. */
  name: 'verify-payment' | 'verify-subscription'
  body: Record<string, string>
  enabled?: boolean
  /** Whether another answer may follow this one. */
  isAwaited: (answer: Answer) => boolean
}

/**
 * Asks what became of a payment until that is decided, for about twenty seconds. A failed call ends the asking: the person can retry, and
 * that begins again.
 */
export function useVerification<Answer>({ name, body, enabled = true, isAwaited }: Options<Answer>) {
  const queryClient = useQueryClient()
  const queryKey = [name, body]
  const goesOn = ({ status, data, dataUpdateCount }: QueryState<Answer>): boolean =>
    status === 'success' && data !== undefined && isAwaited(data) && dataUpdateCount < tries
  const { data, error, isPending, isFetching } = useQuery<Answer>({
    queryKey,
    enabled,
    staleTime: 0,
    gcTime: 0,
    queryFn: () => callFunction<Answer>(name, body),
    refetchInterval: ({ state }) => goesOn(state) && pauseMs,
    refetchIntervalInBackground: true, // people go to their bank's app and back
  })
  const state = queryClient.getQueryState<Answer>(queryKey)
  return {
    data,
    error,
    isAsking: isPending || isFetching || (state !== undefined && goesOn(state)),
    retry: () => void queryClient.resetQueries({ queryKey, exact: true }),
  }
}
