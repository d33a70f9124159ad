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
let fans: Person[]
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fans = await Promise.all([world.buildPerson(), world.buildPerson(), world.buildPerson()])
})

const write = async (sender: Person, recipient: Person, content = 'Hello') =>
  (
    await world.as(
      sender,
      'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3) returning id',
      [sender.profileId, recipient.profileId, content],
    )
  )[0]?.id
const read = (reader: Person, sender: Person) =>
  world.as(reader, 'update public.messages set is_read = true where recipient_id = $1 and sender_id = $2', [
    reader.profileId,
    sender.profileId,
  ])
type Listed = { other_id: string; at: string; waiting_since: Date | null; since: string | null } & Record<
  string,
  unknown
>
const list = (caller: Caller, args = '') =>
  world.as(
    caller,
    `select *, last_message_at::text as at, waiting_since::text as since from public.get_conversations(${args})`,
  ) as unknown as Promise<Listed[]>
const names = async (caller: Caller, args = '') =>
  (await list(caller, args)).map(({ other_id }) => fans.findIndex(({ profileId }) => profileId === other_id))
const filtered = (filter: string, caller: Caller = creator) => names(caller, `filter => '${filter}'`)
const update = (caller: Caller, other: Person, change: string) =>
  world.as(caller, `select public.update_conversation($1, ${change})`, [other.profileId])
const one = async (caller: Caller, other: Person) =>
  (await world.as(caller, 'select * from public.get_conversation($1)', [other.profileId]))[0]
const unread = async (caller: Caller) =>
  (await world.as(caller, 'select public.count_unread_messages() as count'))[0]?.count
const problems = () => world.query('select * from private.verify_conversations()')

