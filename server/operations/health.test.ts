import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { measureHealth } from './measure-health.ts'

const nowhere = { sandboxUrl: 'http://127.0.0.1:1' } // no test may reach Stripe
const ready = async ({ url }: TestGateway) => {
  const answer = await fetch(`${url}/health/ready`)
  return { status: answer.status, body: await answer.json() }
}

/** What admins see on the Health screen. */
const failedParts = async ({ services }: TestGateway) =>
  (await measureHealth(services)).parts.filter(({ state }) => state === 'failed').map(({ part, seen }) => [part, seen])

describe('/health/ready', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway(nowhere)
  }, 60_000)
  afterAll(() => gateway?.close())

  it('reports degraded and names the disk while it has less free space than HEALTH_MIN_FREE_MB', async () => {
    const full = await startGateway({ ...nowhere, env: { HEALTH_MIN_FREE_MB: '1000000000' } })
    try {
      expect(await ready(full)).toEqual({ status: 200, body: { status: 'degraded', failing: ['disk'] } })
      const seen = expect.stringMatching(/^DATA_DIR has \d+ MB free, less than HEALTH_MIN_FREE_MB$/)
      expect(await failedParts(full)).toContainEqual(['storage', seen])
    } finally {
      await full.close()
    }
  })

  it('reports unavailable once a write found the disk full, and reveals no file names', async () => {
    expect(await ready(gateway)).toEqual({ status: 200, body: { status: 'ok' } })
    await gateway.query(`create function public.write_something() returns void language plpgsql as $$
      begin raise sqlstate '53100' using message = 'could not extend file "base/16384/18226": No space left on device'; end $$`)
    await gateway.query('grant execute on function public.write_something to anon')
    await gateway.query(`notify pgrst, 'reload schema'`)
    const ask = () => gateway.anon.rpc('write_something')
    await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(503)
    const { error } = await ask()
    expect(error).toMatchObject({
      code: '53100',
      message: "The server's disk is full. Nothing was saved. Try again later.",
    })
    expect(JSON.stringify(error)).not.toMatch(/base\//)
    expect(await ready(gateway)).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } })
    expect(await failedParts(gateway)).toContainEqual(['database', "The database's disk is full"])
  }, 30_000)

  it('reports stopping once it wants no requests, and still serves them', async () => {
    const { readiness } = gateway.services
    readiness.stop()
    expect(await ready(gateway)).toEqual({ status: 503, body: { status: 'stopping' } })
    expect((await fetch(`${gateway.url}/rest/v1/profiles?select=id`)).status).toBe(200)
  })
})

describe('a stop', () => {
  it('lets an upload finish during a shutdown, and takes no new connection', async () => {
    const gateway = await startGateway()
    const { client, userId } = await gateway.signUp()
    const { data } = await client.auth.getSession()
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text) => (received += text))
    const ended = once(socket, 'close')
    socket.write(
      `POST /storage/v1/object/avatars/${userId}/slow.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${data.session?.access_token}\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n12345`,
    )
    await sleep(200) // until the first bytes have been read
    const closing = gateway.close()
    await expect
      .poll(() =>
        fetch(`${gateway.url}/health/live`).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('refused')
    expect(received).toBe('')
    socket.write('67890')
    await ended
    expect(received).toMatch(/^HTTP\/1\.1 (200|400|415) /) // validated as a file, and not cut off
    expect(received).toMatch(/connection: close/i)
    await closing
  }, 60_000)

  it("doesn't wait longer than SHUTDOWN_GRACE_SECONDS", async () => {
    const gateway = await startGateway({ env: { SHUTDOWN_GRACE_SECONDS: '1' } })
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined) // cut off
    socket.write('POST /auth/v1/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n12345')
    await sleep(200)
    const startedAt = performance.now()
    await gateway.close()
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    socket.destroy()
  }, 60_000)
})
