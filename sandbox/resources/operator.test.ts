import { expect, it } from 'vitest'
import { buildCreator, buildWorld, pay, payWith } from '../testing/harness.ts'

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
