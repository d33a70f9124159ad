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
let lapsed: Person
let stranger: Person
let buyer: Person
let admin: Person
let free: { id: string; path: string }
let locked: { id: string; path: string }
let ppv: { id: string; path: string }

beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  admin = await world.buildAdmin()
  ;[fan, lapsed, stranger, buyer] = (await Promise.all([1, 2, 3, 4].map(() => world.buildPerson()))) as [
    Person,
    Person,
    Person,
    Person,
  ]
  free = await world.buildPost(creator)
  locked = await world.buildPost(creator, { type: 'subscription' })
  ppv = await world.buildPost(creator, { type: 'ppv', price: 500 })
  await world.subscribe(fan, creator)
  await world.subscribe(lapsed, creator, {
    status: 'canceled',
    cancelAtPeriodEnd: true,
    start: '-40 days',
    end: '-10 days',
  })
  await world.query('insert into public.purchases (buyer_id, post_id) values ($1, $2)', [buyer.profileId, ppv.id])
})
afterAll(() => world.close())

const seen = async (caller: Caller, id: string) =>
  (await world.as(caller, 'select * from public.posts where id = $1', [id]))[0]
const files = async (caller: Caller, path: string) =>
  (await world.as(caller, `select name from storage.objects where bucket_id = 'posts' and name = $1`, [path])).length

/** Who may open what: the gate, person by person. Files follow their post. */
describe('access to a post and its file', () => {
  const people = (): Record<string, Caller> => ({
    anon: 'anon',
    stranger,
    lapsed,
    buyer,
    subscriber: fan,
    owner: creator,
    admin,
    service: 'service_role',
  })
  const opens: Record<string, { free: boolean; locked: boolean; ppv: boolean }> = {
    anon: { free: true, locked: false, ppv: false },
    stranger: { free: true, locked: false, ppv: false },
    lapsed: { free: true, locked: false, ppv: false },
    buyer: { free: true, locked: false, ppv: true },
    subscriber: { free: true, locked: true, ppv: false },
    owner: { free: true, locked: true, ppv: true },
    admin: { free: true, locked: true, ppv: true },
    service: { free: true, locked: true, ppv: true },
  }

  it.each(Object.entries(opens))(
    '%s: %o [POST-41, POST-42, POST-44, POST-46, POST-49, SUB-17]',
    async (name, expected) => {
      const caller = people()[name] ?? 'anon'
      for (const [kind, post] of Object.entries({ free, locked, ppv })) {
        const row = await seen(caller, post.id)
        const open = expected[kind as keyof typeof expected]
        expect(row, kind).toMatchObject({ is_locked: !open, title: 'A title', media_count: 1, media_types: ['image'] })
        expect(row?.media_urls, kind).toEqual(open ? [post.path] : [])
        expect(String(row?.content).length, kind).toBe(open ? 200 : 100)
        expect(String(row?.content).includes('secret'), kind).toBe(open)
        expect(await files(caller, post.path), kind).toBe(open ? 1 : 0)
      }
    },
  )

  it.each([
    ['active', {}, true],
    ['active, canceled at period end', { cancelAtPeriodEnd: true, end: '3 days' }, true],
    ['active, canceled, period over', { cancelAtPeriodEnd: true, end: '-1 minute' }, false],
    ['trial with days left', { status: 'trialing', trialEnd: '2 days' }, true],
    ['trial that is over', { status: 'trial', trialEnd: '-1 minute', end: '-1 minute' }, false],
    ['past due within three days', { status: 'past_due', eventAt: '-71 hours' }, true],
    ['past due for more than three days', { status: 'past_due', eventAt: '-73 hours' }, false],
    ['canceled immediately', { status: 'canceled', end: '20 days' }, false],
    ['canceled at period end, paid time left', { status: 'canceled', cancelAtPeriodEnd: true, end: '20 days' }, true],
    ['incomplete', { status: 'incomplete' }, false],
    ['unpaid', { status: 'unpaid' }, false],
    ['paused', { status: 'paused' }, false],
  ])('subscription %s %o: opens is %s [SUB-14, SUB-15, SUB-16, SUB-17, SUB-18]', async (_name, state, open) => {
    const person = await world.buildPerson()
    await world.subscribe(person, creator, state)
    expect(await seen(person, locked.id)).toMatchObject({ is_locked: !open })
  })

  it(`gives a subscriber no access to other creators' posts`, async () => {
    const other = await world.buildCreator()
    const post = await world.buildPost(other, { type: 'subscription' })
    expect(await seen(fan, post.id)).toMatchObject({ is_locked: true, media_urls: [] })
  })

  it('with tiered access unlocks a post only for its plan and more expensive ones [POST-43, D14]', async () => {
    const tiered = await world.buildCreator({ tieredAccess: true })
    const dearer = await world.buildProduct(tiered, 15_000, 'year') // $12.50 a month
    const cheaper = await world.buildProduct(tiered, 200, 'week') // $8.67 a month
    const same = await world.buildProduct(tiered, 999, 'month')
    const post = await world.buildPost(tiered, { type: 'subscription' })
    for (const [productId, open] of [
      [tiered.productId, true],
      [dearer, true],
      [cheaper, false],
      [same, false],
    ] as const) {
      const person = await world.buildPerson()
      await world.subscribe(person, tiered, { productId })
      expect(await seen(person, post.id)).toMatchObject({ is_locked: !open })
    }
    await world.as(tiered, 'update public.profiles set tiered_access = false where id = $1', [tiered.profileId])
    const cheap = await world.buildPerson()
    await world.subscribe(cheap, tiered, { productId: cheaper })
    expect(await seen(cheap, post.id)).toMatchObject({ is_locked: false })
  })

  it('hides the posts of a private profile from everyone except the owner, admins, and paying fans [PROF-22, POST-48]', async () => {
    const hidden = await world.buildCreator({ isPrivate: true })
    const post = await world.buildPost(hidden)
    const payer = await world.buildPerson()
    await world.subscribe(payer, hidden)
    for (const caller of ['anon', stranger, fan] as const) {
      expect(await seen(caller, post.id)).toBeUndefined()
      expect(await files(caller, post.path)).toBe(0)
    }
    for (const caller of [hidden, admin, payer]) {
      expect(await seen(caller, post.id)).toMatchObject({ is_locked: false })
      expect(await files(caller, post.path)).toBe(1)
    }
  })
})

