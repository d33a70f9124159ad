import { createSubscription, resumeSubscription } from '../billing/begin-subscription.ts'
import {
  awaitCancel,
  beginPeriod,
  cancelAtPeriodEnd,
  endSubscription,
  scheduleSubscription,
} from '../billing/subscription.ts'
import { switchPrice } from '../billing/switch-price.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import {
  array,
  boolean,
  integer,
  metadata,
  object,
  oneOf,
  type Params,
  percent,
  type Rule,
  required,
  string,
  unsettable,
} from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'
import { requireDestination } from './destination.ts'
import { readLineItems } from './line-items.ts'

type Subscription = Kinds['subscription']

const detailFields = object({
  comment: unsettable(string()),
  feedback: unsettable(
    oneOf(
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ),
  ),
})

const statuses = oneOf(
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
)

const changeFields = {
  items: array(object({ id: required(string()), price: required(string()), quantity: integer({ min: 1, max: 1 }) }), {
    max: 1,
  }),
  payment_behavior: oneOf('allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete'),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  trial_end: trialEnd(),
}

/** `now` ends a running trial, and a time in the future moves its end. */
function trialEnd(): Rule<'now' | number> {
  return { read: (raw, path) => (raw === 'now' ? raw : integer({ min: 1 }).read(raw, path)) }
}

const whenUnpaid = {
  allow_incomplete: 'change',
  error_if_incomplete: 'refuse',
  pending_if_incomplete: 'wait',
} as const

/** Takes over `items`: one item's other price. @throws 400 for an item or a price that does not fit. */
function changeItems(context: Context, subscription: Subscription, params: Params<typeof changeFields>): Subscription {
  const wanted = params.items?.[0]
  if (params.trial_end !== undefined && (!wanted || subscription.status !== 'trialing'))
    throw errors.invalidParam(
      'trial_end',
      'This sandbox changes the end of a running trial only together with its price.',
    )
  if (typeof params.trial_end === 'number' && params.trial_end <= context.now)
    throw errors.invalidParam('trial_end', 'Invalid timestamp: must be an integer Unix timestamp in the future.')
  if (!wanted) return subscription
  const item = subscription.items.data.find(({ id }) => id === wanted.id)
  if (!item) throw errors.missing('subscription_item', wanted.id, 'items[0][id]', 400)
  const price = fromParam(context, 'price', wanted.price, 'items[0][price]')
  if (!price.active)
    throw errors.invalidParam(
      'items[0][price]',
      'The price specified is inactive. This field only accepts active prices.',
    )
  if (!price.recurring)
    throw errors.invalidParam(
      'items[0][price]',
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
    )
  return switchPrice(context, subscription, {
    item,
    price,
    proration: params.proration_behavior ?? 'create_prorations',
    unpaid: whenUnpaid[params.payment_behavior ?? 'allow_incomplete'],
    trialEnd: params.trial_end,
  })
}

/** Begins a period today and bills it at once. @throws 400 for what this sandbox doesn't prorate. */
function restartPeriod(
  context: Context,
  subscription: Subscription,
  params: Params<typeof changeFields>,
): Subscription {
  if (params.items || params.proration_behavior !== 'none' || subscription.status === 'trialing')
    throw errors.invalidParam(
      'billing_cycle_anchor',
      'This sandbox begins a period today only without proration, for the same price, and after the trial.',
    )
  if (params.payment_behavior === 'pending_if_incomplete')
    throw errors.invalidParam('payment_behavior', 'This sandbox begins a period today at once or not at all.')
  return beginPeriod(context, subscription, params.payment_behavior === 'error_if_incomplete')
}

function withDetails(
  subscription: Subscription,
  details: Partial<NonNullable<Subscription['cancellation_details']>> | undefined,
): Subscription {
  const present = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: null,
    ...subscription.cancellation_details,
  }
  return { ...subscription, cancellation_details: { ...present, ...details } }
}

