import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import { periodEnd } from './intervals.ts'
import { cardOf, collectInvoice, openInvoice, requestPayment, settleInvoice } from './invoice.ts'
import {
  type NewSubscription,
  newSubscription,
  periodOf,
  scheduleSubscription,
  settleSubscription,
  withPeriod,
} from './subscription.ts'
import { noCard } from './test-cards.ts'

type Subscription = Kinds['subscription']

/** How long a first bill may be paid. */
const incompleteSeconds = 23 * 3600

export type Begin = NewSubscription & {
  /** Try to collect the first bill; refuse where that fails; or leave it for the buyer. */
  behavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete'
}

/** Begins a subscription without a checkout. Until its first bill is paid it is `incomplete`, for 23 hours at most. */
export function createSubscription(context: Context, { behavior, ...wanted }: Begin): Subscription {
  const blank = newSubscription(context, wanted)
  const fresh: Subscription = blank.status === 'trialing' ? blank : { ...blank, status: 'incomplete' }
  if (fresh.status === 'incomplete' && behavior !== 'default_incomplete' && !cardOf(context, fresh))
    throw errors.state(noCard.message, noCard.code)
  context.store.insert('subscription', context.account, fresh)
  context.store.setHidden('subscription', fresh.id, { trial_notice_sent: false })
  emit(context, 'customer.subscription.created', fresh)
  const invoice = openInvoice(context, fresh, 'subscription_create', periodOf(fresh))
  const begun = context.store.save<'subscription'>({ ...fresh, latest_invoice: invoice.id })
  if (begun.status === 'trialing') {
    settleInvoice(context, invoice, null)
    scheduleSubscription(context, begun)
    return begun
  }
  context.store.schedule(begun.id, context.now + incompleteSeconds)
  if (behavior === 'default_incomplete') {
    requestPayment(context, invoice, begun)
    return begun
  }
  const outcome = collectInvoice(context, invoice, begun, 'returning')
  if (outcome.paid) settleSubscription(context, begun, invoice.id)
  else if (behavior === 'error_if_incomplete')
    throw errors.cardDeclined(outcome.decline) // undone with the transaction
  else leaveToBuyer(context, invoice.id)
  return context.store.get('subscription', begun.id)
}

/** A first bill isn't tried again: the buyer has to act. */
function leaveToBuyer(context: Context, invoice: string): void {
  context.store.save<'invoice'>({ ...context.store.get('invoice', invoice), next_payment_attempt: null })
  context.store.schedule(invoice, null)
}

/** A paused subscription goes on with a period of its own, which is paid now or not begun. */
export function resumeSubscription(context: Context, paused: Subscription): Subscription {
  const recurring = paused.items.data[0]?.price.recurring
  if (paused.status !== 'paused' || !recurring)
    throw errors.state('Only a subscription with the status `paused` can be resumed.')
  const period = { start: context.now, end: periodEnd(context.now, recurring, context.now) }
  const next = { ...withPeriod(paused, period), billing_cycle_anchor: context.now }
  const invoice = openInvoice(context, next, 'subscription_cycle', period, periodOf(paused))
  const outcome = collectInvoice(context, invoice, next, 'returning')
  if (!outcome.paid) throw errors.cardDeclined(outcome.decline) // undone with the transaction
  const resumed = updated(context, 'subscription', 'customer.subscription.updated', {
    ...next,
    latest_invoice: invoice.id,
    status: 'active',
  })
  emit(context, 'customer.subscription.resumed', resumed)
  scheduleSubscription(context, resumed)
  return resumed
}
