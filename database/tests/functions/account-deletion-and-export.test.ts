import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson({ meta: { display_name: 'Fay Unforgettable' } })
})
afterEach(async () => expect(await books.problems()).toEqual([]))

const leave = async (person: Person, actor: Person | null = person) =>
  (
    await world.as('service_role', 'select private.delete_account($1, $2) as done', [
      person.userId,
      actor?.userId ?? null,
    ])
  )[0]?.done
const tasks = (kind: string) =>
  world
    .query('select target from private.payment_tasks where kind = $1 order by target', [kind])
    .then((rows) => rows.map((row) => row.target))

/** Every column of every table in which a text stands somewhere. */
async function findEverywhere(text: string): Promise<string[]> {
  const tables = await world.query(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('auth', 'private', 'public', 'storage') and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await world.query(`select from ${name} t where t::text like '%' || $1 || '%' limit 1`, [text])
    if (rows.length > 0) found.push(String(name))
  }
  return found
}

async function buildBooking(by: Person, from: string): Promise<{ id: string; transaction: string }> {
  const [offer] = await world.query(
    `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', 60, 5000) returning id`,
    [creator.profileId],
  )
  const [slot] = await world.query(
    'insert into public.session_slots (offer_id, starts_at) values ($1, now() + $2::interval) returning id',
    [offer?.id, from],
  )
  const [booking] = await world.as(by, 'select id from public.book_session($1)', [slot?.id])
  return {
    id: String(booking?.id),
    transaction: await books.paySession(by, creator, String(booking?.id), { gross: 5000 }),
  }
}

