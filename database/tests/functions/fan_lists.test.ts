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
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})

type Rule = Record<string, unknown> | null
const createList = async (name: string, rule: Rule = null, caller: Caller = creator) => {
  const [row] = await world.as(caller, 'insert into public.fan_lists (name, rule) values ($1, $2) returning id', [
    name,
    rule && JSON.stringify(rule),
  ])
  return String(row?.id)
}
const add = async (list: string, people: readonly Person[], caller: Caller = creator) =>
  (
    await world.as(caller, 'select public.add_to_fan_list($1, $2) as added', [
      list,
      people.map(({ profileId }) => profileId),
    ])
  )[0]?.added
const remove = async (list: string, people: readonly Person[], caller: Caller = creator) =>
  (
    await world.as(caller, 'select public.remove_from_fan_list($1, $2) as removed', [
      list,
      people.map(({ profileId }) => profileId),
    ])
  )[0]?.removed
const deleteList = (list: string, caller: Caller = creator) =>
  world.as(caller, 'select public.delete_fan_list($1)', [list])
const membersOf = async (list: string, caller: Caller = creator) =>
  (await world.as(caller, 'select username from public.get_fans($1)', [list])).map(({ username }) => username)
const isFan = async (person: Person) =>
  (
    await world.query('select from private.fans where creator_id = $1 and fan_id = $2', [
      creator.profileId,
      person.profileId,
    ])
  ).length === 1
const follow = (person: Person, whom: Person = creator) =>
  world.as(person, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    person.profileId,
    whom.profileId,
  ])

