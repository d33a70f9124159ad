import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[admin, creator, fan] = [await world.buildAdmin(), await world.buildCreator(), await world.buildPerson()]
})
afterAll(() => world.close())

const report = (caller: Person, type: string, target: string) =>
  world.as(
    caller,
    `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, $2, $3, 'scam')`,
    [caller.profileId, type, target],
  )
const bellOf = (person: Person) =>
  world.as(person, 'select title, message from public.notifications order by created_at desc limit 1')

describe('the queue of reports', () => {
  it('shows admins the content, the reporter, the reported user, and the number of reports [D43, GEN-05]', async () => {
    const post = await world.buildPost(creator, { content: 'rude post' })
    const other = await world.buildPerson()
    await report(fan, 'post', post.id)
    await report(other, 'post', post.id)
    const queue = await world.as(admin, 'select * from public.get_reports()')
    expect(queue).toHaveLength(2)
    expect(queue.find(({ reporter_username }) => reporter_username === fan.username)).toMatchObject({
      target_type: 'post',
      target_id: post.id,
      reported_username: creator.username,
      reported_suspended: false,
      post_id: post.id,
      still_there: true,
      open_on_target: 2,
    })
    const [first] = queue
    expect(
      await world.as(admin, 'select id from public.get_reports(before => $1, before_id => $2)', [
        first?.created_at,
        first?.id,
      ]),
    ).toEqual([{ id: queue[1]?.id }])
    for (const caller of [fan, creator])
      await expect(world.as(caller, 'select * from public.get_reports()')).rejects.toMatchObject(refused)
  })

  it('is settled by a takedown, whose reason is sent to the author and logged [POST-54, NOTI-15, D43, GEN-44]', async () => {
    const post = await world.buildPost(creator, { content: 'worse post' })
    await report(fan, 'post', post.id)
    const takeDown = (caller: Person, type = 'post', reason = ' Fraud ') =>
      world.as(caller, 'select public.take_down($1, $2, $3)', [type, post.id, reason])
    await expect(takeDown(fan)).rejects.toMatchObject(refused)
    await expect(takeDown(creator)).rejects.toMatchObject(refused)
    await expect(takeDown(admin, 'post', ' ')).rejects.toMatchObject({ constraint: 'take_down_reason' })
    await expect(takeDown(admin, 'profile')).rejects.toMatchObject({ code: '22023' })
    await takeDown(admin)
    await expect(takeDown(admin)).rejects.toMatchObject({ code: 'PT404' })
    expect(await bellOf(creator)).toEqual([
      {
        title: 'Post deleted for policy violation',
        message: '"A title"\nReason: Fraud',
      },
    ])
    expect(
      await world.as(
        admin,
        'select status, resolution, still_there from public.get_reports(true) where target_id = $1',
        [post.id],
      ),
    ).toEqual([{ status: 'resolved', resolution: 'Fraud', still_there: false }])
    expect(
      await world.as(admin, 'select actor, action, details from public.get_audit_log(subject => $1)', [post.id]),
    ).toEqual([{ actor: admin.username, action: 'delete_post', details: { reason: 'Fraud' } }])
  })

  it('notifies the author of a deleted comment of the reason [POST-58]', async () => {
    const post = await world.buildPost(creator)
    const [comment] = await world.as(
      fan,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'rude') returning id`,
      [post.id, fan.profileId],
    )
    await world.as(admin, `select public.take_down('comment', $1, 'Insults')`, [comment?.id])
    expect(await bellOf(fan)).toEqual([{ title: 'Comment deleted for policy violation', message: 'Reason: Insults' }])
  })
})

describe('a message', () => {
  const send = async (columns: { media?: string; price?: number } = {}) => {
    const { media, price = 0 } = columns
    const [row] = await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [
        creator.profileId,
        fan.profileId,
        'rude '.repeat(300).trim(),
        price > 0,
        price,
        media ? [media] : [],
        media ? ['image'] : [],
      ],
    )
    return String(row?.id)
  }
  const takeDown = (caller: Person, id: string) =>
    world.as(caller, `select public.take_down('message', $1, 'Threats')`, [id])
  const queued = async (id: string) =>
    (
      await world.as(admin, 'select excerpt, still_there, media_urls from public.get_reports() where target_id = $1', [
        id,
      ])
    )[0]
  const opens = async (path: string) =>
    (await world.as(admin, 'select from storage.objects where name = $1', [path])).length === 1

  it('is visible to admins while a report is open, in full and with its files [D43, MSG-09, GEN-35]', async () => {
    const media = await world.buildFile(creator, 'messages')
    const id = await send({ media })
    await expect(takeDown(admin, id)).rejects.toMatchObject({ code: 'PT404' }) // between the two
    expect(await opens(media)).toBe(false)
    await report(fan, 'message', id)
    expect(await queued(id)).toEqual({ excerpt: 'rude '.repeat(300).trim(), still_there: true, media_urls: [media] })
    expect(await opens(media)).toBe(true)
    expect(await world.as(admin, 'select from public.messages where id = $1', [id])).toEqual([]) // in the queue alone
    await world.as(admin, `update public.reports set status = 'dismissed' where target_id = $1`, [id])
    expect(await opens(media)).toBe(false)
  })

  it("that the reporter hasn't unlocked stays locked for admins [MSG-09]", async () => {
    const media = await world.buildFile(creator, 'messages')
    const id = await send({ media, price: 700 })
    await report(fan, 'message', id)
    expect(await queued(id)).toEqual({ excerpt: null, still_there: true, media_urls: [] })
    expect(await opens(media)).toBe(false)
  })

  it("is taken down with its files, its sender is notified, and the log doesn't contain its text [D43, GEN-44]", async () => {
    const media = await world.buildFile(creator, 'messages')
    const id = await send({ media })
    await report(fan, 'message', id)
    for (const caller of [fan, creator]) await expect(takeDown(caller, id)).rejects.toMatchObject(refused)
    await takeDown(admin, id)
    await expect(takeDown(admin, id)).rejects.toMatchObject({ code: 'PT404' })
    for (const party of [fan, creator])
      expect(await world.as(party, 'select from public.messages where id = $1', [id])).toEqual([])
    expect(await world.query('select from storage.objects where name = $1', [media])).toEqual([])
    expect(await world.query('select from private.storage_removals where name = $1', [media])).toHaveLength(1)
    expect(await bellOf(creator)).toEqual([
      {
        title: 'Message deleted for policy violation',
        message: 'Reason: Threats',
      },
    ])
    expect(
      await world.as(admin, 'select status, resolution from public.get_reports(true) where target_id = $1', [id]),
    ).toEqual([{ status: 'resolved', resolution: 'Threats' }])
    const lines = await world.as(
      admin,
      'select action, before, after, details from public.get_audit_log(subject => $1)',
      [id],
    )
    expect(lines).toMatchObject([
      {
        action: 'delete_message',
        before: { sender_id: creator.profileId, recipient_id: fan.profileId, media_count: 1 },
        after: null,
        details: { reason: 'Threats' },
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('rude')
  })
})

describe('the audit log', () => {
  it('contains changes to reports, support requests, notes, and polls, with before and after [DATA-25, GEN-44]', async () => {
    const post = await world.buildPost(creator)
    await report(await world.buildPerson(), 'profile', creator.profileId)
    await world.as(admin, `update public.reports set status = 'dismissed' where target_id = $1`, [creator.profileId])
    await world.as(
      fan,
      `insert into public.support_requests (user_id, name, email, subject, message) values ($1, 'F', 'f@example.com', 'Help', 'Please')`,
      [fan.userId],
    )
    await world.as(admin, `update public.support_requests set status = 'in_progress' where user_id = $1`, [fan.userId])
    await world.as(admin, `update public.posts set admin_note = 'secret words' where id = $1`, [post.id])
    await world.as(admin, `insert into public.polls (title, options) values ('Which?', '["A", "B"]')`)
    const lines = await world.as(
      admin,
      `select action, before, after from public.get_audit_log(actor => $1) where action in ('settle_report', 'change_support_status', 'change_note', 'create_poll')`,
      [admin.username],
    )
    expect(lines.slice(0, 4).toReversed()).toMatchObject([
      { action: 'settle_report', before: { status: 'open' }, after: { status: 'dismissed' } },
      { action: 'change_support_status', before: { status: 'open' }, after: { status: 'in_progress' } },
      { action: 'change_note', before: { noted: false }, after: { noted: true } },
      { action: 'create_poll', before: null, after: { is_active: true } },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret words')
  })

  it('is searched by actor, action, and time, in pages, only by admins [DATA-25]', async () => {
    const all = await world.as(admin, 'select id, created_at, action from public.get_audit_log()')
    const [first, second] = await world.as(admin, 'select id, created_at from public.get_audit_log(page_size => 1)')
    expect(first?.id).toBe(all[0]?.id)
    expect(second).toBeUndefined()
    expect(
      await world.as(admin, 'select id from public.get_audit_log(before => $1, before_id => $2, page_size => 1)', [
        first?.created_at,
        first?.id,
      ]),
    ).toEqual([{ id: all[1]?.id }])
    const found = async (argument: string, value: unknown) =>
      (await world.as(admin, `select id from public.get_audit_log(${argument} => $1)`, [value])).length
    expect(await found('actor', 'nobody_at_all')).toBe(0)
    expect(await found('actor', admin.username.toUpperCase())).toBeGreaterThan(0)
    expect(await found('action', 'create_poll')).toBe(all.filter(({ action }) => action === 'create_poll').length)
    expect(await found('since', new Date(Date.now() + 60_000))).toBe(0)
    expect(await found('until', new Date(Date.now() - 3_600_000))).toBe(0)
    await expect(world.as(fan, 'select * from public.get_audit_log()')).rejects.toMatchObject(refused)
  })

  it('names the user that an entry is about, as long as the account exists [LOOP-24, DATA-25]', async () => {
    const member = await world.buildPerson()
    await world.as(admin, `select public.suspend_user($1, 'Fraud')`, [member.profileId])
    const about = () =>
      world.as(admin, 'select actor, subject_username from public.get_audit_log(subject => $1)', [member.profileId])
    expect(await about()).toEqual([{ actor: admin.username, subject_username: member.username }])
    await world.query('delete from auth.users where id = $1', [member.userId])
    expect(await about()).toEqual([{ actor: admin.username, subject_username: null }])
  })
})

describe('the overview', () => {
  it('counts people, growth, and queues, and the monthly value of paying subscriptions [LOOP-24]', async () => {
    const read = async () => {
      const [row] = await world.as(admin, 'select * from public.get_admin_overview()')
      return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]))
    }
    const before = await read()
    const seller = await world.buildCreator()
    const yearly = await world.buildProduct(seller, 12_000, 'year')
    const weekly = await world.buildProduct(seller, 1_000, 'week')
    const [one, two, three, trying] = [
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildPerson(),
    ]
    await world.query(
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_end, access_until, created_at)
       values ($1, $5, $6, 'active', now() + interval '5 days', now() + interval '5 days', now()),
         ($2, $5, $7, 'active', now() + interval '5 days', now() + interval '5 days', now() - interval '40 days'),
         ($3, $5, $8, 'active', now() + interval '5 days', now() + interval '5 days', now() - interval '90 days'),
         ($4, $5, $6, 'trial', now() + interval '5 days', now() + interval '5 days', now() - interval '90 days')`,
      [...[one, two, three, trying, seller].map(({ profileId }) => profileId), ...[seller.productId, yearly, weekly]],
    )
    await world.query(
      `insert into public.support_requests (name, email, subject, message, priority, category)
       values ('Ada', 'ada@example.com', 'Hello', 'Hello there', 'normal', null)`,
    )
    await report(one, 'profile', seller.profileId)
    const after = await read()
    const grown = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))
    expect(grown).toEqual({
      users: 5,
      users_new: 5,
      users_before: 0,
      creators: 1,
      subscriptions: 3,
      monthly_cents: 999 + 1_000 + 4_333, // a week's price is that of 12/52 of a month, as in all comparisons
      subscriptions_new: 1,
      subscriptions_before: 1,
      subscriptions_ended: 0,
      pending_applications: 0,
      open_reports: 1,
      open_support_requests: 1,
    })
    for (const caller of [fan, creator])
      await expect(world.as(caller, 'select * from public.get_admin_overview()')).rejects.toMatchObject(refused)
  })
})

