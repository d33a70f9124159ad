import { readFileSync, writeFileSync } from 'node:fs'
import { submit, visit } from '@ovation/sandbox/visit'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'
import { reconcile } from './reconciliation/reconcile.ts'
import { advancePauses } from './subscriptions/advance-pauses.ts'
import { buildPaidPost } from './testing/paid-post.ts'
import { buildProductForSale } from './testing/product-for-sale.ts'
import { describeCalls, recordCalls } from './testing/record-calls.ts'
import { buildShop, call, onboard, pay, type Shop } from './testing/shop.ts'
import { payReferrals } from './transfers/referral-transfers.ts'

const page = new URL('../../docs/stripe-calls.md', import.meta.url)

let shop: Shop
beforeAll(async () => {
  shop = await buildShop()
})
afterAll(() => shop.close())

type Url = { url: string }

it('docs/stripe-calls.md lists every call that the product makes, with its parameters [GEN-14]', async () => {
  const calls = recordCalls(shop.stripe)
  const { creator, fan } = await meet()
  await liveOnPlans(creator, fan)
  await buyOnce(creator, fan)
  await goBack(creator, fan)
  await replaceAccounts(creator, fan)
  await suspendForAWhile(creator)
  await reconcile(shop.gateway.services, 7)
  await call(fan, 'delete-own-account', { password: fan.password })
  await shop.settled()
  const text = describeCalls(calls, Stripe.API_VERSION)
  if (process.env.UPDATE_STRIPE_CALLS) writeFileSync(page, text)
  expect(readFileSync(page, 'utf8')).toBe(text)
  for (const call of ['POST /v1/checkout/sessions', 'POST /v1/payment_intents', 'GET /v1/payouts'])
    expect(text).toContain(call)
}, 240_000)

async function meet(): Promise<{ creator: Person; fan: Person }> {
  const creator = await shop.buildCreator()
  await call(creator, 'stripe-test-connection')
  const connected = await shop.buildApproved()
  const { url } = await call<Url>(connected, 'create-stripe-connect-url', { origin: shop.gateway.url })
  const { location } = await visit(url)
  const back = new URL((await onboard(new URL(location ?? '', url).href)) ?? '')
  const { code, state } = Object.fromEntries(back.searchParams)
  await call(connected, 'handle-stripe-connect-callback', { code, state })
  // Someone has invited the creator, so that commissions are paid.
  await shop.gateway.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
     select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
    [connected.profileId, creator.profileId],
  )
  return { creator, fan: await shop.gateway.signUp() }
}

async function liveOnPlans(creator: Person, fan: Person): Promise<void> {
  const small = await shop.buildPlan(creator, { description: 'The small one', trial_days: 3 })
  const large = await shop.buildPlan(creator, { name: 'Large', price_cents: 2_999 })
  const terms = [{ months: 3, percent_off: 10 }]
  await call(creator, 'update-subscription-product', { id: large.id, name: 'Large', description: 'All of it', terms })
  const code = { code: 'SUMMER', percentOff: 25, duration: 'repeating', durationMonths: 2, maxRedemptions: 9 }
  const { promotionCode } = await call<{ promotionCode: { id: string } }>(creator, 'create-promotion-code', code)
  const order = { productId: large.id, promotionCode: 'SUMMER' }
  const other = await call<Url>(fan, 'create-subscription-checkout', order)
  await call(creator, 'retire-promotion-code', { id: promotionCode.id })
  const inCents = { code: 'WINTER', amountOffCents: 100, duration: 'once', expiresAt: '2100-01-01' }
  await call(creator, 'create-promotion-code', inCents)
  await creator.client
    .rpc('create_offer', { percent_off: 40, periods: 2, audience: 'new', plan_ids: [large.id], user_limit: 9 })
    .throwOnError()
  await call(fan, 'create-subscription-checkout', { productId: large.id })
  const { url } = await call<Url>(fan, 'create-subscription-checkout', { productId: small.id })
  expect(other.url).not.toBe(url)
  await pay(url)
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('id').single().throwOnError()
  const subscriptionId = data.id
  await call(fan, 'cancel-subscription', { subscriptionId })
  await call(fan, 'resume-subscription', { subscriptionId })
  await call(fan, 'switch-subscription', { subscriptionId, productId: large.id })
  await switchBeforeTheBank(creator)
  await call(fan, 'refresh-subscription-status', { creatorId: creator.profileId })
  shop.sandbox.advanceClock(4 * 86_400) // the trial ends, and the first bill is paid
  await shop.settled()
  await call(fan, 'create-portal-session')
  await pauseAndResume(creator, fan, subscriptionId)
}

/** A fan's pause, which ends early, and a creator's, which finds a renewal that is still a draft. */
async function pauseAndResume(creator: Person, fan: Person, subscriptionId: string): Promise<void> {
  await creator.client.rpc('set_fans_may_pause', { may: true }).throwOnError()
  await call(fan, 'pause-subscription', { subscriptionId, months: 1 })
  shop.sandbox.advanceClock(33 * 86_400)
  await shop.settled()
  await shop.gateway.query(`update public.subscriptions set paused_from = now() - interval '1 day' where id = $1`, [
    subscriptionId,
  ])
  await call(fan, 'end-pause', { subscriptionId })
  await shop.settled()
  const [row] = await shop.gateway.query<{ id: string }>(
    'select stripe_subscription_id as id from private.stripe_subscriptions where subscription_id = $1',
    [subscriptionId],
  )
  const { items } = await shop.stripe.subscriptions.retrieve(row?.id ?? '')
  shop.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - shop.sandbox.now() + 60)
  await shop.settled()
  await creator.client.rpc('pause_billing', { months: 3 }).throwOnError()
  await advancePauses(shop.gateway.services)
  await shop.gateway.query(`update public.billing_pauses set resumes_at = now(), started_at = now() - interval '1 day'`)
  await advancePauses(shop.gateway.services)
  await shop.stripe.subscriptions.update(row?.id ?? '', { pause_collection: '' })
  await shop.settled()
}

