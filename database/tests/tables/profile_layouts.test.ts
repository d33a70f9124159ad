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

const save = (caller: Caller, columns: Record<string, unknown>, of: Person = creator) =>
  world.as(
    caller,
    `insert into public.profile_layouts (creator_id, ${Object.keys(columns).join(', ')})
     values ($1, ${Object.keys(columns).map((_column, index) => `$${index + 2}`)})
     on conflict (creator_id) do update set ${Object.keys(columns).map((column) => `${column} = excluded.${column}`)} returning *`,
    [of.profileId, ...Object.values(columns)],
  )
const layoutFor = async (caller: Caller, of: Person = creator) =>
  (await world.as(caller, 'select * from public.profile_layouts where creator_id = $1', [of.profileId]))[0]
const factsFor = (caller: Caller) =>
  world.as(caller, 'select * from public.get_subscription_facts($1)', [creator.profileId])
/** A post with a video. @returns its id. */
async function buildVideo(author: Creator, price: number | null = null) {
  const path = await world.buildFile(author, 'posts', 'video/mp4')
  const [post] = await world.as(
    author,
    `insert into public.posts (creator_id, content, post_type, media_urls, media_types, ppv_price)
     values ($1, 'Hello', $3, array[$2], array['video'], $4) returning id`,
    [author.profileId, path, price === null ? 'free' : 'ppv', price],
  )
  return String(post?.id)
}

