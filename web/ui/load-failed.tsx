import type { ComponentProps } from 'react'
import { ErrorState } from './error-state.tsx'

/** What is needed of a query's result to ask again. */
type Asked = { readonly isFetching: boolean; readonly refetch: () => unknown }

type Props = Omit<ComponentProps<typeof ErrorState>, 'onRetry' | 'retrying'> & {
  /** Asked again by the button. */
  of: Asked | readonly Asked[]
}

/** Those of a screen's queries that failed and have nothing older to show. */
export const failedOf = (...queries: (Asked & { readonly isError: boolean; readonly data: unknown })[]) =>
  queries.filter(({ isError, data }) => isError && data === undefined)

/** An ErrorState of what was asked of the server. */
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
