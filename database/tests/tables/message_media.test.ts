import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, fan, admin] = [await world.buildCreator(), await world.buildPerson(), await world.buildAdmin()]
})
afterAll(() => world.close())

type Sent = { media: string[]; types?: string[]; content?: string; price?: number; preview?: number }
async function send(
  sender: Person,
  to: Person,
  { media, types = media.map(() => 'image'), content = '', price = 0, preview }: Sent,
) {
  const [row] = await world.as(
    sender,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types, preview_index)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
    [sender.profileId, to.profileId, content, price > 0, price, media, types, preview],
  )
  return { ...row, id: String(row?.id) }
}
const file = (owner: Person, mimetype?: string) => world.buildFile(owner, 'messages', mimetype)
const reads = async (reader: Person, path: string) =>
  (await world.as(reader, 'select from storage.objects where name = $1', [path])).length === 1

describe('files of messages', () => {
  it('need no text, and are visible to sender and recipient, not to admins [MSG-06, MSG-09]', async () => {
    const path = await file(fan)
    expect(await send(fan, creator, { media: [path] })).toMatchObject({
      content: '',
      media_urls: [path],
      media_types: ['image'],
    })
    expect(await reads(creator, path)).toBe(true)
    expect(await reads(fan, path)).toBe(true)
    expect(await reads(admin, path)).toBe(false)
    expect(await reads(await world.buildPerson(), path)).toBe(false)
  })

  it('of a paid message stay locked until it is unlocked, but their number is visible [MSG-07, MSG-08, MSG-09]', async () => {
    const path = await file(creator, 'video/mp4')
    const { id } = await send(creator, fan, { media: [path], types: ['video'], price: 700 })
    const shown = 'select is_locked, media_urls, media_types from public.messages where id = $1'
    expect(await world.as(fan, shown, [id])).toEqual([{ is_locked: true, media_urls: [], media_types: ['video'] }])
    expect(await reads(fan, path)).toBe(false)
    expect(await world.as(fan, 'select id from public.messages where media_urls && $1', [[path]])).toEqual([])
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      id,
      fan.profileId,
    ])
    expect(await world.as(fan, shown, [id])).toEqual([{ is_locked: false, media_urls: [path], media_types: ['video'] }])
    expect(await reads(fan, path)).toBe(true)
  })

  it('tell their number and length before the purchase, and show the one that is a free preview [INBOX-08, MSG-09]', async () => {
    const [hidden, sample, clip] = [await file(creator), await file(creator), await file(creator, 'video/mp4')]
    await world.query(
      `update storage.objects set metadata = metadata || '{"preview": "thumb", "width": 4, "height": 3}' || case when name = $1 then '{"duration": 200}' else '{}' end::jsonb
       where name = any ($2)`,
      [clip, [hidden, sample, clip]],
    )
    const media = [hidden, sample, clip]
    const { id } = await send(creator, fan, { media, types: ['image', 'image', 'video'], price: 700, preview: 1 })
    const shown = `select is_locked, media_urls, media_types, media_previews, preview_index, preview_url
      from public.messages where id = $1`
    const size = { preview: 'thumb', width: 4, height: 3 }
    const locked = {
      is_locked: true,
      media_urls: [],
      media_types: ['image', 'image', 'video'],
      media_previews: [{}, size, { duration: 200 }],
      preview_index: 1,
      preview_url: sample,
    }
    expect(await world.as(fan, shown, [id])).toEqual([locked])
    const open = {
      ...locked,
      is_locked: false,
      media_urls: media,
      media_previews: [size, size, { ...size, duration: 200 }],
    }
    expect(await world.as(creator, shown, [id])).toEqual([open])
    const reading = async (reader: Person) => Promise.all(media.map((path) => reads(reader, path)))
    expect(await reading(fan)).toEqual([false, true, false])
    expect(await reading(creator)).toEqual([true, true, true])
    for (const reader of [admin, await world.buildPerson()])
      expect(await reading(reader)).toEqual([false, false, false])
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      id,
      fan.profileId,
    ])
    expect(await world.as(fan, shown, [id])).toEqual([open])
    expect(await reading(fan)).toEqual([true, true, true])
    // A refund leaves the preview.
    await world.query('delete from public.message_unlocks where message_id = $1', [id])
    expect(await reading(fan)).toEqual([false, true, false])
  })

  it('that are voice messages show their length before the purchase, and their waveform after it [INBOX-05, INBOX-08]', async () => {
    const [hidden, sample] = [await file(creator, 'audio/mp4'), await file(creator, 'audio/mp4')]
    await world.query(
      `update storage.objects set metadata = metadata || '{"duration": 42, "waveform": "AAECAw=="}' where name = any ($1)`,
      [[hidden, sample]],
    )
    const whole = { duration: 42, waveform: 'AAECAw==' }
    const shown = 'select media_types, media_previews from public.messages where id = $1'
    const { id } = await send(creator, fan, { media: [hidden], types: ['audio'], price: 700 })
    const locked = { media_types: ['audio'], media_previews: [{ duration: 42 }] }
    expect(await world.as(fan, shown, [id])).toEqual([locked])
    expect(await world.as(creator, shown, [id])).toEqual([{ ...locked, media_previews: [whole] }])
    expect([await reads(fan, hidden), await reads(creator, hidden)]).toEqual([false, true])
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      id,
      fan.profileId,
    ])
    expect(await world.as(fan, shown, [id])).toEqual([{ ...locked, media_previews: [whole] }])
    expect(await reads(fan, hidden)).toBe(true)
    const next = await send(creator, fan, {
      media: [await file(creator), sample],
      types: ['image', 'audio'],
      price: 700,
      preview: 1,
    })
    expect(await world.as(fan, shown, [next.id])).toMatchObject([{ media_previews: [{}, whole] }])
    const own = await file(fan, 'audio/mp4')
    await expect(send(fan, creator, { media: [own], types: ['video'] })).rejects.toMatchObject({ code: 'PT422' })
    expect(await send(fan, creator, { media: [own], types: ['audio'] })).toMatchObject({ media_types: ['audio'] })
  })

  it('in a report are what its reporter could see: of a locked message, the free preview [INBOX-08, D43]', async () => {
    const [hidden, sample] = [await file(creator), await file(creator)]
    const { id } = await send(creator, fan, { media: [hidden, sample], price: 700, preview: 1 })
    await world.as(
      fan,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'message', $2, 'spam')`,
      [fan.profileId, id],
    )
    expect([await reads(admin, hidden), await reads(admin, sample)]).toEqual([false, true])
  })

  it('have a free preview only in a paid message, and only one of them [INBOX-08]', async () => {
    for (const preview of [-1, 1])
      await expect(send(creator, fan, { media: [await file(creator)], price: 700, preview })).rejects.toMatchObject({
        constraint: 'messages_preview_is_a_file',
      })
    await expect(send(creator, fan, { media: [], content: 'Words', price: 700, preview: 0 })).rejects.toMatchObject({
      constraint: 'messages_preview_is_a_file',
    })
    expect(await send(creator, fan, { media: [await file(creator)], preview: 0 })).toMatchObject({
      is_paid: false,
      preview_index: null,
      preview_url: null,
    })
  })

  it("are in the sender’s own folder and can't be changed there [MSG-06, GEN-35]", async () => {
    const insert = (name: string) =>
      world.as(fan, `insert into storage.objects (bucket_id, name) values ('messages', $1)`, [name])
    for (const name of [`${creator.userId}/x`, 'x', `x/${fan.userId}/x`, fan.userId])
      await expect(insert(name)).rejects.toMatchObject(refused)
    const path = await file(fan)
    const change = `update storage.objects set version = 'new' where name = $1 returning id`
    for (const caller of [fan, creator, admin]) expect(await world.as(caller, change, [path])).toEqual([])
  })

  it('must be the sender’s own, uploaded, of the given type, and in only one message', async () => {
    const path = await file(fan)
    await expect(send(creator, fan, { media: [path] })).rejects.toMatchObject({ code: 'PT403' })
    await expect(send(fan, creator, { media: [`${fan.userId}/nothing`] })).rejects.toMatchObject({ code: 'PT422' })
    await expect(send(fan, creator, { media: [path], types: ['video'] })).rejects.toMatchObject({ code: 'PT422' })
    await expect(send(fan, creator, { media: [path], types: [] })).rejects.toMatchObject({
      constraint: 'messages_media_pairs',
    })
    await expect(send(fan, creator, { media: Array(11).fill(path) })).rejects.toMatchObject({
      constraint: 'messages_media_at_most_ten',
    })
    await send(fan, creator, { media: [path] })
    await expect(send(fan, creator, { media: [path] })).rejects.toMatchObject({
      code: '23505',
      message: 'This file already belongs to a message',
    })
  })

  it('can be deleted until they are sent, and are deleted with the message', async () => {
    const [unsent, sent] = [await file(fan), await file(fan)]
    const { id } = await send(fan, creator, { media: [sent] })
    const gone = await world.as(fan, 'delete from storage.objects where name = any($1) returning name', [
      [unsent, sent],
    ])
    expect(gone).toEqual([{ name: unsent }])
    await world.query('delete from private.messages where id = $1', [id])
    expect(await reads(fan, sent)).toBe(false)
    expect(await world.query('select bucket_id from private.storage_removals where name = $1', [sent])).toEqual([
      { bucket_id: 'messages' },
    ])
  })
})

describe('get_thread', () => {
  it('reads a conversation in pages, in both directions, and only the caller’s own [MSG-04, API-REST-10]', async () => {
    const [ada, bob, eve] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
    for (let n = 0; n < 5; n++) {
      await send(n % 2 ? ada : bob, n % 2 ? bob : ada, { media: [], content: `word ${n}` })
      await send(bob, eve, { media: [], content: `aside ${n}` })
    }
    type Row = { id: string; at: string; content: string }
    const page = async (before?: Row) =>
      (await world.as(bob, 'select id, content, created_at::text as at from public.get_thread($1, 2, $2, $3)', [
        ada.profileId,
        before?.at ?? null,
        before?.id ?? null,
      ])) as Row[]
    const first = await page()
    const second = await page(first.at(-1))
    const third = await page(second.at(-1))
    expect([first, second, third].map((rows) => rows.map((row) => row.content))).toEqual([
      ['word 4', 'word 3'],
      ['word 2', 'word 1'],
      ['word 0'],
    ])
    expect(await world.as(eve, 'select from public.get_thread($1)', [ada.profileId])).toEqual([])
  })
})
