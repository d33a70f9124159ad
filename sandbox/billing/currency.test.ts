import { expect, it } from 'vitest'
import { buildWorld, pay } from '../testing/harness.ts'
import { onboardingAnswers, submit, visit } from '../visit.ts'

it('keeps the balance of an account abroad in its own currency, and pays it out so', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const { id } = await stripe.accounts.create({ type: 'express', country: 'DE' })
  const link = await stripe.accountLinks.create({
    account: id,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/refresh',
    return_url: 'http://shop.test/return',
  })
  await submit(await visit(link.url), onboardingAnswers)
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    country: 'DE',
    default_currency: 'eur',
    external_accounts: { data: [{ country: 'DE', currency: 'eur' }] },
  })
  const charge = await pay(world, { destination: id, number: '4000000000000077' })
  const [entry] = (await stripe.balanceTransactions.list({ type: 'payment' }, { stripeAccount: id })).data
  expect(entry).toMatchObject({ amount: 920, currency: 'eur', exchange_rate: 0.92, fee: 92, net: 828 })
  expect((await stripe.balance.retrieve({}, { stripeAccount: id })).available).toMatchObject([
    { amount: 828, currency: 'eur' },
  ])
  await expect(stripe.payouts.create({ amount: 1, currency: 'usd' }, { stripeAccount: id })).rejects.toMatchObject({
    param: 'currency',
  })
  sandbox.payOut(id)
  expect((await stripe.payouts.list({}, { stripeAccount: id })).data).toMatchObject([{ amount: 828, currency: 'eur' }])
  await expect(stripe.transfers.createReversal(String(charge.transfer), { amount: 900 })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
  await expect(stripe.accounts.create({ type: 'express', country: 'DE', default_currency: 'usd' })).rejects.toThrow(
    'eur alone',
  )
})
