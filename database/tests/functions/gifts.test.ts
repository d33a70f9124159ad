import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let giver: Person
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  await sellAtStripe(creator.productId)
  giver = await world.buildPerson({ meta: { display_name: 'Gil' } })
  fan = await world.buildPerson({ meta: { display_name: 'Fay' } })
})
afterEach(async () => expect(await books.problems()).toEqual([]))

const sellAtStripe = (plan: string) =>
  world.query(
    `insert into private.stripe_products (product_id, stripe_product_id, stripe_price_id) values ($1::uuid, 'prod_' || $1, 'price_' || $1)`,
    [plan],
  )

type About = {
  plan?: string
  months?: number | null
  username?: string | null
  email?: string | null
  message?: string
  deliverIn?: string
}
const prepare = async (person: Person, about: About = {}): Promise<string> => {
  const { plan = creator.productId, months = 3, email = null, message = null, deliverIn = null } = about
  const username = about.username === undefined && email === null ? fan.username : (about.username ?? null)
  const [row] = await world.as(person, 'select public.create_gift($1, $2, $3, $4, $5, now() + $6::interval) as id', [
    plan,
    months,
    username,
    email,
    message,
    deliverIn,
  ])
  return String(row?.id)
}
const payFor = async (
  gift: string,
  { cents = 2997, cause = `pi_${randomUUID()}`, by = giver } = {},
): Promise<string> => {
  const [row] = await world.as(
    'service_role',
    `select private.post_gift_payment($1, $2, $3, $4, $5, $6, 'usd', now()) as id`,
    [cause, gift, by.profileId, creator.profileId, cents, Math.round(cents / 10)],
  )
  return String(row?.id)
}
/** A gift that was paid for. */
async function give(about: About = {}): Promise<{ id: string; payment: string; code: string }> {
  const id = await prepare(giver, about)
  const payment = await payFor(id)
  return { id, payment, code: await codeOf(id) }
}
const given = () => world.as(giver, 'select * from public.get_given_gifts()')
const codeOf = async (id: string) => String((await given()).find((gift) => gift.id === id)?.code)
const redeem = (person: Person, code: string) => world.as(person, 'select public.redeem_gift($1) as id', [code])
const look = async (caller: Person | 'anon', code: string) =>
  (await world.as(caller, 'select * from public.get_gift($1)', [code]))[0]
const stateOf = async (id: string) =>
  (await world.query('select state from private.gifts where id = $1', [id]))[0]?.state
const subscriptions = (person: Person) =>
  world.as(person, 'select status, is_gift, access_until > now() as open from public.subscriptions')
const bells = (person: Person) => world.as(person, 'select type, title, message from public.notifications')
const deliver = () => world.as('service_role', 'select * from private.deliver_gifts()')
const end = () => world.as('service_role', 'select private.end_gifts()')
const isLocked = async (person: Person, post: string) =>
  (await world.as(person, 'select is_locked from public.posts where id = $1', [post]))[0]?.is_locked

