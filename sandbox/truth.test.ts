import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld, pay, payWith, type World } from './testing/harness.ts'
import { defaultTruth, readTruth, type Truth } from './truth.ts'

const day = 86_400
const plainCard = '4242424242424242'
const availableAtOnce = '4000000000000077'

/** These switches on, and all others off. */
const alone = (...names: (keyof Truth)[]) => readTruth({}, ['none', ...names].join(','))

const balanceOf = async ({ stripe }: World, account?: string) => {
  const { available, pending } = await stripe.balance.retrieve({}, account ? { stripeAccount: account } : {})
  return [available[0]?.amount, pending[0]?.amount]
}

it('reads its switches from SANDBOX_TRUTH and names it where a word is no switch', () => {
  expect(readTruth({}, '')).toEqual(defaultTruth)
  expect(readTruth({ busyKeys: false }, 'all,-waitingDays')).toMatchObject({
    busyKeys: false,
    waitingDays: false,
    processingFees: true,
  })
  expect(readTruth({}, 'none, rateLimit')).toMatchObject({ busyKeys: false, rateLimit: true })
  expect(() => readTruth({}, 'everything')).toThrow(/^SANDBOX_TRUTH must list .*, not "everything"\.$/)
})

it('answers a key with its refusal for a day of the clock, also when the cause is gone', async () => {
  await using world = await buildWorld({ truth: alone('keptRefusals', 'transferLimit') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const transfer = () =>
    stripe.transfers.create({ amount: 500, currency: 'usd', destination: creator.id }, { idempotencyKey: 'referral:1' })
  await expect(transfer()).rejects.toMatchObject({ statusCode: 400, code: 'balance_insufficient' })
  await pay(world, { number: availableAtOnce })
  await expect(transfer()).rejects.toMatchObject({
    code: 'balance_insufficient',
    headers: { 'idempotent-replayed': 'true' },
  })
  expect((await stripe.transfers.list()).data).toEqual([])
  sandbox.advanceClock(day + 1)
  expect(await transfer()).toMatchObject({ amount: 500 })
})

it('leaves nothing of a refused request behind but its answer', async () => {
  await using world = await buildWorld({ truth: alone('keptRefusals') })
  const customer = await world.stripe.customers.create({ email: 'fan@example.com' })
  const attach = world.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id })
  await expect(attach).rejects.toMatchObject({ statusCode: 402 })
  expect((await world.stripe.paymentMethods.list()).data).toEqual([])
})

it('refuses a key of more than 255 characters', async () => {
  await using world = await buildWorld()
  const create = (length: number) =>
    world.stripe.products.create({ name: 'Backstage' }, { idempotencyKey: 'k'.repeat(length) })
  expect(await create(255)).toMatchObject({ name: 'Backstage' })
  await expect(create(256)).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
})

