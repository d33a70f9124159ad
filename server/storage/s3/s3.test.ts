import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { hmac, readSignature, sha256, signingKey } from './sigv4.ts'

let gateway: TestGateway
let operator: S3Client
let credentials: { accessKeyId: string; secretAccessKey: string }
const clients: S3Client[] = []
const bytes = randomBytes(100_000)
const md5 = (content: Buffer) => createHash('md5').update(content).digest('hex')

beforeAll(async () => {
  gateway = await startGateway()
  const made = await keys('POST', { description: 'backup' })
  expect(made.status).toBe(201)
  credentials = (await made.json()) as typeof credentials
  operator = connect(credentials)
  await gateway.service.storage.createBucket('files', { public: false, fileSizeLimit: 50_000_000 })
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await gateway?.close()
})

function keys(method: string, body?: object, path = '', key = gateway.secrets.serviceRoleKey) {
  return fetch(`${gateway.url}/storage/v1/s3-keys${path}`, {
    method,
    headers: { apikey: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

function connect(given: NonNullable<S3ClientConfig['credentials']>, more: S3ClientConfig = {}): S3Client {
  const client = new S3Client({
    endpoint: `${gateway.url}/storage/v1/s3`,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: given,
    ...more,
  })
  clients.push(client)
  return client
}

async function connectAs(person: Person) {
  const { data } = await person.client.auth.getSession()
  return connect({
    accessKeyId: 'ovation',
    secretAccessKey: gateway.secrets.anonKey,
    sessionToken: data.session?.access_token ?? '',
  })
}

const put = (Key: string, Body: Buffer | string = bytes, more: object = {}) =>
  operator.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ...more }))
const get = async (Key: string, more: object = {}) => {
  const answer = await operator.send(new GetObjectCommand({ Bucket: 'files', Key, ...more }))
  return { ...answer, content: Buffer.from((await answer.Body?.transformToByteArray()) ?? []) }
}

describe('buckets over S3', () => {
  it('are created, found, listed, and removed', async () => {
    await operator.send(new CreateBucketCommand({ Bucket: 'made-by-s3' }))
    await expect(operator.send(new CreateBucketCommand({ Bucket: 'made-by-s3' }))).rejects.toMatchObject({
      name: 'BucketAlreadyExists',
      $metadata: { httpStatusCode: 409 },
    })
    await operator.send(new HeadBucketCommand({ Bucket: 'made-by-s3' }))
    await operator.send(new GetBucketLocationCommand({ Bucket: 'made-by-s3' }))
    const { Buckets = [] } = await operator.send(new ListBucketsCommand({}))
    expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining(['avatars', 'made-by-s3', 'posts']))
    await operator.send(new PutObjectCommand({ Bucket: 'made-by-s3', Key: 'a', Body: 'a' }))
    await expect(operator.send(new DeleteBucketCommand({ Bucket: 'made-by-s3' }))).rejects.toMatchObject({
      name: 'BucketNotEmpty',
    })
    await operator.send(new DeleteObjectCommand({ Bucket: 'made-by-s3', Key: 'a' }))
    await operator.send(new DeleteBucketCommand({ Bucket: 'made-by-s3' }))
    await expect(operator.send(new HeadBucketCommand({ Bucket: 'made-by-s3' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    })
  })

  it('reject unsupported features', async () => {
    await expect(operator.send(new GetBucketAclCommand({ Bucket: 'files' }))).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    })
  })
})

