import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { makePrices, type PlanTerm, type PricedPlan } from './set-prices.ts'

/**
 * Gives a plan another price for new subscribers, and its terms what follows from it (OFFER-08). Those who are subscribed keep theirs.
 * @throws 404 unless the plan is this creator's.
 */
export async function changePrice(
  payments: Payments,
  creatorId: string,
  id: string,
  priceCents: number,
): Promise<void> {
  const { service } = payments.database
  const [plan] = await service.rows<PricedPlan & { readonly terms: PlanTerm[] }>(sql`
    select p.id, p.creator_id as "creatorId", s.stripe_product_id as "stripeProductId", p.interval,
      coalesce((select jsonb_agg(jsonb_build_object('months', t.months, 'percentOff', t.percent_off) order by t.months)
        from public.plan_terms t where t.product_id = p.id), '[]') as terms
    from public.subscription_products p join private.stripe_products s on s.product_id = p.id
    where p.id = ${id} and p.creator_id = ${creatorId}`)
  if (!plan) throw paymentErrors.planNotFound()
  const prices = await makePrices(payments, { ...plan, priceCents }, plan.terms)
  await service.rows(sql`select private.set_plan_prices(${id}, ${prices}::jsonb)`)
}
