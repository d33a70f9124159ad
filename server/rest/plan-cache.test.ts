import { expect, it } from 'vitest'
import { compileRequest } from './compile/statement.ts'
import { parseRequest } from './parse/request.ts'
import { PlanCache, type Prepared } from './plan-cache.ts'
import { resolveRequest } from './resolve/resolve.ts'
import { libraryCatalogue } from './testing/catalogue.ts'
import { request } from './testing/requests.ts'

const catalogue = libraryCatalogue()
const parsed = parseRequest(request(), { schemas: ['library'], allowTransaction: false, timezones: new Set<string>() })
const plan = resolveRequest(parsed, catalogue, { maxRows: 10, aggregates: false, plan: false })
const prepare = (): Prepared => ({ plan, compiled: compileRequest(plan) })

it('keeps the plans of one catalog', () => {
  const cache = new PlanCache()
  const [first, second] = [prepare(), prepare()]
  cache.set(catalogue, 'a', first)
  expect(cache.get(catalogue, 'a')).toBe(first)
  expect(cache.get(catalogue, 'b')).toBeUndefined()
  const other = libraryCatalogue()
  expect(cache.get(other, 'a')).toBeUndefined()
  cache.set(other, 'b', second)
  expect(cache.get(other, 'b')).toBe(second)
  expect(cache.get(other, 'a')).toBeUndefined()
})

it("evicts the least recently used plan, and doesn't keep very long shapes", () => {
  const cache = new PlanCache(2)
  const a = prepare()
  cache.set(catalogue, 'a', a)
  cache.set(catalogue, 'b', prepare())
  expect(cache.get(catalogue, 'a')).toBe(a)
  cache.set(catalogue, 'c', prepare())
  expect(cache.get(catalogue, 'a')).toBe(a)
  expect(cache.get(catalogue, 'b')).toBeUndefined()
  const long = 'x'.repeat(5_000)
  cache.set(catalogue, long, prepare())
  expect(cache.get(catalogue, long)).toBeUndefined()
})
