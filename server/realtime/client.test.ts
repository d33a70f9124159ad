import { resolveObjectURL } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { Worker as Thread } from 'node:worker_threads'
import { postgresChangesFilter, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

/** Features of the official client that no other test uses: each method and option against the real API. */
let gateway: TestGateway
let ada: Person
const clients: RealtimeClient[] = []

beforeAll(async () => {
  gateway = await startGateway()
  ada = await gateway.signUp()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()))
})
afterAll(() => gateway?.close())

function connect(options: Partial<RealtimeClientOptions> = {}): RealtimeClient {
  const address = `${gateway.url.replace('http', 'ws')}/realtime/v1`
  const client = new RealtimeClient(address, { params: { apikey: gateway.secrets.anonKey }, ...options })
  clients.push(client)
  return client
}

const subscribed = (channel: ReturnType<RealtimeClient['channel']>) =>
  new Promise<typeof channel>((resolve, reject) =>
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (error) reject(error)
    }),
  )

const token = async () => (await ada.client.auth.getSession()).data.session?.access_token ?? ''

describe('a connection', () => {
  it('opens, reports its state, sends heartbeats, and closes [API-RT-01]', async () => {
    const beats: string[] = []
    const client = connect({ heartbeatIntervalMs: 50, heartbeatCallback: (status) => beats.push(status) })
    expect([client.isConnected(), client.connectionState()]).toEqual([false, 'closed'])
    client.connect()
    await eventually(() => expect(client.isConnected()).toBe(true))
    expect(client.endpointURL()).toContain('vsn=2.0.0')
    await eventually(() => expect(beats).toContain('ok'))
    await client.sendHeartbeat()
    expect(await client.disconnect(1000, 'done')).toBe('ok')
    await eventually(() => expect(client.isConnected()).toBe(false))
  })

  it('can send its heartbeats from a worker', async () => {
    // Node has threads and object URLs, but not the browser's `Worker`.
    vi.stubGlobal(
      'Worker',
      class {
        onmessage: (event: { data: unknown }) => void = () => undefined
        readonly #thread: Promise<Thread>
        constructor(url: string) {
          this.#thread = this.#start(url)
        }
        async #start(url: string) {
          const script = await resolveObjectURL(url)?.text()
          const globals = `const { parentPort } = require('node:worker_threads'); const postMessage = (data) => parentPort.postMessage(data);
            const addEventListener = (_type, listener) => parentPort.on('message', (data) => listener({ data }));`
          const thread = new Thread(globals + script, { eval: true })
          thread.on('message', (data) => this.onmessage({ data }))
          return thread
        }
        postMessage(data: unknown) {
          void this.#thread.then((thread) => thread.postMessage(data))
        }
        terminate() {
          void this.#thread.then((thread) => thread.terminate())
        }
      },
    )
    const beats: string[] = []
    const client = connect({ worker: true, heartbeatIntervalMs: 50 })
    client.onHeartbeat((status) => beats.push(status))
    client.connect()
    await eventually(() => expect(beats.filter((status) => status === 'ok').length).toBeGreaterThan(1))
    await client.disconnect()
    vi.unstubAllGlobals()
  })

  it('lists its channels, and leaves one or all [API-RT-01]', async () => {
    const client = connect({ disconnectOnEmptyChannelsAfterMs: 60_000 })
    const [one, two] = [await subscribed(client.channel('one')), await subscribed(client.channel('two'))]
    expect(client.getChannels()).toEqual([one, two])
    expect(client.channel('one')).toBe(one)
    expect(await client.removeChannel(one)).toBe('ok')
    expect(client.getChannels()).toEqual([two])
    expect(await client.removeAllChannels()).toEqual(['ok'])
    expect(client.getChannels()).toEqual([])
  })

  it('closes on its own once it has no channels', async () => {
    const client = connect({ disconnectOnEmptyChannelsAfterMs: 50 })
    await (await subscribed(client.channel('short'))).unsubscribe()
    await eventually(() => expect(client.isConnected()).toBe(false))
  })

  it('supports the first version of the protocol: broadcast, presence, and changes [API-RT-01]', async () => {
    const [old, young] = [connect({ vsn: '1.0.0' }), connect()]
    await old.setAuth(await token())
    const heard: unknown[] = []
    const changes: unknown[] = []
    const mine = old.channel('versions', { config: { presence: { key: 'old' }, broadcast: { ack: true } } })
    mine
      .on('broadcast', { event: 'move' }, ({ payload }) => heard.push(payload))
      .on('presence', { event: 'sync' }, () => undefined)
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, (change) =>
        changes.push(change.new),
      )
    await subscribed(mine)
    const theirs = young.channel('versions', { config: { presence: { key: 'young' } } })
    theirs.on('broadcast', { event: 'move' }, ({ payload }) => heard.push(payload))
    theirs.on('presence', { event: 'sync' }, () => undefined)
    await subscribed(theirs)
    expect(await mine.send({ type: 'broadcast', event: 'move', payload: { from: 'old' } })).toBe('ok')
    await theirs.send({ type: 'broadcast', event: 'move', payload: { from: 'young' } })
    await eventually(() => expect(heard).toHaveLength(2))
    expect(heard).toEqual(expect.arrayContaining([{ from: 'old' }, { from: 'young' }]))
    await mine.track({ n: 1 })
    await eventually(() => expect(theirs.presenceState()).toMatchObject({ old: [{ n: 1 }] }))
    await gateway.query(`select private.notify($1, 'tip', 'old', '')`, [ada.profileId])
    await eventually(() => expect(changes).toMatchObject([{ title: 'old' }]))
  })
})

