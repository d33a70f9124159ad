import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  // What other tests have left to do.
  await world.query('delete from private.post_announcements')
  await world.query(`update private.digest_zones set next_at = now() + interval '1 day'`)
  creator = await world.buildCreator()
})

type News = { name: string; posts: number; latest: { id: string; title: string; preview: string; isCut: boolean }[] }
type Recipient = { userId: string; after: string; until: string; attempts: number; news: News[] }
type Turn = { more: boolean; recipients: Recipient[] }

const follow = (fan: Person, whom: Person = creator) =>
  world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    fan.profileId,
    whom.profileId,
  ])
const set = (person: Person, notifications: object) =>
  world.as(person, 'update public.user_settings set notifications = $1', [JSON.stringify(notifications)])
const fanWith = async (notifications: object, whom: Person = creator) => {
  const fan = await world.buildPerson()
  await set(fan, notifications)
  await follow(fan, whom)
  return fan
}
/** A follower who gets emails at once. */
const eager = (whom: Person = creator) => fanWith({ postEmails: 'immediately' }, whom)
const eagerFans = (count: number) => Promise.all(Array.from({ length: count }, () => eager()))
const addBrowser = (person: Person) =>
  world.as(person, 'select public.save_push_subscription($1, $2, $3)', [
    `https://push.example/${randomUUID()}`,
    'k'.repeat(60),
    'a'.repeat(16),
  ])

const takeSql = (channel: string, limit: number) =>
  `select more, recipients from private.take_post_announcements('${channel}', 0, ${limit})`
const take = async (channel = 'email', limit = 100): Promise<Turn> => {
  const [turn] = await world.as('service_role', takeSql(channel, limit))
  return turn as Turn
}
/** Everything that is due, turn by turn. */
async function takeAll(channel = 'email', limit = 100): Promise<Recipient[]> {
  const all: Recipient[] = []
  for (let more = true; more; ) {
    const turn = await take(channel, limit)
    expect(turn.recipients.length).toBeLessThanOrEqual(limit)
    all.push(...turn.recipients)
    more = turn.more
  }
  return all
}
const idsOf = (people: readonly Person[]) => people.map(({ profileId }) => profileId).toSorted()
const taken = (recipients: readonly Recipient[]) => recipients.map(({ userId }) => userId).toSorted()
const newsOf = (recipients: readonly Recipient[]) =>
  recipients.flatMap(({ news }) => news.map(({ name, posts }) => `${name}: ${posts}`))
const about = (count: number, whom: Person = creator) => `${whom.username}: ${count}`
/** Ends the pause before the creator's next announcement. */
const endPause = () => world.query('update private.post_announcements set due_at = now() where due_at is not null')

