import { submit, visit } from '@ovation/sandbox/visit'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

type Card = { id: string; brand: string; last4: string; isDefault: boolean }
const cards = async (body: Record<string, unknown> = {}, person = fan) =>
  (await call<{ cards: Card[] }>(person, 'list-saved-cards', body)).cards
/** Saves a card on the provider's page, with the bank's confirmation if required. @returns the session id that the page passes back. */
async function save(number?: string): Promise<string> {
  const { url } = await call<{ url: string }>(fan, 'save-card', { returnPath: '/settings?tab=subscriptions' })
  let { location } = await pay(url, number)
  if (location?.endsWith('/authenticate')) {
    ;({ location } = await submit(await visit(new URL(location, url).href), { answer: 'confirm' }))
  }
  expect(location).toMatch(`${shop.gateway.url}/settings?tab=subscriptions&card=cs_`)
  return new URL(location ?? '').searchParams.get('card') ?? ''
}
const buy = (targetId: string, more = {}) =>
  call<{ status?: string; url?: string; reason?: string; paymentId?: string }>(fan, 'create-payment-checkout', {
    kind: 'ppv',
    targetId,
    ...more,
  })
const tip = (amountCents: number, more = {}) =>
  call<{ status?: string; paymentId?: string }>(fan, 'create-payment-checkout', {
    kind: 'tip',
    targetId: creator.profileId,
    amountCents,
    ...more,
  })
const transactions = () =>
  shop.gateway.query(`select transaction_type, amount from public.transactions where from_user_id = $1`, [
    fan.profileId,
  ])
const charges = async () => {
  const [known] = await shop.gateway.query<{ customer_id: string }>(
    'select customer_id from private.stripe_customers where profile_id = $1',
    [fan.profileId],
  )
  const { data } = await shop.stripe.charges.list({ customer: known?.customer_id })
  return data.filter(({ paid }) => paid).map(({ amount }) => amount)
}
const isOpen = async (id: string) =>
  (await fan.client.from('posts').select('is_locked').eq('id', id).single()).data?.is_locked === false

describe('a saved card', () => {
  it('is saved on the provider’s page, listed by brand and last four digits, and removed [API-FN-15]', async () => {
    expect(await cards()).toEqual([])
    const sessionId = await save()
    const [card] = await cards({ sessionId }) // possibly before the webhook
    expect(card).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, isDefault: true })
    await save('5555 5555 5555 4444')
    await shop.settled()
    expect(await cards()).toMatchObject([
      { brand: 'mastercard', last4: '4444', isDefault: true },
      { brand: 'visa', isDefault: false },
    ])
    await call(fan, 'remove-saved-card', { cardId: card?.id })
    expect(await cards()).toMatchObject([{ brand: 'mastercard' }])
  })

  it('is available only to its holder', async () => {
    const sessionId = await save()
    const [card] = await cards({ sessionId })
    const stranger = await shop.gateway.signUp()
    expect(await cards({}, stranger)).toEqual([])
    for (const [name, body] of [
      ['list-saved-cards', { sessionId }],
      ['remove-saved-card', { cardId: card?.id }],
    ] as const)
      expect(await refusalOf(stranger, name, body)).toMatchObject({ status: 404, body: { code: 'card_not_found' } })
    expect(await cards()).toHaveLength(1)
  })

  it('is saved during a purchase only if its holder ticks the box', async () => {
    const post = await buildPaidPost(creator)
    await pay((await buy(post)).url ?? '')
    expect(await cards()).toEqual([])
    const other = await buildPaidPost(creator)
    await pay((await buy(other)).url ?? '', undefined, { keep: 'yes' })
    expect(await cards()).toMatchObject([{ last4: '4242' }])
  })

  it.each(['https://evil.example/x', '//evil.example', '/\\evil.example', 'settings'])(
    "doesn't lead back to %s",
    async (returnPath) => {
      for (const name of ['save-card', 'create-portal-session'])
        expect(await refusalOf(fan, name, { returnPath })).toMatchObject({ status: 400, body: { field: 'returnPath' } })
    },
  )
})

