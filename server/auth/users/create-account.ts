import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { type Account, findAccount } from './account.ts'

export type NewAccount = {
  readonly id?: string
  readonly email: string | null
  readonly phone?: string | null
  readonly passwordHash: string | null
  /** Whether the address, or the number if there is no address, is already confirmed. */
  readonly confirmed: boolean
  readonly phoneConfirmed?: boolean
  readonly isAnonymous?: boolean
  readonly isSsoUser?: boolean
  /** False if another service's identity is the only one; the caller adds it. */
  readonly ownIdentities?: boolean
  readonly userMetadata: Readonly<Record<string, unknown>>
  readonly appMetadata?: Readonly<Record<string, unknown>>
}

/**
 * Creates the account with an identity for its address and its number; the database adds the profile (AUTH-09, AUTH-10).
 * @throws pg's DatabaseError for `users_email_key`, `users_phone_key`, `profiles_username_key`, `profiles_username_format`.
 */
export async function createAccount(db: CallerDb, account: NewAccount): Promise<Account> {
  const { email, phone = null, confirmed, ownIdentities = true } = account
  const phoneConfirmed = account.phoneConfirmed ?? (email === null && confirmed)
  const [created] = await db.rows<{ id: string }>(sql`
    with account as (
      insert into auth.users (
        id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, is_anonymous, is_sso_user, raw_app_meta_data, raw_user_meta_data)
      values (
        coalesce(${account.id ?? null}::uuid, gen_random_uuid()), ${email}, ${phone}, ${account.passwordHash},
        case when ${confirmed && email !== null}::boolean then now() end, case when ${phoneConfirmed && phone !== null}::boolean then now() end,
        ${account.isAnonymous ?? false}, ${account.isSsoUser ?? false}, ${JSON.stringify({ ...account.appMetadata, ...(ownIdentities && providersOf(email, phone)) })},
        ${JSON.stringify(withTidyUsername(account.userMetadata))}
      )
      returning id, email, email_confirmed_at, phone, phone_confirmed_at
    ), identities as (
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      select id, 'email', id::text, jsonb_build_object(
        'sub', id, 'email', email, 'email_verified', email_confirmed_at is not null, 'phone_verified', false)
      from account where email is not null and ${ownIdentities}::boolean
      union all
      select id, 'phone', id::text, jsonb_build_object(
        'sub', id, 'phone', phone, 'email_verified', false, 'phone_verified', phone_confirmed_at is not null)
      from account where phone is not null and ${ownIdentities}::boolean
    )
    select id from account`)
  const found = created && (await findAccount(db, created.id))
  if (!found) throw new Error('an account was inserted without a row')
  return found
}

function providersOf(email: string | null, phone: string | null) {
  const providers = [...(email === null ? [] : ['email']), ...(phone === null ? [] : ['phone'])]
  return providers.length === 0 ? {} : { provider: providers[0], providers }
}

/** Normalizes the username like the profile (AUTH-09), so that the two agree. The database rejects anything but text. */
export function withTidyUsername(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { username } = metadata
  return typeof username === 'string' ? { ...metadata, username: tidyUsername(username) } : metadata
}

export function tidyUsername(username: string): string {
  return username.replaceAll(/\s/g, '').toLowerCase()
}
