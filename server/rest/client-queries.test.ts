import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { buildAdmin, buildApplicant, buildCreator } from '../testing/people.ts'

/** Each query of a client that specification.md lists, sent as it stands there. */
let gateway: TestGateway
let admin: Person
let creator: Person
let fan: Person
let planIds: string[]
let posts: string[]
beforeAll(async () => {
  gateway = await startGateway()
  ;[admin, creator, fan] = [await buildAdmin(gateway), await buildCreator(gateway), await gateway.signUp()]
  // Able to take charges, as the payment provider would have said.
  await gateway.query(
    `update private.profiles set stripe_account_id = 'acct_of_creator', stripe_charges_enabled = true where id = $1`,
    [creator.profileId],
  )
  planIds = await idsOf(
    `insert into public.subscription_products (creator_id, name, price_cents, interval, is_active)
     values ($1, 'Large', 900, 'month', true), ($1, 'Small', 300, 'month', true), ($1, 'Old', 100, 'month', false)`,
    [creator.profileId],
  )
  posts = await idsOf(
    `insert into private.posts (creator_id, title, content, created_at)
     select $1, 'Post ' || n, 'Words', now() - n * interval '1 minute' from generate_series(1, 11) n`,
    [creator.profileId],
  )
})
afterAll(() => gateway.close())

const idsOf = async (insert: string, values: unknown[]) =>
  (await gateway.query<{ id: string }>(`${insert} returning id`, values)).map(({ id }) => id)
const newestFirst = { ascending: false }

describe('profiles', () => {
  it('inserts a missing profile [API-REST-02]', async () => {
    const person = await gateway.signUp()
    await gateway.query('delete from private.profiles where id = $1', [person.profileId])
    const row = { user_id: person.userId, username: 'once-more', display_name: 'Once More' }
    const inserted = person.client.from('profiles').insert(row).select('user_id, username, display_name')
    expect(await inserted.single()).toMatchObject({ error: null, data: row })
  })

  it.each([
    [
      'the texts and the creator flag [API-REST-03]',
      { display_name: 'Fay', bio: 'Hello', website_url: 'https://fay.example', is_creator: true },
    ],
    [
      'the username, texts, and privacy [API-REST-05]',
      { username: 'fay-fan', display_name: 'Fay Fan', bio: 'Hi', is_private: true },
    ],
  ])('updates %s', async (_, values) => {
    const person = await gateway.signUp()
    const updated = person.client.from('profiles').update(values).eq('id', person.profileId)
    expect((await updated.select(Object.keys(values).join(', ')).single()).data).toEqual(values)
  })
})

describe('messages', () => {
  it('inserts a paid message with its price [API-REST-11]', async () => {
    const row = {
      sender_id: creator.profileId,
      recipient_id: fan.profileId,
      content: 'The third pier',
      is_paid: true,
      price: 500,
    }
    const inserted = creator.client.from('messages').insert(row).select(Object.keys(row).join(', '))
    expect(await inserted.single()).toMatchObject({ error: null, data: row })
  })
})

describe('notifications', () => {
  let person: Person
  let ids: string[]
  beforeAll(async () => {
    person = await gateway.signUp()
    const [poll] = await idsOf(`insert into public.polls (title, options) values ('Tea?', '["Yes", "No"]')`, [])
    ids = await idsOf(
      `insert into public.notifications (user_id, type, title, poll_id, created_at) values
       ($1, 'other', 'Oldest', null, now() - interval '2 days'), ($1, 'poll', 'A question', $2, now()),
       ($1, 'other', 'Older', null, now() - interval '1 day'), ($3, 'other', 'Not yours', null, now())`,
      [person.profileId, poll, fan.profileId],
    )
  })

  it("selects the user's notifications with the linked poll, newest first [API-REST-13]", async () => {
    const { data } = await person.client
      .from('notifications')
      .select('title, poll:polls(title)')
      .order('created_at', newestFirst)
    expect(data).toEqual([
      { title: 'A question', poll: { title: 'Tea?' } },
      { title: 'Older', poll: null },
      { title: 'Oldest', poll: null },
    ])
  })

  it("marks one as read by its id, then all of the user's unread ones [API-REST-14]", async () => {
    const mark = () => person.client.from('notifications').update({ is_read: true })
    expect((await mark().eq('id', ids[2]).select('title')).data).toEqual([{ title: 'Older' }])
    const rest = await mark().eq('user_id', person.profileId).eq('is_read', false).select('title')
    expect(rest.data?.map(({ title }) => title).toSorted()).toEqual(['A question', 'Oldest'])
    const left = `select title from public.notifications where not is_read and type = 'other' and user_id in ($1, $2)`
    expect(await gateway.query(left, [person.profileId, fan.profileId])).toEqual([{ title: 'Not yours' }])
  })
})

