import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { AccountQuota } from './account-quota.ts'
import { storageErrors } from './errors.ts'

let gateway: TestGateway
let png: Buffer
beforeAll(async () => {
  gateway = await startGateway({ env: { STORAGE_FAN_QUOTA_MB: '1', STORAGE_OPEN_UPLOADS: '3', VAULT_QUOTA_GB: '2' } })
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  png = await sharp({ create: { width: 450, height: 450, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer()
})
afterAll(() => gateway?.close())

const name = (person: Person) => `${person.userId}/${randomBytes(6).toString('hex')}.png`
const contentType = 'image/png'
const full = { code: 'QuotaExceeded', message: expect.stringContaining('can take up to 1 MB') }
async function openS3(person: Person) {
  const { data } = await person.client.auth.getSession()
  return new S3Client({
    endpoint: `${gateway.url}/storage/v1/s3`,
    region: 'local',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: {
      accessKeyId: 'ovation',
      secretAccessKey: gateway.secrets.anonKey,
      sessionToken: data.session?.access_token ?? '',
    },
  })
}
async function begin(person: Person, length: number, type = contentType) {
  const { data } = await person.client.auth.getSession()
  const metadata = { bucketName: 'posts', objectName: name(person), contentType: type }
  return fetch(`${gateway.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${data.session?.access_token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(),
    },
  })
}

describe('the quota of a vault', () => {
  it('rejects a file that doesn’t fit before its first byte, on each way in, and is shown with what remains [VAULT-07]', async () => {
    const creator = await gateway.signUp()
    await gateway.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
      creator.profileId,
    ])
    const usedBytes = 2 * 1024 ** 3 - 1000
    await gateway.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('posts', $1, $2, $3)`,
      [name(creator), creator.userId, { mimetype: 'image/png', size: usedBytes }],
    )
    const space = async () => (await creator.client.rpc('get_vault_space').single().throwOnError()).data
    expect(await space()).toEqual({ used_bytes: usedBytes, quota_bytes: 2 * 1024 ** 3, own_quota_gb: null })

    const full = { code: 'QuotaExceeded', message: expect.stringContaining('can take up to 2 GB') }
    const files = creator.client.storage.from('posts')
    expect((await files.upload(name(creator), png, { contentType })).error).toMatchObject(full)
    const resumable = await begin(creator, png.length)
    expect(resumable.status).toBe(413)
    expect(await resumable.json()).toMatchObject(full)
    const s3 = await openS3(creator)
    const file = { Bucket: 'posts', Key: name(creator) }
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...file, ContentType: contentType }))
    const part = new UploadPartCommand({ ...file, UploadId, PartNumber: 1, Body: Buffer.alloc(600_000) })
    await expect(s3.send(part)).rejects.toMatchObject({ name: 'QuotaExceeded' })
    expect(await space()).toMatchObject({ used_bytes: usedBytes })

    // An admin gives this creator more, none at all, and then the usual again.
    const setTo = (gb: number | null) =>
      gateway.query(`select set_config('role', 'service_role', true), public.set_vault_quota($1, $2)`, [
        creator.profileId,
        gb,
      ])
    await setTo(3)
    expect((await files.upload(name(creator), png, { contentType })).error).toBeNull()
    expect(await space()).toMatchObject({ quota_bytes: 3 * 1024 ** 3, own_quota_gb: 3 })
    await setTo(0)
    expect(await space()).toMatchObject({ quota_bytes: null, own_quota_gb: 0 })
    expect((await begin(creator, png.length)).status).toBe(201)
    await setTo(null)
    expect(await space()).toMatchObject({ quota_bytes: 2 * 1024 ** 3, own_quota_gb: null })
    s3.destroy()
  })
})

