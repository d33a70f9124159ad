import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())

type Found = { id: string; sender_id: string; other_id: string; username: string; excerpt: string; created_at: Date }

async function send(from: Person, to: Person, content: string, price = 0) {
  const [row] = await world.as(
    from,
    'insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, $3, $4, $5) returning id',
    [from.profileId, to.profileId, content, price > 0, price],
  )
  return String(row?.id)
}
const search = async (caller: Caller, words: string, rest = '', values: unknown[] = []) =>
  (await world.as(caller, `select * from public.search_messages($1${rest})`, [words, ...values])) as Found[]
const found = async (caller: Caller, words: string) => (await search(caller, words)).map(({ excerpt }) => excerpt)
const unlock = async (buyer: Person, owner: Person, message: string) => {
  const [row] = await world.as(
    'service_role',
    `select private.post_message_unlock($1, $2, $3, $4, 500, 50, 'usd', now()) as id`,
    [`pi_${message}`, buyer.profileId, owner.profileId, message],
  )
  return String(row?.id)
}
const texts = async (message: string) =>
  Number((await world.query('select count(*) from private.message_texts where message_id = $1', [message]))[0]?.count)

describe('a search of messages', () => {
  it('finds words of any language in what both users wrote, without case and accents [INBOX-02]', async () => {
    const [fan, other] = [await world.buildPerson(), await world.buildPerson()]
    const examples = {
      'Привет, как дела?': ['привет', 'дела как', 'де'],
      'Die Größe ist egal': ['grosse', 'GRÖSSE', 'größe egal', 'ega'],
      'Crème brûlée, naïve Żółć': ['creme', 'Brûlée', 'zolc'],
      'こんにちは世界、元気ですか': ['世界', '元気', '世'],
      北京烤鸭很好吃: ['烤鸭', '北京', '好吃'],
      สวัสดีชาวโลก: ['ชาวโลก', 'โลก'],
      'नमस्ते दुनिया': ['नमस्ते', 'दुनि'],
      'مرحبا بالعالم': ['بالعالم', 'مرحبا'],
      '안녕하세요 세계가': ['세계', '안녕'],
      'I don’t know <yet>': ["don't", 'yet'],
      'See https://ovation.example/long-path/to': ['ovation.example', 'long-path', 'path'],
    }
    for (const [index, text] of Object.keys(examples).entries())
      await (index % 2 ? send(fan, other, text) : send(other, fan, text))
    for (const [text, searches] of Object.entries(examples))
      for (const words of searches)
        for (const caller of [fan, other])
          expect({ words, found: await found(caller, words) }).toEqual({ words, found: [text] })
    for (const words of ['界世', 'gr', 'привет egal', '!?', ' ', "'", ':*', '\\'])
      expect(await found(fan, words)).toEqual([])
  })

  it('is newest first and in pages, in all threads or in one [INBOX-02]', async () => {
    const [fan, other, third] = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    const ids: string[] = []
    for (let each = 0; each < 5; each += 1)
      ids.unshift(await send(each % 2 ? fan : other, each % 2 ? other : fan, `Pier ${each}`))
    ids.unshift(await send(third, fan, 'The pier again'))
    const all = await search(fan, 'pier')
    expect(all.map(({ id }) => id)).toEqual(ids)
    expect(all[0]).toMatchObject({ sender_id: third.profileId, other_id: third.profileId, username: third.username })
    expect(all[2]).toMatchObject({ sender_id: fan.profileId, other_id: other.profileId, username: other.username })
    const first = await search(fan, 'pier', ', page_size => 2')
    const last = first.at(-1)
    const rest = await search(
      fan,
      'pier',
      ', before => (select m.created_at from public.messages m where m.id = $2), before_id => $2',
      [last?.id],
    )
    expect([...first, ...rest]).toEqual(all)
    expect((await search(fan, 'pier', ', with_id => $2', [third.profileId])).map(({ id }) => id)).toEqual([ids[0]])
    expect(await found(fan, 'pier again')).toEqual(['The pier again'])
  })

  it('shows the part of a long message that has the words [INBOX-02]', async () => {
    const [fan, other] = [await world.buildPerson(), await world.buildPerson()]
    await send(fan, other, `${'Before '.repeat(50)}Lighthouse${' after'.repeat(100)}`)
    const [excerpt] = await found(other, 'lighthouse')
    expect(excerpt).toMatch(/^….*Before Lighthouse after.*…$/)
    expect(excerpt?.length).toBe(202)
  })

  it('never finds locked text, not even that it is there, until it is unlocked [INBOX-02]', async () => {
    const [creator, fan] = [await world.buildCreator(), await world.buildPerson()]
    const open = await send(creator, fan, 'The lighthouse at noon')
    const secret = await send(creator, fan, 'The lighthouse at midnight', 500)
    expect(await found(creator, 'midnight')).toEqual(['The lighthouse at midnight'])
    const before = await search(fan, 'lighthouse')
    expect(before.map(({ id }) => id)).toEqual([open])
    expect(await found(fan, 'midnight')).toEqual([])
    // Not even the table that is searched has its words for the fan.
    expect(await texts(secret)).toBe(1)
    const sale = await unlock(fan, creator, secret)
    expect(await found(fan, 'midnight')).toEqual(['The lighthouse at midnight'])
    await books.refund(sale, 500)
    expect(await search(fan, 'lighthouse')).toEqual(before)
    expect(await texts(secret)).toBe(1)
    // The screen's own check holds, too, if the words were there.
    await world.query(
      `insert into private.message_texts select message_id, other_id, profile_id, sent_at, words from private.message_texts where message_id = $1`,
      [secret],
    )
    expect(await found(fan, 'midnight')).toEqual([])
  })

  it('finds nothing of a message that was unsent, or of a deleted account [INBOX-02]', async () => {
    const [fan, other, leaving] = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    const message = await send(fan, other, 'Harbor lights')
    const theirs = await send(leaving, fan, 'Harbor master')
    expect(await found(fan, 'harbor')).toEqual(['Harbor master', 'Harbor lights'])
    await world.as(fan, 'select public.unsend_message($1)', [message])
    expect(await texts(message)).toBe(0)
    await world.query('delete from private.profiles where id = $1', [leaving.profileId])
    expect(await texts(theirs)).toBe(0)
    expect(await found(fan, 'harbor')).toEqual([])
  })

  it('is of the caller’s own messages only [INBOX-02]', async () => {
    const [fan, other, stranger, admin] = [
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildAdmin(),
    ]
    await send(fan, other, 'Quartz')
    for (const caller of [stranger, admin]) {
      expect(await found(caller, 'quartz')).toEqual([])
      expect(await search(caller, 'quartz', ', with_id => $2', [fan.profileId])).toEqual([])
      await expect(world.as(caller, 'select * from private.message_texts')).rejects.toMatchObject(refused)
    }
    await expect(search('anon', 'quartz')).rejects.toMatchObject(refused)
  })
})

