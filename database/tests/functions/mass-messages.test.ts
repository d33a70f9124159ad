import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { everyone, openCampaigns } from '../mass-messages.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let campaigns: ReturnType<typeof openCampaigns>
let books: ReturnType<typeof openBooks>
let creator: Creator
let studio: Creator
let rival: Creator
let ada: Person
let ben: Person
let cleo: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  campaigns = openCampaigns(world)
  books = openBooks(world)
  await world.query(`insert into private.settings (key, value) values ('mass_messages_per_day', '1000')`)
  ;[creator, rival, studio] = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
  ;[ada, ben, cleo] = (await campaigns.buildFans(creator, 3)) as [Person, Person, Person]
})
afterAll(() => world.close())

type Six = [Person, Person, Person, Person, Person, Person]
const inFuture = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const countOf = async (caller: Creator, audience: object) =>
  (await world.as(caller, 'select public.count_mass_recipients($1) as count', [JSON.stringify(audience)]))[0]?.count
const receivers = async (id: string) =>
  (await world.query('select recipient_id from private.messages where mass_message_id = $1', [id]))
    .map(({ recipient_id }) => String(recipient_id))
    .toSorted()
/** Fans of the studio: one for its list, one with its plan, and one for both. */
async function buildAudience() {
  const [listed, subscribed, both] = (await campaigns.buildFans(studio, 3)) as [Person, Person, Person]
  for (const fan of [subscribed, both]) await world.subscribe(fan, studio)
  return { listed, subscribed, both }
}

