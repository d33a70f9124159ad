import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { buildWorkQueue } from '../work-lanes.ts'
import { buildPictureCache } from './pictures/picture-cache.ts'
import { pictureErrors } from './pictures/picture-queues.ts'
import { filesBelow } from './testing/files-below.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
let jpeg: Buffer

beforeAll(async () => {
  gateway = await startGateway()
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
  const halves = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#c33"/><rect width="300" height="400" fill="#36c"/></svg>`
  jpeg = await sharp(Buffer.from(halves)).jpeg({ quality: 90 }).toBuffer()
})
afterAll(() => gateway?.close())

const posts = (person: Person) => person.client.storage.from('posts')
const newPath = (extension = 'jpg') => `${creator.userId}/${Date.now()}-${randomBytes(4).toString('hex')}.${extension}`
async function upload(content = jpeg, contentType = 'image/jpeg', path = newPath()) {
  const { error } = await posts(creator).upload(path, content, { contentType })
  if (error) throw error
  return path
}
async function publish(path: string, over: Record<string, unknown> = {}) {
  const row = { creator_id: creator.profileId, content: 'Look', media_urls: [path], media_types: ['image'], ...over }
  const { data } = await creator.client.from('posts').insert(row).select('id').single().throwOnError()
  return data.id as string
}
const metadataOf = async (path: string) =>
  (
    await gateway.query<{ metadata: Record<string, unknown> }>('select metadata from storage.objects where name = $1', [
      path,
    ])
  )[0]?.metadata
const look = async (blob: Blob | null) => sharp(Buffer.from(await (blob ?? new Blob([])).arrayBuffer()))
const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })
/** The color in the middle of a region, as [r, g, b]. */
async function colourAt(picture: Buffer, x: number, y: number) {
  return [...(await sharp(picture).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer())]
}

