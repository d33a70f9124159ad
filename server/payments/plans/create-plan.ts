import { randomUUID } from 'node:crypto'
import type { Interval } from '@ovation/contract/limits'
import { sql } from '../../postgres/sql.ts'
import { type AccountHolder, refreshAccount } from '../accounts/accounts.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { makePrices, type PlanTerm } from './set-prices.ts'

export type NewPlan = {
  readonly name: string
  readonly description: string | null
  /** US cents for one interval. */
  readonly priceCents: number
  readonly interval: Interval
  /** Free days before the first charge; 0 is none. */
  readonly trialDays: number
  readonly benefits: readonly string[]
  /** The terms of several months, beside one month (OFFER-01). */
  readonly terms: readonly PlanTerm[]
}

export type Plan = {
  readonly id: string
  readonly creator_id: string
  readonly name: string
  readonly description: string | null
  readonly price_cents: number
  readonly interval: Interval
  readonly trial_days: number
  readonly benefits: readonly string[]
  readonly is_active: boolean
  readonly created_at: string
}

/**
 * Creates a plan at Stripe, then here (API-FN-03). Fans see it once the last step is done. If a step fails, Stripe is
 * left with a product that nobody can reach.
 * @param creator an approved one, or one who waits for the review, whose plan opens with the approval (LOOP-08). The database rejects
 * anyone else's (private.require_seller, D25).
 * @throws 409 until their account accepts charges (PROD-08, PROD-09).
 */
export async function createPlan(payments: Payments, creator: AccountHolder, plan: NewPlan): Promise<Plan> {
  await requireCharges(payments, creator)
  const id = randomUUID()
  const metadata = { product_id: id, creator_id: creator.profileId }
  const product = await payments.stripe.api.products.create(
    { name: plan.name, ...(plan.description !== null && { description: plan.description }), metadata },
    { idempotencyKey: `product:${id}` },
  )
  const { profileId: creatorId } = creator
  const { interval, priceCents } = plan
  const priced = { id, creatorId, stripeProductId: product.id, interval, priceCents }
  const prices = await makePrices(payments, priced, plan.terms)
  return storePlan(payments, creatorId, id, plan, { productId: product.id, prices })
}

/** Our record may be old: a creator who has just finished onboarding must not be sent there again. */
async function requireCharges(payments: Payments, creator: AccountHolder): Promise<void> {
  const [known] = await payments.database.service.rows<{ enabled: boolean }>(sql`
    select stripe_charges_enabled as enabled from private.profiles
    where id = ${creator.profileId} and stripe_account_id is not null`)
  if (known?.enabled) return
  const { chargesEnabled } = await refreshAccount(payments, creator)
  if (!chargesEnabled) throw paymentErrors.onboardingFirst()
}

async function storePlan(
  { database }: Payments,
  creatorId: string,
  id: string,
  { name, description, priceCents, interval, trialDays, benefits }: NewPlan,
  stripe: { readonly productId: string; readonly prices: string },
): Promise<Plan> {
  // One statement: fans could see a plan without its Stripe prices, but not buy it.
  const [stored] = await database.service.rows<Plan>(sql`
    with plan as (
      insert into public.subscription_products (id, creator_id, name, description, price_cents, interval, trial_days, benefits)
      values (${id}, ${creatorId}, ${name}, ${description}, ${priceCents}, ${interval}, ${trialDays}, ${benefits})
      returning *
    ), at_stripe as (
      insert into private.stripe_products (product_id, stripe_product_id) select plan.id, ${stripe.productId} from plan
    )
    select id, creator_id, name, description, price_cents, interval, trial_days, benefits, is_active, created_at
    from plan, private.set_plan_prices(plan.id, ${stripe.prices}::jsonb)`)
  if (!stored) throw new Error('insert … returning returned no row')
  return stored
}
