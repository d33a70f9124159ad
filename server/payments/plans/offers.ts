import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'

/** The offer with which a fan subscribes (OFFER-04). */
export type QuotedOffer = {
  readonly id: string
  readonly percentOff: number
  /** How long Stripe's coupon applies; 0 for the first payment alone. */
  readonly months: number
}

/**
 * Holds a place in an offer. The checkout session ends with it, so that an abandoned one keeps nobody else from the offer.
 * @throws 409 if the offer has ended, or others have taken its last place in the meantime.
 */
export async function holdOffer({ database }: Payments, offer: QuotedOffer, fan: Payer): Promise<Date> {
  const [held] = await database.service.rows<{ until: Date }>(
    sql`select private.hold_offer(${offer.id}, ${fan.profileId}) as until`,
  )
  if (!held) throw new Error('the database held no place')
  return held.until
}

/**
 * Opens something with the offer's coupon at Stripe. A coupon that the operator has deleted there is made again.
 * @param open called again with another coupon if Stripe no longer has the first one.
 */
export async function withOfferCoupon<Result>(
  payments: Payments,
  offer: QuotedOffer,
  open: (coupon: string) => Promise<Result>,
): Promise<Result> {
  const [known] = await payments.database.service.rows<{ coupon: string }>(sql`
    select stripe_coupon_id as coupon from private.offer_coupons where offer_id = ${offer.id} and months = ${offer.months}`)
  const coupon = known?.coupon ?? (await makeCoupon(payments, offer))
  try {
    return await open(coupon)
  } catch (error) {
    if (!isMissingCoupon(error)) throw error
    return open(await makeCoupon(payments, offer, coupon))
  }
}

/** @param lost a coupon that no longer exists at Stripe, which the new one replaces. */
async function makeCoupon(
  { stripe, database }: Payments,
  { id, percentOff, months }: QuotedOffer,
  lost = '',
): Promise<string> {
  const params: Stripe.CouponCreateParams = {
    name: months === 0 ? `${percentOff}% off the first payment` : `${percentOff}% off for ${months} months`,
    percent_off: percentOff,
    ...(months === 0 ? { duration: 'once' } : { duration: 'repeating', duration_in_months: months }),
    metadata: { offer_id: id },
  }
  const coupon = await askOnce(`offer:${id}:${months}:${lost}`, (idempotencyKey) =>
    stripe.api.coupons.create(params, { idempotencyKey }),
  )
  await database.service.rows(sql`
    insert into private.offer_coupons as c (offer_id, months, stripe_coupon_id) values (${id}, ${months}, ${coupon.id})
    on conflict (offer_id, months) do update set stripe_coupon_id = excluded.stripe_coupon_id where c.stripe_coupon_id = ${lost}`)
  return coupon.id
}

const isMissingCoupon = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  error.param?.startsWith('discounts') === true
