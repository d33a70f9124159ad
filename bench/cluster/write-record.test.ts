import { describe, expect, it } from 'vitest'
import { WriteRecord } from './write-record.ts'

const acknowledge = async () => undefined
const fail = async () => {
  throw new Error('503')
}
const there = (state: string, count = 1) => ({ state, count })

describe('the record of `npm run proof:cluster`', () => {
  it('finds nothing broken when everything acknowledged is there once, whatever became of the rest [SCALE-01]', async () => {
    const record = new WriteRecord()
    expect(await record.write('comment 1', 'there', acknowledge)).toBe(true)
    expect(await record.write('comment 2', 'there', fail)).toBe(false)
    expect(await record.write('comment 3', 'there', fail)).toBe(false)
    const found = new Map([
      ['comment 1', there('there')],
      ['comment 3', there('there')],
    ])
    expect(record.findBroken(found)).toEqual([])
    expect(record.counts).toEqual({ answers: 1, acknowledged: 1, failures: 2 })
  })

  it('finds what is lost, doubled, or different, and what its writer didn’t see [SCALE-01]', async () => {
    const record = new WriteRecord()
    for (const thing of ['comment 1', 'message 2', 'file 3']) await record.write(thing, 'whole', acknowledge)
    record.noteUnseen('message 2')
    const found = new Map([
      ['message 2', there('whole', 2)],
      ['file 3', there('half')],
    ])
    expect(record.findBroken(found)).toEqual([
      "message 2 wasn't seen by its writer at once",
      'comment 1 was acknowledged and is lost',
      'message 2 is there 2 times',
      'file 3 is half, not whole',
    ])
  })
})
