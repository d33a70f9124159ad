import { expect, it } from 'vitest'
import { encodeDelivery, parseBroadcastPush, toJsonPayload } from './broadcast-frame.ts'
import { encodeFrame, type Frame, MalformedFrame, parseFrame } from './frame.ts'

const frame: Frame = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_join', payload: { config: {} } }

it.each(['1.0.0', '2.0.0'] as const)('reads back what it writes in version %s [API-RT-01]', (version) => {
  expect(parseFrame(encodeFrame(frame, version), version)).toEqual(frame)
})

it.each([
  ['2.0.0', 'nonsense'],
  ['2.0.0', '{}'],
  ['2.0.0', '[1,2,3]'],
  ['2.0.0', '[null,null,5,"phx_join",{}]'],
  ['2.0.0', '[{},null,"t","e",{}]'],
  ['1.0.0', 'null'],
  ['1.0.0', '[]'],
  ['1.0.0', '{"topic":"t"}'],
] as const)('refuses in version %s: %s', (version, text) => {
  expect(() => parseFrame(text, version)).toThrow(MalformedFrame)
})

const push = (encoding: number, payload: string) =>
  Buffer.concat([
    Buffer.from([3, 1, 1, 6, 4, 0, encoding]),
    Buffer.from(`12topic·move${payload}`.replace('topic·', 'topic!')),
  ])

it('reads a binary broadcast and writes its delivery', () => {
  const { joinRef, ref, topic, broadcast } = parseBroadcastPush(push(1, '{"x":1}'))
  expect({ joinRef, ref, topic }).toEqual({ joinRef: '1', ref: '2', topic: 'topic!' })
  expect(toJsonPayload(broadcast)).toEqual({ type: 'broadcast', event: 'move', payload: { x: 1 } })
  if (broadcast.kind !== 'bytes') throw new Error('bytes were sent')
  expect(encodeDelivery('topic!', broadcast)).toEqual(
    Buffer.concat([Buffer.from([4, 6, 4, 0, 1]), Buffer.from('topic!move{"x":1}')]),
  )
})

it.each([
  ['é'.repeat(200), 'move'],
  ['topic', 'é'.repeat(200)],
])("writes no delivery whose length doesn't fit", (topic, event) => {
  expect(encodeDelivery(topic, { kind: 'bytes', event, encoding: 1, bytes: Buffer.from('{}') })).toBeUndefined()
})

it('sends bytes that are not JSON only to versions that can carry them', () => {
  expect(toJsonPayload(parseBroadcastPush(push(0, '\u0001\u0002')).broadcast)).toBeUndefined()
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['an unknown kind', Buffer.from([9, 0, 0, 0, 0, 0, 0])],
  ['lengths beyond its end', Buffer.from([3, 255, 255, 255, 255, 255, 1, 65])],
  ['invalid JSON', push(1, '{"x"')],
])('rejects a binary frame with %s', (_what, data) => {
  expect(() => parseBroadcastPush(data)).toThrow(MalformedFrame)
})
