import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Caller } from './caller.ts'
import { type Place, Shares } from './shares.ts'

const member: Caller = { role: 'authenticated', claims: { sub: 'one' } }
const limits = { visitors: 2, perClient: 2, secondsPerMinute: 60, maxWaiting: 100 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Enters so many requests of one client. @returns the places of those that may go. */
function enter(shares: Shares, count: number, client: string): Place[] {
  const places: Place[] = []
  for (let request = 0; request < count; request++) shares.enter(member, client, (place) => place && places.push(place))
  return places
}

it('tells how long a request would wait for the share of its client, and no other client waits for it', () => {
  const shares = new Shares(limits)
  const places = enter(shares, 60, 'busy')
  expect(places).toHaveLength(2)
  for (let turn = 0; turn < 40; turn++) {
    vi.advanceTimersByTime(50)
    places.shift()?.leave(0)
  }
  // 18 of the 60 still wait, and one goes every 50 ms.
  expect(shares.waitMs(member, 'busy')).toBeGreaterThan(800)
  expect(shares.waitMs(member, 'busy')).toBeLessThan(1_000)
  expect(shares.waitMs(member, 'other')).toBe(0)
  expect(shares.waitMs(member, undefined)).toBe(0)
})

it('expects no wait while the share has a free place', () => {
  const shares = new Shares(limits)
  const places = enter(shares, 3, 'calm')
  for (let left = places.shift(); left; left = places.shift()) {
    vi.advanceTimersByTime(400)
    left.leave(0)
  }
  enter(shares, 1, 'calm')
  expect(shares.waitMs(member, 'calm')).toBe(0)
})
