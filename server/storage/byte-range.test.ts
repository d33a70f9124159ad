import { describe, expect, it } from 'vitest'
import { parseRange } from './byte-range.ts'

describe('Range [API-STO-09]', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=50-1000', { start: 50, end: 99 }],
    ['Bytes = 5 - 5', { start: 5, end: 5 }],
  ])('reads %s of 100 bytes', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range)
  })

  it.each([undefined, '', 'bytes=-', 'bytes=9-5', 'bytes=a-b', 'lines=0-5', 'bytes=0-1,5-6'])(
    'answers %j with the whole object',
    (header) => {
      expect(parseRange(header, 100)).toBeUndefined()
    },
  )

  it.each(['bytes=100-', 'bytes=500-600', 'bytes=-0'])('rejects %s of 100 bytes and states the size', (header) => {
    expect(() => parseRange(header, 100)).toThrow(
      expect.objectContaining({ status: 416, headers: { 'Content-Range': 'bytes */100' } }),
    )
  })

  it('rejects any range of an empty object', () => {
    expect(() => parseRange('bytes=0-', 0)).toThrow(expect.objectContaining({ status: 416 }))
  })
})
