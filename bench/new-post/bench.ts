import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from '@ovation/server/config'
import { type Gateway, startGateway } from '@ovation/server/gateway'
import { withClient } from '@ovation/server/postgres/migrate'
import { openDatabase } from '@ovation/server/postgres/open'
import { loadSecrets } from '@ovation/server/secrets'
import { SmtpServer } from '@ovation/server/testing/smtp-server'
import type pg from 'pg'
import { pino } from 'pino'
import { printTable, writeResult } from '../report.ts'
import { buildAudience, type Person } from './audience.ts'

/** LOOP-02 */
const mostSeconds = 60
const mostRows = 10
const longestMs = 10 * 60_000
/** So many followers open their bell through the API, one after the other. The database answers for all of them. */
const readers = 200

/**
 * `npm run bench -- new-post [followers]`: a creator with 100,000 followers publishes a post. Of them, 1 in 100 has a browser that takes pushes,
 * and 1 in 20 wants emails at once. Exits with 1 when a target is missed.
 */
export async function benchNewPost([count = '100000']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-new-post-'))
  const mails = new SmtpServer()
  const pushes = await openPushService()
  const config = parseConfig({
    // Not production, which pushes only to public addresses.
    NODE_ENV: 'test',
    DEMO: '0',
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATA_DIR: dataDir,
    SMTP_URL: await mails.open(),
    NOTIFICATION_MAIL_DELAY_SECONDS: '0',
  })
  const log = pino({ level: config.logLevel })
  const secrets = await loadSecrets(config)
  const database = await openDatabase(config, secrets, log)
  const { requestUrl, ownerUrl } = database
  const addresses = { requestUrl, ownerUrl, hasProductSchema: true, sandboxUrl: undefined }
  const gateway = await startGateway({ config, secrets, log, ...addresses })
  try {
    const apikey = secrets.anonKey
    report(
      Number(count),
      await withClient(ownerUrl, (client) => measure(client, Number(count), { gateway, apikey, pushes, mails })),
    )
  } finally {
    await gateway.close()
    await database.stop()
    mails.close()
    pushes.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Setup = {
  readonly gateway: Gateway
  readonly apikey: string
  readonly pushes: PushService
  readonly mails: SmtpServer
}

async function measure(client: pg.Client, followers: number, { gateway, apikey, pushes, mails }: Setup) {
  const { creator, sample, browsers, readersOfMail } = await buildAudience(client, followers, readers, pushes.target)
  const ask = async (person: Person, path: string, body: object): Promise<unknown> => {
    const claims = { sub: person.userId, role: 'authenticated', aud: 'authenticated', aal: 'aal1' }
    const response = await fetch(`${gateway.url}/rest/v1/${path}`, {
      method: 'POST',
      headers: {
        apikey,
        authorization: `Bearer ${await gateway.services.tokens.sign(claims, 3600)}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const before = await countRows(client)
  const startedAt = performance.now()
  const since = () => (performance.now() - startedAt) / 1000
  await ask(creator, 'posts', {
    creator_id: creator.profileId,
    title: 'The pier',
    content: 'Fog, again.',
    post_type: 'free',
  })
  const [bells, push, mail] = await Promise.all([
    (async () => {
      for (const reader of sample) {
        const notices = await ask(reader, 'rpc/get_new_posts', {})
        if (!Array.isArray(notices) || notices.length !== 1) throw new Error('A follower’s bell lacks the post')
      }
      return since()
    })(),
    arrivals(() => pushes.received, browsers, since),
    arrivals(() => mails.received.length, readersOfMail, since),
  ])
  const after = await countRows(client)
  const { rows } = await client.query<{ heard: number }>(
    `select count(*)::int as heard from public.follows f
     where f.following_id = $1 and exists (select from private.unread_posts(f.follower_id, $1))`,
    [creator.profileId],
  )
  const added = [...after].map(([table, many]) => [table, many - (before.get(table) ?? 0)] as const)
  return { bells, heard: rows[0]?.heard ?? 0, push, mail, rows: added.filter(([, many]) => many !== 0) }
}

function report(followers: number, { bells, heard, push, mail, rows }: Awaited<ReturnType<typeof measure>>) {
  const written = rows.reduce((sum, [, many]) => sum + many, 0)
  const seconds = (value: number) => `${value.toFixed(1)} s`
  const target = `≤ ${mostSeconds} s`
  printTable(
    [`a post for ${followers} followers`, 'measured', 'target'],
    [
      ['followers whose bell shows it', String(heard), String(followers)],
      [`${readers} of them have looked, one after the other`, seconds(bells), target],
      [`the last of ${push.count} pushes (the first: ${seconds(push.first)})`, seconds(push.last), target],
      [`${mail.count} emails, from the first to the last`, seconds(mail.last - mail.first), target],
      ['the first email, whose job runs each minute', seconds(mail.first), ''],
      [`rows written: ${rows.map(([table, many]) => `${table} ${many}`).join(', ')}`, String(written), `≤ ${mostRows}`],
    ],
  )
  process.stdout.write(`${writeResult('new-post', { followers, bells, heard, push, mail, rows })}\n`)
  const waits = [bells, push.last, mail.last - mail.first]
  if (heard !== followers || written > mostRows || waits.some((wait) => wait > mostSeconds)) process.exitCode = 1
}

/** When the first one arrives, and when all of them have. */
async function arrivals(arrived: () => number, count: number, since: () => number) {
  let first = Number.NaN
  for (const deadline = performance.now() + longestMs; performance.now() < deadline; await sleep(20)) {
    if (Number.isNaN(first) && arrived() > 0) first = since()
    if (arrived() >= count) return { count, first, last: since() }
  }
  throw new Error(`Only ${arrived()} of ${count} arrived`)
}

/** The rows of each of the product's tables. */
async function countRows(client: pg.Client): Promise<Map<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ many: number }>(`select count(*)::int as many from ${name}`)
    counts.set(name, rows[0]?.many ?? 0)
  }
  return counts
}

type PushService = Awaited<ReturnType<typeof openPushService>>

/** Takes every push, and counts them. */
async function openPushService() {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1
      response.writeHead(201).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    target: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
      p256dh: keys.getPublicKey().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
    get received() {
      return received
    },
    close: () => server.close(),
  }
}
