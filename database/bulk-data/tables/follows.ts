import { type Community, dayMs, distributeUnevenly } from '../community.ts'
import type { Table } from '../copy.ts'

/** Who follows whom: most users follow few, some very many, and all of them prefer popular users. */
export function follows(community: Community): Table[] {
  return [
    {
      name: 'public.follows',
      columns: ['id', 'follower_id', 'following_id', 'created_at'],
      *rows() {
        const { chance, tallies, until } = community
        const { followers, followed } = drawPairs(community)
        const total = followers.length
        for (let place = 0; place < total; place++) {
          const follower = followers[place] ?? 0
          const creator = followed[place] ?? 0
          tallies.following[follower] = (tallies.following[follower] ?? 0) + 1
          tallies.followers[creator] = (tallies.followers[creator] ?? 0) + 1
          const inTurn = until - 700 * dayMs * (1 - (place + 1) / (total + 1))
          const earliest = Math.max(community.joinedAt(follower), community.joinedAt(creator))
          const at = new Date(Math.floor(Math.max(inTurn, earliest)))
          yield [chance.uuid('follow', place), community.profileId(follower), community.profileId(creator), at]
        }
      },
    },
  ]
}

type Pairs = { readonly followers: Uint32Array; readonly followed: Uint32Array }

/** Created user by user, then shuffled, so that one user's rows are spread over the table as in real use. */
function drawPairs({ plan, chance, people }: Community): Pairs {
  const most = Math.floor(plan.creators / 2)
  const counts = distributeUnevenly(chance, 'followed', plan.follows, new Float64Array(people).fill(most))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const followers = new Uint32Array(total)
  const followed = new Uint32Array(total)
  let place = 0
  for (let person = 0; person < people; person++) {
    const random = chance.random('follow', person)
    const taken = new Set([person]) // nobody follows themselves
    for (let left = counts[person] ?? 0; left > 0; left--) {
      let creator = random.zipf(plan.creators)
      while (taken.has(creator)) creator = (creator + 1) % plan.creators
      taken.add(creator)
      followers[place] = person
      followed[place] = creator
      place++
    }
  }
  const random = chance.random('shuffle', 0)
  for (let last = total - 1; last > 0; last--) {
    const other = random.below(last + 1)
    swap(followers, last, other)
    swap(followed, last, other)
  }
  return { followers, followed }
}

function swap(list: Uint32Array, one: number, other: number) {
  const kept = list[one] ?? 0
  list[one] = list[other] ?? 0
  list[other] = kept
}
