import { onboardingAnswers, submit, visit } from '@ovation/sandbox/visit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '../payments/accounts/accounts.ts'
import { buildShop, call, onboard, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
beforeAll(async () => {
  shop = await buildShop()
})
afterAll(() => shop.close())

const setupUrl = () => `${shop.gateway.url}/creator-onboarding`

async function columnsOf({ profileId }: Person) {
  const [row] = await shop.gateway.query(
    `select stripe_account_id, stripe_onboarding_completed, stripe_charges_enabled, stripe_payouts_enabled
     from private.profiles where id = $1`,
    [profileId],
  )
  return row
}

describe('a payout account', () => {
  it("doesn't exist at first, and a visitor gets an error [ONB-06, DATA-34, API-FN-05]", async () => {
    const person = await shop.gateway.signUp()
    expect(await call(person, 'check-stripe-status')).toEqual({
      success: true,
      has_stripe_account: false,
      account_id: null,
      stripe_account_id: null,
      onboarding_completed: false,
      charges_enabled: false,
      payouts_enabled: false,
      restricted: false,
    })
    expect(await refusalOf({ client: shop.gateway.anon }, 'check-stripe-status')).toMatchObject({
      status: 401,
      body: { success: false, error: expect.any(String) },
    })
  })

  it('is created and onboarded, and the profile keeps its state [ONB-02, ONB-06, API-FN-04, API-FN-06, DATA-03]', async () => {
    const person = await shop.gateway.signUp()
    const made = await call<{ account_id: string }>(person, 'create-stripe-account')
    expect(made).toMatchObject({
      success: true,
      already_exists: false,
      has_stripe_account: true,
      charges_enabled: false,
    })
    expect(made.account_id).toMatch(/^acct_/)

    const link = await call<{ url: string; onboarding_url: string }>(person, 'create-onboarding-link', {
      origin: shop.gateway.url,
    })
    expect(link.onboarding_url).toBe(link.url)
    expect(link.url.startsWith(`${shop.gateway.url}/sandbox/onboarding/`)).toBe(true)
    expect(await onboard(link.url)).toBe(`${setupUrl()}?success=true`)

    expect(await call(person, 'check-stripe-status')).toMatchObject({
      account_id: made.account_id,
      onboarding_completed: true,
      charges_enabled: true,
      payouts_enabled: true,
    })
    expect(await columnsOf(person)).toEqual({
      stripe_account_id: made.account_id,
      stripe_onboarding_completed: true,
      stripe_charges_enabled: true,
      stripe_payouts_enabled: true,
    })
  })

  it('is in the country that the creator chose, for good, and otherwise in that of the platform [ONB-02, API-FN-06]', async () => {
    const countryOf = async (id: string) => (await shop.stripe.accounts.retrieve(id)).country
    const person = await shop.gateway.signUp()
    for (const country of ['AU', 'Norway', 'no', 7])
      expect(await refusalOf(person, 'create-stripe-account', { country })).toMatchObject({
        status: 400,
        body: { field: 'country' },
      })
    const open = (country: string) => call<{ account_id: string }>(person, 'create-stripe-account', { country })
    const [first, second] = await Promise.all([open('NO'), open('NO')])
    expect(second.account_id).toBe(first.account_id)
    expect(await countryOf(first.account_id)).toBe('NO')
    expect(await open('SE')).toMatchObject({ already_exists: true, account_id: first.account_id })
    expect(await countryOf(first.account_id)).toBe('NO')
    // Stripe asks nobody abroad for a Social Security number.
    const { url } = await call<{ url: string }>(person, 'create-onboarding-link', { origin: shop.gateway.url })
    expect(await (await fetch(url)).text()).not.toContain('SSN')

    const other = await shop.gateway.signUp()
    const made = await call<{ account_id: string }>(other, 'create-stripe-account')
    expect(await countryOf(made.account_id)).toBe('US')
  })

  it.each([
    ['https://creators.example.com', 'https://creators.example.com'],
    ['http://localhost:8000', null], // Stripe rejects it
  ])('opened with SITE_URL=%s has the website %j', async (siteUrl, url) => {
    const { services } = shop.gateway
    const { userId, profileId, email } = await shop.gateway.signUp()
    const payments = { ...services, config: { ...services.config, siteUrl } }
    const { accountId } = await openAccount(payments, { userId, profileId, email, stripeAccountId: null })
    expect((await shop.stripe.accounts.retrieve(accountId ?? '')).business_profile?.url).toBe(url)
  })

  it('is required by the onboarding link, and is created once, however often it is requested [ONB-17]', async () => {
    const person = await shop.gateway.signUp()
    expect(await refusalOf(person, 'create-onboarding-link', { origin: shop.gateway.url })).toMatchObject({
      status: 404,
      body: { error: "You don't have a payout account yet. Create one first." },
    })
    const answers = await Promise.all(
      [1, 2, 3].map(() => call<{ account_id: string }>(person, 'create-stripe-account')),
    )
    expect(new Set(answers.map(({ account_id }) => account_id)).size).toBe(1)
    expect(await call(person, 'create-stripe-account')).toMatchObject({
      success: true,
      already_exists: true,
      message: 'You already have a payout account',
      account_id: answers[0]?.account_id,
    })
  })

  it.each(['https://evil.example', 'javascript:alert(1)', 'not an origin', '', null, 7])(
    "can't be onboarded from another site: %s [API-FN-04, API-FN-08]",
    async (origin) => {
      const person = await shop.gateway.signUp()
      for (const name of ['create-onboarding-link', 'create-stripe-connect-url']) {
        expect(await refusalOf(person, name, { origin })).toMatchObject({ status: 400, body: { field: 'origin' } })
      }
    },
  )

  it('that was closed at Stripe counts as none, sells nothing, and can be replaced', async () => {
    const creator = await shop.buildCreator()
    const before = await columnsOf(creator)
    await shop.stripe.accounts.del(String(before?.stripe_account_id))
    expect(await call(creator, 'get-payout-balance')).toEqual({ balance: null })
    expect(await call(creator, 'check-stripe-status')).toMatchObject({
      has_stripe_account: false,
      charges_enabled: false,
    })
    expect(await columnsOf(creator)).toMatchObject({ stripe_charges_enabled: false, stripe_payouts_enabled: false })
    const made = await call<{ account_id: string }>(creator, 'create-stripe-account')
    expect(made).toMatchObject({ already_exists: false, has_stripe_account: true })
    expect(made.account_id).not.toBe(before?.stripe_account_id)
    expect(await columnsOf(creator)).toMatchObject({ stripe_account_id: made.account_id })
  })
})

describe('an account that Stripe restricts later', () => {
  const newsOf = async ({ client }: Person) =>
    (await client.from('notifications').select('title').eq('type', 'payment').order('created_at')).data?.map(
      ({ title }) => title,
    )

  it('sells nothing until its holder has provided what Stripe requires, and the holder is notified [ONB-06, PROD-09]', async () => {
    const creator = await shop.buildCreator()
    const plan = await shop.buildPlan(creator)
    const fan = await shop.gateway.signUp()
    const account = String((await columnsOf(creator))?.stripe_account_id)
    shop.sandbox.restrictAccount(account)
    await shop.settled()
    expect(await columnsOf(creator)).toMatchObject({ stripe_charges_enabled: false, stripe_payouts_enabled: false })
    expect(await newsOf(creator)).toEqual(['Payments are paused'])
    expect(await call(creator, 'check-stripe-status')).toMatchObject({
      onboarding_completed: true,
      charges_enabled: false,
      payouts_enabled: false,
      restricted: true,
    })
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 409,
      body: { error: "This creator can't take payments right now" },
    })
    const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 500 }
    expect(await refusalOf(fan, 'create-payment-checkout', tip)).toMatchObject({
      status: 409,
      body: { error: "This creator can't take payments right now" },
    })
    const second = { name: 'Second', price_cents: 500, interval: 'month' }
    expect(await refusalOf(creator, 'create-subscription-product', second)).toMatchObject({ status: 409 })

    await shop.onboard(creator)
    await shop.settled()
    expect(await call(creator, 'check-stripe-status')).toMatchObject({ charges_enabled: true, restricted: false })
    expect(await newsOf(creator)).toEqual(['Payments are paused', 'Payments are working again'])
    expect(await call(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      url: expect.any(String),
    })
  })
})

