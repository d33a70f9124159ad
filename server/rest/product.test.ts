import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildApplicant, buildCreator } from '../testing/people.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
let postId: string

beforeAll(async () => {
  gateway = await startGateway()
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
  const { data, error } = await creator.client
    .from('posts')
    .insert({
      creator_id: creator.profileId,
      title: 'First',
      content: 'Hello',
      post_type: 'free',
      media_urls: [],
      media_types: [],
    })
    .select('id')
    .single()
  if (error) throw error
  postId = data.id
})
afterAll(() => gateway.close())

describe("the product's tables", () => {
  it('reads a profile by each of its keys [API-REST-01]', async () => {
    const { id, user_id, username } = (
      await gateway.anon.from('profiles').select().eq('id', creator.profileId).single()
    ).data
    expect({ id, user_id, username }).toEqual({
      id: creator.profileId,
      user_id: creator.userId,
      username: creator.username,
    })
    for (const [key, value] of Object.entries({ user_id, username }))
      expect((await gateway.anon.from('profiles').select('id').eq(key, value).single()).data).toEqual({ id })
  })

  it('embeds the author of a post, although both are views [API-REST-23]', async () => {
    const { data, error } = await fan.client
      .from('posts')
      .select('id,title,creator:profiles(username,avatar_url)')
      .in('creator_id', [creator.profileId])
      .order('created_at', { ascending: false })
    expect(error).toBeNull()
    expect(data).toEqual([{ id: postId, title: 'First', creator: { username: creator.username, avatar_url: null } }])
    const named = await fan.client.from('posts').select('id,profiles!posts_creator_id_fkey(username)').single()
    expect(named.data).toEqual({ id: postId, profiles: { username: creator.username } })
  })

  it('embeds in the other direction: the posts of a profile', async () => {
    const { data } = await gateway.anon
      .from('profiles')
      .select('username,posts(title)')
      .eq('id', creator.profileId)
      .single()
    expect(data).toEqual({ username: creator.username, posts: [{ title: 'First' }] })
  })

  it('follows, counts and unfollows [API-REST-22]', async () => {
    const follow = { follower_id: fan.profileId, following_id: creator.profileId }
    expect((await fan.client.from('follows').insert(follow)).error).toBeNull()
    const again = await fan.client.from('follows').insert(follow)
    expect(again).toMatchObject({ status: 409, error: { code: '23505' } })
    const { data } = await fan.client
      .from('follows')
      .select('following:profiles!follows_following_id_fkey(username,followers_count)')
      .eq('follower_id', fan.profileId)
      .single()
    expect(data).toEqual({ following: { username: creator.username, followers_count: 1 } })
    const { count } = await fan.client.from('follows').delete({ count: 'exact' }).match(follow)
    expect(count).toBe(1)
  })

  it('changes only the user’s own profile [API-REST-03, API-REST-42]', async () => {
    const own = await fan.client.from('profiles').update({ bio: 'hi' }).eq('id', fan.profileId).select('bio').single()
    expect(own.data).toEqual({ bio: 'hi' })
    const other = await fan.client.from('profiles').update({ bio: 'hacked' }).eq('id', creator.profileId).select('bio')
    expect(other).toMatchObject({ error: null, data: [] })
    expect(await gateway.query('select bio from public.profiles where id = $1', [creator.profileId])).toEqual([
      { bio: null },
    ])
  })

  it('rejects changes to fixed columns, even with the service key [API-REST-42, GEN-41]', async () => {
    const answer = await gateway.service.from('profiles').update({ is_verified: true }).eq('id', fan.profileId)
    expect(answer.status).toBe(403)
    expect(answer.error).toMatchObject({
      code: '42501',
      message: 'permission denied to update is_verified of profiles',
      hint: expect.stringMatching(/^You can update username, /),
    })
  })

  it("changes the user's own pictures [API-REST-04, API-REST-42]", async () => {
    const pictures = { avatar_url: 'https://example.com/face.webp', cover_url: 'https://example.com/sea.webp' }
    for (const [column, address] of Object.entries(pictures)) {
      const change = (person: Person, to: string) =>
        person.client
          .from('profiles')
          .update({ [column]: to })
          .eq('id', fan.profileId)
          .select(column)
      expect(await change(fan, address)).toMatchObject({ error: null, data: [{ [column]: address }] })
      await change(creator, 'https://example.com/hacked.webp')
    }
    const [row] = await gateway.query('select avatar_url, cover_url from public.profiles where id = $1', [
      fan.profileId,
    ])
    expect(row).toEqual(pictures)
  })

  it('shows visitors whether a name is taken, and rejects a taken name [API-REST-06]', async () => {
    const taken = (username: string) =>
      gateway.anon.from('profiles').select('id').eq('username', username).maybeSingle()
    expect((await taken(creator.username)).data).toEqual({ id: creator.profileId })
    expect(await taken('nobody-has-this')).toMatchObject({ error: null, data: null })
    const { error } = await fan.client.from('profiles').update({ username: creator.username }).eq('id', fan.profileId)
    expect(error).toMatchObject({ code: '23505' })
  })

  it('finds users by either name, in any case, at most twenty [API-REST-07, SRCH-03, SRCH-04]', async () => {
    await gateway.query(`with account as (
        insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
        select 'quill' || n || '@example.com', now(), jsonb_build_object('username', 'quill-' || n) from generate_series(1, 22) n returning id
      ) select from account`)
    await fan.client.from('profiles').update({ display_name: 'Otto Quillfeather' }).eq('id', fan.profileId)
    const fields = 'id, username, display_name, bio, avatar_url, is_creator, is_verified, followers_count'
    const both = await gateway.anon
      .from('profiles')
      .select(fields)
      .or('username.ilike.*QUILL*,display_name.ilike.*QUILL*')
      .limit(20)
    expect(both.error).toBeNull()
    expect(both.data).toHaveLength(20)
    for (const search of ['quillFEATHER', 'OTTO quill']) {
      const { data, error } = await gateway.anon.rpc('search_profiles', { search }, { get: true }).select(fields)
      expect(error).toBeNull()
      expect(data).toMatchObject([{ id: fan.profileId, username: fan.username, display_name: 'Otto Quillfeather' }])
      expect(Object.keys((data as object[])[0] ?? {}).join(', ')).toBe(fields)
    }
    expect((await gateway.anon.rpc('search_profiles', { search: 'quill' }, { get: true })).data).toHaveLength(20)
  })

  it("counts the user's own unread notifications without reading them [API-REST-12]", async () => {
    await gateway.query(
      `insert into public.notifications (user_id, type, title, is_read)
       values ($1, 'other', 'One', false), ($1, 'other', 'Two', false), ($1, 'other', 'Old', true), ($2, 'other', 'Not yours', false)`,
      [fan.profileId, creator.profileId],
    )
    const unread = async () => {
      const all = fan.client.from('notifications').select('*', { count: 'exact', head: true })
      const { count, data, error } = await all.eq('is_read', false).in('title', ['One', 'Two', 'Old', 'Not yours'])
      expect({ data, error }).toEqual({ data: null, error: null })
      return count
    }
    expect(await unread()).toBe(2)
    await fan.client.from('notifications').update({ is_read: true }).eq('title', 'One')
    expect(await unread()).toBe(1)
  })

  it("deletes the user's own post by its id, and no other post [API-REST-26, API-REST-42]", async () => {
    const post = {
      creator_id: creator.profileId,
      title: 'Gone soon',
      content: 'Until then',
      post_type: 'free',
      media_urls: [],
      media_types: [],
    }
    const { data } = await creator.client.from('posts').insert(post).select('id').single().throwOnError()
    const remove = (person: Person) => person.client.from('posts').delete({ count: 'exact' }).eq('id', data.id)
    expect(await remove(fan)).toMatchObject({ count: 0 })
    expect(await gateway.query('select title from private.posts where id = $1', [data.id])).toEqual([
      { title: 'Gone soon' },
    ])
    expect(await remove(creator)).toMatchObject({ error: null, count: 1 })
    expect(await gateway.query('select title from private.posts where id = $1', [data.id])).toEqual([])
  })

  it("lists the user's own referrals, newest first [API-REST-41]", async () => {
    await gateway.query(
      `insert into public.referrals (referrer_id, referral_code, created_at, status, completed_at)
         select who, code, now() - since, 'completed', now() - since
         from (values ($1::uuid, 'REFOLD', interval '2 days'), ($1, 'REFNEW', '0'), ($2, 'REFOTHER', '0'), ($1, 'REFMID', '1 day'))
           as completed (who, code, since)`,
      [fan.profileId, creator.profileId],
    )
    const list = (person: Person) =>
      person.client
        .from('referrals')
        .select('*')
        .eq('referrer_id', fan.profileId)
        .order('created_at', { ascending: false })
    const { data } = await list(fan)
    expect(data?.map(({ referral_code }) => referral_code)).toEqual(['REFNEW', 'REFMID', 'REFOLD'])
    expect((await list(creator)).data).toEqual([])
  })

  it('embeds into the rows of a function: the home feed with its authors [API-REST-23]', async () => {
    await fan.client.from('follows').insert({ follower_id: fan.profileId, following_id: creator.profileId })
    const { data, error } = await fan.client
      .rpc('get_feed', { page_size: 20 }, { get: true })
      .select('id, is_locked, media_urls, creator:profiles!creator_id(username)')
    expect(error).toBeNull()
    expect(data).toEqual([{ id: postId, is_locked: false, media_urls: [], creator: { username: creator.username } }])
  })

  it('counts and pages applications [API-REST-29]', async () => {
    const [first, last] = [await buildApplicant(gateway), await buildApplicant(gateway)]
    const page = (from: number) =>
      gateway.service
        .from('creator_applications')
        .select('user_id, status', { count: 'exact' })
        .in('status', ['pending'])
        .order('submitted_at', { ascending: false })
        .range(from, from)
    expect(await page(0)).toMatchObject({ error: null, count: 2, data: [{ user_id: last.userId, status: 'pending' }] })
    expect(await page(1)).toMatchObject({ error: null, count: 2, data: [{ user_id: first.userId, status: 'pending' }] })
  })

  it('hides private data: every schema but public, and the tables behind the views', async () => {
    const profile = await fetch(`${gateway.url}/rest/v1/profiles`, { headers: { 'Accept-Profile': 'private' } })
    expect(profile.status).toBe(406)
    const { status } = await gateway.service.from('users').select()
    expect(status).toBe(404)
  })
})

