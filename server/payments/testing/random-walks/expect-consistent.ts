import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { Participant } from './people.ts'
import { retryUnanswered } from './retry-unanswered.ts'
import { customerOf, expectFairTrial, type Step } from './steps.ts'
import type { WalkFixture } from './walk-fixture.ts'

/** Each fan sees exactly what they have paid for and kept according to the provider's books, and has paid nothing twice. */
export async function expectAccessAsPaid(world: WalkFixture, steps: readonly Step[]): Promise<void> {
  for (const [number, fan] of world.fans.entries()) {
    const customer = await customerOf(world.environment, fan)
    const [charges, subscriptions] = customer
      ? await Promise.all([allCharges(world, customer), allSubscriptions(world, customer)])
      : [[], []]
    await expectSubscription(world, fan, subscriptions)
    await expectDuplicatesReturned(world, fan, subscriptions)
    await expectHeld(world, subscriptions)
    const wanted = steps.filter((step) => step.do === 'tip' && step.fan === number)
    const tips = charges.filter(({ paid, metadata }) => paid && metadata.kind === 'tip')
    expect(tips.length, 'tips that were charged').toBeLessThanOrEqual(wanted.length)
    const paidFor = (subject: string) =>
      charges
        .filter(({ metadata }) => metadata[subject])
        .map((charge) => [charge.metadata[subject], isKept(charge)] as const)
    await expectOpen('posts', paidFor('post_id'), await lockedPosts(world, fan))
    await expectOpen('messages', paidFor('message_id'), await lockedMessages(fan))
    await expectOpen('products', paidFor('bought_product_id'), await unownedProducts(world, fan))
    await expectGifts(world, fan, paidFor('gift_id'))
    await expectPromiseKept(world, paidFor('goal_id'))
  }
}

/** An hour after the last step, everything that was bought and kept is unlocked, and nothing else. */
async function expectOpen(
  what: string,
  paid: readonly (readonly [string | undefined, boolean])[],
  locked: ReadonlyMap<string, boolean>,
): Promise<void> {
  const kept = paid.filter(([, keeps]) => keeps).map(([id]) => id)
  expect(kept, `${what} paid for twice`).toEqual([...new Set(kept)])
  const open = [...locked].filter(([, isLocked]) => !isLocked).map(([id]) => id)
  expect(open.toSorted(), `open ${what}`).toEqual(kept.toSorted())
}

/** Paid, and neither refunded nor taken back by the bank. */
function isKept({ paid, refunded, dispute }: Charge): boolean {
  return paid && !refunded && (!dispute || dispute.status === 'won')
}

type Charge = Stripe.Charge & { readonly dispute: Stripe.Dispute | null }

/** Newest of each first. `dispute` is the charge's, if there is one. */
async function allCharges({ environment: { stripe } }: WalkFixture, customer: string): Promise<Charge[]> {
  const charges: Charge[] = []
  for await (const charge of stripe.charges.list({ customer, limit: 100 })) {
    const dispute = charge.disputed ? (await stripe.disputes.list({ charge: charge.id })).data[0] : undefined
    charges.push({ ...charge, dispute: dispute ?? null })
  }
  return charges
}

async function allSubscriptions(
  { environment: { stripe } }: WalkFixture,
  customer: string,
): Promise<Stripe.Subscription[]> {
  return stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1_000 })
}

/** Every subscription at the provider is known here, in the same state and for the same plan, and gives access as long. */
async function expectSubscription(
  { environment: { query, sandbox }, creator }: WalkFixture,
  fan: Participant,
  there: readonly Stripe.Subscription[],
): Promise<void> {
  const here = await query<{ id: string; status: string; price: string; open: boolean }>(
    `select k.stripe_subscription_id as id, s.status, p.stripe_price_id as price, s.access_until > to_timestamp($3) as open
     from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
     join private.stripe_prices p on p.product_id = s.tier_id and p.interval_count = s.interval_count and p.price_cents = s.price_cents where s.creator_id = $1 and s.subscriber_id = $2`,
    [creator.profileId, fan.profileId, sandbox.now()],
  )
  // The grace period is counted in the server's time, which hardly moves while the provider's years go by.
  const gate = (status: string, open: boolean) => (status === 'past_due' ? 'grace' : open)
  const sorted = (rows: readonly (readonly unknown[])[]) =>
    rows.toSorted(([a], [b]) => String(a).localeCompare(String(b)))
  expect(sorted(here.map(({ id, status, price, open }) => [id, status, price, gate(status, open)]))).toEqual(
    sorted(
      there
        .filter(({ status }) => status !== 'incomplete' && status !== 'incomplete_expired')
        .map(({ id, status, items }) => [
          id,
          status === 'trialing' ? 'trial' : status,
          items.data[0]?.price.id,
          gate(status, status === 'active' || status === 'trialing'),
        ]),
    ),
  )
  const billed = there.filter(({ status }) => ['active', 'trialing', 'past_due', 'unpaid'].includes(status))
  expect(billed.length, 'subscriptions that are billed').toBeLessThanOrEqual(1)
}

