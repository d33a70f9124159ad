import { randomUUID } from 'node:crypto'
import { createClient, type RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { limits } from './connection-limits.ts'

type Change = { eventType: string; table: string; new: Record<string, unknown>; old: Record<string, unknown> }

let gateway: TestGateway
let owner: Person
let stranger: Person
const open: RealtimeChannel[] = []

beforeAll(async () => {
  gateway = await startGateway()
  ;[owner, stranger] = await Promise.all([gateway.signUp(), gateway.signUp()])
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((channel) => channel.unsubscribe()))
})
afterAll(() => gateway?.close())

type Listening = { changes: Change[]; statuses: string[]; channel: RealtimeChannel; system: { message: string }[] }

/** Follows a table as a user, and resolves once they are subscribed or rejected. */
async function listen(
  client: Person['client'],
  options: { event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE'; schema?: string; table?: string; filter?: string } = {},
): Promise<Listening> {
  const listening: Omit<Listening, 'channel'> = { changes: [], statuses: [], system: [] }
  const channel = client.channel(`changes-${randomUUID()}`)
  open.push(channel)
  await new Promise<void>((resolve) => {
    channel
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'notifications', ...options } as { event: '*'; schema: string },
        (change) => listening.changes.push(change as unknown as Change),
      )
      .on('system', {}, (message) => listening.system.push(message))
      .subscribe((status, error) => {
        listening.statuses.push(error ? `${status}: ${error.message}` : status)
        resolve()
      })
  })
  return { ...listening, channel }
}

async function notify(person: Person, title = 'Hello'): Promise<string> {
  const [row] = await gateway.query<{ id: string }>(
    `select private.notify($1, 'tip', $2, 'You got a tip', '{"amount": 5}') as id`,
    [person.profileId, title],
  )
  return row?.id ?? ''
}

/** Waits until a forbidden delivery would have arrived: a later one has arrived. */
async function settle() {
  const witness = await listen(owner.client)
  const id = await notify(owner, 'settled')
  await eventually(() => expect(witness.changes.map((change) => change.new.id)).toContain(id))
}

