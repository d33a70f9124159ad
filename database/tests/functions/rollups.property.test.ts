import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())

/** A step names a fan, a post or a payment by `nth`, whichever there are then. */
const step = fc.record({
  what: fc.constantFrom(
    ...['buy', 'tip', 'renew', 'renew', 'subscribe', 'cancel', 'refund', 'dispute', 'decide', 'like', 'view', 'write'],
    ...['follow', 'unfollow', 'remove post', 'remove fan'],
  ),
  nth: fc.nat(50),
  other: fc.nat(50),
  cents: fc.integer({ min: 100, max: 5_000 }),
  daysAgo: fc.nat(75),
  won: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function play(creator: Creator, steps: readonly Step[]): Promise<void> {
  const fans: Person[] = []
  const posts: string[] = []
  const payments: string[] = []
  const disputes: { id: string; payment: string; cents: number }[] = []
  for (const { what, nth, other, cents, daysAgo, won } of steps) {
    if (fans.length < 2) fans.push(await world.buildPerson(), await world.buildPerson())
    if (posts.length < 2) posts.push((await world.buildPost(creator, { type: 'ppv', media: [] })).id)
    const [fan, post, payment] = [pick(fans, nth), pick(posts, other), pick(payments, other)]
    if (!fan || !post) throw new Error('There are always a fan and a post')
    const paid = {
      gross: cents,
      fee: Math.round(cents / 10),
      at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
    }
    if (what === 'buy') payments.push(await books.buy(fan, creator, post, paid))
    else if (what === 'tip') payments.push(await books.tip(fan, creator, paid, won ? post : undefined))
    else if (what === 'renew') payments.push(await world.pay(fan, creator, paid))
    else if (what === 'subscribe' || what === 'cancel')
      await world.subscribe(fan, creator, {
        stripeId: `sub_${fan.username}`,
        status: what === 'cancel' ? 'canceled' : 'active',
        eventAt: `${payments.length} seconds`,
      })
    else if (what === 'like')
      await world.query('insert into public.post_likes (post_id, user_id) values ($1, $2) on conflict do nothing', [
        post,
        fan.profileId,
      ])
    else if (what === 'view') {
      await world.as(fan, 'select public.record_post_views($1)', [posts])
      await world.as(fan, 'select public.record_profile_view($1)', [creator.profileId])
    } else if (what === 'follow')
      await world.query(
        'insert into public.follows (follower_id, following_id) values ($1, $2) on conflict on constraint follows_once do nothing',
        [fan.profileId, creator.profileId],
      )
    else if (what === 'unfollow')
      await world.query('delete from public.follows where follower_id = $1', [fan.profileId])
    else if (what === 'write')
      await world.query('insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
        fan.profileId,
        creator.profileId,
        'Hello',
      ])
    else if (what === 'remove post') {
      await world.query('delete from private.posts where id = $1', [post])
      posts.splice(posts.indexOf(post), 1)
    } else if (what === 'remove fan') {
      await world.query('delete from auth.users where id = $1', [fan.userId])
      fans.splice(fans.indexOf(fan), 1)
    } else if (what === 'decide') {
      const dispute = disputes.shift()
      if (dispute) await books.dispute(dispute.payment, won ? 'won' : 'lost', dispute.cents, dispute.id)
    } else if (payment) {
      const left = await leftOf(payment)
      if (left === 0) continue
      if (what === 'refund') await books.refund(payment, won ? null : Math.min(cents, left))
      else {
        const dispute = { id: `dp_${payment}_${disputes.length}_${left}`, payment, cents: Math.min(cents, left) }
        disputes.push(dispute)
        await books.dispute(payment, 'open', dispute.cents, dispute.id)
      }
    }
  }
}

const pick = <Each>(list: readonly Each[], nth: number): Each | undefined => list[nth % Math.max(list.length, 1)]

async function leftOf(payment: string): Promise<number> {
  const row = await books.transaction(payment)
  return Number(row?.amount) - Number(row?.refunded_amount)
}

/** What the dashboard shows, and the same added up row by row. */
async function compare(creator: Creator): Promise<void> {
  const id = creator.profileId
  const one = async (text: string) => (await world.as(creator, text, [id]))[0]
  const counted = async (text: string) => Number((await world.query(`select coalesce((${text}), 0) as n`, [id]))[0]?.n)
  const earned = await counted(`select sum(net_amount) from public.transactions where to_user_id = $1`)
  const stats = await one('select * from public.get_creator_stats($1)')
  expect(Number(stats?.total_earnings)).toBe(earned)
  expect(stats?.total_subscribers).toBe(
    await counted(
      `select count(*) from public.subscriptions where creator_id = $1 and status in ('active', 'trial', 'past_due')`,
    ),
  )
  expect(stats?.total_likes).toBe(
    await counted(
      'select count(*) from public.post_likes l join private.posts p on p.id = l.post_id where p.creator_id = $1',
    ),
  )
  expect(stats?.total_messages).toBe(await counted('select count(*) from private.messages where recipient_id = $1'))
  expect(Number((await one('select * from public.get_creator_balance($1)'))?.earned)).toBe(earned)
  const series = await one(
    `select sum(total) as total from public.get_earnings_series($1, (now() at time zone 'UTC')::date - 90)`,
  )
  const split = await one(
    `select sum(net_amount) as total from public.get_revenue_split($1, (now() at time zone 'UTC')::date - 90)`,
  )
  expect([Number(series?.total), Number(split?.total)]).toEqual([earned, earned])
  expect(
    await one('select payments, gross::float, fee::float, net::float from public.get_earnings_totals($1)'),
  ).toEqual({
    payments: await counted(
      `select count(*) from public.transactions where to_user_id = $1 and transaction_type <> 'refund'`,
    ),
    gross: await counted('select sum(amount) from public.transactions where to_user_id = $1'),
    fee: await counted('select sum(fee_amount) from public.transactions where to_user_id = $1'),
    net: earned,
  })
  const wrongPosts = await world.as(
    creator,
    `select f.id from public.get_post_figures(array(select p.id from public.posts p where p.creator_id = $1)) f
     where f.earnings <> coalesce((select sum(t.net_amount) from public.transactions t where t.post_id = f.id), 0)
       or f.purchases <> (select count(*) from public.transactions t
         where t.post_id = f.id and t.transaction_type = 'ppv' and t.status in ('completed', 'partially_refunded'))`,
    [id],
  )
  expect(wrongPosts).toEqual([])
}

it('the sums of the dashboard match their source after random operations [GEN-09, DASH-11, DASH-12, DASH-14, D7]', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const creator = await world.buildCreator()
      await play(creator, steps)
      await compare(creator)
    }),
    { numRuns: 15, endOnFailure: true },
  )
  expect(await books.problems()).toEqual([])
})

it.each([
  ['a post', 'update private.post_earnings set net_cents = net_cents + 1', 'has a sum that differs from its payments'],
  [
    'a purchase',
    'update private.post_earnings set purchases = purchases + 1',
    'has a sum that differs from its payments',
  ],
  ['a day', 'update private.daily_earnings set payments = payments + 1', 'has a wrong sum for the day'],
  ['a fan', 'update private.fans set spent = spent + 1', 'fans.spent'],
  ['messages', 'update private.message_counts set received = received + 1', 'message_counts.received'],
])('finds a wrong sum of %s', async (_what, change, problem) => {
  const [creator, fan] = [await world.buildCreator(), await world.buildPerson()]
  await books.buy(fan, creator, (await world.buildPost(creator, { type: 'ppv' })).id)
  await world.query('insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
    fan.profileId,
    creator.profileId,
    'Hello',
  ])
  await world.query(change)
  const problems = await books.problems()
  expect(problems.map((row) => String(row.problem)).filter((words) => words.startsWith(problem))).not.toEqual([])
  await world.query(change.replace(' + 1', ' - 1'))
  expect(await books.problems()).toEqual([])
})
