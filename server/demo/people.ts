import type { PictureOrder } from './pictures/draw.ts'
import type { palettes } from './pictures/palettes.ts'

type Palette = keyof typeof palettes
type Picture = Pick<PictureOrder, 'scene' | 'palette' | 'seed'>

export type DemoPost = {
  readonly title?: string
  readonly content: string
  readonly audience: 'free' | 'subscription'
  readonly pictures: readonly Picture[]
  /** This post has the demo's only video. */
  readonly video?: true
  readonly pinned?: true
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
  readonly palette: Palette
  readonly portraitSeed: number
  readonly banner: Picture
  readonly plans: readonly DemoPlan[]
  readonly posts: readonly DemoPost[]
}

/** The password of every demo user. The demo never runs in production. */
export const demoPassword = 'ovation-demo'
export const demoAdmin = { username: 'robin', displayName: 'Robin Adeyemi', palette: 'linen', portraitSeed: 3 } as const
export const demoFans = [
  {
    username: 'lena',
    displayName: 'Lena Vogt',
    palette: 'sea',
    portraitSeed: 21,
    follows: ['mara', 'tomas', 'ines'],
    subscribes: ['mara'],
  },
  {
    username: 'sam',
    displayName: 'Sam Osei',
    palette: 'clay',
    portraitSeed: 34,
    follows: ['mara', 'juno', 'bea'],
    subscribes: [],
  },
] as const

/** Messages between the first creator and a fan, oldest first. `price` is in cents; the last message is still locked. */
export const demoConversation: {
  readonly fan: string
  readonly messages: readonly {
    readonly by: 'creator' | 'fan'
    readonly content: string
    readonly picture?: Picture & { readonly width: number; readonly height: number }
    readonly price?: number
  }[]
} = {
  fan: 'sam',
  messages: [
    { by: 'fan', content: 'The valley at six is on my wall now, in my head at least. Which lens was that?' },
    { by: 'creator', content: 'A 50 from 1971 with a scratch on it. The scratch is why the sun looks kind.' },
    { by: 'fan', content: 'Is there one where the fog came back?' },
    {
      by: 'creator',
      content: 'There is. Two minutes later, same spot, hands colder.',
      picture: { scene: 'hills', palette: 'dusk', seed: 71, width: 1080, height: 1350 },
    },
    { by: 'fan', content: 'That is the one. Thank you.' },
    {
      by: 'creator',
      content:
        'The whole roll, all thirty-six frames with my marks on them: frame 12 is the one that I almost threw away.',
      price: 400,
    },
  ],
}

