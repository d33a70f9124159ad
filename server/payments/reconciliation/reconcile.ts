import pMap from 'p-map'
import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { syncAccount } from '../accounts/accounts.ts'
import { fulfillCheckout } from '../checkout/fulfill-checkout.ts'
import { isMoneyGone, recordDispute } from '../disputes/record-dispute.ts'
import type { Payments } from '../payments.ts'
import { recordPayout } from '../payouts/record-payout.ts'
import { recordRefunds } from '../refunds/record-refunds.ts'
import { idOf } from '../stripe-values.ts'
import { syncWhereKnown } from '../subscriptions/sync-subscription.ts'
import { bookedPayment } from './booked-payment.ts'

/** The result of a comparison with the provider. */
export type Reconciliation = {
  readonly since: string
  /** Payments at the provider that were compared. */
  readonly charges: number
  /** Movements that were missing here and are booked now: their webhooks were lost. */
  readonly healed: number
  /** All open differences, including earlier ones. */
  readonly differences: readonly OpenDifference[]
}

export type OpenDifference = {
  readonly cause: string
  readonly kind: string
  readonly expectedCents: number
  readonly actualCents: number
  readonly foundAt: string
}

/** A checkout of this age isn't being paid right now. */
const settledAfter = '5 minutes'
/** How many objects are compared at once: far below Stripe's rate limit, and few compared with the connections that requests need. */
const concurrency = 4

/**
 * Goes through the provider's objects, books what is missing here, and notes what still differs (DESIGN §7). Everything it books is
 * idempotent by its cause, so it may run in parallel with webhooks.
 * @throws AggregateError of everything that couldn't be processed, after all the rest has been.
 */
