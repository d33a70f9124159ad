import { randomUUID } from 'node:crypto'
import { createClient, type RealtimeChannel, type RealtimeChannelOptions } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let ada: Person
let bob: Person
let eve: Person
const open: RealtimeChannel[] = []

beforeAll(async () => {
  gateway = await startGateway()
  ;[ada, bob, eve] = await Promise.all([gateway.signUp(), gateway.signUp(), gateway.signUp()])
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((channel) => channel.unsubscribe()))
})
afterAll(() => gateway?.close())

type Heard = { event: string; payload: Record<string, unknown>; meta?: Record<string, unknown> }
type Joined = { channel: RealtimeChannel; heard: Heard[]; statuses: string[] }

async function join(
  client: Person['client'],
  topic: string,
  config: RealtimeChannelOptions['config'] = {},
): Promise<Joined> {
  const channel = client.channel(topic, { config: { private: true, ...config } })
  open.push(channel)
  const joined: Joined = { channel, heard: [], statuses: [] }
  channel.on('broadcast', { event: '*' }, (message) => joined.heard.push(message as unknown as Heard))
  channel.on('presence', { event: 'sync' }, () => undefined)
  await new Promise<void>((resolve) => {
    channel.subscribe((status, error) => {
      joined.statuses.push(error ? `${status}: ${error.message}` : status)
      resolve()
    })
  })
  return joined
}

const conversation = (...people: readonly Person[]) =>
  ['conversation', ...people.map(({ profileId }) => profileId).toSorted()].join(':')
const refusal = (topic: string) =>
  `CHANNEL_ERROR: Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`
const typing = { type: 'broadcast', event: 'typing', payload: { typing: true } } as const

