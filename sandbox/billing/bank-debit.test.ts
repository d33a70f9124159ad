import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld, type World } from '../testing/harness.ts'
import { submit, visit } from '../visit.ts'

const day = 86_400

/** Pays an open session from a bank account. */
const debit = async (session: Stripe.Checkout.Session, account: string) =>
  submit(await visit(session.url), { email: 'fan@example.com', name: 'Fay Fan', account }, 'value="us_bank_account"')

const tip = ({ stripe }: World, about: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'A tip' } } }],
    success_url: 'http://shop.test/success',
    ...about,
  })

const eventsOf = async ({ stripe }: World) =>
  (await stripe.events.list({ limit: 100 })).data
    .map(({ type }) => type)
    .filter((type) => /checkout|processing/.test(type))

it('completes a session unpaid, and tells four days later that the bank has paid', async () => {
  await using world = await buildWorld()
  const session = await tip(world)
  expect(session.payment_method_types).toEqual(['card', 'us_bank_account'])
  expect((await debit(session, '000123456789')).status).toBe(303)
  const read = () => world.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(await read()).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: { status: 'processing' },
  })
  expect(world.sandbox.books().platform).toBe(0)
  world.sandbox.advanceClock(4 * day + 1)
  expect(await read()).toMatchObject({ payment_status: 'paid', payment_intent: { status: 'succeeded' } })
  expect(world.sandbox.books()).toMatchObject({ platform: 1000, stripeFees: 8 })
  expect(await eventsOf(world)).toEqual([
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'payment_intent.processing',
  ])
  const { data } = await world.stripe.charges.list()
  expect(data[0]?.payment_method_details).toMatchObject({ type: 'us_bank_account', us_bank_account: { last4: '6789' } })
})

it('tells when the bank has not paid', async () => {
  await using world = await buildWorld()
  const session = await tip(world)
  await debit(session, '000222222227')
  world.sandbox.advanceClock(4 * day + 1)
  expect(await world.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'bank_account_declined' } },
  })
  expect((await eventsOf(world))[0]).toBe('checkout.session.async_payment_failed')
})

it.each([
  ['000123456789', 'active', 'paid'],
  ['000222222227', 'past_due', 'open'],
])(
  'runs a subscription while the bank of account %s makes up its mind: then it is %s',
  async (account, status, bill) => {
    await using world = await buildWorld()
    const creator = await buildCreator(world.stripe)
    const session = await buildCheckout(world.stripe, creator)
    await debit(session, account)
    const read = async () => {
      const { data } = await world.stripe.subscriptions.list({ status: 'all', expand: ['data.latest_invoice'] })
      const invoice = data[0]?.latest_invoice as Stripe.Invoice
      return [data[0]?.status, invoice.status]
    }
    expect(await read()).toEqual(['active', 'open'])
    world.sandbox.advanceClock(4 * day + 1)
    expect(await read()).toEqual([status, bill])
  },
)

it('offers cards alone where the request, or the switch, wants no other method', async () => {
  await using world = await buildWorld()
  const cards = await tip(world, { allowed_payment_method_types: ['card'] })
  expect((await visit(cards.url)).text).not.toContain('bank account')
  await using plain = await buildWorld({ truth: { delayedMethods: false } })
  expect((await visit((await tip(plain)).url)).text).not.toContain('bank account')
})
