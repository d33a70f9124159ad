import { offersDebits } from '../billing/checkout.ts'
import type { Context } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import type { CheckoutField } from './card-input.ts'
import { dollars, wordsOf } from './checkout-words.ts'
import { countries } from './countries.ts'
import { checkbox, errorSummary, type FormState, field, select } from './field.ts'
import { type Html, html } from './html.ts'

type Session = Kinds['checkout.session']

export type CheckoutView = {
  context: Context
  session: Session
  state: FormState<CheckoutField>
  /** Why the last attempt was refused. */
  declined?: string
  fixedEmail: string | null
  base: string
}

export function checkoutBody(view: CheckoutView): Html {
  const { context, session } = view
  const words = wordsOf(context, session)
  return html`
<div class="checkout">
<section class="summary" aria-label="Order summary">
${session.cancel_url && html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> Back</a>`}
<p class="merchant">${context.merchant}</p>
<h1>${words.heading}</h1>
${words.about && html`<p class="later">${words.about}</p>`}
${session.mode !== 'setup' && orderLines(words)}
${words.later && html`<p class="later">${words.later}</p>`}
</section>
<main class="panel">
<h2>${session.mode === 'setup' ? 'Your card' : 'Pay by card'}</h2>
${view.declined && html`<p class="alert" role="alert"><strong>${view.declined}</strong> Nothing was charged. Try another card.</p>`}
${errorSummary(view.state.errors, 'Nothing was charged.')}
<form method="post" action="${view.base}/checkout/${session.id}" novalidate data-once>
<input type="hidden" name="form_token" value="${context.store.hidden('checkout.session', session.id).form_token}">
${cardFields(view.state, view.fixedEmail)}
${offersToSave(view) && checkbox(view.state, { name: 'keep', label: `Save this card with ${context.merchant} for faster payments`, optional: true })}
<button class="button" type="submit" data-busy="Processing…">${words.button}</button>
</form>
${offersDebits(context, session) && debitForm(view, words.button)}
<p class="fine">${words.consent}In the sandbox, no bank is contacted and no money moves.</p>
</main>
</div>`
}

/** The other way to pay: from a bank account, whose bank answers in days. */
const debitForm = ({ context, session, base, fixedEmail }: CheckoutView, button: string): Html => html`
<h2>Or pay from a US bank account</h2>
<form method="post" action="${base}/checkout/${session.id}" data-once>
<input type="hidden" name="form_token" value="${context.store.hidden('checkout.session', session.id).form_token}">
<input type="hidden" name="method" value="us_bank_account">
${fixedEmail === null && html`<label for="debit-email">Email</label><input id="debit-email" name="email" type="email" autocomplete="email" required>`}
<label for="debit-name">Name on the account</label><input id="debit-name" name="name" autocomplete="name" required>
<label for="debit-account">Account number</label><select id="debit-account" name="account">
<option value="000123456789">•••• 6789 (pays after four days)</option>
<option value="000222222227">•••• 2227 (fails after four days)</option>
</select>
<button class="button quiet" type="submit" data-busy="Processing…">${button} from your bank</button>
</form>`

const orderLines = (words: ReturnType<typeof wordsOf>): Html => html`
<p class="price"><span class="figure">${words.price}</span> <span class="per">${words.per}</span></p>
<dl class="lines">
${words.itemised && words.items.map((item) => html`<div><dt>${item.description}${(item.quantity ?? 1) > 1 && html` × ${item.quantity}`}</dt><dd>${dollars(item.amount_total)}</dd></div>`)}
${words.off > 0 && html`<div><dt>${words.discount}</dt><dd>−${dollars(words.off)}</dd></div>`}
<div class="total"><dt>Due today</dt><dd>${dollars(words.dueToday)}</dd></div>
</dl>`

const offersToSave = ({ context, session }: CheckoutView): boolean =>
  context.store.hidden('checkout.session', session.id).payment.offer_to_save

/** The fields of a card and its holder; the portal asks for the same. */
export const cardFields = (state: FormState<CheckoutField>, fixedEmail: string | null): Html => html`
${field(state, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', inputmode: 'email', readonly: fixedEmail !== null })}
${field(state, {
  name: 'number',
  label: 'Card number',
  autocomplete: 'cc-number',
  inputmode: 'numeric',
  placeholder: '1234 1234 1234 1234',
  maxlength: 23,
  format: 'card',
})}
<div class="pair">
${field(state, { name: 'expiry', label: 'Expiry (MM / YY)', autocomplete: 'cc-exp', inputmode: 'numeric', placeholder: '12 / 34', maxlength: 9, format: 'expiry' })}
${field(state, { name: 'cvc', label: 'CVC', autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: '123', maxlength: 4, format: 'digits' })}
</div>
${field(state, { name: 'name', label: 'Name on card', autocomplete: 'cc-name', maxlength: 200 })}
<div class="pair wide-first">
${select(state, { name: 'country', label: 'Country', options: countries, autocomplete: 'country' })}
${field(state, { name: 'postal', label: 'ZIP', autocomplete: 'postal-code', maxlength: 12 })}
</div>`

type Authentication = {
  merchant: string
  last4: string
  /** Cents; nothing when a card is only saved. */
  amount: number | null
  action: string
  formToken: string
}

/** What a buyer's bank would show: here the buyer decides what the bank says. */
export const authenticationBody = ({ merchant, last4, amount, action, formToken }: Authentication): Html => html`
<main class="narrow">
<section class="panel message">
<h1>Your bank asks: is it you?</h1>
<p>The bank of the card ending in ${last4} wants you to confirm ${amount ? `a payment of ${dollars(amount)} to` : 'saving your card with'} ${merchant}. A real bank would send you a
code or ask in its app. This is the sandbox, so you choose the answer.</p>
<form method="post" action="${action}" data-once>
<input type="hidden" name="form_token" value="${formToken}">
<button class="button" type="submit" name="answer" value="confirm" data-busy="Processing…">Complete authentication</button>
<button class="button quiet" type="submit" name="answer" value="refuse">Fail authentication</button>
</form>
</section>
</main>`
