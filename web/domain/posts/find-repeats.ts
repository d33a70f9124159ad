import type { Post } from './queries.ts'

type Locked = Pick<Post, 'id' | 'creator_id' | 'is_locked' | 'post_type' | 'required_tier_id'>

/**
 * Posts for which an offer was shown before in the same run: locked posts of one creator, one after the other (LOOP-14).
 * @param planOf the plan that unlocks a post; undefined while it is unknown.
 */
export function findRepeats(posts: readonly Locked[], planOf: (id: string) => string | undefined): ReadonlySet<string> {
  const repeats = new Set<string>()
  let run: { creatorId: string; offers: Set<string> } | undefined
  for (const post of posts) {
    if (!post.is_locked) run = undefined
    else if (run?.creatorId !== post.creator_id) run = { creatorId: post.creator_id, offers: new Set() }
    if (!run || post.post_type !== 'subscription') continue
    // Different plans may be required where the same one unlocks.
    const offers = [post.required_tier_id, planOf(post.id)].filter((offer) => typeof offer === 'string')
    if (offers.some((offer) => run?.offers.has(offer))) repeats.add(post.id)
    for (const offer of offers) run.offers.add(offer)
  }
  return repeats
}
