import { paymentErrors } from '../payments/errors.ts'
import type { Payments } from '../payments/payments.ts'
import { createPromotion } from '../payments/plans/promotion-codes.ts'
import { sql } from '../postgres/sql.ts'

type WantedCode = {
  readonly runId: string
  readonly stepId: string
  readonly creatorId: string
  readonly fanId: string
  readonly code: string
  readonly percentOff: number
  readonly expiresAt: Date
}

/**
 * Takes every fan who is due a step further in their flow, until nobody is (AUTO-02). The database does all of it except promotion codes,
 * which are made at Stripe.
 * @throws if a code couldn't be made, so that the job retries. Other fans don't wait for it.
 */
export async function advanceFlows(payments: Payments): Promise<void> {
  const failures: unknown[] = []
  do {
    while (await advance(payments));
  } while (await makeCodes(payments, failures))
  if (failures.length > 0) throw new AggregateError(failures, 'Some promotion codes of flows could not be made')
}

async function advance({ database }: Payments): Promise<boolean> {
  const [turn] = await database.service.rows<{ more: boolean }>(sql`select private.advance_flow() as more`)
  return turn?.more ?? false
}

/** @returns whether fans can go on. */
async function makeCodes(payments: Payments, failures: unknown[]): Promise<boolean> {
  if (failures.length > 0) return false
  const wanted = await payments.database.service.rows<WantedCode>(sql`
    select run_id::text as "runId", step_id as "stepId", creator_id as "creatorId", fan_id as "fanId", code,
      percent_off as "percentOff", expires_at as "expiresAt"
    from private.flow_codes_to_make()`)
  for (const one of wanted) {
    try {
      const promotion = await makeCode(payments, one)
      await payments.database.service.rows(
        sql`select private.finish_flow_code(${one.runId}, ${one.stepId}, ${promotion})`,
      )
    } catch (error) {
      failures.push(error)
      // The codes of others come first the next time.
      await payments.database.service.rows(sql`select private.requeue_flow_code(${one.runId})`)
    }
  }
  return wanted.length > failures.length
}

/**
 * Makes the code, once: the fan and the step give its id, and the id gives Stripe's idempotency keys.
 * @returns promotion_codes.id, or null if the creator has no plan that the code could be for, or if it would have expired: Stripe takes no
 * such code, however often it is tried.
 */
async function makeCode(
  payments: Payments,
  { runId, stepId, creatorId, fanId, code, percentOff, expiresAt }: WantedCode,
): Promise<string | null> {
  const [made] = await payments.database.service.rows<{ id: string; exists: boolean }>(sql`
    select i.id, exists (select from private.promotion_codes c where c.id = i.id) as exists
    from (select md5(${`${runId}:${stepId}`})::uuid as id) i`)
  if (!made) throw new Error('the promotion code has no id')
  if (made.exists) return made.id
  if (expiresAt.getTime() <= Date.now()) return null
  try {
    await createPromotion(
      payments,
      creatorId,
      {
        code,
        productId: null,
        percentOff,
        amountOffCents: null,
        duration: 'once',
        durationMonths: null,
        maxRedemptions: 1,
        expiresAt,
      },
      { id: made.id, fanId },
    )
    return made.id
  } catch (error) {
    if (isWithoutPlan(error)) return null
    throw error
  }
}

const withoutPlan = [paymentErrors.planNotFound().code, paymentErrors.promotionTooCheap().code]
const isWithoutPlan = (error: unknown) =>
  error instanceof Error && 'code' in error && withoutPlan.includes(String(error.code))
