import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockDataDir } from '@ovation/server/data-lock'
import { startEmbedded } from '@ovation/server/postgres/embedded'
import { withClient } from '@ovation/server/postgres/migrate'
import type pg from 'pg'
import { printTable, writeResult } from '../report.ts'
import type { Case } from './cases.ts'
import { measure } from './measure.ts'
import type { Person } from './people.ts'
import { openWhole } from './whole-database.ts'

/** The creator that the dashboard has to be quick for. `--percent 1` makes a small one. */
const fullSize = { subscribers: 100_000, payments: 5_000_000 } as const
const mostMs = 500
/** The most for a count of a smart list (LIST-06). */
const mostCountMs = 300
/** The most for a tab of the analytics (STATX-04). */
const mostAnalyticsMs = 100

/**
 * `npm run bench -- dashboard`: milliseconds and buffers of everything that the dashboard of one creator asks for, with 100,000 subscribers
 * and 5 million payments. Exits with 1 when what one tab asks takes more than 500 ms together, or 100 ms in the analytics.
 */
export async function benchDashboard(args: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({ args: [...args], options: { percent: { type: 'string', default: '100' } } })
  const percent = Number(options.percent)
  if (!(percent > 0)) throw new Error(`--percent is a number above 0, not ${options.percent}`)
  const dataDir = process.env.BENCH_DIR ?? join(tmpdir(), 'ovation-bench')
  const lock = lockDataDir(dataDir)
  try {
    const postgres = await startEmbedded({
      dataDir,
      password: 'bench',
      settings: { fsync: 'off', full_page_writes: 'off', shared_buffers: '1GB', max_wal_size: '2GB' },
    })
    try {
      const name = `bench_dashboard_${percent.toString().replace('.', '_')}`
      const url = await openWhole(postgres, name, (empty) => withClient(empty, (client) => fill(client, percent)))
      await withClient(url, (client) => report(client, percent))
    } finally {
      await postgres.stop()
    }
  } finally {
    lock.release()
  }
}

const creatorUser = '00000000-0000-4000-8000-0000000000c0'

/**
 * One creator with all of it, beside as many people who do not subscribe. Without triggers, so in minutes and not in hours; the sums that
 * they keep are made afterwards, and the indexes of the payments too.
 */
