import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { splitPayment } from '@ovation/contract/fees'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import type { Person } from '../testing/gateway.ts'
import { expectBalancedBooks } from './testing/expect-balanced-books.ts'
import { buildPaidPost } from './testing/paid-post.ts'
import { buildShop, call, pay, type Shop, subscribe } from './testing/shop.ts'

let shop: Shop
let creator: Person
let fan: Person
async function paidMessage({ client, profileId }: Person, to: Person): Promise<string> {
  const message = {
    sender_id: profileId,
    recipient_id: to.profileId,
    content: 'The third pier.',
    is_paid: true,
    price: 750,
  }
  return (await client.from('messages').insert(message).select('id').single().throwOnError()).data.id
}

async function sessionOf({
  client,
  profileId,
}: Person): Promise<{ kind: 'session'; targetId: string; savedCard: 'skip' }> {
  const offer = { creator_id: profileId, title: 'An hour', duration_minutes: 60, price_cents: 5_000 }
  const { data: made } = await client.from('session_offers').insert(offer).select('id').single().throwOnError()
  const slot = { offer_id: made.id, starts_at: new Date(Date.now() + 72 * 3_600_000).toISOString() }
  const { data } = await client.from('session_slots').insert(slot).select('id').single().throwOnError()
  return { kind: 'session', targetId: data.id, savedCard: 'skip' }
}

beforeAll(async () => {
  shop = await buildShop({ env: { PLATFORM_FEE_PERCENT: '15' } })
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

it('takes PLATFORM_FEE_PERCENT from every kind of payment, in dollars, and sends it to the web app [GEN-02, GEN-06, GEN-08]', async () => {
  const config = await (await fetch(`${shop.gateway.url}/app-config.json`)).json()
  expect(config).toMatchObject({ feePercent: 15 })

  const plan = await shop.buildPlan(creator)
  const checkouts = [
    await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id }),
    await call<{ url: string }>(fan, 'create-payment-checkout', {
      kind: 'ppv',
      targetId: await buildPaidPost(creator),
    }),
    await call<{ url: string }>(fan, 'create-payment-checkout', {
      kind: 'tip',
      targetId: creator.profileId,
      amountCents: 2_000,
    }),
  ]
  for (const { url } of checkouts) await pay(url, undefined, { keep: 'yes' })
  const gift = await fan.client
    .rpc('create_gift', { plan_id: plan.id, months: 3, username: (await shop.gateway.signUp()).username })
    .throwOnError()
  const order = { kind: 'gift', targetId: gift.data, savedCard: 'skip' }
  await pay((await call<{ url: string }>(fan, 'create-payment-checkout', order)).url)
  await shop.settled()
  await pay((await call<{ url: string }>(fan, 'create-payment-checkout', await sessionOf(creator))).url)
  // With the saved card.
  const message = { kind: 'message', targetId: await paidMessage(creator, fan), savedCard: 'use' }
  expect(await call(fan, 'create-payment-checkout', message)).toMatchObject({ status: 'paid' })
  await shop.settled()
  const { data: payments } = await fan.client
    .from('transactions')
    .select('transaction_type, amount, fee_amount, net_amount')
    .order('amount')
    .throwOnError()
  expect(payments).toEqual([
    { transaction_type: 'ppv', amount: 500, fee_amount: 75, net_amount: 425 },
    { transaction_type: 'paid_message', amount: 750, fee_amount: 113, net_amount: 637 },
    { transaction_type: 'subscription', amount: 999, fee_amount: 150, net_amount: 849 },
    { transaction_type: 'tip', amount: 2_000, fee_amount: 300, net_amount: 1_700 },
    { transaction_type: 'gift', amount: 2_997, fee_amount: 450, net_amount: 2_547 },
    { transaction_type: 'private_session', amount: 5_000, fee_amount: 750, net_amount: 4_250 },
  ])
  const { data: charges } = await shop.stripe.charges.list({ limit: 100 })
  expect(charges.map(({ currency }) => currency)).toEqual(Array(6).fill('usd'))
  expect(await shop.gateway.query('select distinct currency from public.transactions')).toEqual([{ currency: 'usd' }])
  const { data: told } = await creator.client.from('notifications').select('message').throwOnError()
  const words = told.map(({ message }) => message).join(' ')
  for (const earned of ['$4.25 from', '$8.49.', '$17.00.']) expect(words).toContain(`You earned ${earned}`)
  expect(await call(fan, 'test-platform-fees')).toMatchObject({ feePercent: 15, creatorPercent: 85 })
  await expectBalancedBooks(shop)
})

it('takes it from a renewal and from a switch to a more expensive plan too, and returns it with a refund [GEN-06]', async () => {
  const other = await shop.gateway.signUp()
  const dear = await shop.buildPlan(creator, { name: 'Dear', price_cents: 2_000 })
  const plan = await shop.buildPlan(creator, { name: 'Plain', price_cents: 1_000 })
  await subscribe(other, plan)
  await shop.settled()
  const { data: own } = await other.client.from('subscriptions').select('id').single().throwOnError()
  await call(other, 'switch-subscription', { subscriptionId: own.id, productId: dear.id })
  shop.sandbox.advanceClock(32 * 86_400)
  await shop.settled()
  const parts = async () =>
    shop.gateway.query<{ amount: number; fee: number }>(
      'select amount::int, fee_amount::int as fee from public.transactions where subscription_id = $1 order by amount',
      [own.id],
    )
  const paid = await parts()
  expect(paid).toHaveLength(3)
  for (const { amount, fee } of paid) expect(fee).toBe(Math.round(amount * 0.15))
  const [last] = await shop.gateway.query<{ id: string }>(
    'select id from public.transactions where subscription_id = $1 and amount = 2000',
    [own.id],
  )
  await call(creator, 'refund-payment', { transactionId: last?.id, reason: 'A slip of the finger' })
  await shop.settled()
  const [refund] = await shop.gateway.query(
    'select amount::int, fee_amount::int as fee, net_amount::int as net from public.transactions where original_transaction_id = $1',
    [last?.id],
  )
  expect(refund).toEqual({ amount: -2_000, fee: -300, net: -1_700 })
  await expectBalancedBooks(shop)
})

it('is 10% by default, and no hard-coded number in any function, comment, or text [GEN-06]', async () => {
  expect(parseConfig({}).platformFeePercent).toBe(10)
  expect(splitPayment(1_000, parseConfig({}).platformFeePercent)).toMatchObject({ feeCents: 100, netCents: 900 })
  const found = await shop.gateway.query(
    `select p.proname as name from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')
       and p.prosrc ~* '\\m(10|80|90) ?(%|percent)'
     union all select d.description from pg_description d where d.description ~* '\\m(10|80|90) ?(%|percent)'
       and d.objoid in (select c.oid from pg_class c where c.relnamespace::regnamespace::text in ('public', 'private')
         union all select p.oid from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private'))`,
  )
  expect(found).toEqual([])
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sources = globSync(
    ['contract/texts/*.ts', 'server/**/*.ts', 'web/{app,domain,features,lib,ui}/**/*.{ts,tsx}'],
    { cwd: root },
  )
  const withNumber = sources.filter(
    (file) =>
      !/\.test\.|testing\//.test(file) && /\b(?:10|80|90) ?(?:%|percent)/i.test(readFileSync(join(root, file), 'utf8')),
  )
  expect([sources.length > 500, withNumber]).toEqual([true, []])
})
