import { categories } from '@ovation/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let viewer: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  viewer = await world.buildPerson()
  // 4,100 well-known people hide the rest from the first look.
  await world.query(`begin; set local session_replication_role = replica;
    insert into private.profiles (user_id, username, display_name, followers_count)
    select gen_random_uuid(), 'crowd-' || n, 'Known ' || n, 100 from generate_series(1, 4100) n;
    insert into private.profiles (user_id, username, display_name, bio, followers_count, is_private) values
      (gen_random_uuid(), 'zora-quill', 'Zora Q', 'bio', 1, false),
      (gen_random_uuid(), 'ink_and_quill', 'Nobody', 'bio', 7, false),
      (gen_random_uuid(), 'hidden', 'The QUILL', 'secret bio', 0, true),
      (gen_random_uuid(), 'percent', '100% qu_ll', 'bio', 0, false);
    commit`)
})
afterAll(() => world.close())

const search = (text: string, size = 20, caller: Person | 'anon' = viewer) =>
  world.as(caller, 'select * from public.search_profiles($1, $2)', [text, size])
const names = async (text: string, size?: number) => (await search(text, size)).map(({ username }) => username)

describe('search_profiles', () => {
  it('finds usernames and display names, ignoring case, with the most followers first [SRCH-04]', async () => {
    expect(await names('quill')).toEqual(['ink_and_quill', 'zora-quill', 'hidden'])
    expect(await names('  QuIlL ')).toEqual(['ink_and_quill', 'zora-quill', 'hidden'])
    expect(await names('zora q')).toEqual(['zora-quill'])
  })

  it('returns the requested number [SRCH-03]', async () => {
    expect(await names('crowd')).toHaveLength(20)
    expect(await names('quill', 1)).toEqual(['ink_and_quill'])
    expect(await names('quill', 0)).toEqual([])
    expect(await names('crowd', 1000)).toHaveLength(100)
  })

  it('treats wildcards as text [SRCH-04]', async () => {
    // Names with the text come before those with its words.
    expect((await names('100%'))[0]).toBe('percent')
    expect(await names('qu_ll')).toEqual(['percent'])
    expect(await names('%%%')).toEqual([])
  })

  it('finds one or two letters among the best-known profiles', async () => {
    expect(await names('ow')).toHaveLength(20)
    expect(await names('zz')).toEqual([])
  })

  it('returns nothing for an empty search', async () => {
    expect(await names('  ')).toEqual([])
    expect(await names('')).toEqual([])
  })

  it("masks what the viewer can't see, also for visitors [PROF-22]", async () => {
    const [mine] = await search('the quill')
    const [theirs] = await search('the quill', 20, 'anon')
    for (const row of [mine, theirs]) expect(row).toMatchObject({ username: 'hidden', bio: null, total_earnings: null })
  })

  it('keeps the order when followers change', async () => {
    await world.query(`update private.profiles set followers_count = 90 where username = 'zora-quill'`)
    expect(await names('quill')).toEqual(['zora-quill', 'ink_and_quill', 'hidden'])
  })
})

