import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from '../../postgres/sql.ts'
import type { Person } from '../../testing/gateway.ts'
import { fulfilEvent } from '../fulfil-event.ts'
import { carryOutPaymentTasks } from '../payment-tasks.ts'
import { reconcile } from '../reconcile.ts'
import { payReferrals } from '../referral-transfers.ts'
import { buildPaidPost } from './paid-post.ts'
import { call, type Plan, pay, type Shop } from './shop.ts'
import { expectSound } from './sound.ts'

/** One thing that somebody does, or that happens to a message on its way. Numbers choose among what there is at that moment. */
export type Step =
  | {
      readonly do: 'subscribe' | 'buy' | 'tip' | 'unlock'
      readonly fan: number
      readonly what: number
      readonly card: number
    }
  | { readonly do: 'switch' | 'cancel' | 'resume'; readonly fan: number; readonly what: number }
  | { readonly do: 'refund' | 'dispute' | 'decide'; readonly what: number; readonly win: boolean }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'deliver' | 'lose' | 'repeat'; readonly what: number }
  | { readonly do: 'kill'; readonly what: number }
  | { readonly do: 'payout' }

const small = fc.nat({ max: 1000 })
const fan = fc.nat({ max: 1 })
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('subscribe', 'buy', 'tip', 'unlock'), fan, what: small, card: small }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('switch', 'cancel', 'resume'), fan, what: small }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('refund', 'dispute', 'decide'), what: small, win: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.integer({ min: 1, max: 35 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('deliver', 'lose', 'repeat'), what: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill'), what: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('payout') }) },
) as fc.Arbitrary<Step>

const cards = [
  '4242 4242 4242 4242',
  '4242 4242 4242 4242',
  '4000 0000 0000 0002',
  '4000 0000 0000 0341',
  '4000 0000 0000 0259',
]

type World = {
  readonly shop: Shop
  readonly creator: Person
  readonly plans: readonly Plan[]
  readonly fans: readonly Person[]
  /** Events that the provider has sent, oldest first, and which of them were delivered. */
  readonly sent: { readonly id: string; readonly payload: object }[]
  lastSeq: number
}

/** Two fans and a creator with two plans, whom a third person has invited, so that each payment has a commission. */
export async function buildWorld(shop: Shop): Promise<World> {
  const creator = await shop.buildCreator()
  const referrer = await shop.buildCreator()
  await shop.gateway.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
     select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
    [referrer.profileId, creator.profileId],
  )
  const plans = [
    await shop.buildPlan(creator, { name: 'Small', price_cents: 999 }),
    await shop.buildPlan(creator, { name: 'Large', price_cents: 2_499, trial_days: 3 }),
  ]
  const fans = [await shop.gateway.signUp(), await shop.gateway.signUp()]
  const world = { shop, creator, plans, fans, sent: [], lastSeq: 0 }
  collect(world)
  world.sent.length = 0 // what belongs to earlier lives
  return world
}

/** Lives through the steps, then lets the messages arrive that were not lost, has the books compared, and checks that all agree. */
export async function live(world: World, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    world.shop.sandbox.advanceClock(1) // nothing happens twice in one second, so that times tell the order
    await take(world, one)
  }
  await settle(world)
  await end(world)
}

