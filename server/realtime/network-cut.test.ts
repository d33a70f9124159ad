import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

type Line = { readonly port: number; cut(): void; restore(): void; close(): Promise<void> }

/** A network between two programs that can be cut. */
async function openLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      destroyAll()
    },
    restore() {
      isCut = false
    },
    async close() {
      destroyAll()
      server.close()
    },
  }
}

let origin: TestDatabase
let toDatabase: Line
let toGateway: Line
let gateway: TestGateway
let ada: Person

beforeAll(async () => {
  origin = await createTestDatabase()
  toDatabase = await openLine(Number(new URL(origin.ownerUrl).port))
  const through = (url: string) => url.replace(/:\d+\//, `:${toDatabase.port}/`)
  gateway = await startGateway({
    database: { ...origin, ownerUrl: through(origin.ownerUrl), requestUrl: through(origin.requestUrl) },
  })
  toGateway = await openLine(Number(new URL(gateway.url).port))
  ada = await gateway.signUp()
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([toGateway.close(), toDatabase.close()])
  await origin.drop()
})

async function listen(url: string) {
  const { data } = await ada.client.auth.getSession()
  const client = createClient(url, gateway.secrets.anonKey, {
    accessToken: async () => data.session?.access_token ?? '',
    realtime: { reconnectAfterMs: () => 100 },
  })
  await client.realtime.setAuth()
  const statuses: string[] = []
  const titles: unknown[] = []
  const channel = client
    .channel('cut')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, (change) =>
      titles.push(change.new.title),
    )
    .subscribe((status) => statuses.push(status))
  await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
  return { client, channel, statuses, titles }
}
const notify = (title: string) => origin.query(`select private.notify($1, 'tip', $2, '')`, [ada.profileId, title])

describe('a cut network', () => {
  it('between node and database: clients get an error, join again, and get each change once [NOTI-14, API-RT-02]', async () => {
    const { client, statuses, titles } = await listen(gateway.url)
    await notify('before')
    await eventually(() => expect(titles).toEqual(['before']))
    toDatabase.cut()
    await eventually(() => expect(statuses).toContain('CHANNEL_ERROR'))
    await notify('meanwhile') // a client reads this again after it has joined again
    // The slot ended with its connection, so the log isn't kept for an absent node.
    await eventually(async () =>
      expect(await origin.query('select 1 from pg_replication_slots where database = current_database()')).toEqual([]),
    )
    toDatabase.restore()
    await eventually(() => expect(statuses.at(-1)).toBe('SUBSCRIBED'))
    for (const title of ['one', 'two', 'three']) await notify(title)
    await eventually(() => expect(titles.at(-1)).toBe('three'))
    expect(titles).toEqual(['before', 'one', 'two', 'three'])
    await client.removeAllChannels()
  })

  it('between client and node: the client joins again, and gets each change once [NOTI-14, API-RT-02]', async () => {
    const { client, statuses, titles } = await listen(`http://127.0.0.1:${toGateway.port}`)
    for (const round of [1, 2]) {
      const joined = statuses.filter((status) => status === 'SUBSCRIBED').length
      toGateway.cut()
      await eventually(() => expect(client.realtime.isConnected()).toBe(false))
      toGateway.restore()
      await eventually(() => expect(statuses.filter((status) => status === 'SUBSCRIBED').length).toBe(joined + 1))
      await notify(`round ${round}`)
      await eventually(() => expect(titles).toHaveLength(round))
    }
    await notify('the last')
    await eventually(() => expect(titles.at(-1)).toBe('the last'))
    expect(titles).toEqual(['round 1', 'round 2', 'the last'])
    await client.removeAllChannels()
  })
})
