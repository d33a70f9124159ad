import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openCampaigns } from '../mass-messages.ts'
import { openBooks } from '../open-books.ts'

type Three = [Person, Person, Person]

let world: DatabaseFixture
let campaigns: ReturnType<typeof openCampaigns>
let books: ReturnType<typeof openBooks>
let creator: Creator
let fans: Three
beforeAll(async () => {
  world = await openDatabaseFixture()
  campaigns = openCampaigns(world)
  books = openBooks(world)
  await world.query(`insert into private.settings (key, value) values ('mass_messages_per_day', '1000')`)
  creator = await world.buildCreator()
  fans = (await campaigns.buildFans(creator, 3)) as Three
})
afterAll(async () => {
  expect(await campaigns.problems()).toEqual([])
  await world.close()
})

const unsend = async (id: string) =>
  (await world.as(creator, 'select public.unsend_mass_message($1) as copies', [id]))[0]?.copies
const end = (id: string, at: string | null) => world.as(creator, 'select public.set_mass_message_end($1, $2)', [id, at])
const copyOf = async (id: string, fan: Person) =>
  String(
    (
      await world.query('select id from private.messages where mass_message_id = $1 and recipient_id = $2', [
        id,
        fan.profileId,
      ])
    )[0]?.id,
  )
const fansBehind = async (id: string, which: string, after?: string) =>
  (
    await world.as(creator, 'select fan_id from public.get_mass_message_fans($1, $2, $3, 2)', [
      id,
      which,
      after ?? null,
    ])
  ).map(({ fan_id }) => String(fan_id))
/** The contents of the fan's thread with the creator. */
const contents = async (fan: Person) => (await campaigns.thread(fan, creator)).map(({ content }) => content)
const quote = (fan: Person, message: string) =>
  world.as('service_role', 'select private.quote_message($1, $2)', [fan.profileId, message])
const pathsOf = async (id: string) =>
  (await world.query('select unnest(media_paths) as path from public.mass_messages where id = $1', [id])).map(
    ({ path }) => String(path),
  )
const history = (kind: string, args = '') =>
  world.as(creator, `select * from public.get_mass_messages('${kind}'${args})`)