describe('the filters of the inbox', () => {
  it('show unread, unanswered, and subscribed conversations, and the archive on its own [INBOX-01]', async () => {
    const [first, second, third] = fans as [Person, Person, Person]
    for (const fan of fans) await write(fan, creator)
    await write(creator, first)
    await read(creator, second)
    await world.subscribe(third, creator)
    expect(await filtered('all')).toEqual([0, 2, 1])
    expect(await filtered('unread')).toEqual([0, 2])
    expect(await filtered('unanswered')).toEqual([2, 1])
    expect(await filtered('subscribers')).toEqual([2])
    await update(creator, third, 'is_archived => true')
    expect(await filtered('all')).toEqual([0, 1])
    for (const filter of ['unanswered', 'subscribers', 'unread']) expect(await filtered(filter)).not.toContain(2)
    expect(await filtered('archived')).toEqual([2])
    expect(await filtered('restricted')).toEqual([])
    for (const args of [`filter => 'spam'`, 'filter => null', `sort => 'oldest'`, 'sort => null'])
      await expect(list(creator, args)).rejects.toMatchObject({ code: '22023' })
    expect(await problems()).toEqual([])
  })

  it('leave the fans on a list, chosen or by a rule, alone or with a name [INBOX-01]', async () => {
    const [owner, rival] = [await world.buildCreator(), await world.buildCreator()]
    const [first, second, third] = fans as [Person, Person, Person]
    for (const fan of [first, second, third]) await write(fan, owner)
    await world.pay(third, owner)
    const build = async (name: string, rule: object | null) =>
      String(
        (
          await world.as(owner, 'insert into public.fan_lists (name, rule) values ($1, $2) returning id', [name, rule])
        )[0]?.id,
      )
    const [chosen, payers] = [
      await build('Chosen', null),
      await build('Payers', { all: [{ condition: 'spent', is: 'at_least', cents: 1 }] }),
    ]
    await world.as(owner, 'select public.add_to_fan_list($1, $2)', [chosen, [first.profileId, second.profileId]])
    expect(await names(owner, `list_id => '${chosen}'`)).toEqual([1, 0])
    expect(await names(owner, `list_id => '${payers}'`)).toEqual([2])
    await update(owner, second, 'is_archived => true')
    expect(await names(owner, `list_id => '${chosen}'`)).toEqual([0])
    expect(await names(owner, `list_id => '${chosen}', filter => 'archived'`)).toEqual([1])
    const [username] = await world.query('select username from private.profiles where id = $1', [first.profileId])
    expect(await names(owner, `list_id => '${chosen}', search => '${username?.username}'`)).toEqual([0])
    expect(await names(owner, `list_id => '${payers}', search => '${username?.username}'`)).toEqual([])
    await expect(list(rival, `list_id => '${chosen}'`)).rejects.toMatchObject({ code: '22023' })
  })

  it('know when a subscription begins and ends, also before the first message [INBOX-01]', async () => {
    const [fan] = fans as [Person]
    const stripeId = `sub_${fan.username}`
    await world.subscribe(fan, creator, { stripeId })
    await write(fan, creator)
    expect(await filtered('subscribers')).toEqual([0])
    expect(await filtered('subscribers', fan)).toEqual([]) // the creator doesn't subscribe to the fan
    await world.subscribe(fan, creator, { stripeId, status: 'canceled', eventAt: '1 second' })
    expect(await filtered('subscribers')).toEqual([])
    await world.subscribe(fan, creator)
    expect(await filtered('subscribers')).toEqual([0])
    expect(await problems()).toEqual([])
  })

  it('keep a conversation unanswered from the first question to the answer, through unsent messages [INBOX-01]', async () => {
    const [fan] = fans as [Person]
    const since = async () => (await one(creator, fan))?.waiting_since
    const question = await write(fan, creator, 'May I ask?')
    const first = await since()
    expect(first).toBeInstanceOf(Date)
    await write(fan, creator, 'Hello?')
    expect(await since()).toEqual(first)
    expect((await one(fan, creator))?.waiting_since).toBeNull()
    const unsend = (sender: Person, id: unknown) => world.as(sender, 'select public.unsend_message($1)', [id])
    await unsend(fan, question)
    expect(Number(await since())).toBeGreaterThan(Number(first))
    const answer = await write(creator, fan, 'Yes')
    expect(await since()).toBeNull()
    expect((await one(fan, creator))?.waiting_since).toBeInstanceOf(Date)
    await unsend(creator, answer)
    expect(await since()).toBeInstanceOf(Date)
    expect((await one(fan, creator))?.waiting_since).toBeNull()
    expect(await problems()).toEqual([])
  })

  it('take a message to many neither for an answer nor for a question [INBOX-01]', async () => {
    const [waiting, silent] = fans as [Person, Person]
    for (const fan of [waiting, silent]) await world.subscribe(fan, creator)
    await write(waiting, creator, 'May I ask?')
    await update(creator, waiting, 'is_unread => true')
    await world.as(creator, `select public.message_subscribers('New photos', subscriber_group => 'all')`)
    await world.as('service_role', 'select private.send_mass_messages()')
    expect(await filtered('all')).toEqual([0]) // those who got it don't bury those who wrote
    expect(await one(silent, creator)).toMatchObject({ unread_count: 1 })
    expect(await filtered('unanswered')).toEqual([0])
    expect(await filtered('unread')).toEqual([0])
    expect((await one(silent, creator))?.waiting_since).toBeNull()
  })
})

