/** What a demo post says, and what was said about it. */
export type DemoPost = {
  /** Days before the first start. */
  readonly day: number
  readonly title?: string
  readonly content: string
  /** `free` unless stated: a plan's name for subscribers, or a price in cents for pay-per-view. */
  readonly audience?: string | number
  /** Names of files in pictures/, without `.webp`. */
  readonly pictures?: readonly string[]
  /** This post has the demo's only video. */
  readonly video?: true
  readonly pinned?: true
  /** How much it is liked, compared with the creator's other posts; 1 unless stated. */
  readonly appeal?: number
  /** Who said what, oldest first. */
  readonly comments?: readonly (readonly [username: string, text: string])[]
  readonly poll?: DemoPoll
}

export type DemoPoll = {
  readonly question: string
  /** Each answer, and its share of the votes. */
  readonly options: readonly (readonly [text: string, share: number])[]
}

export type DemoPlan = {
  readonly name: string
  readonly description: string
  readonly priceCents: number
  readonly interval: 'month' | 'year' | 'week'
  readonly trialDays?: number
}

export type DemoCreator = {
  readonly username: string
  readonly displayName: string
  readonly bio: string
  readonly website?: string
  readonly categories: readonly string[]
  /** From the cheapest to the most expensive. */
  readonly plans: readonly DemoPlan[]
  readonly posts: readonly DemoPost[]
  /** Months since the first subscriber, and how many of the demo's fans they have won by now, from 0 to 1. */
  readonly standing: { readonly months: number; readonly fans: number }
  readonly sessions?: readonly DemoSession[]
}

export type DemoSession = {
  readonly title: string
  readonly description: string
  readonly minutes: number
  readonly priceCents: number
}
