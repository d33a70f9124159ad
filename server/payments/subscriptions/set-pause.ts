import pMap from 'p-map'
import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { patiently } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { timeOf } from '../stripe-values.ts'
import { beginPaidPeriod } from './resume-paused.ts'

type Wanted = {
  readonly id: string
  readonly stripeId: string
  readonly version: string
  /** PostgreSQL's infinity is a number. */
  readonly until: Date | number | null
  /** Where a fan's own pause begins. */
  readonly pausedFrom: Date | null
  readonly holdsBills: boolean
  readonly begins: boolean
}

/** Read at once; the soonest renewals come first. */
const most = 200
/** The provider handles this many requests at once well. */
const concurrency = 4
/** Bills that we hold are marked, so that only they are released. */
const mark = 'billing_paused'

/**
 * Brings to Stripe the pauses that the database wants there (OFFER-09, OFFER-10). Each request stays stored until Stripe has it, so a killed
 * process and an outage of Stripe lose nothing, and repeating one changes nothing.
 * @throws AggregateError of failed requests, after all others; they are retried later.
 */
export async function setPauses(payments: Payments): Promise<void> {
  const failures: unknown[] = []
  for (;;) {
    const wanted = await readWanted(payments, null)
    if (wanted.length === 0) break
    await pMap(wanted, (one) => setAndNote(payments, one).catch((error: unknown) => failures.push(error)), {
      concurrency,
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} pauses were not set`)
}

/** Brings one subscription's pause to Stripe now, for its fan. If Stripe doesn't answer, the job does it later. */
export async function setPauseNow(payments: Payments, subscriptionId: string): Promise<void> {
  try {
    for (const one of await readWanted(payments, subscriptionId)) await setAndNote(payments, one)
  } catch (error) {
    payments.log.warn({ subscriptionId, err: error }, 'a pause reaches the provider later')
  }
}

const readWanted = ({ database }: Payments, subscriptionId: string | null) =>
  database.service.rows<Wanted>(sql`
    select subscription_id as id, stripe_id as "stripeId", version, wanted_until as until, paused_from as "pausedFrom",
      holds_bills as "holdsBills", begins
    from private.pauses_to_set(${most}, ${subscriptionId}::uuid)`)

async function setAndNote(payments: Payments, wanted: Wanted): Promise<void> {
  const note = (error: string | null) =>
    payments.database.service.rows(sql`select private.note_pause_set(${wanted.id}, ${wanted.version}::uuid, ${error})`)
  try {
    await setPause(payments, wanted)
  } catch (error) {
    if ((error as { code?: string }).code !== 'resource_missing') {
      await note((error instanceof Error ? error.message : String(error)).slice(0, 1000))
      throw error
    }
  }
  await note(null)
}

async function setPause(payments: Payments, wanted: Wanted): Promise<void> {
  const { subscriptions } = payments.stripe.api
  const known = await subscriptions.retrieve(wanted.stripeId)
  if (known.status === 'canceled' || known.status === 'incomplete_expired') return
  const until = await endOf(payments, wanted, known)
  if (isDifferent(known.pause_collection, until))
    await patiently(() =>
      subscriptions.update(wanted.stripeId, {
        pause_collection:
          until === null
            ? ''
            : { behavior: 'void', ...(until instanceof Date && { resumes_at: Math.floor(until.getTime() / 1000) }) },
      }),
    )
  if (wanted.holdsBills) await holdBills(payments, wanted.stripeId)
  else if (known.status === 'past_due' || known.status === 'unpaid') await releaseBills(payments, wanted.stripeId)
  if (wanted.begins && until === null) await beginPaidPeriod(payments, wanted.stripeId)
}

/** Stripe renewed before it had the fan's pause: the period is charged, so the pause begins after it. */
async function endOf({ database }: Payments, { id, until, pausedFrom }: Wanted, known: Stripe.Subscription) {
  const end = timeOf(known.items.data[0]?.current_period_end ?? null)
  if (!pausedFrom || !end || known.pause_collection || end <= pausedFrom) return until
  const [moved] = await database.service.rows<{ until: Date | number | null }>(sql`
    select private.move_pause(${id}, ${end}) as until`)
  return moved?.until ?? until
}

function isDifferent(present: Stripe.Subscription['pause_collection'], until: Wanted['until']): boolean {
  if (present === null || until === null) return present !== until
  const wanted = until instanceof Date ? Math.floor(until.getTime() / 1000) : null
  return present.behavior !== 'void' || present.resumes_at !== wanted
}

/**
 * A pause applies to invoices that are made after it. Drafts of this hour's renewals are voided as well, and a failed renewal from before
 * is not tried again until billing resumes.
 */
async function holdBills({ stripe }: Payments, subscription: string): Promise<void> {
  const { invoices } = stripe.api
  for await (const { id } of invoices.list({ subscription, status: 'draft', limit: 100 })) {
    await invoices.finalizeInvoice(id, { auto_advance: false })
    await invoices.voidInvoice(id)
  }
  for await (const { id, auto_advance } of invoices.list({ subscription, status: 'open', limit: 100 }))
    if (auto_advance) await invoices.update(id, { auto_advance: false, metadata: { [mark]: 'true' } })
}

async function releaseBills({ stripe }: Payments, subscription: string): Promise<void> {
  for await (const { id, metadata } of stripe.api.invoices.list({ subscription, status: 'open', limit: 100 }))
    if (metadata?.[mark]) await stripe.api.invoices.update(id, { auto_advance: true, metadata: { [mark]: '' } })
}