describe('a rendered picture', () => {
  it('fits the requested size, and is never enlarged [API-STO-17]', async () => {
    const path = await upload()
    const sizes = [
      [{ width: 100, height: 100 }, '100x100'],
      [{ width: 100, height: 100, resize: 'contain' }, '100x67'],
      [{ width: 100, height: 100, resize: 'fill' }, '100x100'],
      [{ width: 150 }, '150x100'],
      [{ width: 5000 }, '600x400'],
      [{ quality: 30 }, '600x400'],
    ] as const
    for (const [transform, expected] of sizes) {
      const { data, error } = await posts(creator).download(path, { transform })
      expect(error).toBeNull()
      const { width, height, format } = await (await look(data)).metadata()
      expect([`${width}x${height}`, format], JSON.stringify(transform)).toEqual([expected, 'jpeg'])
    }
  })

  it('has the best format that the browser supports, and a Vary header for caches [API-STO-17]', async () => {
    const path = await upload()
    const { data } = await posts(creator).createSignedUrl(path, 60, { transform: { width: 60 } })
    const url = data?.signedUrl ?? ''
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ] as const) {
      const response = await get(url, { accept })
      expect(response.headers.get('content-type')).toBe(type)
      expect(response.headers.get('vary')).toContain('Accept')
      await response.arrayBuffer()
    }
    const origin = await posts(creator).createSignedUrl(path, 60, { transform: { width: 60, format: 'origin' } })
    const response = await get(origin.data?.signedUrl ?? '', { accept: 'image/avif' })
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })

  it('is made once, and answered with 304 when the client has it [API-STO-17]', async () => {
    const path = await upload()
    const { data } = await posts(creator).createSignedUrl(path, 60, { transform: { width: 77 } })
    const url = data?.signedUrl ?? ''
    const made = () => filesBelow(gateway.dataDir, 'storage', 'pictures').length
    const before = made()
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(url)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    for (const answer of answers) await answer.arrayBuffer()
    expect(made()).toBe(before + 1)
    const etag = answers[0]?.headers.get('etag') ?? ''
    expect((await get(url, { 'if-none-match': etag })).status).toBe(304)
    expect(answers[0]?.headers.get('cache-control')).toMatch(/^private, max-age=(60|5\d)$/)
  })

  it('has the permissions of the object, and a link to one rendering opens no other and no original [API-STO-17, POST-46]', async () => {
    const path = await upload()
    const refused = await posts(fan).download(path, { transform: { width: 10 } })
    expect(refused.error).toMatchObject({ status: 400, statusCode: '404', message: 'Object not found' })
    expect((await posts(fan).createSignedUrl(path, 60, { transform: { width: 10 } })).error).toMatchObject({
      statusCode: '404',
    })

    const { data } = await posts(creator).createSignedUrl(path, 60, { transform: { width: 50, height: 50 } })
    const url = new URL(data?.signedUrl ?? '')
    expect(url.pathname).toBe(`/storage/v1/render/image/sign/posts/${path}`)
    url.searchParams.set('width', '400')
    const picture = await (await get(url.href)).arrayBuffer()
    expect((await sharp(Buffer.from(picture)).metadata()).width).toBe(50)
    const original = await get(url.href.replace('/render/image/sign/', '/object/sign/'))
    expect(await original.json()).toMatchObject({ statusCode: '400', error: 'InvalidJWT' })
    // A link to the object itself opens every size: one signature serves a whole srcset.
    const whole = await posts(creator).createSignedUrl(path, 60)
    const any = (whole.data?.signedUrl ?? '').replace('/object/sign/', '/render/image/sign/')
    expect((await sharp(Buffer.from(await (await get(`${any}&width=40`)).arrayBuffer())).metadata()).width).toBe(40)
  })

  it('of a public bucket needs no token; one of a private bucket does [API-STO-17]', async () => {
    const name = `${creator.userId}/${Date.now()}.jpg`
    await creator.client.storage.from('avatars').upload(name, jpeg, { contentType: 'image/jpeg' })
    const { publicUrl } = gateway.anon.storage
      .from('avatars')
      .getPublicUrl(name, { transform: { width: 64, height: 64 } }).data
    const response = await get(publicUrl)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'max-age=3600'])
    await response.arrayBuffer()
    const path = await upload()
    const hidden = await get(`${gateway.url}/storage/v1/render/image/public/posts/${path}?width=10`)
    expect(await hidden.json()).toMatchObject({ statusCode: '404', message: 'Bucket not found' })
  })

  it.each([
    ['width=abc', '400'],
    ['width=-1', '400'],
    ['quality=19', '400'],
    ['resize=crop', '400'],
  ])('rejects %s in the shape of the API [API-STO-20]', async (query, statusCode) => {
    const path = await upload()
    const { data } = await posts(creator).createSignedUrl(path, 60)
    const url = (data?.signedUrl ?? '').replace('/object/sign/', '/render/image/sign/')
    expect(await (await get(`${url}&${query}`)).json()).toMatchObject({
      statusCode,
      error: expect.any(String),
      message: expect.any(String),
    })
  })

  it('is not made of anything but pictures [API-STO-17]', async () => {
    await gateway.service.storage.createBucket('papers', { public: true })
    await gateway.service.storage.from('papers').upload('a.txt', 'words', { contentType: 'text/plain' })
    await gateway.service.storage.from('papers').upload('b.jpg', 'words', { contentType: 'image/jpeg' })
    const answers = ['a.txt', 'b.jpg'].map(async (name) =>
      (await get(`${gateway.url}/storage/v1/render/image/public/papers/${name}?width=5`)).json(),
    )
    expect(await Promise.all(answers)).toMatchObject([{ statusCode: '422' }, { statusCode: '400' }])
  })
})

