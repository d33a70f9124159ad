import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@ovation/sandbox'
import pMap from 'p-map'
import { pino } from 'pino'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { parseConfig } from '../../../config.ts'
import { closeGoals } from '../../../goals/close-goals.ts'
import { Database } from '../../../postgres/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { seededRandom } from '../../../testing/random.ts'
import type { Payments } from '../../payments.ts'
import { reconcile } from '../../reconciliation/reconcile.ts'
import { buildStripe } from '../../stripe.ts'
import { carryOutPaymentTasks } from '../../tasks/payment-tasks.ts'
import { payReferrals } from '../../transfers/referral-transfers.ts'
import { fulfillEvent, handledTypes } from '../../webhooks/fulfill-event.ts'
import { expectBalancedBooks } from '../expect-balanced-books.ts'
import { call, pay } from '../shop.ts'
import { type CrashableServer, startCrashableServer } from './crashable-server.ts'
import { expectAccessAsPaid } from './expect-consistent.ts'
import { type FlakyNetwork, openFlakyNetwork } from './flaky-network.ts'
import { buildParticipant } from './people.ts'
import { retryUnanswered } from './retry-unanswered.ts'
import { reinstate, type Step, stepsOf, take } from './steps.ts'
import { buildCreator, buildWalkFixture, type Environment, type WalkFixture } from './walk-fixture.ts'

/** The totals of a run. */
export type Summary = {
  walks: number
  /** What the provider does with subscriptions that nobody pays. */
  dunning: string
  steps: number
  crashes: number
  lost: number
  doubled: number
  events: number
  payments: number
  renewals: number
  refunds: number
  disputes: number
  /** Duplicate subscriptions of the same two users. */
  duplicates: number
  /** Creators who were suspended for a while. */
  suspensions: number
  /** Debits from creators' banks. */
  debits: number
  /** Payment tasks and referral earnings that the provider has rejected for a while, most of them for lack of money. */
  refusals: number
  /** Subscriptions that ended unpaid. */
  unpaid: number
  /** Steps that banks and operators took themselves. */
  happened: Record<string, number>
}

type Walk = { readonly number: number; readonly steps: readonly Step[]; readonly world: WalkFixture }

/** Like an endpoint at Stripe (docs/stripe.md). */
const asked = [...handledTypes] as Stripe.WebhookEndpointUpdateParams['enabled_events'] & object
/** How many users click at once. */
const concurrency = 48
const day = 86_400
/** The maximum number of webhooks between two crashes: few if there are few walks, so that it crashes in every environment. */
const webhooksPerWalk = 8
const mostWebhooks = 80
/** The webhooks of a night's work may get lost too, but not so many in a row. */
const mostNights = 8
/** The amount that an operator adds to the platform's balance, now and then and when all is to be settled. */
const someMoney = 2_000
const enoughMoney = 10_000_000
const availableAtOnce = '4000 0000 0000 0077'
const dunnings = ['cancel', 'unpaid', 'past_due'] as const

/**
 * Runs the walks with these numbers in parallel in one environment: each in its own world, all with one server that is killed repeatedly,
 * and webhooks that are lost, late, and duplicated. The provider is as inconvenient as Stripe: it begins with an empty balance, keeps its
 * rejections, and in every second environment pays creators out daily; the environment also decides what becomes of unpaid subscriptions.
 * Time passes for all walks at once. Then the crashes stop, and nightly reconciliation finds what has not arrived. Finally everything must
 * agree: the ledger with the provider's books, and both with what each fan may see.
 * @param first the number of the first walk; the others follow.
 * @throws if anything disagrees, with the numbers of the walks.
 */