describe('a new post, by email or push', () => {
  it('reaches each follower and subscriber who wants it at once, in turns of a few fans [LOOP-02]', async () => {
    const wanting = await eagerFans(6)
    const subscriber = await world.buildPerson()
    await set(subscriber, { postEmails: 'immediately' })
    await world.subscribe(subscriber, creator)
    await world.as(subscriber, 'delete from public.follows where follower_id = $1', [subscriber.profileId])
    await fanWith({}) // once a day
    const now = { postEmails: 'immediately' }
    for (const off of [{ postEmails: 'none' }, { posts: false }, { email: false }, { digest: true }])
      await fanWith({ ...now, ...off })
    await world.buildPerson().then((stranger) => set(stranger, now))
    await world.buildPost(creator)
    const recipients = await takeAll('email', 2)
    expect(taken(recipients)).toEqual(idsOf([...wanting, subscriber]))
    expect(new Set(newsOf(recipients))).toEqual(new Set([about(1)]))
    expect(await take()).toEqual({ more: false, recipients: [] })
  })

  it('is pushed to users with a browser, whenever they want their emails [LOOP-02]', async () => {
    const [daily, silent, off] = [await fanWith({}), await fanWith({ posts: false }), await fanWith({ push: false })]
    await fanWith({}) // without a browser
    for (const fan of [daily, silent, off]) await addBrowser(fan)
    await world.buildPost(creator)
    expect(taken(await takeAll('push'))).toEqual([daily.profileId])
    expect(await takeAll()).toEqual([])
  })

  it('is announced to nobody twice: a crash before the commit loses nothing, and one after it repeats nothing [LOOP-02]', async () => {
    const fans = await eagerFans(5)
    await world.buildPost(creator)
    await expect(
      world.inOneTransaction('service_role', [takeSql('email', 2), 'select 1 / 0 as crash']),
    ).rejects.toMatchObject({ code: '22012' })
    const { recipients: first } = await take('email', 2) // and then the process ends
    expect(first).toHaveLength(2)
    const rest = await takeAll('email', 2)
    expect(taken([...first, ...rest])).toEqual(idsOf(fans))
  })

  it('is taken by one of two jobs at the same moment [LOOP-02]', async () => {
    const fans = await eagerFans(3)
    await world.buildPost(creator)
    const slow = await world.begin('service_role', [takeSql('email', 2)])
    expect(await take('email', 2)).toEqual({ more: false, recipients: [] })
    await slow.commit()
    const first = (slow.all[0]?.[0] as Turn | undefined)?.recipients ?? []
    expect(taken([...first, ...(await takeAll('email', 2))])).toEqual(idsOf(fans))
  })

  it('of an unfinished transaction waits for the next walk, and is not lost [LOOP-02]', async () => {
    await eager()
    await world.buildPost(creator)
    const publishing = await world.begin(
      creator,
      [`insert into public.posts (creator_id, title, content) values ($1, 'Second', 'words')`],
      [creator.profileId],
    )
    expect(await take()).toEqual({ more: false, recipients: [] })
    await publishing.commit()
    expect(newsOf(await takeAll())).toEqual([about(2)])
  })

  it('is grouped with others that come close together [LOOP-02]', async () => {
    const fan = await eager()
    await addBrowser(fan)
    for (let post = 0; post < 3; post++) await world.buildPost(creator)
    for (const channel of ['email', 'push']) expect(newsOf(await takeAll(channel))).toEqual([about(3)])
    await world.buildPost(creator)
    await world.buildPost(creator)
    const pauses = await world.query(
      `select channel, round(extract(epoch from due_at - began_at) / 60)::int as minutes from private.post_announcements order by 1`,
    )
    expect(pauses).toEqual([
      { channel: 'email', minutes: 60 },
      { channel: 'push', minutes: 10 },
    ])
    for (const channel of ['email', 'push']) expect(await takeAll(channel)).toEqual([])
    await endPause()
    for (const channel of ['email', 'push']) expect(newsOf(await takeAll(channel))).toEqual([about(2)])
  })

  it('that comes during a walk is announced to everyone by the next one [LOOP-02]', async () => {
    const fans = await eagerFans(4)
    await world.buildPost(creator)
    const { recipients } = await take('email', 2)
    await world.buildPost(creator)
    const first = [...recipients, ...(await takeAll('email', 2))]
    expect(taken(first)).toEqual(idsOf(fans))
    expect(new Set(newsOf(first))).toEqual(new Set([about(1)]))
    await endPause()
    const second = await takeAll()
    expect(taken(second)).toEqual(idsOf(fans))
    expect(new Set(newsOf(second))).toEqual(new Set([about(1)]))
  })

  it('waits for the delay, in which it may be read in the app [LOOP-02]', async () => {
    const [reader, other] = [await eager(), await eager()]
    await world.buildPost(creator)
    const [turn] = await world.as(
      'service_role',
      `select more, recipients from private.take_post_announcements('email', 300, 10)`,
    )
    expect(turn).toEqual({ more: false, recipients: [] })
    await world.as(reader, 'select public.read_new_posts()')
    expect(taken(await takeAll())).toEqual([other.profileId])
  })

  it('respects the bell, blocks, suspensions, private profiles, and deletion when it is sent [LOOP-02, D39, GEN-44]', async () => {
    const admin = await world.buildAdmin()
    const [fan, none, paid, blocking, blocked, suspended, late, leaving] = await Promise.all(
      Array.from({ length: 8 }, () => eager()),
    )
    if (!fan || !none || !paid || !blocking || !blocked || !suspended || !late || !leaving) throw new Error('No fans')
    await world.buildPost(creator)
    const choose = (person: Person, level: string) =>
      world.as(person, 'select public.set_post_alerts($1, $2)', [creator.profileId, level])
    const block = (one: Person, other: Person) =>
      world.as(one, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
        one.profileId,
        other.profileId,
      ])
    await choose(none, 'none')
    await choose(paid, 'paid')
    await world.subscribe(blocking, creator)
    await block(blocking, creator)
    await block(creator, blocked)
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [suspended.profileId])
    await set(late, { postEmails: 'none' })
    await world.as(leaving, 'delete from public.follows where follower_id = $1', [leaving.profileId])
    expect(taken(await takeAll())).toEqual([fan.profileId])

    await world.buildPost(creator, { type: 'subscription' })
    await endPause()
    expect(taken(await takeAll())).toEqual(idsOf([fan, paid]))

    const doomed = await world.buildPost(creator)
    await world.as(creator, 'delete from public.posts where id = $1', [doomed.id])
    await endPause()
    expect(await takeAll()).toEqual([])

    await world.buildPost(creator)
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    await world.subscribe(fan, creator)
    await endPause()
    expect(taken(await takeAll())).toEqual([fan.profileId])

    await world.buildPost(creator)
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [creator.profileId])
    await endPause()
    expect(await takeAll()).toEqual([])
  })

  it('is announced when it is published, not when it is scheduled [LOOP-02]', async () => {
    await eager()
    const [scheduled] = await world.as(
      creator,
      `insert into public.scheduled_posts (creator_id, title, content, publish_at)
       values ($1, 'Tomorrow', 'words', now() + interval '1 day') returning id`,
      [creator.profileId],
    )
    expect(await takeAll()).toEqual([])
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [
      scheduled?.id,
    ])
    await world.as('service_role', 'select private.publish_due_post($1)', [scheduled?.id])
    const [recipient] = await takeAll()
    expect(recipient?.news[0]?.latest[0]?.title).toBe('Tomorrow')
  })

  it('that is locked shows only what everyone sees of it [LOOP-02, POST-11]', async () => {
    await eager()
    for (const type of ['subscription', 'ppv']) await world.buildPost(creator, { type })
    const [recipient] = await takeAll()
    const latest = recipient?.news[0]?.latest ?? []
    expect(latest.map(({ preview }) => preview.length)).toEqual([100, 100])
    expect(JSON.stringify(recipient)).not.toContain('secret')
  })

  it.each([
    ['of 60 emoji', '🎣'.repeat(60), false],
    ['of 100 characters', 'a'.repeat(100), false],
    ['of 100 emoji', '🎣'.repeat(100), false],
    ['of 101 characters', 'a'.repeat(101), true],
  ])('with a text %s says whether it goes on [LOOP-02]', async (_what, content, isCut) => {
    await eager()
    await world.buildPost(creator, { content })
    const [recipient] = await takeAll()
    const preview = [...content].slice(0, 100).join('')
    expect(recipient?.news[0]?.latest).toMatchObject([{ preview, isCut }])
  })

  it('of one creator takes turns with those of others, whatever the number of fans [LOOP-02]', async () => {
    const star = creator
    await eagerFans(6)
    await world.buildPost(star)
    await take('email', 2)
    const unknown = await world.buildCreator()
    const fan = await eager(unknown)
    await world.buildPost(unknown)
    const turns = [await take('email', 2), await take('email', 2)]
    expect(turns.flatMap(({ recipients }) => taken(recipients))).toContain(fan.profileId)
  })

  it('ends a turn after a thousand fans, even if nobody wants it [LOOP-02]', async () => {
    await world.query(
      `with accounts as (
         insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
         select 'crowd' || n || '-' || $2 || '@example.com', now(), jsonb_build_object('username', 'crowd' || n || left($2, 8), 'terms_accepted', true)
         from generate_series(1, 1100) n returning id
       ) select count(*) from accounts where $1::uuid is not null`,
      [creator.profileId, randomUUID()],
    )
    await world.query(
      `insert into public.follows (follower_id, following_id)
       select id, $1 from private.profiles where username like 'crowd%'`,
      [creator.profileId],
    )
    await world.buildPost(creator)
    expect(await take('email', 100)).toEqual({ more: true, recipients: [] })
    const [walk] = await world.query(
      `select walk_until is null as over from private.post_announcements where channel = 'email'`,
    )
    expect(walk).toEqual({ over: false })
    expect(await takeAll('email', 100)).toEqual([])
  })
})

