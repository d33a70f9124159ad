import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
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
})

type Step = { kind: string; id?: string } & Record<string, unknown>
type Flow = { name?: string; trigger?: object; steps?: readonly Step[]; quiet?: [string, string] | null; id?: string }
const send = (content: string, rest: object = {}): Step => ({
  kind: 'send',
  content,
  price_cents: null,
  file_ids: [],
  preview_index: null,
  ...rest,
})
const wait = (minutes: number): Step => ({ kind: 'wait', minutes })

async function save(
  { name = 'Welcome', trigger = { trigger: 'follow' }, steps = [send('Hi')], quiet = null, id }: Flow = {},
  caller: Caller = creator,
) {
  const [row] = await world.as(caller, 'select public.save_flow($1, $2, $3, $4, $5, $6) as id', [
    name,
    JSON.stringify(trigger),
    JSON.stringify(steps.map((step) => ({ id: randomUUID(), ...step }))),
    quiet?.[0] ?? null,
    quiet?.[1] ?? null,
    id ?? null,
  ])
  return String(row?.id)
}
const setStatus = (id: string, status: string, caller: Caller = creator) =>
  world.as(caller, 'select public.set_flow_status($1, $2)', [id, status])
async function start(flow: Flow = {}, caller: Caller = creator) {
  const id = await save(flow, caller)
  await setStatus(id, 'active', caller)
  return id
}
/** Lets the engine do everything that is due. */
async function advance() {
  for (;;) {
    const [row] = await world.as('service_role', 'select private.advance_flow() as more')
    if (row?.more !== true) return
  }
}
/** As if this much time had passed for everyone in the flow. */
const pass = (flow: string, time: string) =>
  world.query(
    `with runs as (update public.flow_runs set due_at = due_at - $2::interval where flow_id = $1 returning id)
     update public.flow_entries e set sent_at = sent_at - $2::interval from runs where e.run_id = runs.id and sent_at is not null`,
    [flow, time],
  )
const follow = (person: Person = fan, whom: Person = creator) =>
  world.as(person, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    person.profileId,
    whom.profileId,
  ])
const unfollow = (person: Person = fan) =>
  world.as(person, 'delete from public.follows where following_id = $1', [creator.profileId])
const received = async (person: Person = fan) =>
  (
    await world.query('select body from private.messages where recipient_id = $1 order by created_at, id', [
      person.profileId,
    ])
  ).map(({ body }) => body)
const runs = (flow: string) =>
  world.query('select state, cause, fan_id, step_id from public.flow_runs where flow_id = $1 order by id', [flow])
const states = async (flow: string) => (await runs(flow)).map(({ state }) => state)
const steps = async (flow: string): Promise<Step[]> => {
  const rows = await world.as(creator, 'select id, steps from public.get_flows()')
  return (rows.find(({ id }) => id === flow)?.steps as Step[] | undefined) ?? []
}
const figures = async (flow: string) =>
  (await steps(flow)).map(({ entered, waiting, sent, bought, earned_cents }) => [
    entered,
    waiting,
    sent,
    bought,
    earned_cents,
  ])
/** As the server's job sees them. */
const codesToMake = (flow: string) =>
  world.query(
    'select c.* from private.flow_codes_to_make() c join public.flow_runs r on r.id = c.run_id where r.flow_id = $1',
    [flow],
  )
const isSound = async () => expect(await world.query('select * from private.verify_counters()')).toEqual([])
const buildList = async (name = 'Regulars', caller: Caller = creator) => {
  const [row] = await world.as(caller, 'insert into public.fan_lists (name) values ($1) returning id', [name])
  return String(row?.id)
}
const addToList = (list: string, person: Person = fan) =>
  world.as(creator, 'select public.add_to_fan_list($1, $2)', [list, [person.profileId]])
const isOnList = async (list: string, person: Person = fan) =>
  (
    await world.query('select from public.fan_list_members where list_id = $1 and fan_id = $2', [
      list,
      person.profileId,
    ])
  ).length === 1
async function upload(owner: Person = creator, mimetype = 'image/jpeg') {
  const version = randomUUID()
  await world.as(
    owner,
    `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version)
     values ('messages', $1, $2, $3, $4, '{"fileName": "sea.jpg"}', $5)`,
    [`${owner.userId}/${version}.jpg`, owner.userId, owner.userId, { mimetype, size: 9 }, version],
  )
  const [file] = await world.query('select id from public.vault_files where version = $1', [version])
  return String(file?.id)
}
const sendTo = async (sender: Person, recipient: Person, content: string) =>
  world.as(sender, 'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
    sender.profileId,
    recipient.profileId,
    content,
  ])

