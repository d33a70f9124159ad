import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'
import { scratchFolder } from './build-store.ts'
import { sweepStorage } from './sweep.ts'
import { sendResumably } from './testing/tus-client.ts'

let gateway: TestGateway
let red: Buffer
let blue: Buffer

beforeAll(async () => {
  gateway = await startGateway()
  red = await picture('#f80808')
  blue = await picture('#0808f8')
})
afterAll(() => gateway?.close())

const picture = (background: string) =>
  sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .jpeg()
    .toBuffer()
const file = (person: Person) => `${person.userId}/${randomBytes(6).toString('hex')}.jpg`
const options = { contentType: 'image/jpeg' }

async function link(person: Pick<Person, 'client'>, bucket: string, name: string, upsert = false): Promise<string> {
  const { data, error } = await person.client.storage.from(bucket).createSignedUploadUrl(name, { upsert })
  if (error) throw error
  return data.token
}
/** Uploads as the holder of a link, without a session. */
const send = (bucket: string, name: string, token: string, body: Buffer) =>
  gateway.anon.storage.from(bucket).uploadToSignedUrl(name, token, body, options)
const sendInPieces = (bucket: string, name: string, token: string, body: Buffer) =>
  sendResumably(body, {
    endpoint: `${gateway.url}/storage/v1/upload/resumable/sign`,
    headers: { 'x-signature': token },
    metadata: { bucketName: bucket, objectName: name, contentType: 'image/jpeg' },
  })
async function colorOf(bucket: string, name: string): Promise<'red' | 'blue'> {
  const { data, error } = await gateway.service.storage.from(bucket).download(name)
  if (error) throw error
  const { dominant } = await sharp(Buffer.from(await data.arrayBuffer())).stats()
  return dominant.r > dominant.b ? 'red' : 'blue'
}
const used = { message: 'This upload link was already used. Request a new one.', code: 'InvalidJWT' }
const denied = { code: 'AccessDenied' }

