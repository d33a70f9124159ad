import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, EnvironmentReader } from '../environment-reader.ts'
import { readApiLimits } from './api-limits.ts'
import { type Library, openLibrary } from './testing/library.ts'

let library: Library

beforeAll(async () => {
  library = await openLibrary({
    API_MAX_RESPONSE_BYTES: '200000',
    API_ANON_STATEMENT_TIMEOUT_MS: '2000',
    API_DATABASE_SECONDS_PER_MINUTE: '2',
  })
  await library.gateway.query(`
    create function library.many(size int) returns text language sql stable as $$ select repeat('x', size) $$;
    create function library.wait(seconds float8) returns int language sql volatile as $$ select 1 from pg_sleep(seconds) $$;
    create function library.together() returns int language plpgsql volatile as $$
    begin
      perform pg_advisory_xact_lock_shared(815);
      perform pg_sleep(0.15);
      return (select count(*) from pg_locks where locktype = 'advisory' and objid = 815 and granted);
    end $$;
    create function library.fail(code text) returns int language plpgsql volatile as $$
    begin
      raise 'could not open file "base/16384/18226"' using errcode = code, detail = 'In base/16384.', hint = 'Look into base/.';
    end $$;
    grant execute on function library.many, library.wait, library.together, library.fail to anon, authenticated, service_role;
    notify pgrst, 'reload schema'`)
})
afterAll(() => library.close())

type Who = 'visitor' | 'reader' | 'service'

type Asked = {
  readonly who?: Who
  readonly from?: string
  readonly prefer?: string | undefined
  readonly token?: string
}

function ask(path: string, { who = 'visitor', from, prefer, token: own }: Asked = {}) {
  const { secrets } = library.gateway
  const token = { visitor: secrets.anonKey, reader: library.readerToken, service: secrets.serviceRoleKey }[who]
  return library.fetch(path, {
    headers: {
      apikey: who === 'service' ? secrets.serviceRoleKey : secrets.anonKey,
      authorization: `Bearer ${own ?? token}`,
      ...(from !== undefined && { 'x-forwarded-for': from }),
      ...(prefer !== undefined && { prefer }),
    },
  })
}

/** Books in reviews in books …: each pair multiplies the rows. */
function nested(levels: number): string {
  let select = 'id'
  for (let level = levels; level > 0; level--) select = `id,${level % 2 === 1 ? 'reviews' : 'books'}(${select})`
  return select
}

const names = [
  ['plainly named resource', '/books'],
  ['resource whose name is escaped', '/b%6Foks'],
] as const

describe.each(names)('embedded resources of a %s', (_, path) => {
  it.each(['visitor', 'reader'] as const)('are at most five levels deep for a %s', async (who) => {
    const refused = await ask(`${path}?select=${nested(14)}`, { who })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: '54001',
      message: 'The request embeds 14 levels deep; at most 5 are allowed.',
    })
    expect((await ask(`${path}?select=${nested(6)}`, { who })).status).toBe(400)
    expect((await ask(`${path}?select=${nested(5)}`, { who })).status).toBe(200)
  })

  it('are at most fifteen in total', async () => {
    const flat = (count: number) => Array.from({ length: count }, (_, index) => `a${index}:reviews(id)`).join(',')
    const refused = await ask(`${path}?select=id,${flat(40)}`)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: '54001',
      message: 'The request embeds 40 resources; at most 15 are allowed.',
    })
    expect((await ask(`${path}?select=id,${flat(15)}`)).status).toBe(200)
  })

  it('are not limited for the service key, even after the same request by another caller', async () => {
    expect((await ask(`${path}?select=${nested(8)}`, { who: 'service' })).status).toBe(200)
    expect((await ask(`${path}?select=${nested(8)}`)).status).toBe(400)
  })
})

describe('an answer', () => {
  it.each(['/rpc/many', '/rpc/m%61ny'])('has at most API_MAX_RESPONSE_BYTES (%s)', async (path) => {
    expect((await ask(`${path}?size=150000`)).status).toBe(200)
    const refused = await ask(`${path}?size=5000000`, { who: 'reader' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: '54000', message: 'The response is larger than 200000 bytes.' })
    expect((await ask('/books?select=id&limit=1')).status).toBe(200)
    expect((await ask(`${path}?size=300000`, { who: 'service' })).status).toBe(200)
  })
})

