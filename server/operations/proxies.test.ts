import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { findHaproxy, findNginx } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8')
const children: ChildProcess[] = []
let folder: string
let first: TestGateway
let second: TestGateway

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-proxies-'))
  chmodSync(folder, 0o755)
  const names = [
    '-subj',
    '/CN=creators.example.com',
    '-keyout',
    join(folder, 'key.pem'),
    '-out',
    join(folder, 'cert.pem'),
  ]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names], {
    stdio: 'ignore',
  })
  const pem = ['cert.pem', 'key.pem'].map((file) => readFileSync(join(folder, file), 'utf8'))
  writeFileSync(join(folder, 'both.pem'), pem.join(''))
  first = await startGateway({ env: { SITE_URL: 'https://creators.example.com' } })
  second = await startSecond()
}, 120_000)
afterAll(async () => {
  for (const child of children) {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
  }
  await second?.close()
  await first?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** With the keys of the first node, as docs/operations.md says. */
function startSecond(more: Record<string, string> = {}) {
  const { jwtSecret, anonKey, serviceRoleKey } = first.secrets
  const keys = { JWT_SECRET: jwtSecret, ANON_KEY: anonKey, SERVICE_ROLE_KEY: serviceRoleKey }
  const env = { SITE_URL: 'https://creators.example.com', ...keys, ...more }
  return startGateway({ env, database: first.database })
}

const nodes = () => [first, second].map(({ url }) => new URL(url).host)

/** Starts a proxy, and resolves with its HTTPS port once it answers. */
async function run(program: string, args: string[], port: number): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  children.push(child)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  await vi.waitFor(
    async () => {
      expect(child.exitCode, said).toBeNull()
      expect((await ask(port, '/health/live')).status).toBe(200)
    },
    { timeout: 20_000, interval: 50 },
  )
  return port
}

async function startNginx(hosts: readonly string[]): Promise<number> {
  const [http, https] = [await freePort(), await freePort()]
  const site = read('nginx.conf')
    .replace('server 127.0.0.1:8000 max_fails=0;', hosts.map((host) => `server ${host} max_fails=0;`).join('\n'))
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key.pem')};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, `nginx-${https}.conf`)
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/nginx-${https}.pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off; ${places.join(' ')}\n${site}\n}\n`,
  )
  return run(findNginx(), ['-c', file, '-p', folder, '-e', `${folder}/error.log`], https)
}

async function startHaproxy(hosts: readonly string[]): Promise<number> {
  const [http, https, database] = [await freePort(), await freePort(), await freePort()]
  const file = join(folder, `haproxy-${https}.cfg`)
  writeFileSync(
    file,
    read('haproxy.cfg')
      .replace('maxconn 20000', 'maxconn 200')
      .replace('bind :80', `bind 127.0.0.1:${http}`)
      .replace(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${https} ssl crt ${join(folder, 'both.pem')}`)
      .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${database}`)
      .replace('server one 127.0.0.1:8000', hosts.map((host, index) => `server node${index} ${host}`).join('\n  '))
      .replace(/ {2}server db[\s\S]*$/, ''),
  )
  const program = findHaproxy()
  const checked = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' })
  expect(checked.status, checked.stderr).toBe(0)
  return run(program, ['-db', '-f', file], https)
}

type Reply = { status: number; headers: Record<string, unknown>; body: Buffer }

function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
) {
  return new Promise<Reply>((done, failed) => {
    const { body, ...rest } = options
    const headers = { host: 'creators.example.com', ...rest.headers }
    const agent = new Agent({ rejectUnauthorized: false })
    const asked = request({ host: '127.0.0.1', port, path, ...rest, headers, agent }, (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece) => pieces.push(piece))
      reply.once('error', failed)
      reply.once('end', () => {
        agent.destroy()
        done({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(pieces) })
      })
    })
    asked.once('error', failed)
    asked.end(body)
  })
}

describe.each([
  ['deploy/nginx.conf', startNginx],
  ['deploy/haproxy.cfg', startHaproxy],
])('%s', (_name, start) => {
  let port: number
  beforeAll(async () => {
    port = await start(nodes())
  }, 60_000)

  it('passes the client’s address on, and ignores forged headers', async () => {
    const { userId, email, password } = await first.signUp()
    const forged = {
      'x-forwarded-for': '203.0.113.66',
      apikey: first.secrets.anonKey,
      'content-type': 'application/json',
    }
    const body = Buffer.from(JSON.stringify({ email, password }))
    const signedIn = await ask(port, '/auth/v1/token?grant_type=password', { method: 'POST', headers: forged, body })
    expect(signedIn.status).toBe(200)
    const [session] = await first.query<{ ip: string }>(
      'select host(ip) as ip from auth.sessions where user_id = $1 order by created_at desc limit 1',
      [userId],
    )
    expect(session?.ip).toBe('127.0.0.1')
  })

  it('lets a large upload through', async () => {
    await first.service.storage.createBucket('large', { public: false })
    const body = Buffer.alloc(20 * 1024 ** 2, 'x')
    const headers = {
      authorization: `Bearer ${first.secrets.serviceRoleKey}`,
      'content-type': 'text/plain',
      'x-upsert': 'true',
    }
    const path = '/storage/v1/object/large/a.txt'
    expect(
      (await ask(port, path, { method: 'POST', headers: { ...headers, 'content-length': `${body.length}` }, body }))
        .status,
    ).toBe(200)
  })

  it('lets WebSockets through', async () => {
    const url = `wss://127.0.0.1:${port}/realtime/v1/websocket?vsn=1.0.0&apikey=${first.secrets.anonKey}`
    const socket = new WebSocket(url, { rejectUnauthorized: false, headers: { host: 'creators.example.com' } })
    await once(socket, 'open')
    socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' }))
    const [answer] = await once(socket, 'message')
    expect(JSON.parse(String(answer))).toMatchObject({ event: 'phx_reply', ref: '1', payload: { status: 'ok' } })
    socket.close()
  })

  it('compresses the API’s answers', async () => {
    const headers = { apikey: first.secrets.serviceRoleKey, 'accept-encoding': 'gzip' }
    const { headers: answered } = await ask(port, '/rest/v1/', { headers })
    expect(answered['content-encoding']).toBe('gzip')
  })

  it('answers every request while nodes drain and return', async () => {
    const statuses = new Map<number, number>()
    let going = true
    const people = Array.from({ length: 4 }, async () => {
      while (going) {
        const { status } = await ask(port, '/rest/v1/profiles?select=id&limit=1', {
          headers: { apikey: first.secrets.anonKey },
        })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    const address = new URL(second.url).port
    await second.close()
    second = await startSecond({ PORT: address })
    going = false
    await Promise.all(people)
    expect([...statuses.keys()]).toEqual([200])
  }, 60_000)

  it('sends a write to one node only, whatever way that node fails', async () => {
    const written: string[] = []
    const failing = createServer((request, reply) => {
      if (request.url?.startsWith('/health/')) return void reply.end('{}')
      written.push(request.url ?? '')
      request.resume().once('end', () => {
        if (request.url === '/refused') reply.writeHead(503).end()
        else request.socket.destroy() // as `kill -9` does
      })
    }).listen(0, '127.0.0.1')
    await once(failing, 'listening')
    const { port: node } = failing.address() as AddressInfo
    const own = await start([`127.0.0.1:${node}`, `localhost:${node}`])
    for (const path of ['/dies', '/refused']) {
      expect((await ask(own, path, { method: 'POST', body: Buffer.from('{}') })).status).toBeGreaterThanOrEqual(500)
      expect(written.splice(0)).toEqual([path])
    }
    failing.close()
  })
})
