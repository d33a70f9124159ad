import { withClient } from '@ovation/server/postgres/migrate'
import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArguments, type SeedPlan } from './arguments.ts'
import { seedDatabase } from './seed.ts'

const { plan } = parseArguments(
  '--creators 30 --fans 120 --posts 400 --follows 900 --subscriptions 300 --messages 700 --likes 1500 --comments 300 --until 2026-01-31'.split(
    ' ',
  ),
  new Date(),
)

const seeded = ['auth.users', 'private.profiles', 'private.posts', 'private.messages', 'private.conversations']
  .concat(['public.follows', 'public.subscriptions', 'public.post_likes', 'public.comments', 'public.transactions'])
  .concat([
    'private.ledger_entries',
    'private.post_media',
    'storage.objects',
    'public.notifications',
    'private.presence',
    'public.blocks',
  ])

describe('the seed', () => {
  let database: TestDatabase
  let other: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    other = await createTestDatabase()
    await seed(database, plan)
  })
  afterAll(async () => {
    await database.drop()
    await other.drop()
  })

  it('makes the requested number of rows', async () => {
    const [counts] = await database.query(`select
      (select count(*)::int from private.profiles where is_creator) as creators,
      (select count(*)::int from private.profiles where not is_creator) as fans,
      (select count(*)::int from private.posts) as posts,
      (select count(*)::int from public.follows) as follows,
      (select count(*)::int from public.subscriptions) as subscriptions,
      (select count(*)::int from private.messages) as messages,
      (select count(*)::int from public.post_likes) as likes,
      (select count(*)::int from public.comments) as comments`)
    const { seed: _seed, until: _until, ...asked } = plan
    expect(counts).toEqual(asked)
  })

  it('sets every counter to the value that the database would count', async () => {
    expect(await database.query('select * from private.verify_counters()')).toEqual([])
    expect(await database.query('select * from private.verify_conversations()')).toEqual([])
  })

  it('keeps a valid ledger: chained, balanced, and consistent with the transactions', async () => {
    expect(await database.query('select * from private.verify_ledger()')).toEqual([])
    expect(await database.query('select * from private.verify_money()')).toEqual([])
    const [books] = await database.query<{ entries: number }>(
      'select count(*)::int as entries from private.ledger_entries',
    )
    expect(books?.entries).toBeGreaterThan(plan.subscriptions)
  })

  it('continues an existing chain and keeps it valid', async () => {
    const fresh = await createTestDatabase()
    await fresh.query(`select private.post_ledger('before', 'tip', 'usd', now(),
      '{"stripe": 500, "platform_fees": -50, "creator:6f1b0c0e-0000-4000-8000-000000000000": -450}')`)
    await seed(fresh, plan)
    expect(await fresh.query('select * from private.verify_ledger()')).toEqual([])
    await fresh.drop()
  })

  it('contains no dangling references', async () => {
    expect(await brokenReferences(database)).toEqual([])
  })

  it('sets the columns that triggers would set: gate, listing, debut, price', async () => {
    const differences = await database.query(`
      select 'access' as rule, s.id from public.subscriptions s
      where s.access_until <> coalesce(case
        when s.status = 'active' and not s.cancel_at_period_end then 'infinity'
        when s.status = 'past_due' then s.past_due_since + interval '72 hours'
        when s.status = 'trial' then s.trial_end
        when s.cancel_at_period_end then s.current_period_end end, '-infinity')
      union all
      select 'listing', p.id from private.profiles p where p.is_listed <> (p.is_verified and not p.is_private)
      union all
      select 'debut', p.id from private.profiles p where p.debut_at is distinct from
        case when p.is_listed then (select min(o.created_at) from private.posts o where o.creator_id = p.id) end
      union all
      select 'price', p.id from private.profiles p where p.lowest_price_cents is distinct from (
        select round(min(private.monthly_cents(t.price_cents, t.interval)), 2) from public.subscription_products t where t.creator_id = p.id and t.is_active
      )`)
    expect(differences).toEqual([])
  })

  it('has consistent times: nobody acts before joining, and nothing is in the future', async () => {
    const [wrong] = await database.query(`select
      (select count(*)::int from public.follows f join private.profiles p on p.id in (f.follower_id, f.following_id) where f.created_at < p.created_at) as follows,
      (select count(*)::int from private.posts o join private.profiles p on p.id = o.creator_id where o.created_at < p.created_at) as posts,
      (select count(*)::int from public.subscriptions s join private.profiles p on p.id = s.subscriber_id where s.created_at < p.created_at) as subscriptions,
      (select count(*)::int from public.post_likes l join private.posts o on o.id = l.post_id where l.created_at < o.created_at) as likes,
      (select count(*)::int from public.transactions t where t.created_at > '2026-01-31') as transactions`)
    expect(wrong).toEqual({ follows: 0, posts: 0, subscriptions: 0, likes: 0, transactions: 0 })
  })

  it('makes the same rows from the same arguments, and others from another seed', async () => {
    await seed(other, plan)
    expect(await digest(other)).toEqual(await digest(database))
    const third = await createTestDatabase()
    await seed(third, { ...plan, seed: 2 })
    expect(await digest(third)).not.toEqual(await digest(database))
    await third.drop()
  })

  it('rejects a database that was seeded before, and changes nothing', async () => {
    const before = await digest(database)
    await expect(seed(database, { ...plan, seed: 9 })).rejects.toThrow('has been seeded before')
    expect(await digest(database)).toEqual(before)
  })

  it('leaves nothing behind when it fails in the middle', async () => {
    const fresh = await createTestDatabase()
    const [person] = await digestSource(database)
    await fresh.query(`insert into auth.users (email, raw_user_meta_data) values ('a@example.com', $1)`, [
      { username: person?.username },
    ])
    await expect(seed(fresh, plan)).rejects.toThrow('seed a fresh one')
    expect(await fresh.query('select from private.posts')).toEqual([])
    await fresh.drop()
  })

  it('can run with all numbers at zero', async () => {
    const fresh = await createTestDatabase()
    const none = { creators: 0, fans: 0, posts: 0, follows: 0, subscriptions: 0, messages: 0, likes: 0, comments: 0 }
    await seed(fresh, { ...plan, ...none })
    expect(await fresh.query('select from private.profiles')).toEqual([])
    await fresh.drop()
  })

  it('leaves working users: a follow counts, a new post is published', async () => {
    const [fan] = await database.query<{ id: string; user_id: string }>(
      'select p.id, p.user_id from private.profiles p where not p.is_creator order by p.username limit 1',
    )
    const [creator] = await database.query<{
      id: string
      user_id: string
      followers_count: number
      total_posts: number
    }>(
      `select p.id, p.user_id, p.followers_count, p.total_posts from private.profiles p where p.is_creator
       and not exists (select from public.follows f where f.following_id = p.id and f.follower_id = $1) limit 1`,
      [fan?.id],
    )
    const as = (person: typeof fan) => ({
      role: 'authenticated' as const,
      claims: { role: 'authenticated', sub: person?.user_id },
    })
    await database.as(as(fan), 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      fan?.id,
      creator?.id,
    ])
    await database.as(as(creator), `insert into public.posts (creator_id, content) values ($1, 'Still here.')`, [
      creator?.id,
    ])
    const [after] = await database.query('select followers_count, total_posts from private.profiles where id = $1', [
      creator?.id,
    ])
    expect(after).toEqual({
      followers_count: (creator?.followers_count ?? 0) + 1,
      total_posts: (creator?.total_posts ?? 0) + 1,
    })
    expect(await database.query('select * from private.verify_counters()')).toEqual([])
  })
})