async function take(world: World, one: Step): Promise<void> {
  try {
    await act(world, one)
  } catch (error) {
    // A refusal is an answer like any other (bought already, nothing to switch to); a fault of ours is not.
    if (!/: \{"success":false/.test(String(error)) || /"code":"internal"/.test(String(error))) throw error
  }
  collect(world)
}

async function act(world: World, one: Step): Promise<unknown> {
  const { shop, creator, plans } = world
  switch (one.do) {
    case 'subscribe': {
      const plan = pick(plans, one.what)
      return payPage(
        one.card,
        await call(pick(world.fans, one.fan), 'create-subscription-checkout', { productId: plan?.id }),
      )
    }
    case 'buy':
    case 'tip':
    case 'unlock':
      return payPage(
        one.card,
        await call(pick(world.fans, one.fan), 'create-payment-checkout', await order(world, one)),
      )
    case 'switch':
    case 'cancel':
    case 'resume': {
      const person = pick(world.fans, one.fan)
      const { data } = await person.client
        .from('subscriptions')
        .select('id, tier_id')
        .order('created_at')
        .throwOnError()
      const own = pick(data ?? [], one.what)
      const other = plans.find(({ id }) => id !== own?.tier_id)
      return own && call(person, `${one.do}-subscription`, { subscriptionId: own.id, productId: other?.id })
    }
    case 'refund': {
      const payments = await shop.gateway.query<{ id: string }>(
        `select id from public.transactions where to_user_id = $1 and amount > 0 and status = 'completed'
           and transaction_type in ('subscription', 'ppv', 'tip', 'paid_message') order by created_at, id`,
        [creator.profileId],
      )
      const transactionId = pick(payments, one.what)?.id
      return transactionId && call(creator, 'refund-payment', { transactionId, reason: 'By chance' })
    }
    case 'dispute': {
      const { data } = await shop.stripe.charges.list({ limit: 20 })
      const charge = pick(
        data.filter(({ paid, disputed, refunded }) => paid && !disputed && !refunded),
        one.what,
      )
      return charge && shop.sandbox.openDispute(charge.id)
    }
    case 'decide': {
      const { data } = await shop.stripe.disputes.list({ limit: 20 })
      const open = pick(
        data.filter(({ status }) => status === 'needs_response'),
        one.what,
      )
      const evidence = { uncategorized_text: one.win ? 'winning_evidence' : 'losing_evidence' }
      return open && shop.stripe.disputes.update(open.id, { evidence, submit: true })
    }
    case 'wait':
      return shop.sandbox.advanceClock(one.days * 86_400)
    case 'deliver':
    case 'repeat':
      return deliver(world, pick(world.sent, one.what))
    case 'lose':
      return world.sent.splice(one.what % (world.sent.length + 1), 1)
    case 'kill':
      return killed(world, pick(world.sent, one.what))
    case 'payout': {
      const [account] = await shop.gateway.query<{ id: string }>(
        'select stripe_account_id as id from private.profiles where id = $1',
        [creator.profileId],
      )
      const amount = shop.sandbox.books().accounts[account?.id ?? ''] ?? 0
      return amount > 0 && shop.stripe.payouts.create({ amount, currency: 'usd' }, { stripeAccount: account?.id })
    }
  }
}

const pick = <T>(choices: readonly T[], what: number): T => choices[what % Math.max(choices.length, 1)] as T

async function order({ creator, fans }: World, one: Extract<Step, { card: number }>) {
  if (one.do === 'tip') return { kind: 'tip', targetId: creator.profileId, amountCents: 100 + ((one.what * 7) % 900) }
  if (one.do === 'buy')
    return { kind: 'ppv', targetId: await buildPaidPost(creator, { ppv_price: 1 + (one.what % 9) + 0.49 }) }
  const recipient = pick(fans, one.fan)
  const { data } = await creator.client
    .from('messages')
    .insert({
      sender_id: creator.profileId,
      recipient_id: recipient.profileId,
      content: 'Psst',
      is_paid: true,
      price: 2.99,
    })
    .select('id')
    .single()
    .throwOnError()
  return { kind: 'message', targetId: data.id }
}

async function payPage(card: number, { url }: { url?: string }): Promise<void> {
  if (url) await pay(url, pick(cards, card)).catch(ignoreClosedPage)
}
function ignoreClosedPage(error: Error): void {
  if (!/no form on/.test(error.message)) throw error
}

/** What the provider has sent since, in its order: from its own book, for no webhook reaches us but through the test's hands. */
function collect(world: World): void {
  const store = new DatabaseSync(world.shop.sandboxFile, { readOnly: true })
  const rows = store
    .prepare(`select seq, data from objects where kind = 'event' and seq > ? order by seq`)
    .all(world.lastSeq) as { seq: number; data: string }[]
  store.close()
  for (const { seq, data } of rows) {
    const payload = JSON.parse(data) as { id: string }
    world.sent.push({ id: payload.id, payload })
    world.lastSeq = seq
  }
}

/** A webhook arrives: stored once, then fulfilled. */
async function deliver(world: World, event: World['sent'][number] | undefined): Promise<void> {
  if (!event) return
  await store(world, event)
  await fulfilEvent(world.shop.gateway.services, event.id)
  await carryOutPaymentTasks(world.shop.gateway.services)
}

async function store({ shop }: World, { id, payload }: World['sent'][number]): Promise<void> {
  await shop.gateway.query(
    `insert into private.stripe_events (id, type, payload, created_at) select $1, $2::jsonb ->> 'type', $2::jsonb, now()
     on conflict (id) do update set processed_at = null`,
    [id, JSON.stringify(payload)],
  )
}

/**
 * The server dies while it fulfils an event: its connections are cut at a moment that the number chooses. What it was doing is either
 * whole or not there; the event stays to be done again.
 */
async function killed(world: World, event: World['sent'][number] | undefined): Promise<void> {
  if (!event) return
  await store(world, event)
  const { gateway } = world.shop
  const work = fulfilEvent(gateway.services, event.id).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, event.id.charCodeAt(10) % 12))
  await gateway.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name not like '%jobs%' and usename = 'authenticator'`,
  )
  await work
  // The next start: with connections of its own.
  for (let fresh = 0; fresh < 3; )
    fresh = await gateway.services.database.service.rows(sql`select 1`).then(
      () => fresh + 1,
      () => 0,
    )
}

async function settle(world: World): Promise<void> {
  const { shop } = world
  for (const event of world.sent.splice(0)) await deliver(world, event)
  await reconcile(shop.gateway.services, 90)
  await carryOutPaymentTasks(shop.gateway.services)
  await reconcile(shop.gateway.services, 90) // what the wishes have brought about
  await payReferrals(shop.gateway.services)
  await expectSound(shop)
  await expectAccessAsAtProvider(world)
}

/** Nothing of this life renews in the next one. */
async function end({ shop }: World): Promise<void> {
  for await (const { id } of shop.stripe.subscriptions.list({ limit: 100 })) await shop.stripe.subscriptions.cancel(id)
}

/** Each fan sees exactly what the provider's books say that they have paid for and kept. */
async function expectAccessAsAtProvider({ shop, fans, creator }: World): Promise<void> {
  const running = new Map<string, string>()
  for await (const { id, status } of shop.stripe.subscriptions.list({ status: 'all', limit: 100 }))
    running.set(id, status)
  const known = await shop.gateway.query<{ id: string; status: string }>(
    `select k.stripe_subscription_id as id, s.status from public.subscriptions s
     join private.stripe_subscriptions k on k.subscription_id = s.id where s.creator_id = $1`,
    [creator.profileId],
  )
  for (const { id, status } of known) {
    const there = running.get(id)
    expect([id, status]).toEqual([id, there === 'trialing' ? 'trial' : there])
  }
  for (const { profileId, client } of fans) {
    const bought = await shop.gateway.query<{ post_id: string; kept: boolean }>(
      `select t.post_id, t.status = 'completed' as kept from public.transactions t
       where t.from_user_id = $1 and t.transaction_type = 'ppv' and t.post_id is not null`,
      [profileId],
    )
    for (const { post_id, kept } of bought) {
      const { data } = await client.from('posts').select('is_locked').eq('id', post_id).single()
      expect([post_id, data?.is_locked]).toEqual([post_id, !kept])
    }
  }
}
