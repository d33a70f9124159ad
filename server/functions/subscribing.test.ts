import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShop, call, pay, type Shop, subscribe } from '../payments/testing/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await buildShop()
})
afterAll(() => shop.close())

describe('from connecting an account to earning', () => {
  it('pays the creator $8.99 of a $9.99 plan, and notifies them [GEN-06, ONB-06, PROD-08, SUB-01, SUB-14]', async () => {
    const { gateway, sandbox } = shop
    const creator = await shop.buildCreator()
    expect(await call(creator, 'check-stripe-status')).toMatchObject({
      success: true,
      has_stripe_account: true,
      onboarding_completed: true,
      charges_enabled: true,
      payouts_enabled: true,
    })
    const plan = await shop.buildPlan(creator)
    expect(plan).toMatchObject({ name: 'Backstage', price_cents: 999, interval: 'month', is_active: true })

    const fan = await gateway.signUp()
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toEqual({
      hasActiveSubscription: false,
      isAwaited: false,
      subscription: null,
      refund: null,
    })
    const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
    expect(url.startsWith(`${gateway.url}/sandbox/checkout/`)).toBe(true)
    const { status, location } = await pay(url)
    expect(status).toBe(303)
    expect(location).toMatch(`${gateway.url}/subscription-success?session_id=cs_`)
    expect(location).toContain(`creator_id=${creator.profileId}`)
    await shop.settled()

    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      hasActiveSubscription: true,
      subscription: {
        status: 'active',
        tier_name: 'Backstage',
        creator: { id: creator.profileId, username: creator.username },
      },
    })
    expect(
      await gateway.query('select type, title, message from public.notifications where user_id = $1', [
        creator.profileId,
      ]),
    ).toEqual([
      {
        type: 'subscription',
        title: `${fan.username} subscribed to Backstage`,
        message: 'You earned $8.99.',
      },
    ])
    expect(
      await gateway.query(
        `select transaction_type, amount, fee_amount, net_amount, from_user_id, to_user_id
         from public.transactions where to_user_id = $1`,
        [creator.profileId],
      ),
    ).toEqual([
      {
        transaction_type: 'subscription',
        amount: '999',
        fee_amount: '100',
        net_amount: '899',
        from_user_id: fan.profileId,
        to_user_id: creator.profileId,
      },
    ])
    expect(
      await gateway.query('select total_earnings, subscribers_count from private.profiles where id = $1', [
        creator.profileId,
      ]),
    ).toEqual([{ total_earnings: '899', subscribers_count: 1 }])
    expect(Object.values(sandbox.books().accounts)).toEqual([899])
    expect(sandbox.books().platform).toBe(100)
    expect(await gateway.query('select * from private.verify_ledger()')).toEqual([])
    expect(await gateway.query('select * from private.payment_differences')).toEqual([])
  })

  it("arrives on the creator's open screen [NOTI-14, API-RT-02]", async () => {
    const creator = await shop.buildCreator()
    const plan = await shop.buildPlan(creator)
    const fan = await shop.gateway.signUp()
    const arrived: unknown[] = []
    const { data } = await creator.client.auth.getSession()
    await creator.client.realtime.setAuth(data.session?.access_token ?? null)
    const joined = Promise.withResolvers<void>()
    creator.client
      .channel('bell')
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'notifications', filter: `user_id=eq.${creator.profileId}` },
        ({ new: notification }) => void arrived.push(notification),
      )
      .on('system', {}, ({ status }) => status === 'ok' && joined.resolve())
      .subscribe()
    await joined.promise
    await subscribe(fan, plan)
    await expect
      .poll(() => arrived, { timeout: 20_000 })
      .toMatchObject([
        { type: 'subscription', title: expect.stringContaining(`${fan.username} subscribed to `), is_read: false },
      ])
  })

  it.each([
    [100, '90', '10'],
    [999, '899', '100'],
    [99_999, '89999', '10000'],
    [105, '94', '11'],
  ])(
    'books %i cents as Stripe took them: %s for the creator, %s for the platform [GEN-06]',
    async (priceCents, net, fee) => {
      const creator = await shop.buildCreator()
      const plan = await shop.buildPlan(creator, { price_cents: priceCents })
      const fan = await shop.gateway.signUp()
      await subscribe(fan, plan)
      await shop.settled()
      expect(
        await shop.gateway.query('select net_amount, fee_amount from public.transactions where to_user_id = $1', [
          creator.profileId,
        ]),
      ).toEqual([{ net_amount: net, fee_amount: fee }])
      const account = await shop.accountOf(creator)
      expect(shop.sandbox.books().accounts[account]).toBe(Number(net))
      expect(await shop.gateway.query('select * from private.payment_differences')).toEqual([])
    },
  )

  it('leaves books that agree with the sandbox, account by account', async () => {
    const { query } = shop.gateway
    const creators = await query<{ account: string; cents: number }>(
      `select p.stripe_account_id as account, -sum(e.amount_cents)::int as cents
       from private.ledger_entries e
       join private.ledger_accounts a on a.id = e.account_id
       join private.profiles p on p.id = a.profile_id
       group by p.stripe_account_id`,
    )
    const [kept] = await query<{ cents: number }>(
      `select -sum(e.amount_cents)::int as cents
       from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id where a.code = 'platform_fees'`,
    )
    const { platform, accounts } = shop.sandbox.books()
    expect(Object.fromEntries(creators.map(({ account, cents }) => [account, cents]))).toEqual(accounts)
    expect(kept?.cents).toBe(platform)
    expect(await query('select * from private.verify_ledger()')).toEqual([])
  })
})