describe.each(names)('an error of the server itself, from a %s', (_, path) => {
  const fail = path === '/books' ? '/rpc/fail' : '/rpc/f%61il'

  it.each(['53000', '53100', '53200', '53300', '53400', '58000', '58030', '58P01'])(
    'does not name its files (%s)',
    async (code) => {
      for (const who of ['visitor', 'reader', 'service'] as const) {
        const failed = await ask(`${fail}?code=${code}`, { who })
        const body = await failed.text()
        expect([failed.status >= 500, JSON.parse(body).code]).toEqual([true, code])
        expect(body).not.toContain('base/')
        expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    },
  )
})

/** How many of these ran at once, as the database saw it. */
async function mostTogether(asked: readonly Asked[]): Promise<number> {
  const answers = await Promise.all(asked.map((one) => ask('/rpc/together', one)))
  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200))
  return Math.max(...(await Promise.all(answers.map(async (answer) => Number(await answer.text())))))
}

describe.each([
  ['kept', undefined],
  ['rolled back on request', 'tx=rollback'],
])('statements that are %s', (_, prefer) => {
  const network = prefer ? 11 : 10

  it('of visitors hold at most half of the connections', async () => {
    const asked = Array.from({ length: 8 }, (_, index) => ({ from: `203.0.${network}.${index}`, prefer }))
    expect(await mostTogether(asked)).toBeLessThanOrEqual(2)
  })

  it('of one address hold at most API_CONNECTIONS_PER_ADDRESS', async () => {
    const sub = `00000000-0000-0000-0000-0000000000${network}`
    const token = await library.gateway.services.tokens.sign({ role: 'authenticated', sub }, 3600)
    const reader = { token, from: `198.51.${network}.1`, prefer }
    expect(await mostTogether([reader, reader, reader, reader])).toBeLessThanOrEqual(2)
  })

  it('have at most API_MAX_RESPONSE_BYTES, and break no connection', async () => {
    for (let count = 0; count < 5; count++) {
      const refused = await ask('/rpc/many?size=5000000', { who: 'reader', prefer })
      expect(await refused.json()).toMatchObject({ code: '54000' })
    }
    expect((await ask('/rpc/many?size=100', { who: 'reader', prefer })).status).toBe(200)
    expect((await ask('/rpc/many?size=300000', { who: 'service', prefer })).status).toBe(200)
  })

  it('use up the database time', async () => {
    const asked = { from: `203.0.${network}.200`, prefer }
    const statuses: number[] = []
    for (let count = 0; count < 15; count++) statuses.push((await ask('/rpc/wait?seconds=0.2', asked)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  })
})

describe('a visitor', () => {
  it('has a shorter statement timeout than a reader', async () => {
    const refused = await ask('/rpc/wait?seconds=2.5')
    expect(refused.status).toBe(504)
    expect((await ask('/rpc/wait?seconds=2.5', { who: 'reader' })).status).toBe(200)
  })

  it("can't keep readers waiting, however many requests it sends", async () => {
    const slow = Array.from({ length: 6 }, (_, index) =>
      ask('/rpc/wait?seconds=0.8', { from: `203.0.113.${index + 1}` }),
    )
    let answered = 0
    for (const asked of slow) void asked.then(() => (answered += 1))
    expect((await ask('/books?select=id&limit=1', { who: 'reader' })).status).toBe(200)
    expect(answered).toBe(0)
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})

it('an address holds two connections at once, and others are still served', async () => {
  const slow = Array.from({ length: 6 }, () => ask('/rpc/wait?seconds=0.2', { who: 'reader', from: '198.51.100.1' }))
  const { open, idle } = await new Promise<{ open: number; idle: number }>((done) =>
    setTimeout(() => done(library.gateway.services.database.connections()), 100),
  )
  expect(open - idle).toBeLessThanOrEqual(2)
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})

it('an account whose database time is used up gets a Retry-After', async () => {
  const asked = { who: 'reader', from: '198.51.100.77' } as const
  const statuses: number[] = []
  for (let count = 0; count < 8; count++) statuses.push((await ask('/rpc/wait?seconds=0.5', asked)).status)
  expect(statuses.slice(0, 2)).toEqual([200, 200])
  expect(statuses.at(-1)).toBe(429)
  const refused = await ask('/books?select=id', { ...asked, from: '198.51.100.78' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
  expect((await ask('/books?select=id', { from: '198.51.100.77' })).status).toBe(200)
})

it('an invalid limit prevents the start with one sentence that names it', () => {
  const read = new EnvironmentReader({ API_MAX_EMBEDS: 'many' })
  readApiLimits(read)
  expect(() => read.finish()).toThrow(
    new ConfigError('API_MAX_EMBEDS must be a whole number from 1 to 1000, not "many".'),
  )
})
