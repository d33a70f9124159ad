import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StoreBreaker } from './store-breaker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away = { code: 'StorageUnavailable', status: 503, headers: { 'Retry-After': '5' } }

/** A store that fails in one way, or answers, and the number of calls. */
function buildStore() {
  const store = { failure: undefined as Error | undefined, asked: 0 }
  const breaker = new StoreBreaker((error) => (error as Error).message === 'away')
  const ask = (options?: { always?: boolean }) =>
    breaker.run(async () => {
      store.asked += 1
      if (store.failure) throw store.failure
      return 'content'
    }, options)
  return { store, ask }
}

it('stops asking a store that failed several times in a row, and tries again every few seconds [SCALE-06]', async () => {
  const { store, ask } = buildStore()
  store.failure = new Error('away')
  for (let failure = 0; failure < 20; failure++) await expect(ask()).rejects.toMatchObject(away)
  expect(store.asked).toBe(3)
  vi.advanceTimersByTime(5_000)
  for (let failure = 0; failure < 20; failure++) await expect(ask()).rejects.toMatchObject(away)
  expect(store.asked).toBe(4)
  store.failure = undefined
  await expect(ask()).rejects.toMatchObject(away)
  vi.advanceTimersByTime(5_000)
  for (let success = 0; success < 20; success++) expect(await ask()).toBe('content')
  expect(store.asked).toBe(24)
})

it('asks once for all who ask while it tries again [SCALE-06]', async () => {
  const { store, ask } = buildStore()
  store.failure = new Error('away')
  for (let failure = 0; failure < 3; failure++) await expect(ask()).rejects.toMatchObject(away)
  vi.advanceTimersByTime(5_000)
  const answers = await Promise.allSettled([ask(), ask(), ask()])
  expect([answers.map(({ status }) => status), store.asked]).toEqual([['rejected', 'rejected', 'rejected'], 4])
})

it('goes on when failures are single, or are answers', async () => {
  const { store, ask } = buildStore()
  for (let round = 0; round < 5; round++) {
    store.failure = new Error('away')
    for (let failure = 0; failure < 2; failure++) await expect(ask()).rejects.toMatchObject(away)
    store.failure = round % 2 ? new Error('no such key') : undefined
    await ask().catch((error) => expect(error.message).toBe('no such key'))
  }
  expect(store.asked).toBe(15)
})

it('lets the health check through, which ends the pause when it succeeds [SCALE-06]', async () => {
  const { store, ask } = buildStore()
  store.failure = new Error('away')
  for (let failure = 0; failure < 10; failure++) await expect(ask({ always: true })).rejects.toMatchObject(away)
  expect(store.asked).toBe(10)
  await expect(ask()).rejects.toMatchObject(away)
  expect(store.asked).toBe(10)
  store.failure = undefined
  expect([await ask({ always: true }), await ask()]).toEqual(['content', 'content'])
})