export async function reconcile(payments: Payments, days: number): Promise<Reconciliation> {
  const { service } = payments.database
  const startedAt = new Date()
  const since = new Date(Date.now() - days * 86_400_000)
  const before = await countMovements(payments)
  const failures = await failuresOf(settleCheckouts(payments))
  const seen = await compareCharges(payments, since)
  failures.push(
    ...(await failuresOf(settleReturns(payments, since))),
    ...(await failuresOf(settleSubscriptions(payments))),
    ...(await failuresOf(settlePayouts(payments, since))),
  )
  const unknown = await service.rows<{ cause: string; cents: number }>(sql`
    select l.cause, t.amount::int as cents
    from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
    where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product')
      and t.created_at >= ${since} and t.created_at < ${startedAt} and not l.cause = any(${seen.causes})`)
  const askFor = async ({ cause, cents }: (typeof unknown)[number]) => {
    if (!(await isAtProvider(payments, cause))) await note(payments, seen, cause, 'unknown', 0, cents)
  }
  const uncompared = [
    ...seen.failures,
    ...(await failuresOf(pMap(unknown, askFor, { concurrency, stopOnError: false }))),
  ]
  // Objects that weren't compared aren't known to be settled.
  if (uncompared.length === 0)
    await service.rows(sql`select private.settle_differences(${startedAt}, ${seen.differences}, ${seen.causes})`)
  failures.push(...uncompared)
  const differences = await readDifferences(payments)
  const healed = (await countMovements(payments)) - before
  const outcome = { since: since.toISOString(), charges: seen.charges, healed, differences }
  if (differences.length > 0 || healed > 0) payments.log.warn(outcome, 'reconciliation found something')
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} objects could not be processed`)
  return outcome
}

function readDifferences({ database }: Payments): Promise<OpenDifference[]> {
  return database.service.rows<OpenDifference>(sql`
    select cause, kind, expected_cents::int as "expectedCents", actual_cents::int as "actualCents", found_at as "foundAt"
    from private.payment_differences where resolved_at is null order by found_at desc limit 500`)
}

type Seen = {
  charges: number
  readonly causes: string[]
  readonly differences: string[]
  readonly failures: unknown[]
}

/** The fields that say how much of a charge the creator has. */
const transferOf = ['transfer', 'application_fee']

async function compareCharges(payments: Payments, since: Date): Promise<Seen> {
  const seen: Seen = { charges: 0, causes: [], differences: [], failures: [] }
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const compare = async (charge: Stripe.Charge) => {
    if (!charge.paid) return
    seen.charges += 1
    // A charge that can't be compared doesn't hold up the others; a provider that returns no list ends the run.
    await compareCharge(payments, charge, seen).catch((cause: unknown) => {
      seen.failures.push(new Error(`charge ${charge.id} could not be compared`, { cause }))
    })
  }
  const expand = transferOf.map((name) => `data.${name}`)
  await pMap(payments.stripe.api.charges.list({ created, limit: 100, expand }), compare, { concurrency })
  return seen
}

async function compareCharge(payments: Payments, charge: Stripe.Charge, seen: Seen): Promise<void> {
  const intentId = idOf(charge.payment_intent)
  if (intentId === undefined) return
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) {
    // Without our metadata, it is the operator's other business.
    if (charge.metadata.kind !== undefined) await note(payments, seen, intentId, 'missing', charge.amount, 0)
    return
  }
  const onTheWay = charge.amount_refunded > 0 ? await recordRefunds(payments, charge.id) : 0
  const disputed = charge.disputed ? await takeOverDisputes(payments, charge.id) : 0
  const [booked] = await payments.database.service.rows<{
    cause: string
    amount: number
    fee: number
    back: number
    kept: number | null
  }>(sql`
    select l.cause, t.amount::int as amount, t.fee_amount::int as fee, t.refunded_amount::int as back,
      -- The creator's part of it; after a dispute or a failed refund, it is in other transfers.
      case when not exists (select from private.payment_disputes d where d.transaction_id = t.id)
          and not exists (select from public.transactions r where r.original_transaction_id = t.id and r.status = 'failed')
        then (t.net_amount + coalesce((select sum(r.net_amount) from public.transactions r
          where r.original_transaction_id = t.id and r.transaction_type = 'refund'), 0))::int end as kept
    from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id where t.id = ${transactionId}`)
  if (!booked) return
  seen.causes.push(booked.cause)
  const returned = charge.amount_refunded - onTheWay + disputed
  const figures = [
    ['amount', charge.amount, booked.amount],
    ['fee', charge.application_fee_amount ?? 0, booked.fee],
    ['returned', returned, booked.back],
  ] as const
  for (const [kind, expected, actual] of figures) {
    if (expected !== actual) await note(payments, seen, booked.cause, kind, expected, actual)
  }
  // With a refund in progress, the creator's part has already been taken back.
  const isReturned = onTheWay === 0 && returned === booked.back
  if (booked.kept === null || !isReturned || partOf(charge) === booked.kept) return
  // The list may be older than what was booked since.
  const left = partOf(await payments.stripe.api.charges.retrieve(charge.id, { expand: transferOf }))
  if (left !== undefined && left !== booked.kept)
    await note(payments, seen, booked.cause, 'transfer', left, booked.kept)
}

/** The creator's part of a charge by its own transfer: what was sent and not reversed, less the fee that wasn't returned. */
function partOf({ transfer, application_fee: fee }: Stripe.Charge): number | undefined {
  if (typeof transfer !== 'object' || !transfer) return undefined
  const feeCents = typeof fee === 'object' && fee ? fee.amount - fee.amount_refunded : 0
  return transfer.amount - transfer.amount_reversed - feeCents
}

/** @returns cents that banks have taken and not returned. */
async function takeOverDisputes(payments: Payments, charge: string): Promise<number> {
  let cents = 0
  for await (const dispute of payments.stripe.api.disputes.list({ charge, limit: 100 })) {
    await recordDispute(payments, dispute.id)
    if (isMoneyGone(dispute)) cents += dispute.amount
  }
  return cents
}

/**
 * Refunds and disputes of older payments than those compared: refunds and disputes of these days, and disputes of any age that were
 * open by our record, or closed in the last half year, because an appeal takes months.
 */
async function settleReturns(payments: Payments, since: Date): Promise<void> {
  const { refunds, disputes } = payments.stripe.api
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const charges = new Set<string>()
  for await (const { charge } of refunds.list({ created, limit: 100 })) {
    const id = idOf(charge)
    if (id !== undefined) charges.add(id)
  }
  const open = await payments.database.service.rows<{ id: string }>(sql`
    select id from private.payment_disputes where status = 'open' or closed_at > now() - interval '180 days'`)
  const disputed = new Set(open.map(({ id }) => id))
  for await (const { id } of disputes.list({ created, limit: 100 })) disputed.add(id)
  const work = [
    ...[...charges].map((id) => async () => void (await recordRefunds(payments, id))),
    ...[...disputed].map((id) => () => recordWhereKnown(payments, id)),
  ]
  await pMap(work, (takeOver) => takeOver(), { concurrency, stopOnError: false })
}

/** A dispute that no longer exists at the provider stays as it is, and doesn't hold up the others. */
async function recordWhereKnown(payments: Payments, disputeId: string): Promise<void> {
  await recordDispute(payments, disputeId).catch((error: { code?: string }) => {
    if (error.code !== 'resource_missing') throw error
    payments.log.warn({ disputeId }, 'a dispute no longer exists at the provider')
  })
}

async function settleCheckouts(payments: Payments): Promise<void> {
  const open = await payments.database.service.rows<{ id: string }>(sql`
    select id from private.checkout_sessions
    where status = 'open' and created_at < now() - ${settledAfter}::interval order by created_at`)
  await pMap(open, ({ id }) => fulfillCheckout(payments, id), { concurrency, stopOnError: false })
}

/** Active subscriptions, whose events may be lost as well. */
async function settleSubscriptions(payments: Payments): Promise<void> {
  const running = await payments.database.service.rows<{ id: string }>(sql`
    select at_stripe.stripe_subscription_id as id
    from public.subscriptions s join private.stripe_subscriptions at_stripe on at_stripe.subscription_id = s.id
    where s.status not in ('canceled', 'incomplete_expired')`)
  await pMap(running, ({ id }) => syncWhereKnown(payments, id), { concurrency, stopOnError: false })
}

async function settlePayouts(payments: Payments, since: Date): Promise<void> {
  const accounts = await payments.database.service.rows<{ id: string }>(sql`
    select stripe_account_id as id from private.profiles where stripe_account_id is not null`)
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const recordPayouts = async ({ id: stripeAccount }: { readonly id: string }) => {
    // It may have been closed, or have left the platform, without an event: then nobody can list its payouts.
    const { accountId } = await syncAccount(payments, stripeAccount)
    if (accountId === null) return
    const failures: unknown[] = []
    // A payout that can't be processed doesn't hold up the others, of this account either.
    for await (const payout of payments.stripe.api.payouts.list({ created, limit: 100 }, { stripeAccount }))
      await recordPayout(payments, stripeAccount, payout.id).catch((cause: unknown) => {
        failures.push(new Error(`payout ${payout.id} could not be processed`, { cause }))
      })
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} payouts could not be processed`)
  }
  await pMap(accounts, recordPayouts, { concurrency, stopOnError: false })
}

