import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { openS3 } from './testing/stores.ts'

const failures = ['refuses connections', 'never answers', 'answers 503'] as const

let s3: TestGateway
let gateway: TestGateway
/** A second node of the same installation, which waits for its store for ten minutes: what answers here never asks the store. */
let patient: TestGateway
let creator: Person
let fan: Person
/** In front of the store. */
let failing: (typeof failures)[number] | undefined
const sockets = new Set<Socket>()
const keep = (socket: Socket) => {
  sockets.add(socket.on('error', () => socket.destroy()))
  return socket
}
const front = createServer((socket) => {
  keep(socket)
  if (failing === 'never answers') return
  if (failing === 'answers 503') {
    socket.on('data', () => socket.write('HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n'))
    return
  }
  const { hostname, port } = new URL(s3.url)
  const store = keep(connect(Number(port), hostname))
  socket.pipe(store).pipe(socket)
})
async function fail(how: typeof failing) {
  failing = how
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  if (how === 'refuses connections') {
    front.close()
    await once(front, 'close')
  } else if (!front.listening) {
    front.listen(port, '127.0.0.1')
    await once(front, 'listening')
  }
}
let port = 0

beforeAll(async () => {
  s3 = await startGateway()
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  port = (front.address() as AddressInfo).port
  const env = { ...(await openS3(s3)), S3_ENDPOINT: `http://127.0.0.1:${port}/storage/v1/s3` }
  gateway = await startGateway({ env: { ...env, S3_TIMEOUT_SECONDS: '1' } })
  const { jwtSecret, anonKey, serviceRoleKey } = gateway.secrets
  const keys = { JWT_SECRET: jwtSecret, ANON_KEY: anonKey, SERVICE_ROLE_KEY: serviceRoleKey }
  patient = await startGateway({ env: { ...env, ...keys, S3_TIMEOUT_SECONDS: '600' }, database: gateway.database })
  await gateway.service.storage.createBucket('files', { public: false })
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
}, 120_000)
afterAll(async () => {
  await fail(undefined)
  await patient?.close()
  await gateway?.close()
  await s3?.close()
  front.close()
  for (const socket of sockets) socket.destroy()
})

/** Larger than what a node keeps in memory. */
async function publish(): Promise<string> {
  const path = `${creator.userId}/${randomBytes(4).toString('hex')}.mp4`
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2'), randomBytes(200_000)])
  const { error } = await gateway.service.storage.from('posts').upload(path, film, { contentType: 'video/mp4' })
  expect(error).toBeNull()
  const row = { creator_id: creator.profileId, content: 'Watch', media_urls: [path], media_types: ['video'] }
  await creator.client.from('posts').insert(row).throwOnError()
  return path
}

describe.each(failures)('while the file storage %s', (how) => {
  it('all else answers, links to files too [SCALE-06]', async () => {
    const path = await publish()
    await fail(how)
    try {
      const client = patient.client()
      const { email, password } = fan
      expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
      const feed = await client
        .from('posts')
        .select('id, media_urls')
        .eq('creator_id', creator.profileId)
        .throwOnError()
      expect(feed.data.map(({ media_urls }) => media_urls)).toContainEqual([path])
      const profile = await client.from('profiles').select('username').eq('id', creator.profileId).single()
      expect(profile.data).toEqual({ username: creator.username })
      const message = { sender_id: fan.profileId, recipient_id: creator.profileId, content: 'Hello' }
      expect((await client.from('messages').insert(message)).error).toBeNull()
      const { data } = await client.storage.from('posts').createSignedUrls([path], 60)
      expect(data).toMatchObject([{ error: null }])
      for (const page of [`/embed/profile/${creator.username}`, `/profile/${creator.username}/feed.xml`])
        expect((await fetch(patient.url + page)).status, page).toBe(200)
      const ready = await fetch(`${patient.url}/health/ready`)
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded', failing: ['storage'] }])
    } finally {
      await fail(undefined)
    }
  }, 60_000)

  it('files and uploads answer 503, which no cache keeps, and work again without a restart [SCALE-06]', async () => {
    const path = await publish()
    const posts = fan.client.storage.from('posts').setHeader('Prefer', 'stable-links')
    const { data } = await posts.createSignedUrls([path], 3600)
    const link = data?.[0]?.signedUrl ?? ''
    const files = gateway.service.storage.from('files')
    const upload = () => files.upload(randomBytes(4).toString('hex'), 'x')
    await fail(how)
    try {
      for (const headers of [{}, { range: 'bytes=0-9' }]) {
        const answer = await fetch(link, { headers })
        expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('retry-after')]).toEqual([
          503,
          'no-store',
          '5',
        ])
        expect(await answer.json()).toMatchObject({
          statusCode: '503',
          error: 'StorageUnavailable',
          message: "The file storage can't be reached. Try again in a moment.",
        })
      }
      expect((await upload()).error).toMatchObject({ status: 503, statusCode: '503' })
    } finally {
      await fail(undefined)
    }
    await eventually(async () => {
      const answer = await fetch(link)
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 200_000]).toEqual([200, true])
    })
    expect((await upload()).error).toBeNull()
    await eventually(async () =>
      expect(await (await fetch(`${gateway.url}/health/ready`)).json()).toEqual({ status: 'ok' }),
    )
  }, 120_000)
})
