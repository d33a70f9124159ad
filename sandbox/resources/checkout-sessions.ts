import { expireSession } from '../billing/checkout.ts'
import { offOf, readDiscount, type WantedDiscount } from '../billing/discount.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listOf, listPage, pagingFields } from '../http/paging.ts'
import {
  array,
  email,
  integer,
  metadata,
  object,
  oneOf,
  type Params,
  percent,
  required,
  string,
  url,
  usd,
} from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds, SessionHidden } from '../store/kinds.ts'
import { requireAccount } from './accounts.ts'
import { requireDestination } from './destination.ts'
import { type LineItem, lineItemFields, lineItemsOf, readLineItems, totalOf } from './line-items.ts'
import { newSession } from './new-session.ts'

const hour = 3600

const createFields = {
  mode: required(oneOf('payment', 'setup', 'subscription')),
  line_items: array(lineItemFields, { max: 20 }),
  success_url: required(url()),
  cancel_url: url(),
  allowed_payment_method_types: array(oneOf('card', 'us_bank_account')),
  billing_address_collection: oneOf('auto'),
  client_reference_id: string(200),
  currency: usd(),
  customer: string(),
  customer_creation: oneOf('always', 'if_required'),
  customer_email: email(),
  discounts: array(object({ coupon: string(), promotion_code: string() }), { max: 1 }),
  expires_at: integer({ min: 0 }),
  locale: oneOf('auto', 'en'),
  metadata: metadata(),
  payment_intent_data: object({
    application_fee_amount: integer({ min: 0 }),
    description: string(1000),
    metadata: metadata(),
    on_behalf_of: string(),
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor_suffix: string(22),
    transfer_data: object({ destination: required(string()) }),
    transfer_group: string(255),
  }),
  payment_method_collection: oneOf('always'),
  saved_payment_method_options: object({ payment_method_save: oneOf('disabled', 'enabled') }),
  setup_intent_data: object({ description: string(1000), metadata: metadata() }),
  submit_type: oneOf('auto', 'pay', 'donate', 'subscribe'),
  subscription_data: object({
    application_fee_percent: percent(),
    description: string(500),
    metadata: metadata(),
    transfer_data: object({ destination: required(string()) }),
    trial_period_days: integer({ min: 1, max: 730 }),
  }),
  ui_mode: oneOf('hosted_page'),
}

type Create = Params<typeof createFields>

/** Refuses what Stripe refuses: parts of another mode, two customers, fees without a destination. */
function requireCoherent(params: Create, total: number): void {
  if (params.mode === 'setup') requireSetupOnly(params)
  else if (params.setup_intent_data)
    throw errors.invalidParam('setup_intent_data', 'You can only pass `setup_intent_data` in `setup` mode.')
  if (params.mode === 'subscription' && params.payment_intent_data)
    throw errors.invalidParam('payment_intent_data', 'You can not pass `payment_intent_data` in `subscription` mode.')
  if (params.mode === 'subscription' && params.customer_creation)
    throw errors.invalidParam('customer_creation', '`customer_creation` can only be used in `payment` mode.')
  if (params.mode === 'payment' && params.subscription_data)
    throw errors.invalidParam('subscription_data', 'You can not pass `subscription_data` in `payment` mode.')
  if (params.customer && params.customer_email)
    throw errors.exclusive('customer_email', 'You may only specify one of these parameters: customer, customer_email.')
  const { application_fee_amount: fee, transfer_data } = params.payment_intent_data ?? {}
  if (fee !== undefined && !transfer_data)
    throw errors.invalidParam(
      'payment_intent_data[application_fee_amount]',
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a destination payment (using `payment_intent_data[transfer_data][destination]`).',
    )
  if (fee !== undefined && fee > total)
    throw errors.invalidParam(
      'payment_intent_data[application_fee_amount]',
      'Your application fee cannot be larger than the charge amount.',
    )
  if (params.subscription_data?.application_fee_percent !== undefined && !params.subscription_data.transfer_data)
    throw errors.invalidParam(
      'subscription_data[application_fee_percent]',
      'Can only apply an application_fee_percent to a subscription with a destination (using `subscription_data[transfer_data][destination]`).',
    )
}

function requireSetupOnly(params: Create): void {
  for (const name of [
    'line_items',
    'payment_intent_data',
    'saved_payment_method_options',
    'subscription_data',
    'submit_type',
  ] as const)
    if (params[name]) throw errors.invalidParam(name, `You can not pass \`${name}\` in \`setup\` mode.`)
  if (!params.currency && !params.allowed_payment_method_types) throw errors.missingParam('currency')
}

function discountOf(context: Context, params: Create, items: readonly LineItem[]): WantedDiscount | undefined {
  const [wanted] = params.discounts ?? []
  if (!wanted) return undefined
  if (params.mode !== 'subscription')
    throw errors.invalidParam('discounts', 'This sandbox takes discounts in `subscription` mode alone.')
  return readDiscount(
    context,
    wanted,
    items.map(({ price }) => price.product),
    params.customer,
  )
}