/** The failures of some, once the others are done. */
function failuresOf(work: Promise<unknown>): Promise<unknown[]> {
  return work.then(
    () => [],
    (error: unknown) => causesOf(error),
  )
}

const causesOf = (error: unknown): unknown[] =>
  error instanceof AggregateError ? error.errors.flatMap(causesOf) : [error]

/** Clocks differ slightly, and an old invoice may be paid late: ids missing from the list are looked up one by one. */
async function isAtProvider({ stripe }: Payments, cause: string): Promise<boolean> {
  const found = cause.startsWith('in_')
    ? stripe.api.invoices.retrieve(cause)
    : stripe.api.paymentIntents.retrieve(cause)
  return found.then(
    ({ status }) => status === 'paid' || status === 'succeeded',
    (error: { code?: string }) => {
      if (error.code === 'resource_missing') return false
      throw error
    },
  )
}

async function note(payments: Payments, seen: Seen, cause: string, kind: string, expected: number, actual: number) {
  seen.differences.push(`${kind} ${cause}`)
  await payments.database.service.rows(sql`select private.note_difference(${cause}, ${kind}, ${expected}, ${actual})`)
}

async function countMovements({ database }: Payments): Promise<number> {
  const [row] = await database.service.rows<{ count: number }>(sql`
    select count(*)::int as count from private.ledger_transactions`)
  return row?.count ?? 0
}
