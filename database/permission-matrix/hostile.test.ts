import { randomBytes } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escalations, guesses, oracles, ownData, readings } from './hostile-queries.ts'
import { buildMatrixFixture, type MatrixFixture } from './matrix-fixture.ts'

type Session = { readonly client: pg.Client; heard: string[] }
/** An attacker's psql: a separate login that may only become `authenticated`, or only `anon`. */
type Attacker = Session & { readonly role: 'anon' | 'authenticated'; readonly login: string }

let database: TestDatabase
let owner: pg.Client
let world: MatrixFixture
const attackers: Attacker[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  // A copy of a template loses what the migration revoked from the database itself.
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  await owner.query(`revoke temporary on database ${rows[0]?.name} from public`)
  world = await buildMatrixFixture(owner)
  for (const role of ['anon', 'authenticated'] as const) attackers.push(await openSession(role))
})
afterAll(async () => {
  for (const { client } of attackers) await client.end()
  for (const { login } of attackers) await owner.query(`drop role ${login}`)
  await owner.end()
  await database.drop()
})

async function openSession(role: Attacker['role']): Promise<Attacker> {
  const login = `hostile_${randomBytes(6).toString('hex')}`
  await owner.query(`create role ${login} login password 'hostile' in role ${role}`)
  const url = new URL(database.ownerUrl)
  url.username = login
  url.password = 'hostile'
  const client = new pg.Client({ connectionString: url.href })
  const attacker: Attacker = { role, login, client, heard: [] }
  client.on('notice', (notice) => attacker.heard.push(JSON.stringify({ ...notice, text: notice.message })))
  await client.connect()
  // The attacker holds a valid token of a user whose subscription has expired.
  await client.query(`select set_config('request.jwt.claims', $1, false), set_config('role', $2, false)`, [
    world.claims(role === 'anon' ? 'visitor' : 'lapsed'),
    role,
  ])
  return attacker
}

type Answer = { readonly rows: readonly unknown[]; readonly code: string | undefined; readonly said: string }

/** Runs one statement and rolls it back. @returns everything that the server sent. */
async function attempt(session: Session, text: string, role?: string): Promise<Answer> {
  session.heard = []
  await session.client.query('begin')
  try {
    if (role) await session.client.query(`set local role ${role}`)
    const result = await session.client.query(world.fill(text, 'lapsed'))
    const rows = Array.isArray(result) ? result.flatMap((each: pg.QueryResult) => each.rows) : result.rows
    return { rows, code: undefined, said: JSON.stringify(rows) + session.heard.join() }
  } catch (error) {
    const { message, detail, hint, where, code } = error as pg.DatabaseError
    return { rows: [], code, said: [message, detail, hint, where, ...session.heard].join('\n') }
  } finally {
    await session.client.query('rollback')
  }
}

type PlanNode = { readonly Plans?: readonly PlanNode[] } & Readonly<Record<string, unknown>>

/** The effect of a statement and the planner's estimates, without its text and without timings. */
async function costOf(attacker: Attacker, text: string): Promise<unknown> {
  const { rows } = await attempt(attacker, `explain (analyze, buffers, timing off, summary off, format json) ${text}`)
  const [
    {
      'QUERY PLAN': [explained],
    },
  ] = rows as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }]
  return stripped(explained.Plan)
}

function stripped({ Plans = [], ...node }: PlanNode): unknown {
  const figures = Object.entries(node).filter(([key]) => /Node Type|Rows|Loops|Blocks|Removed/.test(key))
  return { ...Object.fromEntries(figures), plans: Plans.map(stripped) }
}

/** Stored encrypted: admins see it through `reveal_ssn` (expectations/functions.ts), and no table has it in plain text. */
const sealed = /123-?45-?678/
/** Secrets that the attacker must not find anywhere. */
const secrets = [
  /SECRET in (?!creator\/free|rival\/free)/,
  /SECRET of recluse/,
  /SECRET (words|trouble)/,
  sealed,
  /(?<!lapsed)@example\.com/,
  /acct_/,
  /A word for you alone/,
]

