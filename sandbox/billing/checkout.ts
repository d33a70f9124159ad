import type { Context } from '../context.ts'
import type { Buyer, Kinds, SessionHidden } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import { createBankAccount } from './bank-account.ts'
import { attachCard, type CardDetails, createCard, keepForLater } from './card.ts'
import { createCustomer } from './customer.ts'
import { stillHolds } from './discount.ts'
import { feeOf } from './fee.ts'
import { createIntent, failIntent, type Presence, payIntent } from './payment.ts'
import { saveCard } from './setup.ts'
import { startSubscription } from './subscription.ts'
import { authenticationFailed, type Decline } from './test-cards.ts'

type Intent = Kinds['payment_intent']
type Session = Kinds['checkout.session']

export type CheckoutOutcome =
  | { status: 'complete'; session: Session }
  | { status: 'authenticate' }
  | { status: 'declined'; decline: Decline }
  | { status: 'expired'; session: Session }

/**
 * Pays an open session with a card that the buyer has typed in.
 * @param keep the buyer has ticked that the card may be used again.
 */
export function submitCheckout(
  context: Context,
  session: Session,
  card: CardDetails,
  buyer: Buyer,
  keep: boolean,
): CheckoutOutcome {
  const { discount } = context.store.hidden('checkout.session', session.id).subscription
  // The price that the page names is not to be had any more.
  if (discount && !stillHolds(context, discount, session.customer))
    return { status: 'expired', session: expireSession(context, session) }
  const method = createCard(context, card, buyer)
  return attempt(context, session, { methodId: method.id, buyer, keep }, 'present')
}

/** Pays an open session from a bank account, which takes days: the session is complete and unpaid until then. */
export function submitDebit(context: Context, session: Session, number: string, buyer: Buyer): CheckoutOutcome {
  const method = createBankAccount(context, number, buyer)
  return attempt(context, session, { methodId: method.id, buyer, keep: false }, 'present')
}

/** What the page offers: the shop decides, else the sandbox's own settings, in which bank accounts are on. */
export const offersDebits = ({ truth }: Context, session: Session): boolean =>
  session.mode !== 'setup' &&
  (session.allowed_payment_method_types?.includes('us_bank_account') ??
    (truth.delayedMethods && session.payment_method_types.includes('us_bank_account')))

/** The buyer is back from the bank's page. */
export function answerAuthentication(context: Context, session: Session, confirmed: boolean): CheckoutOutcome {
  const hidden = context.store.hidden('checkout.session', session.id)
  const waiting = hidden.attempt
  if (!waiting) return { status: 'declined', decline: authenticationFailed }
  context.store.setHidden('checkout.session', session.id, { ...hidden, attempt: null })
  const { payment_method: methodId, buyer, keep } = waiting
  if (confirmed) return attempt(context, session, { methodId, buyer, keep }, 'authenticated')
  if (hidden.payment_intent)
    failIntent(context, context.store.get('payment_intent', hidden.payment_intent), methodId, authenticationFailed)
  return { status: 'declined', decline: authenticationFailed }
}

/** A card on the way to paying: whose, and whether it is kept. */
type Tried = { methodId: string; buyer: Buyer; keep: boolean }

function attempt(context: Context, session: Session, tried: Tried, presence: Presence): CheckoutOutcome {
  const { methodId, buyer, keep } = tried
  const customer = customerOf(context, session, buyer)
  const hidden = context.store.hidden('checkout.session', session.id)
  const wait = (): CheckoutOutcome => {
    const fresh = context.store.hidden('checkout.session', session.id)
    context.store.setHidden('checkout.session', session.id, {
      ...fresh,
      attempt: { payment_method: methodId, buyer, keep },
    })
    return { status: 'authenticate' }
  }
  const { behaviour } = context.store.hidden('payment_method', methodId)
  // Nothing is due today at the beginning of a trial, or where a card is only saved.
  if (!session.amount_total) {
    if (behaviour.onAttach) return { status: 'declined', decline: behaviour.onAttach }
    if (behaviour.authentication && presence === 'present') return wait()
    return complete(context, session, { ...tried, customer, intent: null })
  }
  const outcome = payIntent(context, intentOf(context, session, hidden, customer, buyer), methodId, presence)
  if (outcome.status === 'requires_action') return wait()
  if (outcome.status === 'failed') return { status: 'declined', decline: outcome.decline }
  return complete(context, session, { ...tried, customer, intent: outcome.intent })
}

type Paid = Tried & { customer: string | null; intent: Intent | null }

