import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { askEach } from './ask-each.ts'

const refused = (code: string) => Object.assign(new pg.DatabaseError('no', 0, 'error'), { code })

describe('asking about many at once', () => {
  it('is one question, however many they are', async () => {
    let times = 0
    const answers = await askEach(
      Array.from({ length: 900 }, (_, index) => index),
      async (some) => {
        times++
        return some.map((each) => each * 2)
      },
    )
    expect(times).toBe(1)
    expect(answers[899]).toEqual({ value: 1798 })
  })

  it('leaves one person’s trouble to that person [API-RT-04]', async () => {
    const odd = refused('22P02')
    const answers = await askEach([1, 2, 3, 4, 5], async (some) => {
      if (some.includes(4)) throw odd
      return some
    })
    expect(answers).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }, { error: odd }, { value: 5 }])
  })

  it.each([
    ['the server stops', refused('57P01')],
    ['the connection breaks', new Error('Connection terminated')],
  ])('is given up at once when %s', async (_what, error) => {
    let times = 0
    const asking = askEach([1, 2, 3, 4], async () => {
      times++
      throw error
    })
    await expect(asking).rejects.toBe(error)
    expect(times).toBe(1)
  })
})
