import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
  // Older than the links.
  await world.query(`update private.profiles set created_at = created_at - interval '60 days' where id = $1`, [
    fan.profileId,
  ])
})

type Link = { id: string; code: string }
type NewLink = {
  name?: string
  target?: string
  plan?: string
  post?: string
  product?: string
  trial?: [number, number, string]
}

async function buildLink(
  { name = 'Bio', target = 'profile', plan, post, product, trial }: NewLink = {},
  caller: Caller = creator,
): Promise<Link> {
  const [link] = await world.as(
    caller,
    `insert into public.tracking_links (name, target, plan_id, post_id, product_id, trial_days, trial_limit, trial_until)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8::interval) returning id, code`,
    [name, target, plan ?? null, post ?? null, product ?? null, ...(trial ?? [null, null, null])],
  )
  return { id: String(link?.id), code: String(link?.code) }
}
async function buildProduct(seller: Person, status = 'published'): Promise<string> {
  const [row] = await world.query(
    `insert into public.products (creator_id, title, price_cents, status) values ($1, 'Brushes', 1000, $2) returning id`,
    [seller.profileId, status],
  )
  return String(row?.id)
}
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
/** As a browser keeps what it opened. */
const opened = (...visits: readonly (readonly [Link, number])[]) =>
  visits.map(([{ code }, ago]) => `${code}.${secondsAgo(ago)}`).join('~')
const claim = (visits: string, caller: Caller = fan) =>
  world.as(caller, 'select public.claim_link_visits($1)', [visits])
const touches = (person: Person = fan) =>
  world.query('select link_id from public.link_touches where fan_id = $1 order by touched_at', [person.profileId])
const follow = (person: Person = fan, whom: Person = creator) =>
  world.as(person, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    person.profileId,
    whom.profileId,
  ])
const day = 86_400

async function rollUp(size = 10_000) {
  for (;;) {
    const [row] = await world.as('service_role', 'select private.roll_up_links($1) as more', [size])
    if (row?.more !== true) return
  }
}
const columns = 'visits, sign_ups, follows, trials, subscriptions, purchases, earned_cents'
/** What the creator sees, after the job: only what isn't zero. */
async function figures({ id }: Link, caller: Caller = creator): Promise<Record<string, number>> {
  await rollUp()
  const [row = {}] = await world.as(caller, `select ${columns} from public.tracking_links where id = $1`, [id])
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (Number(value) === 0 ? [] : [[name, Number(value)]])),
  )
}
const visit = ({ id }: Link, visitor: string, at = '0 days') =>
  world.as(
    'service_role',
    `insert into private.link_visits (link_id, day, visitor) values ($1, private.today() + $3::interval, sha256($2::bytea))`,
    [id, visitor, at],
  )
const isSound = async () => expect(await world.query('select * from private.verify_counters()')).toEqual([])

