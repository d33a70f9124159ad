import { createHash } from 'node:crypto'
import { paths } from '@ovation/contract/routes'
import Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { type Payer, withCustomer } from './customers.ts'
import { splitPayment } from './fees.ts'
import { fulfilCheckout } from './fulfil-checkout.ts'
import type { Payments } from './payments.ts'

/** One payment, as the database has quoted it: nothing of it is the client's word but the amount of a tip. */
export type SinglePayment = {
  readonly kind: 'ppv' | 'tip'
  readonly creatorId: string
  readonly creatorUsername: string
  readonly accountId: string
  readonly amountCents: number
  /** What the page calls it. */
  readonly title: string
  /** The post that is bought, or under which a tip is given. */
  readonly postId: string | null
}

type KnownPage = { readonly id: string; readonly url: string; readonly status: string; readonly same: boolean }

/**
 * The address of the page on which this is paid. Two clicks get the same page, and so does a fan who went back and tries again; the
 * pages of other amounts are closed, so that one wish is never paid twice. What was paid already is taken over first.
 * @param requireStillWanted refuses once the earlier pages are settled: one of them may have been paid.
 */
export async function openPaymentPage(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  requireStillWanted: () => Promise<unknown>,
): Promise<string> {
  const before = await readPages(payments, fan, payment)
  const payable: KnownPage[] = []
  for (const page of before.filter(({ status }) => status === 'open')) {
    const { status } = await fulfilCheckout(payments, page.id)
    if (status === 'open') payable.push(page)
  }
  await requireStillWanted()
  const { id, url } =
    payable.find(({ same }) => same) ?? (await createPage(payments, fan, payment, siteOrigin, before[0]?.id))
  await closeOthers(payments, fan, payment, id)
  return url
}

/** The fan's pages for this purpose, newest first: for a post, or for tips to this creator. */
function readPages({ database }: Payments, fan: Payer, payment: SinglePayment): Promise<KnownPage[]> {
  const { kind, creatorId, postId, amountCents } = payment
  return database.service.rows<KnownPage>(sql`
    select id, url, status, amount_cents = ${amountCents} and post_id is not distinct from ${postId}::uuid as same
    from private.checkout_sessions
    where profile_id = ${fan.profileId} and creator_id = ${creatorId} and kind = ${kind}
      and (kind = 'tip' or post_id = ${postId}::uuid)
    order by created_at desc, id desc limit 20`)
}

async function createPage(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  previous: string | undefined,
): Promise<{ id: string; url: string }> {
  const { id, url } = await withCustomer(payments, fan, (customer) => {
    const params = pageParams(payments, fan, payment, siteOrigin, customer)
    // The same wish after the same past is the same key: Stripe gives both clicks one session.
    const key = createHash('sha256')
      .update(JSON.stringify([params, previous ?? null]))
      .digest('hex')
    return payments.stripe.api.checkout.sessions.create(params, { idempotencyKey: `payment:${key}` })
  })
  if (!url) throw new Error(`checkout session ${id} has no page`)
  await payments.database.service.rows(sql`
    insert into private.checkout_sessions (id, kind, profile_id, creator_id, post_id, amount_cents, url)
    values (${id}, ${payment.kind}, ${fan.profileId}, ${payment.creatorId}, ${payment.postId}, ${payment.amountCents}, ${url})
    on conflict (id) do nothing`)
  return { id, url }
}

function pageParams(
  { config }: Payments,
  fan: Payer,
  { kind, creatorId, creatorUsername, accountId, amountCents, title, postId }: SinglePayment,
  siteOrigin: string,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const { feeCents } = splitPayment(amountCents, config.platformFeePercent)
  const back = `${siteOrigin}${kind === 'ppv' && postId !== null ? paths.post(postId) : paths.profile(creatorUsername)}`
  const metadata = {
    kind,
    profile_id: fan.profileId,
    creator_id: creatorId,
    ...(postId !== null && { post_id: postId }),
    // What was agreed on, to be compared with what is taken.
    amount_cents: String(amountCents),
    fee_cents: String(feeCents),
  }
  return {
    mode: 'payment',
    customer,
    client_reference_id: fan.profileId,
    line_items: [
      { price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: title } }, quantity: 1 },
    ],
    // Not encoded: Stripe looks for the braces as they are.
    success_url: `${back}?${kind === 'ppv' ? 'purchase' : 'tip'}={CHECKOUT_SESSION_ID}`,
    cancel_url: back,
    metadata,
    payment_intent_data: {
      description: title,
      metadata,
      transfer_data: { destination: accountId },
      ...(feeCents > 0 && { application_fee_amount: feeCents }),
    },
  }
}

/** Read anew, for another tab may have opened one meanwhile. */
async function closeOthers(payments: Payments, fan: Payer, payment: SinglePayment, keptId: string): Promise<void> {
  for (const { id, status } of await readPages(payments, fan, payment)) {
    if (status !== 'open' || id === keptId) continue
    // Paid in this very moment, it can not be closed; then what it paid for is taken over.
    await payments.stripe.api.checkout.sessions.expire(id).catch((error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    })
    await fulfilCheckout(payments, id)
  }
}
