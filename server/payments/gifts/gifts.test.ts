import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { sendPaymentEmails } from '../emails/payment-emails.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop, subscribe } from '../testing/shop.ts'
import { deliverGifts } from './deliver-gifts.ts'

let shop: Shop
let creator: Person
let plan: Plan
let giver: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
})
beforeEach(async () => {
  giver = await shop.gateway.signUp()
  fan = await shop.gateway.signUp()
})
afterEach(() => expectBalancedBooks(shop))
afterAll(() => shop.close())

type About = { months?: number; username?: string; email?: string; message?: string }
async function prepare(about: About = { username: fan.username }): Promise<string> {
  const { data } = await giver.client.rpc('create_gift', { plan_id: plan.id, months: 3, ...about }).throwOnError()
  return data
}
const open = (targetId: string, more = {}) =>
  call<{ url: string; status?: string }>(giver, 'create-payment-checkout', { kind: 'gift', targetId, ...more })
const given = async () => (await giver.client.rpc('get_given_gifts').throwOnError()).data
/** A gift that was paid for. @returns its code. */
async function give(about?: About): Promise<string> {
  await pay((await open(await prepare(about))).url)
  await shop.settled()
  const [gift] = await given()
  return String(gift?.code)
}
const redeem = (person: Person, code: string) => person.client.rpc('redeem_gift', { code })
const payments = () =>
  shop.gateway.query(
    `select t.transaction_type, t.status, t.amount::int, t.net_amount::int from public.transactions t
     where t.from_user_id = $1 order by t.created_at, t.amount desc`,
    [giver.profileId],
  )
const hasAccess = async (person: Person) =>
  (await person.client.from('subscriptions').select('id').gt('access_until', new Date().toISOString())).data?.length ===
  1
function emailsTo(address: string): string[] {
  const folder = join(shop.gateway.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(address))
}

it('is paid in one checkout, delivered, and redeemed without a card [OFFER-02]', async () => {
  const id = await prepare({ username: fan.username, message: 'Enjoy!' })
  const [first, second] = await Promise.all([open(id), open(id)])
  expect(second).toEqual(first)
  const { location } = await pay(first.url)
  expect(location).toMatch(`${shop.gateway.url}/dashboard/subscriptions?gift=cs_`)
  const sessionId = new URL(location ?? '').searchParams.get('gift')
  expect(await call(giver, 'verify-payment', { sessionId })).toEqual({
    status: 'paid',
    kind: 'gift',
    targetId: id,
    amountCents: 2_997,
    hasAccess: true,
    refund: null,
  })
  await shop.settled()
  expect(await payments()).toEqual([
    { transaction_type: 'gift', status: 'completed', amount: 2_997, net_amount: 2_697 },
  ])
  expect(await refusalOf(giver, 'create-payment-checkout', { kind: 'gift', targetId: id })).toMatchObject({
    status: 409,
    body: { error: "You've already paid for this gift" },
  })
  await deliverGifts(shop.gateway.services)
  const { data: bells } = await fan.client.from('notifications').select('title, message, data').throwOnError()
  expect(bells).toEqual([
    expect.objectContaining({ title: `${giver.username} gave you 3 months of Backstage`, message: 'Enjoy!' }),
  ])
  const { gift_code: code = '' } = (bells[0]?.data ?? {}) as { gift_code?: string }
  expect((await redeem(fan, code)).error).toBeNull()
  expect(await hasAccess(fan)).toBe(true)
  // Nothing at Stripe renews it, and the nightly comparison finds nothing to fix.
  expect((await shop.stripe.subscriptions.list({ limit: 1 })).data).toEqual([])
  expect((await reconcile(shop.gateway.services, 7)).differences).toEqual([])
  expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({ status: 409 })
  await sendPaymentEmails(shop.gateway.services)
  expect(emailsTo(giver.email).join()).toContain(`a gift of Backstage by ${creator.username}`)
})

it('goes by email to someone without an account, once, and again at the giver’s request [OFFER-02]', async () => {
  const address = `${giver.username}-friend@example.org`
  await give({ email: address, message: 'See <you> there' })
  await Promise.all([deliverGifts(shop.gateway.services), deliverGifts(shop.gateway.services)])
  await deliverGifts(shop.gateway.services)
  const [email, ...others] = emailsTo(address)
  expect(others).toEqual([])
  expect(email).toContain(`${giver.username} gave you 3 months of Backstage`)
  expect(email).toContain('See <you> there')
  const [gift] = await given()
  expect(email).toContain(`${shop.gateway.url}/gift/${gift?.code}`)
  await shop.gateway.query(`update private.gifts set sent_at = now() - interval '2 hours' where id = $1`, [gift?.id])
  await giver.client.rpc('send_gift_again', { gift_id: gift?.id ?? '' }).throwOnError()
  await deliverGifts(shop.gateway.services)
  expect(emailsTo(address)).toHaveLength(2)
  const { data: seen } = await shop.gateway.anon.rpc('get_gift', { code: gift?.code ?? '' })
  expect(seen).toMatchObject([{ state: 'open', plan_name: 'Backstage', creator_username: creator.username }])
})

