import Stripe from 'stripe'
import { expect, it, onTestFinished, vi } from 'vitest'
import { buildCreator, buildPrice, buildReceiver, buildWorld, type World, webhookSecret } from './testing/harness.ts'

const day = 86_400

/** An SDK whose requests happen in the history. */
function sdkOfHistory({ sandbox }: World, headers: Readonly<Record<string, string>>): Stripe {
  return new Stripe('sk_test_history', {
    host: sandbox.host,
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url, init) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } }),
    ),
  })
}

async function subscribe(stripe: Stripe, creator: Stripe.Account, price: Stripe.Price): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ name: 'Fay Fan' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: card.id,
    payment_behavior: 'error_if_incomplete',
    application_fee_percent: 10,
    transfer_data: { destination: creator.id },
  })
}

it('bills a history month by month at its own time without webhooks, and goes on with webhooks when it is closed', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  const { sandbox, stripe } = world
  const creator = await buildCreator(stripe)
  const price = await buildPrice(stripe)
  await sandbox.webhooksSettled()
  const heard = receiver.events.length

  const begun = sandbox.now() - 100 * day
  const history = sandbox.openHistory(begun)
  const past = sdkOfHistory(world, history.headers)
  const { id, created } = await subscribe(past, creator, price)
  expect(created).toBe(begun)
  for (let moment = begun; moment < sandbox.now(); moment += day) history.passUntil(moment)
  history.passUntil(sandbox.now() + day) // no further than now
  expect(history.now()).toBeLessThanOrEqual(sandbox.now())
  history.close()

  const { data: invoices } = await stripe.invoices.list({ subscription: id, status: 'paid' })
  expect(invoices).toHaveLength(4)
  for (const [index, invoice] of invoices.entries())
    expect(Math.abs(invoice.created - (begun + (3 - index) * 30.4 * day))).toBeLessThan(3 * day)
  expect(sandbox.books()).toMatchObject({ paidIn: 4 * 999, accounts: { [creator.id]: 4 * 899 } })
  await sandbox.webhooksSettled()
  expect(receiver.events).toHaveLength(heard)

  sandbox.advanceClock(31 * day)
  await sandbox.webhooksSettled()
  expect(receiver.events.slice(heard).map(({ type }) => type)).toContain('invoice.paid')
})

it('pays an account out in a history, and lets other requests happen now meanwhile', async () => {
  await using world = await buildWorld({ dailyPayouts: true })
  const { sandbox, stripe } = world
  const creator = await buildCreator(stripe)
  const price = await buildPrice(stripe)
  const begun = sandbox.now() - 40 * day
  const history = sandbox.openHistory(begun)
  const past = sdkOfHistory(world, history.headers)
  await subscribe(past, creator, price)
  history.passUntil(begun + 10 * day)
  const about = { stripeAccount: creator.id }
  expect((await past.payouts.list({}, about)).data).toEqual([]) // none by itself
  const { available } = await past.balance.retrieve({}, about)
  expect(available).toMatchObject([{ amount: 899 }])
  const payout = await past.payouts.create({ amount: 899, currency: 'usd' }, about)
  expect(payout.created).toBe(begun + 10 * day)

  const { created } = await subscribe(stripe, creator, price)
  expect(Math.abs(created - sandbox.now())).toBeLessThan(5)
  history.close()
})

it('leaves an unfinished history as it is over a restart, until the clock is resumed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using receiver = await buildReceiver()
  await using first = await buildWorld()
  const creator = await buildCreator(first.stripe)
  const price = await buildPrice(first.stripe)
  const begun = first.sandbox.now() - 70 * day
  const history = first.sandbox.openHistory(begun)
  const { id } = await subscribe(sdkOfHistory(first, history.headers), creator, price)
  await first.sandbox.close()

  await using second = await buildWorld({
    file: first.file,
    webhook: { url: receiver.url, secret: webhookSecret },
    isClockPaused: true,
  })
  const { sandbox, stripe } = second
  const seconds = async (count: number) => {
    vi.advanceTimersByTime(count * 1_000)
    await sandbox.webhooksSettled()
    return (await stripe.invoices.list({ subscription: id })).data.length
  }
  expect(await seconds(5)).toBe(1)
  const rest = sandbox.openHistory(begun)
  rest.passUntil(begun + 40 * day)
  rest.close()
  expect(await seconds(5)).toBe(2)
  expect(receiver.events).toEqual([])

  sandbox.resumeClock()
  expect(await seconds(5)).toBe(3)
  expect(receiver.events.map(({ type }) => type)).toContain('invoice.created')
})