describe('a gift', () => {
  it('costs its months, is booked once for each cause, and is the creator’s income from subscriptions [OFFER-02]', async () => {
    const id = await prepare(giver)
    const [quote] = await world.as('service_role', 'select * from private.quote_gift($1, $2)', [giver.profileId, id])
    expect(quote).toMatchObject({ creator_id: creator.profileId, amount_cents: 2997 })
    expect(quote?.title).toBe(`Gift: 3 months of Plan by ${creator.username}`)
    const payments = await Promise.all([1, 2, 3].map(() => payFor(id, { cause: `pi_${id}` })))
    expect(new Set(payments).size).toBe(1)
    expect(await books.transaction(String(payments[0]))).toMatchObject({
      transaction_type: 'gift',
      amount: '2997',
      net_amount: '2697',
      product_id: creator.productId,
    })
    expect(await bells(creator)).toEqual([
      { type: 'payment', title: 'Gil bought a gift of Plan', message: 'You earned $26.97.' },
    ])
    const [split] = await world.as(
      creator,
      `select * from public.get_revenue_split($1) where source = 'subscription'`,
      [creator.profileId],
    )
    expect(split).toMatchObject({ net_amount: '2697', payments: 1 })
    expect(await world.as(giver, 'select * from public.follows')).toEqual([])
    // The receipt is queued.
    expect(
      await world.query('select kind from private.payment_emails where profile_id = $1', [giver.profileId]),
    ).toEqual([{ kind: 'receipt' }])
  })

  it('of a plan by the year costs its part of the year', async () => {
    const plan = await world.buildProduct(creator, 10_000, 'year')
    await sellAtStripe(plan)
    const id = await prepare(giver, { plan, months: 1 })
    const [quote] = await world.as('service_role', 'select amount_cents from private.quote_gift($1, $2)', [
      giver.profileId,
      id,
    ])
    expect(quote).toEqual({ amount_cents: 833 })
  })

  it('as long as a term that the plan sells costs as much as the term, and is refunded in full [OFFER-01, OFFER-02]', async () => {
    const terms = 'insert into public.plan_terms (product_id, creator_id, months, percent_off, price_cents)'
    await world.query(`${terms} values ($1, $2, 3, 20, private.term_cents(999, 3, 20)), ($1, $2, 12, 0, 11988)`, [
      creator.productId,
      creator.profileId,
    ])
    const quoteOf = async (id: string) => {
      const [quote] = await world.as('service_role', 'select amount_cents from private.quote_gift($1, $2)', [
        giver.profileId,
        id,
      ])
      return quote?.amount_cents
    }
    const cents: Record<number, unknown> = {}
    for (const months of [1, 3, 6, 12]) cents[months] = await quoteOf(await prepare(giver, { months }))
    expect(cents).toEqual({ 1: 999, 3: 2398, 6: 5994, 12: 11_988 })
    const id = await prepare(giver)
    const payment = await payFor(id, { cents: 2398 })
    await redeem(fan, await codeOf(id))
    await books.refund(payment)
    expect(await books.transaction(payment)).toMatchObject({ amount: '2398', refunded_amount: '2398' })
    expect(await stateOf(id)).toBe('refunded')
    expect(await subscriptions(fan)).toMatchObject([{ is_gift: true, open: false }])
    // A gift that was prepared before costs what its giver has seen; the next one costs what holds now.
    const before = await prepare(giver, { months: 12 })
    await world.query('delete from public.plan_terms where product_id = $1', [creator.productId])
    expect([await quoteOf(before), await quoteOf(await prepare(giver))]).toEqual([11_988, 2997])
  })

  it('to a user arrives as a notification, and gives access until its months are over, without a card [OFFER-02]', async () => {
    const post = await world.buildPost(creator, { type: 'subscription' })
    const { id, code } = await give({ message: '  Happy birthday!  ' })
    expect(code).toMatch(/^[0-9a-f]{32}$/)
    expect(await deliver()).toEqual([])
    expect(await bells(fan)).toEqual([
      { type: 'subscription', title: 'Gil gave you 3 months of Plan', message: 'Happy birthday!' },
    ])
    expect(await look(fan, code)).toMatchObject({
      state: 'open',
      plan_name: 'Plan',
      months: 3,
      creator_username: creator.username,
      giver_name: 'Gil',
      message: 'Happy birthday!',
    })
    expect(await isLocked(fan, post.id)).toBe(true)
    const [first] = await redeem(fan, code)
    expect(await redeem(fan, code.toUpperCase())).toEqual([first]) // a double click
    expect(await isLocked(fan, post.id)).toBe(false)
    expect(await subscriptions(fan)).toEqual([{ status: 'active', is_gift: true, open: true }])
    const [dates] = await world.query(
      `select access_until = created_at + interval '3 months' as right_end, cancel_at_period_end from public.subscriptions where id = $1`,
      [first?.id],
    )
    expect(dates).toEqual({ right_end: true, cancel_at_period_end: true })
    expect(await stateOf(id)).toBe('redeemed')
    expect(await look(fan, code)).toMatchObject({ state: 'yours' })
    expect((await bells(creator)).map(({ title }) => title)).toContain('Fay redeemed a gift of Plan')
    expect(await bells(giver)).toEqual([
      { type: 'other', title: 'Your gift was redeemed', message: `3 months of Plan by ${creator.username}.` },
    ])
    expect(await given()).toMatchObject([{ id, state: 'redeemed', code: null, recipient: fan.username }])
  })

  it('ends with its months, once, and the fan can subscribe then', async () => {
    const { code } = await give()
    const [subscription] = await redeem(fan, code)
    const quote = () =>
      world.as('service_role', 'select * from private.quote_subscription($1, $2)', [fan.profileId, creator.productId])
    await expect(quote()).rejects.toMatchObject({ code: 'PT409', detail: 'already_subscribed' })
    await world.query('update public.subscriptions set current_period_end = now() where id = $1', [subscription?.id])
    await end()
    await end()
    expect(await subscriptions(fan)).toEqual([{ status: 'canceled', is_gift: true, open: false }])
    expect(
      (await bells(fan)).filter(
        ({ title }) => title === `Your gift of a subscription to ${creator.username} has ended`,
      ),
    ).toHaveLength(1)
    expect(await quote()).toHaveLength(1)
  })

  it('doesn’t count as recurring revenue', async () => {
    const admin = await world.buildAdmin()
    const overview = async () =>
      (await world.as(admin, 'select monthly_cents, subscriptions from public.get_admin_overview()'))[0]
    const before = await overview()
    const { code } = await give()
    await redeem(fan, code)
    expect(await overview()).toEqual(before)
    const [{ subscribers_count } = {}] = await world.query(
      'select subscribers_count from private.profiles where id = $1',
      [creator.profileId],
    )
    expect(subscribers_count).toBe(1)
  })

  it('to an email address is for anyone with its link, also for someone who joins later', async () => {
    const { id, code } = await give({ email: ' Someone@Example.org ' })
    const [due, ...others] = await deliver()
    expect(others).toEqual([])
    expect(due).toMatchObject({ id, email: 'someone@example.org', code, giver_name: 'Gil', gift: '3 months of Plan' })
    expect(await deliver()).toEqual([]) // being sent
    await world.as('service_role', 'select private.note_gift_sent($1)', [id])
    expect(await given()).toMatchObject([
      { sent_at: expect.any(Date), sends_at: null, recipient_email: 'someone@example.org' },
    ])
    expect(await look('anon', code)).toMatchObject({ state: 'open', giver_name: 'Gil' })
    const joined = await world.buildPerson()
    await redeem(joined, code)
    expect(await subscriptions(joined)).toHaveLength(1)
    // The giver doesn't find out whose address it is.
    expect(JSON.stringify(await bells(giver))).not.toContain(joined.username)
  })

  it('waits for its delivery date, and can be sent again [OFFER-02]', async () => {
    const { id } = await give({ deliverIn: '2 days' })
    const again = () => world.as(giver, 'select public.send_gift_again($1)', [id])
    expect(await deliver()).toEqual([])
    expect(await bells(fan)).toEqual([])
    await expect(again()).rejects.toMatchObject({ code: 'PT409' }) // not delivered yet
    const pass = () =>
      world.query(
        `update private.gifts set next_send_at = next_send_at - interval '3 days', sent_at = sent_at - interval '2 hours' where id = $1`,
        [id],
      )
    await pass()
    await deliver()
    expect(await bells(fan)).toHaveLength(1)
    await expect(again()).rejects.toMatchObject({ code: 'PT409' }) // just sent
    for (let time = 2; time <= 5; time += 1) {
      await pass()
      await again()
      await deliver()
      expect(await bells(fan)).toHaveLength(time)
    }
    await pass()
    await expect(again()).rejects.toMatchObject({ code: 'PT409' }) // often enough
    await expect(world.as(fan, 'select public.send_gift_again($1)', [id])).rejects.toMatchObject({ code: 'PT404' })
  })

  it('is given up after ten failed emails, and the giver finds out', async () => {
    const { id } = await give({ email: 'full@example.org' })
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await world.query('update private.gifts set next_send_at = now() where id = $1', [id])
      expect(await deliver()).toHaveLength(attempt < 10 ? 1 : 0)
    }
    expect((await bells(giver)).map(({ title }) => title)).toEqual(["Your gift couldn't be sent"])
  })

  it('can be taken back until it is redeemed, and is refunded [OFFER-02]', async () => {
    const { id, payment, code } = await give()
    await expect(world.as(fan, 'select public.take_back_gift($1)', [id])).rejects.toMatchObject({ code: 'PT404' })
    for (let time = 0; time < 2; time += 1) await world.as(giver, 'select public.take_back_gift($1)', [id])
    expect(await books.tasks(payment)).toEqual([{ kind: 'refund', done_at: null }])
    await expect(redeem(fan, code)).rejects.toMatchObject({ code: 'PT409', detail: 'gift_closed' })
    await books.refund(payment)
    expect(await stateOf(id)).toBe('taken_back')
    expect(await look(fan, code)).toMatchObject({ state: 'closed' })
    await expect(redeem(fan, code)).rejects.toMatchObject({ code: 'PT409', detail: 'gift_closed' })
    expect(await deliver()).toEqual([])
    expect(await bells(fan)).toEqual([])

    const kept = await give()
    await redeem(fan, kept.code)
    await expect(world.as(giver, 'select public.take_back_gift($1)', [kept.id])).rejects.toMatchObject({
      code: 'PT409',
      detail: 'gift_redeemed',
    })
  })

  it('that nobody redeems in 12 months is refunded, once [OFFER-02]', async () => {
    const { id, payment, code } = await give()
    const [dates] = await world.query(
      `select expires_at = t.created_at + interval '12 months' as right_end
       from private.gifts g join public.transactions t on t.id = g.transaction_id where g.id = $1`,
      [id],
    )
    expect(dates).toEqual({ right_end: true })
    await world.query('update private.gifts set expires_at = now() where id = $1', [id])
    await expect(redeem(fan, code)).rejects.toMatchObject({ detail: 'gift_closed' })
    await end()
    await end()
    expect(await stateOf(id)).toBe('expired')
    expect(await books.tasks(payment)).toEqual([{ kind: 'refund', done_at: null }])
    expect((await bells(giver)).map(({ title }) => title)).toEqual(["Your gift wasn't redeemed"])
  })

  it('is redeemed by one of two at the same moment, and taken back or redeemed, not both', async () => {
    const first = await give({ email: 'one@example.org' })
    const other = await world.buildPerson()
    const outcomes = await Promise.allSettled([redeem(fan, first.code), redeem(other, first.code)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([...(await subscriptions(fan)), ...(await subscriptions(other))]).toHaveLength(1)

    const second = await give({ email: 'two@example.org' })
    const third = await world.buildPerson()
    const [redeemed, back] = await Promise.allSettled([
      redeem(third, second.code),
      world.as(giver, 'select public.take_back_gift($1)', [second.id]),
    ])
    expect([redeemed.status, back.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await books.tasks(second.payment)).toHaveLength(back.status === 'fulfilled' ? 1 : 0)
  })

  it('gives one subscription of two gifts at the same moment, and the other one stays', async () => {
    const [one, two] = [await give(), await give({ months: 1 })]
    const outcomes = await Promise.allSettled([redeem(fan, one.code), redeem(fan, two.code)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { detail: 'already_subscribed' },
    })
    expect(await subscriptions(fan)).toHaveLength(1)
  })

  it('waits while the recipient subscribes, and the giver doesn’t find out', async () => {
    await world.subscribe(fan, creator)
    const { code } = await give()
    expect(await look(fan, code)).toMatchObject({ state: 'subscribed' })
    await expect(redeem(fan, code)).rejects.toMatchObject({ code: 'PT409', detail: 'already_subscribed' })
    await world.query(`update public.subscriptions set status = 'canceled' where subscriber_id = $1`, [fan.profileId])
    await redeem(fan, code)
  })

  it('closes the recipient’s open checkout session of a plan', async () => {
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, url)
       values ($1, 'subscription', $2, $3, $4, 'https://pay.example')`,
      [`cs_${fan.username}`, fan.profileId, creator.profileId, creator.productId],
    )
    const { code } = await give()
    await redeem(fan, code)
    expect(
      await world.query('select kind from private.payment_tasks where target = $1', [`cs_${fan.username}`]),
    ).toEqual([{ kind: 'close_checkout' }])
  })

  it('is honored after its plan was archived, and isn’t sold then', async () => {
    const { code } = await give()
    const open = await prepare(giver, { months: 1 })
    await world.as(creator, 'update public.subscription_products set is_active = false where id = $1', [
      creator.productId,
    ])
    await redeem(fan, code)
    await expect(prepare(giver, { months: 6 })).rejects.toMatchObject({ code: 'PT409', detail: 'plan_inactive' })
    await expect(
      world.as('service_role', 'select private.quote_gift($1, $2)', [giver.profileId, open]),
    ).rejects.toMatchObject({ code: 'PT409' })
  })

  it('waits while its creator is suspended, undelivered and unredeemed', async () => {
    const { code } = await give()
    const suspend = (values: string) =>
      world.query(
        `update private.profiles set (suspended_at, suspension_reason, was_private) = (${values}) where id = $1`,
        [creator.profileId],
      )
    await suspend(`now(), 'Spam', false`)
    await deliver()
    expect(await bells(fan)).toEqual([])
    expect(await look(fan, code)).toMatchObject({ state: 'unavailable' })
    expect(await look('anon', code)).toMatchObject({ state: 'unavailable' })
    await expect(redeem(fan, code)).rejects.toMatchObject({ code: 'PT403', detail: 'creator_unavailable' })
    await suspend('null, null, null')
    await deliver()
    expect(await bells(fan)).toHaveLength(1)
    await redeem(fan, code)
  })
})

describe('a gift is refused', () => {
  const block = (by: Person, whom: Person) =>
    world.as(by, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [by.profileId, whom.profileId])

  it.each([
    ['by a visitor', {}, refused, 'anon'],
    ['of two months', { months: 2 }, { code: '22023' }],
    ['of no number of months', { months: null }, { code: '22023' }],
    ['to nobody', { username: null }, { code: '22023' }],
    ['to two', { username: 'one', email: 'two@example.org' }, { code: '22023' }],
    ['to an invalid address', { email: 'two@@example' }, { code: '22023' }],
    ['with a long message', { message: 'x'.repeat(501) }, { code: '22023' }],
    ['for next year', { deliverIn: '300 days' }, { code: '22023' }],
    ['to an unknown username', { username: 'nobody_here' }, { code: 'PT404' }],
    ['of an unknown plan', { plan: randomUUID() }, { code: 'PT404' }],
  ] as const)('%s', async (_, about: About, error, caller?: string) => {
    const person = caller === 'anon' ? ('anon' as unknown as Person) : giver
    await expect(prepare(person, about)).rejects.toMatchObject(error)
  })

  it('to the giver, to the creator, of the giver’s own plan, and of a private profile’s', async () => {
    await expect(prepare(giver, { username: giver.username })).rejects.toMatchObject({ code: 'PT409' })
    await expect(prepare(giver, { email: `${giver.username}@EXAMPLE.com` })).rejects.toMatchObject({ code: 'PT409' })
    await expect(prepare(giver, { username: creator.username })).rejects.toMatchObject({ code: 'PT409' })
    await expect(prepare(creator)).rejects.toMatchObject({ code: 'PT409', detail: 'own_plan' })
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    await expect(prepare(giver)).rejects.toMatchObject({ code: 'PT404' })
  })

  it('across a block, before and after the payment', async () => {
    await block(fan, giver)
    await expect(prepare(giver)).rejects.toMatchObject({ code: 'PT403' })
    await world.query('delete from public.blocks')
    await block(creator, fan)
    await expect(prepare(giver)).rejects.toMatchObject({ code: 'PT403' })
    await world.query('delete from public.blocks')

    const prepared = await prepare(giver)
    const { id, payment, code } = await give({ months: 1 })
    await block(fan, giver)
    await expect(
      world.as('service_role', 'select private.quote_gift($1, $2)', [giver.profileId, prepared]),
    ).rejects.toMatchObject({ code: 'PT403' })
    await deliver()
    expect(await bells(fan)).toEqual([])
    expect(await stateOf(id)).toBe('refunded')
    expect(await books.tasks(payment)).toHaveLength(1)
    await expect(redeem(fan, code)).rejects.toMatchObject({ detail: 'gift_closed' })

    // Nobody gets emails of someone whom they have blocked, and the giver doesn't find out.
    const byEmail = await give({ email: `${fan.username}@example.com` })
    expect(await deliver()).toEqual([])
    expect((await given()).find((gift) => gift.id === byEmail.id)).toMatchObject({
      state: 'open',
      sent_at: expect.any(Date),
    })
    await world.query('delete from public.blocks')
    await block(creator, fan)
    expect(await look(fan, byEmail.code)).toMatchObject({ state: 'unavailable' })
    await expect(redeem(fan, byEmail.code)).rejects.toMatchObject({ code: 'PT403' })
  })

  it('to the giver, the creator, others, and visitors when they redeem it', async () => {
    const { code } = await give({ message: 'For you alone' })
    const other = await world.buildPerson()
    expect(await look(giver, code)).toMatchObject({ state: 'own', message: 'For you alone' })
    expect(await look(other, code)).toMatchObject({ state: 'for_another', message: null })
    expect(await look('anon', code)).toMatchObject({ state: 'open', message: null })
    expect(await look('anon', 'f'.repeat(32))).toBeUndefined()
    await expect(redeem(giver, code)).rejects.toMatchObject({ detail: 'own_gift' })
    await expect(redeem(creator, code)).rejects.toMatchObject({ detail: 'own_plan' })
    await expect(redeem(other, code)).rejects.toMatchObject({ code: 'PT403', detail: 'gift_of_another' })
    await expect(redeem('anon' as unknown as Person, code)).rejects.toMatchObject(refused)
    await expect(redeem(fan, 'f'.repeat(32))).rejects.toMatchObject({ code: 'PT404' })
    await redeem(fan, code)
    await expect(redeem(other, code)).rejects.toMatchObject({ detail: 'gift_redeemed' })
  })

  it('while it isn’t paid for, and pays once', async () => {
    const id = await prepare(giver, { email: 'one@example.org' })
    expect(await prepare(giver, { email: 'one@example.org' })).toBe(id) // a double click
    expect(await given()).toEqual([])
    await expect(
      world.as('service_role', 'select private.quote_gift($1, $2)', [fan.profileId, id]),
    ).rejects.toMatchObject({ code: 'PT404' })
    const first = await payFor(id)
    const second = await payFor(id)
    expect(await books.tasks(first)).toEqual([])
    expect(await books.tasks(second)).toEqual([{ kind: 'refund', done_at: null }])
    await books.refund(second)
    expect(await stateOf(id)).toBe('open')
    const old = await prepare(giver, { months: 12 })
    await world.query(`update private.gifts set created_at = now() - interval '3 days' where id = $1`, [old])
    await end()
    expect(await stateOf(old)).toBeUndefined()
    expect(await books.tasks(await payFor(old))).toHaveLength(1) // paid too late
  })

  it('after twenty that weren’t paid for', async () => {
    for (let count = 0; count < 20; count += 1) await prepare(giver, { email: `n${count}@example.org` })
    await expect(prepare(giver, { email: 'one-more@example.org' })).rejects.toMatchObject({ code: 'PT409' })
  })
})

describe('the payment of a gift', () => {
  const effect = async (payment: string) =>
    (
      await world.query('select private.refund_effect(t) as effect from public.transactions t where id = $1', [payment])
    )[0]?.effect

  it('that is refunded ends the gift and its access; a part of it doesn’t', async () => {
    const { id, payment, code } = await give()
    await redeem(fan, code)
    await books.refund(payment, 100)
    expect(await stateOf(id)).toBe('redeemed')
    expect(await effect(payment)).toBe('ends')
    await books.refund(payment)
    expect(await stateOf(id)).toBe('refunded')
    expect(await subscriptions(fan)).toEqual([{ status: 'canceled', is_gift: true, open: false }])
    expect((await bells(fan)).map(({ title }) => title)).toContain('Your gift of Plan has ended')
    expect(await look(fan, code)).toMatchObject({ state: 'closed' })
    const waiting = await give()
    await books.refund(waiting.payment)
    await expect(redeem(fan, waiting.code)).rejects.toMatchObject({ detail: 'gift_closed' })
    expect(await books.balance(creator)).toBe(0)
  })

  it('that is disputed ends it, and a won dispute opens it again, if nobody had redeemed it', async () => {
    const { id, payment, code } = await give()
    await books.dispute(payment, 'open', 2997)
    expect(await stateOf(id)).toBe('refunded')
    await expect(redeem(fan, code)).rejects.toMatchObject({ detail: 'gift_closed' })
    await books.dispute(payment, 'won', 2997)
    expect(await stateOf(id)).toBe('open')
    await redeem(fan, code)
    await books.dispute(payment, 'open', 2997, `dp_again_${payment}`)
    expect(await subscriptions(fan)).toMatchObject([{ open: false }])
    await books.dispute(payment, 'won', 2997, `dp_again_${payment}`)
    expect(await stateOf(id)).toBe('refunded')
  })

  it('is in the lists of admins with its months', async () => {
    const admin = await world.buildAdmin()
    const { payment } = await give()
    const rows = await world.as(admin, 'select id, transaction_type, target, refund_effect from public.get_payments()')
    expect(rows.find(({ id }) => id === payment)).toMatchObject({
      transaction_type: 'gift',
      target: '3 months of Plan',
      refund_effect: 'ends',
    })
  })
})

it('is in the export of both sides, without its link and with the address for the giver alone [STAT-03]', async () => {
  const sectionOf = async (person: Person) => {
    const [, rows = []] = await world.inOneTransaction(person, [
      'select public.open_own_data()',
      'fetch all from own_unseen_data',
    ])
    return rows.filter(({ section }) => section === 'gifts').map(({ item }) => JSON.parse(String(item)))
  }
  const { code } = await give({ email: 'someone@example.org', message: 'Enjoy!' })
  expect(await sectionOf(fan)).toEqual([])
  await redeem(fan, code)
  const [ofGiver] = await sectionOf(giver)
  expect(ofGiver).toMatchObject({ side: 'given', months: 3, message: 'Enjoy!', recipient_email: 'someone@example.org' })
  expect(Object.keys(ofGiver)).not.toContain('code_hash')
  expect(await sectionOf(fan)).toMatchObject([
    { side: 'received', months: 3, message: 'Enjoy!', recipient_email: null, state: 'redeemed' },
  ])
})

it('is redeemed while its payment is refunded, in either order, and ends', async () => {
  for (let round = 0; round < 6; round += 1) {
    const person = await world.buildPerson()
    const { payment, code } = await give({ username: person.username })
    const both = [() => redeem(person, code), () => books.refund(payment)]
    const [one, two] = round % 2 === 0 ? both : both.toReversed()
    const outcomes = await Promise.allSettled([one?.(), two?.()])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ detail: 'gift_closed' })
    expect((await subscriptions(person)).filter(({ open }) => open)).toEqual([])
  }
})

describe('deleting an account', () => {
  const remove = (person: Person) => world.as('service_role', 'select private.delete_account($1)', [person.userId])

  it('of the giver keeps the gift, without name and message', async () => {
    const open = await give({ message: 'From me' })
    const unpaid = await prepare(giver, { months: 12 })
    await remove(giver)
    expect(await stateOf(unpaid)).toBeUndefined()
    expect(await look(fan, open.code)).toMatchObject({ state: 'open', giver_name: null, message: null })
    await deliver()
    expect(await bells(fan)).toMatchObject([{ title: 'Someone gave you 3 months of Plan' }])
    await redeem(fan, open.code)
    await books.refund(open.payment)
    expect(await subscriptions(fan)).toMatchObject([{ open: false }])
  })

  it('of the recipient or the creator refunds what nobody has redeemed [OFFER-02]', async () => {
    const { id, payment } = await give()
    await remove(fan)
    expect(await stateOf(id)).toBe('refunded')
    expect(await books.tasks(payment)).toHaveLength(1)
    expect((await bells(giver)).map(({ title }) => title)).toEqual(['Your gift was canceled'])

    fan = await world.buildPerson()
    const [open, redeemed] = [await give(), await give({ email: 'someone@example.org' })]
    await redeem(await world.buildPerson(), redeemed.code)
    await remove(creator)
    expect(await books.tasks(open.payment)).toHaveLength(1)
    expect(await books.tasks(redeemed.payment)).toEqual([])
    await books.refund(open.payment)
    expect(await given()).toEqual([])
  })

  it('of someone who has redeemed a gift by email erases the address', async () => {
    const { id, code } = await give({ email: 'someone@example.org' })
    await redeem(fan, code)
    await remove(fan)
    expect(await given()).toMatchObject([{ id, state: 'redeemed', recipient_email: null }])
  })
})

describe('gift codes', () => {
  const make = async (
    about: { plan?: string; months?: number; codes?: number; lastDay?: number; by?: Person } = {},
  ) => {
    const { plan = creator.productId, months = 2, codes = 3, lastDay = 1, by = creator } = about
    const [row] = await world.as(
      by,
      `select public.create_gift_codes($1, $2, $3, (now() at time zone 'UTC')::date + $4::int) as id`,
      [plan, months, codes, lastDay],
    )
    return String(row?.id)
  }
  const codes = (batch: string) => world.as(creator, 'select * from public.get_gift_codes($1)', [batch])
  const batches = () => world.as(creator, 'select * from public.get_gift_batches()')

  it('are made up to 500 at a time, with months and a last day, and each works once [OFFER-03]', async () => {
    const batch = await make({ codes: 500 })
    const made = await codes(batch)
    expect(new Set(made.map(({ code }) => code)).size).toBe(500)
    const code = String(made[0]?.code)
    expect(await look('anon', code)).toMatchObject({ state: 'open', months: 2, giver_name: null, plan_name: 'Plan' })
    await redeem(fan, code)
    const [dates] = await world.query(
      `select access_until = created_at + interval '2 months' as right_end from public.subscriptions where subscriber_id = $1`,
      [fan.profileId],
    )
    expect(dates).toEqual({ right_end: true })
    await expect(redeem(giver, code)).rejects.toMatchObject({ detail: 'gift_redeemed' })
    await expect(redeem(fan, String(made[1]?.code))).rejects.toMatchObject({ detail: 'already_subscribed' })
    await expect(redeem(creator, String(made[1]?.code))).rejects.toMatchObject({ detail: 'own_plan' })
    expect(await batches()).toMatchObject([{ id: batch, codes: 500, redeemed: 1, months: 2, plan_name: 'Plan' }])
    expect((await codes(batch)).find((one) => one.code === code)).toMatchObject({ state: 'redeemed' })
    expect((await bells(creator)).map(({ title }) => title)).toEqual(['Fay redeemed a gift of Plan'])
    expect(await world.query('select id from public.transactions where to_user_id = $1', [creator.profileId])).toEqual(
      [],
    )
  })

  it('work until the end of their last day, and cost nothing when they expire', async () => {
    const batch = await make({ codes: 1, lastDay: 0 })
    const [{ code } = {}] = await codes(batch)
    const [dates] = await world.query(
      `select expires_at = ((now() at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC' as right_end from private.gifts where batch_id = $1`,
      [batch],
    )
    expect(dates).toEqual({ right_end: true })
    await world.query('update private.gifts set expires_at = now() where batch_id = $1', [batch])
    expect(await codes(batch)).toMatchObject([{ state: 'expired' }])
    await expect(redeem(fan, String(code))).rejects.toMatchObject({ detail: 'gift_closed' })
    await end()
    expect(await codes(batch)).toMatchObject([{ state: 'expired' }])
  })

  it.each([
    [{ codes: 0 }, '22023'],
    [{ codes: 501 }, '22023'],
    [{ months: 0 }, '22023'],
    [{ months: 13 }, '22023'],
    [{ lastDay: -1 }, '22023'],
    [{ lastDay: 4000 }, '22023'],
    [{ plan: randomUUID() }, 'PT404'],
  ])('aren’t made: %j', async (about, code) => {
    await expect(make(about)).rejects.toMatchObject({ code })
  })

  it('are only for the creator’s own active plans, and only for them to see', async () => {
    await expect(make({ by: fan })).rejects.toMatchObject(refused)
    const other = await world.buildCreator()
    await expect(make({ by: other })).rejects.toMatchObject({ code: 'PT404' })
    const batch = await make()
    await expect(world.as(other, 'select * from public.get_gift_codes($1)', [batch])).rejects.toMatchObject({
      code: 'PT404',
    })
    expect(await world.as(other, 'select * from public.get_gift_batches()')).toEqual([])
    await world.query('update public.subscription_products set is_active = false where id = $1', [creator.productId])
    await expect(make()).rejects.toMatchObject({ code: 'PT404' })
  })

  it('are made 20 times a day', async () => {
    for (let count = 0; count < 20; count += 1) await make({ codes: 1 })
    await expect(make()).rejects.toMatchObject({ code: 'PT409' })
  })
})
