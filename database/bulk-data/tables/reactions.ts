import { type Community, dayMs, distributeUnevenly } from '../community.ts'
import type { Table } from '../copy.ts'
import { type Post, postAt } from '../posts.ts'
import { writeComment } from '../vocabulary.ts'

const primes = [7_919, 104_729, 1_299_709, 15_485_863]

/** Likes and comments, on posts that everyone may see: users can't react to posts that are locked for them. */
export function reactions(community: Community): Table[] {
  const { chance, people, plan, tallies } = community
  const open = (most: number) =>
    Float64Array.from({ length: plan.posts }, (_, number) => {
      const { type, creator } = postAt(community, number)
      return type === 'free' && !community.isPrivate(creator) ? most : 0
    })
  return [
    {
      name: 'public.post_likes',
      columns: ['id', 'post_id', 'user_id', 'created_at'],
      *rows() {
        const counts = distributeUnevenly(chance, 'like', plan.likes, open(Math.max(1, Math.floor(people / 3))))
        const stride = primes.find((prime) => people % prime !== 0) ?? 1 // visits every user once before any of them twice
        let like = 0
        for (const [number, count] of counts.entries()) {
          if (count === 0) continue
          const post = postAt(community, number)
          const random = chance.random('likeId', number)
          const start = random.below(people)
          tallies.postLikes[number] = count
          tallies.likes[post.creator] = (tallies.likes[post.creator] ?? 0) + count
          for (let turn = 0; turn < count; turn++) {
            const person = (start + turn * stride) % people
            const at = reactionTime(community, post, person, random.exponential(3))
            yield [chance.uuid('likeId', like++), post.id, community.profileId(person), at]
          }
        }
      },
    },
    {
      name: 'public.comments',
      columns: ['id', 'post_id', 'user_id', 'content', 'created_at'],
      *rows() {
        const counts = distributeUnevenly(chance, 'comment', plan.comments, open(plan.comments))
        let comment = 0
        for (const [number, count] of counts.entries()) {
          if (count === 0) continue
          const post = postAt(community, number)
          const random = chance.random('commentId', number)
          tallies.postComments[number] = count
          for (let turn = 0; turn < count; turn++) {
            const person = random.below(people)
            const at = reactionTime(community, post, person, random.exponential(3))
            yield [chance.uuid('commentId', comment++), post.id, community.profileId(person), writeComment(random), at]
          }
        }
      },
    },
  ]
}

function reactionTime({ joinedAt, until }: Community, post: Post, person: number, days: number): Date {
  const at = Math.max(post.createdAt, joinedAt(person)) + days * dayMs
  return new Date(Math.min(Math.floor(at), until))
}