it('tries an email again that couldn’t be handed over', async () => {
  const address = `${giver.username}-later@example.org`
  await give({ email: address })
  const { services } = shop.gateway
  const broken = { ...services, mailer: { ...services.mailer, send: () => Promise.reject(new Error('down')) } }
  await deliverGifts(broken)
  expect((await given())[0]).toMatchObject({ sent_at: null, sends_at: expect.any(String) })
  await shop.gateway.query(`update private.gifts set next_send_at = now() where recipient_email = $1`, [address])
  await deliverGifts(services)
  expect(emailsTo(address)).toHaveLength(1)
})

it('is refunded when the giver takes it back, and when nobody redeems it in 12 months [OFFER-02]', async () => {
  const code = await give()
  const [gift] = await given()
  await giver.client.rpc('take_back_gift', { gift_id: gift?.id ?? '' }).throwOnError()
  await shop.settled()
  expect(await payments()).toEqual([
    { transaction_type: 'gift', status: 'refunded', amount: 2_997, net_amount: 2_697 },
    { transaction_type: 'refund', status: 'completed', amount: -2_997, net_amount: -2_697 },
  ])
  expect((await redeem(fan, code)).error).toMatchObject({ details: 'gift_closed' })

  giver = await shop.gateway.signUp()
  await give()
  await shop.gateway.query(`update private.gifts set expires_at = now() where giver_id = $1`, [giver.profileId])
  await deliverGifts(shop.gateway.services)
  await shop.settled()
  expect((await payments())[0]).toMatchObject({ status: 'refunded' })
  expect(await given()).toMatchObject([{ state: 'expired', code: null }])
})

it('ends when the creator refunds it or the bank takes it back', async () => {
  await redeem(fan, await give())
  expect(await hasAccess(fan)).toBe(true)
  const paid = async () =>
    (
      await shop.gateway.query<{ id: string }>(
        `select id from public.transactions where from_user_id = $1 and transaction_type = 'gift'`,
        [giver.profileId],
      )
    )[0]?.id
  await call(creator, 'refund-payment', { transactionId: await paid(), reason: 'By mistake' })
  expect(await hasAccess(fan)).toBe(false)

  giver = await shop.gateway.signUp()
  await redeem(fan, await give())
  const [charge] = (await shop.stripe.charges.list({ limit: 1 })).data
  shop.sandbox.openDispute(charge?.id ?? '')
  await shop.settled()
  expect(await hasAccess(fan)).toBe(false)
})

it('is paid with a saved card, once', async () => {
  const order = { kind: 'tip', targetId: creator.profileId, amountCents: 500 }
  await pay((await call<{ url: string }>(giver, 'create-payment-checkout', order)).url, undefined, { keep: 'yes' })
  await shop.settled()
  const id = await prepare()
  const attemptId = crypto.randomUUID()
  expect(await open(id, { savedCard: 'ask' })).toMatchObject({ status: 'confirm', amountCents: 2_997 })
  expect(await open(id, { savedCard: 'use', attemptId })).toMatchObject({ status: 'paid' })
  expect(
    await refusalOf(giver, 'create-payment-checkout', { kind: 'gift', targetId: id, savedCard: 'use', attemptId }),
  ).toMatchObject({ status: 409 })
  await shop.settled()
  expect((await payments()).filter((one) => one.transaction_type === 'gift')).toHaveLength(1)
  expect(await given()).toMatchObject([{ state: 'open' }])
})

it('closes the recipient’s open page of a plan, and waits while they subscribe', async () => {
  const code = await give()
  const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
  expect((await redeem(fan, code)).error).toBeNull()
  await shop.settled()
  await expect(pay(url)).rejects.toThrow('(410)')

  giver = await shop.gateway.signUp()
  const subscriber = await shop.gateway.signUp()
  await subscribe(subscriber, plan)
  await shop.settled()
  const second = await give({ username: subscriber.username })
  expect((await redeem(subscriber, second)).error).toMatchObject({ details: 'already_subscribed' })
})

it('is refunded when the recipient’s or the creator’s account is deleted', async () => {
  await give()
  await call(fan, 'delete-own-account', { password: fan.password })
  await shop.settled()
  expect((await payments())[0]).toMatchObject({ status: 'refunded' })
  expect(await given()).toMatchObject([{ state: 'refunded' }])

  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
  giver = await shop.gateway.signUp()
  fan = await shop.gateway.signUp()
  await give()
  await call(creator, 'delete-own-account', { password: creator.password })
  await shop.settled()
  expect((await payments())[0]).toMatchObject({ status: 'refunded' })
})
