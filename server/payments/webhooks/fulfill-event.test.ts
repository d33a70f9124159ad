import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { deliverEvent, unknownEvent } from '../testing/deliver-event.ts'
import { buildShop, call, type Plan, pay, type Shop, subscribe } from '../testing/shop.ts'

let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
beforeAll(async () => {
  // The sandbox's own webhooks are held back: here the test plays the provider.
  shop = await buildShop({ webhooks: false })
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const deliver = (event: object) => deliverEvent(shop.gateway, event)

/** The events since a given one, oldest first. */
async function eventsSince(last: string | undefined): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = []
  for await (const event of shop.stripe.events.list({ limit: 100 })) {
    if (event.id === last) break
    events.unshift(event)
  }
  return events
}
const lastEvent = async () => (await shop.stripe.events.list({ limit: 1 })).data[0]?.id

const storedEvent = async (id: string) =>
  (
    await shop.gateway.query<{ processed_at: Date | null; error: string | null; type: string }>(
      'select type, processed_at, error from private.stripe_events where id = $1',
      [id],
    )
  )[0]

/** Everything a payment leaves behind, for comparing outcomes. */
async function outcome() {
  const { query } = shop.gateway
  const of = [fan.profileId, creator.profileId]
  return {
    subscriptions: await query(
      'select status, tier_id, access_until::text from public.subscriptions where subscriber_id = $1 and creator_id = $2',
      of,
    ),
    transactions: await query(
      'select amount, fee_amount, net_amount from public.transactions where from_user_id = $1 and to_user_id = $2',
      of,
    ),
    notifications: await query(
      `select type, title from public.notifications where user_id = $2 and data ->> 'profile_id' = $1`,
      of,
    ),
  }
}

const paidOnce = {
  subscriptions: [{ status: 'active', tier_id: expect.any(String), access_until: 'infinity' }],
  transactions: [{ amount: '999', fee_amount: '100', net_amount: '899' }],
  notifications: [{ type: 'subscription', title: expect.stringContaining(' subscribed to ') }],
}
const nothing = { subscriptions: [], transactions: [], notifications: [] }

describe('an event', () => {
  it('is stored once, however often it comes', async () => {
    const event = unknownEvent()
    for (const response of [await deliver(event), await deliver(event)]) {
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ received: true })
    }
    expect(await shop.gateway.query('select from private.stripe_events where id = $1', [event.id])).toHaveLength(1)
  })

  it('of a type without a handler is stored, and nothing else happens', async () => {
    const event = unknownEvent()
    await deliver(event)
    expect(await storedEvent(event.id)).toMatchObject({ type: event.type, processed_at: expect.any(Date), error: null })
  })
})