describe('a conversation', () => {
  it('shows its two users when the other is typing and online, and nobody else [MSG-11, SET-19, GEN-35]', async () => {
    const topic = conversation(ada, bob)
    const [one, other] = [await join(ada.client, topic, { broadcast: { ack: true } }), await join(bob.client, topic)]
    expect([one.statuses, other.statuses]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']])
    expect(await one.channel.send(typing)).toBe('ok')
    await eventually(() => expect(other.heard).toMatchObject([{ event: 'typing', payload: { typing: true } }]))
    expect(await one.channel.track({ here: true })).toBe('ok')
    await eventually(() => expect(Object.values(other.channel.presenceState())).toMatchObject([[{ here: true }]]))
    for (const outsider of [eve.client, gateway.anon]) {
      expect((await join(outsider, topic)).statuses).toEqual([refusal(topic)])
    }
  })

  it('is separate from the public room of the same name [GEN-35]', async () => {
    const topic = conversation(ada, bob)
    const [inside, outside] = [await join(ada.client, topic), await join(eve.client, topic, { private: false })]
    const speaker = await join(bob.client, topic, { broadcast: { ack: true } })
    const shouter = await join(gateway.anon, topic, { private: false, broadcast: { ack: true } })
    // Two messages each: the second shows that the other's first is not still in transit.
    for (let turn = 0; turn < 2; turn++) {
      expect(await speaker.channel.send(typing)).toBe('ok')
      expect(await shouter.channel.send({ ...typing, event: 'forged' })).toBe('ok')
    }
    await eventually(() => expect(inside.heard.map(({ event }) => event)).toEqual(['typing', 'typing']))
    await eventually(() => expect(outside.heard.map(({ event }) => event)).toEqual(['forged', 'forged']))
  })

  it('rejects typing events for a user who accepts no messages [SET-20, D9]', async () => {
    const shy = await gateway.signUp()
    await shy.client
      .from('user_settings')
      .update({ privacy: { allowDirectMessages: false } })
      .eq('user_id', shy.profileId)
    const topic = conversation(ada, shy)
    const [sender, receiver] = [
      await join(ada.client, topic, { broadcast: { ack: true } }),
      await join(shy.client, topic),
    ]
    expect(await sender.channel.send(typing)).toBe('error')
    expect(receiver.heard).toEqual([])
  })

  it('ends with a block [D39]', async () => {
    const gone = await gateway.signUp()
    const topic = conversation(ada, gone)
    await ada.client.from('blocks').insert({ blocker_id: ada.profileId, blocked_id: gone.profileId })
    expect((await join(ada.client, topic)).statuses).toEqual([refusal(topic)])
    expect((await join(gone.client, topic)).statuses).toEqual([refusal(topic)])
  })
})

describe('a user’s own topic', () => {
  it('shows others that the user is online, unless that is hidden [SET-19]', async () => {
    const hidden = await gateway.signUp()
    await hidden.client
      .from('user_settings')
      .update({ privacy: { showOnlineStatus: false } })
      .eq('user_id', hidden.profileId)
    const mine = await join(ada.client, `user:${ada.profileId}`)
    expect(await mine.channel.track({})).toBe('ok')
    const watching = await join(bob.client, `user:${ada.profileId}`)
    await eventually(() => expect(Object.keys(watching.channel.presenceState())).toHaveLength(1))
    expect(await watching.channel.track({})).toBe('error')
    const own = await join(hidden.client, `user:${hidden.profileId}`)
    expect(await own.channel.track({})).toBe('error')
    const topic = `user:${hidden.profileId}`
    expect((await join(bob.client, topic)).statuses).toEqual([refusal(topic)])
    expect((await join(gateway.anon, `user:${ada.profileId}`)).statuses).toEqual([refusal(`user:${ada.profileId}`)])
  })

  it('delivers server messages to its owner alone [GEN-35]', async () => {
    const topic = `user:${bob.profileId}`
    const [own, watching] = [
      await join(bob.client, topic, { broadcast: { replication_ready: true, ack: true } }),
      await join(ada.client, topic),
    ]
    await gateway.query(`select realtime.send('{"n": 1}', 'news', $1)`, [topic])
    await eventually(() => expect(own.heard).toHaveLength(1))
    expect(own.heard[0]).toMatchObject({ event: 'news', payload: { n: 1, id: expect.any(String) } })
    expect(await own.channel.track({ here: true })).toBe('ok')
    await eventually(() => expect(Object.values(watching.channel.presenceState())).toMatchObject([[{ here: true }]]))
    expect(watching.heard).toEqual([])
    expect(await own.channel.send({ ...typing, event: 'forged' })).toBe('error')
    const http = bob.client.channel(topic, { config: { private: true } })
    await expect(http.httpSend('forged', {})).rejects.toThrow(
      'You do not have permissions to write to this Channel topic',
    )
  })
})

describe('an operator’s own policies', () => {
  it('allow users to receive, send, and be present, each separately', async () => {
    await gateway.query(`create policy hall_hear on realtime.messages for select to authenticated
      using ((select realtime.topic()) = 'hall' and extension = 'broadcast')`)
    await gateway.query(`create policy hall_say on realtime.messages for insert to authenticated
      with check ((select realtime.topic()) = 'hall' and auth.uid() = '${ada.userId}' and extension in ('broadcast', 'presence'))`)
    const [speaker, listener] = [
      await join(ada.client, 'hall', { broadcast: { ack: true } }),
      await join(bob.client, 'hall', { broadcast: { ack: true } }),
    ]
    expect(await speaker.channel.send(typing)).toBe('ok')
    expect(await listener.channel.send(typing)).toBe('error')
    expect(await speaker.channel.track({})).toBe('ok')
    expect(await listener.channel.track({})).toBe('error')
    await ada.client.channel('hall', { config: { private: true } }).httpSend('over HTTP', { n: 1 })
    await eventually(() => expect(listener.heard.map(({ event }) => event)).toEqual(['typing', 'over HTTP']))
    expect(listener.channel.presenceState()).toEqual({}) // no policy shows presences to anyone
    const both = await fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'hall', event: 'forged', payload: {}, private: true }] }),
    })
    expect(both.status).toBe(403)
  })

  it('replay stored broadcasts to later joiners [D21]', async () => {
    const since = Date.now() - 1000
    const speaker = await join(ada.client, 'hall', { broadcast: { ack: true } })
    expect(await speaker.channel.send({ ...typing, event: 'kept', persist: true })).toBe('ok')
    expect(await speaker.channel.send({ ...typing, event: 'kept for a while', persist: { ttl: 600 } })).toBe('ok')
    await ada.client
      .channel('hall', { config: { private: true } })
      .httpSend('kept over HTTP', { n: 2 }, { persist: true })
    const later = await join(bob.client, 'hall', { broadcast: { replay: { since, limit: 2 } } })
    await eventually(() =>
      expect(later.heard.map(({ event }) => event)).toEqual(['kept for a while', 'kept over HTTP']),
    )
    expect(later.heard[1]).toMatchObject({ payload: { n: 2 }, meta: { replayed: true, id: expect.any(String) } })
    const nosy = await join(gateway.anon, 'hall', { broadcast: { replay: { since } } })
    expect(nosy.statuses).toEqual([refusal('hall')])
    await later.channel.unsubscribe()
    const wrong = await join(bob.client, 'hall', { broadcast: { replay: { since: -1 } } })
    expect(wrong.statuses).toEqual(['CHANNEL_ERROR: UnableToReplayMessages: Replay params are not valid'])
    await gateway.query(`update realtime.messages set expires_at = now() - interval '1 second' where event = 'kept'`)
    await gateway.query('select realtime.forget_messages()')
    expect(
      await gateway.query(`select event from realtime.messages where event like 'kept%' order by inserted_at`),
    ).toEqual([{ event: 'kept for a while' }, { event: 'kept over HTTP' }])
  })

  it('reject values that the database can’t read, over the socket and over HTTP', async () => {
    const never = await join(bob.client, 'hall', { broadcast: { replay: { since: 1e300 } } })
    expect(never.statuses).toEqual(["CHANNEL_ERROR: A value can't be stored"])
    const response = await fetch(`${gateway.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'hall\0', event: 'typing', private: true }] }),
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 'malformed_value', message: "A value can't be stored" },
    ])
  })

  it('reject values that the database can’t store, send them to nobody, and stay open [D21]', async () => {
    const speaker = await join(ada.client, 'hall', { broadcast: { ack: true } })
    const listener = await join(bob.client, 'hall')
    const zero = { ...typing, event: 'zero', payload: { text: '\0' }, persist: true }
    expect(await speaker.channel.send(zero)).toBe('error')
    const hall = ada.client.channel('hall', { config: { private: true } })
    const overHttp = hall.httpSend('zero', { text: '\0' }, { persist: true })
    await expect(overHttp).rejects.toThrow("A value can't be stored")
    expect(await speaker.channel.send(typing)).toBe('ok')
    await eventually(() => expect(listener.heard.map(({ event }) => event)).toEqual(['typing']))
    expect(speaker.statuses).toEqual(['SUBSCRIBED'])
    expect(await gateway.query(`select from realtime.messages where event = 'zero'`)).toEqual([])
  })

  it('deliver changes that a trigger broadcasts [D21]', async () => {
    await gateway.query('create table public.notes (id int primary key, body text)')
    await gateway.query(`create function public.tell_note() returns trigger language plpgsql as $$ begin
      perform realtime.broadcast_changes('hall', tg_op, tg_op, tg_table_name, tg_table_schema, new, old); return null; end $$`)
    await gateway.query(
      'create trigger notes_tell after insert or update or delete on public.notes for each row execute function public.tell_note()',
    )
    const listener = await join(bob.client, 'hall', { broadcast: { replication_ready: true } })
    await gateway.query(`insert into public.notes values (1, 'one')`)
    await gateway.query(`update public.notes set body = 'two'`)
    await gateway.query('delete from public.notes')
    await eventually(() => expect(listener.heard).toHaveLength(3))
    expect(listener.heard.map(({ event, payload }) => ({ event, ...payload }))).toMatchObject([
      {
        event: 'INSERT',
        operation: 'INSERT',
        schema: 'public',
        table: 'notes',
        record: { id: 1, body: 'one' },
        old_record: null,
      },
      { event: 'UPDATE', record: { body: 'two' }, old_record: { body: 'one' } },
      { event: 'DELETE', record: null, old_record: { body: 'two' } },
    ])
  })
})

describe('a renewed token', () => {
  it('has its permissions read again, and ends channels that are no longer allowed [D24]', async () => {
    const claims = { sub: bob.userId, role: 'authenticated', aud: 'authenticated' }
    let token = await gateway.services.tokens.sign(claims, 3600)
    const client = createClient(gateway.url, gateway.secrets.anonKey, { accessToken: async () => token })
    await client.realtime.setAuth()
    const topic = conversation(ada, bob)
    const [mine, theirs] = [await join(client, topic), await join(ada.client, topic)]
    const system: string[] = []
    mine.channel.on('system', {}, ({ message }) => system.push(message))
    expect(await mine.channel.track({ here: true })).toBe('ok')
    await eventually(() => expect(Object.keys(theirs.channel.presenceState())).toHaveLength(1))
    // Online status turned off: the user still receives, but isn't visible.
    await bob.client
      .from('user_settings')
      .update({ privacy: { showOnlineStatus: false } })
      .eq('user_id', bob.profileId)
    token = await gateway.services.tokens.sign({ ...claims, jti: randomUUID() }, 3600)
    await client.realtime.setAuth()
    await eventually(() => expect(theirs.channel.presenceState()).toEqual({}))
    expect(mine.channel.state).toBe('joined')
    // The token of a user who never had access.
    token = await gateway.services.tokens.sign({ ...claims, sub: eve.userId }, 3600)
    await client.realtime.setAuth()
    await eventually(() => expect(mine.channel.state).toBe('closed'))
    expect(system.at(-1)).toBe(`Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`)
    await client.realtime.disconnect()
  })
})
