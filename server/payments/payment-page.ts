import { createHash } from 'node:crypto'
import { paths } from '@ovation/contract/routes'
import Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { type Payer, withCustomer } from './customers.ts'
import { splitPayment } from './fees.ts'
import { fulfilCheckout } from './fulfil-checkout.ts'
import type { Payments } from './payments.ts'

/** What is paid for once: a post, a tip, a paid message, a private session (D40). */
export type PaymentKind = 'ppv' | 'tip' | 'message' | 'session'

/** One payment, as the database has quoted it: nothing of it is the client's word but the amount of a tip. */
export type SinglePayment = {
  readonly kind: PaymentKind
  readonly creatorId: string
  readonly creatorUsername: string
  readonly accountId: string
  readonly amountCents: number
  /** What the page calls it. */
  readonly title: string
  /** posts.id, messages.id or session_bookings.id; of a tip the post under which it is given, if there is one. */
  readonly subjectId: string | null
  /** Unix seconds after which the page can not be paid any more; Stripe's own day when absent. */
  readonly pageExpiresAt?: number
}

/** Under which name Stripe keeps the subject of a payment for us, and the column that holds it here. */
export const subjectNames = {
  ppv: 'post_id',
  tip: 'post_id',
  message: 'message_id',
  session: 'booking_id',
} as const satisfies Record<PaymentKind, string>

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

/** The fan's pages for this purpose, newest first: for one post, message or booking, or for tips to this creator. */
function readPages({ database }: Payments, fan: Payer, payment: SinglePayment): Promise<KnownPage[]> {
  const { kind, creatorId, subjectId, amountCents } = payment
  return database.service.rows<KnownPage>(sql`
    select id, url, status,
      amount_cents = ${amountCents} and coalesce(post_id, message_id, booking_id) is not distinct from ${subjectId}::uuid as same
    from private.checkout_sessions
    where profile_id = ${fan.profileId} and creator_id = ${creatorId} and kind = ${kind}
      and (kind = 'tip' or coalesce(post_id, message_id, booking_id) = ${subjectId}::uuid)
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
    insert into private.checkout_sessions (id, kind, profile_id, creator_id, post_id, message_id, booking_id, amount_cents, url)
    values (${id}, ${payment.kind}, ${fan.profileId}, ${payment.creatorId}, ${subjectIn(payment, 'post_id')},
      ${subjectIn(payment, 'message_id')}, ${subjectIn(payment, 'booking_id')}, ${payment.amountCents}, ${url})
    on conflict (id) do nothing`)
  return { id, url }
}

const subjectIn = ({ kind, subjectId }: SinglePayment, column: (typeof subjectNames)[PaymentKind]) =>
  subjectNames[kind] === column ? subjectId : null

function pageParams(
  { config }: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const { kind, creatorId, accountId, amountCents, title, subjectId, pageExpiresAt } = payment
  const { feeCents } = splitPayment(amountCents, config.platformFeePercent)
  const metadata = {
    kind,
    profile_id: fan.profileId,
    creator_id: creatorId,
    ...(subjectId !== null && { [subjectNames[kind]]: subjectId }),
    // What was agreed on, to be compared with what is taken.
    amount_cents: String(amountCents),
    fee_cents: String(feeCents),
  }
  const { path, parameter } = returnTo(payment)
  const back = `${siteOrigin}${path}`
  return {
    mode: 'payment',
    customer,
    client_reference_id: fan.profileId,
    line_items: [
      { price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: title } }, quantity: 1 },
    ],
    // Not encoded: Stripe looks for the braces as they are.
    success_url: `${back}${path.includes('?') ? '&' : '?'}${parameter}={CHECKOUT_SESSION_ID}`,
    cancel_url: back,
    ...(pageExpiresAt !== undefined && { expires_at: pageExpiresAt }),
    metadata,
    payment_intent_data: {
      description: title,
      metadata,
      transfer_data: { destination: accountId },
      ...(feeCents > 0 && { application_fee_amount: feeCents }),
    },
  }
}

/** Where the fan was when they decided to pay, and the parameter that tells that screen of the payment. */
function returnTo({ kind, subjectId, creatorUsername }: SinglePayment): { path: string; parameter: string } {
  switch (kind) {
    case 'ppv':
      return { path: paths.post(subjectId ?? ''), parameter: 'purchase' }
    case 'tip':
      return { path: paths.profile(creatorUsername), parameter: 'tip' }
    case 'message':
      return { path: paths.conversation(creatorUsername), parameter: 'unlock' }
    case 'session':
      return { path: paths.privateSessions, parameter: 'booking' }
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