describe('a checkout is fulfilled', () => {
  async function paidEvents(): Promise<Stripe.Event[]> {
    const before = await lastEvent()
    await subscribe(fan, plan)
    return eventsSince(before)
  }

  it('by its events in order [SUB-14, GEN-06]', async () => {
    for (const event of await paidEvents()) await deliver(event)
    await shop.settled()
    expect(await outcome()).toEqual(paidOnce)
  })

  it('if every event is delivered three times at once', async () => {
    const events = await paidEvents()
    await Promise.all([...events, ...events, ...events].map((event) => deliver(event)))
    await shop.settled()
    expect(await outcome()).toEqual(paidOnce)
  })

  it('in reverse order', async () => {
    for (const event of (await paidEvents()).toReversed()) {
      await deliver(event)
      await shop.settled()
    }
    expect(await outcome()).toEqual(paidOnce)
  })

  it.each(['checkout.session.completed', 'invoice.paid', 'invoice.payment_succeeded'])(
    'by %s alone, if all others are lost',
    async (type) => {
      const events = await paidEvents()
      for (const event of events.filter((candidate) => candidate.type === type)) await deliver(event)
      await shop.settled()
      expect(await outcome()).toEqual(paidOnce)
    },
  )

  it('by the return page, if every event is lost: it asks Stripe [SUB-12, API-FN-01]', async () => {
    const events = await paidEvents()
    expect(await outcome()).toEqual(nothing)
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      hasActiveSubscription: true,
    })
    expect(await outcome()).toEqual(paidOnce)
    for (const event of events) await deliver(event) // late after all
    await shop.settled()
    expect(await outcome()).toEqual(paidOnce)
  })

  it('by a second click on Subscribe, which then finds the plan bought', async () => {
    await paidEvents()
    const { error } = await fan.client.functions.invoke('create-subscription-checkout', {
      body: { productId: plan.id },
    })
    expect(error.context.status).toBe(409)
    expect(await outcome()).toEqual(paidOnce)
  })

  it("but never by the return page of a checkout that wasn't paid [SUB-13]", async () => {
    await call(fan, 'create-subscription-checkout', { productId: plan.id })
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toEqual({
      hasActiveSubscription: false,
      isAwaited: true,
      subscription: null,
      refund: null,
    })
    expect(await outcome()).toEqual(nothing)
  })

  it('by events in any order and number, as long as one decisive event arrives', async () => {
    const decisive = ['checkout.session.completed', 'invoice.paid', 'invoice.payment_succeeded']
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const random = (below: number) => (numbers.next().value ?? 0) % below
        fan = await shop.gateway.signUp()
        const events = await paidEvents()
        const type = decisive[random(decisive.length)]
        const chosen = events.filter((event) => event.type === type)
        for (let more = 0; more < 10; more++) {
          chosen.splice(random(chosen.length + 1), 0, ...events.slice(random(events.length)).slice(0, 1))
        }
        const answers = await Promise.all(chosen.map((event) => deliver(event)))
        expect(answers.map(({ status }) => status)).toEqual(chosen.map(() => 200))
        await shop.settled()
        expect(await outcome()).toEqual(paidOnce)
      }),
      { numRuns: 12 },
    )
  })

  it('with the fee that Stripe took, and a record of its difference from ours [GEN-06]', async () => {
    const events = await paidEvents()
    const books = new DatabaseSync(shop.sandboxFile)
    books
      .prepare(
        `update objects set data = json_set(data, '$.application_fee_amount', 120)
         where kind = 'charge' and seq = (select max(seq) from objects where kind = 'charge' and account = '')`,
      )
      .run()
    books.close()
    for (const event of events) await deliver(event)
    await shop.settled()
    expect(await outcome()).toMatchObject({
      transactions: [{ amount: '999', fee_amount: '120', net_amount: '879' }],
    })
    expect(
      await shop.gateway.query(
        'delete from private.payment_differences returning kind, expected_cents::int, actual_cents::int, resolved_at',
      ),
    ).toEqual([{ kind: 'fee', expected_cents: 100, actual_cents: 120, resolved_at: null }])
  })

  it("by the job's retry after a failure; until then the reason is stored", async () => {
    const events = await paidEvents()
    const event = events.find(({ type }) => type === 'invoice.paid')
    if (!event) throw new Error('no invoice.paid')
    await shop.gateway.query('alter table public.transactions add constraint out_of_order check (amount < 0) not valid')
    try {
      expect((await deliver(event)).status).toBe(200)
      await expect.poll(async () => (await storedEvent(event.id))?.error).toContain('out_of_order')
      expect((await outcome()).transactions).toEqual([])
    } finally {
      await shop.gateway.query('alter table public.transactions drop constraint out_of_order')
    }
    await shop.settled()
    expect(await storedEvent(event.id)).toMatchObject({ error: null, processed_at: expect.any(Date) })
    expect(await outcome()).toEqual(paidOnce)
  })

  it("but not by an event of another mode: test events don't move live money", async () => {
    const event = (await paidEvents()).find(({ type }) => type === 'invoice.paid')
    await deliver({ ...event, livemode: true })
    await shop.settled()
    expect(await outcome()).toEqual(nothing)
  })
})

describe('a subscription of another system on the same Stripe account', () => {
  it('is left alone', async () => {
    const before = await lastEvent()
    await subscribe(fan, plan)
    const events = await eventsSince(before)
    await shop.gateway.query('delete from private.checkout_sessions where profile_id = $1', [fan.profileId])
    await shop.gateway.query('delete from private.profiles where id = $1', [fan.profileId])
    for (const event of events) await deliver(event)
    await shop.settled()
    expect(await outcome()).toEqual(nothing)
  })
})