describe('the layout of a profile', () => {
  it('is visible to everyone who may read the profile [PAGE-01, PROF-22, D39]', async () => {
    expect(await layoutFor('anon')).toBeUndefined()
    await save(creator, { accent_color: '#1f5f99', welcome_text: 'Hello' })
    const shown = { accent_color: '#1f5f99', welcome_text: 'Hello', tab_order: null, shows_post_count: false }
    for (const caller of ['anon', fan, creator] as const) expect(await layoutFor(caller)).toMatchObject(shown)

    const blocked = await world.buildPerson()
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      blocked.profileId,
    ])
    expect(await layoutFor(blocked)).toBeUndefined()

    await world.as(creator, 'update public.profiles set is_private = true where id = $1', [creator.profileId])
    const admin = await world.buildAdmin()
    expect([await layoutFor('anon'), await layoutFor(fan)]).toEqual([undefined, undefined])
    for (const caller of [creator, admin]) expect(await layoutFor(caller)).toMatchObject(shown)
  })

  it('belongs to an approved creator, who alone changes it [PAGE-01, D25]', async () => {
    const rival = await world.buildCreator()
    await save(creator, { accent_color: '#1f5f99' })
    await expect(save(fan, { welcome_text: 'Hello' }, fan)).rejects.toMatchObject(refused)
    await expect(save(rival, { welcome_text: 'Hello' }, creator)).rejects.toMatchObject(refused)
    await world.as(rival, `update public.profile_layouts set accent_color = '#ffffff'`)
    await expect(save('anon', { welcome_text: 'Hello' })).rejects.toMatchObject(refused)
    await expect(world.as(creator, 'delete from public.profile_layouts')).rejects.toMatchObject(refused)
    expect(await layoutFor(fan)).toMatchObject({ accent_color: '#1f5f99', welcome_text: null })

    await world.query('update private.profiles set is_verified = false where id = $1', [creator.profileId])
    expect([await layoutFor(fan), await layoutFor(creator)]).toEqual([undefined, expect.anything()])
    await expect(save(creator, { welcome_text: 'Hello' })).rejects.toMatchObject(refused)
  })

  it.each([
    ['a color name', { accent_color: 'red' }, 'accent_color_format'],
    ['a color with a style in it', { accent_color: '#123456;}' }, 'accent_color_format'],
    ['a color in capitals', { accent_color: '#ABCDEF' }, 'accent_color_format'],
    ['a blank welcome', { welcome_text: ' \n' }, 'welcome_text_length'],
    ['a long welcome', { welcome_text: 'x'.repeat(501) }, 'welcome_text_length'],
    ['a missing tab', { tab_order: ['posts', 'media', 'about'] }, 'tab_order_whole'],
    ['a tab twice', { tab_order: ['posts', 'media', 'about', 'about'] }, 'tab_order_whole'],
    ['an unknown tab', { tab_order: ['posts', 'media', 'subscribe', 'shop'] }, 'tab_order_whole'],
    [
      'tabs in pairs',
      {
        tab_order: [
          ['posts', 'media'],
          ['subscribe', 'about'],
        ],
      },
      'tab_order_whole',
    ],
    ['a tab without a name', { tab_order: ['posts', 'media', 'subscribe', null] }, 'tab_order_whole'],
    ['no tabs', { tab_order: [] }, 'tab_order_whole'],
  ])('rejects %s [PAGE-01]', async (_what, columns, rule) => {
    await expect(save(creator, columns)).rejects.toMatchObject({ code: '23514', constraint: `profile_layouts_${rule}` })
    expect(await layoutFor(creator)).toBeUndefined()
  })

  it('has the tabs in any order [PAGE-01]', async () => {
    const tab_order = ['about', 'subscribe', 'media', 'posts']
    await save(creator, { tab_order })
    expect(await layoutFor('anon')).toMatchObject({ tab_order })
  })

  it('features only a post of the creator, and none after its deletion [PAGE-01]', async () => {
    const rival = await world.buildCreator()
    const own = (await world.buildPost(creator, { type: 'subscription' })).id
    const theirs = (await world.buildPost(rival)).id
    const notOwn = { code: 'PT422', message: 'Feature one of your own posts' }
    for (const featured_post_id of [theirs, creator.profileId])
      await expect(save(creator, { featured_post_id })).rejects.toMatchObject(notOwn)
    await save(creator, { featured_post_id: own })
    await expect(save(creator, { featured_post_id: theirs })).rejects.toMatchObject(notOwn)
    expect(await layoutFor('anon')).toMatchObject({ featured_post_id: own })
    await world.as(creator, 'delete from public.posts where id = $1', [own])
    expect(await layoutFor('anon')).toMatchObject({ featured_post_id: null })
  })

  it('welcomes visitors only with a free video of the creator [PAGE-01]', async () => {
    const rival = await world.buildCreator()
    const picture = (await world.buildPost(creator)).id
    for (const welcome_post_id of [picture, await buildVideo(rival), await buildVideo(creator, 500)])
      await expect(save(creator, { welcome_post_id })).rejects.toMatchObject({
        code: 'PT422',
        message: 'Welcome visitors with one of your own free posts that has a video',
      })
    const welcome_post_id = await buildVideo(creator)
    await save(creator, { welcome_post_id })
    expect(await layoutFor('anon')).toMatchObject({ welcome_post_id })
  })

  it('never keeps a creator from deleting a post that it shows, posts together, or the account [PAGE-01]', async () => {
    const [one, other] = [await buildVideo(creator), await buildVideo(creator)]
    await save(creator, { featured_post_id: one, welcome_post_id: one })
    await world.as(creator, 'delete from public.posts where id = $1', [one])
    expect(await layoutFor('anon')).toMatchObject({ featured_post_id: null, welcome_post_id: null })
    await save(creator, { featured_post_id: await buildVideo(creator), welcome_post_id: other })
    await world.as(creator, 'delete from public.posts where creator_id = $1', [creator.profileId])
    expect(await layoutFor('anon')).toMatchObject({ featured_post_id: null, welcome_post_id: null })
    await save(creator, { featured_post_id: await buildVideo(creator), welcome_post_id: await buildVideo(creator) })
    await world.query('select private.delete_account($1, $1)', [creator.userId])
    expect(await layoutFor('service_role')).toBeUndefined()
  })
})

describe('the numbers beside the plans', () => {
  it('are those that the creator shows, and none otherwise [PAGE-01]', async () => {
    await world.subscribe(fan, creator)
    for (const type of ['subscription', 'subscription', 'free', 'ppv']) await world.buildPost(creator, { type })
    expect(await factsFor('anon')).toEqual([])
    await save(creator, { shows_subscriber_count: false })
    expect(await factsFor('anon')).toEqual([])
    await save(creator, { shows_post_count: true })
    expect(await factsFor('anon')).toEqual([{ subscribers: null, posts: 2 }])
    await save(creator, { shows_subscriber_count: true })
    expect(await factsFor(fan)).toEqual([{ subscribers: 1, posts: 2 }])
  })

  it('are hidden with a private profile [PAGE-01, PROF-22]', async () => {
    await save(creator, { shows_post_count: true })
    await world.as(creator, 'update public.profiles set is_private = true where id = $1', [creator.profileId])
    expect([await factsFor('anon'), await factsFor(fan), await factsFor(creator)]).toEqual([
      [],
      [],
      [{ subscribers: null, posts: 0 }],
    ])
  })
})
