import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
let stranger: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, fan, stranger, admin] = [
    await world.buildCreator(),
    await world.buildPerson(),
    await world.buildPerson(),
    await world.buildAdmin(),
  ]
})
afterAll(() => world.close())

type Message = { content?: unknown; is_paid?: unknown; price?: unknown }
async function write(
  sender: Person,
  recipient: Person,
  { content = 'Hello', is_paid = false, price = 0 }: Message = {},
) {
  const [row] = await world.as(
    sender,
    'insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, $3, $4, $5) returning *',
    [sender.profileId, recipient.profileId, content, is_paid, price],
  )
  return { ...row, id: String(row?.id) }
}
const secret = 'the secret words'
const sell = (sender: Person, recipient: Person, price = 500) =>
  write(sender, recipient, { content: secret, is_paid: true, price })
const unlock = (buyer: Person, message: string) =>
  world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
    message,
    buyer.profileId,
  ])
const markRead = (reader: Person, sender: Person) =>
  world.as(
    reader,
    'update public.messages set is_read = true where recipient_id = $1 and sender_id = $2 and not is_read returning id',
    [reader.profileId, sender.profileId],
  )
const block = (blocker: Person, blocked: Person) =>
  world.as(blocker, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    blocker.profileId,
    blocked.profileId,
  ])
const set = (person: Person, privacy: object) =>
  world.as(person, 'update public.user_settings set privacy = $1', [JSON.stringify(privacy)])

