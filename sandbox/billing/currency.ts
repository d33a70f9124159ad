import type { Context } from '../context.ts'

/** Countries of connected accounts, and what they are paid out in. */
export const currencyOfCountry = {
  US: 'usd',
  AT: 'eur',
  AU: 'aud',
  BE: 'eur',
  BG: 'eur',
  CA: 'cad',
  CH: 'chf',
  CY: 'eur',
  CZ: 'czk',
  DE: 'eur',
  DK: 'dkk',
  EE: 'eur',
  ES: 'eur',
  FI: 'eur',
  FR: 'eur',
  GB: 'gbp',
  GR: 'eur',
  HR: 'eur',
  HU: 'huf',
  IE: 'eur',
  IT: 'eur',
  LI: 'chf',
  LT: 'eur',
  LU: 'eur',
  LV: 'eur',
  MT: 'eur',
  NL: 'eur',
  NO: 'nok',
  PL: 'pln',
  PT: 'eur',
  RO: 'ron',
  SE: 'sek',
  SI: 'eur',
  SK: 'eur',
} as const

export type Country = keyof typeof currencyOfCountry
export const countries = Object.keys(currencyOfCountry) as Country[]

/** What a dollar is worth. It never changes here, so that what comes can go back the same way. */
const rates: Readonly<Record<string, number>> = {
  usd: 1,
  aud: 1.52,
  cad: 1.37,
  chf: 0.8,
  czk: 21,
  dkk: 6.9,
  eur: 0.92,
  gbp: 0.79,
  huf: 340,
  nok: 10,
  pln: 3.7,
  ron: 4.4,
  sek: 9.5,
}

/** The currency in which the context's account keeps its balance; the platform's is the dollar. */
export function currencyOf({ store, account }: Context): string {
  return (account && store.find('account', '', account)?.default_currency) || 'usd'
}

/** Cents of dollars in another currency, and the rate where there is one. */
export function convert(cents: number, currency: string): { amount: number; rate: number | null } {
  const rate = rates[currency] ?? 1
  return { amount: Math.round(cents * rate), rate: currency === 'usd' ? null : rate }
}
