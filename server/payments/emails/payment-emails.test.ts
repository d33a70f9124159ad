import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { buildShop, call, pay, type Shop, subscribe } from '../testing/shop.ts'
import { sendPaymentEmails } from './payment-emails.ts'

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

/** The fan's emails in the outbox. */
async function emails(): Promise<string[]> {
  await shop.settled()
  await sendPaymentEmails(shop.gateway.services)
  const folder = join(shop.gateway.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(fan.email))
}
const tip = async () => {
  const order = { kind: 'tip', targetId: creator.profileId, amountCents: 2_500 }
  await pay((await call<{ url: string }>(fan, 'create-payment-checkout', order)).url)
}

it('sends a receipt for each payment and an email for each refund, once', async () => {
  await tip()
  const [receipt, ...none] = await emails()
  expect(none).toEqual([])
  expect(receipt).toContain('Your receipt for $25.00')
  expect(receipt).toContain(`a tip for ${creator.username}`)
  expect(receipt).toContain('/settings?tab=subscriptions')
  const [payment] = await shop.gateway.query<{ id: string }>(
    'select id from public.transactions where from_user_id = $1',
    [fan.profileId],
  )
  await call(creator, 'refund-payment', { transactionId: payment?.id, reason: 'A slip of the finger' })
  const all = await emails()
  expect(all).toHaveLength(2)
  expect(all.find((text) => text.includes('Your refund of $25.00'))).toContain('Reason: A slip of the finger')
  expect(await emails()).toHaveLength(2)
})

it('leads from the receipt of a private session to the sessions', async () => {
  const { data: offer } = await creator.client
    .from('session_offers')
    .insert({ creator_id: creator.profileId, title: 'An hour', duration_minutes: 60, price_cents: 5_000 })
    .select('id')
    .single()
    .throwOnError()
  const { data: slot } = await creator.client
    .from('session_slots')
    .insert({ offer_id: offer.id, starts_at: new Date(Date.now() + 72 * 3_600_000).toISOString() })
    .select('id')
    .single()
    .throwOnError()
  await pay((await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'session', targetId: slot.id })).url)
  const receipt = (await emails()).find((text) => text.includes('Your receipt for $50.00'))
  expect(receipt).toContain('/private-sessions')
  expect(receipt).not.toContain('View your subscriptions')
})

it('sends nothing to a user who turned emails off [SET-16]', async () => {
  await shop.gateway.query('update private.user_settings set email = false where user_id = $1', [fan.profileId])
  await tip()
  expect(await emails()).toEqual([])
})

it('reminds of the end of a trial and of a yearly renewal, but not of a monthly one', async () => {
  await subscribe(fan, await shop.buildPlan(creator, { name: 'On trial', trial_days: 2, price_cents: 1_500 }))
  const [reminder] = await emails()
  expect(reminder).toContain('Your free trial of On trial ends on')
  expect(reminder).toContain('$15.00 per month')
  fan = await shop.gateway.signUp()
  await subscribe(fan, await shop.buildPlan(creator, { name: 'A year', interval: 'year', price_cents: 9_900 }))
  expect(await emails()).toHaveLength(1) // its receipt
  const soon = `update public.subscriptions set current_period_end = now() + interval '13 days' where subscriber_id = $1`
  await shop.gateway.query(soon, [fan.profileId])
  expect((await emails()).filter((text) => text.includes('A year renews on'))).toHaveLength(1)
  fan = await shop.gateway.signUp()
  await subscribe(fan, await shop.buildPlan(creator))
  await shop.gateway.query(soon, [fan.profileId])
  expect(await emails()).toHaveLength(1) // only its receipt
})

it('confirms a free trial with the day of the first charge, once, unless its end is near', async () => {
  const starts = async () => (await emails()).filter((text) => text.includes('Your free trial of A week has started'))
  const plan = await shop.buildPlan(creator, { name: 'A week', trial_days: 7, price_cents: 1_500 })
  await subscribe(fan, plan)
  const [start] = await starts()
  expect(start).toMatch(/for free until [A-Z][a-z]+ \d+, \d{4}/)
  expect(start).toContain('$15.00 per month')
  await shop.gateway.query(`update public.subscriptions set status = 'trial' where subscriber_id = $1`, [fan.profileId])
  expect(await starts()).toHaveLength(1)
})

it("sends no reminder of a renewal that won't happen, and sends it once the renewal resumes", async () => {
  const queue = () => shop.gateway.query('select private.write_reminders()')
  const reminders = async () => (await emails()).filter((text) => text.includes('Your free trial of On trial ends on'))
  const canBePaid = (can: boolean) =>
    shop.gateway.query('update private.profiles set stripe_charges_enabled = $2 where id = $1', [
      creator.profileId,
      can,
    ])
  const plan = await shop.buildPlan(creator, { name: 'On trial', trial_days: 2 })

  await subscribe(fan, plan)
  await shop.settled()
  await canBePaid(false)
  expect(await reminders()).toEqual([])
  await canBePaid(true)
  expect(await reminders()).toHaveLength(1)

  fan = await shop.gateway.signUp()
  await subscribe(fan, plan)
  await shop.settled()
  await queue()
  const { data: own } = await fan.client.from('subscriptions').select('id').single().throwOnError()
  await call(fan, 'cancel-subscription', { subscriptionId: own.id })
  expect(await reminders()).toEqual([])
})

it('reports a failed charge, and until when access lasts [SUB-16]', async () => {
  await subscribe(fan, await shop.buildPlan(creator))
  await shop.settled()
  const [known] = await shop.gateway.query<{ id: string }>(
    'select customer_id as id from private.stripe_customers where profile_id = $1',
    [fan.profileId],
  )
  const card = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: known?.id ?? '' })
  const { data } = await shop.stripe.subscriptions.list({ customer: known?.id })
  await shop.stripe.subscriptions.update(data[0]?.id ?? '', { default_payment_method: card.id })
  shop.sandbox.advanceClock(32 * 86_400)
  const [failed, ...more] = (await emails()).filter((text) => text.includes("didn't go through"))
  expect(more).toEqual([])
  expect(failed).toContain('You have access until')
})

it.each(['active', 'canceled'])(
  'sends no email about a failed charge of a subscription that is %s by now',
  async (status) => {
    await subscribe(fan, await shop.buildPlan(creator))
    await shop.settled()
    for (const next of ['past_due', status])
      await shop.gateway.query('update public.subscriptions set status = $2 where subscriber_id = $1', [
        fan.profileId,
        next,
      ])
    expect((await emails()).filter((text) => text.includes("didn't go through"))).toEqual([])
  },
)
