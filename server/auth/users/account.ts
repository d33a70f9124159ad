import type { CallerDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'

/** A row of auth.users with its identities, but without the password hash, which is read only for comparing. */
export type Account = {
  readonly id: string
  readonly aud: string
  readonly role: string
  readonly email: string | null
  readonly email_confirmed_at: Date | null
  readonly invited_at: Date | null
  readonly confirmation_sent_at: Date | null
  readonly recovery_sent_at: Date | null
  readonly email_change: string | null
  readonly email_change_sent_at: Date | null
  readonly phone: string | null
  readonly phone_confirmed_at: Date | null
  readonly phone_change: string | null
  readonly phone_change_sent_at: Date | null
  readonly confirmed_at: Date | null
  readonly last_sign_in_at: Date | null
  readonly raw_app_meta_data: Readonly<Record<string, unknown>>
  readonly raw_user_meta_data: Readonly<Record<string, unknown>>
  readonly is_anonymous: boolean
  /** A company's user, who signs in only with its identity provider. */
  readonly is_sso_user: boolean
  readonly banned_until: Date | null
  readonly deleted_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly identities: readonly Identity[]
  readonly factors: readonly FactorSummary[]
}

/** A second factor as all readers of the account see it: no secret, no credential. */
export type FactorSummary = {
  readonly id: string
  readonly friendly_name: string | null
  readonly factor_type: string
  readonly status: 'verified' | 'unverified'
  readonly phone: string | null
  readonly last_challenged_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** As `to_jsonb` returns it: times are text. */
export type Identity = {
  readonly id: string
  readonly user_id: string
  readonly provider: string
  readonly provider_id: string
  readonly identity_data: Readonly<Record<string, unknown>>
  readonly email: string | null
  readonly last_sign_in_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** The columns of `Account`, for statements in which auth.users is `u`. */
export const accountColumns = fragment`u.id, u.aud, u.role, u.email, u.email_confirmed_at, u.invited_at, u.confirmation_sent_at,
  u.recovery_sent_at, u.email_change, u.email_change_sent_at, u.phone, u.phone_confirmed_at, u.phone_change, u.phone_change_sent_at, u.confirmed_at, u.last_sign_in_at,
  u.raw_app_meta_data, u.raw_user_meta_data, u.is_anonymous, u.is_sso_user, u.banned_until, u.deleted_at, u.created_at, u.updated_at,
  (select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at, i.id), '[]') from auth.identities i where i.user_id = u.id) as identities,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status, 'phone', f.phone,
      'last_challenged_at', f.last_challenged_at, 'created_at', f.created_at, 'updated_at', f.updated_at) order by f.created_at, f.id), '[]')
    from auth.mfa_factors f where f.user_id = u.id) as factors`

export async function findAccount(db: CallerDb, id: string): Promise<Account | undefined> {
  const [account] = await db.rows<Account>(sql`select ${accountColumns} from auth.users u where u.id = ${id}`)
  return account
}

/** @param email in lower case, as returned by `readEmail`. */
export async function findAccountByEmail(db: CallerDb, email: string): Promise<Account | undefined> {
  const [account] = await db.rows<Account>(sql`
    select ${accountColumns} from auth.users u where lower(u.email) = ${email} and not u.is_sso_user`)
  return account
}

/** @param phone digits only, as returned by `readPhone`. */
export async function findAccountByPhone(db: CallerDb, phone: string): Promise<Account | undefined> {
  const [account] = await db.rows<Account>(sql`select ${accountColumns} from auth.users u where u.phone = ${phone}`)
  return account
}

export function isBanned({ banned_until }: Pick<Account, 'banned_until'>): boolean {
  return banned_until !== null && banned_until > new Date()
}
