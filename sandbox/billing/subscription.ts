import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { listOf } from '../http/paging.ts'
import { newId } from '../store/ids.ts'
import type { Kinds, PendingUpdate } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import { redeem, type WantedDiscount, withoutSpentDiscounts } from './discount.ts'
import { periodEnd } from './intervals.ts'
import {
  cardOf,
  collectInvoice,
  draftInvoice,
  finalizeInvoice,
  type InvoiceOutcome,
  linkIntent,
  openInvoice,
  settleInvoice,
  voidInvoice,
} from './invoice.ts'
import { newInvoice, type Period } from './new-invoice.ts'

type Intent = Kinds['payment_intent']
type Invoice = Kinds['invoice']
type Price = Kinds['price']
type Subscription = Kinds['subscription']

const day = 86_400
/** Stripe says three days before that a trial will end. */
const trialNotice = 3 * day
/** A renewal is announced so long before, where the period is longer than that. */
const renewalNotice = 7 * day
/** A renewal's bill can still be changed for an hour. */
const draftSeconds = 3600
/** How long a change waits for its buyer. */
const pendingSeconds = 23 * 3600

export type NewSubscription = {
  customer: string
  /** A checkout always leaves one. */
  paymentMethod: string | null
  items: { price: string; quantity: number }[]
  trialDays?: number
  applicationFeePercent?: number
  destination?: string
  metadata: Record<string, string>
  description?: string
  discount?: WantedDiscount
  /** What a trial ends in when nobody has given a card by then; a bill that can't be paid when absent. */
  withoutCard?: 'cancel' | 'create_invoice' | 'pause'
}

/** Begins a subscription whose first period is a trial, or is paid for by `intent` already. */
export function startSubscription(
  context: Context,
  wanted: NewSubscription,
  intent: Intent | null,
): { subscription: Subscription; invoice: Invoice } {
  const plain = newSubscription(context, wanted)
  const discount = wanted.discount && redeem(context, wanted.discount, plain.id, wanted.customer)
  const fresh = discount ? { ...plain, discounts: [discount.id] } : plain
  context.store.insert('subscription', context.account, fresh)
  context.store.setHidden('subscription', fresh.id, { trial_notice_sent: false })
  emit(context, 'customer.subscription.created', fresh)
  const opened = openInvoice(context, fresh, 'subscription_create', periodOf(fresh))
  const subscription = context.store.save<'subscription'>({ ...fresh, latest_invoice: opened.id })
  // A bank that answers in days leaves the first invoice open; the subscription runs meanwhile, as at Stripe.
  const waits = intent?.status === 'processing'
  if (waits) linkIntent(context, opened, intent)
  const invoice = waits ? opened : settleInvoice(context, opened, intent)
  scheduleSubscription(context, subscription)
  return { subscription, invoice }
}

/** What the clock does with a subscription whose moment has come: a notice, a renewal, or its end. */
export function wakeSubscription(context: Context, subscription: Subscription): void {
  const { end } = periodOf(subscription)
  const { update } = context.store.hidden('subscription', subscription.id)
  if (subscription.status === 'incomplete') {
    expireIncomplete(context, subscription)
  } else if (update && (subscription.pending_update?.expires_at ?? 0) <= context.now) {
    dropUpdate(context, subscription, update)
  } else if (resumesAt(subscription) <= context.now) {
    resumeCollection(context, subscription)
  } else if (announcedAt(context, subscription) <= context.now) {
    announceRenewal(context, subscription)
  } else if (context.now < end && (subscription.status !== 'trialing' || context.now < end - trialNotice)) {
    scheduleSubscription(context, subscription)
  } else if (context.now < end) {
    emit(context, 'customer.subscription.trial_will_end', subscription)
    const hidden = context.store.hidden('subscription', subscription.id)
    context.store.setHidden('subscription', subscription.id, { ...hidden, trial_notice_sent: true })
    scheduleSubscription(context, subscription)
  } else if (subscription.cancel_at_period_end) {
    endSubscription(context, subscription, 'cancellation_requested')
  } else if (subscription.status === 'trialing' && !cardOf(context, subscription)) {
    endTrialWithoutCard(context, subscription, end)
  } else {
    renew(context, subscription, end)
  }
}

