import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { type Statement, sql } from '../postgres/sql.ts'

/** The caller's profile with the facts from their token and their suspension. Undefined for an account without a profile. */
export type CallerProfile = {
  readonly userId: string
  readonly profileId: string
  readonly username: string
  readonly displayName: string | null
  readonly email: string | null
  readonly stripeAccountId: string | null
  readonly isSuspended: boolean
}

export async function findCallerProfile(db: CallerDb): Promise<CallerProfile | undefined> {
  const [profile] = await db.rows<CallerProfile>(sql`
    select p.user_id as "userId", p.id as "profileId", p.username, p.display_name as "displayName", auth.email() as email,
      p.stripe_account_id as "stripeAccountId", auth.is_suspended() as "isSuspended"
    from public.profiles p where p.user_id = auth.uid()`)
  return profile
}

/** Whether the caller has an admin's permissions in this session (AUTH_MFA_REQUIRED_FOR_ADMINS may require a second factor). */
export async function isAdmin(db: CallerDb): Promise<boolean> {
  const [answer] = await db.rows<{ granted: boolean }>(sql`select auth.is_admin() as granted`)
  return answer?.granted === true
}

/** Whether the user may publish and sell. */
export async function isApprovedCreator(db: ServiceDb, profileId: string): Promise<boolean> {
  const [answer] = await db.rows<{ granted: boolean }>(sql`select private.is_approved_creator(${profileId}) as granted`)
  return answer?.granted === true
}

/** Whether the user may create plans, which open with the approval (LOOP-08). */
export async function mayPreparePlans(db: ServiceDb, profileId: string): Promise<boolean> {
  const [answer] = await db.rows<{ granted: boolean }>(sql`
    select private.is_approved_creator(${profileId}) or private.awaits_review(${profileId}) as granted`)
  return answer?.granted === true
}

/** Needs the permissions of the service. @throws 403 for an admin's account (private.require_not_admin). */
export async function requireNotAdmin(db: CallerDb, userId: string): Promise<void> {
  await db.rows(sql`select private.require_not_admin(${userId})`)
}

/** The hash of the account's password; null or empty if it has none. */
export async function readPasswordHash(db: ServiceDb, userId: string): Promise<string | null | undefined> {
  const [account] = await db.rows<{ hash: string | null }>(sql`
    select encrypted_password as hash from auth.users where id = ${userId}`)
  return account?.hash
}

/** @returns false if there is no such account. */
export async function deleteAccountRows(db: ServiceDb, userId: string, actorId: string): Promise<boolean> {
  const [answer] = await db.rows<{ deleted: boolean }>(sql`
    select private.delete_account(${userId}, ${actorId}) as deleted`)
  return answer?.deleted === true
}

/** The account, with its row locked until the transaction of `db` ends. Needs the service's permissions. */
export async function lockAccount(
  db: CallerDb,
  userId: string,
): Promise<{ readonly email: string | null } | undefined> {
  const [account] = await db.rows<{ email: string | null }>(sql`
    select email from auth.users where id = ${userId} for update`)
  return account
}

export type AuditEntry = {
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  readonly before: object | null
  readonly after: object | null
  readonly details?: object
  /** auth.users.id of the admin. */
  readonly actorId: string
}

/** Writes to the admins' audit log. */
export function auditEntry({
  action,
  subjectType,
  subjectId,
  before,
  after,
  details = {},
  actorId,
}: AuditEntry): Statement {
  return sql`
    select private.write_audit(${action}, ${subjectType}, ${subjectId}, ${jsonOf(before)}::jsonb, ${jsonOf(after)}::jsonb,
      ${jsonOf(details)}::jsonb, ${actorId})`
}

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value))

/** When the booking ends, if the caller may join its call now. */
export async function findOpenCall(db: CallerDb, bookingId: string): Promise<{ readonly endsAt: Date } | undefined> {
  const [booking] = await db.rows<{ endsAt: Date }>(sql`
    select b.ends_at as "endsAt" from public.session_bookings b
    where b.id = ${bookingId} and public.may_join_call(b.id)`)
  return booking
}

export type RefundRequest = {
  /** The caller is the creator who was paid. */
  readonly isOwn: boolean
  /** That creator, or an admin. */
  readonly mayRefund: boolean
}

/** What the caller may do to a payment; undefined if they can't see it: its two parties and admins can. */
export async function findRefundRequest(db: CallerDb, transactionId: string): Promise<RefundRequest | undefined> {
  const [request] = await db.rows<RefundRequest>(sql`
    select t.to_user_id is not distinct from p.id as "isOwn",
      t.to_user_id is not distinct from p.id or auth.is_admin() as "mayRefund"
    from public.transactions t, public.profiles p
    where t.id = ${transactionId} and p.user_id = auth.uid()`)
  return request
}

export type RefundablePayment = {
  readonly status: string
  /** Stripe's id of the payment. */
  readonly cause: string
  /** A payment from a fan that no bank has taken back or is deciding on. A won dispute leaves it refundable. */
  readonly isRefundable: boolean
}

export async function findRefundablePayment(
  db: ServiceDb,
  transactionId: string,
): Promise<RefundablePayment | undefined> {
  const [payment] = await db.rows<RefundablePayment>(sql`
    select t.status, l.cause,
      t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product')
        and not exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status <> 'won') as "isRefundable"
    from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
    where t.id = ${transactionId}`)
  return payment
}

export async function readRefundedPayment(db: ServiceDb, transactionId: string) {
  const [transaction] = await db.rows<{ id: string; status: string; refunded_amount: number }>(sql`
    select id, status, refunded_amount from public.transactions where id = ${transactionId}`)
  return transaction
}

/** No row means that the account is gone, and nothing is sent to it anyway. */
export async function turnOffEmails(db: ServiceDb, profileId: string): Promise<void> {
  await db.rows(sql`update private.user_settings set email = false where user_id = ${profileId}`)
}

export async function turnOffPostEmails(db: ServiceDb, profileId: string): Promise<void> {
  await db.rows(sql`update private.user_settings set post_emails = 'none' where user_id = ${profileId}`)
}
