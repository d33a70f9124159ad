import type { Context } from '../context.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit } from '../webhooks/emit.ts'
import { attachCard } from './card.ts'

type SetupIntent = Kinds['setup_intent']

/** Keeps a card for later payments: the intent that says so, and the card tied to its customer. No money moves. */
export function saveCard(
  context: Context,
  wanted: { customer: string; methodId: string; metadata?: Record<string, string>; description?: string | null },
): SetupIntent {
  const { customer, methodId, metadata = {}, description = null } = wanted
  const intent = created(context, 'setup_intent', 'setup_intent.created', {
    ...newSetupIntent(context.now, customer),
    metadata,
    description,
  })
  attachCard(context, context.store.get('payment_method', methodId), customer)
  const attempt = context.store.insert('setup_attempt', context.account, newAttempt(context.now, intent, methodId))
  const done = context.store.save<'setup_intent'>({
    ...intent,
    latest_attempt: attempt.id,
    payment_method: methodId,
    status: 'succeeded',
  })
  emit(context, 'setup_intent.succeeded', done)
  return done
}

function newSetupIntent(now: number, customer: string): SetupIntent {
  const id = newId('seti')
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(24)}`,
    created: now,
    customer,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  }
}

const newAttempt = (now: number, intent: SetupIntent, method: string): Kinds['setup_attempt'] => ({
  id: newId('setatt'),
  object: 'setup_attempt',
  application: null,
  created: now,
  customer: intent.customer,
  customer_account: null,
  flow_directions: null,
  livemode: false,
  on_behalf_of: null,
  payment_method: method,
  payment_method_details: {
    card: {
      brand: null,
      checks: null,
      country: null,
      exp_month: null,
      exp_year: null,
      funding: null,
      last4: null,
      network: null,
      three_d_secure: null,
      wallet: null,
    },
    type: 'card',
  },
  setup_error: null,
  setup_intent: intent.id,
  status: 'succeeded',
  usage: 'off_session',
})