it('refuses a key, or another change of an object, while the first request runs', async () => {
  await using world = await buildWorld()
  const product = await world.stripe.products.create({ name: 'Backstage' })
  const post = (path: string, key: string) =>
    fetch(`${world.sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_x', 'idempotency-key': key },
      body: new URLSearchParams({ name: 'Renamed' }),
    })
  const release = world.sandbox.holdAnswers()
  const first = post(`/v1/products/${product.id}`, 'once')
  const sameKey = await post('/v1/products', 'once').then((response) => response)
  const sameObject = await post(`/v1/products/${product.id}`, 'twice')
  expect(sameKey.status).toBe(409)
  expect(await sameKey.json()).toMatchObject({
    error: { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  })
  expect(sameObject.status).toBe(429)
  expect(sameObject.headers.get('stripe-should-retry')).toBe('true')
  expect(await sameObject.json()).toMatchObject({ error: { code: 'lock_timeout' } })
  release()
  expect((await first).status).toBe(200)
  expect((await post(`/v1/products/${product.id}`, 'twice')).status).toBe(200)
})

it('takes 100 requests in a second and refuses the others', async () => {
  await using world = await buildWorld({ truth: alone('rateLimit') })
  const ask = () => fetch(`${world.sandbox.url}/v1/products`, { headers: { authorization: 'Bearer sk_test_x' } })
  const statuses = await Promise.all(Array.from({ length: 400 }, async () => (await ask()).status))
  expect(statuses).toContain(429)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100)
})

it('keeps 2.9 % + 30 ¢ of a charge, which a refund does not bring back, and $15 for a dispute', async () => {
  await using world = await buildWorld({ truth: alone('processingFees') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world, { destination: creator.id })
  const entry = await stripe.balanceTransactions.retrieve(String(charge.balance_transaction))
  expect(entry).toMatchObject({
    amount: 1000,
    fee: 59,
    net: 941,
    fee_details: [{ amount: 59, type: 'stripe_fee', description: 'Stripe processing fees' }],
  })
  expect(await balanceOf(world)).toEqual([100 - 59, 0])
  await stripe.refunds.create({ charge: charge.id, reverse_transfer: true, refund_application_fee: true })
  expect(await balanceOf(world)).toEqual([-59, 0])

  sandbox.openDispute((await pay(world)).id)
  expect(await balanceOf(world)).toEqual([-59 - 59 - 1500, 0])
  expect(sandbox.books()).toEqual({
    platform: 0,
    accounts: { [creator.id]: 0 },
    paidIn: 0,
    paidOut: 0,
    stripeFees: 59 + 59 + 1500,
    toppedUp: 0,
  })
})

it('makes money available after two days, to the platform and to the creator, and pays out only that', async () => {
  await using world = await buildWorld({ truth: alone('waitingDays'), dailyPayouts: true })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world, { destination: creator.id })
  expect(await balanceOf(world)).toEqual([0, 100])
  expect(await balanceOf(world, creator.id)).toEqual([0, 900])
  const entry = () => stripe.balanceTransactions.retrieve(String(charge.balance_transaction))
  expect((await entry()).status).toBe('pending')
  expect((await entry()).available_on - charge.created).toBeGreaterThan(day)
  await expect(
    stripe.payouts.create({ amount: 900, currency: 'usd' }, { stripeAccount: creator.id }),
  ).rejects.toMatchObject({ code: 'balance_insufficient' })

  sandbox.advanceClock(day)
  expect((await stripe.payouts.list({}, { stripeAccount: creator.id })).data).toEqual([])
  sandbox.advanceClock(day)
  expect((await entry()).status).toBe('available')
  expect(await balanceOf(world)).toEqual([100, 0])
  expect((await stripe.payouts.list({}, { stripeAccount: creator.id })).data).toMatchObject([{ amount: 900 }])
  expect(await balanceOf(world, creator.id)).toEqual([0, 0])
})

it('pays out every day that has something, though later money is still on its way', async () => {
  await using world = await buildWorld({ truth: alone('waitingDays'), dailyPayouts: true })
  const creator = await buildCreator(world.stripe)
  for (let charged = 0; charged < 3; charged += 1) {
    await pay(world, { destination: creator.id })
    world.sandbox.advanceClock(day)
  }
  world.sandbox.advanceClock(2 * day)
  const payouts = await world.stripe.payouts.list({}, { stripeAccount: creator.id })
  expect(payouts.data.map(({ amount }) => amount)).toEqual([900, 900, 900])
})

it('has the money of card …0077 at once, and of a token that stands for it', async () => {
  await using world = await buildWorld({ truth: alone('waitingDays') })
  await pay(world, { number: availableAtOnce })
  await world.stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
  })
  expect(await balanceOf(world)).toEqual([1500, 0])
})

it('transfers what is available, and the money of a charge as soon as that is there', async () => {
  await using world = await buildWorld({ truth: alone('waitingDays', 'transferLimit') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world)
  const transfer = (about: { amount: number; source_transaction?: string }) =>
    stripe.transfers.create({ currency: 'usd', destination: creator.id, ...about })
  await expect(transfer({ amount: 1 })).rejects.toMatchObject({ code: 'balance_insufficient' })
  const early = await transfer({ amount: 600, source_transaction: charge.id })
  expect(early).toMatchObject({ source_transaction: charge.id })
  expect(await balanceOf(world, creator.id)).toEqual([0, 600])
  await expect(transfer({ amount: 401, source_transaction: charge.id })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
  sandbox.advanceClock(2 * day)
  expect(await balanceOf(world, creator.id)).toEqual([600, 0])
  await transfer({ amount: 400 })
  await expect(transfer({ amount: 1 })).rejects.toMatchObject({ code: 'balance_insufficient' })
  expect(await stripe.topups.create({ amount: 700, currency: 'usd' })).toMatchObject({ status: 'succeeded' })
  expect(await transfer({ amount: 700 })).toMatchObject({ source_transaction: null })
  expect(sandbox.books()).toMatchObject({ platform: -700, toppedUp: 700 })
})

it('reverses a transfer up to what the creator holds; a refund goes below zero', async () => {
  await using world = await buildWorld({ truth: alone('reversalLimit') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world, { destination: creator.id })
  sandbox.payOut(creator.id)
  const reversal = stripe.transfers.createReversal(String(charge.transfer), { amount: 900 })
  await expect(reversal).rejects.toMatchObject({ statusCode: 400, code: 'balance_insufficient' })
  await stripe.refunds.create({ charge: charge.id, reverse_transfer: true, refund_application_fee: true })
  expect(await balanceOf(world, creator.id)).toEqual([-900, 0])
})

it('debits the bank of an account below zero: a payout with a negative amount', async () => {
  await using world = await buildWorld({ truth: alone('bankDebits') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world, { destination: creator.id })
  sandbox.payOut(creator.id)
  await stripe.refunds.create({ charge: charge.id, reverse_transfer: true, refund_application_fee: true })
  sandbox.advanceClock(day)
  const { data } = await stripe.payouts.list({}, { stripeAccount: creator.id })
  expect(data.map(({ amount, status, automatic }) => [amount, status, automatic])).toEqual([
    [-900, 'paid', true],
    [900, 'paid', true],
  ])
  expect(data[0]?.trace_id).toMatchObject({ status: 'supported' })
  const entry = await stripe.balanceTransactions.retrieve(
    String(data[0]?.balance_transaction),
    {},
    { stripeAccount: creator.id },
  )
  expect(entry).toMatchObject({ type: 'payout', amount: 900 })
  expect(await balanceOf(world, creator.id)).toEqual([0, 0])
})

it('says of a refund which reversal took the creator’s part, and nothing where none did', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const creator = await buildCreator(stripe)
  const charge = await pay(world, { destination: creator.id })
  const first = await stripe.refunds.create({ charge: charge.id, amount: 400, expand: ['transfer_reversal'] })
  expect(first.transfer_reversal).toBeNull()
  const second = await stripe.refunds.create({
    charge: charge.id,
    amount: 600,
    reverse_transfer: true,
    refund_application_fee: true,
    expand: ['transfer_reversal.destination_payment_refund'],
  })
  expect(second.transfer_reversal).toMatchObject({
    object: 'transfer_reversal',
    amount: 600,
    source_refund: second.id,
    transfer: charge.transfer,
    destination_payment_refund: { object: 'refund', id: expect.stringMatching(/^pyr_/), amount: 600 },
  })
  const transfer = await stripe.transfers.retrieve(String(charge.transfer), { expand: ['destination_payment'] })
  expect(transfer).toMatchObject({
    amount_reversed: 600,
    reversals: { data: [{ amount: 600, source_refund: second.id }] },
    destination_payment: { amount_refunded: 600, refunded: false },
  })
})

it('moves each capability alone', async () => {
  await using world = await buildWorld({ truth: alone('refusedDestinations') })
  const { stripe, sandbox } = world
  const { id } = await buildCreator(stripe)
  sandbox.setCapability(id, 'transfers', 'pending')
  const account = await stripe.accounts.retrieve(id)
  expect(account).toMatchObject({
    charges_enabled: true,
    capabilities: { card_payments: 'active', transfers: 'pending' },
  })
  expect(await stripe.accounts.retrieveCapability(id, 'transfers')).toMatchObject({
    id: 'transfers',
    object: 'capability',
    status: 'pending',
  })
  expect((await stripe.accounts.listCapabilities(id)).data).toHaveLength(2)
  await expect(buildCheckout(stripe, account)).rejects.toMatchObject({
    code: 'insufficient_capabilities_for_transfer',
  })
  const { data } = await stripe.events.list({ limit: 2 }, { stripeAccount: id })
  expect(data.map(({ type }) => type)).toEqual(['capability.updated', 'account.updated'])
})

it('charges nobody for an account that can’t receive payments, neither on an open page nor at a renewal', async () => {
  await using world = await buildWorld({ truth: alone('refusedDestinations') })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const session = await buildCheckout(stripe, creator)
  await payWith(session.url, plainCard)
  const open = await buildCheckout(stripe, creator)
  sandbox.setCapability(creator.id, 'transfers', 'inactive')

  const refused = await payWith(open.url, plainCard)
  expect(refused.status).toBe(402)
  sandbox.advanceClock(32 * day)
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  const renewal = await stripe.subscriptions.retrieve(String(subscription), { expand: ['latest_invoice.payments'] })
  expect(renewal).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open', attempt_count: 1 } })
  const { data: intents } = await stripe.paymentIntents.list({ limit: 1 })
  expect(intents).toMatchObject([
    { status: 'requires_payment_method', latest_charge: null, last_payment_error: { code: 'transfers_not_allowed' } },
  ])
  expect(sandbox.books().accounts[creator.id]).toBe(899)
})
