import { expect, it } from 'vitest'
import { compileRequest } from './compile/statement.ts'
import { parseRequest } from './parse/request.ts'
import { PlanCache, type Prepared } from './plan-cache.ts'
import { resolveRequest } from './resolve/resolve.ts'
import { libraryCatalog } from './testing/catalog.ts'
import { request } from './testing/requests.ts'

const catalog = libraryCatalog()
const parsed = parseRequest(request(), { schemas: ['library'], allowTransaction: false, timezones: new Set<string>() })
const plan = resolveRequest(parsed, catalog, { maxRows: 10, aggregates: false, plan: false })
const prepare = (): Prepared => ({ plan, compiled: compileRequest(plan), mayLag: false })

it('keeps the plans of one catalog', () => {
  const cache = new PlanCache()
  const [first, second] = [prepare(), prepare()]
  cache.set(catalog, 'a', first)
  expect(cache.get(catalog, 'a')).toBe(first)
  expect(cache.get(catalog, 'b')).toBeUndefined()
  const other = libraryCatalog()
  expect(cache.get(other, 'a')).toBeUndefined()
  cache.set(other, 'b', second)
  expect(cache.get(other, 'b')).toBe(second)
  expect(cache.get(other, 'a')).toBeUndefined()
})

it("evicts the least recently used plan, and doesn't keep very long shapes", () => {
  const cache = new PlanCache(2)
  const a = prepare()
  cache.set(catalog, 'a', a)
  cache.set(catalog, 'b', prepare())
  expect(cache.get(catalog, 'a')).toBe(a)
  cache.set(catalog, 'c', prepare())
  expect(cache.get(catalog, 'a')).toBe(a)
  expect(cache.get(catalog, 'b')).toBeUndefined()
  const long = 'x'.repeat(5_000)
  cache.set(catalog, long, prepare())
  expect(cache.get(catalog, long)).toBeUndefined()
})
