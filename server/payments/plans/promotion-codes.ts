import { randomUUID } from 'node:crypto'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'

export type NewPromotion = {
  readonly code: string
  /** The plan it holds for; null is all of the creator's. */
  readonly productId: string | null
  readonly percentOff: number | null
  readonly amountOffCents: number | null
  readonly duration: 'once' | 'repeating' | 'forever'
  readonly durationMonths: number | null
  readonly maxRedemptions: number | null
  readonly expiresAt: Date | null
}

export type Promotion = NewPromotion & { readonly id: string; readonly isActive: boolean }

/** A card is charged at least this; less would be carried to the next bill, or be refused. */
const leastChargeCents = 50

/** What of a price is left to be paid; half a cent goes to the fan, as Stripe rounds. */
export function discounted(
  priceCents: number,
  { percentOff, amountOffCents }: Pick<Promotion, 'percentOff' | 'amountOffCents'>,
) {
  const off = percentOff === null ? (amountOffCents ?? 0) : Math.round((priceCents * percentOff) / 100)
  return Math.max(priceCents - off, 0)
}

/**
 * Makes a code at Stripe, then here.
 * @throws 404 for a plan that is not the creator's, 409 for a code that is in use, 422 for one that leaves a plan at 1 to 49 cents.
 */
export async function createPromotion(payments: Payments, creatorId: string, wanted: NewPromotion): Promise<Promotion> {
  const { service } = payments.database
  const plans = await service.rows<{ price_cents: number; stripe_product_id: string }>(sql`
    select p.price_cents, k.stripe_product_id
    from public.subscription_products p join private.stripe_products k on k.product_id = p.id
    where p.creator_id = ${creatorId} and (${wanted.productId}::uuid is null or p.id = ${wanted.productId}::uuid) and p.is_active`)
  if (plans.length === 0) throw paymentErrors.planNotFound()
  if (plans.some(({ price_cents }) => isTooLittle(discounted(price_cents, wanted))))
    throw paymentErrors.promotionTooCheap()
  const [taken] = await service.rows(sql`
    select id from private.promotion_codes where creator_id = ${creatorId} and code = ${wanted.code} and is_active`)
  if (taken) throw paymentErrors.promotionTaken()

  const id = randomUUID()
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
      max_redemptions, expires_at, stripe_coupon_id, stripe_promotion_id)
    values (${id}, ${creatorId}, ${wanted.productId}, ${wanted.code}, ${wanted.percentOff}, ${wanted.amountOffCents}, ${wanted.duration},
      ${wanted.durationMonths}, ${wanted.maxRedemptions}, ${wanted.expiresAt}, ${coupon.id}, ${promotion.id})
    on conflict (creator_id, code) where is_active do nothing returning id`)
  // The other click was first. What was made at Stripe here is a code that nobody can name.
  if (stored.length === 0) throw paymentErrors.promotionTaken()
  return { ...wanted, id, isActive: true }
}

const isTooLittle = (cents: number) => cents > 0 && cents < leastChargeCents

export function listPromotions({ database }: Payments, creatorId: string): Promise<Promotion[]> {
  return database.service.rows<Promotion>(sql`
    select id, code, product_id as "productId", percent_off as "percentOff", amount_off_cents as "amountOffCents", duration,
      duration_months as "durationMonths", max_redemptions as "maxRedemptions", expires_at as "expiresAt", is_active as "isActive"
    from private.promotion_codes where creator_id = ${creatorId} order by created_at desc limit 200`)
}

/** Nobody can use it from now on; those who have keep what they were promised. @throws 404 for one that is not the creator's. */
export async function retirePromotion(payments: Payments, creatorId: string, id: string): Promise<void> {
  const { service } = payments.database
  const [found] = await service.rows<{ stripe_promotion_id: string }>(sql`
    select stripe_promotion_id from private.promotion_codes where id = ${id} and creator_id = ${creatorId}`)
  if (!found) throw paymentErrors.promotionNotFound()
  // There first: it holds on the pages that are open until Stripe knows.
  await payments.stripe.api.promotionCodes.update(found.stripe_promotion_id, { active: false })
  await service.rows(sql`update private.promotion_codes set is_active = false where id = ${id}`)
}

/**
 * What a code is worth for a plan, now.
 * @throws 404 for a code that is none, was withdrawn or is for other plans: the same for all three, so that nothing is learned by trying;
 * 409 for one whose last day is over, or that as many have used as it was made for.
 */
export async function requirePromotion(
  payments: Payments,
  productId: string,
  code: string,
): Promise<Promotion & { readonly stripeId: string; readonly priceCents: number }> {
  const found = await findPromotion(payments, productId, code)
  if (!found || isTooLittle(discounted(found.priceCents, found))) throw paymentErrors.promotionNotFound()
  if (found.isOver) throw paymentErrors.promotionExpired()
  if (found.maxRedemptions !== null) {
    const { times_redeemed: used } = await payments.stripe.api.promotionCodes.retrieve(found.stripeId)
    if (used >= found.maxRedemptions) throw paymentErrors.promotionUsedUp()
  }
  return found
}

async function findPromotion({ database }: Payments, productId: string, code: string) {
  const [found] = await database.service.rows<
    Promotion & { stripeId: string; priceCents: number; isOver: boolean }
  >(sql`
    select coalesce(c.expires_at <= now(), false) as "isOver", c.id, c.code, c.product_id as "productId", c.percent_off as "percentOff", c.amount_off_cents as "amountOffCents", c.duration,
      c.duration_months as "durationMonths", c.max_redemptions as "maxRedemptions", c.expires_at as "expiresAt", c.is_active as "isActive",
      c.stripe_promotion_id as "stripeId", p.price_cents as "priceCents"
    from public.subscription_products p join private.promotion_codes c on c.creator_id = p.creator_id
    where p.id = ${productId} and c.code = ${code.toUpperCase()} and c.is_active and (c.product_id is null or c.product_id = p.id)
      and p.created_at <= case when c.product_id is null then c.created_at else 'infinity' end`)
  return found
}
