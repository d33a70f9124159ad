import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { bookingQuery } from '../../features/sessions/queries.ts'
import { requireUser } from '../guards.ts'

export { CallScreen as Component } from '../../features/sessions/call/call-screen.tsx'

/** Starts the request of the booking; only its two people are answered. */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchQuery(bookingQuery(params.bookingId ?? ''))
    return null
  }
