import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { findNginx } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { checkFilesUrl } from './doctor.ts'

const conf = readFileSync(fileURLToPath(new URL('../../deploy/cdn-nginx.conf', import.meta.url)), 'utf8')
let gateway: TestGateway
let nginx: ChildProcess
let folder: string
let cdn: string
let creator: Person
/** The addresses that reached the product through the CDN. */
const reached: string[] = []
/** Between the CDN and the product. */
const counter = createServer((request, response) => {
  reached.push(request.url ?? '')
  const { hostname, port } = new URL(gateway.url)
  const { method, url: path, headers } = request
  const passed = forward({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  request.pipe(passed.on('error', () => response.destroy()))
})

beforeAll(async () => {
  gateway = await startGateway()
  creator = await gateway.signUp()
  await gateway.service.storage.createBucket('files', { public: false })
  await once(counter.listen(0, '127.0.0.1'), 'listening')
  folder = mkdtempSync(join(tmpdir(), 'ovation-cdn-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  cdn = `http://127.0.0.1:${port}`
  const site = conf
    .replace('/var/cache/nginx/ovation', join(folder, 'cache'))
    .replace('server 127.0.0.1:8000', `server 127.0.0.1:${(counter.address() as AddressInfo).port}`)
    .replaceAll(/^ *(listen \[::\]|ssl_).*\n/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off; ${places.join(' ')}\n${site}\n}\n`,
  )
  nginx = spawn(findNginx(), ['-c', file, '-p', folder, '-e', `${folder}/error.log`], { stdio: 'ignore' })
  await eventually(async () => expect((await fetch(`${cdn}/`)).status).toBe(404))
}, 120_000)
afterAll(async () => {
  if (nginx?.exitCode === null) {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
  }
  counter.close()
  await gateway?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  reached.length = 0
})

/** Uploads a file. @returns the path of a stable link to it. */
async function linkTo(body: Buffer, type: string, seconds = 3600): Promise<string> {
  const path = `${randomBytes(6).toString('hex')}/a b.${type.split('/')[1]}`
  const files = () => gateway.service.storage.from('files')
  expect((await files().upload(path, body, { contentType: type })).error).toBeNull()
  const { data } = await files().setHeader('Prefer', 'stable-links').createSignedUrls([path], seconds)
  return new URL(data?.[0]?.signedUrl ?? '').pathname
}

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(cdn + path, { headers })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, cache: answer.headers.get('x-cache'), headers: answer.headers, body }
}

const photo = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#a03' } })
    .jpeg()
    .toBuffer()

describe('deploy/cdn-nginx.conf', () => {
  it('answers the second request for a file by itself, its ranges too [SCALE-06]', async () => {
    const film = randomBytes(2_500_000)
    const path = await linkTo(film, 'application/octet-stream')
    const first = await get(path)
    expect([first.status, first.cache, first.body.equals(film)]).toEqual([200, 'MISS', true])
    const asked = reached.length
    const second = await get(path)
    expect([second.status, second.cache, second.body.equals(film)]).toEqual([200, 'HIT', true])
    const range = await get(path, { range: 'bytes=1048570-1048585' })
    expect([range.status, range.cache, range.headers.get('content-range')]).toEqual([
      206,
      'HIT',
      `bytes 1048570-1048585/${film.length}`,
    ])
    expect(range.body.equals(film.subarray(1_048_570, 1_048_586))).toBe(true)
    expect(reached).toHaveLength(asked)
  })

  it('keeps each size and format of a picture, whichever way a browser asks for the format [SCALE-06]', async () => {
    const path = (await linkTo(await photo(), 'image/jpeg')).replace('/object/', '/render/image/')
    const type = async (width: number, accept: string) => {
      const { cache, headers } = await get(`${path}?width=${width}`, { accept })
      return [cache, headers.get('content-type')]
    }
    expect(await type(100, 'image/avif,image/webp,*/*')).toEqual(['MISS', 'image/avif'])
    expect(await type(100, 'image/avif,image/webp,image/apng,image/svg+xml,*/*;q=0.8')).toEqual(['HIT', 'image/avif'])
    expect(await type(100, 'image/webp,*/*')).toEqual(['MISS', 'image/webp'])
    expect(await type(100, '*/*')).toEqual(['MISS', 'image/jpeg'])
    expect(await type(200, 'image/avif,image/webp,*/*')).toEqual(['MISS', 'image/avif'])
    expect(reached).toHaveLength(4)
  })

  it('keeps a file under its own link only, and not after the link has ended [SCALE-06]', async () => {
    const path = await linkTo(await photo(), 'image/jpeg', 12)
    expect((await get(path)).status).toBe(200)
    expect((await get(path)).cache).toBe('HIT')
    // Nobody gets it by the path alone, or with another token.
    const [, token = ''] = /links\/([^/]+)/.exec(path) ?? []
    const forged = path.replace(token, `${token.slice(0, -4)}AAAA`)
    for (const rejected of [forged, path.replace(`/links/${token}`, '')])
      expect((await get(rejected)).status, rejected).toBe(400)
    await eventually(async () => expect((await get(path)).status).toBe(400))
    const { body, cache } = await get(path)
    expect([JSON.parse(body.toString()).code, cache]).toEqual(['InvalidJWT', expect.not.stringMatching('HIT')])
  })

  it('is found by the doctor, if it leads to the product [SCALE-06]', async () => {
    expect(await checkFilesUrl({ filesUrl: undefined })).toEqual([])
    expect(await checkFilesUrl({ filesUrl: cdn })).toEqual([{ part: 'files address', state: 'ok', seen: cdn }])
    const elsewhere = createServer((_request, response) => response.writeHead(404).end())
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    const filesUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    expect(await checkFilesUrl({ filesUrl })).toMatchObject([
      { state: 'warning', seen: `${filesUrl} doesn't pass requests on (404)` },
    ])
    elsewhere.close()
    await once(elsewhere, 'close')
    expect(await checkFilesUrl({ filesUrl })).toMatchObject([{ state: 'warning', seen: `${filesUrl} doesn't answer` }])
  })

  it('passes nothing on that says who asks, and no writes [SCALE-06]', async () => {
    const path = `${creator.userId}/private.jpg`
    await creator.client.storage.from('posts').upload(path, await photo(), { contentType: 'image/jpeg' })
    const { data } = await creator.client.auth.getSession()
    const headers = { authorization: `Bearer ${data.session?.access_token}`, apikey: gateway.secrets.serviceRoleKey }
    expect((await fetch(`${gateway.url}/storage/v1/object/posts/${path}`, { headers })).status).toBe(200)
    expect((await get(`/storage/v1/object/posts/${path}`, headers)).status).toBe(400)
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await fetch(`${cdn}/storage/v1/object/posts/${path}`, { method, headers })).status, method).toBe(403)
    expect((await get('/rest/v1/posts')).status).toBe(404)
  })
})
