import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findDifferences } from '@ovation/server/operations/find-differences'
import { call } from '@ovation/server/payments/testing/shop'
import { endDescendantsWithThisProcess } from '../../testing/end-with-run.ts'
import { printTable, writeResult } from '../report.ts'
import { type Cluster, startCluster, until, withSuperuser } from './cluster.ts'
import { Crowd, readWritten } from './crowd.ts'
import { type Fault, faults } from './faults.ts'
import { Listeners } from './listeners.ts'
import { createPeople, fetchAs, type Person } from './person.ts'
import { Probe } from './probe.ts'
import { WriteRecord } from './write-record.ts'

const usage = `npm run proof:cluster [-- --people N] [--pause SECONDS] [--faults NAMES] [--rounds N]

  --people  who use the product all the time, 300
  --pause   of each of them between two actions, 8
  --faults  some of ${Object.keys(faults).join(',')}; all
  --rounds  how often, 1
`
const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '300' },
    pause: { type: 'string', default: '8' },
    faults: { type: 'string', default: Object.keys(faults).join(',') },
    rounds: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
})

/** What is promised, in seconds. */
const mostWritePause = 30
const mostReadPause = 10
const wholeWithinMs = 180_000
const calmMs = 5_000
/** How long it takes until a failure shows. */
const noticedMs = 2_000
const listenersOf = 40

/**
 * `npm run proof:cluster`: a cluster of three machines from the files of deploy/cluster, on loopback addresses of this one, with Debian's
 * packages. People use it, and the failures of real life happen to it. Exits with 1 when something acknowledged is lost or doubled, a live
 * change is missed, the books differ, or a pause is longer than promised.
 */
async function main() {
  if (options.help) return void process.stdout.write(usage)
  const names = options.faults.split(',')
  const unknown = names.filter((name) => !(name in faults))
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}\n${usage}`)
  requirePrograms()
  endDescendantsWithThisProcess()
  // Its certificates are made on the spot.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  process.removeAllListeners('warning')
  const startedAt = performance.now()
  const cluster = await startCluster()
  try {
    say(`three machines are up after ${seconds(performance.now() - startedAt)}`)
    const people = await createPeople(cluster, Number(options.people))
    const record = new WriteRecord()
    const crowd = await Crowd.prepare(cluster, people, record, Number(options.pause) * 1000)
    const listeners = await Listeners.open(people.slice(-listenersOf))
    const [writes, reads] = [probeWrites(cluster), probeReads(cluster)]
    for (const part of [crowd, writes, reads]) part.start()
    say(`${people.length} people use it, ${listenersOf} of them with an open inbox`)
    await sleep(calmMs)
    const rows: string[][] = []
    const broken: string[] = []
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const name of names) {
        const outcome = await measure(cluster, faults[name] as Fault, { record, listeners, writes, reads })
        rows.push(outcome.row)
        broken.push(...outcome.broken)
      }
    }
    for (const part of [crowd, writes, reads]) await part.stop()
    const { answers, acknowledged, failures } = record.counts
    say(`${answers} answers, ${acknowledged} of them to writes; ${failures} requests failed`)
    broken.push(...(await findFaults(cluster, people, record, listeners)))
    await listeners.close()
    printTable(['fault', 'writes paused', 'reads paused', 'failed requests', 'joined again', 'whole after'], rows)
    writeResult('cluster', { rows, answers, acknowledged, failures, broken })
    if (broken.length > 0) {
      say(`the programs' logs are in ${keepLogs(cluster)}`)
      throw new Error(broken.slice(0, 50).join('\n'))
    }
    say('nothing acknowledged is lost or doubled, no live change was missed, and the books agree')
  } finally {
    await cluster.close()
  }
}

type Parts = { record: WriteRecord; listeners: Listeners; writes: Probe; reads: Probe }

