import { setTimeout as sleep } from 'node:timers/promises'
import { payingCard } from '@ovation/sandbox/visit'
import type { SupabaseClient } from '@supabase/supabase-js'
import { demoFans } from '../content/fans.ts'
import type { DemoCreator } from '../content/types.ts'
import { type DemoGateway, type DemoPerson, enter, invoke } from '../demo-client.ts'
import { fillIn, reachable } from '../sandbox-pages.ts'

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

/** Creators offer private sessions during their weekly hours, and fans book some of them on the checkout page. Adds what is missing. */
export async function bookSessions(
  gateway: DemoGateway,
  service: SupabaseClient,
  creators: readonly DemoCreator[],
  signal: AbortSignal,
): Promise<void> {
  for (const creator of creators) {
    if (!creator.sessions) continue
    signal.throwIfAborted()
    const person = await enter(gateway, service, creator.username, creator.displayName)
    const offer = await offerSessions(person, creator)
    for (const { fan, isAccepted } of bookings.filter(({ creator: name }) => name === creator.username)) {
      const known = demoFans.find(({ username }) => username === fan)
      if (!known) continue
      const client = await enter(gateway, service, known.username, known.displayName)
      const booking = (await findBooking(client, offer)) ?? (await payForSession(gateway, client, offer))
      if (isAccepted) await person.client.rpc('accept_booking', { booking_id: booking }).throwOnError()
    }
  }
}

/** @returns session_offers.id of the first offer */
async function offerSessions({ client, profileId }: DemoPerson, { sessions = [] }: DemoCreator): Promise<string> {
  await client
    .from('session_availability')
    .upsert(
      { creator_id: profileId, time_zone: 'Europe/Lisbon', weekly, buffer_minutes: 15, notice_hours: 24 },
      { ignoreDuplicates: true },
    )
    .throwOnError()
  const { data: known } = await client
    .from('session_offers')
    .select('id, title')
    .eq('creator_id', profileId)
    .throwOnError()
  const offers = new Map<string, string>(known.map(({ id, title }) => [title, id]))
  for (const { title, description, minutes, priceCents } of sessions) {
    if (offers.has(title)) continue
    const offer = { creator_id: profileId, title, description, duration_minutes: minutes, price_cents: priceCents }
    const { data } = await client.from('session_offers').insert(offer).select('id').single().throwOnError()
    offers.set(title, data.id)
  }
  const first = offers.get(sessions[0]?.title ?? '')
  if (first === undefined) throw new Error('A creator without sessions has no offer.')
  return first
}

/** The fan's paid booking of an offer. @returns session_bookings.id */
async function findBooking({ client, profileId }: DemoPerson, offer: string): Promise<string | undefined> {
  const { data } = await client
    .from('session_bookings')
    .select('id')
    .eq('offer_id', offer)
    .eq('fan_id', profileId)
    .in('state', ['requested', 'accepted'])
    .throwOnError()
  return data[0]?.id
}

/** Books the first time from the day after tomorrow on. @returns session_bookings.id */
async function payForSession(gateway: DemoGateway, fan: DemoPerson, offer: string): Promise<string> {
  const { client, email, username } = fan
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
    const booking = await findBooking(fan, offer)
    if (booking !== undefined) return booking
  }
  throw new Error("The demo's session was paid but not booked.")
}
