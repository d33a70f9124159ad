import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'
import { periodEnd } from './intervals.ts'
import { openInvoice } from './invoice.ts'
import { type InvoiceLine, type Period, prorationLine } from './new-invoice.ts'
import { awaitUpdate, collectNew, periodOf, planOf, scheduleSubscription } from './subscription.ts'

type Subscription = Kinds['subscription']
type Item = Subscription['items']['data'][number]
type Price = Kinds['price']

export type Switch = {
  item: Item
  price: Price
  proration: 'always_invoice' | 'create_prorations' | 'none'
  /** When its invoice can't be collected: refuse the whole change, keep it until that is paid, or make it all the same. */
  unpaid: 'refuse' | 'wait' | 'change'
  /** When a running trial ends from now on; undefined leaves it as it is. */
  trialEnd?: 'now' | number | undefined
}

/** Below it a card is not charged: what is due comes with the subscription's next bill. */
const leastCharge = 50

/**
 * Gives an item another price. The rest of the running period is credited at the old price and charged at the new one; a price of
 * another interval begins a period of its own today, which is billed at once. During a trial nothing is due, unless it ends now: then the
 * first paid period begins.
 */
export function switchPrice(context: Context, subscription: Subscription, wanted: Switch): Subscription {
  const { item, price } = wanted
  if (item.price.id === price.id) return subscription
  if (subscription.status === 'trialing') return switchTrial(context, subscription, wanted)
  const before = periodOf(subscription)
  const newRhythm = rhythmOf(item.price) !== rhythmOf(price)
  const period = newRhythm ? periodFromNow(context, price) : before
  const next: Subscription = {
    ...withPrice(subscription, item, price, period),
    ...(newRhythm && { billing_cycle_anchor: context.now }),
  }
  const lines = prorate(context, subscription, next, wanted, { before, newRhythm })
  const hidden = context.store.hidden('subscription', subscription.id)
  const pending = [...(hidden.pending ?? []), ...lines]
  const due = sum(pending) + (newRhythm ? priceOf(price, item) : 0)
  if (!newRhythm && (wanted.proration !== 'always_invoice' || due < leastCharge)) {
    if (sum(pending) + priceOf(price, item) < 0) throw keepsNoBalance()
    context.store.setHidden('subscription', subscription.id, { ...hidden, pending })
    return store(context, next)
  }
  if (due < 0) throw keepsNoBalance()
  context.store.setHidden('subscription', subscription.id, { ...hidden, pending: [] })
  return bill(context, subscription, next, pending, { ...wanted, period, before, newRhythm })
}

function switchTrial(context: Context, subscription: Subscription, wanted: Switch): Subscription {
  const { item, price, trialEnd } = wanted
  const before = periodOf(subscription)
  if (trialEnd !== 'now') {
    const period = { ...before, ...(trialEnd !== undefined && { end: trialEnd }) }
    const moved = trialEnd === undefined ? {} : { trial_end: trialEnd, billing_cycle_anchor: trialEnd }
    return store(context, { ...withPrice(subscription, item, price, period), ...moved })
  }
  const period = periodFromNow(context, price)
  const next: Subscription = {
    ...withPrice(subscription, item, price, period),
    billing_cycle_anchor: context.now,
    status: 'active',
    trial_end: context.now,
  }
  return bill(context, subscription, next, [], { ...wanted, period, before, newRhythm: true })
}

function bill(
  context: Context,
  present: Subscription,
  next: Subscription,
  prorations: InvoiceLine[],
  wanted: Switch & { period: Period; before: Period; newRhythm: boolean },
): Subscription {
  const { period, before, newRhythm, unpaid } = wanted
  const invoice = openInvoice(context, next, 'subscription_update', period, before, {
    prorations,
    withItems: newRhythm,
  })
  const outcome = collectNew(context, invoice, next)
  if (!outcome.paid && unpaid === 'refuse') throw errors.cardDeclined(outcome.decline) // undone with the transaction
  if (!outcome.paid && unpaid === 'wait') {
    context.store.schedule(invoice.id, null) // it isn't tried again: the buyer has to act
    return awaitUpdate(context, present, next, invoice.id)
  }
  return store(context, { ...next, latest_invoice: invoice.id, status: outcome.paid ? next.status : 'past_due' })
}

function store(context: Context, changed: Subscription): Subscription {
  const stored = updated(context, 'subscription', 'customer.subscription.updated', changed)
  scheduleSubscription(context, stored)
  return stored
}

/** A credit for the time that was paid for and is not used, and the new price of that time unless a new period begins. */
function prorate(
  context: Context,
  subscription: Subscription,
  next: Subscription,
  { item, price, proration }: Switch,
  { before, newRhythm }: { before: Period; newRhythm: boolean },
): InvoiceLine[] {
  if (proration === 'none') return []
  const rest = { start: context.now, end: before.end }
  const share = (rest.end - rest.start) / (before.end - before.start)
  const credit = prorationLine(context, subscription, item, rest, -Math.round(priceOf(item.price, item) * share))
  const switched = next.items.data.find(({ id }) => id === item.id)
  if (newRhythm || !switched) return [credit]
  return [credit, prorationLine(context, next, switched, rest, Math.round(priceOf(price, item) * share))]
}

function withPrice(subscription: Subscription, item: Item, price: Price, { start, end }: Period): Subscription {
  const data = subscription.items.data.map((other) => ({
    ...other,
    ...(other.id === item.id && { price, plan: planOf(price) }),
    current_period_start: start,
    current_period_end: end,
  }))
  return { ...subscription, items: { ...subscription.items, data } }
}

function periodFromNow(context: Context, { recurring, id }: Price): Period {
  if (!recurring) throw new Error(`${id} has no interval`) // refused before
  return { start: context.now, end: periodEnd(context.now, recurring, context.now) }
}

const rhythmOf = ({ recurring }: Price) => `${recurring?.interval_count} ${recurring?.interval}`
const priceOf = (price: Price, item: Item) => (price.unit_amount ?? 0) * (item.quantity ?? 1)
const sum = (lines: InvoiceLine[]) => lines.reduce((total, { amount }) => total + amount, 0)

const keepsNoBalance = () =>
  errors.invalidParam(
    'items',
    'This sandbox keeps no customer balance: a change that leaves the customer with more credit than the next bill is refused.',
  )