describe('an announcement that failed', () => {
  const giveBack = ({ userId, after, until, attempts }: Recipient) =>
    world.as('service_role', `select private.retry_post_announcement('email', $1, $2, $3, $4, $5)`, [
      creator.profileId,
      userId,
      after,
      until,
      attempts + 1,
    ])
  const hurry = () => world.query('update private.post_announcement_retries set due_at = now()')

  it('is retried with growing pauses, six times in all [LOOP-02]', async () => {
    await eager()
    await world.buildPost(creator)
    let [recipient] = await takeAll()
    const pauses: number[] = []
    while (recipient) {
      expect(newsOf([recipient])).toEqual([about(1)])
      await giveBack(recipient)
      const [retry] = await world.query(
        `select round(extract(epoch from due_at - now()) / 60)::int as minutes from private.post_announcement_retries`,
      )
      if (retry) pauses.push(Number(retry.minutes))
      expect(await takeAll()).toEqual([])
      await hurry()
      ;[recipient] = await takeAll()
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16])
    expect(await world.query('select from private.post_announcement_retries')).toEqual([])
  })

  it('becomes one with the next one that fails, and leaves out what was read meanwhile [LOOP-02]', async () => {
    const fan = await eager()
    for (let post = 0; post < 2; post++) {
      await world.buildPost(creator)
      await endPause()
      const [recipient] = await takeAll()
      if (recipient) await giveBack(recipient)
    }
    await hurry()
    const [both] = await takeAll()
    expect(newsOf(both ? [both] : [])).toEqual([about(2)])
    if (both) await giveBack(both)
    await world.as(fan, 'select public.read_new_posts()')
    await hurry()
    expect(await takeAll()).toEqual([])
  })
})

