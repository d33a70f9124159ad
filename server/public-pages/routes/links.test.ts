import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { rollUpLinks } from '../links/roll-up-links.ts'
import { ask } from '../testing/ask.ts'
import { buildPlan, buildPost, buildProduct, buildSeller } from '../testing/creators.ts'

let gateway: TestGateway
let mara: Person
let post: string
beforeAll(async () => {
  gateway = await startGateway({ env: { SITE_URL: 'https://ovation.example' } })
})
beforeEach(async () => {
  mara = await buildSeller(gateway)
  post = await buildPost(gateway, mara)
})
afterAll(() => gateway?.close())

type Link = { id: string; code: string }
async function buildLink(about: Record<string, unknown> = {}): Promise<Link> {
  const { data } = await mara.client
    .from('tracking_links')
    .insert({ name: 'Bio', target: 'profile', ...about })
    .select('id, code')
    .single()
    .throwOnError()
  return data
}
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.5',
}
const open = (code: string, headers: Record<string, string> = browser) => ask(gateway.url, `/l/${code}`, headers)
async function visits({ id }: Link): Promise<number> {
  await rollUpLinks(gateway.services.database.service)
  const { data } = await mara.client.from('tracking_links').select('visits').eq('id', id).single().throwOnError()
  return data.visits
}

describe('a link', () => {
  it('leads to the profile, the plans, the post, or the product by 302, never from a cache [LINK-01]', async () => {
    const plan_id = await buildPlan(gateway, mara)
    const product_id = await buildProduct(gateway, mara)
    for (const [about, location] of [
      [{}, `/profile/${mara.username}`],
      [{ target: 'plan', plan_id }, `/profile/${mara.username}?tab=subscribe`],
      [{ target: 'post', post_id: post }, `/post/${post}`],
      [{ target: 'product', product_id }, `/product/${product_id}`],
    ] as const) {
      const { code } = await buildLink(about)
      for (const typed of [code, code.toUpperCase()]) {
        const { status, headers } = await open(typed)
        expect(status).toBe(302)
        expect(headers).toMatchObject({ location, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      }
    }
  })

  it('has a QR code as PNG and as SVG [LINK-01]', async () => {
    const { code } = await buildLink()
    const png = await fetch(`${gateway.url}/l/${code}.png`)
    expect(png.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await png.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    const svg = await fetch(`${gateway.url}/l/${code}.svg`)
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(await svg.text()).toMatch(/^<svg /)
    expect((await fetch(`${gateway.url}/l/${code}.gif`)).status).toBe(404)
    expect((await fetch(`${gateway.url}/l/unknown2.png`)).status).toBe(404)
  })

  it('is the not-found screen if nobody has it, or its creator is suspended [LINK-01]', async () => {
    const { code } = await buildLink()
    await gateway.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'spam', was_private = false where id = $1`,
      [mara.profileId],
    )
    const answers = await Promise.all(
      [code, 'unknown3', 'a', `${code}x`, '%00', `..%2f${code}`].map((name) => open(name)),
    )
    for (const { status, headers } of answers) {
      expect([400, 404]).toContain(status)
      expect(headers).not.toHaveProperty('location')
      expect(headers).not.toHaveProperty('set-cookie')
    }
    expect(answers[0]?.status).toBe(404)
  })

  it('leads on when it is archived, and counts nothing [LINK-01]', async () => {
    const link = await buildLink()
    await mara.client.from('tracking_links').update({ is_archived: true }).eq('id', link.id).throwOnError()
    const { status, headers } = await open(link.code)
    expect(status).toBe(302)
    expect(headers).not.toHaveProperty('set-cookie')
    expect(await visits(link)).toBe(0)
  })
})

describe('a visit', () => {
  it('counts once a day for each visitor, and leaves no address behind [LINK-02]', async () => {
    const link = await buildLink()
    for (const agent of ['Firefox/142.0', 'Firefox/142.0', 'Firefox/141.0'])
      await open(link.code, { ...browser, 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 ${agent}` })
    expect(await visits(link)).toBe(2)
    const stored = await gateway.query<{ row: string }>(
      `select row_to_json(v)::text as row from private.link_visitors v where link_id = $1`,
      [link.id],
    )
    expect(stored).toHaveLength(2)
    for (const { row } of stored) expect(row).not.toMatch(/127\.0\.0\.1|Firefox/)
  })

  it('keeps the links that the browser opened first, in a cookie that names nobody [LINK-02]', async () => {
    const [first, second] = [await buildLink(), await buildLink()]
    const { headers } = await open(first.code)
    const [cookie = ''] = headers['set-cookie'] as string[]
    expect(cookie).toMatch(
      new RegExp(`^opened-links=${first.code}\\.\\d{10}; Max-Age=2592000; Path=/; SameSite=Lax; Secure$`),
    )
    const sent = cookie.split(';', 1)[0] ?? ''
    const later = await open(second.code, { ...browser, cookie: `signed-in=1; ${sent}` })
    expect(String(later.headers['set-cookie'])).toMatch(
      new RegExp(`^opened-links=${first.code}\\.\\d{10}~${second.code}\\.\\d{10};`),
    )
  })

  it.each([
    [
      'a bot that says so',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    ['a script', { 'user-agent': 'curl/8.5.0' }],
    ['a preview of another site', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['a client without a language', { 'accept-language': '' }],
    ['a client that accepts no page', { accept: '*/*' }],
    ['a page that is fetched ahead', { 'sec-purpose': 'prefetch;prerender' }],
    ['a picture in another page', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ])('doesn’t count for %s, which is led on all the same [LINK-02]', async (_who, headers) => {
    const link = await buildLink()
    const answer = await open(link.code, { ...browser, ...headers })
    expect(answer.status).toBe(302)
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(await visits(link)).toBe(0)
  })

  it('doesn’t count in the browser of the creator [LINK-02]', async () => {
    const link = await buildLink()
    await open(link.code, { ...browser, cookie: `own-links=${mara.profileId}` })
    expect(await visits(link)).toBe(0)
    await open(link.code, { ...browser, cookie: 'own-links=another' })
    expect(await visits(link)).toBe(1)
  })

  it('counts for the account once the browser has signed in, also for what happens on another device [LINK-02]', async () => {
    const link = await buildLink()
    const { headers } = await open(link.code)
    const links = /opened-links=([^;]*)/.exec(String(headers['set-cookie']))?.[1] ?? ''
    const fan = await gateway.signUp()
    await fan.client.rpc('claim_link_visits', { visits: links }).throwOnError()
    const elsewhere = gateway.client()
    await elsewhere.auth.signInWithPassword({ email: fan.email, password: fan.password })
    await elsewhere.from('follows').insert({ follower_id: fan.profileId, following_id: mara.profileId }).throwOnError()
    expect(await visits(link)).toBe(1)
    const { data } = await mara.client.from('tracking_links').select('sign_ups, follows').eq('id', link.id).single()
    expect(data).toMatchObject({ follows: 1 })
  })

  it('leads on while the database can’t take it [LINK-02]', async () => {
    const link = await buildLink()
    await open(link.code, { ...browser, 'user-agent': 'curl/8.5.0' }) // the link is known
    await gateway.query('alter table private.link_visits rename to link_visits_away')
    expect((await open(link.code)).status).toBe(302)
    await gateway.query('alter table private.link_visits_away rename to link_visits')
  })
})
