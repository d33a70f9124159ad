import { setTimeout as sleep } from 'node:timers/promises'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anonymous } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { withClient } from '../../postgres/migrate.ts'
import type { Statement } from '../../postgres/sql.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { end, findPosition, type Kind, listPages, start } from '../sitemap/queries.ts'
import { Sitemap } from '../sitemap/sitemap.ts'
import { ask } from '../testing/ask.ts'
import { buildPost, buildProduct, buildSeller } from '../testing/creators.ts'

const site = { name: 'Ovation', url: 'https://ovation.example' }
let gateway: TestGateway
let mara: Person
let post: string
let product: string
beforeAll(async () => {
  gateway = await startGateway({ env: { SITE_URL: site.url } })
  mara = await buildSeller(gateway, 'mara')
  post = await buildPost(gateway, mara)
  product = await buildProduct(gateway, mara)
})
afterAll(() => gateway?.close())

const asked = (path: string, headers: Record<string, string> = {}) => ask(gateway.url, path, headers)
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? '')
type Options = Partial<ConstructorParameters<typeof Sitemap>[0]>
/** What a new node would list. */
const build = (options: Options = {}) =>
  new Sitemap({ db: gateway.services.database.as(anonymous), site: () => site, ...options })
/** The database as a visitor, which counts statements and fails the first ones. */
function countAsks(failures = 0): { db: CallerDb; asks: () => number } {
  const visitor = gateway.services.database.as(anonymous)
  let asks = 0
  const rows: CallerDb['rows'] = (statement) => {
    asks += 1
    return asks > failures ? visitor.rows(statement) : Promise.reject(new Error('down'))
  }
  return { db: { rows }, asks: () => asks }
}
const list = async (sitemap: Sitemap, name: string) => locations((await sitemap.read(name)) ?? '')
/** All pages that a sitemap lists. */
async function everyPage(sitemap: Sitemap): Promise<string[]> {
  const parts = (await list(sitemap, 'index')).map((url) => /\/sitemaps\/(.+)\.xml$/.exec(url)?.[1] ?? '')
  return (await Promise.all(parts.map((part) => list(sitemap, part)))).flat()
}

