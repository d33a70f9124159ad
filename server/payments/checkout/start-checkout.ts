import { createHash } from 'node:crypto'
import { paths, withoutPaying } from '@ovation/contract/paths'
import type Stripe from 'stripe'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { type Payer, withCustomer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { holdOffer, withOfferCoupon } from '../plans/offers.ts'
import { requireRedeemable } from '../plans/promotion-codes.ts'
import { quoteSubscription, type SubscriptionQuote, type WantedPlan } from '../plans/quote-subscription.ts'
import { readCheckouts, rememberCheckout, settle } from './checkout-sessions.ts'
import { type CheckoutSession, keepOneSession } from './pending-checkout.ts'

/**
 * Opens the checkout session of a plan (API-FN-02). A fan has at most one open session with a creator, so that nothing is paid twice:
 * two clicks get the same one, and so does a fan who goes back and tries again.
 * @param db the fan's own view: a plan they can't see doesn't exist for them.
 * @param siteOrigin where the session leads back to, without a trailing slash.
 * @returns the URL of the session.
 * @throws what `quoteSubscription` throws, and 409 for a code that has reached its redemption limit.
 */
export async function startSubscriptionCheckout(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  wanted: WantedPlan,
  siteOrigin: string,
): Promise<string> {
  const [visible] = await db.rows(sql`select id from public.subscription_products where id = ${wanted.planId}`)
  if (!visible) throw paymentErrors.planNotFound()
  const quote = () => quoteSubscription(payments, fan, wanted)
  const { creatorId, promotion } = await quote()
  if (promotion) await requireRedeemable(payments, promotion)
  const { open, lastId } = await readCheckouts(payments, fan.profileId, creatorId)
  const payable = await settle(payments, open)
  // Settling may have found a paid session: from here on the fan is subscribed.
  const terms = await quote()
  // A session that was opened with another code, or for another term, has another price, as has one with another offer; one by another link begins with another trial.
  const reusable = payable.find(
    (checkout) =>
      checkout.stripe_price_id === terms.priceId &&
      checkout.promotion_id === (terms.promotion?.id ?? null) &&
      checkout.link_id === terms.trialLinkId &&
      checkout.offer_id === (terms.offer?.id ?? null),
  )
  const readOpen = async () => (await readCheckouts(payments, fan.profileId, creatorId)).open
  return keepOneSession(payments, { payable, readOpen, requireUnpaid: quote }, reusable, () =>
    openCheckout(payments, { fan, terms, siteOrigin, previous: lastId }),
  )
}

type Wanted = {
  readonly fan: Payer
  readonly terms: SubscriptionQuote
  readonly siteOrigin: string
  /** The fan's last session with this creator, however it ended. */
  readonly previous: string | undefined
}

async function openCheckout(payments: Payments, wanted: Wanted): Promise<CheckoutSession> {
  const { fan, terms, previous } = wanted
  const { creatorId, planId, priceId, promotion, offer, trialLinkId } = terms
  const endsAt = await holdPlace(payments, terms, fan)
  const create = (coupon?: string) =>
    withCustomer(payments, fan, (customer) => {
      const params = checkoutParams(payments, { ...wanted, customer, endsAt, coupon })
      return askOnce(keyOf(params, previous), (idempotencyKey) =>
        payments.stripe.api.checkout.sessions.create(params, { idempotencyKey }),
      )
    })
  const { id, url } = await (offer ? withOfferCoupon(payments, offer, create) : create())
  if (!url) throw new Error(`checkout session ${id} has no page`)
  const about = {
    fanId: fan.profileId,
    creatorId,
    productId: planId,
    priceId,
    promotionId: promotion?.id ?? null,
    linkId: trialLinkId,
    offerId: offer?.id ?? null,
  }
  await rememberCheckout(payments, { id, url }, about)
  return { id, url }
}

/** @returns when the session must end, because a place is held only until then; null if it needs none. */
async function holdPlace(
  payments: Payments,
  { offer, trialLinkId }: SubscriptionQuote,
  fan: Payer,
): Promise<Date | null> {
  if (trialLinkId !== null) return holdTrial(payments, trialLinkId, fan)
  return offer && holdOffer(payments, offer, fan)
}

/**
 * Holds a place in the trials of a link (LINK-03). The session ends with it, so that an abandoned one keeps nobody else from the trial.
 * @throws 409 if others have taken the last one in the meantime.
 */
async function holdTrial({ database }: Payments, linkId: string, fan: Payer): Promise<Date> {
  const [held] = await database.service.rows<{ until: Date }>(
    sql`select private.hold_trial(${linkId}, ${fan.profileId}) as until`,
  )
  if (!held) throw new Error('the database held no place')
  return held.until
}

function checkoutParams(
  { config }: Payments,
  {
    fan,
    terms,
    siteOrigin,
    customer,
    endsAt,
    coupon,
  }: Wanted & {
    readonly customer: string
    /** Null for Stripe's own time. */
    readonly endsAt: Date | null
    readonly coupon: string | undefined
  },
): Stripe.Checkout.SessionCreateParams {
  const { creatorId, creatorUsername, creatorName, planId, promotion, offer, trialDays } = terms
  const metadata = { kind: 'subscription', profile_id: fan.profileId, creator_id: creatorId, product_id: planId }
  return {
    mode: 'subscription',
    customer,
    allowed_payment_method_types: ['card'],
    client_reference_id: fan.profileId,
    line_items: [{ price: terms.priceId, quantity: 1 }],
    // Not encoded: Stripe looks for the literal braces.
    success_url: `${siteOrigin}${paths.subscriptionSuccess}?session_id={CHECKOUT_SESSION_ID}&creator_id=${creatorId}`,
    cancel_url: `${siteOrigin}${withoutPaying(paths.plans(creatorUsername))}`,
    ...(promotion && { discounts: [{ promotion_code: promotion.stripeId }] }),
    ...(coupon !== undefined && { discounts: [{ coupon }] }),
    ...(endsAt && { expires_at: Math.floor(endsAt.getTime() / 1000) }),
    metadata,
    subscription_data: {
      // The plan's name alone doesn't say whose it is; Stripe shows this beside it.
      description: `Subscription to ${creatorName}`,
      metadata: { ...metadata, ...(offer && { offer_id: offer.id }) },
      transfer_data: { destination: terms.accountId },
      ...(config.platformFeePercent > 0 && { application_fee_percent: config.platformFeePercent }),
      ...(trialDays > 0 && { trial_period_days: trialDays }),
    },
  }
}

/** The same terms after the same last session make the same key, so that Stripe returns one session to both clicks. */
function keyOf(params: Stripe.Checkout.SessionCreateParams, previous: string | undefined): string {
  return `checkout:${createHash('sha256')
    .update(JSON.stringify([params, previous ?? null]))
    .digest('hex')}`
}
