import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { fileMaxBytes, videoMaxBytes, voiceMaxBytes } from '@ovation/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { maxObjectBytes } from './max-object-bytes.ts'

let gateway: TestGateway
let person: Person
let token: string
beforeAll(async () => {
  gateway = await startGateway({ env: { STORAGE_FAN_QUOTA_MB: '0' } })
  person = await gateway.signUp()
  const { data } = await person.client.auth.getSession()
  token = data.session?.access_token ?? ''
  await gateway.service.storage.createBucket('archive', { public: false, fileSizeLimit: videoMaxBytes })
})
afterAll(() => gateway?.close())

const name = () => `${person.userId}/${randomUUID()}.jpg`

/** Announces a body and sends none of it: a file that is too large is rejected before its first byte. @returns the answer. */
function announce(method: string, url: string, sizeBytes: number, headers: Record<string, string>): Promise<string> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`)
  socket.write(
    `${method} ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${sizeBytes}\r\n${lines.join('')}\r\n`,
  )
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
  })
}

describe.each(['posts', 'messages'])('a file for %s above 500 MB that is no video [POST-25]', (bucket) => {
  it('is rejected as a plain upload', async () => {
    const url = `${gateway.url}/storage/v1/object/${bucket}/${name()}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' }
    expect(await announce('POST', url, fileMaxBytes + 1, headers)).toContain('"code":"EntityTooLarge"')
  })

  it('is rejected as a resumable upload, and a video of that size is not', async () => {
    const begin = (contentType: string, sizeBytes: number) => {
      const metadata = { bucketName: bucket, objectName: name(), contentType }
      return fetch(`${gateway.url}/storage/v1/upload/resumable`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'tus-resumable': '1.0.0',
          'upload-length': String(sizeBytes),
          'upload-metadata': Object.entries(metadata)
            .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
            .join(),
        },
      })
    }
    expect((await begin('image/jpeg', fileMaxBytes)).status).toBe(201)
    expect((await begin('image/jpeg', fileMaxBytes + 1)).status).toBe(413)
    expect((await begin('video/mp4', fileMaxBytes + 1)).status).toBe(201)
    expect((await begin('video/mp4', videoMaxBytes + 1)).status).toBe(413)
  })

  it('is rejected over S3, whole, as a part, and put together from parts', async () => {
    const s3 = new S3Client({
      endpoint: `${gateway.url}/storage/v1/s3`,
      region: 'local',
      forcePathStyle: true,
      credentials: { accessKeyId: 'ovation', secretAccessKey: gateway.secrets.anonKey, sessionToken: token },
    })
    const file = { Bucket: bucket, Key: name() }
    const whole = await getSignedUrl(s3, new PutObjectCommand(file))
    const headers = { 'content-type': 'image/jpeg' }
    expect(await announce('PUT', whole, fileMaxBytes + 1, headers)).toContain('<Code>EntityTooLarge</Code>')

    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...file, ContentType: 'image/jpeg' }))
    const part = await getSignedUrl(s3, new UploadPartCommand({ ...file, UploadId, PartNumber: 1 }))
    expect(await announce('PUT', part, fileMaxBytes + 1, {})).toContain('<Code>EntityTooLarge</Code>')
    const { ETag } = await s3.send(new UploadPartCommand({ ...file, UploadId, PartNumber: 1, Body: 'x' }))
    await gateway.query('update private.upload_parts set size_bytes = $2 where upload_id = $1', [
      UploadId,
      fileMaxBytes + 1,
    ])
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
    await expect(
      s3.send(new CompleteMultipartUploadCommand({ ...file, UploadId, MultipartUpload })),
    ).rejects.toMatchObject({ name: 'EntityTooLarge' })
    s3.destroy()
  })

  it('is rejected as a copy, and cannot be moved there', async () => {
    const source = name()
    await gateway.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       values ('archive', $1, 'v', jsonb_build_object('mimetype', 'image/jpeg', 'size', $2::bigint))`,
      [source, fileMaxBytes + 1],
    )
    const archive = gateway.service.storage.from('archive')
    const tooLarge = { statusCode: '413', code: 'EntityTooLarge' }
    expect((await archive.copy(source, name(), { destinationBucket: bucket })).error).toMatchObject(tooLarge)
    expect((await archive.move(source, name(), { destinationBucket: bucket })).error).toMatchObject(tooLarge)
  })
})

it('other buckets have one limit for every type, and a smaller limit of the bucket applies to all [POST-25]', () => {
  const limitOf = (id: string, type: string, file_size_limit: number | null = null) =>
    maxObjectBytes({ id, public: false, file_size_limit, allowed_mime_types: null }, type)
  expect(limitOf('posts', 'image/jpeg')).toBe(fileMaxBytes)
  expect(limitOf('posts', 'video/mp4')).toBe(videoMaxBytes)
  expect(limitOf('messages', 'audio/webm')).toBe(voiceMaxBytes)
  expect(limitOf('archive', 'image/jpeg')).toBe(videoMaxBytes)
  expect(limitOf('posts', 'image/jpeg', 1000)).toBe(1000)
  expect(limitOf('messages', 'video/mp4', 1000)).toBe(1000)
})
