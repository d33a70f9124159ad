import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { type Account, findAccount } from './account.ts'

export type NewAccount = {
  readonly id?: string
  readonly email: string
  readonly passwordHash: string | null
  readonly confirmed: boolean
  readonly userMetadata: Readonly<Record<string, unknown>>
  readonly appMetadata?: Readonly<Record<string, unknown>>
}

/**
 * Creates the account with its e-mail identity; the database adds the profile (AUTH-09, AUTH-10).
 * @throws pg's DatabaseError for `users_email_key`, `profiles_username_key`, `profiles_username_format`.
 */
export async function createAccount(db: CallerDb, account: NewAccount): Promise<Account> {
  const appMetadata = { ...account.appMetadata, provider: 'email', providers: ['email'] }
  const [created] = await db.rows<{ id: string }>(sql`
    with account as (
      insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      values (
        coalesce(${account.id ?? null}::uuid, gen_random_uuid()), ${account.email}, ${account.passwordHash},
        case when ${account.confirmed}::boolean then now() end,
        ${JSON.stringify(appMetadata)}, ${JSON.stringify(withTidyUsername(account.userMetadata))}
      )
      returning id, email, email_confirmed_at
    ), identity as (
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      select id, 'email', id::text, jsonb_build_object(
        'sub', id, 'email', email, 'email_verified', email_confirmed_at is not null, 'phone_verified', false)
      from account
    )
    select id from account`)
  const found = created && (await findAccount(db, created.id))
  if (!found) throw new Error('an account was inserted without a row')
  return found
}

/** The username as the profile will have it (AUTH-09), so that the two agree. What is not text is left for the database to refuse. */
export function withTidyUsername(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { username } = metadata
  return typeof username === 'string'
    ? { ...metadata, username: username.replaceAll(/\s/g, '').toLowerCase() }
    : metadata
}