describe('the daily email', () => {
  const zoneIsDue = (zone = 'UTC') =>
    world.query(`update private.digest_zones set next_at = now() - interval '1 second' where time_zone = $1`, [zone])
  const age = (minutes: number) =>
    world.query('update private.new_posts set published_at = now() - make_interval(mins => $1)', [minutes])
  const digestSql = (limit: number) => `select more, recipients from private.take_post_digests(0, ${limit})`
  async function takeDigests(limit = 100): Promise<Recipient[]> {
    const all: Recipient[] = []
    for (let more = true; more; ) {
      const [turn] = (await world.as('service_role', digestSql(limit))) as Turn[]
      all.push(...(turn?.recipients ?? []))
      more = turn?.more ?? false
    }
    return all
  }
  /** Someone who chose the daily email a week ago. */
  const dailyFan = async (...creators: readonly Creator[]) => {
    const fan = await world.buildPerson()
    for (const whom of creators) await follow(fan, whom)
    await world.query(`update public.follows set created_at = now() - interval '1 week' where follower_id = $1`, [
      fan.profileId,
    ])
    await world.query(
      `update private.user_settings set posts_digested_until = now() - interval '1 week' where user_id = $1`,
      [fan.profileId],
    )
    return fan
  }
  beforeEach(() => world.query('update private.user_settings set posts_digested_until = now()'))

  it('has the unread posts of all creators, once [LOOP-02]', async () => {
    const other = await world.buildCreator()
    const fan = await dailyFan(creator, other)
    const reader = await dailyFan(creator)
    await world.buildPost(creator)
    await world.buildPost(creator)
    await world.buildPost(other)
    await age(90)
    await world.as(reader, 'select public.read_new_posts()')
    await zoneIsDue()
    const recipients = await takeDigests(2)
    expect(taken(recipients)).toEqual([fan.profileId])
    expect(newsOf(recipients).toSorted()).toEqual([about(2), about(1, other)].toSorted())
    await zoneIsDue()
    expect(await takeDigests()).toEqual([])
  })

  it('comes in the morning of the time zone [LOOP-02]', async () => {
    const fan = await dailyFan(creator)
    await world.as(fan, `select public.report_time_zone('Asia/Tokyo')`)
    await world.buildPost(creator)
    await age(90)
    await zoneIsDue()
    expect(await takeDigests()).toEqual([])
    await zoneIsDue('Asia/Tokyo')
    expect(taken(await takeDigests())).toEqual([fan.profileId])
    const [zone] = await world.query(
      `select to_char(next_at at time zone 'Asia/Tokyo', 'HH24:MI') as at, next_at > now() as later
       from private.digest_zones where time_zone = 'Asia/Tokyo'`,
    )
    expect(zone).toEqual({ at: '08:00', later: true })
  })

  it.each([
    ['Asia/Tokyo', '2026-03-02 08:00+09', '2026-03-03 08:00'],
    ['Asia/Tokyo', '2026-03-02 07:59+09', '2026-03-02 08:00'],
    // The clocks change on March 8.
    ['America/New_York', '2026-03-07 12:00-05', '2026-03-08 08:00'],
    ['Jupiter/Red_Spot', '2026-03-02 09:00Z', '2026-03-03 08:00'],
  ])('in %s after %s comes at %s [LOOP-02]', async (zone, time, due) => {
    const [next] = await world.query(
      `select to_char(private.next_digest($1::timestamptz, $2) at time zone $3, 'YYYY-MM-DD HH24:MI') as due`,
      [time, zone, zone.startsWith('Jupiter') ? 'UTC' : zone],
    )
    expect(next).toEqual({ due })
  })

  it('goes to nobody twice: a crash after the commit repeats nothing, and what failed comes the next day [LOOP-02]', async () => {
    const people = await Promise.all([dailyFan(creator), dailyFan(creator), dailyFan(creator)])
    await world.buildPost(creator)
    await age(90)
    await zoneIsDue()
    // Other tests' users are in the zone, too: fans come by id, so a small batch may have nobody who is due.
    const begun: Recipient[] = []
    for (let more = true; more && begun.length < 2; ) {
      const [turn] = (await world.as('service_role', digestSql(2))) as Turn[]
      begun.push(...(turn?.recipients ?? []))
      more = turn?.more ?? false
    }
    const [failed, ...lost] = begun
    if (!failed) throw new Error('Nobody was taken')
    await world.as('service_role', 'select private.return_digest_posts($1, $2, $3)', [
      failed.userId,
      failed.after,
      failed.until,
    ])
    const rest = await takeDigests()
    expect(taken([failed, ...lost, ...rest])).toEqual(idsOf(people))
    await zoneIsDue()
    expect(taken(await takeDigests())).toEqual([failed.userId])
  })

  it('leaves posts of the last minute for the next one, so that none is missed [LOOP-02]', async () => {
    const fan = await dailyFan(creator)
    await world.buildPost(creator)
    await zoneIsDue()
    expect(await takeDigests()).toEqual([])
    await age(2)
    await zoneIsDue()
    expect(taken(await takeDigests())).toEqual([fan.profileId])
  })

  it('begins with the choice: what came before is no news [LOOP-02]', async () => {
    const fan = await dailyFan(creator)
    await set(fan, { postEmails: 'none' })
    await world.buildPost(creator)
    await age(90)
    await set(fan, { postEmails: 'daily' })
    await zoneIsDue()
    expect(await takeDigests()).toEqual([])
  })

  it('of users who get everything in one email has the posts, too [LOOP-02, SET-16]', async () => {
    const [both, posts] = [await dailyFan(creator), await dailyFan(creator)]
    await set(both, { digest: true })
    await world.buildPost(creator)
    await age(90)
    const [row] = await world.as('service_role', 'select private.take_digest_posts($1, true) as recipients', [
      [both.profileId, posts.profileId],
    ])
    expect(taken(row?.recipients as Recipient[])).toEqual([both.profileId])
    await zoneIsDue()
    expect(taken(await takeDigests())).toEqual([posts.profileId])
  })
})

it('is delivered by the server alone [LOOP-02]', async () => {
  const fan = await world.buildPerson()
  for (const call of [
    `select private.take_post_announcements('email', 0, 1)`,
    'select private.take_post_digests(0, 1)',
    'select private.take_digest_posts(array[]::uuid[], false)',
    `select private.post_news('${fan.profileId}', null, now(), now())`,
    'select from private.post_announcements',
  ])
    for (const caller of [fan, 'anon'] as const)
      await expect(world.as(caller, call)).rejects.toMatchObject({ code: '42501' })
})
