import { Badge, Button, Group } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconCalendarPlus, IconVideo } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Booking, Party } from '../../domain/private-sessions/booking-queries.ts'
import classes from '../../domain/private-sessions/sessions.module.css'
import { momentOf, spanOf } from '../../domain/private-sessions/times.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { download } from '../../lib/browser/download.ts'
import { useNow } from '../../lib/browser/use-now.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { cancelBy, ends, isCallOpen, opensAt, starts } from './booking-times.ts'
import { icsOf } from './ics.ts'

const texts = sessionTexts.bookings
const { actions } = sessionTexts
const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** The next step stands out in its card, but no row of a list has the primary button (LOOP-28). */
const rowAction = 'light'

export type BookingAction = 'accept' | 'decline' | 'cancel' | 'complete' | 'pay' | 'letGo'

type Props = {
  booking: Booking
  viewerId: string
  /** The running action on this booking. */
  pending?: BookingAction
  onAction: (action: BookingAction) => void
}

/** A booking as one of its participants sees it, with their actions (PRIV-04, PRIV-05). */
export function BookingCard({ booking, viewerId, pending, onAction }: Props) {
  const isCreator = booking.creator_id === viewerId
  const other = isCreator ? booking.fan : booking.creator
  const now = useNow()
  const may = stepsOf(booking, isCreator, now)
  const keptFocus = useKeptFocus<HTMLElement>()
  const buttonOf = (action: BookingAction, variant: string) => (
    <Button
      variant={variant}
      onClick={() => onAction(action)}
      loading={pending === action}
      disabled={pending !== undefined && pending !== action}
      aria-label={actions.named(actions[action], booking.title)}
    >
      {actions[action]}
    </Button>
  )
  return (
    <article
      {...keptFocus}
      className={`surface ${classes.booking}`}
      data-state={booking.state}
      aria-label={booking.title}
    >
      <div className={classes.bookingHead}>
        <Person party={other} />
        <div className={classes.text}>
          <h4 className={classes.bookingTitle}>
            <bdi>{booking.title}</bdi>
          </h4>
          <p className={classes.secondary}>
            {other ? (
              <Link to={paths.profile(addressOf(other))} className={classes.person}>
                {sessionTexts.with(nameOf(other))}
              </Link>
            ) : null}
          </p>
          <p className={`${classes.when} facts`}>
            <time dateTime={booking.starts_at}>{spanOf(booking.starts_at, booking.ends_at)}</time>
            <span className={classes.secondary}>{formatCents(booking.price_cents)}</span>
          </p>
        </div>
        <Badge variant="light" color={colorOf(booking.state)} className={classes.badge} data-state={booking.state}>
          {booking.state === 'requested' && isCreator ? texts.requestedOfYou : texts.states[booking.state]}
        </Badge>
      </div>
      {booking.reason && (
        <p className={classes.note} dir="auto">
          {texts.reason(booking.reason)}
        </p>
      )}
      <p className={classes.note}>{noteOf(booking, isCreator, now)}</p>
      <Group gap="xs" className={classes.actions}>
        {may.join && (
          <Button
            component={Link}
            to={paths.call(booking.id)}
            variant={rowAction}
            leftSection={<IconVideo {...icon} />}
          >
            {actions.join}
          </Button>
        )}
        {may.pay && buttonOf('pay', rowAction)}
        {may.accept && buttonOf('accept', rowAction)}
        {may.complete && buttonOf('complete', 'default')}
        {may.calendar && (
          <Button
            variant="default"
            leftSection={<IconCalendarPlus {...icon} />}
            onClick={() => saveCalendar(booking, other)}
            aria-label={actions.named(actions.calendar, booking.title)}
          >
            {actions.calendar}
          </Button>
        )}
        {may.decline && buttonOf('decline', 'default')}
        {may.cancel && buttonOf('cancel', 'default')}
        {may.letGo && buttonOf('letGo', 'default')}
      </Group>
    </article>
  )
}

function Person({ party }: { party: Party | null }) {
  return (
    <ProfileAvatar
      name={party ? nameOf(party) : ''}
      src={party && publicImage(party.avatar_url, party.updated_at)}
      size={48}
    />
  )
}

function saveCalendar(booking: Booking, other: Party | null): void {
  const title = other ? `${booking.title} ${sessionTexts.with(nameOf(other))}` : booking.title
  const url = new URL(paths.call(booking.id), window.location.origin).href
  download(sessionTexts.ics.fileName, 'text/calendar', icsOf({ ...booking, title, url, writtenAt: new Date() }))
}

/** The actions to show; the database decides again (D41). */
function stepsOf(booking: Booking, isCreator: boolean, now: number) {
  const { state } = booking
  const held = state === 'pending_payment' && !isCreator
  const running = state === 'requested' || state === 'accepted'
  return {
    join: isCallOpen(booking, now),
    pay: held,
    letGo: held,
    accept: isCreator && state === 'requested' && now < starts(booking),
    decline: isCreator && state === 'requested',
    cancel: running && now < ends(booking) && (isCreator ? state === 'accepted' : now <= cancelBy(booking)),
    complete: state === 'accepted' && now >= ends(booking),
    calendar: state === 'accepted' && now < ends(booking),
  }
}

function noteOf(booking: Booking, isCreator: boolean, now: number): string | null {
  const { state, hold_expires_at: held } = booking
  if (state === 'pending_payment') return held && (isCreator ? texts.heldForFanUntil : texts.heldUntil)(momentOf(held))
  if (state === 'declined' || state === 'canceled') return texts.refunds[booking.refund_status]
  if (state !== 'requested' && state !== 'accepted') return null
  if (isCallOpen(booking, now) || now >= starts(booking)) return null
  const opens = state === 'accepted' ? texts.opensAt(momentOf(opensAt(booking))) : null
  if (isCreator) return opens
  const rule =
    now <= cancelBy(booking) ? texts.cancelUntil(momentOf(new Date(cancelBy(booking)).toISOString())) : texts.tooLate
  return [opens, rule].filter(Boolean).join(' ')
}

function colorOf(state: Booking['state']): string {
  if (state === 'accepted' || state === 'completed') return 'teal'
  return state === 'requested' || state === 'pending_payment' ? 'yellow' : 'gray'
}
