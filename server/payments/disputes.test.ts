import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../testing/gateway.ts'
import { carryOutPaymentTasks } from './payment-tasks.ts'
import { buildPaidPost } from './testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop, subscribe } from './testing/shop.ts'
import { expectSound } from './testing/sound.ts'

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

const disputeCard = '4000 0000 0000 0259'
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
const decide = async (evidence: 'winning_evidence' | 'losing_evidence') => {
  await shop.stripe.disputes.update(await dispute(), { evidence: { uncategorized_text: evidence }, submit: true })
  await shop.settled()
}

describe('a disputed payment', () => {
  it('takes money and access back at once, from the creator and the platform [D5, GEN-06]', async () => {
    await buy(disputeCard)
    expect(await isOpen()).toBe(false)
    expect(await payment()).toMatchObject({ status: 'disputed', refunded_amount: '5.00' })
    expect(await balance()).toBe(0)
    await expectSound(shop)
    const { data } = await creator.client.from('notifications').select('title, message').eq('title', 'Payment disputed')
    expect(data).toEqual([
      { title: 'Payment disputed', message: `${fan.username} disputed $5.00. Your earnings went down by $4.50.` },
    ])
  })

  it('returns both when the bank decides for the creator', async () => {
    await buy(disputeCard)
    await decide('winning_evidence')
    expect(await isOpen()).toBe(true)
    expect(await payment()).toMatchObject({ status: 'completed', refunded_amount: '0.00' })
    expect(await balance()).toBe(450)
    await expectSound(shop)
  })

  it('moves the creator’s part once each way, also when the answers were lost and the provider has forgotten our keys', async () => {
    const carryOutAgain = async () => {
      await shop.gateway.query(
        `update private.payment_tasks set done_at = null where kind in ('take_back_transfer', 'return_transfer')`,
      )
      const sandbox = new DatabaseSync(shop.sandboxFile)
      sandbox.exec('delete from idempotency') // as after a day
      sandbox.close()
      await carryOutPaymentTasks(shop.gateway.services)
      await shop.settled()
    }
    await buy(disputeCard)
    await carryOutAgain()
    expect(await balance()).toBe(0)
    await decide('winning_evidence')
    await carryOutAgain()
    expect(await balance()).toBe(450)
    await expectSound(shop)
  })

  it('leaves it so when the bank decides for the fan', async () => {
    await buy(disputeCard)
    await decide('losing_evidence')
    expect(await isOpen()).toBe(false)
    expect(await payment()).toMatchObject({ status: 'refunded' })
    expect(await balance()).toBe(0)
    await expectSound(shop)
  })

  it('can not be refunded beside it', async () => {
    await buy(disputeCard)
    const transactionId = (await payment())?.id
    expect(await refusalOf(creator, 'refund-payment', { transactionId, reason: 'Sorry' })).toMatchObject({
      status: 409,
      body: { code: 'not_refundable' },
    })
  })

  it('makes a balance negative when it was paid out already, and the next earnings make it good', async () => {
    await buy()
    const [account] = await shop.gateway.query<{ id: string }>(
      'select stripe_account_id as id from private.profiles where id = $1',
      [creator.profileId],
    )
    await shop.stripe.payouts.create({ amount: 450, currency: 'usd' }, { stripeAccount: account?.id })
    await shop.settled()
    expect(await balance()).toBe(0)
    const { data } = await creator.client.from('transactions').select('amount').eq('transaction_type', 'payout')
    expect(data).toEqual([{ amount: 4.5 }])
    const intent = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intent.data[0]?.latest_charge as string)
    await shop.settled()
    expect(await balance()).toBe(-450)
    await expectSound(shop)
    postId = await buildPaidPost(creator, { ppv_price: 20 })
    fan = await shop.gateway.signUp()
    await buy()
    expect(await balance()).toBe(1_350)
    await expectSound(shop)
  })

  it('of a subscription ends it', async () => {
    const plan = await shop.buildPlan(creator)
    await subscribe(fan, plan)
    await shop.settled()
    const intent = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intent.data[0]?.latest_charge as string)
    await shop.settled()
    const { data } = await fan.client.from('subscriptions').select('status, access_until').single()
    expect(data).toMatchObject({ status: 'canceled', access_until: '-infinity' })
    expect((await shop.stripe.subscriptions.list({ limit: 1 })).data).toEqual([])
    await expectSound(shop)
  })
})

it('books a payout that the bank sends back as if it had never left [D39]', async () => {
  await buy()
  const [account] = await shop.gateway.query<{ id: string }>(
    'select stripe_account_id as id from private.profiles where id = $1',
    [creator.profileId],
  )
  const payout = await shop.stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount: account?.id })
  await shop.settled()
  expect(await balance()).toBe(50)
  shop.sandbox.failPayout(account?.id ?? '', payout.id)
  await shop.settled()
  expect(await balance()).toBe(450)
  await expectSound(shop)
})
