import { randomUUID } from 'node:crypto'
import type { RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let ada: Person
let bob: Person
const open: RealtimeChannel[] = []

/** As Supabase's guides write it, without knowledge of this product. */
const migration = `
  create table public.boards (id uuid primary key default gen_random_uuid(), owner uuid not null default auth.uid());
  create table public.cards (
    id uuid primary key default gen_random_uuid(),
    board uuid not null references public.boards (id) on delete cascade,
    title text not null
  );
  alter table public.boards enable row level security;
  alter table public.cards enable row level security;
  create policy "boards are seen" on public.boards for select to authenticated using (true);
  create policy "boards are made" on public.boards for insert to authenticated with check (owner = (select auth.uid()));
  create policy "cards are seen" on public.cards for select to authenticated using (true);
  create policy "cards are made" on public.cards for all to authenticated using (true) with check (true);
  grant select, insert, update, delete on public.boards, public.cards to authenticated;

  alter publication supabase_realtime add table public.cards;
  alter table public.cards replica identity full;

  create policy "who is signed in hears boards" on realtime.messages for select to authenticated
    using ((select realtime.topic()) like 'board:%' and realtime.messages.extension in ('broadcast', 'presence'));
  create policy "who is signed in speaks to boards" on realtime.messages for insert to authenticated
    with check ((select realtime.topic()) like 'board:%');

  create function public.board_changed() returns trigger language plpgsql as $$
  begin
    perform realtime.broadcast_changes(
      'board:' || coalesce(new.board, old.board)::text, tg_op, tg_op, tg_table_name, tg_table_schema, new, old
    );
    return null;
  end;
  $$;
  create trigger board_changed after insert or update or delete on public.cards
    for each row execute function public.board_changed();

  create function public.ring(board uuid) returns void language plpgsql security invoker as $$
  begin
    perform realtime.send(jsonb_build_object('by', auth.uid()), 'bell', 'board:' || board::text, true);
    perform realtime.send_binary('\\xdeadbeef00ff'::bytea, 'signal', 'board:' || board::text, true);
  end;
  $$;
  grant execute on function public.ring(uuid) to authenticated;`

beforeAll(async () => {
  gateway = await startGateway()
  ;[ada, bob] = await Promise.all([gateway.signUp(), gateway.signUp()])
  await gateway.query(migration)
  await gateway.query(`notify pgrst, 'reload schema'`)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((channel) => channel.unsubscribe()))
})
afterAll(() => gateway?.close())

type Heard = { event: string; payload: unknown; meta?: Record<string, unknown> }

/** Follows `cards` in an ordinary channel; resolves with the first status. */
async function followCards(): Promise<{ statuses: string[]; titles: unknown[] }> {
  const [statuses, titles]: [string[], unknown[]] = [[], []]
  const channel = bob.client.channel(`cards-${randomUUID()}`)
  open.push(channel)
  await new Promise<void>((resolve) => {
    channel
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'cards' }, (change) =>
        titles.push(change.new.title),
      )
      .subscribe((status, error) => {
        statuses.push(error ? `${status}: ${error.message}` : status)
        resolve()
      })
  })
  return { statuses, titles }
}

async function hear(topic: string, broadcast: Record<string, unknown> = {}): Promise<Heard[]> {
  const heard: Heard[] = []
  const config = { private: true, broadcast: { replication_ready: true, ...broadcast } }
  const channel = bob.client.channel(topic, { config })
  open.push(channel)
  channel.on('broadcast', { event: '*' }, (message) => heard.push(message as unknown as Heard))
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error ?? new Error(status))))
  })
  return heard
}

async function makeBoard(): Promise<string> {
  const { data, error } = await ada.client.from('boards').insert({}).select().single()
  expect(error).toBeNull()
  return data.id
}

const bytesOf = (payload: unknown) => Buffer.from(payload as ArrayBuffer).toString('hex')

