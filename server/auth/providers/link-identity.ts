import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { type Account, findAccount, findAccountByEmail, isBanned } from '../users/account.ts'
import { createAccount } from '../users/create-account.ts'
import { noteProviders } from './identities.ts'
import type { ProviderPerson } from './provider-person.ts'

/**
 * The account of a user of another service: the one with this identity, or the one whose address the service has
 * verified, or a new one.
 * @throws GatewayError 422 `provider_email_needs_verification`, `signup_disabled`; 400 `user_banned`.
 */
export async function accountOf(
  ctx: AuthContext,
  db: CallerDb,
  person: ProviderPerson,
  visitor: RequestOrigin,
): Promise<Account> {
  // A company vouches only for its own users: each gets a new account, never an existing one.
  const isSso = person.provider.startsWith('sso:')
  const account =
    (await findKnown(db, person)) ??
    (isSso ? undefined : await adopt(db, person, visitor)) ??
    (await create(ctx, db, person, visitor, isSso))
  if (account.deleted_at) throw authErrors.userOfTokenNotFound()
  if (isBanned(account)) throw authErrors.userBanned()
  return account
}

async function findKnown(db: CallerDb, { provider, id, email, data }: ProviderPerson): Promise<Account | undefined> {
  const [identity] = await db.rows<{ user_id: string }>(sql`
    update auth.identities set identity_data = identity_data || ${JSON.stringify(data)}::jsonb, updated_at = now()
    where provider = ${provider} and provider_id = ${id} returning user_id`)
  // For a company's users, the company's own record counts.
  if (identity && email && provider.startsWith('sso:')) {
    await db.rows(sql`
      update auth.users set email = ${email}, updated_at = now()
      where id = ${identity.user_id} and is_sso_user and lower(email) is distinct from ${email}`)
  }
  return identity && findAccount(db, identity.user_id)
}

/**
 * An unconfirmed account with that address may belong to a stranger who waited for this moment: all ways in are removed, and the
 * account now belongs to the service's user.
 */
async function adopt(db: CallerDb, person: ProviderPerson, visitor: RequestOrigin): Promise<Account | undefined> {
  const { email, emailVerified, provider } = person
  const account = email ? await findAccountByEmail(db, email) : undefined
  if (!account) return undefined
  if (!emailVerified) throw authErrors.emailNotVerifiedBy(provider)
  if (!account.email_confirmed_at) {
    await db.rows(sql`
      with sessions as (delete from auth.sessions where user_id = ${account.id}),
        passkeys as (delete from auth.webauthn_credentials where user_id = ${account.id}),
        factors as (delete from auth.mfa_factors where user_id = ${account.id}),
        tokens as (delete from auth.one_time_tokens where user_id = ${account.id}),
        identities as (delete from auth.identities where user_id = ${account.id})
      update auth.users set email_confirmed_at = now(), encrypted_password = null, updated_at = now() where id = ${account.id}`)
  }
  await storeIdentity(db, account.id, person)
  await recordAudit(db, 'identity_linked', account, visitor, { provider })
  return findAccount(db, account.id)
}

async function create(
  ctx: AuthContext,
  db: CallerDb,
  person: ProviderPerson,
  visitor: RequestOrigin,
  isSsoUser: boolean,
): Promise<Account> {
  const { email, emailVerified, provider, data } = person
  if (ctx.config.auth.disableSignup) throw authErrors.signupDisabled()
  if (email && !emailVerified) throw authErrors.emailNotVerifiedBy(provider)
  const name = typeof data.name === 'string' ? { display_name: data.name } : {}
  const account = await createAccount(db, {
    email: email ?? null,
    passwordHash: null,
    confirmed: email !== undefined,
    userMetadata: { ...data, ...name },
    ownIdentities: false,
    isSsoUser,
  })
  await storeIdentity(db, account.id, person)
  await recordAudit(db, 'user_signedup', account, visitor, { provider })
  return (await findAccount(db, account.id)) ?? account
}

/**
 * Links the identity to an account whose owner is signed in. An account without an address gets the verified one.
 * @throws GatewayError 422 `identity_already_exists`.
 */
export async function linkIdentity(
  db: CallerDb,
  account: Account,
  person: ProviderPerson,
  visitor: RequestOrigin,
): Promise<Account> {
  await requireFreeIdentity(db, account.id, person)
  await storeIdentity(db, account.id, person)
  if (account.email === null && person.email && person.emailVerified) {
    await db.rows(sql`
      update auth.users set email = ${person.email}, email_confirmed_at = now(), updated_at = now() where id = ${account.id}`)
  }
  await db.rows(
    sql`update auth.users set is_anonymous = false, updated_at = now() where id = ${account.id} and is_anonymous`,
  )
  await recordAudit(db, 'identity_linked', account, visitor, { provider: person.provider })
  return (await findAccount(db, account.id)) ?? account
}

/** @throws GatewayError 422 `identity_already_exists`. */
export async function requireFreeIdentity(db: CallerDb, userId: string, { provider, id }: ProviderPerson) {
  const [taken] = await db.rows<{ user_id: string }>(sql`
    select user_id from auth.identities where provider = ${provider} and provider_id = ${id}`)
  if (taken) throw authErrors.identityExists(taken.user_id === userId)
}

async function storeIdentity(db: CallerDb, userId: string, { provider, id, data }: ProviderPerson) {
  await db.rows(sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (${userId}, ${provider}, ${id}, ${JSON.stringify(data)}, now())`)
  await noteProviders(db, userId)
}
