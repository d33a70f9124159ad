import { randomUUID } from 'node:crypto'
import { withClient } from '@ovation/server/postgres/migrate'
import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import pg from 'pg'

/** Someone who signed up: the account, the profile made with it. */
export type Person = { readonly userId: string; readonly profileId: string; readonly username: string }
export type Creator = Person & { readonly productId: string }
/** Whose rights a statement has: a person's, a visitor's, or the server's. */
export type Caller = Person | 'anon' | 'service_role'
type Rows = Record<string, unknown>[]

const encryptionKey = 'k'.repeat(64)

/** A migrated database of its own for one test file, with the people and things that tests are about. */
export type DatabaseFixture = Awaited<ReturnType<typeof openDatabaseFixture>>

/** @param made a database that isn't fully migrated; `close` drops it too. */
export async function openDatabaseFixture(made?: TestDatabase) {
  const database = made ?? (await createTestDatabase())
  const pool = new pg.Pool({
    connectionString: database.ownerUrl,
    max: 4,
    options: `-c app.encryption_key=${encryptionKey}`,
  })
  pool.on('error', () => undefined) // dropping the database ends connections

  /** Runs SQL as the database's owner: to arrange, and to see what the database really holds. */
  async function query(text: string, values: unknown[] = []): Promise<Rows> {
    return (await pool.query(text, values)).rows
  }

  /** Runs one statement with the caller's rights, in a transaction of its own, as the gateway does. */
  async function as(caller: Caller, text: string, values: unknown[] = []): Promise<Rows> {
    const [rows = []] = await inOneTransaction(caller, [text], values)
    return rows
  }

  /** Like `as`, for several statements, e.g. one that opens a cursor and one that fetches. `values` belong to the first. */
  async function inOneTransaction(caller: Caller, texts: readonly string[], values: unknown[] = []): Promise<Rows[]> {
    const { all, commit } = await begin(caller, texts, values)
    await commit()
    return all
  }

  /** The same, left open until `commit`: what others do meanwhile meets it half way. */
  async function begin(caller: Caller, texts: readonly string[], values: unknown[] = []) {
    const role = typeof caller === 'string' ? caller : 'authenticated'
    const claims = typeof caller === 'string' ? { role } : { role, sub: caller.userId }
    const client = await pool.connect()
    const end = async (how: 'commit' | 'rollback') => {
      try {
        await client.query(how)
      } finally {
        client.release()
      }
    }
    try {
      await client.query('begin')
      await client.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
        JSON.stringify(claims),
        role,
      ])
      const all: Rows[] = []
      for (const [place, text] of texts.entries()) all.push((await client.query(text, place === 0 ? values : [])).rows)
      return { all, run: (text: string) => client.query(text), commit: () => end('commit') }
    } catch (error) {
      await end('rollback')
      throw error
    }
  }

  /** The plans of a statement and of all statements within its functions, each with its text. Runs it as the database's owner. */
  async function plansOf(text: string, settings: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const plans: string[] = []
    await withClient(database.ownerUrl, async (client) => {
      await client.query(`load 'auto_explain'`)
      const logging = { log_level: 'notice', log_nested_statements: 'on', log_min_duration: '0' }
      for (const [name, value] of Object.entries(settings))
        await client.query('select set_config($1, $2, false)', [name, value])
      for (const [name, value] of Object.entries(logging))
        await client.query('select set_config($1, $2, false)', [`auto_explain.${name}`, value])
      client.on('notice', ({ message = '' }) => plans.push(message))
      await client.query(text)
    })
    return plans
  }

  async function buildPerson(
    overrides: { username?: string; email?: string; meta?: Record<string, unknown> } = {},
  ): Promise<Person> {
    const username = overrides.username ?? `p${randomUUID().slice(0, 12)}`
    const meta = { username, terms_accepted: true, ...overrides.meta }
    const [row] = await query(
      `with account as (
         insert into auth.users (email, email_confirmed_at, raw_user_meta_data) values ($1, now(), $2) returning id
       ) select id from account`,
      [overrides.email ?? `${username}@example.com`, meta],
    )
    const [profile] = await query('select id, user_id, username from private.profiles where user_id = $1', [row?.id])
    return { userId: String(profile?.user_id), profileId: String(profile?.id), username: String(profile?.username) }
  }

  async function buildAdmin(): Promise<Person> {
    const person = await buildPerson()
    await query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [person.userId])
    return person
  }

  /** Approved, able to take charges, with a $9.99 monthly plan. */
  async function buildCreator(overrides: { tieredAccess?: boolean; isPrivate?: boolean } = {}): Promise<Creator> {
    const person = await buildPerson()
    await query(
      `update private.profiles set is_creator = true, is_verified = true, stripe_account_id = $2, stripe_charges_enabled = true,
         tiered_access = $3, is_private = $4 where id = $1`,
      [person.profileId, `acct_${person.username}`, overrides.tieredAccess ?? false, overrides.isPrivate ?? false],
    )
    return { ...person, productId: await buildProduct(person, 999) }
  }

  async function buildProduct(creator: Person, priceCents: number, interval = 'month'): Promise<string> {
    const [row] = await query(
      `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Plan', $2, $3) returning id`,
      [creator.profileId, priceCents, interval],
    )
    return String(row?.id)
  }

  /** An uploaded file in the person's own folder. @returns its path. */
  async function buildFile(owner: Person, bucket = 'posts', mimetype = 'image/jpeg'): Promise<string> {
    const name = `${owner.userId}/${randomUUID()}`
    await query('insert into storage.objects (bucket_id, name, metadata) values ($1, $2, $3)', [
      bucket,
      name,
      { mimetype },
    ])
    return name
  }

  type PostOverrides = { type?: string; content?: string; media?: string[]; tierId?: string; price?: number }
  /** A post with text of 200 characters and one picture, inserted by its author as the app does. */
  async function buildPost(creator: Creator, { type = 'free', content, media, tierId, price }: PostOverrides = {}) {
    const paths = media ?? [await buildFile(creator)]
    const [row] = await as(
      creator,
      `insert into public.posts (creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price)
       values ($1, 'A title', $2, $3, $4, $5, $6, $7) returning id`,
      [
        creator.profileId,
        content ?? 'open words '.repeat(10).slice(0, 100) + 'secret words '.repeat(10).slice(0, 100),
        type,
        paths,
        paths.map(() => 'image'),
        type === 'subscription' ? (tierId ?? creator.productId) : null,
        type === 'ppv' ? (price ?? 500) : null,
      ],
    )
    return { id: String(row?.id), path: String(paths[0]) }
  }

  type State = {
    status?: string
    productId?: string
    start?: string
    end?: string
    trialEnd?: string | null
    cancelAtPeriodEnd?: boolean
    eventAt?: string
    stripeId?: string
  }
  /** What Stripe says of a subscription; times are intervals from now. @returns subscriptions.id */
  async function subscribe(fan: Person, creator: Creator, state: State = {}): Promise<string> {
    const [row] = await as(
      'service_role',
      `select private.apply_subscription_state($1, $2, $3, $4, $5, now() + $6::interval, now() + $7::interval, now() + $8::interval, $9, null,
         now() + $10::interval) as id`,
      [
        state.stripeId ?? `sub_${randomUUID()}`,
        fan.profileId,
        creator.profileId,
        state.productId ?? creator.productId,
        state.status ?? 'active',
        state.start ?? '0 days',
        state.end ?? '30 days',
        state.trialEnd ?? null,
        state.cancelAtPeriodEnd ?? false,
        state.eventAt ?? '0 seconds',
      ],
    )
    return String(row?.id)
  }

  /** A paid invoice of a subscription. @returns transactions.id */
  async function pay(
    fan: Person,
    creator: Creator,
    { cause = `in_${randomUUID()}`, gross = 999, fee = 100, at = new Date().toISOString() } = {},
  ) {
    const [row] = await as(
      'service_role',
      `select private.post_subscription_payment($1, $2, $3, $4, $5, $6, 'usd', $7) as id`,
      [cause, fan.profileId, creator.profileId, creator.productId, gross, fee, at],
    )
    return String(row?.id)
  }

  return {
    ownerUrl: database.ownerUrl,
    query,
    as,
    inOneTransaction,
    begin,
    plansOf,
    buildPerson,
    buildAdmin,
    buildCreator,
    buildProduct,
    buildFile,
    buildPost,
    subscribe,
    pay,
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

/** What PostgreSQL answers when a grant or a policy refuses. */
export const refused = { code: '42501' }
