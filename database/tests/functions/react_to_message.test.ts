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

async function send(price = 0): Promise<string> {
  const [message] = await world.as(
    creator,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'Hello', $3, $4) returning id`,
    [creator.profileId, fan.profileId, price > 0, price],
  )
  return String(message?.id)
}
const react = (message: string, emoji: string | null, caller: Caller = fan) =>
  world.as(caller, 'select public.react_to_message($1, $2)', [message, emoji])
const reactions = async (message: string, caller: Caller = fan) =>
  (
    await world.as(
      caller,
      'select sender_reaction as sender, recipient_reaction as recipient from public.messages where id = $1',
      [message],
    )
  )[0]

describe('a reaction to a message', () => {
  it('is one for each of the two users, who both see it, and can be changed and removed [INBOX-06]', async () => {
    const message = await send()
    await react(message, '❤️')
    await react(message, '👍', creator)
    for (const caller of [fan, creator])
      expect(await reactions(message, caller)).toEqual({ sender: '👍', recipient: '❤️' })
    await react(message, '😂')
    expect(await reactions(message)).toEqual({ sender: '👍', recipient: '😂' })
    await react(message, null)
    expect(await reactions(message)).toEqual({ sender: '👍', recipient: null })
  })

  it('is one emoji [INBOX-06]', async () => {
    const message = await send()
    for (const emoji of ['❤️', '❤', '👍🏽', '🇳🇴', '👩‍👩‍👧‍👦', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🧑🏿‍🚀', '👁️‍🗨️']) {
      await react(message, emoji)
      expect(await reactions(message)).toMatchObject({ recipient: emoji })
    }
    for (const words of ['', 'a', '1', '❤️❤️', '🇳🇴🇳🇴', '👍 ', '<b>', '\u200d', `❤️${'\u200d❤️'.repeat(9)}`])
      await expect(react(message, words), words).rejects.toMatchObject({ constraint: 'messages_reactions_emoji' })
    await expect(
      world.query(`update private.messages set sender_reaction = 'words' where id = $1`, [message]),
    ).rejects.toMatchObject({ constraint: 'messages_reactions_emoji' })
  })

  it("isn't for messages of others, locked ones, or visitors [INBOX-06]", async () => {
    const [message, locked] = [await send(), await send(500)]
    for (const caller of [await world.buildPerson(), await world.buildAdmin()])
      await expect(react(message, '👍', caller)).rejects.toMatchObject({ code: 'PT404' })
    await expect(react(locked, '👍')).rejects.toMatchObject({ code: 'PT404' })
    await expect(react(message, '👍', 'anon')).rejects.toMatchObject(refused)
    await expect(
      world.as(fan, `update public.messages set recipient_reaction = '👍' where id = $1`, [message]),
    ).rejects.toMatchObject(refused)
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      locked,
      fan.profileId,
    ])
    await react(locked, '👍')
    expect(await reactions(locked)).toMatchObject({ recipient: '👍' })
    expect(await reactions(message)).toEqual({ sender: null, recipient: null })
  })

  it('ends with a block in either direction, and can still be removed [INBOX-06]', async () => {
    const message = await send()
    await react(message, '👍')
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    for (const caller of [fan, creator])
      await expect(react(message, '❤️', caller)).rejects.toMatchObject({ code: 'PT403' })
    await react(message, null)
    expect(await reactions(message)).toEqual({ sender: null, recipient: null })
  })

  it('notifies nobody, and leaves the message unread [INBOX-06]', async () => {
    const message = await send()
    const notices = () => world.query('select count(*)::int as count from public.notifications')
    const before = await notices()
    await react(message, '👍')
    await react(message, '🎉', creator)
    expect(await notices()).toEqual(before)
    expect(await world.as(fan, 'select is_read from public.messages where id = $1', [message])).toEqual([
      { is_read: false },
    ])
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
  })

  it('reads and changes one row by its key [INBOX-06]', async () => {
    const plans = await world.plansOf(`select public.react_to_message('${await send()}', '👍')`, {
      enable_seqscan: 'off',
      'request.jwt.claims': JSON.stringify({ sub: fan.userId, role: 'authenticated' }),
    })
    const onMessages = plans.filter((plan) => plan.includes('private.messages'))
    expect(onMessages.length).toBeGreaterThan(0)
    for (const plan of onMessages) expect(plan).toContain('messages_pkey')
  })
})
