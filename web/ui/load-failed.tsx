import type { ComponentProps } from 'react'
import { ErrorState } from './error-state.tsx'

/** The part of a query's result that a retry needs. */
type Retryable = { readonly isFetching: boolean; readonly refetch: () => unknown }

type Props = Omit<ComponentProps<typeof ErrorState>, 'onRetry' | 'retrying'> & {
  /** The queries that the button retries. */
  of: Retryable | readonly Retryable[]
}

/** The screen's queries that failed and have no older data to show. */
export const failedOf = (...queries: (Retryable & { readonly isError: boolean; readonly data: unknown })[]) =>
  queries.filter(({ isError, data }) => isError && data === undefined)

/** An ErrorState for failed queries. */
export function LoadFailed({ of, ...props }: Props) {
  const queries = [of].flat()
  return (
    <ErrorState
      {...props}
      onRetry={() => queries.forEach(({ refetch }) => void refetch())}
      retrying={queries.some(({ isFetching }) => isFetching)}
    />
  )
}