function pauseOf(
  context: Context,
  wanted: { behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'; resumes_at?: number } | null,
): Subscription['pause_collection'] {
  if (wanted?.resumes_at !== undefined && wanted.resumes_at <= context.now)
    throw errors.invalidParam(
      'pause_collection[resumes_at]',
      'Invalid timestamp: must be an integer Unix timestamp in the future.',
    )
  return wanted && { resumes_at: null, ...wanted }
}

const createFields = {
  customer: required(string()),
  items: required(array(object({ price: required(string()), quantity: integer({ min: 1, max: 1 }) }), { max: 1 })),
  application_fee_percent: percent(),
  default_payment_method: string(),
  description: string(500),
  metadata: metadata(),
  payment_behavior: oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete'),
  transfer_data: object({ destination: required(string()) }),
  trial_period_days: integer({ min: 1, max: 730 }),
  trial_settings: object({
    end_behavior: required(object({ missing_payment_method: required(oneOf('cancel', 'create_invoice', 'pause')) })),
  }),
}

function create(context: Context, params: Params<typeof createFields>): Subscription {
  const customer = fromParam(context, 'customer', params.customer, 'customer')
  const method = params.default_payment_method
  if (method) requireCardOf(context, method, customer.id)
  const items = readLineItems(context, 'subscription', params.items)
  if (params.transfer_data) requireDestination(context, params.transfer_data.destination, 'transfer_data[destination]')
  return createSubscription(context, {
    customer: customer.id,
    paymentMethod: method ?? null,
    items: items.map(({ price, quantity }) => ({ price: price.id, quantity })),
    trialDays: params.trial_period_days,
    applicationFeePercent: params.application_fee_percent,
    destination: params.transfer_data?.destination,
    metadata: mergeMetadata({}, params.metadata),
    description: params.description,
    withoutCard: params.trial_settings?.end_behavior.missing_payment_method,
    behavior: params.payment_behavior ?? 'allow_incomplete',
  })
}

function requireCardOf(context: Context, method: string, customer: string): void {
  if (context.store.find('payment_method', context.account, method)?.customer !== customer)
    throw errors.missing('payment_method', method, 'default_payment_method', 400)
}

function requireRunning(subscription: Subscription): void {
  if (subscription.ended_at !== null) throw errors.missing('subscription', subscription.id, 'id', 404) // Stripe says the same of one that has ended
}

export const subscriptions: Resource = {
  kind: 'subscription',
  expandable: ['customer', 'default_payment_method', 'latest_invoice', 'transfer_data.destination'],
  routes: [
    route(
      'GET',
      '/v1/subscriptions',
      { ...pagingFields, customer: string(), status: statuses },
      (context, { customer, status, ...paging }) => {
        // Without a status Stripe leaves out the ended ones; `all` shows everything.
        const where = {
          customer,
          ...(status && status !== 'all' && { status: status === 'ended' ? 'canceled' : status }),
        }
        const ended = status ? {} : { ended_at: null }
        return listPage(context, 'subscription', '/v1/subscriptions', paging, { ...where, ...ended })
      },
    ),
    route('POST', '/v1/subscriptions', createFields, create),
    route('POST', '/v1/subscriptions/:id/resume', { billing_cycle_anchor: oneOf('now') }, (context, _params, id) =>
      resumeSubscription(context, fromPath(context, 'subscription', id)),
    ),
    route('GET', '/v1/subscriptions/:id', {}, (context, _params, id) => fromPath(context, 'subscription', id)),
    route(
      'POST',
      '/v1/subscriptions/:id',
      {
        cancel_at_period_end: boolean(),
        cancellation_details: detailFields,
        billing_cycle_anchor: object({ type: required(oneOf('now')) }),
        default_payment_method: string(),
        description: unsettable(string(500)),
        ...changeFields,
        metadata: unsettable(metadata()),
        pause_collection: unsettable(
          object({
            behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
            resumes_at: integer({ min: 0 }),
          }),
        ),
        transfer_data: object({ destination: required(string()) }),
      },
      (context, params, id) => {
        const subscription = fromPath(context, 'subscription', id)
        if (subscription.ended_at !== null)
          throw errors.state(
            'A canceled subscription can only update its cancellation_details and metadata.',
            'invalid_canceled_subscription_fields',
          )
        const method = params.default_payment_method
        if (method) requireCardOf(context, method, subscription.customer)
        const cancel = params.cancel_at_period_end
        const destination = params.transfer_data?.destination
        if (destination) requireDestination(context, destination, 'transfer_data[destination]')
        const addressed: Subscription = {
          ...subscription,
          ...(destination && { transfer_data: { amount_percent: null, destination } }),
        }
        const present = params.billing_cycle_anchor
          ? restartPeriod(context, addressed, params)
          : changeItems(context, addressed, params)
        const waits = params.items !== undefined && present.pending_update !== null
        const changed: Subscription = {
          ...present,
          ...(cancel !== undefined &&
            (waits ? awaitCancel(context, present, cancel) : cancelAtPeriodEnd(present, cancel, context.now))),
          ...(method && { default_payment_method: method }),
          ...(params.description !== undefined && { description: params.description }),
          ...(params.pause_collection !== undefined && {
            pause_collection: pauseOf(context, params.pause_collection),
          }),
          metadata: mergeMetadata(subscription.metadata, params.metadata),
        }
        const stored = updated(
          context,
          'subscription',
          'customer.subscription.updated',
          withDetails(changed, params.cancellation_details),
        )
        if (params.pause_collection !== undefined && stored.status !== 'paused') scheduleSubscription(context, stored)
        return stored
      },
    ),
    route(
      'DELETE',
      '/v1/subscriptions/:id',
      { cancellation_details: detailFields, invoice_now: boolean(), prorate: boolean() },
      (context, params, id) => {
        const subscription = fromPath(context, 'subscription', id)
        requireRunning(subscription)
        if (params.invoice_now || params.prorate)
          throw errors.invalidParam(
            params.prorate ? 'prorate' : 'invoice_now',
            'This sandbox cancels without proration.',
          )
        return endSubscription(
          context,
          withDetails(subscription, params.cancellation_details),
          'cancellation_requested',
        )
      },
    ),
  ],
}
