import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { fulfillCheckout } from './fulfill-checkout.ts'

/** A checkout that was started here and, as far as we know, is still open. */
export type OpenCheckout = {
  readonly id: string
  readonly url: string
  readonly stripe_price_id: string | null
  readonly promotion_id: string | null
  readonly link_id: string | null
  readonly offer_id: string | null
}

export type Checkouts = { readonly open: readonly OpenCheckout[]; readonly lastId: string | undefined }

/**
 * Asks Stripe how the fan's open checkouts with this creator ended, and records those that were paid: a webhook may be late or
 * lost. Only Stripe's response grants access, never the page to which the fan returns.
 * @returns those that can still be paid.
 * @throws 409 while a payment is being processed.
 */
export async function settleOpenCheckouts(
  payments: Payments,
  fanId: string,
  creatorId: string,
): Promise<OpenCheckout[]> {
  return settle(payments, (await readCheckouts(payments, fanId, creatorId)).open)
}

/** How known checkouts ended. */
export async function settle(payments: Payments, checkouts: readonly OpenCheckout[]): Promise<OpenCheckout[]> {
  const payable: OpenCheckout[] = []
  for (const checkout of checkouts) {
    const { status } = await fulfillCheckout(payments, checkout.id)
    if (status === 'pending') throw paymentErrors.paymentPending()
    if (status === 'open') payable.push(checkout)
  }
  return payable
}

/**
 * The fan's open subscription checkouts with this creator, newest first, and the last one of all. One statement, so that
 * both show the same state: of two clicks, either both see the same past, or the second sees the session of the first.
 */
export async function readCheckouts({ database }: Payments, fanId: string, creatorId: string): Promise<Checkouts> {
  const rows = await database.service.rows<OpenCheckout & { status: string }>(sql`
    select id, url, stripe_price_id, promotion_id, link_id, offer_id, status from private.checkout_sessions
    where profile_id = ${fanId} and creator_id = ${creatorId} and kind = 'subscription'
    order by created_at desc, id desc limit 20`)
  return { open: rows.filter(({ status }) => status === 'open'), lastId: rows[0]?.id }
}

/** Stores a checkout. A session that Stripe returned to two clicks is one row. */
export async function rememberCheckout(
  { database }: Payments,
  session: { readonly id: string; readonly url: string },
  about: {
    readonly fanId: string
    readonly creatorId: string
    readonly productId: string
    readonly priceId: string
    readonly promotionId: string | null
    readonly linkId: string | null
    readonly offerId: string | null
  },
): Promise<void> {
  await database.service.rows(sql`
    insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, stripe_price_id, promotion_id, link_id,
      offer_id, url)
    values (${session.id}, 'subscription', ${about.fanId}, ${about.creatorId}, ${about.productId}, ${about.priceId}, ${about.promotionId},
      ${about.linkId}, ${about.offerId}, ${session.url})
    on conflict (id) do nothing`)
}