describe('objects over S3', () => {
  it('come back with their metadata, whole and in ranges', async () => {
    const { ETag } = await put('dir/one two+(3).bin', bytes, {
      ContentType: 'application/x-test',
      CacheControl: 'max-age=60',
      Metadata: { alt: 'rows' },
    })
    expect(ETag).toBe(`"${md5(bytes)}"`)
    const whole = await get('dir/one two+(3).bin')
    expect(whole).toMatchObject({
      ETag,
      ContentType: 'application/x-test',
      CacheControl: 'max-age=60',
      ContentLength: bytes.length,
      Metadata: { alt: 'rows' },
    })
    expect(whole.content).toEqual(bytes)
    expect((await get('dir/one two+(3).bin', { Range: 'bytes=10-19' })).content).toEqual(bytes.subarray(10, 20))
    expect(await operator.send(new HeadObjectCommand({ Bucket: 'files', Key: 'dir/one two+(3).bin' }))).toMatchObject({
      ETag,
      ContentLength: bytes.length,
      AcceptRanges: 'bytes',
    })
    // One store behind two APIs.
    const { data } = await gateway.service.storage.from('files').info('dir/one two+(3).bin')
    expect(data).toMatchObject({ contentType: 'application/x-test', metadata: { alt: 'rows' }, etag: ETag })
  })

  it('answer invalid requests with S3’s errors', async () => {
    await put('conditions')
    for (const [command, name, status] of [
      [new GetObjectCommand({ Bucket: 'files', Key: 'none' }), 'NoSuchKey', 404],
      [new GetObjectCommand({ Bucket: 'nowhere', Key: 'none' }), 'NoSuchBucket', 404],
      [new HeadObjectCommand({ Bucket: 'files', Key: 'none' }), 'NotFound', 404],
      [new GetObjectCommand({ Bucket: 'files', Key: 'conditions', Range: 'bytes=100000-' }), 'InvalidRange', 416],
      [new GetObjectCommand({ Bucket: 'files', Key: 'conditions', IfMatch: '"other"' }), 'PreconditionFailed', 412],
      [
        new PutObjectCommand({ Bucket: 'files', Key: 'conditions', Body: 'x', IfNoneMatch: '*' }),
        'PreconditionFailed',
        412,
      ],
      [new PutObjectCommand({ Bucket: 'files', Key: 'a//b', Body: 'x' }), 'InvalidKey', 400],
      [new PutObjectCommand({ Bucket: 'files', Key: 'x'.repeat(1025), Body: 'x' }), 'InvalidKey', 400],
      [new PutObjectCommand({ Bucket: 'files', Key: 'ünï', Body: 'x' }), 'InvalidKey', 400],
      [
        new PutObjectCommand({ Bucket: 'posts', Key: 'a.txt', Body: 'x', ContentType: 'text/plain' }),
        'InvalidRequest',
        415,
      ],
      [
        new PutObjectCommand({ Bucket: 'avatars', Key: 'a.png', Body: 'x', ContentType: 'image/png' }),
        'InvalidRequest',
        415,
      ],
      [new CopyObjectCommand({ Bucket: 'files', Key: 'b', CopySource: 'files/none' }), 'NoSuchKey', 404],
    ] as const) {
      await expect(operator.send(command as never)).rejects.toMatchObject({
        name,
        $metadata: { httpStatusCode: status },
      })
    }
    const error = await fetch(`${gateway.url}/storage/v1/s3/files/none`)
    expect(error.status).toBe(403)
    expect(error.headers.get('content-type')).toContain('application/xml')
    expect(await error.text()).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>AccessDenied<\/Code><Message>[^<]+<\/Message><Resource>\/storage\/v1\/s3\/files\/none<\/Resource><RequestId>[\w-]+<\/RequestId><\/Error>$/,
    )
  })

  it('are checked against their checksums, and stored only when those match', async () => {
    for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const) {
      await put(`sum-${ChecksumAlgorithm}`, bytes, { ChecksumAlgorithm })
      expect((await get(`sum-${ChecksumAlgorithm}`)).content).toEqual(bytes)
    }
    for (const wrong of [
      { ContentMD5: createHash('md5').update('other').digest('base64') },
      { ChecksumCRC32: 'AAAAAA==' },
      { ChecksumSHA256: createHash('sha256').update('other').digest('base64') },
    ]) {
      await expect(put('wrong-sum', bytes, wrong)).rejects.toMatchObject({ name: 'BadDigest' })
    }
    await expect(get('wrong-sum')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('are copied, also with new metadata, and deleted one by one and many at once', async () => {
    await put('from', 'content', { Metadata: { a: '1' }, ContentType: 'text/plain' })
    await operator.send(new CopyObjectCommand({ Bucket: 'files', Key: 'to', CopySource: 'files/from' }))
    expect(await get('to')).toMatchObject({ Metadata: { a: '1' }, ContentType: 'text/plain' })
    await operator.send(
      new CopyObjectCommand({
        Bucket: 'files',
        Key: 'to',
        CopySource: '/files/to',
        MetadataDirective: 'REPLACE',
        Metadata: { b: '2' },
        ContentType: 'text/csv',
      }),
    )
    const changed = await get('to')
    expect(changed).toMatchObject({ Metadata: { b: '2' }, ContentType: 'text/csv' })
    expect(changed.content.toString()).toBe('content')
    await put('packed', 'content', { ContentEncoding: 'gzip', ContentType: 'text/plain', CacheControl: 'max-age=5' })
    const replace = { Bucket: 'files', CopySource: 'files/packed', MetadataDirective: 'REPLACE' } as const
    await operator.send(new CopyObjectCommand({ ...replace, Key: 'bare' }))
    const [bare, plain] = [await get('bare'), await put('plain', 'content').then(() => get('plain'))]
    expect(bare).toMatchObject({ ContentType: 'binary/octet-stream', CacheControl: plain.CacheControl })
    expect(bare.ContentEncoding).toBeUndefined()
    await operator.send(new CopyObjectCommand({ ...replace, Key: 'told', ContentEncoding: 'br' }))
    expect(await get('told')).toMatchObject({ ContentEncoding: 'br' })
    await operator.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'to' }))
    await operator.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'to' })) // again is no error
    await expect(get('to')).rejects.toMatchObject({ name: 'NoSuchKey' })
    await put('many/1', 'x')
    await put('many/2 & 3', 'x')
    const keys = ['many/1', 'many/2 & 3', 'many/none']
    const { Deleted } = await operator.send(
      new DeleteObjectsCommand({ Bucket: 'files', Delete: { Objects: keys.map((Key) => ({ Key })) } }),
    )
    expect(Deleted?.map(({ Key }) => Key)).toEqual(keys)
    for (const key of keys) await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('are listed page by page, flat and by folder', async () => {
    const names = ['list/a', 'list/b/1', 'list/b/2', 'list/c d&', 'list/e/f/g', 'list/z'].toSorted()
    for (const name of names) await put(name, 'x')
    for (const List of [ListObjectsV2Command, ListObjectsCommand as unknown as typeof ListObjectsV2Command]) {
      const found: string[] = []
      let after: object = {}
      for (let page = 0; page < 10; page++) {
        const answer = await operator.send(new List({ Bucket: 'files', Prefix: 'list/', MaxKeys: 4, ...after }))
        found.push(...(answer.Contents ?? []).map(({ Key }) => Key ?? ''))
        if (!answer.IsTruncated) break
        after = {
          ContinuationToken: answer.NextContinuationToken,
          Marker: (answer as { NextMarker?: string }).NextMarker,
        }
      }
      expect(found).toEqual(names)
      const level = await operator.send(
        new List({ Bucket: 'files', Prefix: 'list/', Delimiter: '/', EncodingType: 'url' }),
      )
      expect(level.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['list/b/', 'list/e/'])
      expect(level.Contents?.map(({ Key }) => decodeURIComponent(Key ?? ''))).toEqual(['list/a', 'list/c d&', 'list/z'])
      expect(level.Contents?.[0]).toMatchObject({
        Size: 1,
        ETag: `"${md5(Buffer.from('x'))}"`,
        LastModified: expect.any(Date),
      })
    }
    const after = await operator.send(
      new ListObjectsV2Command({ Bucket: 'files', Prefix: 'list/', StartAfter: 'list/c d&' }),
    )
    expect(after.Contents?.map(({ Key }) => Key)).toEqual(['list/e/f/g', 'list/z'])
    // With escaping, the prefix is escaped too.
    const escaped = { Bucket: 'files', Prefix: 'list/', EncodingType: 'url' } as const
    expect(await operator.send(new ListObjectsV2Command({ ...escaped, StartAfter: 'list/c d&' }))).toMatchObject({
      StartAfter: 'list/c%20d%26',
    })
    expect(await operator.send(new ListObjectsCommand({ ...escaped, Marker: 'list/c d&' }))).toMatchObject({
      Marker: 'list/c%20d%26',
    })
  })

  it('open with a presigned address until it expires', async () => {
    await put('presigned/a b.txt', 'hello', { ContentType: 'text/plain' })
    const url = await getSignedUrl(operator, new GetObjectCommand({ Bucket: 'files', Key: 'presigned/a b.txt' }), {
      expiresIn: 60,
    })
    expect(await (await fetch(url)).text()).toBe('hello')
    expect((await fetch(url.replace('a%20b', 'c'))).status).toBe(403)
    expect((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))).status).toBe(403)
    const old = await getSignedUrl(operator, new GetObjectCommand({ Bucket: 'files', Key: 'presigned/a b.txt' }), {
      expiresIn: 60,
      signingDate: new Date(Date.now() - 61_000),
    })
    const expired = await fetch(old)
    expect(expired.status).toBe(403)
    expect(await expired.text()).toContain('Request has expired')
    const upload = await getSignedUrl(operator, new PutObjectCommand({ Bucket: 'files', Key: 'presigned/up' }), {
      expiresIn: 60,
    })
    expect((await fetch(upload, { method: 'PUT', body: 'by a stranger' })).status).toBe(200)
    expect((await get('presigned/up')).content.toString()).toBe('by a stranger')
  })
})