describe("locked content doesn't leave the database", () => {
  const queries: [name: string, text: string][] = [
    ['a filter on the text', `select id from public.posts where content like '%secret%' and id = $1`],
    ['a case-insensitive filter', `select id from public.posts where content ilike '%SECRET%' and id = $1`],
    ['a regular expression', `select id from public.posts where content ~ 'secret' and id = $1`],
    [
      'full-text search',
      `select id from public.posts where to_tsvector('simple', content) @@ to_tsquery('simple', 'secret') and id = $1`,
    ],
    ['its length', `select id from public.posts where length(content) > 100 and id = $1`],
    [
      'its place in an order',
      `select id from public.posts where content > 'open words open words open words open words open words open words open words open words open words op' || chr(1) and id = $1`,
    ],
    [
      'an aggregate',
      `select 1 from public.posts where id = $1 having string_agg(content, '') like '%secret%' or max(content) like '%secret%'`,
    ],
    ['a whole row as text', `select 1 from public.posts p where id = $1 and p::text like '%secret%'`],
    ['a whole row as json', `select 1 from public.posts p where id = $1 and to_jsonb(p)::text like '%secret%'`],
    ['a file path', `select 1 from public.posts p, unnest(p.media_urls) path where id = $1`],
    ['an array filter', `select 1 from public.posts where cardinality(media_urls) > 0 and id = $1`],
    [
      'the feed',
      `select 1 from public.get_feed(100) where id = $1 and (content like '%secret%' or cardinality(media_urls) > 0)`,
    ],
  ]

  it.each(queries)('not by %s [POST-46, D5]', async (_name, text) => {
    await world.query('insert into public.follows (follower_id, following_id) values ($1, $2) on conflict do nothing', [
      stranger.profileId,
      creator.profileId,
    ])
    expect(await world.as(stranger, text, [locked.id])).toEqual([])
    expect(
      (await world.as(creator, text, [locked.id])).length,
      'the query finds it for the owner, so it could have',
    ).toBeGreaterThan(0)
    // A visitor has no feed to ask for.
    if (!text.includes('get_feed')) expect(await world.as('anon', text, [locked.id])).toEqual([])
  })

  it('not by an error that quotes it [POST-46]', async () => {
    const attempt = world.as(stranger, 'select content::int from public.posts where id = $1', [locked.id])
    const error = await attempt.catch((reason: Error) => reason.message)
    expect(error).toMatch(/invalid input syntax/)
    expect(error).not.toContain('secret')
  })

  it('not by changing, deleting, or returning it [POST-46, POST-53]', async () => {
    expect(
      await world.as(stranger, `update public.posts set title = 'x' where id = $1 returning *`, [locked.id]),
    ).toEqual([])
    expect(await world.as(stranger, 'delete from public.posts where id = $1 returning *', [locked.id])).toEqual([])
    expect(await seen(creator, locked.id)).toMatchObject({ title: 'A title' })
  })

  it('not from the tables behind the view', async () => {
    for (const caller of ['anon', stranger, fan] as const) {
      await expect(world.as(caller, 'select * from private.posts')).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'select * from private.post_media')).rejects.toMatchObject(refused)
    }
  })

  it('not by liking, commenting, or copying it into an own post', async () => {
    await expect(
      world.as(stranger, 'insert into public.comments (post_id, user_id, content) values ($1, $2, $3)', [
        locked.id,
        stranger.profileId,
        'hi',
      ]),
    ).rejects.toMatchObject(refused)
    await expect(
      world.as(stranger, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [
        locked.id,
        stranger.profileId,
      ]),
    ).rejects.toMatchObject(refused)
    const thief = await world.buildCreator()
    await expect(world.buildPost(thief, { media: [locked.path] })).rejects.toMatchObject({ code: 'PT403' })
  })
})

