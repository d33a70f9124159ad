import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type pg from 'pg'
import { pino } from 'pino'
import type { AllServices } from '../all-services.ts'
import { parseConfig } from '../config.ts'
import { type Gateway, startGateway as start } from '../gateway.ts'
import { loadSecrets, type Secrets } from '../secrets.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { knowsPreparedStatements, startPgBouncer } from './pgbouncer.ts'

export type Person = {
  readonly client: SupabaseClient
  readonly userId: string
  readonly profileId: string
  readonly username: string
  readonly email: string
  readonly password: string
}

export type TestGateway = {
  readonly url: string
  readonly services: AllServices
  readonly secrets: Secrets
  readonly dataDir: string
  readonly database: TestDatabase
  /** The official client with the service key, which has the permissions of the server itself. */
  readonly service: SupabaseClient
  /** The official client of a visitor. */
  readonly anon: SupabaseClient
  /** Runs SQL as the superuser. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** A new official client with its own session; `key` defaults to the anonymous key. */
  client(key?: string): SupabaseClient
  /** A new user, signed up through auth/v1 with the official client, email confirmed. */
  signUp(overrides?: {
    username?: string
    email?: string
    password?: string
    data?: Record<string, unknown>
  }): Promise<Person>
  close(): Promise<void>
}

export type TestGatewayOptions = {
  /** Environment of the gateway, as an operator would set it. */
  readonly env?: Readonly<Record<string, string>>
  readonly sandboxUrl?: string
  /** The database of another gateway, which this one joins as a second node. The other one drops it. */
  readonly database?: TestDatabase
}

/** A pooler for the gateway's requests, with the settings that it needs. */
async function startPooler({ requestUrl, ownerUrl }: TestDatabase) {
  const keepsStatements = knowsPreparedStatements()
  const { url, stop } = await startPgBouncer(requestUrl, 'transaction', { poolSize: 4, keepsStatements })
  const env = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: ownerUrl,
    DATABASE_POOLING: 'transaction',
    DATABASE_PREPARED_STATEMENTS: keepsStatements ? '1' : '0',
  }
  return { env, stop }
}

/** The real gateway on its own database. */
export async function startGateway({
  env = {},
  sandboxUrl,
  database: shared,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-gateway-'))
  const database = shared ?? (await createTestDatabase())
  // `npm run proof:pooling`
  const pooled = process.env.POOLING_PROOF ? await startPooler(database) : undefined
  const { ownerUrl } = database
  const requestUrl = pooled?.env.DATABASE_URL ?? database.requestUrl
  const base = { NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'fatal', DEMO: '0', ...pooled?.env }
  const config = parseConfig({ ...base, ...env })
  const secrets = await loadSecrets(config)
  const log = pino({ level: config.logLevel })
  const gateway: Gateway = await start({
    config,
    secrets,
    log,
    requestUrl,
    ownerUrl,
    hasProductSchema: true,
    sandboxUrl,
  })
  const clients: SupabaseClient[] = []

  function client(key: string = secrets.anonKey): SupabaseClient {
    const made = createClient(gateway.url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    })
    clients.push(made)
    return made
  }

  async function signUp({
    username,
    email,
    password,
    data,
  }: Parameters<TestGateway['signUp']>[0] = {}): Promise<Person> {
    const name = username ?? `person_${randomBytes(5).toString('hex')}`
    const address = email ?? `${name}@example.com`
    const secret = password ?? 'correct horse battery'
    const person = client()
    const { data: signed, error } = await person.auth.signUp({
      email: address,
      password: secret,
      options: { data: { username: name, display_name: name, terms_accepted: true, ...data } },
    })
    if (error || !signed.user) throw error ?? new Error('sign-up returned no user')
    const [profile] = await database.query<{ id: string }>('select id from public.profiles where user_id = $1', [
      signed.user.id,
    ])
    return {
      client: person,
      userId: signed.user.id,
      profileId: profile?.id ?? '',
      username: name,
      email: address,
      password: secret,
    }
  }

  return {
    url: gateway.url,
    services: gateway.services,
    secrets,
    dataDir,
    database,
    service: client(secrets.serviceRoleKey),
    anon: client(),
    query: database.query,
    client,
    signUp,
    async close() {
      for (const made of clients) {
        made.auth.stopAutoRefresh()
        await made.removeAllChannels()
        made.realtime.disconnect()
      }
      await gateway.close()
      await pooled?.stop()
      if (!shared) await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
