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

/** Creators offer private sessions in the next two weeks, and fans book some of them on the checkout page. */
export async function bookSessions(gateway: Gateway, service: SupabaseClient, signal: AbortSignal): Promise<void> {
  for (const creator of demoCreators) {
    if (!creator.sessions) continue
    signal.throwIfAborted()
    const person = await enter(gateway, service, creator.username, creator.displayName)
    const slots = await offerSessions(person, creator)
    for (const { fan, isAccepted } of bookings.filter(({ creator: name }) => name === creator.username)) {
      const slot = slots.shift()
      const known = demoFans.find(({ username }) => username === fan)
      if (!slot || !known) continue
      const booking = await payForSession(
        gateway,
        await enter(gateway, service, known.username, known.displayName),
        slot,
      )
      if (isAccepted) await person.client.rpc('accept_booking', { booking_id: booking }).throwOnError()
    }
  }
}

/** @returns session_slots.id of the first offer, which an interrupted start may have made. */
async function offerSessions({ client, profileId }: DemoPerson, { sessions = [] }: DemoCreator): Promise<string[]> {
  const { data: known } = await client.from('session_offers').select('id').eq('creator_id', profileId).throwOnError()
  if (known.length > 0) return []
  const slots: string[] = []
  for (const [index, { title, description, minutes, priceCents }] of sessions.entries()) {
    const offer = { creator_id: profileId, title, description, duration_minutes: minutes, price_cents: priceCents }
    const { data: made } = await client.from('session_offers').insert(offer).select('id').single().throwOnError()
    const { data } = await client
      .from('session_slots')
      .insert([2, 4, 7, 9, 11].map((days) => ({ offer_id: made.id, starts_at: evening(days + index * 0.5) })))
      .select('id')
      .order('starts_at')
      .throwOnError()
    if (index === 0) slots.push(...data.map(({ id }) => id as string))
  }
  return slots
}

/** At six in the evening, or in the morning on half days. */
function evening(days: number): string {
  const date = new Date(Date.now() + Math.floor(days) * dayMs)
  date.setUTCHours(days % 1 === 0 ? 18 : 8, 0, 0, 0)
  return date.toISOString()
}

/** @returns session_bookings.id */
async function payForSession(gateway: Gateway, { client, email, username }: DemoPerson, slot: string): Promise<string> {
  const { url } = await invoke<{ url: string }>(client, 'create-payment-checkout', {
    kind: 'session',
    targetId: slot,
    savedCard: 'skip',
  })
  await fillIn(reachable(gateway, url), { ...payingCard, email, name: username })
  for (const deadline = Date.now() + paymentTimeoutMs; Date.now() < deadline; await sleep(50)) {
    const { data } = await client
      .from('session_bookings')
      .select('id')
      .eq('slot_id', slot)
      .eq('state', 'requested')
      .throwOnError()
    if (data[0]) return data[0].id
  }
  throw new Error("The demo's session was paid but not booked.")
}
