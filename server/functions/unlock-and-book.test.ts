import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const checkout = (kind: 'message' | 'session', targetId: string, person = fan) =>
  call<{ url: string }>(person, 'create-payment-checkout', { kind, targetId })
const refuse = (body: Record<string, unknown>, person = fan) => refusalOf(person, 'create-payment-checkout', body)
const verify = (body: Record<string, unknown>) => call(fan, 'verify-payment', body)
const transactions = () =>
  shop.gateway.query(
    `select transaction_type, status, amount, net_amount from public.transactions where from_user_id = $1 order by created_at, amount desc`,
    [fan.profileId],
  )
const sound = () => expectBalancedBooks(shop)

async function sendPaid(overrides: Record<string, unknown> = {}): Promise<string> {
  const { data, error } = await creator.client
    .from('messages')
    .insert({
      sender_id: creator.profileId,
      recipient_id: fan.profileId,
      content: 'The secret place is the third pier.',
      is_paid: true,
      price: 750,
      ...overrides,
    })
    .select('id')
    .single()
  if (error) throw error
  return data.id
}
const message = async (id: string) =>
  (await fan.client.from('messages').select('is_locked, content, is_unlocked').eq('id', id).single()).data

describe('unlocking a paid message', () => {
  it('charges its price, unlocks it, and notifies the creator [MSG-08, MSG-09, API-FN-15]', async () => {
    const id = await sendPaid()
    expect(await message(id)).toEqual({ is_locked: true, content: null, is_unlocked: false })
    const { url } = await checkout('message', id)
    expect(await verify({ targetId: id })).toMatchObject({ status: 'open', kind: 'message', hasAccess: false })
    const { location } = await pay(url)
    expect(location).toMatch(`${shop.gateway.url}/messages?with=${creator.username}&unlock=cs_`)
    const sessionId = new URL(location ?? '').searchParams.get('unlock')
    expect(await verify({ sessionId })).toEqual({
      status: 'paid',
      kind: 'message',
      targetId: id,
      amountCents: 750,
      hasAccess: true,
      refund: null,
    })
    await shop.settled()
    expect(await message(id)).toEqual({
      is_locked: false,
      content: 'The secret place is the third pier.',
      is_unlocked: true,
    })
    expect(await transactions()).toEqual([
      { transaction_type: 'paid_message', status: 'completed', amount: '750', net_amount: '675' },
    ])
    expect(await refuse({ kind: 'message', targetId: id })).toMatchObject({
      status: 409,
      body: { error: "You've already unlocked this message" },
    })
    await sound()
  })

  it("opens one page on a double click, and doesn't sell free messages or messages to others", async () => {
    const id = await sendPaid()
    const [first, second] = await Promise.all([checkout('message', id), checkout('message', id)])
    expect(second).toEqual(first)
    const stranger = await shop.gateway.signUp()
    expect(await refuse({ kind: 'message', targetId: id }, stranger)).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    })
    expect(await refuse({ kind: 'message', targetId: id }, creator)).toMatchObject({ status: 404 })
    const free = await sendPaid({ is_paid: false, price: 0 })
    expect(await refuse({ kind: 'message', targetId: free })).toMatchObject({ status: 404 })
    expect(await refuse({ kind: 'message', targetId: id, amountCents: 1 })).toMatchObject({
      status: 400,
      body: { field: 'amountCents' },
    })
  })

  it('sells nothing across a block', async () => {
    const id = await sendPaid()
    await fan.client.from('blocks').insert({ blocker_id: fan.profileId, blocked_id: creator.profileId })
    expect(await refuse({ kind: 'message', targetId: id })).toMatchObject({ status: 403 })
  })
})