/** When collection resumes by itself; never, where it isn't paused or the pause has no end. */
const resumesAt = ({ pause_collection: pause }: Subscription): number => pause?.resumes_at ?? Number.POSITIVE_INFINITY

/** The pause is over: the next invoice is collected. Those that it voided stay void, and the period goes on. */
function resumeCollection(context: Context, subscription: Subscription): void {
  const resumed = updated(context, 'subscription', 'customer.subscription.updated', {
    ...subscription,
    pause_collection: null,
  })
  scheduleSubscription(context, resumed)
}

/** Whether an invoice that is made now isn't collected. */
const isPaused = (context: Context, { pause_collection: pause }: Subscription): boolean =>
  pause !== null && (pause.resumes_at === null || pause.resumes_at > context.now)

/**
 * When the renewal at the end of the running period is announced; never, where it was already or nothing is to be billed. Stripe announces
 * none that a pause voids.
 */
function announcedAt(context: Context, subscription: Subscription): number {
  const { start, end } = periodOf(subscription)
  const { announced } = context.store.hidden('subscription', subscription.id)
  const moment = end - renewalNotice
  const isVoided = subscription.pause_collection?.behavior === 'void' && isPaused(context, subscription)
  const isBilled = !subscription.cancel_at_period_end && subscription.status !== 'unpaid' && !isVoided
  return isBilled && announced !== end && start < moment ? moment : Number.POSITIVE_INFINITY
}

/** Shows the next bill before there is one: it has no id yet. */
function announceRenewal(context: Context, subscription: Subscription): void {
  const { end } = periodOf(subscription)
  const hidden = context.store.hidden('subscription', subscription.id)
  context.store.setHidden('subscription', subscription.id, { ...hidden, announced: end })
  const { next, period } = nextPeriod(context, subscription, end)
  const { id: _, ...bill } = newInvoice(context, next, 'upcoming', period, periodOf(subscription), {
    prorations: hidden.pending ?? [],
  })
  emit(context, 'invoice.upcoming', bill)
  scheduleSubscription(context, subscription)
}

/** The subscription as it is in the period that begins at `start`. */
function nextPeriod(context: Context, subscription: Subscription, start: number) {
  const recurring = subscription.items.data[0]?.price.recurring
  if (!recurring) throw new Error(`${subscription.id} has no recurring price`)
  const period = { start, end: periodEnd(subscription.billing_cycle_anchor, recurring, start) }
  return { next: withPeriod(withoutSpentDiscounts(context, subscription), period), period }
}

/** Nobody has paid the first bill in time: it is withdrawn, and the subscription never began. */
function expireIncomplete(context: Context, subscription: Subscription): void {
  context.store.schedule(subscription.id, null)
  voidOpen(context, subscription)
  updated(context, 'subscription', 'customer.subscription.updated', {
    ...subscription,
    ended_at: context.now,
    status: 'incomplete_expired',
  })
}

function endTrialWithoutCard(context: Context, subscription: Subscription, end: number): void {
  const wanted = subscription.trial_settings?.end_behavior.missing_payment_method
  if (wanted === 'cancel') endSubscription(context, subscription, 'cancellation_requested')
  else if (wanted === 'pause') pauseSubscription(context, subscription)
  else renew(context, subscription, end)
}

/** Nothing is billed until it is resumed. */
function pauseSubscription(context: Context, subscription: Subscription): void {
  context.store.schedule(subscription.id, null)
  const paused = updated(context, 'subscription', 'customer.subscription.updated', {
    ...subscription,
    status: 'paused',
  })
  emit(context, 'customer.subscription.paused', paused)
}