describe('a subscription over time', () => {
  const month = 31 * 86_400 + 3600 // a bill is a draft for an hour

  async function subscribed(card: string | undefined = undefined): Promise<Stripe.Subscription> {
    const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
    await pay(url, card)
    await call(fan, 'verify-subscription', { creatorId: creator.profileId })
    const [row] = await shop.gateway.query<{ id: string }>(
      `select x.stripe_subscription_id as id from private.stripe_subscriptions x
       join public.subscriptions s on s.id = x.subscription_id where s.subscriber_id = $1`,
      [fan.profileId],
    )
    return shop.stripe.subscriptions.retrieve(row?.id ?? '')
  }

  async function deliverSince(last: string | undefined, order: (events: Stripe.Event[]) => Stripe.Event[] = (e) => e) {
    for (const event of order(await eventsSince(last))) await deliver(event)
    await shop.settled()
  }

  it('renews: the creator earns again, and is notified [GEN-06]', async () => {
    await subscribed()
    const before = await lastEvent()
    shop.sandbox.advanceClock(month)
    await deliverSince(before, (events) => events.toReversed())
    const { subscriptions, transactions, notifications } = await outcome()
    expect(subscriptions).toEqual(paidOnce.subscriptions)
    expect(transactions).toEqual([...paidOnce.transactions, ...paidOnce.transactions])
    expect(notifications).toEqual(
      expect.arrayContaining([
        { type: 'subscription', title: expect.stringContaining(' subscribed to ') },
        { type: 'payment', title: expect.stringContaining(' paid for ') },
      ]),
    )
  })

  it('becomes past due if a renewal fails, keeps its grace period, and notifies the fan once [SUB-16]', async () => {
    const { id } = await subscribed()
    // The card that can be saved but fails.
    const failing = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String((await shop.stripe.subscriptions.retrieve(id)).customer),
    })
    await shop.stripe.subscriptions.update(id, { default_payment_method: failing.id })
    const before = await lastEvent()
    shop.sandbox.advanceClock(month)
    const events = await eventsSince(before)
    for (const event of [...events, ...events]) await deliver(event)
    await shop.settled()
    expect(
      await shop.gateway.query(
        "select status, access_until > now() as in_grace, access_until < now() + interval '73 hours' as ends from public.subscriptions where subscriber_id = $1",
        [fan.profileId],
      ),
    ).toEqual([{ status: 'past_due', in_grace: true, ends: true }])
    expect(
      await shop.gateway.query('select type, title from public.notifications where user_id = $1', [fan.profileId]),
    ).toEqual([{ type: 'payment', title: expect.stringMatching(/^Your payment to .+ didn't go through$/) }])
  })

  it('says that the subscription has ended, and asks for no card, when the last attempt failed [SUB-16]', async () => {
    const { id } = await subscribed()
    const failing = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String((await shop.stripe.subscriptions.retrieve(id)).customer),
    })
    await shop.stripe.subscriptions.update(id, { default_payment_method: failing.id })
    const before = await lastEvent()
    shop.sandbox.advanceClock(month + 30 * 86_400)
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' })
    const events = await eventsSince(before)
    await deliver(events.findLast(({ type }) => type === 'invoice.payment_failed') as Stripe.Event)
    await shop.settled()
    expect(
      await shop.gateway.query('select title, message from public.notifications where user_id = $1', [fan.profileId]),
    ).toEqual([
      {
        title: expect.stringMatching(/^Your payment to .+ didn't go through$/),
        message: expect.stringMatching(/^Your subscription to .+ has ended\.$/),
      },
    ])
  })

  it("ends for good: an older state that arrives late doesn't bring it back [SUB-18]", async () => {
    const { id } = await subscribed()
    const before = await lastEvent()
    await shop.stripe.subscriptions.update(id, { metadata: { note: 'seen' } })
    await shop.stripe.subscriptions.cancel(id)
    await deliverSince(before, (events) => events.toReversed())
    expect(await outcome()).toMatchObject({ subscriptions: [{ status: 'canceled', access_until: '-infinity' }] })
  })
})

describe('a payout account', () => {
  const accountOf = async ({ profileId }: Person) =>
    (
      await shop.gateway.query<{ id: string; charges: boolean; payouts: boolean }>(
        'select stripe_account_id as id, stripe_charges_enabled as charges, stripe_payouts_enabled as payouts from private.profiles where id = $1',
        [profileId],
      )
    )[0]

  it('that Stripe restricts stops selling as soon as account.updated arrives [ONB-06]', async () => {
    const seller = await shop.buildCreator()
    const account = await accountOf(seller)
    expect(account).toMatchObject({ charges: true })
    const before = await lastEvent()
    await shop.stripe.accounts.update(account?.id ?? '', { capabilities: { transfers: { requested: false } } })
    for (const event of await eventsSince(before)) await deliver(event)
    await deliver({
      ...unknownEvent(),
      type: 'account.updated',
      account: account?.id,
      data: { object: { id: account?.id, object: 'account' } },
    })
    await shop.settled()
    expect(await accountOf(seller)).toMatchObject({ id: account?.id, charges: false })
  })

  it('that sells elsewhere as well leaves nothing behind: its own payments are ignored', async () => {
    const event = {
      ...unknownEvent(),
      type: 'payment_intent.succeeded',
      account: (await accountOf(await shop.buildCreator()))?.id,
      data: { object: { id: 'pi_of_another_shop', object: 'payment_intent' } },
    }
    await deliver(event)
    await shop.settled()
    expect(await shop.gateway.query('select error from private.stripe_events where id = $1', [event.id])).toEqual([
      { error: null },
    ])
  })

  it('whose holder leaves the platform stops selling', async () => {
    const seller = await shop.buildCreator()
    const account = await accountOf(seller)
    await deliver({
      ...unknownEvent(),
      type: 'account.application.deauthorized',
      account: account?.id,
      data: { object: { id: 'ca_sandbox', object: 'application' } },
    })
    await shop.settled()
    expect(await accountOf(seller)).toEqual({ id: account?.id, charges: false, payouts: false })
  })
})

describe('in the end', () => {
  it('the ledger is sound, and no other difference from Stripe was found', async () => {
    const { query } = shop.gateway
    expect(await query('select from private.ledger_entries limit 1')).toHaveLength(1)
    expect(await query('select * from private.verify_ledger()')).toEqual([])
    expect(await query('select * from private.payment_differences')).toEqual([])
  })
})
