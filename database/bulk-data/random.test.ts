import { describe, expect, it } from 'vitest'
import { encodeValue } from './copy.ts'
import { distribute } from './distribute.ts'
import { inventName } from './names.ts'
import { buildChance } from './random.ts'

describe('chance', () => {
  it('repeats its numbers for the same seed, kind, and index, in any order', () => {
    const one = buildChance(1)
    const first = one.random('post', 7).next()
    one.random('post', 8).next()
    expect(one.random('post', 7).next()).toBe(first)
    expect(buildChance(2).random('post', 7).next()).not.toBe(first)
    expect(one.random('like', 7).next()).not.toBe(first)
  })

  it('makes well-formed UUIDs with unique first eight digits, which become referral codes [REF-14]', () => {
    const chance = buildChance(1)
    const ids = Array.from({ length: 200_000 }, (_, index) => chance.uuid('profile', index))
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(ids.length)
    for (const id of ids.slice(0, 1000))
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('favors the first by Zipf’s law and reaches the last', () => {
    const random = buildChance(1).random('post', 0)
    const hits = new Uint32Array(100)
    for (let draw = 0; draw < 100_000; draw++) {
      const place = random.zipf(100)
      hits[place] = (hits[place] ?? 0) + 1
    }
    expect(hits[0]).toBeGreaterThan((hits[50] ?? 0) * 10)
    expect(hits.every((count) => count > 0)).toBe(true)
  })

  it('draws from one thing only what there is', () => {
    expect(buildChance(1).random('post', 0).zipf(1)).toBe(0)
  })
})

describe('names', () => {
  it('are valid and unique among two hundred thousand users [AUTH-09]', () => {
    const names = Array.from({ length: 200_000 }, (_, person) => inventName(person).username)
    expect(new Set(names).size).toBe(names.length)
    expect(names.every((name) => /^[a-z0-9_-]{3,30}$/.test(name))).toBe(true)
  })
})

describe('distribute', () => {
  it('distributes exactly the total by weight', () => {
    expect([...distribute(10, Float64Array.of(1, 0, 4), () => 100)]).toEqual([2, 0, 8])
  })

  it('gives the rest above a cap to shares below theirs', () => {
    expect([...distribute(10, Float64Array.of(1, 1, 98), () => 4)]).toEqual([3, 3, 4])
  })

  it('stops when all caps are reached', () => {
    expect([...distribute(10, Float64Array.of(1, 1), () => 2)]).toEqual([2, 2])
  })
})

describe('COPY’s text format', () => {
  it.each([
    [null, '\\N'],
    ['a\tb\nc\\d', 'a\\tb\\nc\\\\d'],
    [true, 't'],
    [Buffer.from('beef', 'hex'), '\\\\xbeef'],
    [['a"b', 'c\\'], '{"a\\\\"b","c\\\\\\\\"}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('writes %j', (value, text) => {
    expect(encodeValue(value)).toBe(text)
  })
})
