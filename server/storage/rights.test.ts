import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'

const absent = { statusCode: '404', code: 'NoSuchKey', message: 'Object not found' }
const refused = { statusCode: '403', code: 'AccessDenied' }

let gateway: TestGateway
let creator: Person
let subscriber: Person
let stranger: Person
let admin: Person
let photo: Buffer
/** A photo of a subscriber-only post. */
let path: string

beforeAll(async () => {
  gateway = await startGateway()
  ;[creator, subscriber, stranger, admin] = await Promise.all([
    gateway.signUp(),
    gateway.signUp(),
    gateway.signUp(),
    buildAdmin(gateway),
  ])
  const { query } = gateway
  await query(
    `update private.profiles set is_creator = true, is_verified = true, stripe_account_id = 'acct_test', stripe_charges_enabled = true
     where id = $1`,
    [creator.profileId],
  )
  const [product] = await query<{ id: string }>(
    `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Gold', 999, 'month') returning id`,
    [creator.profileId],
  )
  photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#B3123B' } })
    .jpeg()
    .toBuffer()
  path = `${creator.userId}/${Date.now()}-photo.jpg`
  const { error } = await creator.client.storage.from('posts').upload(path, photo, { contentType: 'image/jpeg' })
  if (error) throw error
  await query(
    `insert into public.posts (creator_id, content, post_type, required_tier_id, media_urls, media_types)
     values ($1, 'For my subscribers', 'subscription', $2, array[$3], array['image'])`,
    [creator.profileId, product?.id, path],
  )
  await query(
    `select private.apply_subscription_state('sub_test', $1, $2, $3, 'active', now(), now() + interval '30 days', null, false, null, now())`,
    [subscriber.profileId, creator.profileId, product?.id],
  )
})
afterAll(() => gateway?.close())

/** What a bare HTTP request gets, with the anonymous key alone or as a user. */
async function get(address: string, person?: Person, init: RequestInit = {}) {
  const token = person && (await tokenOf(person))
  return fetch(`${gateway.url}/storage/v1/${address}`, {
    ...init,
    headers: { apikey: gateway.secrets.anonKey, ...(token && { authorization: `Bearer ${token}` }), ...init.headers },
  })
}

async function tokenOf(person: Person): Promise<string> {
  const { data } = await person.client.auth.getSession()
  return data.session?.access_token ?? ''
}

async function bytesOf(file: Blob | null): Promise<Buffer> {
  return Buffer.from(await (file ?? new Blob([])).arrayBuffer())
}

