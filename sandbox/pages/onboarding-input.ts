import { isEmail } from '../http/params.ts'
import type { FormState } from './field.ts'

export type OnboardingField = 'first' | 'last' | 'email' | 'born' | 'ssn' | 'website' | 'routing' | 'account' | 'terms'

export type Identity = {
  first: string
  last: string
  email: string
  born: { day: number; month: number; year: number }
  website: string
  bank: { routing: string; last4: string }
}

export const testRouting = '110000000'
export const testAccount = '000123456789'

/** What a developer would otherwise type forty times. */
export const testData: Record<OnboardingField, string> = {
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

/** Fields that are never sent back to the page. */
const secret: readonly OnboardingField[] = ['ssn', 'account']

/** Reads the onboarding form; what is wrong is said field by field. */
export function readOnboarding(
  form: URLSearchParams,
  now: number,
): { ok: true; identity: Identity } | { ok: false; state: FormState<OnboardingField> } {
  const names = Object.keys(testData) as OnboardingField[]
  const typed = Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim().slice(0, 500)])) as Record<
    OnboardingField,
    string
  >
  const born = readDate(typed.born)
  const problems: Record<OnboardingField, string | false> = {
    first: typed.first === '' && 'Enter your legal first name.',
    last: typed.last === '' && 'Enter your legal last name.',
    email: !isEmail(typed.email) && 'Enter an email address like name@example.com.',
    born: bornProblem(born, now),
    ssn: !/^\d{4}$/.test(typed.ssn)
      ? 'Enter four digits.'
      : typed.ssn !== '0000' && 'In the sandbox, use 0000. Never type a real number here.',
    website: !isWebAddress(typed.website) && 'Enter an address like https://example.com.',
    routing: typed.routing !== testRouting && `In the sandbox, use the test routing number ${testRouting}.`,
    account: typed.account !== testAccount && `In the sandbox, use the test account number ${testAccount}.`,
    terms: typed.terms !== 'yes' && 'Agree to continue.',
  }
  const errors = Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem),
  ) as FormState<OnboardingField>['errors']
  if (Object.keys(errors).length > 0 || !born) {
    const values = Object.fromEntries(
      Object.entries(typed).filter(([name]) => !secret.includes(name as OnboardingField)),
    )
    return { ok: false, state: { values, errors } }
  }
  const { first, last, email, website, routing, account } = typed
  return { ok: true, identity: { first, last, email, born, website, bank: { routing, last4: account.slice(-4) } } }
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

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
