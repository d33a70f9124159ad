import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let sellerAccountId: string
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
  sellerAccountId = await shop.accountOf(creator)
})
afterAll(() => shop.close())

const payment = (more: Record<string, unknown> = {}) => ({
  amountInCents: 1_000,
  sellerAccountId,
  paymentMethodId: 'pm_card_visa',
  description: 'Integration test',
  ...more,
})

describe('create-marketplace-payment', () => {
  it('pays a creator by their account, less the platform’s share, and books it everywhere [API-FN-14, TEST-07, GEN-06]', async () => {
    const answer = await call(fan, 'create-marketplace-payment', payment())
    expect(answer).toEqual({
      success: true,
      paymentId: expect.stringMatching(/^pi_/),
      amountCents: 1_000,
      feeCents: 100,
      netCents: 900,
    })
    await shop.settled()
    const { data } = await fan.client.from('transactions').select('transaction_type, amount, net_amount')
    expect(data).toEqual([{ transaction_type: 'tip', amount: 1000, net_amount: 900 }])
    await expectBalancedBooks(shop)
  })

  it.each([
    [{ amountInCents: 99 }, 400],
    [{ amountInCents: -1 }, 400],
    [{ amountInCents: 10.5 }, 400],
    [{ amountInCents: '1000' }, 400],
    [{ amountInCents: null }, 400],
    [{ sellerAccountId: 'acct_of_nobody' }, 404],
    [{ paymentMethodId: 'pm_card_chargeDeclined' }, 402],
    [{ paymentMethodId: 'pm_unknown' }, 502],
  ])('refuses %j', async (more, status) => {
    expect(await refusalOf(fan, 'create-marketplace-payment', payment(more))).toMatchObject({ status })
  })

  it('rejects a payment to yourself', async () => {
    expect(await refusalOf(creator, 'create-marketplace-payment', payment())).toMatchObject({ status: 409 })
  })
})

describe('test-platform-fees', () => {
  it('shows how amounts are split: nine tenths to the creator, half a cent to the platform [API-FN-13, GEN-06, TEST-07]', async () => {
    const answer = await call<{
      payment: object
      samples: { grossCents: number; feeCents: number; netCents: number }[]
    }>(fan, 'test-platform-fees')
    expect(answer).toMatchObject({
      success: true,
      feePercent: 10,
      creatorPercent: 90,
      payment: { grossCents: 1_000, feeCents: 100, netCents: 900 },
    })
    expect(answer.samples).toContainEqual({ grossCents: 999, feeCents: 100, netCents: 899 })
    for (const { grossCents, feeCents, netCents } of answer.samples) expect(feeCents + netCents).toBe(grossCents)
    expect(await call(fan, 'test-platform-fees', { amountInCents: 105 })).toMatchObject({
      payment: { grossCents: 105, feeCents: 11, netCents: 94 },
    })
    expect(await refusalOf(fan, 'test-platform-fees', { amountInCents: 0 })).toMatchObject({ status: 400 })
  })
})