describe('a mass message [MASS-01]', () => {
  it('reaches each fan of its audience once, free or paid, with its files and a free preview [MASS-01]', async () => {
    const [first, second] = [await campaigns.buildVaultFile(creator), await campaigns.buildVaultFile(creator)]
    const id = await campaigns.compose(creator, { content: 'New set', price: 500, files: [first, second], preview: 1 })
    expect(await campaigns.send(creator, id)).toMatchObject({ status: 'sending', recipients_count: 3, sent_count: 0 })
    await campaigns.run()
    for (const fan of [ada, ben, cleo]) {
      const [copy, ...others] = await campaigns.thread(fan, creator)
      expect(others).toEqual([])
      expect(copy).toMatchObject({
        content: null,
        is_paid: true,
        price: 500,
        is_locked: true,
        media_urls: [],
        media_types: ['image', 'image'],
      })
      expect(await campaigns.reads(fan, copy?.preview_url)).toBe(true)
    }
    const stored = await world.query('select unnest(media_paths) as path from public.mass_messages where id = $1', [id])
    const [locked, preview] = stored.map(({ path }) => path)
    expect([await campaigns.reads(ada, locked), await campaigns.reads(ada, preview)]).toEqual([false, true])
    expect(await campaigns.reads(creator, locked)).toBe(true)
    expect(await campaigns.reads(rival, preview)).toBe(false)
    await campaigns.buy(ada, creator, id)
    expect(await campaigns.thread(ada, creator)).toMatchObject([
      { content: 'New set', is_locked: false, media_urls: [locked, preview] },
    ])
    expect([await campaigns.reads(ada, locked), await campaigns.reads(ben, locked)]).toEqual([true, false])
    expect(await campaigns.problems()).toEqual([])
  })

  it('goes to any of the lists, groups, and plans included, minus those excluded, and says how many beforehand [MASS-01]', async () => {
    const { listed, subscribed, both } = await buildAudience()
    const [list] = await world.as(studio, `insert into public.fan_lists (name) values ('Regulars') returning id`)
    await world.as(studio, 'select public.add_to_fan_list($1, $2)', [list?.id, [listed.profileId, both.profileId]])
    const inList = { condition: 'in_list', list: list?.id }
    const onPlan = { condition: 'plan', plan: studio.productId }
    const cases: [object, Person[]][] = [
      [{ include: [inList, onPlan] }, [listed, subscribed, both]],
      [{ include: [inList], exclude: [onPlan] }, [listed]],
      [{ include: [{ condition: 'everyone' }], exclude: [inList, onPlan] }, []],
      [{ include: [{ condition: 'subscribed', status: 'any' }], exclude: [] }, [subscribed, both]],
    ]
    for (const [audience, expected] of cases) {
      expect(await countOf(studio, audience)).toBe(expected.length)
      if (expected.length === 0) continue
      const id = await campaigns.deliver(studio, { audience })
      expect(await receivers(id)).toEqual(expected.map(({ profileId }) => profileId).toSorted())
    }
  })

  it("leaves out those who don't accept messages: after a block, by their settings, or suspended", async () => {
    const studio = await world.buildCreator()
    const [happy, blocker, blocked, closed, writer, suspended] = (await campaigns.buildFans(studio, 6)) as Six
    const { productId } = studio
    for (const fan of [blocker, blocked])
      await world.query(
        `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_end, access_until)
         values ($1, $2, $3, 'active', now() + interval '9 days', now() + interval '9 days')`,
        [fan.profileId, studio.profileId, productId],
      )
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2), ($2, $3)', [
      blocker.profileId,
      studio.profileId,
      blocked.profileId,
    ])
    await world.query('update private.user_settings set allow_direct_messages = false where user_id = any ($1)', [
      [closed.profileId, writer.profileId],
    ])
    await world.as(writer, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Hi')`, [
      writer.profileId,
      studio.profileId,
    ])
    await world.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'Spam', was_private = false where id = $1`,
      [suspended.profileId],
    )
    expect(await countOf(studio, everyone)).toBe(2)
    const id = await campaigns.deliver(studio)
    expect(await receivers(id)).toEqual([happy.profileId, writer.profileId].toSorted())
  })

  it('is an ordinary message for its recipient, and doesn’t bury those who wrote to the creator', async () => {
    const studio = await world.buildCreator()
    const [writer, silent, restricting] = (await campaigns.buildFans(studio, 3)) as [Person, Person, Person]
    await world.as(writer, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'May I?')`, [
      writer.profileId,
      studio.profileId,
    ])
    const id = await campaigns.deliver(studio, { content: 'News' })
    const inbox = (who: Person) => world.as(who, 'select * from public.get_conversations()')
    expect(await inbox(studio)).toMatchObject([{ other_id: writer.profileId, last_content: 'May I?' }])
    expect(await inbox(silent)).toMatchObject([{ other_id: studio.profileId, last_content: 'News', unread_count: 1 }])
    expect(await world.as(silent, 'select public.count_unread_messages() as unread')).toEqual([{ unread: 1 }])
    const bell = (fan: Person) =>
      world.as(fan, `select title, data ->> 'profile_id' as about from public.notifications where type = 'message'`)
    const name = (await world.query('select private.name_of($1) as name', [studio.profileId]))[0]?.name
    expect(await bell(silent)).toEqual([{ title: `${name} sent you a message`, about: studio.profileId }])
    await campaigns.deliver(studio, { content: 'More news', price: 500 })
    expect(await bell(silent)).toHaveLength(1) // about all unread messages of a sender
    await campaigns.read(silent, studio)
    expect(await inbox(silent)).toMatchObject([{ unread_count: 0, last_content: null, last_price: 500 }])
    await world.as(silent, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Nice')`, [
      silent.profileId,
      studio.profileId,
    ])
    expect(await inbox(studio)).toMatchObject([{ other_id: silent.profileId, last_content: 'Nice' }, {}])
    const [copy] = await world.query(
      'select id from private.messages where mass_message_id = $1 and recipient_id = $2',
      [id, restricting.profileId],
    )
    await world.as(studio, 'select public.unsend_message($1)', [copy?.id])
    expect(await campaigns.thread(restricting, studio)).toMatchObject([{ price: 500 }])
    expect(await campaigns.problems()).toEqual([])
  })

  it('emails only those with email notifications turned on [MASS-06]', async () => {
    const studio = await world.buildCreator()
    const [mailed, silent] = (await campaigns.buildFans(studio, 2)) as [Person, Person]
    await world.query('update private.user_settings set email = false where user_id = $1', [silent.profileId])
    await campaigns.deliver(studio)
    expect(
      await world.query(
        `select user_id from private.notification_deliveries where channel = 'email' and user_id = any ($1)`,
        [[mailed.profileId, silent.profileId]],
      ),
    ).toEqual([{ user_id: mailed.profileId }])
  })

  it.each([
    ['without content', { content: ' ' }, { code: '23514', constraint: 'messages_content_required' }],
    [
      'to nobody',
      { audience: { include: [], exclude: [] } },
      { code: 'PT422', message: 'Nobody would get this message' },
    ],
  ])('%s stays a draft', async (_what, composed, error) => {
    const id = await campaigns.compose(creator, composed)
    await expect(campaigns.send(creator, id)).rejects.toMatchObject(error)
    expect(await campaigns.show(creator, id)).toMatchObject({ status: 'draft', sent_at: null, delivered: 0 })
  })

  it.each([
    ['an audience that is a list', { audience: [] }, { code: '22023' }],
    ['an audience with a rule that there is not', { audience: { include: [{ condition: 'x' }] } }, { code: '22023' }],
    ['an audience with more in it', { audience: { include: [], only: [] } }, { code: '22023' }],
    ['a text of 5001 characters', { content: 'x'.repeat(5001) }, { code: '23514' }],
    ['a price below a dollar', { price: 99 }, { code: '23514' }],
    ['a preview that is no file', { price: 500, preview: 0 }, { code: '23514' }],
    ['an end in the past', { price: 500, endsAt: '2024-01-01T00:00:00Z' }, { code: 'PT422' }],
    ['too many hours', { skipRecent: 721 }, { code: '22023' }],
  ])('is not saved with %s', async (_what, composed, error) => {
    await expect(campaigns.compose(creator, composed)).rejects.toMatchObject(error)
  })

  it('is its creator’s alone', async () => {
    const id = await campaigns.deliver(creator, { content: 'Ours' })
    for (const caller of [rival, ada]) {
      expect(await world.as(caller, 'select from public.mass_messages where id = $1', [id])).toEqual([])
      await expect(campaigns.show(caller, id)).rejects.toMatchObject({ code: caller === ada ? '42501' : 'PT404' })
      await expect(campaigns.send(caller, id)).rejects.toMatchObject({ code: caller === ada ? '42501' : 'PT404' })
    }
    await expect(campaigns.compose(ada)).rejects.toMatchObject(refused)
    await expect(campaigns.show('anon', id)).rejects.toMatchObject(refused)
  })
})