describe('the storage quota of an account', () => {
  it('applies to plain uploads, forms, resumable uploads, and copies, and is higher for creators', async () => {
    const person = await gateway.signUp()
    const files = person.client.storage.from('posts')
    expect(png.length).toBeGreaterThan(550_000)
    const first = name(person)
    expect((await files.upload(first, png, { contentType })).error).toBeNull()
    expect((await files.upload(name(person), png, { contentType })).error).toMatchObject(full)
    const form = new File([new Uint8Array(png)], 'a.png', { type: contentType })
    expect((await files.upload(name(person), form)).error).toMatchObject(full)
    expect((await files.copy(first, name(person))).error).toMatchObject(full)
    const resumable = await begin(person, png.length)
    expect(resumable.status).toBe(413)
    expect(await resumable.json()).toMatchObject(full)
    await gateway.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
      person.profileId,
    ])
    expect((await files.upload(name(person), png, { contentType })).error).toBeNull()
  })

  it('applies to the parts of an S3 multipart upload', async () => {
    const person = await gateway.signUp()
    const s3 = await openS3(person)
    const file = { Bucket: 'posts', Key: name(person) }
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...file, ContentType: contentType }))
    const send = (PartNumber: number) =>
      s3.send(new UploadPartCommand({ ...file, UploadId, PartNumber, Body: Buffer.alloc(600_000) }))
    await send(1)
    await expect(send(2)).rejects.toMatchObject({ name: 'QuotaExceeded' })
    const copied = { ...file, UploadId, PartNumber: 2, CopySource: `posts/${file.Key}` }
    await s3.send(new AbortMultipartUploadCommand({ ...file, UploadId }))
    await person.client.storage.from('posts').upload(file.Key, png, { contentType })
    const other = await s3.send(new CreateMultipartUploadCommand({ ...file, ContentType: contentType }))
    await expect(s3.send(new UploadPartCopyCommand({ ...copied, UploadId: other.UploadId }))).rejects.toMatchObject({
      name: 'QuotaExceeded',
    })
    s3.destroy()
  })

  it('applies to concurrent uploads, and to uploads that do not declare their size', async () => {
    const [many, silent] = await Promise.all([gateway.signUp(), gateway.signUp()])
    const files = many.client.storage.from('posts')
    const answers = await Promise.all([1, 2, 3].map(() => files.upload(name(many), png, { contentType })))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    const { data } = await silent.client.auth.getSession()
    const endless = new ReadableStream({
      start(controller) {
        for (const part of [png, Buffer.alloc(1_000_000)]) controller.enqueue(new Uint8Array(part))
        controller.close()
      },
    })
    const answer = await fetch(`${gateway.url}/storage/v1/object/posts/${name(silent)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': contentType },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(await answer.json()).toMatchObject(full)
    expect(await gateway.query('select from storage.objects where owner_id = $1', [silent.userId])).toEqual([])
  })

  it('is shared by uploads at the same time that declare no size', async () => {
    const person = await gateway.signUp()
    const { database, config } = gateway.services
    const quota = new AccountQuota(database, config.storage, false)
    async function* send(bytes: number) {
      yield new Uint8Array(bytes)
    }
    const receive = async (content: AsyncIterable<Uint8Array>) => {
      for await (const _chunk of content);
    }
    const [first, second] = await Promise.all([1, 2].map(() => quota.take(person.userId, undefined)))
    await receive(first?.limit(send(600_000)) ?? send(0))
    first?.release() // its row isn't written yet where the second one read what is stored
    await expect(receive(second?.limit(send(600_000)) ?? send(0))).rejects.toMatchObject(full)
    second?.release()
    const third = await quota.take(person.userId, undefined)
    await receive(third.limit(send(600_000)))
  })

  it('counts an upload that ends while the stored bytes are being read', async () => {
    const person = await gateway.signUp()
    const { database, config } = gateway.services
    const [began, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The second upload's read has its answer, and waits for the network until the first upload has ended.
    let reads = 0
    const rows: typeof database.service.rows = async (statement) => {
      const answer = await database.service.rows(statement)
      reads += 1
      if (reads !== 2) return answer as never
      began.resolve()
      await mayEnd.promise
      return answer as never
    }
    const slow = { ...database, service: { ...database.service, rows } } as unknown as typeof database
    const quota = new AccountQuota(slow, config.storage, false)
    const first = await quota.take(person.userId, 600_000)
    const second = quota.take(person.userId, 600_000)
    await began.promise
    await gateway.query(
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
       values ('posts', $1, $2, 'v', '{"mimetype":"image/png","size":600000}')`,
      [name(person), person.userId],
    )
    first.release()
    mayEnd.resolve()
    await expect(second).rejects.toMatchObject(full)
    expect(reads).toBe(3)
  })

  it('limits the number of open uploads, even when many start at once', async () => {
    const person = await gateway.signUp()
    const answers = await Promise.all(Array.from({ length: 12 }, () => begin(person, 1000)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(9)
    expect(refused[0]?.headers.get('retry-after')).toBe('60')
    expect(await refused[0]?.json()).toMatchObject({ code: 'TooManyUploads' })
  })

  it('limits the number of videos in the queue on installations that transcode videos', async () => {
    const person = await gateway.signUp()
    const [file] = await gateway.query<{ id: string }>(
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
       values ('posts', $1, $2, 'v', '{"mimetype":"video/mp4","size":1}') returning id`,
      [name(person), person.userId],
    )
    expect(await gateway.query('select state from private.videos where object_id = $1', [file?.id])).toHaveLength(1)
    const { database, config } = gateway.services
    const settings = { ...config.storage, waitingVideos: 1 }
    await expect(new AccountQuota(database, settings, true).requireVideoPlace(person.userId)).rejects.toMatchObject({
      status: 429,
      code: 'TooManyVideos',
    })
    await new AccountQuota(database, settings, false).requireVideoPlace(person.userId)
  })

  it('checks the video queue for every way to upload a video', async () => {
    const person = await gateway.signUp()
    const files = person.client.storage.from('posts')
    const s3 = await openS3(person)
    const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(5000)])
    const video = { contentType: 'video/mp4' }
    const first = name(person)
    expect((await files.upload(first, film, video)).error).toBeNull()
    const ask = vi.spyOn(AccountQuota.prototype, 'requireVideoPlace').mockRejectedValue(storageErrors.tooManyVideos(1))
    const refused = { code: 'TooManyVideos' }
    expect((await files.upload(name(person), film, video)).error).toMatchObject(refused)
    expect((await files.copy(first, name(person))).error).toMatchObject(refused)
    expect(await (await begin(person, film.length, video.contentType)).json()).toMatchObject(refused)
    const file = { Bucket: 'posts', Key: name(person) }
    for (const command of [
      new CreateMultipartUploadCommand({ ...file, ContentType: video.contentType }),
      new CopyObjectCommand({ ...file, CopySource: `posts/${first}` }),
    ])
      await expect(s3.send(command as CopyObjectCommand)).rejects.toMatchObject({ name: 'TooManyVideos' })
    ask.mockRestore()
    s3.destroy()
  })
})

it('ends an upload that stops sending', async () => {
  const impatient = await startGateway({ env: { STORAGE_UPLOAD_IDLE_SECONDS: '1' } })
  onTestFinished(() => impatient.close())
  const person = await impatient.signUp()
  const { data } = await person.client.auth.getSession()
  const { port } = new URL(impatient.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /storage/v1/object/posts/${name(person)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: Bearer ${data.session?.access_token}\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\n`,
  )
  socket.write(png.subarray(0, 10_000))
  const answer = await text(socket)
  expect(answer).toContain('"statusCode":"408"')
  expect(answer).toContain('upload was too slow')
}, 20_000)

it('answers StorageUnavailable within a time limit when S3 is down or hangs', async () => {
  const sockets = new Set<Socket>()
  const frozen = createServer((socket) => {
    sockets.add(socket)
  })
  await new Promise<void>((ready) => frozen.listen(0, '127.0.0.1', ready))
  const { port } = frozen.address() as { port: number }
  const s3 = await startGateway({
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
      S3_TIMEOUT_SECONDS: '1',
    },
  })
  try {
    const person = await s3.signUp()
    const send = () => person.client.storage.from('posts').upload(name(person), png, { contentType })
    const away = { statusCode: '503', code: 'StorageUnavailable', message: expect.stringContaining('file storage') }
    const startedAt = performance.now()
    expect((await send()).error).toMatchObject(away)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => frozen.close(closed))
    expect((await send()).error).toMatchObject(away)
  } finally {
    for (const socket of sockets) socket.destroy()
    frozen.close()
    await s3.close()
  }
}, 60_000)

it.each([
  'STORAGE_FAN_QUOTA_MB',
  'STORAGE_CREATOR_QUOTA_MB',
  'VAULT_QUOTA_GB',
  'STORAGE_OPEN_UPLOADS',
  'STORAGE_WAITING_VIDEOS',
  'STORAGE_UPLOAD_IDLE_SECONDS',
  'STORAGE_UPLOAD_MIN_BYTES_PER_SECOND',
  'S3_TIMEOUT_SECONDS',
])('prevents the start when %s is invalid', (setting) => {
  expect(() => parseConfig({ S3_BUCKET: 'b', [setting]: 'soon' })).toThrow(setting)
})
