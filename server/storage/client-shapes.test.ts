import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import {
  CopyObjectCommand,
  GetObjectAttributesCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { openS3 } from './testing/stores.ts'

let gateway: TestGateway
let jpeg: Buffer
beforeAll(async () => {
  gateway = await startGateway()
  await gateway.service.storage.createBucket('papers', { public: false })
  jpeg = await sharp({ create: { width: 100, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => gateway?.close())

const headers = () => ({ authorization: `Bearer ${gateway.secrets.serviceRoleKey}` })
const papers = () => gateway.service.storage.from('papers')
const render = (query: string) =>
  fetch(`${gateway.url}/storage/v1/render/image/authenticated/papers/${query}`, { headers: headers() })

describe('answers that Supabase’s clients expect of storage', () => {
  it('reports status and version without a key, and names the product version alone', async () => {
    const status = await fetch(`${gateway.url}/storage/v1/status`)
    expect({ status: status.status, body: await status.text() }).toEqual({ status: 200, body: '' })
    const product = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const version = await fetch(`${gateway.url}/storage/v1/version`)
    expect({ status: version.status, body: await version.text() }).toEqual({ status: 200, body: product.version })
    expect(version.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it('detects by content a picture that was uploaded without its type, and resizes it [API-STO-17]', async () => {
    expect((await papers().upload('cat', jpeg, { contentType: 'text/plain;charset=UTF-8' })).error).toBeNull()
    const answer = await render('cat?width=50')
    expect(answer.status).toBe(200)
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(50)
    await papers().upload('words', 'only words', { contentType: 'text/plain' })
    expect((await render('words?width=50')).status).toBe(400)
  })

  it.each([
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ])('renders as %s on request [API-STO-17]', async (format, type) => {
    await papers().upload('as.jpg', jpeg, { contentType: 'image/jpeg', upsert: true })
    const answer = await render(`as.jpg?width=50&format=${format}`)
    expect(answer.headers.get('content-type')).toBe(type)
  })

  it('reports a damaged source as invalid', async () => {
    await papers().upload('broken.jpg', jpeg.subarray(0, 100), { contentType: 'image/jpeg' })
    expect(await (await render('broken.jpg?width=5')).json()).toMatchObject({
      statusCode: '400',
      code: 'InvalidRequest',
      message: 'The source image is invalid or unsupported for rendering',
    })
  })

  it('gives a copy the metadata of its header [API-STO-13]', async () => {
    await papers().upload('first', 'x', { metadata: { a: 1 } })
    const copied = await fetch(`${gateway.url}/storage/v1/object/copy`, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'application/json',
        'x-metadata': Buffer.from('{"b":2}').toString('base64'),
      },
      body: JSON.stringify({ bucketId: 'papers', sourceKey: 'first', destinationKey: 'second', copyMetadata: false }),
    })
    expect(copied.status).toBe(200)
    expect((await papers().info('second')).data?.metadata).toEqual({ b: 2 })
  })

  it('lists a folder by its key without a slash, and its name with one [API-STO-15]', async () => {
    await papers().upload('folder/a', 'x')
    const listed = await fetch(`${gateway.url}/storage/v1/object/list-v2/papers`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ with_delimiter: true }),
    })
    expect(((await listed.json()) as { folders: unknown[] }).folders).toContainEqual({ name: 'folder/', key: 'folder' })
  })

  it('serves no tags, the known attributes, and the stored Cache-Control over S3', async () => {
    const s3Settings = await openS3(gateway)
    const client = new S3Client({
      endpoint: s3Settings.S3_ENDPOINT,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: s3Settings.S3_ACCESS_KEY_ID, secretAccessKey: s3Settings.S3_SECRET_ACCESS_KEY },
    })
    const at = { Bucket: 'papers', Key: 'tagged' }
    await client.send(new PutObjectCommand({ ...at, Body: 'abc', CacheControl: 'max-age=77' }))
    expect((await client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual([])
    const asked = new GetObjectAttributesCommand({ ...at, ObjectAttributes: ['ETag', 'ObjectSize'] })
    expect(await client.send(asked)).toMatchObject({ ObjectSize: 3, ETag: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect((await client.send(new HeadObjectCommand(at))).CacheControl).toBe('max-age=77')
    await client.send(new CopyObjectCommand({ Bucket: 'papers', Key: 'copied', CopySource: 'papers/tagged' }))
    expect((await client.send(new GetObjectTaggingCommand({ ...at, Key: 'copied' }))).TagSet).toEqual([])
  })
})

describe('a resumable upload', () => {
  const tus = () => ({ ...headers(), 'tus-resumable': '1.0.0' })
  const begin = async (length: number) => {
    const metadata = { bucketName: 'papers', objectName: randomBytes(5).toString('hex') }
    const answer = await fetch(`${gateway.url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        ...tus(),
        'upload-length': String(length),
        'upload-metadata': Object.entries(metadata)
          .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
          .join(),
      },
    })
    return new URL(answer.headers.get('location') ?? '', gateway.url)
  }
  const patch = (url: URL, offset: number, body: Buffer) =>
    fetch(url, {
      method: 'PATCH',
      headers: { ...tus(), 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body: new Uint8Array(body),
    })

  it('reports its offset after a broken connection, and resumes from there', async () => {
    const body = randomBytes(1_000_000)
    const url = await begin(body.length)
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    const lines = [
      `PATCH ${url.pathname} HTTP/1.1`,
      `Host: ${url.host}`,
      `Content-Length: ${body.length}`,
      'Content-Type: application/offset+octet-stream',
      'Upload-Offset: 0',
      ...Object.entries(tus()).map(([key, value]) => `${key}: ${value}`),
    ]
    // The server does not notice the break: the socket stays open and silent.
    await new Promise<void>((sent) => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      socket.write(body.subarray(0, 400_000), () => sent())
    })
    const parts = () => gateway.query('select from private.uploads where id = $1', [url.pathname.split('/').at(-1)])
    expect(await parts()).toHaveLength(1)
    const head = await fetch(url, { method: 'HEAD', headers: tus() })
    const offset = Number(head.headers.get('upload-offset'))
    const rest = await patch(url, offset, body.subarray(offset))
    expect(rest.status).toBe(204)
    socket.destroy()
  })

  it('answers a wrong offset and a body that is too large with the messages of TUS', async () => {
    const url = await begin(10)
    const wrong = await patch(url, 5, Buffer.alloc(1))
    expect(wrong.status).toBe(409)
    expect(await wrong.json()).toMatchObject({ code: 'InvalidUploadOffset', message: 'Upload-Offset conflict' })
    const large = await patch(url, 0, Buffer.alloc(11))
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ message: 'Maximum size exceeded' })
  })
})
