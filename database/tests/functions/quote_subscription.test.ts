import { paymentTexts } from '@ovation/contract/texts/payments'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  await sellAtStripe(creator.productId)
})

const sellAtStripe = (plan: string) =>
  world.query(
    `with product as (insert into private.stripe_products (product_id, stripe_product_id) values ($1::uuid, 'prod_' || $1))
     insert into private.stripe_prices (stripe_price_id, product_id, interval_count, price_cents)
     select 'price_' || $1, id, 1, price_cents from public.subscription_products where id = $1::uuid`,
    [plan],
  )
const quote = async (buyer: Person = fan, plan: string = creator.productId, code: string | null = null) =>
  (
    await world.as('service_role', 'select * from private.quote_subscription($1, $2, $3)', [
      buyer.profileId,
      plan,
      code,
    ])
  )[0]
const rejection = (code: string, detail: string, message?: string) => ({ code, detail, ...(message && { message }) })

async function buildPromotion(given: {
  code: string
  percentOff?: number
  amountOff?: number
  plan?: string
  expiresAt?: string
}) {
  const [row] = await world.query(
    `insert into private.promotion_codes (creator_id, product_id, code, percent_off, amount_off_cents, duration, max_redemptions,
       expires_at, stripe_coupon_id, stripe_promotion_id)
     values ($1, $2, $3, $4, $5, 'once', 7, $6, 'coupon', 'promo_' || gen_random_uuid()) returning id, stripe_promotion_id`,
    [
      creator.profileId,
      given.plan ?? null,
      given.code,
      given.percentOff ?? null,
      given.amountOff ?? null,
      given.expiresAt ?? null,
    ],
  )
  return row
}

describe('the quote of a plan', () => {
  it('names the creator, their account, the price at Stripe, and the trial', async () => {
    await world.query('update public.subscription_products set trial_days = 7 where id = $1', [creator.productId])
    expect(await quote()).toEqual({
      creator_id: creator.profileId,
      creator_username: creator.username,
      stripe_account_id: `acct_${creator.username}`,
      stripe_price_id: `price_${creator.productId}`,
      trial_days: 7,
      promotion_id: null,
      stripe_promotion_id: null,
      max_redemptions: null,
    })
  })

  it('is rejected for an unknown, inactive, or own plan', async () => {
    await expect(quote(fan, '00000000-0000-0000-0000-000000000000')).rejects.toMatchObject(
      rejection('PT404', 'plan_not_found', paymentTexts.planNotFound),
    )
    await expect(quote(creator)).rejects.toMatchObject(rejection('PT409', 'own_plan'))
    await world.query('update public.subscription_products set is_active = false where id = $1', [creator.productId])
    await expect(quote()).rejects.toMatchObject(rejection('PT409', 'plan_inactive'))
  })

  it.each([
    ['has no account at Stripe', 'stripe_account_id = null'],
    ['is restricted by Stripe', 'stripe_charges_enabled = false'],
    ['is no longer approved', 'is_verified = false'],
  ])('is rejected while the creator %s', async (_, change) => {
    await world.query(`update private.profiles set ${change} where id = $1`, [creator.profileId])
    await expect(quote()).rejects.toMatchObject(rejection('PT409', 'creator_without_payments'))
  })

  it('is rejected for a plan that has no price at Stripe', async () => {
    const plan = await world.buildProduct(creator, 1999)
    await expect(quote(fan, plan)).rejects.toMatchObject(rejection('PT409', 'creator_without_payments'))
  })

  it('is rejected across a block, and while either side is suspended', async () => {
    const block = 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)'
    const blocked = await world.buildPerson()
    await world.query(block, [creator.profileId, blocked.profileId])
    await expect(quote(blocked)).rejects.toMatchObject({ code: 'PT403' })
    for (const { profileId } of [fan, creator]) {
      const suspend = (at: string) =>
        world.query(
          `update private.profiles set suspended_at = ${at}, suspension_reason = ${at === 'null' ? 'null' : "'x'"},
             was_private = ${at === 'null' ? 'null' : 'false'} where id = $1`,
          [profileId],
        )
      await suspend('now()')
      await expect(quote()).rejects.toMatchObject({ code: 'PT403' })
      await suspend('null')
    }
    expect(await quote()).toMatchObject({ creator_id: creator.profileId })
  })

  it.each(['active', 'trial', 'past_due', 'unpaid', 'paused'])(
    'is rejected beside a subscription that is %s [SUB-04]',
    async (status) => {
      await world.subscribe(fan, creator, { status: status === 'trial' ? 'trialing' : status })
      await expect(quote()).rejects.toMatchObject(
        rejection('PT409', 'already_subscribed', paymentTexts.alreadySubscribed),
      )
      const gold = await world.buildProduct(creator, 1999)
      await sellAtStripe(gold)
      await expect(quote(fan, gold)).rejects.toMatchObject(rejection('PT409', 'switch_instead'))
    },
  )

  it('has the trial for new subscribers only', async () => {
    await world.query('update public.subscription_products set trial_days = 7 where id = $1', [creator.productId])
    await world.subscribe(fan, creator, { status: 'incomplete_expired' })
    expect(await quote()).toMatchObject({ trial_days: 7 })
    await world.subscribe(fan, creator, { status: 'canceled' })
    expect(await quote()).toMatchObject({ trial_days: 0 })
  })
})

