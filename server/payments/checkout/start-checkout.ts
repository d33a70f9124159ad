import { createHash } from 'node:crypto'
import { paths, withoutPaying } from '@ovation/contract/routes'
import type Stripe from 'stripe'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { type Payer, withCustomer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { requirePromotion } from '../plans/promotion-codes.ts'
import { readCheckouts, rememberCheckout, settle } from './checkout-sessions.ts'
import { type CheckoutSession, keepOneSession } from './pending-checkout.ts'

type OfferedPlan = {
  readonly id: string
  readonly is_active: boolean
  readonly trial_days: number
  readonly creator_id: string
  readonly creator_username: string
  readonly account_id: string
  readonly price_id: string
}

/**
 * The address of the checkout page for a plan (API-FN-02). Two clicks get the same page, and so does a fan who went back and tries
 * again: one fan has one open checkout with one creator, so that nothing is paid twice.
 * @param db the fan's own view: a plan that they may not see does not exist for them.
 * @param siteOrigin where the page leads back to, without a trailing slash.
 * @throws 404 for an unknown plan; 409 for one that is retired, one's own, already paid for, or whose creator takes no payments.
 */
export async function startSubscriptionCheckout(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  { productId, promotionCode }: { readonly productId: string; readonly promotionCode: string | null },
  siteOrigin: string,
): Promise<string> {
  const plan = await requireOffered(payments, db, fan, productId)
  const promotion = promotionCode === null ? undefined : await requirePromotion(payments, productId, promotionCode)
  const { open, lastId } = await readCheckouts(payments, fan.profileId, plan.creator_id)
  const payable = await settle(payments, open)
  const requireUnpaid = () => requireNoSubscription(payments, fan, plan)
  await requireUnpaid()
  // A page that was opened with another code, or without one, asks another price.
  const reusable = payable.find(
    (checkout) => checkout.product_id === plan.id && checkout.promotion_id === (promotion?.id ?? null),
  )
  const readOpen = async () => (await readCheckouts(payments, fan.profileId, plan.creator_id)).open
  return keepOneSession(payments, { payable, readOpen, requireUnpaid }, reusable, () =>
    openCheckout(payments, { fan, plan, siteOrigin, previous: lastId, promotion }),
  )
}

async function requireOffered(payments: Payments, db: CallerDb, fan: Payer, productId: string): Promise<OfferedPlan> {
  const [visible] = await db.rows(sql`select id from public.subscription_products where id = ${productId}`)
  if (!visible) throw paymentErrors.planNotFound()
  const [plan] = await payments.database.service.rows<
    { [Key in keyof OfferedPlan]: OfferedPlan[Key] } & { sells: boolean }
  >(sql`
    select s.id, s.is_active, s.trial_days, s.creator_id, c.username as creator_username,
      c.stripe_account_id as account_id, at_stripe.stripe_price_id as price_id,
      c.stripe_account_id is not null and c.stripe_charges_enabled and at_stripe.stripe_price_id is not null
        and private.is_approved_creator(c.id) as sells
    from public.subscription_products s
    join private.profiles c on c.id = s.creator_id
    left join private.stripe_products at_stripe on at_stripe.product_id = s.id
    where s.id = ${productId}`)
  if (!plan) throw paymentErrors.planNotFound()
  if (plan.creator_id === fan.profileId) throw paymentErrors.ownPlan()
  if (!plan.is_active) throw paymentErrors.planInactive()
  if (!plan.sells) throw paymentErrors.planWithoutPayments()
  return plan
}

/** A subscription that Stripe still bills, or will again, must not get a second one beside it. */
async function requireNoSubscription({ database }: Payments, fan: Payer, plan: OfferedPlan): Promise<void> {
  const present = await database.service.rows<{ tier_id: string }>(sql`
    select tier_id from public.subscriptions
    where subscriber_id = ${fan.profileId} and creator_id = ${plan.creator_id}
      and status in ('active', 'trial', 'past_due', 'unpaid', 'paused')`)
  if (present.some(({ tier_id }) => tier_id === plan.id)) throw paymentErrors.alreadySubscribed()
  if (present.length > 0) throw paymentErrors.switchInstead()
}

type Wanted = {
  readonly fan: Payer
  readonly plan: OfferedPlan
  readonly siteOrigin: string
  /** The last session of the fan with this creator, whatever became of it. */
  readonly previous: string | undefined
  readonly promotion: { readonly id: string; readonly stripeId: string } | undefined
}

async function openCheckout(payments: Payments, wanted: Wanted): Promise<CheckoutSession> {
  const { fan, plan, previous, promotion } = wanted
  // A code takes the place of the free days: it holds for the first bill, which would be one of nothing.
  const trialDays = promotion || (await hadSubscription(payments, fan, plan)) ? 0 : plan.trial_days
  const create = (customer: string) => {
    const params = checkoutParams(payments, { ...wanted, trialDays, customer })
    return askOnce(keyOf(params, previous), (idempotencyKey) =>
      payments.stripe.api.checkout.sessions.create(params, { idempotencyKey }),
    )
  }
  const { id, url } = await withCustomer(payments, fan, create)
  if (!url) throw new Error(`checkout session ${id} has no page`)
  await rememberCheckout(
    payments,
    { id, url },
    { fanId: fan.profileId, creatorId: plan.creator_id, productId: plan.id, promotionId: promotion?.id ?? null },
  )
  return { id, url }
}

function checkoutParams(
  { config }: Payments,
  {
    fan,
    plan,
    siteOrigin,
    trialDays,
    promotion,
    customer,
  }: Wanted & { readonly trialDays: number; readonly customer: string },
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    kind: 'subscription',
    profile_id: fan.profileId,
    creator_id: plan.creator_id,
    product_id: plan.id,
  }
  return {
    mode: 'subscription',
    customer,
    allowed_payment_method_types: ['card'],
    client_reference_id: fan.profileId,
    line_items: [{ price: plan.price_id, quantity: 1 }],
    // Not encoded: Stripe looks for the braces as they are.
    success_url: `${siteOrigin}${paths.subscriptionSuccess}?session_id={CHECKOUT_SESSION_ID}&creator_id=${plan.creator_id}`,
    cancel_url: `${siteOrigin}${withoutPaying(paths.plans(plan.creator_username))}`,
    ...(promotion && { discounts: [{ promotion_code: promotion.stripeId }] }),
    metadata,
    subscription_data: {
      metadata,
      transfer_data: { destination: plan.account_id },
      ...(config.platformFeePercent > 0 && { application_fee_percent: config.platformFeePercent }),
      ...(trialDays > 0 && { trial_period_days: trialDays }),
    },
  }
}

/** The free days are for those who come for the first time: cancelling and coming back does not start them again. */
async function hadSubscription({ database }: Payments, fan: Payer, plan: OfferedPlan): Promise<boolean> {
  const [found] = await database.service.rows(sql`
    select from public.subscriptions
    where subscriber_id = ${fan.profileId} and creator_id = ${plan.creator_id} and status not in ('incomplete', 'incomplete_expired')
    limit 1`)
  return found !== undefined
}

/** The same plan after the same past is the same key: Stripe gives both clicks one session. A session that is over makes another. */
function keyOf(params: Stripe.Checkout.SessionCreateParams, previous: string | undefined): string {
  return `checkout:${createHash('sha256')
    .update(JSON.stringify([params, previous ?? null]))
    .digest('hex')}`
}
