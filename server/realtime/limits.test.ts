import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
const sockets: WebSocket[] = []

beforeAll(async () => {
  gateway = await startGateway({
    env: { REALTIME_MAX_CONNECTIONS: '3', REALTIME_MAX_JOINS_PER_SECOND: '5', REALTIME_MAX_EVENTS_PER_SECOND: '20' },
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.close()
  await gateway?.close()
})

type Line = { heard: unknown[][]; say(...frame: unknown[]): void; socket: WebSocket }

async function dial(): Promise<Line> {
  const socket = new WebSocket(
    `${gateway.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${gateway.secrets.anonKey}&vsn=2.0.0`,
  )
  const heard: unknown[][] = []
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data))
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  sockets.push(socket)
  return { socket, heard, say: (...frame) => socket.send(JSON.stringify(frame)) }
}
/** The server's HTTP answer to a client that gets no connection. */
async function refusal(): Promise<IncomingMessage> {
  const asked = get(`${gateway.url}/realtime/v1/websocket?apikey=${gateway.secrets.anonKey}&vsn=2.0.0`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}
const replies = ({ heard }: Line) => heard.filter(([, , , event]) => event === 'phx_reply').map((frame) => frame[4])

describe('limits of the whole node', () => {
  it('cap the number of connections until one is closed [API-RT-01]', async () => {
    const lines = [await dial(), await dial(), await dial()]
    const answer = await fetch(`${gateway.url}/realtime/v1/websocket?apikey=${gateway.secrets.anonKey}`)
    expect(answer.status).toBe(404) // no upgrade, no connection
    await expect(dial()).rejects.toBeDefined()
    expect(await refusal()).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    lines[0]?.socket.close()
    await eventually(async () => expect((await dial()).socket.readyState).toBe(WebSocket.OPEN))
    for (const { socket } of lines) socket.close()
    for (const socket of sockets) socket.close()
    await sleep(200)
  })

  it('answer too many joins with the reason, and accept later ones [API-RT-01]', async () => {
    const line = await dial()
    for (let count = 0; count < 30; count++) line.say(`${count}`, `${count}`, `realtime:t${count}`, 'phx_join', {})
    await eventually(() => expect(replies(line)).toHaveLength(30))
    const refused = { status: 'error', response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' } }
    expect(replies(line)).toContainEqual(refused)
    await sleep(1100)
    line.say('99', '99', 'realtime:later', 'phx_join', {})
    await eventually(() => expect(replies(line).at(-1)).toMatchObject({ status: 'ok' }))
    line.socket.close()
  })

  it('end the channel that sends too much, and no other [API-RT-01]', async () => {
    await sleep(1100)
    const [loud, quiet] = [await dial(), await dial()]
    for (const line of [loud, quiet]) line.say('1', '1', 'realtime:hall', 'phx_join', {})
    for (const line of [loud, quiet]) await eventually(() => expect(replies(line)).toHaveLength(1))
    for (let count = 0; count < 90; count++)
      loud.say('1', null, 'realtime:hall', 'broadcast', { type: 'broadcast', event: 'x', payload: {} })
    const told = [
      null,
      null,
      'realtime:hall',
      'system',
      expect.objectContaining({ status: 'error', message: 'Too many messages per second' }),
    ]
    await eventually(() => expect(loud.heard).toContainEqual(['1', ...told.slice(1)]))
    expect(loud.heard.map(([, , , event]) => event)).toContain('phx_close')
    expect(quiet.socket.readyState).toBe(WebSocket.OPEN)
    quiet.say('1', '2', 'realtime:hall', 'phx_leave', {})
    await eventually(() => expect(replies(quiet).at(-1)).toMatchObject({ status: 'ok' }))
  })
  it('reject broadcasts over HTTP that come too fast, all of a list or none, and accept later ones [API-RT-01]', async () => {
    await sleep(1100)
    const line = await dial()
    line.say('1', '1', 'realtime:http', 'phx_join', {})
    await eventually(() => expect(replies(line)).toHaveLength(1))
    const send = (count: number) =>
      fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: Array.from({ length: count }, () => ({ topic: 'http', event: 'x' })) }),
      })
    const refused = await send(41) // one more than the burst limit
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toEqual({ code: 'too_many_requests', message: 'You have exceeded your rate limit' })
    expect((await send(10)).status).toBe(202)
    await eventually(() => expect(line.heard).toHaveLength(11))
    line.socket.close()
  })
})