describe('plans and subscriptions', () => {
  beforeAll(async () => {
    await gateway.query(
      `insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
       select 'sub' || n || '@example.com', now(), jsonb_build_object('username', 'sub-' || n) from generate_series(0, 6) n`,
    )
    // The newest one was canceled.
    await gateway.query(
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until, created_at)
       select id, $1, $2, case username when 'sub-0' then 'canceled' else 'active' end, now() + interval '1 day',
         now() - right(username, 1)::int * interval '1 hour'
       from private.profiles where username like 'sub-_'`,
      [creator.profileId, planIds[0]],
    )
    await gateway.query(
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_end, access_until, created_at)
       values ($1, $2, $3, 'active', now() + interval '1 day', now() + interval '1 day', now() - interval '1 year'),
              ($1, $2, $3, 'canceled', now(), now(), now() - interval '2 years')`,
      [fan.profileId, creator.profileId, planIds[0]],
    )
  })

  it("selects a creator's active plans, the cheapest first [API-REST-17]", async () => {
    const { data } = await gateway.anon
      .from('subscription_products')
      .select('name')
      .eq('creator_id', creator.profileId)
      .eq('is_active', true)
      .order('price_cents', { ascending: true })
    expect(data).toEqual([{ name: 'Small' }, { name: 'Large' }])
  })

  it('selects all plans of a creator, for the creator [API-REST-18]', async () => {
    const { data } = await creator.client.from('subscription_products').select('id').eq('creator_id', creator.profileId)
    expect(data?.map(({ id }) => id).toSorted()).toEqual(planIds.toSorted())
  })

  it("selects a fan's active subscriptions [API-REST-20]", async () => {
    const { data } = await fan.client
      .from('subscriptions')
      .select('creator_id, status')
      .eq('subscriber_id', fan.profileId)
      .eq('status', 'active')
    expect(data).toEqual([{ creator_id: creator.profileId, status: 'active' }])
  })

  it("selects a creator's five latest active subscriptions [API-REST-21]", async () => {
    const { data } = await creator.client
      .from('subscriptions')
      .select('subscriber:profiles!subscriber_id(username)')
      .eq('creator_id', creator.profileId)
      .eq('status', 'active')
      .order('created_at', newestFirst)
      .limit(5)
    expect(data).toEqual([1, 2, 3, 4, 5].map((n) => ({ subscriber: { username: `sub-${n}` } })))
  })
})

describe('posts and comments', () => {
  it("selects a creator's ten latest posts, newest first [API-REST-24]", async () => {
    const { data } = await creator.client
      .from('posts')
      .select('id')
      .eq('creator_id', creator.profileId)
      .order('created_at', newestFirst)
      .limit(10)
    expect(data?.map(({ id }) => id)).toEqual(posts.slice(0, 10))
  })

  it('selects twenty posts of the followed creators with their author, newest first [API-REST-23]', async () => {
    const other = await buildCreator(gateway)
    await gateway.query(
      `insert into private.posts (creator_id, content, created_at)
       select $1, 'Words', now() - n * interval '1 minute' - interval '30 seconds' from generate_series(1, 10) n`,
      [other.profileId],
    )
    // The fan follows the creator since they subscribed.
    await fan.client
      .from('follows')
      .insert({ follower_id: fan.profileId, following_id: other.profileId })
      .throwOnError()
    const { data: follows } = await fan.client
      .from('follows')
      .select('following_id')
      .eq('follower_id', fan.profileId)
      .throwOnError()
    const { data } = await fan.client
      .from('posts')
      .select('created_at, creator:profiles(username)')
      .in(
        'creator_id',
        follows.map(({ following_id }) => following_id),
      )
      .order('created_at', newestFirst)
      .limit(20)
    const authors = Array(10)
      .fill([{ username: creator.username }, { username: other.username }])
      .flat()
    expect(data?.map((post) => post.creator)).toEqual(authors)
  })

  it('inserts posts for everyone, for a plan, and for a price [API-REST-25]', async () => {
    const author = await buildCreator(gateway)
    await gateway.query(
      `update private.profiles set stripe_account_id = 'acct_of_author', stripe_charges_enabled = true where id = $1`,
      [author.profileId],
    )
    const [plan] = await idsOf(
      `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'All', 500, 'week')`,
      [author.profileId],
    )
    const post = { creator_id: author.profileId, title: 'First', content: 'Words', media_types: ['image'] }
    for (const [post_type, required_tier_id, ppv_price] of [
      ['free', null, null],
      ['subscription', plan ?? null, null],
      ['ppv', null, 500],
    ]) {
      const path = `${author.userId}/${post_type}.png`
      await author.client.storage.from('posts').upload(path, onePixel, { contentType: 'image/png' })
      const row = { ...post, media_urls: [path], post_type, required_tier_id, ppv_price }
      const inserted = author.client.from('posts').insert(row).select(Object.keys(row).join(', '))
      expect(await inserted.single()).toMatchObject({ error: null, data: row })
    }
  })

  it('inserts, selects, and deletes a comment [API-REST-27]', async () => {
    const row = { post_id: posts[0], user_id: fan.profileId, content: 'What light!' }
    const { data } = await fan.client.from('comments').insert(row).select('id').single().throwOnError()
    const read = () => fan.client.from('comments').select('post_id, user_id, content').eq('post_id', posts[0])
    expect((await read()).data).toEqual([row])
    const removed = await fan.client.from('comments').delete({ count: 'exact' }).eq('id', data.id)
    expect([removed.error, removed.count, (await read()).data]).toEqual([null, 1, []])
  })
})

