import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPostCommitJobs } from '../../functions/run-post-commit-jobs.ts'
import type { Person } from '../../testing/gateway.ts'
import { recordInvoice } from '../subscriptions/record-invoice.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { carryOutPaymentTasks } from '../tasks/payment-tasks.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, type Plan, pay, type Shop } from '../testing/shop.ts'
import { fulfillCheckout } from './fulfill-checkout.ts'

let shop: Shop
let creator: Person
let fan: Person
let small: Plan
let large: Plan
beforeAll(async () => {
  shop = await buildShop({ webhooks: false }) // the test decides the order of events
  await shop.gateway.query(`delete from pgboss.schedule where name = 'payment-tasks'`) // no schedule helps either
  creator = await shop.buildCreator()
  small = await shop.buildPlan(creator)
  large = await shop.buildPlan(creator, { price_cents: 2_499 })
})
afterAll(() => shop?.close())

/** Opens one more page beside the open ones: our record of them is as after a crash between the provider's response and our write. */
async function openPage(name: string, body: Record<string, unknown>): Promise<string> {
  await shop.gateway.query(`update private.checkout_sessions set status = 'expired' where profile_id = $1`, [
    fan.profileId,
  ])
  const { url } = await call<{ url: string }>(fan, name, body)
  await shop.gateway.query(
    `update private.checkout_sessions set status = 'open' where profile_id = $1 and completed_at is null`,
    [fan.profileId],
  )
  return url
}
const subscriptionPage = (plan: Plan) => openPage('create-subscription-checkout', { productId: plan.id })

/** The fan's subscriptions at Stripe, in the order in which they began. */
async function subscriptionsThere(): Promise<Stripe.Subscription[]> {
  const { data } = await shop.stripe.subscriptions.list({ status: 'all', limit: 100 })
  return data
    .filter(({ metadata }) => metadata.profile_id === fan.profileId)
    .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
}

async function chargesThere() {
  const [subscription] = await subscriptionsThere()
  const { data } = await shop.stripe.charges.list({ customer: subscription?.customer as string, limit: 100 })
  return data.map(({ amount, amount_refunded, disputed }) => ({ amount, amount_refunded, disputed }))
}

/** Payment tasks that `work` writes trigger nothing, as if the process died at once. They stay open until `settle`. */
async function withoutTaskJob(work: () => Promise<void>) {
  await shop.gateway.query('alter table private.payment_tasks disable trigger payment_tasks_announce_new')
  await work()
  await shop.gateway.query('alter table private.payment_tasks enable trigger payment_tasks_announce_new')
}

async function settle() {
  await runPostCommitJobs(shop.gateway.services)
  await shop.settled()
}

const hasAccess = async () =>
  (await call<{ hasActiveSubscription: boolean }>(fan, 'verify-subscription', { creatorId: creator.profileId }))
    .hasActiveSubscription

const payments = async () =>
  (
    await fan.client
      .from('transactions')
      .select('transaction_type, status, amount')
      .eq('from_user_id', fan.profileId)
      .gt('amount', 0)
      .order('amount')
      .throwOnError()
  ).data

const bells = async () =>
  shop.gateway.query<{ title: string; message: string }>(
    'select title, message from public.notifications where user_id = $1 order by title, id',
    [fan.profileId],
  )

/** Two subscriptions run at Stripe, for both plans, paid at the same moment. */
async function payTwice(plans: readonly [Plan, Plan] = [small, large]): Promise<Stripe.Subscription[]> {
  fan = await shop.gateway.signUp()
  const pages = [await subscriptionPage(plans[0]), await subscriptionPage(plans[1])]
  const paid = await Promise.all(pages.map((url) => pay(url)))
  expect(paid.map(({ status }) => status)).toEqual([303, 303])
  const there = await subscriptionsThere()
  expect(there.map(({ status }) => status)).toEqual(['active', 'active'])
  return there
}

