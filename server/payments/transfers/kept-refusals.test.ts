import { DatabaseSync } from 'node:sqlite'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { carryOutPaymentTasks } from '../tasks/payment-tasks.ts'
import { changeAtProvider } from '../testing/provider-state.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'
import { payReferrals } from './referral-transfers.ts'

let shop: Shop
beforeAll(async () => {
  shop = await buildShop({ funds: 0 })
})
afterAll(() => shop.close())

const tip = (creator: Person, more = {}) => ({ kind: 'tip', targetId: creator.profileId, amountCents: 50_000, ...more })
async function pays(fan: Person, creator: Person, card?: string): Promise<void> {
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', tip(creator, { savedCard: 'skip' }))
  await pay(url, card)
  await shop.settled()
}
const chargesOf = async (fan: Person) => {
  const [known] = await shop.gateway.query<{ id: string }>(
    'select customer_id as id from private.stripe_customers where profile_id = $1',
    [fan.profileId],
  )
  return (await shop.stripe.charges.list({ customer: known?.id })).data.filter(({ paid }) => paid).length
}

/** Sends two charges to the provider at once, and holds the first response until the second has met it. @returns all statuses. */
function meetAtProvider(): number[] {
  const statuses: number[] = []
  const both = Promise.withResolvers<() => void>()
  const client = (shop.stripe as unknown as { getApiField(name: 'httpClient'): Stripe.HttpClient }).getApiField(
    'httpClient',
  )
  const send = client.makeRequest.bind(client)
  let arrived = 0
  client.makeRequest = async (host, port, path, method, ...rest) => {
    if (method !== 'POST' || path !== '/v1/payment_intents') return send(host, port, path, method, ...rest)
    arrived += 1
    if (arrived === 2) both.resolve(shop.sandbox.holdAnswers())
    const release = await both.promise
    const answer = await send(host, port, path, method, ...rest)
    statuses.push(answer.getStatusCode())
    if (answer.getStatusCode() === 409) release()
    return answer
  }
  return statuses
}

it('a transfer that was rejected for lack of money is requested again, and made once [REF-21]', async () => {
  const [referrer, creator] = [await shop.buildCreator(), await shop.buildCreator()]
  await shop.gateway.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
     select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
    [referrer.profileId, creator.profileId],
  )
  await pays(await shop.gateway.signUp(), creator)
  const transfers = async () =>
    (await shop.stripe.transfers.list({ destination: await shop.accountOf(referrer) })).data.length
  // It has not failed: nobody needs to act on a balance that fills by itself.
  for (let time = 0; time < 2; time += 1) await payReferrals(shop.gateway.services)
  expect(await transfers()).toBe(0)
  shop.sandbox.advanceClock(3 * 86_400)
  // The rejections are as recent as they were; only the balance has changed.
  const sandbox = new DatabaseSync(shop.sandboxFile)
  sandbox.exec(`update idempotency set created_ms = created_ms + ${3 * 86_400_000}`)
  sandbox.close()
  await payReferrals(shop.gateway.services)
  await payReferrals(shop.gateway.services)
  expect(await transfers()).toBe(1)
})

it('a return after a won dispute that was rejected for lack of money is requested again, and made once [D5]', async () => {
  const [creator, fan] = [await shop.buildCreator(), await shop.gateway.signUp()]
  const destination = await shop.accountOf(creator)
  await pays(fan, creator, '4000 0000 0000 0259')
  const [dispute] = (await shop.stripe.disputes.list({ limit: 1 })).data
  shop.sandbox.decideDispute(dispute?.id ?? '', 'won')
  await shop.settled()
  const returns = async () =>
    (await shop.stripe.transfers.list({ destination })).data
      .filter(({ metadata }) => metadata.dispute === dispute?.id)
      .map(({ amount }) => amount)
  const task = async () =>
    (
      await shop.gateway.query(
        `select refusals, done_at is not null as done from private.payment_tasks where kind = 'return_transfer' and target = $1`,
        [dispute?.id],
      )
    )[0]
  expect([await returns(), await task()]).toEqual([[], { refusals: 1, done: false }])
  // Only the balance changes: the provider still knows the key.
  shop.sandbox.topUp(100_000)
  await shop.gateway.query('update private.payment_tasks set waits_until = now() where waits_until is not null')
  await carryOutPaymentTasks(shop.gateway.services)
  await shop.settled()
  expect([await returns(), await task()]).toEqual([[45_000], { refusals: 1, done: true }])
})

it('a page that was rejected opens once the reason is gone, on the same day', async () => {
  const [creator, fan] = [await shop.buildCreator(), await shop.gateway.signUp()]
  const account = await shop.accountOf(creator)
  changeAtProvider(shop, account, { '$.capabilities.transfers': 'inactive' })
  const order = tip(creator, { savedCard: 'skip' })
  await expect(call(fan, 'create-payment-checkout', order)).rejects.toThrow()
  changeAtProvider(shop, account, { '$.capabilities.transfers': 'active' })
  expect(await call(fan, 'create-payment-checkout', order)).toMatchObject({ url: expect.any(String) })
})

it('a second click during the first waits for its response: one charge, and nobody reads that nothing was charged [D40]', async () => {
  const [creator, fan] = [await shop.buildCreator(), await shop.gateway.signUp()]
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', tip(creator, { savedCard: 'skip' }))
  await pay(url, undefined, { keep: 'yes' })
  await shop.settled()
  const order = tip(creator, { savedCard: 'use', amountCents: 700, attemptId: crypto.randomUUID() })
  const met = meetAtProvider()
  const presses = [0, 1].map(() => call<{ status: string; paymentId: string }>(fan, 'create-payment-checkout', order))
  const [first, second] = await Promise.all(presses)
  expect(first).toMatchObject({ status: 'paid' })
  expect(second?.paymentId).toBe(first?.paymentId)
  expect(met).toContain(409)
  await shop.settled()
  expect(await chargesOf(fan)).toBe(2)
})
