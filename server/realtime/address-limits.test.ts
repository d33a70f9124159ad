import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../testing/eventually.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await gateway?.close()
})

type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
]
type Line = { heard: Frame[]; socket: WebSocket; say(...frame: Frame): void; closed: Promise<string> }

const start = async (env: Record<string, string>) => {
  gateway = await startGateway({
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [`REALTIME_${name}`, value])),
  })
}

/** A socket from this address, as the proxy on this machine tells of it. */
async function dial(address: string, token = gateway.secrets.anonKey): Promise<Line> {
  const url = `${gateway.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${gateway.secrets.anonKey}&vsn=2.0.0`
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address } })
  sockets.push(socket)
  const heard: Frame[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Frame))
  const closed = once(socket, 'close').then(([code, reason]) => `${code}: ${reason}`)
  closed.catch(() => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, { statusCode, headers }) =>
      reject(new Error(`${statusCode}, retry after ${headers['retry-after']}`)),
    )
  })
  const say = (...[joinRef, ref, topic, event, payload]: Frame) =>
    socket.send(JSON.stringify([joinRef, ref, topic, event, { access_token: token, ...payload }]))
  return { socket, heard, say, closed }
}

const repliesOf = ({ heard }: Line) =>
  heard.filter(([, , , event]) => event === 'phx_reply').map(([, , , , payload]) => payload)
const reasonsOf = (line: Line) =>
  repliesOf(line)
    .map(({ response }) => (response as { reason?: string }).reason)
    .filter(Boolean)
const broadcastsTo = ({ heard }: Line) => heard.filter(([, , , event]) => event === 'broadcast')

async function join(line: Line, topic: string, config: object = {}) {
  const before = repliesOf(line).length
  line.say('1', '1', `realtime:${topic}`, 'phx_join', { config })
  await eventually(() => expect(repliesOf(line).length).toBeGreaterThan(before))
  return repliesOf(line).at(-1)
}

const broadcast = (line: Line, topic: string, payload: object = {}) =>
  line.say('1', '2', `realtime:${topic}`, 'broadcast', { type: 'broadcast', event: 'x', payload })

async function joined(address: string, topic: string, config: object = {}) {
  const line = await dial(address)
  expect(await join(line, topic, config)).toMatchObject({ status: 'ok' })
  return line
}