/** The bank requires confirmation, and the fan chooses another plan before confirming. */
async function switchBeforeTheBank(creator: Person): Promise<void> {
  const fan = await shop.gateway.signUp()
  const plan = await shop.buildPlan(creator, { name: 'Strict' })
  const { url } = await call<Url>(fan, 'create-subscription-checkout', { productId: plan.id })
  const { location } = await pay(url, '4000 0027 6000 3184')
  await submit(await visit(new URL(location ?? '', url).href), { answer: 'confirm' })
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('id').single().throwOnError()
  for (const price_cents of [2_999, 3_999]) {
    const { id } = await shop.buildPlan(creator, { name: `For ${price_cents}`, price_cents })
    await call(fan, 'switch-subscription', { subscriptionId: data.id, productId: id })
  }
}

/** A renewal that waits for its bank is paused and resumed. */
async function suspendForAWhile({ profileId }: Person): Promise<void> {
  shop.sandbox.advanceClock(33 * 86_400)
  await shop.settled()
  const { client } = await buildAdmin(shop.gateway)
  await client.rpc('suspend_user', { profile_id: profileId, reason: 'Spam' }).throwOnError()
  await shop.settled()
  await client.rpc('reinstate_user', { profile_id: profileId }).throwOnError()
  await shop.settled()
}

/** The creator opens another account while the renewals' bills are drafts, and once more when one of them waits for its bank. */
async function replaceAccounts(creator: Person, { profileId }: Person): Promise<void> {
  const [own] = await shop.gateway.query<{ id: string }>(
    `select k.stripe_subscription_id as id from private.stripe_subscriptions k
     join public.subscriptions s on s.id = k.subscription_id where s.subscriber_id = $1`,
    [profileId],
  )
  const { items } = await shop.stripe.subscriptions.retrieve(own?.id ?? '')
  shop.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - shop.sandbox.now() + 60)
  await shop.settled()
  await replaceAccount(creator)
  shop.sandbox.advanceClock(7_200)
  await shop.settled()
  await replaceAccount(creator)
}

async function replaceAccount(creator: Person): Promise<void> {
  shop.sandbox.deauthorize(await shop.accountOf(creator))
  await shop.settled()
  await call(creator, 'create-stripe-account', { country: 'US' })
  await shop.onboard(creator)
  await shop.settled()
}

async function buyOnce(creator: Person, fan: Person): Promise<void> {
  const targetId = await buildPaidPost(creator)
  const page = await call<Url>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
  await pay(page.url)
  const card = await call<Url>(fan, 'save-card')
  const saved = await submit(await visit(card.url), {
    email: fan.email,
    number: '5555 5555 5555 4444',
    expiry: '12 / 34',
    cvc: '123',
    name: 'Fay Fan',
    country: 'US',
    postal: '94107',
  })
  const sessionId = new URL(saved.location ?? '').searchParams.get('card')
  const { cards } = await call<{ cards: { id: string }[] }>(fan, 'list-saved-cards', { sessionId })
  await call(fan, 'create-payment-checkout', { kind: 'tip', targetId: creator.profileId, amountCents: 5_000 })
  await payReferrals(shop.gateway.services)
  await call(fan, 'remove-saved-card', { cardId: cards[0]?.id })
  const { data: offer } = await creator.client
    .from('session_offers')
    .insert({ creator_id: creator.profileId, title: 'An hour', duration_minutes: 60, price_cents: 5_000 })
    .select('id')
    .single()
    .throwOnError()
  const { data: slot } = await creator.client
    .from('session_slots')
    .insert({ offer_id: offer.id, starts_at: new Date(Date.now() + 72 * 3_600_000).toISOString() })
    .select('id')
    .single()
    .throwOnError()
  await pay((await call<Url>(fan, 'create-payment-checkout', { kind: 'session', targetId: slot.id })).url)
  const product = await buildProductForSale(creator, { stock: 1 })
  await pay((await call<Url>(fan, 'create-payment-checkout', { kind: 'product', targetId: product })).url)
  await shop.settled()
}

async function goBack(creator: Person, fan: Person): Promise<void> {
  const refund = async (payment: string) => {
    const [paid] = await shop.gateway.query<{ id: string }>(payment)
    await call(creator, 'refund-payment', { transactionId: paid?.id, reason: 'A slip of the finger' })
  }
  await refund(
    `select id from public.transactions where from_user_id = '${fan.profileId}' and transaction_type = 'tip'`,
  )
  const targetId = await buildPaidPost(creator)
  const disputed = await call<Url>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
  await pay(disputed.url, '4000 0000 0000 0259')
  await shop.settled()
  const open = shop.sandbox.disputes()[0] ?? ''
  shop.sandbox.decideDispute(open, 'won')
  await shop.settled()
  await refund('select transaction_id as id from private.payment_disputes')
  await shop.settled()
  const account = await shop.accountOf(creator)
  await call(creator, 'get-payout-balance')
  shop.sandbox.advanceClock(2 * 86_400) // earnings aren't available before
  shop.sandbox.payOut(account)
  await shop.settled()
  await shop.stripe.balance.retrieve() // how the operations screen and the doctor check the key
}
