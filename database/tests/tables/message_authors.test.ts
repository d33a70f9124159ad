import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openCampaigns } from '../mass-messages.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

type Sent = { content?: string; price?: number; media?: readonly string[] }
async function send(sender: Person, recipient: Person, { content = 'Hello', price = 0, media = [] }: Sent = {}) {
  const [message] = await world.as(
    sender,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [sender.profileId, recipient.profileId, content, price > 0, price, media, media.map(() => 'image')],
  )
  return String(message?.id)
}
/** As flows and teams send: inside the database. */
async function sendFor(sender: Person, recipient: Person, kind: string, name: string | null, id: string | null = null) {
  const [message] = await world.query(
    `insert into private.messages (sender_id, recipient_id, body, author_kind, author_name, author_id) values ($1, $2, 'Hello', $3, $4, $5)
     returning id`,
    [sender.profileId, recipient.profileId, kind, name, id],
  )
  return String(message?.id)
}
const record = (one: Person, other: Person) =>
  world.query(
    `select * from private.message_authors where first_id = least($1::uuid, $2) and second_id = greatest($1::uuid, $2) order by seq`,
    [one.profileId, other.profileId],
  )
const problems = (fixture = world) => fixture.query('select * from private.verify_message_authors()')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hex = (value: unknown) => (value === null ? '' : (value as Buffer).toString('hex'))
/** The cursor of the export, as the server reads it. */
async function exported(caller: Person) {
  const [head, rows] = await world.inOneTransaction(caller, [
    'select auth.open_message_authors() as head',
    'fetch all from own_message_authors',
  ])
  return {
    head: head?.[0]?.head,
    lines: (rows ?? []).map(({ item }) => JSON.parse(String(item)) as Record<string, unknown>),
  }
}

describe('the author of a message', () => {
  it('is its sender, a member of a team, or an automation, and the recipient sees which [INBOX-09]', async () => {
    const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
    await send(seller, reader)
    await sendFor(seller, reader, 'team', 'Ada')
    await sendFor(seller, reader, 'automation', 'Welcome flow')
    const seen = (caller: Person, other: Person) =>
      world.as(caller, 'select author_kind, author_name from public.get_thread($1) order by created_at', [
        other.profileId,
      ])
    const team = { author_kind: 'team', author_name: 'Ada' }
    const user = { author_kind: 'user', author_name: null }
    expect(await seen(seller, reader)).toEqual([user, team, { author_kind: 'automation', author_name: 'Welcome flow' }])
    // The name of an automation is the creator's own word for it.
    expect(await seen(reader, seller)).toEqual([user, team, { author_kind: 'automation', author_name: null }])
  })

  it('is set by the database only [INBOX-09]', async () => {
    const attempt = (caller: Person | 'service_role') =>
      world.as(
        caller,
        `insert into public.messages (sender_id, recipient_id, content, author_kind, author_name) values ($1, $2, 'Hi', 'team', 'Ada') returning author_kind, author_name`,
        [creator.profileId, fan.profileId],
      )
    await expect(attempt(creator)).rejects.toMatchObject(refused)
    expect(await attempt('service_role')).toEqual([{ author_kind: 'user', author_name: null }])
  })

  it("can't be changed, even by the database owner; only a name can be removed [INBOX-09]", async () => {
    const id = await sendFor(creator, fan, 'team', 'Ada', creator.profileId)
    const sent = await send(creator, fan)
    for (const [message, change] of [
      [id, `author_kind = 'automation'`],
      [id, `author_name = 'Bea'`],
      [id, `author_id = gen_random_uuid()`],
      [id, `record_salt = gen_random_uuid()`],
      [sent, `author_kind = 'team', author_name = 'Ada'`],
    ]) {
      const statement = `update private.messages set ${change} where id = '${message}'`
      const error = { ...refused, message: "The author of a message can't be changed" }
      await expect(world.query(statement)).rejects.toMatchObject(error)
      await expect(world.as('service_role', statement)).rejects.toMatchObject(error)
    }
    await world.query('update private.messages set author_name = null where id = $1', [id])
    const [seen] = await world.as(fan, 'select author_kind, author_name from public.messages where id = $1', [id])
    expect(seen).toEqual({ author_kind: 'team', author_name: null })
    expect(await problems()).toEqual([])
  })

  it("has a name only when it isn't the sender [INBOX-09]", async () => {
    await expect(sendFor(creator, fan, 'user', 'Ada')).rejects.toMatchObject({ constraint: 'messages_user_is_author' })
    await expect(sendFor(creator, fan, 'robot', null)).rejects.toMatchObject({ code: '23514' })
  })
})

