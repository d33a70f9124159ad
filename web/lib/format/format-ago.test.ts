import { expect, it } from 'vitest'
import { formatAgo, formatAgoInWords } from './format-ago.ts'

it('shows how long ago something was, and later the date', () => {
  const now = new Date(2024, 5, 15, 12)
  const ago = (ms: number) => formatAgo(new Date(now.getTime() - ms).toISOString(), now)
  const hour = 3_600_000
  expect([ago(0), ago(5 * 60_000), ago(3 * hour), ago(50 * hour)]).toEqual(['now', '5m', '3h', '2d'])
  expect(formatAgo(new Date(2024, 2, 4).toISOString(), now)).toBe('Mar 4')
  expect(formatAgo(new Date(2023, 2, 4).toISOString(), now)).toBe('Mar 4, 2023')
})

it('words it for use in a sentence', () => {
  const now = new Date(2024, 5, 15, 12)
  const words = (date: Date) => formatAgoInWords(date.toISOString(), now)
  expect(words(now)).toBe('a moment ago')
  expect(words(new Date(2024, 5, 15, 11, 57))).toBe('3m ago')
  expect(words(new Date(2024, 2, 4))).toBe('on Mar 4')
})
