import { createHash } from 'node:crypto'
import { paths } from '@ovation/contract/routes'
import Stripe from 'stripe'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { lastCheckoutId, type OpenCheckout, rememberCheckout, settleOpenCheckouts } from './checkout-sessions.ts'
import { customerOf, type Payer, replaceCustomer } from './customers.ts'
import { paymentErrors } from './errors.ts'
import type { Payments } from './payments.ts'

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
  productId: string,
  siteOrigin: string,
): Promise<string> {
  const plan = await requireOffered(payments, db, fan, productId)
  const open = await settleOpenCheckouts(payments, fan.profileId, plan.creator_id)
  await requireNoSubscription(payments, fan, plan)
  const same = open.find((checkout) => checkout.product_id === plan.id)
  await closeCheckouts(
    payments,
    open.filter((checkout) => checkout !== same),
  )
  return same?.url ?? openCheckout(payments, fan, plan, siteOrigin)
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

/** The fan has chosen another plan: the pages of the first can not be paid any more. */
async function closeCheckouts({ stripe, database }: Payments, checkouts: readonly OpenCheckout[]): Promise<void> {
  for (const { id } of checkouts) {
    await stripe.api.checkout.sessions.expire(id)
    await database.service.rows(sql`
      update private.checkout_sessions set status = 'expired' where id = ${id} and status = 'open'`)
  }
}

async function openCheckout(payments: Payments, fan: Payer, plan: OfferedPlan, siteOrigin: string): Promise<string> {
  const trialDays = (await hadSubscription(payments, fan, plan)) ? 0 : plan.trial_days
  const previous = await lastCheckoutId(payments, fan.profileId, plan.id)
  const create = (customer: string) => {
    const params = checkoutParams(payments, { fan, plan, siteOrigin, trialDays, customer })
    return payments.stripe.api.checkout.sessions.create(params, { idempotencyKey: keyOf(params, previous) })
  }
  const customer = await customerOf(payments, fan)
  const session = await create(customer).catch(async (error: unknown) => {
    if (!isCustomerGone(error)) throw error
    return create(await replaceCustomer(payments, fan, customer))
  })
  if (!session.url) throw new Error(`checkout session ${session.id} has no page`)
  await rememberCheckout(
    payments,
    { id: session.id, url: session.url },
    { fanId: fan.profileId, creatorId: plan.creator_id, productId: plan.id },
  )
  return session.url
}

type Wanted = {
  readonly fan: Payer
  readonly plan: OfferedPlan
  readonly siteOrigin: string
  readonly trialDays: number
  readonly customer: string
}

function checkoutParams(
  { config }: Payments,
  { fan, plan, siteOrigin, trialDays, customer }: Wanted,
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
    client_reference_id: fan.profileId,
    line_items: [{ price: plan.price_id, quantity: 1 }],
    // Not encoded: Stripe looks for the braces as they are.
    success_url: `${siteOrigin}${paths.subscriptionSuccess}?session_id={CHECKOUT_SESSION_ID}&creator_id=${plan.creator_id}`,
    cancel_url: `${siteOrigin}${paths.profile(plan.creator_username)}`,
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

/** The same wish after the same past is the same key: Stripe gives both clicks one session. A session that is over makes another. */
function keyOf(params: Stripe.Checkout.SessionCreateParams, previous: string | undefined): string {
  return `checkout:${createHash('sha256')
    .update(JSON.stringify([params, previous ?? null]))
    .digest('hex')}`
}

function isCustomerGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === 'resource_missing' &&
    error.param === 'customer'
  )
}