describe('a flood of broadcasts from one address', () => {
  it('gets an error that names the limit, while other clients in another topic are served [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND_PER_SENDER: '100' })
    const flood = await Promise.all(Array.from({ length: 20 }, () => joined('203.0.113.9', 'flooded')))
    const [speaker, listener] = [await joined('198.51.100.1', 'honest'), await joined('198.51.100.2', 'honest')]
    const began = performance.now()
    let isOver = false
    const flooding = (async () => {
      while (!isOver) {
        for (const line of flood) for (let count = 0; count < 2; count++) broadcast(line, 'flooded')
        await sleep(60)
      }
    })()
    const waits: number[] = []
    for (let count = 1; count <= 20; count++) {
      const saidAt = performance.now()
      broadcast(speaker, 'honest')
      await vi.waitFor(() => expect(broadcastsTo(listener)).toHaveLength(count), { timeout: 5000, interval: 5 })
      waits.push(performance.now() - saidAt)
      await sleep(50)
    }
    isOver = true
    await flooding
    const seconds = (performance.now() - began) / 1000
    const delivered = flood.reduce((sum, line) => sum + broadcastsTo(line).length, 0)
    expect(delivered).toBeLessThan(200 + 100 * (seconds + 1) + 20)
    expect(delivered).toBeGreaterThan(100)
    expect(flood.flatMap(reasonsOf)).toContain(
      'MessagePerSecondRateLimitReached: Too many deliveries per second from your address or account',
    )
    expect(Math.max(...waits)).toBeLessThan(1000)
    expect(reasonsOf(speaker)).toEqual([])
  })

  it('is disconnected once it exceeds the limit of its address [API-RT-01]', async () => {
    await start({ MAX_EVENTS_PER_SECOND_PER_ADDRESS: '50' })
    const flood = await Promise.all(Array.from({ length: 4 }, () => joined('203.0.113.9', 'flooded')))
    const other = await joined('198.51.100.1', 'flooded')
    for (const line of flood) for (let count = 0; count < 60; count++) broadcast(line, 'flooded')
    expect(await Promise.race(flood.map(({ closed }) => closed))).toBe(
      '1008: Too many messages per second from your address',
    )
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    expect(await join(other, 'another')).toMatchObject({ status: 'ok' })
  })

  it('counts a large message as several [API-RT-01]', async () => {
    await start({ MAX_EVENTS_PER_SECOND_PER_ADDRESS: '50' })
    const line = await joined('203.0.113.9', 'large')
    for (let count = 0; count < 4; count++) broadcast(line, 'large', { text: 'x'.repeat(900_000) })
    expect(await line.closed).toBe('1008: Too many messages per second from your address')
  })

  it('is also limited by account, from any address [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND_PER_SENDER: '20' })
    const person = await gateway.signUp()
    const { data } = await person.client.auth.getSession()
    const lines = await Promise.all(
      ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].map((address) =>
        dial(address, data.session?.access_token),
      ),
    )
    for (const line of lines) await join(line, 'hall')
    for (let count = 0; count < 20; count++) for (const line of lines) broadcast(line, 'hall')
    await eventually(() => expect(lines.flatMap(reasonsOf).length).toBeGreaterThan(20))
  })

  it('is rejected over HTTP with Retry-After [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND_PER_SENDER: '20' })
    for (let count = 0; count < 10; count++) await joined('198.51.100.1', 'hall')
    const send = (key: string) =>
      fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: key, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
        body: JSON.stringify({ messages: Array.from({ length: 10 }, () => ({ topic: 'hall', event: 'x' })) }),
      })
    expect((await send(gateway.secrets.anonKey)).status).toBe(202) // more than is left, so the rest is a debt
    const refused = await send(gateway.secrets.anonKey)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toMatchObject({
      code: 'too_many_requests',
      message: 'MessagePerSecondRateLimitReached: Too many deliveries per second from your address or account',
    })
    expect((await send(gateway.secrets.serviceRoleKey)).status).toBe(202) // the operator's own server
  })
})

describe('limits of a topic and of the node', () => {
  it('apply to all senders of one topic together, and to no other topic [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND_PER_TOPIC: '20' })
    const lines = await Promise.all(Array.from({ length: 10 }, (_, index) => joined(`203.0.113.${index}`, 'hall')))
    for (let count = 0; count < 3; count++) for (const line of lines) broadcast(line, 'hall')
    await eventually(() =>
      expect(lines.flatMap(reasonsOf)).toContain(
        'MessagePerSecondRateLimitReached: Too many deliveries per second in this topic',
      ),
    )
    const [one, other] = [await joined('203.0.113.1', 'elsewhere'), await joined('203.0.113.2', 'elsewhere')]
    broadcast(one, 'elsewhere')
    await eventually(() => expect(broadcastsTo(other)).toHaveLength(1))
  })

  it('reject heavy senders before light ones [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND: '40', MAX_DELIVERIES_PER_SECOND_PER_SENDER: '60' })
    const loud = await Promise.all(Array.from({ length: 10 }, () => joined('203.0.113.9', 'hall')))
    const [speaker, listener] = [await joined('198.51.100.1', 'honest'), await joined('198.51.100.2', 'honest')]
    for (let count = 0; count < 2; count++) for (const line of loud) broadcast(line, 'hall')
    await eventually(() =>
      expect(loud.flatMap(reasonsOf)).toContain(
        'MessagePerSecondRateLimitReached: Too many deliveries per second on this server',
      ),
    )
    broadcast(speaker, 'honest')
    await eventually(() => expect(broadcastsTo(listener)).toHaveLength(1))
    expect(reasonsOf(speaker)).toEqual([])
  })
})

