import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

/** The operator's front page (FIND-06): front_page, featured_creators, and bucket front-page. */
let world: DatabaseFixture
let admin: Person
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  admin = await world.buildAdmin()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

type Settings = Partial<
  Record<'headline' | 'message' | 'accent' | 'picture_path' | 'picture_alt' | 'logo_path', string | null> & {
    creator_ids: (string | null)[]
  }
>
const set = (settings: Settings = {}, caller: Caller = admin) => {
  const names = Object.keys(settings)
  return world.as(
    caller,
    `select public.set_front_page(${names.map((name, index) => `${name} => $${index + 1}`).join(', ')})`,
    Object.values(settings),
  )
}
const columns = 'headline, message, accent, picture_path, picture_alt, logo_path'
const read = async (caller: Caller = 'anon') => (await world.as(caller, `select ${columns} from public.front_page`))[0]
const creators = (caller: Caller = 'anon') => world.as(caller, 'select * from public.front_creators()')
const featured = async (caller: Caller = 'anon') =>
  (await creators(caller)).filter(({ is_featured }) => is_featured).map(({ id }) => id)
const files = async (path: string) => (await world.query('select from storage.objects where name = $1', [path])).length
const unset = {
  headline: null,
  message: null,
  accent: null,
  picture_path: null,
  picture_alt: null,
  logo_path: null,
}

/** An upload by an admin, as the app names it. @param age for example `2 days`. */
async function upload(age = '0 days'): Promise<string> {
  const name = `picture/${randomUUID()}.png`
  await world.as(admin, `insert into storage.objects (bucket_id, name) values ('front-page', $1)`, [name])
  await world.query('update storage.objects set created_at = now() - $2::interval where name = $1', [name, age])
  return name
}

beforeEach(() => set())

describe('front_page', () => {
  it('shows everyone what an admin has set, and the product’s own after a reset [FIND-06]', async () => {
    expect(await read()).toEqual(unset)
    const [picture_path, logo_path] = [await upload(), await upload()]
    await set({
      headline: '  Photos from\n Lisbon  ',
      message: ' Seven artists.\nOne city. ',
      accent: '#1F5F99',
      picture_path,
      picture_alt: ' A tram ',
      logo_path,
    })
    for (const caller of ['anon', fan, admin] as const)
      expect(await read(caller)).toEqual({
        headline: 'Photos from Lisbon',
        message: 'Seven artists.\nOne city.',
        accent: '#1f5f99',
        picture_path,
        picture_alt: 'A tram',
        logo_path,
      })
    await set({ headline: ' ', picture_alt: 'Of no picture' })
    expect(await read()).toEqual(unset)
  })

  it('is written by admins alone, and only as a whole [FIND-06, GEN-34]', async () => {
    const settings = { headline: 'Mine', creator_ids: [] }
    for (const caller of ['anon', fan] as const) await expect(set(settings, caller)).rejects.toMatchObject(refused)
    for (const statement of [
      `update public.front_page set headline = 'Mine'`,
      `insert into public.front_page (headline) values ('Mine')`,
      'delete from public.front_page',
      `insert into public.featured_creators (creator_id, position) values ('${fan.profileId}', 1)`,
      'delete from public.featured_creators',
    ])
      for (const caller of [fan, admin]) await expect(world.as(caller, statement)).rejects.toMatchObject(refused)
    expect(await read()).toEqual(unset)
  })

  it('has one row', async () => {
    await expect(world.query('insert into public.front_page default values')).rejects.toMatchObject({ code: '23505' })
  })

  it.each([
    ['81 characters', { headline: 'x'.repeat(81) }, '23514', 'The headline can have up to 80 characters'],
    ['401 characters', { message: 'x'.repeat(401) }, '23514', 'The text can have up to 400 characters'],
    ['a color by its name', { accent: 'red' }, '23514', 'The color must be a hex value such as #1f5f99'],
    ['half a color', { accent: '#12345' }, '23514', 'The color must be a hex value such as #1f5f99'],
    ['more than a color', { accent: '#123456;}' }, '23514', 'The color must be a hex value such as #1f5f99'],
    ['a picture of nowhere', { picture_path: 'picture/none.png' }, 'PT422', 'The picture has not been uploaded'],
    ['a logo of nowhere', { logo_path: '../posts/x' }, 'PT422', 'The picture has not been uploaded'],
    ['a missing creator', { creator_ids: [null] }, '22023', 'creator_ids must name each creator once'],
  ])('rejects %s, and keeps what was there [FIND-06]', async (_what, settings, code, message) => {
    await set({ headline: 'Before' })
    await expect(set(settings)).rejects.toMatchObject({ code, message })
    expect(await read()).toEqual({ ...unset, headline: 'Before' })
  })

  it('accepts the longest texts, and markup as text [FIND-06]', async () => {
    const headline = `<b>${'é'.repeat(77)}`
    const picture_path = await upload()
    await set({ headline, message: '👩‍🎤'.repeat(100), picture_path, picture_alt: 'x'.repeat(200) })
    expect(await read()).toMatchObject({ headline, message: '👩‍🎤'.repeat(100) })
    await expect(set({ picture_path, picture_alt: 'x'.repeat(201) })).rejects.toMatchObject({
      message: 'The description can have up to 200 characters',
    })
  })

  it('holds its limits also without the function', async () => {
    for (const [column, value, constraint] of [
      ['headline', 'x'.repeat(81), 'front_page_headline_length'],
      ['message', ' ', 'front_page_message_length'],
      ['accent', '#FFFFFF', 'front_page_accent_hex'],
      ['picture_alt', 'A tram', 'front_page_picture_alt_of_picture'],
    ])
      await expect(
        world.as('service_role', `update public.front_page set ${column} = $1`, [value]),
      ).rejects.toMatchObject({ constraint })
  })
})

