import { randomUUID } from 'node:crypto'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'

export type NewPromotion = {
  readonly code: string
  /** The plan it applies to; null is all of the creator's. */
  readonly productId: string | null
  readonly percentOff: number | null
  readonly amountOffCents: number | null
  readonly duration: 'once' | 'repeating' | 'forever'
  readonly durationMonths: number | null
  readonly maxRedemptions: number | null
  readonly expiresAt: Date | null
}

export type Promotion = NewPromotion & { readonly id: string; readonly isActive: boolean }

/**
 * Creates a code at Stripe, then here. With an id, the same call again does nothing twice; with a fan, only they can use it.
 * @throws 404 if the plan isn't the creator's, 409 if the code is in use, 422 if it leaves a plan at 1 to 49 cents.
 */
export async function createPromotion(
  payments: Payments,
  creatorId: string,
  wanted: NewPromotion,
  { id = randomUUID(), fanId = null }: { readonly id?: string; readonly fanId?: string | null } = {},
): Promise<Promotion> {
  const { service } = payments.database
  const plans = await service.rows<{ stripe_product_id: string; is_too_cheap: boolean }>(sql`
    select k.stripe_product_id,
      private.discounted_cents(p.price_cents, ${wanted.percentOff}, ${wanted.amountOffCents}) between 1 and 49 as is_too_cheap
    from public.subscription_products p join private.stripe_products k on k.product_id = p.id
    where p.creator_id = ${creatorId} and (${wanted.productId}::uuid is null or p.id = ${wanted.productId}::uuid) and p.is_active`)
  if (plans.length === 0) throw paymentErrors.planNotFound()
  if (plans.some((plan) => plan.is_too_cheap)) throw paymentErrors.promotionTooCheap()
  const [taken] = await service.rows(sql`
    select id from private.promotion_codes where creator_id = ${creatorId} and code = ${wanted.code} and is_active`)
  if (taken) throw paymentErrors.promotionTaken()

  const metadata = { promotion_id: id, creator_id: creatorId }
  const { coupons, promotionCodes } = payments.stripe.api
  const coupon = await coupons.create(
    {
      name: wanted.code,
      ...(wanted.percentOff === null
        ? { amount_off: wanted.amountOffCents ?? 0, currency: 'usd' }
        : { percent_off: wanted.percentOff }),
      duration: wanted.duration,
      ...(wanted.durationMonths !== null && { duration_in_months: wanted.durationMonths }),
      applies_to: { products: plans.map(({ stripe_product_id }) => stripe_product_id) },
      metadata,
    },
    { idempotencyKey: `coupon:${id}` },
  )
  const promotion = await promotionCodes.create(
    {
      promotion: { type: 'coupon', coupon: coupon.id },
      ...(wanted.maxRedemptions !== null && { max_redemptions: wanted.maxRedemptions }),
      ...(wanted.expiresAt !== null && { expires_at: Math.floor(wanted.expiresAt.getTime() / 1000) }),
      metadata,
    },
    { idempotencyKey: `promotion:${id}` },
  )
  const stored = await service.rows(sql`
    insert into private.promotion_codes (id, creator_id, product_id, code, percent_off, amount_off_cents, duration, duration_months,
      max_redemptions, expires_at, stripe_coupon_id, stripe_promotion_id, fan_id)
    values (${id}, ${creatorId}, ${wanted.productId}, ${wanted.code}, ${wanted.percentOff}, ${wanted.amountOffCents}, ${wanted.duration},
      ${wanted.durationMonths}, ${wanted.maxRedemptions}, ${wanted.expiresAt}, ${coupon.id}, ${promotion.id}, ${fanId})
    on conflict (creator_id, code) where is_active do nothing returning id`)
  // The other click was first. The code that was created at Stripe here has a name that nobody knows.
  if (stored.length === 0) throw paymentErrors.promotionTaken()
  return { ...wanted, id, isActive: true }
}

/** Those that flows made for one fan are left out. */
export function listPromotions({ database }: Payments, creatorId: string): Promise<Promotion[]> {
  return database.service.rows<Promotion>(sql`
    select id, code, product_id as "productId", percent_off as "percentOff", amount_off_cents as "amountOffCents", duration,
      duration_months as "durationMonths", max_redemptions as "maxRedemptions", expires_at as "expiresAt", is_active as "isActive"
    from private.promotion_codes where creator_id = ${creatorId} and fan_id is null order by created_at desc limit 200`)
}

/** Ends new uses of the code; fans who redeemed it keep their discount. @throws 404 if it isn't the creator's. */
export async function retirePromotion(payments: Payments, creatorId: string, id: string): Promise<void> {
  const { service } = payments.database
  const [found] = await service.rows<{ stripe_promotion_id: string }>(sql`
    select stripe_promotion_id from private.promotion_codes where id = ${id} and creator_id = ${creatorId}`)
  if (!found) throw paymentErrors.promotionNotFound()
  // At Stripe first: the code works on open pages until Stripe knows.
  await payments.stripe.api.promotionCodes.update(found.stripe_promotion_id, { active: false })
  await service.rows(sql`update private.promotion_codes set is_active = false where id = ${id}`)
}

/** The price of a plan with a code. */
export type DiscountedPrice = {
  readonly code: string
  readonly priceCents: number
  readonly discountedCents: number
  readonly duration: Promotion['duration']
  readonly durationMonths: number | null
}

/** @throws 404 or 409 if the code can't be used for the plan (private.require_promotion), or an offer saves the fan more. */
export async function priceWithPromotion(
  payments: Payments,
  fanId: string,
  productId: string,
  code: string,
): Promise<DiscountedPrice> {
  const [found] = await payments.database.service.rows<
    DiscountedPrice & { stripeId: string; maxRedemptions: number | null }
  >(sql`
    select c.code, p.price_cents as "priceCents", c.duration, c.duration_months as "durationMonths",
      private.discounted_cents(p.price_cents, c.percent_off, c.amount_off_cents) as "discountedCents",
      c.stripe_promotion_id as "stripeId", c.max_redemptions as "maxRedemptions"
    from private.require_promotion(${productId}, ${code}) c, public.subscription_products p where p.id = ${productId}`)
  if (!found) throw paymentErrors.promotionNotFound()
  await payments.database.service.rows(sql`select private.require_better_code(${fanId}, ${productId}, ${code})`)
  const { stripeId, maxRedemptions, ...price } = found
  await requireRedeemable(payments, { stripeId, maxRedemptions })
  return price
}

/** Stripe counts the redemptions. @throws 409 for a code that has reached its redemption limit. */
export async function requireRedeemable(
  { stripe }: Payments,
  { stripeId, maxRedemptions }: { readonly stripeId: string; readonly maxRedemptions: number | null },
): Promise<void> {
  if (maxRedemptions === null) return
  const { times_redeemed: used } = await stripe.api.promotionCodes.retrieve(stripeId)
  if (used >= maxRedemptions) throw paymentErrors.promotionUsedUp()
}
