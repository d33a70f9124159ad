import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildDiskStore } from './disk-store.ts'
import { sweepStorage } from './sweep.ts'
import { filesBelow } from './testing/files-below.ts'
import { processVideoQueue } from './video/process-video-queue.ts'

let gateway: TestGateway
let creator: Person
let png: Buffer

beforeAll(async () => {
  gateway = await startGateway()
  creator = await gateway.signUp()
  png = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const { error } = await gateway.service.storage.createBucket('files', { public: false, fileSizeLimit: 200_000 })
  if (error) throw error
})
afterAll(() => gateway?.close())

const root = () => join(gateway.dataDir, 'storage')
const path = (extension: string) => `${creator.userId}/${Date.now()}-${randomBytes(4).toString('hex')}.${extension}`
const files = (folder: string) => filesBelow(gateway.dataDir, 'storage', folder)
async function bytesOf(file: Blob | null): Promise<Buffer> {
  return Buffer.from(await (file ?? new Blob([])).arrayBuffer())
}
const rows = (name: string) =>
  gateway.query<{ version: string; metadata: Record<string, unknown>; user_metadata: unknown; owner_id: string }>(
    'select version, metadata, user_metadata, owner_id from storage.objects where name = $1',
    [name],
  )

describe('an upload', () => {
  it('takes a form and a bare body, and keeps the metadata from the client [API-STO-01]', async () => {
    const bucket = creator.client.storage.from('posts')
    const form = path('png')
    const file = new File([new Uint8Array(png)], 'a.png', { type: 'image/png' })
    const { data, error } = await bucket.upload(form, file, { cacheControl: '60', metadata: { alt: 'blue' } })
    expect(error).toBeNull()
    expect(data).toMatchObject({ path: form, fullPath: `posts/${form}`, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    const bare = path('png')
    await bucket.upload(bare, png, { contentType: 'image/png', metadata: { alt: 'blau' } })

    const eTag = `"${createHash('md5').update(png).digest('hex')}"`
    const facts = { mimetype: 'image/png', size: png.length, contentLength: png.length, eTag }
    expect(await rows(form)).toMatchObject([
      { metadata: { ...facts, cacheControl: 'max-age=60' }, user_metadata: { alt: 'blue' }, owner_id: creator.userId },
    ])
    expect(await rows(bare)).toMatchObject([
      { metadata: { ...facts, cacheControl: 'max-age=3600' }, user_metadata: { alt: 'blau' } },
    ])
  })

  it('is cached for an hour by default [API-STO-19]', async () => {
    const bucket = creator.client.storage.from('posts')
    const name = path('png')
    expect((await bucket.upload(name, png, { contentType: 'image/png' })).error).toBeNull()
    expect(await rows(name)).toMatchObject([{ metadata: { cacheControl: 'max-age=3600' } }])
    const avatar = `${creator.userId}/${Date.now()}.png`
    const avatars = creator.client.storage.from('avatars')
    await avatars.upload(avatar, png, { contentType: 'image/png' })
    const response = await fetch(avatars.getPublicUrl(avatar).data.publicUrl)
    expect(response.headers.get('cache-control')).toBe('max-age=3600')
  })

  it('rejects an existing path, and replaces it only on request [API-STO-01]', async () => {
    const bucket = creator.client.storage.from('posts')
    const name = path('png')
    const other = await sharp(png).negate().png().toBuffer()
    await bucket.upload(name, png, { contentType: 'image/png' })
    const [first] = await rows(name)
    expect((await bucket.upload(name, other, { contentType: 'image/png' })).error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    })
    expect((await bucket.upload(name, other, { contentType: 'image/png', upsert: true })).error).toBeNull()
    const [second] = await rows(name)
    expect(second?.version).not.toBe(first?.version)
    const kept = files('objects')
    expect(kept).toContain(second?.version)
    expect(kept).not.toContain(first?.version) // the replaced bytes are gone
    expect(await bytesOf((await bucket.download(name)).data)).toEqual(other)
  })

  it('wins once when several arrive at the same time, and leaves no bytes of the others [API-STO-09]', async () => {
    const bucket = creator.client.storage.from('posts')
    const before = files('objects').length
    const [fresh, replaced] = [path('png'), path('png')]
    const many = (name: string, upsert: boolean) =>
      Promise.all(Array.from({ length: 5 }, () => bucket.upload(name, png, { contentType: 'image/png', upsert })))
    const answers = await many(fresh, false)
    expect(answers.map(({ error }) => (error as { statusCode?: string } | null)?.statusCode).sort()).toEqual([
      '409',
      '409',
      '409',
      '409',
      undefined,
    ])
    await bucket.upload(replaced, png, { contentType: 'image/png' })
    expect((await many(replaced, true)).map(({ error }) => error)).toEqual([null, null, null, null, null])
    expect(files('objects')).toHaveLength(before + 2)
  })

  it('trusts the bytes, not the name or the type [POST-24, POST-28, VER-08]', async () => {
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const [bucket, bytes, contentType] of [
      ['posts', Buffer.from('<html>not a picture</html>'), 'image/jpeg'],
      ['posts', script, 'image/svg+xml'],
      ['avatars', script, 'image/svg+xml'],
      ['verification', Buffer.from('%PDF-1.7'), 'image/jpeg'],
      ['posts', png, 'video/mp4'],
      ['posts', png, 'text/plain'],
      ['posts', Buffer.alloc(0), 'image/png'],
    ] as const) {
      const name = path('bin')
      const { error } = await creator.client.storage.from(bucket).upload(name, bytes, { contentType })
      expect(error).toMatchObject({ status: 400, statusCode: '415', code: 'InvalidMimeType' })
      expect(await rows(name)).toEqual([])
    }
    const renamed = path('jpg')
    await creator.client.storage.from('posts').upload(renamed, png, { contentType: 'image/jpeg' })
    expect(await rows(renamed)).toMatchObject([{ metadata: { mimetype: 'image/png' } }])
  })

  it('applies the size limit before and while bytes arrive [POST-25, POST-29]', async () => {
    const before = files('objects').length
    const bucket = gateway.service.storage.from('files')
    const large = randomBytes(200_001)
    const tooLarge = { status: 400, statusCode: '413', code: 'EntityTooLarge' }
    const contentType = 'application/octet-stream'
    expect((await bucket.upload('announced', large, { contentType })).error).toMatchObject(tooLarge)
    expect((await bucket.upload('form', new Blob([large]))).error).toMatchObject(tooLarge)
    const stream = new Blob([large]).stream()
    expect((await bucket.upload('unannounced', stream, { contentType })).error).toMatchObject(tooLarge)
    expect((await bucket.upload('fits', large.subarray(1), { contentType })).error).toBeNull()
    expect(files('objects')).toHaveLength(before + 1)
    expect(files('incoming')).toEqual([])
  })

  it('is rejected before its bytes are read when the caller may not write [GEN-35]', async () => {
    const url = new URL(gateway.url)
    const socket = connect(Number(url.port), url.hostname)
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.write(
      `POST /storage/v1/object/posts/${creator.userId}/x.jpg HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\n` +
        `apikey: ${gateway.secrets.anonKey}\r\nContent-Length: 1000000000\r\n\r\nfirst bytes`,
    )
    expect(await answer).toContain('"code":"AccessDenied"')
    socket.destroy()
  })

  it('leaves nothing when its sender hangs up halfway [API-STO-09]', async () => {
    const before = files('objects').length
    const url = new URL(gateway.url)
    const socket = connect(Number(url.port), url.hostname)
    socket.write(
      `POST /storage/v1/object/files/half HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n` +
        `apikey: ${gateway.secrets.serviceRoleKey}\r\nContent-Length: 100000\r\n\r\n`,
    )
    socket.write(randomBytes(50_000))
    await eventually(() => expect(files('incoming')).toHaveLength(1))
    socket.destroy()
    await eventually(() => expect(files('incoming')).toEqual([]))
    expect(files('objects')).toHaveLength(before)
    expect(await rows('half')).toEqual([])
  })

  it.each([
    '..%2F..%2Fsecrets.json',
    '%2e%2e/%2e%2e/secrets.json',
    'a//b',
    'a/../b',
    'a%00b',
    'a%0ab',
    'a%5c..%5cb',
    '%EF%BC%8E%EF%BC%8E/a',
    `${'x'.repeat(1025)}`,
  ])('rejects the path %s in the shape of the API [API-STO-20]', async (name) => {
    const url = new URL(gateway.url)
    const socket = connect(Number(url.port), url.hostname) // fetch would normalize the path
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.write(
      `POST /storage/v1/object/files/${name} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nConnection: close\r\n` +
        `apikey: ${gateway.secrets.serviceRoleKey}\r\nContent-Length: 1\r\n\r\nx`,
    )
    const text = await answer
    expect(text).toMatch(/^HTTP\/1.1 400 /)
    expect(text).toMatch(/"statusCode":"400","error":"\w+","message":"[^"]+/)
    socket.destroy()
  })

  it('rejects a missing bucket, and metadata that is not an object [API-STO-20]', async () => {
    const upload = await gateway.service.storage.from('nowhere').upload('a.txt', 'x')
    expect(upload.error).toMatchObject({ statusCode: '404', code: 'NoSuchBucket', message: 'Bucket not found' })
    const response = await fetch(`${gateway.url}/storage/v1/object/files/meta.txt`, {
      method: 'POST',
      headers: { apikey: gateway.secrets.serviceRoleKey, 'content-type': 'text/plain', 'x-metadata': 'WzFd' },
      body: 'x',
    })
    expect(await response.json()).toMatchObject({ statusCode: '400', message: 'Metadata must be a JSON object' })
    const form = new FormData()
    form.append('cacheControl', '1\r\nSet-Cookie: a=b')
    form.append('', new Blob(['x']))
    const injected = await gateway.service.storage.from('files').upload('cache.txt', form)
    expect(injected.error).toMatchObject({ statusCode: '400', message: 'Cache control is malformed' })
  })
})

