import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Channel } from './channel.ts'
import { FanOut } from './fan-out-broadcasts.ts'

const roomOf = (size: number) =>
  new Set(Array.from({ length: size }, (_, number) => ({ number }) as unknown as Channel))

it('sends to a small room at once', () => {
  const sent: Channel[] = []
  const room = roomOf(20)
  expect(new FanOut().send('public small', room, (channel) => sent.push(channel))).toBeUndefined()
  expect(sent).toEqual([...room])
})

it('lets other work run between the slices of a large room, and keeps its order', async () => {
  const fanOut = new FanOut()
  const sent: string[] = []
  const room = roomOf(10_000)
  const first = fanOut.send('public large', room, ({ number }) => sent.push(`first ${number}`))
  const second = fanOut.send('public large', room, ({ number }) => sent.push(`second ${number}`))
  const most: number[] = []
  while (sent.length < 20_000) {
    const before = sent.length
    await nextTurn()
    most.push(sent.length - before)
  }
  await Promise.all([first, second])
  expect(Math.max(...most)).toBeLessThanOrEqual(2048)
  expect(sent).toEqual(['first', 'second'].flatMap((name) => [...room].map(({ number }) => `${name} ${number}`)))
})

it('serves a small room while a large one is still queued', async () => {
  const fanOut = new FanOut()
  let flooded = 0
  const large = roomOf(4_000)
  const all = Array.from({ length: 50 }, () => fanOut.send('public large', large, () => flooded++))
  let heard = 0
  await fanOut.send('public small', roomOf(2), () => heard++)
  expect(heard).toBe(2)
  expect(flooded).toBeLessThan(4_000)
  await Promise.all(all)
  expect(flooded).toBe(200_000)
})

it('sends nothing to channels that have left in the meantime', async () => {
  const fanOut = new FanOut()
  const room = roomOf(3_000)
  const [, leaving] = [...room].toReversed()
  const sent = new Set<Channel>()
  const all = fanOut.send('public large', room, (channel) => sent.add(channel))
  if (leaving) room.delete(leaving)
  await all
  expect(sent.size).toBe(2_999)
})