describe('an uploaded picture', () => {
  it('is measured upright, and its post shows a blurred preview to viewers without access [POST-10, POST-46]', async () => {
    const sideways = await sharp(jpeg).withMetadata({ orientation: 6 }).toBuffer()
    const path = await upload(sideways)
    const id = await publish(path, { post_type: 'ppv', ppv_price: 500 })
    const { data: seen } = await fan.client.from('posts').select().eq('id', id).single().throwOnError()
    expect(seen).toMatchObject({ is_locked: true, media_urls: [], media_types: ['image'] })
    expect(seen.media_previews).toEqual([
      { width: 400, height: 600, preview: expect.stringMatching(/^[\w+/]{20,48}=*$/) },
    ])
    expect(JSON.stringify(seen)).not.toContain(path)
  })

  it('in a message also loses its metadata, and reveals nothing while it is locked [MSG-07, MSG-09]', async () => {
    const told = await sharp(jpeg)
      .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer()
    const path = newPath()
    const files = creator.client.storage.from('messages')
    expect((await files.upload(path, told, { contentType: 'image/jpeg' })).error).toBeNull()
    const row = {
      sender_id: creator.profileId,
      recipient_id: fan.profileId,
      media_urls: [path],
      media_types: ['image'],
    }
    const { data: sent } = await creator.client
      .from('messages')
      .insert({ ...row, is_paid: true, price: 500 })
      .select('id, media_previews')
      .single()
      .throwOnError()
    expect(sent.media_previews).toEqual([
      { width: 600, height: 400, preview: expect.stringMatching(/^[\w+/]{20,48}=*$/) },
    ])
    const { data: locked } = await fan.client.from('messages').select().eq('id', sent.id).single().throwOnError()
    expect(locked).toMatchObject({ is_locked: true, media_urls: [], media_types: ['image'], media_previews: [{}] })
    const { data } = await files.download(path)
    expect((await (await look(data)).metadata()).exif).toBeUndefined()
  })

  it('from an iPhone becomes a JPEG, upright, without its place [POST-24]', async () => {
    const heic = readFileSync(join(import.meta.dirname, 'testing', 'portrait.heic'))
    expect((await sharp(heic).metadata()).exif).toBeDefined()
    const path = await upload(heic, 'image/heic', newPath('heic'))
    expect(await metadataOf(path)).toMatchObject({ mimetype: 'image/jpeg', width: 64, height: 96 })
    const { data } = await posts(creator).download(path)
    const kept = Buffer.from(await (data ?? new Blob([])).arrayBuffer())
    const { format, width, height, exif, orientation } = await sharp(kept).metadata()
    expect({ format, width, height, exif, orientation }).toEqual({
      format: 'jpeg',
      width: 64,
      height: 96,
      exif: undefined,
      orientation: undefined,
    })
    // The right half of the sensor's picture is the upper half of the photo.
    const [top = [], bottom = []] = [await colourAt(kept, 32, 10), await colourAt(kept, 32, 86)]
    expect([(top[0] ?? 0) > 150, (bottom[2] ?? 0) > 150]).toEqual([true, true])
    const broken = await posts(creator).upload(newPath('heic'), heic.subarray(0, 700), { contentType: 'image/heic' })
    expect(broken.error).toMatchObject({ statusCode: '415' })
  })

  it('that is animated loses its metadata and stays animated [POST-24]', async () => {
    const frames = ['#f00', '#00f'].map(
      (background) => ({ create: { width: 8, height: 8, channels: 3, background } }) as const,
    )
    const pictures = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
    const animation = await sharp(pictures, { join: { animated: true } })
      .gif({ loop: 0, delay: [90, 90] })
      .toBuffer()
    const note = '\x21\xfe\x14Home: 52.5200,13.4050\x00'.replace('\x14', String.fromCharCode(21))
    const end = animation.length - 1
    const told = Buffer.concat([animation.subarray(0, end), Buffer.from(note, 'latin1'), animation.subarray(end)])
    const kept = async (content: Buffer) => {
      const { data } = await posts(creator).download(await upload(content, 'image/gif', newPath('gif')))
      return Buffer.from(await (data ?? new Blob([])).arrayBuffer())
    }
    expect((await kept(animation)).equals(animation)).toBe(true)
    const clean = await kept(told)
    expect(clean.includes('52.5200')).toBe(false)
    expect(await sharp(clean, { animated: true }).metadata()).toMatchObject({ pages: 2, loop: 0, delay: [90, 90] })
  })

  it('keeps nothing that is hidden behind its end [POST-24]', async () => {
    const hidden = Buffer.from('<script>alert(1)</script>PK')
    const animation = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .gif()
      .toBuffer()
    for (const [content, type] of [
      [jpeg, 'image/jpeg'],
      [await sharp(jpeg).png().toBuffer(), 'image/png'],
      [await sharp(jpeg).webp().toBuffer(), 'image/webp'],
      [await sharp(jpeg).resize(64).avif({ effort: 0 }).toBuffer(), 'image/avif'],
      [animation, 'image/gif'],
    ] as const) {
      const untouched = await posts(creator).download(await upload(content, type))
      expect(Buffer.from(await (untouched.data ?? new Blob([])).arrayBuffer()).equals(content), type).toBe(true)
      const { data } = await posts(creator).download(await upload(Buffer.concat([content, hidden]), type))
      const kept = Buffer.from(await (data ?? new Blob([])).arrayBuffer())
      expect(kept.includes('alert(1)'), type).toBe(false)
      expect((await sharp(kept).metadata()).mediaType).toBe(type)
    }
  })
})

