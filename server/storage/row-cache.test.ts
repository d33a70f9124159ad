import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { RowCache } from './row-cache.ts'

let gateway: TestGateway
let known: RowCache
const place = { bucket: 'files', name: 'a.txt' }

beforeAll(async () => {
  gateway = await startGateway()
  await gateway.service.storage.createBucket('files', { public: false })
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await gateway.service.storage.from('files').upload('a.txt', 'one', { upsert: true })
  known = new RowCache(gateway.services.database, pino({ level: 'silent' }))
})
afterEach(() => known.close())

const version = async () => (await known.content(place))?.version
const isPublic = async () => (await known.bucket('files'))?.public
/** Changes rows without triggers, so that no notification is sent. */
const change = (text: string) =>
  gateway.query(`set session_replication_role = replica; ${text}; reset session_replication_role`)

it('are kept until the database reports a change [API-STO-09, API-STO-10]', async () => {
  await known.listen()
  const first = await version()
  expect(await isPublic()).toBe(false)
  await change(`update storage.objects set version = 'other'`)
  await change(`update storage.buckets set public = true where id = 'files'`)
  expect(await version()).toBe(first)
  expect(await isPublic()).toBe(false)
  await gateway.query(`update storage.objects set metadata = metadata`)
  await gateway.query(`update storage.buckets set public = public where id = 'files'`)
  await expect.poll(version).toBe('other')
  await expect.poll(isPublic).toBe(true)
  await gateway.query(`delete from storage.objects`)
  await expect.poll(version).toBeUndefined()
})

it('are not kept before the listener is connected, nor after the connection is lost', async () => {
  await version()
  await change(`update storage.objects set version = 'second'`)
  expect(await version()).toBe('second')

  await known.listen()
  expect(await version()).toBe('second')
  await change(`update storage.objects set version = 'third'`)
  expect(await version()).toBe('second')
  await gateway.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'ovation listen'`,
  )
  await expect.poll(version).toBe('third')
})

it('are not kept when they changed during the query', async () => {
  await known.listen()
  const asked = version()
  known.forget('files/a.txt')
  const first = await asked
  await change(`update storage.objects set version = 'other'`)
  expect(first).not.toBe('other')
  expect(await version()).toBe('other')
})

it('let a link stop with its file, and show the new file at once', async () => {
  const files = gateway.service.storage.from('files')
  const { data } = await files.createSignedUrl('a.txt', 60)
  const read = async () => {
    const answer = await fetch(data?.signedUrl ?? '')
    return answer.ok ? answer.text() : answer.status
  }
  expect([await read(), await read()]).toEqual(['one', 'one'])
  await files.update('a.txt', 'two')
  expect([await read(), await read()]).toEqual(['two', 'two'])
  await files.move('a.txt', 'b.txt')
  expect(await read()).toBe(400)
  await files.move('b.txt', 'a.txt')
  expect(await read()).toBe('two')
  await files.remove(['a.txt'])
  expect(await read()).toBe(400)
})
