import type { Context } from '../context.ts'
import { randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'

type Session = Kinds['checkout.session']

export type NewSession = {
  mode: 'payment' | 'setup' | 'subscription'
  /** Cents due for the first period, after what is taken off. */
  total: number
  off: number
  trial: boolean
  expiresAt: number
  successUrl: string
  cancelUrl: string | null
  customer: string | null
  customerEmail: string | null
  customerCreation: 'always' | 'if_required'
  clientReferenceId: string | null
  metadata: Record<string, string>
  locale: 'auto' | 'en' | null
  submitType: Session['submit_type']
  allowedTypes: string[] | null
  savesCard: 'disabled' | 'enabled' | null
}

/** An open session and the address of its page. */
export function newSession(context: Context, wanted: NewSession): Session {
  const id = `cs_test_${randomText(58)}`
  // A trial costs nothing today; the price of later periods stands on the price.
  const dueToday = wanted.mode === 'setup' ? null : wanted.trial ? 0 : wanted.total
  // Nothing is debited where a card is only saved.
  const delays = context.truth.delayedMethods && wanted.mode !== 'setup'
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: wanted.allowedTypes,
    amount_subtotal: dueToday === null ? null : dueToday + (wanted.trial ? 0 : wanted.off),
    amount_total: dueToday,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: wanted.cancelUrl,
    client_reference_id: wanted.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: context.now,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: wanted.customer,
    customer_account: null,
    customer_creation: wanted.customer ? null : wanted.customerCreation,
    customer_details: null,
    customer_email: wanted.customerEmail,
    discounts: [],
    expires_at: wanted.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: wanted.locale,
    managed_payments: null,
    metadata: wanted.metadata,
    mode: wanted.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: wanted.mode === 'payment' ? 'if_required' : 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: wanted.allowedTypes ?? (delays ? ['card', 'us_bank_account'] : ['card']),
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: wanted.savesCard && {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: wanted.savesCard,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: wanted.submitType,
    subscription: null,
    success_url: wanted.successUrl,
    total_details: { amount_discount: wanted.trial ? 0 : wanted.off, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${context.pagesUrl}/checkout/${id}`,
    wallet_options: null,
  }
}
