import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { sendPaymentEmails } from '../emails/payment-emails.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop, subscribe } from '../testing/shop.ts'
import { advancePauses } from './advance-pauses.ts'
import { endLapsedSubscriptions } from './end-lapsed.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
/** Stripe's clock is so many days ahead of the database's. */
let drift = 0
let ofFan: { from: string | null; until: string | null }
beforeEach(async () => {
  shop = await buildShop()
  drift = 0
  ofFan = { from: null, until: null }
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_000, terms: [{ months: 12, percent_off: 10 }] })
  fan = await shop.gateway.signUp()
  await subscribe(fan, plan)
  await shop.settled()
  await creator.client.rpc('set_fans_may_pause', { may: true }).throwOnError()
})
afterEach(() => shop.close())

const own = async (person = fan) =>
  (
    await person.client
      .from('subscriptions')
      .select('id, status, access_until, current_period_end, paused_from, paused_until, billing_paused_until')
      .eq('creator_id', creator.profileId)
      .single()
      .throwOnError()
  ).data
const paid = async (person = fan) => {
  await shop.settled()
  const { data } = await person.client.from('transactions').select('amount').order('created_at').throwOnError()
  return data.map(({ amount }) => Number(amount))
}
const stripeId = async (person = fan) =>
  (
    await shop.gateway.query<{ id: string }>(
      `select k.stripe_subscription_id as id from private.stripe_subscriptions k join public.subscriptions s on s.id = k.subscription_id
       where s.subscriber_id = $1 and s.creator_id = $2`,
      [person.profileId, creator.profileId],
    )
  )[0]?.id ?? ''
const atStripe = async (person = fan) => shop.stripe.subscriptions.retrieve(await stripeId(person))
const hasAccess = async (person = fan) =>
  Date.parse((await own(person)).access_until) > Date.now() || (await own(person)).access_until === 'infinity'
const titles = async (person = fan) =>
  (await person.client.from('notifications').select('title').order('created_at').throwOnError()).data.map(
    ({ title }) => title,
  )
const emailsOf = (person: Person) => {
  const folder = join(shop.gateway.dataDir, 'outbox')
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(person.email))
}
async function pause(months: number) {
  const { id } = await own()
  await call(fan, 'pause-subscription', { subscriptionId: id, months })
  const { paused_from: from, paused_until: until } = await own()
  ofFan = { from, until }
}
const end = (person = fan) =>
  own(person).then(({ id }) => call<{ confirm?: { url: string } }>(person, 'end-pause', { subscriptionId: id }))

async function runJob() {
  await advancePauses(shop.gateway.services)
  await shop.settled()
}
/** Stripe's clock goes forward, and the dates that the database compares with its own go back by as much. */
async function goOn(days: number) {
  drift += days
  shop.sandbox.advanceClock(days * day)
  await shop.settled()
  await shop.gateway.query(
    `update public.subscriptions set paused_from = $2::timestamptz - make_interval(days => $4), paused_until = $3::timestamptz - make_interval(days => $4)
     where creator_id = $1 and paused_from is not null`,
    [creator.profileId, ofFan.from, ofFan.until, drift],
  )
  await moveBillingPause(-days)
}
async function letPass(days: number) {
  await goOn(days)
  await runJob()
}
const moveBillingPause = (days: number) =>
  shop.gateway.query(
    `update public.billing_pauses set started_at = started_at + make_interval(days => $2), resumes_at = resumes_at + make_interval(days => $2)
     where creator_id = $1 and ended_at is null`,
    [creator.profileId, days],
  )
const pauseBilling = (months: number, person = creator) => person.client.rpc('pause_billing', { months })
async function setCard(number: string, person = fan) {
  const { customer } = await atStripe(person)
  const method = await shop.stripe.paymentMethods.attach(number, { customer: String(customer) })
  await shop.stripe.subscriptions.update(await stripeId(person), { default_payment_method: method.id })
}