describe('the order of the inbox', () => {
  it('is newest, longest unanswered and then newest, or highest spending, in pages [INBOX-01]', async () => {
    fans.push(await world.buildPerson(), await world.buildPerson())
    for (const fan of fans) await write(fan, creator)
    for (const fan of [fans[1], fans[3]]) await write(creator, fan as Person)
    await write(fans[0] as Person, creator, 'Anyone?')
    expect(await names(creator)).toEqual([0, 3, 1, 4, 2])
    expect(await names(creator, `sort => 'waiting'`)).toEqual([0, 2, 4, 3, 1])
    await world.pay(fans[2] as Person, creator, { gross: 2000 })
    const tip = await world.pay(fans[4] as Person, creator, { gross: 5000 })
    expect(await names(creator, `sort => 'spending'`)).toEqual([4, 2, 0, 3, 1])
    expect((await list(creator, `sort => 'spending'`)).map(({ spent }) => Number(spent))).toEqual([5000, 2000, 0, 0, 0])
    expect(await one(fans[4] as Person, creator)).toMatchObject({ spent: '0' })
    for (const sort of ['newest', 'waiting', 'spending']) {
      const whole = await names(creator, `sort => '${sort}'`)
      const paged: number[] = []
      let last: Listed | undefined
      for (let page = 0; page < 5; page += 1) {
        const cursor: string = last
          ? `, before => '${last.at}', before_id => '${last.other_id}'${last.since ? `, before_waiting => '${last.since}'` : ''}, before_spent => ${last.spent}`
          : ''
        const rows = await list(creator, `sort => '${sort}', page_size => 2${cursor}`)
        paged.push(...rows.map(({ other_id }) => fans.findIndex(({ profileId }) => profileId === other_id)))
        last = rows.at(-1) ?? last
      }
      expect(paged).toEqual(whole)
    }
    await world.query('update public.transactions set refunded_amount = amount where id = $1', [tip])
    expect(await names(creator, `sort => 'spending'`)).toEqual([2, 0, 3, 1, 4])
    // What someone paid before they wrote counts, too.
    const patron = await world.buildPerson()
    await world.pay(patron, creator, { gross: 9000 })
    await write(patron, creator)
    expect((await list(creator, `sort => 'spending'`))[0]).toMatchObject({ other_id: patron.profileId, spent: '9000' })
    expect(await problems()).toEqual([])
  })

  it('begins with pinned conversations, up to 20, beyond the page [INBOX-01]', async () => {
    for (const fan of fans) await write(fan, creator)
    await update(creator, fans[0] as Person, 'is_pinned => true')
    expect(await names(creator, 'page_size => 1')).toEqual([0, 2])
    expect(await names(creator, `filter => 'unread', page_size => 1`)).toEqual([0, 2])
    expect(await filtered('archived')).toEqual([])
    const [, newest] = await list(creator, 'page_size => 1')
    expect(await names(creator, `before => '${newest?.at}', before_id => '${newest?.other_id}'`)).toEqual([1])
    expect(await names(creator, `search => '${fans[0]?.username}'`)).toEqual([0])
    expect(await one(fans[0] as Person, creator)).toMatchObject({ is_pinned: false })
    await update(creator, fans[0] as Person, 'is_pinned => false')
    expect(await names(creator)).toEqual([2, 1, 0])
    const many = await Promise.all(Array.from({ length: 20 }, () => world.buildPerson()))
    for (const fan of many) {
      await write(fan, creator)
      await update(creator, fan, 'is_pinned => true')
    }
    await expect(update(creator, fans[0] as Person, 'is_pinned => true')).rejects.toMatchObject({ code: 'PT409' })
    await update(creator, many[0] as Person, 'is_pinned => true') // already
    await update(creator, many[0] as Person, 'is_archived => true') // which unpins it
    await update(creator, fans[0] as Person, 'is_pinned => true')
    expect(await list(creator, 'page_size => 1')).toHaveLength(21)
  })
})

describe('the archive', () => {
  it('gives a conversation back when a message arrives, but not when the user writes [INBOX-01]', async () => {
    const [fan] = fans as [Person]
    await write(fan, creator)
    expect(await unread(creator)).toBe(1)
    await update(creator, fan, 'is_archived => true')
    expect(await unread(creator)).toBe(0)
    expect((await world.as(creator, 'select * from public.get_unread_counts()'))[0]).toMatchObject({ messages: 0 })
    expect(await names(fan)).toHaveLength(1) // the other side isn't changed
    await write(creator, fan, 'Later')
    expect(await filtered('archived')).toEqual([0])
    await write(fan, creator, 'Hello again')
    expect(await filtered('archived')).toEqual([])
    expect(await filtered('all')).toEqual([0])
    expect(await unread(creator)).toBe(2)
  })
})

describe('a mark as unread', () => {
  it('counts as one message, until the thread is opened or answered [INBOX-01]', async () => {
    const [fan] = fans as [Person]
    await write(fan, creator)
    await read(creator, fan)
    expect(await filtered('unread')).toEqual([])
    await update(creator, fan, 'is_unread => true')
    expect([await filtered('unread'), await unread(creator)]).toEqual([[0], 1])
    expect(await one(creator, fan)).toMatchObject({ is_marked_unread: true, unread_count: 0 })
    await update(creator, fan, 'is_unread => false')
    expect([await filtered('unread'), await unread(creator)]).toEqual([[], 0])
    await update(creator, fan, 'is_unread => true')
    await write(creator, fan, 'Sorry for the wait')
    expect(await filtered('unread')).toEqual([])
    await write(fan, creator, 'No hurry')
    await update(creator, fan, 'is_unread => true')
    await read(creator, fan)
    expect(await filtered('unread')).toEqual([])
  })

  it('is the opposite of reading the messages [INBOX-01]', async () => {
    const [fan] = fans as [Person]
    for (const text of ['One', 'Two']) await write(fan, creator, text)
    await update(creator, fan, 'is_unread => false')
    expect(await unread(creator)).toBe(0)
    expect(await world.as(fan, 'select is_read from public.messages')).toEqual(Array(2).fill({ is_read: true }))
    expect(await world.as(creator, `select from public.notifications where type = 'message' and not is_read`)).toEqual(
      [],
    )
  })
})

