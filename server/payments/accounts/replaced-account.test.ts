import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { moveSubscription } from '../subscriptions/move-subscription.ts'
import { carryOutPaymentTasks } from '../tasks/payment-tasks.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, type Shop, subscribe } from '../testing/shop.ts'
import { payReferrals } from '../transfers/referral-transfers.ts'

let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
/** The lost accounts, by the account that replaced them. */
const replaced: Record<string, string[]> = {}
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

async function openAnother(lost: string): Promise<string> {
  await call(creator, 'create-stripe-account')
  await shop.onboard(creator)
  await shop.settled()
  const account = await shop.accountOf(creator)
  expect(account).not.toBe(lost)
  replaced[account] = [lost]
  return account
}
/** The creator's account is lost, and they open another. */
async function replaceAccount(): Promise<{ lost: string; account: string }> {
  const lost = await shop.accountOf(creator)
  shop.sandbox.deauthorize(lost)
  await shop.settled()
  return { lost, account: await openAnother(lost) }
}
const held = (...accounts: string[]) => accounts.map((account) => shop.sandbox.books().accounts[account] ?? 0)
const days = async (number: number) => {
  shop.sandbox.advanceClock(number * 86_400)
  await shop.settled()
}

describe('a subscription to a creator who has replaced a lost account', () => {
  let subscription: { id: string; stripeId: string }
  const subscribed = async (to: Plan) => {
    await subscribe(fan, to)
    await shop.settled()
    const [row] = await shop.gateway.query<{ id: string; stripeId: string }>(
      `select s.id, k.stripe_subscription_id as "stripeId" from public.subscriptions s
       join private.stripe_subscriptions k on k.subscription_id = s.id where s.subscriber_id = $1`,
      [fan.profileId],
    )
    subscription = row ?? { id: '', stripeId: '' }
  }
  const atProvider = () => shop.stripe.subscriptions.retrieve(subscription.stripeId)
  const lastInvoice = async () => shop.stripe.invoices.retrieve(String((await atProvider()).latest_invoice))
  const charges = async () => {
    const { data } = await shop.stripe.charges.list({ customer: String((await atProvider()).customer) })
    return data.filter(({ paid }) => paid).length
  }

  it('renews again, is charged once, and pays the new account [ONB-06, SUB-16]', async () => {
    await subscribed(plan)
    const { lost, account } = await replaceAccount()
    expect(await atProvider()).toMatchObject({ cancel_at_period_end: false, transfer_data: { destination: account } })
    await days(32)
    expect(await charges()).toBe(2)
    expect(held(lost, account)).toEqual([899, 899])
    await expectBalancedBooks(shop, replaced)
  })

  it('is paid to the new account after a trial that began with the lost one', async () => {
    await subscribed(await shop.buildPlan(creator, { trial_days: 7 }))
    const { lost, account } = await replaceAccount()
    await days(8)
    expect(await charges()).toBe(1)
    expect(held(lost, account)).toEqual([0, 899])
    await expectBalancedBooks(shop, replaced)
  })

  const listen = async (enabled_events: ['*'] | ['payout.paid']) => {
    const { data: endpoints } = await shop.stripe.webhookEndpoints.list()
    await Promise.all(endpoints.map(({ id }) => shop.stripe.webhookEndpoints.update(id, { enabled_events })))
  }
  /** Stripe's event about the account is lost, so the renewal isn't paused and fails. */
  const failRenewal = async () => {
    await listen(['payout.paid'])
    const lost = await shop.accountOf(creator)
    shop.sandbox.deauthorize(lost)
    await shop.settled()
    await listen(['*'])
    await days(32)
    return lost
  }

  it('begins a period today if its bill was open, because nobody can pay that one', async () => {
    await subscribed(plan)
    const lost = await failRenewal()
    const bill = await lastInvoice()
    expect(bill).toMatchObject({ status: 'open', auto_advance: false })

    const account = await openAnother(lost)
    expect(await shop.stripe.invoices.retrieve(bill.id)).toMatchObject({ status: 'void' })
    expect(await lastInvoice()).toMatchObject({ status: 'paid', amount_paid: 999 })
    await days(10)
    expect(await charges()).toBe(2)
    expect(held(lost, account)).toEqual([899, 899])
    const { data } = await fan.client.from('subscriptions').select('status').single().throwOnError()
    expect(data).toEqual({ status: 'active' })
    await expectBalancedBooks(shop, replaced)
  })

  it('begins one period, even if several processes move it at once', async () => {
    await subscribed(plan)
    const lost = await failRenewal()
    // Nothing else moves it: the fan's cancellation keeps the task from it.
    await call(fan, 'cancel-subscription', { subscriptionId: subscription.id })
    const account = await openAnother(lost)
    const known = await atProvider()
    expect(known).toMatchObject({ status: 'past_due', transfer_data: { destination: lost } })
    await Promise.all(Array.from({ length: 4 }, () => moveSubscription(shop.gateway.services, known, true)))
    await shop.settled()
    expect(await charges()).toBe(2)
    expect(held(lost, account)).toEqual([899, 899])
    await expectBalancedBooks(shop, replaced)
  })

  it('pays the new account for a bill that was still a draft', async () => {
    await subscribed(plan)
    const { items } = await atProvider()
    shop.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - shop.sandbox.now() + 60)
    await shop.settled()
    const { lost, account } = await replaceAccount()
    expect(await lastInvoice()).toMatchObject({ status: 'draft', auto_advance: true })
    await days(1)
    expect(await charges()).toBe(2)
    expect(held(lost, account)).toEqual([899, 899])
    await expectBalancedBooks(shop, replaced)
  })

  it('stays canceled if the fan had canceled it, and a switch pays the new account [SUB-04, SUB-05]', async () => {
    await subscribed(plan)
    await call(fan, 'cancel-subscription', { subscriptionId: subscription.id })
    const { lost, account } = await replaceAccount()
    expect(await atProvider()).toMatchObject({ cancel_at_period_end: true, transfer_data: { destination: lost } })
    const dear = await shop.buildPlan(creator, { name: 'Dear', price_cents: 5_000 })
    await call(fan, 'switch-subscription', { subscriptionId: subscription.id, productId: dear.id })
    await shop.settled()
    expect(await charges()).toBe(2)
    const [before, after = 0] = held(lost, account)
    expect([before, after > 3_500]).toEqual([899, true])
    await expectBalancedBooks(shop, replaced)
  })
})

