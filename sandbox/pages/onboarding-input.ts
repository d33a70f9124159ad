import { isEmail } from '../http/params.ts'
import type { FormState } from './field.ts'

export type OnboardingField = 'first' | 'last' | 'email' | 'born' | 'ssn' | 'website' | 'routing' | 'account' | 'terms'

export type Identity = {
  first: string
  last: string
  email: string
  born: { day: number; month: number; year: number }
  website: string | null
  bank: { routing: string | null; last4: string }
}

export const testRouting = '110000000'
export const testAccount = '000123456789'

/** Only accounts in the United States have a Social Security number and a routing number. */
export const isAmerican = (country: string | undefined): boolean => country === 'US'

const testData: Record<OnboardingField, string> = {
  first: 'Ada',
  last: 'Example',
  email: 'ada@example.com',
  born: '01/01/1990',
  ssn: '0000',
  website: 'https://example.com',
  routing: testRouting,
  account: testAccount,
  terms: 'yes',
}

/** What a developer would otherwise type forty times. The account's own email stays. */
export const testDataFor = (email: string | null): FormState<OnboardingField>['values'] =>
  email === null ? testData : { ...testData, email }

/** In these fields, anything but the test value may be somebody's real number, so it isn't sent back to the page. */
const secret: readonly OnboardingField[] = ['ssn', 'account']

/**
 * Reads the onboarding form; what is wrong is said field by field. Everything that was right stays on the page.
 * @param country of the account, which decides what the form asks for.
 */
export function readOnboarding(
  form: URLSearchParams,
  now: number,
  country: string | undefined,
): { ok: true; identity: Identity } | { ok: false; state: FormState<OnboardingField> } {
  const names = Object.keys(testData) as OnboardingField[]
  const typed = Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim().slice(0, 500)])) as Record<
    OnboardingField,
    string
  >
  const born = readDate(typed.born)
  const website = readWebsite(typed.website)
  const american = isAmerican(country)
  const problems: Record<OnboardingField, string | false> = {
    first: typed.first === '' && 'Enter your legal first name.',
    last: typed.last === '' && 'Enter your legal last name.',
    email: !isEmail(typed.email) && 'Enter an email address like name@example.com.',
    born: bornProblem(born, now),
    ssn: american && ssnProblem(typed.ssn),
    website: website === undefined && 'Enter a website like example.com, or leave this empty.',
    routing: american && typed.routing !== testRouting && `In the sandbox, use the test routing number ${testRouting}.`,
    account: typed.account !== testAccount && `In the sandbox, use the test account number ${testAccount}.`,
    terms: typed.terms !== 'yes' && 'Agree to continue.',
  }
  const errors = Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem),
  ) as FormState<OnboardingField>['errors']
  if (Object.keys(errors).length > 0 || !born || website === undefined) {
    const isHidden = (name: OnboardingField) => secret.includes(name) && errors[name] !== undefined
    const values = Object.fromEntries(names.filter((name) => !isHidden(name)).map((name) => [name, typed[name]]))
    return { ok: false, state: { values, errors } }
  }
  const { first, last, email, account } = typed
  const bank = { routing: american ? typed.routing : null, last4: account.slice(-4) }
  return { ok: true, identity: { first, last, email, born, website, bank } }
}

/** `MM/DD/YYYY`, a day that exists. */
function readDate(text: string): Identity['born'] | undefined {
  const match = /^(\d{1,2})\s*\/\s*(\d{1,2})\s*\/\s*(\d{4})$/.exec(text)
  if (!match) return undefined
  const [month, day, year] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { day, month, year } : undefined
}

function bornProblem(born: Identity['born'] | undefined, now: number): string | false {
  if (!born) return 'Enter your date of birth as MM/DD/YYYY.'
  const eighteenth = Date.UTC(born.year + 18, born.month - 1, born.day) / 1000
  if (eighteenth > now) return 'You must be at least 18 years old.'
  return born.year < 1900 && 'Enter the year in which you were born.'
}

const ssnProblem = (ssn: string): string | false =>
  /^\d{4}$/.test(ssn)
    ? ssn !== '0000' && 'In the sandbox, use 0000. Never type a real number here.'
    : 'Enter four digits.'

/** The website with its scheme: people type `example.com`. Null if there is none, undefined if it can't be one. */
function readWebsite(text: string): string | null | undefined {
  if (text === '') return null
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const { hostname, username } = new URL(address)
  return hostname.includes('.') && username === '' ? address : undefined
}
