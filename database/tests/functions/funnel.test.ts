import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'
import { openCampaigns } from '../mass-messages.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let campaigns: ReturnType<typeof openCampaigns>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  campaigns = openCampaigns(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})
afterEach(async () => {
  expect(await books.problems()).toEqual([])
  await rollUp()
  expect(await books.problems()).toEqual([])
})

async function rollUp(size = 10_000): Promise<number> {
  for (let steps = 1; ; steps += 1) {
    const [row] = await world.as('service_role', 'select private.roll_up_funnel($1) as more', [size])
    if (row?.more !== true) return steps
  }
}
const view = (page: string, id: string, visitor: string, viewer: Person | null = null) =>
  world.as('service_role', 'select private.count_page_view($1, $2, $3, sha256($4::bytea))', [
    page,
    id,
    viewer?.userId ?? null,
    visitor,
  ])
/** A page that the fan opens at Stripe, or a payment with one click. */
const begin = (kind = 'subscription', payer = fan, at = '0 minutes') =>
  world.query(
    `insert into private.checkout_sessions (id, kind, profile_id, creator_id, amount_cents, url, created_at)
     values ($1, $2, $3, $4, 500, 'https://pay.example', now() + $5::interval)`,
    [`cs_${randomUUID()}`, kind, payer.profileId, creator.profileId, at],
  )
type Days = { from?: string; to?: string; zone?: string }
const numbers = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (Number(value) ? [[name, Number(value)]] : [])))
/** The days that aren't all zero. */
async function funnel({ from, to, zone = 'UTC' }: Days = {}, caller: Caller = creator) {
  await rollUp()
  const rows = await world.as(
    caller,
    `select f.day::text, to_jsonb(f) - 'day' as figures
     from public.get_funnel(coalesce($1::date, current_date - 2), coalesce($2::date, current_date + 1), $3) f`,
    [from ?? null, to ?? null, zone],
  )
  return rows.flatMap(({ day, figures }) => {
    const some = numbers(Object(figures))
    return Object.keys(some).length > 0 ? [{ day, ...some }] : []
  })
}
const total = async () => {
  const sums: Record<string, number> = {}
  for (const { day, ...figures } of await funnel())
    for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + Number(value)
  return sums
}

