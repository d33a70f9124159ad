import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld, pay, payWith } from '../testing/harness.ts'
import { visit } from '../visit.ts'

it('ends the connection to an account by OAuth: the platform gets an event and can’t see it anymore', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const { id } = await buildCreator(stripe)
  await pay(world, { destination: id })
  const form = new URLSearchParams({ client_id: sandbox.clientId, stripe_user_id: id })
  const deauthorize = () =>
    fetch(`${sandbox.url}/oauth/deauthorize`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_x' },
      body: form,
    })
  const { data: before } = await stripe.events.list({}, { stripeAccount: id })
  expect(before.map(({ type }) => type)).not.toContain('account.application.deauthorized')
  expect(await (await deauthorize()).json()).toEqual({ stripe_user_id: id })
  await expect(stripe.accounts.retrieve(id)).rejects.toMatchObject({ statusCode: 403, code: 'account_invalid' })
  await expect(stripe.balance.retrieve({}, { stripeAccount: id })).rejects.toMatchObject({ code: 'account_invalid' })
  expect((await stripe.accounts.list()).data).toEqual([])
  expect((await deauthorize()).status).toBe(400)
  const [transfer] = (await stripe.transfers.list()).data
  await expect(stripe.transfers.createReversal(transfer?.id ?? '')).rejects.toMatchObject({ code: 'account_invalid' })
  const [charge] = (await stripe.charges.list()).data
  const refund = { charge: charge?.id ?? '', reverse_transfer: true }
  await expect(stripe.refunds.create(refund)).rejects.toMatchObject({ code: 'account_invalid' })
  expect(sandbox.books().accounts[id]).toBe(900)
})

it('refuses a direct charge on a connected account', async () => {
  await using world = await buildWorld()
  const { id } = await buildCreator(world.stripe)
  const direct = world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' }, { stripeAccount: id })
  await expect(direct).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('direct charges') })
})

it('puts an operator’s words on a charge: suffix, group and the account that it is made for', async () => {
  await using world = await buildWorld()
  const { id } = await buildCreator(world.stripe)
  const session = await world.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'A tip' } } }],
    payment_intent_data: {
      on_behalf_of: id,
      statement_descriptor_suffix: 'ADA',
      transfer_data: { destination: id },
      transfer_group: 'march',
    },
    success_url: 'http://shop.test/success',
  })
  await payWith(session.url, '4242424242424242')
  const { data } = await world.stripe.charges.list({ expand: ['data.transfer'] })
  expect(data).toMatchObject([
    {
      calculated_statement_descriptor: 'SANDBOX* ADA',
      on_behalf_of: id,
      receipt_url: expect.stringContaining('/receipts/'),
      transfer: { transfer_group: 'march' },
      transfer_group: 'march',
    },
  ])
})

it('cancels a payment intent that nobody has paid, once', async () => {
  await using world = await buildWorld()
  const { id } = await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  const canceled = await world.stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
  await expect(world.stripe.paymentIntents.cancel(id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
})

it('gives a creator who is through onboarding a link to their dashboard', async () => {
  await using world = await buildWorld()
  const { id } = await buildCreator(world.stripe)
  expect(await world.stripe.accounts.createLoginLink(id)).toMatchObject({
    object: 'login_link',
    url: expect.any(String),
  })
  const fresh = await world.stripe.accounts.create({ type: 'express' })
  await expect(world.stripe.accounts.createLoginLink(fresh.id)).rejects.toMatchObject({ statusCode: 400 })
})

it('shows what a coupon applies to only if the request expands it', async () => {
  await using world = await buildWorld()
  const product = await world.stripe.products.create({ name: 'Backstage' })
  const applies_to = { products: [product.id] }
  const coupon = await world.stripe.coupons.create({ percent_off: 10, duration: 'once', applies_to })
  expect(coupon.applies_to).toBeUndefined()
  expect((await world.stripe.coupons.retrieve(coupon.id)).applies_to).toBeUndefined()
  const expanded = await world.stripe.coupons.retrieve(coupon.id, { expand: ['applies_to'] })
  expect(expanded.applies_to).toEqual(applies_to)
})

it('describes a payment, its transfer, refund, and dispute in as much detail as Stripe', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const { id } = await buildCreator(stripe)
  const charge = await pay(world, { destination: id })
  expect(await stripe.paymentIntents.retrieve(String(charge.payment_intent))).toMatchObject({
    amount_details: { tip: {} },
  })
  const { clientId: application } = sandbox
  expect((await stripe.applicationFees.list()).data).toMatchObject([
    { application, originating_transaction: charge.id },
  ])
  sandbox.topUp(500)
  await stripe.transfers.create({ amount: 500, currency: 'usd', destination: id })
  const { data: transfers } = await stripe.transfers.list({ expand: ['data.destination_payment'] })
  expect(transfers).toMatchObject([
    { source_transaction: null, destination_payment: { application } },
    { source_transaction: charge.id, destination_payment: { application } },
  ])
  expect((await stripe.balance.retrieve()).connect_reserved).toEqual([{ amount: 0, currency: 'usd' }])
  expect(await stripe.balance.retrieve({}, { stripeAccount: id })).not.toHaveProperty('connect_reserved')

  expect(await stripe.refunds.create({ charge: charge.id, amount: 100 })).toMatchObject({
    destination_details: { type: 'card', card: { type: 'refund', reference_status: 'pending' } },
  })
  sandbox.openDispute(charge.id)
  expect((await stripe.disputes.list()).data).toMatchObject([
    { payment_method_details: { type: 'card', card: { brand: 'visa', case_type: 'chargeback', network: 'visa' } } },
  ])
})

it('describes a checkout, its invoice, and a saved card in as much detail as Stripe', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const session = await buildCheckout(stripe, await buildCreator(stripe))
  expect(session.phone_number_collection).toEqual({ enabled: false })
  await payWith(session.url, '4242424242424242')
  const [invoice] = (await stripe.invoices.list()).data
  const download = await visit(invoice?.invoice_pdf ?? null)
  expect(download.status).toBe(303)
  expect(new URL(download.location ?? '', download.url).href).toBe(invoice?.hosted_invoice_url)

  const { id: customer } = await stripe.customers.create({ email: 'fan@example.com' })
  const success_url = 'http://shop.test/saved'
  const setup = await stripe.checkout.sessions.create({ mode: 'setup', currency: 'usd', customer, success_url })
  await payWith(setup.url, '4242424242424242')
  const saved = await stripe.checkout.sessions.retrieve(setup.id, { expand: ['setup_intent.latest_attempt'] })
  expect(saved.setup_intent).toMatchObject({ latest_attempt: { object: 'setup_attempt', status: 'succeeded' } })
})
