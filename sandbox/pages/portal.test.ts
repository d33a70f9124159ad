import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld, payWith, type World } from '../testing/harness.ts'
import { payingCard, submit, visit } from '../visit.ts'

let world: World
let customer: string
beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  customer = (await world.stripe.customers.create({ email: 'fan@example.com', name: 'Fay Fan' })).id
})

const openPortal = async () =>
  visit((await world.stripe.billingPortal.sessions.create({ customer, return_url: 'http://shop.test/settings' })).url)
const press = async (action: string, about = `value="${action}"`, values: Record<string, string> = {}) => {
  const { status, location, ...page } = await submit(await openPortal(), { action, ...values }, about)
  return status === 303 ? visit(new URL(location ?? '', page.url).href) : { status, location, ...page }
}
const addCard = (number: string) =>
  press('add-card', 'name="action" value="add-card"', { ...payingCard, number, action: 'add-card' })
const subscribe = async () => {
  const session = await buildCheckout(world.stripe, await buildCreator(world.stripe), { customer })
  await payWith(session.url, payingCard.number)
  return (await world.stripe.checkout.sessions.retrieve(session.id)).subscription as string
}

describe('the billing portal', () => {
  it('shows cards, subscriptions and invoices, says SANDBOX and leads back', async () => {
    await subscribe()
    const { text, status } = await openPortal()
    expect(status).toBe(200)
    for (const words of ['SANDBOX', 'Backstage', 'Active', '$9.99 per month', 'Visa ···· 4242', 'Paid'])
      expect(text).toContain(words)
    expect(text).toContain('href="http://shop.test/settings"')
  })

  it('keeps a card that is added, and pays with it from then on', async () => {
    const id = await subscribe()
    expect((await addCard('5555 5555 5555 4444')).text).toContain('Your card was saved')
    const { data: cards } = await world.stripe.customers.listPaymentMethods(customer)
    expect(cards.map(({ card }) => card?.last4)).toEqual(['4444', '4242'])
    const subscription = await world.stripe.subscriptions.retrieve(id)
    expect(subscription.default_payment_method).toBe(cards[0]?.id)
    const { data: intents } = await world.stripe.setupIntents.list({ customer })
    expect(intents).toMatchObject([{ status: 'succeeded', payment_method: cards[0]?.id }])
  })

  it('refuses a declined card and asks the bank of another', async () => {
    expect(await addCard('4000 0000 0000 0002')).toMatchObject({ status: 402 })
    const page = await addCard('4000 0025 0000 3155')
    expect(page.text).toContain('Your bank asks')
    const { location } = await submit(page, { answer: 'refuse' })
    expect((await visit(new URL(location ?? '', page.url).href)).text).toContain('We are unable to authenticate')
    expect((await world.stripe.customers.listPaymentMethods(customer)).data).toEqual([])
  })

  it('cancels at the end of the period, and takes it back', async () => {
    const id = await subscribe()
    await press('cancel')
    expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: true })
    await press('resume')
    expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
    })
  })

  it('removes a card, unless a subscription is paid with it', async () => {
    await subscribe()
    expect((await press('remove-card')).text).toContain('A subscription is paid with this card')
    await addCard('5555 5555 5555 4444')
    const { data } = await world.stripe.customers.listPaymentMethods(customer)
    await press('remove-card', `value="${data[1]?.id}"`)
    expect((await world.stripe.customers.listPaymentMethods(customer)).data).toMatchObject([
      { card: { last4: '4444' } },
    ])
  })

  it('marks the card that the subscriptions are paid with, and offers to prefer another', async () => {
    await subscribe()
    const { text } = await openPortal()
    expect(text).toContain('Default')
    expect(text).not.toContain('Use first')
    await addCard('5555 5555 5555 4444')
    const preferred = (await openPortal()).text.match(/Use first: [^"]*|Default/g)
    expect(preferred).toEqual(['Default', 'Use first: Visa ending in 4242'])
  })

  it('pays an open invoice with another card', async () => {
    const running = await subscribe()
    await addCard('4000 0000 0000 0341')
    world.sandbox.advanceClock(32 * 86_400)
    expect(await world.stripe.subscriptions.retrieve(running)).toMatchObject({ status: 'past_due' })
    expect((await press('pay')).text).toContain('Your card was declined')
    await addCard(payingCard.number)
    expect((await press('pay')).text).toContain('The invoice is paid')
    expect(await world.stripe.subscriptions.retrieve(running)).toMatchObject({ status: 'active' })
  })

  it('is closed to a link that is old, made up, or sent by a stranger’s form', async () => {
    const { url } = await world.stripe.billingPortal.sessions.create({ customer })
    const page = await visit(url)
    expect((await submit(page, { form_token: 'guessed' })).status).toBe(403)
    world.sandbox.advanceClock(3601)
    expect((await visit(url)).status).toBe(410)
    expect((await visit(`${url}x`)).status).toBe(410)
    const late = await world.stripe.billingPortal.sessions.create({ customer })
    world.sandbox.advanceClock(301)
    expect((await visit(late.url)).status).toBe(410)
  })

  it('is not opened for a customer who is not there', async () => {
    await expect(world.stripe.billingPortal.sessions.create({ customer: 'cus_gone' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'customer',
    })
  })
})

describe('paying with a saved card', () => {
  const save = async (number: string) => {
    const session = await world.stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'usd',
      customer,
      success_url: 'http://shop.test/saved',
    })
    const page = await payWith(session.url, number)
    if (page.location?.endsWith('/authenticate')) {
      const bank = await visit(new URL(page.location, page.url).href)
      await submit(bank, { answer: 'confirm' })
    }
    const done = await world.stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent'] })
    return (done.setup_intent as unknown as { payment_method: string }).payment_method
  }
  const charge = (payment_method: string, more = {}, idempotencyKey?: string) =>
    world.stripe.paymentIntents.create(
      {
        amount: 500,
        currency: 'usd',
        customer,
        payment_method,
        confirm: true,
        error_on_requires_action: true,
        ...more,
      },
      { ...(idempotencyKey && { idempotencyKey }) },
    )

  it('takes the money at once', async () => {
    const intent = await charge(await save(payingCard.number))
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 500 })
  })

  it('says what was declined, keeps the attempt, and answers the same key the same', async () => {
    const card = await save('4000 0000 0000 0341')
    const refusal = { code: 'card_declined', statusCode: 402, payment_intent: { status: 'requires_payment_method' } }
    await expect(charge(card, {}, 'one')).rejects.toMatchObject(refusal)
    await expect(charge(card, {}, 'one')).rejects.toMatchObject(refusal)
    const { data } = await world.stripe.paymentIntents.list({ customer })
    expect(data).toMatchObject([{ last_payment_error: { code: 'card_declined' } }])
  })

  it('fails where the bank wants to be asked each time', async () => {
    await expect(charge(await save('4000 0027 6000 3184'))).rejects.toMatchObject({ code: 'authentication_required' })
    await expect(charge(await save('4000 0025 0000 3155'))).resolves.toMatchObject({ status: 'succeeded' })
  })

  it('takes no card of another customer', async () => {
    const card = await save(payingCard.number)
    customer = (await world.stripe.customers.create({ email: 'other@example.com' })).id
    await expect(charge(card)).rejects.toMatchObject({ param: 'payment_method' })
  })
})
