import { paymentTexts } from '@ovation/contract/texts/payments'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
let names = 0
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, { trial_days: 7 })
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

type Code = { id: string; code: string }
const create = async (about: Record<string, unknown> = {}, person = creator) => {
  names += 1
  const body = { code: `summer-${names}`, percentOff: 25, duration: 'once', ...about }
  return (await call<{ promotionCode: Code }>(person, 'create-promotion-code', body)).promotionCode
}
const refuseToCreate = (about: Record<string, unknown>, person = creator) =>
  refusalOf(person, 'create-promotion-code', { code: 'OTHER', percentOff: 25, duration: 'once', ...about })
const checkout = (promotionCode: string | undefined, person = fan) =>
  call<{ url: string }>(person, 'create-subscription-checkout', { productId: plan.id, promotionCode })
const refuse = (promotionCode: string, person = fan) =>
  refusalOf(person, 'create-subscription-checkout', { productId: plan.id, promotionCode })
const paid = async () => {
  await shop.settled()
  await expectBalancedBooks(shop)
  return shop.gateway.query(
    'select amount, fee_amount from public.transactions where from_user_id = $1 order by created_at',
    [fan.profileId],
  )
}

describe('a promotion code', () => {
  it('takes a percentage off the first bill, instead of the free trial, and the fee is on the paid amount [GEN-06]', async () => {
    const { code } = await create()
    expect(code).toMatch(/^SUMMER-/)
    expect(await call(fan, 'check-promotion-code', { productId: plan.id, code: code.toLowerCase() })).toEqual({
      code,
      priceCents: 999,
      discountedCents: 749,
      duration: 'once',
      durationMonths: null,
    })
    const { url } = await checkout(code.toLowerCase())
    expect(await checkout(code)).toEqual({ url }) // a double click
    await pay(url)
    expect(await paid()).toEqual([{ amount: '749', fee_amount: '75' }])
    shop.sandbox.advanceClock(32 * 86_400)
    expect(await paid()).toEqual([
      { amount: '749', fee_amount: '75' },
      { amount: '999', fee_amount: '100' },
    ])
  })

  it('takes an amount off for some months', async () => {
    const { code } = await create({
      percentOff: undefined,
      amountOffCents: 400,
      duration: 'repeating',
      durationMonths: 2,
    })
    await pay((await checkout(code)).url)
    for (let month = 1; month <= 2; month++) shop.sandbox.advanceClock(31 * 86_400)
    shop.sandbox.advanceClock(3600) // a bill is a draft for an hour
    expect((await paid()).map(({ amount }) => amount)).toEqual(['599', '599', '999'])
  })

  it('may make the first month free, and the card is charged for the second', async () => {
    const { code } = await create({ percentOff: 100 })
    await pay((await checkout(code)).url)
    expect(await paid()).toEqual([])
    const { data } = await fan.client.from('subscriptions').select('status').single()
    expect(data).toEqual({ status: 'active' })
    shop.sandbox.advanceClock(32 * 86_400)
    expect(await paid()).toEqual([{ amount: '999', fee_amount: '100' }])
  })

  it("belongs to its creator: others may use the same name, and it doesn't apply to their plans", async () => {
    const rival = await shop.buildCreator()
    const theirs = await shop.buildPlan(rival)
    const { code } = await create()
    const own = await create()
    await create({ code }, rival)
    await create({ code: 'MINE' }, rival)
    expect(await refuse('MINE')).toMatchObject({ status: 404, body: { code: 'promotion_not_found' } })
    expect(await refusalOf(fan, 'check-promotion-code', { productId: theirs.id, code: own.code })).toMatchObject({
      status: 404,
    })
    expect(await refuseToCreate({ productId: theirs.id })).toMatchObject({ status: 404 })
    expect(await refuseToCreate({ code })).toMatchObject({ status: 409, body: { code: 'promotion_taken' } })
    expect(await refuseToCreate({}, fan)).toMatchObject({ status: 403 })
  })

  it('stops working once it is retired or used up, but fans who used it keep the discount', async () => {
    const { id, code } = await create({ maxRedemptions: 1, duration: 'forever' })
    await pay((await checkout(code)).url)
    const late = await shop.gateway.signUp()
    const usedUp = { status: 409, body: { code: 'promotion_used_up', error: paymentTexts.promotionUsedUp } }
    expect(await refuse(code, late)).toMatchObject(usedUp)
    expect(await refusalOf(late, 'check-promotion-code', { productId: plan.id, code })).toMatchObject(usedUp)
    await call(creator, 'retire-promotion-code', { id })
    expect(await refuse(code, late)).toMatchObject({ status: 404 })
    shop.sandbox.advanceClock(32 * 86_400)
    expect((await paid()).map(({ amount }) => amount)).toEqual(['749', '749'])
    expect(await refusalOf(fan, 'retire-promotion-code', { id })).toMatchObject({ status: 404 })
    const { promotionCodes } = await call<{ promotionCodes: { id: string; isActive: boolean }[] }>(
      creator,
      'list-promotion-codes',
    )
    expect(promotionCodes.find((one) => one.id === id)).toMatchObject({ isActive: false })
  })

  it('is created once on a double click, and the second request gets an error', async () => {
    const body = { code: 'TWICE', percentOff: 25, duration: 'once' }
    const clicks = await Promise.all(
      [1, 2].map(() => creator.client.functions.invoke('create-promotion-code', { body })),
    )
    const errors = clicks.flatMap(({ error }) => (error ? [error] : []))
    expect(await Promise.all(errors.map(({ context }) => context.json()))).toMatchObject([{ code: 'promotion_taken' }])
  })

  it('is rejected with a reason once its last day is over [SUB-02]', async () => {
    const { id, code } = await create({ expiresAt: '2100-01-01' })
    await shop.gateway.query(
      `update private.promotion_codes set expires_at = now() - interval '1 minute' where id = $1`,
      [id],
    )
    const expired = { status: 409, body: { code: 'promotion_expired', error: 'This code has expired' } }
    expect(await refuse(code)).toMatchObject(expired)
    expect(await refusalOf(fan, 'check-promotion-code', { productId: plan.id, code })).toMatchObject(expired)
  })

  it('charges nothing on an open page if another fan has used it up first', async () => {
    const { code } = await create({ maxRedemptions: 1 })
    const { url } = await checkout(code)
    const quicker = await shop.gateway.signUp()
    await pay((await checkout(code, quicker)).url)
    expect(await pay(url)).toMatchObject({ status: 410 })
    expect(await refuse(code)).toMatchObject({ status: 409 })
    expect(await paid()).toEqual([])
    await pay((await checkout(undefined)).url) // without it the plan is for sale, with its free trial
    expect(await paid()).toEqual([])
    const { data } = await fan.client.from('subscriptions').select('status').single()
    expect(data).toEqual({ status: 'trial' })
  })

  it('opens a separate page, and closes the one without it', async () => {
    const { url } = await checkout(undefined)
    const { code } = await create()
    const other = await checkout(code)
    expect(other.url).not.toBe(url)
    await expect(pay(url)).rejects.toThrow('no form')
  })

  it('prevents a plan switch during a running discount', async () => {
    const { code } = await create({ duration: 'forever' })
    await pay((await checkout(code)).url)
    await shop.settled()
    const dearer = await shop.buildPlan(creator, { price_cents: 2_000 })
    const { data } = await fan.client.from('subscriptions').select('id').single()
    expect(
      await refusalOf(fan, 'switch-subscription', { subscriptionId: data?.id, productId: dearer.id }),
    ).toMatchObject({ status: 409, body: { code: 'switch_discounted' } })
  })
})

it.each([
  [{ code: 'a b' }, 'code'],
  [{ code: 'X' }, 'code'],
  [{ percentOff: 101 }, 'percentOff'],
  [{ percentOff: 0 }, 'percentOff'],
  [{ percentOff: 12.5 }, 'percentOff'],
  [{ amountOffCents: 100 }, 'percentOff'],
  [{ duration: 'always' }, 'duration'],
  [{ duration: 'repeating' }, 'durationMonths'],
  [{ expiresAt: '2001-01-01' }, 'expiresAt'],
  [{ expiresAt: 'soon' }, 'expiresAt'],
  [{ maxRedemptions: -1 }, 'maxRedemptions'],
])('refuses %j', async (about, field) => {
  expect(await refuseToCreate(about)).toMatchObject({ status: 400, body: { field } })
})

it('is rejected if it leaves a plan at a price that no card is charged', async () => {
  expect(await refuseToCreate({ percentOff: 98 })).toMatchObject({ status: 422, body: { code: 'promotion_too_cheap' } })
})
