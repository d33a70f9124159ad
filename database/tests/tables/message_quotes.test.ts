import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
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

type Sent = { content?: string; price?: number; media?: string[]; quoted?: string }
async function send(from: Person, to: Person, { content = 'Hello', price = 0, media = [], quoted }: Sent = {}) {
  const [message] = await world.as(
    from,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types, quoted_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [from.profileId, to.profileId, content, price > 0, price, media, media.map(() => 'image'), quoted],
  )
  return String(message?.id)
}
const quoteIn = async (reply: string, reader: Caller) =>
  (await world.as(reader, 'select quoted_id, quote from public.messages where id = $1', [reply]))[0]
const unlock = (message: string) =>
  world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
    message,
    fan.profileId,
  ])
const secret = 'the secret words'

describe('a quote', () => {
  it('shows both users the beginning of the message and its first picture [INBOX-06]', async () => {
    const path = await world.buildFile(creator, 'messages')
    await world.query(`update storage.objects set metadata = metadata || '{"preview": "thumb"}' where name = $1`, [
      path,
    ])
    const content = `${'words '.repeat(30)}end`
    const quoted = await send(creator, fan, { content, media: [path, await world.buildFile(creator, 'messages')] })
    const reply = await send(fan, creator, { quoted })
    for (const reader of [fan, creator])
      expect(await quoteIn(reply, reader)).toEqual({
        quoted_id: quoted,
        quote: {
          sender_id: creator.profileId,
          is_locked: false,
          text: content.slice(0, 140),
          media_url: path,
          media_type: 'image',
          preview: 'thumb',
        },
      })
    expect(await quoteIn(quoted, fan)).toEqual({ quoted_id: null, quote: null })
    const [newest] = await world.as(fan, 'select quote from public.get_thread($1)', [creator.profileId])
    expect(newest).toMatchObject({ quote: { text: content.slice(0, 140) } })
  })

  it('of a paid message shows its recipient nothing of it until it is unlocked [INBOX-06, MSG-09]', async () => {
    const path = await world.buildFile(creator, 'messages')
    const quoted = await send(creator, fan, { content: secret, price: 500, media: [path] })
    const replies = [await send(fan, creator, { quoted }), await send(creator, fan, { quoted })]
    const locked = { sender_id: creator.profileId, is_locked: true }
    const open = { ...locked, is_locked: false, text: secret, media_url: path, media_type: 'image' }
    for (const reply of replies) {
      expect((await quoteIn(reply, fan))?.quote).toEqual(locked)
      expect((await quoteIn(reply, creator))?.quote).toEqual(open)
    }
    await unlock(quoted)
    for (const reply of replies) expect((await quoteIn(reply, fan))?.quote).toEqual(open)
    // A refund locks the message, and with it the quote.
    await world.query('delete from public.message_unlocks where message_id = $1', [quoted])
    for (const reply of replies) expect((await quoteIn(reply, fan))?.quote).toEqual(locked)
  })

  it('in a paid message is shown, because its recipient may see the quoted one [INBOX-06]', async () => {
    const quoted = await send(fan, creator, { content: 'My own words' })
    const reply = await send(creator, fan, { content: secret, price: 500, quoted })
    expect(await world.as(fan, 'select content, quote from public.messages where id = $1', [reply])).toEqual([
      { content: null, quote: { sender_id: fan.profileId, is_locked: false, text: 'My own words' } },
    ])
  })

  it('of an unsent message says that there was one, and nothing more [INBOX-06, INBOX-07]', async () => {
    const quoted = await send(creator, fan, { content: secret, price: 500 })
    const reply = await send(fan, creator, { quoted })
    await world.as(creator, 'select public.unsend_message($1)', [quoted])
    for (const reader of [fan, creator])
      expect(await quoteIn(reply, reader)).toEqual({ quoted_id: quoted, quote: null })
    const kept = await world.query('select to_jsonb(m)::text as row from private.messages m where m.id = $1', [reply])
    expect(String(kept[0]?.row)).not.toContain(secret)
  })

  it('is of a message in the same conversation [INBOX-06, GEN-35]', async () => {
    const other = await world.buildPerson()
    const elsewhere = await send(creator, other, { content: secret })
    const gone = { code: 'PT404', message: "The message you're replying to is no longer available" }
    for (const quoted of [elsewhere, creator.profileId]) {
      await expect(send(fan, creator, { quoted })).rejects.toMatchObject(gone)
      await expect(send(creator, fan, { quoted })).rejects.toMatchObject(gone)
    }
    await send(other, creator, { quoted: elsewhere })
  })

  it('is read by its key, and only where there is one [INBOX-06]', async () => {
    const quoted = await send(creator, fan)
    await send(fan, creator, { quoted })
    const plans = await world.plansOf(`select * from public.get_thread('${creator.profileId}')`, {
      enable_seqscan: 'off',
      'request.jwt.claims': JSON.stringify({ sub: fan.userId, role: 'authenticated' }),
    })
    const quotes = plans.filter((plan) => plan.includes('p_quoted') || plan.includes('140'))
    expect(quotes).toHaveLength(1)
    expect(quotes[0]).toContain('messages_pkey')
  })
})