async function fill(client: pg.Client, percent: number): Promise<void> {
  const subscribers = Math.round((fullSize.subscribers * percent) / 100)
  const payments = Math.round((fullSize.payments * percent) / 100)
  process.stdout.write(`Making ${subscribers} subscribers and ${payments} payments …\n`)
  await client.query(`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values
    ('${creatorUser}', 'star@example.com', now(), '{"username": "star"}')`)
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into private.profiles (id, user_id, username, display_name)
     select (to_hex(x'10000000'::int + n) || '-0000-4000-8000-000000000000')::uuid, gen_random_uuid(), kind || n, initcap(kind) || ' ' || n
     from generate_series(1, $1::int) n cross join lateral (select case when n % 2 = 0 then 'fan' else 'other' end as kind) k`,
    [2 * subscribers], // the first digits differ, for the referral code is made of them
  )
  await client.query(`create temporary table star as select p.id from private.profiles p where p.username = 'star'`)
  await client.query(`create temporary table fans as
    select p.id, row_number() over () - 1 as place from private.profiles p where p.username like 'fan%'`)
  await client.query('create index on fans (place)')
  await client.query(`
    insert into public.subscription_products (creator_id, name, price_cents, "interval") select s.id, 'Plan', 999, 'month' from star s`)
  await client.query(`
    insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until, current_period_end, created_at, price_cents)
      select f.id, t.creator_id, t.id, case when random() < 0.9 then 'active' else 'canceled' end, now() + interval '20 days', now() + interval '20 days',
        now() - random() * interval '700 days', t.price_cents
      from fans f, public.subscription_products t`)
  await client.query(`
    insert into private.posts (creator_id, content, post_type, ppv_price, views_count, created_at)
      select s.id, 'Post ' || n, case when n % 3 = 0 then 'ppv' else 'free' end, case when n % 3 = 0 then 1000 end, n, now() - n * interval '17 hours'
      from star s, generate_series(1, 1000) n`)
  await client.query(`create temporary table sold as
    select p.id, row_number() over (order by p.created_at desc) - 1 as place from private.posts p where p.post_type = 'ppv'`)
  await client.query('analyze fans, sold')
  await withoutIndexes(client, 'public.transactions', () =>
    // The newest posts sell best: the first of 333 has some twentieth of all that were sold.
    client.query(
      `insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, ledger_transaction_id, created_at, post_id)
       select f.id, s.id, (array['subscription', 'subscription', 'subscription', 'tip', 'paid_message', 'ppv'])[1 + n % 6],
         1000, 100, gen_random_uuid(), now() - random() * interval '700 days', p.id
       from star s, generate_series(1, $1::int) n
       join fans f on f.place = n % $2
       left join sold p on n % 6 = 5 and p.place = floor(333 * power((hashint4(n)::bigint + 2147483648) / 4294967296.0, 2))`,
      [payments, subscribers],
    ),
  )
  await client.query(`
    insert into private.daily_earnings (creator_id, day, source, gross_cents, net_cents, payments)
      select t.to_user_id, (t.created_at at time zone 'UTC')::date, t.transaction_type, sum(t.amount), sum(t.net_amount), count(*)
      from public.transactions t group by 1, 2, 3`)
  await client.query(`
    insert into private.daily_views (creator_id, day, post_views, profile_views)
      select s.id, private.today() - n, 1000, 100 from star s, generate_series(0, 700) n`)
  // Each quarter of an hour of two years has something.
  await client.query(`
    insert into private.funnel_quarters (creator_id, at, profile_views, plan_views, checkouts, payments, net_cents, plan_checkouts, plan_payments, plan_net_cents)
      select s.id, q.at, 40, 10, 5, 4, 3600, 2, 1, 900
      from star s, generate_series(private.funnel_quarter(now() - interval '740 days'), now(), interval '15 minutes') q (at)`)
  await client.query(`
    insert into private.post_earnings (post_id, purchases, net_cents)
      select t.post_id, count(*), sum(t.net_amount) from public.transactions t where t.post_id is not null group by 1`)
  await client.query(
    `insert into private.messages (sender_id, recipient_id, body, created_at)
       select f.id, s.id, 'Hello', now() - random() * interval '700 days' from star s, fans f, generate_series(1, 10)`,
  )
  await client.query(
    `insert into public.notifications (user_id, type, title, created_at)
       select s.id, 'payment', 'A payment', now() - random() * interval '700 days' from star s, fans f`,
  )
  await client.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, created_at)
       select s.id, f.id, 'x', now() - random() * interval '700 days' from star s, fans f where f.place < 2000`,
  )
  await client.query(`
    update private.profiles p set subscribers_count = (select count(*) from public.subscriptions s where s.status = 'active'),
      total_earnings = (select sum(t.net_amount) from public.transactions t), is_creator = true, is_verified = true
    from star s where p.id = s.id`)
  await client.query('insert into private.fans select * from private.compute_fans()')
  await sendToEveryone(client)
  await fillAnalytics(client)
  await bringByLink(client)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
}

/** A paid mass message with a file, which every fan got; one in two has seen it, and one in a thousand has bought it. */
async function sendToEveryone(client: pg.Client): Promise<void> {
  await client.query(`
    insert into public.mass_messages (creator_id, content, price_cents, audience, status, recipients_count, sent_count, sent_at, finished_at)
      select s.id, 'A new set', 500, '{"include": [{"condition": "everyone"}], "exclude": []}', 'sent', n.count, n.count, now(), now()
      from star s, (select count(*) from fans) n`)
  await client.query(`
    insert into private.messages (sender_id, recipient_id, body, mass_message_id, is_paid, price, is_read, is_unlocked, created_at)
      select s.id, f.id, '', g.id, true, 500, f.place % 2 = 0, f.place % 1000 = 0, now() - (100 - f.place / 1000) * interval '0.4 seconds'
      from star s, fans f, public.mass_messages g`)
  await client.query(`
    insert into storage.objects (bucket_id, name, owner_id, version, metadata)
      select 'vault', '${creatorUser}/' || n, '${creatorUser}', 'v' || n, '{"mimetype": "image/jpeg", "size": 1000}' from generate_series(1, 2) n`)
  await client.query(`
    insert into public.vault_files (id, creator_id, version, kind, size_bytes, message_uses)
      select o.id, s.id, o.version, 'image', 1000, 1 from star s, storage.objects o where o.version = 'v1'`)
  await client.query(`
    insert into private.vault_uses (object_id, file_id, mass_message_id)
      select o.id, f.id, g.id from storage.objects o, public.vault_files f, public.mass_messages g where o.version = 'v2'`)
}

