import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import {
  buildCheckout,
  buildCreator,
  buildPrice,
  buildReceiver,
  buildWorld,
  payWith,
  type World,
  webhookSecret,
} from '../testing/harness.ts'
import { payingCard, submit, visit } from '../visit.ts'

const good = '4242 4242 4242 4242'

async function buildShop(world: World) {
  const creator = await buildCreator(world.stripe)
  return { creator, session: await buildCheckout(world.stripe, creator) }
}

const chargesOf = async ({ stripe }: World) => (await stripe.charges.list()).data

it('sells a subscription: the creator gets 899 cents of $9.99 and the platform 100 [GEN-06, GEN-15, API-FN-02]', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  const { creator, session } = await buildShop(world)

  const paid = await payWith(session.url, good)
  expect(paid).toMatchObject({ status: 303, location: `http://shop.test/success?session_id=${session.id}` })

  expect(world.sandbox.books()).toEqual({
    platform: 100,
    accounts: { [creator.id]: 899 },
    paidIn: 999,
    paidOut: 0,
    stripeFees: 59,
    toppedUp: 0,
  })
  const done = await world.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice.payments', 'customer', 'line_items'],
  })
  expect(done).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'fan-1',
    customer: { email: 'fan@example.com', name: 'Fay Fan' },
    customer_details: { email: 'fan@example.com', address: { country: 'US', postal_code: '94107' } },
    line_items: { data: [{ amount_total: 999, description: 'Backstage' }] },
    subscription: {
      status: 'active',
      application_fee_percent: 10,
      metadata: { plan: 'plan-1' },
      transfer_data: { destination: creator.id },
      latest_invoice: { status: 'paid', amount_paid: 999, billing_reason: 'subscription_create' },
    },
  })

  const [charge] = await chargesOf(world)
  const intent = await world.stripe.paymentIntents.retrieve(String(charge?.payment_intent), {
    expand: ['latest_charge.application_fee', 'latest_charge.transfer'],
  })
  expect(intent.latest_charge).toMatchObject({
    amount: 999,
    paid: true,
    application_fee: { amount: 100, account: creator.id },
    transfer: { amount: 999, destination: creator.id },
  })
  const balance = await world.stripe.balance.retrieve({}, { stripeAccount: creator.id })
  expect(balance.pending).toMatchObject([{ amount: 899, currency: 'usd' }])

  await world.sandbox.webhooksSettled()
  const types = receiver.events.map((event) => event.type)
  expect(types).toEqual([
    'account.updated',
    'product.created',
    'price.created',
    'customer.created',
    'payment_intent.created',
    'application_fee.created',
    'transfer.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'payment_method.attached',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'checkout.session.completed',
  ])
  const completed = receiver.events.at(-1)
  expect(completed?.data.object).toMatchObject({ id: session.id, subscription: expect.stringMatching(/^sub_/) })
})

it('starts a trial without a charge and says when the first one comes [PROD-11, SUB-15]', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const session = await buildCheckout(world.stripe, creator, {
    subscription_data: {
      application_fee_percent: 10,
      transfer_data: { destination: creator.id },
      trial_period_days: 7,
    },
  })
  const page = await visit(session.url ?? '')
  expect(page.text).toContain('7 days free')
  expect(page.text).toContain('then $9.99 per month')
  expect(page.text).toContain('>Start trial</button>')

  expect((await payWith(session.url, good)).status).toBe(303)
  const done = await world.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] })
  expect(done).toMatchObject({ payment_status: 'no_payment_required', invoice: { status: 'paid', amount_due: 0 } })
  const subscription = done.subscription as Stripe.Subscription
  expect(subscription.status).toBe('trialing')
  expect((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0)).toBe(7 * 86_400)
  expect(await chargesOf(world)).toEqual([])
})

it('takes a single payment with a fee in cents [API-FN-15]', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const session = await world.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 2, price_data: { currency: 'usd', unit_amount: 250, product_data: { name: 'A tip' } } }],
    payment_intent_data: {
      application_fee_amount: 50,
      transfer_data: { destination: creator.id },
      metadata: { kind: 'tip' },
    },
    success_url: 'http://shop.test/success',
  })
  const page = await visit(session.url ?? '')
  expect(page.text).toContain('<h1>A tip</h1>')
  expect(page.text).toContain('>Pay $5.00</button>')
  expect(await payWith(session.url, good)).toMatchObject({ status: 303, location: 'http://shop.test/success' })
  const done = await world.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(done).toMatchObject({ customer: null, payment_intent: { status: 'succeeded', metadata: { kind: 'tip' } } })
  expect(world.sandbox.books()).toEqual({
    platform: 50,
    accounts: { [creator.id]: 450 },
    paidIn: 500,
    paidOut: 0,
    stripeFees: 45,
    toppedUp: 0,
  })
})