describe('other money of a creator who loses their account', () => {
  const tip = (amountCents: number) => ({ kind: 'tip', targetId: creator.profileId, amountCents })
  const openTip = async () => (await call<{ url: string }>(fan, 'create-payment-checkout', tip(1_000))).url
  const paidTip = async (card?: string) => {
    await pay(await openTip(), card)
    await shop.settled()
    const [paid] = await shop.gateway.query<{ id: string }>(
      `select id from public.transactions where from_user_id = $1 and transaction_type = 'tip'`,
      [fan.profileId],
    )
    return paid?.id ?? ''
  }
  const lose = async () => {
    const lost = await shop.accountOf(creator)
    shop.sandbox.deauthorize(lost)
    await shop.settled()
    return lost
  }

  it('is not paid on a checkout session of before, and is on the next one', async () => {
    const url = await openTip()
    const order = { productId: plan.id }
    const { url: subscribing } = await call<{ url: string }>(fan, 'create-subscription-checkout', order)
    const lost = await lose()
    await pay(url) // refused by the provider, without a charge
    const account = await openAnother(lost)
    await expect(pay(url)).rejects.toThrow('no form on')
    await expect(pay(subscribing)).rejects.toThrow('no form on')
    expect(held(lost, account)).toEqual([0, 0])
    await pay(await openTip())
    await subscribe(fan, plan)
    await shop.settled()
    expect(held(lost, account)).toEqual([0, 900 + 899])
    await expectBalancedBooks(shop, replaced)
  })

  it('as a referral commission waits for the new account, and is sent once [REF-21]', async () => {
    const referrer = await shop.buildCreator()
    await shop.gateway.query(
      `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
       select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
      [referrer.profileId, creator.profileId],
    )
    await paidTip()
    // The transfer was begun, and its request never reached the provider.
    await shop.gateway.query('select private.begin_referral_transfers()')
    creator = referrer
    const lost = await lose()
    await payReferrals(shop.gateway.services)
    const account = await openAnother(lost)
    await Promise.all([payReferrals(shop.gateway.services), payReferrals(shop.gateway.services)])
    expect(held(lost, account)).toEqual([0, 45])
    await expectBalancedBooks(shop, replaced)
  })

  it('as a referral commission is not sent again if the lost account has received it [REF-21]', async () => {
    const referrer = await shop.buildCreator()
    await shop.gateway.query(
      `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
       select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
      [referrer.profileId, creator.profileId],
    )
    await paidTip()
    await payReferrals(shop.gateway.services)
    await shop.gateway.query(
      'update private.referral_transfers set done_at = null, stripe_transfer_id = null where profile_id = $1',
      [referrer.profileId],
    )
    creator = referrer
    const account = await openAnother(await lose())
    await payReferrals(shop.gateway.services)
    expect(held(...(replaced[account] ?? []), account)).toEqual([45, 0])
    await expectBalancedBooks(shop, replaced)
  })

  it('is refunded from the platform alone, because the account has the rest', async () => {
    const transactionId = await paidTip()
    const lost = await lose()
    await call(creator, 'refund-payment', { transactionId, reason: 'A slip of the finger' })
    await shop.settled()
    expect(held(lost)).toEqual([900])
    const [refund] = await shop.gateway.query(
      'select amount::int, net_amount::int from public.transactions where original_transaction_id = $1',
      [transactionId],
    )
    expect(refund).toMatchObject({ amount: -1_000, net_amount: 0 })
    await expectBalancedBooks(shop, replaced)
  })

  it('is returned to the new account when a dispute is won, and taken back from there if it is refunded later', async () => {
    const transactionId = await paidTip('4000 0000 0000 0259')
    expect(held(await shop.accountOf(creator))).toEqual([0])
    const { lost, account } = await replaceAccount()
    const [dispute] = await shop.gateway.query<{ id: string }>(
      `select d.id from private.payment_disputes d join public.transactions t on t.id = d.transaction_id where t.to_user_id = $1`,
      [creator.profileId],
    )
    shop.sandbox.decideDispute(dispute?.id ?? '', 'won')
    await shop.settled()
    await carryOutPaymentTasks(shop.gateway.services)
    expect(held(lost, account)).toEqual([0, 900])
    await expectBalancedBooks(shop, replaced)
    await call(creator, 'refund-payment', { transactionId, reason: 'A slip of the finger' })
    await shop.settled()
    expect(held(lost, account)).toEqual([0, 0])
    await expectBalancedBooks(shop, replaced)
  })

  it('is paid out in the books, even if the event comes after the loss', async () => {
    await paidTip('4000 0000 0000 0077')
    const lost = await shop.accountOf(creator)
    shop.sandbox.payOut(lost)
    await lose()
    expect(held(lost)).toEqual([0])
    await expectBalancedBooks(shop, replaced)
  })

  it('that the bank has taken back is shown to admins as a difference, and its task ends', async () => {
    await paidTip()
    const lost = await lose()
    const { data } = await shop.stripe.charges.list({ limit: 1 })
    shop.sandbox.openDispute(data[0]?.id ?? '')
    await shop.settled()
    const [dispute] = await shop.gateway.query<{ id: string }>(
      `select d.id from private.payment_disputes d join public.transactions t on t.id = d.transaction_id where t.to_user_id = $1`,
      [creator.profileId],
    )
    const [difference] = await shop.gateway.query(
      'select cause, kind, expected_cents::int, actual_cents::int from private.payment_differences where resolved_at is null',
    )
    expect(difference).toEqual({ cause: dispute?.id, kind: 'transfer', expected_cents: 900, actual_cents: 0 })
    const tasks = await shop.gateway.query('select from private.payment_tasks where done_at is null')
    expect(tasks).toEqual([])
    expect(held(lost)).toEqual([900])
  })
})