function renew(context: Context, subscription: Subscription, start: number): void {
  const { next, period } = nextPeriod(context, subscription, start)
  const { pending = [], ...hidden } = context.store.hidden('subscription', subscription.id)
  context.store.setHidden('subscription', subscription.id, hidden)
  const draft = draftInvoice(context, next, 'subscription_cycle', period, periodOf(subscription), {
    prorations: pending,
  })
  const renewed: Subscription = { ...next, latest_invoice: draft.id }
  const status = billRenewal(context, renewed, draft)
  updated(context, 'subscription', 'customer.subscription.updated', { ...renewed, status })
  scheduleSubscription(context, renewed)
}

/** Begins a period today, whose bill is collected at once. @param refuse a bill that can't be collected changes nothing. */
export function beginPeriod(context: Context, subscription: Subscription, refuse = false): Subscription {
  const anchored = { ...subscription, billing_cycle_anchor: context.now }
  const { next, period } = nextPeriod(context, anchored, context.now)
  const invoice = openInvoice(context, next, 'subscription_update', period, periodOf(subscription))
  const outcome = collectNew(context, invoice, next)
  if (!outcome.paid && refuse) throw errors.cardDeclined(outcome.decline) // undone with the transaction
  const begun: Subscription = { ...next, latest_invoice: invoice.id, status: outcome.paid ? 'active' : 'past_due' }
  scheduleSubscription(context, begun)
  return begun
}

/** Collects a bill that was just made; one that is made while collection is paused is due from nobody. */
export function collectNew(context: Context, invoice: Invoice, subscription: Subscription): InvoiceOutcome {
  if (!isPaused(context, subscription)) return collectInvoice(context, invoice, subscription, 'away')
  if (subscription.pause_collection?.behavior === 'void') voidInvoice(context, invoice)
  return { paid: true }
}

/** What becomes of a renewal's bill, and with it of the subscription. */
function billRenewal(context: Context, renewed: Subscription, draft: Invoice): Subscription['status'] {
  const running = renewed.status === 'trialing' ? 'active' : renewed.status
  if (renewed.status === 'unpaid') return 'unpaid' // its bills stay drafts
  if (renewed.pause_collection && isPaused(context, renewed)) {
    pauseInvoice(context, draft, renewed.pause_collection.behavior)
    return running
  }
  if (context.truth.draftHour) {
    const finalizes = context.now + draftSeconds
    context.store.save<'invoice'>({ ...draft, automatically_finalizes_at: finalizes })
    context.store.schedule(draft.id, finalizes)
    return running
  }
  return collectInvoice(context, finalizeInvoice(context, draft), renewed, 'away').paid ? 'active' : 'past_due'
}

/** Collection is paused: the invoice stays a draft, or isn't charged. */
function pauseInvoice(context: Context, draft: Invoice, behavior: string): void {
  if (behavior === 'void') voidInvoice(context, finalizeInvoice(context, draft))
  if (behavior === 'mark_uncollectible')
    updated(context, 'invoice', 'invoice.marked_uncollectible', {
      ...finalizeInvoice(context, draft),
      status: 'uncollectible',
    })
}

/** A draft is finalized and collected; a failed invoice is tried again. After the last attempt the operator's choice holds. */
export function retryInvoice(context: Context, invoice: Invoice): void {
  const id = invoice.parent?.subscription_details?.subscription
  if (!id) throw new Error(`${invoice.id} has no subscription`)
  const subscription = context.store.get('subscription', id)
  context.store.schedule(invoice.id, null)
  const open = invoice.status === 'draft' ? finalizeInvoice(context, invoice) : invoice
  const outcome = collectInvoice(context, open, subscription, 'away')
  if (outcome.paid) settleSubscription(context, subscription, invoice.id)
  else if (context.store.get('invoice', invoice.id).next_payment_attempt !== null)
    settleSubscription(context, subscription, invoice.id, 'past_due')
  else if (context.dunning() === 'cancel') endSubscription(context, subscription, 'payment_failed')
  else settleSubscription(context, subscription, invoice.id, context.dunning() === 'unpaid' ? 'unpaid' : 'past_due')
}