describe('the funnel', () => {
  it('counts viewers of the profile and of the plans, each once a day [STATX-02]', async () => {
    for (const visitor of ['one', 'two', 'one']) await view('profile', creator.profileId, visitor)
    await rollUp()
    await view('profile', creator.profileId, 'two')
    await view('plans', creator.profileId, 'two', fan)
    expect(await total()).toEqual({ profile_views: 2, plan_views: 1 })
  })

  it('counts neither the creator’s own views nor pages that aren’t a creator’s [STATX-02]', async () => {
    await expect(view('posts', creator.profileId, 'unknown page')).rejects.toMatchObject({ code: '23514' })
    await view('profile', creator.profileId, 'own', creator)
    await view('profile', fan.profileId, 'a fan’s profile')
    await view('product', randomUUID(), 'no product')
    await view('profile', randomUUID(), 'nobody')
    await world.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'spam', was_private = false where id = $1`,
      [creator.profileId],
    )
    await view('profile', creator.profileId, 'suspended')
    expect(await world.query('select * from private.page_views')).toEqual([])
  })

  it('keeps viewers until the day after [STATX-02]', async () => {
    await view('profile', creator.profileId, 'one')
    await rollUp()
    await world.query(
      `insert into private.page_viewers (day, creator_id, page, visitor, at) values (current_date - 3, $1, 'profile', 'old', now() - interval '3 days')`,
      [creator.profileId],
    )
    await world.as('service_role', 'select private.forget_page_viewers()')
    const kept = await world.query(
      'select encode(visitor, $2) as visitor from private.page_viewers where creator_id = $1',
      [creator.profileId, 'escape'],
    )
    expect(kept).toHaveLength(1)
    expect(kept).not.toContainEqual({ visitor: 'old' })
    expect(await total()).toEqual({ profile_views: 1 })
  })

  it('counts checkouts and payments, of them those for subscriptions, and no renewal [STATX-02] [STATX-04]', async () => {
    await begin()
    await begin('tip')
    await begin('ppv')
    await world.subscribe(fan, creator)
    await world.pay(fan, creator)
    await world.pay(fan, creator)
    await books.tip(fan, creator)
    expect(await total()).toEqual({
      checkouts: 3,
      plan_checkouts: 1,
      payments: 2,
      plan_payments: 1,
      net_cents: 899 + 900,
      plan_net_cents: 899,
    })
  })

  it('counts one payment for each subscription, even if renewals are counted in other steps [STATX-02]', async () => {
    for (let n = 0; n < 3; n += 1) {
      const person = await world.buildPerson()
      await world.subscribe(person, creator)
      await world.pay(person, creator)
      await rollUp(1)
      await world.pay(person, creator)
      await rollUp(1)
    }
    expect(await total()).toMatchObject({ payments: 3, plan_payments: 3, plan_net_cents: 3 * 899 })
  })

  it('takes back what was refunded, in the step after the payment, and ignores refunds of renewals [STATX-04]', async () => {
    await world.subscribe(fan, creator)
    const first = await world.pay(fan, creator)
    const renewal = await world.pay(fan, creator)
    await books.refund(first, 333)
    await books.refund(renewal)
    const post = await world.buildPost(creator, { type: 'ppv' })
    await books.refund(await books.buy(fan, creator, post.id))
    await rollUp(1)
    const net = await world.query(
      `select sum(t.net_amount)::int as net from public.transactions t
       where t.to_user_id = $1 and (t.id = $2 or t.original_transaction_id = $2)`,
      [creator.profileId, first],
    )
    expect(await total()).toMatchObject({
      payments: 2,
      plan_payments: 1,
      net_cents: net[0]?.net,
      plan_net_cents: net[0]?.net,
    })
  })

  it('follows the creator’s time zone, also those with quarters of an hour [STATX-03]', async () => {
    await books.tip(fan, creator, { at: '2026-03-01T18:20:00Z' })
    await books.tip(fan, creator, { at: '2026-03-01T18:10:00Z' })
    const march = (zone: string) => funnel({ from: '2026-02-27', to: '2026-03-03', zone })
    // 18:15 in UTC is midnight in Kathmandu.
    expect(await march('Asia/Kathmandu')).toEqual([
      { day: '2026-03-01', payments: 1, net_cents: 900 },
      { day: '2026-03-02', payments: 1, net_cents: 900 },
    ])
    expect(await march('UTC')).toEqual([{ day: '2026-03-01', payments: 2, net_cents: 1800 }])
    expect(await march('Pacific/Kiritimati')).toEqual([{ day: '2026-03-02', payments: 2, net_cents: 1800 }])
  })

  it('has a row for every day, of up to 367 days, in a time zone that exists [STATX-03]', async () => {
    const days = await world.as(
      creator,
      `select day::text from public.get_funnel('2025-12-30', '2026-01-02', 'Europe/Lisbon')`,
    )
    expect(days.map(({ day }) => day)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'])
    const call = (from: string | null, to: string | null, zone: string | null) =>
      world.as(creator, 'select * from public.get_funnel($1, $2, $3)', [from, to, zone])
    expect(await call('2025-01-01', '2026-01-02', 'UTC')).toHaveLength(367)
    for (const [from, to, zone] of [
      ['2025-01-01', '2026-01-03', 'UTC'],
      ['2026-01-02', '2026-01-01', 'UTC'],
      [null, '2026-01-01', 'UTC'],
      ['2026-01-01', '2026-01-01', null],
      ['2026-01-01', '2026-01-01', 'Nowhere/At_All'],
    ] as const)
      await expect(call(from, to, zone)).rejects.toMatchObject({ code: '22023' })
  })

  it('is each creator’s own [STATX-02]', async () => {
    await books.tip(fan, creator)
    expect(await funnel({}, await world.buildCreator())).toEqual([])
    for (const caller of [fan, 'anon', 'service_role'] as const)
      await expect(
        world.as(caller, `select * from public.get_funnel('2026-01-01', '2026-01-01', 'UTC')`),
      ).rejects.toMatchObject(refused)
  })

  it('keeps the numbers of fans who delete their accounts, and none of creators [SET-14]', async () => {
    await begin('tip')
    await books.tip(fan, creator)
    await view('profile', creator.profileId, 'one')
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect(await total()).toEqual({ profile_views: 1, checkouts: 1, payments: 1, net_cents: 900 })
    await view('profile', creator.profileId, 'two')
    await world.as('service_role', 'select private.delete_account($1)', [creator.userId])
    await rollUp()
    expect(
      await world.query('select * from private.funnel_quarters where creator_id = $1', [creator.profileId]),
    ).toEqual([])
  })

  it('takes nothing while another process counts, and loses nothing [STATX-04]', async () => {
    await books.tip(fan, creator)
    const other = await world.begin('service_role', ['select private.roll_up_funnel()'])
    await books.tip(fan, creator)
    expect(await world.as('service_role', 'select private.roll_up_funnel() as more')).toEqual([{ more: false }])
    await other.commit()
    expect(await total()).toEqual({ payments: 2, net_cents: 1800 })
  })

  it('has what was before it, and adds nothing twice [STATX-04]', async () => {
    await begin('tip')
    await books.tip(fan, creator)
    await world.subscribe(fan, creator)
    const payment = await world.pay(fan, creator)
    await world.pay(fan, creator)
    await books.refund(payment, 100)
    await world.as(fan, 'select public.record_profile_view($1)', [creator.profileId])
    // As if the migration came now.
    await world.query('delete from private.funnel_events')
    for (let n = 0; n < 2; n += 1) await world.query('select private.fill_funnel()')
    expect(await books.problems()).toEqual([])
    expect(await total()).toMatchObject({ profile_views: 1, checkouts: 1, payments: 2, plan_payments: 1 })
  })
})

describe('the check of the figures', () => {
  it.each([
    ['payments', 'update private.funnel_quarters set payments = payments + 1 where creator_id = $1'],
    ['net_cents', 'update private.funnel_quarters set net_cents = net_cents - 1 where creator_id = $1'],
    ['plan_payments', 'update private.funnel_quarters set plan_payments = plan_payments + 1 where creator_id = $1'],
    ['plan_net_cents', 'update private.funnel_quarters set plan_net_cents = plan_net_cents + 1 where creator_id = $1'],
    ['checkouts', 'update private.funnel_quarters set checkouts = 0, plan_checkouts = 0 where creator_id = $1'],
    ['profile_views', 'update private.funnel_quarters set profile_views = 7 where creator_id = $1'],
  ])('finds wrong %s [STATX-04]', async (counter, change) => {
    await begin('tip')
    await books.tip(fan, creator)
    await rollUp()
    const [before] = await world.query('select * from private.funnel_quarters where creator_id = $1', [
      creator.profileId,
    ])
    await world.query(change, [creator.profileId])
    const found = await world.query('select counter from private.verify_funnel() where profile_id = $1', [
      creator.profileId,
    ])
    expect(found).toContainEqual({ counter: `funnel_quarters.${counter}` })
    await world.query(
      `update private.funnel_quarters set payments = $2, net_cents = $3, checkouts = $4, profile_views = 0, plan_payments = 0, plan_net_cents = 0
       where creator_id = $1`,
      [creator.profileId, before?.payments, before?.net_cents, before?.checkouts],
    )
  })
})

/** A post with a video, and the file as clients name it. */
async function buildVideoPost(about: { type?: string } = {}) {
  const path = await world.buildFile(creator, 'posts', 'video/mp4')
  const { type = 'free' } = about
  const [row] = await world.as(
    creator,
    `insert into public.posts (creator_id, content, post_type, media_urls, media_types, ppv_price)
     values ($1, 'Watch', $2, $3, array['video', 'image'], $4) returning id`,
    [creator.profileId, type, [path, await world.buildFile(creator)], type === 'ppv' ? 500 : null],
  )
  return { id: String(row?.id), file: `posts/${path}`, path }
}
const watch = (person: Caller, file: string | null, percent: number | null) =>
  world.as(person, 'select public.record_media_progress($1, $2)', [file, percent])
async function reach(post: string | null = null, mass: string | null = null, caller: Caller = creator) {
  await rollUp()
  return world.as(caller, 'select position, media_type, reached::int[] from public.get_media_reach($1, $2)', [
    post,
    mass,
  ])
}
/** Began, and reached 25, 50, 75, and 95 %. */
const marks = (rows: Record<string, unknown>[]) =>
  rows.map(({ reached }) => (Array.isArray(reached) ? [0, 5, 10, 15, 19].map((step) => Number(reached[step])) : []))

describe('how far viewers got', () => {
  it('is the furthest position of each viewer [STATX-02]', async () => {
    const post = await buildVideoPost()
    const other = await world.buildPerson()
    for (const percent of [0, 30, 99, 40]) await watch(fan, post.file, percent)
    await rollUp()
    await watch(other, post.file, 0)
    expect(marks(await reach(post.id))).toEqual([[2, 1, 1, 1, 1]])
    for (const percent of [26, 51]) await watch(other, post.file, percent)
    expect(await reach(post.id)).toMatchObject([{ position: 1, media_type: 'video' }])
    expect(marks(await reach(post.id))).toEqual([[2, 2, 2, 1, 1]])
    await watch(other, post.file, 100)
    const [row] = await reach(post.id)
    expect(row?.reached).toEqual(Array.from({ length: 21 }, (_, step) => (step < 20 ? 2 : 1)))
    expect(await world.query('select * from private.media_progress where file = $1', [post.file])).toHaveLength(2)
  })

  it('counts only files that the viewer may see, and no other file [STATX-02]', async () => {
    const locked = await buildVideoPost({ type: 'ppv' })
    const open = await buildVideoPost()
    await watch(fan, locked.file, 50)
    await watch(creator, open.file, 50)
    await expect(watch('anon', open.file, 50)).rejects.toMatchObject(refused)
    const picture = await world.buildPost(creator)
    for (const [file, percent] of [
      [`posts/${picture.path}`, 50],
      [`messages/${open.path}`, 50],
      [open.path, 50],
      ['', 50],
      [null, 50],
      [open.file, -5],
      [open.file, 105],
      [open.file, 2_000_000_000],
      [open.file, null],
    ] as const)
      await watch(fan, file, percent)
    expect(marks(await reach(locked.id))).toEqual([[0, 0, 0, 0, 0]])
    expect(
      await world.query('select * from private.media_progress where viewer_id = any ($1)', [
        [fan.profileId, creator.profileId],
      ]),
    ).toEqual([])
    await books.buy(fan, creator, locked.id)
    await watch(fan, locked.file, 50)
    expect(marks(await reach(locked.id))).toEqual([[1, 1, 1, 0, 0]])
  })

  it('is known of mass messages by file, and of messages to one fan together [STATX-02]', async () => {
    await campaigns.follow(fan, creator)
    const version = randomUUID()
    await world.as(
      creator,
      `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version) values ('messages', $1, $2, $3, '{"mimetype": "audio/mp4", "size": 1}', $4)`,
      [`${creator.userId}/${randomUUID()}.m4a`, creator.userId, creator.userId, version],
    )
    const [voice] = await world.query('select id from public.vault_files where version = $1', [version])
    const mass = await campaigns.deliver(creator, { files: [String(voice?.id)] })
    const [copy] = await campaigns.thread(fan, creator)
    const [massFile] = Array.isArray(copy?.media_urls) ? copy.media_urls : []
    await watch(fan, `messages/${massFile}`, 76)
    expect(await reach(null, mass)).toMatchObject([{ position: 1, media_type: 'audio' }])
    expect(marks(await reach(null, mass))).toEqual([[1, 1, 1, 1, 0]])
    const paths = [
      await world.buildFile(creator, 'messages', 'video/mp4'),
      await world.buildFile(creator, 'messages', 'video/mp4'),
      await world.buildFile(creator, 'messages'),
    ]
    for (const [n, path] of paths.entries()) {
      await world.as(
        creator,
        `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types) values ($1, $2, 'For you', array[$3], array[$4])`,
        [creator.profileId, fan.profileId, path, n < 2 ? 'video' : 'image'],
      )
      await watch(fan, `messages/${path}`, n === 0 ? 100 : 30)
      await watch(await world.buildPerson(), `messages/${path}`, 100)
    }
    expect(marks(await reach())).toEqual([[2, 2, 1, 1, 1]])
    // What fans send isn't anyone's content.
    const sent = await world.buildFile(fan, 'messages', 'video/mp4')
    await world.as(
      fan,
      `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types) values ($1, $2, 'Look', array[$3], array['video'])`,
      [fan.profileId, creator.profileId, sent],
    )
    await watch(creator, `messages/${sent}`, 100)
    expect(await world.query('select * from private.media_progress where viewer_id = $1', [creator.profileId])).toEqual(
      [],
    )
  })

  it('stays when a viewer is forgotten, and goes with the file [SET-14] [STATX-02]', async () => {
    const post = await buildVideoPost()
    const other = await world.buildPerson()
    await watch(fan, post.file, 50)
    await watch(other, post.file, 80)
    await rollUp()
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect(await books.problems()).toEqual([])
    expect(marks(await reach(post.id))).toEqual([[2, 2, 2, 1, 0]])
    await world.query(`update private.media_progress set moved_at = now() - interval '181 days' where file = $1`, [
      post.file,
    ])
    expect(await world.as('service_role', 'select private.forget_media_progress(1) as more')).toEqual([{ more: true }])
    expect(await world.as('service_role', 'select private.forget_media_progress(1) as more')).toEqual([{ more: false }])
    expect(await world.query('select * from private.media_progress where file = $1', [post.file])).toEqual([])
    expect(marks(await reach(post.id))).toEqual([[2, 2, 2, 1, 0]])
    await watch(other, post.file, 10)
    await world.as(creator, 'delete from public.posts where id = $1', [post.id])
    for (const table of ['media_progress where file', 'media_reach where curve'])
      expect(await world.query(`select * from private.${table} = $1`, [post.file])).toEqual([])
    expect(await reach(post.id)).toEqual([])
  })

  it('forgets the messages of a creator whose account is gone [SET-14]', async () => {
    await world.query('insert into private.media_reach (curve, step) values ($1, 0)', [`singles/${randomUUID()}`])
    await world.as('service_role', 'select private.forget_media_progress()')
    expect(await world.query(`select * from private.media_reach where curve like 'singles/%' and viewers = 0`)).toEqual(
      [],
    )
  })

  it('is seen by the creator alone [STATX-02]', async () => {
    const post = await buildVideoPost()
    expect(await reach(post.id, null, await world.buildCreator())).toEqual([])
    for (const caller of [fan, 'anon', 'service_role'] as const)
      await expect(reach(post.id, null, caller)).rejects.toMatchObject(refused)
    await expect(reach(post.id, post.id)).rejects.toMatchObject({ code: '22023' })
  })
})

type Asked = {
  kind?: string
  sort?: string
  search?: string | null
  size?: number
  before?: unknown
  beforeId?: unknown
}
const content = (asked: Asked = {}, caller: Caller = creator) =>
  world.as(
    caller,
    `select id, title, post_type, media_types, recipients::int, views::int, purchases::int, net_cents::int, sort_value
     from public.get_content_figures($1, $2, $3, $4, $5, $6)`,
    [
      asked.kind ?? 'posts',
      asked.sort ?? 'newest',
      asked.search ?? null,
      asked.size ?? 25,
      asked.before ?? null,
      asked.beforeId ?? null,
    ],
  )

describe('the figures of content', () => {
  it('are the earnings and viewers of posts, with the tips on them [STATX-02] [STATX-04]', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    const silent = await world.buildPost(creator)
    await books.buy(fan, creator, post.id)
    await books.tip(fan, creator, {}, post.id)
    const refundedTip = await books.tip(fan, creator, {}, silent.id)
    await books.refund(refundedTip)
    await world.as(fan, 'select public.record_post_views($1)', [[post.id, silent.id]])
    expect(await content({ sort: 'earnings' })).toMatchObject([
      {
        id: post.id,
        title: 'A title',
        post_type: 'ppv',
        media_types: ['image'],
        recipients: null,
        views: 1,
        purchases: 1,
        net_cents: 1800,
      },
      { id: silent.id, post_type: 'free', views: 1, purchases: 0, net_cents: 0 },
    ])
  })

  it('are what mass messages earned, and how many opened them; other messages are together [STATX-02] [STATX-04]', async () => {
    const other = await world.buildPerson()
    for (const person of [fan, other]) await campaigns.follow(person, creator)
    const mass = await campaigns.deliver(creator, { content: 'For sale', price: 500 })
    await campaigns.compose(creator, { content: 'A draft' })
    await campaigns.read(fan, creator)
    await campaigns.buy(fan, creator, mass)
    const [single] = await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'Only you', true, 700) returning id`,
      [creator.profileId, other.profileId],
    )
    const alone = () =>
      world.as(creator, 'select viewers::int, purchases::int, net_cents::int from public.get_single_message_figures()')
    expect(await alone()).toEqual([{ viewers: 0, purchases: 0, net_cents: 0 }])
    await world.as('service_role', `select private.post_message_unlock($1, $2, $3, $4, 700, 70, 'usd', now())`, [
      `pi_${randomUUID()}`,
      other.profileId,
      creator.profileId,
      single?.id,
    ])
    await campaigns.read(other, creator)
    expect(await content({ kind: 'messages' })).toMatchObject([
      { id: mass, title: 'For sale', post_type: null, recipients: 2, views: 2, purchases: 1, net_cents: 450 },
    ])
    expect(await alone()).toEqual([{ viewers: 1, purchases: 1, net_cents: 630 }])
  })

  it('are the earnings, buyers, and viewers of products [STATX-02] [STATX-04]', async () => {
    const file = await world.buildFile(creator, 'products', 'application/zip')
    const [row] = await world.as(creator, 'select public.save_product($1, $2, $3) as id', [
      'Brushes',
      1000,
      JSON.stringify([{ path: file, name: 'Brushes.zip' }]),
    ])
    const product = String(row?.id)
    await view('product', product, 'a draft has no viewers')
    expect(await content({ kind: 'products' })).toEqual([])
    await world.as(creator, `select public.set_product_status($1, 'published')`, [product])
    for (const visitor of ['one', 'two', 'one']) await view('product', product, visitor)
    const sale = await books.buyProduct(fan, creator, product)
    await books.buyProduct(await world.buildPerson(), creator, product)
    await rollUp(1)
    expect(await content({ kind: 'products' })).toMatchObject([
      { id: product, views: 2, purchases: 2, net_cents: 1800 },
    ])
    await books.refund(sale)
    await rollUp()
    expect(await content({ kind: 'products' })).toMatchObject([{ views: 2, purchases: 1, net_cents: 900 }])
    await world.query('update private.product_figures set net_cents = net_cents + 1 where product_id = $1', [product])
    expect(
      await world.query('select counter from private.verify_funnel() where profile_id = $1', [creator.profileId]),
    ).toEqual([{ counter: 'product_figures.net_cents' }])
    await world.query('update private.product_figures set net_cents = net_cents - 1 where product_id = $1', [product])
  })

  it('are sorted, searched, and read by pages, without gaps or repeats [STATX-02]', async () => {
    const posts = []
    for (const text of ['Green gate', 'A green tree', 'Red roof', 'GREEN 100%_', 'Blue'])
      posts.push(await world.buildPost(creator, { content: text }))
    await world.query(`update private.posts set title = null where creator_id = $1`, [creator.profileId])
    const ids = async (asked: Asked) => (await content(asked)).map(({ title }) => title)
    expect(await ids({})).toEqual(['Blue', 'GREEN 100%_', 'Red roof', 'A green tree', 'Green gate'])
    expect(await ids({ search: ' green ' })).toEqual(['GREEN 100%_', 'A green tree', 'Green gate'])
    expect(await ids({ search: '%_' })).toEqual(['GREEN 100%_'])
    expect(await ids({ search: 'nothing' })).toEqual([])
    await world.as(fan, 'select public.record_post_views($1)', [[posts[2]?.id]])
    for (const sort of ['newest', 'views', 'purchases', 'earnings']) {
      const all = await content({ sort })
      const paged = []
      for (let last: Record<string, unknown> | undefined; ; ) {
        const page = await content({ sort, size: 2, before: last?.sort_value, beforeId: last?.id })
        paged.push(...page)
        last = page.at(-1)
        if (page.length < 2) break
      }
      expect(paged).toEqual(all)
    }
    expect((await ids({ sort: 'views' }))[0]).toBe('Red roof')
  })

  it('are the creator’s own, and refuse what they don’t know [STATX-02]', async () => {
    await world.buildPost(creator)
    expect(await content({}, await world.buildCreator())).toEqual([])
    for (const caller of [fan, 'anon', 'service_role'] as const) {
      await expect(content({}, caller)).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'select public.get_single_message_figures()')).rejects.toMatchObject(refused)
    }
    for (const asked of [{ kind: 'secrets' }, { sort: 'random' }])
      await expect(content(asked)).rejects.toMatchObject({ code: '22023' })
  })
})

