import type { Category } from '@ovation/contract/limits'
import { type Community, dayMs } from './community.ts'
import { writePost, writeTitle } from './vocabulary.ts'

export type Post = {
  readonly id: string
  readonly creator: number
  readonly category: Category
  readonly createdAt: number
  readonly type: 'free' | 'subscription' | 'ppv'
  readonly planId: string | null
  readonly priceCents: number | null
  readonly media: readonly ('image' | 'video')[]
}

const mostMedia = 4

/** The post with this number; a higher number is a later post. Repeated calls return the same post. */
export function postAt(community: Community, number: number): Post {
  const { plan, chance, until } = community
  const random = chance.random('post', number)
  const creator = random.zipf(plan.creators)
  const [main] = community.categoriesOf(creator)
  const plans = community.plansOf(creator)
  const kind = random.fraction()
  const chosen = plans[random.below(plans.length)]
  const type = kind < 0.55 ? 'free' : kind < 0.9 && chosen ? 'subscription' : 'ppv'
  return {
    id: chance.uuid('postId', number),
    creator,
    category: main,
    createdAt: Math.floor(until - 400 * dayMs * (1 - (number + random.fraction()) / plan.posts)) - 60_000,
    type,
    planId: type === 'subscription' ? (chosen?.id ?? null) : null,
    priceCents: type === 'ppv' ? random.pick([300, 500, 800, 1200]) : null,
    media: random.chance(0.05)
      ? ['video']
      : Array.from({ length: pictureCount(random.fraction()) }, () => 'image' as const),
  }
}

export function textOf({ chance }: Community, number: number, category: Category): { title: string; content: string } {
  const random = chance.random('media', number)
  return { title: writeTitle(random, category), content: writePost(random, category) }
}

/** The path of the post's files in bucket posts. */
export function mediaPaths({ chance, userId }: Community, number: number, post: Post): string[] {
  return post.media.map(
    (kind, place) =>
      `${userId(post.creator)}/${chance.uuid('media', number * mostMedia + place)}.${kind === 'image' ? 'jpg' : 'mp4'}`,
  )
}

function pictureCount(fraction: number): number {
  if (fraction < 0.4) return 0
  return fraction < 0.8 ? 1 : 1 + Math.ceil((fraction - 0.8) * 15)
}