describe('the money of all creators', () => {
  it('sums payments, fees, refunds, and disputes of a period, and what is owed [GEN-05, GEN-09]', async () => {
    const pay = (cause: string, cents: number) =>
      world.query(`select (private.post_payment('tip', $1, $2, $3, $4, $5, 'usd', now())).transaction_id as id`, [
        cause,
        fan.profileId,
        creator.profileId,
        cents,
        cents / 10,
      ])
    await pay('pi_one', 1000)
    const [disputed] = await pay('pi_two', 2000)
    await world.query(`select private.post_dispute('dp_1', $1, 2000, 'open', now())`, [disputed?.id])
    const days = `(now() at time zone 'UTC')::date`
    const [overview] = await world.as(admin, `select * from public.get_money_overview(${days} - 6, ${days})`)
    expect(overview).toMatchObject({ payments: '2', disputes_opened: '1', disputes_open: '1', differences_open: '0' })
    expect(
      [overview?.volume, overview?.refunds, overview?.fees, overview?.creators, overview?.disputed].map(Number),
    ).toEqual([3_000, 2_000, 100, 900, 2_000])
    const series = await world.as(admin, `select * from public.get_money_series(${days} - 6, ${days})`)
    expect(series).toHaveLength(7)
    expect([series[6]?.volume, series[6]?.refunds, series[0]?.volume].map(Number)).toEqual([3_000, 2_000, 0])
    const [balances] = await world.as(admin, 'select * from public.get_platform_balances()')
    expect([balances?.owed_to_creators, balances?.kept_by_platform].map(Number)).toEqual([900, 100])
    await expect(
      world.as(admin, 'select * from public.get_money_overview(current_date, current_date - 1)'),
    ).rejects.toMatchObject({ code: '22023' })
    for (const call of [
      'get_money_overview(current_date, current_date)',
      'get_money_series(current_date, current_date)',
      'get_platform_balances()',
      'get_payment_differences()',
    ])
      await expect(world.as(creator, `select * from public.${call}`)).rejects.toMatchObject(refused)
  })

  it('shows differences from the provider until an admin settles them [GEN-05]', async () => {
    await world.query(`select private.note_difference('pi_lost', 'missing', 0, 999)`)
    const open = () => world.as(admin, 'select id, cause, kind, actual_cents from public.get_payment_differences()')
    const [difference] = await open()
    expect(difference).toMatchObject({ cause: 'pi_lost', kind: 'missing', actual_cents: '999' })
    const settle = (caller: Person, note: string) =>
      world.as(caller, 'select public.settle_payment_difference($1, $2)', [difference?.id, note])
    await expect(settle(creator, 'Mine')).rejects.toMatchObject(refused)
    await expect(settle(admin, ' ')).rejects.toMatchObject({ constraint: 'settle_payment_difference_note' })
    await settle(admin, 'Booked by hand')
    await expect(settle(admin, 'Again')).rejects.toMatchObject({ code: 'PT404' })
    expect(await open()).toEqual([])
    expect(
      await world.as(admin, 'select details from public.get_audit_log(subject => $1)', [difference?.id]),
    ).toMatchObject([{ details: { cause: 'pi_lost', note: 'Booked by hand' } }])
    await world.query(`select private.note_difference('pi_lost', 'missing', 0, 999)`)
    expect(await open()).toHaveLength(1) // reconciliation still sees it
  })
})

