import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
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

it('loses no change while requests are rejected for lack of a connection [API-RT-02, API-RT-04]', async () => {
  const person = await gateway.signUp()
  const heard: unknown[] = []
  await new Promise<void>((subscribed, refused) =>
    person.client
      .channel('own')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, (change) =>
        heard.push(change.new.title),
      )
      .subscribe((status, error) => (error ? refused(error) : status === 'SUBSCRIBED' && subscribed())),
  )
  const { database } = gateway.services
  await withClient(database.ownerUrl, async (holder) => {
    await holder.query('select pg_advisory_lock(7)')
    const ask = () => database.service.rows(sql`select pg_advisory_xact_lock_shared(7)`)
    const held = Array.from({ length: 3 }, ask)
    await expect(Promise.all(held)).rejects.toMatchObject({ reason: { kind: 'overloaded' } })
    // Evicts the cached facts of the table, so that they must be read again before anyone is notified.
    await gateway.query(`do $$ declare part regclass; begin
      for part in select inhrelid from pg_inherits where inhparent = 'public.notifications'::regclass loop
        execute format('alter table %s set (fillfactor = 100)', part);
      end loop; end $$`)
    await gateway.query(`select private.notify($1, 'tip', 'Hello', 'You got a tip', '{"amount": 5}')`, [
      person.profileId,
    ])
    await eventually(() => expect(heard).toEqual(['Hello']))
    await holder.query('select pg_advisory_unlock(7)')
    await Promise.allSettled(held)
  })
})
