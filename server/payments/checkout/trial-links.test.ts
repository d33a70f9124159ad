import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../testing/shop.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, { trial_days: 3 })
})
afterAll(() => shop.close())

async function buildLink(trial_days = 14, trial_limit = 1) {
  const { data } = await creator.client
    .from('tracking_links')
    .insert({
      name: 'Launch',
      target: 'plan',
      plan_id: plan.id,
      trial_days,
      trial_limit,
      trial_until: new Date(Date.now() + 7 * day * 1000).toISOString(),
    })
    .select('id, code')
    .single()
    .throwOnError()
  return data as { id: string; code: string }
}
/** A user who has opened the link. */
async function buildFan({ code }: { code: string }): Promise<Person> {
  const fan = await shop.gateway.signUp()
  await fan.client.rpc('claim_link_visits', { visits: `${code}.${Math.floor(Date.now() / 1000)}` }).throwOnError()
  return fan
}
const checkout = async (fan: Person, more: object = {}) =>
  (await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id, ...more })).url
async function trialOf(fan: Person) {
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('status, trial_end').single().throwOnError()
  return { status: data.status, days: Math.round((Date.parse(data.trial_end ?? '') / 1000 - shop.sandbox.now()) / day) }
}
async function figures(id: string) {
  await shop.gateway.query('select private.roll_up_links()')
  const { data } = await creator.client
    .from('tracking_links')
    .select('trials, subscriptions, earned_cents, trials_used')
    .eq('id', id)
    .single()
    .throwOnError()
  return data
}

it('a trial link gives its days instead of the plan’s, to as many users as it says [LINK-03]', async () => {
  const link = await buildLink()
  const [first, second] = [await buildFan(link), await buildFan(link)]
  const url = await checkout(first)
  expect(await checkout(first)).toBe(url)
  // The other one gets what everyone gets.
  await pay(await checkout(second))
  expect(await trialOf(second)).toEqual({ status: 'trial', days: 3 })
  await pay(url)
  expect(await trialOf(first)).toEqual({ status: 'trial', days: 14 })
  // The second came by the link, too, and so counts for it.
  expect(await figures(link.id)).toEqual({ trials: 2, subscriptions: 0, earned_cents: 0, trials_used: 1 })
  await expectBalancedBooks(shop)
})

it('two users who want the last trial at the same moment get one between them [LINK-03]', async () => {
  const link = await buildLink()
  const fans = [await buildFan(link), await buildFan(link), await buildFan(link)]
  await Promise.all(fans.map((fan) => checkout(fan).catch(() => null)))
  const [row] = await shop.gateway.query('select count(*)::int as places from private.link_trials where link_id = $1', [
    link.id,
  ])
  expect(row).toEqual({ places: 1 })
})

it('a checkout that was opened before the link has other terms, and is replaced [LINK-03]', async () => {
  const link = await buildLink(30)
  const fan = await shop.gateway.signUp()
  const before = await checkout(fan)
  await fan.client.rpc('claim_link_visits', { visits: `${link.code}.${Math.floor(Date.now() / 1000)}` }).throwOnError()
  const after = await checkout(fan)
  expect(after).not.toBe(before)
  await pay(after)
  expect(await trialOf(fan)).toEqual({ status: 'trial', days: 30 })
})

it('the subscription after the trial and its renewals are the link’s money [LINK-01, LINK-03]', async () => {
  const link = await buildLink()
  const fan = await buildFan(link)
  await pay(await checkout(fan))
  await shop.settled()
  expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({ status: 409 })
  shop.sandbox.advanceClock(15 * day)
  await shop.settled()
  expect(await figures(link.id)).toMatchObject({ trials: 1, subscriptions: 1, earned_cents: 899 })
  await expectBalancedBooks(shop)
})
