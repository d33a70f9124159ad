import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import sharp from 'sharp'
import type { DetailedError, UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { scratchFolder } from '../build-store.ts'
import { sweepStorage } from '../sweep.ts'
import { filesBelow } from '../testing/files-below.ts'
import { sendResumably } from '../testing/tus-client.ts'

const extensions = 'creation,creation-with-upload,creation-defer-length,expiration,termination,checksum,concatenation'
let gateway: TestGateway
let creator: Person
let token: string
let png: Buffer

beforeAll(async () => {
  gateway = await startGateway()
  creator = await gateway.signUp()
  token = (await creator.client.auth.getSession()).data.session?.access_token ?? ''
  await gateway.service.storage.createBucket('files', { public: false, fileSizeLimit: 20_000_000 })
  png = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
})
afterAll(() => gateway?.close())

const endpoint = () => `${gateway.url}/storage/v1/upload/resumable`
const service = () => ({ authorization: `Bearer ${gateway.secrets.serviceRoleKey}` })
const asCreator = () => ({ authorization: `Bearer ${token}`, apikey: gateway.secrets.anonKey })
const names = () => `${creator.userId}/${randomBytes(6).toString('hex')}`
const bytesOf = async (bucket: string, name: string) => {
  const { data } = await gateway.service.storage.from(bucket).download(name)
  return data && Buffer.from(await data.arrayBuffer())
}
const folder = (name: string) => filesBelow(gateway.dataDir, 'storage', name)
const sha = (bytes: Buffer | null) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')
const metadataOf = (name: string, more: Record<string, string> = {}) => ({
  bucketName: 'files',
  objectName: name,
  ...more,
})
const encoded = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
const send = (name: string, body: Buffer, options: Partial<UploadOptions> = {}) =>
  sendResumably(body, { endpoint: endpoint(), headers: service(), metadata: metadataOf(name), ...options })
const tus = (url: string, method: string, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(url, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...service(), ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
/** Begins an upload by hand. @returns its address. */
async function begin(name: string, headers: Record<string, string>, metadata = metadataOf(name)) {
  const answer = await tus(endpoint(), 'POST', { 'upload-metadata': encoded(metadata), ...headers })
  return { answer, url: new URL(answer.headers.get('location') ?? '/nowhere', endpoint()).href }
}
const piece = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  tus(
    url,
    'PATCH',
    { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers },
    body,
  )

describe('a resumable upload [API-STO-09]', () => {
  it('announces its extensions', async () => {
    for (const origin of [{}, { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' }]) {
      const answer = await fetch(endpoint(), { method: 'OPTIONS', headers: origin as Record<string, string> })
      expect(answer.status).toBe(204)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'tus-version': '1.0.0',
        'tus-extension': extensions,
        'tus-checksum-algorithm': 'md5,sha1,sha256,sha512',
        'tus-max-size': String(5 * 1024 ** 3),
      })
    }
  })

  it('becomes an object with its metadata, and leaves nothing else', async () => {
    const name = names()
    const body = randomBytes(13_000_000)
    const { error } = await send(name, body, {
      metadata: metadataOf(name, { contentType: 'text/csv', cacheControl: '60', metadata: '{"alt":"rows"}' }),
    })
    expect(error).toBeUndefined()
    expect(sha(await bytesOf('files', name))).toBe(sha(body))
    const { data } = await gateway.service.storage.from('files').info(name)
    expect(data).toMatchObject({
      size: body.length,
      contentType: 'text/csv',
      cacheControl: 'max-age=60',
      metadata: { alt: 'rows' },
      etag: expect.stringMatching(/^"[0-9a-f]{32}-3"$/),
    })
    expect(folder('parts')).toEqual([])
    expect(folder('incoming')).toEqual([])
  })

  it('arrives in one request, with its creation, empty, or with a length that is sent later', async () => {
    const body = randomBytes(40_000)
    const [whole, withCreation, late, empty] = [names(), names(), names(), names()]
    expect((await send(whole, body, { chunkSize: Number.POSITIVE_INFINITY })).error).toBeUndefined()
    expect((await send(withCreation, body, { uploadDataDuringCreation: true })).error).toBeUndefined()
    expect((await send(empty, Buffer.alloc(0))).error).toBeUndefined()
    const { answer, url } = await begin(late, { 'upload-defer-length': '1' })
    expect(answer.status).toBe(201)
    expect((await tus(url, 'HEAD')).headers.get('upload-defer-length')).toBe('1')
    expect((await piece(url, 0, body.subarray(0, 30_000))).status).toBe(204)
    expect((await piece(url, 30_000, body.subarray(30_000), { 'upload-length': '40000' })).status).toBe(204)
    for (const name of [whole, withCreation, late]) expect(sha(await bytesOf('files', name))).toBe(sha(body))
    expect(await bytesOf('files', empty)).toEqual(Buffer.alloc(0))
  })

  it('checks the permission in the database before the first byte and at the end [GEN-35]', async () => {
    const own = await send(names(), png, {
      headers: asCreator(),
      metadata: { bucketName: 'posts', objectName: names(), contentType: 'image/png' },
    })
    expect(own.error).toBeUndefined()
    const stranger = await gateway.signUp()
    const before = folder('parts').length
    for (const [headers, status, code] of [
      [asCreator(), 403, 'AccessDenied'],
      [{}, 403, 'AccessDenied'],
      [{ authorization: 'Bearer nonsense' }, 401, 'InvalidJWT'],
    ] as const) {
      const { error } = await send('x', png, {
        headers,
        metadata: { bucketName: 'posts', objectName: `${stranger.userId}/x.png`, contentType: 'image/png' },
      })
      const response = (error as DetailedError).originalResponse
      expect(response?.getStatus()).toBe(status)
      expect(JSON.parse(response?.getBody() ?? '')).toMatchObject({ code })
    }
    expect(folder('parts')).toHaveLength(before)

    // The permission is removed while the bytes arrive.
    const name = names()
    const body = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    const metadata = { bucketName: 'avatars', objectName: name, contentType: 'image/png' }
    const created = await fetch(endpoint(), {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        ...asCreator(),
        'upload-length': String(body.length),
        'upload-metadata': encoded(metadata),
      },
    })
    const url = new URL(created.headers.get('location') ?? '', endpoint()).href
    expect((await piece(url, 0, body.subarray(0, 1000), asCreator())).status).toBe(204)
    const [policy] = await gateway.query<{ rule: string }>(
      `select with_check as rule from pg_policies where schemaname = 'storage' and tablename = 'objects' and policyname = 'insert_own'`,
    )
    const allow = (rule?: string) => gateway.query(`alter policy insert_own on storage.objects with check (${rule})`)
    await allow('false')
    try {
      expect((await piece(url, 1000, body.subarray(1000), asCreator())).status).toBe(403)
    } finally {
      await allow(policy?.rule)
    }
    expect((await tus(url, 'HEAD', asCreator())).status).toBe(404)
    expect(folder('parts')).toHaveLength(before)
    expect(await bytesOf('avatars', name)).toBeNull()
  })

  it('is open only to the user who began it', async () => {
    const metadata = { bucketName: 'posts', objectName: names(), contentType: 'image/png' }
    const created = await tus(endpoint(), 'POST', {
      ...asCreator(),
      'upload-length': String(png.length),
      'upload-metadata': encoded(metadata),
    })
    const url = new URL(created.headers.get('location') ?? '', endpoint()).href
    const other = await gateway.signUp()
    const otherToken = (await other.client.auth.getSession()).data.session?.access_token
    for (const headers of [
      { authorization: `Bearer ${otherToken}` },
      service(),
      { authorization: `Bearer ${gateway.secrets.anonKey}` },
    ]) {
      expect((await tus(url, 'HEAD', headers)).status).toBe(404)
      expect((await piece(url, 0, png, headers)).status).toBe(404)
      expect((await tus(url, 'DELETE', headers)).status).toBe(404)
    }
    expect((await piece(url, 0, png, asCreator())).status).toBe(204)
  })

  it('applies the size and content limits of the bucket [POST-24, POST-25]', async () => {
    const parts = folder('parts').length
    const objects = folder('objects').length
    const tooLarge = await begin(names(), { 'upload-length': '20000001' })
    expect(tooLarge.answer.status).toBe(413)
    expect(await tooLarge.answer.json()).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' })
    const { url } = await begin(names(), { 'upload-defer-length': '1' })
    expect((await piece(url, 0, randomBytes(20_000_001))).status).toBe(413)
    expect((await tus(url, 'DELETE')).status).toBe(204)
    const short = await begin(names(), { 'upload-length': '100' })
    expect((await piece(short.url, 0, randomBytes(101))).status).toBe(413)
    expect((await tus(short.url, 'DELETE')).status).toBe(204)
    for (const [body, contentType, chunkSize] of [
      [Buffer.from('<html>no picture</html>'), 'image/png', 10],
      [randomBytes(100_000), 'video/mp4', 50_000],
      [png, 'video/mp4', 1000],
      [png, 'text/plain', 1000],
    ] as const) {
      const name = names()
      const { error } = await send(name, body, {
        headers: asCreator(),
        chunkSize,
        metadata: { bucketName: 'posts', objectName: name, contentType },
      })
      expect((error as DetailedError).originalResponse?.getStatus()).toBe(415)
      expect(await bytesOf('posts', name)).toBeNull()
    }
    expect(folder('parts')).toHaveLength(parts)
    expect(folder('objects')).toHaveLength(objects)
  })

  it('cleans a picture that others will see [PROF-11]', async () => {
    const told = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer()
    const name = names()
    const metadata = { bucketName: 'posts', objectName: name, contentType: 'image/jpeg' }
    expect((await send(name, told, { headers: asCreator(), metadata, chunkSize: 200 })).error).toBeUndefined()
    expect((await sharp((await bytesOf('posts', name)) ?? Buffer.alloc(0)).metadata()).exif).toBeUndefined()
  })

  it('cleans a video that others will see, with its metadata in any piece', async () => {
    const box = (type: string, content: Buffer) => {
      const head = Buffer.from(`....${type}`, 'latin1')
      head.writeUInt32BE(8 + content.length, 0)
      return Buffer.concat([head, content])
    }
    const place = box('udta', box('©xyz', Buffer.from('+48.8577+002.295/')))
    const video = Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\0\0isom')),
      box('mdat', randomBytes(5000)),
      box('moov', place),
    ])
    const name = names()
    const metadata = { bucketName: 'posts', objectName: name, contentType: 'video/mp4' }
    expect((await send(name, video, { headers: asCreator(), metadata, chunkSize: 1000 })).error).toBeUndefined()
    const kept = await bytesOf('posts', name)
    expect([kept?.length, kept?.includes('48.8577')]).toEqual([video.length, false])
    expect(kept?.subarray(0, 5032)).toEqual(video.subarray(0, 5032))
  })

  it('rejects an existing path unless it may replace it, and invalid paths and buckets', async () => {
    const name = names()
    expect((await send(name, Buffer.from('one'))).error).toBeUndefined()
    expect((await begin(name, { 'upload-length': '3' })).answer.status).toBe(409)
    expect(
      (await send(name, Buffer.from('two'), { headers: { ...service(), 'x-upsert': 'true' } })).error,
    ).toBeUndefined()
    expect((await bytesOf('files', name))?.toString()).toBe('two')
    for (const [metadata, status] of [
      [metadataOf('../secrets.json'), 400],
      [metadataOf('a//b'), 400],
      [metadataOf('a\u0000b'), 400],
      [metadataOf('x'.repeat(1025)), 400],
      [{ bucketName: 'nowhere', objectName: 'a' }, 404],
      [{ bucketName: 'files' }, 400],
      [metadataOf('a', { metadata: '[1]' }), 400],
      [metadataOf('a', { cacheControl: '1\r\nSet-Cookie: a=b' }), 400],
    ] as const) {
      const { answer } = await begin('', { 'upload-length': '1' }, metadata as ReturnType<typeof metadataOf>)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ statusCode: String(status), message: expect.any(String) })
    }
  })

  it('loses a race for its path at the end, and leaves nothing', async () => {
    const name = names()
    const parts = folder('parts').length
    const { url } = await begin(name, { 'upload-length': '6' })
    expect((await piece(url, 0, Buffer.from('abc'))).status).toBe(204)
    await gateway.service.storage.from('files').upload(name, 'faster')
    const objects = folder('objects').length
    expect((await piece(url, 3, Buffer.from('def'))).status).toBe(409)
    expect(folder('objects')).toHaveLength(objects)
    expect(folder('parts')).toHaveLength(parts)
    expect((await tus(url, 'HEAD')).status).toBe(404)
    expect((await bytesOf('files', name))?.toString()).toBe('faster')
  })
})

