import { describe, expect, it } from 'vitest'
import { hasTest } from './specification.ts'

/** Brackets are added here, so that this file doesn't name the rows itself. */
const named = (title: string, ...ids: string[]) => [title, ...ids.map((id) => `[${id}]`)].join(' ')
const source = [
  `it('${named('takes one vote (of %i)', 'NOTI-18, NOTI-19', 'D24')}', vote)`,
  `it("${named("doesn't count a withdrawn vote", 'NOTI-20')}", count)`,
].join('\n')

describe('a proven row', () => {
  it.each([
    ['NOTI-18', 'takes one vote (of %i)'],
    ['NOTI-19', 'takes one vote (of %i)'],
    ['NOTI-20', "doesn't count a withdrawn vote"],
  ])('has a test for %s with the title "%s"', (id, title) => {
    expect(hasTest(source, { id, title })).toBe(true)
  })

  it.each([
    ['with another title', 'NOTI-18', 'takes a single vote'],
    ['with a longer title', 'NOTI-20', 't count a withdrawn vote'],
    ['with a title that goes on', 'NOTI-18', 'takes one vote'],
    ['for another row', 'NOTI-20', 'takes one vote (of %i)'],
    ['for a row whose id begins alike', 'NOTI-1', 'takes one vote (of %i)'],
  ])('has no test %s', (_what, id, title) => {
    expect(hasTest(source, { id, title })).toBe(false)
  })
})
