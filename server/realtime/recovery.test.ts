import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { parseConfig } from '../config.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { Allowances } from './allowances.ts'
import { ChangeDelivery } from './change-delivery.ts'
import { Hub } from './hub.ts'
import { WebSocketApi } from './websocket.ts'

let gateway: TestGateway
let owner: Person

beforeAll(async () => {
  gateway = await startGateway()
  owner = await gateway.signUp()
})
afterAll(() => gateway?.close())

const slots = () =>
  gateway.query<{ slot_name: string; temporary: boolean; active_pid: number }>(
    `select slot_name, temporary, active_pid from pg_replication_slots where database = current_database()`,
  )

describe('a node that loses the log', () => {
  it('reports an error to its clients, follows the log again, and delivers later changes [API-RT-02, NOTI-14]', async () => {
    const statuses: string[] = []
    const titles: unknown[] = []
    const channel = owner.client
      .channel('recovery')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, (change) =>
        titles.push(change.new.title),
      )
      .subscribe((status) => statuses.push(status))
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
    const [before] = await slots()
    expect(before?.temporary).toBe(true)
    await gateway.query('select pg_terminate_backend($1)', [before?.active_pid])
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']))
    await gateway.query(`select private.notify($1, 'tip', 'after', '')`, [owner.profileId])
    await eventually(() => expect(titles).toEqual(['after']))
    await channel.unsubscribe()
  })

  it('recovers from the loss of every connection to the database [NOTI-14]', async () => {
    const statuses: string[] = []
    const titles: unknown[] = []
    const channel = owner.client
      .channel('restart')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, (change) =>
        titles.push('title' in change.new ? change.new.title : undefined),
      )
      .subscribe((status) => statuses.push(status))
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
    await gateway.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await eventually(() => expect(statuses.slice(-2)).toEqual(['CHANNEL_ERROR', 'SUBSCRIBED']))
    await gateway.query(`select private.notify($1, 'tip', 'after all', '')`, [owner.profileId])
    await eventually(() => expect(titles).toEqual(['after all']))
    await channel.unsubscribe()
  })
})

describe('a separate realtime API', () => {
  it('keeps nothing of closed sockets, and no slot when it stops [API-RT-01]', async () => {
    const log = pino({ level: 'silent' })
    const { callers, database, trustsProxy } = gateway.services
    const { realtime } = parseConfig({})
    const hub = new Hub()
    const changes = new ChangeDelivery({ database, hub, log })
    const parts = {
      callers,
      service: database.service,
      hub,
      changes,
      log,
      allowances: new Allowances(realtime, trustsProxy),
    }
    const api = new WebSocketApi(parts, trustsProxy)
    const server = createServer()
    api.listen(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const others = (await slots()).map(({ slot_name }) => slot_name)

    for (let round = 0; round < 10; round++) {
      const clients = Array.from({ length: 20 }, () =>
        createClient(`http://127.0.0.1:${port}`, gateway.secrets.anonKey),
      )
      await Promise.all(
        clients.map(
          ({ realtime }, index) =>
            new Promise<void>((resolve) => {
              const channel = realtime.channel(`leak-${index % 3}`)
              channel
                .on('presence', { event: 'sync' }, () => undefined)
                .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () => undefined)
                .subscribe(async (status) => {
                  if (status === 'SUBSCRIBED') await channel.track({ index })
                  resolve()
                })
            }),
        ),
      )
      expect([hub.roomCount, changes.followerCount, api.connectionCount]).toEqual([3, 20, 20])
      await Promise.all(clients.map(({ realtime }) => realtime.disconnect()))
      await eventually(() => expect([hub.roomCount, changes.followerCount, api.connectionCount]).toEqual([0, 0, 0]))
    }
    expect(await slots()).toHaveLength(others.length + 1)
    const stoppedAt = performance.now()
    api.close()
    await changes.stop()
    expect(performance.now() - stoppedAt).toBeLessThan(1000)
    // The database's process ends a moment after the connection does.
    await eventually(async () => expect((await slots()).map(({ slot_name }) => slot_name)).toEqual(others))
    server.close()
  })
})