it.each([
  ['4000 0000 0000 0002', 'Your card was declined.'],
  ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
  ['4000 0000 0000 0069', 'Your card has expired.'],
  ['4000 0000 0000 0127', 'security code is incorrect'],
  ['4000 0000 0000 0341', 'Your card was declined.'],
])('says why card %s is refused, keeps what was typed, and takes another card after it', async (number, reason) => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const refused = await payWith(session.url, number)
  expect(refused.status).toBe(402)
  expect(refused.text).toContain(reason)
  expect(refused.text).toContain('value="Fay Fan"')
  expect(refused.text).not.toContain(number)
  expect(refused.text).not.toContain('value="123"')
  expect(world.sandbox.books()).toEqual({
    platform: 0,
    accounts: {},
    paidIn: 0,
    paidOut: 0,
    stripeFees: 0,
    toppedUp: 0,
  })
  expect((await world.stripe.subscriptions.list()).data).toEqual([])

  expect((await submit(refused, { ...payingCard, number: good })).status).toBe(303)
  const charges = await chargesOf(world)
  expect(charges.map((charge) => charge.status)).toEqual(['succeeded', 'failed'])
  expect(new Set(charges.map((charge) => charge.payment_intent)).size).toBe(1)
  expect((await world.stripe.customers.list()).data).toHaveLength(1)
})

it.each([['4532 0151 1283 0366', 402, 'used a non test card']])(
  'refuses card %s, which it would otherwise have to lie about',
  async (number, status, reason) => {
    await using world = await buildWorld()
    const { session } = await buildShop(world)
    const refused = await payWith(session.url, number)
    expect(refused.status).toBe(status)
    expect(refused.text).toContain(reason)
    expect(await chargesOf(world)).toEqual([])
    expect((await world.stripe.customers.list()).data).toEqual([])
  },
)

it.each([
  [{ number: '4242 4242 4242 4241' }, 'Your card number is invalid.'],
  [{ number: '4242' }, 'Your card number is incomplete.'],
  [{ number: '' }, 'Enter your card number.'],
  [{ expiry: '01 / 20' }, 'expiration date is in the past'],
  [{ expiry: '13 / 34' }, 'expiration date is incomplete'],
  [{ cvc: '12' }, 'security code is incomplete'],
  [{ cvc: '1234' }, 'security code is incomplete'],
  [{ email: 'fan@' }, 'Enter an email address'],
  [{ name: ' ' }, 'Enter the name on the card.'],
  [{ postal: '941' }, 'Enter a ZIP code of five digits.'],
  [{ country: 'XX' }, 'Choose a country.'],
] as [Record<string, string>, string][])('points at the field that is wrong: %o', async (wrong, message) => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const page = await payWith(session.url, wrong.number ?? good, wrong)
  expect(page.status).toBe(422)
  expect(page.text.replaceAll('&#39;', "'")).toContain(message)
  expect(page.text).toContain('One field needs your attention')
  expect(page.text).not.toMatch(/4242 ?4242 ?4242 ?424[12]"/)
  expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
})

it('asks the buyer’s bank when the card wants it, and charges after the confirmation', async () => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const step = await payWith(session.url, '4000 0025 0000 3155')
  expect(step).toMatchObject({ status: 303, location: `/sandbox/checkout/${session.id}/authenticate` })
  expect(await chargesOf(world)).toEqual([])

  const bank = await visit(`${world.sandbox.url}${step.location}`)
  expect(bank.text).toContain('The bank of the card ending in 3155')
  expect(await submit(bank, { answer: 'confirm' })).toMatchObject({
    status: 303,
    location: expect.stringContaining(session.id),
  })
  expect((await chargesOf(world)).map((charge) => charge.status)).toEqual(['succeeded'])
})

