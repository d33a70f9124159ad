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
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})

async function send(sender: Person = creator, recipient: Person = fan, price = 0): Promise<string> {
  const [message] = await world.as(
    sender,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'Hello', $3, $4) returning id`,
    [sender.profileId, recipient.profileId, price > 0, price],
  )
  return String(message?.id)
}
const unsend = (message: string, caller: Caller = creator) =>
  world.as(caller, 'select public.unsend_message($1)', [message])
const read = (reader: Person = fan) =>
  world.as(reader, 'update public.messages set is_read = true where recipient_id = $1', [reader.profileId])
const thread = async (reader: Person, other: Person) =>
  (await world.as(reader, 'select id from public.get_thread($1)', [other.profileId])).map(({ id }) => id)
const unread = async () =>
  (await world.as(fan, 'select last_message_id as last, unread_count as unread from public.get_conversations()'))[0]
const bells = async () =>
  (await world.as(fan, `select id from public.notifications where type = 'message' and not is_read`)).length
const tooLate = { code: 'PT409', message: "This message has been read, so it can't be unsent" }

describe('unsending', () => {
  it('takes an unread message back without a trace [INBOX-07]', async () => {
    await unsend(await send())
    for (const [reader, other] of [
      [fan, creator],
      [creator, fan],
    ] as const)
      expect(await thread(reader, other)).toEqual([])
    expect(await unread()).toBeUndefined()
    expect(await bells()).toBe(0)
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
  })

  it('leaves the messages before it, and the notification about them [INBOX-07]', async () => {
    const [first, second] = [await send(), await send()]
    await unsend(second)
    expect(await unread()).toEqual({ last: first, unread: 1 })
    expect(await bells()).toBe(1)
  })

  it('ends when a free message is read [INBOX-07]', async () => {
    const message = await send()
    await read()
    await expect(unsend(message)).rejects.toMatchObject(tooLate)
    expect(await thread(fan, creator)).toEqual([message])
  })

  it('ends when a paid message is unlocked, read or not [INBOX-07]', async () => {
    const [kept, gone] = [await send(creator, fan, 500), await send(creator, fan, 500)]
    await read()
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      kept,
      fan.profileId,
    ])
    await expect(unsend(kept)).rejects.toMatchObject({
      code: 'PT409',
      message: "This message has been unlocked, so it can't be unsent",
    })
    await unsend(gone)
    expect(await thread(fan, creator)).toEqual([kept])
  })

  it("isn't for a reported message, which is evidence [INBOX-07]", async () => {
    const message = await send(creator, fan, 500)
    await world.as(
      fan,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'message', $2, 'spam')`,
      [fan.profileId, message],
    )
    await expect(unsend(message)).rejects.toMatchObject(tooLate)
  })

  it('finds the report in an index [INBOX-07]', async () => {
    const plans = await world.plansOf(`select public.unsend_message('${await send()}')`, {
      enable_seqscan: 'off',
      'request.jwt.claims': JSON.stringify({ sub: creator.userId, role: 'authenticated' }),
    })
    expect(plans.find((plan) => plan.includes('public.reports'))).toContain('reports_reporter_id_idx')
  })

  it("isn't for messages of others, or visitors [INBOX-07]", async () => {
    const message = await send()
    const stranger = await world.buildPerson()
    for (const caller of [fan, stranger, await world.buildAdmin()])
      await expect(unsend(message, caller)).rejects.toMatchObject({ code: 'PT404' })
    await expect(unsend(message, 'anon')).rejects.toMatchObject(refused)
  })

  it('happens once, and never waits in a circle with a reader [INBOX-07]', async () => {
    for (let round = 0; round < 10; round++) {
      const messages = [await send(), await send(), await send()]
      const results = await Promise.allSettled([read(), ...messages.map((message) => unsend(message))])
      const [reading, ...unsent] = results
      expect(reading?.status).toBe('fulfilled')
      for (const result of unsent) if (result.status === 'rejected') expect(result.reason).toMatchObject(tooLate)
      const left = messages.filter((_message, index) => unsent[index]?.status === 'rejected')
      expect(await thread(fan, creator)).toEqual(expect.arrayContaining(left))
      for (const message of left) await world.query('delete from private.messages where id = $1', [message])
      expect(await world.query('select * from private.verify_conversations()')).toEqual([])
    }
  })
})
