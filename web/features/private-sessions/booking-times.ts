import { callMarginMinutes, sessionCancelHours } from '@ovation/contract/limits'
import type { Booking } from '../../domain/private-sessions/booking-queries.ts'

type Times = Pick<Booking, 'starts_at' | 'ends_at'>
const minuteMs = 60_000

export const starts = ({ starts_at }: Pick<Times, 'starts_at'>): number => Date.parse(starts_at)
export const ends = ({ ends_at }: Pick<Times, 'ends_at'>): number => Date.parse(ends_at)

/** The latest time at which the fan can cancel (D41). */
export const cancelBy = (booking: Times): number => starts(booking) - sessionCancelHours * 60 * minuteMs

/** The time from which the call can be joined. */
export const opensAt = (booking: Times): string =>
  new Date(starts(booking) - callMarginMinutes * minuteMs).toISOString()

/** Whether the participants can join the call, by the same rule as `private.may_meet`. */
export const isCallOpen = (booking: Times & Pick<Booking, 'state'>, now: number): boolean =>
  booking.state === 'accepted' &&
  now >= Date.parse(opensAt(booking)) &&
  now <= ends(booking) + callMarginMinutes * minuteMs