/** Keeps a change of a subscription until its invoice is paid, for 23 hours. */
export function awaitUpdate(
  context: Context,
  present: Subscription,
  changed: Subscription,
  invoice: string,
): Subscription {
  const expires = context.now + pendingSeconds
  const hidden = context.store.hidden('subscription', present.id)
  context.store.setHidden('subscription', present.id, { ...hidden, update: { invoice, changed } })
  context.store.scheduleBefore(present.id, expires)
  return updated(context, 'subscription', 'customer.subscription.updated', {
    ...present,
    latest_invoice: invoice,
    pending_update: {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: expires,
      metadata: null,
      subscription_items: changed.items.data,
      trial_end: null,
      trial_from_plan: null,
    },
  })
}

/** A change that waits also decides whether the subscription ends with its period. */
export function awaitCancel(context: Context, subscription: Subscription, cancel: boolean): Subscription {
  const { update, ...hidden } = context.store.hidden('subscription', subscription.id)
  if (!update || !subscription.pending_update) return subscription
  const changed = { ...update.changed, ...cancelAtPeriodEnd(update.changed, cancel, context.now) }
  context.store.setHidden('subscription', subscription.id, { ...hidden, update: { ...update, changed } })
  return { ...subscription, pending_update: { ...subscription.pending_update, cancel_at_period_end: cancel } }
}

/** Nobody has paid for the change: everything stays as it was. */
function dropUpdate(context: Context, subscription: Subscription, { invoice }: PendingUpdate): void {
  const { update: _, ...hidden } = context.store.hidden('subscription', subscription.id)
  context.store.setHidden('subscription', subscription.id, hidden)
  const unpaid = context.store.get('invoice', invoice)
  if (unpaid.status === 'open') voidInvoice(context, unpaid)
  const kept = { ...subscription, pending_update: null }
  updated(context, 'subscription', 'customer.subscription.pending_update_expired', kept)
  scheduleSubscription(context, kept)
}

/** An invoice that is not asked for any more takes the change that waits for it along. */
export function withdrawInvoice(context: Context, invoice: Invoice): void {
  const id = invoice.parent?.subscription_details?.subscription
  const update = id ? context.store.hidden('subscription', id).update : undefined
  if (id && update?.invoice === invoice.id) dropUpdate(context, context.store.get('subscription', id), update)
  else voidInvoice(context, invoice)
}

/** A late payment of its last invoice makes a subscription active again. */
export function settleSubscription(
  context: Context,
  subscription: Subscription,
  invoice: string,
  status: 'active' | 'past_due' | 'unpaid' = 'active',
): void {
  const { update, ...hidden } = context.store.hidden('subscription', subscription.id)
  if (update?.invoice === invoice) {
    if (status !== 'active') return // the change waits on, and what runs goes on
    context.store.setHidden('subscription', subscription.id, hidden)
    const { changed } = update
    const applied = { ...changed, latest_invoice: invoice, pending_update: null }
    updated(context, 'subscription', 'customer.subscription.pending_update_applied', applied)
    scheduleSubscription(context, applied)
  } else if (subscription.latest_invoice === invoice && subscription.ended_at === null) {
    const settled = updated(context, 'subscription', 'customer.subscription.updated', { ...subscription, status })
    if (subscription.status === 'incomplete') scheduleSubscription(context, settled)
  }
}

/** What `cancel_at_period_end` changes; going back makes as if it had never been asked. */
export function cancelAtPeriodEnd(subscription: Subscription, wanted: boolean, now: number): Partial<Subscription> {
  if (wanted === subscription.cancel_at_period_end) return {}
  const details = { comment: null, feedback: null, feedback_option: null, ...subscription.cancellation_details }
  return wanted
    ? {
        cancel_at: periodOf(subscription).end,
        cancel_at_period_end: true,
        canceled_at: now,
        cancellation_details: { ...details, reason: 'cancellation_requested' },
      }
    : {
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        cancellation_details: { ...details, reason: null },
      }
}

