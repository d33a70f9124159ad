import { mediaLinkSeconds } from '@ovation/contract/limits'
import { decodeJwt } from 'jose'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
let photo: Buffer

beforeAll(async () => {
  gateway = await startGateway()
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
  photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#a03' } })
    .jpeg()
    .toBuffer()
  await gateway.service.storage.createBucket('files', { public: false })
})
afterAll(() => gateway?.close())

const posts = ({ client }: Pick<Person, 'client'>) => client.storage.from('posts')
/** As the web app asks for links. */
const sign = async ({ client }: Pick<Person, 'client'>, bucket: string, path: string, seconds = mediaLinkSeconds) =>
  (await client.storage.from(bucket).setHeader('Prefer', 'stable-links').createSignedUrls([path], seconds)).data?.[0]
const linkTo = async (person: Pick<Person, 'client'>, path: string, bucket = 'posts') =>
  (await sign(person, bucket, path))?.signedUrl ?? ''
let made = 0
async function publish(person: Person, body = photo) {
  made += 1
  const path = `${person.userId}/${made} a.jpg`
  expect((await posts(person).upload(path, body, { contentType: 'image/jpeg' })).error).toBeNull()
  const row = { creator_id: person.profileId, content: 'Look', media_urls: [path], media_types: ['image'] }
  await person.client.from('posts').insert(row).throwOnError()
  return path
}
const codeOf = async (url: string) => ((await (await fetch(url)).json()) as { code: string }).code
const tokenOf = (link: string) => /links\/([^/]+)/.exec(link)?.[1] ?? ''
const maxAge = (answer: Response) => Number(/max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '')?.[1])

