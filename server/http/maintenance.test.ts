import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../testing/eventually.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway?.close())

/** Runs the command as an operator does, next to the running product. */
const run = (...args: string[]) =>
  execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('../operations/maintenance.ts', import.meta.url)),
      ...args,
    ],
    { encoding: 'utf8', env: { DATA_DIR: gateway.dataDir } },
  ).trim()
const ask = (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, init)
const page = { headers: { accept: 'text/html,application/xhtml+xml' } }

describe('npm run maintenance', () => {
  it('closes the running site with a page and a 503 that says when to come back, and reopens it', async () => {
    expect(run('status')).toBe('The site is open.')
    expect(run('on', 'Back at', '<18:00>')).toBe('The site is closed. Visitors read: Back at <18:00>')
    await eventually(async () => expect((await ask('/rest/v1/profiles')).status).toBe(503))

    const answer = await ask('/', page)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await answer.text()).toContain('Back at &#60;18:00&#62;')

    for (const path of ['/rest/v1/profiles', '/auth/v1/settings', '/storage/v1/bucket', '/functions/v1/none']) {
      const refused = await ask(path)
      expect(refused.headers.get('retry-after'), path).toBe('60')
      expect(await refused.json(), path).toMatchObject({ code: 'maintenance', message: 'Back at <18:00>' })
    }
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0`)
    await expect(new Promise((_, reject) => socket.on('error', reject))).rejects.toThrow('503')

    expect(run('off')).toBe('The site is open.')
    await eventually(async () => expect((await ask('/auth/v1/settings')).status).toBe(200))
  })

  it("lets probes, metrics, and the payment provider's webhooks through", async () => {
    run('on')
    await eventually(async () => expect((await ask('/', page)).status).toBe(503))
    expect(await (await ask('/health/live')).json()).toEqual({ status: 'ok' })
    expect(await (await ask('/health/ready')).json()).toEqual({ status: 'ok', maintenance: true })
    expect((await ask('/metrics')).status).toBe(200)
    const webhook = await ask('/functions/v1/stripe-webhook', { method: 'POST', body: '{}' })
    expect(webhook.status).toBe(400) // read, and rejected for its signature
    run('off')
  })
})
