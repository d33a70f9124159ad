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

/** How a creator has made their profile their own (PAGE-01). */
export type DemoPage = {
  readonly accentColor: string
  /** For those who don't follow them yet. */
  readonly welcome: string
  /** To sites at addresses that are reserved for examples. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** The title of one of their posts. */
  readonly featured: string
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
  readonly page?: DemoPage
}

export type DemoSession = {
  readonly title: string
  readonly description: string
  readonly minutes: number
  readonly priceCents: number
}