describe('the sitemap', () => {
  it('is an index of parts with the fixed screens, creators, posts, and products [FIND-02]', async () => {
    const index = await asked('/sitemap.xml')
    expect(index.status).toBe(200)
    expect(index.headers['content-type']).toBe('application/xml; charset=utf-8')
    const names = ['screens-1', 'profiles-1', 'posts-1', 'products-1']
    expect(locations(index.body)).toEqual(names.map((name) => `${site.url}/sitemaps/${name}.xml`))
    expect(new XMLParser().parse(index.body)).toHaveProperty('sitemapindex.sitemap')
    const [screens = '', profiles = '', posts = '', products = ''] = await Promise.all(
      names.map(async (name) => (await asked(`/sitemaps/${name}.xml`)).body),
    )
    expect(locations(screens)).toEqual(
      ['/', '/explore', '/privacy-policy', '/support', '/terms-of-service'].map((path) => `${site.url}${path}`),
    )
    const today = new Date().toISOString().slice(0, 10)
    expect(new XMLParser().parse(profiles).urlset.url).toEqual({ loc: `${site.url}/profile/mara`, lastmod: today })
    expect(new XMLParser().parse(posts).urlset.url).toEqual({ loc: `${site.url}/post/${post}`, lastmod: today })
    expect(new XMLParser().parse(products).urlset.url).toEqual({
      loc: `${site.url}/product/${product}`,
      lastmod: today,
    })
  })

  it('leaves out fans, creators who aren’t approved, and those who opted out, with their posts [FIND-02]', async () => {
    const [fan, applicant, shy] = [await gateway.signUp(), await buildSeller(gateway), await buildSeller(gateway)]
    const posts = [await buildPost(gateway, applicant), await buildPost(gateway, shy)]
    const products = [await buildProduct(gateway, applicant), await buildProduct(gateway, shy)]
    const draft = await buildProduct(gateway, mara, { status: 'draft' })
    await gateway.query('update private.profiles set is_verified = false where id = $1', [applicant.profileId])
    const listed = await everyPage(build())
    expect(listed).toContain(`${site.url}/profile/${shy.username}`)
    await shy.client
      .from('user_settings')
      .update({ privacy: { allowSearchEngines: false } })
      .eq('user_id', shy.profileId)
      .throwOnError()
    const left = await everyPage(build())
    for (const { username } of [fan, applicant, shy]) expect(left).not.toContain(`${site.url}/profile/${username}`)
    for (const id of posts) expect(left).not.toContain(`${site.url}/post/${id}`)
    for (const id of [...products, draft]) expect(left).not.toContain(`${site.url}/product/${id}`)
    expect(left).toContain(`${site.url}/profile/mara`)
  })

  it('loses private, suspended, and deleted creators and posts within five seconds [FIND-02, FIND-04]', async () => {
    const admin = await buildAdmin(gateway)
    const [hidden, suspended, deleted] = [
      await buildSeller(gateway),
      await buildSeller(gateway),
      await buildSeller(gateway),
    ]
    const posts = await Promise.all([hidden, suspended, deleted, mara].map((creator) => buildPost(gateway, creator)))
    const products = await Promise.all([hidden, suspended, deleted].map((creator) => buildProduct(gateway, creator)))
    const [, , , own = ''] = posts
    await sleep(4_100) // what earlier tests requested is no longer cached
    const pages = async () =>
      (
        await Promise.all(['profiles-1', 'posts-1', 'products-1'].map((name) => asked(`/sitemaps/${name}.xml`)))
      ).flatMap(({ body }) => locations(body))
    const leaving = [
      ...[hidden, suspended, deleted].map(({ username }) => `${site.url}/profile/${username}`),
      ...posts.map((id) => `${site.url}/post/${id}`),
      ...products.map((id) => `${site.url}/product/${id}`),
    ]
    expect(await pages()).toEqual(expect.arrayContaining(leaving))
    await gateway.query('update private.profiles set is_private = true where id = $1', [hidden.profileId])
    await admin.client.rpc('suspend_user', { profile_id: suspended.profileId, reason: 'Spam' }).throwOnError()
    await gateway.query('select private.delete_account($1, null)', [deleted.userId])
    await mara.client.from('posts').delete().eq('id', own).throwOnError()
    const leftAt = performance.now()
    await expect
      .poll(async () => (await pages()).filter((url) => leaving.includes(url)), { timeout: 8_000, interval: 100 })
      .toEqual([])
    expect(performance.now() - leftAt).toBeLessThan(5_000)
  }, 30_000)

  it('is in parts that meet without gaps and duplicates [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    // Three of each instant.
    await gateway.query(
      `insert into private.posts (creator_id, content, created_at)
       select $1, 'words', timestamptz '2025-01-01' + make_interval(mins => n / 3) from generate_series(0, 22) n`,
      [creator.profileId],
    )
    const { length: count } = await gateway.database.as(anonymous, 'select id from public.posts')
    let now = 1000
    const sitemap = build({ partSize: 4, clock: { now: () => now } })
    const parts = (await list(sitemap, 'index')).filter((url) => url.includes('/posts-'))
    expect(parts).toHaveLength(Math.ceil(count / 4))
    const pages = await everyPage(sitemap)
    expect(new Set(pages).size).toBe(pages.length)
    expect((await everyPage(build())).toSorted()).toEqual(pages.toSorted())
    // A deleted post moves nothing.
    const second = await list(sitemap, 'posts-2')
    const [oldest] = await list(sitemap, 'posts-1')
    await gateway.query('delete from private.posts where id = $1', [oldest?.split('/').at(-1)])
    now += 4_100
    expect(await list(sitemap, 'posts-1')).not.toContain(oldest)
    expect(await list(sitemap, 'posts-2')).toEqual(second)
    // A new one comes last.
    const newest = await buildPost(gateway, creator)
    now += 60_000
    const last = (await list(sitemap, 'index')).flatMap((url) => /posts-\d+/.exec(url) ?? []).at(-1) ?? ''
    expect(await list(sitemap, last)).toContain(`${site.url}/post/${newest}`)
  })

  it('reads each part along an index [FIND-02]', async () => {
    const statements: Statement[] = []
    const noting: CallerDb = {
      async rows(statement) {
        statements.push(statement)
        return []
      },
    }
    for (const kind of ['profiles', 'posts', 'products'] satisfies Kind[]) {
      await findPosition(noting, kind, start, 10_000)
      await listPages(noting, kind, start, end)
    }
    await withClient(gateway.database.ownerUrl, async (client) => {
      // A test's tables are so small that PostgreSQL would read and sort them whole.
      await client.query(`set enable_seqscan = off; set enable_sort = off; set role anon`)
      for (const { text, values } of statements) {
        const { rows } = await client.query(`explain ${text}`, [...values])
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        expect(plan).toMatch(
          /Index (?:Only )?Scan (?:Backward )?using (?:posts_created_at_creator_idx|profiles_indexed_idx|products_published_idx)/,
        )
        expect(plan).toMatch(/Index Cond: .*ROW\((?:\w+\.)?created_at, (?:\w+\.)?id\)/)
        expect(plan).not.toContain('Sort')
      }
    })
  })

  it('answers a known client with 304, and names its own address, whatever the Host header says [FIND-02]', async () => {
    for (const path of ['/sitemap.xml', '/sitemaps/screens-1.xml', '/robots.txt']) {
      const { status, headers, body } = await asked(path, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
      expect(status).toBe(200)
      expect(body).toContain(site.url)
      expect(body).not.toContain('evil')
      expect(await asked(path, { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304, body: '' })
    }
  })

  it('has no other parts: a thousand of them ask the database nothing [FIND-02]', async () => {
    const { db, asks } = countAsks()
    const sitemap = build({ db })
    await sitemap.read('index')
    const before = asks()
    for (let number = 2; number < 1000; number++) expect(await sitemap.read(`posts-${number}`)).toBeUndefined()
    for (const name of [
      'posts-0',
      'posts-01',
      'posts-1e3',
      'users-1',
      'screens-2',
      '__proto__',
      'posts--1',
      'posts-9999999',
    ])
      expect(await sitemap.read(name), name).toBeUndefined()
    expect(asks()).toBe(before)
    for (const path of ['/sitemaps/posts-2.xml', '/sitemaps/posts-1', '/sitemaps/..%2f..%2fetc.xml'])
      expect((await asked(path)).status, path).toBe(404)
  })

  it('is written once for all who ask at the same time, and again after a failure [FIND-02]', async () => {
    const { db, asks } = countAsks(1)
    const sitemap = build({ db })
    await expect(sitemap.read('index')).rejects.toThrow('down')
    const documents = await Promise.all(Array.from({ length: 100 }, () => sitemap.read('index')))
    expect(new Set(documents).size).toBe(1)
    expect(asks()).toBeLessThan(10)
  })
})