describe('a migration written for Supabase', () => {
  it('has its tables followed, and no longer after they are removed, without a restart [API-RT-02]', async () => {
    const board = await makeBoard()
    const { statuses, titles } = await followCards()
    expect(statuses).toEqual(['SUBSCRIBED'])
    expect((await ada.client.from('cards').insert({ board, title: 'first' })).error).toBeNull()
    await eventually(() => expect(titles).toEqual(['first']))
    await gateway.query('alter publication supabase_realtime drop table public.cards')
    await eventually(async () =>
      expect((await followCards()).statuses[0]).toContain('Please check Realtime is enabled'),
    )
    await gateway.query('alter publication supabase_realtime add table public.cards')
    const again = await followCards()
    expect(again.statuses).toEqual(['SUBSCRIBED'])
    expect((await ada.client.from('cards').insert({ board, title: 'third' })).error).toBeNull()
    await eventually(() => expect(again.titles).toEqual(['third']))
  })

  it('may drop and create the publication, and the product’s own tables are still followed [API-RT-02]', async () => {
    await gateway.query(
      'begin; drop publication if exists supabase_realtime; create publication supabase_realtime; commit',
    )
    await gateway.query('alter publication supabase_realtime add table public.cards, public.notifications')
    const titles: unknown[] = []
    const channel = ada.client.channel('own')
    open.push(channel)
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, (change) =>
      titles.push('title' in change.new ? change.new.title : undefined),
    )
    await new Promise<void>((resolve) => void channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    await gateway.query(`select private.notify($1, 'tip', 'one', ''), private.notify($1, 'tip', 'two', '')`, [
      ada.profileId,
    ])
    await eventually(() => expect(titles).toEqual(['one', 'two'])) // each once, although it is in two publications
  })

  it('broadcasts with the permissions of the user whose write fired the trigger [API-RT-01, D21]', async () => {
    const board = await makeBoard()
    const heard = await hear(`board:${board}`)
    const { error } = await ada.client.from('cards').insert({ board, title: 'told' })
    expect(error).toBeNull()
    await eventually(() => expect(heard).toHaveLength(1))
    expect(heard[0]).toMatchObject({
      event: 'INSERT',
      payload: { operation: 'INSERT', table: 'cards', record: { title: 'told' }, old_record: null },
    })
  })

  it('sends JSON and bytes, and later joiners get both [API-RT-01, D21]', async () => {
    const board = await makeBoard()
    const since = Date.now() - 1000
    const heard = await hear(`board:${board}`)
    const { error } = await ada.client.rpc('ring', { board })
    expect(error).toBeNull()
    await eventually(() => expect(heard).toHaveLength(2))
    expect(heard[0]).toMatchObject({ event: 'bell', payload: { by: ada.userId } })
    expect(heard[1]).toMatchObject({ event: 'signal', meta: { id: expect.any(String) } })
    expect(bytesOf(heard[1]?.payload)).toBe('deadbeef00ff')
    await Promise.all(open.splice(0).map((channel) => channel.unsubscribe()))
    const later = await hear(`board:${board}`, { replay: { since } })
    await eventually(() => expect(later.map(({ event }) => event)).toEqual(['bell', 'signal']))
    expect(later.map(({ meta }) => meta?.replayed)).toEqual([true, true])
    expect(bytesOf(later[1]?.payload)).toBe('deadbeef00ff')
  })

  it('rejects a visitor’s broadcast that no policy allows, and their write still succeeds', async () => {
    await gateway.query(`create function public.shout() returns void language plpgsql security invoker as $$
      begin perform realtime.send('{"n": 1}', 'shout', 'board:nobody', true); end $$`)
    await gateway.query('grant execute on function public.shout() to anon')
    await gateway.query(`notify pgrst, 'reload schema'`)
    await eventually(async () => expect((await gateway.anon.rpc('shout')).error).toBeNull())
    expect(await gateway.query(`select from realtime.messages where topic = 'board:nobody'`)).toEqual([])
  })
})

describe('a channel for a table that clients do not reach', () => {
  it.each([
    ['private', 'posts', 'anon'],
    ['private', 'messages', 'authenticated'],
    ['private', undefined, 'authenticated'],
    ['nowhere', 'posts', 'anon'],
  ])('is rejected with the reason: %s.%s', async (schema, table, role) => {
    const client = role === 'anon' ? gateway.anon : ada.client
    const channel = client.channel(`hidden-${randomUUID()}`)
    open.push(channel)
    const refused = await new Promise<string>((resolve) => {
      channel
        .on(
          'postgres_changes',
          { event: '*', schema, ...(table && { table }) } as { event: '*'; schema: string },
          () => undefined,
        )
        .subscribe((status, error) => resolve(`${status}: ${error?.message}`))
    })
    expect(refused).toMatch(/^CHANNEL_ERROR: Unable to subscribe to changes/)
    expect(refused).toContain(`Schema ${schema} is not exposed to role ${role}`)
  })
})
