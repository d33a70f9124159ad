import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startGateway({
    env: { API_LIMIT_NEW_CONVERSATIONS: '2', API_LIMIT_MESSAGES: '10', API_LIMIT_POSTS: '6' },
  })
})
afterAll(() => gateway.close())

const asked = { name: 'Ada', email: 'ada@example.com', subject: 'Help', category: 'Other', message: 'Please help' }

async function tokenOf(person: Person): Promise<string> {
  const { data } = await person.client.auth.getSession()
  return data.session?.access_token ?? ''
}

/** A request that a trusted proxy forwards from an address. */
function insert(table: string, body: unknown, from: string, token: string = gateway.secrets.anonKey) {
  return fetch(`${gateway.url}/rest/v1/${table}`, {
    method: 'POST',
    headers: {
      apikey: gateway.secrets.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    body: JSON.stringify(body),
  })
}

describe('support requests of a visitor', () => {
  it('are limited to five an hour for each address, however the table name is encoded, and an IPv6 network counts as one', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      const table = count % 2 === 0 ? 'support_requests' : 's%75pport_requests'
      statuses.push((await insert(table, asked, `2001:db8::${count + 1}`)).status)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201])
    for (const table of ['support_requests', 's%75pport_requests']) {
      const refused = await insert(table, asked, '2001:db8::ffff')
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused.json()).toMatchObject({
        code: 'rate_limited',
        message: expect.stringContaining('The limit is 5 support requests an hour.'),
      })
    }
    expect((await insert('support_requests', asked, '203.0.113.9')).status).toBe(201)
  })

  it('are sent one at a time: 2,000 in one request are rejected, and none is stored', async () => {
    const count = async () =>
      (await gateway.query<{ count: number }>('select count(*)::int from public.support_requests'))[0]?.count
    const before = await count()
    expect((await insert('support_requests', Array(2000).fill(asked), '203.0.113.10')).status).toBe(429)
    const two = await insert('support_requests', [asked, asked], '203.0.113.11')
    expect(two.status).toBe(400)
    expect(await two.json()).toMatchObject({ message: 'You can send one support request at a time.' })
    const { error } = await gateway.anon.from('support_requests').insert(Array(3).fill(asked))
    expect(error).toMatchObject({ message: 'You can send one support request at a time.' })
    expect(await count()).toBe(before)
  })
})

describe('messages', () => {
  it('to new people are limited per hour, in any form, and known people stay reachable', async () => {
    const [sender, first, second, third] = await Promise.all([
      gateway.signUp(),
      gateway.signUp(),
      gateway.signUp(),
      gateway.signUp(),
    ])
    const write = (index: number) => sender.client.from('messages').insert(messages.slice(index, index + 1))
    const messages = [first, second, third].map(({ profileId }) => ({
      sender_id: sender.profileId,
      recipient_id: profileId,
      content: 'hello',
    }))
    const { error: bulk } = await sender.client.from('messages').insert(messages)
    expect(bulk).toMatchObject({ code: 'PT429', message: 'You can start 2 new conversations an hour.' })
    for (const index of [0, 1]) expect((await write(index)).error).toBeNull()
    expect((await write(2)).status).toBe(429)
    expect((await write(0)).error).toBeNull()
    // Replying doesn't start a conversation.
    const answer = { sender_id: third.profileId, recipient_id: sender.profileId, content: 'hello' }
    expect((await third.client.from('messages').insert(answer)).error).toBeNull()
    expect((await write(2)).error).toBeNull()
  })

  it('are unlimited from approved creators to new followers, and limited to strangers', async () => {
    const creator = await buildCreator(gateway)
    const people = await Promise.all([1, 2, 3].map(() => gateway.signUp()))
    const messages = people.map(({ profileId }) => ({
      sender_id: creator.profileId,
      recipient_id: profileId,
      content: 'Welcome',
    }))
    const { error } = await creator.client.from('messages').insert(messages)
    expect(error).toMatchObject({ code: 'PT429', message: 'You can start 2 new conversations an hour.' })
    for (const { client, profileId } of people)
      await client.from('follows').insert({ follower_id: profileId, following_id: creator.profileId }).throwOnError()
    expect((await creator.client.from('messages').insert(messages)).error).toBeNull()
  })

  it('are counted by rows, for each account, from any address', async () => {
    const [sender, other] = await Promise.all([gateway.signUp(), gateway.signUp()])
    const token = await tokenOf(sender)
    const message = { sender_id: sender.profileId, recipient_id: other.profileId, content: 'hello' }
    expect((await insert('messages', Array(8).fill(message), '203.0.113.20', token)).status).toBe(201)
    expect((await insert('messages', Array(3).fill(message), '203.0.113.21', token)).status).toBe(429)
    expect((await insert('messages', Array(2).fill(message), '203.0.113.22', token)).status).toBe(201)
  })
})

it('also count for an account whose requests come from this machine or a trusted network', async () => {
  const { client, profileId } = await gateway.signUp()
  const report = { reporter_id: profileId, target_type: 'profile', target_id: profileId, reason: 'spam' }
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push((await client.from('reports').insert(report)).status)
  expect(statuses.slice(0, 20)).not.toContain(429)
  expect(statuses.at(-1)).toBe(429)
})

it('a scheduled post counts as a post', async () => {
  const creator = await buildCreator(gateway)
  const token = await tokenOf(creator)
  const post = (index: number) => ({ creator_id: creator.profileId, title: `Post ${index}`, content: 'x' })
  const dated = (index: number) => ({ ...post(index), publish_at: new Date(Date.now() + 3_600_000).toISOString() })
  const many = <Row>(build: (index: number) => Row) => Array.from({ length: 3 }, (_, index) => build(index))
  expect((await insert('posts', many(post), '203.0.113.30', token)).status).toBe(201)
  expect((await insert('scheduled_posts', many(dated), '203.0.113.31', token)).status).toBe(201)
  for (const table of ['scheduled_posts', 'posts'])
    expect((await insert(table, many(dated), '203.0.113.32', token)).status).toBe(429)
})

it('one account can try promotion codes twenty times an hour', async () => {
  const person = await gateway.signUp()
  const tryCode = () =>
    person.client.functions.invoke('check-promotion-code', {
      body: { productId: '00000000-0000-0000-0000-000000000001', code: 'GUESS' },
    })
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) {
    const { error } = await tryCode()
    statuses.push((error as { context?: Response } | null)?.context?.status ?? 200)
  }
  expect(statuses.slice(0, 20)).not.toContain(429)
  expect(statuses.at(-1)).toBe(429)
})
