import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShop, call, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
})
afterAll(() => shop.close())

const good = { name: 'Backstage', price_cents: 999, interval: 'month' }

const plansOf = ({ profileId }: Person) =>
  shop.gateway.query<{ id: string }>('select * from public.subscription_products where creator_id = $1', [profileId])

describe('create-subscription-product', () => {
  it('creates the plan here and at Stripe [PROD-02, PROD-04, PROD-06, PROD-11, GEN-08]', async () => {
    const { success, product } = await call<{ success: boolean; product: { id: string } }>(
      creator,
      'create-subscription-product',
      { ...good, name: '  Backstage  ', description: '  Everything I do  ', trial_days: 7 },
    )
    expect(success).toBe(true)
    expect(product).toMatchObject({
      creator_id: creator.profileId,
      name: 'Backstage',
      description: 'Everything I do',
      price_cents: 999,
      interval: 'month',
      trial_days: 7,
      is_active: true,
    })
    const [row] = await shop.gateway.query<{ stripe_product_id: string; stripe_price_id: string }>(
      'select stripe_product_id, p.stripe_price_id from private.stripe_products join private.stripe_prices p using (product_id) where product_id = $1',
      [product.id],
    )
    const price = await shop.stripe.prices.retrieve(row?.stripe_price_id ?? '', { expand: ['product'] })
    expect(price).toMatchObject({
      unit_amount: 999,
      currency: 'usd',
      recurring: { interval: 'month', interval_count: 1 },
      product: { id: row?.stripe_product_id, name: 'Backstage', metadata: { product_id: product.id } },
    })
  })

  it('takes a name, a price, an interval, and an optional description, and returns success or an error [API-FN-03]', async () => {
    const create = 'create-subscription-product'
    for (const description of ['Everything I do', undefined]) {
      expect(await call(creator, create, { ...good, description })).toMatchObject({
        success: true,
        product: { ...good, description: description ?? null },
      })
    }
    expect(await refusalOf(creator, create, { ...good, interval: 'hour' })).toMatchObject({
      status: 400,
      body: { success: false, error: expect.any(String) },
    })
  })

  it('keeps benefits in their order, without blank ones [LOOP-15]', async () => {
    const benefits = ['  Every print as a file ', '', 'A postcard a year', '   ']
    expect(await call(creator, 'create-subscription-product', { ...good, benefits })).toMatchObject({
      product: { benefits: ['Every print as a file', 'A postcard a year'] },
    })
    expect(await call(creator, 'create-subscription-product', good)).toMatchObject({ product: { benefits: [] } })
  })

  it.each(['day', 'week', 'month', 'year'])('accepts the interval %s [PROD-07]', async (interval) => {
    expect(await call(creator, 'create-subscription-product', { ...good, interval })).toMatchObject({
      product: { interval, description: null, trial_days: 0 },
    })
  })

  it.each([
    ['name', { name: '' }, 'Please fill in all required fields'],
    ['name', { name: undefined }, 'Please fill in all required fields'],
    ['price_cents', { price_cents: undefined }, 'Please fill in all required fields'],
    ['price_cents', { price_cents: 99 }, 'The price must be at least $1.00'],
    ['price_cents', { price_cents: -999 }, 'The price must be at least $1.00'],
    ['price_cents', { price_cents: 0 }, 'The price must be at least $1.00'],
    ['price_cents', { price_cents: 100.5 }, 'The price in cents must be a whole number'],
    ['price_cents', { price_cents: '999' }, 'The price in cents must be a whole number'],
    ['price_cents', { price_cents: Number.NaN }, 'Please fill in all required fields'],
    ['price_cents', { price_cents: 1_000_000 }, 'The price can be at most $9,999.99'],
    ['price_cents', { price_cents: 1e21 }, 'The price in cents must be a whole number'],
    ['interval', { interval: 'fortnight' }, 'The interval must be one of day, week, month, year'],
    ['interval', { interval: undefined }, 'Please fill in all required fields'],
    ['trial_days', { trial_days: -1 }, 'The free trial in days must be at least 0'],
    ['trial_days', { trial_days: 91 }, 'The free trial in days can be at most 90'],
    ['description', { description: 'x'.repeat(501) }, 'The description can have up to 500 characters'],
    ['benefits', { benefits: 'Prints' }, 'The benefits must be a list'],
    ['benefits', { benefits: [7] }, 'A benefit must be text'],
    ['benefits', { benefits: ['x'.repeat(101)] }, 'A benefit can have up to 100 characters'],
    ['benefits', { benefits: ['Prints\nand more'] }, 'A benefit must be one line'],
    ['benefits', { benefits: ['\0'] }, "A benefit contains a character that isn't allowed"],
    ['benefits', { benefits: Array(11).fill('Prints') }, 'The benefits can have up to 10 entries'],
  ])('rejects an invalid %s: %j [PROD-03, PROD-05]', async (field, change, error) => {
    const before = await plansOf(creator)
    expect(await refusalOf(creator, 'create-subscription-product', { ...good, ...change })).toEqual({
      error: 'FunctionsHttpError',
      status: 400,
      body: { success: false, error, code: 'invalid_field', field },
    })
    expect(await plansOf(creator)).toEqual(before)
  })

  it('rejects a creator who has not finished onboarding, and creates nothing at Stripe [PROD-08, PROD-09]', async () => {
    const approved = await shop.buildApproved()
    const before = await shop.stripe.products.list({ limit: 100 })
    const refused = {
      status: 409,
      body: { success: false, error: 'Please complete Stripe onboarding before creating products' },
    }
    expect(await refusalOf(approved, 'create-subscription-product', good)).toMatchObject(refused)
    await call(approved, 'create-stripe-account')
    expect(await refusalOf(approved, 'create-subscription-product', good)).toMatchObject(refused)
    expect(await plansOf(approved)).toEqual([])
    expect((await shop.stripe.products.list({ limit: 100 })).data).toHaveLength(before.data.length)
  })

  it('asks Stripe again before it sends a creator back to onboarding [PROD-09]', async () => {
    const onboarded = await shop.buildCreator()
    await shop.settled()
    await shop.gateway.query('update private.profiles set stripe_charges_enabled = false where id = $1', [
      onboarded.profileId,
    ])
    expect(await call(onboarded, 'create-subscription-product', good)).toMatchObject({ success: true })
  })

  it("rejects users who aren't approved creators [GEN-04, D25]", async () => {
    const applicant = await shop.gateway.signUp({ data: { is_creator: true } })
    expect(await refusalOf(applicant, 'create-subscription-product', good)).toMatchObject({
      status: 403,
      body: { error: 'Only approved creators can sell subscriptions' },
    })
  })
})

