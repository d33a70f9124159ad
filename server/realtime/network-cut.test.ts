import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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
  await vi.waitFor(() => expect(statuses).toEqual(['SUBSCRIBED']), 10_000)
  return { client, channel, statuses, titles }
}
const notify = (title: string) => origin.query(`select private.notify($1, 'tip', $2, '')`, [ada.profileId, title])

describe('a cut network', () => {
  it('between node and database: clients get an error, join again, and get each change once [NOTI-14, API-RT-02]', async () => {
    const { client, statuses, titles } = await listen(gateway.url)
    await notify('before')
    await vi.waitFor(() => expect(titles).toEqual(['before']), 5000)
    toDatabase.cut()
    await vi.waitFor(() => expect(statuses).toContain('CHANNEL_ERROR'), 10_000)
    await notify('meanwhile') // a client reads this again after it has joined again
    // The slot ended with its connection, so the log isn't kept for an absent node.
    await vi.waitFor(
      async () =>
        expect(await origin.query('select 1 from pg_replication_slots where database = current_database()')).toEqual(
          [],
        ),
      5000,
    )
    toDatabase.restore()
    await vi.waitFor(() => expect(statuses.at(-1)).toBe('SUBSCRIBED'), 20_000)
    for (const title of ['one', 'two', 'three']) await notify(title)
    await vi.waitFor(() => expect(titles.at(-1)).toBe('three'), 5000)
    expect(titles).toEqual(['before', 'one', 'two', 'three'])
    await client.removeAllChannels()
  })

  it('between client and node: the client joins again, and gets each change once [NOTI-14, API-RT-02]', async () => {
    const { client, statuses, titles } = await listen(`http://127.0.0.1:${toGateway.port}`)
    for (const round of [1, 2]) {
      const joined = statuses.filter((status) => status === 'SUBSCRIBED').length
      toGateway.cut()
      await vi.waitFor(() => expect(client.realtime.isConnected()).toBe(false), 5000)
      toGateway.restore()
      await vi.waitFor(
        () => expect(statuses.filter((status) => status === 'SUBSCRIBED').length).toBe(joined + 1),
        15_000,
      )
      await notify(`round ${round}`)
      await vi.waitFor(() => expect(titles).toHaveLength(round), 5000)
    }
    await notify('the last')
    await vi.waitFor(() => expect(titles.at(-1)).toBe('the last'), 5000)
    expect(titles).toEqual(['round 1', 'round 2', 'the last'])
    await client.removeAllChannels()
  })
})