describe('the quote with a promotion code', () => {
  it('names the code at Stripe, and has no trial', async () => {
    await world.query('update public.subscription_products set trial_days = 7 where id = $1', [creator.productId])
    const promotion = await buildPromotion({ code: 'SUMMER', percentOff: 25 })
    expect(await quote(fan, creator.productId, 'summer')).toMatchObject({
      promotion_id: promotion?.id,
      stripe_promotion_id: promotion?.stripe_promotion_id,
      max_redemptions: 7,
      trial_days: 0,
    })
  })

  it('is rejected for an unknown, retired, or expired code, and for one of another plan', async () => {
    const unknown = rejection('PT404', 'promotion_not_found', paymentTexts.promotionNotFound)
    await expect(quote(fan, creator.productId, 'NONE')).rejects.toMatchObject(unknown)
    await buildPromotion({ code: 'GOLD', percentOff: 25, plan: await world.buildProduct(creator, 1999) })
    await expect(quote(fan, creator.productId, 'GOLD')).rejects.toMatchObject(unknown)
    const retired = await buildPromotion({ code: 'RETIRED', percentOff: 25 })
    await world.query('update private.promotion_codes set is_active = false where id = $1', [retired?.id])
    await expect(quote(fan, creator.productId, 'RETIRED')).rejects.toMatchObject(unknown)
    await buildPromotion({ code: 'PAST', percentOff: 25, expiresAt: '2020-01-01' })
    await expect(quote(fan, creator.productId, 'PAST')).rejects.toMatchObject(rejection('PT409', 'promotion_expired'))
  })

  it('is rejected for a plan made after a code for all plans', async () => {
    await buildPromotion({ code: 'ALL', percentOff: 25 })
    const later = await world.buildProduct(creator, 1999)
    await sellAtStripe(later)
    await expect(quote(fan, later, 'ALL')).rejects.toMatchObject(rejection('PT404', 'promotion_not_found'))
  })

  it('is rejected when 1 to 49 cents would be left', async () => {
    await buildPromotion({ code: 'TOOMUCH', amountOff: 950 })
    await expect(quote(fan, creator.productId, 'TOOMUCH')).rejects.toMatchObject(
      rejection('PT404', 'promotion_not_found'),
    )
    await buildPromotion({ code: 'ENOUGH', amountOff: 949 })
    expect(await quote(fan, creator.productId, 'ENOUGH')).toMatchObject({ max_redemptions: 7 })
  })

  it.each([
    [999, 25, null, 749],
    [999, 50, null, 499],
    [999, 100, null, 0],
    [999, null, 400, 599],
    [999, null, 2000, 0],
  ])('prices %i cents less %s percent or %s cents at %i', async (price, percentOff, amountOff, cents) => {
    const [row] = await world.query('select private.discounted_cents($1, $2, $3) as cents', [
      price,
      percentOff,
      amountOff,
    ])
    expect(row).toEqual({ cents })
  })
})
