import { randomUUID } from 'node:crypto'
import { startGateway, type TestGateway } from '@ovation/server/testing/gateway'
import type { RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'

/** What the official client makes of these tables: joins through views, masks over realtime. The rules themselves are tested beside them. */
type Person = Awaited<ReturnType<TestGateway['signUp']>>
type Change = { eventType: string; new: Record<string, unknown> }

let gateway: TestGateway
let creator: Person
let fan: Person
let stranger: Person
const open: RealtimeChannel[] = []
beforeAll(async () => {
  gateway = await startGateway()
  ;[creator, fan, stranger] = await Promise.all([gateway.signUp(), gateway.signUp(), gateway.signUp()])
  await gateway.query('update private.profiles set is_verified = true where id = $1', [creator.profileId])
})
afterAll(async () => {
  await Promise.all(open.map((channel) => channel.unsubscribe()))
  await gateway?.close()
})

async function listen(person: Person, table: string, filter?: string): Promise<Change[]> {
  const changes: Change[] = []
  const channel = person.client.channel(`live-${randomUUID()}`)
  open.push(channel)
  const status = await new Promise<string>((resolve) => {
    channel
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table, ...(filter && { filter }) } as { event: '*'; schema: string },
        (change) => changes.push(change as unknown as Change),
      )
      .subscribe((state) => resolve(state))
  })
  expect(status).toBe('SUBSCRIBED')
  return changes
}
const send = (message: { content: string; is_paid?: boolean; price?: number }) =>
  creator.client
    .from('messages')
    .insert({ sender_id: creator.profileId, recipient_id: fan.profileId, ...message })
    .select()
    .single()
    .throwOnError()

describe('messages', () => {
  it('join both profiles, take or-conditions, and count what is unread [API-REST-09, API-REST-10, API-REST-11]', async () => {
    await send({ content: 'Hello' })
    const [me, other] = [fan.profileId, creator.profileId]
    const { data } = await fan.client
      .from('messages')
      .select(
        'content, sender:profiles!messages_sender_id_fkey(id, username), recipient:profiles!messages_recipient_id_fkey(id)',
      )
      .or(`and(sender_id.eq.${other},recipient_id.eq.${me}),and(sender_id.eq.${me},recipient_id.eq.${other})`)
      .order('created_at')
      .throwOnError()
    expect(data).toEqual([
      { content: 'Hello', sender: { id: other, username: creator.username }, recipient: { id: me } },
    ])
    const { count } = await fan.client
      .from('messages')
      .select('*', { count: 'exact', head: true })
      .eq('recipient_id', me)
      .eq('is_read', false)
      .throwOnError()
    expect(count).toBe(1)
    const { data: read } = await fan.client
      .from('messages')
      .update({ is_read: true })
      .eq('recipient_id', me)
      .select('is_read')
      .throwOnError()
    expect(read).toEqual([{ is_read: true }])
  })

  it('reach both users live, locked until paid, and reach no one else [MSG-09, MSG-11, API-RT-04]', async () => {
    const [seller, buyer, other] = [
      await listen(creator, 'messages'),
      await listen(fan, 'messages', `recipient_id=eq.${fan.profileId}`),
      await listen(stranger, 'messages'),
    ]
    const guesses = [await listen(fan, 'messages', 'content=eq.secret'), await listen(fan, 'messages', 'content=gt.a')]
    const { data: sent } = await send({ content: 'secret', is_paid: true, price: 500 })
    await eventually(() => expect([seller.length, buyer.length]).toEqual([1, 1]))
    expect(seller[0]?.new).toMatchObject({ id: sent?.id, content: 'secret', is_locked: false })
    expect(buyer[0]?.new).toMatchObject({ id: sent?.id, content: null, is_locked: true, price: 500 })
    // A filter on a masked column could reveal its value, so it is evaluated on what the listener sees.
    const heard = () => guesses.map(({ length }) => length)
    expect(heard()).toEqual([0, 0])
    await gateway.query(`select private.open_message($1, $2, null)`, [fan.profileId, sent?.id])
    await eventually(() => expect(buyer).toHaveLength(2))
    expect(buyer[1]).toMatchObject({ eventType: 'UPDATE', new: { content: 'secret', is_unlocked: true } })
    // Each guess hears of the change alone: had the message itself come late, there would be an INSERT before it.
    const told = () => guesses.map((changes) => changes.map(({ eventType }) => eventType))
    await eventually(() => expect(told()).toEqual([['UPDATE'], ['UPDATE']]))
    expect(other).toEqual([])
  })

  it('are rejected with messages that a screen can show [MSG-12, MSG-15]', async () => {
    await fan.client
      .from('user_settings')
      .update({ privacy: { allowDirectMessages: false } })
      .eq('user_id', fan.profileId)
    const { error, status } = await stranger.client
      .from('messages')
      .insert({ sender_id: stranger.profileId, recipient_id: fan.profileId, content: 'Hello?' })
    expect([status, error?.message]).toEqual([403, "This user doesn't accept messages from you"])
    const { data } = await stranger.client.rpc('can_message', { recipient_profile_id: fan.profileId }).throwOnError()
    expect(data).toBe(false)
  })
})

