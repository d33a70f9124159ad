import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { buildParticipant, type Participant } from '../payments/testing/random-walks/people.ts'
import { retryUnanswered } from '../payments/testing/random-walks/retry-unanswered.ts'
import { call, onboard, pay } from '../payments/testing/shop.ts'
import { filesBelow } from '../storage/testing/files-below.ts'
import { sweepADayLater } from '../storage/testing/sweep-later.ts'
import { freePort } from '../testing/free-port.ts'
import { type Product, startProduct, type Victim } from '../testing/product.ts'
import { openDatabaseForCommand } from './database-for-command.ts'
import { findDifferences } from './find-differences.ts'

/** `npm run proof:durability` kills more often, and lets users pay: a killed server's job is retried only a minute later. */
const isProof = process.env.DURABILITY_KILLS !== undefined
const kills = Number(process.env.DURABILITY_KILLS ?? 3)
const kinds = ['comment', 'like', 'follow', 'message', 'bio', 'file', ...(isProof ? ['tip'] : [])]
const writers = 4
const victims: readonly Victim[] = ['server', 'database', 'both']

let dataDir: string
let port: number
let product: Product | undefined

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ovation-durability-'))
  port = await freePort()
})
afterAll(async () => {
  await product?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The allowed states of each item after a crash: the last acknowledged one, or one whose answer was lost. */
class Ledger {
  readonly #possible = new Map<string, ReadonlySet<string>>()
  readonly acknowledged = new Map<string, number>()
  readonly refusals: string[] = []

  /** @param send resolves with the error of the answer, or null. */
  async change(kind: string, name: string, next: string, send: () => PromiseLike<Refusal | null>): Promise<void> {
    const thing = `${kind} ${name}`
    const before = this.#possible.get(thing) ?? new Set([''])
    this.#possible.set(thing, new Set([...before, next]))
    const refusal = await send()
    if (refusal === null) {
      this.#possible.set(thing, new Set([next]))
      this.acknowledged.set(kind, (this.acknowledged.get(kind) ?? 0) + 1)
    } else if (isAnswer(refusal)) this.refusals.push(`${thing}: ${JSON.stringify(refusal)}`)
  }

  /** Resolves when that many more changes have been acknowledged. */
  async waitForMore(changes: number): Promise<void> {
    const sum = () => [...this.acknowledged.values()].reduce((all, one) => all + one, 0)
    const wanted = sum() + changes
    while (sum() < wanted) await sleep(5)
  }

  /** @param found the existing items, by the same names; missing items are absent. */
  findBroken(found: ReadonlyMap<string, string>): string[] {
    return [...this.#possible]
      .filter(([thing, possible]) => !possible.has(found.get(thing) ?? ''))
      .map(([thing, possible]) => `${thing} is '${found.get(thing) ?? ''}', not ${[...possible].join(' or ')}`)
  }
}

type Refusal = { readonly status: number; readonly message: string }

/** A 4xx: the server understood the request and rejected it. A broken connection or a 5xx comes from a dying server. */
const isAnswer = ({ status }: Refusal): boolean => status >= 400 && status < 500

it('keeps everything that it acknowledged, whichever process is killed at any time [GEN-06, API-STO-09]', {
  timeout: 360_000 + kills * 30_000,
}, async () => {
  await start()
  const people = await withOwner(buildPeople)
  // Otherwise the first kill hits the job that records their payments, and everything waits a minute for its retry.
  await nothingWaits()
  const ledger = new Ledger()
  let isOver = false
  const work = people.map(async (_, index) => {
    for (let turn = 0; !isOver; turn++) {
      await write(ledger, people, index, turn)
      // A refused connection fails at once, so the retries wait as users would.
      await sleep(10)
    }
  })
  for (let round = 0; round < kills; round++) {
    // Counted in changes, not in time: a slow machine is killed at the same points.
    await ledger.waitForMore(5 + Math.floor(Math.random() * 60))
    const victim = victims[round % victims.length] ?? 'both'
    await product?.kill(victim)
    if (victim !== 'database') await start()
  }
  await vi.waitFor(async () => expect((await fetch(`${product?.url}/health/ready`)).ok).toBe(true), 60_000)
  await ledger.waitForMore(10)
  isOver = true
  await Promise.all(work)

  expect(ledger.refusals).toEqual([])
  for (const kind of kinds) expect(ledger.acknowledged.get(kind) ?? 0, kind).toBeGreaterThan(0)
  await nothingWaits()
  expect(ledger.findBroken(await withOwner(readAll))).toEqual([])
  expect(await withOwner(findDifferences)).toEqual([])
  const books = await call(people[0] as Participant, 'reconcile-payments')
  expect(books).toMatchObject({ success: true, healed: 0, differences: [] })
  await expectFilesAsRows()
  process.stdout.write(`${kills} kills; acknowledged: ${JSON.stringify(Object.fromEntries(ledger.acknowledged))}\n`)
})

async function start(): Promise<void> {
  product = await startProduct(dataDir, port, { NODE_ENV: 'test', LOG_LEVEL: 'fatal' })
}

async function withOwner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const { ownerUrl } = await openDatabaseForCommand(parseConfig({ DATA_DIR: dataDir }), running().secrets)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function running(): Product {
  if (!product) throw new Error('the product does not run')
  return product
}

/** The first is a creator with a post, and an admin; all have a saved card. */
async function buildPeople(owner: pg.Client): Promise<readonly Participant[]> {
  const query = async <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    (await owner.query<Row>(text, values)).rows
  // They keep retrying while it is down.
  const server = { ...running(), standing: async () => undefined }
  const people: Participant[] = []
  for (let index = 0; index < writers; index++) people.push(await buildParticipant(query, server))
  const [creator] = people as [Participant]
  await query('update private.profiles set is_creator = true, is_verified = true where id = $1', [creator.profileId])
  await query(
    `insert into public.user_roles (user_id, role) select user_id, 'admin' from private.profiles where id = $1`,
    [creator.profileId],
  )
  await call(creator, 'create-stripe-account')
  const { url } = await call<{ url: string }>(creator, 'create-onboarding-link', { origin: running().url })
  await onboard(url)
  await call(creator, 'check-stripe-status')
  await query(`insert into storage.buckets (id, name) values ('durability', 'durability')`)
  await creator.client.from('posts').insert({ creator_id: creator.profileId, content: 'Under fire' }).throwOnError()
  for (const fan of people.slice(1)) {
    const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 100 }
    const checkout = await call<{ url: string }>(fan, 'create-payment-checkout', tip)
    await pay(checkout.url, undefined, { keep: 'yes' })
  }
  return people
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** One write of one user, by the official client, like the app. Each user has their own like, follow, biography, and file. */
async function write(ledger: Ledger, people: readonly Participant[], index: number, turn: number): Promise<void> {
  const { client, profileId } = people[index] as Participant
  const [creator] = people as [Participant]
  const other = people[(index + 1) % people.length] as Participant
  const name = `${index}-${turn}`
  const post_id = await firstPost(creator)
  switch (turn % kinds.length) {
    case 0:
      return ledger.change('comment', name, 'there', () =>
        answer(client.from('comments').insert({ post_id, user_id: profileId, content: name })),
      )
    case 1: {
      const wants = turn % 2 === 0
      const likes = client.from('post_likes')
      return ledger.change('like', profileId, wants ? 'there' : '', () =>
        answer(
          wants
            ? likes.upsert({ post_id, user_id: profileId }, { onConflict: 'post_id,user_id', ignoreDuplicates: true })
            : likes.delete().eq('post_id', post_id).eq('user_id', profileId),
        ),
      )
    }
    case 2: {
      const wants = turn % 2 === 0
      const pair = { follower_id: profileId, following_id: other.profileId }
      const follows = client.from('follows')
      return ledger.change('follow', profileId, wants ? 'there' : '', () =>
        answer(
          wants
            ? follows.upsert(pair, { onConflict: 'follower_id,following_id', ignoreDuplicates: true })
            : follows.delete().match(pair),
        ),
      )
    }
    case 3:
      return ledger.change('message', name, 'there', () =>
        answer(client.from('messages').insert({ sender_id: profileId, recipient_id: other.profileId, content: name })),
      )
    case 4:
      return ledger.change('bio', profileId, name, () =>
        answer(client.from('profiles').update({ bio: name }).eq('id', profileId)),
      )
    case 5: {
      const body = randomBytes(Math.ceil(Math.random() * 60_000))
      const service = running().secrets.serviceRoleKey
      return ledger.change('file', `${index}.bin`, sha(body), async () => {
        const response = await fetch(`${running().url}/storage/v1/object/durability/${index}.bin`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${service}`,
            'content-type': 'application/octet-stream',
            'x-upsert': 'true',
          },
          body,
        }).catch(() => undefined)
        if (!response) return { status: 0, message: 'no answer' }
        return response.ok ? null : { status: response.status, message: await response.text().catch(() => '') }
      })
    }
    default: {
      // A unique amount identifies each tip. Nobody tips themselves.
      if (index === 0) return
      const amountCents = 101 + (index - 1) * 16_000 + Math.floor(turn / kinds.length)
      const tip = { kind: 'tip', targetId: creator.profileId, amountCents, attemptId: crypto.randomUUID() }
      return ledger.change('tip', `${amountCents}`, '1', () =>
        call(people[index] as Participant, 'create-payment-checkout', tip).then(
          ({ status, ...rest }) => (status === 'paid' ? null : { status: 400, message: JSON.stringify(rest) }),
          ({ message, cause }: Error) => ({ message, status: (cause as { context?: Response }).context?.status ?? 0 }),
        ),
      )
    }
  }
}

async function answer(
  sent: PromiseLike<{ error: { message: string } | null; status: number }>,
): Promise<Refusal | null> {
  const { error, status } = await sent
  return error && { status, message: error.message }
}

let postId: string | undefined
async function firstPost({ client }: Participant): Promise<string> {
  postId ??= (await retryUnanswered(async () => client.from('posts').select('id').limit(1).single().throwOnError()))
    .data.id
  return postId as string
}

const nothingWaits = () => vi.waitFor(() => withOwner(expectNothingWaits), { timeout: 240_000, interval: 500 })

async function expectNothingWaits(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query(
    `select type, error from private.stripe_events where processed_at is null
     union all select kind, error from private.payment_tasks where done_at is null`,
  )
  expect(rows).toEqual([])
}

async function readAll(owner: pg.Client): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ thing: string; state: string }>(
    `select 'comment ' || content as thing, 'there' as state from public.comments
     union all select 'like ' || user_id, 'there' from public.post_likes
     union all select 'follow ' || follower_id, 'there' from public.follows
     union all select 'message ' || content, 'there' from public.messages where content is not null
     union all select 'bio ' || id, coalesce(bio, '') from private.profiles
     union all select 'tip ' || amount, count(*)::text from public.transactions
       where transaction_type = 'tip' and status = 'completed' group by amount`,
  )
  const found = new Map(rows.map(({ thing, state }) => [thing, state]))
  const { url, secrets } = running()
  for (let index = 0; index < writers; index++) {
    const response = await fetch(`${url}/storage/v1/object/durability/${index}.bin`, {
      headers: { authorization: `Bearer ${secrets.serviceRoleKey}` },
    })
    if (response.ok) found.set(`file ${index}.bin`, sha(new Uint8Array(await response.arrayBuffer())))
  }
  return found
}

/** Once the leftovers of the crash are swept, each row has its file and each file its row. */
async function expectFilesAsRows(): Promise<void> {
  const { secrets } = running()
  const { ownerUrl } = await openDatabaseForCommand(parseConfig({ DATA_DIR: dataDir }), secrets)
  await sweepADayLater({ requestUrl: ownerUrl, ownerUrl, dataDir })
  const { rows } = await withOwner((owner) =>
    owner.query<{ version: string }>('select distinct version collate "C" as version from storage.objects order by 1'),
  )
  expect(filesBelow(dataDir, 'storage', 'objects')).toEqual(rows.map(({ version }) => version))
}