/** One runs and is paid, the other is over and refunded, and both users are notified. */
async function expectOne([first, second]: Stripe.Subscription[]) {
  const there = await subscriptionsThere()
  expect(there.map(({ id, status }) => [id, status])).toEqual([
    [first?.id, 'active'],
    [second?.id, 'canceled'],
  ])
  const prices = [first, second].map((subscription) => subscription?.items.data[0]?.price.unit_amount ?? 0)
  const [kept = 0, back = 0] = prices
  const charges = await chargesThere()
  expect(charges).toHaveLength(2)
  expect(charges).toContainEqual({ amount: kept, amount_refunded: 0, disputed: false })
  expect(charges).toContainEqual({ amount: back, amount_refunded: back, disputed: false })
  expect(await hasAccess()).toBe(true)
  const own = await payments()
  expect(own).toHaveLength(2)
  expect(own).toContainEqual({ transaction_type: 'subscription', status: 'completed', amount: kept })
  expect(own).toContainEqual({ transaction_type: 'subscription', status: 'refunded', amount: back })
  expect(await bells()).toEqual([
    {
      title: 'Duplicate subscription canceled',
      message: expect.stringMatching(
        /^You already subscribe to .+\. You'll get a full refund for the second subscription\.$/,
      ),
    },
    { title: `You were refunded $${(back / 100).toFixed(2)}`, message: expect.stringContaining('your payment to') },
  ])
  await expectBalancedBooks(shop)
}

const invoiceOf = (subscription: Stripe.Subscription | undefined) => subscription?.latest_invoice as string

describe('two subscriptions paid at the same moment become one, and the other one is refunded [SUB-01, SUB-14, GEN-02]', () => {
  it('when the events arrive in order', async () => {
    const [first, second] = await payTwice()
    const { services } = shop.gateway
    for (const one of [first, second]) {
      await syncSubscription(services, one?.id ?? '')
      await recordInvoice(services, invoiceOf(one))
      expect(await hasAccess()).toBe(true)
    }
    await settle()
    await expectOne([first, second] as Stripe.Subscription[])
  })

  it('when the events of the second one arrive first', async () => {
    const [first, second] = await payTwice()
    const { services } = shop.gateway
    await recordInvoice(services, invoiceOf(second))
    expect(await hasAccess()).toBe(true)
    await settle()
    await recordInvoice(services, invoiceOf(first))
    expect(await hasAccess()).toBe(true)
    await settle()
    await expectOne([first, second] as Stripe.Subscription[])
  })

  it('when the states arrive before the payments', async () => {
    const [first, second] = await payTwice()
    const { services } = shop.gateway
    for (const one of [second, first]) await syncSubscription(services, one?.id ?? '')
    for (const one of [second, first]) await recordInvoice(services, invoiceOf(one))
    await settle()
    await expectOne([first, second] as Stripe.Subscription[])
  })

  it('when both are for the same plan', async () => {
    const there = await payTwice([small, small])
    for (const { id } of await sessions()) await fulfillCheckout(shop.gateway.services, id)
    await settle()
    await expectOne(there)
  })

  it('when all events arrive at once, and twice', async () => {
    const there = await payTwice()
    const { services } = shop.gateway
    const heard = there.flatMap((one) => [
      () => syncSubscription(services, one.id),
      () => recordInvoice(services, invoiceOf(one)),
    ])
    await Promise.all([...heard, ...heard].map((hear) => hear()))
    // Run twice in parallel: the next run does what a process that died has left.
    await Promise.allSettled([carryOutPaymentTasks(services), carryOutPaymentTasks(services)])
    await settle()
    for (const hear of heard) await hear()
    await settle()
    await expectOne(there)
  })

  it('when the process died before any task ran, and months have passed', async () => {
    const there = await payTwice()
    const { services } = shop.gateway
    await withoutTaskJob(async () => {
      for (const one of there) await recordInvoice(services, invoiceOf(one))
    })
    const open = await shop.gateway.query('select kind from private.payment_tasks where done_at is null order by kind')
    expect(open).toEqual([{ kind: 'cancel_subscription' }, { kind: 'refund' }])
    expect(await hasAccess()).toBe(true)
    shop.sandbox.advanceClock(32 * 86_400) // both are charged once more
    const { data: charges } = await shop.stripe.charges.list({ customer: there[0]?.customer as string, limit: 100 })
    expect(charges).toHaveLength(4)
    await settle()
    for (const { id } of (await shop.stripe.invoices.list({ limit: 100 })).data) await recordInvoice(services, id)
    await settle()
    const left = (await chargesThere()).map(({ amount, amount_refunded }) => amount - amount_refunded)
    const price = there[0]?.items.data[0]?.price.unit_amount
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 0, price, price])
    await expectBalancedBooks(shop)
  })
})

