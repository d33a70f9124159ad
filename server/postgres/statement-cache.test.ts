import { expect, it } from 'vitest'
import { StatementCache } from './statement-cache.ts'

it('names a statement once for each role', () => {
  const cache = new StatementCache()
  const { name } = cache.get('anon', 'select 1')
  expect(cache.get('anon', 'select 1').name).toBe(name)
  expect(cache.get('authenticated', 'select 1').name).not.toBe(name)
  expect(cache.takeEvicted()).toEqual([])
})

it("evicts a role's least recently used statement, and none of other roles", () => {
  const cache = new StatementCache(2)
  const context = cache.get('', 'select set_config()').name
  const first = cache.get('anon', 'select 1').name
  const second = cache.get('anon', 'select 2').name
  cache.get('anon', 'select 1')
  cache.get('anon', 'select 3')
  expect(cache.takeEvicted()).toEqual([second])
  expect(cache.takeEvicted()).toEqual([])
  expect([cache.get('', 'select set_config()').name, cache.get('anon', 'select 1').name]).toEqual([context, first])
})

it("evicts a role's statements after too many other roles, but never those of the role in use", () => {
  const cache = new StatementCache()
  const context = cache.get('', 'select set_config()').name
  const names = Array.from({ length: 25 }, (_, index) => {
    cache.get('', 'select set_config()')
    return cache.get(`role ${index}`, 'select 1').name
  })
  expect(cache.takeEvicted()).toEqual(names.slice(0, 6))
  expect(cache.get('', 'select set_config()').name).toBe(context)
})
