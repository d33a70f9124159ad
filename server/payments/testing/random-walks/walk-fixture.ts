import type { Sandbox } from '@ovation/sandbox'
import type Stripe from 'stripe'
import { buildProductForSale } from '../product-for-sale.ts'
import { call, onboard, type Plan } from '../shop.ts'
import type { CrashableServer } from './crashable-server.ts'
import { buildParticipant, type Participant } from './people.ts'
import { retryUnanswered } from './retry-unanswered.ts'

/** What all walks share: one product, one provider. */
export type Environment = {
  readonly server: CrashableServer
  readonly sandbox: Sandbox
  readonly stripe: Stripe
  /** Notes that something has happened. */
  count(what: string): void
  /** Runs the database's requests to the provider, as the server's job does once the crashes stop. */
  carryOut(): Promise<void>
  /** Runs SQL as the superuser, bypassing the server. */
  query<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
}

/** What one walk starts from: a creator with three plans, three products, and a goal, and two fans. Nobody else deals with them. */
export type WalkFixture = {
  readonly environment: Environment
  readonly creator: Participant
  readonly plans: readonly Plan[]
  /** One for a price, one for a price or more, and one that only one fan can have: products.id. */
  readonly products: readonly string[]
  /** goals.id. If it is missed, all tips toward it are refunded. */
  readonly goal: string
  readonly fans: readonly Participant[]
  /** From when until when, by the provider's clock, the creator was suspended and the renewals of these subscriptions were paused. */
  readonly suspensions: { readonly from: number; until: number; readonly stopped: readonly string[] }[]
}

/** @param inviter who has invited this creator, so that each payment has a commission. */
export async function buildWalkFixture(environment: Environment, inviter: Participant): Promise<WalkFixture> {
  const creator = await buildCreator(environment)
  await environment.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
     select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
    [inviter.profileId, creator.profileId],
  )
  const plan = async (about: Record<string, unknown>) => {
    const body = { price_cents: 999, interval: 'month', ...about }
    return (await retryUnanswered(() => call<{ product: Plan }>(creator, 'create-subscription-product', body))).product
  }
  const plans = [
    await plan({
      name: 'Small',
      terms: [
        { months: 3, percent_off: 10 },
        { months: 12, percent_off: 30 },
      ],
    }),
    await plan({ name: 'Large', price_cents: 2_499, trial_days: 3 }),
    await plan({ name: 'Taster', price_cents: 299, trial_days: 14 }),
  ]
  const products = [
    await buildProductForSale(creator),
    await buildProductForSale(creator, { price: 300, takesMore: true }),
    await buildProductForSale(creator, { price: 700, stock: 1 }),
  ]
  const goal = await setGoal(creator)
  const fans = [
    await buildParticipant(environment.query, environment.server),
    await buildParticipant(environment.query, environment.server),
  ]
  return { environment, creator, plans, products, goal, fans, suspensions: [] }
}

/** An approved creator who has completed onboarding and accepts charges. */
export async function buildCreator({ query, server }: Environment): Promise<Participant> {
  const creator = await buildParticipant(query, server)
  await query('update private.profiles set is_creator = true, is_verified = true where id = $1', [creator.profileId])
  await retryUnanswered(() => call(creator, 'create-stripe-account'))
  const { url } = await retryUnanswered(() =>
    call<{ url: string }>(creator, 'create-onboarding-link', { origin: server.url }),
  )
  await onboard(url)
  await retryUnanswered(() => call(creator, 'check-stripe-status'))
  return creator
}

/** A few tips reach it. @returns goals.id */
async function setGoal({ client }: Participant): Promise<string> {
  const ends_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const goal = { title: 'A goal', kind: 'money', target: 1_500, ends_at, refunds_if_missed: true }
  const { data } = await retryUnanswered(async () => client.rpc('create_goal', goal).throwOnError())
  return data
}

/** Publishes a paid post. @returns posts.id */
export async function publish(creator: Participant, priceCents: number): Promise<string> {
  const about = { title: 'A post', content: 'Behind the curtain.', post_type: 'ppv', ppv_price: priceCents }
  const post = { creator_id: creator.profileId, ...about }
  const { data } = await retryUnanswered(async () =>
    creator.client.from('posts').insert(post).select('id').single().throwOnError(),
  )
  return data.id
}
