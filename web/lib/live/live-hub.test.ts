import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { LiveHub } from './live-hub.ts'
import { realtime } from './realtime.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})
/** Longer than changes are batched. */
const gathered = () => new Promise((resolve) => setTimeout(resolve, 350))
const notes = { table: 'notes', filter: 'owner=eq.1', event: '*' } as const

test('listeners of the same changes share one channel, and the last one closes it [API-RT-01]', async () => {
  const hub = new LiveHub(realtime())
  const [one, two] = [vi.fn(), vi.fn()]
  const stopOne = hub.listen(notes, one)
  const stopTwo = hub.listen(notes, two)
  stops.push(stopOne, stopTwo)
  await eventually(() => expect(listensTo('notes')).toEqual(['owner=eq.1']))
  await eventually(() => expect([one, two].map(({ mock }) => mock.calls.length)).toEqual([1, 1]))
  await gathered()
  pushInsert('notes', {})
  await eventually(() => expect([one, two].map(({ mock }) => mock.calls.length)).toEqual([2, 2]))
  stopOne()
  await gathered()
  pushInsert('notes', {})
  await eventually(() => expect(two).toHaveBeenCalledTimes(3))
  expect(one).toHaveBeenCalledTimes(2)
  stopTwo()
  await eventually(() => expect(listensTo('notes')).toEqual([]))
})

test('changes between the first read and the opening of the channel are read once it is open', async () => {
  const hub = new LiveHub(realtime())
  const read = vi.fn()
  stops.push(hub.listen(notes, read))
  expect(read).not.toHaveBeenCalled()
  await eventually(() => expect(read).toHaveBeenCalledTimes(1))
  expect(listensTo('notes')).toHaveLength(1)
})

test('many changes at once cause one read, and the last one is not lost', async () => {
  const hub = new LiveHub(realtime())
  const read = vi.fn()
  stops.push(hub.listen(notes, read))
  await eventually(() => expect(read).toHaveBeenCalledTimes(1))
  await gathered()
  read.mockClear()
  for (let count = 0; count < 50; count++) pushInsert('notes', {})
  await eventually(() => expect(read).toHaveBeenCalledTimes(2))
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(read).toHaveBeenCalledTimes(2)
})

test('a fan who follows a hundred creators gets their changes: a filter may be longer than a channel’s name [API-RT-01, D21]', async () => {
  const hub = new LiveHub(realtime())
  const read = vi.fn()
  const filter = `creator_id=in.(${Array.from({ length: 100 }, () => crypto.randomUUID()).join(',')})`
  stops.push(hub.listen({ table: 'posts', filter, event: 'INSERT' }, read))
  await eventually(() => expect(listensTo('posts')).toEqual([filter]))
})

test('a later listener reads once more, because changes since its first read only reached the others', async () => {
  const hub = new LiveHub(realtime())
  const [one, two] = [vi.fn(), vi.fn()]
  stops.push(hub.listen(notes, one))
  await eventually(() => expect(one).toHaveBeenCalledTimes(1))
  stops.push(hub.listen(notes, two))
  expect(two).toHaveBeenCalledTimes(1)
  expect(one).toHaveBeenCalledTimes(1)
})
