import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from './database-fixture.ts'
import { openBooks } from './open-books.ts'

/**
 * Two people do at the same moment what locks the same rows. Each test holds back a row that both want, lets them queue for it so that each
 * has taken what it takes before, and then lets go: where they take the rest in opposite orders, PostgreSQL ends one of them (40P01).
 */
let world: DatabaseFixture
let creator: Creator
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

/** @param held SQL that takes the lock. @param actions in the order in which they begin to wait. @returns the error of each, or null. */
async function meetAt(held: string, actions: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const holder = await world.begin('service_role', ['reset role', held])
  const running: Promise<unknown>[] = []
  for (const action of actions) {
    running.push(
      action().then(
        () => null,
        (error: unknown) => error,
      ),
    )
    await expect.poll(countWaiting).toBe(running.length)
  }
  await holder.commit()
  return Promise.all(running)
}

const countWaiting = async () => {
  const [row] = await world.query(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.waiting
}
const like = (person: Person, post: string) => () =>
  world.as(person, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [post, person.profileId])
const unlike = (person: Person, post: string) => () =>
  world.as(person, 'delete from public.post_likes where post_id = $1', [post])
const holdProfile = ({ profileId }: Person) =>
  `select from private.profiles where id = '${profileId}' for no key update`

it('deletes a creator without a lock for each subscriber [SET-14]', async () => {
  const closing = await world.buildCreator()
  await world.subscribe(await world.buildPerson(), closing)
  await world.subscribe(await world.buildPerson(), closing)
  const deletion = await world.begin('service_role', [
    'reset role',
    `select private.delete_account('${closing.userId}')`,
    `select count(*)::int as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
  ])
  await deletion.commit()
  // That of the books.
  expect(deletion.all.at(-1)).toEqual([{ locks: 1 }])
})

it('pins a post during a like [POST-04]', async () => {
  const { id } = await world.buildPost(creator)
  const pin = () => world.as(creator, 'update public.posts set is_pinned = true where id = $1', [id])
  expect(await meetAt(holdProfile(creator), [pin, like(fan, id)])).toEqual([null, null])
})

it('subscribes, which follows too, while the creator follows the fan [LOOP-01]', async () => {
  for (const held of [0, 1]) {
    const pair = [await world.buildPerson(), await world.buildCreator()] as const
    const [person, seller] = pair
    const subscribe = () => world.subscribe(person, seller)
    const followBack = () =>
      world.as(seller, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
        seller.profileId,
        person.profileId,
      ])
    expect(await meetAt(holdProfile(pair[held] ?? person), [subscribe, followBack])).toEqual([null, null])
  }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('buys a post, which follows too, while the creator follows the fan [LOOP-01]', async () => {
  for (const held of [0, 1]) {
    const pair = [await world.buildPerson(), await world.buildCreator()] as const
    const [person, seller] = pair
    const { id } = await world.buildPost(seller, { type: 'ppv', price: 1000 })
    const buy = () => openBooks(world).buy(person, seller, id)
    const followBack = () =>
      world.as(seller, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
        seller.profileId,
        person.profileId,
      ])
    expect(await meetAt(holdProfile(pair[held] ?? person), [buy, followBack])).toEqual([null, null])
  }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('unlocks a message while its thread is being read [LOOP-16, MSG-08]', async () => {
  const [seller, reader] = [await world.buildCreator(), await world.buildPerson()]
  const send = `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'Paid', true, 500)`
  for (const _ of [1, 2]) await world.as(seller, send, [seller.profileId, reader.profileId])
  // The reading has locked one of them, and waits for the conversation before it takes the other one.
  const holder = await world.begin('service_role', [
    'reset role',
    `select from private.conversations where profile_id = '${reader.profileId}' for no key update`,
  ])
  const reading = world.as(reader, 'update public.messages set is_read = true where sender_id = $1', [seller.profileId])
  await expect.poll(countWaiting).toBe(1)
  const [other] = await world.query(
    'select id from private.messages where recipient_id = $1 for no key update skip locked',
    [reader.profileId],
  )
  const unlocking = await world.begin('service_role', [
    `set local lock_timeout = '5s'`,
    `insert into public.message_unlocks (message_id, buyer_id) values ('${other?.id}', '${reader.profileId}')`,
  ])
  await holder.commit()
  await unlocking.commit()
  await reading
  expect(await world.as(reader, 'select is_read, is_unlocked from public.messages where id = $1', [other?.id])).toEqual(
    [{ is_read: true, is_unlocked: true }],
  )
  expect(await world.query('select * from private.verify_conversations()')).toEqual([])
})

it('deletes a post while a like that came after the others is taken back [POST-53]', async () => {
  const [first, second] = [await world.buildPerson(), await world.buildPerson()]
  const { id } = await world.buildPost(creator)
  await like(first, id)()
  await world.as(first, `insert into public.comments (post_id, user_id, content) values ($1, $2, 'Hi')`, [
    id,
    first.profileId,
  ])
  const holder = await world.begin('service_role', ['reset role', 'select from public.comments for update'])
  const deletion = world.as(creator, 'delete from public.posts where id = $1', [id])
  await expect.poll(countWaiting).toBe(1) // it has locked the only like
  await like(second, id)()
  const unliking = await world.begin('service_role', [
    'reset role',
    `select from public.post_likes where user_id = '${second.profileId}' for update`,
  ])
  await holder.commit()
  await unliking.run(`delete from public.post_likes where user_id = '${second.profileId}'`)
  await unliking.commit()
  await deletion
  expect(await world.query('select from private.posts where id = $1', [id])).toEqual([])
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('begins a conversation while the fan pays, subscribes, or is restricted [INBOX-01, LIST-05]', async () => {
  const tip = ({ profileId }: Person, seller: Creator) =>
    `select private.post_payment('tip', 'pi_${profileId}', '${profileId}', '${seller.profileId}', 500, 10, 'usd', now())`
  const changes = [
    (person: Person, seller: Creator) => ['service_role', tip(person, seller)] as const,
    (person: Person, seller: Creator) =>
      [
        'service_role',
        `select private.apply_subscription_state('sub_${person.profileId}', '${person.profileId}', '${seller.profileId}',
           '${seller.productId}', 'active', now(), now() + interval '30 days', null, false, null, now())`,
      ] as const,
    (person: Person, seller: Creator) => [seller, `select public.restrict_fan('${person.profileId}', true)`] as const,
  ]
  for (const change of changes)
    for (const isMessageFirst of [false, true]) {
      const [person, seller] = [await world.buildPerson(), await world.buildCreator()]
      const message = [
        person,
        `insert into public.messages (sender_id, recipient_id, content) values ('${person.profileId}', '${seller.profileId}', 'Hi')`,
      ] as const
      const [[who, text], [other, otherText]] = isMessageFirst
        ? [message, change(person, seller)]
        : [change(person, seller), message]
      const open = await world.begin(who, [text])
      const waiting = world.as(other, otherText)
      await expect.poll(countWaiting).toBe(1)
      await open.commit()
      await waiting
    }
  expect(await world.query('select * from private.verify_conversations()')).toEqual([])
})

it('takes a fan off a list, and deletes the list, while the account of the fan or of the creator is deleted [LIST-01]', async () => {
  for (const leaver of ['fan', 'creator'] as const)
    for (const isLeaverFirst of [false, true]) {
      const [owner, member] = [await world.buildCreator(), await world.buildPerson()]
      const [list] = await world.as(owner, `insert into public.fan_lists (name) values ('Regulars') returning id`)
      await world.as(owner, 'select public.add_to_fan_list($1, $2)', [list?.id, [member.profileId]])
      const change = () =>
        leaver === 'fan'
          ? world.as(owner, 'select public.remove_from_fan_list($1, $2)', [list?.id, [member.profileId]])
          : world.as(owner, 'select public.delete_fan_list($1)', [list?.id])
      const leave = () =>
        world.as('service_role', 'select private.delete_account($1)', [(leaver === 'fan' ? member : owner).userId])
      const held = `select from private.fans where creator_id = '${owner.profileId}' for update`
      const errors = await meetAt(held, isLeaverFirst ? [leave, change] : [change, leave])
      const isGone = leaver === 'creator' && isLeaverFirst // there is no list any more
      expect(errors).toEqual([null, isGone ? expect.objectContaining({ code: 'PT404' }) : null])
    }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('takes a fan further in a flow while the account of the fan or of the creator, or the flow, is deleted [AUTO-03]', async () => {
  for (const goes of ['fan', 'creator', 'flow'] as const)
    for (const isFirst of [false, true]) {
      const [owner, member] = [await world.buildCreator(), await world.buildPerson()]
      const step = { kind: 'send', content: 'Hi', price_cents: null, file_ids: [], preview_index: null }
      const [flow] = await world.as(
        owner,
        `select public.save_flow('Welcome', '{"trigger": "follow"}', jsonb_build_array($1::jsonb || jsonb_build_object('id', gen_random_uuid()))) as id`,
        [JSON.stringify(step)],
      )
      await world.as(owner, `select public.set_flow_status($1, 'active')`, [flow?.id])
      await world.as(member, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
        member.profileId,
        owner.profileId,
      ])
      const advance = () => world.as('service_role', 'select private.advance_flow()')
      await advance() // into the step that sends
      const remove = () =>
        goes === 'flow'
          ? world.as(owner, 'select public.delete_flow($1)', [flow?.id])
          : world.as('service_role', 'select private.delete_account($1)', [(goes === 'fan' ? member : owner).userId])
      const held = `select from public.flow_runs where flow_id = '${flow?.id}' for update`
      expect(await meetAt(held, isFirst ? [remove, advance] : [advance, remove])).toEqual([null, null])
    }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('lets two users who referred each other accept the terms at the same time [REF-16]', async () => {
  const pair = [await world.buildPerson(), await world.buildPerson()] as const
  await world.query('update private.profiles set terms_accepted_at = null where id = any($1)', [
    pair.map(({ profileId }) => profileId),
  ])
  const accept = (person: Person, by: Person) => () =>
    world.as(person, 'select public.accept_terms($1)', [`REF${by.profileId.slice(0, 8).toUpperCase()}`])
  const deeds = [accept(pair[0], pair[1]), accept(pair[1], pair[0])]
  expect(await meetAt('lock table public.referrals in share row exclusive mode', deeds)).toEqual([null, null])
})

it('deletes an account during a suspension or reinstatement [GEN-05]', async () => {
  for (const isSuspended of [false, true]) {
    const person = await world.buildPerson()
    const suspend = () => world.as(admin, `select public.suspend_user($1, 'Spam')`, [person.profileId])
    const reinstate = () => world.as(admin, 'select public.reinstate_user($1)', [person.profileId])
    if (isSuspended) await suspend()
    const remove = () => world.as('service_role', 'select private.delete_account($1)', [person.userId])
    const held = `select from auth.users where id = '${person.userId}' for update`
    const [removed, judged] = await meetAt(held, [remove, isSuspended ? reinstate : suspend])
    expect(removed).toBeNull()
    expect(judged).toMatchObject({ code: 'PT404' }) // there is nobody any more
  }
})

it('deletes a creator during unlikes, unfollows, and cancellations [D40]', async () => {
  const doomed = await world.buildCreator()
  const post = await world.buildPost(doomed)
  await like(fan, post.id)()
  const remove = () => world.as('service_role', 'select private.delete_account($1)', [doomed.userId])
  const held = `select from private.posts where id = '${post.id}' for no key update`
  expect(await meetAt(held, [unlike(fan, post.id), remove])).toEqual([null, null])
})

it('deletes an account while its private feed gets an address, or is read in too many places [RSS-02]', async () => {
  for (const isRead of [false, true]) {
    const [seller, subscriber] = [await world.buildCreator(), await world.buildPerson()]
    await world.subscribe(subscriber, seller)
    const address = `(public.get_feed_address('${seller.profileId}')).token`
    const get = () => world.as(subscriber, `select ${address}`)
    const [made] = isRead ? await get() : []
    const read = () =>
      world.as('service_role', `select * from private.open_feed(sha256($1::text::bytea), 'elsewhere')`, [made?.token])
    const remove = () => world.as('service_role', 'select private.delete_account($1)', [subscriber.userId])
    const held = `select from private.profiles where id = '${subscriber.profileId}' for update`
    expect(await meetAt(held, [isRead ? read : get, remove])).toEqual([null, null])
  }
  expect(await world.query('select from private.feed_addresses')).toEqual([])
})

describe('two users who do the same to two rows in opposite order', () => {
  const two = async () => [(await world.buildPost(creator)).id, (await world.buildPost(creator)).id] as const
  const holdPost = (id: string) => `select from private.posts where id = '${id}' for no key update`
  /** Each does it to both, in one statement. */
  const toBoth = (text: string, one: string, other: string) => (person: Person, isReversed: boolean) => () =>
    world.as(person, text, [...(isReversed ? [other, one] : [one, other]), person.profileId])

  it.each([
    ['like', 'insert into public.post_likes (post_id, user_id) values ($1, $3), ($2, $3)'],
    ['comment', `insert into public.comments (post_id, user_id, content) values ($1, $3, 'Yes'), ($2, $3, 'No')`],
  ])('%s, and both count [POST-04, POST-05]', async (_what, text) => {
    const [one, other] = await two()
    const act = toBoth(text, one, other)
    expect(await meetAt(holdPost(one), [act(fan, false), act(admin, true)])).toEqual([null, null])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it.each([
    ['likes', 'insert into public.post_likes (post_id, user_id) values ($1, $3), ($2, $3)', 'public.post_likes'],
    [
      'comments',
      `insert into public.comments (post_id, user_id, content) values ($1, $3, 'a'), ($2, $3, 'b')`,
      'public.comments',
    ],
  ])('delete %s [POST-04, POST-05]', async (_what, text, table) => {
    const [one, other] = await two()
    await toBoth(text, one, other)(fan, false)()
    await toBoth(text, one, other)(admin, true)()
    const withdraw = (person: Person) => () =>
      world.as(person, `delete from ${table} where post_id in ($1, $2) and user_id = $3`, [
        one,
        other,
        person.profileId,
      ])
    expect(await meetAt(holdPost(one), [withdraw(fan), withdraw(admin)])).toEqual([null, null])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it('follow, and unfollow [PROF-05]', async () => {
    const [one, other] = [await world.buildCreator(), await world.buildCreator()]
    const follow = toBoth(
      'insert into public.follows (follower_id, following_id) values ($3, $1), ($3, $2)',
      one.profileId,
      other.profileId,
    )
    expect(await meetAt(holdProfile(one), [follow(fan, false), follow(admin, true)])).toEqual([null, null])
    const unfollow = (person: Person) => () =>
      world.as(person, 'delete from public.follows where following_id in ($1, $2)', [one.profileId, other.profileId])
    expect(await meetAt(holdProfile(one), [unfollow(fan), unfollow(admin)])).toEqual([null, null])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })
})

it('counts subscribers while the account of their creator, or of one of them, is deleted [STATX-04]', async () => {
  for (const place of ['private.profiles where id', 'private.subscriber_spans where creator_id'])
    for (const who of ['seller', 'subscriber'] as const) {
      const [seller, subscriber] = [await world.buildCreator(), await world.buildPerson()]
      await world.subscribe(subscriber, seller)
      const leaving = who === 'seller' ? seller : subscriber
      const rollUp = () => world.as('service_role', 'select private.roll_up_subscribers()')
      const leave = () => world.as('service_role', 'select private.delete_account($1, $1)', [leaving.userId])
      const held = `select from ${place} = '${seller.profileId}' for update`
      expect(await meetAt(held, [rollUp, leave]), `${who} at ${place}`).toEqual([null, null])
    }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})

it('counts visits and payments of links while the account of their creator is deleted [LINK-01]', async () => {
  for (const place of ['private.profiles where id', 'public.tracking_links where creator_id']) {
    const [seller, visitor] = [await world.buildCreator(), await world.buildPerson()]
    const [link] = await world.as(
      seller,
      `insert into public.tracking_links (name, target) values ('Bio', 'profile') returning id, code`,
    )
    await world.as(visitor, 'select public.claim_link_visits($1)', [`${link?.code}.${Math.floor(Date.now() / 1000)}`])
    await openBooks(world).tip(visitor, seller)
    await world.as(
      'service_role',
      `insert into private.link_visits (link_id, day, visitor) values ($1, private.today(), sha256('ada'))`,
      [link?.id],
    )
    const rollUp = () => world.as('service_role', 'select private.roll_up_links()')
    const leave = () => world.as('service_role', 'select private.delete_account($1, $1)', [seller.userId])
    const held = `select from ${place} = '${seller.profileId}' for update`
    expect(await meetAt(held, [rollUp, leave])).toEqual([null, null])
  }
  expect(await world.query('select * from private.verify_counters()')).toEqual([])
})
