import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { submit, visit } from '@ovation/sandbox/visit'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { sendPaymentEmails } from '../emails/payment-emails.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { changeAtProvider } from '../testing/provider-state.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop, subscribe } from '../testing/shop.ts'
import { fulfillEvent } from '../webhooks/fulfill-event.ts'
import { storeEvent } from '../webhooks/stored-events.ts'

let shop: Shop
let admin: Person
let creator: Person
let plan: Plan
let fan: Person
let subscription: { id: string; stripeId: string }
beforeAll(async () => {
  shop = await buildShop()
  admin = await buildAdmin(shop.gateway)
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
  fan = await shop.gateway.signUp()
  subscription = await subscribed(plan)
})
afterAll(() => shop.close())

async function subscribed(to: Plan) {
  await subscribe(fan, to)
  await shop.settled()
  const [row] = await shop.gateway.query<{ id: string; stripeId: string }>(
    `select s.id, k.stripe_subscription_id as "stripeId" from public.subscriptions s
     join private.stripe_subscriptions k on k.subscription_id = s.id where s.subscriber_id = $1`,
    [fan.profileId],
  )
  return row ?? { id: '', stripeId: '' }
}
const suspend = ({ profileId }: Person) =>
  admin.client.rpc('suspend_user', { profile_id: profileId, reason: 'Fraud' }).throwOnError()
const reinstate = ({ profileId }: Person) =>
  admin.client.rpc('reinstate_user', { profile_id: profileId }).throwOnError()
/** No clicks, no schedule: when this resolves, the provider has handled all requests. */
async function isStopped(): Promise<boolean> {
  await shop.settled()
  return (await shop.stripe.subscriptions.retrieve(subscription.stripeId)).cancel_at_period_end
}
const charges = async () => {
  const { customer } = await shop.stripe.subscriptions.retrieve(subscription.stripeId)
  const { data } = await shop.stripe.charges.list({ customer: String(customer) })
  return data.filter(({ paid }) => paid).length
}
const lastInvoice = async () => {
  const { latest_invoice: latest } = await shop.stripe.subscriptions.retrieve(subscription.stripeId)
  return shop.stripe.invoices.retrieve(String(latest))
}
const bells = async (title: string) =>
  (await fan.client.from('notifications').select('message').like('title', `%${title}%`).throwOnError()).data

