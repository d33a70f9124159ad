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

it('keeps what it made until the catalogue is another', () => {
  const cache = new PlanCache()
  const first = cache.take(catalogue, 'a', prepare)
  expect(cache.take(catalogue, 'a', prepare)).toBe(first)
  expect(cache.take(catalogue, 'b', prepare)).not.toBe(first)
  expect(cache.take(libraryCatalogue(), 'a', prepare)).not.toBe(first)
})

it('lets go of what was used least, and does not keep very long shapes', () => {
  const cache = new PlanCache(2)
  const a = cache.take(catalogue, 'a', prepare)
  const b = cache.take(catalogue, 'b', prepare)
  expect(cache.take(catalogue, 'a', prepare)).toBe(a)
  cache.take(catalogue, 'c', prepare)
  expect(cache.take(catalogue, 'a', prepare)).toBe(a)
  expect(cache.take(catalogue, 'b', prepare)).not.toBe(b)
  const long = 'x'.repeat(5_000)
  expect(cache.take(catalogue, long, prepare)).not.toBe(cache.take(catalogue, long, prepare))
})
