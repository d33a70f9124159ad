import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '../../postgres/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { openSteps, type Steps } from './steps.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const { signal } = new AbortController()
const countRequests = async () => (await database.query('select from public.support_requests')).length

/** One start of the product, which is stopped after its work if it `fails`. */
const start = (name: keyof Steps, fails: boolean) =>
  withClient(database.ownerUrl, (client) =>
    openSteps(client, signal)[name]('desk', async () => {
      await client.query(
        `insert into public.support_requests (name, email, subject, message) values ('Fay', 'fay@example.com', 'Hello', 'Is anybody there?')`,
      )
      if (fails) throw new Error('stopped')
    }),
  )

it('leaves nothing of a step that was stopped, and does it once', async () => {
  await expect(start('doAtOnce', true)).rejects.toThrow('stopped')
  expect(await countRequests()).toBe(0)
  await start('doAtOnce', false)
  await start('doAtOnce', false)
  expect(await countRequests()).toBe(1)
})

it('does nothing after the stop', async () => {
  const stopping = new AbortController()
  stopping.abort(new Error('stopped'))
  await withClient(database.ownerUrl, async (client) => {
    const steps = openSteps(client, stopping.signal)
    await expect(steps.resume('crowd', () => expect.fail('the step was begun'))).rejects.toThrow('stopped')
  })
})
