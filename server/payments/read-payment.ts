import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { paymentErrors } from './errors.ts'
import { fulfilCheckout } from './fulfil-checkout.ts'
import type { Payments } from './payments.ts'

/** How a single payment stands, for the page that the fan comes back to. */
export type PaymentView = {
  readonly status: 'paid' | 'open' | 'expired' | 'none'
  readonly kind: 'ppv' | 'tip' | null
  /** The post, or the creator's profile for a tip. */
  readonly targetId: string | null
  readonly amountCents: number | null
  /** Whether the fan may see the post now; for a tip, whether it was paid. */
  readonly hasAccess: boolean
}

type Known = {
  readonly id: string
  readonly kind: 'ppv' | 'tip'
  readonly status: 'open' | 'complete' | 'expired'
  readonly creator_id: string
  readonly post_id: string | null
  readonly amount_cents: number
}

/**
 * Asks how the fan's payment ended. When the webhook has not come yet, Stripe is asked, and its answer grants; this call does not.
 * @throws 404 for a session that is not this fan's.
 */
export async function readPayment(
  payments: Payments,
  db: CallerDb,
  fanId: string,
  about: { readonly sessionId: string | null; readonly targetId: string | null },
): Promise<PaymentView> {
  const { sessionId, targetId } = about
  const [known] = await payments.database.service.rows<Known>(sql`
    select id, kind, status, creator_id, post_id, amount_cents from private.checkout_sessions
    where profile_id = ${fanId} and kind in ('ppv', 'tip')
      and case when ${sessionId}::text is null then kind = 'ppv' and post_id = ${targetId}::uuid else id = ${sessionId}::text end
    order by created_at desc, id desc limit 1`)
  if (!known && sessionId !== null) throw paymentErrors.paymentNotFound()
  const status = known?.status === 'open' ? (await fulfilCheckout(payments, known.id)).status : known?.status
  const postId = known ? known.post_id : targetId
  const isTip = known?.kind === 'tip'
  return {
    status: status === 'complete' ? 'paid' : (status ?? 'none'),
    kind: known?.kind ?? null,
    targetId: isTip ? known.creator_id : postId,
    amountCents: known?.amount_cents ?? null,
    hasAccess: isTip ? status === 'complete' : await canSee(db, postId),
  }
}

async function canSee(db: CallerDb, postId: string | null): Promise<boolean> {
  const [post] = await db.rows<{ is_locked: boolean }>(sql`select is_locked from public.posts where id = ${postId}`)
  return post ? !post.is_locked : false
}