describe('booking a session', () => {
  /** From now. After the first times of the weekly hours, one of which a test below books. */
  let hours = 14 * 24
  async function offerSlot(): Promise<string> {
    const { data: offer } = await creator.client
      .from('session_offers')
      .insert({ creator_id: creator.profileId, title: 'An hour of help', duration_minutes: 60, price_cents: 5_000 })
      .select('id')
      .single()
      .throwOnError()
    hours += 2
    const { data: slot } = await creator.client
      .from('session_slots')
      .insert({ offer_id: offer.id, starts_at: new Date(Date.now() + hours * 3_600_000).toISOString() })
      .select('id')
      .single()
      .throwOnError()
    return slot.id
  }
  const booking = async () =>
    (
      await fan.client
        .from('session_bookings')
        .select('id, state, refund_status')
        .eq('fan_id', fan.profileId)
        .order('created_at', { ascending: false })
    ).data?.[0]

  it('holds the slot, charges, and becomes a request for the creator to accept [PRIV-03, PRIV-04, PRIV-05, PRIV-07]', async () => {
    const slotId = await offerSlot()
    const { url } = await checkout('session', slotId)
    const held = await booking()
    expect(held).toMatchObject({ state: 'pending_payment' })
    expect(await checkout('session', held?.id)).toEqual({ url }) // the held booking's own page
    const { location } = await pay(url)
    expect(location).toMatch(`${shop.gateway.url}/private-sessions?booking=cs_`)
    expect(await verify({ sessionId: new URL(location ?? '').searchParams.get('booking') })).toEqual({
      status: 'paid',
      kind: 'session',
      targetId: held?.id,
      amountCents: 5_000,
      hasAccess: true,
      refund: null,
    })
    await shop.settled()
    expect(await booking()).toMatchObject({ state: 'requested', refund_status: 'none' })
    expect(await transactions()).toEqual([
      { transaction_type: 'private_session', status: 'completed', amount: '5000', net_amount: '4500' },
    ])
    await creator.client.rpc('accept_booking', { booking_id: held?.id }).throwOnError()
    expect(await booking()).toMatchObject({ state: 'accepted' })
    await sound()
  })

  it.each(['declined by the creator', 'canceled by the fan in time'])(
    'refunds the full amount if %s [PRIV-06, PRIV-07, D41]',
    async (how) => {
      const { url } = await checkout('session', await offerSlot())
      await pay(url)
      await shop.settled()
      const { id } = (await booking()) ?? {}
      if (how.startsWith('declined')) await creator.client.rpc('decline_booking', { booking_id: id }).throwOnError()
      else await fan.client.rpc('cancel_booking', { booking_id: id }).throwOnError()
      await shop.gateway.services.jobs.send({ name: 'payment-tasks' }, {})
      await expect.poll(booking, { timeout: 20_000 }).toMatchObject({ refund_status: 'refunded' })
      await shop.settled()
      expect(await transactions()).toMatchObject([
        { transaction_type: 'private_session', status: 'refunded', amount: '5000' },
        { transaction_type: 'refund', amount: '-5000', net_amount: '-4500' },
      ])
      await sound()
    },
  )

  it('sells a time within the hours of the creator, and no other time [PRIV-03, LOOP-25]', async () => {
    const { data: offer } = await creator.client
      .from('session_offers')
      .insert({ creator_id: creator.profileId, title: 'Weekly', duration_minutes: 45, price_cents: 2_000 })
      .select('id')
      .single()
      .throwOnError()
    await creator.client
      .from('session_availability')
      .insert({
        creator_id: creator.profileId,
        time_zone: 'America/New_York',
        weekly: Array(7).fill([{ start: '09:00', end: '12:00' }]),
      })
      .throwOnError()
    const read = async () =>
      (await fan.client.rpc('get_session_times', { offer_id: offer.id }).throwOnError()).data as {
        time_zone: string
        starts_at: string[]
      }
    const { time_zone, starts_at } = await read()
    expect(time_zone).toBe('America/New_York')
    const startsAt = starts_at[7]
    const order = { kind: 'session', targetId: offer.id, startsAt }
    await pay((await call<{ url: string }>(fan, 'create-payment-checkout', order)).url)
    await shop.settled()
    expect(await booking()).toMatchObject({ state: 'requested' })
    expect((await read()).starts_at).not.toContain(startsAt)
    expect(await refuse(order)).toMatchObject({
      status: 409,
      body: { error: 'This time is no longer available' },
    })
    expect(await refuse({ ...order, startsAt: '9 AM' })).toMatchObject({ status: 400 })
    await sound()
  })

  it('sells neither a slot that another fan holds nor your own', async () => {
    const slotId = await offerSlot()
    await checkout('session', slotId)
    const late = await shop.gateway.signUp()
    expect(await refuse({ kind: 'session', targetId: slotId }, late)).toMatchObject({
      status: 409,
      body: { error: 'This slot is no longer available' },
    })
    expect(await refuse({ kind: 'session', targetId: await offerSlot() }, creator)).toMatchObject({ status: 409 })
    expect(await refuse({ kind: 'session', targetId: crypto.randomUUID() })).toMatchObject({ status: 404 })
  })
})