describe('a photo of a subscriber-only post', () => {
  it('is visible to its creator, a subscriber, and an admin, by its private path and short-lived links [POST-42, POST-47, POST-49]', async () => {
    for (const person of [creator, subscriber, admin]) {
      const posts = person.client.from('posts').select('media_urls').eq('creator_id', creator.profileId)
      expect((await posts).data).toEqual([{ media_urls: [path] }])
      expect((await get(`object/public/posts/${path}`, person)).status).toBe(400)
      const bucket = person.client.storage.from('posts')
      const { data, error } = await bucket.download(path)
      expect(error).toBeNull()
      expect(await bytesOf(data)).toEqual(photo)
      const { data: link } = await bucket.createSignedUrl(path, 60)
      const opened = await fetch(link?.signedUrl ?? '')
      expect(opened.status).toBe(200)
      expect(opened.headers.get('cache-control')).toMatch(/^private, max-age=(60|5\d)$/)
      expect(Buffer.from(await opened.arrayBuffer())).toEqual(photo)
      expect((await bucket.info(path)).data).toMatchObject({
        name: path,
        size: photo.length,
        contentType: 'image/jpeg',
      })
    }
  })

  it('is not found for another user and a visitor, at every address [POST-46, API-REST-42, API-STO-02]', async () => {
    for (const { storage } of [stranger.client, gateway.anon]) {
      const bucket = storage.from('posts')
      expect((await bucket.info(path)).error).toMatchObject(absent)
      expect((await bucket.createSignedUrl(path, 60)).error).toMatchObject(absent)
      expect((await bucket.createSignedUrls([path], 60)).data).toEqual([
        {
          path,
          error: 'Either the object does not exist or you do not have access to it',
          signedURL: null,
          signedUrl: null,
        },
      ])
      expect((await bucket.exists(path)).data).toBe(false)
      expect((await bucket.list(creator.userId)).data).toEqual([])
      expect((await bucket.list('')).data?.map(({ name }) => name)).not.toContain(creator.userId)
    }
    expect(await stranger.client.storage.from('posts').remove([path])).toEqual({ data: [], error: null })
    expect((await gateway.anon.storage.from('posts').remove([path])).error).toMatchObject({ code: 'AccessDenied' })
    for (const person of [stranger, undefined]) {
      for (const address of [
        `object/posts/${path}`,
        `object/authenticated/posts/${path}`,
        `object/info/posts/${path}`,
      ]) {
        const response = await get(address, person)
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject(absent)
        expect((await get(address, person, { method: 'HEAD' })).status).toBe(400)
        expect((await get(address, person, { headers: { range: 'bytes=0-5' } })).status).toBe(400)
      }
      const open = await get(`object/public/posts/${path}`, person)
      expect(await open.json()).toMatchObject({ statusCode: '404', code: 'NoSuchBucket' })
    }
  })

  it('gives a hidden path and a missing one the same answer [POST-46]', async () => {
    const hidden = await get(`object/posts/${path}`, stranger)
    const missing = await get(`object/posts/${creator.userId}/none.jpg`, stranger)
    expect(await hidden.json()).toEqual(await missing.json())
    expect(hidden.status).toBe(missing.status)
  })

  it("can't be replaced, moved, copied, or removed by another user [GEN-35]", async () => {
    for (const [person, reading] of [
      [stranger, absent],
      [subscriber, refused],
    ] as const) {
      const bucket = person.client.storage.from('posts')
      expect((await bucket.upload(path, photo, { contentType: 'image/jpeg', upsert: true })).error).toMatchObject(
        refused,
      )
      expect((await bucket.update(path, photo, { contentType: 'image/jpeg' })).error).toMatchObject(refused)
      expect((await bucket.move(path, `${person.userId}/mine.jpg`)).error).toMatchObject(reading)
      expect((await bucket.copy(path, `${creator.userId}/copy.jpg`)).error).toMatchObject(reading)
      expect((await bucket.remove([path])).data).toEqual([])
      expect(await (await get(`object/posts/${path}`, person, { method: 'DELETE' })).json()).toMatchObject(reading)
    }
    expect((await creator.client.storage.from('posts').download(path)).error).toBeNull()
  })

  it('is not found for a subscriber whose access has ended, who gets no new link [SUB-14, POST-47]', async () => {
    await gateway.query(`update public.subscriptions set status = 'canceled'`)
    const bucket = subscriber.client.storage.from('posts')
    expect((await bucket.createSignedUrl(path, 60)).error).toMatchObject(absent)
    expect(await (await get(`object/posts/${path}`, subscriber)).json()).toMatchObject(absent)
    await gateway.query(`update public.subscriptions set status = 'active'`)
    expect((await bucket.createSignedUrl(path, 60)).error).toBeNull()
  })
})

describe('identity documents [VER-10]', () => {
  it.each(['front', 'back'])(
    'of the %s are written by the applicant and read only by the applicant and admins [API-STO-05]',
    async (side) => {
      const name = `${stranger.userId}/id_${side}_${Date.now()}.jpg`
      const own = stranger.client.storage.from('verification')
      expect((await own.upload(name, photo, { contentType: 'image/jpeg' })).error).toBeNull()
      expect((await own.download(name)).error).toBeNull()
      const { data } = await admin.client.storage.from('verification').createSignedUrl(name, 3600)
      expect((await fetch(data?.signedUrl ?? '')).status).toBe(200) // ADM-11
      for (const { client } of [creator, subscriber]) {
        expect((await client.storage.from('verification').createSignedUrl(name, 60)).error).toMatchObject(absent)
      }
      expect((await gateway.anon.storage.from('verification').createSignedUrl(name, 60)).error).toMatchObject(absent)
    },
  )

  it("can't be replaced or deleted by the applicant", async () => {
    const name = `${stranger.userId}/id_back_${Date.now()}.jpg`
    const own = stranger.client.storage.from('verification')
    await own.upload(name, photo, { contentType: 'image/jpeg' })
    expect((await own.upload(name, photo, { contentType: 'image/jpeg', upsert: true })).error).toMatchObject(refused)
    expect((await own.upload(name, photo, { contentType: 'image/jpeg' })).error).toMatchObject({
      statusCode: '409',
      code: 'KeyAlreadyExists',
      message: 'The resource already exists',
    })
    expect((await own.remove([name])).data).toEqual([])
    expect((await own.move(name, `${stranger.userId}/x.jpg`)).error).toMatchObject(refused)
    expect((await own.download(name)).error).toBeNull()
  })
})

