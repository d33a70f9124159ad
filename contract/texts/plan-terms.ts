import { termMaxPercentOff } from '../plan-terms.ts'

const monthsOf = (months: number) => (months === 1 ? '1 month' : `${months} months`)

/** Plans for several months at a time (OFFER-01). */
export const planTermsTexts = {
  choice: 'How often you pay',
  months: monthsOf,
  save: (percent: number) => `Save ${percent}%`,
  /** Below the price per month. */
  billed: (price: string, months: number) => `${price} every ${months} months`,
  switchTitle: (plan: string, months: number) => `Pay for ${plan} every ${monthsOf(months)}?`,
  switchMessage: (price: string, months: number) =>
    `You'll pay ${price} every ${monthsOf(months)} from now on. Your new term starts today, and what's left of the current one is taken off the first bill.`,
  switched: (plan: string, months: number) => `You now pay for ${plan} every ${monthsOf(months)}`,
  form: {
    title: 'Longer terms',
    hint: 'Sell this plan for several months at a time. Enter what fans save in percent, 0 for nothing, or leave it empty not to sell it.',
    label: monthsOf,
    perMonth: (price: string) => `${price} a month`,
    notSold: 'Not sold',
    error: `Use a whole number, 0 to ${termMaxPercentOff}`,
  },
} as const
