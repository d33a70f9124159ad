import type { Account } from '../billing/portal.ts'
import { periodOf } from '../billing/subscription.ts'
import type { Context } from '../context.ts'
import type { Kinds, PortalHidden } from '../store/kinds.ts'
import type { CheckoutField } from './card-input.ts'
import { cardFields } from './checkout-view.ts'
import { dateOf, dollars, everyOf } from './checkout-words.ts'
import { errorSummary, type FormState } from './field.ts'
import { type Html, html } from './html.ts'

export type PortalView = {
  context: Context
  account: Account
  returnUrl: string | null
  action: string
  formToken: string
  /** The form of a new card. */
  state: FormState<CheckoutField>
  declined?: string
  /** What came of the last press. */
  notice: PortalHidden['notice']
}

export const portalBody = (view: PortalView): Html => html`
<main class="narrow">
${view.returnUrl && html`<a class="back" href="${view.returnUrl}"><span aria-hidden="true">←</span> Back to ${view.context.merchant}</a>`}
<p class="merchant">${view.context.merchant}</p>
<h1>Your billing</h1>
<p class="lead">${view.account.customer.email}</p>
${view.notice && html`<p class="alert${view.notice.wrong ? '' : ' good'}" role="${view.notice.wrong ? 'alert' : 'status'}">${view.notice.text}</p>`}
<section class="panel" aria-labelledby="subscriptions">
<h2 id="subscriptions">Subscriptions</h2>
${view.account.subscriptions.length === 0 && html`<p class="per">You have no subscription.</p>`}
<ul class="rows">${view.account.subscriptions.map((subscription) => subscriptionRow(view, subscription))}</ul>
</section>
<section class="panel" aria-labelledby="cards">
<h2 id="cards">Cards</h2>
${view.account.cards.length === 0 && html`<p class="per">No card is saved.</p>`}
<ul class="rows">${view.account.cards.map((card) => cardRow(view, card))}</ul>
<details class="more"${isTyping(view) && html` open`}>
<summary>Add a card</summary>
${view.declined && html`<p class="alert" role="alert"><strong>${view.declined}</strong> Nothing was charged. Try another card.</p>`}
${errorSummary(view.state.errors, 'No card was saved.')}
<form method="post" action="${view.action}" novalidate data-once>
<input type="hidden" name="form_token" value="${view.formToken}">
<input type="hidden" name="action" value="add-card">
${cardFields(view.state, view.account.customer.email)}
<button class="button" type="submit" data-busy="Saving…">Save card</button>
</form>
</details>
</section>
<section class="panel" aria-labelledby="invoices">
<h2 id="invoices">Invoices</h2>
${view.account.invoices.length === 0 && html`<p class="per">There is no invoice yet.</p>`}
<ul class="rows">${view.account.invoices.map((invoice) => invoiceRow(view, invoice))}</ul>
</section>
</main>`

const isTyping = ({ state, declined }: PortalView): boolean =>
  declined !== undefined || Object.keys(state.errors).length > 0

/** A button with a form of its own: the page works without JavaScript. */
const press = (
  { action, formToken }: PortalView,
  name: string,
  target: string,
  label: string,
  about: string,
): Html => html`
<form method="post" action="${action}" data-once>
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="target" value="${target}">
<button class="button quiet small" type="submit" name="action" value="${name}" aria-label="${label}: ${about}">${label}</button>
</form>`

const words: Record<string, string> = { active: 'Active', trialing: 'Free trial', past_due: 'Payment failed' }

function subscriptionRow(view: PortalView, subscription: Kinds['subscription']): Html {
  const item = subscription.items.data[0]
  const name = item ? view.context.store.get('product', item.price.product).name : 'Subscription'
  const { end } = periodOf(subscription)
  const ends = subscription.cancel_at_period_end
  const price = item?.price.recurring
    ? `${dollars(item.price.unit_amount ?? 0)} per ${everyOf(item.price.recurring)}`
    : ''
  const when = ends ? `Ends on ${dateOf(end)}` : `Renews on ${dateOf(end)}`
  return html`<li>
<div><strong>${name}</strong> <span class="tag">${words[subscription.status] ?? subscription.status}</span>
<p class="per">${price} · ${when}</p></div>
<div class="presses">${ends ? press(view, 'resume', subscription.id, 'Keep it', name) : press(view, 'cancel', subscription.id, 'Cancel', name)}</div>
</li>`
}

const brands: Record<string, string> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  visa: 'Visa',
  discover: 'Discover',
}

function cardRow(view: PortalView, { id, card }: Kinds['payment_method']): Html {
  const brand = brands[card?.brand ?? ''] ?? 'Card'
  const isDefault = view.account.defaultCard === id
  const comesAfter = !isDefault && view.account.cards.length > 1
  const about = `${brand} ending in ${card?.last4}`
  return html`<li>
<div><strong>${brand} ···· ${card?.last4}</strong> ${isDefault && html`<span class="tag">Default</span>`}
<p class="per">Expires ${String(card?.exp_month).padStart(2, '0')} / ${String(card?.exp_year).slice(-2)}</p></div>
<div class="presses">${comesAfter && press(view, 'default-card', id, 'Use first', about)}${press(view, 'remove-card', id, 'Remove', about)}</div>
</li>`
}

function invoiceRow(view: PortalView, invoice: Kinds['invoice']): Html {
  const status = { paid: 'Paid', open: 'Open', void: 'Void' }[String(invoice.status)] ?? String(invoice.status)
  return html`<li>
<div><strong>${dollars(invoice.total)}</strong> <span class="tag">${status}</span>
<p class="per">${invoice.number} · ${dateOf(invoice.created)}</p></div>
<div class="presses">${invoice.status === 'open' && press(view, 'pay', invoice.id, 'Pay now', String(invoice.number))}</div>
</li>`
}
