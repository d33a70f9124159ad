import type { DemoCreator, DemoPlan } from '../content/types.ts'
import { type Random, random } from '../random.ts'

/** A payment, or an end of payments, that the year before the first start has seen. Times are unix seconds. */
export type DemoEvent = { readonly at: number; readonly fan: string; readonly creator: string } & (
  | { readonly kind: 'subscribe'; readonly plan: string; readonly trialDays: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'tip'; readonly cents: number }
  | { readonly kind: 'buy'; readonly content: string; readonly cents: number }
)

export type PayoutDay = { readonly at: number; readonly kind: 'payouts' }

const day = 86_400
const month = 30.4 * day
const tips = [300, 500, 500, 500, 1000, 1000, 2000, 5000] as const

/** The subscriptions that the printed fans have had for a while. `mara` isn't among them: that one begins at the first start. */
const known: Readonly<Record<string, readonly (readonly [creator: string, daysAgo: number])[]>> = {
  lena: [
    ['nadia', 148],
    ['aiko', 93],
  ],
  sam: [['juno', 61]],
}

/**
 * Who has paid whom, and when: for each creator a crowd that grew, with some who left. The same for every start, counted back from `now`.
 * @param crowd usernames of the fans who pay.
 */
export function planYear(
  now: number,
  creators: readonly DemoCreator[],
  crowd: readonly string[],
): readonly (DemoEvent | PayoutDay)[] {
  const chance = random(2024)
  const events: (DemoEvent | PayoutDay)[] = []
  for (const creator of creators) {
    if (creator.plans.length === 0) continue
    const subscribers = [...planCrowd(now, creator, crowd, chance), ...planKnown(now, creator)]
    events.push(...subscribers.flatMap(({ events: own }) => own))
    events.push(
      ...planTips(now, creator, subscribers, chance),
      ...planPurchases(now, creator, subscribers, crowd, chance),
    )
  }
  // Banks are paid on the fifth of a month.
  for (let back = 12; back >= 0; back--) {
    const today = new Date(now * 1000)
    const at = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 5, 6) / 1000
    if (at < now - day && at > now - 370 * day) events.push({ at, kind: 'payouts' })
  }
  return events.filter(({ at }) => at < now - 3600).toSorted((a, b) => a.at - b.at)
}

type Subscriber = {
  readonly fan: string
  readonly since: number
  readonly until: number
  readonly events: readonly DemoEvent[]
}

function planCrowd(now: number, creator: DemoCreator, crowd: readonly string[], chance: Random): Subscriber[] {
  const { username, plans, standing } = creator
  const begin = now - standing.months * month
  const stay = Math.round(crowd.length * standing.fans)
  const leave = Math.round(stay * 0.3)
  return shuffled(crowd, chance)
    .slice(0, stay + leave)
    .map((fan, index) => {
      // Few at first, more with the months, and the last of them this week.
      const since = begin + (now - begin) * chance.between(0, 1) ** 0.75 * 0.99
      const leaves = index >= stay
      const until = leaves ? since + chance.between(1.2, 4.5) * month : Number.POSITIVE_INFINITY
      const plan = pickPlan(plans, chance)
      const events: DemoEvent[] = [subscribe(since, fan, username, plan)]
      if (until < now - day) events.push({ at: Math.floor(until), kind: 'cancel', fan, creator: username })
      return { fan, since, until, events }
    })
}

/** Most take the first plan. */
function pickPlan(plans: readonly DemoPlan[], chance: Random): DemoPlan {
  const [first, ...others] = plans
  if (!first) throw new Error('A creator without plans has no subscribers.')
  const [second] = others
  return second && chance.between(0, 1) > 0.74 ? second : first
}

function planKnown(now: number, { username, plans }: DemoCreator): Subscriber[] {
  const [plan] = plans
  return Object.entries(known).flatMap(([fan, subscriptions]) =>
    subscriptions.flatMap(([creator, daysAgo]) => {
      if (creator !== username || !plan) return []
      const since = now - daysAgo * day
      return [{ fan, since, until: Number.POSITIVE_INFINITY, events: [subscribe(since, fan, username, plan)] }]
    }),
  )
}

const subscribe = (at: number, fan: string, creator: string, { name, trialDays = 0 }: DemoPlan): DemoEvent => ({
  at: Math.floor(at),
  kind: 'subscribe',
  fan,
  creator,
  plan: name,
  trialDays,
})

function planTips(
  now: number,
  { username, standing }: DemoCreator,
  subscribers: readonly Subscriber[],
  chance: Random,
): DemoEvent[] {
  const count = Math.round(standing.months * (2 + standing.fans * 5))
  return Array.from({ length: count }, () => {
    const { fan, since, until } = subscribers[chance.whole(0, subscribers.length - 1)] ?? {
      fan: '',
      since: now,
      until: now,
    }
    const at = Math.floor(since + (Math.min(until, now) - since) * chance.between(0, 1))
    return { at, kind: 'tip' as const, fan, creator: username, cents: chance.pick(tips) }
  })
}

/** Each paid post finds buyers from its first day on, most of them soon. */
function planPurchases(
  now: number,
  { username, posts, standing }: DemoCreator,
  subscribers: readonly Subscriber[],
  crowd: readonly string[],
  chance: Random,
): DemoEvent[] {
  const buyers = [...new Set([...subscribers.map(({ fan }) => fan), ...crowd])]
  return posts.flatMap(({ audience, content, day: daysAgo }) => {
    if (typeof audience !== 'number') return []
    const published = now - daysAgo * day
    const share = 0.2 + standing.fans * 0.35
    return shuffled(buyers, chance)
      .slice(0, Math.round(buyers.length * share))
      .map((fan) => ({
        at: Math.floor(published + (now - published) * chance.between(0, 1) ** 2.2 + 60),
        kind: 'buy' as const,
        fan,
        creator: username,
        content,
        cents: audience,
      }))
  })
}

export function shuffled<Item>(items: readonly Item[], chance: Random): Item[] {
  return items
    .map((item) => ({ item, order: chance.between(0, 1) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
