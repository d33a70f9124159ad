import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { changeAtProvider } from '../testing/provider-state.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'

let shop: Shop
let creator: Person
beforeAll(async () => {
  shop = await buildShop({ truth: { bankDebits: true } })
  creator = await shop.buildCreator()
})
afterAll(() => shop.close())

async function tip(to: Person): Promise<string> {
  const fan = await shop.gateway.signUp()
  const order = { kind: 'tip', targetId: to.profileId, amountCents: 500 }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  await pay(url, '4000 0000 0000 0077') // available at once
  await shop.settled()
  return (await shop.stripe.paymentIntents.list({ limit: 1 })).data[0]?.id ?? ''
}
const balance = async ({ profileId }: Person) =>
  (await shop.gateway.query<{ cents: number }>('select private.balance_of($1)::int as cents', [profileId]))[0]?.cents
const bells = async ({ client }: Person, title: string) =>
  (await client.from('notifications').select('message').eq('title', title).throwOnError()).data
const payouts = async ({ client }: Person) =>
  (
    await client
      .from('transactions')
      .select('amount')
      .eq('transaction_type', 'payout')
      .order('created_at')
      .throwOnError()
  ).data

it('a debit of the creator’s bank pays a negative balance: it is booked like a payout in reverse [D39]', async () => {
  const intent = await tip(creator)
  const account = await shop.accountOf(creator)
  shop.sandbox.payOut(account)
  await shop.settled()
  await shop.stripe.refunds.create({ payment_intent: intent, reverse_transfer: true, refund_application_fee: true })
  await shop.settled()
  expect(await balance(creator)).toBe(-450)
  shop.sandbox.advanceClock(2 * 86_400)
  await shop.settled()
  expect(await balance(creator)).toBe(0)
  expect(await payouts(creator)).toEqual([{ amount: 450 }, { amount: -450 }])
  expect(await bells(creator, 'Negative balance settled')).toMatchObject([
    { message: expect.stringContaining('$4.50 was debited from your bank account') },
  ])
  await expectBalancedBooks(shop)

  const [debit] = (await shop.stripe.payouts.list({ limit: 1 }, { stripeAccount: account })).data
  changeAtProvider(shop, debit?.id ?? '', { '$.status': 'failed' })
  await reconcile(shop.gateway.services, 7)
  expect(await balance(creator)).toBe(-450)
  expect(await bells(creator, 'Debit failed')).toHaveLength(1)
  changeAtProvider(shop, debit?.id ?? '', { '$.status': 'paid' })
})

it('a payout in another currency is shown as it is, noted, and not booked, and the account’s other payouts are booked', async () => {
  const other = await shop.buildCreator()
  const account = await shop.accountOf(other)
  const { data: endpoints } = await shop.stripe.webhookEndpoints.list()
  for (const { id } of endpoints) await shop.stripe.webhookEndpoints.update(id, { enabled_events: ['charge.refunded'] })
  for (let round = 0; round < 2; round += 1) {
    await tip(other)
    const { url } = (await shop.stripe.checkout.sessions.list({ limit: 1 })).data[0] ?? {}
    expect(url).toBeNull()
    shop.sandbox.payOut(account)
  }
  const [newest, oldest] = (await shop.stripe.payouts.list({}, { stripeAccount: account })).data
  changeAtProvider(shop, newest?.id ?? '', { '$.currency': 'eur' })
  await reconcile(shop.gateway.services, 7)
  expect(await payouts(other)).toEqual([{ amount: oldest?.amount }])
  expect(await bells(other, 'Payout sent')).toMatchObject(
    expect.arrayContaining([{ message: '€4.50 is on its way to your bank.' }]),
  )
  expect(
    await shop.gateway.query('select kind, cause from private.payment_differences where kind = $1', ['currency']),
  ).toEqual([{ kind: 'currency', cause: newest?.id }])
})
