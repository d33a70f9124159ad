import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { queryInHalves } from './query-in-halves.ts'

const refused = (code: string) => Object.assign(new pg.DatabaseError('no', 0, 'error'), { code })

describe('a query about many items', () => {
  it('is one query, however many items there are', async () => {
    let times = 0
    const answers = await queryInHalves(
      Array.from({ length: 900 }, (_, index) => index),
      async (some) => {
        times++
        return some.map((each) => each * 2)
      },
    )
    expect(times).toBe(1)
    expect(answers[899]).toEqual({ value: 1798 })
  })

  it('fails only for the user whose item causes the failure [API-RT-04]', async () => {
    const odd = refused('22P02')
    const answers = await queryInHalves([1, 2, 3, 4, 5], async (some) => {
      if (some.includes(4)) throw odd
      return some
    })
    expect(answers).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }, { error: odd }, { value: 5 }])
  })

  it.each([
    ['the server stops', refused('57P01')],
    ['the connection breaks', new Error('Connection terminated')],
  ])('is not split when %s', async (_what, error) => {
    let times = 0
    const asking = queryInHalves([1, 2, 3, 4], async () => {
      times++
      throw error
    })
    await expect(asking).rejects.toBe(error)
    expect(times).toBe(1)
  })
})