export async function runRandomWalks({ first, count }: { first: number; count: number }): Promise<Summary> {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-walks-'))
  const database = await createTestDatabase()
  const fate = seededRandom(first + 3)
  const dailyPayouts = fate() < 0.5
  const dunning = dunnings[Math.floor(fate() * dunnings.length)] ?? 'cancel'
  const sandbox = await startSandbox({
    file: join(folder, 'sandbox.sqlite'),
    merchant: 'Ovation',
    isDurable: false,
    truth: { lateEvents: true },
    dailyPayouts,
    dunning,
  })
  const server = await startCrashableServer(database, { STRIPE_API_BASE: sandbox.url, DATABASE_CONNECTIONS: '6' })
  const network = await openFlakyNetwork(`${server.url}/functions/v1/stripe-webhook`, server, seededRandom(first))
  const payments = openPayments(database, server, sandbox.url)
  try {
    sandbox.setPublicUrl(sandbox.url)
    const happened: Record<string, number> = {}
    const environment: Environment = {
      server,
      sandbox,
      stripe: payments.stripe.api,
      query: database.query,
      count: (what) => {
        happened[what] = (happened[what] ?? 0) + 1
      },
      carryOut: () => carryOutPaymentTasks(payments),
    }
    const inviter = await buildCreator(environment)
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    const walks: Walk[] = []
    const begin = async (number: number) => {
      walks.push({ number, steps: stepsOf(number), world: await buildWalkFixture(environment, inviter) })
    }
    await pMap(numbers, begin, { concurrency })
    sandbox.setWebhook({ url: network.url, secret: server.secrets.sandboxWebhookSecret })
    for await (const { id } of environment.stripe.webhookEndpoints.list())
      await environment.stripe.webhookEndpoints.update(id, { enabled_events: asked })
    server.crashAtRandom(seededRandom(first + 1), network, Math.min(webhooksPerWalk * count, mostWebhooks))
    await walkAll(environment, walks, seededRandom(first + 2))
    await server.stopCrashing()
    for (const { world } of walks) await reinstate(world)
    await settle(environment, network, payments)
    await expectBalancedBooks({ gateway: { query: database.query }, sandbox })
    await database.query('select private.roll_up_funnel(), private.roll_up_subscribers()')
    // Checkout sessions were dated back for the nights, after they had been counted.
    const counters = `select * from private.verify_counters() where counter not in ('funnel_quarters.checkouts', 'funnel_quarters.plan_checkouts')`
    expect(await database.query(counters), 'counters').toEqual([])
    const judge = async ({ number, steps, world }: Walk) => {
      await expectAccessAsPaid(world, steps).catch((error: Error) => {
        const told = steps.map((step) => JSON.stringify(step)).join('\n')
        throw new Error(`walk ${number}: ${error.message}\n${told}`, { cause: error })
      })
    }
    await pMap(walks, judge, { concurrency })
    const steps = walks.reduce((sum, walk) => sum + walk.steps.length, 0)
    const suspensions = walks.reduce((sum, { world }) => sum + world.suspensions.length, 0)
    return {
      walks: count,
      dunning,
      steps,
      suspensions,
      crashes: server.crashes(),
      ...(await countUp(environment, network)),
      happened,
    }
  } finally {
    await network.close()
    await server.close()
    await payments.database.close()
    await sandbox.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function countUp({ query }: Environment, { counts: { lost, doubled } }: FlakyNetwork) {
  const [counted] = await query<
    Pick<
      Summary,
      'events' | 'payments' | 'renewals' | 'refunds' | 'disputes' | 'duplicates' | 'debits' | 'refusals' | 'unpaid'
    >
  >(
    `select (select count(*) from private.stripe_events)::int as events,
       count(*) filter (where transaction_type <> 'refund' and amount > 0 and from_user_id is not null)::int as payments,
       count(*) filter (where transaction_type = 'subscription')::int as renewals,
       count(*) filter (where transaction_type = 'refund')::int as refunds,
       (select count(*) from private.payment_disputes)::int as disputes,
       (select count(*) from private.stripe_subscriptions where is_duplicate)::int as duplicates,
       count(*) filter (where transaction_type = 'payout' and amount < 0)::int as debits,
       (select count(*) from private.payment_tasks where refusals > 0)::int
         + (select count(*) from private.referral_transfers where refusals > 0)::int as refusals,
       (select count(*) from public.subscriptions where status = 'unpaid')::int as unpaid
     from public.transactions`,
  )
  if (!counted) throw new Error('nothing was counted')
  return { lost, doubled, ...counted }
}

/** Everyone takes a step, some time passes, and so on until the longest walk is over. */
async function walkAll({ sandbox }: Environment, walks: readonly Walk[], random: () => number): Promise<void> {
  const rounds = Math.max(...walks.map(({ steps }) => steps.length))
  for (let round = 0; round < rounds; round += 1) {
    const live = async ({ world, steps }: Walk) => {
      const step = steps[round]
      if (step) await take(world, step)
    }
    await pMap(walks, live, { concurrency })
    // Longer than a trial, shorter than a month, longer than a month.
    sandbox.advanceClock(random() < 0.3 ? Math.round(1 + random() * 35) * day : 60)
    if (random() < 0.1) sandbox.topUp(someMoney)
  }
}

/** Runs the nightly jobs: they find what was lost and pay what is owed. The last night finds nothing to do. */
async function settle(environment: Environment, network: FlakyNetwork, payments: Payments): Promise<void> {
  const { sandbox, query } = environment
  const arrived = async () => {
    await sandbox.webhooksSettled()
    await network.quiet()
  }
  await arrived()
  await query(`update private.checkout_sessions set created_at = created_at - interval '1 hour'`)
  // All goals are over.
  await query(
    `update public.goals set created_at = created_at - interval '30 days', ends_at = now() - interval '2 hours'`,
  )
  sandbox.topUp(enoughMoney)
  for (let night = 0; night < mostNights; night += 1) {
    const pending = await query<{ id: string }>('select id from private.stripe_events where processed_at is null')
    await pMap(pending, ({ id }) => fulfillEvent(payments, id), { concurrency: 4 })
    const sent = network.counts.taken + network.counts.lost
    await query('update private.payment_tasks set waits_until = null')
    await closeGoals(payments.database.service)
    // A bill of the last minutes is a draft, and a refund may take a while: both are settled in an hour.
    sandbox.advanceClock(2 * 3_600)
    await carryOutPaymentTasks(payments)
    const { healed } = await reconcile(payments, 400)
    await payReferrals(payments)
    await arrived()
    if (healed > 0 || pending.length > 0 || network.counts.taken + network.counts.lost !== sent) continue
    if (!(await earnAgain(environment))) return
  }
  throw new Error(`after ${mostNights} nights there is still work left`)
}

/** Creators with a negative balance earn money. @returns whether there was one. */
async function earnAgain({ query, server, count }: Environment): Promise<boolean> {
  const owing = await query<{ id: string }>(
    `select distinct p.to_user_id as id from private.payment_tasks t join public.transactions p on p.id = t.transaction_id
     where t.done_at is null and t.waits_until is not null`,
  )
  for (const { id } of owing) {
    count('debts')
    const patron = await buildParticipant(query, server)
    const order = { kind: 'tip', targetId: id, amountCents: 50_000, savedCard: 'skip', attemptId: crypto.randomUUID() }
    const { url } = await retryUnanswered(() => call<{ url: string }>(patron, 'create-payment-checkout', order))
    await pay(url, availableAtOnce)
  }
  return owing.length > 0
}

/** The services for the server's own nightly jobs. */
function openPayments(
  { requestUrl, ownerUrl }: { readonly requestUrl: string; readonly ownerUrl: string },
  { secrets }: CrashableServer,
  sandboxUrl: string,
): Payments & { readonly database: Database } {
  const config = parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DEMO: '0' })
  const database = new Database({
    requestUrl,
    ownerUrl,
    connections: 4,
    maxWaiting: 100,
    searchPath: 'public, extensions',
    statementTimeoutMs: 60_000,
    encryptionKey: secrets.encryptionKey,
  })
  return { config, database, log: pino({ level: 'fatal' }), stripe: buildStripe(config, secrets, sandboxUrl) }
}