it('selects the three latest completed tips [API-REST-28]', async () => {
  const seller = await buildCreator(gateway)
  const payments = await gateway.query<{ id: string }>(
    `select p.transaction_id as id from generate_series(1, 6) n cross join lateral private.post_payment(
       case n when 2 then 'ppv' else 'tip' end, 'pi_' || n, $1, $2, n * 100, n * 10, 'usd', now() - n * interval '1 hour') p
     order by n`,
    [fan.profileId, seller.profileId],
  )
  await gateway.query('select private.post_refund($1, $2, null, now(), $3)', ['re_1', payments[2]?.id, 'asked for'])
  const { data } = await seller.client
    .from('transactions')
    .select('amount')
    .eq('to_user_id', seller.profileId)
    .eq('transaction_type', 'tip')
    .eq('status', 'completed')
    .order('created_at', newestFirst)
    .limit(3)
  expect(data).toEqual([{ amount: 100 }, { amount: 400 }, { amount: 500 }])
})

describe('applications', () => {
  let first: Person
  let last: Person
  beforeAll(async () => {
    first = await buildApplicant(gateway)
    last = await buildApplicant(gateway)
  })
  const latestOf = async ({ client, userId }: Person) =>
    (
      await client
        .from('creator_applications')
        .select('id, status, rejection_reason, submitted_at, reviewed_at')
        .eq('user_id', userId)
        .order('submitted_at', newestFirst)
        .limit(1)
        .single()
        .throwOnError()
    ).data

  it('selects all for an admin, newest first, without the number [API-REST-29]', async () => {
    const { data } = await admin.client.from('creator_applications').select('*').order('submitted_at', newestFirst)
    expect(data?.map(({ user_id, full_ssn }) => [user_id, full_ssn])).toEqual([
      [last.userId, null],
      [first.userId, null],
    ])
    expect(JSON.stringify(data)).not.toMatch(/900-?11-?2222/)
  })

  it("updates status, time, and reason of an application, and selects the applicant's latest [API-REST-30, API-REST-32]", async () => {
    const waiting = { rejection_reason: null, reviewed_at: null, submitted_at: expect.any(String) }
    const application = await latestOf(first)
    expect(application).toEqual({ id: expect.any(String), status: 'pending', ...waiting })
    const review = (id: string, values: object) =>
      admin.client
        .from('creator_applications')
        .update({ reviewed_at: new Date().toISOString(), ...values })
        .eq('id', id)
        .throwOnError()
    await review(application.id, { status: 'rejected', rejection_reason: 'Blurred photo' })
    expect(await latestOf(first)).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Blurred photo',
      reviewed_at: expect.any(String),
    })
    await review((await latestOf(last)).id, { status: 'approved' })
    expect(await latestOf(last)).toMatchObject({ status: 'approved', reviewed_at: expect.any(String) })
  })

  it("sets a person's creator flag, as on approval [API-REST-08]", async () => {
    const person = await gateway.signUp()
    const updated = admin.client.from('profiles').update({ is_creator: true }).eq('user_id', person.userId)
    expect((await updated.select('id, is_creator').single()).data).toEqual({ id: person.profileId, is_creator: true })
  })
})

