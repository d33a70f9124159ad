import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import { onboardingAnswers, submit, visit } from '@ovation/sandbox/visit'
import Stripe from 'stripe'
import { expect, it, onTestFinished } from 'vitest'
import type { DemoEvent, PayoutDay } from './plan.ts'
import { type ProviderWorld, type Replay, replayYear } from './provider.ts'

const day = 86_400
const now = Math.floor(Date.now() / 1000)

const event = <const About extends object>(daysAgo: number, fan: string, creator: string, about: About) => ({
  at: now - daysAgo * day,
  fan,
  creator,
  ...about,
})
const subscribe = (trialDays = 0) => ({ kind: 'subscribe', plan: 'Studio', trialDays }) as const
const tip = (cents: number) => ({ kind: 'tip', cents }) as const

/** All kinds of events, two of them in the same second, and renewals between them. */
const year: readonly (DemoEvent | PayoutDay)[] = [
  event(100, 'ana', 'mara', subscribe()),
  event(99, 'ben', 'mara', subscribe(7)),
  event(90, 'ana', 'mara', tip(500)),
  { at: now - 75 * day, kind: 'payouts' },
  event(60, 'ben', 'juno', subscribe()),
  event(55, 'ana', 'mara', { kind: 'cancel' }),
  event(50, 'ben', 'juno', { kind: 'buy', content: 'A song', cents: 700 }),
  event(50, 'ana', 'juno', tip(500)),
  event(49, 'ana', 'juno', tip(500)),
  { at: now - 20 * day, kind: 'payouts' },
  event(10, 'ben', 'mara', tip(300)),
  event(5, 'ben', 'juno', { kind: 'cancel' }),
]

/** The provider with two creators, as a first start leaves it. `restart` stops it and starts it again. */
async function buildProvider() {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-year-'))
  const start = () => startSandbox({ file: join(folder, 'sandbox.sqlite'), isDurable: false, isClockPaused: true })
  let sandbox = await start()
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const stripe = sdkFor(sandbox)
  const accounts = { mara: await buildAccount(stripe), juno: await buildAccount(stripe) }
  const product = await stripe.products.create({ name: 'Studio' })
  const recurring = { interval: 'month' } as const
  const { id: price } = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    recurring,
  })
  const world: ProviderWorld = {
    profiles: new Map(
      ['mara', 'juno', 'ana', 'ben'].map((name) => [name, { id: `id-of-${name}`, name, email: `${name}@example.com` }]),
    ),
    accounts: new Map(Object.entries(accounts)),
    plans: new Map(['mara', 'juno'].map((creator) => [`${creator} Studio`, { id: `plan-of-${creator}`, price }])),
    posts: new Map([['A song', 'id-of-song']]),
    customers: new Map(),
    feePercent: 10,
  }
  return {
    replay: (rest: Pick<Replay, 'done' | 'onProgress' | 'signal'>) => replayYear({ sandbox, world, year, ...rest }),
    restart: async () => {
      await sandbox.close()
      sandbox = await start()
    },
    read: () => readBooks(sandbox, accounts),
  }
}

const sdkFor = ({ host, port }: Sandbox) =>
  new Stripe('sk_test_year', { host, port, protocol: 'http', telemetry: false })

async function buildAccount(stripe: Stripe): Promise<string> {
  const { id } = await stripe.accounts.create({
    type: 'express',
    country: 'US',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  const link = await stripe.accountLinks.create({
    account: id,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/refresh',
    return_url: 'http://shop.test/return',
  })
  await submit(await visit(link.url), onboardingAnswers)
  return id
}

/** What the provider has, without its own ids. */
async function readBooks(sandbox: Sandbox, accounts: Readonly<Record<string, string>>) {
  const stripe = sdkFor(sandbox)
  const limit = 100
  const { accounts: held, ...books } = sandbox.books()
  const { data: customers } = await stripe.customers.list({ limit })
  const { data: subscriptions } = await stripe.subscriptions.list({ status: 'all', limit })
  const { data: charges } = await stripe.charges.list({ limit })
  const { data: invoices } = await stripe.invoices.list({ limit })
  const ofEach = <Result>(read: (account: string) => Promise<Result>) =>
    Promise.all(Object.entries(accounts).map(async ([name, account]) => [name, await read(account)] as const))
  return {
    books,
    held: await ofEach(async (account) => held[account]),
    payouts: await ofEach(async (stripeAccount) => {
      const { data } = await stripe.payouts.list({ limit }, { stripeAccount })
      return data.map(({ created, amount }) => [created, amount])
    }),
    cards: await Promise.all(
      customers.map(async ({ id, metadata, created }) => {
        const { data } = await stripe.paymentMethods.list({ customer: id, limit })
        return [created, metadata.profile_id, data.length]
      }),
    ),
    subscriptions: subscriptions.map(({ created, status, metadata, canceled_at, ended_at }) => [
      created,
      status,
      metadata,
      canceled_at,
      ended_at,
    ]),
    charges: charges.map(({ created, amount, application_fee_amount, metadata }) => [
      created,
      amount,
      application_fee_amount,
      metadata,
    ]),
    invoices: invoices.map(({ created, status, amount_paid }) => [created, status, amount_paid]),
  }
}

const stopped = new Error('stopped')

it('makes the same year of payments, wherever starts are stopped in between', async () => {
  const whole = await buildProvider()
  const { signal } = new AbortController()
  await whole.replay({ done: 0, signal, onProgress: async () => undefined })
  const expected = await whole.read()
  expect(expected.subscriptions).toHaveLength(3)
  expect(expected.charges.length).toBeGreaterThan(10)
  expect(expected.payouts.every(([, payouts]) => payouts.length > 0)).toBe(true)

  const parts = await buildProvider()
  for (let done = 0; done < year.length; done++) {
    // Killed after the event, before the progress was kept.
    const killed = parts.replay({ done, signal, onProgress: () => Promise.reject(stopped) })
    await expect(killed).rejects.toBe(stopped)
    await parts.restart()
    // Stopped after it was kept.
    const stopping = new AbortController()
    const kept: number[] = []
    const onProgress = async (count: number) => {
      kept.push(count)
      if (count < year.length) stopping.abort(stopped)
    }
    const ended = parts.replay({ done, signal: stopping.signal, onProgress })
    if (done + 1 < year.length) await expect(ended).rejects.toBe(stopped)
    else await ended
    expect(kept).toEqual([done + 1])
    await parts.restart()
  }
  expect(await parts.read()).toEqual(expected)
  // Nothing is left to do.
  await parts.replay({ done: year.length, signal, onProgress: () => Promise.reject(stopped) })
  expect(await parts.read()).toEqual(expected)
})
