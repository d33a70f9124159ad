import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { type Sandbox, type SandboxOptions, startSandbox } from '../index.ts'
import { onboardingAnswers, type Page, payingCard, submit, visit } from '../visit.ts'

export const webhookSecret = 'whsec_test_of_the_sandbox'

/** The official SDK, pointed at a sandbox. */
const sdkFor = (sandbox: Sandbox, config: { maxNetworkRetries?: number } = {}): Stripe =>
  new Stripe('sk_test_sandbox', {
    host: sandbox.host,
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    ...config,
  })

export type World = AsyncDisposable & { sandbox: Sandbox; stripe: Stripe; file: string }

/** A sandbox on a file of its own, gone with the test. */
export async function buildWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const file = join(folder, 'sandbox.sqlite')
  const sandbox = await startSandbox({
    file,
    log: { warn: () => {}, error: (message) => console.error(message) },
    ...options,
  })
  return {
    sandbox,
    stripe: sdkFor(sandbox),
    file,
    [Symbol.asyncDispose]: async () => {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Receiver = AsyncDisposable & {
  url: string
  events: Stripe.Event[]
  /** What the receiver answers from now on. */
  answer: (status: number) => void
}

/** A shop's webhook: checks the signature with the SDK and keeps what came. */
export async function buildReceiver(stripe = new Stripe('sk_test_receiver')): Promise<Receiver> {
  const events: Stripe.Event[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    try {
      const event = stripe.webhooks.constructEvent(
        Buffer.concat(chunks),
        request.headers['stripe-signature'] ?? '',
        webhookSecret,
      )
      if (status < 300) events.push(event)
      response.writeHead(status).end()
    } catch (error) {
      response.writeHead(400).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    events,
    answer: (next) => {
      status = next
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Pays an open session with a card and answers with the page that follows. */
export async function payWith(
  sessionUrl: string | null,
  number: string,
  values: Record<string, string> = {},
): Promise<Page> {
  return submit(await visit(sessionUrl), { ...payingCard, number, ...values })
}

/** A creator's account that has been through the onboarding page. */
export async function buildCreator(stripe: Stripe): Promise<Stripe.Account> {
  const account = await stripe.accounts.create({
    type: 'express',
    country: 'US',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  const link = await stripe.accountLinks.create({
    account: account.id,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/refresh',
    return_url: 'http://shop.test/return',
  })
  await submit(await visit(link.url), onboardingAnswers)
  return stripe.accounts.retrieve(account.id)
}

/** $9.99 for each month, unless said otherwise. */
export async function buildPrice(stripe: Stripe, about: Partial<Stripe.PriceCreateParams> = {}): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name: 'Backstage' })
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 999,
    recurring: { interval: 'month' },
    ...about,
  })
}

/** An open checkout for a month of a creator's work, 10 % of it for the platform. */
export async function buildCheckout(
  stripe: Stripe,
  creator: Stripe.Account,
  about: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  const price = await buildPrice(stripe)
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://shop.test/success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.test/cancelled',
    client_reference_id: 'fan-1',
    subscription_data: {
      application_fee_percent: 10,
      transfer_data: { destination: creator.id },
      metadata: { plan: 'plan-1' },
      ...about.subscription_data,
    },
    ...Object.fromEntries(Object.entries(about).filter(([name]) => name !== 'subscription_data')),
  })
}

/** A single payment of $10.00 with $1.00 for the platform, or all of it for the platform. */
export async function pay(
  { stripe }: World,
  about: { destination?: string; number?: string; amount?: number } = {},
): Promise<Stripe.Charge> {
  const { destination, amount = 1000 } = about
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'A tip' } } },
    ],
    ...(destination && {
      payment_intent_data: { application_fee_amount: 100, transfer_data: { destination } },
    }),
    success_url: 'http://shop.test/success',
  })
  const page = await payWith(session.url, about.number ?? payingCard.number)
  const { data } = await stripe.charges.list({ limit: 1 })
  const [charge] = data
  if (!charge) throw new Error(`nothing was charged: ${page.status}`)
  return charge
}