function complete(context: Context, session: Session, paid: Paid): CheckoutOutcome {
  const { methodId, buyer, keep, customer, intent } = paid
  const hidden = context.store.hidden('checkout.session', session.id)
  const wanted = keep && hidden.payment.offer_to_save
  const keepsCard = session.mode === 'subscription' || hidden.payment.save_card || wanted
  if (customer && keepsCard) attachCard(context, context.store.get('payment_method', methodId), customer)
  if (wanted) keepForLater(context, context.store.get('payment_method', methodId))
  const saved =
    session.mode === 'setup' && customer ? saveCard(context, { customer, methodId, ...hidden.setup }) : undefined
  const started =
    session.mode === 'subscription' && customer ? subscribe(context, hidden, customer, methodId, intent) : undefined
  const done = context.store.save<'checkout.session'>({
    ...session,
    customer,
    customer_details: detailsOf(buyer),
    invoice: started?.invoice.id ?? null,
    payment_intent: started ? null : (intent?.id ?? null),
    payment_status: paymentStatusOf(intent),
    setup_intent: saved?.id ?? null,
    status: 'complete',
    subscription: started?.subscription.id ?? null,
    url: null,
  })
  context.store.schedule(session.id, null)
  emit(context, 'checkout.session.completed', done)
  return { status: 'complete', session: done }
}

function paymentStatusOf(intent: Intent | null): Session['payment_status'] {
  if (!intent) return 'no_payment_required'
  return intent.status === 'processing' ? 'unpaid' : 'paid'
}

function subscribe(
  context: Context,
  hidden: SessionHidden,
  customer: string,
  paymentMethod: string,
  intent: Intent | null,
) {
  const { application_fee_percent, trial_days, discount, ...rest } = hidden.subscription
  return startSubscription(
    context,
    {
      ...rest,
      customer,
      paymentMethod,
      items: hidden.items,
      trialDays: trial_days,
      discount,
      applicationFeePercent: application_fee_percent,
    },
    intent,
  )
}

function intentOf(
  context: Context,
  session: Session,
  hidden: SessionHidden,
  customer: string | null,
  buyer: Buyer,
): Intent {
  if (hidden.payment_intent) return context.store.get('payment_intent', hidden.payment_intent)
  const amount = session.amount_total ?? 0
  const { application_fee_percent: percent, destination } = hidden.subscription
  const intent = createIntent(
    context,
    session.mode === 'subscription'
      ? {
          amount,
          customer,
          description: 'Subscription creation',
          ...(percent && { applicationFee: feeOf(amount, percent) }),
          destination,
          receiptEmail: buyer.email,
          saveCard: true,
        }
      : {
          amount,
          customer,
          description: hidden.payment.description ?? null,
          metadata: hidden.payment.metadata,
          applicationFee: hidden.payment.application_fee_amount,
          destination: hidden.payment.destination,
          receiptEmail: buyer.email,
          saveCard: hidden.payment.save_card,
          onBehalfOf: hidden.payment.onBehalfOf,
          descriptorSuffix: hidden.payment.descriptorSuffix,
          group: hidden.payment.group,
        },
  )
  context.store.setHidden('checkout.session', session.id, { ...hidden, payment_intent: intent.id })
  return intent
}

/** The session's customer: given with it, made at an earlier attempt, made now, or nobody for a guest's payment. */
function customerOf(context: Context, session: Session, buyer: Buyer): string | null {
  if (session.customer) return session.customer
  const hidden = context.store.hidden('checkout.session', session.id)
  if (hidden.customer) {
    const customer = context.store.get('customer', hidden.customer)
    updated(context, 'customer', 'customer.updated', { ...customer, email: buyer.email, name: buyer.name })
    return customer.id
  }
  const needed = session.mode !== 'payment' || session.customer_creation === 'always' || hidden.payment.save_card
  if (!needed) return null
  const customer = createCustomer(context, buyer)
  context.store.setHidden('checkout.session', session.id, { ...hidden, customer: customer.id })
  return customer.id
}

const detailsOf = (buyer: Buyer): NonNullable<Session['customer_details']> => ({
  address: { city: null, country: buyer.country, line1: null, line2: null, postal_code: buyer.postalCode, state: null },
  business_name: null,
  email: buyer.email,
  individual_name: null,
  name: buyer.name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
})

/** Closes a session that nobody has paid. */
export function expireSession(context: Context, session: Session): Session {
  context.store.schedule(session.id, null)
  const expired = context.store.save<'checkout.session'>({ ...session, status: 'expired', url: null })
  emit(context, 'checkout.session.expired', expired)
  return expired
}

/** Where the buyer goes after paying. */
export const successUrl = (session: Session): string =>
  (session.success_url ?? '').replaceAll(/\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D/gi, session.id)
