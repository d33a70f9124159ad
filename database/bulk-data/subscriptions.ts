import { type Community, dayMs, type Plan } from './community.ts'

export type Subscription = {
  readonly number: number
  readonly fan: number
  readonly creator: number
  readonly plan: Plan
  readonly status: 'active' | 'trial' | 'past_due' | 'canceled'
  readonly startedAt: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: number | null
  readonly pastDueSince: number | null
  /** Milliseconds, or infinity while it renews: what private.set_access_until computes from the rest. */
  readonly accessUntil: number
  /** When the fan was charged. */
  readonly payments: readonly number[]
}

const hourMs = 3_600_000

/** Nine of ten are active; the others have ended. A fan subscribes to a creator once. */
export function inventSubscriptions(community: Community): Subscription[] {
  const { plan, chance } = community
  const taken = new Set<number>()
  return Array.from({ length: plan.subscriptions }, (_, number) => {
    const random = chance.random('subscription', number)
    const fan = plan.creators + random.below(plan.fans)
    let creator = random.zipf(plan.creators)
    const pair = () => fan * plan.creators + creator
    while (taken.has(pair()) || community.plansOf(creator).length === 0) creator = (creator + 1) % plan.creators
    taken.add(pair())
    return inventCourse(community, number, fan, creator)
  })
}

function inventCourse(community: Community, number: number, fan: number, creator: number): Subscription {
  const { until } = community
  const random = community.chance.random('subscription', number)
  const [first, ...others] = community.plansOf(creator)
  if (!first) throw new Error('a creator without a plan has no subscribers')
  const plan = random.pick([first, ...others])
  const age = Math.floor((random.exponential(45) * dayMs) / 1000) * 1000 + 60_000
  const startedAt = Math.min(Math.max(until - age, community.joinedAt(fan)), until - 60_000)
  const common = {
    number,
    fan,
    creator,
    plan,
    startedAt,
    canceledAt: null,
    pastDueSince: null,
    cancelAtPeriodEnd: false,
  }
  const trialEnd = startedAt + plan.trialDays * dayMs
  if (trialEnd > until) {
    const trial = { periodStart: startedAt, periodEnd: trialEnd, accessUntil: trialEnd, payments: [] }
    return { ...common, ...trial, status: 'trial' }
  }
  const payments = chargesUntil(plan, trialEnd, until)
  const periodStart = payments.at(-1) ?? trialEnd
  const periodEnd = addIntervals(plan, trialEnd, payments.length)
  const period = { payments, periodStart, periodEnd }
  const fate = random.fraction()
  if (fate < 0.1) {
    // Ended early by a refund, before the paid period was over.
    const canceledAt = Math.min(until, periodStart + dayMs)
    return { ...common, ...period, status: 'canceled', canceledAt, accessUntil: Number.NEGATIVE_INFINITY }
  }
  if (fate < 0.15) {
    const canceledAt = Math.min(until, periodStart + dayMs)
    return { ...common, ...period, status: 'active', cancelAtPeriodEnd: true, canceledAt, accessUntil: periodEnd }
  }
  if (fate < 0.17) {
    const pastDueSince = until - random.below(48) * hourMs
    return { ...common, ...period, status: 'past_due', pastDueSince, accessUntil: pastDueSince + 72 * hourMs }
  }
  return { ...common, ...period, status: 'active', accessUntil: Number.POSITIVE_INFINITY }
}

function chargesUntil(plan: Plan, first: number, until: number): number[] {
  const charges: number[] = []
  for (let at = first; at <= until; at = addIntervals(plan, first, charges.length)) charges.push(at)
  return charges
}

/** Like Stripe: the same day of a later month, or that month's last day. */
function addIntervals({ interval }: Plan, start: number, count: number): number {
  const months = count * (interval === 'year' ? 12 : 1)
  const date = new Date(start)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