describe('pictures of the front page', () => {
  it('are uploaded by admins alone, and replaced or deleted by nobody [FIND-06]', async () => {
    const insert = `insert into storage.objects (bucket_id, name) values ('front-page', $1)`
    for (const caller of ['anon', fan] as const)
      for (const name of ['picture/1.png', `${fan.userId}/1.png`])
        await expect(world.as(caller, insert, [name])).rejects.toMatchObject(refused)
    const path = await upload()
    for (const statement of [
      `update storage.objects set version = 'other' where name = $1 returning id`,
      'delete from storage.objects where name = $1 returning id',
    ])
      for (const caller of [fan, admin]) expect(await world.as(caller, statement, [path])).toEqual([])
    expect(await files(path)).toBe(1)
  })

  it('are deleted once they aren’t shown, like uploads that were never saved [FIND-06]', async () => {
    const [first, second, logo, lost, fresh] = [
      await upload('3 days'),
      await upload('3 days'),
      await upload('3 days'),
      await upload('2 days'),
      await upload(),
    ]
    await set({ picture_path: first, logo_path: logo })
    expect(await Promise.all([first, logo, lost, fresh].map(files))).toEqual([1, 1, 0, 1])
    const third = await upload()
    await set({ picture_path: third, logo_path: logo })
    expect(await Promise.all([first, second, third, logo].map(files))).toEqual([0, 0, 1, 1])
    const removals = await world.query('select name from private.storage_removals where bucket_id = $1', ['front-page'])
    expect(removals.map(({ name }) => name)).toEqual(expect.arrayContaining([first, second, lost]))
  })

  it('stay when the admin’s account is deleted [FIND-06, SET-14]', async () => {
    const leaving = await world.buildAdmin()
    const name = `picture/${randomUUID()}.png`
    await world.as(leaving, `insert into storage.objects (bucket_id, name) values ('front-page', $1)`, [name])
    await set({ picture_path: name }, leaving)
    await world.query('select private.delete_account($1)', [leaving.userId])
    expect(await files(name)).toBe(1)
    expect(await read()).toMatchObject({ picture_path: name })
  })
})

