import { tellInvoice } from '../billing/bank-debit.ts'
import { createCard } from '../billing/card.ts'
import { createIntent, payIntent } from '../billing/payment.ts'
import { tokens } from '../billing/test-cards.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import {
  amount,
  array,
  boolean,
  email,
  integer,
  metadata,
  object,
  oneOf,
  type Params,
  required,
  string,
  usd,
} from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit } from '../webhooks/emit.ts'
import { requireAccount } from './accounts.ts'
import { requireDestination } from './destination.ts'

const createFields = {
  amount: required(amount()),
  currency: required(usd()),
  allowed_payment_method_types: array(oneOf('card')),
  application_fee_amount: integer({ min: 0 }),
  confirm: boolean(),
  customer: string(),
  description: string(1000),
  error_on_requires_action: boolean(),
  metadata: metadata(),
  off_session: boolean(),
  payment_method: string(),
  receipt_email: email(),
  on_behalf_of: string(),
  setup_future_usage: oneOf('off_session', 'on_session'),
  statement_descriptor_suffix: string(22),
  transfer_data: object({ destination: required(string()) }),
  transfer_group: string(255),
}

type Create = Params<typeof createFields>

function create(context: Context, params: Create): Kinds['payment_intent'] {
  if (context.account)
    throw errors.state(
      'This sandbox takes payments on the platform, with a destination; not as direct charges on a connected account.',
    )
  if (params.customer) fromParam(context, 'customer', params.customer, 'customer')
  if (params.on_behalf_of) requireAccount(context, params.on_behalf_of)
  if (params.transfer_data) requireDestination(context, params.transfer_data.destination, 'transfer_data[destination]')
  const fee = params.application_fee_amount
  if (fee !== undefined && !params.transfer_data)
    throw errors.invalidParam(
      'application_fee_amount',
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).',
    )
  if (fee !== undefined && fee > params.amount)
    throw errors.invalidParam('application_fee_amount', 'Your application fee cannot be larger than the charge amount.')
  for (const name of ['off_session', 'error_on_requires_action'] as const)
    if (params[name] !== undefined && !params.confirm)
      throw errors.invalidParam(name, `You can only set \`${name}\` when \`confirm\` is true.`)
  const method = params.payment_method && ownCard(context, params.payment_method, params.customer)
  const intent = createIntent(context, {
    amount: params.amount,
    customer: params.customer ?? null,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    applicationFee: fee,
    destination: params.transfer_data?.destination,
    receiptEmail: params.receipt_email,
    saveCard: params.setup_future_usage !== undefined,
    onBehalfOf: params.on_behalf_of,
    descriptorSuffix: params.statement_descriptor_suffix,
    group: params.transfer_group,
  })
  if (!params.confirm) return intent
  if (!method) throw missingMethod()
  return confirm(context, intent, method, params)
}

const missingMethod = () =>
  errors.state(
    `You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.`,
    'payment_intent_unexpected_state',
  )

/** A card of this customer. Another's is not told from one that is not there. */
function ownCard(context: Context, id: string, customer: string | undefined): string {
  // `pm_card_visa` and its kin are Stripe's test tokens: paying with one makes a card of its own.
  const token = tokens[id]
  if (token) return createCard(context, token).id
  const method = fromParam(context, 'payment_method', id, 'payment_method')
  if (!method.customer || method.customer !== customer)
    throw errors.state(
      'The provided PaymentMethod cannot be attached. To reuse a PaymentMethod, you must attach it to a Customer first.',
      'payment_method_unexpected_state',
      'payment_method',
    )
  return method.id
}

/** A refusal of the card is an error of the request; what it left behind stays, as at Stripe. */
function confirm(
  context: Context,
  intent: Kinds['payment_intent'],
  method: string,
  { off_session, error_on_requires_action }: Pick<Create, 'error_on_requires_action' | 'off_session'>,
): Kinds['payment_intent'] {
  const outcome = payIntent(
    context,
    intent,
    method,
    off_session ? 'away' : error_on_requires_action ? 'hurried' : 'returning',
  )
  if (outcome.status === 'failed') throw errors.cardDeclined(outcome.decline, outcome.intent)
  if (outcome.status === 'succeeded') tellInvoice(context, outcome.intent, true)
  return outcome.intent
}

export const paymentIntents: Resource = {
  kind: 'payment_intent',
  expandable: ['customer', 'latest_charge', 'payment_method', 'transfer_data.destination'],
  routes: [
    route('POST', '/v1/payment_intents', createFields, create),
    route('GET', '/v1/payment_intents', { ...pagingFields, customer: string() }, (context, { customer, ...paging }) =>
      listPage(context, 'payment_intent', '/v1/payment_intents', paging, { customer }),
    ),
    route(
      'POST',
      '/v1/payment_intents/:id/confirm',
      { error_on_requires_action: boolean(), off_session: boolean(), payment_method: string() },
      (context, params, id) => {
        const intent = fromPath(context, 'payment_intent', id)
        if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation')
          throw errors.state(
            `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
            'payment_intent_unexpected_state',
          )
        if (!params.payment_method) throw missingMethod()
        return confirm(context, intent, ownCard(context, params.payment_method, intent.customer ?? undefined), params)
      },
    ),
    route(
      'POST',
      '/v1/payment_intents/:id/cancel',
      { cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer') },
      (context, { cancellation_reason }, id) => {
        const intent = fromPath(context, 'payment_intent', id)
        if (!/^requires_/.test(intent.status))
          throw errors.state(
            `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
            'payment_intent_unexpected_state',
          )
        const canceled = context.store.save<'payment_intent'>({
          ...intent,
          canceled_at: context.now,
          cancellation_reason: cancellation_reason ?? null,
          next_action: null,
          status: 'canceled',
        })
        emit(context, 'payment_intent.canceled', canceled)
        return canceled
      },
    ),
    route('GET', '/v1/payment_intents/:id', {}, (context, _params, id) => fromPath(context, 'payment_intent', id)),
  ],
}