describe('a channel', () => {
  it('waits for row changes on request, and takes columns and combined filters [API-RT-02]', async () => {
    const client = connect()
    await client.setAuth(await token())
    const changes: Record<string, unknown>[] = []
    const channel = client.channel(randomUUID(), {
      config: { postgres_changes_options: { wait: true, timeout: 5000 } },
    })
    const filter = postgresChangesFilter()
      .eq('user_id', ada.profileId)
      .in('title', ['a,b', 'c'])
      .not('type', 'like', 'sub%')
    channel.on(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'notifications', filter, select: ['id', 'title'] },
      (change) => changes.push(change.new),
    )
    await subscribed(channel)
    const notify = (title: string, type = 'tip') =>
      gateway.query('select private.notify($1, $2, $3, $4)', [ada.profileId, type, title, ''])
    await notify('a,b')
    await notify('c', 'subscription')
    await notify('d')
    await notify('c')
    await eventually(() => expect(changes.map(({ title }) => title)).toEqual(['a,b', 'c']))
    expect(Object.keys(changes[0] ?? {}).toSorted()).toEqual(['id', 'title'])
  })

  it('follows every table of a schema with several bindings, and delivers each change once to each [API-RT-02]', async () => {
    const client = connect()
    await client.setAuth(await token())
    const told: string[] = []
    const channel = client.channel(randomUUID())
    const note = (name: string) => (change: { eventType: string }) => void told.push(`${name} ${change.eventType}`)
    channel
      .on('postgres_changes', { event: '*', schema: 'public' }, note('all'))
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, note('insert'))
      .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'notifications' }, note('update'))
      .on('postgres_changes', { event: 'DELETE', schema: 'public', table: 'notifications' }, note('delete'))
    await subscribed(channel)
    const [row] = await gateway.query<{ id: string }>(`select private.notify($1, 'tip', 'x', '') as id`, [
      ada.profileId,
    ])
    await eventually(() => expect(told).toEqual(['all INSERT', 'insert INSERT']))
    await gateway.query('update public.notifications set is_read = true where id = $1', [row?.id])
    await gateway.query('delete from public.notifications where id = $1', [row?.id])
    await eventually(() => expect(told.slice(2)).toContain('delete DELETE'))
    expect(new Set(told).size).toBe(told.length)
  })

  it('falls back to HTTP for a broadcast before it is open, and sends bytes both ways [API-RT-01]', async () => {
    const [speaker, listener] = [connect(), connect()]
    const heard: unknown[] = []
    const hall = listener.channel('bytes')
    hall.on('broadcast', { event: 'b' }, ({ payload }) => heard.push(payload))
    await subscribed(hall)
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(await speaker.channel('bytes').send({ type: 'broadcast', event: 'b', payload: { n: 1 } })).toBe('ok')
    expect(warned).toHaveBeenCalledOnce()
    warned.mockRestore()
    expect(await speaker.channel('bytes').httpSend('b', new Uint8Array([1, 2]))).toEqual({ success: true })
    await eventually(() => expect(heard).toHaveLength(2))
    expect([heard[0], [...new Uint8Array(heard[1] as ArrayBuffer)]]).toEqual([{ n: 1 }, [1, 2]])
  })

  it('takes over the listeners of another client, and a token that is set by hand [API-RT-01]', async () => {
    const client = connect()
    const heard: unknown[] = []
    const template = client.channel('template')
    template.on('broadcast', { event: 'x' }, ({ payload }) => heard.push(payload))
    const channel = client.channel('copy', { config: { broadcast: { self: true } } })
    channel.copyBindings(template)
    await client.setAuth(await token())
    channel.updateJoinPayload({ note: 'ignored' })
    await subscribed(channel)
    await channel.send({ type: 'broadcast', event: 'x', payload: { n: 1 } })
    await eventually(() => expect(heard).toEqual([{ n: 1 }]))
    await client.setAuth(await token())
    expect(channel.state).toBe('joined')
    channel.teardown()
  })
})
