import { expect, it } from 'vitest'
import { buildTextCache } from './text-cache.ts'

it('evicts the least recently used entry beyond its limit of entries', () => {
  const cache = buildTextCache<number>({ maxEntries: 2, maxLength: 10 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
})

it('evicts entries beyond the limit on total text length', () => {
  const cache = buildTextCache<number>({ maxEntries: 10, maxLength: 10, maxTotalLength: 12 })
  cache.set('aaaaaa', 1)
  cache.set('bbbbbb', 2)
  cache.set('', 3)
  expect([cache.get('aaaaaa'), cache.get('bbbbbb'), cache.get('')]).toEqual([undefined, 2, 3])
})

it("doesn't keep a text that is too long", () => {
  const cache = buildTextCache<number>({ maxEntries: 10, maxLength: 10 })
  cache.set('x'.repeat(11), 1)
  expect(cache.size).toBe(0)
})