describe('deleting an account', () => {
  it('deletes personal data and keeps the ledger [SET-14, ADM-19, D6]', async () => {
    await world.query('insert into private.stripe_customers (profile_id, customer_id) values ($1, $2)', [
      fan.profileId,
      `cus_${fan.username}`,
    ])
    await world.query(
      `insert into private.stripe_events (id, type, payload, created_at, processed_at) values ($1, 'x', $2, now(), now())`,
      [
        `evt_${randomUUID()}`,
        { data: { object: { customer: `cus_${fan.username}`, email: `${fan.username}@example.com` } } },
      ],
    )
    await world.query(`insert into auth.audit_log_entries (payload) values ($1)`, [
      { actor_id: fan.userId, actor_username: fan.username },
    ])
    await world.subscribe(fan, creator, { stripeId: 'sub_left' })
    await world.pay(fan, creator)
    const post = await world.buildPost(creator)
    await world.as(
      fan,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'I am Fay Unforgettable')`,
      [post.id, fan.profileId],
    )
    await world.as(
      fan,
      `insert into public.support_requests (user_id, name, email, subject, message) values ($1, 'Fay Unforgettable', $2, 'Help', 'Please')`,
      [fan.userId, `${fan.username}@example.com`],
    )
    const avatar = await world.buildFile(fan, 'avatars')
    expect(await leave(fan)).toBe(true)

    expect(await findEverywhere('Unforgettable')).toEqual([])
    // The provider's customer and files to remove are named until the job has been there.
    expect(await findEverywhere(fan.username)).toEqual(['private.payment_tasks'])
    expect((await findEverywhere(fan.userId)).toSorted()).toEqual(['audit_log', 'private.storage_removals'])
    expect(await world.query('select bucket_id from private.storage_removals where name = $1', [avatar])).toEqual([
      { bucket_id: 'avatars' },
    ])
    expect(await world.query('select from storage.objects where name = $1', [avatar])).toEqual([])
    expect(await tasks('cancel_subscription')).toContain('sub_left')
    expect(await tasks('delete_customer')).toContain(`cus_${fan.username}`)
    expect(await world.as(creator, 'select from_user_id, net_amount from public.transactions')).toEqual([
      { from_user_id: null, net_amount: '899' },
    ])
    expect(await books.earnings(creator)).toBe('899')
    const [counts] = await world.query('select subscribers_count from private.profiles where id = $1', [
      creator.profileId,
    ])
    expect(counts?.subscribers_count).toBe(0)
  })

  it('frees the username and the email, and logs who did it [SET-14]', async () => {
    const admin = await world.buildAdmin()
    await leave(fan, admin)
    const again = await world.buildPerson({ username: fan.username })
    expect(again.profileId).not.toBe(fan.profileId)
    const [line] = await world.as(
      admin,
      `select actor_id, action, details from public.audit_log where subject_id = $1`,
      [fan.userId],
    )
    expect(line).toEqual({ actor_id: admin.userId, action: 'delete_account', details: { by: 'admin' } })
    expect(await leave(fan)).toBe(false)
  })

  it('of a creator ends their subscriptions, notifies the fans, and keeps past payments [D6]', async () => {
    await world.subscribe(fan, creator, { stripeId: 'sub_orphan' })
    await world.pay(fan, creator)
    const post = await world.buildPost(creator)
    await leave(creator)
    expect(await tasks('cancel_subscription')).toContain('sub_orphan')
    expect(await world.as(fan, 'select title from public.notifications')).toEqual([{ title: 'Subscription ended' }])
    expect(await world.as(fan, 'select to_user_id, amount from public.transactions')).toEqual([
      { to_user_id: null, amount: '999' },
    ])
    expect(await world.query('select from private.storage_removals where name = $1', [post.path])).toHaveLength(1)
  })

  it('of a creator in debt records the debt in the audit log', async () => {
    const tip = await books.tip(fan, creator)
    await books.payOut(creator, 900)
    await books.refund(tip)
    await leave(creator)
    const logged = await world.query('select action, before from public.audit_log where subject_id = $1', [
      creator.userId,
    ])
    expect(logged).toMatchObject([{ action: 'delete_account', before: { balance_cents: -900 } }])
  })

  it("cancels sessions: with a refund for a creator's, and for a fan's until a day before [D41]", async () => {
    const [soon, later] = [await buildBooking(fan, '5 hours'), await buildBooking(fan, '3 days')]
    await leave(fan)
    expect(await books.tasks(soon.transaction)).toEqual([])
    expect(await books.tasks(later.transaction)).toHaveLength(1)
    const bell = await world.as(
      creator,
      `select message from public.notifications where title ilike 'session canceled'`,
    )
    expect(bell).toHaveLength(2)

    const other = await world.buildPerson()
    const theirs = await buildBooking(other, '8 hours')
    await leave(creator)
    expect(await books.tasks(theirs.transaction)).toHaveLength(1)
    expect(await world.as(other, `select from public.notifications where title = 'Session canceled'`)).toHaveLength(1)
  })

  it("at the same time as payments loses none of them and doesn't deadlock", async () => {
    const before = await world.query('select count(*)::int as n from public.transactions')
    await Promise.all([
      ...Array.from({ length: 6 }, () => books.tip(fan, creator)),
      leave(fan),
      ...Array.from({ length: 6 }, () => books.tip(fan, creator)),
      leave(creator),
    ])
    const after = await world.query('select count(*)::int as n from public.transactions')
    expect(Number(after[0]?.n) - Number(before[0]?.n)).toBe(12)
  })

  it('is only for the server [D24]', async () => {
    for (const caller of [fan, await world.buildAdmin()])
      await expect(world.as(caller, 'select private.delete_account($1)', [creator.userId])).rejects.toMatchObject(
        refused,
      )
  })
})

it('every row that refers to a deleted user is deleted or refers to no one [SET-14, D6]', async () => {
  const rules = await world.query(
    `select c.relname || '.' || a.attname as name, k.confdeltype as rule from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.confrelid in ('auth.users'::regclass, 'private.profiles'::regclass) order by 1`,
  )
  expect(rules.length).toBeGreaterThan(40)
  expect(rules.filter(({ rule }) => rule !== 'c' && rule !== 'n')).toEqual([])
  // What stays is the books, and what others did: the party of it is nobody.
  expect(rules.filter(({ rule }) => rule === 'n').map(({ name }) => name)).toEqual([
    'creator_applications.reviewed_by',
    'gifts.giver_id',
    'gifts.recipient_id',
    'gifts.redeemed_by',
    'link_events.fan_id',
    'link_trials.fan_id',
    'offer_uses.fan_id',
    'referrals.referred_id',
    'reports.reported_id',
    'reports.reporter_id',
    'reports.resolved_by',
    'subscriber_values.fan_id',
    'support_requests.user_id',
    'transactions.from_user_id',
    'transactions.to_user_id',
  ])
})

it('a deleted post leaves no file behind, and its link opens nothing', async () => {
  const post = await world.buildPost(creator)
  await world.as(creator, 'delete from public.posts where id = $1', [post.id])
  expect(await world.as(creator, 'select from storage.objects where name = $1', [post.path])).toEqual([])
  expect(await world.query('select bucket_id from private.storage_removals where name = $1', [post.path])).toEqual([
    { bucket_id: 'posts' },
  ])
})

/** Every table with a row that belongs to somebody: by a foreign key to the account or the profile. */
const namingPeople = `select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and k.confrelid in ('auth.users'::regclass, 'private.profiles'::regclass) and n.nspname in ('public', 'private')
    and not c.relispartition`

/** Tables that name people and are no part of the copy, and why. */
const notCopied: Readonly<Record<string, string>> = {
  profiles: 'it is the section profile',
  checkout_sessions:
    'pages of the payment provider that were opened; what was paid is in transactions, and its notes in tip_notes',
  conversations: 'counts over messages, which are there, and the order of the inbox',
  daily_earnings: 'sums of transactions',
  daily_views: 'counts of others who looked',
  fans: 'sums of follows, subscriptions, and transactions',
  goal_contributors: 'derived from transactions and subscriptions, which name the goal or begin while it is open',
  plan_price_changes: 'prices of plans, without a person; the plans are there',
  subscriber_rollups: 'sums of subscriber_spans',
  subscriber_spans: 'when subscriptions ran, without who had them; the subscriptions are there',
  subscriber_values: 'sums of transactions',
  funnel_quarters: 'counts of others who looked and paid',
  link_events: 'what counts for links: follows, subscriptions, and transactions',
  link_fans: 'derived from link_touches and follows, subscriptions, and transactions',
  link_subscriptions: 'how long subscriptions last, without who has them',
  link_trials: 'places in the trials of links; the subscriptions are there',
  media_progress: 'like post_views: who watched how far is kept as counts (D120)',
  mentions: 'whom texts have notified; the texts are there',
  message_counts: 'counts of messages',
  offer_threads: 'the folder of muted offers, which are messages',
  offer_mutes: 'the section muted_offers',
  notification_deliveries: 'a queue of minutes; the notifications are there',
  payment_emails: 'a queue; the emails are in the mailbox',
  post_announcement_retries: 'a queue; the emails are in the mailbox',
  post_announcements: 'how far a job is; the posts are there',
  post_views: 'who looked at what is kept as counts; D7 shows nobody else’s',
  profile_views: 'names others who looked',
  product_holds: 'for some minutes; what was paid is in product_purchases',
  presence: 'the last moment somebody was here, which is in the profile',
  reply_times: 'how long others waited; the messages are there',
  stripe_customers: 'the payment provider’s number',
  uploads: 'files on their way; what arrived is in files',
  vault_quotas: 'the operator’s limit for the account, which the vault shows',
  weekly_popularity: 'counts of others, for five minutes',
}

describe('the data export', () => {
  /** As the server puts it together: what there is one of, and the rows of both cursors by section. */
  async function copy(caller: Person): Promise<Record<string, unknown>> {
    const [opened = [], ...cursors] = await world.inOneTransaction(caller, [
      'select public.open_own_data() as data',
      'fetch all from own_data',
      'fetch all from own_unseen_data',
    ])
    const { sections, ...single } = (opened as [{ data: { sections: string[] } }])[0].data
    const rows = cursors.flat() as { section: string; item: string }[]
    const items = (section: string) =>
      rows.filter((row) => row.section === section).map(({ item }) => JSON.parse(item) as unknown)
    expect(new Set(rows.map(({ section }) => section)).isSubsetOf(new Set(sections))).toBe(true)
    return { ...single, ...Object.fromEntries(sections.map((section) => [section, items(section)])) }
  }

  it("contains the user's data, table by table [STAT-03]", async () => {
    const post = await world.buildPost(creator)
    await world.as(fan, `insert into public.comments (post_id, user_id, content) values ($1, $2, 'my words')`, [
      post.id,
      fan.profileId,
    ])
    await world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      fan.profileId,
      creator.profileId,
    ])
    await world.subscribe(fan, creator)
    await world.pay(fan, creator)
    const data = await copy(fan)
    expect(data).toMatchObject({
      account: { email: `${fan.username}@example.com` },
      profile: { username: fan.username },
      comments: [{ content: 'my words' }],
      follows: [{ following_id: creator.profileId }],
      subscriptions: [{ creator_id: creator.profileId }],
      transactions: [{ amount: 999 }],
    })
    expect((await copy(creator)).posts).toMatchObject([
      { id: post.id, content: expect.stringContaining('secret words') },
    ])
  })

  it('contains the notes that the user wrote with tips [STAT-03]', async () => {
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, amount_cents, note, url)
       values ('cs_note', 'tip', $1, $2, 500, 'For the kiln', 'https://example.com'), ('cs_bare', 'tip', $1, $2, 700, null, 'https://example.com')`,
      [fan.profileId, creator.profileId],
    )
    expect((await copy(fan)).tip_notes).toMatchObject([
      { creator_id: creator.profileId, amount_cents: 500, note: 'For the kiln', status: 'open' },
    ])
    expect((await copy(creator)).tip_notes).toEqual([])
  })

  it('contains products with the names of their files, and what was bought [STAT-03, OFFER-05]', async () => {
    const [product] = await world.query(
      `insert into public.products (creator_id, title, price_cents, status) values ($1, 'Brushes', 1000, 'published') returning id`,
      [creator.profileId],
    )
    await world.query(
      `insert into public.product_files (product_id, path, name, type, size_bytes, position) values ($1, $2, 'Forty brushes.zip', 'application/zip', 5, 1)`,
      [product?.id, `${creator.userId}/export`],
    )
    await world.query('insert into public.product_purchases (buyer_id, product_id, known_version) values ($1, $2, 1)', [
      fan.profileId,
      product?.id,
    ])
    const sold = { product_id: product?.id, path: `${creator.userId}/export`, name: 'Forty brushes.zip' }
    expect(await copy(creator)).toMatchObject({ products: [{ title: 'Brushes' }], product_files: [sold] })
    expect(await copy(fan)).toMatchObject({ product_purchases: [{ product_id: product?.id }], product_files: [] })
  })

  it('contains nothing of others, and nothing that is locked [POST-46, MSG-09]', async () => {
    const stranger = await world.buildPerson({ meta: { display_name: 'Sam Stranger' } })
    await world.pay(stranger, creator)
    await world.buildPost(creator, { type: 'ppv' })
    await world.as(stranger, 'select public.record_profile_view($1)', [fan.profileId])
    await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'hush hush', true, 500)`,
      [creator.profileId, fan.profileId],
    )
    const text = JSON.stringify(await copy(fan))
    expect(text).not.toMatch(/Stranger|secret words|hush/)
    expect(text).not.toContain(stranger.profileId)
    expect(Object.keys(await copy(fan))).not.toContain('profile_views')
  })

  it('has a section for every table that refers to users, except internal ones [STAT-03]', async () => {
    const known = Object.keys(await copy(fan))
    const tables = await world.query(namingPeople)
    const left = tables.map(({ name }) => String(name)).filter((name) => !known.includes(name))
    expect(left.toSorted()).toEqual(Object.keys(notCopied).toSorted())
  })

  it('contains what no table shows: promotion codes, keys, private feeds, and the statement [STAT-03]', async () => {
    await world.subscribe(fan, creator)
    const [feed] = await world.as(fan, 'select token from public.get_feed_address($1)', [creator.profileId])
    await world.pay(fan, creator)
    await world.query(
      `insert into private.promotion_codes (creator_id, code, percent_off, duration, stripe_coupon_id, stripe_promotion_id)
       values ($1::uuid, 'SUMMER', 20, 'once', 'co_1', 'promo_' || $1::text)`,
      [creator.profileId],
    )
    await world.as(creator, `select public.message_subscribers('Thank you all', 0)`)
    await world.as(fan, 'select public.mute_offers($1)', [creator.profileId])
    await world.as(creator, 'select public.restrict_fan($1)', [fan.profileId])
    await world.query(
      `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, secret) values ($1, 'Phone', 'totp', 'verified', 'KEYKEY')`,
      [creator.userId],
    )
    const video = `${creator.userId}/walk.mp4`
    await world.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata, version) values ('posts', $1, $2, '{"mimetype": "video/mp4"}', 'v1')`,
      [video, creator.userId],
    )
    const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n'
    await world.as(creator, `select public.set_video_captions($1, 'en', $2)`, [video, captions])
    const data = await copy(creator)
    expect(data).toMatchObject({
      video_captions: [{ video, language: 'en', content: captions }],
      promotion_codes: [{ code: 'SUMMER', percent_off: 20 }],
      mass_messages: [{ content: 'Thank you all' }],
      restrictions: [{ fan_id: fan.profileId }],
      account: { factors: [{ type: 'totp', name: 'Phone' }], passkeys: [] },
      statement: [{ type: 'subscription' }],
    })
    expect(JSON.stringify(data)).not.toMatch(/KEYKEY|co_1/)
    const ofFan = await copy(fan)
    expect(ofFan).toMatchObject({
      promotion_codes: [],
      mass_messages: [],
      muted_offers: [{ creator_id: creator.profileId }],
      restrictions: [],
      feed_addresses: [{ creator_id: creator.profileId, paused_at: null }],
      video_captions: [],
      statement: [],
    })
    expect(JSON.stringify(ofFan)).not.toContain(feed?.token)
  })

  it('is not available to visitors', async () => {
    await expect(world.as('anon', 'select public.open_own_data()')).rejects.toMatchObject(refused)
  })
})
