import type { Context } from '../context.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit } from '../webhooks/emit.ts'
import { beginDebit } from './bank-account.ts'
import { receivesTransfers } from './capability.ts'
import { captureCharge, failCharge } from './charge.ts'
import { openDispute } from './dispute.ts'
import { warnOfFraud } from './fraud-warning.ts'
import { authenticationRequired, type CardBehaviour, type Decline, destinationRefused } from './test-cards.ts'

type Intent = Kinds['payment_intent']

export type NewPayment = {
  amount: number
  customer: string | null
  description: string | null
  metadata?: Record<string, string>
  applicationFee?: number
  destination?: string
  receiptEmail?: string | null
  saveCard: boolean
  /** The connected account that settles the charge and whose name the buyer's bank shows. */
  onBehalfOf?: string
  descriptorSuffix?: string
  group?: string
}

/** An intent to take money. Nothing moves yet. */
export function createIntent(context: Context, payment: NewPayment): Intent {
  const id = newId('pi')
  return created(context, 'payment_intent', 'payment_intent.created', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: payment.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: payment.applicationFee ? payment.applicationFee : null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(24)}`,
    confirmation_method: 'automatic',
    created: context.now,
    currency: 'usd',
    customer: payment.customer,
    customer_account: null,
    description: payment.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: payment.metadata ?? {},
    next_action: null,
    on_behalf_of: payment.onBehalfOf ?? null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: payment.receiptEmail ?? null,
    review: null,
    setup_future_usage: payment.saveCard ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: payment.descriptorSuffix ?? null,
    status: 'requires_payment_method',
    transfer_data: payment.destination ? { destination: payment.destination } : null,
    transfer_group: payment.group ?? null,
  })
}

/**
 * How the buyer stands to the payment: before the form (`present`), back from their bank with its confirmation
 * (`authenticated`), there with a card that was saved before (`returning`), the same with a shop that can't wait for a
 * bank (`hurried`), or away, as at a renewal (`away`).
 */
export type Presence = 'present' | 'authenticated' | 'returning' | 'hurried' | 'away'

export type Outcome =
  | { status: 'succeeded'; intent: Intent }
  | { status: 'processing'; intent: Intent }
  | { status: 'requires_action'; intent: Intent }
  | { status: 'failed'; intent: Intent; decline: Decline }

/** Tries to take the money with a card. A refusal is an outcome, not an error: what it left behind must be kept. */
export function payIntent(context: Context, intent: Intent, methodId: string, presence: Presence): Outcome {
  const destination = intent.transfer_data?.destination
  if (destination && context.truth.refusedDestinations && !receivesTransfers(context, destination))
    return refuseIntent(context, intent, destinationRefused)
  const method = context.store.get('payment_method', methodId)
  const { behaviour } = context.store.hidden('payment_method', methodId)
  if (behaviour.debit) return { status: 'processing', intent: beginDebit(context, intent, methodId) }
  if (behaviour.isBlocked && behaviour.onCharge) return failIntent(context, intent, methodId, behaviour.onCharge)
  if (bankAsks(behaviour, presence))
    return presence === 'present' || presence === 'returning'
      ? awaitBank(context, intent, methodId)
      : failIntent(context, intent, methodId, authenticationRequired)
  if (behaviour.onCharge) return failIntent(context, intent, methodId, behaviour.onCharge)

  const charge = captureCharge(context, intent, method)
  const paid = context.store.save<'payment_intent'>({
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: methodId,
    status: 'succeeded',
    transfer_group: charge.transfer_group,
  })
  emit(context, 'payment_intent.succeeded', paid)
  if (behaviour.dispute) openDispute(context, context.store.get('charge', charge.id), behaviour.dispute)
  if (behaviour.fraudWarning) warnOfFraud(context, context.store.get('charge', charge.id))
  return { status: 'succeeded', intent: paid }
}

/** Notes a refused attempt on the intent, which then waits for another card. */
export function failIntent(context: Context, intent: Intent, methodId: string, decline: Decline): Outcome {
  const method = context.store.get('payment_method', methodId)
  const charge = failCharge(context, intent, method, decline)
  const failed = context.store.save<'payment_intent'>({
    ...intent,
    last_payment_error: {
      charge: charge.id,
      code: decline.code,
      decline_code: decline.declineCode,
      message: decline.message,
      type: 'card_error',
    },
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  })
  emit(context, 'payment_intent.payment_failed', failed)
  return { status: 'failed', intent: failed, decline }
}

/** Whether the card's bank wants to be asked. With a buyer who can't be, that is a refusal. */
function bankAsks({ authentication }: CardBehaviour, presence: Presence): boolean {
  if (presence === 'authenticated') return false
  if (authentication === 'first') return presence === 'present'
  if (authentication === 'on_session') return presence !== 'away'
  return authentication === 'always'
}

/** Stripe itself refuses the payment: there is no charge, and the intent says why. */
function refuseIntent(context: Context, intent: Intent, decline: Decline): Outcome {
  const refused = context.store.save<'payment_intent'>({
    ...intent,
    last_payment_error: { code: decline.code, message: decline.message, type: 'invalid_request_error' },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  })
  emit(context, 'payment_intent.payment_failed', refused)
  return { status: 'failed', intent: refused, decline }
}

function awaitBank(context: Context, intent: Intent, methodId: string): Outcome {
  const waiting = context.store.save<'payment_intent'>({
    ...intent,
    payment_method: methodId,
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    status: 'requires_action',
  })
  emit(context, 'payment_intent.requires_action', waiting)
  return { status: 'requires_action', intent: waiting }
}
