import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import type { Plan } from './create-plan.ts'

/** What may change of a plan that people have. Price and interval are what they agreed to: whoever wants others makes another plan. */
export type PlanWords = {
  readonly name: string
  readonly description: string | null
  /** Free days before the first charge of those who subscribe from now on; 0 is none. */
  readonly trialDays: number
}

/**
 * Changes the words of a plan at Stripe, whose receipts name it, then here.
 * @throws 404 unless the plan is this creator's.
 */
export async function updatePlan(
  { database, stripe }: Payments,
  creatorId: string,
  id: string,
  { name, description, trialDays }: PlanWords,
): Promise<Plan> {
  const [known] = await database.service.rows<{ stripe_product_id: string }>(sql`
    select s.stripe_product_id from public.subscription_products p join private.stripe_products s on s.product_id = p.id
    where p.id = ${id} and p.creator_id = ${creatorId}`)
  if (!known) throw paymentErrors.planNotFound()
  // Stripe takes a description away when it is empty.
  await stripe.api.products.update(known.stripe_product_id, { name, description: description ?? '' })
  const [plan] = await database.service.rows<Plan>(sql`
    update public.subscription_products set name = ${name}, description = ${description}, trial_days = ${trialDays} where id = ${id}
    returning id, creator_id, name, description, price_cents, interval, trial_days, is_active, created_at`)
  if (!plan) throw paymentErrors.planNotFound()
  return plan
}