describe('connecting an existing account', () => {
  async function authorise(person: Person): Promise<{ code: string; state: string }> {
    const { url } = await call<{ url: string }>(person, 'create-stripe-connect-url', { origin: shop.gateway.url })
    const { location } = await visit(url)
    const { location: back } = await submit(await visit(new URL(location ?? '', url).href), onboardingAnswers)
    const { origin, pathname, searchParams } = new URL(back ?? '')
    expect(`${origin}${pathname}`).toBe(setupUrl())
    expect(searchParams.get('stripe_connect')).toBe('true')
    return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
  }

  it('stores the account in the profile, and rejects the same code again [ONB-05, ONB-12, API-FN-07, API-FN-08]', async () => {
    const person = await shop.gateway.signUp()
    const { code, state } = await authorise(person)
    const connected = await call<{ account_id: string }>(person, 'handle-stripe-connect-callback', { code, state })
    expect(connected).toMatchObject({ success: true, has_stripe_account: true, charges_enabled: true })
    expect(await columnsOf(person)).toMatchObject({
      stripe_account_id: connected.account_id,
      stripe_charges_enabled: true,
    })
    expect(await refusalOf(person, 'handle-stripe-connect-callback', { code, state })).toMatchObject({
      status: 400,
      body: { success: false, error: expect.any(String) },
    })
  })

  it('rejects a state that was created for another user, and connects nothing [ONB-13]', async () => {
    const [ada, eve] = [await shop.gateway.signUp(), await shop.gateway.signUp()]
    const { code, state } = await authorise(eve)
    expect(await refusalOf(ada, 'handle-stripe-connect-callback', { code, state })).toMatchObject({
      status: 400,
      body: { success: false, field: 'state' },
    })
    expect(await columnsOf(ada)).toMatchObject({ stripe_account_id: null })
  })

  it('rejects a code that was used or never issued', async () => {
    const person = await shop.gateway.signUp()
    const { code, state } = await authorise(person)
    await call(person, 'handle-stripe-connect-callback', { code, state })
    for (const wrong of [code, 'ac_unknown']) {
      expect(await refusalOf(person, 'handle-stripe-connect-callback', { code: wrong, state })).toMatchObject({
        status: 400,
        body: { field: 'code' },
      })
    }
  })

  it('rejects a second account [ONB-17]', async () => {
    const creator = await shop.buildCreator()
    const before = await columnsOf(creator)
    const { code, state } = await authorise(creator)
    expect(await refusalOf(creator, 'handle-stripe-connect-callback', { code, state })).toMatchObject({
      status: 409,
      body: { error: 'You already have another payout account' },
    })
    expect(await columnsOf(creator)).toEqual(before)
  })

  it.each([{}, { code: 'ac_1' }, { state: 'x' }])('names the missing field: %j', async (body) => {
    const person = await shop.gateway.signUp()
    const { status, body: answer } = await refusalOf(person, 'handle-stripe-connect-callback', body)
    expect(status).toBe(400)
    expect(answer.field).toBe('code' in body ? 'state' : 'code')
  })
})
