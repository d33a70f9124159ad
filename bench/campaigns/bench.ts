import { mkdtempSync, rmSync } from 'node:fs'
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
import { deriveRows } from '../../database/bulk-data/derived.ts'
import { buildAudience, type Person } from '../new-post/audience.ts'
import { quantile } from '../quantile.ts'
import { printTable, writeResult } from '../report.ts'

/** MASS-06 */
const mostSeconds = 60
const mostSlowdown = 2
const people = 300
/** One in so many of them writes instead of reading. */
const writeShare = 10
const thinkMs = 2000
const messagesBefore = 50_000
/** All of them begin at once, which is not how people come. */
const warmUpSeconds = 10
const quietSeconds = 20
/** Browsers of the audience that take pushes, which are forgotten again. */
const nowhere = {
  endpoint: 'https://push.example',
  p256dh: Buffer.alloc(65, 4).toString('base64url'),
  auth: Buffer.alloc(16).toString('base64url'),
}

/**
 * `npm run bench -- campaigns [recipients]`: a creator sends a paid mass message to 100,000 fans while 300 of them read their inboxes and
 * write. 1 in 20 fans wants emails. Exits with 1 when a target is missed.
 */
export async function benchCampaigns([count = '100000']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-campaigns-'))
  const mails = new SmtpServer()
  const config = parseConfig({
    NODE_ENV: 'test',
    DEMO: '0',
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATA_DIR: dataDir,
    SMTP_URL: await mails.open(),
    API_LIMIT_MESSAGES: '1000000',
  })
  const log = pino({ level: config.logLevel })
  const secrets = await loadSecrets(config)
  const database = await openDatabase(config, secrets, log)
  const { requestUrl, ownerUrl } = database
  const gateway = await startGateway({
    config,
    secrets,
    log,
    requestUrl,
    ownerUrl,
    hasProductSchema: true,
    sandboxUrl: undefined,
  })
  try {
    const measured = await withClient(ownerUrl, (client) => measure(client, Number(count), gateway, secrets.anonKey))
    report(Number(count), measured)
  } finally {
    await gateway.close()
    await database.stop()
    mails.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(client: pg.Client, recipients: number, gateway: Gateway, apikey: string) {
  const { creator, sample } = await buildAudience(client, recipients, people, nowhere)
  await client.query('delete from private.push_subscriptions')
  await client.query(`update private.user_settings set email = post_emails = 'immediately'`) // 1 in 20
  await writeHistory(client)
  await client.query('vacuum (analyze)')
  const ask = buildAsk(gateway, apikey)
  const everyone = { include: [{ condition: 'everyone' }], exclude: [] }
  const id = await ask(creator, 'rpc/save_mass_message', {
    content: 'A new set, only this week.',
    price_cents: 500,
    file_ids: [],
    preview_index: null,
    audience: everyone,
    skip_owners: false,
    skip_recent_hours: null,
    ends_at: null,
  })
  const countedAt = performance.now()
  const counted = await ask(creator, 'rpc/count_mass_recipients', { audience: everyone })
  const countMs = performance.now() - countedAt

  const crowd = new Crowd(ask, sample, creator)
  await sleep(warmUpSeconds * 1000)
  crowd.take()
  await sleep(quietSeconds * 1000)
  const quiet = crowd.take()
  const memoryBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  await ask(creator, 'rpc/send_mass_message', { mass_message_id: id })
  let memory = 0
  const untilDone = async (isDone: string) => {
    for (let done = false; !done; await sleep(100)) {
      memory = Math.max(memory, process.memoryUsage.rss())
      const { rows } = await client.query<{ done: boolean }>(
        `select ${isDone} as done from public.mass_messages where id = $1`,
        [id],
      )
      done = rows[0]?.done ?? false
    }
  }
  await untilDone(`status = 'sent'`)
  const seconds = (performance.now() - startedAt) / 1000
  const during = crowd.take()
  const { rows } = await client.query<{ copies: number; recipients: number; bells: number; mails: number }>(
    `select count(*)::int as copies, count(distinct m.recipient_id)::int as recipients,
       (select count(*)::int from public.notifications n where n.type = 'message' and n.data ->> 'profile_id' = $2::text) as bells,
       (select count(*)::int from private.notification_deliveries d where d.channel = 'email') as mails
     from private.messages m where m.mass_message_id = $1`,
    [id, creator.profileId],
  )
  const unsentAt = performance.now()
  await ask(creator, 'rpc/unsend_mass_message', { mass_message_id: id })
  await untilDone('not is_taking_back')
  const unsendSeconds = (performance.now() - unsentAt) / 1000
  const duringUnsend = crowd.take()
  await crowd.leave()
  return {
    counted,
    countMs,
    seconds,
    unsendSeconds,
    quiet,
    during,
    duringUnsend,
    memory: memory - memoryBefore,
    failures: crowd.failures,
    ...rows[0],
  }
}

/** What people have written to each other before: an empty product says nothing about the plans of a used one. */
async function writeHistory(client: pg.Client): Promise<void> {
  await client.query(`set session_replication_role = 'replica'`)
  await client.query(
    `with people as (select id, row_number() over (order by id) - 1 as place from private.profiles),
       everyone as (select count(*) as count from people)
     insert into private.messages (sender_id, recipient_id, body, is_read, created_at)
     select one.id, other.id, 'See you on Friday at the concert.', true, now() - n * interval '1 second'
     from generate_series(1, $1::int) n
     join people one on one.place = n % (select count from everyone)
     join people other on other.place = (n * 7 + 1) % (select count from everyone)
     where one.id <> other.id`,
    [messagesBefore],
  )
  await client.query(
    `insert into public.notifications (user_id, type, title, is_read, created_at)
     select user_id, 'message', 'A message', true, now() - interval '1 minute' from private.profiles`,
  )
  await client.query('analyze')
  await deriveRows(client, () => undefined)
  await client.query(`set session_replication_role = 'origin'`)
}

type Ask = (person: Person, path: string, body: object) => Promise<unknown>

function buildAsk(gateway: Gateway, apikey: string): Ask {
  const tokens = new Map<string, Promise<string>>()
  return async ({ userId }, path, body) => {
    const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', aal: 'aal1' }
    const token = tokens.get(userId) ?? gateway.services.tokens.sign(claims, 3600)
    tokens.set(userId, token)
    const response = await fetch(`${gateway.url}/rest/v1/${path}`, {
      method: 'POST',
      headers: { apikey, authorization: `Bearer ${await token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** People with the app open: each asks for something, waits for the answer, and thinks. */
class Crowd {
  #times: number[] = []
  #isOver = false
  readonly #work: Promise<void>[]
  readonly failures: string[] = []

  constructor(ask: Ask, sample: readonly Person[], creator: Person) {
    this.#work = sample.map(async (person, index) => {
      const requests: [string, object][] = [
        ['rpc/get_conversations', {}],
        ['rpc/get_thread', { other_id: creator.profileId }],
        ['rpc/get_unread_counts', {}],
      ]
      const to = sample[(index + 1) % sample.length]?.profileId
      for (let turn = index; !this.#isOver; turn += 1) {
        const [path, body] =
          turn % writeShare === 0
            ? (['messages', { sender_id: person.profileId, recipient_id: to, content: 'Hi' }] as const)
            : (requests[turn % requests.length] ?? ['rpc/get_conversations', {}])
        const startedAt = performance.now()
        await ask(person, path, body).catch((error: unknown) => this.failures.push(String(error)))
        this.#times.push(performance.now() - startedAt)
        await sleep(thinkMs * (0.5 + Math.random()))
      }
    })
  }

  /** How long the answers since the last call took, in milliseconds. */
  take() {
    const times = this.#times.toSorted((a, b) => a - b)
    this.#times = []
    return { answers: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
  }

  async leave(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
  }
}

function report(recipients: number, measured: Awaited<ReturnType<typeof measure>>) {
  const {
    counted,
    countMs,
    seconds,
    unsendSeconds,
    quiet,
    during,
    duringUnsend,
    memory,
    failures,
    copies,
    bells,
    mails,
  } = measured
  const ms = (value: number) => `${value.toFixed(0)} ms`
  printTable(
    [`a mass message for ${recipients} fans`, 'measured', 'target'],
    [
      ['recipients foreseen', String(counted), String(recipients)],
      ['foreseeing them', ms(countMs), ''],
      ['copies', String(copies), String(recipients)],
      ['from Send to the last copy', `${seconds.toFixed(1)} s`, `≤ ${mostSeconds} s`],
      [`${people} people, ${quiet.answers} answers before: p50`, ms(quiet.p50), ''],
      ['p99', ms(quiet.p99), ''],
      [`${during.answers} answers during it: p50`, ms(during.p50), ''],
      ['p99', ms(during.p99), `≤ ${ms(mostSlowdown * quiet.p99)}`],
      ['from Unsend to the last copy', `${unsendSeconds.toFixed(1)} s`, `≤ ${mostSeconds} s`],
      [`${duringUnsend.answers} answers during that: p50`, ms(duringUnsend.p50), ''],
      ['p99', ms(duringUnsend.p99), ''],
      ['more memory of the server, at most', `${(memory / 1024 ** 2).toFixed(0)} MB`, ''],
      [`notifications; emails that wait or failed: ${mails}`, String(bells), String(recipients)],
      ['failed requests', String(failures.length), '0'],
    ],
  )
  process.stdout.write(`${writeResult('campaigns', { recipients, ...measured })}\n`)
  const isMissed =
    copies !== recipients ||
    Math.max(seconds, unsendSeconds) > mostSeconds ||
    during.p99 > mostSlowdown * quiet.p99 ||
    failures.length > 0
  if (isMissed) process.exitCode = 1
}
