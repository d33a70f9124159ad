import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDir } from '@ovation/server/data-lock'
import { type EmbeddedPostgres, startEmbedded } from '@ovation/server/postgres/embedded'
import { withClient } from '@ovation/server/postgres/migrate'
import { printTable, writeResult } from '../report.ts'
import { type Broadcast, measureBroadcast } from './broadcast.ts'
import { buildCases } from './cases.ts'
import { compareFeedShapes, type FeedShapes } from './compare-feed-shapes.ts'
import { type Measured, measure } from './measure.ts'
import { choosePeople } from './people.ts'
import { fullSize, openScale, type Scale, scales } from './scales.ts'

type Row = { readonly name: string; readonly at: Partial<Record<Scale, Measured>>; readonly ratio: number | null }

/** The most that a page may read at full size, as a multiple of what it reads at the smallest. */
const mostRatio = 1.5
const mostBroadcastSeconds = 10

/**
 * `npm run bench -- database`: buffers, time and sequential scans of what each screen asks first, at 1 %, 10 % and 100 % of the full
 * size. The cluster stays for the next run; `--remove` takes it away afterwards. Exits with 1 when a promise is not kept.
 */
export async function benchDatabase(args: readonly string[]): Promise<void> {
  const dataDir = process.env.BENCH_DIR ?? join(tmpdir(), 'ovation-bench')
  const lock = lockDataDir(dataDir)
  try {
    const postgres = await startEmbedded({ dataDir, password: 'bench', settings: clusterSettings })
    try {
      await run(postgres)
    } finally {
      await postgres.stop()
    }
  } finally {
    lock.release()
    if (args.includes('--remove')) rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Its data can be made again, so it need not survive a power cut. What is counted, pages, does not depend on that; it would on
 * `synchronous_commit = off`, under which a vacuum does not yet take rows just written for visible to all.
 */
const clusterSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '2GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '2GB',
  // It would come between two runs.
  autovacuum: 'off',
}

async function run(postgres: EmbeddedPostgres) {
  const results = new Map<string, Partial<Record<Scale, Measured>>>()
  let broadcast: Broadcast | undefined
  let shapes: FeedShapes | undefined
  for (const scale of scales) {
    const url = await openScale(postgres, scale)
    await withClient(url, async (client) => {
      const people = await choosePeople(client)
      await client.query('select private.refresh_weekly_popularity()')
      // The follows just made changed profiles too. Where a vacuum has been, an index answers without a visit to the table.
      await client.query('vacuum (analyze) public.follows, private.profiles')
      for (const one of buildCases(people)) {
        if ((one.from ?? 0) > scale) continue
        const at = results.get(one.name) ?? {}
        results.set(one.name, { ...at, [scale]: await measure(client, one) })
      }
      if (scale < 100) return
      const [manyFollowed] = people.followers.get(5_000) ?? []
      if (manyFollowed) shapes = await compareFeedShapes(client, manyFollowed)
      broadcast = await measureBroadcast(url, people.admin, people.fan)
    })
  }
  const rows = [...results].map(([name, at]): Row => ({ name, at, ratio: ratioOf(at) }))
  show(rows)
  sayShapes(shapes)
  sayBroadcast(broadcast)
  process.stdout.write(`\n${writeResult('database', { fullSize, rows, shapes, broadcast })}\n`)
  const broken = rows.filter((row) => (row.ratio ?? 0) > mostRatio || scansOf(row).length > 0)
  for (const { name } of broken) process.stderr.write(`Not as promised: ${name}\n`)
  const isSlow = (broadcast?.seconds ?? 0) > mostBroadcastSeconds
  if (isSlow) process.stderr.write(`Not as promised: the broadcast takes more than ${mostBroadcastSeconds} s\n`)
  if (broken.length > 0 || isSlow) process.exitCode = 1
}

/** Full size against the smallest at which it could be asked. */
function ratioOf(at: Partial<Record<Scale, Measured>>): number | null {
  const smallest = scales.map((scale) => at[scale]).find((measured) => measured !== undefined)
  const full = at[100]
  return smallest && full ? full.buffers / smallest.buffers : null
}

function scansOf({ at }: Row): string[] {
  return [...(at[100]?.scans ?? [])]
}

function show(rows: readonly Row[]) {
  const cell = (measured: Measured | undefined) => (measured ? String(measured.buffers) : '–')
  printTable(
    [
      'as a signed-in person',
      ...scales.map((scale) => `buffers ${scale} %`),
      'ratio',
      'ms',
      'rows',
      'sequential scans',
    ],
    rows.map((row) => [
      row.name,
      ...scales.map((scale) => cell(row.at[scale])),
      row.ratio?.toFixed(2) ?? '–',
      row.at[100]?.ms.toFixed(2) ?? '–',
      String(row.at[100]?.rows ?? '–'),
      scansOf(row).join(', ') || 'none',
    ]),
  )
}

function sayShapes(shapes: FeedShapes | undefined) {
  if (!shapes) return
  const { byCreator, byTime } = shapes
  process.stdout.write(
    `\nFinding the feed of 5,000 followed: ${byTime} buffers by the time index, ${byCreator} by a probe for each followed\n`,
  )
}

function sayBroadcast(broadcast: Broadcast | undefined) {
  if (!broadcast) return
  const { recipients, seconds, reads, slowestReadMs } = broadcast
  process.stdout.write(
    `\nBroadcast to ${recipients.toLocaleString('en')} people: ${seconds.toFixed(1)} s in one statement; meanwhile ${reads} rounds of reads by another session, the slowest ${slowestReadMs.toFixed(0)} ms\n`,
  )
}
