import type { CurrentPlan, Plan, PlanTerm } from './plan-queries.ts'

/** One interval of a plan, then its terms of several months (OFFER-01). */
export const termsOf = ({ price_cents, terms }: Pick<Plan, 'price_cents' | 'terms'>): [PlanTerm, ...PlanTerm[]] => [
  { months: 1, percent_off: 0, price_cents },
  ...terms,
]

/** The term of so many months; one interval if it isn't sold. */
export function termOf(plan: Pick<Plan, 'price_cents' | 'terms'>, months: number): PlanTerm {
  const [single, ...others] = termsOf(plan)
  return others.find((term) => term.months === months) ?? single
}

/** The viewer's own term, which may no longer be sold, at the viewer's own price. */
export const ownTerm = ({ intervalCount, priceCents }: CurrentPlan): PlanTerm => ({
  months: intervalCount,
  percent_off: 0,
  price_cents: priceCents,
})

/** Rounded to a cent, because it is only shown: what is charged is the price of the term. */
export const perMonth = ({ price_cents, months }: PlanTerm): number => Math.round(price_cents / months)
