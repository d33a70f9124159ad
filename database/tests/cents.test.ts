import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationNames } from '../../server/postgres/migrate.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../server/testing/database.ts'

const ofCents = '0690_amounts_in_cents'

it('keeps every amount as a whole number of cents, and says so [CONST-01]', async () => {
  const database = await createTestDatabase()
  // A percentage, a price per month that plans compare by, and the one price that its row wants in dollars (DATA-31).
  const noAmounts = [
    'private.profiles.lowest_price_cents',
    'public.creator_growth.earnings_growth',
    'public.creator_growth.subscriber_growth',
    'public.creator_growth.view_growth',
    'public.creator_listing.subscription_price',
    'public.revenue_share.share',
  ]
  const fractions = await database.query(
    `select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and a.atttypid in ('numeric'::regtype, 'money'::regtype, 'float4'::regtype, 'float8'::regtype)
       and c.relkind in ('r', 'v', 'c', 'p') and a.attnum > 0 order by 1`,
  )
  expect(fractions.map(({ name }) => name)).toEqual(noAmounts)
  const dollars = await database.query(
    `select d.description from pg_description d where d.objsubid > 0 and d.description ~* 'dollars' order by 1`,
  )
  expect(dollars).toEqual([
    { description: 'Dollars per month of the cheapest active plan; null when there is none ("Free").' },
  ])
  const described = await database.query<{ name: string; description: string | null }>(
    `select format('%s.%s', c.relname, a.attname) as name, col_description(c.oid, a.attnum) as description
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and (c.relname, a.attname) in (
       ('posts', 'ppv_price'), ('messages', 'price'), ('scheduled_posts', 'ppv_price'), ('profiles', 'total_earnings'),
       ('transactions', 'amount'), ('transactions', 'fee_amount'), ('transactions', 'net_amount'), ('transactions', 'refunded_amount'),
       ('referrals', 'reward_amount'), ('referrals', 'commission_amount'))`,
  )
  expect(described).toHaveLength(10)
  for (const { name, description } of described) expect(`${name}: ${description}`).toMatch(/in cents/)
  await database.drop()
})

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrate(database.ownerUrl, { only: migrationNames().indexOf(ofCents) })
})
afterAll(() => database.drop())

it('converts the amounts of an installation that kept dollars, to the cent', async () => {
  const { query } = database
  await query(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     select gen_random_uuid(), name || '@example.com', now(), jsonb_build_object('username', name) from unnest(array['fay', 'cleo']) name`,
  )
  const [creator, fan] = await query<{ id: string }>('select id from private.profiles order by username')
  const both = [fan?.id, creator?.id]
  await query('update private.profiles set is_creator = true, is_verified = true where id = $1', [creator?.id])
  await query(
    `insert into private.posts (creator_id, content, post_type, ppv_price) values ($1, 'For sale', 'ppv', 9999.99)`,
    [creator?.id],
  )
  await query(`insert into private.posts (creator_id, content) values ($1, 'Free')`, [creator?.id])
  await query(
    `insert into private.messages (sender_id, recipient_id, body, is_paid, price) values ($2, $1, 'Psst', true, 4.35), ($2, $1, 'Hi', false, 0)`,
    both,
  )
  await query(
    `insert into public.scheduled_posts (creator_id, content, post_type, ppv_price, publish_at)
     values ($1, 'Later', 'ppv', 1.10, now() + interval '1 day')`,
    [creator?.id],
  )
  await query(
    `insert into private.group_messages (creator_id, subscriber_group, body, price) values ($1, 'all', 'Hello', 2.29)`,
    [creator?.id],
  )
  await query(`select private.post_tip('pi_1', $1, $2, 1999, 200, 'usd', now())`, both)
  await query(
    `select private.post_refund('re_1', t.id, 700, now()) from public.transactions t where t.transaction_type = 'tip'`,
  )
  await query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at, commission_amount)
     values ($1, $2, 'FAY', 'completed', now(), 0)`,
    both,
  )

  expect(await migrate(database.ownerUrl, { only: 1 })).toEqual([ofCents])
  expect(
    await query(`
      select 'post' as of, ppv_price::text as cents from private.posts
      union all select 'message', price::text from private.messages
      union all select 'scheduled', ppv_price::text from public.scheduled_posts
      union all select 'group', price::text from private.group_messages
      union all select 'earned', total_earnings::text from private.profiles where is_creator
      union all select transaction_type, concat_ws(' ', amount, fee_amount, net_amount, refunded_amount) from public.transactions
      order by 1, 2`),
  ).toEqual([
    { of: 'earned', cents: '1169' },
    { of: 'group', cents: '229' },
    { of: 'message', cents: '0' },
    { of: 'message', cents: '435' },
    { of: 'post', cents: '999999' },
    { of: 'post', cents: null },
    { of: 'refund', cents: '-700 -70 -630 0' },
    { of: 'scheduled', cents: '110' },
    { of: 'tip', cents: '1999 200 1799 700' },
  ])
  expect(await query('select * from private.verify_money()')).toEqual([])
  expect(await query('select * from private.verify_basic_counters()')).toEqual([])
  await query(
    `select private.post_refund('re_2', t.id, null, now()) from public.transactions t where t.transaction_type = 'tip'`,
  )
  expect(await query('select * from private.verify_money()')).toEqual([])
  await migrate(database.ownerUrl)
})
