import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket as PausableWebSocket } from 'ws'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { limits } from './connection-limits.ts'
import type { PresenceDiff } from './presence.ts'

let gateway: TestGateway
let ada: Person
let bob: Person

beforeAll(async () => {
  gateway = await startGateway()
  ;[ada, bob] = await Promise.all([gateway.signUp(), gateway.signUp()])
})
afterAll(() => gateway?.close())

type Raw = { socket: WebSocket; heard: unknown[][]; closed: Promise<CloseEvent>; say(...frame: unknown[]): void }

/** A bare websocket of version 2.0.0 that records what it receives. */
async function dial(query = `apikey=${gateway.secrets.anonKey}&vsn=2.0.0`): Promise<Raw> {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`)
  const heard: unknown[][] = []
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data))
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  return { socket, heard, closed, say: (...frame) => socket.send(JSON.stringify(frame)) }
}

const join = (line: Raw, topic: string, payload: unknown = { config: {} }, ref = '1') =>
  line.say(ref, ref, topic, 'phx_join', payload)

it('answers an unknown path in the shape of the API [API-RT-01]', async () => {
  const response = await fetch(`${gateway.url}/realtime/v1/nothing`)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ code: 'not_found', message: 'No such path: /realtime/v1/nothing' })
})

describe('opening a connection', () => {
  it.each([
    ['without a key', 'vsn=2.0.0', 401],
    ['with an unknown key', 'apikey=nonsense', 401],
    ['in an unknown version', 'apikey=KEY&vsn=3.0.0', 400],
  ])('is rejected over HTTP %s [GEN-13]', async (_what, query, status) => {
    const url = new URL(gateway.url)
    const socket = connect(Number(url.port), url.hostname)
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.write(
      `GET /realtime/v1/websocket?${query.replace('KEY', gateway.secrets.anonKey)} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n` +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"message":"[^"]+"}$`, 's'))
    socket.destroy()
  })

  it('is rejected with an invalid address, and nothing else is affected', async () => {
    const { port, hostname } = new URL(gateway.url)
    for (const address of ['//', '/other']) {
      const socket = connect(Number(port), hostname)
      const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
      socket.write(`GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
      expect(await answer).toMatch(/^HTTP\/1.1 404 /)
      socket.destroy()
    }
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200)
  })

  it('supports version 1.0.0, and answers heartbeats [API-RT-01]', async () => {
    const line = await dial(`apikey=${gateway.secrets.anonKey}&vsn=1.0.0`)
    line.socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '7' }))
    await eventually(() =>
      expect(line.heard).toEqual([
        { topic: 'phoenix', event: 'phx_reply', payload: { status: 'ok', response: {} }, ref: '7', join_ref: null },
      ]),
    )
    line.socket.close()
  })
})

describe('an invalid frame', () => {
  it.each([
    ['is not JSON', 'nonsense'],
    ['is not a list', '{"topic":"a"}'],
    ['has no topic', '[null,"1",null,"phx_join",{}]'],
    ['is an unknown binary', new Uint8Array([9, 9, 9])],
    ['is binary and ends early', new Uint8Array([3, 200, 200, 200, 200, 200, 1])],
  ])('that %s closes its connection, and no other [API-RT-01]', async (_what, data) => {
    const [line, other] = [await dial(), await dial()]
    line.socket.send(data)
    expect((await line.closed).code).toBe(1007)
    join(other, 'realtime:undisturbed')
    await eventually(() => expect(other.heard[0]?.[4]).toMatchObject({ status: 'ok' }))
    other.socket.close()
  })

  it('that can be parsed gets an answer with the reason [API-RT-01]', async () => {
    const line = await dial()
    line.say('1', '1', 'realtime:a', 'broadcast', {})
    join(line, 'nonsense')
    join(line, 'realtime:a', { config: { postgres_changes: 'all' } })
    join(line, 'realtime:a', { config: { postgres_changes: [{ event: 'DROP' }] } })
    await eventually(() => expect(line.heard).toHaveLength(4))
    expect(line.heard.map((frame) => frame[4])).toMatchObject([
      { status: 'error', response: { reason: 'unmatched topic' } },
      { status: 'error', response: { reason: 'unmatched topic' } },
      { status: 'error', response: { reason: expect.stringContaining('list') } },
      { status: 'error', response: { reason: expect.stringContaining('INSERT') } },
    ])
    line.socket.close()
  })

  it('that stores too much is rejected with the reason [API-RT-01]', async () => {
    const line = await dial()
    join(line, 'realtime:large', { config: {}, note: 'x'.repeat(limits.maxJoinLength) })
    join(line, 'realtime:small')
    await eventually(() => expect(line.heard).toHaveLength(2))
    line.say('1', '2', 'realtime:small', 'presence', {
      event: 'track',
      payload: { x: 'x'.repeat(limits.maxPresenceLength) },
    })
    await eventually(() => expect(line.heard).toHaveLength(4))
    expect(line.heard.map((frame) => frame[4])).toMatchObject([
      { status: 'error', response: { reason: 'InvalidJoinPayload: too large' } },
      { status: 'ok' },
      { status: 'error', message: 'Track message size exceeded' },
      {},
    ])
    expect(line.heard[3]?.[3]).toBe('phx_close')
    line.socket.close()
  })

  it('that fails on the server, or through a policy, ends no connection [API-RT-01]', async () => {
    const line = await dial()
    const token = await gateway.services.tokens.sign({ sub: 'not a uuid', role: 'authenticated' }, 60)
    join(line, 'realtime:user:odd', { access_token: token, config: { private: true } })
    await eventually(() =>
      expect(line.heard[0]?.[4]).toEqual({ status: 'error', response: { reason: 'Unknown Error on Channel' } }),
    )
    join(line, 'realtime:still here')
    await eventually(() => expect(line.heard[1]?.[4]).toMatchObject({ status: 'ok' }))
    line.socket.close()
  })

  it('that exceeds the size or the rate closes the connection [API-RT-01]', async () => {
    const large = await dial()
    large.socket.send('x'.repeat(limits.maxFrameBytes + 1))
    expect((await large.closed).code).toBe(1009)
    const flood = await dial()
    for (let count = 0; count < limits.framesAtOnce + 100; count++) flood.say(null, '1', 'phoenix', 'heartbeat', {})
    expect(await flood.closed).toMatchObject({ code: 1008, reason: 'Too many messages per second' })
  })
})

describe('channels of one connection', () => {
  it('are limited in number [API-RT-01]', async () => {
    const line = await dial()
    for (let count = 0; count <= limits.maxChannelsPerConnection; count++)
      join(line, `realtime:t${count}`, {}, `${count}`)
    await eventually(() => expect(line.heard).toHaveLength(limits.maxChannelsPerConnection + 1))
    const last = line.heard.find(([, ref]) => ref === `${limits.maxChannelsPerConnection}`)
    expect(last?.[4]).toEqual({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    })
    line.socket.close()
  })

  it('are replaced by a second join, and left by a leave [API-RT-01]', async () => {
    const line = await dial()
    join(line, 'realtime:again', {}, '1')
    join(line, 'realtime:again', {}, '2')
    line.say('2', '3', 'realtime:again', 'phx_leave', {})
    line.say('2', '4', 'realtime:again', 'broadcast', {})
    await eventually(() => expect(line.heard).toHaveLength(5))
    expect(line.heard.map(([joinRef, ref, , event]) => [joinRef, ref, event])).toEqual([
      ['1', '1', 'phx_reply'],
      ['1', '1', 'phx_close'],
      ['2', '2', 'phx_reply'],
      ['2', '3', 'phx_reply'],
      ['2', '4', 'phx_reply'],
    ])
    expect(line.heard.at(-1)?.[4]).toMatchObject({ status: 'error' })
    line.socket.close()
  })
})

describe('broadcast', () => {
  const opened = (person: Person, topic: string, config: Parameters<Person['client']['channel']>[1]) => {
    const heard: unknown[] = []
    const channel = person.client.channel(topic, config)
    channel.on('broadcast', { event: 'move' }, (message) => heard.push(message.payload))
    return new Promise<{ heard: unknown[]; channel: typeof channel }>((resolve) =>
      channel.subscribe((status) => status === 'SUBSCRIBED' && resolve({ heard, channel })),
    )
  }

  it('reaches the others, the sender on request, and no other topic [API-RT-01]', async () => {
    const quiet = await opened(ada, 'room', { config: { broadcast: { ack: true } } })
    const echo = await opened(bob, 'room', { config: { broadcast: { self: true } } })
    const elsewhere = await opened(ada, 'other room', { config: {} })
    expect(await quiet.channel.send({ type: 'broadcast', event: 'move', payload: { x: 'é' } })).toBe('ok')
    await echo.channel.send({ type: 'broadcast', event: 'move', payload: { x: 2 } })
    await eventually(() => expect(echo.heard).toEqual([{ x: 'é' }, { x: 2 }]))
    await eventually(() => expect(quiet.heard).toEqual([{ x: 2 }]))
    expect(elsewhere.heard).toEqual([])
    await Promise.all([quiet, echo, elsewhere].map(({ channel }) => channel.unsubscribe()))
  })

  it('can be sent over HTTP, to public topics [API-RT-01]', async () => {
    const { heard, channel } = await opened(ada, 'http', { config: {} })
    const sender = bob.client.channel('http')
    expect(await sender.httpSend('move', { x: 1 })).toEqual({ success: true })
    const many = await fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'http', event: 'move', payload: { x: 2 } }] }),
    })
    expect(many.status).toBe(202)
    await eventually(() => expect(heard).toEqual([{ x: 1 }, { x: 2 }]))
    const closed = bob.client.channel('http-private', { config: { private: true } })
    await expect(closed.httpSend('move', {})).rejects.toThrow(
      'You do not have permissions to write to this Channel topic',
    )
    await channel.unsubscribe()
  })
})

describe('a connection without heartbeats', () => {
  it('is closed, and no other [API-RT-01]', async () => {
    const [silent, other] = [await dial(), await dial()]
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + limits.silentMs - 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    other.say(null, '1', 'phoenix', 'heartbeat', {})
    await eventually(() => expect(other.heard).toHaveLength(1))
    vi.setSystemTime(now + limits.silentMs + 1_000)
    expect(await silent.closed).toMatchObject({ code: 1001, reason: 'No heartbeat' })
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    other.socket.close()
  })
})

describe('a connection that reads too slowly', () => {
  it('is closed, and the others in its room miss nothing [API-RT-01]', async () => {
    const topic = 'realtime:slow'
    const [speaker, other] = [await dial(), await dial()]
    const slow = new PausableWebSocket(
      `${gateway.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${gateway.secrets.anonKey}&vsn=2.0.0`,
    )
    await once(slow, 'open')
    join(other, topic, { config: { presence: { key: 'other' } } })
    join(speaker, topic)
    slow.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { presence: { key: 'slow' } } }]))
    slow.send(JSON.stringify(['1', '2', topic, 'presence', { event: 'track', payload: {} }]))
    const told = (event: string) => other.heard.filter((frame) => frame[3] === event)
    const isGone = () => told('presence_diff').some(([, , , , diff]) => 'slow' in (diff as PresenceDiff).leaves)
    await eventually(() => expect(told('presence_diff')).toHaveLength(1))
    slow.pause()
    const payload = { type: 'broadcast', event: 'move', payload: { text: 'x'.repeat(900_000) } }
    let sent = 0
    for (; sent < 60 && !isGone(); sent++) {
      speaker.say('1', null, topic, 'broadcast', payload)
      await eventually(() => expect(told('broadcast')).toHaveLength(sent + 1))
    }
    expect(sent).toBeLessThan(60)
    expect([speaker, other].map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN])
    slow.terminate()
    for (const { socket } of [speaker, other]) socket.close()
  })
})

describe('presence', () => {
  it('shows who is present, who joins, and who leaves [SET-19]', async () => {
    const seen: string[] = []
    const watcher = ada.client.channel('lobby', { config: { presence: { key: 'ada' } } })
    watcher
      .on('presence', { event: 'join' }, ({ key }) => seen.push(`+${key}`))
      .on('presence', { event: 'leave' }, ({ key }) => seen.push(`-${key}`))
    await new Promise<void>((resolve) => watcher.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    const guest = bob.client.channel('lobby', { config: { presence: { key: 'bob' } } })
    await new Promise<void>((resolve) => guest.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    expect(await guest.track({ mood: 'fine' })).toBe('ok')
    await eventually(() => expect(watcher.presenceState()).toMatchObject({ bob: [{ mood: 'fine' }] }))
    await guest.track({ mood: 'better' })
    await eventually(() => expect(watcher.presenceState()).toMatchObject({ bob: [{ mood: 'better' }] }))
    expect(Object.keys(watcher.presenceState())).toEqual(['bob'])
    await guest.untrack()
    await eventually(() => expect(watcher.presenceState()).toEqual({}))
    await guest.track({ mood: 'back' })
    await bob.client.realtime.disconnect() // without leaving the channel
    await eventually(() => expect(watcher.presenceState()).toEqual({}))
    expect(seen.at(0)).toBe('+bob')
    expect(seen.at(-1)).toBe('-bob')
    await watcher.unsubscribe()
  })
})