describe('polls', () => {
  it('come with the notification, and votes arrive live [NOTI-16, API-REST-13, API-REST-38, API-RT-03]', async () => {
    await gateway.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [creator.userId])
    const { data: poll } = await creator.client
      .from('polls')
      .insert({ title: 'Tea?', options: JSON.stringify(['Yes', 'No']) })
      .select('id')
      .single()
      .throwOnError()
    const { data: told } = await creator.client
      .rpc('broadcast_notification_to_all_users', {
        notification_type: 'poll',
        notification_title: 'A question',
        notification_message: '',
        notification_data: { poll_id: poll.id },
        poll_ref: poll.id,
      })
      .throwOnError()
    expect(told).toBe(3)
    const { data: bell } = await fan.client
      .from('notifications')
      .select('type, poll:polls(id, title, options)')
      .eq('type', 'poll')
      .throwOnError()
    expect(bell).toEqual([{ type: 'poll', poll: { id: poll.id, title: 'Tea?', options: '["Yes","No"]' } }])
    const votes = await listen(stranger, 'poll_votes', `poll_id=eq.${poll.id}`)
    const cast = { poll_id: poll.id, user_id: fan.profileId, option_index: 1 }
    await fan.client.from('poll_votes').insert(cast).throwOnError()
    await eventually(() => expect(votes).toHaveLength(1))
    expect(votes[0]?.new).toMatchObject(cast)
    const { data: voters } = await stranger.client
      .from('poll_votes')
      .select('option_index, voter:profiles(username)')
      .eq('poll_id', poll.id)
      .throwOnError()
    expect(voters).toEqual([{ option_index: 1, voter: { username: fan.username } }])
    expect((await fan.client.from('poll_votes').insert(cast)).error?.code).toBe('23505')
  })
})

describe('a support request', () => {
  it("is accepted from a visitor, who can't read it afterwards [SUPP-13, API-REST-34]", async () => {
    const request = { name: 'Ada', email: 'ada@example.com', subject: 'Help', message: 'Please', user_id: null }
    expect((await gateway.anon.from('support_requests').insert(request)).status).toBe(201)
    expect((await gateway.anon.from('support_requests').select('id')).error).not.toBeNull()
    const { error, status } = await gateway.anon.from('support_requests').insert({ ...request, subject: ' ' })
    expect([status, error?.message]).toEqual([400, 'Please fill in all required fields.'])
  })
})

describe('notifications', () => {
  it('are filtered by what they are about: comments are mentions, and likes are not [LOOP-17]', async () => {
    const { data: post } = await creator.client
      .from('posts')
      .insert({ creator_id: creator.profileId, title: 'The pier', content: 'words', post_type: 'free' })
      .select('id')
      .single()
      .throwOnError()
    const about = { post_id: post.id, user_id: fan.profileId }
    await fan.client.from('post_likes').insert(about).throwOnError()
    await fan.client
      .from('comments')
      .insert({ ...about, content: 'Lovely' })
      .throwOnError()
    const { data } = await creator.client
      .from('notifications')
      .select('title, message, profile_id:data->>profile_id')
      .like('data->>group', 'comment:%')
      .order('created_at', { ascending: false })
      .throwOnError()
    expect(data).toEqual([
      { title: `${fan.username} commented on your post`, message: '"The pier"', profile_id: fan.profileId },
    ])
  })
})