describe('the stored fields', () => {
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    const insert = async (name: string, text: string, values: unknown[]) => {
      const [row] = await gateway.query<{ id: string }>(`${text} returning id`, values)
      ids[name] = row?.id ?? ''
    }
    const both = [fan.profileId, creator.profileId]
    // Able to take charges, as the payment provider would report.
    await gateway.query(
      `update private.profiles set stripe_account_id = 'acct_of_creator', stripe_charges_enabled = true where id = $1`,
      [creator.profileId],
    )
    await gateway.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [creator.userId])
    await insert('comment', `insert into public.comments (post_id, user_id, content) values ($1, $2, 'Hm')`, [
      postId,
      fan.profileId,
    ])
    await gateway.query(
      'insert into public.follows (follower_id, following_id) values ($1, $2) on conflict do nothing',
      both,
    )
    await insert('message', `insert into private.messages (sender_id, recipient_id, body) values ($1, $2, 'Hi')`, both)
    await insert(
      'plan',
      `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'All', 500, 'week')`,
      [creator.profileId],
    )
    await insert(
      'subscription',
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until) values ($1, $2, $3, 'active', now() + interval '1 day')`,
      [...both, ids.plan],
    )
    await gateway.query(`select private.post_payment('tip', 'pi_shape', $1, $2, 500, 10, 'usd', now())`, both)
    await insert(
      'request',
      `insert into public.support_requests (user_id, name, email, subject, message) values ($1, 'Me', 'me@example.com', 'Help', 'Please')`,
      [fan.userId],
    )
    await insert('poll', `insert into public.polls (title, options) values ('Tea or coffee?', '["Tea", "Coffee"]')`, [])
    await insert(
      'notification',
      `insert into public.notifications (user_id, type, title, data, poll_id)
       values ($1, 'poll', 'Vote', jsonb_build_object('poll_id', $2::uuid), $2)`,
      [fan.profileId, ids.poll],
    )
    await insert('vote', 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, $2, 1)', [
      ids.poll,
      fan.profileId,
    ])
    await insert(
      'referral',
      `insert into public.referrals (referrer_id, referred_id, referral_code) values ($1, $2, 'REFSHAPE')`,
      both,
    )
    await insert(
      'offer',
      `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', 30, 5000)`,
      [creator.profileId],
    )
    await insert(
      'slot',
      `insert into public.session_slots (offer_id, creator_id, starts_at, ends_at) values ($1, $2, now() + interval '3 days', now() + interval '3 days 30 minutes')`,
      [ids.offer, creator.profileId],
    )
    await insert(
      'booking',
      `insert into public.session_bookings (slot_id, offer_id, creator_id, fan_id, title, price_cents, starts_at, ends_at, hold_expires_at)
      select id, offer_id, creator_id, $2, 'A talk', 5000, starts_at, ends_at, now() + interval '15 minutes' from public.session_slots where id = $1`,
      [ids.slot, fan.profileId],
    )
  })

  it.each<[string, string, () => Person, () => string | undefined, string]>([
    [
      'a profile [DATA-02]',
      'profiles',
      () => creator,
      () => creator.profileId,
      'id, user_id, username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_verified, is_private, followers_count, following_count, total_photos, total_videos, total_posts, total_earnings, created_at, updated_at',
    ],
    [
      'a post [DATA-07]',
      'posts',
      () => fan,
      () => postId,
      'id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price, likes_count, comments_count, is_pinned, created_at',
    ],
    [
      'a notification [DATA-12]',
      'notifications',
      () => fan,
      () => ids.notification,
      'id, user_id, type, title, message, data, is_read, created_at, poll',
    ],
    ['a comment [DATA-09]', 'comments', () => fan, () => ids.comment, 'id, post_id, user_id, content, created_at'],
    [
      'a message [DATA-11]',
      'messages',
      () => fan,
      () => ids.message,
      'id, sender_id, recipient_id, content, is_paid, price, is_read, created_at',
    ],
    [
      'a subscription [DATA-18]',
      'subscriptions',
      () => fan,
      () => ids.subscription,
      'id, status, created_at, subscriber_id, creator_id, tier_id, current_period_end',
    ],
  ])('%s', async (_, table, person, id, fields) => {
    const { data, error } = await person()
      .client.from(table)
      .select(fields.replace('poll', 'poll:polls(title)'))
      .eq('id', id() ?? '')
      .single<Record<string, unknown>>()
    expect(error).toBeNull()
    expect(Object.keys(data ?? {}).join(', ')).toBe(fields)
  })

  it('name the users of subscriptions and payments, and show another user none [API-REST-21, API-REST-28]', async () => {
    const stranger = await gateway.signUp()
    const subscriptionsFor = ({ client }: Person) =>
      client
        .from('subscriptions')
        .select('id, status, subscriber:profiles!subscriber_id(username), tier:subscription_products!tier_id(name)')
        .eq('creator_id', creator.profileId)
        .order('created_at', { ascending: false })
        .limit(5)
    const paymentsFor = ({ client }: Person) =>
      client
        .from('transactions')
        .select('id, amount, from:profiles!from_user_id(username)')
        .eq('to_user_id', creator.profileId)
        .limit(3)
    const subscriber = { username: fan.username }
    expect(await subscriptionsFor(creator)).toMatchObject({
      error: null,
      data: [{ id: ids.subscription, status: 'active', subscriber, tier: { name: 'All' } }],
    })
    expect(await paymentsFor(creator)).toMatchObject({
      error: null,
      data: [{ amount: 500, from: subscriber }],
    })
    expect(await subscriptionsFor(stranger)).toMatchObject({ error: null, data: [] })
    expect(await paymentsFor(stranger)).toMatchObject({ error: null, data: [] })
  })

  it('of a role: it is always admin [DATA-06]', async () => {
    const { data } = await creator.client.from('user_roles').select('user_id, role').eq('user_id', creator.userId)
    expect(data).toEqual([{ user_id: creator.userId, role: 'admin' }])
    await expect(
      gateway.query(`insert into public.user_roles (user_id, role) values ($1, 'editor')`, [fan.userId]),
    ).rejects.toMatchObject({ code: '23514' })
  })

  it('of a follow: two users, and one row for each pair [DATA-10]', async () => {
    const { data } = await fan.client
      .from('follows')
      .select('id, follower_id, following_id')
      .eq('follower_id', fan.profileId)
    expect(data).toEqual([{ id: expect.any(String), follower_id: fan.profileId, following_id: creator.profileId }])
    const itself = { follower_id: fan.profileId, following_id: fan.profileId }
    expect((await fan.client.from('follows').insert(itself)).error).toMatchObject({ code: '23514' })
  })

  it('of a payment: both parties, its type, its amount, and its status [DATA-21]', async () => {
    const { data } = await creator.client
      .from('transactions')
      .select('id, amount, created_at, from_user_id, to_user_id, transaction_type, status')
      .single()
    expect(data).toEqual({
      id: expect.any(String),
      amount: 500,
      created_at: expect.any(String),
      from_user_id: fan.profileId,
      to_user_id: creator.profileId,
      transaction_type: 'tip',
      status: 'completed',
    })
  })

  it('of an offer: a title, a length, a price, and slots; of a booking: a fan, a slot, a payment, and a state [DATA-36]', async () => {
    const { data: offer } = await fan.client
      .from('session_offers')
      .select('title, duration_minutes, price_cents, slots:session_slots(id, starts_at, ends_at)')
      .eq('id', ids.offer ?? '')
      .single()
    const times = { starts_at: expect.any(String), ends_at: expect.any(String) }
    expect(offer).toEqual({
      title: 'A talk',
      duration_minutes: 30,
      price_cents: 5000,
      slots: [{ id: ids.slot, ...times }],
    })
    const { data: booking } = await fan.client
      .from('session_bookings')
      .select('fan_id, slot_id, transaction_id, price_cents, state')
      .eq('id', ids.booking ?? '')
      .single()
    expect(booking).toEqual({
      fan_id: fan.profileId,
      slot_id: ids.slot,
      transaction_id: null,
      price_cents: 5000,
      state: 'pending_payment',
    })
  })

  it('of a plan: a day, a week, a month, or a year, with or without a free trial [DATA-14, DATA-15]', async () => {
    const change = (values: Record<string, unknown>) =>
      gateway.service
        .from('subscription_products')
        .update(values)
        .eq('id', ids.plan ?? '')
        .select('interval, trial_days')
        .single()
    const { data: plan } = await fan.client
      .from('subscription_products')
      .select('id, creator_id, name, description, price_cents, interval, is_active, created_at')
      .eq('id', ids.plan ?? '')
      .single()
    expect(plan).toEqual({
      id: ids.plan,
      creator_id: creator.profileId,
      name: 'All',
      description: null,
      price_cents: 500,
      interval: 'week',
      is_active: true,
      created_at: expect.any(String),
    })
    for (const interval of ['day', 'week', 'month', 'year'])
      expect((await change({ interval })).data).toEqual({ interval, trial_days: 0 })
    expect((await change({ interval: 'hour' })).error).toMatchObject({ code: '23514' })
    expect((await change({ trial_days: 14 })).data).toEqual({ interval: 'year', trial_days: 14 })
    expect((await change({ trial_days: -1 })).error).toMatchObject({ code: '23514' })
  })

  it('of a creator: higher plans unlock more, until the creator switches it off [DATA-16]', async () => {
    const { data } = await creator.client.from('profiles').select('tiered_access').eq('id', creator.profileId).single()
    expect(data).toEqual({ tiered_access: true })
    const off = creator.client.from('profiles').update({ tiered_access: false }).eq('id', creator.profileId)
    expect((await off.select('tiered_access').single()).data).toEqual({ tiered_access: false })
  })

  it('of a support request: an optional user, one of four priorities, and one of three states [DATA-26]', async () => {
    const given = { name: 'A visitor', email: 'who@example.com', subject: 'Help', message: 'Please' }
    expect((await gateway.anon.from('support_requests').insert(given)).error).toBeNull()
    const { data: kept } = await gateway.service
      .from('support_requests')
      .select('id, user_id, name, email, subject, category, message, priority, status, created_at, updated_at')
      .eq('email', given.email)
    expect(kept).toEqual([
      {
        ...given,
        id: expect.any(String),
        user_id: null,
        category: null,
        priority: 'normal',
        status: 'open',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    const change = (values: Record<string, string>) =>
      gateway.service.from('support_requests').update(values).eq('email', given.email)
    for (const priority of ['urgent', 'high', 'normal', 'low']) expect((await change({ priority })).error).toBeNull()
    for (const status of ['in_progress', 'resolved', 'open']) expect((await change({ status })).error).toBeNull()
    expect((await change({ priority: 'whenever' })).error).toMatchObject({ code: '23514' })
    expect((await change({ status: 'lost' })).error).toMatchObject({ code: '23514' })
  })

  it('of a poll: options are a list of texts, stored as JSON text; a vote is a profile’s for one of them [DATA-27, DATA-28]', async () => {
    const { data } = await fan.client
      .from('polls')
      .select('id, title, description, options, expires_at, is_active, created_at')
      .eq('id', ids.poll ?? '')
      .single()
    expect(data).toEqual({
      id: ids.poll,
      title: 'Tea or coffee?',
      description: null,
      options: '["Tea","Coffee"]',
      expires_at: expect.any(String),
      is_active: true,
      created_at: expect.any(String),
    })
    for (const options of ['["One"]', '{"a": 1}', '[1, 2]', 'Tea, Coffee'])
      await expect(
        gateway.query(`insert into public.polls (title, options) values ('x', $1)`, [options]),
      ).rejects.toThrow()
    const vote = await fan.client
      .from('poll_votes')
      .select('id, poll_id, user_id, option_index, created_at')
      .eq('id', ids.vote ?? '')
      .single()
    expect(vote.data).toEqual({
      id: ids.vote,
      poll_id: ids.poll,
      user_id: fan.profileId,
      option_index: 1,
      created_at: expect.any(String),
    })
  })

  it('of a referral: the referred user, and pending, completed, or paid [DATA-29, DATA-30]', async () => {
    const { data } = await fan.client
      .from('referrals')
      .select('id, referrer_id, referral_code, status, reward_amount, created_at, referred_id')
      .eq('id', ids.referral ?? '')
      .single()
    expect(data).toEqual({
      id: ids.referral,
      referrer_id: fan.profileId,
      referral_code: 'REFSHAPE',
      status: 'pending',
      reward_amount: 0,
      created_at: expect.any(String),
      referred_id: creator.profileId,
    })
    await expect(
      gateway.query(`update public.referrals set status = 'maybe' where id = $1`, [ids.referral]),
    ).rejects.toMatchObject({ code: '23514' })
    for (const status of ['completed', 'paid'])
      expect(
        await gateway.query(
          `update public.referrals set status = $2, completed_at = now(), paid_at = case when $2 = 'paid' then now() end where id = $1 returning status`,
          [ids.referral, status],
        ),
      ).toEqual([{ status }])
  })
})