describe('the history [MASS-03]', () => {
  it('shows what became of the copies, what they earned after fees and refunds, and the fans behind each number [MASS-03]', async () => {
    const [ada, ben, cleo] = fans
    const file = await campaigns.buildVaultFile(creator)
    const id = await campaigns.compose(creator, { content: 'Set', price: 500, files: [file] })
    expect(await campaigns.send(creator, id)).toMatchObject({ status: 'sending', recipients_count: 3, sent_count: 0 })
    await campaigns.run()
    expect(await campaigns.show(creator, id)).toMatchObject({
      status: 'sent',
      recipients_count: 3,
      sent_count: 3,
      delivered: 3,
      viewed: 0,
      purchased: 0,
      earned_cents: '0',
      files: [{ id: file, kind: 'image' }],
    })
    await campaigns.read(ada, creator)
    await campaigns.read(ben, creator)
    const [sale] = [await campaigns.buy(ada, creator, id), await campaigns.buy(ben, creator, id)]
    expect(await campaigns.show(creator, id)).toMatchObject({ viewed: 2, purchased: 2, earned_cents: '900' })
    await books.refund(sale)
    expect(await campaigns.show(creator, id)).toMatchObject({ viewed: 2, purchased: 1, earned_cents: '450' })
    const everyone = fans.map(({ profileId }) => profileId).toSorted()
    const page = await fansBehind(id, 'delivered')
    expect([...page, ...(await fansBehind(id, 'delivered', page[1]))]).toEqual(everyone)
    expect(await fansBehind(id, 'viewed')).toEqual([ada, ben].map(({ profileId }) => profileId).toSorted())
    expect(await fansBehind(id, 'purchased')).toEqual([ben.profileId])
    expect(await world.as(creator, 'select sales, earned_cents from public.vault_files where id = $1', [file])).toEqual(
      [{ sales: 1, earned_cents: '450' }],
    )
    expect(
      await world.as(creator, 'select mass_message_id, title, price from public.get_vault_uses($1)', [file]),
    ).toContainEqual({ mass_message_id: id, title: 'Set', price: 500 })
    expect(await world.as(creator, 'select profile_id from public.get_vault_recipients($1)', [file])).toHaveLength(3)
    await world.query('delete from auth.users where id = $1', [cleo.userId])
    expect(await campaigns.show(creator, id)).toMatchObject({ sent_count: 3, delivered: 2 })
    fans = [ada, ben, ...(await campaigns.buildFans(creator, 1))] as Three
    expect(await campaigns.problems()).toEqual([])
  })

  it('is read in pages, like drafts and scheduled ones, each in its order', async () => {
    const drafts = [
      await campaigns.compose(creator, { content: 'Draft 1' }),
      await campaigns.compose(creator, { content: 'Draft 2' }),
    ]
    expect((await history('draft')).map(({ content }) => content)).toEqual(['Draft 2', 'Draft 1'])
    const [later, sooner] = drafts
    await campaigns.send(creator, String(later), new Date(Date.now() + 7_200_000).toISOString())
    await campaigns.send(creator, String(sooner), new Date(Date.now() + 3_600_000).toISOString())
    expect((await history('scheduled')).map(({ id }) => id)).toEqual([sooner, later])
    const [first] = await history('scheduled', ', page_size => 1')
    expect(
      await world.as(creator, `select id from public.get_mass_messages('scheduled', $1, $2)`, [
        first?.scheduled_at,
        first?.id,
      ]),
    ).toEqual([{ id: later }])
    await campaigns.deliver(creator, { content: 'Newest' })
    const [newest] = await history('history', ', page_size => 1')
    expect(newest).toMatchObject({ content: 'Newest', status: 'sent' })
    const next = await world.as(
      creator,
      `select h.content from public.mass_messages g cross join lateral public.get_mass_messages('history', g.sent_at, g.id) h where g.id = $1`,
      [newest?.id],
    )
    expect(next.map(({ content }) => content)).toContain('Set')
    expect(next.map(({ content }) => content)).not.toContain('Newest')
    await expect(history('everything')).rejects.toMatchObject({ code: '22023' })
  })
})

