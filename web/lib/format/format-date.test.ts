import { expect, it } from 'vitest'
import { formatDate, formatExact } from './format-date.ts'

it('formats dates like Intl', () => {
  const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })
  const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
  // Every month, and the hours around noon and midnight.
  for (let hours = 0; hours < 366 * 24; hours += 13) {
    const date = new Date(2024, 0, 1, hours, hours % 60)
    expect(formatExact(date.toISOString())).toBe(exact.format(date).replace(/ (?=[AP]M)/, '\u00a0'))
    expect(formatDate(date.toISOString())).toBe(dayOfYear.format(date))
  }
})