const sessions = () =>
  shop.gateway.query<{ id: string }>(
    `select id from private.checkout_sessions where profile_id = $1 and kind = 'subscription' order by id`,
    [fan.profileId],
  )

it('after a plan switch beside a second subscription, the switched one stays [SUB-04]', async () => {
  fan = await shop.gateway.signUp()
  const pages = [await subscriptionPage(small), await subscriptionPage(large)]
  await pay(pages[0] ?? '')
  const [first] = await subscriptionsThere()
  await recordInvoice(shop.gateway.services, invoiceOf(first))
  const { data: own } = await fan.client.from('subscriptions').select('id').single().throwOnError()
  shop.sandbox.advanceClock(60)
  await Promise.all([
    call(fan, 'switch-subscription', { subscriptionId: own.id, productId: large.id }),
    pay(pages[1] ?? ''),
  ])
  for (const { id } of await sessions()) await fulfillCheckout(shop.gateway.services, id)
  await settle()
  const there = await subscriptionsThere()
  expect(there.map(({ id, status }) => [id === first?.id, status])).toEqual([
    [true, 'active'],
    [false, 'canceled'],
  ])
  const { data } = await fan.client.from('subscriptions').select('tier_id').eq('status', 'active').throwOnError()
  expect(data).toEqual([{ tier_id: large.id }])
  const left = (await chargesThere()).map(({ amount, amount_refunded }) => amount - amount_refunded)
  expect(left.reduce((sum, cents) => sum + cents, 0)).toBe(2_499) // the plan, and the difference to the other
  await expectBalancedBooks(shop)
})

it('a second free trial ends before it costs anything: the fan is notified, the creator hears of one subscriber [PROD-11]', async () => {
  const trial = await shop.buildPlan(creator, { price_cents: 1_999, trial_days: 7 })
  fan = await shop.gateway.signUp()
  const pages = [await subscriptionPage(trial), await subscriptionPage(trial)]
  for (const url of pages) await pay(url)
  for (const { id } of await sessions()) await fulfillCheckout(shop.gateway.services, id)
  await settle()
  expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['trialing', 'canceled'])
  expect(await hasAccess()).toBe(true)
  expect(await bells()).toMatchObject([
    {
      title: 'Duplicate subscription canceled',
      message: expect.stringContaining("You won't be charged twice."),
    },
  ])
  expect(
    await shop.gateway.query(
      `select title, message from public.notifications where user_id = $1 and data->>'profile_id' = $2`,
      [creator.profileId, fan.profileId],
    ),
  ).toMatchObject([{ title: expect.stringContaining(' started a free trial of ') }])
})

it("a subscription that has ended at the provider, unknown to us, doesn't end another [SUB-14]", async () => {
  const [first, second] = await payTwice()
  const { services } = shop.gateway
  await recordInvoice(services, invoiceOf(first))
  await shop.stripe.subscriptions.cancel(first?.id ?? '')
  await recordInvoice(services, invoiceOf(second))
  await settle()
  expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['canceled', 'active'])
  expect(await hasAccess()).toBe(true)
  await expectBalancedBooks(shop)
})

