import { expect, it } from 'vitest'
import { demoCreators } from '../content/creators/index.ts'
import { planYear } from './plan.ts'

const now = Date.UTC(2026, 5, 15, 12) / 1000
const crowd = Array.from({ length: 36 }, (_, index) => `fan${index}`)

it('plans the same year for every start, counted back from it', () => {
  const year = planYear(now, demoCreators, crowd)
  expect(planYear(now, demoCreators, crowd)).toEqual(year)
  const later = planYear(now + 86_400, demoCreators, crowd).filter(({ kind }) => kind === 'subscribe')
  expect(later.map(({ at }) => at - 86_400)).toEqual(year.flatMap(({ kind, at }) => (kind === 'subscribe' ? [at] : [])))
})

it('stays within a year, in order, and reaches the last days', () => {
  const times = planYear(now, demoCreators, crowd).map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Math.min(...times)).toBeGreaterThan(now - 371 * 86_400)
  expect(Math.max(...times)).toBeGreaterThan(now - 3 * 86_400)
  expect(Math.max(...times)).toBeLessThan(now)
})

it('lets nobody subscribe twice to a creator, or buy a post before it was published', () => {
  const year = planYear(now, demoCreators, crowd)
  const pairs = year.flatMap((one) => (one.kind === 'subscribe' ? [`${one.fan} ${one.creator}`] : []))
  expect(new Set(pairs).size).toBe(pairs.length)
  const published = new Map(
    demoCreators.flatMap(({ posts }) => posts.map(({ content, day }) => [content, now - day * 86_400])),
  )
  for (const one of year) if (one.kind === 'buy') expect(one.at).toBeGreaterThan(published.get(one.content) ?? now)
})

it('leaves the first subscription of the printed fans to the first start, and the other fan without access to the first creator', () => {
  const year = planYear(now, demoCreators, crowd)
  const ofFirst = year.flatMap((one) => (one.kind === 'subscribe' && one.creator === 'mara' ? [one.fan] : []))
  expect(ofFirst).not.toContain('lena')
  expect(ofFirst).not.toContain('sam')
})
