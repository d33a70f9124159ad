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
  /** The link that gives these days (LINK-03); null if the plan does, or nothing. */
  readonly trialLinkId: string | null
  readonly promotion: { readonly id: string; readonly stripeId: string; readonly maxRedemptions: number | null } | null
}

/** What a fan wants to subscribe to. */
export type WantedPlan = {
  readonly planId: string
  /** 1, or the months of a term (OFFER-01). */
  readonly intervalCount: number
  readonly promotionCode: string | null
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
  { planId, intervalCount, promotionCode }: WantedPlan,
): Promise<SubscriptionQuote> {
  const [row] = await database.service.rows<Row>(sql`
    select q.creator_id as "creatorId", q.creator_username as "creatorUsername", private.name_of(q.creator_id) as "creatorName",
      q.stripe_account_id as "accountId",
      q.stripe_price_id as "priceId", greatest(q.trial_days, t.trial_days) as "trialDays",
      case when t.trial_days > q.trial_days then t.link_id end as "trialLinkId", q.promotion_id as "promotionId",
      q.stripe_promotion_id as "stripePromotionId", q.max_redemptions as "maxRedemptions"
    from private.quote_subscription(${fan.profileId}, ${planId}, ${promotionCode}, ${intervalCount}) q
    -- A code replaces the trial of a link, too.
    left join private.offered_trial(${fan.profileId}, ${planId}) t on ${promotionCode}::text is null`)
  if (!row) throw paymentErrors.planNotFound()
  const { promotionId: id, stripePromotionId: stripeId, maxRedemptions, ...terms } = row
  return { ...terms, planId, promotion: id === null || stripeId === null ? null : { id, stripeId, maxRedemptions } }
}
