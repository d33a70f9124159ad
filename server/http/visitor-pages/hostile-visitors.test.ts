import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { ask } from '../../public-pages/testing/ask.ts'
import { buildPlan, buildPost, buildProduct, buildSeller } from '../../public-pages/testing/creators.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { buildWebApp } from '../../web-build.ts'

const site = 'https://ovation.example'
let gateway: TestGateway
let mara: Person
beforeAll(async () => {
  await buildWebApp(pino({ level: 'silent' }))
  gateway = await startGateway({ env: { SITE_URL: site, CUSTOM_DOMAINS: '1' } })
  mara = await buildSeller(gateway, 'mara')
  await gateway.query(`update private.profiles set display_name = 'Mara Lindqvist' where id = $1`, [mara.profileId])
}, 240_000)
afterEach(() => vi.restoreAllMocks())
afterAll(() => gateway?.close())

const get = (path: string, headers: Record<string, string> = {}) => ask(gateway.url, path, headers)
/** The same with its content. A busy machine leaves a page to the browser, and the next request finds it. */
const getPage = (path: string, headers: Record<string, string> = {}) =>
  eventually(async () => {
    const answer = await get(path, headers)
    expect(answer.body, path).toContain(' data-visitor-page>')
    return answer
  })
/** What a visitor sees before any script has run, without what apps and search engines read. */
const shown = (document: string) =>
  document
    .slice(document.indexOf('<div id="root"'))
    .replace(/<script type="application\/json"[^>]*>[^<]*<\/script>/, '')

/** Adds a domain as if its record had been found. */
async function addDomain(creator: Person): Promise<string> {
  const domain = `${creator.username.replaceAll('_', '-')}.example`
  await gateway.query('insert into public.custom_domains (creator_id, domain, verified_at) values ($1, $2, now())', [
    creator.profileId,
    domain,
  ])
  return domain
}

describe('a page for visitors', () => {
  it('shows texts as they were typed: markup, marks that reverse, and 5,000 characters [FIND-01]', async () => {
    const creator = await buildSeller(gateway)
    const markup = '</div></script><script>ran(1)</script><img src=x onerror=ran(2)>'
    await gateway.query('update private.profiles set display_name = $2, bio = $3 where id = $1', [
      creator.profileId,
      '</title><svg onload=ran(3)>\u202egnp',
      `${markup} ${'b'.repeat(900)}`,
    ])
    await buildPlan(gateway, creator, '<b>Plan</b>\u202e')
    const long = `${markup}${'\u202e'.repeat(10)}${'c'.repeat(5000)}`
    const id = await buildPost(gateway, creator, { title: '<!-- \u202e', content: long })
    const domain = await addDomain(creator)
    for (const { status, body } of [
      await getPage(`/profile/${creator.username}`),
      await getPage(`/profile/${creator.username}?tab=subscribe`),
      await getPage(`/post/${id}`),
      await getPage('/', { host: domain }),
    ]) {
      expect(status).toBe(200)
      expect(shown(body)).toContain('&lt;')
      expect(body).not.toMatch(/<script>ran|<img src=x|<svg onload|<b>Plan/)
      expect(body.match(/<\/title>/g)).toHaveLength(1)
      // A name keeps its direction to itself.
      expect(shown(body)).toMatch(/<h[12][^>]* dir="auto"[^>]*>/)
    }
  })

  it('has the links in a creator’s texts and in comments [FIND-01, LOOP-13]', async () => {
    const creator = await buildSeller(gateway)
    const text = `Prints: https://prints.example/new and ${site}/profile/mara`
    await gateway.query('update private.profiles set bio = $2 where id = $1', [creator.profileId, text])
    const id = await buildPost(gateway, creator, { content: text })
    await gateway.query('insert into public.comments (post_id, user_id, content) values ($1, $2, $3)', [
      id,
      creator.profileId,
      text,
    ])
    for (const path of [`/profile/${creator.username}`, `/post/${id}`]) {
      const page = shown((await getPage(path)).body)
      expect(page.match(/<a [^>]*href="https:\/\/prints\.example\/new"/g), path).toHaveLength(2)
      expect(page.match(/<a [^>]*href="\/profile\/mara"/g), path).toHaveLength(2)
    }
  })

  it.each([
    ['an empty one', ''],
    ['a command line', 'curl/8.5.0'],
    ['a bot', 'Mozilla/5.0 (compatible; SomeBot/1.0)'],
    ['a phone of 5,000 characters', `Mobi${'x'.repeat(5000)}`],
    ['markup', '<script>agent(1)</script>'],
  ])('is for every user agent, also one that is no browser: %s [FIND-01]', async (_what, agent) => {
    for (const path of ['/', '/explore', '/profile/mara']) {
      const { status, body } = await getPage(path, { 'user-agent': agent })
      expect(status, path).toBe(200)
      expect(shown(body), path).toContain('Mara Lindqvist')
      expect(body).not.toContain('agent(1)')
    }
  })

  it('is made for this site, whatever the Host header says, and so is the next visitor’s [FIND-02, PAGE-02]', async () => {
    const id = await buildPost(gateway, mara)
    const poison = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example',
      'x-original-host': 'evil.example',
    }
    for (const path of [
      '/',
      '/explore',
      '/profile/mara',
      '/@mara',
      `/post/${id}`,
      '/terms-of-service',
      '/robots.txt',
      '/sitemap.xml',
      '/profile/mara/feed.xml',
      '/embed/profile/mara',
      '/app-config.json',
    ])
      for (const { status, headers, body } of [await get(path, poison), await get(path)]) {
        expect(status, path).toBeLessThan(400)
        expect(`${JSON.stringify(headers)} ${body}`, path).not.toMatch(/evil|gopher/)
      }
    expect((await get('/profile/mara', poison)).body).toContain(`<link rel="canonical" href="${site}/profile/mara"`)
  })

  it('shows a product before any script has run, with its price and the formats of its files [FIND-01, FIND-04]', async () => {
    const id = await buildProduct(gateway, mara, { title: 'Fog <presets>', cents: 700 })
    const { body } = await getPage(`/product/${id}`)
    const page = shown(body)
    for (const words of ['Fog &lt;presets&gt;', 'Mara Lindqvist', 'Buy for $7.00', 'Twelve looks for fog', 'ZIP file'])
      expect(page).toContain(words)
    expect(body).not.toContain('SECRET')
    expect(body).toContain('<title>Fog &lt;presets&gt; by Mara Lindqvist · Ovation</title>')
    const gone = await get(`/product/${await buildProduct(gateway, mara, { status: 'draft' })}`)
    expect(gone.body).toContain('<meta name="robots" content="noindex" />')
    expect(gone.body).not.toContain('Twelve looks')
  })

  it('is the same for a thousand addresses that don’t exist, and known pages stay [FIND-01]', async () => {
    const bodies = new Map<string, number>()
    // As many visitors, because each can have only some pages rendered.
    for (let number = 0; number < 1000; number += 50) {
      const found = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          get(`/no/such/screen-${number + index}`, { 'user-agent': `bot ${index}` }),
        ),
      )
      for (const { status, body } of found) {
        expect(status).toBe(404)
        bodies.set(body, (bodies.get(body) ?? 0) + 1)
      }
    }
    expect([...bodies.values()]).toEqual([1000])
    expect(shown((await getPage('/profile/mara')).body)).toContain('Mara Lindqvist')
  })
})

