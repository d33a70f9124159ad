import type { Interval } from '@ovation/contract/limits'

type Priced = { id: string; name: string; price_cents: number; interval: Interval }

/** What a plan includes besides its own posts, and who can open them. */
export type Rung = {
  /** The next cheaper plan, all of which it includes; null without one, and while plans don't include each other. */
  includes: string | null
  /** Whom a post for this plan opens to: its own subscribers, also those of more expensive plans, or all subscribers of the creator. */
  opensTo: 'own' | 'above' | 'all'
}

const monthsIn: Record<Interval, number> = { day: 12 / 365, week: 12 / 52, month: 1, year: 12 }

/** Like `private.monthly_cents`. */
export const monthlyCents = ({ price_cents, interval }: Pick<Priced, 'price_cents' | 'interval'>): number =>
  price_cents / monthsIn[interval]

/**
 * Each plan's place among the creator's active plans.
 * @param tiered `profiles.tiered_access`: whether higher plans include lower ones (POST-43, LOOP-15).
 */
export function withRungs<Plan extends Priced>(plans: readonly Plan[], tiered: boolean): (Plan & Rung)[] {
  return plans.map((plan) => {
    const price = monthlyCents(plan)
    if (!tiered) return { ...plan, includes: null, opensTo: plans.length > 1 ? 'all' : 'own' }
    const cheaper = plans.filter((other) => monthlyCents(other) < price)
    const next = cheaper.toSorted((one, other) => monthlyCents(other) - monthlyCents(one))[0]
    const isBelow = plans.some((other) => monthlyCents(other) > price)
    return { ...plan, includes: next?.name ?? null, opensTo: isBelow ? 'above' : 'own' }
  })
}
