import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { carryOutPaymentTasks } from '../tasks/payment-tasks.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop, subscribe } from '../testing/shop.ts'

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

/** Its payments can be paid out at once. */
const availableAtOnce = '4000 0000 0000 0077'
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
    expect(await payment()).toMatchObject({ status: 'disputed', refunded_amount: '500' })
    expect(await balance()).toBe(0)
    await expectBalancedBooks(shop)
    const { data } = await creator.client.from('notifications').select('title, message').like('title', '%disputed%')
    expect(data).toEqual([{ title: `${fan.username} disputed $5.00`, message: 'Your earnings went down by $4.50.' }])
  })

  it('returns both if the bank decides for the creator', async () => {
    await buy(disputeCard)
    await decide('winning_evidence')
    expect(await isOpen()).toBe(true)
    expect(await payment()).toMatchObject({ status: 'completed', refunded_amount: '0' })
    expect(await balance()).toBe(450)
    await expectBalancedBooks(shop)
  })

  it('moves the creator’s part once each way, even if responses were lost and the provider has forgotten our keys', async () => {
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
    await expectBalancedBooks(shop)
  })

  /** The fan's payments, oldest first. */
  const statuses = async () =>
    (
      await shop.gateway.query<{ status: string }>(
        `select status from public.transactions where from_user_id = $1 and transaction_type = 'ppv' order by created_at, id`,
        [fan.profileId],
      )
    ).map(({ status }) => status)

  it('is refunded if it is won and the fan has bought the same again: nothing is paid twice [GEN-02]', async () => {
    await buy(disputeCard)
    shop.sandbox.advanceClock(60)
    await buy()
    expect(await isOpen()).toBe(true)
    const first = (await shop.stripe.disputes.list({ limit: 1 })).data[0]?.charge as string
    await decide('winning_evidence')
    expect(await statuses()).toEqual(['refunded', 'completed'])
    expect((await shop.stripe.charges.retrieve(first)).amount_refunded).toBe(500)
    expect(await isOpen()).toBe(true)
    expect(await balance()).toBe(450)
    await expectBalancedBooks(shop)
    const { data } = await fan.client.from('notifications').select('title').like('title', 'You were refunded %')
    expect(data).toHaveLength(1)
  })

  it('is refunded if it is won and a refund was already owed: the dispute had come before the refund', async () => {
    await buy()
    const { id } = (await payment()) ?? {}
    const { data: intents } = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intents[0]?.latest_charge as string) // the task is queued before we hear of it
    await shop.gateway.query('select private.request_refund($1, $2)', [id, 'It was owed.'])
    await carryOutPaymentTasks(shop.gateway.services)
    await shop.settled()
    expect(await statuses()).toEqual(['disputed'])
    await decide('winning_evidence')
    expect(await statuses()).toEqual(['refunded'])
    expect(await isOpen()).toBe(false)
    expect(await balance()).toBe(0)
    await expectBalancedBooks(shop)
  })

  it('can be refunded by the creator once it is won, and the creator’s part is taken back once', async () => {
    await buy(disputeCard)
    await decide('winning_evidence')
    await call(creator, 'refund-payment', { transactionId: (await payment())?.id, reason: 'Sorry' })
    await shop.settled()
    await shop.gateway.query(`update private.payment_tasks set done_at = null where kind = 'take_back_rest'`)
    await carryOutPaymentTasks(shop.gateway.services)
    expect(await payment()).toMatchObject({ status: 'refunded', refunded_amount: '500' })
    expect(await isOpen()).toBe(false)
    expect(await balance()).toBe(0)
    await expectBalancedBooks(shop)
  })

  it('returns to the creator before it is taken back for a refund, even if the tasks run in reverse order', async () => {
    await buy(disputeCard)
    await decide('winning_evidence')
    // It has failed until now, and failed tasks come last.
    await shop.gateway.query(
      `update private.payment_tasks set done_at = null, attempts = 5 where kind = 'return_transfer'`,
    )
    const { data: refunded } = await shop.stripe.charges.list({ limit: 1 })
    const refund = await shop.stripe.refunds.create({ charge: refunded[0]?.id ?? '' })
    await shop.gateway.query(`select private.post_refund($1, $2, 500, now())`, [refund.id, (await payment())?.id])
    // The run that tries to take it back first fails: this one, or the job's own if that was sooner.
    await Promise.allSettled([carryOutPaymentTasks(shop.gateway.services)])
    await carryOutPaymentTasks(shop.gateway.services)
    await shop.settled()
    const [rest] = await shop.gateway.query(
      `select attempts from private.payment_tasks where kind = 'take_back_rest' and done_at is not null`,
    )
    expect(rest?.attempts).toBeGreaterThan(1)
    expect(await balance()).toBe(0)
    await expectBalancedBooks(shop)
  })

  it('in two parts is taken back once each, and returns as each is decided [D5]', async () => {
    await buy('4000 0004 0400 0079')
    const [second, first] = (await shop.stripe.disputes.list({ limit: 2 })).data
    expect([first?.amount, second?.amount]).toEqual([250, 250])
    expect(await payment()).toMatchObject({ status: 'disputed', refunded_amount: '500' })
    expect([await isOpen(), await balance()]).toEqual([false, 0])
    await expectBalancedBooks(shop)
    shop.sandbox.decideDispute(first?.id ?? '', 'won')
    await shop.settled()
    expect(await balance()).toBe(225)
    await expectBalancedBooks(shop)
    shop.sandbox.decideDispute(second?.id ?? '', 'won')
    await shop.settled()
    expect(await payment()).toMatchObject({ status: 'completed', refunded_amount: '0' })
    expect([await isOpen(), await balance()]).toEqual([true, 450])
    await expectBalancedBooks(shop)
  })

  it('changes nothing more if the bank decides for the fan', async () => {
    await buy(disputeCard)
    await decide('losing_evidence')
    expect(await isOpen()).toBe(false)
    expect(await payment()).toMatchObject({ status: 'refunded' })
    expect(await balance()).toBe(0)
    await expectBalancedBooks(shop)
  })

  it("can't be refunded at the same time", async () => {
    await buy(disputeCard)
    const transactionId = (await payment())?.id
    expect(await refusalOf(creator, 'refund-payment', { transactionId, reason: 'Sorry' })).toMatchObject({
      status: 409,
      body: { code: 'not_refundable' },
    })
  })

  /** Tasks that wait for money are due again after a while. */
  const later = async () => {
    await shop.gateway.query('update private.payment_tasks set waits_until = now() where waits_until is not null')
    await carryOutPaymentTasks(shop.gateway.services)
    await shop.settled()
  }
  const atStripe = async () => shop.sandbox.books().accounts[await shop.accountOf(creator)]

  it('makes a balance negative if it was already paid out, and the next earnings settle it', async () => {
    await buy(availableAtOnce)
    const account = await shop.accountOf(creator)
    await shop.stripe.payouts.create({ amount: 450, currency: 'usd' }, { stripeAccount: account })
    await shop.settled()
    expect(await balance()).toBe(0)
    const { data } = await creator.client.from('transactions').select('amount').eq('transaction_type', 'payout')
    expect(data).toEqual([{ amount: 450 }])
    const intent = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intent.data[0]?.latest_charge as string)
    await shop.settled()
    expect(await balance()).toBe(-450)
    expect(await atStripe()).toBe(0) // Stripe takes nothing that isn't there
    postId = await buildPaidPost(creator, { ppv_price: 2000 })
    fan = await shop.gateway.signUp()
    await buy()
    await later()
    expect(await balance()).toBe(1_350)
    await expectBalancedBooks(shop)
  })

  it('takes as much as the creator has, and waits for the rest without failing [D5]', async () => {
    await buy(availableAtOnce)
    const account = await shop.accountOf(creator)
    await shop.stripe.payouts.create({ amount: 300, currency: 'usd' }, { stripeAccount: account })
    const intent = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intent.data[0]?.latest_charge as string)
    await shop.settled()
    expect(await balance()).toBe(-300)
    expect(await atStripe()).toBeLessThanOrEqual(2) // Stripe rounds
    await later()
    postId = await buildPaidPost(creator, { ppv_price: 2000 })
    fan = await shop.gateway.signUp()
    await buy()
    await later()
    expect(await balance()).toBe(1_500)
    await expectBalancedBooks(shop)
  })

  it('returns what was taken if it is won, and nothing more', async () => {
    await buy(availableAtOnce)
    const account = await shop.accountOf(creator)
    await shop.stripe.payouts.create({ amount: 300, currency: 'usd' }, { stripeAccount: account })
    const intent = await shop.stripe.paymentIntents.list({ limit: 1 })
    shop.sandbox.openDispute(intent.data[0]?.latest_charge as string)
    await shop.settled()
    await decide('winning_evidence')
    await later()
    expect(await balance()).toBe(150)
    await expectBalancedBooks(shop)
  })

  it('that is won after a payout is refunded later, as far as the creator has money', async () => {
    await buy(disputeCard)
    await decide('winning_evidence')
    shop.sandbox.advanceClock(2 * 86_400)
    const account = await shop.accountOf(creator)
    await shop.stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount: account })
    await call(creator, 'refund-payment', { transactionId: (await payment())?.id, reason: 'Sorry' })
    await shop.settled()
    expect(await balance()).toBe(-400)
    postId = await buildPaidPost(creator, { ppv_price: 2000 })
    fan = await shop.gateway.signUp()
    await buy()
    shop.sandbox.advanceClock(2 * 86_400) // the returned transfer belongs to no charge, so the reversal takes from the available balance
    await later()
    expect(await balance()).toBe(1_400)
    await expectBalancedBooks(shop)
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
    await expectBalancedBooks(shop)
  })
})

it('books a payout that the bank sends back as if it had never left [D39]', async () => {
  await buy(availableAtOnce)
  const account = await shop.accountOf(creator)
  const payout = await shop.stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount: account })
  await shop.settled()
  expect(await balance()).toBe(50)
  shop.sandbox.failPayout(account, payout.id)
  await shop.settled()
  expect(await balance()).toBe(450)
  await expectBalancedBooks(shop)
})
