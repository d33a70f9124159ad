import type { CardDetails } from '../billing/card.ts'
import { type Decline, realCard, testCards } from '../billing/test-cards.ts'
import { isEmail } from '../http/params.ts'
import type { Buyer } from '../store/kinds.ts'
import { countries } from './countries.ts'
import type { FormState } from './field.ts'

export type CheckoutField = 'email' | 'number' | 'expiry' | 'cvc' | 'name' | 'country' | 'postal' | 'keep'

export type CardInput =
  | { ok: true; card: CardDetails; buyer: Buyer; keep: boolean }
  | { ok: false; state: FormState<CheckoutField>; decline?: Decline }

/**
 * Reads the checkout form. What is wrong is said field by field; what was typed stays, except number and CVC,
 * which are never sent back.
 * @param now unix seconds of the sandbox's clock, which decides whether a card is past its date.
 * @param email the address that the session fixes, if it does.
 */
export function readCardInput(form: URLSearchParams, now: number, email: string | null): CardInput {
  const text = (name: CheckoutField) => (form.get(name) ?? '').trim().slice(0, 500)
  const number = text('number').replace(/[\s-]/g, '')
  const values = {
    email: email ?? text('email'),
    expiry: text('expiry'),
    name: text('name'),
    country: text('country'),
    postal: text('postal'),
    keep: text('keep'),
  }
  const expiry = readExpiry(values.expiry)
  const errors: FormState<CheckoutField>['errors'] = {}
  const check = (name: CheckoutField, problem: string | false) => {
    if (problem) errors[name] = problem
  }
  check('email', emailProblem(values.email))
  check('number', numberProblem(number))
  check('expiry', expiryProblem(expiry, now))
  check('cvc', cvcProblem(text('cvc'), number))
  check('name', values.name === '' && 'Enter the name on the card.')
  check('country', !countries.some(([code]) => code === values.country) && 'Choose a country.')
  check('postal', postalProblem(values.postal, values.country))
  const state = { values, errors }
  if (Object.keys(errors).length > 0 || !expiry) return { ok: false, state }
  const known = testCards[number]
  if (!known) return { ok: false, state, decline: realCard }
  return {
    ok: true,
    card: { ...known, last4: number.slice(-4), expMonth: expiry.month, expYear: expiry.year },
    buyer: { email: values.email, name: values.name, country: values.country, postalCode: values.postal },
    keep: values.keep === 'yes',
  }
}

const emailProblem = (email: string) =>
  email === '' ? 'Enter your email address.' : !isEmail(email) && 'Enter an email address like name@example.com.'

function numberProblem(number: string): string | false {
  if (number === '') return 'Enter your card number.'
  if (!/^\d+$/.test(number) || number.length > 19) return 'Your card number is invalid.'
  if (number.length < shortest(number)) return 'Your card number is incomplete.'
  return !passesLuhn(number) && 'Your card number is invalid.'
}

/** American Express has 15 digits, and some cards of Diners Club 14. */
function shortest(number: string): number {
  if (/^3[47]/.test(number)) return 15
  return /^36/.test(number) ? 14 : 16
}

/** The check digit that every card number ends in. */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

type Expiry = { month: number; year: number }

/** `12 / 34`, `12/2034` or `1234`. */
function readExpiry(text: string): Expiry | undefined {
  const match = /^(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})$|^(\d{2})(\d{2})$/.exec(text)
  const month = Number(match?.[1] ?? match?.[3])
  const year = Number(match?.[2] ?? match?.[4])
  if (!match || month < 1 || month > 12) return undefined
  return { month, year: year < 100 ? 2000 + year : year }
}

function expiryProblem(expiry: Expiry | undefined, now: number): string | false {
  if (!expiry) return "Your card's expiration date is incomplete."
  const today = new Date(now * 1000)
  const months = (expiry.year - today.getUTCFullYear()) * 12 + (expiry.month - 1 - today.getUTCMonth())
  if (months < 0) return "Your card's expiration date is in the past."
  return months > 50 * 12 && "Your card's expiration year is invalid."
}

function cvcProblem(cvc: string, number: string): string | false {
  const digits = /^3[47]/.test(number) ? 4 : 3
  if (cvc === '') return "Enter your card's security code."
  return !(/^\d+$/.test(cvc) && cvc.length === digits) && "Your card's security code is incomplete."
}

function postalProblem(postal: string, country: string): string | false {
  if (country === 'US') return !/^\d{5}(-?\d{4})?$/.test(postal) && 'Enter a ZIP code of five digits.'
  return !/^[\p{L}\d][\p{L}\d -]{0,11}$/u.test(postal) && 'Enter your postal code.'
}
