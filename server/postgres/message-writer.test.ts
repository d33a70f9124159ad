import fc from 'fast-check'
import { serialize } from 'pg-protocol'
import { describe, expect, it } from 'vitest'
import { MessageWriter } from './message-writer.ts'

describe('a Bind message', () => {
  const writer = new MessageWriter((value) => (value === undefined ? null : (value as string | Buffer | null)))
  function write(statement: string, values: readonly unknown[]): Buffer {
    writer.addBind(statement, values)
    return writer.take()
  }

  it('equals what pg-protocol writes; results are text because no format is named', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(null),
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(value, { maxLength: 12 }), (name, values) => {
        const statement = name.replaceAll('\0', '')
        const expected = serialize.bind({ statement, values })
        const body = Buffer.concat([expected.subarray(5, -4), Buffer.from([0, 0])])
        const head = Buffer.from([0x42, 0, 0, 0, 0])
        head.writeInt32BE(body.length + 4, 1)
        expect(write(statement, values)).toEqual(Buffer.concat([head, body]))
      }),
    )
  })

  it('takes a value that is larger than its own memory, and then a small one', () => {
    const large = 'ü€😀\ud800'.repeat(20_000)
    const message = write('s', [large])
    expect(message.includes(Buffer.from(large))).toBe(true)
    expect(message.readInt32BE(1)).toBe(message.length - 1)
    expect(write('s', ['x']).length).toBe(21)
  })

  it('does not change when the next one is written', () => {
    const first = write('s1', ['one'])
    const copy = Buffer.from(first)
    write('s2', ['two'])
    expect(first).toEqual(copy)
  })

  it('follows the messages added before, also when both need more memory', () => {
    const [before, after] = [Buffer.from('before'), Buffer.from('after')]
    for (const value of ['small', 'large '.repeat(20_000)]) {
      const alone = write('s', [value])
      writer.add(before)
      writer.addBind('s', [value])
      writer.add(after)
      expect(writer.take().equals(Buffer.concat([before, alone, after]))).toBe(true)
    }
  })

  it("is not begun when a value can't be sent", () => {
    const failing = new MessageWriter(() => {
      throw new Error('circular')
    })
    failing.addBind('s', ['fine'])
    const expected = failing.take()
    expect(() => failing.addBind('s', ['fine', {}])).toThrow('circular')
    failing.addBind('s', ['fine'])
    expect(failing.take()).toEqual(expected)
  })
})
