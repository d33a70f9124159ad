import { expect, it } from 'vitest'
import { StatementCache } from './statement-cache.ts'

it('names a statement once for each role', () => {
  const cache = new StatementCache()
  const { name } = cache.take('anon', 'select 1')
  expect(cache.take('anon', 'select 1').name).toBe(name)
  expect(cache.take('authenticated', 'select 1').name).not.toBe(name)
  expect(cache.takeEvicted()).toEqual([])
})

it('lets go of what the busiest role has used least', () => {
  const cache = new StatementCache(3)
  const context = cache.take('', 'select set_config()').name
  const first = cache.take('anon', 'select 1').name
  const second = cache.take('anon', 'select 2').name
  cache.take('anon', 'select 1')
  cache.take('anon', 'select 3')
  expect(cache.takeEvicted()).toEqual([second])
  expect(cache.takeEvicted()).toEqual([])
  expect([cache.take('', 'select set_config()').name, cache.take('anon', 'select 1').name]).toEqual([context, first])
})