describe('featured creators', () => {
  const build = (count: number): Promise<Creator[]> =>
    Promise.all(Array.from({ length: count }, () => world.buildCreator()))
  const idsOf = (people: readonly Person[]) => people.map(({ profileId }) => profileId)

  it('come first in their order, then popular ones, those with a cover first [FIND-06, LOOP-03]', async () => {
    const [one, two, popular, covered] = (await build(4)) as [Creator, Creator, Creator, Creator]
    await world.subscribe(fan, popular)
    await world.query('update private.profiles set cover_url = $2 where id = $1', [covered.profileId, '/c.webp'])
    const before = (await creators()).map(({ id }) => id)
    expect(before.indexOf(covered.profileId)).toBeLessThan(before.indexOf(popular.profileId))
    await set({ creator_ids: idsOf([two, one]) })
    const shown = await creators()
    expect(shown.slice(0, 3).map(({ id, is_featured }) => [id, is_featured])).toEqual([
      [two.profileId, true],
      [one.profileId, true],
      [covered.profileId, false],
    ])
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length)
    expect(shown[0]).toMatchObject({ username: two.username, subscription_price: '9.99', is_verified: true })
  })

  it('are up to twelve, in rows of three, and no creator twice [FIND-06]', async () => {
    const many = await build(13)
    await set()
    expect(await creators()).toHaveLength(6)
    for (const [count, shown] of [
      [6, 6],
      [7, 9],
      [12, 12],
    ] as const) {
      await set({ creator_ids: idsOf(many.slice(0, count)) })
      expect(await featured()).toEqual(idsOf(many.slice(0, count)))
      expect(await creators()).toHaveLength(shown)
    }
    await expect(set({ creator_ids: idsOf(many) })).rejects.toMatchObject({
      message: 'Up to 12 creators can be featured',
    })
    const [twice] = idsOf(many)
    await expect(set({ creator_ids: [twice ?? null, twice ?? null] })).rejects.toMatchObject({ code: '22023' })
    expect(await featured()).toHaveLength(12)
  })

  it('disappear when visitors may no longer see them, and come back by themselves [FIND-06, PROF-22]', async () => {
    const [leaving, hiding, blocking, staying] = (await build(4)) as [Creator, Creator, Creator, Creator]
    await set({ creator_ids: idsOf([leaving, hiding, blocking, staying]) })
    const isPrivate = (value: boolean) =>
      world.query('update private.profiles set is_private = $2 where id = $1', [hiding.profileId, value])
    await isPrivate(true)
    expect(await featured()).toEqual(idsOf([leaving, blocking, staying]))
    await world.as(admin, 'select public.suspend_user(profile_id => $1, reason => $2)', [staying.profileId, 'Spam'])
    expect(await featured()).toEqual(idsOf([leaving, blocking]))
    await world.query('select private.delete_account($1)', [leaving.userId])
    expect(await featured()).toEqual(idsOf([blocking]))
    await isPrivate(false)
    expect(await featured()).toEqual(idsOf([hiding, blocking]))
    // A creator who was deleted before the admin saved is left out.
    await set({ creator_ids: idsOf([leaving, staying]) })
    const kept = 'select creator_id from public.featured_creators order by position'
    expect(await world.as(admin, kept)).toEqual([{ creator_id: staying.profileId }])
    expect(await world.as(fan, kept)).toEqual([])
    await expect(world.as('anon', kept)).rejects.toMatchObject(refused)
  })

  it('are chosen while one of them deletes the account [FIND-06]', async () => {
    const [one, two] = (await build(2)) as [Creator, Creator]
    await set({ creator_ids: idsOf([one, two]) })
    const { commit } = await world.begin('service_role', [
      'reset role',
      `select private.delete_account('${one.userId}')`,
    ])
    const saving = set({ creator_ids: idsOf([two, one]) })
    await commit()
    await saving
    expect(await featured()).toEqual([two.profileId])
  })
})

describe('the audit log', () => {
  it('says which settings changed, without the words [FIND-06, DATA-25]', async () => {
    const creator = await world.buildCreator()
    await set({ headline: 'Photos from Lisbon', accent: '#1f5f99', creator_ids: [creator.profileId] })
    const [line] = await world.query(
      `select before, after, details, actor_id from public.audit_log where action = 'change_front_page' order by created_at desc limit 1`,
    )
    expect(line).toMatchObject({
      actor_id: admin.userId,
      before: { accent: null, creator_ids: [] },
      after: { accent: '#1f5f99', creator_ids: [creator.profileId] },
      details: { new_headline: true, new_message: false },
    })
    expect(JSON.stringify(line)).not.toContain('Lisbon')
  })
})