describe('writing', () => {
  it("is rejected in another user's folder, outside any folder, and for a visitor [API-STO-01, GEN-35]", async () => {
    for (const bucket of ['posts', 'avatars', 'banners', 'covers', 'front-page', 'verification']) {
      for (const [client, name] of [
        [stranger.client, `${creator.userId}/${randomUUID()}.jpg`],
        [stranger.client, `${randomUUID()}.jpg`],
        [gateway.anon, `${creator.userId}/${randomUUID()}.jpg`],
      ] as const) {
        const { error } = await client.storage.from(bucket).upload(name, photo, { contentType: 'image/jpeg' })
        expect(error).toMatchObject(refused)
      }
    }
  })

  it('shows a public picture to everyone at its public address, and lists it to its owner alone [API-STO-03, LOOP-14]', async () => {
    for (const bucket of ['avatars', 'banners', 'covers']) {
      const name = `${creator.userId}/${Date.now()}.jpg`
      const own = creator.client.storage.from(bucket)
      expect((await own.upload(name, photo, { contentType: 'image/jpeg' })).data).toMatchObject({ path: name })
      const { data } = gateway.anon.storage.from(bucket).getPublicUrl(name)
      const response = await fetch(data.publicUrl)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('max-age=3600')
      expect((await stranger.client.storage.from(bucket).list(creator.userId)).data).toEqual([])
      expect((await own.list(creator.userId)).data).toHaveLength(1)
    }
  })

  it('lets admins alone put pictures on the front page, which everyone sees without metadata [FIND-06]', async () => {
    const bucketOf = ({ storage }: TestGateway['anon']) => storage.from('front-page')
    const told = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' } })
      .toBuffer()
    const name = `picture/${randomUUID()}.jpg`
    const type = { contentType: 'image/jpeg' }
    for (const { client } of [creator, stranger])
      expect((await bucketOf(client).upload(name, told, type)).error).toMatchObject(refused)
    expect((await bucketOf(admin.client).upload(name, told, type)).data).toMatchObject({ path: name })
    const response = await fetch(bucketOf(gateway.anon).getPublicUrl(name).data.publicUrl)
    expect(response.status).toBe(200)
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).exif).toBeUndefined()
    // An SVG may carry script.
    const drawing = await bucketOf(admin.client).upload('logo/a.svg', Buffer.from('<svg/>'), {
      contentType: 'image/svg+xml',
    })
    expect(drawing.error).toMatchObject({ statusCode: '415' })
    expect((await bucketOf(admin.client).remove([name])).data).toEqual([])
  })

  it('rejects changes to buckets by anyone but the service [API-STO-06, API-STO-07, API-STO-08]', async () => {
    for (const { storage } of [creator.client, admin.client, gateway.anon]) {
      expect((await storage.createBucket('mine', { public: true })).error).toMatchObject(refused)
      expect((await storage.updateBucket('posts', { public: true })).error).toMatchObject(refused)
      expect((await storage.emptyBucket('posts')).error).toMatchObject(refused)
      expect((await storage.deleteBucket('posts')).error).toMatchObject(refused)
      expect((await storage.listBuckets()).error).toMatchObject(refused)
    }
    expect(await gateway.query(`select public from storage.buckets where id = 'posts'`)).toEqual([{ public: false }])
  })

  it('rejects an unknown key and a forged token in the shape of the API [API-STO-20]', async () => {
    const key = await fetch(`${gateway.url}/storage/v1/object/posts/${path}`, { headers: { apikey: 'nonsense' } })
    expect(key.status).toBe(401)
    expect(await key.json()).toMatchObject({ statusCode: '401', code: 'InvalidJWT', message: 'Invalid API key' })
    const forged = await fetch(`${gateway.url}/storage/v1/object/posts/${path}`, {
      headers: { apikey: gateway.secrets.anonKey, authorization: 'Bearer a.b.c' },
    })
    expect(forged.status).toBe(401)
  })
})