describe('an upload link [API-STO-11]', () => {
  it('works once, even when it may replace the file', async () => {
    const person = await gateway.signUp()
    const name = file(person)
    const token = await link(person, 'avatars', name, true)
    expect((await send('avatars', name, token, red)).error).toBeNull()
    expect((await send('avatars', name, token, blue)).error).toMatchObject(used)
    const resumed = await sendInPieces('avatars', name, token, blue)
    expect(resumed.error?.message).toContain('was already used')
    expect(await colorOf('avatars', name)).toBe('red')
    expect(await gateway.query('select owner_id from storage.objects where name = $1', [name])).toEqual([
      { owner_id: person.userId },
    ])
  })

  it('works once through resumable uploads, and its client still learns that the upload is complete', async () => {
    const person = await gateway.signUp()
    const name = file(person)
    const token = await link(person, 'avatars', name, true)
    const { url, error } = await sendInPieces('avatars', name, token, red)
    expect(error).toBeUndefined()
    const head = await fetch(url ?? '', {
      method: 'HEAD',
      headers: { 'tus-resumable': '1.0.0', 'x-signature': token },
    })
    expect(head.headers.get('upload-offset')).toBe(String(red.length))
    expect((await sendInPieces('avatars', name, token, blue)).error?.message).toContain('was already used')
    expect((await send('avatars', name, token, blue)).error).toMatchObject(used)
    expect(await colorOf('avatars', name)).toBe('red')
  })

  it('lets only one of several concurrent uploads through', async () => {
    const person = await gateway.signUp()
    const name = file(person)
    const token = await link(person, 'avatars', name, true)
    const answers = await Promise.all([red, blue, red, blue].map((body) => send('avatars', name, token, body)))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(answers.filter(({ error }) => error !== null).map(({ error }) => error)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining(used)),
    )
  })

  it('stays valid when an attempt fails', async () => {
    const person = await gateway.signUp()
    const name = file(person)
    const token = await link(person, 'avatars', name)
    expect((await send('avatars', name, token, Buffer.from('no picture'))).error).not.toBeNull()
    expect((await send('avatars', name, token, red)).error).toBeNull()
  })

  it('of the service works once as well', async () => {
    const name = `${randomBytes(6).toString('hex')}.jpg`
    const token = await link({ client: gateway.service }, 'avatars', name, true)
    expect((await send('avatars', name, token, red)).error).toBeNull()
    expect((await send('avatars', name, token, blue)).error).toMatchObject(used)
    expect(await colorOf('avatars', name)).toBe('red')
  })

  it.each([
    [
      'suspended',
      `update private.profiles set suspended_at = now(), suspension_reason = 'fraud', was_private = false where user_id = $1`,
    ],
    ['banned', `update auth.users set banned_until = now() + interval '1 hour' where id = $1`],
    ['kept as deleted', 'update auth.users set deleted_at = now() where id = $1'],
    ['gone', 'select private.delete_account($1, null)'],
  ])('is rejected when its owner is %s', async (_state, statement) => {
    const person = await gateway.signUp()
    const [whole, pieces, begun] = [file(person), file(person), file(person)]
    const [first, second, third] = await Promise.all(
      [whole, pieces, begun].map((name) => link(person, 'avatars', name)),
    )
    const started = await fetch(`${gateway.url}/storage/v1/upload/resumable/sign`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'x-signature': third ?? '',
        'upload-length': String(red.length),
        'upload-metadata': Object.entries({ bucketName: 'avatars', objectName: begun, contentType: 'image/jpeg' })
          .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
          .join(),
      },
    })
    expect(started.status).toBe(201)
    await gateway.query(statement, [person.userId])
    expect((await send('avatars', whole, first ?? '', red)).error).toMatchObject(denied)
    expect((await sendInPieces('avatars', pieces, second ?? '', red)).error?.message).toContain('AccessDenied')
    const rest = await fetch(new URL(started.headers.get('location') ?? '', gateway.url), {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'x-signature': third ?? '',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(red),
    })
    expect([403, 404]).toContain(rest.status) // an upload is deleted with its account
    expect(
      await gateway.query('select from storage.objects where name = any($1)', [[whole, pieces, begun]]),
    ).toHaveLength(0)
  })

  it.each([
    ['signed out', (person: Person) => person.client.auth.signOut({ scope: 'global' })],
    [
      'ended from elsewhere',
      (person: Person) => gateway.query('delete from auth.sessions where user_id = $1', [person.userId]),
    ],
    [
      'expired',
      (person: Person) =>
        gateway.query("update auth.sessions set not_after = now() - interval '1 second' where user_id = $1", [
          person.userId,
        ]),
    ],
  ])('ends with the session that made it: %s', async (_how, end) => {
    const person = await gateway.signUp()
    const [whole, pieces] = [file(person), file(person)]
    const [first, second] = [await link(person, 'avatars', whole), await link(person, 'avatars', pieces)]
    await end(person)
    expect((await send('avatars', whole, first, red)).error).toMatchObject(denied)
    expect((await sendInPieces('avatars', pieces, second, red)).error?.message).toContain('AccessDenied')
    expect(await gateway.query('select from storage.objects where name = any($1)', [[whole, pieces]])).toHaveLength(0)
  })

  it('is remembered as used until it expires', async () => {
    const person = await gateway.signUp()
    const name = file(person)
    await send('avatars', name, await link(person, 'avatars', name), red)
    const remembered = () => gateway.query('select from private.used_upload_links')
    const parts = {
      service: gateway.services.database.service,
      store: gateway.services.store,
      scratch: scratchFolder(gateway.services.config),
    }
    await sweepStorage(parts, new Date(Date.now() + 3_600_000))
    expect((await remembered()).length).toBeGreaterThan(0)
    await sweepStorage(parts, new Date(Date.now() + 3 * 3_600_000))
    expect(await remembered()).toEqual([])
  })
})

