import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import type { QuotedOffer } from './offers.ts'

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
  readonly offer: QuotedOffer | null
}

/** What a fan wants to subscribe to. */
export type WantedPlan = {
  readonly planId: string
  /** 1, or the months of a term (OFFER-01). */
  readonly intervalCount: number
  readonly promotionCode: string | null
}

type Row = Omit<SubscriptionQuote, 'planId' | 'promotion' | 'offer'> & {
  readonly offerId: string | null
  readonly percentOff: number | null
  readonly offerMonths: number | null
  readonly promotionId: string | null
  readonly stripePromotionId: string | null
  readonly maxRedemptions: number | null
}

/**
 * Asks the database whether the fan may subscribe to the plan, and on which terms.
 * @throws 404 for an unknown plan or code, 403 across a block, 409 for the other reasons in
 * private.quote_subscription and private.quote_offer.
 */
export async function quoteSubscription(
  { database }: Payments,
  fan: Payer,
  { planId, intervalCount, promotionCode }: WantedPlan,
): Promise<SubscriptionQuote> {
  const [row] = await database.service.rows<Row>(sql`
    select q.creator_id as "creatorId", q.creator_username as "creatorUsername", private.name_of(q.creator_id) as "creatorName",
      q.stripe_account_id as "accountId",
      q.stripe_price_id as "priceId", case when o.offer_id is null then greatest(q.trial_days, t.trial_days) else 0 end as "trialDays",
      case when t.trial_days > q.trial_days then t.link_id end as "trialLinkId", o.offer_id as "offerId",
      o.percent_off as "percentOff", o.months as "offerMonths", q.promotion_id as "promotionId",
      q.stripe_promotion_id as "stripePromotionId", q.max_redemptions as "maxRedemptions"
    from private.quote_subscription(${fan.profileId}, ${planId}, ${promotionCode}, ${intervalCount}) q
    -- A code replaces the trial of a link, too.
    left join private.offered_trial(${fan.profileId}, ${planId}) t on ${promotionCode}::text is null
    -- After the quote, whose rejections come first. An offer replaces the trial of the plan, and the trial of a link replaces the offer.
    left join lateral (
      select f.* from private.quote_offer(${fan.profileId}, ${planId}, ${intervalCount}, ${promotionCode}) f where q.creator_id is not null
    ) o on (t.trial_days > q.trial_days) is not true`)
  if (!row) throw paymentErrors.planNotFound()
  const {
    promotionId: id,
    stripePromotionId: stripeId,
    maxRedemptions,
    offerId,
    percentOff,
    offerMonths,
    ...terms
  } = row
  return {
    ...terms,
    planId,
    promotion: id === null || stripeId === null ? null : { id, stripeId, maxRedemptions },
    offer:
      offerId === null || percentOff === null || offerMonths === null
        ? null
        : { id: offerId, percentOff, months: offerMonths },
  }
}
