import type Stripe from 'stripe'
import type { WantedDiscount } from '../billing/discount.ts'
import type { CardBehaviour } from '../billing/test-cards.ts'
import type { Wire } from './wire.ts'

/** What the sandbox stores, by the name that Stripe gives it in `object`. */
export type Kinds = {
  account: Wire<Stripe.Account>
  account_link: StoredAccountLink
  application_fee: Wire<Stripe.ApplicationFee>
  balance_transaction: Wire<Stripe.BalanceTransaction>
  'billing_portal.session': Wire<Stripe.BillingPortal.Session>
  capability: Wire<Stripe.Capability>
  charge: Wire<Stripe.Charge>
  'checkout.session': Wire<Stripe.Checkout.Session>
  coupon: Wire<Stripe.Coupon>
  customer: Wire<Stripe.Customer>
  discount: Wire<Stripe.Discount>
  dispute: Wire<Stripe.Dispute>
  event: StoredEvent
  invoice: Wire<Stripe.Invoice>
  invoice_payment: Wire<Stripe.InvoicePayment>
  oauth_code: OAuthCode
  oauth_request: OAuthRequest
  payment_intent: Wire<Stripe.PaymentIntent>
  payment_method: Wire<Stripe.PaymentMethod>
  payout: Wire<Stripe.Payout>
  portal_entry: PortalEntry
  price: Wire<Stripe.Price>
  product: Wire<Stripe.Product>
  promotion_code: Wire<Stripe.PromotionCode>
  'radar.early_fraud_warning': Wire<Stripe.Radar.EarlyFraudWarning>
  refund: Wire<Stripe.Refund>
  setup_attempt: Wire<Stripe.SetupAttempt>
  setup_intent: Wire<Stripe.SetupIntent>
  subscription: Wire<Stripe.Subscription>
  topup: Wire<Stripe.Topup>
  transfer: Wire<Stripe.Transfer>
  transfer_reversal: Wire<Stripe.TransferReversal>
  webhook_endpoint: Wire<Stripe.WebhookEndpoint>
}

export type Kind = keyof Kinds

/** What the sandbox knows of an object and Stripe would not show. */
export type Hidden = {
  account_link: LinkHidden
  'checkout.session': SessionHidden
  /** What the form on an invoice's own page carries, and the connected account that gets its money. */
  invoice: { form_token: string; destination?: string | undefined }
  oauth_request: { form_token: string; code: string | null }
  payment_method: { behaviour: CardBehaviour }
  portal_entry: PortalHidden
  /** `pending`: prorations that come with the next bill. */
  subscription: {
    trial_notice_sent: boolean
    /** The end of the period whose renewal was announced. */
    announced?: number
    pending?: Wire<Stripe.InvoiceLineItem>[]
    update?: PendingUpdate
  }
  webhook_endpoint: { secret: string; connect: boolean; everything: boolean }
}

/** A change of a subscription that waits for its invoice to be paid. */
export type PendingUpdate = { invoice: string; changed: Wire<Stripe.Subscription> }

/** An account link has no id in the API: here the secret part of its address is its id. */
export type StoredAccountLink = {
  id: string
  object: 'account_link'
  account: string
  created: number
  expires_at: number
  refresh_url: string
  return_url: string
}

export type LinkHidden = { form_token: string; opened_at: number | null; completed: boolean }

/** A way into the billing portal; its id is the secret part of the address. */
export type PortalEntry = {
  id: string
  object: 'portal_entry'
  session: string
  customer: string
  return_url: string | null
  created: number
}

/** `attempt` is a card that waits for its bank before it is kept. */
export type PortalHidden = {
  form_token: string
  opened_at: number | null
  attempt: string | null
  /** What the next page says of the last press. */
  notice?: { text: string; wrong: boolean }
}

/** Somebody was sent here to connect an account. */
export type OAuthRequest = {
  id: string
  object: 'oauth_request'
  created: number
  redirect_uri: string
  state: string | null
}

/** What the platform exchanges for the account, once and within minutes. */
export type OAuthCode = { id: string; object: 'oauth_code'; created: number; account: string; used: boolean }

/** Who fills in the checkout page. */
export type Buyer = { email: string; name: string; country: string; postalCode: string }

export type SessionHidden = {
  form_token: string
  items: { id: string; price: string; quantity: number }[]
  payment: {
    application_fee_amount?: number
    destination?: string
    metadata: Record<string, string>
    description?: string
    onBehalfOf?: string
    descriptorSuffix?: string
    group?: string
    save_card: boolean
    /** The page offers to keep the card for faster payments. */
    offer_to_save: boolean
  }
  subscription: {
    application_fee_percent?: number
    destination?: string
    trial_days?: number
    discount?: WantedDiscount
    metadata: Record<string, string>
    description?: string
  }
  setup: { metadata: Record<string, string>; description?: string }
  /** The attempt that waits for the buyer's bank, from the card form until the authentication step. */
  attempt: { payment_method: string; buyer: Buyer; keep: boolean } | null
  /** Made at the first attempt and kept for the next, so that a session has one of each. */
  payment_intent: string | null
  customer: string | null
}

export type StoredEvent = {
  id: string
  object: 'event'
  account?: string
  api_version: string
  created: number
  data: { object: object; previous_attributes?: object }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}
