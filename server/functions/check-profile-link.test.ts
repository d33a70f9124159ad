import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, refusalOf } from '../payments/testing/shop.ts'
import { checkDueLinks } from '../profile-links/check-due-links.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'

let gateway: TestGateway
let site: Server
let creator: Person
/** The page of the creator's own site. */
let page = { status: 200, html: '' }
let requests = 0

beforeAll(async () => {
  gateway = await startGateway({ env: { CUSTOM_DOMAINS: '1' } })
  // A local site has no certificate.
  await gateway.query('alter table public.profile_links drop constraint profile_links_url_format')
  site = createServer((_request, response) => {
    requests += 1
    response.writeHead(page.status, { 'content-type': 'text/html' }).end(page.html)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(async () => {
  creator = await buildCreator(gateway)
  page = { status: 200, html: `<a rel="me" href="${gateway.url}/@${creator.username}">Me</a>` }
  requests = 0
})
afterAll(async () => {
  site.close()
  await gateway.close()
})

async function addLink(person = creator): Promise<string> {
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/${randomUUID()}`
  const { data } = await person.client.rpc('set_profile_links', { links: [{ label: 'My site', url }] }).throwOnError()
  return data[0].id
}
const check = (linkId: string, person = creator) => call(person, 'check-profile-link', { linkId })
const isVerified = async (id: string) => {
  const [link] = await gateway.query<{ verified: boolean }>(
    'select verified_at is not null as verified from public.profile_links where id = $1',
    [id],
  )
  return link?.verified
}
/** As if the last check was some days ago. */
const age = (id: string, days: number) =>
  gateway.query(
    `update public.profile_links set checked_at = checked_at - make_interval(days => $2), verified_at = verified_at - make_interval(days => $2)
     where id = $1`,
    [id, days],
  )

describe('a link of a creator', () => {
  it('is verified when its page links back with rel="me", and for everyone to see [PAGE-01]', async () => {
    const id = await addLink()
    expect(await isVerified(id)).toBe(false)
    expect(await check(id)).toEqual({ outcome: 'confirmed', verified: true })
    const { data } = await gateway.anon.from('profile_links').select('label, verified_at').eq('id', id).throwOnError()
    expect(data).toEqual([{ label: 'My site', verified_at: expect.any(String) }])
  })

  it('also links back by the long address, and by a former username while that still leads there [PAGE-01]', async () => {
    const id = await addLink()
    page.html = `<link rel="me" href="${gateway.url}/profile/${creator.username}">`
    expect(await check(id)).toMatchObject({ outcome: 'confirmed' })
    const username = `n${randomUUID().slice(0, 12)}`
    await creator.client.from('profiles').update({ username }).eq('id', creator.profileId).throwOnError()
    expect(await check(id)).toMatchObject({ outcome: 'confirmed' })
    await gateway.query(`update public.former_usernames set released_at = now() - interval '91 days'`)
    expect(await check(id)).toEqual({ outcome: 'missing', verified: false })
  })

  it('also links back by the creator’s own domain, once that is verified [PAGE-01, PAGE-02]', async () => {
    const id = await addLink()
    const domain = `${randomUUID()}.example`
    page.html = `<a rel="me" href="https://${domain}/">Me</a>`
    await creator.client.from('custom_domains').insert({ creator_id: creator.profileId, domain }).throwOnError()
    expect(await check(id)).toMatchObject({ outcome: 'missing' })
    await gateway.query('update public.custom_domains set verified_at = now() where domain = $1', [domain])
    expect(await check(id)).toEqual({ outcome: 'confirmed', verified: true })
  })

  it('is not verified by a page without the link, or with that of another profile [PAGE-01]', async () => {
    const other = await buildCreator(gateway)
    const id = await addLink()
    for (const html of ['<p>Hello</p>', `<a rel="me" href="${gateway.url}/@${other.username}">Me</a>`]) {
      page.html = html
      expect(await check(id)).toEqual({ outcome: 'missing', verified: false })
    }
    expect(await isVerified(id)).toBe(false)
  })

  it('keeps its mark while its label or its place changes, and needs a new check after its address changes [PAGE-01]', async () => {
    const id = await addLink()
    await check(id)
    const { data: before } = await creator.client
      .from('profile_links')
      .select('url')
      .eq('id', id)
      .single()
      .throwOnError()
    const save = (links: object[]) =>
      creator.client.rpc('set_profile_links', { links }).select('url, verified_at').throwOnError()
    const fresh = { label: 'Shop', url: `${before.url}-2` }
    expect((await save([fresh, { label: 'Renamed', url: before.url }])).data).toEqual([
      { url: fresh.url, verified_at: null },
      { url: before.url, verified_at: expect.any(String) },
    ])
    await save([fresh])
    expect((await save([{ label: 'Back', url: before.url }])).data).toEqual([{ url: before.url, verified_at: null }])
  })

  it('can be checked ten times an hour, by its creator only [PAGE-01]', async () => {
    const id = await addLink()
    const [other, fan] = [await buildCreator(gateway), await gateway.signUp()]
    expect(await refusalOf(other, 'check-profile-link', { linkId: id })).toMatchObject({
      status: 404,
      body: { code: 'link_not_found' },
    })
    expect(await refusalOf(fan, 'check-profile-link', { linkId: id })).toMatchObject({ status: 403 })
    expect(await refusalOf({ client: gateway.anon }, 'check-profile-link', { linkId: id })).toMatchObject({
      status: 401,
    })
    expect(await refusalOf(creator, 'check-profile-link', { linkId: 'x' })).toMatchObject({
      status: 400,
      body: { field: 'linkId' },
    })
    for (let time = 1; time <= 10; time += 1) await check(id)
    expect(await refusalOf(creator, 'check-profile-link', { linkId: id })).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
    expect(requests).toBe(10)
  })
})

describe('the weekly check', () => {
  it('checks verified links after a week, and takes the mark from one that its page no longer confirms [PAGE-01]', async () => {
    const id = await addLink()
    await check(id)
    await age(id, 6)
    await checkDueLinks(gateway.services)
    expect(requests).toBe(1)
    await age(id, 1)
    await checkDueLinks(gateway.services)
    expect([requests, await isVerified(id)]).toEqual([2, true])
    page.html = '<p>Moved</p>'
    await age(id, 7)
    await checkDueLinks(gateway.services)
    expect([requests, await isVerified(id)]).toEqual([3, false])
    await age(id, 7)
    await checkDueLinks(gateway.services)
    expect(requests).toBe(3) // the creator can check it again
  })

  it('leaves the mark once if the page can’t be read, and not twice [PAGE-01]', async () => {
    const id = await addLink()
    await check(id)
    page.status = 503
    await age(id, 7)
    await checkDueLinks(gateway.services)
    expect(await isVerified(id)).toBe(true)
    expect(await check(id)).toEqual({ outcome: 'unreachable', verified: true })
    await age(id, 7)
    await checkDueLinks(gateway.services)
    expect(await isVerified(id)).toBe(false)
  })
})
