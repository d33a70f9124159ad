import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../testing/gateway.ts'
import { expectBalancedBooks } from './testing/expect-balanced-books.ts'
import { buildPaidPost } from './testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from './testing/shop.ts'

let shop: Shop
let creator: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop({ env: { PLATFORM_FEE_PERCENT: '15' } })
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

it('takes PLATFORM_FEE_PERCENT of every kind of payment, and tells it to the web app [GEN-06]', async () => {
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
  for (const { url } of checkouts) await pay(url)
  await shop.settled()
  const { data: payments } = await fan.client
    .from('transactions')
    .select('transaction_type, amount, fee_amount, net_amount')
    .order('amount')
    .throwOnError()
  expect(payments).toEqual([
    { transaction_type: 'ppv', amount: 500, fee_amount: 75, net_amount: 425 },
    { transaction_type: 'subscription', amount: 999, fee_amount: 150, net_amount: 849 },
    { transaction_type: 'tip', amount: 2_000, fee_amount: 300, net_amount: 1_700 },
  ])
  const { data: told } = await creator.client.from('notifications').select('message').throwOnError()
  const words = told.map(({ message }) => message).join(' ')
  for (const earned of ['$4.25', '$8.49', '$17.00']) expect(words).toContain(`You earned ${earned}.`)
  expect(await call(fan, 'test-platform-fees')).toMatchObject({ feePercent: 15, creatorPercent: 85 })
  await expectBalancedBooks(shop)
})

it('is no number of its own in any function or comment of the database [GEN-06]', async () => {
  const found = await shop.gateway.query(
    `select p.proname as name from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')
       and p.prosrc ~* '\\m(10|80|90) ?(%|percent)'
     union all select d.description from pg_description d where d.description ~* '\\m(10|80|90) ?(%|percent)'
       and d.objoid in (select c.oid from pg_class c where c.relnamespace::regnamespace::text in ('public', 'private')
         union all select p.oid from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private'))`,
  )
  expect(found).toEqual([])
})
