import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { submit, visit } from '@ovation/sandbox/visit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { sendPaymentEmails } from '../emails/payment-emails.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../testing/shop.ts'

const day = 86_400
/** Its bank requires confirmation of every payment. */
const askingCard = '4000 0027 6000 3184'
/** Its bank requires confirmation once, at the card's first use. */
const onceAskingCard = '4000 0025 0000 3155'

let shop: Shop
let creator: Person
let silver: Plan
let gold: Plan
let fan: Person
let subscriptionId: string
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  silver = await shop.buildPlan(creator, { name: 'Silver', price_cents: 1_000 })
  gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 2_000 })
})
beforeEach(() => subscribeWith(askingCard))
afterAll(() => shop.close())

async function subscribeWith(card: string): Promise<void> {
  fan = await shop.gateway.signUp()
  const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: silver.id })
  const { location } = await pay(url, card)
  if (location?.endsWith('/authenticate')) await confirm(new URL(location, url).href)
  await shop.settled()
  subscriptionId = (await fan.client.from('subscriptions').select('id').single().throwOnError()).data.id
}

type Answer = { subscription: { tier_id: string }; confirm?: { url: string; expiresAt: string } }
const switchTo = ({ id }: Plan) => call<Answer>(fan, 'switch-subscription', { subscriptionId, productId: id })
const confirm = async (url: string, answer = 'confirm') => submit(await visit(url), { answer })
const stateOf = async () => {
  await shop.settled()
  const columns = 'tier_id, status, cancel_at_period_end'
  return (await fan.client.from('subscriptions').select(columns).single().throwOnError()).data
}
const waiting = async (person = fan) => (await person.client.rpc('get_own_confirmations').throwOnError()).data
const bells = async () => {
  const { data } = await fan.client.from('notifications').select('title, message').order('created_at').throwOnError()
  return data
}
const titles = async () => (await bells()).map(({ title }) => title)
const payments = async () => (await fan.client.from('transactions').select('amount').throwOnError()).data.length

describe('a switch that the bank must confirm', () => {
  it('happens once the fan has confirmed, and not before [SUB-04]', async () => {
    const answer = await switchTo(gold)
    expect(answer).toMatchObject({ subscription: { tier_id: silver.id }, confirm: { url: expect.any(String) } })
    expect(await stateOf()).toMatchObject({ tier_id: silver.id, status: 'active' })
    expect(await waiting()).toMatchObject([
      { subscription_id: subscriptionId, product_id: gold.id, plan_name: 'Gold', url: answer.confirm?.url },
    ])
    expect(await waiting(creator)).toEqual([])
    expect((await titles()).join()).not.toContain("didn't go through")

    expect((await confirm(answer.confirm?.url ?? '', 'refuse')).status).toBe(402)
    expect(await waiting()).toHaveLength(1)
    await confirm(answer.confirm?.url ?? '')
    expect(await stateOf()).toMatchObject({ tier_id: gold.id, status: 'active' })
    expect(await waiting()).toEqual([])
    expect(await titles()).toContain('You switched to Gold')
    expect(await payments()).toBe(2)
    await expectBalancedBooks(shop)
  })

  it('leaves the plan unchanged and notifies the fan if nobody confirms in time', async () => {
    await switchTo(gold)
    shop.sandbox.advanceClock(day)
    expect(await stateOf()).toMatchObject({ tier_id: silver.id, status: 'active' })
    expect(await waiting()).toEqual([])
    expect(await bells()).toContainEqual({
      title: 'Plan not switched',
      message: expect.stringContaining('Nothing was charged, and you keep your plan.'),
    })
    expect(await payments()).toBe(1)
    await expectBalancedBooks(shop)
  })

  it('exists once, however often it is requested, and a switch to another plan replaces it', async () => {
    const { confirm: first } = await switchTo(gold)
    expect((await switchTo(gold)).confirm?.url).toBe(first?.url)
    const diamond = await shop.buildPlan(creator, { name: 'Diamond', price_cents: 3_000 })
    const { confirm: second } = await switchTo(diamond)
    expect((await visit(first?.url ?? '')).status).toBe(410)
    expect(await stateOf()).toMatchObject({ tier_id: silver.id })
    await confirm(second?.url ?? '')
    expect(await stateOf()).toMatchObject({ tier_id: diamond.id })
    expect(await titles()).not.toContain('Plan not switched')
    expect(await payments()).toBe(2)
    await expectBalancedBooks(shop)
  })

  it('resumes a canceled plan only once it is confirmed [SUB-05]', async () => {
    await call(fan, 'cancel-subscription', { subscriptionId })
    const { confirm: question } = await switchTo(gold)
    expect(await stateOf()).toMatchObject({ tier_id: silver.id, cancel_at_period_end: true })
    await confirm(question?.url ?? '')
    expect(await stateOf()).toMatchObject({ tier_id: gold.id, cancel_at_period_end: false })
  })

  it('requires nothing of a card that its bank has already confirmed', async () => {
    await subscribeWith(onceAskingCard)
    expect(await switchTo(gold)).not.toHaveProperty('confirm')
    expect(await stateOf()).toMatchObject({ tier_id: gold.id })
  })
})

it('a switch that the bank declines leaves nothing behind, and no failed payment notice', async () => {
  const { data } = await shop.stripe.subscriptions.list({ limit: 1 })
  const customer = String(data[0]?.customer)
  const method = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await shop.stripe.subscriptions.update(data[0]?.id ?? '', { default_payment_method: method.id })
  expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: gold.id })).toMatchObject({
    status: 402,
    body: { code: 'card_declined' },
  })
  expect(await stateOf()).toMatchObject({ tier_id: silver.id, status: 'active' })
  expect(await waiting()).toEqual([])
  expect((await shop.stripe.subscriptions.retrieve(data[0]?.id ?? '')).pending_update).toBeNull()
  expect(await titles()).toEqual([])
})

it('a renewal that the bank must confirm leads to the bank, not to another card, and restores access once confirmed [SUB-16]', async () => {
  shop.sandbox.advanceClock(32 * day)
  expect(await stateOf()).toMatchObject({ status: 'past_due' })
  const [question, ...more] = await waiting()
  expect([question?.product_id, more]).toEqual([null, []])
  expect(await titles()).toEqual(['Confirm your payment for Silver'])
  await sendPaymentEmails(shop.gateway.services)
  const outbox = join(shop.gateway.dataDir, 'outbox')
  const emails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'))
  const email = emails.find((text) => text.includes(fan.email) && text.includes('Confirm your payment for Silver'))
  expect(email).toContain(question?.url.split('/').at(-1))
  expect(emails.filter((text) => text.includes(fan.email) && text.includes('did not go through'))).toEqual([])

  shop.sandbox.advanceClock(4 * day) // a retry: the same question, one notification
  await shop.settled()
  expect(await titles()).toEqual(['Confirm your payment for Silver'])
  await confirm(question?.url ?? '')
  expect(await stateOf()).toMatchObject({ status: 'active' })
  expect(await waiting()).toEqual([])
  expect(await payments()).toBe(2)
  await expectBalancedBooks(shop)
})