describe('a final file', () => {
  it('keeps ID images unchanged during and after review, for every link and key [VER-05]', async () => {
    const person = await gateway.signUp()
    const admin = await buildAdmin(gateway)
    const [front, back] = [`${person.userId}/id_front.jpg`, `${person.userId}/id_back.jpg`]
    const tokens = [await link(person, 'verification', front, true), await link(person, 'verification', front, true)]
    const ofService = await link({ client: gateway.service }, 'verification', front, true)
    expect((await send('verification', front, await link(person, 'verification', front), red)).error).toBeNull()
    await person.client.storage.from('verification').upload(back, red, options)
    const application = {
      user_id: person.userId,
      full_name: 'Ada Example',
      address: '1 Example Street',
      full_ssn: '123-45-6789',
      id_front_url: front,
      id_back_url: back,
    }
    expect((await person.client.from('creator_applications').insert(application)).error).toBeNull()

    expect((await send('verification', front, tokens[0] ?? '', blue)).error).toMatchObject(denied)
    const { error } = await admin.client
      .from('creator_applications')
      .update({ status: 'approved' })
      .eq('user_id', person.userId)
    expect(error).toBeNull()
    expect((await send('verification', front, tokens[1] ?? '', blue)).error).toMatchObject(denied)
    expect((await send('verification', front, ofService, blue)).error).toMatchObject(denied)
    const files = gateway.service.storage.from('verification')
    expect((await files.update(front, blue, options)).error).toMatchObject(denied)
    expect((await files.move(front, `${person.userId}/elsewhere.jpg`)).error).toMatchObject(denied)
    expect((await files.remove([front])).error).toMatchObject(denied)
    expect((await gateway.service.storage.emptyBucket('verification')).error).toMatchObject(denied)
    expect(await colorOf('verification', front)).toBe('red')
    await expect(gateway.query(`update storage.objects set version = 'x' where name = $1`, [front])).rejects.toThrow(
      'has been filed',
    )
    await expect(gateway.query('delete from storage.objects where name = $1', [front])).rejects.toThrow(
      'has been filed',
    )
  })

  it('deletes ID images with the account', async () => {
    const person = await gateway.signUp()
    const names = [`${person.userId}/id_front.jpg`, `${person.userId}/id_back.jpg`]
    for (const name of names) await person.client.storage.from('verification').upload(name, red, options)
    await person.client.from('creator_applications').insert({
      user_id: person.userId,
      full_name: 'Ada Example',
      address: '1 Example Street',
      full_ssn: '123-45-6789',
      id_front_url: names[0],
      id_back_url: names[1],
    })
    await gateway.query('select private.delete_account($1, null)', [person.userId])
    expect(await gateway.query('select from storage.objects where name = any($1)', [names])).toEqual([])
  })

  it('keeps the file of a sent message as the recipient got it, for every link and key [MSG-09]', async () => {
    const [sender, recipient] = await Promise.all([gateway.signUp(), gateway.signUp()])
    const name = file(sender)
    const token = await link(sender, 'messages', name, true)
    const ofService = await link({ client: gateway.service }, 'messages', name, true)
    await sender.client.storage.from('messages').upload(name, red, options)
    const { data, error } = await sender.client
      .from('messages')
      .insert({
        sender_id: sender.profileId,
        recipient_id: recipient.profileId,
        content: 'Look',
        media_urls: [name],
        media_types: ['image'],
      })
      .select()
      .single()
    expect(error).toBeNull()
    expect((await send('messages', name, token, blue)).error).toMatchObject(denied)
    expect((await sendInPieces('messages', name, token, blue)).error?.message).toContain('AccessDenied')
    expect((await send('messages', name, ofService, blue)).error).toMatchObject(denied)
    expect((await gateway.service.storage.from('messages').remove([name])).error).toMatchObject(denied)
    await gateway.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'fraud', was_private = false where user_id = $1`,
      [sender.userId],
    )
    expect((await send('messages', name, token, blue)).error).toMatchObject(denied)
    expect(await colorOf('messages', name)).toBe('red')

    await gateway.query('delete from private.messages where id = $1', [data?.id])
    expect(await gateway.query('select from storage.objects where name = $1', [name])).toEqual([])
  })
})