function seed(database: TestDatabase, what: SeedPlan) {
  return withClient(database.ownerUrl, (client) => seedDatabase(client, { plan: what, passwordHash: null }))
}

function digestSource(database: TestDatabase) {
  return database.query<{ username: string }>('select username from private.profiles order by username limit 1')
}

async function digest(database: TestDatabase): Promise<Record<string, unknown>> {
  const entries = seeded.map(async (table) => {
    const [row] = await database.query<{ digest: string }>(
      `select md5(string_agg(t::text, '|' order by t::text)) as digest from ${table} t`,
    )
    return [table, row?.digest]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Checks every foreign key of the catalog with an anti-join. @returns the names of those with dangling rows. */
async function brokenReferences(database: TestDatabase): Promise<string[]> {
  const keys = await database.query<{
    conname: string
    source: string
    target: string
    matches: string
    filled: string
  }>(`
    select k.conname, k.conrelid::regclass::text as source, k.confrelid::regclass::text as target,
      string_agg(format('t.%I = s.%I', ft.attname, fs.attname), ' and ') as matches,
      string_agg(format('s.%I is not null', fs.attname), ' and ') as filled
    from pg_constraint k
    cross join lateral unnest(k.conkey, k.confkey) as pair (source, target)
    join pg_attribute fs on fs.attrelid = k.conrelid and fs.attnum = pair.source
    join pg_attribute ft on ft.attrelid = k.confrelid and ft.attnum = pair.target
    where k.contype = 'f' group by k.oid`)
  expect(keys.length).toBeGreaterThan(30)
  const broken: string[] = []
  for (const { conname, source, target, matches, filled } of keys) {
    const rows = await database.query(
      `select from ${source} s where ${filled} and not exists (select from ${target} t where ${matches}) limit 1`,
    )
    if (rows.length > 0) broken.push(conname)
  }
  return broken
}