describe('renewals of a suspended creator', () => {
  it("stop at once, can't be resumed by the fan, and charge nothing [GEN-05, SUB-17]", async () => {
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    expect(await refusalOf(fan, 'resume-subscription', { subscriptionId: subscription.id })).toMatchObject({
      status: 409,
      body: { code: 'renewal_held' },
    })
    expect(await isStopped()).toBe(true)
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(1)
    expect(await bells("won't renew for now")).toHaveLength(1)
  })

  it('stop before a trial ends, without waiting for the schedule', async () => {
    const trial = await shop.buildPlan(await shop.buildCreator(), { trial_days: 7 })
    fan = await shop.gateway.signUp()
    subscription = await subscribed(trial)
    const [owner] = await shop.gateway.query<{ id: string }>(
      'select creator_id as id from public.subscription_products where id = $1',
      [trial.id],
    )
    await suspend({ profileId: owner?.id ?? '' } as Person)
    expect(await isStopped()).toBe(true)
    shop.sandbox.advanceClock(8 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(0)
  })

  it('are paused again if they are resumed at the provider, even if its event is lost', async () => {
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    await shop.stripe.subscriptions.update(subscription.stripeId, { cancel_at_period_end: false })
    expect(await isStopped()).toBe(true)

    const { data: endpoints } = await shop.stripe.webhookEndpoints.list()
    const listen = (enabled_events: ['*'] | ['payout.paid']) =>
      Promise.all(endpoints.map(({ id }) => shop.stripe.webhookEndpoints.update(id, { enabled_events })))
    await listen(['payout.paid'])
    await shop.stripe.subscriptions.update(subscription.stripeId, { cancel_at_period_end: false })
    expect(await isStopped()).toBe(false)
    await listen(['*'])
    await reconcile(shop.gateway.services, 7)
    expect(await isStopped()).toBe(true)
  })

  it('resume with the account, unless the fan canceled in the meantime', async () => {
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    await reinstate(creator)
    expect(await isStopped()).toBe(false)
    expect(await bells('will renew again')).toHaveLength(1)

    await suspend(creator)
    expect(await isStopped()).toBe(true)
    await call(fan, 'cancel-subscription', { subscriptionId: subscription.id })
    await reinstate(creator)
    expect(await isStopped()).toBe(true)
    await call(fan, 'resume-subscription', { subscriptionId: subscription.id })
    expect(await isStopped()).toBe(false)
  })
})

describe('an open charge when a creator is suspended', () => {
  const failingCard = async (paymentMethod: 'pm_card_chargeCustomerFail' | 'pm_card_visa') => {
    const { customer } = await shop.stripe.subscriptions.retrieve(subscription.stripeId)
    const { id } = await shop.stripe.paymentMethods.attach(paymentMethod, { customer: String(customer) })
    await shop.stripe.subscriptions.update(subscription.stripeId, { default_payment_method: id })
  }
  it("isn't retried after a failure, until the account is back [GEN-05, SUB-16]", async () => {
    await failingCard('pm_card_chargeCustomerFail')
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    await failingCard('pm_card_visa')
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    shop.sandbox.advanceClock(10 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(1)
    expect(await lastInvoice()).toMatchObject({ status: 'open', auto_advance: false })

    await reinstate(creator)
    expect(await isStopped()).toBe(false)
    shop.sandbox.advanceClock(3_600)
    await shop.settled()
    expect(await charges()).toBe(2)
    expect(await lastInvoice()).toMatchObject({ status: 'paid', metadata: {} })
    await expectBalancedBooks(shop)
  })

  it("isn't charged while its bill is a draft [GEN-05]", async () => {
    const { items } = await shop.stripe.subscriptions.retrieve(subscription.stripeId)
    shop.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - shop.sandbox.now() + 60)
    await shop.settled()
    expect(await lastInvoice()).toMatchObject({ status: 'draft' })
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    shop.sandbox.advanceClock(40 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(1)
  })

  it("is refunded to a fan who pays it anyway, and the bank isn't asked about it [GEN-05]", async () => {
    await failingCard('pm_card_chargeCustomerFail')
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    const { hosted_invoice_url: page } = await lastInvoice()
    await suspend(creator)
    expect(await isStopped()).toBe(true)
    await failingCard('pm_card_visa')
    await submit(await visit(page ?? ''), { answer: 'confirm' })
    await shop.settled()
    const { data } = await shop.stripe.charges.list({ limit: 1 })
    expect(data[0]).toMatchObject({ paid: true, refunded: true })
    await expectBalancedBooks(shop)
  })

  it('leaves no pending plan switch that could still be paid [GEN-05, SUB-04]', async () => {
    const strict = await shop.buildPlan(creator, { name: 'Strict' })
    fan = await shop.gateway.signUp()
    const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: strict.id })
    const { location } = await pay(url, '4000 0027 6000 3184')
    await submit(await visit(new URL(location ?? '', url).href), { answer: 'confirm' })
    await shop.settled()
    const dear = await shop.buildPlan(creator, { name: 'Dear', price_cents: 5_000 })
    const { data: own } = await fan.client.from('subscriptions').select('id').single().throwOnError()
    const { confirm } = await call<{ confirm: { url: string } }>(fan, 'switch-subscription', {
      subscriptionId: own.id,
      productId: dear.id,
    })
    await suspend(creator)
    await shop.settled()
    expect((await visit(confirm.url)).text).toContain('does not have to be paid any more')
    expect((await fan.client.rpc('get_own_confirmations').throwOnError()).data).toEqual([])
    expect(await bells('Plan not switched')).toEqual([])
  })
})