describe('update-subscription-product', () => {
  const update = 'update-subscription-product'
  const words = { name: ' Front row ', description: '', trial_days: 3 }
  let plan: { id: string }
  beforeAll(async () => {
    const made = await call<{ product: { id: string } }>(creator, 'create-subscription-product', {
      ...good,
      description: 'Everything I do',
    })
    plan = made.product
  })

  it("changes the plan's name here and on receipts, but never its price [PROD-02, PROD-11]", async () => {
    const { product } = await call<{ product: object }>(creator, update, { id: plan.id, ...words, price_cents: 100 })
    expect(product).toMatchObject({
      id: plan.id,
      name: 'Front row',
      description: null,
      trial_days: 3,
      price_cents: 999,
      interval: 'month',
    })
    const [row] = await shop.gateway.query<{ stripe_product_id: string }>(
      'select stripe_product_id from private.stripe_products where product_id = $1',
      [plan.id],
    )
    expect(await shop.stripe.products.retrieve(row?.stripe_product_id ?? '')).toMatchObject({
      name: 'Front row',
      description: null,
    })
  })

  it('changes the benefits, and leaves them to clients that do not name them [LOOP-15]', async () => {
    const send = async (body: object) =>
      (await call<{ product: { benefits: string[] } }>(creator, update, { id: plan.id, ...words, ...body })).product
        .benefits
    expect(await send({ benefits: ['Prints'] })).toEqual(['Prints'])
    expect(await send({})).toEqual(['Prints'])
    expect(await send({ benefits: null })).toEqual(['Prints'])
    expect(await send({ benefits: [] })).toEqual([])
  })

  it("works only for the plan's creator", async () => {
    const other = await shop.buildCreator()
    const before = await plansOf(creator)
    expect(await refusalOf(other, update, { id: plan.id, ...words, name: 'Mine now' })).toMatchObject({ status: 404 })
    expect(await plansOf(creator)).toEqual(before)
  })

  it.each([
    ['name', { name: '  ' }, 'Please fill in all required fields'],
    ['trial_days', { trial_days: 91 }, 'The free trial in days can be at most 90'],
    ['id', { id: 'none' }, 'The plan must be an id'],
  ])('rejects an invalid %s [PROD-03]', async (field, change, error) => {
    expect(await refusalOf(creator, update, { id: plan.id, ...words, ...change })).toMatchObject({
      status: 400,
      body: { error, field },
    })
  })
})