it.each([
  ['post', async () => ({ kind: 'ppv', targetId: await buildPaidPost(creator, { ppv_price: 1200 }) }), 1_200],
  [
    'message',
    async () => {
      const message = {
        sender_id: creator.profileId,
        recipient_id: fan.profileId,
        content: 'Psst',
        is_paid: true,
        price: 1_200,
      }
      const { data } = await creator.client.from('messages').insert(message).select('id').single().throwOnError()
      return { kind: 'message', targetId: data.id }
    },
    1_200,
  ],
])('a %s bought on two pages is paid once: the second payment is refunded [POST-45]', async (_what, order, cents) => {
  fan = await shop.gateway.signUp()
  const body = await order()
  const pages = [await openPage('create-payment-checkout', body), await openPage('create-payment-checkout', body)]
  expect(pages[0]).not.toBe(pages[1])
  await Promise.all(pages.map((url) => pay(url)))
  const all = await shop.gateway.query<{ id: string }>(
    'select id from private.checkout_sessions where profile_id = $1 order by id',
    [fan.profileId],
  )
  await Promise.all([...all, ...all].map(({ id }) => fulfillCheckout(shop.gateway.services, id)))
  await settle()
  const own = await payments()
  expect(own?.map(({ status, amount }) => [status, amount]).toSorted()).toEqual([
    ['completed', cents],
    ['refunded', cents],
  ])
  const seen = await call<{ hasAccess: boolean }>(fan, 'verify-payment', { targetId: body.targetId })
  expect(seen).toMatchObject({ hasAccess: true })
  await expectBalancedBooks(shop)
})

it('two tips on two pages are two tips [PROF-21]', async () => {
  fan = await shop.gateway.signUp()
  const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 700 }
  const pages = [await openPage('create-payment-checkout', tip), await openPage('create-payment-checkout', tip)]
  expect(pages[0]).not.toBe(pages[1])
  await Promise.all(pages.map((url) => pay(url)))
  const all = await shop.gateway.query<{ id: string }>(
    'select id from private.checkout_sessions where profile_id = $1',
    [fan.profileId],
  )
  for (const { id } of all) await fulfillCheckout(shop.gateway.services, id)
  await settle()
  expect((await payments())?.map(({ status, amount }) => [status, amount])).toEqual([
    ['completed', 700],
    ['completed', 700],
  ])
  await expectBalancedBooks(shop)
})

// Last, because months pass, and nobody hears of the other renewals.
/** The bank declines every further payment, until Stripe gives up as the operator has chosen. */
async function becomeUnpaid({ id, customer }: Stripe.Subscription): Promise<void> {
  shop.sandbox.setDunning('unpaid')
  const card = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: String(customer) })
  await shop.stripe.subscriptions.update(id, { default_payment_method: card.id })
  shop.sandbox.advanceClock(50 * 86_400)
  expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'unpaid' })
}

it('of two paid at the same moment, the one that becomes unpaid ends and is refunded [SUB-01, SUB-16, GEN-02]', async () => {
  const [first, second] = await payTwice()
  if (!first || !second) throw new Error('there are two')
  await becomeUnpaid(first)
  for (const { id } of [first, second]) await syncSubscription(shop.gateway.services, id)
  for (const { id } of (await shop.stripe.invoices.list({ customer: String(first.customer), limit: 100 })).data)
    await recordInvoice(shop.gateway.services, id)
  await settle()
  const there = await subscriptionsThere()
  expect(there.map(({ id, status }) => [id, status])).toEqual([
    [first.id, 'canceled'],
    [second.id, 'active'],
  ])
  expect(await hasAccess()).toBe(true)
  const paidFor = first.items.data[0]?.price.unit_amount
  expect((await payments())?.filter(({ status }) => status === 'refunded')).toMatchObject([{ amount: paidFor }])
})

it('a new subscription ends one that has long been unpaid, whose paid months stay paid [SUB-16]', async () => {
  fan = await shop.gateway.signUp()
  await pay(await subscriptionPage(small))
  const [old] = await subscriptionsThere()
  if (!old) throw new Error('there is one')
  await recordInvoice(shop.gateway.services, invoiceOf(old))
  await becomeUnpaid(old)
  await syncSubscription(shop.gateway.services, old.id)
  // As it was before we rejected a second page.
  await shop.gateway.query(`update public.subscriptions set status = 'incomplete' where subscriber_id = $1`, [
    fan.profileId,
  ])
  await pay(await subscriptionPage(large))
  const present = (await subscriptionsThere()).find(({ id }) => id !== old.id)
  await syncSubscription(shop.gateway.services, old.id)
  await recordInvoice(shop.gateway.services, invoiceOf(present))
  await settle()
  expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['canceled', 'active'])
  expect((await payments())?.map(({ status }) => status)).toEqual(['completed', 'completed'])
  expect(await bells()).toEqual([])
})