describe('a flow starts', () => {
  it('for a new follower, once [AUTO-01]', async () => {
    const flow = await start()
    await follow()
    await unfollow()
    await follow()
    expect(await runs(flow)).toMatchObject([{ state: 'waiting', cause: 'follow', fan_id: fan.profileId }])
    await advance()
    expect(await received()).toEqual(['Hi'])
  })

  it('only while it is active [AUTO-01, AUTO-04]', async () => {
    const flow = await save()
    await follow()
    expect(await runs(flow)).toEqual([])
    await setStatus(flow, 'active')
    await setStatus(flow, 'paused')
    await follow(await world.buildPerson())
    expect(await runs(flow)).toEqual([])
  })

  it("for nobody but the creator's own fans [AUTO-01]", async () => {
    const flow = await start()
    await follow(fan, await world.buildCreator())
    await follow(creator, await world.buildCreator())
    expect(await runs(flow)).toEqual([])
  })

  it('for a subscriber and a trial, once for each subscription, who are no new followers [AUTO-01]', async () => {
    const [follower, subscribed, trial] = [
      await start(),
      await start({ trigger: { trigger: 'subscribed' } }),
      await start({ trigger: { trigger: 'trial' } }),
    ]
    const stripeId = `sub_${randomUUID()}`
    await world.subscribe(fan, creator, { stripeId, status: 'trialing', trialEnd: '7 days' })
    expect([await states(follower), await states(subscribed), await states(trial)]).toEqual([[], [], ['waiting']])
    await world.subscribe(fan, creator, { stripeId, status: 'active', eventAt: '1 second' })
    await world.subscribe(fan, creator, { stripeId, status: 'past_due', eventAt: '2 seconds' })
    await world.subscribe(fan, creator, { stripeId, status: 'active', eventAt: '3 seconds' })
    expect([await states(subscribed), await states(trial)]).toEqual([['waiting'], ['waiting']])
    await isSound()
  })

  it('for a renewal, not for the first payment [AUTO-01]', async () => {
    const flow = await start({ trigger: { trigger: 'renewed' } })
    await world.subscribe(fan, creator)
    await world.pay(fan, creator)
    expect(await states(flow)).toEqual([])
    await world.pay(fan, creator)
    expect(await states(flow)).toEqual(['waiting'])
  })

  it('for a payment that failed, a renewal that was turned off, and the end of a subscription [AUTO-01]', async () => {
    const flows: string[] = []
    for (const trigger of ['payment_failed', 'renewal_off', 'subscription_ended'])
      flows.push(await start({ trigger: { trigger } }))
    const all = () => Promise.all(flows.map(states))
    const stripeId = `sub_${randomUUID()}`
    const state = (status: string, seconds: number, rest = {}) =>
      world.subscribe(fan, creator, { stripeId, status, eventAt: `${seconds} seconds`, ...rest })
    await state('active', 0)
    await state('past_due', 1)
    await state('past_due', 2)
    expect(await all()).toEqual([['waiting'], [], []])
    await state('active', 3, { cancelAtPeriodEnd: true })
    await state('active', 4)
    expect(await all()).toEqual([['waiting'], ['waiting'], []])
    await state('canceled', 5)
    await state('canceled', 6)
    expect(await all()).toEqual([['waiting'], ['waiting'], ['waiting']])
  })

  it('for a subscription that ends by the clock, unless another one goes on [AUTO-01]', async () => {
    const flow = await start({ trigger: { trigger: 'subscription_ended' } })
    const other = await world.buildPerson()
    for (const person of [fan, other])
      await world.subscribe(person, creator, { start: '-31 days', end: '-1 day', cancelAtPeriodEnd: true })
    await world.subscribe(other, creator)
    await world.as('service_role', 'select private.expire_subscriptions()')
    expect(await runs(flow)).toMatchObject([{ fan_id: fan.profileId }])
  })

  it('for a first purchase, and for each payment of at least an amount [AUTO-01]', async () => {
    const [first, large] = [
      await start({ trigger: { trigger: 'first_purchase' } }),
      await start({ trigger: { trigger: 'payment', cents: 1000 } }),
    ]
    await books.tip(fan, creator, { gross: 999 })
    expect([await states(first), await states(large)]).toEqual([[], []])
    await books.tip(fan, creator, { gross: 1000 })
    expect([await states(first), await states(large)]).toEqual([[], ['waiting']])
    const [post, other] = [
      await world.buildPost(creator, { type: 'ppv' }),
      await world.buildPost(creator, { type: 'ppv' }),
    ]
    await books.buy(fan, creator, post.id)
    await books.buy(fan, creator, other.id)
    expect([await states(first), await states(large)]).toEqual([['waiting'], ['waiting', 'waiting', 'waiting']])
  })

  it('for fans who have now been away for some days, once for each absence [AUTO-01]', async () => {
    const flow = await start({ trigger: { trigger: 'inactive', days: 30 } })
    const [hidden, longGone, blocked] = [
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildPerson(),
    ]
    const lastSeen = (person: Person, ago: string) =>
      world.query(
        `insert into private.presence as p (profile_id, last_seen_at) values ($1, now() - $2::interval)
         on conflict (profile_id) do update set last_seen_at = excluded.last_seen_at`,
        [person.profileId, ago],
      )
    for (const person of [fan, hidden, longGone, blocked]) await follow(person)
    await world.query('update private.user_settings set show_online_status = false where user_id = $1', [
      hidden.profileId,
    ])
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      blocked.profileId,
    ])
    for (const person of [fan, hidden, blocked]) await lastSeen(person, '29 days')
    await lastSeen(longGone, '300 days')
    const look = async () => (await world.as('service_role', 'select private.start_inactive_flows() as n'))[0]?.n
    expect(await look()).toBe(0)
    // Two days later, and again after a clock that was set back.
    const two = `interval '2 days'`
    await world.query(`update private.presence set last_seen_at = last_seen_at - ${two}`)
    await world.query(`update public.flows set watched_until = watched_until - ${two} where id = $1`, [flow])
    expect(await look()).toBe(1)
    await world.query(`update public.flows set watched_until = watched_until - ${two} where id = $1`, [flow])
    expect(await look()).toBe(0)
    expect(await runs(flow)).toMatchObject([{ fan_id: fan.profileId }])
    await lastSeen(fan, '30 days 1 minute')
    await world.query(`update public.flows set watched_until = watched_until - ${two} where id = $1`, [flow])
    expect(await look()).toBe(1)
  })

  it('for a fan who is added to a list, each time [AUTO-01]', async () => {
    const [list, other] = [await buildList(), await buildList('Others')]
    const flow = await start({ trigger: { trigger: 'list', list } })
    await addToList(other)
    await addToList(list)
    await addToList(list)
    expect(await states(flow)).toEqual(['waiting'])
    await world.as(creator, 'select public.remove_from_fan_list($1, $2)', [list, [fan.profileId]])
    await addToList(list)
    expect(await states(flow)).toEqual(['waiting', 'waiting'])
  })

  it('with a lookup of one index for each event [AUTO-01]', async () => {
    const plans = await world.plansOf(
      `select private.start_flows('${creator.profileId}', '${fan.profileId}', 'follow', 'follow')`,
      { enable_seqscan: 'off' },
    )
    expect(plans.find((plan) => plan.includes('flow_runs'))).toContain('flows_starting_idx')
  })
})

