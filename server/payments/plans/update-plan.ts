import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import type { Plan } from './create-plan.ts'

/** The editable fields of a plan with subscribers. They agreed to price and interval, so changing those takes another plan. */
export type PlanWords = {
  readonly name: string
  readonly description: string | null
  /** Free days before the first charge, for new subscribers; 0 is none. */
  readonly trialDays: number
  /** Null leaves them as they are. */
  readonly benefits: readonly string[] | null
}

/**
 * Changes a plan's name and description at Stripe, whose receipts show them, then here.
 * @throws 404 unless the plan is this creator's.
 */
export async function updatePlan(
  { database, stripe }: Payments,
  creatorId: string,
  id: string,
  { name, description, trialDays, benefits }: PlanWords,
): Promise<Plan> {
  const [known] = await database.service.rows<{ stripe_product_id: string }>(sql`
    select s.stripe_product_id from public.subscription_products p join private.stripe_products s on s.product_id = p.id
    where p.id = ${id} and p.creator_id = ${creatorId}`)
  if (!known) throw paymentErrors.planNotFound()
  // Stripe removes an empty description.
  await stripe.api.products.update(known.stripe_product_id, { name, description: description ?? '' })
  const [plan] = await database.service.rows<Plan>(sql`
    update public.subscription_products set name = ${name}, description = ${description}, trial_days = ${trialDays},
      benefits = coalesce(${benefits}::text[], benefits)
    where id = ${id}
    returning id, creator_id, name, description, price_cents, interval, trial_days, benefits, is_active, created_at`)
  if (!plan) throw paymentErrors.planNotFound()
  return plan
}
