import { expect, it } from 'vitest'
import { formatBadge, formatBytes, formatCents, formatCompact, formatCount, pluralize } from './format-number.ts'

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

it('formats small counts like Intl', () => {
  const whole = new Intl.NumberFormat('en-US')
  const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
  for (const count of [0, 7, 999, 1000, 1234, -5, 0.25]) {
    expect(formatCount(count)).toBe(whole.format(count))
    expect(formatCompact(count)).toBe(compact.format(count))
  }
})

it('caps a badge at 99+ [GEN-23]', () => {
  expect([formatBadge(1, 99), formatBadge(99, 99), formatBadge(100, 99)]).toEqual(['1', '99', '99+'])
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
