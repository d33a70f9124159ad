import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld } from '../testing/harness.ts'

it('confirms a payment of a saved card once', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const customer = await stripe.customers.create({ email: 'fan@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const intent = await stripe.paymentIntents.create({ amount: 700, currency: 'usd', customer: customer.id })
  const confirm = () => stripe.paymentIntents.confirm(intent.id, { payment_method: card.id })
  expect(await confirm()).toMatchObject({ status: 'succeeded', amount_received: 700 })
  await expect(confirm()).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' })
  expect(sandbox.books().paidIn).toBe(700)
})

it('gives a code for first purchases to nobody who has paid before', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const creator = await buildCreator(stripe)
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    restrictions: { first_time_transaction: true },
  })
  const customer = await stripe.customers.create({ email: 'fan@example.com' })
  const open = () => buildCheckout(stripe, creator, { customer: customer.id, discounts: [{ promotion_code: code.id }] })
  expect(await open()).toMatchObject({ amount_total: 499 })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.paymentIntents.create({
    amount: 700,
    currency: 'usd',
    customer: customer.id,
    payment_method: card.id,
    confirm: true,
    allowed_payment_method_types: ['card'],
  })
  await expect(open()).rejects.toMatchObject({
    param: 'discounts[0][promotion_code]',
    message: expect.stringContaining('prior transactions'),
  })
})
