import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Gateway, startGateway } from '../gateway.ts'
import { buildLog } from '../log.ts'
import { loadSecrets, type Secrets } from '../secrets.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { follow, linkIn, messageTo, patient } from './testing/mailbox.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ovation-log-'))
const lines: string[] = []
let database: TestDatabase
let secrets: Secrets
let gateway: Gateway

beforeAll(async () => {
  database = await createTestDatabase()
  const config = parseConfig({ ...patient, NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, DEMO: '0' })
  secrets = await loadSecrets(config)
  const log = buildLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  gateway = await startGateway({ ...database, config, secrets, log, hasProductSchema: true, sandboxUrl: undefined })
})
afterAll(async () => {
  await gateway.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('records what happened in detail, even during failures, but nothing that opens an account', async () => {
  const client = (key = secrets.anonKey) =>
    createClient(gateway.url, key, { auth: { persistSession: false, autoRefreshToken: false } }).auth
  const email = 'ada@example.com'
  const passwords = ['correct horse battery', 'another horse battery', 'a mistyped horse battery']
  const [password = '', next = '', wrong = ''] = passwords
  await client().signUp({ email, password })
  const link = linkIn(await messageTo({ dataDir }, email))
  const { fragment } = await follow(link)
  const auth = client()
  const before = (await auth.signInWithPassword({ email, password })).data.session
  const after = (await auth.refreshSession()).data.session
  await auth.updateUser({ password: next, data: { color: 'red' } })
  await client().signInWithPassword({ email, password: wrong })
  await client(secrets.serviceRoleKey).admin.generateLink({ type: 'recovery', email })
  await client('sb_secret_guessed-horse').getUser()
  await fetch(`${gateway.url}/auth/v1/token?grant_type=password&apikey=${secrets.serviceRoleKey}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${after?.access_token}`, 'content-type': 'application/json' },
    body: `{"email": "${email}", "password": "${next}"`,
  })
  // A bug of ours: PostgreSQL rejects the row, and its error contains all of it.
  for (const table of ['users', 'sessions', 'refresh_tokens', 'one_time_tokens']) {
    await database.query(`alter table auth.${table} add constraint broken check (false) not valid`)
    const answers = [
      await client().signUp({ email: `${table}@example.com`, password }),
      await client().signInWithPassword({ email, password: next }),
    ]
    expect(answers.map(({ error }) => error?.status)).toContain(500)
    await client().resetPasswordForEmail(email)
    await database.query(`alter table auth.${table} drop constraint broken`)
  }

  const written = lines.join('')
  expect(written).toContain('/auth/v1/token')
  expect(written).toContain('violates check constraint')
  const opening = {
    passwords,
    tokens: [before, after].flatMap((session) => [session?.access_token, session?.refresh_token]),
    link: [new URL(link).searchParams.get('token'), fragment.access_token, fragment.refresh_token],
    keys: [secrets.anonKey, secrets.serviceRoleKey, secrets.secretKey, secrets.jwtSecret, 'guessed-horse'],
    hashes: ['$argon2id$'],
  }
  for (const secret of Object.values(opening).flat()) {
    expect(secret).toBeTruthy()
    expect(written).not.toContain(secret)
  }
  // Hashed tokens too: a reader of the log must not be able to tell which of them they hold.
  expect(written).not.toMatch(/Failing row|\b[0-9a-f]{64}\b/)
})
