import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

/** Many concurrent requests, through the APIs, for one item each. The loser gets an error; nothing is doubled, and no count is wrong. */
let shop: Shop
let creator: Person
let crowd: Person[]
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  crowd = await Promise.all(Array.from({ length: 8 }, () => shop.gateway.signUp()))
})
afterAll(() => shop?.close())

const times = <Result>(count: number, work: (index: number) => PromiseLike<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const count = async (text: string, values: readonly unknown[]) =>
  (await shop.gateway.query<{ count: number }>(`select count(*)::int as count from ${text}`, [...values]))[0]?.count
const someone = () => crowd[0] as Person

it('a user who presses eight times, on every option, has one vote [NOTI-18, NOTI-19]', async () => {
  const [poll] = await shop.gateway.query<{ id: string }>(
    `insert into public.polls (title, options) values ('Tea or coffee?', '["Tea", "Coffee"]') returning id`,
  )
  const { client, profileId } = someone()
  const votes = await times(8, (index) =>
    client.from('poll_votes').insert({ poll_id: poll?.id, user_id: profileId, option_index: index % 2 }),
  )
  expect(votes.filter(({ error }) => error === null)).toHaveLength(1)
  expect(new Set(votes.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['23505']))
  expect(await count('public.poll_votes where poll_id = $1', [poll?.id])).toBe(1)
})

it('one of eight users gets a username, and the others keep theirs [AUTH-10, SET-12]', async () => {
  const wanted = 'thelastone'
  const claims = await Promise.all(
    crowd.map(({ client, profileId }, index) =>
      client
        .from('profiles')
        .update({ username: index % 2 ? wanted : 'TheLastOne' })
        .eq('id', profileId)
        .select('username'),
    ),
  )
  expect(claims.filter(({ error }) => error === null)).toHaveLength(1)
  expect(await count('private.profiles where lower(username) = $1', [wanted])).toBe(1)
  const kept = crowd.map(({ username }) => username)
  expect(await count('private.profiles where username = any($1)', [kept])).toBe(crowd.length - 1)
})

it('followers are counted exactly while all follow, press twice, and unfollow [PROF-05, PROF-18]', async () => {
  const follow = ({ client, profileId }: Person) =>
    client.from('follows').insert({ follower_id: profileId, following_id: creator.profileId })
  const unfollow = ({ client, profileId }: Person) =>
    client.from('follows').delete().eq('follower_id', profileId).eq('following_id', creator.profileId)
  await Promise.all(crowd.flatMap((person) => [follow(person), follow(person), unfollow(person), follow(person)]))
  const followers = await count('public.follows where following_id = $1', [creator.profileId])
  const { data } = await someone()
    .client.from('profiles')
    .select('followers_count')
    .eq('id', creator.profileId)
    .single()
    .throwOnError()
  expect(data.followers_count).toBe(followers)
  expect(await shop.gateway.query('select * from private.verify_counters()')).toEqual([])
})

it('eight presses with a saved card pay once for a post and for a message [POST-45, MSG-08, D40]', async () => {
  const fan = someone()
  await saveCard(fan)
  const post = await buildPaidPost(creator)
  const { data: message } = await creator.client
    .from('messages')
    .insert({ sender_id: creator.profileId, recipient_id: fan.profileId, content: 'x', is_paid: true, price: 300 })
    .select('id')
    .single()
    .throwOnError()
  const press = (kind: string, targetId: string) =>
    fan.client.functions.invoke('create-payment-checkout', { body: { kind, targetId } })
  const presses = await Promise.all([times(8, () => press('ppv', post)), times(8, () => press('message', message.id))])
  for (const answers of presses) {
    const paid = answers.flatMap(({ data }) => (data?.status === 'paid' ? [data.paymentId] : []))
    expect(new Set(paid).size).toBe(1)
    const refusals = answers.flatMap(({ error }) => (error ? [error.context.status] : []))
    expect(refusals.filter((status) => status !== 409)).toEqual([])
  }
  await shop.settled()
  const { data: charges } = await shop.stripe.charges.list({ limit: 100 })
  expect(charges.map(({ amount, amount_refunded }) => amount - amount_refunded).toSorted()).toEqual([300, 500])
  expect(await count('public.purchases where buyer_id = $1', [fan.profileId])).toBe(1)
  expect(await count('public.message_unlocks where message_id = $1', [message.id])).toBe(1)
  expect(await count('public.transactions where from_user_id = $1', [fan.profileId])).toBe(2)
  await expectBalancedBooks(shop)
})

it('a slot is held for one of eight fans who book it at the same time [PRIV-03, D41]', async () => {
  const { data: offer } = await creator.client
    .from('session_offers')
    .insert({ creator_id: creator.profileId, title: 'An hour', duration_minutes: 60, price_cents: 5_000 })
    .select('id')
    .single()
    .throwOnError()
  const { data: slot } = await creator.client
    .from('session_slots')
    .insert({ offer_id: offer.id, starts_at: new Date(Date.now() + 72 * 3_600_000).toISOString() })
    .select('id')
    .single()
    .throwOnError()
  const answers = await Promise.all(
    crowd.map(({ client }) =>
      client.functions.invoke('create-payment-checkout', {
        body: { kind: 'session', targetId: slot.id, savedCard: 'skip' },
      }),
    ),
  )
  expect(answers.filter(({ error }) => !error)).toHaveLength(1)
  expect(new Set(answers.flatMap(({ error }) => (error ? [error.context.status] : [])))).toEqual(new Set([409]))
  expect(await count('public.session_bookings where slot_id = $1', [slot.id])).toBe(1)
})

async function saveCard(fan: Person): Promise<void> {
  const { url } = await call<{ url: string }>(fan, 'save-card')
  const { location } = await pay(url)
  await call(fan, 'list-saved-cards', { sessionId: new URL(location ?? '').searchParams.get('card') })
}
