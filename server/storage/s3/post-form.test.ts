import { createHash, randomBytes } from 'node:crypto'
import { GetObjectCommand, HeadObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { readFormSignature, readPolicy, requirePolicy } from './post-policy.ts'

let gateway: TestGateway
let operator: S3Client
const clients: S3Client[] = []
const bytes = randomBytes(20_000)

beforeAll(async () => {
  gateway = await startGateway()
  const made = await fetch(`${gateway.url}/storage/v1/s3-keys`, {
    method: 'POST',
    headers: { apikey: gateway.secrets.serviceRoleKey, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'forms' }),
  })
  operator = connect((await made.json()) as { accessKeyId: string; secretAccessKey: string })
  await gateway.service.storage.createBucket('forms', { public: false, fileSizeLimit: 1_000_000 })
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await gateway?.close()
})

function connect(credentials: NonNullable<S3ClientConfig['credentials']>): S3Client {
  const client = new S3Client({
    endpoint: `${gateway.url}/storage/v1/s3`,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials,
  })
  clients.push(client)
  return client
}

type Form = { url: string; fields: Record<string, string> }
const sign = (Key: string, more: Partial<PresignedPostOptions> = {}, client = operator): Promise<Form> =>
  createPresignedPost(client, { Bucket: 'forms', Key, ...more })

/** Sends the form as a browser does: the fields, then the file. */
async function send({ url, fields }: Form, content: Uint8Array<ArrayBuffer> = bytes, filename = 'picked.bin') {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content]), filename)
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

const refusal = (status: number, code: string) =>
  expect.objectContaining({ status, body: expect.stringContaining(`<Code>${code}</Code>`) })
const exists = (Key: string) =>
  operator.send(new HeadObjectCommand({ Bucket: 'forms', Key })).then(
    () => true,
    () => false,
  )