describe('a fan in a flow', () => {
  it('waits, gets messages with their name in order, and is done [AUTO-02]', async () => {
    await world.query(`update private.profiles set display_name = 'Lena' where id = $1`, [fan.profileId])
    const flow = await start({ steps: [send('Hi, {name}!'), wait(60), send('Second'), { kind: 'end' }, send('Never')] })
    await follow()
    await advance()
    expect(await received()).toEqual(['Hi, Lena!'])
    await pass(flow, '59 minutes')
    await advance()
    expect(await received()).toEqual(['Hi, Lena!'])
    await pass(flow, '1 minute')
    await advance()
    expect(await received()).toEqual(['Hi, Lena!', 'Second'])
    expect(await states(flow)).toEqual(['done'])
    expect(await figures(flow)).toEqual([
      [1, 0, 1, 0, 0],
      [1, 0, 0, 0, 0],
      [1, 0, 1, 0, 0],
      [1, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    await isSound()
  })

  it('gets a paid message with files of the vault and a free preview [AUTO-02]', async () => {
    const [sea, pier] = [await upload(), await upload()]
    await start({ steps: [send('Look', { price_cents: 500, file_ids: [pier, sea], preview_index: 1 })] })
    await follow()
    await advance()
    const [message] = await world.as(
      fan,
      'select content, is_locked, price, preview_url, cardinality(media_types) as files from public.messages',
    )
    expect(message).toMatchObject({ content: null, is_locked: true, price: 500, files: 2 })
    expect(message?.preview_url).toContain(creator.userId)
    expect(await world.query('select message_uses from public.vault_files where id = $1', [sea])).toEqual([
      { message_uses: 1 },
    ])
    await isSound()
  })

  it('gets what is left of a free message whose file was deleted, and is sold nothing incomplete [AUTO-02]', async () => {
    const [sea, pier] = [await upload(), await upload()]
    const flow = await start({
      steps: [
        send('Free', { file_ids: [sea] }),
        send('', { file_ids: [sea] }),
        send('Paid', { file_ids: [sea, pier], price_cents: 500 }),
        send('Last'),
      ],
    })
    await world.query('delete from storage.objects where id = $1', [sea])
    await follow()
    await advance()
    expect(await received()).toEqual(['Free', 'Last'])
    expect((await figures(flow)).map(([, , sent]) => sent)).toEqual([1, 0, 0, 1])
  })

  it('goes on only if a rule holds then, and leaves otherwise [AUTO-02]', async () => {
    const rule = { all: [{ condition: 'spent', is: 'at_least', cents: 1000 }] }
    const flow = await start({ steps: [wait(5), { kind: 'condition', rule }, send('Thanks')] })
    const other = await world.buildPerson()
    await follow()
    await follow(other)
    await advance()
    await books.tip(fan, creator)
    await pass(flow, '5 minutes')
    await advance()
    expect(await states(flow)).toEqual(['done', 'left'])
    expect([await received(), await received(other)]).toEqual([['Thanks'], []])
    await isSound()
  })

  it('leaves when the plan of the rule is gone [AUTO-02]', async () => {
    const plan = await world.buildProduct(creator, 500)
    const rule = { any: [{ condition: 'plan', plan }] }
    const flow = await start({ steps: [{ kind: 'condition', rule }, send('Thanks')] })
    await world.query('delete from public.subscription_products where id = $1', [plan])
    await follow()
    await advance()
    expect(await states(flow)).toEqual(['left'])
  })

  it('is added to a list and removed from one [AUTO-02]', async () => {
    const [one, other] = [await buildList(), await buildList('Others')]
    await start({
      steps: [
        { kind: 'add_to_list', list: one },
        { kind: 'remove_from_list', list: other },
      ],
    })
    await addToList(other)
    await follow()
    await advance()
    expect([await isOnList(one), await isOnList(other)]).toEqual([true, false])
    await isSound()
  })

  it('goes around only once through flows that put them on each other’s lists [AUTO-02]', async () => {
    const [one, other] = [await buildList(), await buildList('Others')]
    const move = (from: string, to: string): Flow => ({
      trigger: { trigger: 'list', list: from },
      steps: [
        { kind: 'remove_from_list', list: from },
        { kind: 'add_to_list', list: to },
      ],
    })
    const [there, back] = [await start(move(one, other)), await start(move(other, one))]
    await addToList(one)
    await advance()
    expect([await states(there), await states(back)]).toEqual([['done', 'done'], ['done']])
  })

  it('gets a promotion code of their own in the next message, or leaves without one [AUTO-02]', async () => {
    const flow = await start({
      steps: [{ kind: 'promotion_code', percent_off: 20, valid_days: 14 }, send('Come back with {code}')],
    })
    const other = await world.buildPerson()
    for (const person of [fan, other]) {
      await follow(person)
      await advance()
    }
    const wanted = await codesToMake(flow)
    expect(wanted).toMatchObject([
      {
        fan_id: fan.profileId,
        creator_id: creator.profileId,
        percent_off: 20,
        code: expect.stringMatching(/^FOR-YOU-[0-9A-F]{10}$/),
      },
      { fan_id: other.profileId },
    ])
    expect(await figures(flow)).toEqual([
      [2, 2, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    const finish = (index: number, promotion: string | null) =>
      world.as('service_role', 'select private.finish_flow_code($1, $2, $3)', [
        wanted[index]?.run_id,
        wanted[index]?.step_id,
        promotion,
      ])
    await finish(0, randomUUID())
    await finish(0, randomUUID()) // a repeated request
    await finish(1, null)
    await advance()
    expect(await received()).toEqual([`Come back with ${wanted[0]?.code}`])
    expect(await received(other)).toEqual([])
    expect(await states(flow)).toEqual(['done', 'left'])
    await isSound()
  })

  it('is the only one who can use the code [AUTO-02]', async () => {
    const other = await world.buildPerson()
    await world.query(
      `insert into private.stripe_prices (stripe_price_id, product_id, interval_count, price_cents) values ($2, $1, 1, 999) on conflict do nothing`,
      [creator.productId, `price_${creator.productId}`],
    )
    await world.query(
      `insert into private.promotion_codes (creator_id, code, percent_off, duration, stripe_coupon_id, stripe_promotion_id, fan_id)
       values ($1, 'FOR-YOU-1', 20, 'once', $2, $2, $3)`,
      [creator.profileId, `promo_${randomUUID()}`, fan.profileId],
    )
    const quote = (person: Person) =>
      world.as('service_role', `select promotion_id from private.quote_subscription($1, $2, 'FOR-YOU-1')`, [
        person.profileId,
        creator.productId,
      ])
    expect(await quote(fan)).toEqual([{ promotion_id: expect.any(String) }])
    await expect(quote(other)).rejects.toMatchObject({
      code: 'PT404',
      message: "This code isn't valid for this plan",
      detail: 'promotion_not_found',
    })
  })

  it('leaves after a block, from either side, and when they accept no messages [AUTO-02]', async () => {
    const flow = await start({ steps: [wait(5), send('Hi')] })
    const [blocker, quiet] = [await world.buildPerson(), await world.buildPerson()]
    for (const person of [fan, blocker, quiet]) await follow(person)
    await advance()
    const block = (from: Person, to: Person) =>
      world.as(from, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
        from.profileId,
        to.profileId,
      ])
    await block(creator, fan)
    await block(blocker, creator)
    await world.query('update private.user_settings set allow_direct_messages = false where user_id = $1', [
      quiet.profileId,
    ])
    await pass(flow, '5 minutes')
    await advance()
    expect(await states(flow)).toEqual(['left', 'left', 'left'])
    for (const person of [fan, blocker, quiet]) expect(await received(person)).toEqual([])
  })

  it('is gone with their account, as is the flow with that of the creator [AUTO-02]', async () => {
    const flow = await start({ steps: [send('Hi'), wait(5), send('There')] })
    await follow()
    await advance()
    await world.query('select private.delete_account($1, $1)', [fan.userId])
    expect(await figures(flow)).toEqual([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    await isSound()
    await start({ trigger: { trigger: 'list', list: await buildList() }, steps: [send('Hi')] })
    await world.query('select private.delete_account($1, $1)', [creator.userId])
    expect(await world.query('select from public.flows where creator_id = $1', [creator.profileId])).toEqual([])
  })

  it('still waits for an answer of the creator, whose reply time it doesn’t change [AUTO-02]', async () => {
    const flow = await start({ steps: [wait(5), send('Hi')] })
    await follow()
    await advance()
    await sendTo(fan, creator, 'A question')
    await pass(flow, '5 minutes')
    await advance()
    expect(await received()).toEqual(['Hi'])
    const [thread] = await world.query(
      'select waiting_since is not null as waits from private.conversations where profile_id = $1',
      [creator.profileId],
    )
    expect(thread).toEqual({ waits: true })
    expect(await world.query('select from private.reply_times where creator_id = $1', [creator.profileId])).toEqual([])
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
  })
})

describe('the engine', () => {
  it('sends once with two workers at once, and after a clock that was set back [AUTO-03]', async () => {
    const flow = await start()
    const fans = await Promise.all(Array.from({ length: 20 }, () => world.buildPerson()))
    for (const person of fans) await follow(person)
    await Promise.all([advance(), advance()])
    await advance()
    // Everything looks due again.
    await world.query(`update public.flow_runs set due_at = now() - interval '1 year' where flow_id = $1`, [flow])
    await advance()
    await world.query(`update public.flow_runs set state = 'waiting' where flow_id = $1`, [flow])
    await advance()
    for (const person of fans) expect(await received(person)).toEqual(['Hi'])
    expect(await figures(flow)).toEqual([[20, 0, 20, 0, 0]])
    await isSound()
  })

  it('lets the second worker do nothing while the first one is at work [AUTO-03]', async () => {
    await start()
    await follow()
    const first = await world.begin('service_role', ['select private.advance_flow()'])
    expect(await world.as('service_role', 'select private.advance_flow() as more')).toEqual([{ more: false }])
    expect(await received()).toEqual([])
    await first.commit()
    await advance()
    expect(await received()).toEqual(['Hi'])
  })

  it('sends neither twice nor never when its process is killed midway [AUTO-03]', async () => {
    const flow = await start({ steps: [send('One'), send('Two')] })
    const fans = await Promise.all(Array.from({ length: 12 }, () => world.buildPerson()))
    for (const person of fans) await follow(person)
    // A worker that says when it has taken a step but not yet committed it.
    const worker = `
      import pg from 'pg'
      const client = new pg.Client({ connectionString: process.argv[1] })
      await client.connect()
      const claims = JSON.stringify({ role: 'service_role' })
      for (;;) {
        await client.query('begin')
        await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', 'service_role', true)", [claims])
        const { rows: [row] } = await client.query('select private.advance_flow() as more')
        process.stdout.write(row.more ? 'step ' : 'done ')
        await client.query('commit')
      }`
    for (const stepsUntilKill of [1, 4, 11, 20]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', worker, world.ownerUrl])
      let output = ''
      for await (const chunk of child.stdout) {
        output += String(chunk)
        if (output.split(' ').length > stepsUntilKill) child.kill('SIGKILL')
      }
      expect(output).toMatch(/^step/)
    }
    await eventually(async () => {
      await advance()
      expect(await states(flow)).toEqual(fans.map(() => 'done'))
    })
    for (const person of fans) expect((await received(person)).toSorted()).toEqual(['One', 'Two'])
    await isSound()
  })

  it('keeps to the quiet hours of the fan’s time zone [AUTO-03]', async () => {
    const inZone = async (zone: string) => {
      const person = await world.buildPerson()
      await world.query('update private.user_settings set time_zone = $2 where user_id = $1', [person.profileId, zone])
      return person
    }
    // Quiet from an hour ago for two hours, by the clock of Honolulu, where the day has no change of clocks.
    const [clock] = await world.query(
      `select to_char(now() at time zone 'Pacific/Honolulu' - interval '1 hour', 'HH24:MI') as from,
         to_char(now() at time zone 'Pacific/Honolulu' + interval '1 hour', 'HH24:MI') as until`,
    )
    const quiet = [String(clock?.from), String(clock?.until)] as [string, string]
    const flow = await start({ quiet })
    const [asleep, awake] = [await inZone('Pacific/Honolulu'), await inZone('Asia/Tokyo')]
    await follow(asleep)
    await follow(awake)
    await advance()
    expect([await received(asleep), await received(awake)]).toEqual([[], ['Hi']])
    const [run] = await world.query(
      `select to_char(due_at at time zone 'Pacific/Honolulu', 'HH24:MI') as at, due_at > now() as later from public.flow_runs
       where flow_id = $1 and state = 'waiting'`,
      [flow],
    )
    expect(run).toEqual({ at: quiet[1], later: true })
  })

  it('ends quiet hours over midnight in the morning, also on days of 23 and 25 hours [AUTO-03]', async () => {
    const flow = await save({ quiet: ['22:00', '08:00'] })
    await world.query(`update private.user_settings set time_zone = 'Europe/Berlin' where user_id = $1`, [
      fan.profileId,
    ])
    const [row] = await world.query(
      `select private.flow_send_time(f, $2) >= now() as is_never_before,
         extract(epoch from private.flow_send_time(f, $2) - now()) < 11.1 * 3600 as is_soon,
         (private.flow_send_time(f, $2) at time zone 'Europe/Berlin')::time between '08:00' and '22:00' as is_day
       from public.flows f where f.id = $1`,
      [flow, fan.profileId],
    )
    expect(row).toEqual({ is_never_before: true, is_soon: true, is_day: true })
  })

  it('sends a fan at most two messages of flows of one creator in 24 hours [AUTO-03]', async () => {
    const flow = await start({ steps: [send('One'), send('Two'), send('Three')] })
    const other = await world.buildCreator()
    await start({ steps: [send('Of another')] }, other)
    await follow()
    await follow(fan, other)
    await advance()
    expect((await received()).toSorted()).toEqual(['Of another', 'One', 'Two'])
    expect(await figures(flow)).toEqual([
      [1, 0, 1, 0, 0],
      [1, 0, 1, 0, 0],
      [1, 1, 0, 0, 0],
    ])
    await pass(flow, '23 hours 59 minutes')
    await advance()
    expect(await received()).toHaveLength(3)
    await pass(flow, '1 minute')
    await advance()
    expect((await received()).at(-1)).toBe('Three')
  })

  it('lets fans wait while the flow is paused, and takes them further when it is resumed [AUTO-04]', async () => {
    const flow = await start({ steps: [wait(5), send('Hi')] })
    await follow()
    await advance()
    await setStatus(flow, 'paused')
    await pass(flow, '5 minutes')
    await advance()
    expect([await states(flow), await received()]).toEqual([['parked'], []])
    expect(await figures(flow)).toEqual([
      [1, 1, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    await setStatus(flow, 'active')
    await advance()
    expect(await received()).toEqual(['Hi'])
    await isSound()
  })

  it('waits for the creator’s approval [AUTO-03]', async () => {
    const flow = await start()
    await follow()
    const approve = (is: boolean) =>
      world.query('update private.profiles set is_verified = $2 where id = $1', [creator.profileId, is])
    await approve(false)
    await advance()
    expect([await states(flow), await received()]).toEqual([['waiting'], []])
    await approve(true)
    await pass(flow, '1 day')
    await advance()
    expect(await received()).toEqual(['Hi'])
  })

  it('lets a fan whose step fails wait, without holding up others [AUTO-03]', async () => {
    const flow = await start()
    const other = await world.buildPerson()
    await follow()
    await follow(other)
    await world.query(`create function private.fail_test() returns trigger language plpgsql as $$ begin
      if new.recipient_id = '${fan.profileId}' then raise exception 'No'; end if; return new; end $$`)
    await world.query(
      'create trigger fail_test before insert on private.messages for each row execute function private.fail_test()',
    )
    await advance()
    expect([await received(), await received(other)]).toEqual([[], ['Hi']])
    await world.query('drop function private.fail_test() cascade')
    await pass(flow, '5 minutes')
    await advance()
    expect(await received()).toEqual(['Hi'])
    await isSound()
  })

  it('finds who is due by one index, whatever the number of fans in flows [AUTO-03]', async () => {
    const flow = await save()
    await world.query(
      `insert into public.flow_runs (flow_id, creator_id, fan_id, cause, state, due_at)
       select $1, $2, $3, n::text, case when n % 2 = 0 then 'waiting' else 'parked' end, now() + make_interval(mins => n - 1)
       from generate_series(1, 20000) n`,
      [flow, creator.profileId, fan.profileId],
    )
    await world.query('analyze public.flow_runs')
    const plans = await world.plansOf(
      `select set_config('request.jwt.claims', '{"role": "service_role"}', false), private.advance_flow()`,
    )
    expect(plans.find((plan) => plan.includes("state = 'waiting' and r.due_at"))).toContain(
      'Index Scan using flow_runs_due_idx',
    )
    await world.as(creator, 'select public.delete_flow($1)', [flow])
    await isSound()
  })
})

describe('a flow that is edited', () => {
  it('keeps fans in their step, takes those of a removed one to the next, and sends nothing twice [AUTO-02]', async () => {
    const [first, pause, middle, last] = [send('First'), wait(5), wait(10), send('Last')].map((step) => ({
      ...step,
      id: randomUUID(),
    })) as [Step, Step, Step, Step]
    const flow = await start({ steps: [first, pause, middle, last] })
    await follow()
    await advance()
    // The fan waits in a step that is removed; what was sent comes later again; one is new.
    const added = { ...send('Added'), id: randomUUID() }
    await save({ id: flow, steps: [middle, added, first, last] })
    expect(await runs(flow)).toMatchObject([{ step_id: pause.id }])
    await pass(flow, '5 minutes')
    await advance()
    expect(await runs(flow)).toMatchObject([{ step_id: middle.id }])
    await save({ id: flow, steps: [added, first, last] })
    await pass(flow, '1 day')
    await advance()
    expect(await received()).toEqual(['First', 'Added', 'Last'])
    expect((await steps(flow)).map(({ content }) => content)).toEqual(['Added', 'First', 'Last'])
    await isSound()
  })

  it('is done for fans whose last step is removed, and has a removed step back with its numbers [AUTO-02]', async () => {
    const [first, pause] = [
      { ...send('First'), id: randomUUID() },
      { ...wait(5), id: randomUUID() },
    ]
    const flow = await start({ steps: [first, pause] })
    await follow()
    await advance()
    await save({ id: flow, steps: [first] })
    expect(await steps(flow)).toHaveLength(1)
    await save({ id: flow, steps: [first, pause] })
    expect(await figures(flow)).toEqual([
      [1, 0, 1, 0, 0],
      [1, 1, 0, 0, 0],
    ])
    await save({ id: flow, steps: [first] })
    await pass(flow, '5 minutes')
    await advance()
    expect(await states(flow)).toEqual(['done'])
    await isSound()
  })

  it('keeps the kinds of its steps [AUTO-02]', async () => {
    const step = { ...wait(5), id: randomUUID() }
    const flow = await save({ steps: [step] })
    await expect(save({ id: flow, steps: [{ ...send('Hi'), id: step.id }] })).rejects.toMatchObject({ code: '22023' })
  })

  it('is deleted with its numbers; messages stay [AUTO-02]', async () => {
    const flow = await start({ steps: [send('Hi'), wait(5)] })
    await follow()
    await advance()
    await world.as(creator, 'select public.delete_flow($1)', [flow])
    expect(await world.as(creator, 'select * from public.get_flows()')).toEqual([])
    expect(await received()).toEqual(['Hi'])
    await isSound()
  })
})

describe('numbers of a step', () => {
  it('have who bought its message and what it earned, less refunds [AUTO-05]', async () => {
    const flow = await start({ steps: [send('Secret', { price_cents: 1000 }), wait(5)] })
    const other = await world.buildPerson()
    const unlock = async (person: Person) => {
      const [message] = await world.query('select id from private.messages where recipient_id = $1', [person.profileId])
      const [row] = await world.as(
        'service_role',
        `select private.post_message_unlock($1, $2, $3, $4, 1000, 100, 'usd', now()) as id`,
        [`pi_${randomUUID()}`, person.profileId, creator.profileId, message?.id],
      )
      return String(row?.id)
    }
    await follow()
    await follow(other)
    await advance()
    const payment = await unlock(fan)
    await unlock(other)
    expect(await figures(flow)).toEqual([
      [2, 0, 2, 2, 1800],
      [2, 2, 0, 0, 0],
    ])
    await books.refund(payment, 400)
    expect((await figures(flow))[0]).toEqual([2, 0, 2, 2, 1440])
    await books.refund(payment)
    expect((await figures(flow))[0]).toEqual([2, 0, 2, 1, 900])
    await isSound()
  })

  it('have who subscribed with its promotion code [AUTO-05]', async () => {
    const flow = await start({
      steps: [{ kind: 'promotion_code', percent_off: 20, valid_days: 14 }, send('Use {code}')],
    })
    await follow()
    await advance()
    const [wanted] = await codesToMake(flow)
    const [code] = await world.query(
      `insert into private.promotion_codes (creator_id, code, percent_off, duration, stripe_coupon_id, stripe_promotion_id, fan_id)
       values ($1, $2, 20, 'once', $2, $2, $3) returning id`,
      [creator.profileId, wanted?.code, fan.profileId],
    )
    await world.as('service_role', 'select private.finish_flow_code($1, $2, $3)', [
      wanted?.run_id,
      wanted?.step_id,
      code?.id,
    ])
    await advance()
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, promotion_id, url)
       values ($1, 'subscription', $2, $3, $4, $5, 'https://checkout.example')`,
      [`cs_${randomUUID()}`, fan.profileId, creator.profileId, creator.productId, code?.id],
    )
    await world.subscribe(fan, creator)
    await world.pay(fan, creator, { gross: 800, fee: 80 })
    await world.pay(fan, creator)
    expect(await figures(flow)).toEqual([
      [1, 0, 0, 1, 720],
      [1, 0, 1, 0, 0],
    ])
    await isSound()
  })
})

describe('a test', () => {
  it('sends the creator each message, with their own name, and starts nothing [AUTO-04]', async () => {
    await world.query(`update private.profiles set display_name = 'Mara' where id = $1`, [creator.profileId])
    const flow = await save({
      name: 'Drip',
      steps: [
        { kind: 'promotion_code', percent_off: 20, valid_days: 14 },
        send('Hi, {name}: {code}'),
        wait(5),
        send('', { price_cents: 500, file_ids: [await upload(), await upload()] }),
      ],
    })
    const test = () => world.as(creator, 'select public.test_flow($1) as n', [flow])
    expect(await test()).toEqual([{ n: 2 }])
    expect(await world.as(creator, 'select title, message from public.notifications order by title')).toEqual([
      { title: 'Test of "Drip": message 1 of 2', message: 'Hi, Mara: TEST-CODE' },
      { title: 'Test of "Drip": message 2 of 2', message: 'Locked for $5.00 · 2 files' },
    ])
    expect(await runs(flow)).toEqual([])
    await expect(test()).rejects.toMatchObject({ code: 'PT429', message: "You've just sent this test" })
  })
})

describe('rights', () => {
  it('are the creator’s alone, and only while approved [AUTO-01]', async () => {
    const flow = await start()
    await follow()
    await advance()
    const others = [fan, await world.buildCreator(), await world.buildAdmin()]
    for (const caller of others) {
      for (const table of ['flows', 'flow_steps', 'flow_runs', 'flow_entries'])
        expect(await world.as(caller, `select from public.${table}`)).toEqual([])
      expect(await world.as(caller, 'select * from public.get_flows()')).toEqual([])
      await expect(world.as(caller, 'select public.delete_flow($1)', [flow])).rejects.toMatchObject({ code: 'PT404' })
    }
    for (const table of ['flows', 'flow_steps', 'flow_runs', 'flow_entries']) {
      expect(await world.as(creator, `select from public.${table}`)).toHaveLength(1)
      await expect(world.as(creator, `delete from public.${table}`)).rejects.toMatchObject(refused)
    }
    const [, rival] = others
    for (const action of [
      () => save({ id: flow }, rival),
      () => setStatus(flow, 'paused', rival as Person),
      () => world.as(rival as Person, 'select public.test_flow($1)', [flow]),
    ])
      await expect(action()).rejects.toMatchObject({ code: 'PT404' })
    await expect(save({}, fan)).rejects.toMatchObject(refused)
    await expect(save({}, 'anon')).rejects.toMatchObject(refused)
    expect(await states(flow)).toEqual(['done'])
  })

  it('include the creator’s export, and no fan’s [AUTO-01]', async () => {
    await start()
    await follow()
    await advance()
    const sections = async (person: Person) => {
      const [, rows = []] = await world.inOneTransaction(person, [
        'select public.open_own_data()',
        'fetch all from own_data',
      ])
      return rows.map(({ section }) => String(section)).filter((section) => section.startsWith('flow'))
    }
    expect(await sections(creator)).toEqual(['flow_entries', 'flow_runs', 'flow_steps', 'flows'])
    expect(await sections(fan)).toEqual([])
  })

  const invalid: [string, () => Promise<Flow>, string, RegExp][] = [
    ['no steps', async () => ({ steps: [] }), '22023', /1 to 30 steps/],
    ['31 steps', async () => ({ steps: Array.from({ length: 31 }, () => wait(1)) }), '22023', /1 to 30 steps/],
    ['an unknown trigger', async () => ({ trigger: { trigger: 'born' } }), '22023', /no trigger "born"/],
    ['a trigger without its field', async () => ({ trigger: { trigger: 'payment' } }), '22023', /"cents" of "payment"/],
    ['a field too many', async () => ({ trigger: { trigger: 'follow', days: 3 } }), '22023', /no field "days"/],
    ['a trigger that is no object', async () => ({ trigger: ['follow'] }), '22023', /trigger is an object/],
    ['a broken number', async () => ({ steps: [wait(1.5)] }), '22023', /whole number from 1 to 525600/],
    ['no number', async () => ({ steps: [{ kind: 'wait', minutes: '5' }] }), '22023', /whole number/],
    ['an unknown step', async () => ({ steps: [{ kind: 'fly' }] }), '22023', /no step "fly"/],
    ['an empty message', async () => ({ steps: [send(' \n')] }), '22023', /can't be empty/],
    ['5,001 characters', async () => ({ steps: [send('x'.repeat(5001))] }), '22023', /up to 5000/],
    ['a price of 99 cents', async () => ({ steps: [send('Hi', { price_cents: 99 })] }), '22023', /from 100 to 999999/],
    [
      'eleven files',
      async () => ({ steps: [send('Hi', { file_ids: Array(11).fill(randomUUID()) })] }),
      '22023',
      /10 files/,
    ],
    ['a file that is no id', async () => ({ steps: [send('Hi', { file_ids: ['x'] })] }), '22023', /10 files/],
    [
      'another’s file',
      async () => ({ steps: [send('Hi', { file_ids: [await upload(await world.buildCreator())] })] }),
      'PT404',
      /vault/,
    ],
    ['a preview without a file', async () => ({ steps: [send('Hi', { preview_index: 0 })] }), '22023', /preview_index/],
    [
      'a code before it is made',
      async () => ({ steps: [send('{code}'), { kind: 'promotion_code', percent_off: 10, valid_days: 1 }] }),
      '22023',
      /must follow/,
    ],
    [
      'another’s list',
      async () => ({ steps: [{ kind: 'add_to_list', list: await buildList('Theirs', await world.buildCreator()) }] }),
      '22023',
      /one of your lists/,
    ],
    [
      'another’s plan in a rule',
      async () => ({
        steps: [
          { kind: 'condition', rule: { all: [{ condition: 'plan', plan: (await world.buildCreator()).productId }] } },
        ],
      }),
      '22023',
      /one of your plans/,
    ],
    ['one id twice', async () => ({ steps: [{ ...wait(1), id: '' }] }), '22023', /needs an id/],
    ['a name of two lines', async () => ({ name: 'A\nb' }), '23514', /flows_name_format/],
    ['quiet hours without an end', async () => ({ quiet: ['08:00', '08:00'] }), '23514', /flows_quiet_hours/],
  ]
  it.each(invalid)('reject a flow with %s [AUTO-01, AUTO-02]', async (_what, flow, code, message) => {
    await expect(save(await flow())).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('reject two steps with one id, a smart list, and a status that isn’t one [AUTO-02]', async () => {
    const step = { ...wait(1), id: randomUUID() }
    await expect(save({ steps: [step, step] })).rejects.toMatchObject({ code: '22023' })
    const [smart] = await world.as(
      creator,
      `insert into public.fan_lists (name, rule) values ('Smart', '{"all": [{"condition": "renewal_off"}]}') returning id`,
    )
    await expect(save({ trigger: { trigger: 'list', list: smart?.id } })).rejects.toMatchObject({ code: '22023' })
    await expect(setStatus(await save(), 'draft')).rejects.toMatchObject({ code: '22023' })
  })

  it('are for up to 50 flows [AUTO-01]', async () => {
    await world.query(
      `insert into public.flows (creator_id, name, trigger) select $1, 'Flow ' || n, '{"trigger": "follow"}' from generate_series(1, 50) n`,
      [creator.profileId],
    )
    await expect(save()).rejects.toMatchObject({ code: 'PT422', message: 'You can have up to 50 flows' })
  })

  it('keep a list that a flow uses [AUTO-01]', async () => {
    const [one, other] = [await buildList(), await buildList('Others')]
    const flow = await save({ trigger: { trigger: 'list', list: one }, steps: [{ kind: 'add_to_list', list: other }] })
    for (const list of [one, other])
      await expect(world.as(creator, 'select public.delete_fan_list($1)', [list])).rejects.toMatchObject({
        code: 'PT409',
        message: 'The flow "Welcome" uses this list',
      })
    await world.as(creator, 'select public.delete_flow($1)', [flow])
    await world.as(creator, 'select public.delete_fan_list($1)', [one])
  })
})