describe.each(['anon', 'authenticated'] as const)('psql as %s', (role) => {
  const attacker = () => {
    const found = attackers.find((each) => each.role === role)
    if (!found) throw new Error(`no session as ${role}`)
    return found
  }

  it.each(Object.entries(readings))("can't read %s [GEN-35, POST-46, MSG-09, VER-09, PROF-22]", async (_, queries) => {
    for (const query of queries) {
      const { said } = await attempt(attacker(), query)
      // explain repeats the attacker's own text, and the attacker already knows the ids
      const news = said.replaceAll(/~~ '%SECRET%'/g, '')
      for (const secret of secrets) expect.soft(news, query).not.toMatch(secret)
    }
  })

  it('finds nothing with conditions on locked content [POST-46, PROF-22]', async () => {
    for (const name of ['locked posts by filters', 'messages of others'] as const) {
      for (const query of readings[name]) expect.soft((await attempt(attacker(), query)).rows, query).toEqual([])
    }
  })

  it("can't run conditions on hidden rows [GEN-35, PROF-22, MSG-09]", async () => {
    for (const query of oracles) {
      const { rows, code } = await attempt(attacker(), query)
      expect.soft({ query, rows, divided: code === '22012' }).toEqual({ query, rows: [], divided: false })
    }
  })

  it.each(guesses)(
    'pays the same cost for a right and a wrong guess: $text [GEN-35, POST-46, PROF-22, MSG-09]',
    async (guess) => {
      // The statistics of the protected columns exist, so estimates from them would reveal values.
      await owner.query('analyze private.posts, private.profiles, private.messages')
      const [right, wrong] = [guess.right, guess.wrong].map((said) => guess.text.replace('{guess}', said)) as [
        string,
        string,
      ]
      await attempt(attacker(), right) // loads its pages into memory
      await attempt(attacker(), wrong)
      const { said, code } = await attempt(attacker(), right)
      expect(code).toBe((await attempt(attacker(), wrong)).code)
      expect(said).toBe((await attempt(attacker(), wrong)).said)
      if (code === undefined) expect(await costOf(attacker(), right)).toEqual(await costOf(attacker(), wrong))
    },
  )

  it('pays a different cost when the text is unlocked', async () => {
    const of = (said: string) =>
      costOf(attacker(), `select from public.posts where id = {creator/free} and content like '%${said}%'`)
    expect(await of('SECRET in creator/free')).not.toEqual(await of('SECRET in nothing'))
  })

  it('gets no tools and no permissions of others [GEN-34, GEN-35]', async () => {
    for (const query of escalations) {
      const { code } = await attempt(attacker(), query)
      expect.soft({ query, code }).toEqual({ query, code: '42501' })
    }
  })

  it('gains nothing from its own objects in the search path [GEN-35]', async () => {
    for (const path of ['pg_temp, public', 'pg_temp, extensions, private, auth']) {
      const ask = (query: string) => attempt(attacker(), `set local search_path = ${path}; ${query}`)
      const answers = [await ask('select * from public.posts'), await ask(ownData)]
      // A visitor has no data to export.
      expect.soft(answers.map(({ code }) => code)).toEqual([undefined, role === 'anon' ? '42501' : undefined])
      for (const { said } of answers) for (const secret of secrets) expect.soft(said, path).not.toMatch(secret)
    }
  })
})

describe('the hostile queries', () => {
  it('use existing names, because unknown names would fail regardless of the rules', async () => {
    const all = [...Object.values(readings).flat(), ...escalations, ...oracles]
    for (const query of all) {
      const { code = '' } = await attempt({ client: owner, heard: [] }, query)
      expect.soft({ query, code }).not.toEqual({ query, code: expect.stringMatching(/^42(601|703|883|P01)$/) })
    }
  })

  it('would succeed or fail if the condition ran on the hidden row', async () => {
    for (const query of oracles) {
      const { rows, code } = await attempt({ client: owner, heard: [] }, query, 'service_role')
      expect.soft({ query, code, tells: rows.length > 0 || /^22/.test(code ?? '') }).toMatchObject({ tells: true })
    }
  })
})

describe('the secrets in the matrix’s fixture', () => {
  it('are readable by authorized callers [POST-46]', async () => {
    const { rows } = await owner.query<{ all: string }>(
      `select concat((select json_agg(p) from private.posts p), (select json_agg(m) from private.messages m), (select json_agg(u.email) from auth.users u),
         (select json_agg(n) from public.notifications n), (select json_agg(f) from private.profiles f), (select json_agg(s) from public.support_requests s)) as all`,
    )
    for (const secret of secrets.filter((each) => each !== sealed)) expect(rows[0]?.all).toMatch(secret)
  })
})
