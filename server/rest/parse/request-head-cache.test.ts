import { expect, it } from 'vitest'
import { request } from '../testing/requests.ts'
import { parseRequest, type RestRequest } from './request.ts'
import { buildRequestHeadCache } from './request-head-cache.ts'

const options = { schemas: ['library', 'other'], allowTransaction: false, timezones: new Set(['Asia/Tokyo']) }
const cache = buildRequestHeadCache()
const parse = (overrides: Partial<RestRequest>) => parseRequest(request(overrides), options, cache)

it('parses a request once, and each different one', () => {
  const known = parse({})
  expect(parse({})).toBe(known)
  const others = [
    { method: 'HEAD' },
    { target: 'function' as const },
    { name: 'authors' },
    { search: 'id=eq.1' },
    { search: 'id=eq.2' },
    ...['accept', 'prefer', 'range'].map((name) => ({ headers: { [name]: 'undefined' } })),
    { headers: { accept: 'text/csv' } },
    { headers: { 'accept-profile': 'other' } },
    { headers: { prefer: 'count=exact' } },
    { headers: { range: '0-1' } },
  ]
  const heads = others.map(parse)
  expect(new Set([known, ...heads]).size).toBe(others.length + 1)
  others.forEach((other, index) => {
    expect(parse(other)).toBe(heads[index])
    expect(parse(other)).toEqual(parseRequest(request(other), options))
  })
})

it('parses the body of each request', () => {
  const insert = (body: string) => parse({ method: 'POST', search: 'select=id', body: Buffer.from(body) })
  expect(insert('{"title":"a"}').values).toEqual(['{"title":"a"}'])
  expect(insert('{"title":"b"}').values).toEqual(['{"title":"b"}'])
  expect(insert('{"price":1}').shape).not.toBe(insert('{"title":"a"}').shape)
})

it("doesn't keep failures, very long requests, or what depends on the names of time zones", () => {
  expect(() => parse({ headers: { 'accept-profile': 'absent' } })).toThrow()
  expect(() => parse({ headers: { 'accept-profile': 'absent' } })).toThrow()
  const headers = { prefer: 'timezone=Asia/Tokyo' }
  expect(parse({ headers })).not.toBe(parse({ headers }))
  const search = `id=in.(${'1,'.repeat(1_000)}1)`
  expect(parse({ search })).not.toBe(parse({ search }))
})

it('evicts the least recently used requests beyond its size', () => {
  const long = (id: number) => ({ search: `title=eq.${'x'.repeat(800)}${id}` })
  const first = parse(long(0))
  for (let id = 1; id < 1_000; id++) parse(long(id))
  expect(parse(long(0))).not.toBe(first)
  expect(parse(long(999))).toBe(parse(long(999)))
})

it('distinguishes a parameter whose text is undefined from an absent one', () => {
  for (const name of ['select', 'columns', 'on_conflict']) {
    expect(parse({ search: `${name}=undefined` }).shape, name).not.toBe(parse({}).shape)
  }
})
