import type { EmbeddedPostgres } from '@ovation/server/postgres/embedded'
import { withClient } from '@ovation/server/postgres/migrate'
import type pg from 'pg'
import { parseArguments } from '../../database/bulk-data/arguments.ts'
import { seedDatabase } from '../../database/bulk-data/seed.ts'
import { openWhole } from './whole-database.ts'

/** Percent of the full size. Ten is for the fan who follows 5,000 creators, of whom one percent has too few. */
export const scales = [1, 10, 100] as const
export type Scale = (typeof scales)[number]

/** The full size: what the product has to stay fast with. Nine of ten subscriptions are in force. */
export const fullSize = {
  creators: 50_000,
  fans: 50_000,
  posts: 1_000_000,
  follows: 5_000_000,
  subscriptions: 250_000,
  messages: 1_000_000,
  likes: 1_000_000,
  comments: 200_000,
} as const

/** The star's files in the vault (VAULT-08), and those of all other creators. */
const vaultFiles = { star: 50_000, others: 1_000_000 } as const

/** The migrated and seeded database of this scale, made when it is missing. @returns its owner's address. */
export const openScale = (postgres: EmbeddedPostgres, scale: Scale): Promise<string> =>
  openWhole(postgres, `bench_${scale}`, (url) => seed(url, scale))

async function seed(url: string, scale: Scale) {
  process.stdout.write(`Seeding ${scale} % …\n`)
  const startedAt = performance.now()
  const args = Object.entries(fullSize).flatMap(([what, count]) => [`--${what}`, String((count * scale) / 100)])
  const { plan } = parseArguments(args, new Date())
  await withClient(url, async (client) => {
    await seedDatabase(client, { plan, passwordHash: null })
    await buySome(client)
    await fillVault(client, scale)
  })
  process.stdout.write(`Seeded ${scale} % in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
}

/** The seed sells no single posts and messages; but an empty table is read in no time whatever the plan, and would hide a poor one. */
async function buySome(client: pg.Client) {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(`insert into public.purchases (buyer_id, post_id)
    select s.subscriber_id, p.id from private.posts p
    cross join lateral (select s.subscriber_id from public.subscriptions s where s.creator_id = p.creator_id limit 3) s
    where p.post_type = 'ppv'`)
  await client.query(`insert into public.message_unlocks (message_id, buyer_id)
    select m.id, m.recipient_id from private.messages m where m.is_paid and m.id < '80000000-0000-4000-8000-000000000000'`)
  await client.query('commit')
  await client.query('vacuum (analyze) public.purchases, public.message_unlocks')
}

/** The seed's files are of posts and messages, whose uploads it leaves out of the vault. */
async function fillVault(client: pg.Client, scale: Scale) {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `with creators as (select p.id, p.user_id, row_number() over (order by p.subscribers_count desc, p.id) - 1 as place from private.profiles p where p.is_creator),
       numbers as (select n, case when n > $1::int then 1 + n % ((select count(*) from creators) - 1) else 0 end as place from generate_series(1, $1::int + $2::int) n),
       objects as (
         insert into storage.objects (bucket_id, name, owner_id, version, metadata)
         select 'vault', c.user_id || '/' || n.n, c.user_id, 'vault-' || n.n, '{"mimetype": "image/jpeg", "size": 1000}' from numbers n join creators c using (place)
         returning id, version, owner_id
       )
     insert into public.vault_files (id, creator_id, version, kind, size_bytes, name, post_uses, created_at)
     select o.id, c.id, o.version, (array['image', 'image', 'image', 'video', 'audio'])[1 + n.n % 5], 1000 + n.n, 'Light ' || n.n, n.n % 2,
       now() - n.n * interval '1 minute'
     from numbers n join creators c using (place) join objects o on o.version = 'vault-' || n.n`,
    [(vaultFiles.star * scale) / 100, (vaultFiles.others * scale) / 100],
  )
  await client.query('commit')
  await client.query('vacuum (analyze) storage.objects, public.vault_files')
}
