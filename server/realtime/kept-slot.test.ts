import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { prepareJobs } from '../jobs/prepare.ts'
import { migrate, withClient } from '../postgres/migrate.ts'
import { type GatewayProcess, startGatewayProcess } from '../testing/gateway-process.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../testing/outside-postgres.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'

let postgres: OutsidePostgres
let redis: TestRedis
const listeners: Listening[] = []
const nodes: GatewayProcess[] = []
const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'ovation-kept-slot-')))

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startOutsidePostgres({ max_slot_wal_keep_size: '16MB' }), startRedis()])
  await migrate(postgres.url)
  await prepareJobs(postgres.url)
  await query(`create table public.words (n int generated always as identity primary key, word text)`)
  await query(`grant select on public.words to anon`)
  await query(`alter publication supabase_realtime add table public.words`)
  const database = { requestUrl: postgres.url, ownerUrl: postgres.url }
  for (const dataDir of folders) {
    // All nodes share their secrets.
    if (nodes.length > 0) copyFileSync(join(folders[0] ?? '', 'secrets.json'), join(dataDir, 'secrets.json'))
    nodes.push(await startGatewayProcess({ database, dataDir, env: { REDIS_URL: redis.url } }))
  }
  // One after the other: the first with a client reads the log.
  for (const node of nodes) listeners.push(await listen(node))
}, 60_000)

afterAll(async () => {
  for (const { client } of listeners) await client.realtime.disconnect()
  await Promise.all(nodes.map((node) => node.kill()))
  await redis?.stop()
  await postgres?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

type Listening = { readonly client: SupabaseClient; readonly statuses: string[]; readonly words: unknown[] }

async function listen({ url, secrets }: GatewayProcess): Promise<Listening> {
  const client = createClient(url, secrets.anonKey, { realtime: { reconnectAfterMs: () => 100 } })
  const listening: Listening = { client, statuses: [], words: [] }
  client
    .channel('kept slot')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'words' }, ({ new: row }) =>
      listening.words.push(row.word),
    )
    .subscribe((status) => listening.statuses.push(status))
  await eventually(() => expect(listening.statuses).toEqual(['SUBSCRIBED']))
  return listening
}

const query = async <Row extends pg.QueryResultRow>(text: string) =>
  (await withClient(postgres.url, (client) => client.query<Row>(text))).rows
const slots = () =>
  query<{ wal_status: string; temporary: boolean }>('select wal_status, temporary from pg_replication_slots')
const write = (word: string) => query(`insert into public.words (word) values ('${word}')`)
const forget = () => {
  for (const { statuses, words } of listeners) {
    statuses.length = 0
    words.length = 0
  }
}
/** Clients that have to join again read again what they may have missed. */
const expectAllToReadAgain = async () => {
  for (const { statuses } of listeners) {
    await eventually(() => expect(statuses).toContain('CHANNEL_ERROR'))
    await eventually(() => expect(statuses.at(-1)).toBe('SUBSCRIBED'))
  }
}
const expectAllToHear = async (word: string) => {
  await write(word)
  for (const { words } of listeners) await eventually(() => expect(words).toEqual([word]))
  await eventually(async () => expect(await slots()).toMatchObject([{ wal_status: 'reserved', temporary: false }]))
}

describe("a kept slot that can't be read any more", () => {
  it('is replaced when it holds back more log than the server keeps, and clients read again [SCALE-04, API-RT-02]', async () => {
    await expectAllToHear('before')
    forget()
    process.kill(nodes[0]?.pid ?? 0, 'SIGSTOP')
    // The frozen reader confirms nothing, so the server ends its connection and gives the log up.
    await eventually(async () => {
      for (let segment = 0; segment < 3; segment++) {
        await write('unheard')
        await query('select pg_switch_wal()')
      }
      await query('checkpoint')
      expect(await slots()).toMatchObject([{ wal_status: 'lost' }])
    })
    await eventually(async () => expect(await slots()).toMatchObject([{ wal_status: 'reserved' }]))
    process.kill(nodes[0]?.pid ?? 0, 'SIGCONT')
    await expectAllToReadAgain()
    forget()
    await expectAllToHear('after')
  })

  it('is replaced when a publication was dropped and created again, and clients read again [SCALE-04, API-RT-02]', async () => {
    forget()
    await query('drop publication supabase_realtime')
    await write('unpublished')
    // A node that has noticed it already has created an empty one.
    await query(`do $$ begin create publication supabase_realtime; exception when duplicate_object then end $$`)
    await query('alter publication supabase_realtime add table public.words')
    // What is written before the slot is replaced is lost, so it is written until all hear it.
    await eventually(async () => {
      await write('republished')
      for (const { words } of listeners) expect(words).toContain('republished')
    })
    const [server] = await query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
    // Since version 18, the server skips what no publication had. Older ones fail at it forever.
    if ((server?.version ?? 0) < 180_000) await expectAllToReadAgain()
    forget()
    await expectAllToHear('settled')
  })
})