it('equals the ledger to the cent after any history [STATX-04]', async () => {
  let state = 20261129
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
  const fans = await Promise.all(Array.from({ length: 4 }, () => world.buildPerson()))
  const post = await world.buildPost(creator, { type: 'ppv' })
  const payments: string[] = []
  for (const person of fans) await world.subscribe(person, creator)
  for (let n = 0; n < 60; n += 1) {
    const person = fans[random(fans.length)] ?? fan
    const at = new Date(Date.now() - random(40) * 3_600_000).toISOString()
    const gross = 100 + random(4000)
    const known = payments[random(payments.length)]
    const what = random(6)
    if (what === 0) payments.push(await world.pay(person, creator, { gross, fee: Math.round(gross / 10), at }))
    else if (what === 1) payments.push(await books.tip(person, creator, { gross, at }))
    else if (what === 2) payments.push(await books.tip(person, creator, { gross, at }, post.id))
    else if (what === 3 && known) await books.refund(known, 1 + random(50))
    else if (what === 4) await begin(['tip', 'subscription', 'ppv'][random(3)], person, `-${random(90)} minutes`)
    else await rollUp(1 + random(7))
    if (n % 10 === 0) expect(await books.problems()).toEqual([])
  }
  await rollUp()
  const [row] = await world.query(
    `select (select sum(net_cents) from private.funnel_quarters q where q.creator_id = $1)::int as funnel,
       (select sum(m.net_amount) from public.transactions m join public.transactions o on o.id = coalesce(m.original_transaction_id, m.id)
        where m.to_user_id = $1 and (o.transaction_type <> 'subscription' or exists (select from private.first_payments f where f.transaction_id = o.id)))::int as ledger`,
    [creator.profileId],
  )
  expect(row?.funnel).toBe(row?.ledger)
})