function expiryOf(context: Context, wanted: number | undefined): number {
  if (wanted === undefined) return context.now + 24 * hour
  if (wanted < context.now + hour / 2)
    throw errors.invalidParam(
      'expires_at',
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
    )
  if (wanted > context.now + 24 * hour)
    throw errors.invalidParam(
      'expires_at',
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
    )
  return wanted
}

const hiddenOf = (params: Create, items: LineItem[], discount?: WantedDiscount): SessionHidden => {
  const payment = params.payment_intent_data
  const subscription = params.subscription_data
  return {
    form_token: randomText(32),
    items: items.map((item) => ({ id: newId('li'), price: item.price.id, quantity: item.quantity })),
    payment: {
      application_fee_amount: payment?.application_fee_amount,
      destination: payment?.transfer_data?.destination,
      metadata: mergeMetadata({}, payment?.metadata),
      description: payment?.description,
      onBehalfOf: payment?.on_behalf_of,
      descriptorSuffix: payment?.statement_descriptor_suffix,
      group: payment?.transfer_group,
      save_card: payment?.setup_future_usage !== undefined,
      offer_to_save: params.saved_payment_method_options?.payment_method_save === 'enabled',
    },
    subscription: {
      application_fee_percent: subscription?.application_fee_percent,
      destination: subscription?.transfer_data?.destination,
      trial_days: subscription?.trial_period_days,
      ...(discount && { discount }),
      metadata: mergeMetadata({}, subscription?.metadata),
      description: subscription?.description,
    },
    setup: {
      metadata: mergeMetadata({}, params.setup_intent_data?.metadata),
      description: params.setup_intent_data?.description,
    },
    attempt: null,
    payment_intent: null,
    customer: null,
  }
}

function createSession(context: Context, params: Create): Kinds['checkout.session'] {
  if (context.account)
    throw errors.state(
      'This sandbox takes payments on the platform, with a destination; not as direct charges on a connected account.',
    )
  if (params.customer) fromParam(context, 'customer', params.customer, 'customer')
  for (const part of ['payment_intent_data', 'subscription_data'] as const) {
    const destination = params[part]?.transfer_data?.destination
    if (destination) requireDestination(context, destination, `${part}[transfer_data][destination]`)
  }
  const behalf = params.payment_intent_data?.on_behalf_of
  if (behalf) requireAccount(context, behalf)
  const { mode } = params
  const items = mode === 'setup' ? [] : readLineItems(context, mode, params.line_items ?? [])
  const full = totalOf(items)
  const discount = discountOf(context, params, items)
  const off = discount ? offOf(context.store.get('coupon', discount.coupon), full) : 0
  const total = full - off
  requireCoherent(params, total)
  if (total > 99_999_999) throw errors.amountTooLarge('line_items')

  const session = newSession(context, {
    mode: params.mode,
    total,
    off,
    trial: params.subscription_data?.trial_period_days !== undefined,
    expiresAt: expiryOf(context, params.expires_at),
    savesCard: params.saved_payment_method_options?.payment_method_save ?? null,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    customer: params.customer ?? null,
    customerEmail: params.customer_email ?? null,
    customerCreation: params.mode === 'payment' ? (params.customer_creation ?? 'if_required') : 'always',
    clientReferenceId: params.client_reference_id ?? null,
    metadata: mergeMetadata({}, params.metadata),
    locale: params.locale ?? null,
    submitType: params.submit_type ?? null,
    allowedTypes: params.allowed_payment_method_types ?? null,
  })
  context.store.insert('checkout.session', '', session)
  context.store.setHidden('checkout.session', session.id, hiddenOf(params, items, discount))
  context.store.schedule(session.id, session.expires_at)
  return session
}

export const checkoutSessions: Resource = {
  kind: 'checkout.session',
  expandable: ['customer', 'invoice', 'payment_intent', 'setup_intent', 'subscription'],
  includable: {
    line_items: (context, session) =>
      listOf(`/v1/checkout/sessions/${session.id}/line_items`, lineItemsOf(context, session.id)),
  },
  routes: [
    route('POST', '/v1/checkout/sessions', createFields, createSession),
    route(
      'GET',
      '/v1/checkout/sessions',
      {
        ...pagingFields,
        customer: string(),
        payment_intent: string(),
        status: oneOf('complete', 'expired', 'open'),
        subscription: string(),
      },
      (context, { customer, payment_intent, status, subscription, ...paging }) =>
        listPage(context, 'checkout.session', '/v1/checkout/sessions', paging, {
          customer,
          payment_intent,
          status,
          subscription,
        }),
    ),
    route('GET', '/v1/checkout/sessions/:id', {}, (context, _params, id) => fromPath(context, 'checkout.session', id)),
    route('GET', '/v1/checkout/sessions/:id/line_items', { limit: pagingFields.limit }, (context, _params, id) => {
      fromPath(context, 'checkout.session', id)
      return listOf(`/v1/checkout/sessions/${id}/line_items`, lineItemsOf(context, id))
    }),
    route('POST', '/v1/checkout/sessions/:id/expire', {}, (context, _params, id) => {
      const session = fromPath(context, 'checkout.session', id)
      if (session.status !== 'open')
        throw errors.state(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        )
      return expireSession(context, session)
    }),
  ],
}
