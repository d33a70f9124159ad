import { setTimeout as sleep } from 'node:timers/promises'
import { payingCard } from '@ovation/sandbox/visit'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../../gateway.ts'
import { type DemoPerson, enter, invoke } from '../demo-client.ts'
import { fillIn, reachable } from '../sandbox-pages.ts'
import { demoCreators } from '../world/creators.ts'
import { demoFans } from '../world/fans.ts'
import type { DemoCreator } from '../world/types.ts'

const dayMs = 86_400_000
const paymentTimeoutMs = 10_000

/** Who has booked whose first offer, and whether the creator has said yes. */
const bookings: readonly { readonly fan: string; readonly creator: string; readonly isAccepted: boolean }[] = [
  { fan: 'sam', creator: 'juno', isAccepted: true },
  { fan: 'lena', creator: 'mara', isAccepted: false },
  { fan: 'lena', creator: 'dario', isAccepted: true },
]

/** Evenings of the week and Saturday mornings, from Monday. */
const evening = [{ start: '17:00', end: '20:30' }]
const weekly = [evening, evening, evening, evening, [], [{ start: '10:00', end: '13:00' }], []]

/** Creators offer private sessions during their weekly hours, and fans book some of them on the checkout page. */
export async function bookSessions(gateway: Gateway, service: SupabaseClient, signal: AbortSignal): Promise<void> {
  for (const creator of demoCreators) {
    if (!creator.sessions) continue
    signal.throwIfAborted()
    const person = await enter(gateway, service, creator.username, creator.displayName)
    const offer = await offerSessions(person, creator)
    if (!offer) continue
    for (const { fan, isAccepted } of bookings.filter(({ creator: name }) => name === creator.username)) {
      const known = demoFans.find(({ username }) => username === fan)
      if (!known) continue
      const client = await enter(gateway, service, known.username, known.displayName)
      const booking = await payForSession(gateway, client, offer)
      if (isAccepted) await person.client.rpc('accept_booking', { booking_id: booking }).throwOnError()
    }
  }
}

/** @returns session_offers.id of the first offer; undefined when an interrupted start has made them. */
async function offerSessions(
  { client, profileId }: DemoPerson,
  { sessions = [] }: DemoCreator,
): Promise<string | undefined> {
  const { data: known } = await client.from('session_offers').select('id').eq('creator_id', profileId).throwOnError()
  if (known.length > 0) return undefined
  await client
    .from('session_availability')
    .upsert({ creator_id: profileId, time_zone: 'Europe/Lisbon', weekly, buffer_minutes: 15, notice_hours: 24 })
    .throwOnError()
  const made: string[] = []
  for (const { title, description, minutes, priceCents } of sessions) {
    const offer = { creator_id: profileId, title, description, duration_minutes: minutes, price_cents: priceCents }
    const { data } = await client.from('session_offers').insert(offer).select('id').single().throwOnError()
    made.push(data.id)
  }
  return made[0]
}

/** Books the first time from the day after tomorrow on. @returns session_bookings.id */
async function payForSession(
  gateway: Gateway,
  { client, email, username, profileId }: DemoPerson,
  offer: string,
): Promise<string> {
  const { data } = await client.rpc('get_session_times', { offer_id: offer }).throwOnError()
  const { starts_at } = data as { starts_at: string[] }
  const startsAt = starts_at.find((time) => Date.parse(time) > Date.now() + 2 * dayMs)
  const { url } = await invoke<{ url: string }>(client, 'create-payment-checkout', {
    kind: 'session',
    targetId: offer,
    startsAt,
    savedCard: 'skip',
  })
  await fillIn(reachable(gateway, url), { ...payingCard, email, name: username })
  for (const deadline = Date.now() + paymentTimeoutMs; Date.now() < deadline; await sleep(50)) {
    const { data } = await client
      .from('session_bookings')
      .select('id')
      .eq('offer_id', offer)
      .eq('fan_id', profileId)
      .eq('state', 'requested')
      .throwOnError()
    if (data[0]) return data[0].id
  }
  throw new Error("The demo's session was paid but not booked.")
}
