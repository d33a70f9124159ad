import { expect, it } from 'vitest'
import { buildPost } from '../../testing/rows.ts'
import { findRepeats } from './find-repeats.ts'

const locked = (id: string, over: Parameters<typeof buildPost>[0] = {}) =>
  buildPost({ id, is_locked: true, post_type: 'subscription', required_tier_id: 'club', ...over })
const repeats = (posts: ReturnType<typeof locked>[], plans: Record<string, string> = {}) => [
  ...findRepeats(posts, (id) => plans[id]),
]

it('shows an offer once per run of locked posts [LOOP-14]', () => {
  expect(repeats([locked('a'), locked('b'), locked('c')])).toEqual(['b', 'c'])
  expect(repeats([locked('a'), buildPost(), locked('b'), locked('c')])).toEqual(['c'])
})

it('continues a run over a pay-per-view post, but not over an open one or to another creator [LOOP-14]', () => {
  const sale = locked('sale', { post_type: 'ppv', required_tier_id: null })
  expect(repeats([locked('a'), sale, locked('b')])).toEqual(['b'])
  expect(repeats([locked('a'), sale, locked('b'), buildPost(), locked('c')])).toEqual(['b'])
  expect(repeats([locked('a'), locked('b', { creator_id: 'another' }), locked('c')])).toEqual([])
})

it('shows another offer in the same run, and the same one of two required plans once [LOOP-14]', () => {
  expect(repeats([locked('a'), locked('b', { required_tier_id: 'studio' }), locked('c')])).toEqual(['c'])
  const plans = { a: 'any', b: 'any' }
  expect(repeats([locked('a'), locked('b', { required_tier_id: 'studio' })], plans)).toEqual(['b'])
})
