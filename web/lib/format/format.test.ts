import { describe, expect, it } from 'vitest'
import {
  formatAgo,
  formatAgoInWords,
  formatBadge,
  formatBytes,
  formatCents,
  formatCompact,
  formatCount,
  formatDate,
  formatExact,
  pluralize,
} from './format.ts'

describe('format', () => {
  it('shows cents as dollars with two decimals [CONST-01]', () => {
    expect([formatCents(999), formatCents(100), formatCents(0), formatCents(123_456_789)]).toEqual([
      '$9.99',
      '$1.00',
      '$0.00',
      '$1,234,567.89',
    ])
  })

  it('shortens large counts', () => {
    expect([formatCompact(999), formatCompact(12_345), formatCompact(3_400_000)]).toEqual(['999', '12.3K', '3.4M'])
  })

  it('formats small counts and dates like Intl', () => {
    const whole = new Intl.NumberFormat('en-US')
    const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
    for (const count of [0, 7, 999, 1000, 1234, -5, 0.25]) {
      expect(formatCount(count)).toBe(whole.format(count))
      expect(formatCompact(count)).toBe(compact.format(count))
    }
    const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })
    const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
    // Every month, and the hours around noon and midnight.
    for (let hours = 0; hours < 366 * 24; hours += 13) {
      const date = new Date(2024, 0, 1, hours, hours % 60)
      expect(formatExact(date.toISOString())).toBe(exact.format(date).replace(/ (?=[AP]M)/, '\u00a0'))
      expect(formatDate(date.toISOString())).toBe(dayOfYear.format(date))
    }
  })

  it('caps a badge at 99+ [GEN-23]', () => {
    expect([formatBadge(1, 99), formatBadge(99, 99), formatBadge(100, 99)]).toEqual(['1', '99', '99+'])
  })

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

  it('counts nouns', () => {
    expect([pluralize(1, 'creator'), pluralize(0, 'creator'), pluralize(1_200, 'creator')]).toEqual([
      '1 creator',
      '0 creators',
      '1,200 creators',
    ])
  })

  it('shows a size in the largest fitting unit', () => {
    expect([formatBytes(0), formatBytes(1536), formatBytes(1024 ** 3)]).toEqual(['0 B', '1.5 KB', '1 GB'])
  })
})
