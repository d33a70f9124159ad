import { expect, it } from 'vitest'
import { timeLeft } from './countdown.ts'

const hour = 3_600_000
it.each([
  [8 * 24 * hour + 5 * hour + 1, '8 days 5 hours'],
  [24 * hour, '1 day 0 hours'],
  [24 * hour - 1, '23 hours 59 minutes'],
  [61 * 60_000, '1 hour 1 minute'],
  [0, '0 hours 0 minutes'],
  [-5, '0 hours 0 minutes'],
])('says %i ms as "%s" [SUB-20]', (ms, words) => expect(timeLeft(ms)).toBe(words))