describe('publishing', () => {
  const insert = `insert into public.posts (creator_id, content, post_type, media_urls, media_types, required_tier_id, ppv_price)
    values ($1, $2, $3, $4, $5, $6, $7) returning id, is_locked, media_count`
  const values = (
    overrides: Partial<Record<'creator' | 'content' | 'type' | 'urls' | 'types' | 'tier' | 'price', unknown>> = {},
  ) => [
    overrides.creator ?? creator.profileId,
    overrides.content ?? 'Hello',
    overrides.type ?? 'free',
    overrides.urls ?? [],
    overrides.types ?? [],
    overrides.tier ?? null,
    overrides.price ?? null,
  ]

  it('accepts a post with two files and counts them [GEN-41, PROF-05, API-REST-25]', async () => {
    const author = await world.buildCreator()
    const urls = [await world.buildFile(author), await world.buildFile(author, 'posts', 'video/mp4')]
    const rows = await world.as(author, insert, values({ creator: author.profileId, urls, types: ['image', 'video'] }))
    expect(rows).toMatchObject([{ is_locked: false, media_count: 2 }])
    const [profile] = await world.as(
      author,
      'select total_posts, total_photos, total_videos from public.profiles where id = $1',
      [author.profileId],
    )
    expect(profile).toEqual({ total_posts: 1, total_photos: 1, total_videos: 1 })
  })

  it('is for approved creators and admins, as themselves [D25, GEN-41]', async () => {
    const applicant = await world.buildPerson({ meta: { is_creator: true } })
    await expect(world.as(applicant, insert, values({ creator: applicant.profileId }))).rejects.toMatchObject(refused)
    await expect(world.as(fan, insert, values())).rejects.toMatchObject(refused)
    await expect(world.as('anon', insert, values())).rejects.toMatchObject(refused)
    expect(await world.as(admin, insert, values({ creator: admin.profileId }))).toHaveLength(1)
  })

  it('treats an admin as an approved creator, without an application [DASH-09]', async () => {
    expect(
      await world.query('select 1 from public.creator_applications where user_id = $1', [admin.userId]),
    ).toHaveLength(0)
    const [post] = await world.as(admin, insert, values({ creator: admin.profileId }))
    expect(await seen('anon', String(post?.id))).toMatchObject({ creator_id: admin.profileId, is_locked: false })
  })

  it('has one of three types, and files that are images or videos [DATA-08]', async () => {
    const author = await world.buildCreator()
    const tier = await world.buildProduct(author, 500)
    const urls = [await world.buildFile(author), await world.buildFile(author, 'posts', 'video/mp4')]
    const published = [
      { type: 'free', urls, types: ['image', 'video'] },
      { type: 'subscription', tier },
      { type: 'ppv', price: 500 },
    ]
    for (const post of published)
      expect(await world.as(author, insert, values({ creator: author.profileId, ...post }))).toHaveLength(1)
    // As the owner of the table, so that the table itself refuses and no rule in front of it.
    const store = (type: string, mediaTypes: readonly string[]) =>
      world.query(
        'insert into private.posts (creator_id, content, post_type, media_urls, media_types) values ($1, $2, $3, $4, $5)',
        [author.profileId, 'Hello', type, mediaTypes.map((_, index) => `${author.userId}/${index}`), mediaTypes],
      )
    await expect(store('paid', [])).rejects.toMatchObject({ code: '23514', constraint: 'posts_post_type_known' })
    await expect(store('free', ['audio'])).rejects.toMatchObject({
      code: '23514',
      constraint: 'posts_media_types_known',
    })
  })

  it('needs content or a file [POST-21]', async () => {
    await expect(world.as(creator, insert, values({ content: '  ' }))).rejects.toMatchObject({
      code: '23514',
      message: 'Please add some content or upload files',
    })
    const file = { content: '  ', urls: [await world.buildFile(creator)], types: ['image'] }
    expect(await world.as(creator, insert, values(file))).toHaveLength(1)
    expect(await world.as(creator, insert, values({ content: 'Words alone' }))).toHaveLength(1)
  })

  it('needs an active plan of the creator for a subscription post [POST-18, POST-22]', async () => {
    const other = await world.buildCreator()
    const retired = await world.buildProduct(creator, 500)
    await world.as(creator, 'update public.subscription_products set is_active = false where id = $1', [retired])
    for (const tier of [null, other.productId, retired]) {
      await expect(world.as(creator, insert, values({ type: 'subscription', tier }))).rejects.toMatchObject({
        constraint: 'posts_subscription_has_tier',
      })
    }
  })

  it('needs a price of at least $1.00 for pay-per-view [D26]', async () => {
    for (const price of [null, 99, -500]) {
      await expect(world.as(creator, insert, values({ type: 'ppv', price }))).rejects.toMatchObject({
        constraint: 'posts_ppv_price_range',
      })
    }
    expect(await world.as(creator, insert, values({ type: 'ppv', price: 100 }))).toHaveLength(1)
  })

  it("accepts files that are the author's own, uploaded, of the given type, and in no other post [POST-47]", async () => {
    const path = await world.buildFile(creator)
    const attempt = (urls: string[], types: string[]) => world.as(creator, insert, values({ urls, types }))
    await expect(attempt([`${creator.userId}/never-uploaded`], ['image'])).rejects.toMatchObject({ code: 'PT422' })
    await expect(attempt([await world.buildFile(fan)], ['image'])).rejects.toMatchObject({ code: 'PT403' })
    await expect(attempt([path], ['video'])).rejects.toMatchObject({ code: 'PT422' })
    await expect(attempt([path], [])).rejects.toMatchObject({ constraint: 'posts_media_pairs' })
    await attempt([path], ['image'])
    await expect(attempt([path], ['image'])).rejects.toMatchObject({
      code: '23505',
      message: 'This file already belongs to a post',
    })
  })

  it('lets the author pin up to three posts, and change neither price nor audience [D28]', async () => {
    const author = await world.buildCreator()
    const posts = []
    for (let i = 0; i < 4; i++) posts.push(await world.buildPost(author))
    const pin = (id: string) =>
      world.as(author, 'update public.posts set is_pinned = true where id = $1 returning is_pinned', [id])
    for (const { id } of posts.slice(0, 3)) expect(await pin(id)).toEqual([{ is_pinned: true }])
    await expect(pin(String(posts[3]?.id))).rejects.toMatchObject({ code: 'PT409' })
    for (const change of [
      `post_type = 'ppv'`,
      'ppv_price = 100',
      `media_urls = '{}'`,
      'likes_count = 9',
      'required_tier_id = null',
      'creator_id = id',
    ]) {
      await expect(world.as(author, `update public.posts set ${change}`)).rejects.toMatchObject(refused)
    }
  })

  it('lets users delete their own posts, and admins any post [POST-53, POST-54]', async () => {
    const author = await world.buildCreator()
    const [first, second] = [await world.buildPost(author), await world.buildPost(author)]
    const remove = (caller: Caller, id: string) =>
      world.as(caller, 'delete from public.posts where id = $1 returning id', [id])
    expect(await remove(fan, first.id)).toEqual([])
    expect(await remove(creator, first.id)).toEqual([])
    await expect(remove('anon', first.id)).rejects.toMatchObject(refused)
    expect(await remove(author, first.id)).toEqual([{ id: first.id }])
    expect(await remove(admin, second.id)).toEqual([{ id: second.id }])
    expect(
      await world.query('select total_posts, total_photos from private.profiles where id = $1', [author.profileId]),
    ).toEqual([{ total_posts: 0, total_photos: 0 }])
  })
})