describe('a link', () => {
  it('leads to the profile, a plan, or a post of the creator, with a code of its own [LINK-01]', async () => {
    const post = await world.buildPost(creator)
    const links = [
      await buildLink(),
      await buildLink({ target: 'plan', plan: creator.productId }),
      await buildLink({ target: 'post', post: post.id }),
    ]
    const found = []
    for (const { code } of links) {
      expect(code).toMatch(/^[a-z0-9]{8}$/)
      const [row] = await world.as('service_role', 'select * from private.find_link($1)', [code])
      found.push(row)
    }
    expect(found).toMatchObject([
      { address: creator.username, target: 'profile', post_id: null, is_archived: false },
      { address: creator.username, target: 'plan', post_id: null },
      { address: creator.username, target: 'post', post_id: post.id },
    ])
    expect(new Set(links.map(({ code }) => code)).size).toBe(3)
    // A post that is deleted takes no link along.
    await world.as(creator, 'delete from public.posts where id = $1', [post.id])
    expect(await world.as('service_role', 'select * from private.find_link($1)', [links[2]?.code])).toMatchObject([
      { target: 'post', post_id: null },
    ])
  })

  it('leads to a product while it is for sale, and counts its purchases [LINK-01, OFFER-05]', async () => {
    const product = await buildProduct(creator)
    const link = await buildLink({ target: 'product', product })
    const found = async () =>
      (await world.as('service_role', 'select target, product_id from private.find_link($1)', [link.code]))[0]
    expect(await found()).toEqual({ target: 'product', product_id: product })
    await claim(opened([link, 10]))
    await books.buyProduct(fan, creator, product)
    expect(await figures(link)).toMatchObject({ purchases: 1, earned_cents: 900 })
    await world.query(`update public.products set status = 'archived' where id = $1`, [product])
    expect(await found()).toEqual({ target: 'product', product_id: null })
    await world.query('delete from public.products where id = $1', [product])
    expect(await found()).toEqual({ target: 'product', product_id: null })
    await isSound()
  })

  it('is rejected with the plan or post of somebody else, or with none [LINK-01]', async () => {
    const other = await world.buildCreator()
    const { id } = await world.buildPost(other)
    const rejected: NewLink[] = [
      { target: 'product', product: await buildProduct(other) },
      { target: 'product', product: await buildProduct(creator, 'draft') },
      { target: 'product' },
      { target: 'plan', plan: creator.productId, product: await buildProduct(creator) },
      { target: 'plan', plan: other.productId },
      { target: 'post', post: id },
      { target: 'plan' },
      { target: 'post' },
      { target: 'profile', plan: creator.productId },
    ]
    for (const link of rejected) await expect(buildLink(link)).rejects.toMatchObject({ code: '22023' })
    await expect(buildLink({ target: 'shop' })).rejects.toMatchObject({ constraint: 'tracking_links_target_known' })
    await expect(buildLink({}, fan)).rejects.toMatchObject({ code: '42501' })
  })

  it('is archived, never deleted; then it leads on and counts nothing new [LINK-01]', async () => {
    const link = await buildLink()
    await expect(world.as(creator, 'delete from public.tracking_links where id = $1', [link.id])).rejects.toMatchObject(
      { code: '42501' },
    )
    await world.as(creator, 'update public.tracking_links set is_archived = true where id = $1', [link.id])
    expect(await world.as('service_role', 'select is_archived from private.find_link($1)', [link.code])).toEqual([
      { is_archived: true },
    ])
  })

  it('of a suspended creator is as unknown as any other code [LINK-01]', async () => {
    const link = await buildLink()
    await world.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'spam', was_private = false where id = $1`,
      [creator.profileId],
    )
    expect(await world.as('service_role', 'select * from private.find_link($1)', [link.code])).toEqual([])
    expect(await world.as('service_role', 'select * from private.find_link($1)', ['unknown1'])).toEqual([])
  })

  it('is one of up to 200, without archived ones [LINK-01]', async () => {
    const link = await buildLink()
    await world.query(
      `insert into public.tracking_links (creator_id, name, target) select $1, 'Many', 'profile' from generate_series(2, 200)`,
      [creator.profileId],
    )
    await expect(buildLink()).rejects.toMatchObject({ code: 'PT422' })
    const set = (archived: boolean) =>
      world.as(creator, 'update public.tracking_links set is_archived = $2 where id = $1', [link.id, archived])
    await set(true)
    await buildLink()
    await expect(set(false)).rejects.toMatchObject({ code: 'PT422' })
  })
})

describe('visits', () => {
  it('count once a day for each visitor, by link and by day [LINK-01, LINK-02]', async () => {
    const [bio, story] = [await buildLink(), await buildLink({ name: 'Story' })]
    for (const visitor of ['ada', 'ada', 'bob']) await visit(bio, visitor)
    await rollUp()
    await visit(bio, 'ada')
    await visit(bio, 'ada', '-1 day')
    await visit(story, 'ada')
    expect(await figures(bio)).toEqual({ visits: 3 })
    expect(await figures(story)).toEqual({ visits: 1 })
    const days = await world.as(
      creator,
      'select visits from public.tracking_link_days where link_id = $1 order by day',
      [bio.id],
    )
    expect(days).toEqual([{ visits: '1' }, { visits: '2' }])
    await isSound()
  })

  it('are counted in steps, and those of a link that is gone are dropped [LINK-01]', async () => {
    const link = await buildLink()
    const gone = await world.buildCreator()
    const lost = await buildLink({}, gone)
    for (const visitor of ['a', 'b', 'c', 'd', 'e']) await visit(link, visitor)
    await visit(lost, 'a')
    await world.query('select private.delete_account($1)', [gone.userId])
    await rollUp(2)
    expect(await figures(link)).toEqual({ visits: 5 })
    expect(await world.query('select from private.link_visits')).toEqual([])
    await isSound()
  })

  it('are hashed with a salt that is the same all day and gone the day after [LINK-02]', async () => {
    const salt = async (offset: number) => {
      const [row] = await world.as(
        'service_role',
        `select encode(private.link_salt(private.today() + $1::int), 'hex') as salt`,
        [offset],
      )
      return row?.salt
    }
    const yesterday = await salt(-1)
    expect(yesterday).toHaveLength(64)
    expect(await salt(-1)).toBe(yesterday)
    expect(await salt(0)).not.toBe(yesterday)
    expect(await world.query('select day = private.today() as today from private.link_salts')).toEqual([
      { today: true },
    ])
    await world.query(`update private.link_salts set day = day - 1`)
    await world.as('service_role', 'select private.forget_link_visitors()')
    expect(await world.query('select from private.link_salts')).toEqual([])
  })

  it('cost one insert that waits for no other transaction [LINK-02]', async () => {
    const link = await buildLink()
    const holder = await world.begin('service_role', [
      'reset role',
      `select from public.tracking_links where id = '${link.id}' for update`,
    ])
    await visit(link, 'ada')
    await holder.commit()
    const plans = await world.plansOf(
      `insert into private.link_visits (link_id, day, visitor) values ('${link.id}', current_date, '\\x00')`,
    )
    expect(plans).toHaveLength(1)
    expect(await figures(link)).toEqual({ visits: 2 })
  })

  it('leave no hash of a visitor after a day [LINK-02]', async () => {
    const link = await buildLink()
    await visit(link, 'ada', '-2 days')
    await rollUp()
    await world.as('service_role', 'select private.forget_link_visitors()')
    expect(await world.query('select from private.link_visitors where link_id = $1', [link.id])).toEqual([])
    expect(await figures(link)).toEqual({ visits: 1 })
    await isSound()
  })
})

describe('what a user does', () => {
  it('counts for the link that they opened first, once each [LINK-01, LINK-02]', async () => {
    const [first, second] = [await buildLink(), await buildLink({ name: 'Second' })]
    await claim(opened([second, 100], [first, 200]))
    await follow()
    await world.as(fan, 'delete from public.follows where follower_id = $1', [fan.profileId])
    await follow()
    await world.subscribe(fan, creator)
    const payment = await world.pay(fan, creator)
    const post = await world.buildPost(creator, { type: 'ppv' })
    await books.buy(fan, creator, post.id)
    await books.tip(fan, creator)
    const all = { follows: 1, subscriptions: 1, purchases: 1, earned_cents: 899 + 900 + 900 }
    expect(await figures(first)).toEqual(all)
    expect(await figures(second)).toEqual({})
    await books.refund(payment)
    expect(await figures(first)).toEqual({ ...all, earned_cents: 1800 })
    await isSound()
    expect(await books.problems()).toEqual([])
  })

  it('counts for 30 days after that, and then for a later link [LINK-02]', async () => {
    const [first, second] = [await buildLink(), await buildLink({ name: 'Second' })]
    await claim(opened([first, 29 * day], [second, 100]))
    await world.query(`update public.link_touches set touched_at = touched_at - interval '2 days' where link_id = $1`, [
      first.id,
    ])
    await follow()
    expect(await figures(first)).toEqual({})
    expect(await figures(second)).toEqual({ follows: 1 })
  })

  it('includes the trial, the subscription after it, and all its renewals, however late [LINK-01]', async () => {
    const link = await buildLink()
    await claim(opened([link, 100]))
    const stripeId = `sub_${fan.username}`
    const trial = { stripeId, status: 'trialing', trialEnd: '7 days', end: '7 days' }
    await world.subscribe(fan, creator, trial)
    expect(await figures(link)).toEqual({ follows: 1, trials: 1 })
    await world.query('delete from public.link_touches where fan_id = $1', [fan.profileId])
    await world.subscribe(fan, creator, { stripeId, eventAt: '1 minute' })
    await world.pay(fan, creator)
    await world.pay(fan, creator)
    expect(await figures(link)).toEqual({ follows: 1, trials: 1, subscriptions: 1, earned_cents: 1798 })
    await isSound()
  })

  it('counts nothing for a subscription from before [LINK-02]', async () => {
    const link = await buildLink()
    await world.subscribe(fan, creator)
    await claim(opened([link, 0]))
    await world.pay(fan, creator)
    expect(await figures(link)).toEqual({})
  })

  it('stays counted after the account is deleted [LINK-01]', async () => {
    const link = await buildLink()
    await claim(opened([link, 100]))
    await world.subscribe(fan, creator)
    await world.pay(fan, creator)
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect(await figures(link)).toEqual({ follows: 1, subscriptions: 1, earned_cents: 899 })
    expect(await touches()).toEqual([])
    await isSound()
  })
})

describe('a browser that hands over what it opened', () => {
  it('is heard once a day for each link; nonsense, old and own links are left out [LINK-02]', async () => {
    const link = await buildLink()
    const visits = opened([link, 0], [link, 0], [link, 31 * day], [link, -3600])
    await claim(`${visits}~unknown1.${secondsAgo(5)}~${link.code}~${link.code}.99999999999~%00'"`)
    await claim(visits)
    expect(await touches()).toEqual([{ link_id: link.id }])
    await claim(visits, creator)
    expect(await touches(creator)).toEqual([])
    await expect(claim(visits, 'anon')).rejects.toMatchObject({ code: '42501' })
    expect(await world.as(creator, 'select from public.link_touches')).toEqual([])
    expect(await world.as(fan, 'select link_id from public.link_touches')).toEqual([{ link_id: link.id }])
  })

  it('survives the sign-up, which counts for the first link of all, and leaves nothing in the token [LINK-01, LINK-02]', async () => {
    const other = await world.buildCreator()
    const [first, second] = [await buildLink({}, other), await buildLink()]
    const links = opened([second, 50], [first, 60])
    const person = await world.buildPerson({ meta: { links } })
    expect(await touches(person)).toEqual([{ link_id: first.id }, { link_id: second.id }])
    expect(
      await world.query('select raw_user_meta_data as meta from auth.users where id = $1', [person.userId]),
    ).toEqual([{ meta: { username: person.username, terms_accepted: true } }])
    await claim(links, person)
    await follow(person)
    expect(await figures(first, other)).toEqual({ sign_ups: 1 })
    expect(await figures(second)).toEqual({ follows: 1 })
    await isSound()
  })

  it('counts a sign-up through another service at the first sign-in, but none of an older account [LINK-01]', async () => {
    const link = await buildLink()
    await claim(opened([link, 0]))
    expect(await figures(link)).toEqual({})
    const late = await world.buildPerson()
    await claim(opened([link, 300]), late)
    await claim(opened([link, 300]), late)
    expect(await figures(link)).toEqual({ sign_ups: 1 })
  })
})

