import pg from 'pg'

/**
 * `npm run admin`: account changes that the web app can't make, because there is no admin, or the only one can't sign in.
 * Like an admin's, each change adds a line to the audit log, without an actor: the server itself.
 */
export type Account = {
  readonly userId: string
  readonly profileId: string
  readonly email: string | null
  readonly username: string
  readonly isConfirmed: boolean
  readonly isAdmin: boolean
  readonly isSuspended: boolean
  /** Recovery codes don't count, because they come with a factor. */
  readonly secondFactors: number
  readonly sessions: number
}

const account = `select u.id as "userId", p.id as "profileId", u.email, p.username, u.email_confirmed_at is not null as "isConfirmed",
    public.has_role(u.id, 'admin') as "isAdmin", p.suspended_at is not null as "isSuspended",
    (select count(*) from auth.mfa_factors f
     where f.user_id = u.id and f.status = 'verified' and f.factor_type <> 'recovery_code')::int as "secondFactors",
    (select count(*) from auth.sessions s where s.user_id = u.id)::int as sessions
  from auth.users u join private.profiles p on p.user_id = u.id`

export async function listAdmins(client: pg.Client): Promise<Account[]> {
  const { rows } = await client.query<Account>(`${account} where public.has_role(u.id, 'admin') order by u.created_at`)
  return rows
}

/** @param name an email address, or a username. @throws an Error with one sentence. */
export async function findAccount(client: pg.Client, name: string): Promise<Account> {
  const column = name.includes('@') ? 'lower(u.email)' : 'p.username'
  const { rows } = await client.query<Account>(`${account} where ${column} = lower($1)`, [name])
  const [found, another] = rows
  if (!found) throw new Error(`No account is called ${name}: give its email address or its username.`)
  if (another) throw new Error(`Several accounts have the address ${name}: give the username.`)
  return found
}

type Act = {
  /** Whether the user sees the reason. */
  readonly needsReason?: true
  /** @returns the new state. @throws an Error with one sentence. */
  readonly run: (client: pg.Client, account: Account, reason: string) => Promise<string>
}

export const acts: Readonly<Record<string, Act>> = {
  make: {
    async run(client, { userId, isConfirmed, isSuspended }) {
      if (!isConfirmed)
        throw new Error(
          'Its email address is not confirmed, so anyone may have signed up with it. Let its owner confirm it first.',
        )
      if (isSuspended) throw new Error('It is suspended: reinstate it first.')
      await client.query(`insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict do nothing`, [
        userId,
      ])
      return 'is an admin'
    },
  },
  unmake: {
    async run(client, { userId }) {
      await client.query(`delete from public.user_roles where user_id = $1 and role = 'admin'`, [userId])
      const { rows } = await client.query(
        `select 1 from auth.users where id = $1 and lower(email) = lower(private.setting('admin_email'))`,
        [userId],
      )
      return rows.length > 0
        ? 'is no admin, until the next start: ADMIN_EMAIL names it. Change that too'
        : 'is no admin'
    },
  },
  'reset-second-factor': {
    async run(client, account) {
      await client.query('delete from auth.mfa_factors where user_id = $1', [account.userId])
      await endSessions(client, account)
      await writeAudit(client, 'reset_second_factor', account, { second_factors: account.secondFactors })
      return 'signs in without a second factor, and is signed out everywhere'
    },
  },
  'sign-out': {
    async run(client, account) {
      await endSessions(client, account)
      await writeAudit(client, 'sign_out_everywhere', account, { sessions: account.sessions })
      return 'is signed out everywhere'
    },
  },
  suspend: {
    needsReason: true,
    async run(client, { profileId }, reason) {
      await client.query('select public.suspend_user($1, $2)', [profileId, reason])
      return 'is suspended, and signed out everywhere'
    },
  },
  reinstate: {
    async run(client, { profileId }) {
      await client.query('select public.reinstate_user($1)', [profileId])
      return 'may sign in again'
    },
  },
}

/** All of it or nothing. @returns a sentence with the new state. @throws an Error with one sentence. */
export async function act(client: pg.Client, { run }: Act, name: string, reason: string): Promise<string> {
  await client.query('begin')
  try {
    const found = await findAccount(client, name)
    const outcome = await run(client, found, reason)
    await client.query('commit')
    return `${found.email ?? 'An account without an address'} (@${found.username}) ${outcome}.`
  } catch (error) {
    await client.query('rollback')
    // The database explains why it rejects the change, and what to do about it.
    if (error instanceof pg.DatabaseError)
      throw new Error([error.message, error.hint].filter(Boolean).join('. '), { cause: error })
    throw error
  }
}

/** The database notifies the nodes: access tokens of these sessions end at once. */
const endSessions = (client: pg.Client, { userId }: Account) =>
  client.query('delete from auth.sessions where user_id = $1', [userId])

const writeAudit = (client: pg.Client, action: string, { userId }: Account, before: Record<string, number>) =>
  client.query(`select private.write_audit($1, 'users', $2, $3, null, '{"by": "operator"}')`, [action, userId, before])
