import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { Payer } from './customers.ts'
import { paymentErrors } from './errors.ts'
import { openPaymentPage, type SinglePayment } from './payment-page.ts'
import type { Payments } from './payments.ts'

/**
 * The page on which a pay-per-view post is bought (POST-45).
 * @param db the fan's own view: a post that they may not see does not exist for them, and one that is open to them is not sold.
 * @throws 404 for a post that is not there, is hidden or not for sale; 409 for one's own, one bought already, or a creator who
 * takes no payments; 403 across a block.
 */
export async function startPurchase(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  postId: string,
  siteOrigin: string,
): Promise<string> {
  const [visible] = await db.rows<{ is_locked: boolean }>(sql`
    select is_locked from public.posts where id = ${postId} and post_type = 'ppv'`)
  if (!visible) throw paymentErrors.postNotFound()
  const quote = () =>
    quoteOf(payments, 'ppv', postId, sql`select * from private.quote_purchase(${fan.profileId}, ${postId})`)
  const payment = await quote()
  if (!visible.is_locked) throw paymentErrors.postOpen()
  return openPaymentPage(payments, fan, payment, siteOrigin, quote)
}

/**
 * The page on which a tip is paid (PROF-21, D28).
 * @param postId under which post it is given; one of this creator's that the fan may see.
 */
export async function startTip(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  tip: { readonly creatorId: string; readonly amountCents: number; readonly postId: string | null },
  siteOrigin: string,
): Promise<string> {
  const { creatorId, amountCents, postId } = tip
  if (postId !== null) {
    const [visible] = await db.rows(sql`
      select id from public.posts where id = ${postId} and creator_id = ${creatorId}`)
    if (!visible) throw paymentErrors.postNotFound()
  }
  const quote = () =>
    quoteOf(
      payments,
      'tip',
      postId,
      sql`select * from private.quote_tip(${fan.profileId}, ${creatorId}, ${amountCents})`,
    )
  return openPaymentPage(payments, fan, await quote(), siteOrigin, quote)
}

type Quote = {
  readonly creator_id: string
  readonly stripe_account_id: string
  readonly amount_cents: number
  readonly title: string
}

async function quoteOf(
  { database }: Payments,
  kind: SinglePayment['kind'],
  postId: string | null,
  statement: ReturnType<typeof sql>,
): Promise<SinglePayment> {
  const [quote] = await database.service.rows<Quote>(statement)
  const [creator] = await database.service.rows<{ username: string }>(sql`
    select username from private.profiles where id = ${quote?.creator_id ?? null}`)
  if (!quote || !creator) throw paymentErrors.creatorNotFound()
  return {
    kind,
    creatorId: quote.creator_id,
    creatorUsername: creator.username,
    accountId: quote.stripe_account_id,
    amountCents: quote.amount_cents,
    title: quote.title,
    postId,
  }
}
