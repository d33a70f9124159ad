import { describe, expect, it } from 'vitest'
import { isNotModified, mayResume } from './conditional.ts'

const held = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05.678Z') }

describe('conditional requests [API-STO-09]', () => {
  it.each([
    { 'if-none-match': '"abc"' },
    { 'if-none-match': 'W/"abc"' },
    { 'if-none-match': '"x", "abc"' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  ])('skips the bytes for %j', (headers) => expect(isNotModified(headers, held)).toBe(true))

  it.each([
    {},
    { 'if-none-match': '"x"' },
    { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' },
    { 'if-modified-since': 'yesterday' },
    // The tag outranks the date.
    { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  ])('sends the bytes for %j', (headers) => expect(isNotModified(headers, held)).toBe(false))

  it('resumes only unchanged content', () => {
    expect(mayResume({}, held)).toBe(true)
    expect(mayResume({ 'if-range': '"abc"' }, held)).toBe(true)
    expect(mayResume({ 'if-range': 'Fri, 02 Jan 2026 03:04:05 GMT' }, held)).toBe(true)
    expect(mayResume({ 'if-range': '"old"' }, held)).toBe(false)
    expect(mayResume({ 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, held)).toBe(false)
    expect(mayResume({ 'if-range': 'W/"abc"' }, held)).toBe(false)
  })
})
