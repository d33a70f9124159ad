import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { CatalogCache } from './catalog-cache.ts'
import { keyOf } from './types.ts'

let database: TestDatabase
const opened: CatalogCache[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const cache of opened.splice(0)) await cache.close()
})
afterAll(() => database.drop())

function open(ownerUrl = database.ownerUrl) {
  const cache = new CatalogCache({ ownerUrl, schemas: ['public'], log: pino({ level: 'silent' }) })
  opened.push(cache)
  return cache
}
const has = async (cache: CatalogCache, name: string) => (await cache.get()).relations.has(keyOf('public', name))
const listeners = `select pid from pg_stat_activity where datname = current_database() and application_name = 'ovation listen'`

it('is the same object until a reload notification', async () => {
  const cache = open()
  await cache.listen()
  const first = await cache.get()
  expect(await cache.get()).toBe(first)
  await database.query(`create table public.newcomer (id int primary key)`)
  expect(await has(cache, 'newcomer')).toBe(false)
  await database.query(`notify pgrst, 'reload schema'`)
  await expect.poll(() => has(cache, 'newcomer')).toBe(true)
})

it('listens again after its connection is lost, and misses nothing in between', async () => {
  const cache = open()
  await cache.listen()
  await cache.get()
  await database.query(`select pg_terminate_backend(pid) from (${listeners}) as _`)
  await database.query(`create table public.meanwhile (id int primary key)`)
  await database.query(`notify pgrst, 'reload schema'`)
  await expect.poll(() => has(cache, 'meanwhile'), { timeout: 20_000 }).toBe(true)
  await database.query(`create table public.afterwards (id int primary key)`)
  await database.query(`notify pgrst, 'reload schema'`)
  await expect.poll(() => has(cache, 'afterwards')).toBe(true)
})

it('answers 503 while the database is down, and releases its connection when closed', async () => {
  const away = open(database.ownerUrl.replace(/:\d+\//, ':1/'))
  await expect(away.get()).rejects.toMatchObject({ code: 'PGRST002', status: 503 })
  const cache = open()
  await cache.listen()
  await cache.close()
  await expect.poll(() => database.query(listeners)).toEqual([])
})

it('serves the one before while a new one can’t be read, and the new one after that', async () => {
  const allowConnections = (allowed: boolean) =>
    database.query('update pg_database set datallowconn = $1 where datname = current_database()', [allowed])
  const cache = open()
  const first = await cache.get()
  await allowConnections(false)
  try {
    cache.reload()
    expect(await cache.get()).toBe(first)
  } finally {
    await allowConnections(true)
  }
  expect(await cache.get()).not.toBe(first)
})
