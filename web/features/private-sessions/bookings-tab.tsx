import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useCheckout } from '../../domain/payments/use-checkout.ts'
import {
  type Booking,
  bookingsKey,
  openBookingsQuery,
  pastBookingsQuery,
} from '../../domain/private-sessions/booking-queries.ts'
import classes from '../../domain/private-sessions/sessions.module.css'
import { byDay, dayOf } from '../../domain/private-sessions/times.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { type BookingAction, BookingCard } from './booking-card.tsx'
import { type Step, useBookingStep } from './use-booking-step.ts'

// The screen's first form, and rarely used.
const StepDialog = lazy(() => import('./step-dialog.tsx'))

const texts = sessionTexts.bookings

/** The viewer's bookings as creator and as fan in one calendar (PRIV-04). */
export function BookingsTab({ viewer }: { viewer: Viewer }) {
  const { profileId } = viewer
  const open = useQuery(openBookingsQuery(profileId))
  const past = useInfiniteQuery(pastBookingsQuery(profileId))
  useLiveBookings(profileId)
  // A canceled booking moves to another list.
  const keptFocus = useKeptFocus()

  const failed = failedOf(open, past)
  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!open.data || !past.data) return <ListSkeleton rows={3} />
  const over = past.data.pages.flat()
  if (open.data.length === 0 && over.length === 0) return <NoBookings viewer={viewer} />
  return (
    <div {...keptFocus} className={classes.sections}>
      {sectionsOf(open.data, over).map(([title, bookings]) => (
        <Days key={title} title={title} bookings={bookings}>
          {(booking) => <OwnBooking key={booking.id} booking={booking} viewerId={profileId} />}
        </Days>
      ))}
      <LoadMore of={past} failure={texts.loadFailed} />
    </div>
  )
}

/** LOOP-25: confirmed sessions come first, then requests, then what isn't paid yet. */
function sectionsOf(open: Booking[], over: Booking[]): [title: string, bookings: Booking[]][] {
  const inState = (state: Booking['state']) => open.filter((booking) => booking.state === state)
  const sections: [string, Booking[]][] = [
    [texts.upcoming, inState('accepted')],
    [texts.requested, inState('requested')],
    [texts.unpaid, inState('pending_payment')],
    [texts.past, over],
  ]
  return sections.filter(([, bookings]) => bookings.length > 0)
}

/** Shows the other participant's actions live. */
function useLiveBookings(profileId: string): void {
  const queryClient = useQueryClient()
  const refresh = () => void queryClient.invalidateQueries({ queryKey: bookingsKey })
  useLiveChange('session_bookings', `creator_id=eq.${profileId}`, refresh)
  useLiveChange('session_bookings', `fan_id=eq.${profileId}`, refresh)
}

type DaysProps = { title: string; bookings: Booking[]; children: (booking: Booking) => ReactNode }

function Days({ title, bookings, children }: DaysProps) {
  return (
    <section className={classes.days}>
      <h2 className={classes.heading}>{title}</h2>
      {byDay(bookings).map(({ date, rows }) => (
        <div key={date} className={classes.day}>
          <h3 className={classes.date}>{rows[0] && dayOf(rows[0].starts_at)}</h3>
          <div className={classes.cards}>{rows.map(children)}</div>
        </div>
      ))}
    </section>
  )
}

function OwnBooking({ booking, viewerId }: { booking: Booking; viewerId: string }) {
  const [confirming, setConfirming] = useState<'decline' | 'cancelCreator' | 'cancelFan'>()
  const step = useBookingStep()
  const checkout = useCheckout<{ kind: 'session'; targetId: string }>(
    'create-payment-checkout',
    sessionTexts.book.error,
  )
  const take = (name: Step) =>
    step.mutate(
      { step: name, bookingId: booking.id },
      { onError: (error) => toast.error(errorMessageOf(error), sessionTexts.failed) },
    )
  const handleAction = (action: BookingAction) => {
    if (action === 'pay') checkout.start({ kind: 'session', targetId: booking.id })
    else if (action === 'decline') setConfirming('decline')
    else if (action === 'cancel') setConfirming(booking.creator_id === viewerId ? 'cancelCreator' : 'cancelFan')
    else take(action === 'letGo' ? 'cancel' : action)
  }
  return (
    <>
      <BookingCard
        booking={booking}
        viewerId={viewerId}
        pending={checkout.pending ? 'pay' : step.isPending ? pendingOf(booking, step.variables.step) : undefined}
        onAction={handleAction}
      />
      {confirming && (
        <Suspense>
          <StepDialog bookingId={booking.id} ask={confirming} onClose={() => setConfirming(undefined)} />
        </Suspense>
      )}
    </>
  )
}

const pendingOf = ({ state }: Booking, step: Step): BookingAction =>
  step === 'cancel' && state === 'pending_payment' ? 'letGo' : step

function NoBookings({ viewer }: { viewer: Viewer }) {
  const { title, message, action } = viewer.mayPublish ? texts.emptyCreator : texts.empty
  return (
    <EmptyState
      icon={<IconCalendarEvent size={26} stroke={1.5} />}
      title={title}
      message={message}
      action={
        // Not filled, because it is only a link: the same as on other empty lists.
        <Button
          component={Link}
          to={viewer.mayPublish ? '?tab=offers' : paths.explore}
          variant={viewer.mayPublish ? 'filled' : 'default'}
        >
          {action}
        </Button>
      }
    />
  )
}