describe('the protocol', () => {
  let url: string
  let name: string
  const body = Buffer.from('hello world')
  beforeEach(async () => {
    name = names()
    url = (await begin(name, { 'upload-length': '11' })).url
  })

  it('reports the offset of an upload and when it expires', async () => {
    await piece(url, 0, body.subarray(0, 5))
    const head = await tus(url, 'HEAD')
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '5',
      'upload-length': '11',
      'upload-metadata': encoded(metadataOf(name)),
      'cache-control': 'no-store',
    })
    const left = Date.parse(head.headers.get('upload-expires') ?? '') - Date.now()
    expect(left / 3_600_000).toBeCloseTo(24, 1)
    await piece(url, 5, body.subarray(5))
    // A client that lost the last answer asks again and learns that the upload is complete.
    expect((await tus(url, 'HEAD')).headers.get('upload-offset')).toBe('11')
    expect((await piece(url, 11, Buffer.alloc(0))).status).toBe(204)
  })

  it.each([
    ['another version of the protocol', { 'tus-resumable': '0.2.2' }, 412],
    ['another offset', { 'upload-offset': '3' }, 409],
    ['an invalid offset', { 'upload-offset': '-1' }, 400],
    ['another content type', { 'content-type': 'application/json' }, 415],
    ['an unknown checksum', { 'upload-checksum': 'crc7 aaaa' }, 400],
    ['a wrong checksum', { 'upload-checksum': `sha1 ${createHash('sha1').update('other').digest('base64')}` }, 460],
  ])('rejects %s, and takes none of its bytes', async (_, headers, status) => {
    const answer = await piece(url, 0, body, headers)
    expect(answer.status).toBe(status)
    expect((await tus(url, 'HEAD')).headers.get('upload-offset')).toBe('0')
  })

  it('takes bytes with the right checksum', async () => {
    for (const [algorithm, from, to] of [
      ['sha1', 0, 4],
      ['sha256', 4, 11],
    ] as const) {
      const digest = createHash(algorithm).update(body.subarray(from, to)).digest('base64')
      const answer = await piece(url, from, body.subarray(from, to), { 'upload-checksum': `${algorithm} ${digest}` })
      expect(answer.status).toBe(204)
    }
    expect(await bytesOf('files', name)).toEqual(body)
  })

  it('deletes an upload on request', async () => {
    const before = folder('parts').length
    await piece(url, 0, body.subarray(0, 5))
    expect(folder('parts')).toHaveLength(before + 1)
    expect((await tus(url, 'DELETE')).status).toBe(204)
    expect((await tus(url, 'HEAD')).status).toBe(404)
    expect(folder('parts')).toHaveLength(before)
  })

  it('serves clients that can send only POST', async () => {
    const override = (method: string, headers: Record<string, string> = {}, bytes?: Buffer) =>
      tus(url, 'POST', { 'x-http-method-override': method, ...headers }, bytes)
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expect((await override('PATCH', headers, body.subarray(0, 5))).headers.get('upload-offset')).toBe('5')
    expect((await override('HEAD')).headers.get('upload-offset')).toBe('5')
    expect((await override('DELETE')).status).toBe(204)
    expect((await override('PURGE')).status).toBe(400)
  })

  it('concatenates partial uploads', async () => {
    const target = names()
    const large = randomBytes(3_000_000)
    const { error } = await send(target, large, { parallelUploads: 3, metadataForPartialUploads: metadataOf(target) })
    expect(error).toBeUndefined()
    expect(sha(await bytesOf('files', target))).toBe(sha(large))
    expect(folder('parts')).toEqual([])
    // Only complete ones, and of the same object.
    const other = names()
    const half = await begin(other, { 'upload-length': '10', 'upload-concat': 'partial' })
    for (const concat of [`final;${half.url}`, `final;${url}`, 'final;', 'both']) {
      const { answer } = await begin(other, { 'upload-concat': concat })
      expect(answer.status).toBe(400)
    }
  })

  /** Sends half of 10,000 bytes and then stays silent. */
  async function sendHalf(large: Buffer) {
    const target = names()
    const { url: address } = await begin(target, { 'upload-length': '10000' })
    const { hostname, port, pathname } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `PATCH ${pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
        'Content-Type: application/offset+octet-stream\r\nContent-Length: 10000\r\n' +
        `apikey: ${gateway.secrets.serviceRoleKey}\r\n\r\n`,
    )
    socket.write(large.subarray(0, 5000))
    await eventually(() => expect(folder('parts').length).toBeGreaterThan(0))
    return { target, address, socket }
  }

  it('keeps the bytes of a request that was cut off', async () => {
    const large = randomBytes(10_000)
    const { target, address, socket } = await sendHalf(large)
    socket.destroy()
    await eventually(async () => expect((await tus(address, 'HEAD')).headers.get('upload-offset')).toBe('5000'))
    expect((await piece(address, 5000, large.subarray(5000))).status).toBe(204)
    expect(await bytesOf('files', target)).toEqual(large)
  })

  it('lets a client that reconnects take over from its own dead connection', async () => {
    const large = randomBytes(10_000)
    const { target, address } = await sendHalf(large)
    // The client doesn't know how much arrived, so it asks for the offset.
    expect((await piece(address, 0, large)).status).toBe(409)
    expect((await tus(address, 'HEAD')).headers.get('upload-offset')).toBe('5000')
    expect((await piece(address, 5000, large.subarray(5000))).status).toBe(204)
    expect(await bytesOf('files', target)).toEqual(large)
  })

  it('expires, and the sweep removes what it left [API-STO-09]', async () => {
    await piece(url, 0, body.subarray(0, 5))
    const parts = {
      service: gateway.services.database.service,
      store: gateway.services.store,
      scratch: scratchFolder(gateway.services.config),
    }
    const later = new Date(Date.now() + 23 * 3_600_000)
    await sweepStorage(parts, later) // parts of an active upload are old, but not orphans
    expect((await tus(url, 'HEAD')).headers.get('upload-offset')).toBe('5')
    await sweepStorage(parts, new Date(Date.now() + 25 * 3_600_000))
    expect((await tus(url, 'HEAD')).status).toBe(404)
    expect(folder('parts')).toEqual([])
    await gateway.services.store.writePart(
      (async function* () {
        yield Buffer.from('no upload knows me')
      })(),
    )
    await sweepStorage(parts, later)
    expect(folder('parts')).toEqual([])
  })
})

describe('a link to upload resumably [API-STO-11]', () => {
  it('lets its holder send one file, on behalf of its maker', async () => {
    const name = names()
    const { data } = await gateway.service.storage.from('files').createSignedUploadUrl(name)
    const options = { endpoint: `${endpoint()}/sign`, headers: { 'x-signature': data?.token ?? '' } }
    const body = randomBytes(200_000)
    expect((await send(name, body, { ...options, chunkSize: 60_000 })).error).toBeUndefined()
    expect(sha(await bytesOf('files', name))).toBe(sha(body))
    const elsewhere = await send(names(), body, options)
    expect((elsewhere.error as DetailedError).originalResponse?.getStatus()).toBe(400)
    const unsigned = await send(name, body, { endpoint: `${endpoint()}/sign`, headers: {} })
    expect((unsigned.error as DetailedError).originalResponse?.getStatus()).toBe(400)
  })
})
