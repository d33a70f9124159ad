import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildPrice, buildWorld, payWith, type World } from '../testing/harness.ts'
import { apiVersion } from './api-version.ts'

type Refusal = { error: { type: string; code?: string; message: string; param?: string } }

/** A request as no SDK would make it. */
async function raw({ sandbox }: World, path: string, init: RequestInit = {}) {
  const response = await fetch(`${sandbox.url}${path}`, {
    ...init,
    headers: { authorization: 'Bearer sk_test_x', ...init.headers },
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Refusal }
}

const post = (world: World, path: string, body: string, headers: Record<string, string> = {}) =>
  raw(world, path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

it('speaks the version that the SDK pins, and no other', async () => {
  await using world = await buildWorld()
  expect(apiVersion).toBe(Stripe.API_VERSION)
  const product = await world.stripe.products.create({ name: 'Backstage' })
  expect(product.lastResponse.headers['stripe-version']).toBe(apiVersion)
  expect(product.lastResponse.requestId).toMatch(/^req_/)
  const old = await raw(world, '/v1/products', { headers: { 'stripe-version': '2019-05-16' } })
  expect(old).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('2019-05-16') } } })
})

it.each([
  [undefined, 'You did not provide an API key'],
  ['Bearer nonsense', 'Invalid API Key provided: non'],
  ['Bearer sk_live_abc', 'never a live key'],
])('refuses authorization %s', async (authorization, message) => {
  await using world = await buildWorld()
  const response = await fetch(`${world.sandbox.url}/v1/products`, {
    headers: { ...(authorization && { authorization }) },
  })
  const body = (await response.json()) as Refusal
  expect(response.status).toBe(401)
  expect(body.error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining(message) })
})

it.each([
  ['/v1/products', 'name=a&color=red', { code: 'parameter_unknown', param: 'color' }],
  ['/v1/products', 'name=a&__proto__[x]=1', { code: 'parameter_unknown', param: '__proto__' }],
  ['/v1/products', '', { code: 'parameter_missing', param: 'name' }],
  ['/v1/products', 'name=', { code: 'parameter_invalid_empty', param: 'name' }],
  ['/v1/products', 'name=a&active=maybe', { param: 'active', message: 'Invalid boolean: maybe' }],
  ['/v1/products', 'name=a&name=b', { message: 'The parameter name was given more than once.' }],
  ['/v1/products', 'name=a&metadata[n][m]=b', { param: 'metadata[n]' }],
  [
    '/v1/accounts',
    'type=express&capabilities[transfers][wanted]=true',
    { code: 'parameter_unknown', param: 'capabilities[transfers][wanted]' },
  ],
  ['/v1/prices', 'currency=usd&product=prod_x&unit_amount=49', { code: 'amount_too_small', param: 'unit_amount' }],
  ['/v1/prices', 'currency=usd&product=prod_x&unit_amount=-500', { code: 'amount_too_small', param: 'unit_amount' }],
  [
    '/v1/prices',
    'currency=usd&product=prod_x&unit_amount=9.99',
    { code: 'parameter_invalid_integer', param: 'unit_amount' },
  ],
  [
    '/v1/prices',
    'currency=usd&product=prod_x&unit_amount=NaN',
    { code: 'parameter_invalid_integer', param: 'unit_amount' },
  ],
  [
    '/v1/prices',
    'currency=usd&product=prod_x&unit_amount=100000000',
    { code: 'amount_too_large', param: 'unit_amount' },
  ],
  ['/v1/prices', 'currency=eur&product=prod_x&unit_amount=500', { param: 'currency' }],
  ['/v1/prices', 'currency=usd&product=prod_x&unit_amount=500', { code: 'resource_missing', param: 'product' }],
  [
    '/v1/account_links',
    'account=acct_x&type=account_onboarding&return_url=x&refresh_url=x',
    { code: 'url_invalid', param: 'refresh_url' },
  ],
  [
    '/v1/checkout/sessions',
    'mode=subscription&success_url=http://a.test&line_items[0][price]=price_x',
    { code: 'resource_missing', param: 'line_items[0][price]' },
  ],
  [
    '/v1/checkout/sessions',
    'mode=gift',
    { param: 'mode', message: 'Invalid mode: must be one of payment, setup or subscription' },
  ],
])('refuses POST %s with “%s” by name', async (path, body, error) => {
  await using world = await buildWorld()
  const refused = await post(world, path, body)
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({ type: 'invalid_request_error', ...error })
  expect((await world.stripe.events.list()).data).toEqual([])
})