/** One of the ten links brought each fan. */
async function bringByLink(client: pg.Client): Promise<void> {
  await client.query(`
    insert into private.link_fans (creator_id, fan_id, link_id, came_at)
      select s.id, f.id, l.id, now() from star s, fans f join public.tracking_links l on l.name = 'Link ' || (1 + f.place % 10)`)
}

/** What the subscribers have now, and as many subscriptions that have ended: of four plans, ten links, and all beginnings. */
async function fillAnalytics(client: pg.Client): Promise<void> {
  const columns =
    'creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as, ended_at, ended_as, months, is_begin_counted, is_end_counted'
  await client.query(
    `insert into public.subscription_products (creator_id, name, price_cents, "interval", is_active)
       select s.id, 'Plan ' || n, 999, 'month', false from star s, generate_series(2, 4) n`,
  )
  await client.query(
    `insert into public.tracking_links (creator_id, name, target) select s.id, 'Link ' || n, 'profile' from star s, generate_series(1, 10) n`,
  )
  await client.query(`
    insert into private.subscriber_spans (${columns})
      select c.creator_id, c.subscription_id, p.ids[1 + abs(hashtext(c.subscription_id::text)) % 4],
        case when h.hash % 3 = 0 then l.ids[1 + h.hash % 10] end, (array['paid', 'trial', 'gift'])[1 + h.hash % 3], c.monthly_cents,
        c.joined_at, c.began_at, c.began_as, c.ended_at, c.ended_as, c.months, false, false
      from private.compute_subscriber_spans() c
      cross join lateral (select abs(hashtext(c.subscription_id::text || 'x')) as hash) h
      cross join (select array_agg(p.id) as ids from public.subscription_products p) p
      cross join (select array_agg(l.id) as ids from public.tracking_links l) l`)
  await client.query(`
    insert into private.subscriber_spans (${columns})
      select s.creator_id, gen_random_uuid(), s.plan_id, s.link_id, s.source, s.monthly_cents, g.began, g.began, s.began_as, g.ended, 'lost',
        private.whole_months(g.began, g.ended), false, false
      from private.subscriber_spans s
      cross join lateral (select s.joined_at - random() * interval '300 days' as began) b
      cross join lateral (select b.began, least(b.began + random() * interval '300 days', now()) as ended) g`)
  await client.query(`
    insert into private.subscriber_values (creator_id, fan_id, plan_id, link_id, joined_at, subscription_cents, other_cents)
      select c.creator_id, c.fan_id, c.plan_id, c.link_id, c.joined_at, c.subscription_cents, c.other_cents from private.compute_subscriber_values() c`)
  await client.query('do $$ begin while private.roll_up_subscribers(50000) loop null; end loop; end $$')
}