describe('a scheduled post', () => {
  /** Scheduled by the creator for tomorrow, unless the columns say otherwise. */
  async function schedule(columns: Record<string, unknown> = {}, author: Person = creator): Promise<string> {
    const row = {
      creator_id: author.profileId,
      title: 'Soon',
      content: 'Words of tomorrow',
      publish_at: new Date(Date.now() + 86_400_000),
      ...columns,
    }
    const [made] = await world.as(
      author,
      `insert into public.scheduled_posts (${Object.keys(row)}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)}) returning id`,
      Object.values(row),
    )
    return String(made?.id)
  }
  const publishDue = (id: string) => world.as('service_role', 'select private.publish_due_post($1) as done', [id])
  const waits = async (id: string) => (await world.query('select * from public.scheduled_posts where id = $1', [id]))[0]

  it('is visible only to its author and admins until it is published [GEN-41, GEN-35]', async () => {
    const path = await world.buildFile(creator)
    const id = await schedule({ media_urls: [path], media_types: ['image'] })
    const found = async (caller: Caller) =>
      (await world.as(caller, 'select id from public.scheduled_posts where id = $1', [id])).length
    expect(await Promise.all([creator, admin, fan, stranger].map(found))).toEqual([1, 1, 0, 0])
    await expect(found('anon')).rejects.toMatchObject(refused)
    expect(await seen(creator, id)).toBeUndefined()
    expect(await files(fan, path)).toBe(0)
    expect(await publishDue(id)).toEqual([{ done: false }])
  })

  it('becomes an ordinary post once when it is due [GEN-41, HOME-04]', async () => {
    const path = await world.buildFile(creator)
    const id = await schedule({ media_urls: [path], media_types: ['image'] })
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [id])
    expect(await publishDue(id)).toEqual([{ done: true }])
    expect(await seen(fan, id)).toMatchObject({ title: 'Soon', content: 'Words of tomorrow', media_urls: [path] })
    expect(await files(fan, path)).toBe(1)
    expect(await waits(id)).toBeUndefined()
    expect(await publishDue(id)).toEqual([{ done: false }])
  })

  it("notifies its author why it couldn't be published, and is retried after an edit", async () => {
    const path = await world.buildFile(creator)
    const id = await schedule({ media_urls: [path], media_types: ['image'] })
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [id])
    await world.query('delete from storage.objects where name = $1', [path])
    expect(await publishDue(id)).toEqual([{ done: false }])
    expect(await waits(id)).toMatchObject({ failure: 'A file of this post was deleted or has not been uploaded' })
    expect(await seen(creator, id)).toBeUndefined()
    const [told] = await world.as(creator, 'select title, message from public.notifications order by created_at desc')
    expect(told).toMatchObject({ title: "A scheduled post wasn't published" })
    await world.query('insert into storage.objects (bucket_id, name, metadata) values ($1, $2, $3)', [
      'posts',
      path,
      { mimetype: 'image/jpeg' },
    ])
    await world.as(creator, `update public.scheduled_posts set content = 'Better' where id = $1`, [id])
    expect(await publishDue(id)).toEqual([{ done: true }])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ content: ' ' }, 'Please add some content or upload files'],
    [{ publish_at: new Date(Date.now() - 3_600_000) }, 'Choose a time in the future'],
    [{ publish_at: new Date(Date.now() + 400 * 86_400_000) }, 'A post can be scheduled up to a year ahead'],
    [{ post_type: 'subscription' }, 'Choose one of your active plans for a subscription post'],
    [{ post_type: 'ppv', ppv_price: 50 }, 'A pay-per-view post must cost at least $1.00'],
    [{ poll: { title: 'Tea?', options: ['Yes', ''], days: 7 } }, 'At least 2 poll options are required'],
    [{ poll: { title: ' ', options: ['Yes', 'No'], days: 7 } }, 'Poll title is required'],
    [{ poll: { title: 'Tea?', options: ['Yes', 'No'], days: 2 } }, 'A poll can run for 1, 3, 7, 14, or 30 days'],
    [{ poll: { title: 'Tea?', options: 'Yes', days: 7 } }, 'options must be a JSON list of texts'],
  ])('is rejected when it is created: %j [POST-21, POST-22, D26]', async (columns, message) => {
    await expect(schedule(columns)).rejects.toMatchObject({ message })
  })

  it('is not published while its author is suspended, and is kept with the reason [GEN-05]', async () => {
    const author = await world.buildCreator()
    const id = await schedule({}, author)
    const admin = await world.buildAdmin()
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [id])
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [author.profileId])
    expect(await publishDue(id)).toEqual([{ done: false }])
    expect(await world.query('select from private.posts where id = $1', [id])).toEqual([])
    await world.as(admin, 'select public.reinstate_user($1)', [author.profileId])
    expect(await world.as(author, 'select failure from public.scheduled_posts where id = $1', [id])).toEqual([
      { failure: 'Your account was suspended' },
    ])
  })

  it('rounds the duration of its poll to days [NOTI-16]', async () => {
    const id = await schedule({ poll: { title: 'Tea?', options: ['Yes', 'No'], days: 3.02 } })
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [id])
    expect(await publishDue(id)).toEqual([{ done: true }])
    expect(
      await world.query(`select expires_at - created_at = '3 days' as days from public.polls where post_id = $1`, [id]),
    ).toEqual([{ days: true }])
  })

  it('is published immediately when it is scheduled for now', async () => {
    const id = await schedule({ publish_at: new Date() })
    expect(await seen('anon', id)).toMatchObject({ content: 'Words of tomorrow' })
    expect(await waits(id)).toBeUndefined()
  })

  it('can be published early by its author, and is deleted with its files', async () => {
    const id = await schedule()
    await expect(world.as(fan, 'select public.publish_scheduled_post($1)', [id])).rejects.toMatchObject({
      code: 'PT404',
    })
    expect(await world.as(creator, 'select public.publish_scheduled_post($1) as id', [id])).toEqual([{ id }])
    expect(await seen('anon', id)).toMatchObject({ content: 'Words of tomorrow' })

    const path = await world.buildFile(creator)
    const other = await schedule({ media_urls: [path], media_types: ['image'] })
    expect(await world.as(fan, 'delete from public.scheduled_posts where id = $1 returning id', [other])).toEqual([])
    await world.as(creator, 'delete from public.scheduled_posts where id = $1', [other])
    expect(await world.query('select from storage.objects where name = $1', [path])).toEqual([])
  })

  it('shows its poll only to viewers who can see the post in full [POST-46, NOTI-18, NOTI-19]', async () => {
    const ask = { title: ' Where to next? ', options: ['North', ' South ', ''], days: 3 }
    const id = await schedule({ post_type: 'subscription', required_tier_id: creator.productId, poll: ask })
    await world.as(creator, 'select public.publish_scheduled_post($1)', [id])
    const poll = async (caller: Caller) =>
      world.as(caller, 'select id, title, options from public.polls where post_id = $1', [id])
    const [asked] = await poll(fan)
    expect(asked).toMatchObject({ title: 'Where to next?', options: '["North","South"]' })
    for (const caller of [stranger, lapsed, 'anon'] as Caller[]) expect(await poll(caller)).toEqual([])

    const vote = (voter: Person) =>
      world.as(voter, 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, $2, 1)', [
        asked?.id,
        voter.profileId,
      ])
    await vote(fan)
    await expect(vote(stranger)).rejects.toMatchObject({ code: 'PT404' })
    const results = (caller: Person) =>
      world.as(caller, 'select total_votes from public.get_poll_results($1)', [asked?.id])
    expect(await results(fan)).toEqual([{ total_votes: 1 }])
    expect(await results(stranger)).toEqual([])
    expect(await world.as(stranger, 'select from public.poll_votes')).toEqual([])
    // The admins' list has only polls for all users.
    expect(await world.as(admin, 'select id from public.get_poll_results() where id = $1', [asked?.id])).toEqual([])
  })
})