describe('a list', () => {
  it('has fans whom the creator adds, once each, and removes [LIST-01]', async () => {
    const list = await createList('Regulars')
    await follow(fan)
    expect(await add(list, [fan])).toBe(1)
    expect(await add(list, [fan])).toBe(0)
    expect(await membersOf(list)).toEqual([fan.username])
    const [row] = await world.as(creator, 'select l.name, l.members_count from public.fan_lists l')
    expect(row).toEqual({ name: 'Regulars', members_count: 1 })
    expect(await remove(list, [fan])).toBe(1)
    expect(await membersOf(list)).toEqual([])
  })

  it('can have users who neither follow nor pay; without a list, they are no fans [LIST-01]', async () => {
    const [list, other] = [await createList('Guests'), await createList('Press')]
    await add(list, [fan])
    await add(other, [fan])
    expect(await isFan(fan)).toBe(true)
    await remove(list, [fan])
    expect(await isFan(fan)).toBe(true)
    await deleteList(other)
    expect(await isFan(fan)).toBe(false)
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it('stays with a fan who stops following [LIST-01]', async () => {
    const list = await createList('Regulars')
    await follow(fan)
    await add(list, [fan])
    await world.as(fan, 'delete from public.follows where following_id = $1', [creator.profileId])
    expect(await membersOf(list)).toEqual([fan.username])
  })

  it('is nothing that fans or others find out about: no notification, no live change, no export of theirs [LIST-01]', async () => {
    await add(await createList('Regulars'), [fan])
    for (const caller of [fan, await world.buildCreator(), await world.buildAdmin()]) {
      expect(await world.as(caller, 'select * from public.fan_lists')).toEqual([])
      expect(await world.as(caller, 'select * from public.fan_list_members')).toEqual([])
      expect(await world.as(caller, 'select * from public.notifications')).toEqual([])
    }
    for (const table of ['fan_lists', 'fan_list_members'])
      await expect(world.as('anon', `select * from public.${table}`)).rejects.toMatchObject(refused)
    expect(
      await world.query(
        `select from pg_publication_tables where tablename in ('fans', 'fan_lists', 'fan_list_members')`,
      ),
    ).toEqual([])
    expect((await exported(fan)).filter(({ section }) => String(section).startsWith('fan_list'))).toEqual([])
  })

  it("is in the creator's own export [LIST-01]", async () => {
    await add(await createList('Regulars'), [fan])
    const rows = await exported(creator)
    expect(rows.filter(({ section }) => String(section).startsWith('fan_list'))).toMatchObject([
      { section: 'fan_list_members', item: { fan_id: fan.profileId } },
      { section: 'fan_lists', item: { name: 'Regulars' } },
    ])
  })

  const exported = async (person: Person) => {
    const [, rows = []] = await world.inOneTransaction(person, [
      'select public.open_own_data()',
      'fetch all from own_data',
    ])
    return rows.map(({ section, item }) => ({ section, item: JSON.parse(String(item)) }))
  }

  it('ends with the account of the creator, and its members with theirs [LIST-01]', async () => {
    const list = await createList('Regulars')
    await createList('All of them', { all: [{ condition: 'in_list', list }] })
    const other = await world.buildPerson()
    await add(list, [fan, other])
    await world.query('select private.delete_account($1, $1)', [fan.userId])
    expect(await membersOf(list)).toEqual([other.username])
    await world.query('select private.delete_account($1, $1)', [creator.userId])
    expect(await world.query('select from public.fan_lists where id = $1', [list])).toEqual([])
  })

  it('has a name that is new, one line, and up to 50 characters long [LIST-01]', async () => {
    await createList('Regulars')
    await expect(createList('regulars')).rejects.toMatchObject({ constraint: 'fan_lists_name_once' })
    for (const name of ['', ' VIP', 'VIP\nfans', 'x'.repeat(51)])
      await expect(createList(name)).rejects.toMatchObject({ constraint: 'fan_lists_name_format' })
    await createList('Regulars', null, await world.buildCreator())
  })

  it('is one of up to 100 of the creator, with up to 100,000 fans [LIST-01]', async () => {
    const list = await createList('Regulars')
    await world.query(
      `insert into public.fan_lists (creator_id, name) select $1, 'List ' || i from generate_series(1, 99) i`,
      [creator.profileId],
    )
    await expect(createList('One more')).rejects.toMatchObject({
      code: 'PT422',
      message: 'You can have up to 100 lists',
    })
    await world.inOneTransaction('service_role', [
      'reset role',
      'set local session_replication_role = replica',
      `insert into public.fan_list_members (list_id, creator_id, fan_id)
       select '${list}', '${creator.profileId}', gen_random_uuid() from generate_series(1, 100000)`,
    ])
    await expect(add(list, [fan])).rejects.toMatchObject({
      code: 'PT422',
      message: 'A list can have up to 100,000 fans',
    })
    await world.query('delete from public.fan_list_members where list_id = $1', [list])
  })

  it('is for approved creators, and takes existing users other than themselves [LIST-01]', async () => {
    const list = await createList('Regulars')
    await expect(createList('Mine', null, fan)).rejects.toMatchObject(refused)
    for (const caller of [fan, 'anon'] as const) await expect(add(list, [fan], caller)).rejects.toMatchObject(refused)
    const rival = await world.buildCreator()
    for (const action of [
      () => add(list, [fan], rival),
      () => remove(list, [fan], rival),
      () => deleteList(list, rival),
    ])
      await expect(action()).rejects.toMatchObject({ code: 'PT404', message: 'List not found' })
    await expect(add(list, [creator])).rejects.toMatchObject({ code: 'PT404', message: 'User not found' })
    await expect(add(list, [{ ...fan, profileId: randomUUID() }])).rejects.toMatchObject({ code: 'PT404' })
    await expect(add(list, [])).rejects.toMatchObject({ code: '22023' })
    await expect(
      world.as(creator, 'insert into public.fan_list_members (list_id, creator_id, fan_id) values ($1, $2, $3)', [
        list,
        creator.profileId,
        fan.profileId,
      ]),
    ).rejects.toMatchObject(refused)
    await expect(world.as(creator, 'delete from public.fan_lists')).rejects.toMatchObject(refused)
  })

  it('can be renamed, but not become a smart list [LIST-01]', async () => {
    const list = await createList('Regulars')
    await world.as(creator, `update public.fan_lists set name = 'Friends' where id = $1`, [list])
    expect(await world.as(creator, 'select name from public.fan_lists')).toEqual([{ name: 'Friends' }])
    await expect(
      world.as(creator, `update public.fan_lists set rule = '{"all": [{"condition": "renewal_off"}]}' where id = $1`, [
        list,
      ]),
    ).rejects.toMatchObject({ code: '22023' })
    const smart = await createList('Leaving', { all: [{ condition: 'renewal_off' }] })
    await expect(add(smart, [fan])).rejects.toMatchObject({ code: '22023' })
  })

  it("can't be deleted while a smart list uses it [LIST-02]", async () => {
    const list = await createList('Regulars')
    const smart = await createList('Both', { all: [{ condition: 'in_list', list }] })
    await expect(deleteList(list)).rejects.toMatchObject({
      code: 'PT409',
      message: 'The smart list "Both" uses this list',
    })
    await deleteList(smart)
    await deleteList(list)
    expect(await world.as(creator, 'select from public.fan_lists')).toEqual([])
  })
})

const count = async (rule: unknown, caller: Caller = creator) =>
  (await world.as(caller, 'select public.count_audience($1) as count', [JSON.stringify(rule)]))[0]?.count
/** The names of the fans that a rule finds. */
async function find(rule: Rule): Promise<string[]> {
  const rows = await world.query(
    `select p.username from private.select_audience($1, $2) a (id) join private.profiles p on p.id = a.id order by 1`,
    [creator.profileId, JSON.stringify(rule)],
  )
  expect(await count(rule)).toBe(rows.length)
  return rows.map(({ username }) => String(username))
}
const one = (condition: string, fields: Record<string, unknown> = {}) => ({ all: [{ condition, ...fields }] })

describe('a rule', () => {
  /** A fan by name, of this test's creator. */
  async function fans<Name extends string>(names: readonly Name[]): Promise<Record<Name, Person>> {
    const people = await Promise.all(names.map(() => world.buildPerson()))
    for (const person of people) await follow(person)
    return Object.fromEntries(names.map((name, index) => [name, people[index]])) as Record<Name, Person>
  }
  const namesOf = (...people: readonly Person[]) => people.map(({ username }) => username).toSorted()

  it('finds fans by plan, subscription status, and renewal [LIST-02]', async () => {
    const { active, trial, late, leaving, ended, never, left } = await fans([
      'active',
      'trial',
      'late',
      'leaving',
      'ended',
      'never',
      'left',
    ])
    const gold = await world.buildProduct(creator, 2000)
    await world.subscribe(active, creator, { productId: gold })
    await world.subscribe(trial, creator, { status: 'trialing', trialEnd: '5 days' })
    await world.subscribe(late, creator, { status: 'past_due' })
    await world.subscribe(leaving, creator, { cancelAtPeriodEnd: true })
    await world.subscribe(ended, creator, { status: 'canceled', end: '-1 day', cancelAtPeriodEnd: true })
    await world.subscribe(never, creator, { status: 'incomplete' })
    await world.subscribe(left, creator, {
      productId: gold,
      status: 'canceled',
      end: '-3 days',
      cancelAtPeriodEnd: true,
    })
    expect(await find(one('plan', { plan: gold }))).toEqual(namesOf(active))
    expect(await find(one('subscribed', { status: 'any' }))).toEqual(namesOf(active, trial, late, leaving))
    expect(await find(one('subscribed', { status: 'active' }))).toEqual(namesOf(active, leaving))
    expect(await find(one('subscribed', { status: 'trial' }))).toEqual(namesOf(trial))
    expect(await find(one('subscribed', { status: 'past_due' }))).toEqual(namesOf(late))
    expect(await find(one('renewal_off'))).toEqual(namesOf(leaving))
    expect(await find(one('not_subscribed', { before: 'ever' }))).toEqual(namesOf(ended, left))
    expect(await find(one('not_subscribed', { before: 'never' }))).toEqual(namesOf(never))
    expect(await find(one('not_subscribed', { before: 'any' }))).toEqual(namesOf(ended, left, never))
    expect(await find(one('expired', { is: 'at_most', days: 2 }))).toEqual(namesOf(ended))
    expect(await find(one('expired', { is: 'at_least', days: 2 }))).toEqual(namesOf(left))
    await world.subscribe(left, creator)
    expect(await find(one('expired', { is: 'at_least', days: 0 }))).toEqual(namesOf(ended))
    expect(await find(one('only_follows'))).toEqual(namesOf(ended, never))
  })

  it('finds fans by the time they have been subscribed [LIST-02]', async () => {
    const { early, late } = await fans(['early', 'late'])
    const subscription = await world.subscribe(early, creator)
    await world.query(`update public.subscriptions set created_at = now() - interval '40 days' where id = $1`, [
      subscription,
    ])
    await world.subscribe(late, creator)
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    expect(await find(one('subscribed_for', { days: 39 }))).toEqual(namesOf(early))
    expect(await find(one('subscribed_for', { days: 41 }))).toEqual([])
    expect(await find(one('subscribed_since', { date: dayAgo(30) }))).toEqual(namesOf(late))
    expect(await find(one('subscribed_since', { date: dayAgo(50) }))).toEqual(namesOf(early, late))
  })

  it('finds fans by their end if it came early, as after a refund or a failed payment [LIST-02]', async () => {
    const { refunded, unpaid } = await fans(['refunded', 'unpaid'])
    await world.query(`select private.end_subscription($1, 'Refunded')`, [await world.subscribe(refunded, creator)])
    const subscription = await world.subscribe(unpaid, creator, { status: 'unpaid' })
    await world.query(`update public.subscriptions set past_due_since = now() - interval '13 days' where id = $1`, [
      subscription,
    ])
    expect(await find(one('expired', { is: 'at_most', days: 1 }))).toEqual(namesOf(refunded))
    expect(await find(one('expired', { is: 'at_least', days: 9 }))).toEqual(namesOf(unpaid))
    expect(await find(one('expired', { is: 'at_least', days: 11 }))).toEqual([])
  })

  it('finds fans by what they spent, tipped, and bought [LIST-02]', async () => {
    const { big, small, none, once } = await fans(['big', 'small', 'none', 'once'])
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const post = await world.buildPost(creator, { type: 'ppv' })
    await books.tip(big, creator, { gross: 5000, at: at(40) })
    await books.tip(big, creator, { gross: 2000, at: at(10) })
    await books.tip(small, creator, { gross: 500 })
    await books.buy(small, creator, post.id, { gross: 700 })
    const back = await books.buy(once, creator, post.id, { gross: 900 })
    await books.refund(back)
    const spent = (is: string, cents: number) => find(one('spent', { is, cents }))
    expect(await spent('at_least', 5000)).toEqual(namesOf(big))
    expect(await spent('at_least', 1200)).toEqual(namesOf(big, small))
    expect(await spent('at_most', 0)).toEqual(namesOf(none, once))
    const lately = (is: string, cents: number, days: number) => find(one('spent_lately', { is, cents, days }))
    expect(await lately('at_least', 1500, 30)).toEqual(namesOf(big))
    expect(await lately('at_least', 7000, 30)).toEqual([])
    expect(await lately('at_least', 0, 30)).toEqual(namesOf(big, small, none, once))
    expect(await lately('at_most', 0, 5)).toEqual(namesOf(big, none, once))
    expect(await find(one('tipped', { is: 'at_least', cents: 501 }))).toEqual(namesOf(big))
    expect(await find(one('tipped', { is: 'at_most', cents: 0 }))).toEqual(namesOf(none, once))
    expect(await find(one('bought', { what: 'post' }))).toEqual(namesOf(small))
    expect(await find(one('bought', { what: 'anything' }))).toEqual(namesOf(small))
    expect(await find(one('never_bought', { what: 'anything' }))).toEqual(namesOf(big, none, once))
    await world.query('update private.fans set messages_bought = 1 where fan_id = $1', [none.profileId])
    await world.query('update private.fans set sessions_bought = 1 where fan_id = $1', [big.profileId])
    expect(await find(one('bought', { what: 'message' }))).toEqual(namesOf(none))
    expect(await find(one('bought', { what: 'session' }))).toEqual(namesOf(big))
    expect(await find(one('never_bought', { what: 'anything' }))).toEqual(namesOf(once))
    await world.query('update private.fans set messages_bought = 0, sessions_bought = 0 where creator_id = $1', [
      creator.profileId,
    ])
  })

  it('finds fans by when they were last seen, but none who hides it [LIST-02]', async () => {
    const people = await fans(['here', 'gone', 'hidden', 'secluded', 'blocked'])
    const { here, gone, hidden, secluded, blocked } = people
    for (const person of Object.values(people))
      await world.query(
        `insert into private.presence (profile_id, last_seen_at) values ($1, now() - make_interval(days => $2))
         on conflict (profile_id) do update set last_seen_at = excluded.last_seen_at`,
        [person.profileId, person === gone ? 20 : 1],
      )
    await world.as(hidden, 'update public.user_settings set privacy = $1', [
      JSON.stringify({ showOnlineStatus: false }),
    ])
    await world.as(secluded, 'update public.profiles set is_private = true where id = $1', [secluded.profileId])
    await books.tip(blocked, creator)
    await world.as(blocked, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      blocked.profileId,
      creator.profileId,
    ])
    expect(await find(one('last_seen', { is: 'at_most', days: 7 }))).toEqual(namesOf(here))
    expect(await find(one('last_seen', { is: 'at_least', days: 7 }))).toEqual(namesOf(gone))
    expect(await find(one('last_seen', { is: 'at_least', days: 0 }))).toEqual(namesOf(here, gone))
  })

  it('finds fans on another list, smart or not [LIST-02]', async () => {
    const { alice, bob, carol } = await fans(['alice', 'bob', 'carol'])
    const list = await createList('Regulars')
    await add(list, [alice, bob])
    await books.tip(bob, creator)
    await books.tip(carol, creator)
    const tippers = await createList('Tippers', one('tipped', { is: 'at_least', cents: 1 }))
    expect(await find(one('in_list', { list }))).toEqual(namesOf(alice, bob))
    expect(await membersOf(tippers)).toHaveLength(2)
    const both = {
      all: [
        { condition: 'in_list', list },
        { condition: 'in_list', list: tippers },
      ],
    }
    expect(await find(both)).toEqual(namesOf(bob))
    expect(await find({ any: both.all })).toEqual(namesOf(alice, bob, carol))
  })

  it('joins conditions by all or any, in groups, and is always current [LIST-02]', async () => {
    const { alice, bob } = await fans(['alice', 'bob'])
    const rule = {
      any: [
        { condition: 'spent', is: 'at_least', cents: 100_000 },
        { all: [{ condition: 'tipped', is: 'at_least', cents: 500 }, { condition: 'only_follows' }] },
      ],
    }
    const list = await createList('Friendly', rule)
    expect(await membersOf(list)).toEqual([])
    await books.tip(alice, creator)
    await books.tip(bob, creator)
    expect(await find(rule)).toEqual(namesOf(alice, bob))
    await world.subscribe(bob, creator)
    expect(await membersOf(list)).toEqual([alice.username])
  })

  const group = (depth: number): Rule => (depth === 0 ? { condition: 'renewal_off' } : { all: [group(depth - 1)] })

  it('has up to three levels and twenty conditions [LIST-02]', async () => {
    const twenty = Array.from({ length: 20 }, () => ({ condition: 'renewal_off' }))
    expect(await count({ any: twenty })).toBe(0)
    expect(await count(group(3))).toBe(0)
    await expect(count({ any: [...twenty, { condition: 'renewal_off' }] })).rejects.toMatchObject({
      code: '22023',
      message: 'A rule can have up to 20 conditions',
    })
    for (const depth of [4, 1000])
      await expect(count(group(depth))).rejects.toMatchObject({
        code: '22023',
        message: 'Groups can be nested up to 3 deep',
      })
  })

  const form = 'A rule is an object with "all" or "any", and in them a list of conditions and groups'
  it.each<[string, unknown, string]>([
    ['no object', [], form],
    ['a text', 'all', form],
    ['nothing in it', {}, form],
    ['a condition alone', { condition: 'renewal_off' }, form],
    [
      'a group with something else',
      { all: [{ condition: 'renewal_off' }], any: [] },
      'A group has "all" or "any", and nothing else',
    ],
    ['an empty group', { any: [] }, '"any" needs a list with at least one condition'],
    ['a group without a list', { all: { condition: 'renewal_off' } }, '"all" needs a list with at least one condition'],
    ['a member that is no object', { all: ['renewal_off'] }, form],
    ['a member without a condition', { all: [{ is: 'at_least' }] }, form],
    ['an unknown condition', one('shoe_size'), 'There is no condition "shoe_size"'],
    ['an unknown field', one('renewal_off', { days: 3 }), 'The condition "renewal_off" has no field "days"'],
    ['a missing field', one('spent', { is: 'at_least' }), 'The condition "spent" needs "cents"'],
    [
      'a text for a number',
      one('spent', { is: 'at_least', cents: '5' }),
      '"cents" of the condition "spent" must be a whole number from 0 to 100000000',
    ],
    [
      'a part of a cent',
      one('spent', { is: 'at_least', cents: 1.5 }),
      '"cents" of the condition "spent" must be a whole number from 0 to 100000000',
    ],
    [
      'a negative number',
      one('subscribed_for', { days: -1 }),
      '"days" of the condition "subscribed_for" must be a whole number from 0 to 3650',
    ],
    [
      'a huge number',
      one('subscribed_for', { days: 1e300 }),
      '"days" of the condition "subscribed_for" must be a whole number from 0 to 3650',
    ],
    [
      'an unknown choice',
      one('spent', { is: "x' or true", cents: 5 }),
      '"is" of the condition "spent" must be one of: at_least, at_most',
    ],
    [
      'a number for a choice',
      one('bought', { what: 1 }),
      '"what" of the condition "bought" must be one of: anything, post, message, session',
    ],
    [
      'a day that never comes',
      one('subscribed_since', { date: '2026-02-30' }),
      '"date" of the condition "subscribed_since" must be a date as in "2026-12-31"',
    ],
    [
      'another form of date',
      one('subscribed_since', { date: 'yesterday' }),
      '"date" of the condition "subscribed_since" must be a date as in "2026-12-31"',
    ],
    [
      'a plan that is no id',
      one('plan', { plan: "' or true --" }),
      '"plan" of the condition "plan" must be the id of one of your plans',
    ],
    [
      'a list that is no id',
      one('in_list', { list: 5 }),
      '"list" of the condition "in_list" must be the id of one of your lists',
    ],
  ])("can't have %s [LIST-02]", async (_what, rule, message) => {
    await expect(count(rule)).rejects.toMatchObject({ code: '22023', message })
    await expect(createList('Broken', rule as Rule)).rejects.toMatchObject({ code: '22023', message })
  })

  it("can't name another creator's plan or list [LIST-02]", async () => {
    const rival = await world.buildCreator()
    const theirs = await createList('Theirs', null, rival)
    await expect(count(one('plan', { plan: rival.productId }))).rejects.toMatchObject({ code: '22023' })
    await expect(count(one('in_list', { list: theirs }))).rejects.toMatchObject({ code: '22023' })
  })

  it("can't refer to itself, not even through other lists [LIST-02]", async () => {
    const first = await createList('First', one('renewal_off'))
    const second = await createList('Second', one('in_list', { list: first }))
    const change = (list: string, to: string) =>
      world.as(creator, 'update public.fan_lists set rule = $2 where id = $1', [
        list,
        JSON.stringify(one('in_list', { list: to })),
      ])
    const message = "A list can't be in itself, not even through other lists"
    await expect(change(first, first)).rejects.toMatchObject({ code: '22023', message })
    await expect(change(first, second)).rejects.toMatchObject({ code: '22023', message })
  })

  it('of lists in lists has a bounded size [LIST-02]', async () => {
    let list = await createList('Level 0', { any: Array.from({ length: 20 }, () => ({ condition: 'renewal_off' })) })
    const nest = async (level: number) => {
      const inside = Array.from({ length: 20 }, () => ({ condition: 'in_list', list }))
      list = await createList(`Level ${level}`, { any: inside })
    }
    await nest(1)
    await expect(nest(2)).rejects.toMatchObject({
      code: '22023',
      message: 'The lists in this rule are too large together',
    })
  })

  it('counts for approved creators only [LIST-02]', async () => {
    for (const caller of [fan, 'anon'] as const)
      await expect(count(one('renewal_off'), caller)).rejects.toMatchObject(refused)
  })
})

describe('the fans of a creator', () => {
  type Line = { fan_id: string; username: string; position: string }
  const page = async (args: string, values: unknown[] = []) =>
    (await world.as(creator, `select * from public.get_fans(${args})`, values)) as Line[]

  it.each(['name', 'since', 'spent'])('come page by page, sorted by %s either way [LIST-06]', async (sort) => {
    for (let index = 0; index < 7; index += 1) {
      const person = await world.buildPerson()
      await follow(person)
      if (index % 3 > 0) await books.tip(person, creator, { gross: 500 * (index % 3) })
    }
    for (const ascending of [true, false]) {
      const whole = await page(`sort => '${sort}', ascending => ${ascending}`)
      expect(whole).toHaveLength(7)
      const all: Line[] = []
      for (let rows = 3; rows === 3; ) {
        const last = all.at(-1)
        const next = await page(
          `sort => '${sort}', ascending => ${ascending}, page_size => 3, after_value => $1, after_id => $2`,
          [last?.position ?? null, last?.fan_id ?? null],
        )
        all.push(...next)
        rows = next.length
      }
      expect(all).toEqual(whole)
    }
    const [first] = await page(`sort => 'spent', page_size => 1`)
    expect(first).toMatchObject({ spent: '1000' })
  })

  it('show their plan and the name that the creator has for them, and are found by their names', async () => {
    const named = await world.buildPerson({ meta: { display_name: 'Ada Lovelace' } })
    await follow(named)
    await follow(fan)
    await world.subscribe(named, creator)
    await world.as(
      creator,
      `insert into public.fan_notes (creator_id, fan_id, custom_name) values ($1, $2, 'The 100% one')`,
      [creator.profileId, named.profileId],
    )
    const line = {
      username: named.username,
      custom_name: 'The 100% one',
      plan_name: 'Plan',
      subscription_status: 'active',
    }
    for (const search of ['lovelace', named.username, '100%'])
      expect(await page('search => $1', [search])).toMatchObject([line])
    expect(await page(`search => 'nobody else'`)).toEqual([])
    expect(await page('')).toHaveLength(2)
  })

  it('are for the creator alone', async () => {
    await follow(fan)
    await expect(world.as(fan, 'select * from public.get_fans()')).rejects.toMatchObject(refused)
    expect(await world.as(await world.buildCreator(), 'select * from public.get_fans()')).toEqual([])
    await expect(page(`sort => 'size'`)).rejects.toMatchObject({ code: '22023' })
    await expect(page('$1', [randomUUID()])).rejects.toMatchObject({ code: '22023' })
  })
})

describe('counting over thousands of fans', () => {
  /** Fans who have done everything that rules are about, without the triggers. */
  async function fill(first: number, size: number): Promise<Creator> {
    const owner = await world.buildCreator()
    const own = `'${owner.profileId}'::uuid`
    await world.inOneTransaction('service_role', [
      'reset role',
      'set local session_replication_role = replica',
      // The first digits differ, because the referral code consists of them.
      `create temporary table person on commit drop as
       select (to_hex(x'10000000'::int + n) || '-0000-4000-8000-000000000000')::uuid as id, n from generate_series(${first}, ${first + size}) n`,
      'drop index if exists private.profiles_username_trgm_idx, private.profiles_words_idx', // they would take most of the time
      `insert into private.profiles (id, user_id, username, is_private) select p.id, p.id, 'fan-' || p.n, p.n % 50 = 0 from person p`,
      `insert into private.user_settings (user_id, show_online_status) select p.id, p.n % 5 > 0 from person p`,
      `insert into private.presence (profile_id, last_seen_at) select p.id, now() - p.n % 200 * interval '1 day' from person p`,
      `insert into public.follows (follower_id, following_id) select p.id, ${own} from person p where p.n % 10 > 0`,
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until, current_period_end, cancel_at_period_end, created_at, price_cents)
       select p.id, ${own}, '${owner.productId}', case when p.n % 4 = 0 then 'canceled' else 'active' end,
         now() + case when p.n % 4 = 0 then -1 else 1 end * (p.n % 30 + 1) * interval '1 day', now(), p.n % 7 = 0, now() - p.n % 700 * interval '1 day', 999
       from person p where p.n % 10 < 7`,
      `insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, ledger_transaction_id, created_at)
       select p.id, ${own}, (array['subscription', 'tip', 'ppv'])[1 + t], 500 + p.n % 900, gen_random_uuid(), now() - (p.n * 13 + t * 200) % 700 * interval '1 day'
       from person p, generate_series(0, 2) t`,
      'insert into private.fans select * from private.compute_fans() on conflict do nothing',
    ])
    return owner
  }
  /** Rows and pages that the count of a rule handles. */
  async function work(owner: Creator, rule: Rule) {
    const [row] = await world.query('select private.compile_rule($1, $2) as sql', [
      owner.profileId,
      JSON.stringify(rule),
    ])
    const predicate = String(row?.sql).replaceAll('$1', `'${owner.profileId}'::uuid`)
    const { all, commit } = await world.begin('service_role', [
      'reset role',
      `set local work_mem = '32MB'`,
      'set local jit = off',
      `explain (analyze, buffers, timing off, format json)
       select count(*) from private.fans f where f.creator_id = '${owner.profileId}' and ${predicate}`,
    ])
    await commit()
    type Node = Record<string, number> & { Plans?: Node[] }
    const [explained] = (all.at(-1)?.[0]?.['QUERY PLAN'] ?? []) as { Plan: Node }[]
    const rowsOf = (node: Node): number =>
      (Number(node['Actual Rows']) +
        Number(node['Rows Removed by Filter'] ?? 0) +
        Number(node['Rows Removed by Join Filter'] ?? 0)) *
        Number(node['Actual Loops']) +
      (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0)
    const { Plan: top } = explained as { Plan: Node }
    return { rows: rowsOf(top), pages: Number(top['Shared Hit Blocks']) + Number(top['Shared Read Blocks']) }
  }

  it('handles each fan, subscription, and payment a few times, whatever the rule [LIST-06]', async () => {
    const size = 10_000 // npm run bench -- dashboard has a hundred thousand
    const owner = await fill(1, size)
    await fill(size + 2, 2_000)
    await world.query('vacuum analyze')
    const list = await createList('Regulars', null, owner)
    await world.query(
      `insert into public.fan_list_members (list_id, creator_id, fan_id)
       select $1, f.creator_id, f.fan_id from private.fans f where f.creator_id = $2 and f.posts_bought > 0`,
      [list, owner.profileId],
    )
    await world.query('vacuum analyze public.fan_list_members')
    const single = [
      { condition: 'plan', plan: owner.productId },
      { condition: 'subscribed', status: 'active' },
      { condition: 'not_subscribed', before: 'any' },
      { condition: 'not_subscribed', before: 'never' },
      { condition: 'subscribed_for', days: 100 },
      { condition: 'subscribed_since', date: '2026-01-01' },
      { condition: 'renewal_off' },
      { condition: 'expired', is: 'at_most', days: 10 },
      { condition: 'spent', is: 'at_least', cents: 2000 },
      { condition: 'spent_lately', is: 'at_least', cents: 600, days: 365 },
      { condition: 'spent_lately', is: 'at_most', cents: 600, days: 365 },
      { condition: 'tipped', is: 'at_most', cents: 900 },
      { condition: 'bought', what: 'anything' },
      { condition: 'never_bought', what: 'message' },
      { condition: 'last_seen', is: 'at_most', days: 30 },
      { condition: 'only_follows' },
      { condition: 'in_list', list },
    ]
    const several = [single[0], single[9], single[14], single[16], { any: [single[3], single[6], single[8]] }]
    const rules: Rule[] = [...single.map((condition) => ({ all: [condition] })), { all: several }, { any: several }]
    for (const rule of rules) {
      const { rows, pages } = await work(owner, rule)
      const most = rule && ('any' in rule || (rule.all as unknown[]).length > 1) ? 20 : 8
      expect({ rule, rows, pages, holds: rows <= most * size && pages <= most * size }).toMatchObject({ holds: true })
    }
  }, 120_000)
})
