import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildAdmin, buildCreator } from '../testing/people.ts'
import { type JsonFeed, jsonFeedRules, parseJsonFeed } from './testing/json-feed-rules.ts'
import { parseRss, podcastRules, rssRules, textsOf } from './testing/rss-rules.ts'

let gateway: TestGateway
let creator: Person
let basic: string
let premium: string
let photo: Buffer
let film: Buffer
beforeAll(async () => {
  gateway = await startGateway()
  photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#B3123B' } })
    .jpeg()
    .toBuffer()
  film = await readFile(new URL('../demo/video/hills.mp4', import.meta.url))
  creator = await buildCreator(gateway)
  await gateway.query('update private.profiles set tiered_access = true where id = $1', [creator.profileId])
  ;[basic, premium] = [await buildPlan(creator, 500), await buildPlan(creator, 1500)]
  await publish(creator, { title: 'Open & free', content: 'For <everyone>.' }, ['photo'])
  await publish(creator, { title: 'Basic film', content: locked('BASIC') }, ['film', 'photo'], basic)
  await publish(creator, { title: 'Premium film', content: locked('PREMIUM') }, ['film'], premium)
})
afterAll(() => gateway?.close())

/** Everyone sees the first 100 characters. */
const locked = (secret: string) => `${'open '.repeat(20)}${secret}`

async function buildPlan({ profileId }: Person, cents: number): Promise<string> {
  await gateway.query(
    `update private.profiles set stripe_account_id = 'acct_' || username, stripe_charges_enabled = true where id = $1`,
    [profileId],
  )
  const [plan] = await gateway.query<{ id: string }>(
    `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Plan', $2, 'month') returning id`,
    [profileId, cents],
  )
  return plan?.id ?? ''
}

async function publish(
  { client, profileId, userId }: Person,
  columns: Record<string, unknown>,
  files: readonly ('photo' | 'film')[] = [],
  plan?: string,
): Promise<string> {
  const paths: string[] = []
  for (const kind of files) {
    const path = `${userId}/${randomUUID()}.${kind === 'photo' ? 'jpg' : 'mp4'}`
    const contentType = kind === 'photo' ? 'image/jpeg' : 'video/mp4'
    const { error } = await client.storage.from('posts').upload(path, kind === 'photo' ? photo : film, { contentType })
    if (error) throw error
    paths.push(path)
  }
  const { data } = await client
    .from('posts')
    .insert({
      creator_id: profileId,
      media_urls: paths,
      media_types: files.map((kind) => (kind === 'photo' ? 'image' : 'video')),
      ...(plan && { post_type: 'subscription', required_tier_id: plan }),
      ...columns,
    })
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

/** @returns the id at the payment provider. */
async function subscribe(
  fan: Person,
  plan = basic,
  { to = creator, status = 'active', id = `sub_${randomUUID()}` } = {},
) {
  await gateway.query(
    `select private.apply_subscription_state($1, $2, $3, $4, $5, now() - interval '1 day', now() + interval '29 days', null, $5 = 'canceled', null, now())`,
    [id, fan.profileId, to.profileId, plan, status],
  )
  if (status === 'canceled')
    await gateway.query(`update public.subscriptions set current_period_end = now() where subscriber_id = $1`, [
      fan.profileId,
    ])
  return id
}

const read = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init)
/** An address that no other test reads from. */
let readers = 0
const from = (address = `198.51.${100 + Math.floor(readers / 200)}.${(readers++ % 200) + 1}`) => ({
  headers: { 'x-forwarded-for': address },
})
const everyones = (format: 'xml' | 'json' = 'xml', of = creator) => `/profile/${of.username}/feed.${format}`
const itemsOf = async (response: Response): Promise<JsonFeed['feed']['items']> =>
  parseJsonFeed(await response.text(), response.url).feed.items