describe('search_profiles beyond names', () => {
  const add = async (username: string, displayName: string, bio: string, isPrivate = false) => {
    const { profileId } = await world.buildPerson({ username })
    await world.query(
      `update private.profiles set display_name = $2, bio = $3, is_private = $4, categories = '{Photography}' where id = $1`,
      [profileId, displayName, bio, isPrivate],
    )
  }
  beforeAll(async () => {
    await add('tomas', 'Tomás Rey', 'I shoot the Jerte valley on film.')
    await add('closed', 'Closed', 'A garden in the valley', true)
    await world.buildPerson({ username: 'valley-walker' })
  })

  it('finds words of bios and categories after names, without accents and case [LOOP-10]', async () => {
    expect(await names('valley')).toEqual(['valley-walker', 'tomas'])
    expect(await names('JERTE film')).toEqual(['tomas'])
    expect(await names('photogr')).toEqual(['tomas'])
    expect(await names('tomas rey photography')).toEqual(['tomas'])
    expect(await names('valley photographers')).toEqual([])
  })

  it('tolerates a typo in a name [LOOP-10]', async () => {
    expect(await names('tomaz')).toEqual(['tomas'])
    expect(await names('valey-walker')).toEqual(['valley-walker'])
  })

  it("doesn't find a profile by what the viewer can't see [LOOP-10, PROF-22, D39]", async () => {
    expect(await names('garden')).toEqual([])
    const blocker = await world.buildPerson()
    await world.query(`update private.profiles set bio = 'Zeppelins' where id = $1`, [blocker.profileId])
    expect(await names('zeppelins')).toEqual([blocker.username])
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      blocker.profileId,
      viewer.profileId,
    ])
    expect(await names('zeppelins')).toEqual([])
  })

  it('reads only the beginning of a very long search', async () => {
    expect(await names(`valley-walker ${' '.repeat(200)} zzz`)).toEqual(['valley-walker'])
  })
})

describe('search_posts', () => {
  const posts = async (text: string, caller: Person | 'anon' = viewer) =>
    (await world.as(caller, 'select id from public.search_posts($1)', [text])).map(({ id }) => id)
  let creator: Creator
  let fan: Person
  let free: string
  let locked: string
  let closed: string
  beforeAll(async () => {
    creator = await world.buildCreator()
    const hidden = await world.buildCreator({ isPrivate: true })
    fan = await world.buildPerson()
    await world.subscribe(fan, creator)
    await world.subscribe(fan, hidden)
    free = (await world.buildPost(creator, { content: 'A café at the lighthouse' })).id
    locked = (await world.buildPost(creator, { content: 'A lighthouse for subscribers', type: 'subscription' })).id
    closed = (await world.buildPost(hidden, { content: 'A lighthouse behind the wall' })).id
    await world.query(`update private.posts set title = 'Foghorn' where id = $1`, [locked])
  })

  it('finds words of titles and free posts, newest first [LOOP-10]', async () => {
    expect(await posts('lighthouse', 'anon')).toEqual([free])
    expect(await posts('CAFE lighth', 'anon')).toEqual([free])
    expect(await posts('foghorn', 'anon')).toEqual([locked])
    await world.query(`update private.posts set title = 'Foghorn' where id = $1`, [free])
    await world.query(`update private.posts set created_at = now() + interval '1 minute' where id = $1`, [free])
    expect(await posts('foghorn', 'anon')).toEqual([free, locked])
  })

  it("never finds a post by its locked text, or one that the viewer can't see [LOOP-10, POST-46, PROF-22]", async () => {
    expect(await posts('subscribers', 'anon')).toEqual([])
    expect(await posts('subscribers', fan)).toEqual([])
    expect(await posts('lighthouse behind')).toEqual([])
    expect(await posts('lighthouse behind', fan)).toEqual([closed])
  })

  it('masks a locked post that it finds by its title [LOOP-10, POST-46]', async () => {
    const [row] = await world.as('anon', `select * from public.search_posts('foghorn') where is_locked`)
    expect(row).toMatchObject({ id: locked, media_urls: [] })
  })

  it('tolerates a typo in a title [LOOP-10]', async () => {
    expect(await posts('fogharn', 'anon')).toContain(locked)
  })

  it('finds nothing for an empty or very short search', async () => {
    for (const text of ['', '  ', 'fo', '%%%', "'", '!!!']) expect(await posts(text)).toEqual([])
  })
})

describe('search_tags', () => {
  const tags = async (text: string) =>
    (await world.as('anon', 'select category from public.search_tags($1)', [text])).map(({ category }) => category)

  it('finds categories by their beginning and with a typo, all of them [LOOP-10, EXPL-05]', async () => {
    expect(await tags('photo')).toEqual(['Photography'])
    expect(await tags('photografy')).toEqual(['Photography'])
    for (const category of categories) expect(await tags(category)).toContain(category)
    expect(await tags('xylophone')).toEqual([])
  })
})
