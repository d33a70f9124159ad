import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  fan = await world.buildPerson()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
})

const save = (links: unknown, caller: Caller = creator) =>
  world.as(caller, 'select label, url, verified_at from public.set_profile_links($1)', [JSON.stringify(links)])
const linksFor = (caller: Caller, of: Person = creator) =>
  world.as(caller, 'select label, url from public.profile_links where creator_id = $1 order by position', [
    of.profileId,
  ])
const [blog, shop, music] = ['blog', 'shop', 'music'].map((name) => ({ label: name, url: `https://${name}.example/` }))

describe('the links of a creator', () => {
  it('are replaced as a list, in its order [PAGE-01]', async () => {
    expect(await save([blog, shop])).toEqual([
      { ...blog, verified_at: null },
      { ...shop, verified_at: null },
    ])
    await save([music, shop, blog])
    expect(await linksFor('anon')).toEqual([music, shop, blog])
    await save([{ ...blog, label: ' My blog ' }])
    expect(await linksFor(fan)).toEqual([{ ...blog, label: 'My blog' }])
    await save([])
    expect(await linksFor(fan)).toEqual([])
  })

  it('have a mark that no client can write, and that stays with the url [PAGE-01]', async () => {
    await save([blog, shop])
    for (const sql of [
      'update public.profile_links set verified_at = now()',
      'update public.profile_links set url = label',
      `insert into public.profile_links (creator_id, position, label, url) values ('${creator.profileId}', 5, 'x', 'https://x.example/')`,
      'delete from public.profile_links',
    ])
      for (const caller of [creator, fan, 'anon'] as const)
        await expect(world.as(caller, sql), sql).rejects.toMatchObject(refused)
    // Unknown members of a link are ignored.
    await save([{ ...blog, verified_at: '2026-01-01T00:00:00Z', verified: true }])
    expect(
      await world.query('select verified_at from public.profile_links where creator_id = $1', [creator.profileId]),
    ).toEqual([{ verified_at: null }])
    await world.as('service_role', 'update public.profile_links set verified_at = now() where creator_id = $1', [
      creator.profileId,
    ])
    expect(await save([shop, { ...blog, label: 'Diary' }])).toEqual([
      { ...shop, verified_at: null },
      { ...blog, label: 'Diary', verified_at: expect.any(Date) },
    ])
    expect(await save([{ ...blog, url: 'https://blog.example/new' }])).toMatchObject([{ verified_at: null }])
  })

  it.each([
    'http://blog.example/',
    'javascript:alert(1)',
    'data:text/html,hi',
    'https://',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://blog.example:8443/',
    'https://ada:secret@blog.example/',
    'https://Blog.example/',
    'https://blog.example/a b',
    'https://blog.example/"onclick="',
    'https://blog.example/<b>',
    'https://blog.example/\u202egpj.exe',
    'https://bl\u00f6g.example/',
    'https://blog.example/\n',
    ' https://blog.example/',
    `https://blog.example/${'x'.repeat(300)}`,
    '',
  ])('reject the url %j [PAGE-01]', async (url) => {
    await expect(save([{ label: 'Blog', url }])).rejects.toMatchObject({
      code: 'PT422',
      message: 'A url begins with https:// and has up to 300 characters',
    })
    expect(await linksFor(creator)).toEqual([])
  })

  it.each([
    'https://blog.example/',
    'https://blog.example?page=2',
    'https://www.my-blog.co.uk/@ada/?page=2&a=b%20c#top',
    'https://xn--blg-sna.xn--p1ai/',
    `https://blog.example/${'x'.repeat(279)}`,
  ])('accept the url %j [PAGE-01]', async (url) => {
    expect(await save([{ label: 'Blog', url }])).toMatchObject([{ url }])
  })

  it.each(['', ' ', 'x'.repeat(41), 'two\nlines', 'tab\there', 'abc\u202edef', '\u200fabc', 'a\u2066b'])(
    'reject the label %j [PAGE-01]',
    async (label) => {
      await expect(save([{ ...blog, label }])).rejects.toMatchObject({
        code: 'PT422',
        message: 'A label is one line of up to 40 characters',
      })
    },
  )

  it.each([
    ['more than eight', Array.from({ length: 9 }, (_, n) => ({ label: 'x', url: `https://x.example/${n}` })), 'list'],
    ['an object', { ...blog }, 'list'],
    ['nothing', null, 'list'],
    ['a text', ['https://blog.example/'], 'needs a label and a url'],
    ['a link without a label', [{ url: 'https://blog.example/' }], 'needs a label and a url'],
    ['a number as url', [{ label: 'Blog', url: 7 }], 'needs a label and a url'],
    ['the same url twice', [blog, { ...blog, label: 'Again' }], 'Add each url once'],
  ])('reject %s, and stay as they were [PAGE-01]', async (_what, links, message) => {
    await save([shop])
    await expect(save(links)).rejects.toMatchObject({ code: 'PT422', message: expect.stringContaining(message) })
    expect(await linksFor(creator)).toEqual([shop])
  })

  it('are eight at most, also when two lists are saved at the same moment [PAGE-01]', async () => {
    const list = (name: string) =>
      Array.from({ length: 8 }, (_, n) => ({ label: name, url: `https://${name}.example/${n}` }))
    await Promise.all([save(list('one')), save(list('two'))])
    const saved = await linksFor(creator)
    expect(saved).toHaveLength(8)
    expect(new Set(saved.map(({ label }) => label)).size).toBe(1)
  })

  it('belong to approved creators, and are hidden with a private profile and across a block [PAGE-01, PROF-22, D39]', async () => {
    await expect(save([blog], fan)).rejects.toMatchObject(refused)
    await expect(save([blog], 'anon')).rejects.toMatchObject(refused)
    await save([blog])
    const blocked = await world.buildPerson()
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      blocked.profileId,
    ])
    expect([await linksFor(blocked), await linksFor(fan)]).toEqual([[], [blog]])
    await world.as(creator, 'update public.profiles set is_private = true where id = $1', [creator.profileId])
    expect([await linksFor('anon'), await linksFor(fan), await linksFor(creator)]).toEqual([[], [], [blog]])
  })
})
