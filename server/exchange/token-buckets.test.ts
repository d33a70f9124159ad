import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

describe('token buckets', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it("allows a window's uses at once, then returns how long to wait", () => {
    const limiter = new TokenBuckets({ uses: 2, windowSeconds: 60 })
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 30])
    expect(limiter.take('b')).toBe(0)
  })

  it('refills evenly, and never above its size', () => {
    const limiter = new TokenBuckets({ uses: 2, windowSeconds: 60 })
    limiter.take('a')
    limiter.take('a')
    vi.advanceTimersByTime(29_000)
    expect(limiter.take('a')).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(limiter.take('a')).toBe(0)
    vi.advanceTimersByTime(3_600_000)
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 30])
  })

  it('checks without taking a use', () => {
    const limiter = new TokenBuckets({ uses: 1, windowSeconds: 10 })
    expect([limiter.wait('a'), limiter.wait('a'), limiter.take('a'), limiter.wait('a')]).toEqual([0, 0, 0, 10])
  })

  it('remembers a rejected key while thousands of other keys arrive', () => {
    const limiter = new TokenBuckets({ uses: 1, windowSeconds: 10 })
    vi.advanceTimersByTime(1)
    for (let stranger = 0; stranger < 60_000; stranger++) {
      if (stranger === 20_000) limiter.take('late')
      limiter.take(`stranger ${stranger}`)
    }
    expect(limiter.wait('late')).toBe(10)
  })
})
