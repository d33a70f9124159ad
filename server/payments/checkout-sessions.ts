import { sql } from '../postgres/sql.ts'
import { fulfilCheckout } from './fulfil-checkout.ts'
import type { Payments } from './payments.ts'

/** A checkout that was started here and, as far as we know, is not over. */
export type OpenCheckout = { readonly id: string; readonly url: string; readonly product_id: string | null }

/** The fan's subscription checkouts with this creator that are not over, newest first. */
export function findOpenCheckouts({ database }: Payments, fanId: string, creatorId: string): Promise<OpenCheckout[]> {
  return database.service.rows<OpenCheckout>(sql`
    select id, url, product_id from private.checkout_sessions
    where profile_id = ${fanId} and creator_id = ${creatorId} and kind = 'subscription' and status = 'open'
    order by created_at desc limit 10`)
}

/**
 * Asks Stripe how the fan's open checkouts with this creator ended, and takes over those that were paid: a webhook may be late, or
 * lost. Stripe's answer grants, never the page that the fan comes back to.
 * @returns those that can still be paid.
 */
export async function settleOpenCheckouts(
  payments: Payments,
  fanId: string,
  creatorId: string,
): Promise<OpenCheckout[]> {
  const payable: OpenCheckout[] = []
  for (const checkout of await findOpenCheckouts(payments, fanId, creatorId)) {
    const { status } = await fulfilCheckout(payments, checkout.id)
    if (status === 'open') payable.push(checkout)
  }
  return payable
}

/** Remembers a checkout. A session that Stripe gave twice, to two clicks, is one row. */
export async function rememberCheckout(
  { database }: Payments,
  session: { readonly id: string; readonly url: string },
  about: { readonly fanId: string; readonly creatorId: string; readonly productId: string },
): Promise<void> {
  await database.service.rows(sql`
    insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, url)
    values (${session.id}, 'subscription', ${about.fanId}, ${about.creatorId}, ${about.productId}, ${session.url})
    on conflict (id) do nothing`)
}

/** The fan's last checkout of a plan, whatever became of it. */
export async function lastCheckoutId(
  { database }: Payments,
  fanId: string,
  productId: string,
): Promise<string | undefined> {
  const [last] = await database.service.rows<{ id: string }>(sql`
    select id from private.checkout_sessions where profile_id = ${fanId} and product_id = ${productId}
    order by created_at desc, id desc limit 1`)
  return last?.id
}
