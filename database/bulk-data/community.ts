import { type Category, categories } from '@ovation/contract/limits'
import type { SeedPlan } from './arguments.ts'
import { distribute } from './distribute.ts'
import { inventName, type Name } from './names.ts'
import { buildChance, type Chance } from './random.ts'

export const dayMs = 86_400_000

export type Plan = {
  readonly id: string
  readonly name: string
  readonly priceCents: number
  readonly interval: 'month' | 'year'
  readonly trialDays: number
}

/** Counts for the profile and post rows, filled while the other rows are written, so nothing is updated afterwards. */
export type Tallies = {
  readonly followers: Uint32Array
  readonly following: Uint32Array
  readonly posts: Uint32Array
  readonly photos: Uint32Array
  readonly videos: Uint32Array
  readonly likes: Uint32Array
  readonly subscribers: Uint32Array
  readonly earnedCents: Float64Array
  /** Infinity without posts. */
  readonly firstPostedAt: Float64Array
  readonly lastPostedAt: Float64Array
  readonly postLikes: Uint32Array
  readonly postComments: Uint32Array
}

/**
 * The users of the data. A user is a number: 0 is the most popular creator, the creators come first, then the
 * fans. All times are milliseconds.
 */
export type Community = {
  readonly plan: SeedPlan
  readonly chance: Chance
  readonly until: number
  readonly people: number
  readonly tallies: Tallies
  userId(person: number): string
  profileId(person: number): string
  joinedAt(person: number): number
  isPrivate(person: number): boolean
  nameOf(person: number): Name
  /** The first one is the user's main topic. */
  categoriesOf(creator: number): readonly [Category, ...Category[]]
  /** The cheapest first; none for creators who only sell single posts. */
  plansOf(creator: number): readonly Plan[]
}

const prices = [499, 799, 999, 1499, 1999] as const

export function buildCommunity(plan: SeedPlan): Community {
  const chance = buildChance(plan.seed)
  const until = plan.until.getTime()
  const people = plan.creators + plan.fans
  const all = Array.from({ length: people }, (_, person) => person)
  const userIds = all.map((person) => chance.uuid('user', person))
  const profileIds = all.map((person) => chance.uuid('profile', person))
  const joined = Float64Array.from(all, (person) => {
    const { creators } = plan
    const [newest, oldest] = person < creators ? [420, 1_100] : [1, 730]
    const age = newest + chance.random('person', person).fraction() * (oldest - newest)
    return until - Math.floor((age * dayMs) / 1000) * 1000
  })
  const plans = all.slice(0, plan.creators).map((creator) => inventPlans(chance, creator))
  return {
    plan,
    chance,
    until,
    people,
    tallies: buildTallies(people, plan.posts),
    userId: (person) => userIds[person] ?? '',
    profileId: (person) => profileIds[person] ?? '',
    joinedAt: (person) => joined[person] ?? until,
    isPrivate: (person) => person % 97 === 96,
    nameOf: inventName,
    categoriesOf: (creator) => inventCategories(chance, creator),
    plansOf: (creator) => plans[creator] ?? [],
  }
}

function buildTallies(people: number, posts: number): Tallies {
  const perPerson = () => new Uint32Array(people)
  return {
    followers: perPerson(),
    following: perPerson(),
    posts: perPerson(),
    photos: perPerson(),
    videos: perPerson(),
    likes: perPerson(),
    subscribers: perPerson(),
    earnedCents: new Float64Array(people),
    firstPostedAt: new Float64Array(people).fill(Number.POSITIVE_INFINITY),
    lastPostedAt: new Float64Array(people),
    postLikes: new Uint32Array(posts),
    postComments: new Uint32Array(posts),
  }
}

function inventPlans(chance: Chance, creator: number): Plan[] {
  const random = chance.random('plan', creator)
  if (creator % 12 === 11) return []
  const monthly = random.pick(prices)
  const id = (place: number) => chance.uuid('product', creator * 3 + place)
  const trialDays = random.chance(0.2) ? 7 : 0
  const plans: Plan[] = [{ id: id(0), name: 'Supporter', priceCents: monthly, interval: 'month', trialDays }]
  if (random.chance(0.4)) {
    plans.push({ id: id(1), name: 'Backstage', priceCents: monthly * 2, interval: 'month', trialDays: 0 })
  }
  if (random.chance(0.2)) {
    plans.push({ id: id(2), name: 'A whole year', priceCents: monthly * 10, interval: 'year', trialDays: 0 })
  }
  return plans
}

function inventCategories(chance: Chance, creator: number): [Category, ...Category[]] {
  const random = chance.random('person', creator)
  const first = random.pick(categories)
  const others = categories.filter((category) => category !== first && random.chance(0.12))
  return [first, ...others.slice(0, 2)]
}

/** How often each of `count` items is chosen when a few are chosen very often: `total` choices, none above `cap`. */
export function distributeUnevenly(
  chance: Chance,
  kind: 'followed' | 'like' | 'comment',
  total: number,
  caps: Float64Array,
) {
  const weights = Float64Array.from(caps, (cap, place) =>
    cap === 0 ? 0 : Math.min(200, (1 - chance.random(kind, place).fraction()) ** -0.7),
  )
  return distribute(total, weights, (place) => caps[place] ?? 0)
}
