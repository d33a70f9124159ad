import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { scratchFolder } from './build-store.ts'
import type { ObjectStore } from './object-store.ts'
import { buildS3Store, groupPieces } from './s3-store.ts'
import { sweepStorage } from './sweep.ts'
import { describeStore } from './testing/store-contract.ts'
import { buildS3Client, openS3, type S3Environment } from './testing/stores.ts'
import { sendResumably } from './testing/tus-client.ts'

let server: TestGateway
let settings: S3Environment
let client: S3Client
let scratch: string
let store: ObjectStore

beforeAll(async () => {
  server = await startGateway()
  settings = await openS3(server)
  client = buildS3Client(settings)
  scratch = mkdtempSync(join(tmpdir(), 'ovation-s3-'))
  store = buildS3Store(s3Settings(), scratch)
})
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  client?.destroy()
  await server?.close()
})

const s3Settings = () => ({
  endpoint: settings.S3_ENDPOINT,
  bucket: settings.S3_BUCKET,
  region: 'us-east-1',
  credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
  forcePathStyle: true,
  redirects: false,
  timeoutMs: 20_000,
})
const files = async () => {
  const pages = await Array.fromAsync(paginateListObjectsV2({ client }, { Bucket: settings.S3_BUCKET }))
  return pages.flatMap(({ Contents = [] }) => Contents.map(({ Key = '' }) => Key))
}
const begun = async () => {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.S3_BUCKET }))
  return Uploads.map(({ Key }) => Key)
}

describe('the S3 store [API-STO-09]', () => {
  describeStore(() => store, files)

  it('joins parts that are too small for S3, and copies the others', () => {
    const part = (sizeBytes: number) => ({ file: 'x', start: 0, md5: '', sizeBytes })
    const large = 6 * 1024 * 1024
    expect(groupPieces([part(large), part(1), part(large), part(large), part(2)]).map((piece) => piece.length)).toEqual(
      [1, 2, 1, 1],
    )
    expect(groupPieces([])).toEqual([])
  })

  it('aborts interrupted writes at S3', async () => {
    await client.send(new CreateMultipartUploadCommand({ Bucket: settings.S3_BUCKET, Key: 'objects/interrupted' }))
    await store.removeUnfinishedBefore(new Date(Date.now() - 60_000))
    expect(await begun()).toContain('objects/interrupted')
    await store.removeUnfinishedBefore(new Date(Date.now() + 60_000))
    expect(await begun()).not.toContain('objects/interrupted')
  })

  it("fails its check when S3 can't be used", async () => {
    const nowhere = buildS3Store({ ...s3Settings(), bucket: 'nowhere' }, scratch)
    await expect(nowhere.check()).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } })
  })
})

describe('an installation whose files are in S3', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { ...settings, S3_REDIRECTS: '1' } })
    await gateway.service.storage.createBucket('files', { public: false })
  })
  afterAll(() => gateway?.close())
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

  it('stores, sends, copies, and removes them like one with a disk [API-STO-09, API-STO-13]', async () => {
    const before = (await files()).length
    const bucket = gateway.service.storage.from('files')
    const body = randomBytes(300_000)
    expect((await bucket.upload('a.bin', body)).error).toBeNull()
    expect((await bucket.copy('a.bin', 'b.bin')).error).toBeNull()
    expect((await bucket.move('b.bin', 'c.bin')).error).toBeNull()
    const { data } = await bucket.download('c.bin')
    expect(sha(Buffer.from(await (data ?? new Blob([])).arrayBuffer()))).toBe(sha(body))
    expect(await files()).toHaveLength(before + 2)
    expect((await bucket.remove(['a.bin', 'c.bin'])).error).toBeNull()
    expect(await files()).toHaveLength(before)
  })

  it('takes resumable uploads, and sweeps what they leave', async () => {
    const before = (await files()).length
    const body = randomBytes(13_000_000)
    const headers = { authorization: `Bearer ${gateway.secrets.serviceRoleKey}` }
    const endpoint = `${gateway.url}/storage/v1/upload/resumable`
    const { error } = await sendResumably(body, {
      endpoint,
      headers,
      metadata: { bucketName: 'files', objectName: 'tus.bin' },
    })
    expect(error).toBeUndefined()
    const { data } = await gateway.service.storage.from('files').download('tus.bin')
    expect(sha(Buffer.from(await (data ?? new Blob([])).arrayBuffer()))).toBe(sha(body))
    expect(await files()).toHaveLength(before + 1)
    await gateway.query(`delete from storage.objects where name = 'tus.bin'`) // what a crash would do
    const { database, config } = gateway.services
    const parts = { service: database.service, store: gateway.services.store, scratch: scratchFolder(config) }
    await sweepStorage(parts, new Date(Date.now() + 2 * 3_600_000))
    expect(await files()).toEqual([])
  })

  it('redirects browsers to the store if configured, for no longer than the link is valid [POST-47]', async () => {
    await gateway.service.storage.from('files').upload('film.txt', 'hello', { contentType: 'text/plain' })
    const { data } = await gateway.service.storage.from('files').createSignedUrl('film.txt', 60, { download: 'f.txt' })
    const answer = await fetch(data?.signedUrl ?? '', { redirect: 'manual' })
    expect(answer.status).toBe(302)
    const address = new URL(answer.headers.get('location') ?? '')
    expect(address.origin).toBe(new URL(settings.S3_ENDPOINT).origin)
    expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
    const content = await fetch(address, { headers: { range: 'bytes=1-3' } })
    expect(content.status).toBe(206)
    expect(content.headers.get('content-disposition')).toContain('f.txt')
    expect(await content.text()).toBe('ell')
  })

  it.each([
    ['breaks connections off', (socket: Socket) => socket.destroy()],
    ['never answers', () => undefined],
  ])(
    'answers an upload with StorageUnavailable when the file storage %s',
    async (_how, meet) => {
      const sockets: Socket[] = []
      const s3 = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined))
        meet(socket)
      }).listen(0, '127.0.0.1')
      await once(s3, 'listening')
      const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`
      const cut = await startGateway({ env: { ...settings, S3_ENDPOINT: endpoint, S3_TIMEOUT_SECONDS: '1' } })
      try {
        await cut.service.storage.createBucket('cut', { public: false })
        const startedAt = performance.now()
        const { error } = await cut.service.storage.from('cut').upload('a.txt', 'x')
        expect(error).toMatchObject({
          status: 503,
          message: "The file storage can't be reached. Try again in a moment.",
        })
        expect(performance.now() - startedAt).toBeLessThan(15_000)
      } finally {
        await cut.close()
        for (const socket of sockets) socket.destroy()
        s3.close()
      }
    },
    60_000,
  )

  it('reports storage while S3 is down but stays ready: S3 is shared, so every node would leave the load balancer', async () => {
    expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200)
    const broken = await startGateway({ env: { ...settings, S3_BUCKET: 'nowhere' } })
    try {
      const answer = await fetch(`${broken.url}/health/ready`)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({ status: 'degraded', failing: ['storage'] })
      const { error } = await broken.service.storage
        .from('posts')
        .upload('a.png', Buffer.from('x'), { contentType: 'image/png' })
      expect(error).not.toBeNull()
    } finally {
      await broken.close()
    }
  })
})
