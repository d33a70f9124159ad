import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { periodEnd } from './intervals.ts'

type Coupon = Kinds['coupon']
type Discount = Kinds['discount']

/** A checkout's discount as requested: a promotion code gives its coupon. */
export type WantedDiscount = { coupon: string; promotionCode: string | null }

/** Reads `discounts[0]`, or refuses a code or coupon that does not hold for these products. */
export function readDiscount(
  context: Context,
  wanted: { coupon?: string; promotion_code?: string },
  products: readonly string[],
  customer: string | undefined,
): WantedDiscount {
  if (wanted.coupon && wanted.promotion_code)
    throw errors.exclusive('discounts[0]', 'You may only specify one of these parameters: coupon, promotion_code.')
  const code = wanted.promotion_code ? promotionCodeOf(context, wanted.promotion_code) : undefined
  const couponId = wanted.coupon ?? code?.promotion.coupon
  if (code && customer && isForNewcomers(code) && hasPaid(context, customer)) throw priorTransactions()
  if (!couponId) throw errors.missingParam('discounts[0][coupon]')
  const coupon = context.store.find('coupon', context.account, couponId)
  if (!coupon || 'deleted' in coupon) throw errors.missing('coupon', couponId, 'discounts[0][coupon]', 400)
  if (!coupon.valid) throw errors.invalidParam('discounts[0]', `Coupon ${coupon.id} is used up or expired.`)
  const only = coupon.applies_to?.products
  if (only && !products.some((product) => only.includes(product)))
    throw errors.invalidParam('discounts[0]', `The coupon ${coupon.id} does not apply to anything in this order.`)
  return { coupon: coupon.id, promotionCode: code?.id ?? null }
}

function promotionCodeOf(context: Context, id: string): Kinds['promotion_code'] {
  const code = context.store.find('promotion_code', context.account, id)
  if (!code) throw errors.missing('promotion code', id, 'discounts[0][promotion_code]', 400)
  if (!isRedeemable(context, code))
    throw errors.invalidParam('discounts[0][promotion_code]', `This promotion code is expired: ${code.code}`)
  return code
}

function isRedeemable(context: Context, code: Kinds['promotion_code']): boolean {
  const over = code.expires_at !== null && code.expires_at <= context.now
  const used = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions
  return code.active && !over && !used
}

const isForNewcomers = ({ restrictions }: Kinds['promotion_code']): boolean => restrictions.first_time_transaction

/** A payment that went through, also where it was given back, makes a customer an old one. */
const hasPaid = ({ store, account }: Context, customer: string): boolean =>
  store.list('charge', { account, where: { customer, paid: true }, limit: 1 }).data.length > 0

const priorTransactions = () =>
  errors.invalidParam(
    'discounts[0][promotion_code]',
    'This promotion code cannot be redeemed because the associated customer has prior transactions.',
  )

/** Whether what a page was opened with still holds at the moment of paying: others may have used the code up, or the buyer have paid. */
export function stillHolds(context: Context, { promotionCode }: WantedDiscount, customer: string | null): boolean {
  if (promotionCode === null) return true
  const code = context.store.get('promotion_code', promotionCode)
  return isRedeemable(context, code) && !(customer && isForNewcomers(code) && hasPaid(context, customer))
}

/** Cents that a coupon takes off an amount; half a cent goes to the buyer, and nothing becomes less than free. */
export function offOf(coupon: Pick<Coupon, 'amount_off' | 'percent_off'>, amount: number): number {
  const off = coupon.percent_off === null ? (coupon.amount_off ?? 0) : Math.round((amount * coupon.percent_off) / 100)
  return Math.min(off, amount)
}

/** Ties a discount to a subscription and counts its redemption. */
export function redeem(context: Context, wanted: WantedDiscount, subscription: string, customer: string): Discount {
  const coupon = context.store.get('coupon', wanted.coupon)
  const times = coupon.times_redeemed + 1
  const usedUp = coupon.max_redemptions !== null && times >= coupon.max_redemptions
  context.store.save<'coupon'>({ ...coupon, times_redeemed: times, valid: coupon.valid && !usedUp })
  if (wanted.promotionCode) {
    const code = context.store.get('promotion_code', wanted.promotionCode)
    context.store.save<'promotion_code'>({ ...code, times_redeemed: code.times_redeemed + 1 })
  }
  return context.store.insert('discount', context.account, {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer,
    customer_account: null,
    end: coupon.duration_in_months
      ? periodEnd(context.now, { interval: 'month', interval_count: coupon.duration_in_months }, context.now)
      : null,
    invoice: null,
    invoice_item: null,
    promotion_code: wanted.promotionCode,
    source: { coupon: coupon.id, type: 'coupon' },
    start: context.now,
    subscription,
    subscription_item: null,
  })
}

/** The coupon that takes something off a bill of this subscription now. */
export function couponOf(context: Context, subscription: Kinds['subscription']): Coupon | undefined {
  const [id] = subscription.discounts
  const coupon = id ? context.store.get('discount', id).source.coupon : null
  return coupon ? context.store.get('coupon', coupon) : undefined
}

/** At a renewal: a discount for one bill, or whose months are over, is gone. */
export function withoutSpentDiscounts(context: Context, subscription: Kinds['subscription']): Kinds['subscription'] {
  const discounts = subscription.discounts.filter((id) => {
    const { end, source } = context.store.get('discount', id)
    const coupon = source.coupon ? context.store.get('coupon', source.coupon) : undefined
    return coupon?.duration !== 'once' && (end === null || end > context.now)
  })
  return { ...subscription, discounts }
}
