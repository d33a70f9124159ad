import { type Html, html } from './html.ts'

/** What was typed and what is wrong with it, by field. */
export type FormState<Name extends string> = {
  values: Partial<Record<Name, string>>
  errors: Partial<Record<Name, string>>
  /** The field to stand in; the first one that is wrong when absent. */
  focus?: Name
}

export type Field<Name extends string> = {
  name: Name
  label: string
  type?: 'text' | 'email' | 'checkbox'
  autocomplete?: string
  inputmode?: 'numeric' | 'email' | 'text'
  placeholder?: string
  maxlength?: number
  /** How page.js helps while typing. */
  format?: 'card' | 'expiry' | 'digits' | 'date'
  readonly?: boolean
  /** All others are required. */
  optional?: boolean
  help?: string
}

/** A label, an input, its help and its error, tied together for a screen reader. */
export function field<Name extends string>(state: FormState<Name>, about: Field<Name>): Html {
  const { name, label, help } = about
  const error = state.errors[name]
  const described = [help && `${name}-help`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`
<div class="field${error ? ' invalid' : ''}">
<label for="${name}">${label}${about.optional && ' (optional)'}</label>
<input id="${name}" name="${name}" type="${about.type ?? 'text'}" value="${state.values[name] ?? ''}"
${about.autocomplete && html` autocomplete="${about.autocomplete}"`}${about.inputmode && html` inputmode="${about.inputmode}"`}
${about.placeholder && html` placeholder="${about.placeholder}"`}${about.maxlength && html` maxlength="${about.maxlength}"`}
${about.format && html` data-format="${about.format}"`}${about.readonly && html` readonly`}
${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}${hasFocus(state, name) && html` autofocus`}
${!about.optional && html` required`} spellcheck="false">
${help && html`<p class="help" id="${name}-help">${help}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`
}

/** A choice from a list, with its error. */
export function select<Name extends string>(
  state: FormState<Name>,
  {
    name,
    label,
    options,
    autocomplete,
  }: { name: Name; label: string; options: [string, string][]; autocomplete: string },
): Html {
  const chosen = state.values[name] ?? options[0]?.[0]
  const error = state.errors[name]
  return html`
<div class="field${error ? ' invalid' : ''}">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" autocomplete="${autocomplete}"
${error && html` aria-invalid="true" aria-describedby="${name}-error"`}${hasFocus(state, name) && html` autofocus`}>
${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}
</select>
${error && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`
}

/** A box that has to be ticked, unless it is `optional`. */
export function checkbox<Name extends string>(
  state: FormState<Name>,
  { name, label, optional = false }: { name: Name; label: string; optional?: boolean },
): Html {
  const error = state.errors[name]
  return html`
<div class="field check${error ? ' invalid' : ''}">
<label><input id="${name}" name="${name}" type="checkbox" value="yes"${state.values[name] === 'yes' && html` checked`}
${error && html` aria-invalid="true" aria-describedby="${name}-error"`}${hasFocus(state, name) && html` autofocus`}${!optional && html` required`}> <span>${label}</span></label>
${error && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`
}

const hasFocus = <Name extends string>({ errors, focus }: FormState<Name>, name: Name): boolean =>
  (focus ?? Object.keys(errors)[0]) === name

/** Says above a form how many fields are wrong; read out at once by a screen reader. */
export const errorSummary = (errors: object, reassurance: string): Html | false => {
  const count = Object.keys(errors).length
  return (
    count > 0 &&
    html`<p class="alert" role="alert">${count === 1 ? 'One field needs' : `${count} fields need`} your attention. ${reassurance}</p>`
  )
}