it('is changed by its own user only, who must have one [INBOX-01]', async () => {
  const [fan, stranger] = fans as [Person, Person]
  await write(fan, creator)
  await update(fan, creator, 'is_archived => true, is_pinned => null')
  expect(await one(creator, fan)).toMatchObject({ is_archived: false })
  await expect(update(stranger, creator, 'is_archived => true')).rejects.toMatchObject({ code: 'PT404' })
  expect(await one(stranger, creator)).toBeUndefined()
  await expect(update('anon', creator, 'is_archived => true')).rejects.toMatchObject(refused)
  await expect(unread('anon')).rejects.toMatchObject(refused)
  await expect(world.as(creator, 'select * from private.conversations')).rejects.toMatchObject(refused)
})

describe('the cost of the inbox', () => {
  /** Conversations as messages leave them, without their triggers. The later, the longer ago. */
  const fill = async (owner: Creator, threads: number) => {
    const { commit } = await world.begin('service_role', [
      'reset role',
      'set local session_replication_role = replica',
      `insert into private.profiles (id, user_id, username, display_name)
       select md5('${owner.profileId}' || n)::uuid, gen_random_uuid(), left(md5('${owner.profileId}' || n), 20),
         case when n % 700 = 0 then 'Ottilie ' else 'Anna ' end || n
       from generate_series(1, ${threads}) n
       on conflict do nothing -- of so many, two may have the same referral code`,
      `insert into private.messages (id, sender_id, recipient_id, body, created_at)
       select md5('m${owner.profileId}' || n)::uuid, md5('${owner.profileId}' || n)::uuid, '${owner.profileId}', 'Hello',
         now() - n * interval '1 minute'
       from generate_series(1, ${threads}) n`,
      `insert into private.conversations (profile_id, other_id, last_message_id, last_message_at, unread_count, waiting_since,
         is_subscriber, is_archived, is_restricted, spent)
       select '${owner.profileId}', md5('${owner.profileId}' || n)::uuid, md5('m${owner.profileId}' || n)::uuid, now() - n * interval '1 minute',
         (n % 3 = 0)::int, case when n % 5 = 0 then now() - n * interval '1 minute' end, n % 2 = 0, n % 7 = 0, n % 11 = 0, n * 7919 % 1000
       from generate_series(1, ${threads}) n`,
    ])
    await commit()
  }
  /** Blocks read for one page. */
  const blocks = async (owner: Creator, args: string) => {
    const { all, commit } = await world.begin(owner, [
      `select * from public.get_conversations(${args})`,
      `explain (analyze, buffers, format json) select * from public.get_conversations(${args})`,
    ])
    await commit()
    const [explained] = (all[1]?.[0]?.['QUERY PLAN'] ?? []) as { Plan: Record<string, number> }[]
    return Number(explained?.Plan['Shared Hit Blocks']) + Number(explained?.Plan['Shared Read Blocks'])
  }

  it('depends neither on how many conversations there are, nor on the filter or the order [INBOX-10]', async () => {
    const [small, large] = [await world.buildCreator(), await world.buildCreator()]
    await fill(small, 1500)
    await fill(large, 30_000)
    await world.query('select private.name_conversations($1, null)', [large.profileId])
    await world.query(
      'vacuum analyze private.conversations, private.profiles, private.messages, private.conversation_names',
    )
    const pages = [
      '',
      ...['unread', 'unanswered', 'subscribers', 'archived', 'restricted'].map((filter) => `filter => '${filter}'`),
      `sort => 'waiting'`,
      `sort => 'spending'`,
      `filter => 'unread', sort => 'waiting'`,
      `search => 'anna'`,
      `before => now() - interval '20 hours', before_id => gen_random_uuid()`,
    ]
    for (const page of pages) {
      const [few, many] = [await blocks(small, page), await blocks(large, page)]
      expect({ page, few, many, holds: many <= few * 1.5 }).toMatchObject({ holds: true })
    }
    const [first, deep] = [
      await blocks(large, ''),
      await blocks(large, `before => now() - interval '15 days', before_id => gen_random_uuid()`),
    ]
    expect(deep).toBeLessThanOrEqual(first * 1.5)

    const claims = { 'request.jwt.claims': JSON.stringify({ role: 'authenticated', sub: large.userId }) }
    const plans = await world.plansOf(`select * from public.get_conversations(search => 'ottilie')`, claims)
    expect(plans.find((plan) => plan.includes('n.words'))).toContain('conversation_names_words_idx')
    const counting = await world.plansOf('select public.count_unread_messages()', claims)
    for (const plan of [...plans, ...counting]) {
      expect(plan).not.toContain('Seq Scan on conversation')
      expect(plan).not.toContain('Seq Scan on profiles')
    }
  })

  it('finds the fans on a list behind thousands of other conversations [INBOX-01, INBOX-10]', async () => {
    const busy = await world.buildCreator()
    await fill(busy, 1500)
    const [made] = await world.as(busy, `insert into public.fan_lists (name) values ('Few') returning id`)
    const ids = await world.query('select md5($1 || n)::uuid as id from generate_series(1400, 1403) n', [
      busy.profileId,
    ])
    await world.as(busy, 'select public.add_to_fan_list($1, $2)', [made?.id, ids.map(({ id }) => id)])
    // Those that aren't archived or restricted.
    expect((await list(busy, `list_id => '${made?.id}'`)).map(({ other_id }) => other_id)).toEqual(
      ids.slice(1).map(({ id }) => id),
    )
    expect((await list(busy, `list_id => '${made?.id}', search => 'ottilie'`)).length).toBe(0)
    const after = (await list(busy, `list_id => '${made?.id}', page_size => 1`))[0]
    const rest = await list(
      busy,
      `list_id => '${made?.id}', before => '${after?.at}', before_id => '${after?.other_id}', page_size => 1`,
    )
    expect(rest.map(({ other_id }) => other_id)).toEqual([ids[2]?.id])
  })

  it('finds a rare name among thousands of conversations, by the beginnings of its words [INBOX-10]', async () => {
    const busy = await world.buildCreator()
    await fill(busy, 1500)
    await world.query(`update private.profiles set display_name = 'Zoë Quillan' where id = md5($1 || 1490)::uuid`, [
      busy.profileId,
    ])
    const found = async (search: string, caller: Caller = busy) =>
      (await world.as(caller, 'select display_name from public.get_conversations(search => $1)', [search])).map(
        ({ display_name }) => display_name,
      )
    await world.query('select private.name_conversations($1, null)', [busy.profileId])
    for (const search of ['quillan', 'zoe quil', 'Quill zoë']) expect(await found(search)).toEqual(['Zoë Quillan'])
    expect(await found('uillan')).toEqual([])
    for (const search of ['%', '...', "'", 'quillan anna']) expect(await found(search)).toEqual([])
    expect(await found('anna')).toHaveLength(30)
    // A new name is found, the former one isn't.
    await world.query(`update private.profiles set display_name = 'Zoë Marlow' where id = md5($1 || 1490)::uuid`, [
      busy.profileId,
    ])
    expect([await found('marlow'), await found('quillan')]).toEqual([['Zoë Marlow'], []])
    // So are those of a creator who isn't approved, whose names have no index.
    await world.query('update private.profiles set is_verified = false where id = $1', [busy.profileId])
    expect(await found('marlow')).toEqual(['Zoë Marlow'])
    expect(await found('arlow')).toEqual(['Zoë Marlow'])
    await world.query('delete from private.conversation_names where profile_id = $1', [busy.profileId])
    await world.query('update private.profiles set is_verified = true where id = $1', [busy.profileId])
    expect(await found('marlow')).toEqual(['Zoë Marlow'])
  })
})