describe('a creator who leaves', () => {
  it.each([
    [
      'goes private',
      ({ client, profileId }: Person) =>
        client.from('profiles').update({ is_private: true }).eq('id', profileId).throwOnError(),
    ],
    [
      'is suspended',
      async ({ profileId }: Person) =>
        (await buildAdmin(gateway)).client
          .rpc('suspend_user', { profile_id: profileId, reason: 'Spam' })
          .throwOnError(),
    ],
    ['deletes the account', ({ userId }: Person) => gateway.query('select private.delete_account($1)', [userId])],
  ])(
    'and %s is gone from cached pages and from the domain within five seconds [FIND-01, PAGE-02]',
    async (_how, leave) => {
      const creator = await buildSeller(gateway)
      const words = `Words of ${creator.username}`
      const id = await buildPost(gateway, creator, { title: words })
      const domain = await addDomain(creator)
      const pages = [
        () => get(`/profile/${creator.username}`),
        () => get(`/post/${id}`),
        () => get('/explore'),
        () => get('/', { host: domain }),
      ]
      const read = async () => Promise.all(pages.map(async (page) => (await page()).body.includes(words)))
      await eventually(async () => expect(await read()).toEqual([true, true, false, true]))
      await leave(creator)
      // Pages are kept for four seconds.
      await eventually(async () => expect(await read()).toEqual([false, false, false, false]))
    },
  )
})

describe('a change', () => {
  it('is found without reading the log only for it [FIND-05]', async () => {
    await getPage('/profile/mara')
    expect(gateway.services.realtime.state.isReading).toBe(false)
  })

  it('shows at once while anyone is live: a post that is published, changed, and deleted, and a product [FIND-05]', async () => {
    const creator = await buildSeller(gateway)
    const joined = Promise.withResolvers<void>()
    creator.client
      .channel('any')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () => undefined)
      .subscribe((status) => status === 'SUBSCRIBED' && joined.resolve())
    await joined.promise
    // Since no time passes, no page gets too old.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const read = async () => (await getPage(`/profile/${creator.username}`)).body
    const empty = await read()
    expect(await read()).toBe(empty)
    const id = await buildPost(gateway, creator, { title: 'Harbor at six' })
    await eventually(async () => expect(await read()).toContain('Harbor at six'))
    const posts = creator.client.from('posts')
    await posts.update({ title: 'Harbor at seven' }).eq('id', id).throwOnError()
    await eventually(async () => expect(await read()).toContain('Harbor at seven'))
    await posts.delete().eq('id', id).throwOnError()
    await eventually(async () => expect(await read()).not.toContain('Harbor at'))
    const product = await buildProduct(gateway, creator, { cents: 700 })
    const readProduct = async () => (await get(`/product/${product}`)).body
    await eventually(async () => expect(await readProduct()).toContain('Buy for $7.00'))
    await gateway.query('update public.products set price_cents = 900 where id = $1', [product])
    await eventually(async () => expect(await readProduct()).toContain('Buy for $9.00'))
    await gateway.query(`update public.products set status = 'archived' where id = $1`, [product])
    await eventually(async () => expect(await readProduct()).not.toContain('Buy for'))
  })
})