describe("renewals of a creator whose account can't receive transfers", () => {
  it('stop, nothing is sold, and creator and fan are notified, until it can [ONB-06, PROD-09]', async () => {
    const account = await shop.accountOf(creator)
    changeAtProvider(shop, account, { '$.capabilities.transfers': 'inactive' })
    expect(await call(creator, 'check-stripe-status')).toMatchObject({ charges_enabled: false, restricted: true })
    expect(await isStopped()).toBe(true)
    expect(await bells("won't renew for now")).toMatchObject([
      { message: expect.stringContaining("can't take payments") },
    ])
    expect(await refusalOf(fan, 'resume-subscription', { subscriptionId: subscription.id })).toMatchObject({
      status: 409,
      body: { code: 'renewal_held' },
    })
    const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 500 }
    expect(await refusalOf(fan, 'create-payment-checkout', tip)).toMatchObject({
      status: 409,
      body: { code: 'creator_without_payments', error: "This creator can't take payments right now" },
    })
    const stranger = await shop.gateway.signUp()
    expect(await refusalOf(stranger, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 409,
      body: { code: 'creator_without_payments' },
    })

    changeAtProvider(shop, account, { '$.capabilities.transfers': 'active' })
    expect(await call(creator, 'check-stripe-status')).toMatchObject({ charges_enabled: true, restricted: false })
    expect(await isStopped()).toBe(false)
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(2)
    await expectBalancedBooks(shop)
  })

  it('that Stripe rejects before we know tell the fan that the card is fine, and send no email [SUB-16]', async () => {
    const listen = async (...types: Stripe.WebhookEndpointUpdateParams.EnabledEvent[]) => {
      const { data: endpoints } = await shop.stripe.webhookEndpoints.list()
      for (const { id } of endpoints) await shop.stripe.webhookEndpoints.update(id, { enabled_events: types })
    }
    const emails = async () => {
      await sendPaymentEmails(shop.gateway.services)
      const outbox = join(shop.gateway.dataDir, 'outbox')
      const all = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'))
      return all.filter((text) => text.includes(fan.email))
    }
    const isAboutCharge = (text: string) => /Subject: Your payment for/.test(text)
    // The event of the subscription comes first, that of its invoice late, and that of the account never.
    await listen('customer.subscription.updated')
    shop.sandbox.setCapability(await shop.accountOf(creator), 'transfers', 'inactive')
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    expect((await emails()).filter(isAboutCharge)).toEqual([])
    expect(await isStopped()).toBe(true)
    await listen('*')

    const { id: invoiceId } = await lastInvoice()
    const { data: failures } = await shop.stripe.events.list({ type: 'invoice.payment_failed', limit: 100 })
    const failed = failures.filter(({ data }) => (data.object as Stripe.Invoice).id === invoiceId)
    expect(failed).toHaveLength(1)
    for (const event of failed) {
      await storeEvent(shop.gateway.services, event, { fulfill: true })
      await fulfillEvent(shop.gateway.services, event.id)
    }
    expect(await charges()).toBe(1)
    expect(await bells("didn't go through")).toMatchObject([{ message: expect.stringContaining('Your card is fine') }])
    expect((await emails()).filter(isAboutCharge)).toEqual([])
    expect((await emails()).length).toBeGreaterThan(0)
  })
})

describe('renewals of a creator whose account is gone', () => {
  it('stop when its holder leaves the platform', async () => {
    shop.sandbox.deauthorize(await shop.accountOf(creator))
    expect(await isStopped()).toBe(true)
    expect(await bells("won't renew for now")).toMatchObject([
      { message: expect.stringContaining("can't take payments") },
    ])
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(1)
  })

  it('stop when it was deleted at Stripe', async () => {
    // Stripe deletes only accounts that have moved no money.
    const newcomer = await shop.buildCreator()
    fan = await shop.gateway.signUp()
    subscription = await subscribed(await shop.buildPlan(newcomer, { trial_days: 7 }))
    await shop.stripe.accounts.del(await shop.accountOf(newcomer))
    await call(newcomer, 'check-stripe-status')
    expect(await isStopped()).toBe(true)
    shop.sandbox.advanceClock(8 * 86_400)
    await shop.settled()
    expect(await charges()).toBe(0)
  })
})