describe('taking back [MASS-04]', () => {
  it('takes every copy that isn’t bought, with its traces; bought ones keep their files [MASS-04]', async () => {
    const [ada, ben, cleo] = fans
    const file = await campaigns.buildVaultFile(creator)
    const id = await campaigns.deliver(creator, { content: 'Offer', price: 500, files: [file] })
    await campaigns.buy(ada, creator, id)
    const [path] = await pathsOf(id)
    expect(await unsend(id)).toBe(2)
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'unsent', delivered: 1, purchased: 1 })
    expect(await contents(ada)).toContain('Offer')
    expect((await campaigns.thread(ben, creator)).filter(({ price }) => price === 500)).toHaveLength(1) // the one of before
    expect(await world.as(cleo, 'select public.count_unread_messages() as unread')).toEqual([{ unread: 1 }])
    expect(await campaigns.reads(ada, path)).toBe(true)
    await expect(unsend(id)).rejects.toMatchObject({ code: 'PT409' })
    expect(await campaigns.problems()).toEqual([])
  })

  it('takes free copies that nobody has read, and the files with the last copy', async () => {
    const [ada] = fans
    const file = await campaigns.buildVaultFile(creator)
    const id = await campaigns.deliver(creator, { content: 'Oops', files: [file] })
    const [path] = await pathsOf(id)
    await campaigns.read(ada, creator)
    expect(await unsend(id)).toBe(2)
    expect(await contents(ada)).toContain('Oops')
    const unread = await campaigns.deliver(creator, { content: 'Again', files: [file] })
    const [other] = await pathsOf(unread)
    expect(await unsend(unread)).toBe(3)
    expect(await world.query('select name from storage.objects where name = any ($1)', [[path, other]])).toEqual([
      { name: path },
    ])
    expect(await world.query('select message_uses from public.vault_files where id = $1', [file])).toEqual([
      { message_uses: 1 },
    ])
  })

  it('stops the sending midway, and keeps what was reported', async () => {
    const [ada, ben] = fans
    const reported = await campaigns.deliver(creator, { content: 'Spam' })
    await world.as(
      ada,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'message', $2, 'spam')`,
      [ada.profileId, await copyOf(reported, ada)],
    )
    expect(await unsend(reported)).toBe(2)
    expect([await contents(ada), await contents(ben)].map((texts) => texts.includes('Spam'))).toEqual([true, false])
    const id = await campaigns.compose(creator, { content: 'Stop' })
    await campaigns.send(creator, id)
    expect(await unsend(id)).toBe(0)
    await campaigns.run()
    expect(await contents(ben)).not.toContain('Stop')
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'unsent', sent_count: 0 })
  })

  it('is done by an end date, from which on nobody can buy [MASS-04]', async () => {
    const [ada, ben] = fans
    const id = await campaigns.deliver(creator, {
      content: 'Until noon',
      price: 500,
      endsAt: new Date(Date.now() + 60_000).toISOString(),
    })
    await campaigns.buy(ada, creator, id)
    const copy = await copyOf(id, ben)
    await quote(ben, copy).catch((error) => expect(error).not.toMatchObject({ message: 'This offer has ended' }))
    await world.query('update public.mass_messages set ends_at = now() where id = $1', [id])
    await expect(quote(ben, copy)).rejects.toMatchObject({ code: 'PT409', message: 'This offer has ended' })
    await campaigns.run()
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'ended', delivered: 1, purchased: 1 })
    expect(await contents(ada)).toContain('Until noon')
    await expect(quote(ben, copy)).rejects.toMatchObject({ code: 'PT404' })
    expect(await campaigns.problems()).toEqual([])
  })

  it('can be set to end at once, later, or never', async () => {
    const [ada] = fans
    const id = await campaigns.deliver(creator, { content: 'Soon over', price: 500 })
    await end(id, new Date(Date.now() + 60_000).toISOString())
    await end(id, null)
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'sent', ends_at: null })
    await end(id, new Date().toISOString())
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'ended', delivered: 0 })
    await expect(end(id, null)).rejects.toMatchObject({ code: 'PT409' })
    const free = await campaigns.deliver(creator, { content: 'Free' })
    await expect(end(free, new Date().toISOString())).rejects.toMatchObject({ code: 'PT422' })
    const draft = await campaigns.compose(creator, { price: 500 })
    await expect(end(draft, '2024-01-01T00:00:00Z')).rejects.toMatchObject({ code: 'PT422' })
    await expect(unsend(draft)).rejects.toMatchObject({ code: 'PT409' })
    expect(await contents(ada)).toContain('Free')
  })

  it('refunds a payment for a copy that is gone', async () => {
    const [ada] = fans
    const id = await campaigns.deliver(creator, { price: 500 })
    const copy = await copyOf(id, ada)
    await unsend(id)
    const [paid] = await world.as(
      'service_role',
      `select private.post_message_unlock('pi_late', $1, $2, $3, 500, 50, 'usd', now()) as id`,
      [ada.profileId, creator.profileId, copy],
    )
    expect(
      await world.query(`select kind from private.payment_tasks where target = $1 or target = 'pi_late'`, [paid?.id]),
    ).toMatchObject([{ kind: 'refund' }])
  })
})

describe('a file of the vault in a mass message', () => {
  it('that is deleted leaves the copies that aren’t bought; those bought before keep it [VAULT-06]', async () => {
    const [ada, ben, cleo] = fans
    const [first, second] = [await campaigns.buildVaultFile(creator), await campaigns.buildVaultFile(creator)]
    const id = await campaigns.deliver(creator, { content: 'Both', price: 500, files: [first, second], preview: 1 })
    await campaigns.buy(ada, creator, id)
    const [one, two] = await pathsOf(id)
    expect((await world.as(creator, 'select * from public.get_vault_removal($1)', [[first]]))[0]).toMatchObject({
      messages: 1,
      buyers: 1,
    })
    await world.as(creator, 'select public.delete_vault_files($1)', [[first]])
    const seen = async (fan: Person) => (await campaigns.thread(fan, creator)).at(-1)
    expect(await seen(ada)).toMatchObject({ media_urls: [one, two], media_types: ['image', 'image'] })
    expect(await seen(ben)).toMatchObject({ media_types: ['image'], preview_url: two })
    expect([await campaigns.reads(ada, one), await campaigns.reads(ben, one), await campaigns.reads(ben, two)]).toEqual(
      [true, false, true],
    )
    await campaigns.buy(ben, creator, id)
    expect(await seen(ben)).toMatchObject({ media_urls: [two] })
    await world.as(creator, 'select public.delete_vault_files($1)', [[second]])
    expect([await seen(ada), await seen(ben), await seen(cleo)]).toMatchObject([
      { media_urls: [one, two] },
      { media_urls: [two] },
      { media_types: [], is_locked: true },
    ])
    expect(await campaigns.problems()).toEqual([])
  })

  it('that is all there is takes its copies with it, except bought ones', async () => {
    const [ada, ben] = fans
    const file = await campaigns.buildVaultFile(creator)
    const id = await campaigns.deliver(creator, { content: '', price: 500, files: [file] })
    await campaigns.buy(ada, creator, id)
    const free = await campaigns.deliver(creator, { content: '', files: [file] })
    await campaigns.read(ben, creator)
    await world.as(creator, 'select public.delete_vault_files($1)', [[file]])
    await campaigns.run()
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'unsent', delivered: 1 })
    expect(await campaigns.show(creator, free)).toMatchObject({ status: 'unsent', delivered: 0 })
    expect(await campaigns.problems()).toEqual([])
  })
})

describe('muted offers [MASS-05]', () => {
  const mute = (fan: Person, whose: Person | null, muted = true) =>
    world.as(fan, 'select public.mute_offers($1, $2)', [whose?.profileId ?? null, muted])
  const inbox = (fan: Person, filter = 'all') =>
    world.as(fan, `select * from public.get_conversations(filter => '${filter}')`)
  const unread = async (fan: Person) => (await world.as(fan, 'select public.count_unread_messages() as n'))[0]?.n
  const write = (sender: Person, recipient: Person, content: string) =>
    world.as(sender, 'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
      sender.profileId,
      recipient.profileId,
      content,
    ])

  it('send no notification, and are in a folder of their own and in the thread, from one creator or from all [MASS-05]', async () => {
    const [one, all] = (await campaigns.buildFans(creator, 2)) as [Person, Person]
    await mute(one, creator)
    await mute(all, null)
    const offer = await campaigns.deliver(creator, { content: 'Paid', price: 500 })
    for (const fan of [one, all]) {
      expect([await inbox(fan), await unread(fan)]).toEqual([[], 0])
      expect(
        await world.query(`select from public.notifications where user_id = $1 and type = 'message'`, [fan.profileId]),
      ).toEqual([])
      expect(await inbox(fan, 'offers')).toMatchObject([
        { other_id: creator.profileId, last_price: 500, unread_count: 1 },
      ])
      expect(await campaigns.thread(fan, creator)).toHaveLength(1)
    }
    await campaigns.deliver(creator, { content: 'Free news' })
    expect(await inbox(one)).toMatchObject([{ last_content: 'Free news', unread_count: 1 }])
    await campaigns.read(one, creator)
    expect([(await inbox(one))[0]?.unread_count, (await inbox(one, 'offers'))[0]?.unread_count]).toEqual([0, 0])
    await mute(one, creator, false)
    const loud = await campaigns.deliver(creator, { content: 'Paid again', price: 600 })
    expect(await inbox(one)).toMatchObject([{ last_price: 600, unread_count: 1 }])
    await unsend(offer)
    await unsend(loud)
    expect([await inbox(one, 'offers'), await inbox(all, 'offers')]).toEqual([[], []])
    expect(await inbox(one)).toMatchObject([{ last_content: 'Free news', unread_count: 0 }])
    expect(await campaigns.problems()).toEqual([])
  })

  it('leave archived and restricted conversations as they are, and count as unread in their own folder only [MASS-05, INBOX-01, LIST-05]', async () => {
    const [fan] = (await campaigns.buildFans(creator, 1)) as [Person]
    const reader = await world.buildCreator()
    await campaigns.follow(reader, creator)
    for (const one of [fan, reader]) {
      await mute(one, creator)
      await write(creator, one, 'Hello')
      await campaigns.read(one, creator)
    }
    await world.as(fan, 'select public.update_conversation($1, is_archived => true)', [creator.profileId])
    await world.as(reader, 'select public.restrict_fan($1)', [creator.profileId])
    const folders = [
      [fan, 'archived'],
      [reader, 'restricted'],
    ] as const
    const offer = await campaigns.deliver(creator, { content: 'Muted', price: 500 })
    for (const [one, folder] of folders) {
      expect([await inbox(one), await unread(one)]).toEqual([[], 0])
      expect(await inbox(one, folder)).toMatchObject([{ last_content: 'Hello', unread_count: 0 }])
      expect(await inbox(one, 'offers')).toMatchObject([
        { other_id: creator.profileId, last_price: 500, unread_count: 1, is_restricted: folder === 'restricted' },
      ])
      expect(
        await world.query(`select from public.notifications where user_id = $1 and not is_read`, [one.profileId]),
      ).toEqual([])
    }

    // A message that isn't muted leaves the archive, and nothing leaves the folder of restricted users.
    await campaigns.deliver(creator, { content: 'Free news' })
    expect(await inbox(fan)).toMatchObject([{ last_content: 'Free news', unread_count: 1 }])
    expect(await inbox(reader)).toEqual([])
    expect(await inbox(reader, 'restricted')).toMatchObject([{ last_content: 'Free news', unread_count: 1 }])
    for (const [one] of folders) {
      expect(await inbox(one, 'offers')).toMatchObject([{ last_price: 500, unread_count: 1 }])
      await campaigns.read(one, creator)
      expect(await inbox(one, 'offers')).toMatchObject([{ unread_count: 0 }])
    }

    await unsend(offer)
    for (const [one] of folders) expect(await inbox(one, 'offers')).toEqual([])
    expect(await campaigns.problems()).toEqual([])
  })

  it('are the fan’s to list and search; the creator sees only how many mute them [MASS-05]', async () => {
    const [other, [fan]] = [await world.buildCreator(), (await campaigns.buildFans(creator, 1)) as [Person]]
    await campaigns.follow(fan, other)
    const before = (await world.as(creator, 'select public.count_offer_mutes() as n'))[0]?.n
    for (const whose of [creator, other, null, creator]) await mute(fan, whose)
    expect(
      (await world.as(fan, 'select creator_id, username from public.get_muted_offers()'))
        .map(({ username }) => username)
        .toSorted(),
    ).toEqual([creator.username, other.username, null].toSorted())
    expect(await world.as(other, 'select * from public.get_muted_offers()')).toEqual([])
    expect((await world.as(creator, 'select public.count_offer_mutes() as n'))[0]?.n).toBe(Number(before) + 1)
    await expect(world.as(fan, 'select public.count_offer_mutes()')).rejects.toMatchObject({ code: '42501' })
    await expect(mute(fan, fan)).rejects.toMatchObject({ code: 'PT404' })
    await expect(world.as('anon', 'select public.mute_offers()')).rejects.toMatchObject({ code: '42501' })
    for (const sender of [creator, other]) await campaigns.deliver(sender, { price: 500 })
    const found = await world.as(fan, `select username from public.get_conversations($1, filter => 'offers')`, [
      other.username,
    ])
    expect(found).toEqual([{ username: other.username }])
    const [first] = await world.as(fan, `select * from public.get_conversations(filter => 'offers', page_size => 1)`)
    const next = await world.query(
      `select t.other_id from private.offer_threads t where t.profile_id = $1 and t.other_id <> $2`,
      [fan.profileId, first?.other_id],
    )
    expect(next).toHaveLength(1)
  })
})
