import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { ask } from '../testing/ask.ts'
import { buildPost, buildSeller } from '../testing/creators.ts'

const site = 'https://ovation.example'
let gateway: TestGateway
let mara: Person
let post: string
beforeAll(async () => {
  gateway = await startGateway({ env: { SITE_URL: site } })
  mara = await buildSeller(gateway, 'mara')
  await gateway.query(`update private.profiles set display_name = 'Mara & "Lindqvist"' where id = $1`, [mara.profileId])
  post = await buildPost(gateway, mara, { title: 'First <light>' })
})
afterAll(() => gateway?.close())

const describeUrl = (url: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  ask(gateway.url, `/oembed?${new URLSearchParams({ url, ...more })}`, headers)
const read = async (url: string, more: Record<string, string> = {}) => JSON.parse((await describeUrl(url, more)).body)

describe('oEmbed', () => {
  it('describes a post as a rich card with its author [FIND-03]', async () => {
    const { status, headers, body } = await describeUrl(`${site}/post/${post}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'x-robots-tag': 'noindex',
    })
    const title = 'First <light> by Mara & "Lindqvist"'
    expect(JSON.parse(body)).toEqual({
      type: 'rich',
      version: '1.0',
      title,
      author_name: 'Mara & "Lindqvist"',
      author_url: `${site}/profile/mara`,
      provider_name: 'Ovation',
      provider_url: site,
      cache_age: 3600,
      html: `<iframe src="${site}/embed/post/${post}" width="480" height="300" title="First &lt;light&gt; by Mara &amp; &quot;Lindqvist&quot;" frameborder="0" loading="lazy"></iframe>`,
      width: 480,
      height: 300,
    })
  })

  it('describes a profile, by its username, user id, or short address [FIND-03]', async () => {
    for (const path of ['/profile/mara', `/profile/${mara.userId}`, '/@mara', '/%40Mara/'])
      expect(await read(`${site}${path}?tab=subscribe#plans`)).toMatchObject({
        title: 'Mara & "Lindqvist" (@mara)',
        html: expect.stringContaining(`src="${site}/embed/profile/mara"`),
      })
  })

  it('says the same in XML [FIND-03]', async () => {
    const { headers, body } = await describeUrl(`${site}/post/${post}`, { format: 'xml' })
    expect(headers['content-type']).toBe('text/xml; charset=utf-8')
    expect(body).toMatch(/^<\?xml version="1.0" encoding="utf-8" standalone="yes"\?>/)
    const { oembed } = new XMLParser({ parseTagValue: false }).parse(body)
    const same = Object.entries(await read(`${site}/post/${post}`)).map(([name, value]) => [name, String(value)])
    expect(Object.entries(oembed)).toEqual(same)
  })

  it('keeps within the size that the other site has [FIND-03]', async () => {
    const card = await read(`${site}/post/${post}`, { maxwidth: '320', maxheight: '200' })
    expect(card).toMatchObject({ width: 320, height: 200 })
    expect(card.html).toContain('width="320" height="200"')
    expect(await read(`${site}/post/${post}`, { maxwidth: '5000' })).toMatchObject({ width: 480 })
  })

  it('has the picture of a free post as its thumbnail, and none of a locked one [FIND-03, FIND-04]', async () => {
    const pictured = (id: string) =>
      gateway.query(`update private.posts set media_previews = '[{"width": 2000, "height": 1000}]' where id = $1`, [id])
    const file = `'{mara/pier.jpg}', media_types = '{image}'`
    const free = await buildPost(gateway, mara)
    const locked = await buildPost(gateway, mara, { price: 500 })
    for (const id of [free, locked]) {
      await gateway.query(`update private.posts set media_urls = ${file} where id = $1`, [id])
      await pictured(id)
    }
    expect(await read(`${site}/post/${free}`, { maxwidth: '400' })).toMatchObject({
      thumbnail_url: `${site}/storage/v1/render/image/authenticated/posts/mara/pier.jpg?width=400`,
      thumbnail_width: 400,
      thumbnail_height: 200,
      height: 560,
    })
    const teaser = await read(`${site}/post/${locked}`)
    expect(teaser).not.toHaveProperty('thumbnail_url')
    expect(JSON.stringify(teaser)).not.toContain('pier.jpg')
  })

  it.each([
    ['a foreign site', () => `https://elsewhere.example/post/${post}`],
    ['the same name on another port', () => `${site}:8443/post/${post}`],
    ['another protocol', () => `http://ovation.example/post/${post}`],
    ['a name in front of ours', () => `https://ovation.example@elsewhere.example/post/${post}`],
    ['a post that doesn’t exist', () => `${site}/post/00000000-0000-4000-8000-000000000000`],
    ['a user who doesn’t exist', () => `${site}/profile/nobody`],
    ['another screen', () => `${site}/settings`],
    ['no URL', () => 'no url'],
    ['a path alone', () => `/post/${post}`],
  ])('answers 404 for %s [FIND-03]', async (_what, url) => {
    expect(await describeUrl(url())).toMatchObject({ status: 404, body: '{"message":"No such page"}' })
  })

  it('answers 404, never 401, for private profiles and their posts [FIND-03, FIND-04]', async () => {
    const creator = await buildSeller(gateway)
    const id = await buildPost(gateway, creator)
    const urls = [`${site}/profile/${creator.username}`, `${site}/post/${id}`]
    for (const url of urls) expect((await describeUrl(url)).status).toBe(200)
    await gateway.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    for (const url of urls) expect((await describeUrl(url)).status).toBe(404)
  })

  it('rejects other formats with 501, and bad parameters with 400 [FIND-03]', async () => {
    const url = `${site}/post/${post}`
    expect((await describeUrl(url, { format: 'yaml' })).status).toBe(501)
    const rejected: Record<string, string>[] = [
      { maxwidth: '0' },
      { maxwidth: 'wide' },
      { maxheight: '-1' },
      { url: `${url}${'x'.repeat(3000)}` },
    ]
    for (const bad of rejected) expect((await describeUrl(url, bad)).status, JSON.stringify(bad)).toBe(400)
    expect((await ask(gateway.url, '/oembed')).status).toBe(400)
  })

  it('takes its addresses from the configuration, whatever the Host header says [FIND-02, FIND-03]', async () => {
    const { body } = await describeUrl(
      `${site}/post/${post}`,
      {},
      { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    )
    expect(body).not.toContain('evil')
    expect((await describeUrl(`https://evil.example/post/${post}`, {}, { host: 'evil.example' })).status).toBe(404)
  })

  it('answers a known client with 304 [FIND-03]', async () => {
    const { headers } = await describeUrl(`${site}/post/${post}`)
    const again = await describeUrl(`${site}/post/${post}`, {}, { 'if-none-match': String(headers.etag) })
    expect(again).toMatchObject({ status: 304, body: '' })
  })
})