/** Many rows at once: indexes made afterwards take a fraction of the time. */
async function withoutIndexes(client: pg.Client, table: string, insert: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ index: string; definition: string }>(
    `select i.indexrelid::regclass::text as index, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  )
  for (const { index } of rows) await client.query(`drop index ${index}`)
  await insert()
  for (const { definition } of rows) await client.query(definition)
}

async function report(client: pg.Client, percent: number): Promise<void> {
  const { rows } = await client.query<Person>(
    `select p.id as "profileId", p.user_id as "userId", p.username from private.profiles p where p.username = 'star'`,
  )
  const [star] = rows
  if (!star) throw new Error('The database of the benchmark has no creator')
  const measured: { tab: string; name: string; ms: number; buffers: number }[] = []
  for (const [tab, cases] of Object.entries(tabsOf(star))) {
    for (const one of cases) {
      const { ms, buffers } = await measure(client, one)
      measured.push({ tab, name: one.name, ms, buffers })
    }
  }
  printTable(
    ['tab', 'what it asks', 'ms', 'buffers'],
    measured.map(({ tab, name, ms, buffers }) => [tab, name, ms.toFixed(1), String(buffers)]),
  )
  writeResult('dashboard', { percent, ...fullSize, measured })
  for (const tab of new Set(measured.map((one) => one.tab))) {
    const total = measured.filter((one) => one.tab === tab).reduce((sum, { ms }) => sum + ms, 0)
    const most = mostOf(tab)
    process.stdout.write(`${tab}: ${total.toFixed(1)} ms together, at most ${most}\n`)
    if (total > most) process.exitCode = 1
  }
}

function mostOf(tab: string): number {
  if (tab.startsWith('analytics')) return mostAnalyticsMs
  return tab.startsWith('smart list') ? mostCountMs : mostMs
}

function tabsOf(star: Person): Record<string, Case[]> {
  const ask = (name: string, sql: string, ...values: unknown[]): Case => ({ name, callers: [star], sql, values })
  const mine = star.profileId
  const count = (...all: object[]) => ask('the count', 'select public.count_audience($1)', JSON.stringify({ all }))
  const posts = (count: number) =>
    `select p.id from public.posts p where p.creator_id = $1 order by p.created_at desc limit ${count}`
  const figures = (count: number) => `select * from public.get_post_figures(array(${posts(count)}))`
  const payments = `select t.id, t.transaction_type, t.amount, t.fee_amount, t.net_amount, t.created_at, f.username
    from public.transactions t left join public.profiles f on f.id = t.from_user_id`
  const year = `(now() - interval '364 days')::date`
  const analytics = (days: number) => {
    const from = `(now() - interval '${days - 1} days')::date, null, 'Asia/Kathmandu'`
    return [
      ask('day by day', `select * from public.get_subscriber_series($1, ${from})`, mine),
      ask('by plan, source, and link', `select * from public.get_subscriber_groups($1, ${from})`, mine),
      ask('notes', `select * from public.get_analytics_marks($1, ${from})`, mine),
    ]
  }
  return {
    overview: [
      ask('numbers', 'select * from public.get_creator_stats($1)', mine),
      ask('growth', 'select * from public.get_creator_growth($1)', mine),
      ask(
        'recent subscribers',
        `select s.id, f.username from public.subscriptions s left join public.profiles f on f.id = s.subscriber_id
         where s.creator_id = $1 and s.status = 'active' order by s.created_at desc limit 5`,
        mine,
      ),
      ask(
        'recent tips',
        `${payments} where t.to_user_id = $1 and t.transaction_type = 'tip' and t.status = 'completed' order by t.created_at desc limit 3`,
        mine,
      ),
      ask(
        'activity',
        'select n.id from public.notifications n where n.user_id = $1 order by n.created_at desc limit 5',
        mine,
      ),
      ask('posts', posts(10), mine),
      ask('their figures', figures(10), mine),
    ],
    subscribers: [ask('a page', 'select * from public.get_subscribers($1)', mine)],
    'subscribers, past': [ask('a page', `select * from public.get_subscribers($1, null, 'past')`, mine)],
    'subscribers, ending': [ask('a page', `select * from public.get_subscribers($1, null, 'ending')`, mine)],
    'subscribers, one found': [ask('a search', `select * from public.get_subscribers($1, 'fan 7774')`, mine)],
    'subscribers, all found': [ask('a search', `select * from public.get_subscribers($1, 'fan')`, mine)],
    'subscribers, none found': [ask('a search', `select * from public.get_subscribers($1, 'other 7773')`, mine)],
    'subscribers, export': [ask('a thousand', 'select * from public.get_subscribers($1, page_size => 1000)', mine)],
    fans: [ask('a page', 'select * from public.get_fans()')],
    'fans, by spending': [ask('a page', `select * from public.get_fans(sort => 'spent')`)],
    'fans, by name': [ask('a page', `select * from public.get_fans(sort => 'name', ascending => true)`)],
    'fans, one found': [ask('a search', `select * from public.get_fans(search => 'fan 7774')`)],
    'smart list, subscribers': [count({ condition: 'subscribed', status: 'active' })],
    'smart list, spent lately': [count({ condition: 'spent_lately', is: 'at_least', cents: 2000, days: 30 })],
    'smart list, several conditions': [
      count(
        { condition: 'spent', is: 'at_least', cents: 5000 },
        { condition: 'spent_lately', is: 'at_most', cents: 0, days: 30 },
        { condition: 'last_seen', is: 'at_most', days: 30 },
        { condition: 'renewal_off' },
      ),
    ],
    'smart list, by link': [
      ask(
        'the count',
        `select public.count_audience(jsonb_build_object('all', jsonb_build_array(jsonb_build_object('condition', 'came_by_link', 'link', l.id))))
         from public.tracking_links l where l.name = 'Link 3'`,
      ),
    ],
    'mass message': [
      ask('the list', `select * from public.get_mass_messages('history')`),
      ask('its numbers', 'select public.get_mass_message(g.id) from public.mass_messages g'),
    ],
    ...Object.fromEntries(
      ['delivered', 'viewed', 'purchased'].map((which) => [
        `mass message, ${which}`,
        [ask('a page', 'select f.* from public.mass_messages g, public.get_mass_message_fans(g.id, $1) f', which)],
      ]),
    ),
    'vault, recipients of a file': [
      ask('a page', 'select r.* from public.vault_files f, public.get_vault_recipients(f.id) r'),
    ],
    earnings: [
      ask('balance', 'select * from public.get_creator_balance($1)', mine),
      ask('totals', 'select * from public.get_earnings_totals($1)', mine),
      ask('day by day, a year', `select * from public.get_earnings_series($1, ${year})`, mine),
      ask('by source, a year', `select * from public.get_revenue_split($1, ${year})`, mine),
      ask(
        'payments',
        `${payments} where t.to_user_id = $1 and t.transaction_type <> 'payout' order by t.created_at desc, t.id limit 50`,
        mine,
      ),
      ask(
        'payouts',
        `${payments} where t.to_user_id = $1 and t.transaction_type = 'payout' order by t.created_at desc limit 12`,
        mine,
      ),
    ],
    'analytics, 30 days': analytics(30),
    'analytics, a year': analytics(366),
    'analytics, retention': [
      ask('by month', `select * from public.get_subscriber_retention($1, 'Asia/Kathmandu')`, mine),
    ],
    'analytics, value': [ask('by plan and link', 'select * from public.get_subscriber_values($1)', mine)],
    content: [ask('a page of posts', posts(50), mine), ask('their figures', figures(50), mine)],
    'analytics, funnel': [
      ask('a year', `select * from public.get_funnel(${year}, current_date, 'Asia/Kathmandu')`),
      ask('the year before', `select * from public.get_funnel(${year} - 365, current_date - 365, 'Asia/Kathmandu')`),
    ],
    'analytics, posts': [
      ask('a page, by earnings', `select * from public.get_content_figures('posts', 'earnings', page_size => 50)`),
    ],
    'analytics, messages': [
      ask('a page', `select * from public.get_content_figures('messages', page_size => 50)`),
      ask('messages to one fan', 'select * from public.get_single_message_figures()'),
    ],
    'analytics, products': [ask('a page', `select * from public.get_content_figures('products', page_size => 50)`)],
    monetization: [
      ask('plans', 'select * from public.subscription_products p where p.creator_id = $1', mine),
      ask('session offers', 'select * from public.session_offers o where o.creator_id = $1 and o.is_active', mine),
      ask('by source, thirty days', 'select * from public.get_revenue_split($1)', mine),
    ],
    products: [
      ask('plans', 'select * from public.subscription_products p where p.creator_id = $1 order by p.created_at', mine),
      ask('their subscribers', 'select * from public.get_plan_subscribers($1)', mine),
    ],
    referrals: [ask('numbers', 'select * from public.get_referral_stats($1)', mine)],
  }
}