describe('the payments of all users', () => {
  it('are found by the name, username, or email of either side, in pages, only by admins [LOOP-24, D40]', async () => {
    const [payer, other, seller] = [await world.buildPerson(), await world.buildPerson(), await world.buildCreator()]
    const pay = async (cause: string, from: Person, hours: number) => {
      const [paid] = await world.query(
        `select (private.post_payment('tip', $1, $2, $3, 1000, 100, 'usd', now() - $4::int * interval '1 hour')).transaction_id as id`,
        [cause, from.profileId, seller.profileId, hours],
      )
      return paid?.id
    }
    const first = await pay('pi_found_1', payer, 3)
    const second = await pay('pi_found_2', other, 2)
    const third = await pay('pi_found_3', payer, 1)
    const found = async (search: string, rest = '') =>
      (await world.as(admin, `select id from public.get_payments($1${rest})`, [search])).map(({ id }) => id)
    expect(await found(seller.username)).toEqual([third, second, first])
    expect(await found(payer.username.toUpperCase())).toEqual([third, first])
    expect(await found(`${other.username}@`)).toEqual([second])
    expect(await found('nobody at all')).toEqual([])
    const [row] = await world.as(admin, 'select * from public.get_payments($1, 1)', [payer.username])
    expect(row).toMatchObject({
      id: third,
      amount: '1000',
      fee_amount: '100',
      net_amount: '900',
      payer_username: payer.username,
      creator_username: seller.username,
    })
    const next = 'select id from public.get_payments($1, 1, $2, $3)'
    expect(await world.as(admin, next, [payer.username, row?.created_at, row?.id])).toEqual([{ id: first }])
    const newest = await world.as(admin, 'select id from public.get_payments()')
    expect(newest.map(({ id }) => id)).toContain(first)
    for (const caller of [payer, seller])
      await expect(world.as(caller, 'select * from public.get_payments()')).rejects.toMatchObject(refused)
  })
})