describe('the messages around one', () => {
  const around = async (caller: Caller, other: Person, message: string, rest = '') =>
    (await world.as(caller, `select id from public.get_thread_around($1, $2${rest})`, [other.profileId, message])).map(
      ({ id }) => String(id),
    )

  it('are those before and after it, newest first, for the two users only [INBOX-02]', async () => {
    const [fan, other, stranger] = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    const ids: string[] = []
    for (let each = 0; each < 9; each += 1)
      ids.unshift(await send(each % 3 ? fan : other, each % 3 ? other : fan, `${each}`))
    const middle = String(ids[4])
    expect(await around(fan, other, middle)).toEqual(ids)
    expect(await around(other, fan, middle, ', older => 2, newer => 1')).toEqual(ids.slice(3, 7))
    expect(await around(fan, other, middle, ', older => 0, newer => 10')).toEqual(ids.slice(0, 5))
    expect(await around(fan, stranger, middle)).toEqual([])
    for (const caller of [stranger, 'service_role'] as const) expect(await around(caller, other, middle)).toEqual([])
    await expect(around('anon', other, middle)).rejects.toMatchObject(refused)
    await world.as(fan, 'select public.unsend_message($1)', [ids.find((_, index) => index === 4)])
    expect(await around(fan, other, middle)).toEqual([])
  })

  it('of a locked one have no text', async () => {
    const [creator, fan] = [await world.buildCreator(), await world.buildPerson()]
    const secret = await send(creator, fan, 'Midnight', 500)
    const [row] = await world.as(fan, 'select content, is_locked from public.get_thread_around($1, $2)', [
      creator.profileId,
      secret,
    ])
    expect(row).toEqual({ content: null, is_locked: true })
  })
})

describe('the cost of a search', () => {
  /** Messages of the last two years as they are stored, without their triggers: every one says "sea", few the other words. */
  const fill = async (owner: Person, count: number) => {
    await world.query(
      `begin; set local session_replication_role = replica;
       insert into private.messages (id, sender_id, recipient_id, body, created_at)
       select md5('${owner.userId}' || n)::uuid, case when n % 2 = 0 then '${owner.profileId}' else md5('with' || n % 20)::uuid end,
         case when n % 2 = 0 then md5('with' || n % 20)::uuid else '${owner.profileId}' end,
         'The sea' || case when n % 100 = 0 then ' gull' else '' end || case when n = ${count} - 5 then ' lighthouse' else '' end,
         now() - n * interval '2 years' / ${count}
       from generate_series(1, ${count}) n;
       insert into private.profiles (id, user_id, username)
       select md5('with' || n)::uuid, md5('user' || n)::uuid, 'with_' || n from generate_series(0, 19) n on conflict do nothing;
       commit;`,
    )
    await world.query(
      'select private.add_message_texts(array(select m.id from private.messages m where $1 in (m.sender_id, m.recipient_id)))',
      [owner.profileId],
    )
  }
  const blocks = async (owner: Person, args: string) => {
    const text = `select * from public.search_messages(${args})`
    const { all, commit } = await world.begin(owner, [text, `explain (analyze, buffers, format json) ${text}`])
    await commit()
    const [explained] = (all[1]?.[0]?.['QUERY PLAN'] ?? []) as { Plan: Record<string, number> }[]
    const { Plan: plan = {} } = explained ?? {}
    return { rows: plan['Actual Rows'], blocks: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']) }
  }

  it('depends neither on the user’s messages nor on others’ [INBOX-02, INBOX-10]', async () => {
    const [small, large] = [await world.buildPerson(), await world.buildPerson()]
    await fill(small, 2000)
    await fill(large, 16_000)
    for (let count = 0; count < 2; count += 1) await fill(await world.buildPerson(), 2000)
    await world.query('vacuum analyze private.messages, private.message_texts')
    const more: unknown[] = []
    for (const args of [`'sea'`, `'gull'`, `'lighthouse'`, `'sea gull'`, `'gul'`, `'whale'`]) {
      const [few, many] = [await blocks(small, args), await blocks(large, args)]
      expect(many.rows).toBe(few.rows)
      if (many.blocks > few.blocks * 1.5) more.push({ args, few, many })
    }
    expect(more).toEqual([])
  })
})