/** The sample creators (GEN-17). The first is the default of `/protected-content`; the first two have printed logins. */
export const demoCreators: readonly DemoCreator[] = [
  {
    username: 'mara',
    displayName: 'Mara Lindqvist',
    bio: 'Landscapes on slow film. One roll a week, from places where the road ends.',
    website: 'https://example.com/mara',
    categories: ['Photography', 'Travel'],
    palette: 'dawn',
    portraitSeed: 6,
    banner: { scene: 'hills', palette: 'dawn', seed: 11 },
    plans: [
      {
        name: 'Darkroom',
        description: 'Every frame of the week, with notes on light and place.',
        priceCents: 999,
        interval: 'month',
      },
      {
        name: 'Print Club',
        description: 'The Darkroom, and one signed print a season.',
        priceCents: 2900,
        interval: 'month',
      },
    ],
    posts: [
      {
        title: 'Where the valley opens',
        content:
          'Up at four for this one. The sun cleared the ridge for six minutes, then the fog took everything back. Shot at f/8, half a second, hands in my sleeves.',
        audience: 'free',
        pictures: [{ scene: 'hills', palette: 'dawn', seed: 12 }],
        pinned: true,
      },
      {
        title: 'Contact sheet no. 31',
        content:
          'Three days on the coast and thirty-six frames. These are the four I kept, and why the other thirty-two had to go: too much sky, too little patience, and one thumb. The second frame is the one I would hang.',
        audience: 'subscription',
        pictures: [
          { scene: 'water', palette: 'sea', seed: 13 },
          { scene: 'water', palette: 'dusk', seed: 14 },
          { scene: 'hills', palette: 'sea', seed: 15 },
          { scene: 'hills', palette: 'dusk', seed: 16 },
        ],
      },
      {
        content: 'Eight seconds of an evening that took two hours. Sound off, screen bright.',
        audience: 'free',
        pictures: [],
        video: true,
      },
    ],
  },
  {
    username: 'tomas',
    displayName: 'Tomás Rey',
    bio: 'A small kitchen, a big table. Recipes that survive a Tuesday.',
    categories: ['Cooking', 'Lifestyle'],
    palette: 'clay',
    portraitSeed: 5,
    banner: { scene: 'table', palette: 'clay', seed: 22 },
    plans: [
      {
        name: 'A seat at the table',
        description: 'Two full recipes a week, with the mistakes left in.',
        priceCents: 500,
        interval: 'month',
        trialDays: 7,
      },
    ],
    posts: [
      {
        title: 'Lunch for one, plates for three',
        content:
          'Roasted carrots, labneh, and the last of the plums. Cook the carrots longer than you think, then a little longer.',
        audience: 'free',
        pictures: [{ scene: 'table', palette: 'dawn', seed: 23 }],
      },
      {
        title: 'The bread that waits for you',
        content:
          'Four ingredients, eighteen hours, almost no work. The timings fit around a job: mix after dinner, fold before bed, bake when you are home again. Here is the whole schedule, and what to do when the kitchen is cold.',
        audience: 'subscription',
        pictures: [{ scene: 'table', palette: 'clay', seed: 24 }],
      },
    ],
  },
  {
    username: 'ines',
    displayName: 'Inês Okafor',
    bio: 'Herbarium drawings and the walks they come from.',
    categories: ['Art'],
    palette: 'grove',
    portraitSeed: 9,
    banner: { scene: 'leaves', palette: 'grove', seed: 31 },
    plans: [
      {
        name: 'Field notes',
        description: 'A new sheet every Sunday, in print resolution.',
        priceCents: 700,
        interval: 'month',
      },
    ],
    posts: [
      {
        title: 'Sheet 114',
        content:
          'Found behind the old station, where nobody mows. Ink first, color a week later, when I had forgotten what green it was and had to decide.',
        audience: 'free',
        pictures: [
          { scene: 'leaves', palette: 'grove', seed: 32 },
          { scene: 'leaves', palette: 'dusk', seed: 33 },
        ],
      },
    ],
  },
  {
    username: 'juno',
    displayName: 'Juno Park',
    bio: 'Strength for people with stairs, children and deadlines. Twenty minutes, no mirror.',
    categories: ['Fitness', 'Wellness'],
    palette: 'sea',
    portraitSeed: 10,
    banner: { scene: 'water', palette: 'sea', seed: 41 },
    plans: [
      {
        name: 'Twenty minutes',
        description: 'Four sessions a week. Skip two, nobody counts.',
        priceCents: 1200,
        interval: 'month',
        trialDays: 14,
      },
    ],
    posts: [
      {
        content: 'Morning mobility by the water. Five movements, thirty breaths, done before the coffee is.',
        audience: 'free',
        pictures: [{ scene: 'water', palette: 'dawn', seed: 42 }],
      },
    ],
  },
  {
    username: 'bea',
    displayName: 'Béa Laurent',
    bio: 'Cloth, cut, and color. I sew in public.',
    categories: ['Fashion', 'Art'],
    palette: 'linen',
    portraitSeed: 27,
    banner: { scene: 'folds', palette: 'linen', seed: 51 },
    plans: [
      { name: 'The cutting room', description: 'Patterns, fittings, failures.', priceCents: 9900, interval: 'year' },
    ],
    posts: [
      {
        title: 'Eleven yards of wool',
        content: 'It arrived on a roll taller than me. Here is how it falls, before anyone cuts into it.',
        audience: 'free',
        pictures: [
          { scene: 'folds', palette: 'linen', seed: 52 },
          { scene: 'folds', palette: 'clay', seed: 53 },
          { scene: 'folds', palette: 'sea', seed: 54 },
        ],
      },
    ],
  },
  {
    username: 'noor',
    displayName: 'Noor Haddad',
    bio: 'Arches, stairs, courtyards. A city a month, on foot.',
    categories: ['Travel', 'Photography'],
    palette: 'dusk',
    portraitSeed: 46,
    banner: { scene: 'arches', palette: 'clay', seed: 61 },
    plans: [],
    posts: [
      {
        title: 'Five arches before noon',
        content:
          'The guard let me stay after closing because I asked about the tiles first. Always ask about the tiles first.',
        audience: 'free',
        pictures: [
          { scene: 'arches', palette: 'clay', seed: 62 },
          { scene: 'arches', palette: 'sea', seed: 63 },
        ],
      },
    ],
  },
]
