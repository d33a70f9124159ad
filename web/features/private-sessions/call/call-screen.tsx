import { Anchor } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconCalendarEvent, IconClock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { type Booking, bookingQuery, bookingsKey } from '../../../domain/private-sessions/booking-queries.ts'
import { momentOf, spanOf } from '../../../domain/private-sessions/times.ts'
import { nameOf, type Viewer } from '../../../lib/auth/viewer.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { useLiveChange } from '../../../lib/live/use-live-change.ts'
import { ForViewer } from '../../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Page } from '../../../ui/page.tsx'
import { isCallOpen, opensAt } from '../booking-times.ts'
import classes from './call.module.css'
import { Closed } from './closed.tsx'

// Camera, connection, and controls load only for a current call.
const OpenCall = lazy(() => import('./open-call.tsx'))

const texts = sessionTexts.call

/** The call of a booking, for its participants and around its time (PRIV-02, D11). */
export function CallScreen() {
  const { bookingId = '' } = useParams()
  return (
    <ForViewer
      skeleton={
        <Page title={texts.title} heading={null}>
          <ListSkeleton rows={2} shape="card" />
        </Page>
      }
    >
      {(viewer) => <BookedCall key={bookingId} bookingId={bookingId} viewer={viewer} />}
    </ForViewer>
  )
}

function BookedCall({ bookingId, viewer }: { bookingId: string; viewer: Viewer }) {
  const booking = useQuery(bookingQuery(bookingId))
  const queryClient = useQueryClient()
  useLiveChange('session_bookings', `id=eq.${bookingId}`, () => {
    void queryClient.invalidateQueries({ queryKey: bookingsKey })
  })
  const isParty = booking.data && [booking.data.creator_id, booking.data.fan_id].includes(viewer.profileId)
  if (isParty) return <Call booking={booking.data as Booking} viewer={viewer} />
  return (
    <Page title={texts.title} heading={null}>
      {booking.isPending ? (
        <ListSkeleton rows={2} shape="card" />
      ) : booking.isError ? (
        <LoadFailed order={1} title={texts.loadFailed} of={booking} />
      ) : (
        <Closed icon={<IconCalendarEvent {...icon} />} {...texts.missing} />
      )}
    </Page>
  )
}

const icon = { size: 26, stroke: 1.5 }

function Call({ booking, viewer }: { booking: Booking; viewer: Viewer }) {
  const isCreator = booking.creator_id === viewer.profileId
  const other = isCreator ? booking.fan : booking.creator
  const now = useNow()
  const name = other ? nameOf(other) : ''
  return (
    <Page
      title={booking.title}
      width="wide"
      lead={
        <span className={`${classes.facts} facts`}>
          <span>{sessionTexts.with(name)}</span>
          <span>
            {momentOf(booking.starts_at).replace(/, [^,]*$/, '')}, {spanOf(booking.starts_at, booking.ends_at)}
          </span>
        </span>
      }
      actions={
        <Anchor component={Link} to={paths.privateSessions} className="reach">
          {texts.back}
        </Anchor>
      }
    >
      {isCallOpen(booking, now) && other ? (
        <Suspense fallback={<ListSkeleton rows={1} shape="card" />}>
          <OpenCall booking={booking} viewerId={viewer.profileId} otherId={other.id} name={name} />
        </Suspense>
      ) : (
        <Closed icon={<IconClock {...icon} />} {...whyClosed(booking, now)} />
      )}
    </Page>
  )
}

function whyClosed(booking: Booking, now: number): { title: string; message?: string } {
  const { state, ends_at } = booking
  if (state === 'requested' || state === 'pending_payment') return texts.notConfirmed
  if (state === 'declined' || state === 'canceled') return texts.calledOff
  if (state !== 'accepted' || now > Date.parse(ends_at)) return texts.over
  return texts.early(momentOf(opensAt(booking)))
}