describe('an upload by a presigned form', () => {
  it('stores the file with the metadata in the form', async () => {
    const answer = await send(
      await sign('in/a b.bin', { Fields: { 'Content-Type': 'application/x-form', 'x-amz-meta-alt': 'rows' } }),
    )
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers.get('etag')).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`)
    expect(answer.headers.get('location')).toBe(`${gateway.url}/storage/v1/s3/forms/in/a%20b.bin`)
    const stored = await operator.send(new GetObjectCommand({ Bucket: 'forms', Key: 'in/a b.bin' }))
    expect(stored).toMatchObject({ ContentType: 'application/x-form', Metadata: { alt: 'rows' } })
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? [])).toEqual(bytes)
  })

  it('answers with the status or the redirect that the form requests', async () => {
    const ok = await send(await sign('s/1', { Fields: { success_action_status: '200' } }))
    expect(ok).toMatchObject({ status: 200, body: '' })
    const created = await send(await sign('s/2', { Fields: { success_action_status: '201' } }))
    expect(created.status).toBe(201)
    expect(created.body).toContain('<Bucket>forms</Bucket><Key>s/2</Key>')
    const away = await send(await sign('s/3', { Fields: { success_action_redirect: `${gateway.url}/done?from=form` } }))
    expect(away.status).toBe(303)
    const target = new URL(away.headers.get('location') ?? '')
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ from: 'form', bucket: 'forms', key: 's/3' })
    const foreign = await sign('s/4', { Fields: { success_action_redirect: 'https://elsewhere.example/' } })
    expect(await send(foreign)).toEqual(refusal(400, 'InvalidArgument'))
    expect(await exists('s/4')).toBe(false)
  })

  it('puts the file’s name into the key where the form says so, and applies the policy to the whole key', async () => {
    expect((await send(await sign(`up/\${filename}`), bytes, 'cat.bin')).status).toBe(204)
    expect(await exists('up/cat.bin')).toBe(true)
    const elsewhere = await sign(`up/\${filename}`)
    elsewhere.fields.key = `other/\${filename}`
    expect(await send(elsewhere)).toEqual(refusal(403, 'AccessDenied'))
    const prefixed = await sign(`\${filename}`, { Conditions: [['starts-with', '$key', 'mine/']] })
    expect(await send(prefixed, bytes, 'theirs')).toEqual(refusal(403, 'AccessDenied'))
    expect([await exists('other/picked.bin'), await exists('theirs')]).toEqual([false, false])
  })

  it('is rejected once its policy has expired', async () => {
    const form = await sign('late', { Expires: -1 })
    expect(await send(form)).toEqual(refusal(403, 'AccessDenied'))
    expect((await send(form)).body).toContain('Policy expired')
    expect(await exists('late')).toBe(false)
  })

  it('is rejected when a field, the policy, or the signature was changed, or a field was added', async () => {
    const form = await sign('fixed', { Fields: { 'Content-Type': 'text/plain' } })
    const changed = (fields: Record<string, string>) => send({ ...form, fields: { ...form.fields, ...fields } })
    expect(await changed({ 'Content-Type': 'text/html' })).toEqual(refusal(403, 'AccessDenied'))
    expect(await changed({ key: 'loose' })).toEqual(refusal(403, 'AccessDenied'))
    expect(await changed({ 'Cache-Control': 'max-age=1' })).toEqual(refusal(403, 'AccessDenied'))
    expect(await changed({ KEY: 'loose' })).toEqual(refusal(400, 'InvalidArgument'))
    expect(await changed({ 'X-Amz-Signature': '0'.repeat(64) })).toEqual(refusal(403, 'SignatureDoesNotMatch'))
    const policy = JSON.parse(Buffer.from(form.fields.Policy ?? '', 'base64').toString('utf8')) as object
    const later = { ...policy, expiration: '2999-01-01T00:00:00Z' }
    expect(await changed({ Policy: Buffer.from(JSON.stringify(later)).toString('base64') })).toEqual(
      refusal(403, 'SignatureDoesNotMatch'),
    )
    expect([await exists('fixed'), await exists('loose')]).toEqual([false, false])
    expect((await changed({ 'x-amz-ignore-note': 'not of the policy' })).status).toBe(204)
  })

  it('goes only to the bucket in its policy', async () => {
    const form = await sign('moved')
    const url = form.url.replace('/forms', '/avatars')
    expect(await send({ ...form, url })).toEqual(refusal(400, 'InvalidArgument'))
    expect(await send({ url, fields: { ...form.fields, bucket: 'avatars' } })).toEqual(refusal(403, 'AccessDenied'))
  })

  it('must match the size in its policy and the limit of the bucket', async () => {
    const range = { Conditions: [['content-length-range', 10, 1000]] } as Pick<PresignedPostOptions, 'Conditions'>
    expect(await send(await sign('size/much', range), Buffer.alloc(1001))).toEqual(refusal(400, 'EntityTooLarge'))
    expect(await send(await sign('size/little', range), Buffer.alloc(9))).toEqual(refusal(400, 'EntityTooSmall'))
    expect((await send(await sign('size/right', range), Buffer.alloc(1000))).status).toBe(204)
    expect(await send(await sign('size/bucket'), Buffer.alloc(1_000_001))).toEqual(refusal(400, 'EntityTooLarge'))
    expect(await Promise.all(['much', 'little', 'bucket'].map((name) => exists(`size/${name}`)))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is rejected without a policy, a file, or a known key', async () => {
    const { url, fields } = await sign('whole')
    expect(await send({ url, fields: { key: 'whole' } })).toEqual(refusal(403, 'AccessDenied'))
    const stranger = connect({ accessKeyId: 'nobody', secretAccessKey: 'nothing' })
    expect(await send(await sign('whole', {}, stranger))).toEqual(refusal(403, 'InvalidAccessKeyId'))
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const empty = await fetch(url, { method: 'POST', body: form })
    expect({ status: empty.status, body: await empty.text() }).toEqual(refusal(400, 'InvalidArgument'))
    const long = await send(await sign('whole', { Fields: { 'x-amz-meta-long': 'x'.repeat(19_000) } }))
    expect(long).toEqual(refusal(400, 'MaxPostPreDataLengthExceeded'))
    expect(await exists('whole')).toBe(false)
  })

  it('has the permissions of the user whose session signed it', async () => {
    const person = await gateway.signUp()
    const other = await gateway.signUp()
    const { data } = await person.client.auth.getSession()
    const theirs = connect({
      accessKeyId: 'ovation',
      secretAccessKey: gateway.secrets.anonKey,
      sessionToken: data.session?.access_token ?? '',
    })
    const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    const picture = new Uint8Array(png)
    const form = (Key: string, client = theirs) =>
      createPresignedPost(client, { Bucket: 'avatars', Key, Fields: { 'Content-Type': 'image/png' } })
    const own = `${person.userId}/face.png`
    expect(await send(await form(`${other.userId}/face.png`), picture)).toEqual(refusal(403, 'AccessDenied'))
    expect((await send(await form(own), picture)).status).toBe(204)
    const owners = await gateway.query('select owner_id from storage.objects where name = $1', [own])
    expect(owners).toEqual([{ owner_id: person.userId }])
    const unknown = connect({
      accessKeyId: 'ovation',
      secretAccessKey: gateway.secrets.anonKey,
      sessionToken: 'not.a.token',
    })
    expect(await send(await form(own, unknown), picture)).toEqual(refusal(400, 'InvalidToken'))
    const owner = await form(own)
    owner.fields['X-Amz-Security-Token'] = 'not.a.token'
    expect(await send(owner, picture)).toEqual(refusal(403, 'AccessDenied'))
  })
})

describe('the policy of a form', () => {
  const encode = (policy: unknown) => Buffer.from(JSON.stringify(policy)).toString('base64')
  const expiration = '2999-01-01T00:00:00Z'

  it.each([
    ['no base64', '{"expiration"'],
    ['no object', encode([])],
    ['no expiration', encode({ conditions: [] })],
    ['an expiration that is not a time', encode({ expiration: '2999-13-01T00:00:00Z', conditions: [] })],
    ['no conditions', encode({ expiration })],
    ['an unknown operator', encode({ expiration, conditions: [['ends-with', '$key', 'a']] })],
    ['a field without $', encode({ expiration, conditions: [['eq', 'key', 'a']] })],
    ['a value that is not text', encode({ expiration, conditions: [{ key: 1 }] })],
    ['sizes in the wrong order', encode({ expiration, conditions: [['content-length-range', 2, 1]] })],
  ])('is refused with %s', (_name, policy) => {
    expect(() => readPolicy(policy)).toThrow(expect.objectContaining({ code: 'InvalidPolicyDocument' }))
  })

  it('requires each of several content types to have the prefix', () => {
    const policy = readPolicy(encode({ expiration, conditions: [['starts-with', '$Content-Type', 'image/']] }))
    requirePolicy(policy, { 'content-type': 'image/png, image/jpeg' })
    expect(() => requirePolicy(policy, { 'content-type': 'image/png, text/html' })).toThrow('Policy Condition failed')
  })

  it('is valid for at most seven days, whatever it says', () => {
    const fields = {
      policy: 'x',
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      'x-amz-credential': 'key/20260101/eu-central-1/s3/aws4_request',
      'x-amz-date': '20260101T000000Z',
    }
    expect(readFormSignature(fields, new Date('2026-01-07T23:00:00Z')).accessKeyId).toBe('key')
    expect(() => readFormSignature(fields, new Date('2026-01-08T00:00:01Z'))).toThrow('Policy expired')
    expect(() => readFormSignature(fields, new Date('2025-12-31T23:00:00Z'))).toThrow('too large')
    expect(() => readFormSignature({ ...fields, 'x-amz-date': '20260102T000000Z' })).toThrow('AWS4-HMAC-SHA256')
  })
})
