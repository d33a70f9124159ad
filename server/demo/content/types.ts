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

/** What a creator sells as files (OFFER-05). */
export type DemoProduct = {
  readonly title: string
  readonly description: string
  readonly priceCents: number
  /** Whether fans may pay more. */
  readonly takesMore?: true
  readonly subscriberPercentOff?: number
  readonly stock?: number
  /** The name of a file in pictures/, without `.webp`. */
  readonly cover: string
  readonly files: readonly DemoFile[]
}

/** A file of a product, which the demo makes at its first start. */
export type DemoFile =
  /** A PDF with a picture on each page. */
  | { readonly name: string; readonly pages: readonly string[] }
  | { readonly name: string; readonly text: string }
  /** Settings of Adobe's photo editors. */
  | { readonly name: string; readonly looks: Readonly<Record<string, string>> }

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

/** A story that a creator shows on the day of the first start, and perhaps in a highlight later. */
export type DemoStory = {
  /** The name of a file in pictures/, without `.webp`. */
  readonly picture: string
  readonly caption: string
  readonly alt: string
  readonly audience: 'everyone' | 'subscribers'
  readonly highlight?: string
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
  readonly products?: readonly DemoProduct[]
  readonly page?: DemoPage
  readonly stories?: readonly DemoStory[]
}

export type DemoSession = {
  readonly title: string
  readonly description: string
  readonly minutes: number
  readonly priceCents: number
}