async function measure(cluster: Cluster, fault: Fault, { record, listeners, writes, reads }: Parts) {
  say(fault.title)
  const begunAt = performance.now()
  const joined = listeners.joins
  await fault.inflict(cluster)
  await sleep(noticedMs)
  await cluster.untilWhole(wholeWithinMs)
  const wholeAfter = performance.now() - begunAt
  await sleep(calmMs)
  const failures = record.failuresSince(begunAt)
  for (const [what, count] of failures) say(`  ${count} × ${what}`)
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const [writePause, readPause] = [writes.longestPauseSince(begunAt), reads.longestPauseSince(begunAt)]
  const broken: string[] = []
  if (writePause > mostWritePause) broken.push(`${fault.title}: no write for ${writePause.toFixed(1)} s`)
  if (readPause > mostReadPause) broken.push(`${fault.title}: no read for ${readPause.toFixed(1)} s`)
  if (fault.isPlanned && failed > 0) broken.push(`${fault.title}: ${failed} requests failed`)
  const row = [
    fault.title,
    `${writePause.toFixed(1)} s`,
    `${readPause.toFixed(1)} s`,
    `${failed}`,
    `${listeners.joins - joined}`,
    seconds(wholeAfter),
  ]
  say(`  ${row.slice(1).join(', ')}`)
  return { row, broken }
}

/** One row that always changes, by someone with all rights: what is measured is the cluster, not a policy. */
function probeWrites({ entries, secrets }: Cluster): Probe {
  const ask = fetchAs(10_000, entries)
  const headers = {
    apikey: secrets.serviceRoleKey,
    authorization: `Bearer ${secrets.serviceRoleKey}`,
    'content-type': 'application/json',
  }
  return new Probe(async () => {
    const response = await ask('https://any/rest/v1/profiles?username=eq.person1', {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ bio: crypto.randomUUID() }),
    })
    if (!response.ok) throw new Error(`${response.status}`)
    await response.arrayBuffer()
  })
}

function probeReads({ entries, secrets }: Cluster): Probe {
  const ask = fetchAs(10_001, entries)
  return new Probe(async () => {
    const response = await ask('https://any/rest/v1/posts?select=id&limit=1', { headers: { apikey: secrets.anonKey } })
    if (!response.ok) throw new Error(`${response.status}`)
    await response.arrayBuffer()
  })
}

async function findFaults(cluster: Cluster, people: readonly Person[], record: WriteRecord, listeners: Listeners) {
  await cluster.webhooksSettled()
  await until(
    'the payments',
    async () => {
      const waiting = await cluster.query(
        `select from private.stripe_events where processed_at is null
       union all select from private.payment_tasks where done_at is null`,
      )
      return waiting.length === 0
    },
    300_000,
  )
  const broken = record.findBroken(await readWritten(cluster))
  await sleep(calmMs) // the last changes may still be on their way
  broken.push(...(await listeners.findFaults(cluster)))
  const { address, values } = await cluster.primary()
  broken.push(...(await withSuperuser(address, values.SUPERUSER_PASSWORD ?? '', 'ovation', findDifferences)))
  const books = await call<{ differences: unknown[] }>(people[0] as Person, 'reconcile-payments')
  if (books.differences.length > 0) broken.push(`the books differ from the provider's: ${JSON.stringify(books)}`)
  return broken
}

/** The cluster's folders end with it. @returns where its logs stay. */
function keepLogs({ machines }: Cluster): string {
  const kept = fileURLToPath(new URL('../../test-output/cluster-logs', import.meta.url))
  rmSync(kept, { recursive: true, force: true })
  for (const { name, root } of machines) {
    cpSync(join(root, 'log'), join(kept, name), { recursive: true })
    cpSync(join(root, 'var/log/postgresql'), join(kept, name, 'postgresql'), { recursive: true })
  }
  return kept
}

/** Debian's packages, which it doesn't install. */
function requirePrograms() {
  const programs: Readonly<Record<string, string>> = {
    '/usr/bin/patroni': 'patroni',
    '/usr/bin/etcd': 'etcd-server',
    '/usr/bin/etcdctl': 'etcd-client',
    '/usr/sbin/haproxy': 'haproxy',
    '/usr/bin/redis-server': 'redis-server',
    '/usr/bin/redis-cli': 'redis-tools',
    '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  }
  const missing = Object.entries(programs).flatMap(([path, name]) => (existsSync(path) ? [] : [name]))
  if (missing.length > 0) throw new Error(`apt-get install -y --no-install-recommends ${missing.join(' ')}`)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const say = (text: string) => void process.stdout.write(`${text}\n`)

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