describe('a stable link', () => {
  it('is the same for all with the same permissions, and carries them in its path [SCALE-06, POST-47]', async () => {
    const path = await publish(creator)
    const link = await linkTo(fan, path)
    expect(new URL(link)).toMatchObject({ pathname: expect.stringMatching(/^\/storage\/v1\/links\//), search: '' })
    for (const person of [fan, creator, { client: gateway.anon }, { client: gateway.service }])
      expect(await linkTo(person, path)).toBe(link)
    expect(Buffer.from(await (await fetch(link)).arrayBuffer()).equals(photo)).toBe(true)
    const end = decodeJwt(tokenOf(link)).exp ?? 0
    expect(end - Date.now() / 1000).toBeLessThanOrEqual(mediaLinkSeconds)
  })

  it.each([
    ['the file', ''],
    ['a size of a picture', '?width=80'],
  ])('gives %s to caches until it ends, for anyone who has it [SCALE-06]', async (_what, query) => {
    const path = await publish(creator)
    const link = (await linkTo(fan, path)).replace('/object/', query ? '/render/image/' : '/object/') + query
    const end = decodeJwt(tokenOf(link)).exp ?? 0
    for (const init of [{}, { method: 'HEAD' }, { headers: { ...(query === '' && { range: 'bytes=1-4' }) } }]) {
      const before = Math.floor(Date.now() / 1000)
      const answer = await fetch(link, init)
      await answer.arrayBuffer()
      expect(answer.ok).toBe(true)
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+, immutable$/)
      // Not a second longer than the link, by this clock or by the server's.
      expect(maxAge(answer)).toBeLessThanOrEqual(end - before)
      expect(maxAge(answer)).toBeGreaterThan(0)
      expect(answer.headers.get('vary')).toBe(query === '' ? null : 'Accept')
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    const [first, second] = [await fetch(link), await fetch(link, { headers: { cookie: 'signed-in=1' } })]
    const tag = first.headers.get('etag') ?? ''
    expect([tag.length > 10, second.headers.get('etag')]).toEqual([true, tag])
    expect(Buffer.from(await first.arrayBuffer()).equals(Buffer.from(await second.arrayBuffer()))).toBe(true)
    const known = await fetch(link, { headers: { 'if-none-match': tag } })
    expect([known.status, maxAge(known) > 0]).toEqual([304, true])
  })

  it('opens the one content that it was made for [SCALE-06]', async () => {
    const files = gateway.service.storage.from('files')
    await files.upload('a.txt', 'one')
    const link = await linkTo({ client: gateway.service }, 'a.txt', 'files')
    expect(await (await fetch(link)).text()).toBe('one')
    await files.update('a.txt', 'two')
    // A cache may have the first one, so the address never shows the second.
    expect(await codeOf(link)).toBe('NoSuchKey')
    const next = await linkTo({ client: gateway.service }, 'a.txt', 'files')
    expect([next === link, await (await fetch(next)).text()]).toEqual([false, 'two'])
    await files.remove(['a.txt'])
    expect(await codeOf(next)).toBe('NoSuchKey')
  })

  it('is rejected when it is forged or borrowed, and no cache keeps that [SCALE-06, POST-46]', async () => {
    const [path, other] = [await publish(creator), await publish(creator)]
    const link = await linkTo(fan, path)
    const token = tokenOf(link)
    const { data: plain } = await posts(fan).createSignedUploadUrl(`${fan.userId}/own.jpg`)
    const rejected = [
      [link.replace(token, `${token.slice(0, -4)}AAAA`), 'InvalidJWT'],
      [link.replace(token, gateway.secrets.serviceRoleKey), 'InvalidJWT'],
      [link.replace(token, plain?.token ?? ''), 'InvalidJWT'],
      [link.replace(encodeURI(path), encodeURI(other)), 'InvalidSignature'],
      [link.replace('/object/', '/render/video/'), 'NoSuchKey'],
      [`${link.replace('/object/', '/render/captions/')}?language=en`, 'NoSuchKey'],
    ]
    for (const [url = '', code] of rejected) {
      const answer = await fetch(url)
      expect([await answer.json(), answer.status]).toEqual([expect.objectContaining({ code }), 400])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('is only given to those who may read [SCALE-06, POST-46]', async () => {
    const path = `${creator.userId}/unpublished.jpg`
    await posts(creator).upload(path, photo, { contentType: 'image/jpeg' })
    expect(await sign(creator, 'posts', path)).toMatchObject({ error: null })
    for (const person of [fan, { client: gateway.anon }])
      expect(await sign(person, 'posts', path)).toMatchObject({ signedURL: null, error: expect.any(String) })
    const answer = await sign(fan, 'posts', path, 8 * 24 * 3600)
    expect(answer).toBeUndefined() // longer than links may last
  })

  it('to a picture with a watermark opens that alone, and is its viewer’s [SCALE-06, POST-47]', async () => {
    const artist = await buildCreator(gateway)
    const path = await publish(artist)
    await artist.client.from('media_settings').upsert({ profile_id: artist.profileId, watermark: true }).throwOnError()
    const [fans, creators] = [await linkTo(fan, path), await linkTo(artist, path)]
    expect([fans.includes('/render/image/'), creators.includes('/object/')]).toEqual([true, true])
    expect(await linkTo(fan, path)).toBe(fans)
    expect(await linkTo(creator, path)).not.toBe(fans)
    expect((await fetch(`${fans}?width=200`)).ok).toBe(true)
    expect(await codeOf(fans.replace('/render/image/', '/object/'))).toBe('InvalidJWT')
  })

  it('is what the official client asks for only if it says so [SCALE-06, API-STO-10]', async () => {
    const path = await publish(creator)
    const { data } = await posts(fan).createSignedUrls([path], 60)
    const url = new URL(data?.[0]?.signedUrl ?? '')
    expect(url.pathname).toBe(encodeURI(`/storage/v1/object/sign/posts/${path}`))
    const { exp = 0, iat = 0 } = decodeJwt(url.searchParams.get('token') ?? '')
    expect(exp - iat).toBe(60)
    expect((await fetch(url)).headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
  })
})
