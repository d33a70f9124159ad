import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import type { PictureDescription } from '../share-picture/describe-picture.ts'
import { SharePictures } from '../share-picture/share-pictures.ts'
import { buildPlan, buildPost, buildProduct, buildSeller } from '../testing/creators.ts'

let gateway: TestGateway
let mara: Person
beforeAll(async () => {
  gateway = await startGateway()
  mara = await buildSeller(gateway, 'mara')
})
afterAll(() => gateway?.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${gateway.url}/card${path}`, { headers })
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

/** A post with a green picture of more than 64 kB. */
async function buildGreenPost(over: { price?: number } = {}): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const size = { width: 1400, height: 900, channels: 3 } as const
  const grain = await sharp({ create: { ...size, background: '#000', noise } })
    .png()
    .toBuffer()
  const picture = await sharp({ create: { ...size, background: '#00c040' } })
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 95 })
    .toBuffer()
  return buildPost(gateway, mara, { title: 'First light', picture, ...over })
}
/** The mean color of a part at the upper right, where no text is. */
async function colorOf(picture: Buffer): Promise<number[]> {
  const part = await sharp(picture).extract({ left: 800, top: 150, width: 300, height: 100 }).toBuffer()
  const { channels } = await sharp(part).stats()
  return channels.map(({ mean }) => mean)
}

describe('the picture of a shared link', () => {
  it('is 1200 × 630, with the picture of a free post behind the words [FIND-02]', async () => {
    const answer = await get(`/post/${await buildGreenPost()}.jpg`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    const picture = await bytes(answer)
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    const [red = 0, green = 0] = await colorOf(picture)
    expect(green).toBeGreaterThan(red * 2)
    expect(picture.byteLength).toBeLessThan(600_000)
  })

  it('has nothing of the picture of a locked post [FIND-02, FIND-04]', async () => {
    const answer = await get(`/post/${await buildGreenPost({ price: 500 })}.jpg`)
    const color = await colorOf(await bytes(answer))
    // Paper.
    for (const [at, expected] of [250, 247, 242].entries())
      expect(Math.abs((color[at] ?? 0) - expected)).toBeLessThan(4)
  })

  it('shows a product, and is another one at another price [FIND-02]', async () => {
    const id = await buildProduct(gateway, mara)
    const answer = await get(`/product/${id}.jpg`)
    expect(await sharp(await bytes(answer)).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    await gateway.query('update public.products set price_cents = 1300 where id = $1', [id])
    expect((await get(`/product/${id}.jpg`)).headers.get('etag')).not.toBe(answer.headers.get('etag'))
  })

  it('shows profiles, whatever their names are made of [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    await buildPlan(gateway, creator)
    for (const name of ['Mara', '</svg><script>', '你好', '🌊', '\u202eevil', 'W'.repeat(50)]) {
      await gateway.query('update private.profiles set display_name = $2, bio = $3 where id = $1', [
        creator.profileId,
        name,
        `${'long '.repeat(100)}${'x'.repeat(400)}`,
      ])
      const answer = await get(`/profile/${creator.username}.jpg`)
      expect(await sharp(await bytes(answer)).metadata(), name).toMatchObject({ width: 1200, height: 630 })
    }
  })

  it('is not sent again to those who have it, and is another one after a change [FIND-02]', async () => {
    const id = await buildPost(gateway, mara, { title: 'Before' })
    const tag = (await get(`/post/${id}.jpg`)).headers.get('etag') ?? ''
    expect((await get(`/post/${id}.jpg`, { 'if-none-match': tag })).status).toBe(304)
    await gateway.query(`update private.posts set title = 'After' where id = $1`, [id])
    expect((await get(`/post/${id}.jpg`, { 'if-none-match': tag })).status).toBe(200)
  })

  it('is gone with its page, and does not exist for anything else [FIND-02, FIND-04]', async () => {
    const creator = await buildSeller(gateway)
    const paths = [`/profile/${creator.username}.jpg`, `/post/${await buildPost(gateway, creator)}.jpg`]
    for (const path of paths) expect((await get(path)).status).toBe(200)
    await gateway.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    for (const path of [...paths, '/profile/mara.png', '/profile/nobody.jpg', '/settings/mara.jpg', '/post/1.jpg'])
      expect((await get(path)).status, path).toBe(404)
  })
})

describe('the cache of pictures', () => {
  const describeOne = (version: string): PictureDescription => ({
    texts: { site: 'Ovation', heading: version, name: 'Mara', username: 'mara', detail: '', price: '' },
    background: '/a.jpg',
    face: undefined,
    version,
  })

  it('draws each picture once, for all who ask at the same time [FIND-02]', async () => {
    let reads = 0
    const pictures = new SharePictures(async () => {
      reads += 1
      return undefined
    })
    const drawn = await Promise.all(Array.from({ length: 50 }, () => pictures.get(describeOne('one'))))
    expect(new Set(drawn).size).toBe(1)
    await pictures.get(describeOne('one'))
    expect(reads).toBe(1)
  })

  it('turns requests away when too many pictures are to be drawn, and keeps no failure [FIND-02]', async () => {
    const { promise, reject } = Promise.withResolvers<undefined>()
    const pictures = new SharePictures(() => promise)
    const waiting = Array.from({ length: 20 }, (_, index) =>
      pictures.get(describeOne(`${index}`)).catch(() => 'failed'),
    )
    await expect(pictures.get(describeOne('20'))).rejects.toMatchObject({ status: 503 })
    reject(new Error('down'))
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['failed']))
    await expect(pictures.get(describeOne('20'))).rejects.toThrow('down')
  })

  it('keeps the next turns for others when one client asks for many [FIND-02]', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const pictures = new SharePictures(() => promise)
    const own = Array.from({ length: 5 }, (_, index) => pictures.get(describeOne(`${index}`), '203.0.113.7'))
    await expect(pictures.get(describeOne('5'), '203.0.113.7')).rejects.toMatchObject({ status: 429 })
    const other = pictures.get(describeOne('6'), '203.0.113.8')
    resolve(undefined)
    expect(await Promise.all([...own, other])).toHaveLength(6)
  })
})