describe('when it is sent [MASS-02]', () => {
  it('is chosen in the creator’s time zone, and can be changed or called off until then [MASS-02]', async () => {
    const studio = await world.buildCreator()
    const [fan] = (await campaigns.buildFans(studio, 1)) as [Person]
    const id = await campaigns.compose(studio, { content: 'Later' })
    expect(await campaigns.send(studio, id, inFuture(60), 'Asia/Tokyo')).toMatchObject({
      status: 'scheduled',
      time_zone: 'Asia/Tokyo',
      sent_at: null,
    })
    await campaigns.run()
    expect(await campaigns.thread(fan, studio)).toEqual([])
    await campaigns.compose(studio, { id, content: 'Later still' })
    await world.as(studio, 'select public.unschedule_mass_message($1)', [id])
    await world.query('update public.mass_messages set scheduled_at = now() where id = $1', [id])
    await campaigns.run()
    expect(await campaigns.show(studio, id)).toMatchObject({ status: 'draft' })
    await campaigns.send(studio, id, inFuture(60))
    await world.query('update public.mass_messages set scheduled_at = now() where id = $1', [id])
    await campaigns.run()
    expect(await campaigns.thread(fan, studio)).toMatchObject([{ content: 'Later still' }])
    await expect(campaigns.compose(studio, { id })).rejects.toMatchObject({ code: 'PT409' })
    await expect(campaigns.send(studio, id)).rejects.toMatchObject({ code: 'PT409' })
  })

  it.each([
    ['a moment that has passed', '2024-01-01T00:00:00Z', null, { code: 'PT422' }],
    ['a moment in two years', inFuture(2 * 366 * 24 * 60), null, { code: 'PT422' }],
    ['a time zone that there is not', inFuture(5), 'Mars/Base', { code: '22023' }],
  ])('can’t be %s', async (_what, at, zone, error) => {
    const id = await campaigns.compose(creator)
    await expect(campaigns.send(creator, id, at, zone)).rejects.toMatchObject(error)
  })

  it('is once, also from two tabs at the same moment', async () => {
    const studio = await world.buildCreator()
    const [fan] = (await campaigns.buildFans(studio, 1)) as [Person]
    const id = await campaigns.compose(studio)
    const outcomes = await Promise.allSettled([campaigns.send(studio, id), campaigns.send(studio, id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PT409' } })
    await campaigns.run()
    expect(await campaigns.thread(fan, studio)).toHaveLength(1)
  })

  it('begins without a file or list that was deleted meanwhile: as a draft, which the creator learns', async () => {
    const studio = await world.buildCreator()
    await campaigns.buildFans(studio, 1)
    const file = await campaigns.buildVaultFile(studio)
    const id = await campaigns.compose(studio, { files: [file] })
    await campaigns.send(studio, id, inFuture(60))
    await world.as(studio, 'select public.delete_vault_files($1)', [[file]])
    await world.query('update public.mass_messages set scheduled_at = now() where id = $1', [id])
    await campaigns.run()
    expect(await campaigns.show(studio, id)).toMatchObject({ status: 'draft', files: [], file_ids: [file] })
    expect(
      await world.as(
        studio,
        `select message from public.notifications where title = 'A scheduled message wasn''t sent'`,
      ),
    ).toEqual([{ message: 'One of its files isn’t in your vault anymore. It is a draft again.'.replace('’', "'") }])
    await expect(campaigns.send(studio, id)).rejects.toMatchObject({
      code: 'PT404',
      message: "A file isn't in your vault anymore",
    })

    const [list] = await world.as(studio, `insert into public.fan_lists (name) values ('Few') returning id`)
    const few = { include: [{ condition: 'everyone' }], exclude: [{ condition: 'in_list', list: list?.id }] }
    await campaigns.send(studio, await campaigns.compose(studio, { audience: few }), inFuture(60))
    await expect(world.as(studio, 'select public.delete_fan_list($1)', [list?.id])).rejects.toMatchObject({
      code: 'PT409',
    })
  })

  it('skips fans who own one of the files, bought or free, if the creator wants that [MASS-02]', async () => {
    const studio = await world.buildCreator()
    const [buyer, given, massBuyer, refunded, none] = (await campaigns.buildFans(studio, 5)) as Six
    const [file, other] = [await campaigns.buildVaultFile(studio), await campaigns.buildVaultFile(studio)]
    const use = async (bucket: string) =>
      (await world.as(studio, 'select unnest(public.use_vault_files($1, $2)) as path', [[file], bucket]))[0]?.path
    const post = await world.buildPost(studio, { type: 'ppv', media: [String(await use('posts'))] })
    await books.buy(buyer, studio, post.id)
    await books.refund(await books.buy(refunded, studio, post.id))
    await world.as(
      studio,
      `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types) values ($1, $2, '', array[$3], array['image'])`,
      [studio.profileId, given.profileId, await use('messages')],
    )
    const offer = await campaigns.deliver(studio, { price: 500, files: [file] })
    await campaigns.buy(massBuyer, studio, offer)
    const count = async (files: string[]) =>
      (
        await world.as(studio, 'select public.count_mass_recipients($1, $2, true) as count', [
          JSON.stringify(everyone),
          files,
        ])
      )[0]?.count
    expect([await count([file, other]), await count([other])]).toEqual([2, 5])
    const id = await campaigns.deliver(studio, { files: [file, other], skipOwners: true })
    expect(await receivers(id)).toEqual([refunded.profileId, none.profileId].toSorted())
  })

  it('skips fans with another mass message in the last hours, if the creator wants that [MASS-02]', async () => {
    const studio = await world.buildCreator()
    const [early, late] = (await campaigns.buildFans(studio, 2)) as [Person, Person]
    const [list] = await world.as(studio, `insert into public.fan_lists (name) values ('Early') returning id`)
    await world.as(studio, 'select public.add_to_fan_list($1, $2)', [list?.id, [early.profileId]])
    const first = await campaigns.deliver(studio, { audience: { include: [{ condition: 'in_list', list: list?.id }] } })
    const again = await campaigns.deliver(studio, { skipRecent: 24 })
    expect(await receivers(again)).toEqual([late.profileId])
    await world.query(
      `update private.messages set created_at = now() - interval '25 hours' where mass_message_id = $1`,
      [first],
    )
    expect(await receivers(await campaigns.deliver(studio, { skipRecent: 24 }))).toEqual([early.profileId])
  })

  it('leaves drafts to be deleted, and nothing else', async () => {
    const [draft, sent] = [await campaigns.compose(creator), await campaigns.deliver(creator)]
    await world.as(creator, 'select public.delete_mass_message($1)', [draft])
    await expect(campaigns.show(creator, draft)).rejects.toMatchObject({ code: 'PT404' })
    await expect(world.as(creator, 'select public.delete_mass_message($1)', [sent])).rejects.toMatchObject({
      code: 'PT409',
    })
    await expect(world.as(creator, 'select public.unschedule_mass_message($1)', [sent])).rejects.toMatchObject({
      code: 'PT409',
    })
  })
})

describe('how often [MASS-07]', () => {
  it('is six times in 24 hours unless the operator says otherwise, with the next allowed time for the one too many [MASS-07]', async () => {
    await world.query(`delete from private.settings where key = 'mass_messages_per_day'`)
    try {
      const studio = await world.buildCreator()
      await campaigns.buildFans(studio, 1)
      const ids: string[] = []
      for (let n = 0; n < 6; n += 1) ids.push(await campaigns.deliver(studio))
      await world.query(`update public.mass_messages set sent_at = now() - interval '20 hours' where id = $1`, [ids[3]])
      const next = (
        await world.query(`select sent_at + interval '24 hours' as at from public.mass_messages where id = $1`, [
          ids[3],
        ])
      )[0]?.at as Date
      const seventh = await campaigns.compose(studio)
      const refusal = { code: 'PT429', detail: next.toISOString() }
      await expect(campaigns.send(studio, seventh)).rejects.toMatchObject(refusal)
      await expect(campaigns.send(studio, seventh, inFuture(3 * 60))).rejects.toMatchObject(refusal)
      await expect(world.as(studio, `select public.message_subscribers('One more', 0, 'all')`)).resolves.toEqual([
        { message_subscribers: 0 },
      ])
      expect(await campaigns.send(studio, seventh, inFuture(5 * 60))).toMatchObject({ status: 'scheduled' })
      // Scheduled ones count, too: five of the first six are in the 24 hours before the seventh, and it is in those after them.
      await expect(campaigns.send(studio, await campaigns.compose(studio), inFuture(4.5 * 60))).rejects.toMatchObject({
        code: 'PT429',
      })
      await world.as(studio, 'select public.unschedule_mass_message($1)', [seventh])
      await world.query(`insert into private.settings (key, value) values ('mass_messages_per_day', '7')`)
      expect(await campaigns.send(studio, seventh)).toMatchObject({ status: 'sending' })
    } finally {
      await world.query(`insert into private.settings (key, value) values ('mass_messages_per_day', '1000')
        on conflict (key) do update set value = '1000'`)
    }
  })
})
