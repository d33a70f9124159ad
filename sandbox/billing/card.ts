import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import type { CardBehaviour } from './test-cards.ts'

type PaymentMethod = Kinds['payment_method']

export type CardDetails = {
  brand: string
  funding: string
  country: string
  last4: string
  expMonth: number
  expYear: number
  behaviour: CardBehaviour
}

/** Keeps a card: brand, last four digits and expiry. The number and the CVC are never stored. */
export function createCard(
  context: Context,
  card: CardDetails,
  holder: { email?: string; name?: string; country?: string; postalCode?: string } = {},
): PaymentMethod {
  const method = context.store.insert('payment_method', context.account, {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: {
        city: null,
        country: holder.country ?? null,
        line1: null,
        line2: null,
        postal_code: holder.postalCode ?? null,
        state: null,
      },
      email: holder.email ?? null,
      name: holder.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: card.behaviour.checks?.line1 ?? null,
        address_postal_code_check: holder.postalCode ? (card.behaviour.checks?.postalCode ?? 'pass') : null,
        cvc_check: card.behaviour.checks?.cvc ?? 'pass',
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      funding: card.funding,
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: context.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  })
  context.store.setHidden('payment_method', method.id, { behaviour: card.behaviour })
  return method
}

/** Its holder has said that it may be offered again for other payments. */
export function keepForLater(context: Context, method: PaymentMethod): PaymentMethod {
  return context.store.save<'payment_method'>({ ...method, allow_redisplay: 'always' })
}

/** Ties a card to a customer. The caller has made sure that the card may be attached. */
export function attachCard(context: Context, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method
  const attached = context.store.save<'payment_method'>({ ...method, customer })
  emit(context, 'payment_method.attached', attached)
  return attached
}

/** Lets go of a card: its customer has it no more, nor as the default for anything. */
export function detachCard(context: Context, method: PaymentMethod): PaymentMethod {
  const customer = method.customer ? context.store.find('customer', context.account, method.customer) : undefined
  if (customer?.invoice_settings?.default_payment_method === method.id)
    updated(context, 'customer', 'customer.updated', {
      ...customer,
      invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
    })
  const detached = context.store.save<'payment_method'>({ ...method, customer: null })
  emit(context, 'payment_method.detached', detached)
  return detached
}