/** Ends a subscription now. Its unpaid invoices aren't charged anymore. */
export function endSubscription(
  context: Context,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  voidOpen(context, subscription)
  // A draft stays one and isn't charged.
  const drafts = context.store.list('invoice', {
    account: context.account,
    where: { 'parent.subscription_details.subscription': subscription.id, status: 'draft' },
    limit: 100,
  })
  for (const draft of drafts.data) {
    context.store.schedule(draft.id, null)
    updated(context, 'invoice', 'invoice.updated', { ...draft, auto_advance: false, automatically_finalizes_at: null })
  }
  const ended = context.store.save<'subscription'>({
    ...subscription,
    canceled_at: subscription.canceled_at ?? context.now,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      reason,
    },
    ended_at: context.now,
    status: 'canceled',
  })
  context.store.schedule(ended.id, null)
  emit(context, 'customer.subscription.deleted', ended)
  return ended
}

function voidOpen(context: Context, subscription: Subscription): void {
  const open = context.store.list('invoice', {
    account: context.account,
    where: { 'parent.subscription_details.subscription': subscription.id, status: 'open' },
    limit: 100,
  })
  for (const invoice of open.data) voidInvoice(context, invoice)
}

/** The running period; all items share it. */
export function periodOf(subscription: Subscription): Period {
  const item = subscription.items.data[0]
  if (!item) throw new Error(`${subscription.id} has no items`)
  return { start: item.current_period_start, end: item.current_period_end }
}

export function withPeriod(subscription: Subscription, { start, end }: Period): Subscription {
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }))
  return { ...subscription, items: { ...subscription.items, data } }
}

/** Asks the clock for the next moment at which something happens to a subscription. */
export function scheduleSubscription(context: Context, subscription: Subscription): void {
  const { end } = periodOf(subscription)
  const { trial_notice_sent: sent, update } = context.store.hidden('subscription', subscription.id)
  const notice = subscription.status === 'trialing' && !sent ? Math.max(end - trialNotice, context.now) : end
  const expires = (update && subscription.pending_update?.expires_at) ?? end
  const moments = [notice, end, expires, announcedAt(context, subscription), resumesAt(subscription)]
  context.store.schedule(subscription.id, Math.min(...moments))
}

export function newSubscription(context: Context, wanted: NewSubscription): Subscription {
  const id = newId('sub')
  const priced = wanted.items.map((item) => ({ ...item, price: context.store.get('price', item.price) }))
  const recurring = priced[0]?.price.recurring
  if (!recurring) throw new Error('A subscription needs a recurring price') // the session was refused without one
  const trialEnd = wanted.trialDays ? context.now + wanted.trialDays * day : null
  const period = { start: context.now, end: trialEnd ?? periodEnd(context.now, recurring, context.now) }
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: wanted.applicationFeePercent ?? null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? context.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: context.now,
    currency: 'usd',
    customer: wanted.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: wanted.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: wanted.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(
      `/v1/subscription_items?subscription=${id}`,
      priced.map(({ price, quantity }) => newItem(context, id, price, quantity, period)),
    ),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: wanted.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: context.now,
    status: trialEnd ? 'trialing' : 'active',
    test_clock: null,
    transfer_data: wanted.destination ? { amount_percent: null, destination: wanted.destination } : null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: wanted.withoutCard ?? 'create_invoice' },
    },
    trial_start: trialEnd ? context.now : null,
  }
}

function newItem(
  context: Context,
  subscription: string,
  price: Price,
  quantity: number,
  period: Period,
): Subscription['items']['data'][number] {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: context.now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

/** The older shape of a price, which Stripe still shows beside it. */
export const planOf = (price: Price): Subscription['items']['data'][number]['plan'] => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: price.billing_scheme,
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
})