/** A duplicate subscription of the same two users has ended, and nobody has kept money for it unless a bank decided so. */
async function expectDuplicatesReturned(
  { environment: { query } }: WalkFixture,
  fan: Participant,
  there: readonly Stripe.Subscription[],
): Promise<void> {
  const duplicates = await query<{ id: string; kept: number }>(
    `select k.stripe_subscription_id as id, count(t.id) filter (where t.refunded_amount < t.amount
       and not exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'won'))::int as kept
     from private.stripe_subscriptions k join public.subscriptions s on s.id = k.subscription_id
     left join public.transactions t on t.subscription_id = s.id and t.transaction_type = 'subscription'
     where s.subscriber_id = $1 and k.is_duplicate group by k.stripe_subscription_id`,
    [fan.profileId],
  )
  for (const { id, kept } of duplicates) {
    expect(kept, 'payments of a second subscription that were kept').toBe(0)
    expect(there.find((subscription) => subscription.id === id)?.status).toBe('canceled')
  }
}

/** A suspended creator is paid for no new period, and no trial is longer than its plan's own. */
async function expectHeld(world: WalkFixture, subscriptions: readonly Stripe.Subscription[]): Promise<void> {
  const { environment, suspensions } = world
  for (const subscription of subscriptions) {
    expectFairTrial(world, subscription)
    const windows = suspensions.filter(({ stopped }) => stopped.includes(subscription.id))
    if (windows.length === 0) continue
    const { data } = await environment.stripe.invoices.list({ subscription: subscription.id, limit: 100 })
    const charged = data.filter(
      ({ billing_reason, created }) =>
        billing_reason === 'subscription_cycle' && windows.some(({ from, until }) => created > from && created < until),
    )
    expect(
      charged.map(({ id }) => id),
      'renewals under suspension',
    ).toEqual([])
  }
}

async function lockedPosts({ creator }: WalkFixture, { client }: Participant): Promise<Map<string, boolean>> {
  const { data } = await retryUnanswered(async () =>
    client
      .from('posts')
      .select('id, is_locked')
      .eq('creator_id', creator.profileId)
      .eq('post_type', 'ppv')
      .throwOnError(),
  )
  return new Map(data?.map(({ id, is_locked }) => [id, is_locked]))
}

async function unownedProducts({ products }: WalkFixture, { client }: Participant): Promise<Map<string, boolean>> {
  const { data } = await retryUnanswered(async () =>
    client.from('product_purchases').select('product_id').throwOnError(),
  )
  const owned = new Set(data?.map(({ product_id }) => product_id))
  return new Map(products.map((id) => [id, !owned.has(id)]))
}

/** A missed goal keeps no tip. */
async function expectPromiseKept(
  { environment: { query }, goal }: WalkFixture,
  tips: readonly (readonly [string | undefined, boolean])[],
): Promise<void> {
  const [found] = await query<{ status: string }>('select status from public.goals where id = $1', [goal])
  const kept = tips.filter(([id, keeps]) => id === goal && keeps)
  expect(found?.status === 'missed' ? kept : [], 'tips toward a missed goal').toEqual([])
}

/** A gift whose payment was kept is open or redeemed, and no other is. One that a dispute ended after it was redeemed stays ended. */
async function expectGifts(
  { environment: { query } }: WalkFixture,
  giver: Participant,
  paid: readonly (readonly [string | undefined, boolean])[],
): Promise<void> {
  const kept = paid.filter(([, keeps]) => keeps).map(([id]) => id)
  expect(kept, 'gifts paid for twice').toEqual([...new Set(kept)])
  const given = await query<{ id: string; gives: boolean; ended: boolean }>(
    `select g.id, g.state in ('open', 'redeemed') as gives, s.id is not null and s.access_until <= now() as ended
     from private.gifts g left join public.subscriptions s on s.id = g.subscription_id
     where g.giver_id = $1 and not (g.state = 'refunded' and g.redeemed_at is not null and exists (
       select from private.payment_disputes d where d.transaction_id = g.transaction_id and d.status = 'won'))`,
    [giver.profileId],
  )
  const wonBack = kept.filter((id) => !given.some((gift) => gift.id === id))
  const giving = given.filter(({ gives }) => gives)
  expect([...giving.map(({ id }) => id), ...wonBack].toSorted(), 'gifts').toEqual(kept.toSorted())
  expect(giving.filter(({ ended }) => ended)).toEqual([])
}

async function lockedMessages({ client }: Participant): Promise<Map<string, boolean>> {
  const { data } = await retryUnanswered(async () =>
    client.from('messages').select('id, content').eq('is_paid', true).throwOnError(),
  )
  return new Map(data?.map(({ id, content }) => [id, content === null]))
}
