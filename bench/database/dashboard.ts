import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDir } from '@ovation/server/data-lock'
import { startEmbedded } from '@ovation/server/postgres/embedded'
import { ensureDatabase, migrate, withClient } from '@ovation/server/postgres/migrate'
import type pg from 'pg'
import { printTable, writeResult } from '../report.ts'
import type { Case } from './cases.ts'
import { measure } from './measure.ts'
import type { Person } from './people.ts'

/** The creator that the dashboard has to be quick for. `--percent 1` makes a small one. */
const fullSize = { subscribers: 100_000, payments: 5_000_000 } as const
const mostMs = 500

/**
 * `npm run bench -- dashboard`: milliseconds and buffers of everything that the dashboard of one creator asks for, with 100,000 subscribers
 * and 5 million payments. Exits with 1 when what one tab asks takes more than 500 ms together.
 */
export async function benchDashboard(args: readonly string[]): Promise<void> {
  const percent = Number(args[args.indexOf('--percent') + 1] || 100)
  const dataDir = process.env.BENCH_DIR ?? join(tmpdir(), 'ovation-bench')
  const lock = lockDataDir(dataDir)
  try {
    const postgres = await startEmbedded({
      dataDir,
      password: 'bench',
      settings: { fsync: 'off', full_page_writes: 'off', shared_buffers: '1GB', max_wal_size: '2GB' },
    })
    try {
      const name = `bench_dashboard_${percent}`
      const url = postgres.url(name)
      const isNew = await ensureDatabase(postgres.url('postgres'), name)
      await migrate(url)
      await withClient(url, async (client) => {
        if (isNew) await fill(client, percent)
        await report(client, percent)
      })
    } finally {
      await postgres.stop()
    }
  } finally {
    lock.release()
  }
}

const creatorUser = '00000000-0000-4000-8000-0000000000c0'

/** One creator with all of it. Without triggers, so in minutes and not in hours; the sums that they keep are made afterwards. */
async function fill(client: pg.Client, percent: number): Promise<void> {
  const subscribers = Math.round((fullSize.subscribers * percent) / 100)
  const payments = Math.round((fullSize.payments * percent) / 100)
  process.stdout.write(`Making ${subscribers} subscribers and ${payments} payments …\n`)
  await client.query(`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values
    ('${creatorUser}', 'star@example.com', now(), '{"username": "star"}')`)
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into private.profiles (id, user_id, username, display_name)
     select gen_random_uuid(), gen_random_uuid(), 'fan' || n, 'Fan ' || n from generate_series(1, $1::int) n`,
    [subscribers],
  )
  await client.query(`
    insert into public.subscription_products (creator_id, name, price_cents, "interval")
      select p.id, 'Plan', 999, 'month' from private.profiles p where p.username = 'star'`)
  await client.query(`
    insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until, current_period_end, created_at)
      select f.id, t.creator_id, t.id, case when random() < 0.9 then 'active' else 'canceled' end, now() + interval '20 days', now() + interval '20 days',
        now() - random() * interval '700 days'
      from private.profiles f, public.subscription_products t where f.username <> 'star'`)
  await client.query(
    `insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, ledger_transaction_id, created_at)
     select f.ids[1 + (n % cardinality(f.ids))], s.id, (array['subscription', 'subscription', 'subscription', 'tip', 'paid_message', 'ppv'])[1 + n % 6],
       10, 1, gen_random_uuid(), now() - (n % 700) * interval '1 day'
     from private.profiles s, (select array_agg(p.id) as ids from private.profiles p where p.username <> 'star') f, generate_series(1, $1::int) n
     where s.username = 'star'`,
    [payments],
  )
  await client.query(`
    insert into private.daily_earnings (creator_id, day, source, gross_cents, net_cents, payments)
      select t.to_user_id, (t.created_at at time zone 'UTC')::date, t.transaction_type, sum(t.amount) * 100, sum(t.net_amount) * 100, count(*)
      from public.transactions t group by 1, 2, 3`)
  await client.query(`
    update private.profiles p set subscribers_count = (select count(*) from public.subscriptions s where s.status = 'active'),
      total_earnings = (select sum(t.net_amount) from public.transactions t), is_creator = true, is_verified = true
    where p.username = 'star'`)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
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
    process.stdout.write(`${tab}: ${total.toFixed(1)} ms together, at most ${mostMs}\n`)
    if (total > mostMs) process.exitCode = 1
  }
}

function tabsOf(star: Person): Record<string, Case[]> {
  const ask = (name: string, sql: string, ...values: unknown[]): Case => ({ name, callers: [star], sql, values })
  const mine = star.profileId
  const payments =
    'select t.id, t.transaction_type, t.amount, t.fee_amount, t.net_amount, t.created_at from public.transactions t'
  return {
    overview: [
      ask('numbers', 'select * from public.get_creator_stats($1)', mine),
      ask('growth', 'select * from public.get_creator_growth($1)', mine),
      ask(
        'recent subscribers',
        `select s.id from public.subscriptions s where s.creator_id = $1 and s.status = 'active' order by s.created_at desc limit 5`,
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
      ask('posts', 'select p.id from public.posts p where p.creator_id = $1 order by p.created_at desc limit 10', mine),
    ],
    subscribers: [
      ask('a page', 'select * from public.get_subscribers($1)', mine),
      ask('a page of those who are past', `select * from public.get_subscribers($1, null, 'past')`, mine),
      ask('a search', `select * from public.get_subscribers($1, 'fan 77')`, mine),
    ],
    earnings: [
      ask('balance', 'select * from public.get_creator_balance($1)', mine),
      ask(
        'day by day, a year',
        `select * from public.get_earnings_series($1, (now() - interval '364 days')::date)`,
        mine,
      ),
      ask('by source, a year', `select * from public.get_revenue_split($1, (now() - interval '364 days')::date)`, mine),
      ask('payments', `${payments} where t.to_user_id = $1 order by t.created_at desc, t.id limit 50`, mine),
      ask(
        'payouts',
        `${payments} where t.to_user_id = $1 and t.transaction_type = 'payout' order by t.created_at desc limit 12`,
        mine,
      ),
    ],
  }
}