it('charges nothing when the buyer declines at their bank', async () => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const step = await payWith(session.url, '4000 0027 6000 3184')
  const refused = await submit(await visit(`${world.sandbox.url}${step.location}`), { answer: 'refuse' })
  expect(refused.status).toBe(402)
  expect(refused.text).toContain('We are unable to authenticate your payment method.')
  expect((await chargesOf(world)).map((charge) => charge.status)).toEqual(['failed'])
  expect((await visit(`${world.sandbox.url}${step.location}`)).location).toBe(`/sandbox/checkout/${session.id}`)
})

it('charges once when the button is pressed twice', async () => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const page = await visit(session.url ?? '')
  const answers = await Promise.all([1, 2, 3].map(() => submit(page, { ...payingCard, number: good })))
  expect(answers.map((answer) => answer.location)).toEqual(
    Array(3).fill(`http://shop.test/success?session_id=${session.id}`),
  )
  expect(await chargesOf(world)).toHaveLength(1)
  expect((await visit(session.url ?? '')).location).toContain('http://shop.test/success')
})

it('does nothing for a form that came from elsewhere', async () => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  const forged = await payWith(session.url, good, { form_token: 'guessed' })
  expect(forged.status).toBe(403)
  expect(await chargesOf(world)).toEqual([])
})

it('closes a session that nobody paid for a day, and offers the way back', async () => {
  await using world = await buildWorld()
  const { session } = await buildShop(world)
  world.sandbox.advanceClock(25 * 3600)
  const page = await visit(session.url)
  expect(page.status).toBe(410)
  expect(page.text).toContain('href="http://shop.test/cancelled"')
  expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
  const unknown = await visit(`${world.sandbox.url}/sandbox/checkout/cs_test_unknown`)
  expect(unknown.status).toBe(404)
  expect(unknown.text).not.toContain('Back to')
  world.sandbox.setPublicUrl('http://shop.test')
  expect((await visit(unknown.url)).text).toContain('href="http://shop.test/">Back to')
})

it('fixes the address of a session that names its buyer', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const customer = await world.stripe.customers.create({ email: 'known@example.com' })
  const session = await buildCheckout(world.stripe, creator, { customer: customer.id })
  expect((await visit(session.url ?? '')).text).toMatch(/value="known@example.com"[^>]* readonly/)
  await payWith(session.url, good, { email: 'other@example.com' })
  const done = await world.stripe.checkout.sessions.retrieve(session.id)
  expect(done).toMatchObject({ customer: customer.id, customer_details: { email: 'known@example.com' } })
})

it('shows a seller’s words as text, never as markup, and holds the page to its own files', async () => {
  await using world = await buildWorld({ merchant: '<b>Shop</b>' })
  const creator = await buildCreator(world.stripe)
  const price = await buildPrice(world.stripe, {
    product: (await world.stripe.products.create({ name: '<script>alert(1)</script>' })).id,
  })
  const session = await buildCheckout(world.stripe, creator, { line_items: [{ price: price.id }] })
  const response = await fetch(session.url ?? '')
  const text = await response.text()
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('<b>Shop')
  expect(text).toContain('<strong>SANDBOX</strong>')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const paths = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(2) // a style, a script, and where the form goes
  expect(paths.filter((path) => !path?.startsWith('/sandbox/'))).toEqual([])
})

it('shows what the shop says about a subscription, in the faces of the product', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const subscription_data = { description: 'Subscription to Ada Example' }
  const { url } = await buildCheckout(world.stripe, creator, { subscription_data })
  expect((await visit(url)).text).toContain('<p class="later">Subscription to Ada Example</p>')
  const style = await fetch(`${world.sandbox.url}/sandbox/assets/page.css`)
  const fonts = [...(await style.text()).matchAll(/url\("([^"]+)"\)/g)].map(([, name]) => name ?? '')
  expect(fonts).toEqual(['fraunces.woff2', 'inter.woff2'])
  for (const font of fonts) {
    const file = await fetch(new URL(font, style.url))
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'font/woff2'])
  }
})

it('puts the pages under the address that browsers use', async () => {
  await using world = await buildWorld({ publicUrl: 'https://shop.test/' })
  const price = await buildPrice(world.stripe)
  const session = await world.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id }],
    success_url: 'https://shop.test/ok',
  })
  expect(session.url).toBe(`https://shop.test/sandbox/checkout/${session.id}`)
})
