import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'

let shop: Shop
let creator: Person
let fan: Person
let postId: string
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
  postId = await buildPaidPost(creator)
})
afterAll(() => shop.close())

async function buy(number?: string): Promise<void> {
  const order = { kind: 'ppv', targetId: postId }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  await pay(url, number)
  await shop.settled()
}
const isOpen = async () =>
  (await fan.client.from('posts').select('is_locked').eq('id', postId).single()).data?.is_locked === false
const payment = async () =>
  (
    await shop.gateway.query<{ id: string; status: string; refunded_amount: string }>(
      `select id, status, refunded_amount from public.transactions where from_user_id = $1 and amount > 0 and transaction_type <> 'refund'`,
      [fan.profileId],
    )
  )[0]
const balance = async () =>
  (await shop.gateway.query<{ cents: number }>('select private.balance_of($1)::int as cents', [creator.profileId]))[0]
    ?.cents
const dispute = async () => (await shop.stripe.disputes.list({ limit: 1 })).data[0]?.id ?? ''

it('an inquiry moves no money and takes no access, and every admin is notified once [D5, GEN-05]', async () => {
  const admin = await buildAdmin(shop.gateway)
  await buy('4000 0000 0000 1976')
  expect((await shop.stripe.disputes.retrieve(await dispute())).status).toBe('warning_needs_response')
  await shop.stripe.disputes.update(await dispute(), { metadata: { seen: 'yes' } })
  await reconcile(shop.gateway.services, 7)
  await shop.settled()
  expect(await isOpen()).toBe(true)
  expect(await payment()).toMatchObject({ status: 'completed', refunded_amount: '0' })
  expect(await balance()).toBe(450)
  await expectBalancedBooks(shop)
  const { data } = await admin.client
    .from('notifications')
    .select('message')
    .eq('title', 'A bank is asking about a payment of $5.00')
  expect(data).toMatchObject([{ message: expect.stringContaining('No money has moved.') }])
  const told = await creator.client
    .from('notifications')
    .select('title')
    .or('title.like.%asking about%,title.like.%disputed%')
  expect(told.data).toEqual([])
})

it('an inquiry that becomes a dispute takes both [D5, GEN-06]', async () => {
  await buy('4000 0000 0000 1976')
  shop.sandbox.escalateInquiry(await dispute())
  await shop.settled()
  expect(await isOpen()).toBe(false)
  expect(await balance()).toBe(0)
  await expectBalancedBooks(shop)
})

it('an inquiry that is closed changes nothing', async () => {
  await buy('4000 0000 0000 1976')
  shop.sandbox.advanceClock(120 * 86_400)
  await shop.settled()
  expect((await shop.stripe.disputes.retrieve(await dispute())).status).toBe('warning_closed')
  expect(await isOpen()).toBe(true)
  expect(await balance()).toBe(450)
})
