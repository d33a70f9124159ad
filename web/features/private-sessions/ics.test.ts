import { describe, expect, it } from 'vitest'
import { icsOf } from './ics.ts'

describe('the calendar file [PRIV-04]', () => {
  const file = icsOf({
    id: '7b1f',
    title: 'Portfolio review; with Ada, the photographer of the long and winding pier in Lisbon çççççççç',
    starts_at: '2026-03-06T14:30:00+00:00',
    ends_at: '2026-03-06T15:30:00+00:00',
    url: 'https://ovation.example/private-sessions/7b1f',
    writtenAt: new Date('2026-03-01T00:00:00Z'),
  })

  it('holds one event in UTC, with an alarm', () => {
    const unfolded = file.replaceAll('\r\n ', '')
    expect(unfolded).toContain('DTSTART:20260306T143000Z\r\nDTEND:20260306T153000Z\r\n')
    expect(unfolded).toContain('UID:7b1f@ovation.example\r\nDTSTAMP:20260301T000000Z\r\n')
    expect(unfolded).toContain('SUMMARY:Portfolio review\\; with Ada\\, the photographer')
    expect(unfolded).toContain('TRIGGER:-PT15M')
  })

  it('has lines of at most 75 octets, ended as RFC 5545 wants', () => {
    const lines = file.split('\r\n')
    expect(lines.pop()).toBe('')
    expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n ', '')).toContain('çççççççç')
  })
})