it('answers what it does not have as Stripe does', async () => {
  await using world = await buildWorld()
  await expect(world.stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'id',
  })
  await expect(world.stripe.taxRates.list()).rejects.toMatchObject({
    statusCode: 404,
    message: expect.stringContaining('Unrecognized request URL (GET: /v1/tax_rates)'),
  })
  await expect(world.stripe.products.list({}, { stripeAccount: 'acct_none' })).rejects.toMatchObject({
    statusCode: 403,
    code: 'account_invalid',
  })
  expect(
    (await raw(world, '/v1/products', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
      .status,
  ).toBe(415)
})

it('gives the same answer to the same idempotency key, and refuses it for another request', async () => {
  await using world = await buildWorld()
  const options = { idempotencyKey: 'once' }
  const first = await world.stripe.products.create({ name: 'Backstage' }, options)
  const again = await world.stripe.products.create({ name: 'Backstage' }, options)
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect((await world.stripe.products.list()).data).toHaveLength(1)
  await expect(world.stripe.products.create({ name: 'Other' }, options)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
  })
})

it('lets a key be used again after a request that was refused', async () => {
  await using world = await buildWorld()
  const header = { 'idempotency-key': 'again' }
  expect((await post(world, '/v1/products', '', header)).status).toBe(400)
  expect((await post(world, '/v1/products', 'name=a', header)).status).toBe(200)
})

it('pages forwards and backwards, newest first', async () => {
  await using world = await buildWorld()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await world.stripe.customers.create({ name })
  const names = (list: Stripe.ApiList<Stripe.Customer>) => list.data.map((customer) => customer.name).join('')
  const first = await world.stripe.customers.list({ limit: 2 })
  expect([names(first), first.has_more]).toEqual(['ed', true])
  const second = await world.stripe.customers.list({ limit: 2, starting_after: first.data[1]?.id })
  expect([names(second), second.has_more]).toEqual(['cb', true])
  const back = await world.stripe.customers.list({ limit: 2, ending_before: second.data[0]?.id })
  expect([names(back), back.has_more]).toEqual(['ed', false])

  const all: (string | null | undefined)[] = []
  for await (const customer of world.stripe.customers.list({ limit: 2 })) all.push(customer.name)
  expect(all.join('')).toBe('edcba')
  await expect(world.stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
  await expect(world.stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  })
})

it('expands along a path, through lists and into nested fields, and refuses a path that leads nowhere', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  await payWith((await buildCheckout(world.stripe, creator)).url, '4242424242424242')
  const { data } = await world.stripe.invoices.list({
    expand: [
      'data.parent.subscription_details.subscription',
      'data.payments.data.payment.payment_intent',
      'data.customer',
    ],
  })
  expect(data[0]).toMatchObject({
    customer: { object: 'customer' },
    parent: { subscription_details: { subscription: { object: 'subscription', status: 'active' } } },
    payments: { data: [{ payment: { payment_intent: { object: 'payment_intent', amount: 999 } } }] },
  })
  const { data: payments } = await world.stripe.invoicePayments.list({ invoice: data[0]?.id ?? '' })
  expect(payments).toMatchObject([{ status: 'paid', amount_paid: 999 }])
  const transfers = await world.stripe.transfers.list({ destination: creator.id, expand: ['data.destination_payment'] })
  expect(transfers.data[0]?.destination_payment).toMatchObject({
    object: 'charge',
    amount: 999,
    application_fee_amount: 100,
  })
  await expect(world.stripe.invoices.list({ expand: ['data.colour'] })).rejects.toMatchObject({
    statusCode: 400,
    param: 'expand',
  })
})

