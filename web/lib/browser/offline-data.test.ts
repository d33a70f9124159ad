import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { standInForCaches } from '../../testing/cache-storage.ts'
import { forgetOfflineData } from './forget-offline-data.ts'
import { openOfflineData } from './offline-data.ts'

const day = 24 * 60 * 60_000
const place = (key: string) => ({ kind: 'posts', key, atMost: 3 })
const now = () => Date.now()

let contents: ReturnType<typeof standInForCaches>
let isSignedIn = true
const open = (userId = 'ada', release = 'one') => openOfflineData({ userId, isSignedIn: () => isSignedIn, release })

beforeEach(() => {
  isSignedIn = true
  contents = standInForCaches()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('gives back what it was given, the latest first, and keeps no more of a kind than it may [LOOP-22]', async () => {
  const kept = open()
  for (const key of ['a', 'b', 'c', 'a', 'd']) await kept.write(place(key), { data: { key }, updatedAt: now() })
  await kept.write({ kind: 'feed', key: '', atMost: 1 }, { data: ['post'], updatedAt: now() })
  expect((await kept.readAll('posts')).map(({ data }) => data)).toEqual([{ key: 'd' }, { key: 'a' }, { key: 'c' }])
  expect(await kept.read(place('b'))).toBeUndefined()
  expect((await kept.read({ kind: 'feed', key: '' }))?.data).toEqual(['post'])
  await kept.forget(place('a'))
  expect(await kept.read(place('a'))).toBeUndefined()
})

it('keeps nothing for longer than a week, and nothing of another release', async () => {
  const kept = open()
  await kept.write(place('old'), { data: 1, updatedAt: now() - 7 * day })
  await kept.write(place('new'), { data: 2, updatedAt: now() - 6 * day })
  expect(await kept.read(place('old'))).toBeUndefined()
  expect((await kept.read(place('new')))?.data).toBe(2)
  await open('ada', 'two').tidy()
  expect([...(contents.get('kept:ada')?.keys() ?? [])]).toEqual([])
})

it('leaves nothing behind when the user signs out while something is written', async () => {
  const kept = open()
  const writing = kept.write(place('a'), { data: 1, updatedAt: now() })
  isSignedIn = false
  await forgetOfflineData()
  await writing
  expect([...contents.keys()]).toEqual([])
  await kept.write(place('b'), { data: 1, updatedAt: now() })
  expect(await kept.read(place('b'))).toBeUndefined()
  expect([...contents.keys()]).toEqual([])
})

it('forgets other users, and nothing that others keep', async () => {
  for (const user of ['ada', 'ben']) await open(user).write(place('a'), { data: user, updatedAt: now() })
  await (await caches.open('release:1')).put('/', new Response('the app'))
  await forgetOfflineData('ben')
  expect([...contents.keys()]).toEqual(['kept:ben', 'release:1'])
  await forgetOfflineData()
  expect([...contents.keys()]).toEqual(['release:1'])
})

it('keeps nothing, and fails at nothing, where there is no storage or it is full', async () => {
  const full = { put: () => Promise.reject(new DOMException('', 'QuotaExceededError')), delete: async () => false }
  vi.stubGlobal('caches', { open: async () => full })
  await open().write(place('a'), { data: 1, updatedAt: now() })
  vi.unstubAllGlobals()
  const kept = open()
  await kept.write(place('a'), { data: 1, updatedAt: now() })
  await forgetOfflineData()
  expect(await kept.readAll('posts')).toEqual([])
})