describe('fans who came by a link', () => {
  const came = async (link: string) =>
    (
      await world.as(creator, 'select public.count_audience($1) as count', [
        JSON.stringify({ all: [{ condition: 'came_by_link', link }] }),
      ])
    )[0]?.count

  it('are on smart lists, and their sheet names it [LINK-01, LIST-02, LIST-04]', async () => {
    const [link, other] = [await buildLink({ name: 'Instagram' }), await buildLink({ name: 'Other' })]
    await claim(opened([link, 100]))
    await follow()
    // A fan from before comes by no link.
    const earlier = await world.buildPerson()
    await follow(earlier)
    await world.query(`update private.fans set since = since - interval '1 day' where fan_id = $1`, [earlier.profileId])
    await claim(opened([link, 100]), earlier)
    await books.tip(earlier, creator)
    expect([await came(link.id), await came(other.id), await came('any')]).toEqual([1, 0, 1])
    const sheet = async (person: Person) =>
      (await world.as(creator, 'select came_by from public.get_fan_sheet($1)', [person.profileId]))[0]
    expect(await sheet(fan)).toEqual({ came_by: 'Instagram' })
    expect(await sheet(earlier)).toEqual({ came_by: null })
    const rival = await world.buildCreator()
    const theirs = await buildLink({}, rival)
    for (const wrong of [theirs.id, '', 7]) await expect(came(wrong as string)).rejects.toMatchObject({ code: '22023' })
  })

  it('start flows, once [LINK-01, AUTO-01]', async () => {
    const [link, other] = [await buildLink(), await buildLink({ name: 'Other' })]
    const start = async (trigger: object) => {
      const [row] = await world.as(creator, 'select public.save_flow($1, $2, $3) as id', [
        'Welcome',
        JSON.stringify(trigger),
        JSON.stringify([{ id: randomUUID(), kind: 'end' }]),
      ])
      await world.as(creator, `select public.set_flow_status($1, 'active')`, [row?.id])
      return String(row?.id)
    }
    const [any, by, not] = [
      await start({ trigger: 'link', link: 'any' }),
      await start({ trigger: 'link', link: link.id }),
      await start({ trigger: 'link', link: other.id }),
    ]
    await expect(start({ trigger: 'link', link: 'some' })).rejects.toMatchObject({ code: '22023' })
    await claim(opened([link, 100]))
    await follow()
    await world.subscribe(fan, creator)
    const runs = await world.query('select flow_id from public.flow_runs where fan_id = $1', [fan.profileId])
    expect(runs.map(({ flow_id }) => flow_id).toSorted()).toEqual([any, by].toSorted())
    expect(runs).not.toContainEqual({ flow_id: not })
  })
})