describe('a new notification', () => {
  it('reaches its owner live, and nobody else [NOTI-14, API-RT-02, API-RT-04]', async () => {
    const [own, others, visitor] = [
      await listen(owner.client),
      await listen(stranger.client),
      await listen(gateway.anon),
    ]
    expect([own.statuses, others.statuses, visitor.statuses]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED'], ['SUBSCRIBED']])
    const id = await notify(owner)
    await eventually(() => expect(own.changes).toHaveLength(1))
    expect(own.changes[0]).toMatchObject({
      eventType: 'INSERT',
      schema: 'public',
      table: 'notifications',
      commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      errors: null,
      new: { id, user_id: owner.profileId, type: 'tip', title: 'Hello', is_read: false, data: { amount: 5 } },
    })
    expect(own.changes[0]?.old).toEqual({})
    expect(own.system).toMatchObject([{ status: 'ok', message: 'Subscribed to PostgreSQL' }])
    await settle()
    expect(others.changes).toEqual([])
    expect(visitor.changes).toEqual([])
  })

  it('is sent again when it is read and when it is deleted, with only the key of the old row [API-RT-01]', async () => {
    const [own, others] = [await listen(owner.client), await listen(stranger.client)]
    const id = await notify(owner)
    await gateway.query('update public.notifications set is_read = true where id = $1', [id])
    await gateway.query('delete from public.notifications where id = $1', [id])
    await eventually(() => expect(own.changes.at(-1)?.eventType).toBe('DELETE'))
    // The row may have been deleted before the query.
    expect([own.changes.at(-1)?.new, own.changes.at(-1)?.old]).toEqual([{}, { id }])
    const kept = await notify(owner)
    await gateway.query('update public.notifications set is_read = true where id = $1', [kept])
    await eventually(() => expect(own.changes.at(-1)?.eventType).toBe('UPDATE'))
    expect(own.changes.at(-1)).toMatchObject({ new: { id: kept, is_read: true }, old: { id: kept } })
    await settle()
    expect(others.changes).toEqual([])
  })

  it('arrives from the month that it is stored in, also from a new one, and not again when it moves to its month [API-RT-02, SCALE-05]', async () => {
    const own = await listen(owner.client)
    const insert = async (title: string) => {
      const [row] = await gateway.query<{ id: string; place: string }>(
        `insert into public.notifications (user_id, type, title, created_at)
         values ($1, 'tip', $2, now() - interval '100 days') returning id, tableoid::regclass::text as place`,
        [owner.profileId, title],
      )
      return row ?? { id: '', place: '' }
    }
    // A row that is deleted before it is read reaches nobody.
    const hears = (...expected: [string, string][]) =>
      eventually(() =>
        expect(own.changes.map(({ table, eventType, new: row, old }) => [table, eventType, row.id ?? old.id])).toEqual(
          expected.map(([eventType, id]) => ['notifications', eventType, id]),
        ),
      )
    const early = await insert('before there is a partition')
    await hears(['INSERT', early.id])
    await gateway.query(`select private.create_partitions('public.notifications')`)
    const late = await insert('after')
    expect([early.place, late.place]).toEqual([
      'private.notifications_earlier',
      expect.stringMatching(/^private\.notifications_\d{6}$/),
    ])
    await gateway.query('update public.notifications set is_read = true where id = $1', [late.id])
    const heard: [string, string][] = [
      ['INSERT', early.id],
      ['INSERT', late.id],
      ['UPDATE', late.id],
    ]
    await hears(...heard)
    // As the next like does with a grouped notification: it comes to this month.
    await gateway.query('update public.notifications set created_at = now() where id = $1', [late.id])
    heard.push(['DELETE', late.id], ['INSERT', late.id])
    await hears(...heard)
    await gateway.query('delete from public.notifications where id = $1', [early.id])
    await hears(...heard, ['DELETE', early.id])
  })

  it('arrives in the order of the commits [API-RT-02]', async () => {
    const own = await listen(owner.client, { event: 'INSERT' })
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push(await notify(owner, `n${count}`))
    await eventually(() => expect(own.changes).toHaveLength(20))
    expect(own.changes.map((change) => change.new.id)).toEqual(ids)
  })
})

describe('the bindings of a channel', () => {
  it('match by event and filter [API-RT-02]', async () => {
    const deleted = await listen(owner.client, { event: 'DELETE', filter: `user_id=eq.${owner.profileId}` })
    const mine = await listen(owner.client, { event: 'INSERT', filter: `user_id=eq.${owner.profileId}` })
    const foreign = await listen(owner.client, { event: 'INSERT', filter: `user_id=eq.${stranger.profileId}` })
    const typed = await listen(owner.client, { filter: 'title=in.(a,"b,c")' })
    const id = await notify(owner, 'b,c')
    const other = await notify(owner, 'a')
    await notify(owner, 'b')
    await notify(stranger, 'a')
    await eventually(() => expect(mine.changes).toHaveLength(3))
    await gateway.query('delete from public.notifications where id = $1', [id])
    await eventually(() => expect(deleted.changes).toHaveLength(1))
    await settle()
    expect(deleted.changes.map(({ eventType }) => eventType)).toEqual(['DELETE'])
    expect(new Set(mine.changes.map(({ eventType }) => eventType))).toEqual(new Set(['INSERT']))
    expect(foreign.changes).toEqual([])
    // Only the key of a deleted row is left, so no condition on a title can match it.
    expect(typed.changes.map(({ eventType, new: row, old }) => [eventType, row.id ?? old.id])).toEqual([
      ['INSERT', id],
      ['INSERT', other],
      ['DELETE', id],
    ])
  })

  it.each([
    ['a table that is not followed', { table: 'audit_log' }],
    ['a missing table', { table: 'nonsense' }],
    ['a filter on a missing column', { filter: 'nonsense=eq.1' }],
    ['an invalid filter', { filter: 'title=resembles.x' }],
    ['a filter with a value of another type', { filter: 'user_id=eq.seven' }],
    ['an invalid regular expression', { filter: 'title=match.(' }],
    ['a table of another schema', { table: 'messages', schema: 'realtime' }],
  ])('are rejected with the reason: %s [API-RT-04]', async (_what, options) => {
    const { statuses, channel } = await listen(owner.client, options)
    expect(statuses[0]).toMatch(/^CHANNEL_ERROR: (Unable to subscribe to changes|Error parsing filter params)/)
    await channel.unsubscribe()
  })

  it('end when the channel is left [API-RT-01]', async () => {
    const own = await listen(owner.client)
    await own.channel.unsubscribe()
    await notify(owner)
    await settle()
    expect(own.changes).toEqual([])
    expect(own.statuses).toEqual(['SUBSCRIBED', 'CLOSED'])
  })

  it('reject private channels that no policy opens [API-RT-04]', async () => {
    const channel = owner.client.channel('secret', { config: { private: true } })
    open.push(channel)
    const status = await new Promise<string>((resolve) => {
      channel.subscribe((state, error) => resolve(`${state}: ${error?.message}`))
    })
    expect(status).toBe(
      'CHANNEL_ERROR: Unauthorized: You do not have permissions to read from this Channel topic: secret',
    )
  })
})

describe('a table that clients see through a view', () => {
  const text = 'For my subscribers only. '.repeat(10)

  it('arrives as the view shows it to each receiver: masked, or whole [POST-11, POST-46, API-RT-04]', async () => {
    await gateway.query(
      `update private.profiles set is_verified = true, stripe_account_id = 'acct_x', stripe_charges_enabled = true where id = $1`,
      [owner.profileId],
    )
    const [plan] = await gateway.query<{ id: string }>(
      `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Gold', 999, 'month') returning id`,
      [owner.profileId],
    )
    const [creator, fan, visitor] = [
      await listen(owner.client, { table: 'posts' }),
      await listen(stranger.client, { table: 'posts' }),
      await listen(gateway.anon, { table: 'posts' }),
    ]
    const [post] = await gateway.query<{ id: string }>(
      `insert into public.posts (creator_id, content, post_type, required_tier_id) values ($1, $2, 'subscription', $3) returning id`,
      [owner.profileId, text, plan?.id],
    )
    await eventually(() => expect([creator, fan, visitor].map(({ changes }) => changes.length)).toEqual([1, 1, 1]))
    expect(creator.changes[0]).toMatchObject({ table: 'posts', new: { id: post?.id, content: text, is_locked: false } })
    for (const { changes } of [fan, visitor]) {
      expect(changes[0]).toMatchObject({ schema: 'public', new: { content: text.slice(0, 100), is_locked: true } })
    }
    await gateway.query('update private.profiles set is_private = true where id = $1', [owner.profileId])
    await gateway.query('delete from private.posts where id = $1', [post?.id])
    await eventually(() => expect(creator.changes.at(-1)).toMatchObject({ eventType: 'DELETE', old: { id: post?.id } }))
    await settle()
    expect(fan.changes.map(({ eventType }) => eventType)).not.toContain('DELETE') // of a private profile
  })

  it('is filtered by what the receiver sees, so that a filter reveals nothing that is masked [POST-11, API-RT-04]', async () => {
    const secret = `${'x'.repeat(100)} the secret`
    const asked = {
      whole: await listen(stranger.client, { table: 'posts', filter: `content=eq.${secret}` }),
      'by pattern': await listen(stranger.client, { table: 'posts', filter: 'content=like.%secret%' }),
      'by expression': await listen(stranger.client, { table: 'posts', filter: 'content=match.secret$' }),
      'not so': await listen(stranger.client, { table: 'posts', filter: 'content=not.like.%secret%' }),
      'what is shown': await listen(stranger.client, {
        table: 'posts',
        filter: `content=match.^x{100}$,is_locked=is.true`,
      }),
      'another column': await listen(stranger.client, { table: 'posts', filter: `creator_id=eq.${owner.profileId}` }),
      'a file': await listen(stranger.client, { table: 'posts', filter: 'media_urls=like.%jpg%' }),
      owner: await listen(owner.client, { table: 'posts', filter: 'content=match.secret$' }),
    }
    await gateway.query('update private.profiles set is_private = false where id = $1', [owner.profileId])
    const [post] = await gateway.query<{ id: string }>(
      `insert into private.posts (creator_id, content, post_type, ppv_price) values ($1, $2, 'ppv', 500) returning id`,
      [owner.profileId, secret],
    )
    await eventually(() => expect(asked['another column'].changes).toHaveLength(1))
    await gateway.query(`update private.posts set title = 'New' where id = $1`, [post?.id])
    await eventually(() => expect(asked['another column'].changes).toHaveLength(2))
    await gateway.query('delete from private.posts where id = $1', [post?.id])
    await eventually(() => expect(asked['another column'].changes.at(-1)?.eventType).toBe('DELETE'))
    const heard = Object.fromEntries(
      Object.entries(asked).map(([name, { changes }]) => [name, changes.map(({ eventType }) => eventType[0]).join('')]),
    )
    // A deletion is matched only by columns that everyone can see.
    expect(heard).toEqual({
      whole: '',
      'by pattern': '',
      'by expression': '',
      'not so': 'IU',
      'what is shown': 'IU',
      'another column': 'IUD',
      'a file': '',
      owner: 'IU',
    })
    expect(asked['another column'].changes[1]?.new).toMatchObject({ title: 'New', content: 'x'.repeat(100) })
  })

  it('delivers changes that the screens follow: comments, messages, poll votes, profiles [MSG-11, API-RT-03, D21]', async () => {
    const [mine, theirs] = [
      await listen(stranger.client, { table: 'messages', filter: `recipient_id=eq.${stranger.profileId}` }),
      await listen(gateway.anon, { table: 'messages' }),
    ]
    const [comments, profile] = [
      await listen(stranger.client, { table: 'comments' }),
      await listen(gateway.anon, { table: 'profiles', filter: `id=eq.${owner.profileId}` }),
    ]
    await owner.client
      .from('messages')
      .insert({ sender_id: owner.profileId, recipient_id: stranger.profileId, content: 'Hi' })
    const { data: post } = await owner.client
      .from('posts')
      .insert({ creator_id: owner.profileId, content: 'Free', post_type: 'free' })
      .select('id')
      .single()
    await owner.client.from('comments').insert({ post_id: post?.id, user_id: owner.profileId, content: 'First' })
    await eventually(() => expect(mine.changes[0]).toMatchObject({ eventType: 'INSERT', new: { content: 'Hi' } }))
    await eventually(() => expect(comments.changes[0]).toMatchObject({ new: { content: 'First' } }))
    await stranger.client.from('follows').insert({ follower_id: stranger.profileId, following_id: owner.profileId })
    await eventually(() =>
      expect(profile.changes.at(-1)?.new).toMatchObject({ followers_count: 1, total_earnings: null }),
    )
    expect(theirs.changes).toEqual([])
  })

  it('brings both users, and nobody else, a reaction, and a reply with what each may see of the quoted message [INBOX-06, API-RT-04]', async () => {
    const [paid] = await gateway.query<{ id: string }>(
      `insert into private.messages (sender_id, recipient_id, body, is_paid, price) values ($1, $2, 'The hidden words', true, 500) returning id`,
      [owner.profileId, stranger.profileId],
    )
    const [received, sent, others] = [
      await listen(stranger.client, { table: 'messages', filter: `recipient_id=eq.${stranger.profileId}` }),
      await listen(owner.client, { table: 'messages', filter: `sender_id=eq.${owner.profileId}` }),
      await listen((await gateway.signUp()).client, { table: 'messages' }),
    ]
    await owner.client.rpc('react_to_message', { message_id: paid?.id ?? '', emoji: '🔥' }).throwOnError()
    for (const { changes } of [received, sent])
      await eventually(() =>
        expect(changes.at(-1)).toMatchObject({ eventType: 'UPDATE', new: { id: paid?.id, sender_reaction: '🔥' } }),
      )
    const reply = { sender_id: owner.profileId, recipient_id: stranger.profileId, content: 'Look', quoted_id: paid?.id }
    await owner.client.from('messages').insert(reply).throwOnError()
    const quote = { sender_id: owner.profileId, is_locked: true }
    await eventually(() => expect(received.changes.at(-1)?.new).toMatchObject({ content: 'Look', quote }))
    await eventually(() =>
      expect(sent.changes.at(-1)?.new).toMatchObject({
        quote: { sender_id: owner.profileId, is_locked: false, text: 'The hidden words' },
      }),
    )
    expect(JSON.stringify(received.changes)).not.toContain('hidden words')
    expect(others.changes).toEqual([])
  })

  it('tells both users, and nobody else, that a message was unsent [INBOX-07]', async () => {
    const message = { sender_id: owner.profileId, recipient_id: stranger.profileId, content: 'A slip' }
    const { data } = await owner.client.from('messages').insert(message).select('id').single().throwOnError()
    const [received, sent, others] = [
      await listen(stranger.client, { table: 'messages', filter: `recipient_id=eq.${stranger.profileId}` }),
      await listen(owner.client, { table: 'messages', filter: `sender_id=eq.${owner.profileId}` }),
      await listen((await gateway.signUp()).client, { table: 'messages' }),
    ]
    await owner.client.rpc('unsend_message', { message_id: data.id }).throwOnError()
    for (const { changes } of [received, sent])
      await eventually(() => expect(changes.at(-1)).toMatchObject({ eventType: 'DELETE', old: { id: data.id } }))
    // On a busy machine, the log brings the message itself after they listen.
    expect(JSON.stringify(received.changes.at(-1))).not.toContain('A slip')
    expect(others.changes).toEqual([])
  })
})

describe('an operator’s table [API-RT-02]', () => {
  const columns = `id int primary key, big bigint, price numeric, ratio float8, is_on bool, day date, at timestamptz, word text, tags text[],
    numbers int4[], told jsonb, whole int4range, secret text`
  const first = `(1, 9007199254740991, 12.50, 0.5, true, '2026-01-02', '2026-01-02T03:04:05.678901Z', 'a,b', '{x,"y z"}', '{1,2}',
    '{"deep": [1]}', '[1,5)', 'hush')`
  const readable = 'id, big, price, ratio, is_on, day, at, word, tags, numbers, told, whole'

  beforeAll(async () => {
    await gateway.query(`create table public.shelf (${columns})`)
    await gateway.query(`grant select (${readable}) on public.shelf to authenticated`)
    await gateway.query('alter table public.shelf replica identity full')
    await gateway.query('alter publication supabase_realtime add table public.shelf')
  })

  it('arrives in the types that the client expects, without unreadable columns, and with the old row', async () => {
    const shelf = await listen(owner.client, { table: 'shelf' })
    const steps = [
      `insert into public.shelf values ${first}`,
      'update public.shelf set price = 13',
      'delete from public.shelf',
    ]
    for (const [index, step] of steps.entries()) {
      await gateway.query(step)
      await eventually(() => expect(shelf.changes).toHaveLength(index + 1))
    }
    const row = {
      id: 1,
      big: 9007199254740991,
      ratio: 0.5,
      is_on: true,
      day: '2026-01-02',
      word: 'a,b',
      tags: ['x', 'y z'],
      numbers: [1, 2],
      told: { deep: [1] },
    }
    const [inserted, updated, deleted] = shelf.changes
    expect(inserted).toMatchObject({ eventType: 'INSERT', new: row })
    expect(updated).toMatchObject({ eventType: 'UPDATE', new: { ...row, price: 13 }, old: { ...row, price: 12.5 } })
    expect(deleted).toMatchObject({ eventType: 'DELETE', old: { ...row, price: 13 } })
    expect([inserted?.old, deleted?.new]).toEqual([{}, {}])
    expect(new Date(String(updated?.old.at)).toISOString()).toBe('2026-01-02T03:04:05.678Z')
    expect(JSON.stringify(shelf.changes)).not.toContain('hush')
  })

  it.each([
    ['big=eq.9007199254740991', true],
    ['big=neq.9007199254740991', false],
    ['price=lt.12.6', true],
    ['price=lt.12.50', false],
    ['price=lte.12.50', true],
    ['at=gt.2026-01-02T03:04:05.678900Z', true],
    ['at=gt.2026-01-02T03:04:05.678901Z', false],
    ['day=gte.2026-01-02', true],
    ['word=in.("a,b",c)', true],
    ['word=in.(a,b)', false],
    ['is_on=is.true', true],
    ['word=like.a%', true],
    ['word=ilike.A_B', true],
    ['word=not.match.^a', false],
    ['word=imatch.^A', true],
    ['ratio=isdistinct.0.5', false],
    ['id=eq.1,price=gt.100', false],
  ])('is filtered by %s', async (filter, isMet) => {
    const [filtered, all] = [
      await listen(owner.client, { table: 'shelf', event: 'INSERT', filter }),
      await listen(owner.client, { table: 'shelf', event: 'DELETE' }),
    ]
    expect(filtered.statuses).toEqual(['SUBSCRIBED'])
    await gateway.query(`insert into public.shelf values ${first}`)
    if (isMet) await eventually(() => expect(filtered.changes).toHaveLength(1))
    await gateway.query('delete from public.shelf')
    await eventually(() => expect(all.changes).toHaveLength(1))
    expect(filtered.changes).toHaveLength(isMet ? 1 : 0)
  })

  it('rejects a filter on an unreadable column, and too many bindings [API-RT-04]', async () => {
    const { statuses } = await listen(owner.client, { table: 'shelf', filter: 'secret=eq.hush' })
    expect(statuses[0]).toMatch(/^CHANNEL_ERROR: Unable to subscribe to changes/)
    const channel = owner.client.channel('many')
    open.push(channel)
    for (let count = 0; count <= limits.maxBindingsPerChannel; count++)
      channel.on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'shelf', filter: `id=eq.${count}` },
        () => undefined,
      )
    const refusal = await new Promise<string>((resolve) =>
      channel.subscribe((_status, error) => resolve(`${error?.message}`)),
    )
    expect(refusal).toBe(`postgres_changes is a list of at most ${limits.maxBindingsPerChannel}`)
  })
})