describe('the record of authors', () => {
  it('can be recomputed with SHA-256 alone [INBOX-09]', async () => {
    const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
    const media = [await world.buildFile(seller, 'messages'), await world.buildFile(seller, 'messages')]
    const flow = randomUUID()
    const ids = [
      await send(seller, reader, { content: 'Schöne Grüße | 🎉', price: 500, media }),
      await sendFor(seller, reader, 'automation', 'Welcome flow', flow),
      await send(reader, seller),
    ]
    const [first, second] = [seller.profileId, reader.profileId].toSorted()
    const salts = new Map(
      (await world.query('select id, record_salt from private.messages where id = any($1)', [ids])).map((row) => [
        row.id,
        row.record_salt,
      ]),
    )
    const lines = await record(seller, reader)
    expect(lines.map(({ message_id }) => message_id)).toEqual(ids)
    const contents = [`500|${sha256('Schöne Grüße | 🎉')}`].concat(Array(2).fill(`0|${sha256('Hello')}`))
    const authors = [`user|${seller.profileId}|`, `automation|${flow}|`, `user|${reader.profileId}|`]
    let previous = '0'.repeat(64)
    for (const [index, line] of lines.entries()) {
      const salt = String(salts.get(ids[index]))
      expect(hex(line.content_hash)).toBe(sha256(`${salt}|${contents[index]}`))
      const files = index === 0 ? media.map((path) => sha256(`${salt}|${path}`)) : []
      expect((line.file_hashes as Buffer[]).map(hex)).toEqual(files)
      const name = index === 1 ? sha256(`${sha256(salt)}|Welcome flow`) : ''
      const [time] = await world.query(
        `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from private.messages where id = $1`,
        [ids[index]],
      )
      const sender = index === 2 ? reader.profileId : seller.profileId
      const text = `v1|${first}|${second}|${index + 1}|${ids[index]}|${sender}|${authors[index]}${name}|${hex(line.content_hash)}|${files.join(',')}|${time?.at}|${previous}`
      expect(hex(line.hash)).toBe(sha256(text))
      previous = hex(line.hash)
    }
    expect(await problems()).toEqual([])
  })

  it('has the text and the files of mass messages, and outlives files that the creator deletes [INBOX-09, VAULT-06]', async () => {
    const [seller, buyer, reader] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
    const campaigns = openCampaigns(world)
    for (const person of [buyer, reader]) await campaigns.follow(person, seller)
    const file = await campaigns.buildVaultFile(seller)
    const mass = await campaigns.deliver(seller, { content: 'New set', price: 500, files: [file] })
    await campaigns.buy(buyer, seller, mass)
    const [line] = await record(seller, reader)
    const [copy] = await world.query('select record_salt from private.messages where recipient_id = $1', [
      reader.profileId,
    ])
    const [{ media_paths: paths } = {}] = await world.query(
      'select media_paths from public.mass_messages where id = $1',
      [mass],
    )
    expect(hex(line?.content_hash)).toBe(sha256(`${copy?.record_salt}|500|${sha256('New set')}`))
    const hashes = line?.file_hashes as Buffer[]
    expect(hashes.map(hex)).toEqual((paths as string[]).map((path) => sha256(`${copy?.record_salt}|${path}`)))
    await world.as(seller, 'select public.delete_vault_files($1)', [[file]])
    expect(await problems()).toEqual([])
  })

  it('takes a muted offer and a message at the same moment [INBOX-09, MASS-05]', async () => {
    for (const isNew of [true, false]) {
      const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
      const campaigns = openCampaigns(world)
      await campaigns.follow(reader, seller)
      if (!isNew) await send(reader, seller)
      await world.as(reader, 'select public.mute_offers($1, true)', [seller.profileId])
      const mass = await campaigns.compose(seller, { price: 500 })
      await campaigns.send(seller, mass)
      const writing = await world.begin('service_role', [
        'reset role',
        `insert into private.messages (sender_id, recipient_id, body) values ('${reader.profileId}', '${seller.profileId}', 'Hi')`,
      ])
      const delivery = campaigns.run()
      await expect
        .poll(
          async () =>
            (
              await world.query(
                `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
              )
            ).length,
        )
        .toBe(1)
      await writing.commit()
      await delivery
      expect((await record(seller, reader)).map(({ seq }) => Number(seq))).toEqual(isNew ? [1, 2] : [1, 2, 3])
    }
    expect(await problems()).toEqual([])
  })

  it('rejects update, delete, and truncate, even by the database owner, and lines of the server [INBOX-09]', async () => {
    await send(creator, fan)
    for (const statement of [
      `update private.message_authors set author_kind = 'team'`,
      'delete from private.message_authors',
      'truncate private.message_authors',
    ]) {
      await expect(world.query(statement)).rejects.toMatchObject({
        ...refused,
        message: 'private.message_authors is append-only',
      })
      await expect(world.as('service_role', statement)).rejects.toMatchObject(refused)
    }
    const forge = `insert into private.message_authors (first_id, second_id, seq, message_id, sender_id, author_kind, content_hash, file_hashes, sent_at, previous_hash, hash)
      values (least($1::uuid, $2), greatest($1::uuid, $2), 1, gen_random_uuid(), $1, 'user', sha256(''), '{}', now(), sha256(''), sha256(''))`
    await expect(world.as('service_role', forge, [creator.profileId, fan.profileId])).rejects.toMatchObject(refused)
  })

  it('keeps its chains intact when both users of a conversation write at once [INBOX-09]', async () => {
    const pair = [await world.buildCreator(), await world.buildPerson()] as const
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(pair[index % 2 ? 0 : 1], pair[index % 2 ? 1 : 0])))
    expect((await record(...pair)).map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    expect(await problems()).toEqual([])
  })

  it('takes many messages of one statement, also several of a conversation, in their order [INBOX-09]', async () => {
    const seller = await world.buildCreator()
    const readers = await Promise.all([1, 2, 3].map(() => world.buildPerson()))
    await send(seller, readers[0] as Person)
    await world.query(
      `insert into private.messages (sender_id, recipient_id, body, created_at)
       select $1, r.id, 'Number ' || n, '2026-01-01'::timestamptz + make_interval(hours => 10 - n)
       from unnest($2::uuid[]) r (id), generate_series(1, 3) n`,
      [seller.profileId, readers.map(({ profileId }) => profileId)],
    )
    for (const [index, reader] of readers.entries()) {
      const bodies = await world.query(
        `select m.body from private.message_authors a join private.messages m on m.id = a.message_id where $1 in (a.first_id, a.second_id) order by a.seq`,
        [reader.profileId],
      )
      expect(bodies.map(({ body }) => body)).toEqual([
        ...(index === 0 ? ['Hello'] : []),
        'Number 3',
        'Number 2',
        'Number 1',
      ])
    }
    expect(await problems()).toEqual([])
  })

  it('keeps the line of an unsent message, without its text, and its id is used up [INBOX-09, INBOX-07]', async () => {
    const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
    const id = await send(seller, reader, { content: 'A slip' })
    await world.as(seller, 'select public.unsend_message($1)', [id])
    await send(seller, reader)
    for (const caller of [seller, reader]) {
      const { lines } = await exported(caller)
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatchObject({ message_id: id, author_kind: 'user' })
      expect(Object.keys(lines[0] ?? {})).not.toContain('content')
      expect(lines[1]).toMatchObject({ content: 'Hello' })
    }
    const again = world.as(
      seller,
      `insert into public.messages (id, sender_id, recipient_id, content) values ($1, $2, $3, 'Again')`,
      [id, seller.profileId, reader.profileId],
    )
    await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'message_authors_message_id_key' })
    expect(await problems()).toEqual([])
  })

  it("keeps the other user's chain whole when an account is deleted, without names [INBOX-09, SET-14]", async () => {
    const [seller, leaver] = [await world.buildCreator(), await world.buildPerson()]
    await send(leaver, seller, { content: 'Remember me' })
    await sendFor(seller, leaver, 'team', 'Zelda Unforgettable')
    await world.as('service_role', 'select private.delete_account($1)', [leaver.userId])
    const { head, lines } = await exported(seller)
    expect(head).toMatchObject({ lines: 2, conversations: 1 })
    expect(lines.map(({ seq, author_kind }) => [seq, author_kind])).toEqual([
      [1, 'user'],
      [2, 'team'],
    ])
    expect(JSON.stringify(lines)).not.toMatch(/Remember|Unforgettable/)
    expect(await problems()).toEqual([])
  })

  it('begins with the first message after the migration: one from before has no line [INBOX-09]', async () => {
    const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
    const before = world.query(
      `with replica as (select set_config('session_replication_role', 'replica', true))
       insert into private.messages (sender_id, recipient_id, body, record_salt) select $1, $2, 'Old', null from replica`,
      [seller.profileId, reader.profileId],
    )
    await before
    expect(await record(seller, reader)).toEqual([])
    expect(await problems()).toEqual([])
  })

  it.each([
    ['a forged author', `update private.message_authors set author_kind = 'team'`, 'was changed after it was written'],
    [
      'a forged time',
      `update private.message_authors set sent_at = sent_at + interval '1 second'`,
      'was changed after it was written',
    ],
    ['a forged hash', `update private.message_authors set hash = sha256('forged')`, 'was changed after it was written'],
    [
      'a forged previous hash',
      `update private.message_authors set previous_hash = sha256('forged')`,
      'does not follow the line before it',
    ],
    ['a removed line', 'delete from private.message_authors where seq = 1', 'the line before this one is missing'],
    ['a removed end', 'delete from private.message_authors where seq = 2', 'has a message that is not in the record'],
    ['a forged text', `update private.messages set body = 'Forged'`, 'differs from the message'],
    ['a forged price', 'update private.messages set is_paid = true, price = 500', 'differs from the message'],
    [
      'a forged author of the message',
      `update private.messages set author_kind = 'automation'`,
      'differs from the message',
    ],
    [
      'a forged name',
      `update private.messages set author_kind = 'team', author_name = 'Ada'`,
      'differs from the message',
    ],
  ])('reveals %s [INBOX-09]', async (_what, forgery, problem) => {
    const cheated = await openDatabaseFixture()
    try {
      const [seller, reader] = [await cheated.buildCreator(), await cheated.buildPerson()]
      for (const content of ['One', 'Two'])
        await cheated.as(seller, 'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
          seller.profileId,
          reader.profileId,
          content,
        ])
      for (const table of ['messages', 'message_authors'])
        await cheated.query(`alter table private.${table} disable trigger user`)
      await cheated.query(forgery)
      expect((await problems(cheated)).map((row) => row.problem)).toContain(problem)
    } finally {
      await cheated.close()
    }
  })
})

describe("both users' exports", () => {
  it('have the chain of their conversations, and of no other [INBOX-09, STAT-03]', async () => {
    const [seller, reader, other] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
    await send(seller, reader)
    await send(other, seller)
    await sendFor(seller, reader, 'automation', 'Welcome flow')
    const [ofSeller, ofReader] = [await exported(seller), await exported(reader)]
    expect(ofSeller.head).toMatchObject({
      record: 'message authors',
      version: 1,
      profile_id: seller.profileId,
      lines: 3,
      conversations: 2,
    })
    expect(ofReader.head).toMatchObject({ lines: 2, conversations: 1 })
    expect(JSON.stringify(ofReader)).not.toContain(other.profileId)
    const hashes = (lines: Record<string, unknown>[]) => lines.map(({ hash }) => hash)
    expect(new Set(hashes(ofReader.lines)).isSubsetOf(new Set(hashes(ofSeller.lines)))).toBe(true)
    // The creator's name for the automation, and the salt with which it could be guessed, are for the creator.
    expect(ofSeller.lines.map(({ author_name }) => author_name).filter(Boolean)).toEqual(['Welcome flow'])
    expect(ofReader.lines.flatMap(Object.keys).filter((key) => /author_name/.test(key))).toEqual([])
  })

  it('have the salt of a locked message only for its sender [INBOX-09, MSG-09]', async () => {
    const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
    const id = await send(seller, reader, { content: 'hush hush', price: 500 })
    const [message] = await world.query('select record_salt from private.messages where id = $1', [id])
    const salt = String(message?.record_salt)
    expect((await exported(seller)).lines).toMatchObject([{ content: 'hush hush', content_salt: salt, price: 500 }])
    expect(JSON.stringify(await exported(reader))).not.toMatch(new RegExp(`hush|${salt}|content_salt`))
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      id,
      reader.profileId,
    ])
    expect((await exported(reader)).lines).toMatchObject([{ content: 'hush hush', content_salt: salt }])
  })

  it("aren't for visitors or connected apps [INBOX-09]", async () => {
    await expect(world.as('anon', 'select auth.open_message_authors()')).rejects.toMatchObject(refused)
    const claims = JSON.stringify({ sub: fan.userId, role: 'authenticated', client_id: fan.userId })
    const app = world.inOneTransaction(fan, [
      `select set_config('request.jwt.claims', '${claims}', true)`,
      'select auth.open_message_authors()',
    ])
    await expect(app).rejects.toMatchObject(refused)
  })

  it('read each chain in the order of an index [INBOX-09]', async () => {
    const plans = await world.plansOf('select auth.open_message_authors(); fetch all from own_message_authors', {
      enable_seqscan: 'off',
      enable_bitmapscan: 'off',
      'request.jwt.claims': JSON.stringify({ sub: creator.userId, role: 'authenticated' }),
    })
    const plan = plans.find(
      (text) => text.includes('message_authors_second_id_idx') && text.includes('author_name_salt'),
    )
    expect(plan).toContain('message_authors_pkey')
    expect(plan).not.toContain('Sort')
  })
})