describe('sending', () => {
  it("works in the sender's own name, to someone else, with content [MSG-06, API-REST-11]", async () => {
    expect(await write(fan, creator)).toMatchObject({
      content: 'Hello',
      is_paid: false,
      is_read: false,
      is_locked: false,
    })
    await expect(
      world.as(stranger, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'x')`, [
        fan.profileId,
        creator.profileId,
      ]),
    ).rejects.toMatchObject({ ...refused, message: 'You can only send messages as yourself' })
    await expect(write(fan, fan)).rejects.toMatchObject({ constraint: 'messages_not_self' })
    for (const content of ['', ' \n\t ', null]) {
      await expect(write(fan, creator, { content })).rejects.toMatchObject({ constraint: 'messages_content_required' })
    }
    await expect(write(fan, creator, { content: 'x'.repeat(5001) })).rejects.toMatchObject({
      constraint: 'messages_content_length',
    })
    await expect(write(fan, { ...creator, profileId: fan.userId })).rejects.toMatchObject({ code: 'PT404' })
    await expect(world.as('anon', 'insert into public.messages (content) values (null)')).rejects.toMatchObject(refused)
  })

  it('allows a price only for approved creators, and a price of 0 is a free message [MSG-05, D25, D27]', async () => {
    expect(await write(fan, stranger, { is_paid: true, price: 0 })).toMatchObject({ is_paid: false, price: 0 })
    expect(await write(fan, stranger, { is_paid: null, price: null })).toMatchObject({ is_paid: false, price: 0 })
    await expect(sell(fan, stranger)).rejects.toMatchObject({
      ...refused,
      message: 'Only approved creators can send paid messages',
    })
    for (const price of [99, 1_000_000, -500]) {
      await expect(sell(creator, fan, price)).rejects.toMatchObject({ constraint: 'messages_price_range' })
    }
    await expect(write(creator, fan, { price: 500 })).rejects.toMatchObject({ constraint: 'messages_price_range' })
    expect(await sell(creator, fan, 100)).toMatchObject({ content: secret, price: 100, is_locked: false })
  })

  it('is rejected with the same message across a block and by settings [MSG-12, SET-20, D9]', async () => {
    const closed = { code: 'PT403', message: "This user doesn't accept messages from you" }
    const [ada, bob] = [await world.buildPerson(), await world.buildPerson()]
    await set(ada, { allowDirectMessages: false })
    await expect(write(bob, ada)).rejects.toMatchObject(closed)
    expect(await canMessage(bob, ada)).toBe(false)
    await write(ada, bob) // a user who takes no messages may still write to another, who may answer
    expect(await canMessage(bob, ada)).toBe(true)
    await write(bob, ada)
    await block(ada, bob)
    await expect(write(bob, ada)).rejects.toMatchObject(closed)
    await expect(write(ada, bob)).rejects.toMatchObject(closed)
    expect([await canMessage(ada, bob), await canMessage(bob, ada), await canMessage(ada, ada)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('ends a conversation in which the recipient never replied [SET-20]', async () => {
    const [ada, bob] = [await world.buildPerson(), await world.buildPerson()]
    await write(bob, ada)
    await set(ada, { allowDirectMessages: false })
    await expect(write(bob, ada)).rejects.toMatchObject({ code: 'PT403' })
  })

  const canMessage = async (caller: Person, other: Person) =>
    (await world.as(caller, 'select public.can_message($1) as answer', [other.profileId]))[0]?.answer
})

describe('access', () => {
  it('is limited to sender and recipient: not other users, admins, or visitors [GEN-35, API-REST-10]', async () => {
    const { id } = await write(fan, creator, { content: 'between us' })
    const see = (caller: Caller) => world.as(caller, 'select content from public.messages where id = $1', [id])
    for (const caller of [fan, creator]) expect(await see(caller)).toEqual([{ content: 'between us' }])
    for (const caller of [stranger, admin]) expect(await see(caller)).toEqual([])
    await expect(see('anon')).rejects.toMatchObject(refused)
  })

  it('allows joins to both users by their foreign keys [API-REST-10]', async () => {
    await write(fan, creator)
    expect(
      await world.as(
        creator,
        `select distinct s.username as sender, r.username as recipient from public.messages m
         join public.profiles s on s.id = m.sender_id join public.profiles r on r.id = m.recipient_id
         where m.sender_id = $1`,
        [fan.profileId],
      ),
    ).toEqual([{ sender: fan.username, recipient: creator.username }])
  })

  it('reveals no locked text by columns, filters, order, aggregates, joins, functions, or errors [MSG-07, MSG-09, D5]', async () => {
    const { id } = await sell(creator, fan)
    const tries = [
      'select content from public.messages where id = $1',
      'select * from public.messages where id = $1',
      'select m::text as whole from public.messages m where id = $1',
      'select row_to_json(m) as whole from public.messages m where id = $1',
      `select string_agg(content, ',') as all from public.messages where id = $1`,
      'select length(content) as length, md5(content) as md5 from public.messages where id = $1',
      `select 1 as found from public.messages where id = $1 and content ilike '%secret%'`,
      `select 1 as found from public.messages where id = $1 and content > 'a'`,
      `select count(*) filter (where content like 'the%') as counted, max(content) as max from public.messages where id = $1`,
      `select to_tsvector(content) @@ to_tsquery('secret') as matches from public.messages where id = $1`,
      `select last_content from public.get_conversations() where last_message_id = $1`,
      `update public.messages set is_read = true where id = $1 and content like 'the%' returning content`,
      `update public.messages set is_read = true where id = $1 returning content`,
    ]
    const tells = /secret|"found"|"length":\d|"counted":"1"|"matches":true/
    for (const attempt of tries) {
      expect(JSON.stringify(await world.as(fan, attempt, [id])), attempt).not.toMatch(tells)
      if (!attempt.startsWith('select')) continue
      const own = JSON.stringify(await world.as(creator, attempt, [id]))
      expect(own, `${attempt} finds it for its author, so it could have`).toMatch(tells)
    }
    for (const attempt of [
      'select content::int from public.messages where id = $1',
      'select 1 / (length(content) - length(content)) from public.messages where id = $1',
    ]) {
      const outcome = await world.as(fan, attempt, [id]).catch((error: Error) => [{ error: error.message }])
      expect(JSON.stringify(outcome), attempt).not.toMatch(/secret|division/)
    }
    for (const table of ['private.messages', 'private.conversations']) {
      await expect(world.as(fan, `select from ${table}`)).rejects.toMatchObject(refused)
    }
    await expect(
      world.as(fan, 'update public.messages set content = content where id = $1', [id]),
    ).rejects.toMatchObject(refused)
  })

  it('runs no condition on a row of another conversation, so that no error reveals it [GEN-35]', async () => {
    await write(fan, creator, { content: '12345' })
    await sell(creator, fan, 777)
    const nobody = await world.buildPerson()
    for (const attempt of [
      'select from public.messages where 1 / (case when price = 777 then 0 else 1 end) = 1',
      `select from public.messages where (case when content is not null then content else '1' end)::int > 0`,
      'select from public.messages where (sender_id::text)::int = 1',
    ]) {
      expect(await world.as(nobody, attempt), attempt).toEqual([])
      // It runs on the caller's own rows, and fails.
      await expect(world.as(creator, attempt), attempt).rejects.toMatchObject({ code: expect.stringMatching(/^22/) })
    }
  })

  it('shows the unlocked text only to the recipient who paid [MSG-08, D27]', async () => {
    const { id } = await sell(creator, fan)
    const locked = 'select content, is_locked, price from public.messages where id = $1'
    expect(await world.as(fan, locked, [id])).toEqual([{ content: null, is_locked: true, price: 500 }])
    await unlock(fan, id)
    expect(await world.as(fan, locked, [id])).toEqual([{ content: secret, is_locked: false, price: 500 }])
    expect(await world.as(stranger, locked, [id])).toEqual([])
  })
})

describe('reading', () => {
  it("marks the recipient's messages, locked ones too, and can't be undone [MSG-10, LOOP-16, D27, API-REST-09]", async () => {
    const [ada, bob] = [await world.buildCreator(), await world.buildPerson()]
    await write(ada, bob)
    const paid = await sell(ada, bob)
    const unread = async () =>
      (
        await world.as(bob, 'select count(*)::int as n from public.messages where recipient_id = $1 and not is_read', [
          bob.profileId,
        ])
      )[0]?.n
    expect(await unread()).toBe(2)
    expect(await world.as(ada, 'update public.messages set is_read = true returning id')).toEqual([])
    expect(await markRead(bob, ada)).toHaveLength(2)
    expect(await unread()).toBe(0)
    await expect(world.as(bob, 'update public.messages set is_read = false where is_read')).rejects.toMatchObject({
      ...refused,
      hint: "A message that was read can't become unread.",
    })
    const see = 'select content, is_read, is_locked, is_unlocked from public.messages where id = $1'
    const opened = { content: secret, is_read: true, is_locked: false }
    expect(await world.as(bob, see, [paid.id])).toEqual([
      { content: null, is_read: true, is_locked: true, is_unlocked: false },
    ])
    expect(await world.as(ada, see, [paid.id])).toEqual([{ ...opened, is_unlocked: false }])
    await unlock(bob, paid.id)
    for (const person of [ada, bob])
      expect(await world.as(person, see, [paid.id])).toEqual([{ ...opened, is_unlocked: true }])
    // A refund locks it again, and leaves it read.
    await world.query('delete from public.message_unlocks where message_id = $1', [paid.id])
    expect(await world.as(bob, see, [paid.id])).toEqual([
      { content: null, is_read: true, is_locked: true, is_unlocked: false },
    ])
    expect(await unread()).toBe(0)
  })

  it("doesn't allow deleting a message or changing its price", async () => {
    await write(fan, creator)
    for (const attempt of [
      'delete from public.messages',
      'update public.messages set price = 0',
      'update public.messages set is_paid = false',
    ]) {
      await expect(world.as(fan, attempt)).rejects.toMatchObject(refused)
    }
    await expect(world.as('service_role', 'delete from public.messages')).rejects.toMatchObject(refused)
  })
})

describe('notifications of messages', () => {
  it('are one for each sender until it is read, without the text [NOTI-15, LOOP-17]', async () => {
    const [ada, bob] = [await world.buildCreator(), await world.buildPerson()]
    await sell(ada, bob)
    await write(ada, bob)
    const bell = () =>
      world.as(
        bob,
        `select title, message, data ->> 'profile_id' as who from public.notifications where type = 'message'`,
      )
    expect(await bell()).toEqual([
      { title: `${ada.username} sent you a paid message`, message: 'Unlock it for $5.00.', who: ada.profileId },
    ])
    await markRead(bob, ada) // who reads the thread has heard the bell
    expect(await world.as(bob, 'select from public.notifications where not is_read')).toEqual([])
    await write(ada, bob)
    expect(await bell()).toHaveLength(2)
  })
})

describe('get_conversations', () => {
  it('lists each conversation once in pages, newest first, masked, with its unread count [MSG-03, MSG-09, API-STO-04]', async () => {
    const me = await world.buildPerson()
    const others = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
    for (const other of others) await write(other, me, { content: `from ${other.username}` })
    const [first, second, third] = others as [Creator, Person, Person]
    await write(me, second, { content: 'answer' })
    await sell(first, me)
    const list = (rest = '') =>
      world.as(me, `select *, last_message_at::text as at from public.get_conversations(${rest})`)
    expect(await list()).toMatchObject([
      { other_id: first.profileId, last_content: null, last_is_locked: true, last_price: 500, unread_count: 2 },
      { other_id: second.profileId, last_content: 'answer', last_sender_id: me.profileId, unread_count: 1 },
      { other_id: third.profileId, username: third.username, unread_count: 1, can_message: true },
    ])
    // The same picture has one address, wherever it is shown.
    const pictures = await world.query('select id, updated_at from private.profiles where id = any ($1)', [
      others.map(({ profileId }) => profileId),
    ])
    for (const { other_id, updated_at } of await list()) expect(pictures).toContainEqual({ id: other_id, updated_at })
    const [top] = await list('page_size => 1')
    const next = await world.as(
      me,
      'select other_id from public.get_conversations(page_size => 5, before => $1, before_id => $2)',
      [top?.at, top?.other_id],
    )
    expect(next.map(({ other_id }) => other_id)).toEqual([second.profileId, third.profileId])
    await markRead(me, first)
    expect((await list('page_size => 1'))[0]?.unread_count).toBe(0)
    expect(await list(`search => '${third.username.toUpperCase()}'`)).toHaveLength(1)
    expect(await list(`search => '%'`)).toEqual([])
    expect(
      await world.as(stranger, `select from public.get_conversations() where other_id = $1`, [me.profileId]),
    ).toEqual([])
    await expect(world.as('anon', 'select from public.get_conversations()')).rejects.toMatchObject(refused)
  })

  it('stays correct with concurrent writes, reads, and unlocks, and when accounts are deleted', async () => {
    const people = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
    const pairs = people.flatMap((a) => people.filter((b) => b !== a).map((b) => [a, b] as const))
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        pairs.flatMap(([a, b]) => [write(a, b), markRead(a, b), sell(a, b).then(({ id }) => unlock(b, id))]),
      )
    }
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
    await world.query(
      `delete from private.messages where id in (select last_message_id from private.conversations limit 3)`,
    )
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
    await world.query('delete from auth.users where id = $1', [people[0]?.userId])
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
  })
})