describe('a token', () => {
  async function clientWith(token: string) {
    const client = createClient(gateway.url, gateway.secrets.anonKey, { accessToken: async () => token })
    await client.realtime.setAuth() // otherwise the join may be sent without a token
    return client
  }
  const claimsOf = (person: Person) => ({ sub: person.userId, role: 'authenticated', aud: 'authenticated' })

  it('that expires closes the channel with the reason [API-RT-04]', async () => {
    const client = await clientWith(await gateway.services.tokens.sign(claimsOf(owner), 5))
    const { channel, system, statuses } = await listen(client)
    expect(statuses).toEqual(['SUBSCRIBED'])
    await eventually(() => expect(channel.state).toBe('closed'))
    expect(system.at(-1)).toMatchObject({
      status: 'error',
      extension: 'system',
      // Checked once a second, so it may have happened by now.
      message: expect.stringMatching(/^Token has expired [01] seconds ago$/),
    })
    expect(statuses).toEqual(['SUBSCRIBED', 'CLOSED'])
    await client.realtime.disconnect()
  })

  it('that is renewed in time keeps the channel open, with the permissions of its user [API-RT-04]', async () => {
    let token = await gateway.services.tokens.sign(claimsOf(stranger), 5)
    const client = createClient(gateway.url, gateway.secrets.anonKey, { accessToken: async () => token })
    await client.realtime.setAuth()
    const listening = await listen(client)
    token = await gateway.services.tokens.sign(claimsOf(owner), 3600)
    await client.realtime.setAuth()
    await new Promise((resolve) => setTimeout(resolve, 5_500))
    expect(listening.channel.state).toBe('joined')
    const id = await notify(owner)
    await eventually(() => expect(listening.changes.map((change) => change.new.id)).toContain(id))
    await client.realtime.disconnect()
  })

  it.each([
    ['forged', async () => 'a.b.c', /MalformedJWT/],
    ['expired', () => gateway.services.tokens.sign(claimsOf(owner), -60), /InvalidJWTToken: Token has expired/],
  ])('that is %s is rejected [API-RT-04]', async (_what, makeToken, reason) => {
    const client = await clientWith(await makeToken())
    const { statuses } = await listen(client)
    expect(statuses[0]).toMatch(reason)
    await client.realtime.disconnect()
  })
})