describe('a one-click purchase', () => {
  it('is charged, booked, and unlocked at once [D40, POST-45, GEN-06]', async () => {
    await cards({ sessionId: await save() })
    const post = await buildPaidPost(creator)
    const answer = await buy(post)
    expect(answer).toEqual({ status: 'paid', paymentId: expect.stringMatching(/^pi_/) })
    expect(await isOpen(post)).toBe(true)
    expect(await call(fan, 'verify-payment', { sessionId: answer.paymentId })).toMatchObject({
      status: 'paid',
      hasAccess: true,
    })
    await shop.settled()
    expect(await transactions()).toEqual([{ transaction_type: 'ppv', amount: '500' }])
    expect(await shop.gateway.query('select * from private.verify_money()')).toEqual([])
    expect(await shop.gateway.query('select * from private.payment_differences')).toEqual([])
  })

  it('charges a double click once, simultaneous or in sequence', async () => {
    await cards({ sessionId: await save() })
    const post = await buildPaidPost(creator)
    const tips = await Promise.all([tip(700), tip(700)])
    tips.push(await tip(700))
    expect(tips).toEqual(tips.map(() => ({ status: 'paid', paymentId: tips[0]?.paymentId })))
    // A post is sold once anyway: the second click may be answered with that.
    await Promise.allSettled([buy(post), buy(post)])
    await expect(buy(post)).rejects.toThrow("You've already bought this post")
    await shop.settled()
    expect((await charges()).toSorted()).toEqual([500, 700])
  })

  it('charges one attempt once, however late the second click, and another attempt again', async () => {
    await cards({ sessionId: await save() })
    const [once, twice] = [crypto.randomUUID(), crypto.randomUUID()]
    const first = await tip(700, { attemptId: once })
    await shop.gateway.query(`update private.checkout_sessions set created_at = created_at - interval '1 hour'`)
    expect(await tip(700, { attemptId: once })).toEqual(first)
    const second = await tip(700, { attemptId: twice })
    expect(second).toMatchObject({ status: 'paid' })
    expect(second.paymentId).not.toBe(first.paymentId)
    expect(await tip(700, { attemptId: once })).toEqual(first) // the response may come after the next tip
    // The process died after the charge: nothing of it is stored here.
    const third = crypto.randomUUID()
    const charged = await tip(700, { attemptId: third })
    await shop.settled()
    await shop.gateway.query('delete from private.checkout_sessions where id = $1', [charged.paymentId])
    expect(await tip(700, { attemptId: third })).toEqual(charged)
    expect(await charges()).toEqual([700, 700, 700])
  })

  it('passes on the note of a tip, and charges a tip with another note again [PROF-21]', async () => {
    await cards({ sessionId: await save() })
    const note = { attemptId: crypto.randomUUID(), note: 'For the kiln' }
    const first = await tip(700, note)
    expect(await tip(700, note)).toEqual(first)
    expect((await tip(700, { note: 'And for the clay' })).paymentId).not.toBe(first.paymentId)
    await shop.settled()
    const { data } = await creator.client.from('notifications').select('message').eq('type', 'tip').throwOnError()
    const messages = data.map(({ message }) => message)
    for (const words of ['For the kiln', 'And for the clay'])
      expect(messages.filter((message) => message === `You earned $6.30. “${words}”`)).toHaveLength(1)
    expect(await charges()).toEqual([700, 700])
  })

  it('closes the page that was opened before, and uses another card if requested', async () => {
    const post = await buildPaidPost(creator)
    const { url } = await buy(post)
    await cards({ sessionId: await save() })
    expect(await buy(post, { savedCard: 'skip' })).toEqual({ url })
    expect(await buy(post, { savedCard: 'ask' })).toMatchObject({
      status: 'confirm',
      card: { brand: 'visa', last4: '4242' },
      amountCents: 500,
      title: `"A paid post" by ${creator.username}`,
    })
    expect(await charges()).toEqual([])
    expect(await buy(post)).toMatchObject({ status: 'paid' })
    await expect(pay(url ?? '')).rejects.toThrow('no form')
    expect(await charges()).toEqual([500])
  })

  it("charges nothing while a page is being paid and so can't be closed", async () => {
    const post = await buildPaidPost(creator)
    const { url } = await buy(post)
    await cards({ sessionId: await save() })
    const expire = vi.spyOn(shop.stripe.checkout.sessions, 'expire').mockRejectedValueOnce(
      new Stripe.errors.StripeInvalidRequestError({
        message: 'A payment is in progress.',
        type: 'invalid_request_error',
      }),
    )
    expect(await buy(post)).toEqual({ url })
    expect(expire).toHaveBeenCalledOnce()
    expect(await charges()).toEqual([])
    expect(await buy(post)).toMatchObject({ status: 'paid' })
  })

  it.each([
    ['4000 0000 0000 0341', 'card_declined'],
    ['4000 0027 6000 3184', 'authentication_required'],
  ])('falls back to the page if card %s fails with %s, and unlocks nothing', async (number, reason) => {
    await cards({ sessionId: await save(number) })
    const post = await buildPaidPost(creator)
    const { url, ...rest } = await buy(post)
    expect(rest).toEqual({ reason })
    expect(await isOpen(post)).toBe(false)
    expect(await charges()).toEqual([])
    await pay(url ?? '')
    await shop.settled()
    expect(await isOpen(post)).toBe(true)
    expect(await charges()).toEqual([500])
  })
})

it('opens the billing portal, and applies changes made there [API-FN-15, SUB-05]', async () => {
  const plan = await shop.buildPlan(creator)
  const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
  await pay(url)
  await shop.settled()
  const portal = await call<{ url: string }>(fan, 'create-portal-session')
  const page = await visit(portal.url)
  expect(page.text).toContain('Backstage')
  expect(page.text).toContain(`${shop.gateway.url}/dashboard/subscriptions`)
  expect((await submit(page, { action: 'cancel' }, 'value="cancel"')).status).toBe(303)
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('cancel_at_period_end').single()
  expect(data).toEqual({ cancel_at_period_end: true })
  // A card that pays a plan can't be removed by accident, and a card given for a plan isn't used for anything else.
  expect(await cards()).toEqual([])
})
