import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { fulfillCheckout } from '../checkout/fulfill-checkout.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { isCustomerGone, type Payer, withCustomer } from './customers.ts'

/** A card saved for one-click purchases. We know only the last four digits of its number. */
export type SavedCard = {
  readonly id: string
  /** Stripe's name: `visa`, `mastercard`, `amex` … */
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  /** Whether purchases use this card. */
  readonly isDefault: boolean
}

/**
 * The fan's saved cards, the one that purchases use first. A card that was only given for a subscription isn't among them: its holder
 * must agree before it is used for anything else.
 */
export async function listSavedCards(payments: Payments, fan: Pick<Payer, 'profileId'>): Promise<SavedCard[]> {
  const customerId = await knownCustomer(payments, fan)
  if (customerId === undefined) return []
  const { customers } = payments.stripe.api
  try {
    const [customer, { data: methods }] = await Promise.all([
      customers.retrieve(customerId),
      customers.listPaymentMethods(customerId, { type: 'card', limit: 20 }),
    ])
    if (customer.deleted) return []
    const preferred = idOf(customer.invoice_settings?.default_payment_method)
    const kept = methods
      .filter(({ id, allow_redisplay }) => allow_redisplay === 'always' || id === preferred)
      .toSorted((a, b) => Number(b.id === preferred) - Number(a.id === preferred))
    return kept.flatMap(({ id, card }, index) =>
      card
        ? [
            {
              id,
              brand: card.brand,
              last4: card.last4,
              expMonth: card.exp_month,
              expYear: card.exp_year,
              isDefault: index === 0,
            },
          ]
        : [],
    )
  } catch (error) {
    if (isCustomerGone(error)) return []
    throw error
  }
}

/** Creates the Stripe page that saves a card without a charge. @param returnUrl where it leads back to, with `card={session}`. */
export async function startSavingCard(payments: Payments, fan: Payer, returnUrl: string): Promise<string> {
  const { url } = await withCustomer(payments, fan, (customer) =>
    payments.stripe.api.checkout.sessions.create({
      mode: 'setup',
      customer,
      allowed_payment_method_types: ['card'],
      currency: 'usd',
      // Not encoded: Stripe looks for the literal braces.
      success_url: `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}card={CHECKOUT_SESSION_ID}`,
      cancel_url: returnUrl,
      metadata: { kind: 'card', profile_id: fan.profileId },
    }),
  )
  if (!url) throw new Error('a checkout session in setup mode has no page')
  return url
}

/** The fan returns from saving a card, possibly before its webhook arrives. @throws 404 if the session isn't this fan's. */
export async function settleSavedCard(payments: Payments, fan: Payer, sessionId: string): Promise<void> {
  const session = await payments.stripe.api.checkout.sessions.retrieve(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  })
  if (session?.metadata?.profile_id !== fan.profileId) throw paymentErrors.cardNotFound()
  await fulfillCheckout(payments, sessionId)
}

/** @throws 404 if the card isn't the fan's. A subscription paid with it keeps running until its next bill fails. */
export async function removeSavedCard(payments: Payments, fan: Payer, cardId: string): Promise<void> {
  const cards = await listSavedCards(payments, fan)
  if (!cards.some(({ id }) => id === cardId)) throw paymentErrors.cardNotFound()
  if (await paysSubscription(payments, fan, cardId)) throw paymentErrors.cardInUse()
  await payments.stripe.api.paymentMethods.detach(cardId)
}

async function paysSubscription(payments: Payments, fan: Payer, cardId: string): Promise<boolean> {
  const customer = await knownCustomer(payments, fan)
  if (customer === undefined) return false
  for await (const { default_payment_method } of payments.stripe.api.subscriptions.list({ customer, limit: 100 })) {
    if (idOf(default_payment_method) === cardId) return true
  }
  return false
}

async function knownCustomer(
  { database }: Payments,
  { profileId }: Pick<Payer, 'profileId'>,
): Promise<string | undefined> {
  const [known] = await database.service.rows<{ customer_id: string }>(sql`
    select customer_id from private.stripe_customers where profile_id = ${profileId}`)
  return known?.customer_id
}
