import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '../postgres/migrate.ts'
import { sql } from '../postgres/sql.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: { DATABASE_CONNECTIONS: '1', DATABASE_MAX_WAITING: '1', DATABASE_STATEMENT_TIMEOUT_MS: '60000' },
  })
})
afterAll(() => gateway?.close())

it('jobs keep running while requests are rejected for lack of a connection', async () => {
  const { database, jobs } = gateway.services
  await withClient(database.ownerUrl, async (holder) => {
    await holder.query('select pg_advisory_lock(7)')
    const ask = () => database.service.rows(sql`select pg_advisory_xact_lock_shared(7)`)
    const held = Array.from({ length: 3 }, ask)
    await expect(Promise.all(held)).rejects.toMatchObject({ reason: { kind: 'overloaded' } })
    await jobs.send({ name: 'payment-tasks' }, {}, 'now')
    const states = () =>
      gateway.query(
        `select state::text, retry_count from pgboss.job where name = 'payment-tasks' and singleton_key = 'now'`,
      )
    await expect.poll(states, { timeout: 15_000 }).toEqual([{ state: 'completed', retry_count: 0 }])
    await holder.query('select pg_advisory_unlock(7)')
    await Promise.allSettled(held)
  })
})