describe('multipart uploads over S3', () => {
  const begin = async (Key: string) =>
    (
      await operator.send(
        new CreateMultipartUploadCommand({ Bucket: 'files', Key, ContentType: 'text/csv', Metadata: { a: 'b' } }),
      )
    ).UploadId
  const sendPart = (Key: string, UploadId: string | undefined, PartNumber: number, Body: Buffer) =>
    operator.send(new UploadPartCommand({ Bucket: 'files', Key, UploadId, PartNumber, Body }))
  const complete = (Key: string, UploadId: string | undefined, Parts: object[]) =>
    operator.send(new CompleteMultipartUploadCommand({ Bucket: 'files', Key, UploadId, MultipartUpload: { Parts } }))

  it('are sent by the SDK’s own uploader', async () => {
    const large = randomBytes(17_000_000)
    await new Upload({ client: operator, params: { Bucket: 'files', Key: 'multi/auto', Body: large } }).done()
    const answer = await get('multi/auto')
    expect(md5(answer.content)).toBe(md5(large))
    expect(answer.ETag).toMatch(/^"[0-9a-f]{32}-4"$/)
  })

  it('keep their content coding', async () => {
    const Key = 'multi/packed.csv'
    const packed = gzipSync('a,b\n1,2\n')
    const { UploadId } = await operator.send(
      new CreateMultipartUploadCommand({ Bucket: 'files', Key, ContentType: 'text/csv', ContentEncoding: 'gzip' }),
    )
    const { ETag } = await sendPart(Key, UploadId, 1, packed)
    await complete(Key, UploadId, [{ PartNumber: 1, ETag }])
    expect(await get(Key)).toMatchObject({ ContentEncoding: 'gzip', content: packed })
  })

  it('take parts in any order, repeated parts, and copies of other objects, and list the stored parts', async () => {
    await put('source', bytes)
    const UploadId = await begin('multi/hand')
    const third = await sendPart('multi/hand', UploadId, 3, bytes.subarray(50_000))
    await sendPart('multi/hand', UploadId, 1, Buffer.from('first try'))
    const first = await sendPart('multi/hand', UploadId, 1, bytes.subarray(0, 1000))
    const { CopyPartResult } = await operator.send(
      new UploadPartCopyCommand({
        Bucket: 'files',
        Key: 'multi/hand',
        UploadId,
        PartNumber: 2,
        CopySource: 'files/source',
        CopySourceRange: 'bytes=1000-49999',
      }),
    )
    await sendPart('multi/hand', UploadId, 9, Buffer.from('not wanted'))
    const { Parts } = await operator.send(new ListPartsCommand({ Bucket: 'files', Key: 'multi/hand', UploadId }))
    expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, 1000],
      [2, 49_000],
      [3, 50_000],
      [9, 10],
    ])
    const { Uploads } = await operator.send(new ListMultipartUploadsCommand({ Bucket: 'files', Prefix: 'multi/' }))
    expect(Uploads).toMatchObject([{ Key: 'multi/hand', UploadId }])
    const parts = [first, CopyPartResult, third].map((part, index) => ({ PartNumber: index + 1, ETag: part?.ETag }))
    await expect(complete('multi/hand', UploadId, parts.toReversed())).rejects.toMatchObject({
      name: 'InvalidPartOrder',
    })
    await expect(complete('multi/hand', UploadId, [{ PartNumber: 1, ETag: '"other"' }])).rejects.toMatchObject({
      name: 'InvalidPart',
    })
    const done = await complete('multi/hand', UploadId, parts)
    expect(await complete('multi/hand', UploadId, parts)).toMatchObject({ ETag: done.ETag }) // the first answer was lost
    const answer = await get('multi/hand')
    expect(answer).toMatchObject({ ContentType: 'text/csv', Metadata: { a: 'b' }, ETag: done.ETag })
    expect(answer.content).toEqual(bytes)
    expect(
      (await operator.send(new ListMultipartUploadsCommand({ Bucket: 'files', Prefix: 'multi/' }))).Uploads,
    ).toBeUndefined()
    expect(await gateway.query('select from private.upload_parts')).toEqual([])
  })

  it('leave nothing when they are aborted, and are invisible to other callers', async () => {
    const UploadId = await begin('multi/abort')
    await sendPart('multi/abort', UploadId, 1, bytes)
    const stranger = await connectAs(await gateway.signUp())
    const theirs = new UploadPartCommand({ Bucket: 'files', Key: 'multi/abort', UploadId, PartNumber: 2, Body: 'x' })
    await expect(stranger.send(theirs)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    await expect(sendPart('multi/other-key', UploadId, 2, bytes)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    await operator.send(new AbortMultipartUploadCommand({ Bucket: 'files', Key: 'multi/abort', UploadId }))
    await expect(sendPart('multi/abort', UploadId, 2, bytes)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    expect(await gateway.query('select from private.upload_parts')).toEqual([])
    await expect(get('multi/abort')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })
})

describe('the caller over S3', () => {
  it('is the user of the session token, with their permissions alone [GEN-35]', async () => {
    const [creator, stranger] = [await gateway.signUp(), await gateway.signUp()]
    const [own, other] = [await connectAs(creator), await connectAs(stranger)]
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const Key = `${creator.userId}/a.png`
    await own.send(new PutObjectCommand({ Bucket: 'posts', Key, Body: png, ContentType: 'image/png' }))
    expect(await gateway.query('select owner_id from storage.objects where name = $1', [Key])).toEqual([
      { owner_id: creator.userId },
    ])
    expect(
      (await own.send(new ListObjectsV2Command({ Bucket: 'posts' }))).Contents?.map((object) => object.Key),
    ).toEqual([Key])
    expect((await other.send(new ListObjectsV2Command({ Bucket: 'posts' }))).Contents).toBeUndefined()
    await expect(other.send(new GetObjectCommand({ Bucket: 'posts', Key }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    })
    await expect(
      other.send(new PutObjectCommand({ Bucket: 'posts', Key, Body: png, ContentType: 'image/png' })),
    ).rejects.toMatchObject({ name: 'AccessDenied' })
    await expect(
      other.send(new CreateMultipartUploadCommand({ Bucket: 'posts', Key, ContentType: 'image/png' })),
    ).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    await other.send(new DeleteObjectCommand({ Bucket: 'posts', Key })) // not found: they can't see it
    await expect(other.send(new CreateBucketCommand({ Bucket: 'theirs' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    expect((await own.send(new GetObjectCommand({ Bucket: 'posts', Key }))).ContentLength).toBe(png.length)
    await own.send(new DeleteObjectCommand({ Bucket: 'posts', Key }))
  })

  it('is rejected with a wrong secret, an unknown key, an invalid token, or a wrong clock', async () => {
    const sessionToken = 'not-a-token'
    const { anonKey } = gateway.secrets
    for (const [client, name] of [
      [connect({ ...credentials, secretAccessKey: 'wrong' }), 'SignatureDoesNotMatch'],
      [connect({ accessKeyId: 'unknown', secretAccessKey: 'wrong' }), 'InvalidAccessKeyId'],
      [connect({ accessKeyId: 'ovation', secretAccessKey: anonKey, sessionToken }), 'InvalidToken'],
      [connect({ accessKeyId: 'ovation', secretAccessKey: 'wrong', sessionToken }), 'SignatureDoesNotMatch'],
      [connect(credentials, { systemClockOffset: 20 * 60_000 }), 'RequestTimeTooSkewed'],
    ] as const) {
      await expect(client.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name })
    }
  })

  it('is rejected with an invalid date', async () => {
    const url =
      '/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=id/20261301/x/s3/aws4_request&X-Amz-SignedHeaders=host'
    const signed = (date: string) => () =>
      readSignature({
        method: 'GET',
        url: `${url}&X-Amz-Expires=60&X-Amz-Date=${date}&X-Amz-Signature=${'0'.repeat(64)}`,
        headers: {},
        host: 'localhost',
      })
    expect(signed('20001231T000000Z')).toThrow('Request has expired')
    for (const date of ['20261301T000000Z', '20260102T250000Z', '']) expect(signed(date)).toThrow('x-amz-date')
  })

  it('is the holder of a key that only the operator creates and revokes', async () => {
    expect((await keys('POST', {}, '', gateway.secrets.anonKey)).status).toBe(400)
    const made = (await (await keys('POST', { description: 'short-lived' })).json()) as typeof credentials
    const client = connect(made)
    await client.send(new ListBucketsCommand({}))
    const listed = await (await keys('GET')).json()
    expect(listed).toMatchObject([
      { description: 'backup' },
      { accessKeyId: made.accessKeyId, description: 'short-lived' },
    ])
    expect(JSON.stringify(listed)).not.toContain(made.secretAccessKey)
    const [row] = await gateway.query<{ sealed_secret: string }>('select sealed_secret from private.s3_keys')
    expect(row?.sealed_secret).not.toContain(made.secretAccessKey)
    expect((await keys('DELETE', undefined, `/${made.accessKeyId}`)).status).toBe(200)
    await expect(client.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  })
})

describe('a body that is signed chunk by chunk', () => {
  const date = () => `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`

  /** As aws-sdk-java, minio, and others send it; the SDK for JavaScript doesn't. @param spoil changes the body after it was signed. */
  function send(Key: string, chunks: Buffer[], options: { trailer?: string; spoil?: (body: Buffer) => Buffer } = {}) {
    const amzDate = date()
    const scope = `${amzDate.slice(0, 8)}/eu-central-1/s3/aws4_request`
    const key = signingKey(credentials.secretAccessKey, scope)
    const url = new URL(`${gateway.url}/storage/v1/s3/files/${Key}`)
    const payload = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${options.trailer ? '-TRAILER' : ''}`
    const headers: Record<string, string> = {
      host: url.host,
      'x-amz-content-sha256': payload,
      'x-amz-date': amzDate,
      'x-amz-decoded-content-length': String(Buffer.concat(chunks).length),
      ...(options.trailer && { 'x-amz-trailer': 'x-amz-checksum-sha256' }),
    }
    const names = Object.keys(headers).toSorted()
    const canonical = [
      'PUT',
      url.pathname,
      '',
      names.map((name) => `${name}:${headers[name]}\n`).join(''),
      names.join(';'),
      payload,
    ]
    const seed = hmac(key, ['AWS4-HMAC-SHA256', amzDate, scope, sha256(canonical.join('\n'))].join('\n')).toString(
      'hex',
    )
    let previous = seed
    const pieces = [...chunks, Buffer.alloc(0)].map((chunk) => {
      const lines = ['AWS4-HMAC-SHA256-PAYLOAD', amzDate, scope, previous, sha256(''), sha256(chunk)]
      previous = hmac(key, lines.join('\n')).toString('hex')
      const head = Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`)
      return Buffer.concat([head, chunk, Buffer.from(chunk.length > 0 ? '\r\n' : '')])
    })
    if (options.trailer) {
      const line = `x-amz-checksum-sha256:${options.trailer}`
      const signature = hmac(
        key,
        ['AWS4-HMAC-SHA256-TRAILER', amzDate, scope, previous, sha256(`${line}\n`)].join('\n'),
      ).toString('hex')
      pieces.push(Buffer.from(`${line}\r\nx-amz-trailer-signature:${signature}\r\n`))
    }
    const body = Buffer.concat([...pieces, Buffer.from('\r\n')])
    const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${seed}`
    const { host: _, ...sent } = headers
    return fetch(url, {
      method: 'PUT',
      headers: { ...sent, authorization, 'content-encoding': 'aws-chunked' },
      body: new Uint8Array(options.spoil?.(body) ?? body),
    })
  }

  it('is decoded, and its trailer is checked', async () => {
    const content = Buffer.from('hello chunked world')
    const sum = createHash('sha256').update(content).digest('base64')
    for (const options of [{}, { trailer: sum }]) {
      expect((await send('chunked', [content.subarray(0, 5), content.subarray(5)], options)).status).toBe(200)
      expect((await get('chunked')).content).toEqual(content)
    }
    const wrong = await send('chunked-wrong', [content], {
      trailer: createHash('sha256').update('other').digest('base64'),
    })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('<Code>BadDigest</Code>')
  })

  it.each([
    [
      'a byte was changed',
      (body: Buffer) => Buffer.from(body.toString('latin1').replace('hello', 'jello'), 'latin1'),
      403,
      'SignatureDoesNotMatch',
    ],
    ['the end was cut off', (body: Buffer) => body.subarray(0, 100), 400, 'IncompleteBody'],
    [
      'a chunk has no signature',
      (body: Buffer) => Buffer.from(body.toString('latin1').replace(/;chunk-signature=\w+/, ''), 'latin1'),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'trailing headers have no end',
      (body: Buffer) => Buffer.concat([body, Buffer.from('x-more: yes\r\n'.repeat(2000))]),
      400,
      'IncompleteBody',
    ],
    ['it is not chunked at all', () => Buffer.from('plain\n'), 400, 'IncompleteBody'],
  ])('is refused where %s, and nothing of it is kept', async (_, spoil, status, code) => {
    const answer = await send('chunked-spoiled', [Buffer.from('hello chunked world')], { spoil })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain(`<Code>${code}</Code>`)
    await expect(get('chunked-spoiled')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })
})
