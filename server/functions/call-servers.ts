import { callMarginMinutes } from '@ovation/contract/limits'
import { iceServers } from '../video-calls/ice-servers.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'
import { findOpenCall } from './queries.ts'

/**
 * `call-servers` {bookingId} → {iceServers}: the STUN and TURN servers for the call of a private session, for its two users and while they
 * may join the call.
 */
export const callServers = defineFunction({
  name: 'call-servers',
  fields: { bookingId: uuid({ label: 'The booking' }) },
  run: async ({ person, input, db, services }) => {
    const booking = await findOpenCall(db, input.bookingId)
    if (!booking) throw functionErrors.callClosed()
    const until = new Date(new Date(booking.endsAt).getTime() + callMarginMinutes * 60_000)
    return { iceServers: iceServers(services.config.calls, person.profileId, until) }
  },
})
