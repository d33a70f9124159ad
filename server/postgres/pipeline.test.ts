import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startPgBouncer } from '../testing/pgbouncer.ts'
import { anonymous, serviceRole } from './caller.ts'
import { Database } from './database.ts'
import { withClient } from './migrate.ts'
import { sql } from './sql.ts'

describe('one statement as one caller in one round trip', () => {
  let test: TestDatabase
  let database: Database

  beforeAll(async () => {
    test = await createTestDatabase()
    await test.query('create table public.notes (id int primary key, body text)')
    await test.query('grant select, insert on public.notes to service_role; grant select on public.notes to anon')
    database = new Database({
      requestUrl: test.requestUrl,
      ownerUrl: test.ownerUrl,
      connections: 2,
      maxWaiting: 3,
      searchPath: 'public, extensions',
      statementTimeoutMs: 1_000,
      encryptionKey: 'for life',
    })
  })
  afterAll(async () => {
    await database.close()
    await test.drop()
  })

  it('sends role and claims with the statement, and leaves none of them on the connection [GEN-35]', async () => {
    const who = sql`select current_user::text as role, current_setting('request.jwt.claims', true) as claims`
    const caller = { role: 'authenticated', claims: { sub: 'someone', role: 'authenticated' } }
    expect(await database.as(caller).rows(who)).toEqual([
      { role: 'authenticated', claims: JSON.stringify(caller.claims) },
    ])
    expect(await database.as(anonymous).rows(who)).toEqual([{ role: 'anon', claims: '{"role":"anon"}' }])
  })

  it('returns values with their types, also for a prepared statement', async () => {
    for (let round = 0; round < 3; round++) {
      const rows = await database
        .as(anonymous)
        .rows(sql`select ${round}::int as n, ${{ a: 1 }}::jsonb as j, null as z, ${['x', 'y"']}::text[] as t`)
      expect(rows).toEqual([{ n: round, j: { a: 1 }, z: null, t: ['x', 'y"'] }])
    }
  })

  it('rolls everything back when the statement fails, and runs the next one', async () => {
    const insertTwice = sql`insert into public.notes (id, body) values (1, 'once'), (1, 'twice')`
    await expect(database.service.rows(insertTwice)).rejects.toMatchObject({ code: '23505' })
    await expect(database.service.rows(insertTwice)).rejects.toMatchObject({ code: '23505' })
    expect(await database.service.rows(sql`select * from public.notes`)).toEqual([])
  })

  it('completes two statements after a deadlock', async () => {
    await test.query(`create table public.pair (id int primary key, n int not null); insert into public.pair values (1, 0), (2, 0);
      create sequence public.attempts; grant usage, select on sequence public.attempts to service_role;
      create function public.add_to_both(a int, b int) returns void language plpgsql as $$ begin
        update public.pair set n = n + 1 where id = a;
        perform nextval('public.attempts');
        while (select last_value from public.attempts) < 2 loop perform pg_sleep(0.01); end loop; -- the other holds its own by then
        update public.pair set n = n + 1 where id = b; end $$;
      grant select, update on public.pair to service_role; grant execute on function public.add_to_both(int, int) to service_role`)
    const patient = new Database({
      requestUrl: test.requestUrl,
      ownerUrl: test.ownerUrl,
      connections: 2,
      maxWaiting: 3,
      searchPath: 'public',
      statementTimeoutMs: 10_000,
    })
    await Promise.all([
      patient.service.rows(sql`select add_to_both(1, 2)`),
      patient.service.rows(sql`select add_to_both(2, 1)`),
    ])
    await patient.close()
    expect(await test.query('select id, n from public.pair order by id')).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ])
    const [begun] = await test.query<{ attempts: number }>('select last_value::int as attempts from public.attempts')
    // One of the two has run again.
    expect(begun?.attempts).toBeGreaterThan(2)
  })

  it('repeats a statement that loses a race three times, and no more', async () => {
    await test.query(`create sequence public.races; grant usage, select on sequence public.races to service_role;
      create function public.lose(times int) returns int language plpgsql as $$ begin
        if nextval('public.races') <= times then raise exception using errcode = 'deadlock_detected'; end if;
        return currval('public.races'); end $$`)
    expect(await database.service.rows(sql`select lose(3) as attempts`)).toEqual([{ attempts: 4 }])
    await test.query('alter sequence public.races restart')
    await expect(database.service.rows(sql`select lose(4) as attempts`)).rejects.toMatchObject({ code: '40P01' })
  })

  it('closes connections that nobody needs, but those that stay warm', async () => {
    const quick = new Database({
      requestUrl: test.requestUrl,
      ownerUrl: test.ownerUrl,
      connections: 3,
      warmConnections: 1,
      idleMs: 50,
      maxWaiting: 3,
      searchPath: 'public',
      statementTimeoutMs: 10_000,
    })
    const one = () => quick.service.rows(sql`select pg_sleep(0.1)`)
    await Promise.all([one(), one(), one()])
    expect(quick.connections().open).toBe(3)
    await eventually(() => expect(quick.connections().open).toBe(1))
    await quick.closeFree()
    expect(quick.connections().open).toBe(0)
    expect(await quick.service.rows(sql`select 1 as n`)).toEqual([{ n: 1 }])
    await quick.close()
  })

  it('rejects statements that the caller may not run', async () => {
    await expect(database.as(anonymous).rows(sql`insert into public.notes (id) values (2)`)).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('prepares a statement again after its table has changed', async () => {
    const all = sql`select * from public.notes where id = ${7}`
    await database.run(serviceRole, sql`insert into public.notes (id, body) values (7, 'seven')`)
    for (let round = 0; round < 3; round++) await database.service.rows(all)
    await test.query('alter table public.notes add column extra int default 3')
    expect(await database.service.rows(all)).toEqual([{ id: 7, body: 'seven', extra: 3 }])
  })

  it('ends a statement that takes too long', async () => {
    await expect(database.service.rows(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
  })

  it('reports an invalid parameter, and keeps the connection usable', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    await expect(database.service.rows(sql`select ${circular}::jsonb`)).rejects.toThrow(/circular/i)
    expect(await database.service.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  it('runs several statements in one transaction, all or nothing', async () => {
    const failing = database.transaction(serviceRole, async (db) => {
      await db.rows(sql`insert into public.notes (id) values (20)`)
      await db.rows(sql`insert into public.notes (id) values (20)`)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await database.service.rows(sql`select id from public.notes where id = 20`)).toEqual([])
  })

  it('fails as overloaded when too many requests wait', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => database.service.rows(sql`select pg_sleep(0.1)`)),
    )
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused)
      expect(reason).toMatchObject({ name: 'DatabaseFailure', reason: { kind: 'overloaded' } })
    expect(results.filter((result) => result.status === 'fulfilled').length).toBeGreaterThanOrEqual(3)
  })

  it('keeps the encryption key of the connection for its whole life', async () => {
    expect(await database.as(anonymous).rows(sql`select current_setting('app.encryption_key') as key`)).toEqual([
      { key: 'for life' },
    ])
  })

  it('leaves nothing on a shared session, neither settings nor statements [SCALE-03]', async () => {
    // Two pools with one connection each take turns on the only session of the pooler.
    const pooler = await startPgBouncer(test.requestUrl, 'transaction', { poolSize: 1 })
    const open = (searchPath: string, encryptionKey: string) =>
      new Database({
        requestUrl: pooler.url,
        ownerUrl: test.ownerUrl,
        connections: 1,
        maxWaiting: 3,
        searchPath,
        statementTimeoutMs: 1_000,
        encryptionKey,
        sharesSessions: true,
        reusesStatements: false,
      })
    const [one, other] = [open('public', 'k1'), open('extensions', 'k2')]
    const seen = sql`select pg_backend_pid() as pid, current_setting('role') as role, current_setting('search_path') as path,
      current_setting('app.encryption_key', true) as key, current_setting('statement_timeout') as timeout`
    const [first] = await one.service.rows(seen)
    const [second] = await other.as(anonymous, { searchPath: 'auth', statementTimeout: '3s' }).rows(seen)
    const [third] = await other.as(anonymous).rows(seen)
    expect([first, second, third]).toEqual([
      { pid: first?.pid, role: 'service_role', path: 'public', key: 'k1', timeout: '1s' },
      { pid: first?.pid, role: 'anon', path: 'auth', key: 'k2', timeout: '3s' },
      { pid: first?.pid, role: 'anon', path: 'extensions', key: 'k2', timeout: '1s' },
    ])
    // Several statements in one transaction, errors in between, and a statement that takes too long.
    await expect(
      one.transaction(serviceRole, async (db) => [...(await db.rows(seen)), ...(await db.rows(seen))]),
    ).resolves.toEqual([first, first])
    await expect(one.service.rows(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
    await expect(other.service.rows(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
    const left = await withClient(pooler.url, async (client) => ({
      seen: (await client.query(seen.text)).rows[0],
      statements: (await client.query('select name from pg_prepared_statements')).rows,
    }))
    expect(left).toEqual({
      seen: { ...first, role: 'none', path: '"$user", public', key: '', timeout: '0' },
      statements: [],
    })
    await Promise.all([one.close(), other.close()])
    await pooler.stop()
  })
})