async function tokenOf({ client }: Person, procedure = 'get_feed_address', of = creator): Promise<string> {
  const { data } = await client.rpc(procedure, { creator_profile_id: of.profileId }).throwOnError()
  return data.token
}
const own = async (fan: Person, format: 'xml' | 'json' = 'xml', of = creator) =>
  `/feeds/${await tokenOf(fan, 'get_feed_address', of)}.${format}`

describe('the feed of a creator', () => {
  it('is valid RSS and JSON, with free posts in full and locked ones as teasers [RSS-01]', async () => {
    const [rss, json] = await Promise.all([read(everyones('xml')), read(everyones('json'))])
    expect([rss.status, rss.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/feed+json; charset=utf-8'])
    const document = await parseRss(await rss.text(), rss.url)
    for (const { name, check } of rssRules) expect.soft({ [name]: check(document) }).toEqual({ [name]: [] })
    const feed = parseJsonFeed(await json.text(), json.url)
    for (const { name, check } of jsonFeedRules) expect.soft({ [name]: check(feed) }).toEqual({ [name]: [] })
    expect(document.items.map((item) => textsOf(item, 'title')[0])).toEqual([
      'Premium film',
      'Basic film',
      'Open & free',
    ])
    expect(document.text + feed.text).not.toMatch(/BASIC|PREMIUM|\.mp4/)
    const [teaser, , free] = feed.feed.items
    expect(teaser?.content_html).toContain('open…</p>')
    expect(free?.content_html).toContain('<p dir="auto">For &lt;everyone&gt;.</p>')
    const picture = await fetch(String(free?.image))
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(photo)
  })

  it('is compressed, and may be kept by caches that ask each time [RSS-01]', async () => {
    const { headers } = await read(everyones('json'), { headers: { 'accept-encoding': 'gzip' } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, no-cache',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^W\/"/),
      'last-modified': expect.stringMatching(/GMT$/),
    })
  })

  it.each(['xml', 'json'] as const)(
    'answers 304 to who has it already, and HEAD without a body: %s [RSS-01]',
    async (format) => {
      const { headers } = await read(everyones(format))
      const [tag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
      const ask = async (headers: Record<string, string>) => (await read(everyones(format), { headers })).status
      expect(await ask({ 'if-none-match': tag })).toBe(304)
      expect(await ask({ 'if-none-match': `"other", ${tag}` })).toBe(304)
      expect(await ask({ 'if-none-match': '"other"' })).toBe(200)
      expect(await ask({ 'if-modified-since': date })).toBe(304)
      expect(await ask({ 'if-modified-since': new Date(Date.parse(date) - 1000).toUTCString() })).toBe(200)
      // The tag decides.
      expect(await ask({ 'if-none-match': '"other"', 'if-modified-since': date })).toBe(200)
      const known = await read(everyones(format), { headers: { 'if-none-match': tag } })
      expect([known.headers.get('etag'), known.headers.get('cache-control'), await known.text()]).toEqual([
        tag,
        'public, no-cache',
        '',
      ])
      const head = await read(everyones(format), { method: 'HEAD' })
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
      expect((await read(everyones(format), { method: 'HEAD', headers: { 'if-none-match': tag } })).status).toBe(304)
    },
  )

  it('follows an edited post within five seconds, also for readers that know only the date [RSS-01]', async () => {
    const author = await buildCreator(gateway)
    const id = await publish(author, { title: 'Before', content: 'Words' })
    const { headers } = await read(everyones('xml', author))
    await author.client.from('posts').update({ title: 'After' }).eq('id', id).throwOnError()
    const known = { 'if-modified-since': headers.get('last-modified') ?? '' }
    await expect
      .poll(async () => (await read(everyones('xml', author), { headers: known })).text(), { timeout: 5_000 })
      .toContain('<title>After</title>')
  })

  it('answers 404 within five seconds for a creator who becomes private, is suspended, or deletes the account [RSS-01]', async () => {
    const admin = await buildAdmin(gateway)
    const ends: ((person: Person) => PromiseLike<unknown>)[] = [
      ({ client, profileId }) =>
        client.from('profiles').update({ is_private: true }).eq('id', profileId).throwOnError(),
      ({ profileId }) => admin.client.rpc('suspend_user', { profile_id: profileId, reason: 'Spam' }).throwOnError(),
      ({ userId }) => gateway.query('select private.delete_account($1)', [userId]),
    ]
    await Promise.all(
      ends.map(async (end) => {
        const author = await buildCreator(gateway)
        await publish(author, { content: 'Words' })
        expect((await read(everyones('json', author))).status).toBe(200)
        await end(author)
        await expect.poll(async () => (await read(everyones('json', author))).status, { timeout: 5_000 }).toBe(404)
      }),
    )
  })

  it.each([
    '/profile/nobody-here/feed.xml',
    '/profile/%00/feed.xml',
    '/profile/a..b/feed.json',
    `/profile/${'x'.repeat(500)}/feed.xml`,
  ])('answers 404 in plain text at %s [RSS-01]', async (path) => {
    const response = await read(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
    expect(await response.text()).toBe('There is no feed at this address.\n')
  })

  it('is found by a username in capitals, and names its one address [RSS-01]', async () => {
    const response = await read(everyones('json').replace(creator.username, creator.username.toUpperCase()))
    expect(((await response.json()) as { feed_url: unknown }).feed_url).toBe(gateway.url + everyones('json'))
  })

  it('leads from a former username to the present one for as long as its page does [RSS-01]', async () => {
    const person = await buildCreator(gateway)
    const present = `n${randomUUID().slice(0, 12)}`
    await person.client.from('profiles').update({ username: present }).eq('id', person.profileId).throwOnError()
    const lead = async (format: string) => {
      const { status, headers } = await fetch(`${gateway.url}/profile/${person.username}/feed.${format}`, {
        redirect: 'manual',
      })
      return [status, headers.get('location'), headers.get('cache-control')]
    }
    for (const format of ['xml', 'json'])
      expect(await lead(format)).toEqual([302, `/profile/${present}/feed.${format}`, 'no-cache'])
    expect((await fetch(`${gateway.url}/profile/${person.username}/feed.json`)).status).toBe(200)
    await gateway.query('update private.profiles set is_private = true where id = $1', [person.profileId])
    expect(await lead('xml')).toEqual([404, null, expect.anything()])
  })

  it('limits how often an address reads feeds [RSS-01]', async () => {
    const address = from()
    const statuses = new Set<number>()
    for (let round = 0; round < 13; round++) {
      const some = await Promise.all(
        Array.from({ length: 50 }, () => read(everyones(), { ...address, method: 'HEAD' })),
      )
      for (const { status } of some) statuses.add(status)
    }
    expect([...statuses]).toEqual([200, 429])
    const limited = await read(everyones(), address)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await read(everyones(), from())).status).toBe(200)
  })
})

describe('a private feed', () => {
  let fan: Person
  beforeEach(async () => {
    fan = await gateway.signUp()
  })

  it('is a valid podcast with what the fan may read, and nothing that they may not [RSS-02]', async () => {
    await subscribe(fan)
    const response = await read(await own(fan))
    const document = await parseRss(await response.text(), response.url)
    for (const { name, check } of [...rssRules, ...podcastRules])
      expect.soft({ [name]: check(document) }).toEqual({ [name]: [] })
    expect(document.items.map((item) => textsOf(item, 'title')[0])).toEqual(['Basic film', 'Open & free'])
    expect(document.text).toContain('BASIC')
    expect(document.text).not.toMatch(/PREMIUM|Premium/)
    const json = await read(await own(fan, 'json'))
    const feed = parseJsonFeed(await json.text(), json.url)
    for (const { name, check } of jsonFeedRules) expect.soft({ [name]: check(feed) }).toEqual({ [name]: [] })
    expect(feed.feed.items.map(({ title }) => title)).toEqual(['Basic film', 'Open & free'])
  })

  it('has links with which an app gets the film and the pictures without signing in [RSS-02]', async () => {
    await subscribe(fan)
    const [item] = await itemsOf(await read(await own(fan, 'json')))
    const [attachment] = item?.attachments ?? []
    expect(attachment).toMatchObject({ mime_type: 'video/mp4', size_in_bytes: expect.any(Number) })
    const downloaded = await fetch(String(attachment?.url))
    expect([downloaded.status, downloaded.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect((await downloaded.arrayBuffer()).byteLength).toBe(attachment?.size_in_bytes)
    const part = await fetch(String(attachment?.url), { headers: { range: 'bytes=0-99' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
    expect((await fetch(String(item?.image))).status).toBe(200)
  })

  it('is kept by nobody else: no shared cache, search engine, referrer, or compression [RSS-02]', async () => {
    await subscribe(fan)
    const headers = { 'accept-encoding': 'br, gzip' }
    for (const path of [await own(fan), await own(fan, 'json'), `/feeds/${'0'.repeat(48)}.xml`]) {
      const answer = Object.fromEntries((await read(path, { headers })).headers)
      expect(answer).toMatchObject({
        'cache-control': 'private, no-cache',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      })
      expect(answer).not.toHaveProperty('content-encoding')
    }
  })

  it('answers 304 until something changes, and HEAD without a body [RSS-02]', async () => {
    const author = await buildCreator(gateway)
    await subscribe(fan, await buildPlan(author, 500), { to: author })
    await publish(author, { content: 'The first' })
    const path = await own(fan, 'xml', author)
    const tag = (await read(path)).headers.get('etag') ?? ''
    const ask = async (init: RequestInit = {}) =>
      (await read(path, { headers: { 'if-none-match': tag }, ...init })).status
    expect([await ask(), await ask({ method: 'HEAD' })]).toEqual([304, 304])
    expect((await read(path, { headers: { 'if-modified-since': new Date().toUTCString() } })).status).toBe(200)
    const head = await read(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    await publish(author, { content: 'The second' })
    expect(await ask()).toBe(200)
  })

  it('has no posts for an admin that they haven’t subscribed to [RSS-02]', async () => {
    const admin = await buildAdmin(gateway)
    await subscribe(admin)
    expect(await (await read(await own(admin))).text()).not.toMatch(/PREMIUM/)
  })

  it('of a private creator is open to subscribers [RSS-02]', async () => {
    const author = await buildCreator(gateway)
    await publish(author, { content: 'For the few' })
    await author.client.from('profiles').update({ is_private: true }).eq('id', author.profileId).throwOnError()
    await subscribe(fan, await buildPlan(author, 500), { to: author })
    expect(await (await read(await own(fan, 'xml', author))).text()).toContain('For the few')
  })

  it('ends with the subscription, and a new one has a new address [RSS-02]', async () => {
    const id = await subscribe(fan)
    const before = await own(fan)
    expect((await read(before)).status).toBe(200)
    await subscribe(fan, basic, { id, status: 'canceled' })
    const response = await read(before)
    expect([response.status, await response.text()]).toEqual([404, 'There is no feed at this address.\n'])
    await subscribe(fan)
    expect((await read(before)).status).toBe(404)
    expect((await read(await own(fan))).status).toBe(200)
  })

  const ends: Readonly<Record<string, (fan: Person) => PromiseLike<unknown>>> = {
    'when the fan renews it': (fan) => tokenOf(fan, 'renew_feed_address'),
    'when the creator blocks the fan': (fan) =>
      creator.client.from('blocks').insert({ blocker_id: creator.profileId, blocked_id: fan.profileId }).throwOnError(),
    'when the fan blocks the creator': (fan) =>
      fan.client.from('blocks').insert({ blocker_id: fan.profileId, blocked_id: creator.profileId }).throwOnError(),
    'when the fan is suspended': async (fan) =>
      (await buildAdmin(gateway)).client
        .rpc('suspend_user', { profile_id: fan.profileId, reason: 'Spam' })
        .throwOnError(),
    'when the fan deletes the account': (fan) => gateway.query('select private.delete_account($1)', [fan.userId]),
  }
  it.each(Object.keys(ends))('ends %s [RSS-02]', async (how) => {
    await subscribe(fan)
    const [xml, json] = [await own(fan), await own(fan, 'json')]
    expect((await read(xml)).status).toBe(200)
    await ends[how]?.(fan)
    expect([(await read(xml)).status, (await read(json)).status]).toEqual([404, 404])
  })

  it('ends when the creator is suspended or deletes the account [RSS-02]', async () => {
    const admin = await buildAdmin(gateway)
    for (const isDeleted of [false, true]) {
      const author = await buildCreator(gateway)
      await subscribe(fan, await buildPlan(author, 500), { to: author })
      const path = await own(fan, 'xml', author)
      expect((await read(path)).status).toBe(200)
      if (isDeleted) await gateway.query('select private.delete_account($1)', [author.userId])
      else await admin.client.rpc('suspend_user', { profile_id: author.profileId, reason: 'Spam' }).throwOnError()
      expect((await read(path)).status).toBe(404)
    }
  })

  it.each([
    'nonsense',
    `${'0'.repeat(48)}.xml`,
    `${'0'.repeat(47)}.xml`,
    `${'0'.repeat(48)}.html`,
    `${'A'.repeat(48)}.xml`,
  ])('answers 404 at /feeds/%s [RSS-02]', async (file) => {
    expect((await read(`/feeds/${file}`)).status).toBe(404)
  })

  it('is paused when it was read from more than five networks, says so in both formats, and notifies the fan once [RSS-02]', async () => {
    await subscribe(fan)
    const [xml, json] = [await own(fan), await own(fan, 'json')]
    const addresses = [
      '203.0.113.1',
      '203.0.113.200',
      '192.0.2.1',
      '2001:db8:1::1',
      '2001:db8:1:ffff::1',
      '2001:db8:2::1',
      '198.18.0.1',
    ]
    for (const address of addresses) {
      expect(
        (await itemsOf(await read(json, from(address)))).map(({ title }) => title),
        address,
      ).toContain('Basic film')
    }
    for (const [index, path] of [xml, json, xml, json].entries()) {
      const text = await (await read(path, from(`198.19.${index}.1`))).text()
      expect(text).toContain('This feed is paused')
      expect(text).not.toMatch(/Basic film|BASIC|mp4/)
    }
    const { data } = await fan.client.from('notifications').select('title, message').eq('type', 'other').throwOnError()
    expect(data).toEqual([
      {
        title: `Your private feed of ${creator.username} is paused`,
        message: expect.stringContaining('renew its address'),
      },
    ])
    await tokenOf(fan, 'renew_feed_address')
    expect((await read(xml)).status).toBe(404)
    expect((await itemsOf(await read(await own(fan, 'json')))).map(({ title }) => title)).toContain('Basic film')
  })

  it('stores networks only as hashes that differ for each feed [RSS-02]', async () => {
    const other = await gateway.signUp()
    for (const person of [fan, other]) {
      await subscribe(person)
      await read(await own(person), from('203.0.113.77'))
    }
    const rows = await gateway.query<{ networks: object }>(
      'select networks from private.feed_addresses where fan_id = any($1)',
      [[fan.profileId, other.profileId]],
    )
    const names = rows.flatMap(({ networks }) => Object.keys(networks))
    expect(new Set(names).size).toBe(2)
    expect(names.join()).not.toMatch(/203|113/)
  })

  it('limits how often it is read, from all addresses together [RSS-02]', async () => {
    await subscribe(fan)
    const path = await own(fan)
    const statuses = new Set<number>()
    for (let round = 0; round < 13; round++) {
      const some = await Promise.all(Array.from({ length: 10 }, () => read(path, { method: 'HEAD' })))
      for (const { status } of some) statuses.add(status)
    }
    expect([...statuses]).toEqual([200, 429])
    expect((await read(path, from())).status).toBe(429)
  })
})
