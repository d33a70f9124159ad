import type { ComponentProps } from 'react'
import { ErrorState } from './error-state.tsx'

/** The part of a query's result that a retry needs. */
type Asked = { readonly isFetching: boolean; readonly refetch: () => unknown }

type Props = Omit<ComponentProps<typeof ErrorState>, 'onRetry' | 'retrying'> & {
  /** The queries that the button retries. */
  of: Asked | readonly Asked[]
}

/** The screen's queries that failed and have no older data to show. */
export const failedOf = (...queries: (Asked & { readonly isError: boolean; readonly data: unknown })[]) =>
  queries.filter(({ isError, data }) => isError && data === undefined)

/** An ErrorState for failed queries. */
export function LoadFailed({ of, ...props }: Props) {
  const asked = [of].flat()
  return (
    <ErrorState
      {...props}
      onRetry={() => asked.forEach(({ refetch }) => void refetch())}
      retrying={asked.some(({ isFetching }) => isFetching)}
    />
  )
}