describe('a picture that others will see', () => {
  it('loses where and with what it was taken, and stands upright [PROF-11, POST-24, LOOP-14]', async () => {
    const told = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    for (const bucket of ['posts', 'avatars', 'banners', 'covers']) {
      const name = path('jpg')
      await creator.client.storage.from(bucket).upload(name, told, { contentType: 'image/jpeg' })
      const { data } = await creator.client.storage.from(bucket).download(name)
      const facts = await sharp(await bytesOf(data)).metadata()
      expect(facts).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
      expect(facts.exif).toBeUndefined()
    }
  })

  it('keeps its bytes when it has no metadata, and an identity document always does [VER-10]', async () => {
    const name = path('png')
    await creator.client.storage.from('posts').upload(name, png, { contentType: 'image/png' })
    expect(await bytesOf((await creator.client.storage.from('posts').download(name)).data)).toEqual(png)
    const document = await sharp(png)
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' } })
      .toBuffer()
    const verification = creator.client.storage.from('verification')
    await verification.upload(name, document, { contentType: 'image/jpeg' })
    expect(await bytesOf((await verification.download(name)).data)).toEqual(document)
  })

  it('is rejected when it is damaged, or decodes to too many pixels', async () => {
    const bucket = creator.client.storage.from('posts')
    const bomb = await sharp({ create: { width: 12_000, height: 11_000, channels: 3, background: 'black' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    expect((await bucket.upload(path('png'), bomb, { contentType: 'image/png' })).error).toMatchObject({
      statusCode: '413',
      message: 'The image has too many pixels',
    })
    expect((await bucket.upload(path('png'), png.subarray(0, 20), { contentType: 'image/png' })).error).toMatchObject({
      statusCode: '415',
    })
    expect(files('scratch')).toEqual([])
  })
})

describe('videos in the queue', () => {
  it('stay in the queue when the server stops, and fail once each attempt has crashed it [POST-16]', async () => {
    const name = path('mp4')
    const video = Buffer.from('\0\0\0\u0010ftypisom\0\0\0\0\0\0\0\u0010mdatisomisom')
    const { error } = await creator.client.storage.from('posts').upload(name, video, { contentType: 'video/mp4' })
    expect(error).toBeNull()
    const { store, database, log } = gateway.services
    const parts = { service: database.service, store, scratch: join(root(), 'scratch'), program: 'no-ffmpeg', log }
    const stateOf = async () => {
      const [found] = await gateway.query(
        'select state, attempts from private.videos v join storage.objects o on o.id = v.object_id where o.name = $1',
        [name],
      )
      return found
    }
    await processVideoQueue(parts, AbortSignal.abort())
    expect(await stateOf()).toEqual({ state: 'waiting', attempts: 0 })
    await gateway.query(`update private.videos set state = 'working', attempts = 3`) // `kill -9`, three times
    await processVideoQueue(parts, new AbortController().signal)
    expect(await stateOf()).toEqual({ state: 'failed', attempts: 3 })
  })
})

describe('the sweep', () => {
  it('removes the working folder of a video when the server died', async () => {
    const { store, database } = gateway.services
    const folder = join(root(), 'scratch', 'video-of-a-dead-node')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'input'), 'half a video')
    await sweepStorage({ service: database.service, store, scratch: join(root(), 'scratch') })
    expect(existsSync(folder)).toBe(true)
    await sweepStorage(
      { service: database.service, store, scratch: join(root(), 'scratch') },
      new Date(Date.now() + 25 * 3600 * 1000),
    )
    expect(existsSync(folder)).toBe(false)
  })

  it('removes content that no row names, and nothing else [API-STO-09]', async () => {
    const store = buildDiskStore(root())
    const orphan = 'ffffffff-0000-4000-8000-000000000000'
    // A crash between the last byte and the row leaves this.
    await store.write(
      orphan,
      (async function* () {
        yield Buffer.from('nobody knows me')
      })(),
    )
    const parts = { service: gateway.services.database.service, store, scratch: join(root(), 'scratch') }
    expect(await sweepStorage(parts)).toBe(0) // its row may still be written
    const later = new Date(Date.now() + 2 * 3600 * 1000)
    expect(await sweepStorage(parts, later)).toBe(1)
    const versions = await gateway.query<{ version: string }>('select version from storage.objects')
    expect(files('objects')).toEqual(versions.map(({ version }) => version).sort())
  })
})