describe('a creator who enables watermarks', () => {
  it('gives viewers only watermarked copies, through every API [POST-47]', async () => {
    const path = await upload()
    await publish(path)
    const plain = await posts(fan).download(path)
    expect(Buffer.from(await (plain.data ?? new Blob([])).arrayBuffer()).equals(jpeg)).toBe(true)

    await creator.client
      .from('media_settings')
      .upsert({ profile_id: creator.profileId, watermark: true })
      .throwOnError()
    const marked = async (bytes: ArrayBuffer) => {
      const difference = await sharp(Buffer.from(bytes))
        .composite([
          {
            input: await sharp(jpeg)
              .resize((await sharp(Buffer.from(bytes)).metadata()).width)
              .toBuffer(),
            blend: 'difference',
          },
        ])
        .greyscale()
        .raw()
        .toBuffer()
      return difference.filter((value) => value > 24).length > difference.length / 100
    }
    const { data } = await posts(fan).download(path)
    expect(await marked(await (data ?? new Blob([])).arrayBuffer())).toBe(true)
    const { data: link } = await posts(fan).createSignedUrl(path, 60)
    const { data: links } = await posts(fan).createSignedUrls([path], 60)
    const { data: small } = await posts(fan).createSignedUrl(path, 60, { transform: { width: 300 } })
    for (const url of [link?.signedUrl, links?.[0]?.signedUrl, small?.signedUrl].map(String)) {
      expect(new URL(url).pathname).toBe(`/storage/v1/render/image/sign/posts/${path}`)
      expect(await marked(await (await get(url)).arrayBuffer())).toBe(true)
      expect((await get(url.replace('/render/image/sign/', '/object/sign/'))).status).toBe(400)
    }
    // Resized like any other, and still watermarked.
    const sized = await (await get(`${link?.signedUrl}&width=200`)).arrayBuffer()
    expect([(await sharp(Buffer.from(sized)).metadata()).width, await marked(sized)]).toEqual([200, true])
    const copy = await posts(fan).copy(path, `${fan.userId}/mine.jpg`)
    expect(copy.error).toMatchObject({ statusCode: '403' })
    expect(
      await marked(
        await (
          await get(String((await gateway.anon.storage.from('posts').createSignedUrl(path, 60)).data?.signedUrl))
        ).arrayBuffer(),
      ),
    ).toBe(true)

    // The creator, and the server, have the original.
    for (const person of [creator.client, gateway.service]) {
      const own = await person.storage.from('posts').download(path)
      expect(Buffer.from(await (own.data ?? new Blob([])).arrayBuffer()).equals(jpeg)).toBe(true)
    }
  })
})

describe('the picture cache', () => {
  it('is bounded: it evicts the least recently used file, and every rendering of a deleted picture', async () => {
    const root = mkdtempSync(join(tmpdir(), 'ovation-pictures-'))
    try {
      const cache = buildPictureCache(root, 250)
      const write = (target: string) => Promise.resolve(writeFileSync(target, 'x'.repeat(100)))
      const paths = [await cache.get('aa1', 'one', write), await cache.get('aa2', 'two', write)]
      for (const [index, path] of paths.entries()) utimesSync(path, index + 1, index + 1)
      await cache.get('ab3', 'three', write)
      const names = () =>
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => entry.parentPath.slice(-3))
          .sort()
      await expect.poll(names).toEqual(['aa2', 'ab3'])
      await cache.sweep(async (versions) => new Set(versions.filter((version) => version === 'ab3')))
      expect(names()).toEqual(['ab3'])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('is filled from a short queue, and the queue is bounded', async () => {
    const queue = buildWorkQueue({ lanes: 2, maxWaiting: 1 }, pictureErrors)
    let [working, most] = [0, 0]
    const open: (() => void)[] = []
    const task = async () => {
      most = Math.max(most, ++working)
      await new Promise<void>((done) => open.push(done))
      working--
    }
    const three = [queue(task), queue(task), queue(task)]
    await expect(queue(task)).rejects.toMatchObject({ status: 503, code: 'SlowDown', headers: { 'Retry-After': '2' } })
    while (open.length > 0) {
      open.shift()?.()
      await new Promise((next) => setTimeout(next))
    }
    await Promise.all(three)
    expect(most).toBe(2)
    await expect(queue(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await queue(async () => 'next')).toBe('next')
  })
})
