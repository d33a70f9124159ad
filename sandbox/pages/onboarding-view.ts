import type { Context } from '../context.ts'
import { checkbox, errorSummary, type FormState, field } from './field.ts'
import { type Html, html } from './html.ts'
import { isAmerican, type OnboardingField, testAccount, testRouting } from './onboarding-input.ts'

export type OnboardingView = {
  context: Context
  /** Of the account. */
  country: string | undefined
  state: FormState<OnboardingField>
  action: string
  formToken: string
  /** Where the person goes without finishing. */
  leaveUrl: string
  words: { heading: string; lead: string; button: string }
}

/**
 * One page in three short parts: who you are, where the money goes, what you agree to. Test data has a form of its own, because Enter in
 * a field presses the first button of the field's form.
 */
export const onboardingBody = ({
  context,
  country,
  state,
  action,
  formToken,
  leaveUrl,
  words,
}: OnboardingView): Html => html`
<main class="narrow">
<a class="back" href="${leaveUrl}"><span aria-hidden="true">←</span> Back to ${context.merchant}</a>
<section class="panel">
<p class="merchant">${context.merchant}</p>
<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
${errorSummary(state.errors, 'Nothing was saved yet.')}
<form method="post" action="${action}" data-once>
<input type="hidden" name="form_token" value="${formToken}">
<button class="button quiet" type="submit" name="fill" value="test">Fill in test data</button>
</form>
<form method="post" action="${action}" novalidate data-once>
<input type="hidden" name="form_token" value="${formToken}">
<fieldset>
<legend>About you</legend>
<div class="pair">
${field(state, { name: 'first', label: 'Legal first name', autocomplete: 'given-name', maxlength: 100 })}
${field(state, { name: 'last', label: 'Legal last name', autocomplete: 'family-name', maxlength: 100 })}
</div>
${field(state, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', inputmode: 'email' })}
<div class="pair">
${field(state, { name: 'born', label: 'Date of birth', autocomplete: 'bday', inputmode: 'numeric', placeholder: 'MM/DD/YYYY', maxlength: 10, format: 'date' })}
${isAmerican(country) && field(state, { name: 'ssn', label: 'Last 4 of SSN', autocomplete: 'off', inputmode: 'numeric', maxlength: 4, format: 'digits', help: 'Test value: 0000' })}
</div>
${field(state, { name: 'website', label: 'Your website', autocomplete: 'url', optional: true })}
</fieldset>
<fieldset>
<legend>Where your money goes</legend>
<div class="pair">
${isAmerican(country) && field(state, { name: 'routing', label: 'Routing number', autocomplete: 'off', inputmode: 'numeric', maxlength: 9, format: 'digits', help: `Test value: ${testRouting}` })}
${field(state, { name: 'account', label: 'Account number', autocomplete: 'off', inputmode: 'numeric', maxlength: 17, format: 'digits', help: `Test value: ${testAccount}` })}
</div>
</fieldset>
${checkbox(state, { name: 'terms', label: 'I agree to the sandbox’s Connected Account Agreement, and that what I typed is test data.' })}
<button class="button" type="submit" data-busy="Saving…">${words.button}</button>
</form>
</section>
</main>`
