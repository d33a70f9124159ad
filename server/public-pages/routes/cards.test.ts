import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { ask } from '../testing/ask.ts'
import { buildPlan, buildPost, buildProduct, buildSeller } from '../testing/creators.ts'

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

describe('a card', () => {
  const card = (path: string, headers: Record<string, string> = {}) => ask(gateway.url, `/embed${path}`, headers)

  it('may be framed by any site, unlike every other page, and runs nothing [FIND-03]', async () => {
    const { status, headers, body } = await card(`/post/${post}`)
    expect(status).toBe(200)
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain('frame-ancestors *')
    expect(policy).toContain("default-src 'none'")
    expect(policy.filter((line) => /script|unsafe/.test(line))).toEqual([])
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(body).not.toContain('<script')
    for (const path of ['/robots.txt', '/oembed', `/post/${post}`, '/sitemap.xml']) {
      const other = await ask(gateway.url, path)
      expect(other.headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
      expect(other.headers['x-frame-options'], path).toBe('DENY')
    }
  })

  it('shows a free post as text, with links that open a new tab [FIND-03]', async () => {
    const { body } = await card(`/post/${post}`)
    expect(body).toContain('<h1 dir="auto">First &lt;light&gt;</h1>')
    expect(body).toContain('Mara &amp; &quot;Lindqvist&quot;')
    expect(body).toContain('Fog over the harbor')
    expect(body).toContain(`<link rel="canonical" href="${site}/post/${post}">`)
    const links = body.match(/<a [^>]+>/g) ?? []
    expect(links.map((link) => /href="([^"]+)"/.exec(link)?.[1])).toEqual([
      `${site}/profile/mara`,
      `${site}/post/${post}`,
    ])
    for (const link of links) expect(link).toContain('target="_blank" rel="noopener"')
  })

  it('shows of a locked post its beginning and its price, and no file [FIND-03, FIND-04]', async () => {
    const content = `${'open words '.repeat(10).slice(0, 100)}secret words`
    const plan = await buildPlan(gateway, mara, 'Print Club', 900)
    for (const [over, price] of [
      [{ price: 500 }, 'Unlock this post for $5.00'],
      [{ planId: plan }, 'Unlock with Print Club · $9.00 / month'],
    ] as const) {
      const { body } = await card(`/post/${await buildPost(gateway, mara, { ...over, content, picture: true })}`)
      expect(body).toContain('open words')
      expect(body).toContain(price)
      expect(body).not.toMatch(/secret|<img/)
    }
  })

  it('shows a product with its cover and price, and nothing of its files [FIND-03, FIND-04]', async () => {
    const cover = `${mara.userId}/cover`
    const id = await buildProduct(gateway, mara, { title: 'Fog <presets>', cents: 700, takesMore: true, cover })
    const { status, body } = await card(`/product/${id}`)
    expect(status).toBe(200)
    expect(body).toContain('<h1 dir="auto">Fog &lt;presets&gt;</h1>')
    expect(body).toContain('From $7.00')
    expect(body).toContain(`/storage/v1/render/image/public/covers/${mara.userId}/cover?width=960`)
    expect(body).toContain('See the product on Ovation')
    expect(body).not.toContain('SECRET')
    expect((await card(`/product/${await buildProduct(gateway, mara, { status: 'archived' })}`)).status).toBe(404)
  })

  it('shows a profile with its numbers and the cheapest plan [FIND-03]', async () => {
    const creator = await buildSeller(gateway)
    await buildPlan(gateway, creator, 'Backstage', 2500)
    await buildPlan(gateway, creator, 'Print Club', 900)
    await buildPost(gateway, creator)
    const { body } = await card(`/profile/${creator.username}`)
    expect(body).toContain(`@${creator.username}`)
    expect(body).toContain('1 post · 0 followers')
    expect(body).toContain('Plans from $9.00 / month')
  })

  it('is read each time, so a creator who goes private is gone at once [FIND-03, FIND-04]', async () => {
    const creator = await buildSeller(gateway)
    const paths = [`/profile/${creator.username}`, `/post/${await buildPost(gateway, creator)}`]
    const tags = await Promise.all(paths.map(async (path) => String((await card(path)).headers.etag)))
    for (const [at, path] of paths.entries())
      expect((await card(path, { 'if-none-match': tags[at] ?? '' })).status).toBe(304)
    await gateway.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    for (const [at, path] of paths.entries()) {
      const { status, body, headers } = await card(path, { 'if-none-match': tags[at] ?? '' })
      expect(status).toBe(404)
      expect(body).toContain('Not available')
      expect(body).not.toContain(creator.username)
      expect(headers['content-security-policy']).toContain('frame-ancestors *')
    }
  })

  it('is the same small page for a thousand URLs that don’t exist [FIND-03]', async () => {
    const bodies = new Set<string>()
    for (let number = 0; number < 1000; number += 50) {
      const paths = Array.from({ length: 50 }, (_, index) => `/profile/nobody-${number + index}`)
      for (const { status, body } of await Promise.all(paths.map((path) => card(path)))) {
        expect(status).toBe(404)
        bodies.add(body)
      }
    }
    expect(bodies.size).toBe(1)
  })

  it('can’t be left by markup, and is not turned around by marks [FIND-03]', async () => {
    const creator = await buildSeller(gateway)
    await gateway.query('update private.profiles set display_name = $2, avatar_url = $3 where id = $1', [
      creator.profileId,
      '</style><script>a</script>\u202e',
      '/storage/v1/object/public/avatars/"><img src=x>.jpg',
    ])
    const id = await buildPost(gateway, creator, {
      title: '</title><!--',
      content: `"><svg onload=a>${'c'.repeat(5000)}`,
    })
    for (const path of [`/post/${id}`, `/profile/${creator.username}`]) {
      const { body } = await card(path)
      expect(body).not.toMatch(/<script|<svg|<!--|<img src=x|\u202e/)
      expect(body.match(/<\/style>/g)).toHaveLength(1)
      expect(body.length).toBeLessThan(8000)
    }
  })
})