describe('a fan who pauses', () => {
  it('keeps what is paid, then has no access and pays nothing, until it resumes by itself [OFFER-10]', async () => {
    const { current_period_end: paidUntil } = await own()
    await pause(2)
    expect(await own()).toMatchObject({ status: 'active', access_until: paidUntil, paused_from: paidUntil })
    expect((await atStripe()).pause_collection).toEqual({
      behavior: 'void',
      resumes_at: Math.floor(Date.parse((await own()).paused_until ?? '') / 1000),
    })
    expect(await hasAccess()).toBe(true)
    await letPass(32)
    expect(await own()).toMatchObject({ status: 'paused' })
    expect(await hasAccess()).toBe(false)
    expect(await paid()).toEqual([1_000])
    await letPass(25)
    expect(await hasAccess()).toBe(false)
    await letPass(40)
    expect(await paid()).toEqual([1_000, 1_000])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity', paused_from: null })
    expect(await titles()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Your subscription to .+ is paused$/),
        expect.stringMatching(/^Your subscription to .+ is active again$/),
      ]),
    )
    await expectBalancedBooks(shop)
  })

  it("isn't counted as a subscriber meanwhile [OFFER-10]", async () => {
    const count = async () =>
      (
        await shop.gateway.query<{ count: number }>(
          'select subscribers_count as count from private.profiles where id = $1',
          [creator.profileId],
        )
      )[0]?.count
    expect(await count()).toBe(1)
    await pause(1)
    expect(await count()).toBe(1)
    await letPass(32)
    expect(await count()).toBe(0)
    await letPass(31)
    expect(await count()).toBe(1)
  })

  it('can take it back before it begins, at no cost [OFFER-10]', async () => {
    await pause(3)
    await end()
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity', paused_from: null })
    expect((await atStripe()).pause_collection).toBeNull()
    expect(await paid()).toEqual([1_000])
    shop.sandbox.advanceClock(32 * day)
    expect(await paid()).toEqual([1_000, 1_000])
  })

  it('can resume early, which charges once and begins a period today [OFFER-10]', async () => {
    await pause(3)
    await letPass(40)
    const results = await Promise.allSettled([end(), end()])
    expect(results.map(({ status }) => status)).toContain('fulfilled')
    await shop.settled()
    expect(await paid()).toEqual([1_000, 1_000])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity' })
    expect((await atStripe()).items.data[0]?.current_period_start).toBeGreaterThan(shop.sandbox.now() - 60)
    await expectBalancedBooks(shop)
  })

  it('stays paused if the card is declined when resuming early [OFFER-10]', async () => {
    await pause(3)
    await letPass(40)
    await setCard('pm_card_chargeCustomerFail')
    const { id } = await own()
    expect(await refusalOf(fan, 'end-pause', { subscriptionId: id })).toMatchObject({
      status: 402,
      body: { code: 'card_declined' },
    })
    await shop.settled()
    expect(await own()).toMatchObject({ status: 'paused' })
    expect((await atStripe()).pause_collection).toMatchObject({ behavior: 'void' })
    expect(await paid()).toEqual([1_000])
    await setCard('pm_card_visa')
    await end()
    expect(await paid()).toEqual([1_000, 1_000])
  })

  it('has no access after a pause whose payment fails, until it is paid [OFFER-10]', async () => {
    await pause(1)
    await letPass(32)
    await setCard('pm_card_chargeCustomerFail')
    await letPass(31)
    expect(await own()).toMatchObject({ status: 'past_due' })
    expect(await hasAccess()).toBe(false)
    await endLapsedSubscriptions(shop.gateway.services)
    expect(await own()).toMatchObject({ status: 'past_due' })
    await setCard('pm_card_visa')
    shop.sandbox.advanceClock(4 * day)
    expect(await paid()).toEqual([1_000, 1_000])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity', paused_from: null })
  })

  it('confirms with their bank when it asks, and has access with the payment [OFFER-10]', async () => {
    await pause(3)
    await letPass(40)
    await setCard('pm_card_authenticationRequired')
    const { confirm } = await end()
    expect(confirm?.url).toContain('/invoice/')
    expect(await hasAccess()).toBe(false)
    expect(await paid()).toEqual([1_000])
  })

  it('can still cancel: at the end of the period, or at once while there is no access [OFFER-10]', async () => {
    await pause(1)
    const { id } = await own()
    await call(fan, 'cancel-subscription', { subscriptionId: id })
    expect(await own()).toMatchObject({ status: 'active', paused_from: null })
    expect(await atStripe()).toMatchObject({ cancel_at_period_end: true, pause_collection: null })
    await call(fan, 'resume-subscription', { subscriptionId: id })
    await pause(2)
    await letPass(32)
    await call(fan, 'cancel-subscription', { subscriptionId: id })
    expect(await own()).toMatchObject({ status: 'canceled' })
    expect((await atStripe()).status).toBe('canceled')
    expect(await paid()).toEqual([1_000])
  })

  it('gets a notice before it resumes, in the app and by email, also with emails turned off [OFFER-10]', async () => {
    await pause(1)
    await sendPaymentEmails(shop.gateway.services)
    expect(emailsOf(fan).filter((text) => text.includes('Your subscription to Gold pauses on'))).toHaveLength(1)
    await shop.gateway.query('update private.user_settings set email = false where user_id = $1', [fan.profileId])
    await letPass(31)
    expect((await titles()).filter((title) => /resumes on/.test(title))).toEqual([])
    await letPass(24)
    await runJob()
    await sendPaymentEmails(shop.gateway.services)
    expect((await titles()).filter((title) => /resumes on/.test(title))).toHaveLength(1)
    expect(emailsOf(fan).filter((text) => text.includes('Your subscription to Gold resumes on'))).toHaveLength(1)
  })

  it('may choose 1 to 3 months, once, where the creator allows it, of a paid plan that renews [OFFER-10]', async () => {
    const { id } = await own()
    const refused = (months: unknown) => refusalOf(fan, 'pause-subscription', { subscriptionId: id, months })
    for (const months of [0, 4, 1.5, '2', undefined]) expect(await refused(months)).toMatchObject({ status: 400 })
    const stranger = await shop.gateway.signUp()
    for (const person of [stranger, creator])
      for (const name of ['pause-subscription', 'end-pause'])
        expect(await refusalOf(person, name, { subscriptionId: id, months: 1 })).toMatchObject({ status: 404 })
    expect(await refusalOf(fan, 'end-pause', { subscriptionId: id })).toMatchObject({ body: { code: 'not_paused' } })
    await creator.client.rpc('set_fans_may_pause', { may: false }).throwOnError()
    expect(await refused(1)).toMatchObject({ status: 409, body: { code: 'pauses_not_offered' } })
    await creator.client.rpc('set_fans_may_pause', { may: true }).throwOnError()
    await call(fan, 'cancel-subscription', { subscriptionId: id })
    expect(await refused(1)).toMatchObject({ status: 409, body: { code: 'pause_without_renewal' } })
    await call(fan, 'resume-subscription', { subscriptionId: id })
    const twice = await Promise.allSettled([pause(1), pause(2)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await refused(3)).toMatchObject({ status: 409, body: { code: 'already_paused' } })
    expect(
      await refusalOf(fan, 'switch-subscription', { subscriptionId: id, productId: plan.id, intervalCount: 12 }),
    ).toMatchObject({ status: 409, body: { code: 'switch_paused' } })
  })

  it('is not resumed while an account is suspended [OFFER-10]', async () => {
    await pause(1)
    await letPass(32)
    await shop.gateway.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'Spam', was_private = false where id = $1`,
      [creator.profileId],
    )
    await shop.gateway.query('select private.settle_renewals($1)', [creator.profileId])
    await shop.settled()
    await letPass(31)
    expect(await paid()).toEqual([1_000])
    expect(await hasAccess()).toBe(false)
  })
})

describe("Stripe's Dashboard", () => {
  it('ends a pause before it begins, moves its end, or sets one that keeps access [OFFER-09, OFFER-10]', async () => {
    await pause(1)
    const later = Math.floor(Date.now() / 1000) + 80 * day
    await shop.stripe.subscriptions.update(await stripeId(), {
      pause_collection: { behavior: 'void', resumes_at: later },
    })
    await shop.settled()
    expect(Date.parse((await own()).paused_until ?? '')).toBe(later * 1000)
    await shop.stripe.subscriptions.update(await stripeId(), { pause_collection: '' })
    await shop.settled()
    expect(await own()).toMatchObject({ paused_from: null, access_until: 'infinity', billing_paused_until: null })
    await shop.stripe.subscriptions.update(await stripeId(), { pause_collection: { behavior: 'void' } })
    await shop.settled()
    expect(await own()).toMatchObject({ access_until: 'infinity', billing_paused_until: 'infinity' })
    shop.sandbox.advanceClock(32 * day)
    expect(await paid()).toEqual([1_000])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity' })
  })

  it('resumes a pause that has begun, which charges the next period [OFFER-10]', async () => {
    await pause(3)
    await letPass(40)
    await shop.stripe.subscriptions.update(await stripeId(), { pause_collection: '' })
    expect(await paid()).toEqual([1_000, 1_000])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity', paused_from: null })
  })
})

describe('a creator who pauses billing', () => {
  it('charges nobody, keeps access, notifies everyone, and resumes by itself with notice [OFFER-09]', async () => {
    await sleep(1_000) // the renewal is in the pause, not in the same second as its end
    await pauseBilling(1).throwOnError()
    await runJob()
    await sendPaymentEmails(shop.gateway.services)
    expect(await titles()).toEqual(expect.arrayContaining([expect.stringContaining('has paused billing')]))
    expect(emailsOf(fan).filter((text) => text.includes('has paused billing until'))).toHaveLength(1)
    expect((await atStripe()).pause_collection).toMatchObject({ behavior: 'void' })
    await letPass(25)
    await sendPaymentEmails(shop.gateway.services)
    expect((await titles()).filter((title) => title.includes('resumes billing on'))).toHaveLength(1)
    expect(emailsOf(fan).filter((text) => text.includes('resumes billing on'))).toHaveLength(1)
    await letPass(5)
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity' })
    await letPass(2)
    expect((await atStripe()).pause_collection).toBeNull()
    expect(await own()).toMatchObject({ billing_paused_until: null })
    await letPass(31)
    expect(await paid()).toEqual([1_000, 1_000])
    await expectBalancedBooks(shop)
  })

  it('sells no plan and no switch meanwhile, and closes open pages [OFFER-09]', async () => {
    const newcomer = await shop.gateway.signUp()
    const { url } = await call<{ url: string }>(newcomer, 'create-subscription-checkout', { productId: plan.id })
    await pauseBilling(2).throwOnError()
    await runJob()
    expect((await fetch(url)).status).toBe(410)
    expect(await refusalOf(newcomer, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 409,
      body: { code: 'billing_paused' },
    })
    const { id } = await own()
    expect(
      await refusalOf(fan, 'switch-subscription', { subscriptionId: id, productId: plan.id, intervalCount: 12 }),
    ).toMatchObject({ status: 409, body: { code: 'billing_paused' } })
    expect(await refusalOf(fan, 'pause-subscription', { subscriptionId: id, months: 1 })).toMatchObject({
      body: { code: 'billing_paused' },
    })
  })

  it('resumes early with a week of notice [OFFER-09]', async () => {
    await pauseBilling(3).throwOnError()
    await runJob()
    const { data: resumesAt } = await creator.client.rpc('resume_billing').throwOnError()
    expect(Date.parse(resumesAt ?? '') - Date.now()).toBeGreaterThan(6.9 * day * 1000)
    await runJob()
    expect((await atStripe()).pause_collection?.resumes_at).toBe(Math.floor(Date.parse(resumesAt ?? '') / 1000))
    expect((await titles()).filter((title) => title.includes('resumes billing on'))).toHaveLength(1)
    expect((await creator.client.rpc('resume_billing')).error).toMatchObject({ details: 'billing_resumes_soon' })
  })

  it('voids a renewal that is still a draft, and holds a failed one until billing resumes [OFFER-09]', async () => {
    const other = await shop.gateway.signUp()
    await subscribe(other, plan)
    await setCard('pm_card_chargeCustomerFail')
    const renewsIn = ((await atStripe()).items.data[0]?.current_period_end ?? 0) - shop.sandbox.now()
    shop.sandbox.advanceClock(renewsIn + 1800) // within the hour of drafts
    await shop.settled()
    await pauseBilling(1).throwOnError()
    await moveBillingPause(31)
    await runJob()
    shop.sandbox.advanceClock(7200)
    expect([await paid(), await paid(other)]).toEqual([[1_000], [1_000]])
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity' })
    expect((await shop.stripe.invoices.list({ subscription: await stripeId() })).data[0]).toMatchObject({
      status: 'void',
    })
  })

  it('tries a failed renewal from before the pause again only when billing resumes [OFFER-09]', async () => {
    await setCard('pm_card_chargeCustomerFail')
    await goOn(32)
    expect(await own()).toMatchObject({ status: 'past_due' })
    await setCard('pm_card_visa')
    await pauseBilling(1).throwOnError()
    await moveBillingPause(32)
    await runJob()
    shop.sandbox.advanceClock(20 * day)
    expect(await paid()).toEqual([1_000])
    await moveBillingPause(-40)
    await runJob()
    await shop.gateway.query(
      `update public.billing_pauses set stage = 'noticed', started_at = started_at - interval '40 days', resumes_at = now() where creator_id = $1`,
      [creator.profileId],
    )
    await runJob()
    shop.sandbox.advanceClock(day)
    expect(await paid()).toEqual([1_000, 1_000])
  })

  it('charges a term again when billing resumes, if its renewal was free [OFFER-09]', async () => {
    const patron = await shop.gateway.signUp()
    const { url } = await call<{ url: string }>(patron, 'create-subscription-checkout', {
      productId: plan.id,
      intervalCount: 12,
    })
    await pay(url)
    await shop.settled()
    await goOn(350)
    await pauseBilling(1).throwOnError()
    await moveBillingPause(350)
    await runJob()
    await goOn(25)
    expect(await paid(patron)).toEqual([10_800])
    await goOn(8)
    // By Stripe's clock, the pause was from day 350 to day 380, and the term renewed on day 365.
    await moveBillingPause(33)
    await shop.gateway.query(
      `update public.subscriptions set current_period_start = b.started_at + interval '15 days' from public.billing_pauses b
       where b.creator_id = $1 and subscriber_id = $2`,
      [creator.profileId, patron.profileId],
    )
    await shop.gateway.query(
      `with b as (update public.billing_pauses set stage = 'noticed', started_at = started_at - make_interval(days => $2), resumes_at = resumes_at - make_interval(days => $2)
         where creator_id = $1 returning 1)
       update public.subscriptions set current_period_start = current_period_start - make_interval(days => $2) where creator_id = $1 and exists (select from b)`,
      [creator.profileId, 390],
    )
    await runJob()
    expect(await paid(patron)).toEqual([10_800, 10_800])
    await runJob()
    expect(await paid(patron)).toEqual([10_800, 10_800])
    await expectBalancedBooks(shop)
  })

  it("gives access when a fan's own pause ends within it, and charges nothing [OFFER-09, OFFER-10]", async () => {
    await pause(1)
    await pauseBilling(3).throwOnError()
    await runJob()
    await letPass(32)
    expect(await hasAccess()).toBe(false)
    await letPass(31)
    expect(await own()).toMatchObject({ status: 'active', access_until: 'infinity', paused_from: null })
    expect(await paid()).toEqual([1_000])
    expect((await atStripe()).pause_collection).toMatchObject({ behavior: 'void' })
  })

  it('is an approved creator, for 1 to 3 months, once at a time [OFFER-09]', async () => {
    for (const months of [0, 4]) expect((await pauseBilling(months)).error).toMatchObject({ details: 'pause_months' })
    expect((await pauseBilling(1, fan)).error?.code).toBe('42501')
    expect((await fan.client.rpc('set_fans_may_pause', { may: true })).error?.code).toBe('42501')
    expect((await creator.client.rpc('resume_billing')).error).toMatchObject({ details: 'billing_not_paused' })
    const [one, two] = await Promise.all([pauseBilling(1), pauseBilling(2)])
    expect([one.error, two.error].filter((error) => error?.details === 'billing_paused')).toHaveLength(1)
  })

  it('survives a killed walk, and an outage of Stripe, without a second notice [OFFER-09]', async () => {
    const others = [await shop.gateway.signUp(), await shop.gateway.signUp()]
    for (const other of others) await subscribe(other, plan)
    await shop.settled()
    await pauseBilling(2).throwOnError()
    await shop.gateway.query(
      `with walk as (
         insert into private.billing_pause_walks (pause_id, position)
         select b.id, (select min(s.subscriber_id::text)::uuid from public.subscriptions s where s.creator_id = $1) from public.billing_pauses b where b.creator_id = $1)
       update public.billing_pauses set stage = 'starting' where creator_id = $1`,
      [creator.profileId],
    )
    await shop.gateway.query(
      `delete from public.notifications n using public.subscriptions s where s.creator_id = $1 and s.subscriber_id = n.user_id and n.title like '%has paused billing'
         and s.subscriber_id > (select min(x.subscriber_id::text)::uuid from public.subscriptions x where x.creator_id = $1)`,
      [creator.profileId],
    )
    await runJob()
    for (const person of [fan, ...others]) {
      expect((await titles(person)).filter((title) => title.includes('has paused billing'))).toHaveLength(1)
      expect((await atStripe(person)).pause_collection).toMatchObject({ behavior: 'void' })
    }
  })
})