it('merges metadata, removes a name with an empty value, and is silent when nothing changed', async () => {
  await using world = await buildWorld()
  const { id } = await world.stripe.products.create({ name: 'Backstage', metadata: { a: '1', b: '2' } })
  const changed = await world.stripe.products.update(id, { metadata: { b: '', c: '3' }, active: false })
  expect(changed).toMatchObject({ active: false, metadata: { a: '1', c: '3' } })
  const events = await world.stripe.events.list({ type: 'product.updated' })
  expect(events.data).toMatchObject([{ data: { previous_attributes: { active: true, metadata: { a: '1', b: '2' } } } }])
  const customer = await world.stripe.customers.create({ name: 'Fay' })
  await world.stripe.customers.update(customer.id, { name: 'Fay' })
  expect((await world.stripe.events.list({ type: 'customer.updated' })).data).toEqual([])
})

it('refuses to sell what Stripe would not', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const closed = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await expect(buildCheckout(stripe, closed)).rejects.toMatchObject({
    param: 'subscription_data[transfer_data][destination]',
    code: 'insufficient_capabilities_for_transfer',
  })
  const creator = await buildCreator(stripe)
  const session = (about: Partial<Stripe.Checkout.SessionCreateParams>) => buildCheckout(stripe, creator, about)
  await expect(session({ mode: 'payment', subscription_data: undefined })).rejects.toMatchObject({
    param: 'line_items',
  })
  const once = await buildPrice(stripe, { recurring: undefined })
  await expect(session({ line_items: [{ price: once.id }] })).rejects.toMatchObject({ param: 'line_items' })
  const inactive = await buildPrice(stripe, { active: false })
  await expect(session({ line_items: [{ price: inactive.id }] })).rejects.toMatchObject({
    message: expect.stringContaining('inactive'),
  })
  await expect(session({ expires_at: 1 })).rejects.toMatchObject({ param: 'expires_at' })
  const fee = {
    application_fee_percent: 10,
    transfer_data: undefined,
  } as Stripe.Checkout.SessionCreateParams.SubscriptionData
  await expect(session({ subscription_data: fee })).rejects.toMatchObject({
    param: 'subscription_data[application_fee_percent]',
  })
})

it('saves a card by test token, and refuses the token that cannot be saved', async () => {
  await using world = await buildWorld()
  const customer = await world.stripe.customers.create({ email: 'fan@example.com' })
  const card = await world.stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  expect(card.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
  expect((await world.stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1)
  const refused = world.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id })
  await expect(refused).rejects.toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
  expect((await world.stripe.paymentMethods.detach(card.id)).customer).toBeNull()
})

it('keeps an account that has moved money', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const other = await buildCreator(world.stripe)
  await payWith((await buildCheckout(world.stripe, creator)).url, '4242424242424242')
  await expect(world.stripe.accounts.del(creator.id)).rejects.toMatchObject({ statusCode: 400 })
  expect(await world.stripe.accounts.del(other.id)).toMatchObject({ deleted: true })
  await expect(world.stripe.accounts.retrieve(other.id)).rejects.toMatchObject({
    statusCode: 403,
    code: 'account_invalid',
  })
})

it('deletes a customer: what they paid for ends, what they were about to pay closes, what they paid stays', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const creator = await buildCreator(stripe)
  const { id } = await stripe.customers.create({ email: 'fan@example.com' })
  const paid = await buildCheckout(stripe, creator, { customer: id })
  await payWith(paid.url, '4242424242424242')
  const open = await buildCheckout(stripe, creator, { customer: id })

  expect(await stripe.customers.del(id)).toEqual({ id, object: 'customer', deleted: true })
  expect(await stripe.customers.retrieve(id)).toMatchObject({ deleted: true })
  expect((await stripe.customers.list()).data).toEqual([])
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toMatchObject([{ status: 'canceled' }])
  expect((await stripe.checkout.sessions.retrieve(open.id)).status).toBe('expired')
  expect(world.sandbox.books().paidIn).toBe(999)
  await expect(buildCheckout(stripe, creator, { customer: id })).rejects.toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  })
  await expect(stripe.customers.update(id, { name: 'Ghost' })).rejects.toMatchObject({ statusCode: 404 })
})

it('has no searches, and takes none for an object', async () => {
  await using world = await buildWorld()
  await expect(world.stripe.customers.search({ query: "email:'fan@example.com'" })).rejects.toMatchObject({
    statusCode: 404,
    message: expect.stringContaining('Unrecognized request URL (GET: /v1/customers/search)'),
  })
})
