import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { abandonCheckout } from '../checkout/close-checkout.ts'
import { isDefiniteRefusal } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { refundPayment } from '../refunds/refund-payment.ts'
import { setPrice } from '../subscriptions/set-price.ts'
import { setRenewal } from '../subscriptions/set-renewal.ts'
import { returnTransfer, takeBackRest, takeBackTransfer } from '../transfers/move-transfer.ts'
import { isWantOfMoney } from '../transfers/take-from-creator.ts'

/** Runs the tasks, on a schedule and as soon as there is one. */
export const paymentTasksJob = { name: 'payment-tasks' } as const

type Task = {
  readonly id: string
  readonly kind:
    | 'refund'
    | 'cancel_subscription'
    | 'stop_renewal'
    | 'resume_renewal'
    | 'delete_customer'
    | 'take_back_transfer'
    | 'return_transfer'
    | 'take_back_rest'
    | 'close_checkout'
    | 'set_price'
  /** Stripe's id of the task's object. */
  readonly target: string
  readonly amountCents: number | null
  readonly reason: string
  readonly createdAt: Date
  readonly attempts: number
  /** How often the provider has definitely rejected it: the next attempt needs another idempotency key. */
  readonly refusals: number
}

/** A failed task is retried with the others, and a few failing ones don't hold up the rest. */
const most = 100
/** How long a task waits for money: much shorter than the day after which the money would be paid out. */
const moneyComesWithin = '15 minutes'

/**
 * Runs the requests to Stripe that the database has queued. Each task was written together with its reason, so that nobody is charged for
 * an account that is gone, whenever the process died or Stripe was down. Tasks are idempotent. A task may create others; they
 * run as well.
 * @throws if any of them failed, so that the job retries; the task keeps the reason. One that waits for money has not failed.
 */
export async function carryOutPaymentTasks(payments: Payments): Promise<void> {
  for (;;) {
    const tasks = await payments.database.service.rows<Task>(sql`
      select id::text, kind, target, amount_cents::int as "amountCents", reason, created_at as "createdAt", attempts, refusals from private.payment_tasks
      where done_at is null and coalesce(waits_until <= now(), true) order by attempts, id limit ${most}`)
    if (tasks.length === 0) return
    const failures: unknown[] = []
    for (const task of tasks) {
      try {
        await carryOut(payments, task).catch(ignoreGone)
        await note(payments, task, null)
      } catch (error) {
        if (isWantOfMoney(error))
          payments.log.info({ kind: task.kind, target: task.target, err: error }, 'a payment task waits for money')
        else failures.push(error)
        await note(payments, task, error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} payment tasks failed`)
  }
}

export async function hasPaymentTasks({ database }: Pick<Payments, 'database'>): Promise<boolean> {
  const [open] = await database.service.rows(sql`select from private.payment_tasks
    where done_at is null and coalesce(waits_until <= now(), true) limit 1`)
  return open !== undefined
}

async function carryOut(
  payments: Payments,
  { kind, target, amountCents, reason, createdAt, refusals }: Task,
): Promise<unknown> {
  const { stripe } = payments
  switch (kind) {
    case 'refund':
      return refundPayment(payments, target, reason)
    case 'cancel_subscription':
      return stripe.api.subscriptions.cancel(target)
    case 'stop_renewal':
      return setRenewal(payments, target, false)
    case 'resume_renewal':
      return setRenewal(payments, target, true)
    case 'delete_customer':
      return stripe.api.customers.del(target)
    case 'take_back_transfer':
      return takeBackTransfer(payments, target, amountCents ?? 0, refusals)
    case 'return_transfer':
      return returnTransfer(payments, target, amountCents ?? 0, createdAt, refusals)
    case 'take_back_rest':
      return takeBackRest(payments, target, refusals)
    case 'close_checkout':
      return abandonCheckout(payments, target, reason)
    case 'set_price':
      return setPrice(payments, target)
  }
}

/**
 * An object that is gone at Stripe needs no more work, and a payment that the fan's bank has taken back can't be refunded. If it
 * returns, so does the task (private.restore_access).
 */
function ignoreGone(error: unknown): void {
  const gone =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (error.code === 'resource_missing' || error.code === 'charge_disputed')
  if (!gone) throw error
}

/** Skips a task that was queued again in the meantime: its count of attempts differs. */
async function note({ database }: Payments, { id, attempts }: Task, failure: unknown): Promise<void> {
  const waits = isWantOfMoney(failure)
  const error = failure === null ? null : failure instanceof Error ? failure.message : String(failure)
  await database.service.rows(sql`
    update private.payment_tasks set attempts = attempts + 1, refusals = refusals + ${waits || isDefiniteRefusal(failure)}::boolean::int, error = ${error?.slice(0, 1000) ?? null},
      waits_until = case when ${waits}::boolean then now() + ${moneyComesWithin}::interval end,
      done_at = case when ${error}::text is null then now() end
    where id = ${id}::bigint and attempts = ${attempts}`)
}
