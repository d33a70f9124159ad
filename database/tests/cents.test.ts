import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../server/testing/database.ts'
import { formatCents } from '../../web/lib/format/format-number.ts'

it('stores every amount as integer cents, documents it, and shows it in dollars with two decimals [CONST-01]', async () => {
  const database = await createTestDatabase()
  // Percentages, lengths, a place in an order, a price per month that plans compare by, and the one price that its row wants in dollars (DATA-31), in the lists that show it.
  const noAmounts = [
    'private.profiles.lowest_price_cents',
    'public.creator_growth.earnings_growth',
    'public.creator_growth.subscriber_growth',
    'public.creator_growth.view_growth',
    'public.creator_listing.subscription_price',
    'public.flow_steps.position',
    'public.front_creator.subscription_price',
    'public.rail_creator.subscription_price',
    'public.revenue_share.share',
    'public.story.duration',
    'public.vault_file.duration',
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
  const inDollars = 'The monthly price of the cheapest active plan, in dollars; null when there is none ("Free").'
  expect(dollars).toEqual(Array(3).fill({ description: inDollars }))
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
  expect([formatCents(999), formatCents(100), formatCents(0)]).toEqual(['$9.99', '$1.00', '$0.00'])
  // Nothing in the web app formats money another way, except the axes of charts and CSV files.
  const web = new URL('../../web/', import.meta.url)
  const formats = globSync('{app,domain,features,lib,ui}/**/*.{ts,tsx}', { cwd: web }).filter(
    (file) =>
      !file.includes('.test.') && /'currency'|toFixed\(2\)|`\$\$\{/.test(readFileSync(new URL(file, web), 'utf8')),
  )
  expect(formats.toSorted()).toEqual([
    'features/dashboard/analytics/columns.ts',
    'features/dashboard/axis-dollars.ts',
    'features/dashboard/subscribers-tab.tsx',
    'lib/format/format-number.ts',
  ])
  await database.drop()
})
