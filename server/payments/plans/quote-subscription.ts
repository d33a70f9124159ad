import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'

/** A plan on the terms that this fan gets. */
export type SubscriptionQuote = {
  readonly planId: string
  readonly creatorId: string
  readonly creatorUsername: string
  readonly creatorName: string
  readonly accountId: string
  readonly priceId: string
  /** Free days before the first charge. */
  readonly trialDays: number
  readonly promotion: { readonly id: string; readonly stripeId: string; readonly maxRedemptions: number | null } | null
}

type Row = Omit<SubscriptionQuote, 'planId' | 'promotion'> & {
  readonly promotionId: string | null
  readonly stripePromotionId: string | null
  readonly maxRedemptions: number | null
}

/**
 * Asks the database whether the fan may subscribe to the plan, and on which terms.
 * @throws 404 for an unknown plan or code, 403 across a block, 409 for the other reasons in private.quote_subscription.
 */
export async function quoteSubscription(
  { database }: Payments,
  fan: Payer,
  planId: string,
  promotionCode: string | null,
): Promise<SubscriptionQuote> {
  const [row] = await database.service.rows<Row>(sql`
    select creator_id as "creatorId", creator_username as "creatorUsername", private.name_of(creator_id) as "creatorName",
      stripe_account_id as "accountId",
      stripe_price_id as "priceId", trial_days as "trialDays", promotion_id as "promotionId",
      stripe_promotion_id as "stripePromotionId", max_redemptions as "maxRedemptions"
    from private.quote_subscription(${fan.profileId}, ${planId}, ${promotionCode})`)
  if (!row) throw paymentErrors.planNotFound()
  const { promotionId: id, stripePromotionId: stripeId, maxRedemptions, ...terms } = row
  return { ...terms, planId, promotion: id === null || stripeId === null ? null : { id, stripeId, maxRedemptions } }
}
