import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { startSandbox } from '../index.ts'
import { buildReceiver, buildWorld, webhookSecret } from '../testing/harness.ts'
import { signatureHeader } from './sign.ts'

it('signs so that the SDK accepts the body and nothing else', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event' })
  const header = signatureHeader(webhookSecret, body, Math.floor(Date.now() / 1000))
  const { webhooks } = new Stripe('sk_test_x')
  expect(webhooks.constructEvent(body, header, webhookSecret).id).toBe('evt_1')
  expect(() => webhooks.constructEvent(`${body} `, header, webhookSecret)).toThrow(/signature/i)
  expect(() => webhooks.constructEvent(body, header, 'whsec_other')).toThrow(/signature/i)
  expect(() => webhooks.constructEvent(body, signatureHeader(webhookSecret, body, 1), webhookSecret)).toThrow(
    /tolerance/,
  )
})

it('sends an event again until it is taken, and counts it as pending until then', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  receiver.answer(500)
  await world.stripe.products.create({ name: 'Backstage' })
  await world.sandbox.webhooksSettled()
  const [event] = (await world.stripe.events.list()).data
  expect(event).toMatchObject({ type: 'product.created', pending_webhooks: 1 })

  receiver.answer(200)
  await eventually(() => expect(receiver.events.map(({ id }) => id)).toEqual([event?.id]))
  await world.sandbox.webhooksSettled()
  expect((await world.stripe.events.retrieve(event?.id ?? '')).pending_webhooks).toBe(0)
})

it('goes on after a restart with what was not delivered, wherever the webhook is then', async () => {
  await using world = await buildWorld({ webhook: { url: 'http://127.0.0.1:9/nobody', secret: webhookSecret } })
  const product = await world.stripe.products.create({ name: 'Backstage' })
  await world.sandbox.webhooksSettled()
  await world.sandbox.close()

  await using receiver = await buildReceiver()
  const restarted = await startSandbox({ file: world.file, webhook: { url: receiver.url, secret: webhookSecret } })
  await eventually(() => expect(receiver.events).toMatchObject([{ data: { object: { id: product.id } } }]))
  await restarted.close()
})

it('sends to an endpoint of the API what it asked for, and accounts only to a connect endpoint', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld()
  const { stripe } = world
  const endpoint = await stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['product.created', 'account.updated'],
  })
  expect(endpoint.secret).toMatch(/^whsec_/)
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined()
  await stripe.customers.create({})
  await stripe.products.create({ name: 'Backstage' })
  const account = await stripe.accounts.create({ type: 'express' })
  await stripe.accounts.update(account.id, { email: 'ada@example.com' })
  const pending = (await stripe.events.list()).data.map((event) => [event.type, event.pending_webhooks])
  // Deliveries are refused by the receiver (another secret), so what is pending is what was meant for the endpoint.
  const platform = await stripe.events.list({}, { stripeAccount: account.id })
  expect(pending).toEqual([
    ['product.created', 1],
    ['customer.created', 0],
  ])
  expect(platform.data.map((event) => [event.type, event.pending_webhooks])).toEqual([['account.updated', 0]])
  expect(await stripe.webhookEndpoints.del(endpoint.id)).toMatchObject({ deleted: true })
})

/** The sandbox as a process of its own, on a port that it chose. */
async function spawnSandbox(file: string, webhookUrl: string): Promise<{ child: ChildProcess; stripe: Stripe }> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      SANDBOX_FILE: file,
      SANDBOX_PORT: '0',
      SANDBOX_WEBHOOK_URL: webhookUrl,
      SANDBOX_WEBHOOK_SECRET: webhookSecret,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = /127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1] ?? ''
  return {
    child,
    stripe: new Stripe('sk_test_x', {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
    }),
  }
}

it('loses nothing that it has answered when it is killed in the middle of work', { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const file = join(folder, 'sandbox.sqlite')
  await using receiver = await buildReceiver()
  receiver.answer(503)
  const answered: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const { child, stripe } = await spawnSandbox(file, receiver.url)
    const work = async () => {
      for (;;) answered.push((await stripe.products.create({ name: `Plan ${answered.length}` })).id)
    }
    const stopped = work().catch(() => undefined)
    await eventually(() => expect(answered.length).toBeGreaterThan((round + 1) * 5))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await stopped
  }
  receiver.answer(200)
  const { child, stripe } = await spawnSandbox(file, receiver.url)
  const kept: string[] = []
  for await (const product of stripe.products.list({ limit: 100 })) kept.push(product.id)
  expect(kept).toEqual(expect.arrayContaining(answered))
  // At most the one request of each round that was being answered when the kill came.
  expect(kept.length - answered.length).toBeLessThanOrEqual(3)
  await eventually(() =>
    expect(new Set(receiver.events.map((event) => (event.data.object as { id: string }).id))).toEqual(new Set(kept)),
  )
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  rmSync(folder, { recursive: true, force: true })
})

it('sends events late and in no order where that is switched on, each once', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({
    webhook: { url: receiver.url, secret: webhookSecret },
    truth: { lateEvents: true },
  })
  const names = Array.from({ length: 12 }, (_, number) => `Product ${number}`)
  for (const name of names) await world.stripe.products.create({ name })
  await world.sandbox.webhooksSettled()
  const heard = receiver.events.map(({ data }) => (data.object as Stripe.Product).name)
  expect(heard).not.toEqual(names)
  expect(heard.toSorted()).toEqual(names.toSorted())
})