describe('a trial link', () => {
  const trial = (days = 14, limit = 2, until = '10 days') =>
    buildLink({ target: 'plan', plan: creator.productId, trial: [days, limit, until] })
  const offered = async (person: Person = fan) =>
    (
      await world.as('service_role', 'select link_id, trial_days from private.offered_trial($1, $2)', [
        person.profileId,
        creator.productId,
      ])
    )[0]
  const hold = (link: Link, person: Person = fan) =>
    world.as('service_role', 'select private.hold_trial($1, $2) as until', [link.id, person.profileId])
  /** As the server does: a place, a checkout session, and then Stripe's state of the subscription. */
  async function start(link: Link, person: Person = fan) {
    await hold(link, person)
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, link_id, url)
       values ($1, 'subscription', $2, $3, $4, $5, 'https://pay.example')`,
      [`cs_${person.username}`, person.profileId, creator.profileId, creator.productId, link.id],
    )
    await world.subscribe(person, creator, { status: 'trialing', trialEnd: '14 days', end: '14 days' })
    await world.query(`update private.checkout_sessions set status = 'complete' where id = $1`, [
      `cs_${person.username}`,
    ])
  }
  const visitor = async (link: Link) => {
    const person = await world.buildPerson()
    await claim(opened([link, 60]), person)
    return person
  }

  it('gives its days to a user who opened it, once, and counts the trial [LINK-03]', async () => {
    const [first, link] = [await buildLink(), await trial()]
    expect(await offered()).toBeUndefined()
    await claim(opened([first, 100], [link, 60]))
    expect(await offered()).toEqual({ link_id: link.id, trial_days: 14 })
    await start(link)
    expect(await offered()).toBeUndefined()
    expect(await figures(link)).toEqual({ trials: 1 })
    expect(await figures(first)).toEqual({ follows: 1 })
    const [used] = await world.as(
      creator,
      'select public.trials_used(l) as used from public.tracking_links l where id = $1',
      [link.id],
    )
    expect(used).toEqual({ used: 1 })
  })

  it('gives it to no more users than it says, also when they come at the same moment [LINK-03]', async () => {
    const link = await trial(14, 2)
    const people = [await visitor(link), await visitor(link), await visitor(link), await visitor(link)]
    const answers = await Promise.allSettled(people.map((person) => hold(link, person)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'PT409', detail: 'trial_taken' },
    })
    expect(await offered(await visitor(link))).toBeUndefined()
    // A place that nobody has used is free again after an hour, unless the checkout session is still open.
    await world.query(`update private.link_trials set held_until = now() - interval '1 minute' where link_id = $1`, [
      link.id,
    ])
    expect(await offered(await visitor(link))).toMatchObject({ link_id: link.id })
    const [one, two] = [await visitor(link), await visitor(link)]
    for (const person of [one, two]) await start(link, person)
    expect(await offered(await visitor(link))).toBeUndefined()
    await world.as('service_role', 'select private.delete_account($1)', [one.userId])
    expect(await offered(await visitor(link))).toBeUndefined()
  })

  it('returns the same time to two clicks, always half an hour ahead [LINK-03]', async () => {
    const link = await trial()
    await claim(opened([link, 60]))
    const [first] = await hold(link)
    expect(await hold(link)).toEqual([first])
    await world.query(`update private.link_trials set held_until = now() + interval '20 minutes' where link_id = $1`, [
      link.id,
    ])
    const [later] = await hold(link)
    expect(Number(later?.until)).toBeGreaterThan(Date.now() + 50 * 60_000)
  })

  it('ends on its day, when it is archived, and for former subscribers [LINK-03]', async () => {
    const link = await trial()
    await claim(opened([link, 60]))
    const change = (set: string) => world.query(`update public.tracking_links set ${set} where id = $1`, [link.id])
    await change(`trial_until = now() - interval '1 minute'`)
    expect(await offered()).toBeUndefined()
    await expect(hold(link)).rejects.toMatchObject({ code: 'PT409' })
    await change(`trial_until = now() + interval '1 minute', is_archived = true`)
    expect(await offered()).toBeUndefined()
    await change('is_archived = false')
    expect(await offered()).toMatchObject({ trial_days: 14 })
    await world.subscribe(fan, creator, { status: 'canceled' })
    expect(await offered()).toBeUndefined()
  })

  it('is shown to those who opened it, also to visitors, by what the browser keeps [LINK-03]', async () => {
    const link = await trial()
    const offers = (caller: Caller, visits: string | null = null) =>
      world.as(caller, 'select plan_id, trial_days from public.get_trial_offers($1, $2)', [creator.profileId, visits])
    const offer = { plan_id: creator.productId, trial_days: 14 }
    expect(await offers('anon', opened([link, 5]))).toEqual([offer])
    expect(await offers('anon')).toEqual([])
    expect(await offers(fan)).toEqual([])
    await claim(opened([link, 60]))
    expect(await offers(fan)).toEqual([offer])
  })

  it('needs days, a number of users, and a date in the future, for a plan [LINK-03]', async () => {
    await expect(trial(91)).rejects.toMatchObject({ constraint: 'tracking_links_trial_days_range' })
    await expect(trial(14, 0)).rejects.toMatchObject({ constraint: 'tracking_links_trial_limit_range' })
    await expect(trial(14, 2, '-1 day')).rejects.toMatchObject({ code: '22023' })
    await expect(buildLink({ trial: [14, 2, '1 day'] })).rejects.toMatchObject({
      constraint: 'tracking_links_trial_complete',
    })
  })
})

describe('the subscribers who remain', () => {
  const retention = (link: Link | null, caller: Caller = creator) =>
    world.as(caller, 'select month::text, subscribers, remaining from public.get_link_retention($1)', [
      link?.id ?? null,
    ])
  /** A subscriber who began and ended so many months ago. */
  async function subscriber(link: Link, began: string, ended: string | null) {
    const person = await world.buildPerson()
    await claim(opened([link, 60]), person)
    const id = await world.subscribe(person, creator)
    await world.query(
      `update private.link_subscriptions set subscription_id = gen_random_uuid(), started_at = $2::timestamptz,
         until = coalesce($3::timestamptz, 'infinity')
       where subscription_id = $1`,
      [id, began, ended],
    )
    return person
  }

  it('are counted by the month in which they began, after each whole month [LINK-04]', async () => {
    const [link, other] = [await buildLink(), await buildLink({ name: 'Other' })]
    const year = new Date().getUTCFullYear() - 1
    await subscriber(link, `${year}-01-31T12:00:00Z`, `${year}-02-28T12:00:00Z`) // canceled in the first month
    await subscriber(link, `${year}-01-31T12:00:00Z`, `${year}-03-31T12:00:00Z`) // in the second one
    await subscriber(link, `${year}-01-05T12:00:00Z`, `${year}-03-06T12:00:00Z`)
    await subscriber(link, `${year}-01-05T12:00:00Z`, null)
    await subscriber(other, `${year}-01-05T12:00:00Z`, `${year}-01-06T12:00:00Z`)
    const [cohort = {}] = await retention(link)
    expect(cohort).toMatchObject({ month: `${year}-01-01`, subscribers: 4 })
    expect((cohort.remaining as number[]).slice(0, 3)).toEqual([3, 2, 1])
    const [all = {}] = await retention(null)
    expect(all).toMatchObject({ subscribers: 5 })
    expect((all.remaining as number[])[0]).toBe(3)
    expect(await retention(link, fan)).toEqual([])
  })

  it('shows no month that isn’t over for all of them [LINK-04]', async () => {
    const link = await buildLink()
    await subscriber(link, new Date().toISOString(), null)
    expect(await retention(link)).toMatchObject([{ subscribers: 1, remaining: [] }])
  })

  it('follow the subscription, and a deleted account has left [LINK-04]', async () => {
    const link = await buildLink()
    await claim(opened([link, 60]))
    const stripeId = `sub_${fan.username}`
    await world.subscribe(fan, creator, { stripeId })
    const until = async () =>
      (await world.query('select until from private.link_subscriptions where link_id = $1', [link.id]))[0]?.until
    expect(await until()).toBe(Number.POSITIVE_INFINITY)
    await world.subscribe(fan, creator, { stripeId, cancelAtPeriodEnd: true, eventAt: '1 minute' })
    expect(Number(await until())).toBeGreaterThan(Date.now() + 29 * day * 1000)
    await isSound()
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect(Number(await until())).toBeLessThanOrEqual(Date.now() + 1000)
    await isSound()
  })
})

it('the figures are the creator’s alone [LINK-01]', async () => {
  const link = await buildLink()
  await visit(link, 'ada')
  await rollUp()
  const other = await world.buildCreator()
  for (const caller of [fan, other]) {
    expect(await world.as(caller, 'select from public.tracking_links')).toEqual([])
    expect(await world.as(caller, 'select from public.tracking_link_days')).toEqual([])
  }
  await expect(world.as('anon', 'select from public.tracking_links')).rejects.toMatchObject({ code: '42501' })
})
