import { type QueryState, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** The provider's webhook may arrive a few seconds after the viewer returns. */
const tries = 12
const pauseMs = 1_500

type Options<Result> = {
  /** The function to call. It only reads. */
  name: 'verify-payment' | 'verify-subscription'
  body: Record<string, string>
  enabled?: boolean
  /** Whether the response may still change. */
  isAwaited: (result: Result) => boolean
}

/** Polls the state of a payment until it is final, for about twenty seconds. A failed call ends the polling; `retry` restarts it. */
export function useVerification<Result>({ name, body, enabled = true, isAwaited }: Options<Result>) {
  const queryClient = useQueryClient()
  const queryKey = [name, body]
  const isPolling = ({ status, data, dataUpdateCount }: QueryState<Result>): boolean =>
    status === 'success' && data !== undefined && isAwaited(data) && dataUpdateCount < tries
  const { data, error, isPending, isFetching } = useQuery<Result>({
    queryKey,
    enabled,
    staleTime: 0,
    gcTime: 0,
    queryFn: () => callFunction<Result>(name, body),
    refetchInterval: ({ state }) => isPolling(state) && pauseMs,
    refetchIntervalInBackground: true, // users switch to their bank's app and back
  })
  const state = queryClient.getQueryState<Result>(queryKey)
  return {
    data,
    error,
    isChecking: isPending || isFetching || (state !== undefined && isPolling(state)),
    retry: () => void queryClient.resetQueries({ queryKey, exact: true }),
  }
}