it('inserts support requests, and selects all for an admin, newest first [API-REST-33, API-REST-34]', async () => {
  const request = (subject: string) => ({
    name: 'Fay',
    email: fan.email,
    subject,
    category: 'Billing',
    message: 'Please help',
    priority: 'high',
    user_id: fan.userId,
  })
  for (const subject of ['Charged twice', 'And again'])
    await fan.client.from('support_requests').insert(request(subject)).throwOnError()
  const { data } = await admin.client.from('support_requests').select().order('created_at', newestFirst)
  expect(data).toMatchObject([request('And again'), request('Charged twice')])
})

it('inserts a poll, selects all newest first, votes, and selects the votes with their voters [API-REST-36, API-REST-37, API-REST-38, API-REST-39, API-REST-40]', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const insert = (title: string) =>
    admin.client
      .from('polls')
      .insert({ title, description: 'Choose one', options: JSON.stringify(['Tea', 'Coffee']), expires_at })
      .select('id')
      .single()
      .throwOnError()
  const older = (await insert('Morning?')).data
  const { data: poll } = await insert('Evening?')
  const { data: all } = await fan.client.from('polls').select('id').order('created_at', newestFirst).limit(2)
  expect(all).toEqual([poll, older])

  const vote = { poll_id: poll.id, user_id: fan.profileId, option_index: 1 }
  await fan.client.from('poll_votes').insert(vote).throwOnError()
  const votes = (columns: string) => fan.client.from('poll_votes').select(columns).eq('poll_id', poll.id)
  expect((await votes('option_index, voter:profiles(username)')).data).toEqual([
    { option_index: 1, voter: { username: fan.username } },
  ])
  const own = { option_index: 1, user_id: fan.profileId }
  expect((await votes('option_index, user_id')).data).toEqual([own])
  expect((await votes('option_index, user_id').eq('user_id', fan.profileId)).data).toEqual([own])
  expect((await votes('option_index, user_id').eq('user_id', creator.profileId)).data).toEqual([])
})

describe('functions of the database', () => {
  const rowOf = (data: unknown) => (Array.isArray(data) ? data[0] : data)

  it('has_role says whether a user is an admin [RPC-01]', async () => {
    for (const [person, expected] of [
      [admin, true],
      [fan, false],
    ] as const)
      expect((await fan.client.rpc('has_role', { _user_id: person.userId, _role: 'admin' })).data).toBe(expected)
  })

  it("get_creator_stats returns the creator's numbers [RPC-02]", async () => {
    const { data, error } = await creator.client.rpc('get_creator_stats', { creator_profile_id: creator.profileId })
    expect(error).toBeNull()
    expect(Object.keys(rowOf(data)).toSorted()).toEqual([
      'monthly_earnings',
      'new_subscribers_this_week',
      'profile_views',
      'total_earnings',
      'total_likes',
      'total_messages',
      'total_subscribers',
    ])
  })

  it("get_referral_stats returns the user's numbers [RPC-03]", async () => {
    const { data, error } = await fan.client.rpc('get_referral_stats', { user_profile_id: fan.profileId })
    expect(error).toBeNull()
    expect(rowOf(data)).toEqual({
      total_referrals: 0,
      completed_referrals: 0,
      pending_referrals: 0,
      total_earned: 0,
      pending_rewards: 0,
    })
  })

  it('get_users_with_emails returns users with their emails, to admins only [RPC-04]', async () => {
    const { data } = await admin.client.rpc('get_users_with_emails')
    expect(data).toContainEqual(expect.objectContaining({ id: fan.profileId, email: fan.email }))
    for (const { client } of [fan, creator]) expect((await client.rpc('get_users_with_emails')).status).toBe(403)
  })

  it('get_subscription_status returns a list, the subscription with access first [RPC-05]', async () => {
    const both = { subscriber_profile_id: fan.profileId, creator_profile_id: creator.profileId }
    const { data } = await fan.client.rpc('get_subscription_status', both)
    expect(data).toMatchObject([
      { status: 'active', days_remaining: 1, current_period_end: expect.any(String) },
      { status: 'canceled', days_remaining: 0 },
    ])
  })

  it('broadcast_notification_to_all_users returns how many users were notified, and is for admins only [RPC-06]', async () => {
    const poll = (await idsOf(`insert into public.polls (title, options) values ('Tea?', '["Yes", "No"]')`, []))[0]
    const news = {
      notification_type: 'poll',
      notification_title: 'A question',
      notification_message: 'Please vote',
      notification_data: { poll_id: poll },
      poll_ref: poll,
    }
    const [people] = await gateway.query<{ n: number }>('select count(*)::int as n from private.profiles')
    expect((await admin.client.rpc('broadcast_notification_to_all_users', news)).data).toBe(people?.n)
    expect((await fan.client.rpc('broadcast_notification_to_all_users', news)).status).toBe(403)
  })
})
