import { bookingQuery } from '../../domain/private-sessions/booking-queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { CallScreen as Component } from '../../features/private-sessions/call/call-screen.tsx'

/** Requests the booking, which only its two participants can read. */
export async function loader({ queryClient, location, params }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchQuery(bookingQuery(params.bookingId ?? ''))
}
