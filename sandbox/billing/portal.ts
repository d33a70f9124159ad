import type { Context } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'
import { type CardDetails, createCard, detachCard } from './card.ts'
import { collectInvoice } from './invoice.ts'
import { saveCard } from './setup.ts'
import { cancelAtPeriodEnd, settleSubscription } from './subscription.ts'
import { authenticationFailed, type Decline } from './test-cards.ts'

type Customer = Kinds['customer']
type Method = Kinds['payment_method']

/** What a customer sees of themselves in the portal. */
export type Account = {
  customer: Customer
  cards: Method[]
  /** What comes first: the card that was chosen, else the one that all subscriptions are paid with. */
  defaultCard: string | null
  subscriptions: Kinds['subscription'][]
  invoices: Kinds['invoice'][]
}

export function readAccount(context: Context, customerId: string): Account {
  const customer = context.store.get('customer', customerId)
  const theirs = { account: '', where: { customer: customerId }, limit: 100 }
  const subscriptions = context.store.list('subscription', theirs).data.filter(({ ended_at }) => ended_at === null)
  return {
    customer,
    cards: context.store.list('payment_method', theirs).data,
    defaultCard: defaultOf(customer, subscriptions),
    subscriptions,
    invoices: context.store.list('invoice', { ...theirs, limit: 24 }).data.filter(({ total }) => total > 0),
  }
}

function defaultOf({ invoice_settings: settings }: Customer, subscriptions: Kinds['subscription'][]): string | null {
  const paying = new Set(subscriptions.map(({ default_payment_method }) => default_payment_method))
  return settings?.default_payment_method ?? (paying.size === 1 ? ([...paying][0] ?? null) : null)
}

export type Outcome = { done: string } | { authenticate: string } | { declined: Decline } | { refused: string }

/** Saves a new card, after the bank's confirmation if it requires one. */
export function addCard(
  context: Context,
  customer: string,
  card: CardDetails,
  holder: { email: string; name: string; country: string; postalCode: string },
): Outcome {
  const method = createCard(context, card, holder)
  if (card.behaviour.onAttach) return { declined: card.behaviour.onAttach }
  if (card.behaviour.authentication) return { authenticate: method.id }
  return keep(context, customer, method.id)
}

export function answerBank(context: Context, customer: string, methodId: string, confirmed: boolean): Outcome {
  return confirmed ? keep(context, customer, methodId) : { declined: authenticationFailed }
}

function keep(context: Context, customerId: string, methodId: string): Outcome {
  saveCard(context, { customer: customerId, methodId })
  return makeDefault(context, customerId, methodId, 'Your card was saved and is used from now on.')
}

/** The card for all that follows: later purchases, and the subscriptions that run. */
export function makeDefault(
  context: Context,
  customerId: string,
  methodId: string,
  done = 'This card is used from now on.',
): Outcome {
  const account = readAccount(context, customerId)
  if (!account.cards.some(({ id }) => id === methodId)) return { refused: 'This card is not yours any more.' }
  updated(context, 'customer', 'customer.updated', {
    ...account.customer,
    invoice_settings: { ...account.customer.invoice_settings, default_payment_method: methodId },
  })
  for (const subscription of account.subscriptions)
    updated(context, 'subscription', 'customer.subscription.updated', {
      ...subscription,
      default_payment_method: methodId,
    })
  return { done }
}

export function removeCard(context: Context, customerId: string, methodId: string): Outcome {
  const { cards, subscriptions } = readAccount(context, customerId)
  const card = cards.find(({ id }) => id === methodId)
  if (!card) return { refused: 'This card is not yours any more.' }
  if (subscriptions.some(({ default_payment_method }) => default_payment_method === methodId))
    return { refused: 'A subscription is paid with this card. Choose another card first.' }
  detachCard(context, card)
  return { done: 'Your card was removed.' }
}

export function setCanceled(context: Context, customerId: string, id: string, cancel: boolean): Outcome {
  const subscription = readAccount(context, customerId).subscriptions.find((own) => own.id === id)
  if (!subscription) return { refused: 'This subscription has ended.' }
  updated(context, 'subscription', 'customer.subscription.updated', {
    ...subscription,
    ...cancelAtPeriodEnd(subscription, cancel, context.now),
  })
  return { done: cancel ? 'Your subscription ends with the period you paid for.' : 'Your subscription goes on.' }
}

/** Pays an open invoice with the subscription's card, now rather than at the next attempt. */
export function payInvoice(context: Context, customerId: string, id: string): Outcome {
  const invoice = readAccount(context, customerId).invoices.find((own) => own.id === id)
  const subscriptionId = invoice?.parent?.subscription_details?.subscription
  if (invoice?.status !== 'open' || !subscriptionId) return { refused: 'This invoice is not open any more.' }
  const outcome = collectInvoice(context, invoice, context.store.get('subscription', subscriptionId), 'authenticated')
  if (!outcome.paid) return { declined: outcome.decline }
  settleSubscription(context, context.store.get('subscription', subscriptionId), invoice.id)
  return { done: 'Thank you. The invoice is paid.' }
}
