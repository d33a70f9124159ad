import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, type World } from '../world.ts'

let world: World
let viewer: Person
beforeAll(async () => {
  world = await openWorld()
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
    expect(await names('100%')).toEqual(['percent'])
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