describe('presence', () => {
  it('count once for each receiver [API-RT-01]', async () => {
    await start({ MAX_DELIVERIES_PER_SECOND_PER_SENDER: '20' })
    const lines = await Promise.all(
      Array.from({ length: 10 }, () => joined('203.0.113.9', 'hall', { presence: { enabled: true } })),
    )
    for (const line of lines) {
      for (let count = 0; count < 3; count++)
        line.say('1', '3', 'realtime:hall', 'presence', { event: 'track', payload: { count } })
    }
    await eventually(() =>
      expect(lines.flatMap(reasonsOf)).toContain(
        'MessagePerSecondRateLimitReached: Too many deliveries per second from your address or account',
      ),
    )
    const other = await joined('198.51.100.1', 'hall', { presence: { enabled: true } })
    other.say('1', '3', 'realtime:hall', 'presence', { event: 'track', payload: {} })
    await eventually(() => expect(repliesOf(other).at(-1)).toEqual({ status: 'ok', response: {} }))
  })
})

describe('one address', () => {
  it('opens a limited number of sockets, counted together within an IPv6 network, and others still connect [API-RT-01]', async () => {
    await start({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
    const lines = [await dial('2001:db8::1'), await dial('2001:db8::2'), await dial('2001:db8::3')]
    await expect(dial('2001:db8::4')).rejects.toThrow('429, retry after 5')
    expect((await dial('2001:db8:0:1::1')).socket.readyState).toBe(WebSocket.OPEN)
    lines[0]?.socket.close()
    await eventually(async () => expect((await dial('2001:db8::4')).socket.readyState).toBe(WebSocket.OPEN))
  })

  it('joins and connects at a limited rate, and others are not affected [API-RT-01]', async () => {
    await start({ MAX_JOINS_PER_SECOND_PER_ADDRESS: '5' })
    const line = await dial('203.0.113.9')
    for (let count = 0; count < 20; count++) line.say('1', `${count}`, `realtime:t${count}`, 'phx_join', {})
    await eventually(() => expect(repliesOf(line)).toHaveLength(20))
    expect(reasonsOf(line)).toContain('ClientJoinRateLimitReached: Too many joins per second from your address')
    await expect(dial('203.0.113.9')).rejects.toThrow('429, retry after 1')
    await joined('198.51.100.1', 'hall')
    await eventually(async () => expect(await join(line, 'later')).toMatchObject({ status: 'ok' }))
  })

  it('has a limited number of open channels, until one is left [API-RT-01]', async () => {
    await start({ MAX_CHANNELS_PER_ADDRESS: '3' })
    const [one, two] = [await dial('203.0.113.9'), await dial('203.0.113.9')]
    for (const topic of ['a', 'b']) expect(await join(one, topic)).toMatchObject({ status: 'ok' })
    expect(await join(two, 'c')).toMatchObject({ status: 'ok' })
    expect(await join(two, 'd')).toMatchObject({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels from your address' },
    })
    one.socket.close()
    await eventually(async () => expect(await join(two, 'd')).toMatchObject({ status: 'ok' }))
  })
})

describe('visitors who may not send', () => {
  it('receive in public topics, where signed-in users send [API-RT-01]', async () => {
    await start({ VISITORS_MAY_SEND: '0' })
    const person = await gateway.signUp()
    const { data } = await person.client.auth.getSession()
    const visitor = await joined('203.0.113.9', 'hall')
    const member = await dial('203.0.113.9', data.session?.access_token)
    await join(member, 'hall')
    broadcast(visitor, 'hall')
    await eventually(() =>
      expect(reasonsOf(visitor)).toEqual(['You do not have permissions to write to this Channel topic: hall']),
    )
    broadcast(member, 'hall')
    await eventually(() => expect(broadcastsTo(visitor)).toHaveLength(1))
    const overHttp = await fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'hall', event: 'x' }] }),
    })
    expect(overHttp.status).toBe(403)
    expect(broadcastsTo(member)).toEqual([])
  })
})
