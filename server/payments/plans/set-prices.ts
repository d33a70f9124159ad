import { termCents } from '@ovation/contract/plan-terms'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'

/** A term of several months for which a monthly plan is sold (OFFER-01). */
export type PlanTerm = { readonly months: number; readonly percentOff: number }

/** A plan whose prices are set. */
export type PricedPlan = {
  readonly id: string
  readonly creatorId: string
  readonly stripeProductId: string
  readonly interval: 'day' | 'week' | 'month' | 'year'
  /** US cents for one interval. */
  readonly priceCents: number
}

type Price = {
  readonly interval_count: number
  readonly percent_off: number
  readonly price_cents: number
  readonly stripe_price_id: string
}

/**
 * Makes the prices of a plan at Stripe: one for its interval, and one for each term. A price that the plan had before is used again.
 * @returns the argument of `private.set_plan_prices`, as JSON.
 */
export async function makePrices(payments: Payments, plan: PricedPlan, terms: readonly PlanTerm[]): Promise<string> {
  const known = await payments.database.service.rows<Omit<Price, 'percent_off'>>(sql`
    select interval_count, price_cents, stripe_price_id from private.stripe_prices where product_id = ${plan.id}`)
  const prices: Price[] = []
  for (const { months, percentOff } of [{ months: 1, percentOff: 0 }, ...terms]) {
    const cents = termCents(plan.priceCents, months, percentOff)
    const same = known.find((price) => price.interval_count === months && price.price_cents === cents)
    const id = same?.stripe_price_id ?? (await makePrice(payments, plan, months, cents))
    prices.push({ interval_count: months, percent_off: percentOff, price_cents: cents, stripe_price_id: id })
  }
  return JSON.stringify(prices)
}

async function makePrice({ stripe }: Payments, plan: PricedPlan, months: number, cents: number): Promise<string> {
  const price = await stripe.api.prices.create(
    {
      product: plan.stripeProductId,
      currency: 'usd',
      unit_amount: cents,
      recurring: { interval: plan.interval, ...(months > 1 && { interval_count: months }) },
      metadata: { product_id: plan.id, creator_id: plan.creatorId },
    },
    // Two devices that save at once make one price.
    { idempotencyKey: `price:${plan.id}:${months}:${cents}` },
  )
  return price.id
}
