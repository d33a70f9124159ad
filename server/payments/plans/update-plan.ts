import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import type { Plan } from './create-plan.ts'
import { makePrices, type PlanTerm, type PricedPlan } from './set-prices.ts'

/** The editable fields of a plan with subscribers. Another interval takes another plan. */
export type PlanWords = {
  readonly name: string
  readonly description: string | null
  /** Free days before the first charge, for new subscribers; 0 is none. */
  readonly trialDays: number
  /** Null leaves them as they are. */
  readonly benefits: readonly string[] | null
  /** Null leaves them as they are. Subscribers keep a term that is no longer sold. */
  readonly terms: readonly PlanTerm[] | null
}

/**
 * Changes a plan's name and description at Stripe, whose receipts show them, then here.
 * @throws 404 unless the plan is this creator's, 422 for terms of a plan that isn't monthly.
 */
export async function updatePlan(
  payments: Payments,
  creatorId: string,
  id: string,
  { name, description, trialDays, benefits, terms }: PlanWords,
): Promise<Plan> {
  const { database, stripe } = payments
  const [known] = await database.service.rows<PricedPlan>(sql`
    select p.id, p.creator_id as "creatorId", s.stripe_product_id as "stripeProductId", p.interval, p.price_cents as "priceCents"
    from public.subscription_products p join private.stripe_products s on s.product_id = p.id
    where p.id = ${id} and p.creator_id = ${creatorId}`)
  if (!known) throw paymentErrors.planNotFound()
  if (terms?.length && known.interval !== 'month') throw paymentErrors.termsNeedMonths()
  const prices = terms && (await makePrices(payments, known, terms))
  // Stripe removes an empty description.
  await stripe.api.products.update(known.stripeProductId, { name, description: description ?? '' })
  const [plan] = await database.service.rows<Plan>(sql`
    update public.subscription_products set name = ${name}, description = ${description}, trial_days = ${trialDays},
      benefits = coalesce(${benefits}::text[], benefits)
    where id = ${id}
    returning id, creator_id, name, description, price_cents, interval, trial_days, benefits, is_active, created_at`)
  if (!plan) throw paymentErrors.planNotFound()
  if (prices) await database.service.rows(sql`select private.set_plan_prices(${id}, ${prices}::jsonb)`)
  return plan
}
