import { createHash } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { storeEmail } from '../email/email-change.ts'
import { readEmail } from '../email/read-email-address.ts'
import { authErrors } from '../errors.ts'
import { removeFactor } from '../factors/factors.ts'
import { hashPassword, isPasswordHash, requireStrongPassword } from '../passwords/passwords.ts'
import { readPhone } from '../phone/phone.ts'
import { storePhone } from '../phone/phone-change.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { type Account, accountColumns, findAccount } from '../users/account.ts'
import { createAccount } from '../users/create-account.ts'
import { mergeMetadata } from '../users/update-user.ts'
import { isUuid } from '../uuid.ts'
import { readBan } from './ban.ts'

/** One page of accounts, newest first, with the total count. */
export async function listUsers(
  ctx: AuthContext,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ users: Account[]; total: number }> {
  const [counted] = await ctx.db.rows<{ total: string }>(sql`select count(*) as total from auth.users`)
  const users = await ctx.db.rows<Account>(sql`
    select ${accountColumns} from auth.users u order by u.created_at desc, u.id limit ${perPage} offset ${(page - 1) * perPage}`)
  return { users, total: Number(counted?.total ?? 0) }
}

/** @throws GatewayError 404 `user_not_found`, 400 `validation_failed` for an invalid id. */
export async function findUser({ db }: { readonly db: CallerDb }, id: string): Promise<Account> {
  if (!isUuid(id)) throw authErrors.validationFailed('user_id must be an UUID')
  const account = await findAccount(db, id)
  if (!account) throw authErrors.userNotFound()
  return account
}

/** Creates an account without sending anything. @throws GatewayError 422 `email_exists`, `phone_exists`, `username_taken`, `weak_password`. */
export async function createUser(ctx: AuthContext, body: Body, visitor: RequestOrigin): Promise<Account> {
  refuseUnsupported(body)
  const email = readEmail(body)
  const phone = readPhone(body)
  if (!email && !phone) throw authErrors.validationFailed('Cannot create a user without either an email or a phone')
  const id = body.text('id')
  if (id !== undefined && !isUuid(id)) throw authErrors.validationFailed('ID must conform to the uuid v4 format')
  const newAccount = {
    ...(id && { id }),
    email: email ?? null,
    phone: phone ?? null,
    passwordHash: (await readPasswordHash(ctx, body)) ?? null,
    confirmed: (email !== undefined && body.flag('email_confirm')) ?? false,
    phoneConfirmed: body.flag('phone_confirm') ?? false,
    userMetadata: body.data('user_metadata') ?? {},
    appMetadata: body.data('app_metadata') ?? {},
  }
  const ban = readBan(body)
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = await createAccount(db, newAccount)
    if (ban) await storeBan(db, account.id, ban.until)
    await recordAudit(db, 'user_signedup', account, visitor, { by: 'service_role' })
    return findUser({ db }, account.id)
  })
}

/** Changes all given fields or none; a new password or a ban ends the sessions. */
export async function updateUserAsAdmin(
  ctx: AuthContext,
  id: string,
  body: Body,
  visitor: RequestOrigin,
): Promise<Account> {
  refuseUnsupported(body)
  const email = readEmail(body)
  const phone = readPhone(body)
  const phoneConfirmed = body.flag('phone_confirm')
  const passwordHash = await readPasswordHash(ctx, body)
  const confirmed = body.flag('email_confirm')
  const userMetadata = body.data('user_metadata')
  const appMetadata = body.data('app_metadata')
  const ban = readBan(body)
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = await findUser({ db }, id)
    const address = email ?? account.email
    // The service key vouches for the address, so a confirmed account stays confirmed at its new one.
    if (address && (address !== account.email || confirmed)) {
      await storeEmail(db, id, address, confirmed || account.email_confirmed_at !== null)
    }
    const number = phone ?? account.phone
    if (number && (number !== account.phone || phoneConfirmed)) {
      await storePhone(db, id, number, phoneConfirmed || account.phone_confirmed_at !== null)
    }
    if (passwordHash) await storePasswordAndEndSessions(db, id, passwordHash)
    if (userMetadata) await mergeMetadata(db, id, userMetadata)
    if (appMetadata) await mergeAppMetadata(db, id, appMetadata)
    if (ban) await storeBan(db, id, ban.until)
    await recordAudit(db, passwordHash ? 'user_updated_password' : 'user_modified', account, visitor, {
      by: 'service_role',
    })
    return findUser({ db }, id)
  })
}

/**
 * Deletes an account with all its data (D6); jobs delete its files and its data at the payment provider. A soft delete keeps
 * the row and its references, without anything that names the user or lets them sign in.
 */
export async function deleteUser(ctx: AuthContext, id: string, soft: boolean, visitor: RequestOrigin): Promise<void> {
  await ctx.database.transaction(serviceRole, async (db) => {
    const account = await findUser({ db }, id)
    if (soft) await softDelete(db, account)
    else await db.rows(sql`select private.delete_account(${id})`)
    await recordAudit(db, 'user_deleted', account, visitor, { by: 'service_role', soft })
  })
}

/** Call it once an admin has verified who the user is. @throws GatewayError 404 `user_not_found`, 422 `mfa_factor_not_found`. */
export async function deleteFactorAsAdmin(
  ctx: AuthContext,
  userId: string,
  factorId: string,
  visitor: RequestOrigin,
): Promise<void> {
  await ctx.database.transaction(serviceRole, async (db) => {
    const account = await findUser({ db }, userId)
    if (!account.factors.some(({ id }) => id === factorId)) throw authErrors.factorNotFound()
    await removeFactor(db, { id: factorId, user_id: account.id })
    await recordAudit(db, 'factor_deleted', account, visitor, { by: 'service_role', factor_id: factorId })
  })
}

async function softDelete(db: CallerDb, { id, email }: Account) {
  const unreachable = `${createHash('sha256').update(`${id}\0${email}`).digest('hex')}@deleted.invalid`
  await db.rows(sql`
    with sessions as (delete from auth.sessions where user_id = ${id}),
      tokens as (delete from auth.one_time_tokens where user_id = ${id}),
      identities as (delete from auth.identities where user_id = ${id}),
      factors as (delete from auth.mfa_factors where user_id = ${id}),
      apps as (delete from auth.oauth_consents where user_id = ${id}),
      authorizations as (delete from auth.oauth_authorizations where user_id = ${id}),
      passkeys as (delete from auth.webauthn_credentials where user_id = ${id})
    update auth.users set
      email = ${unreachable}, encrypted_password = null, phone = null, email_change = null, phone_change = null,
      raw_user_meta_data = '{}', deleted_at = now(), updated_at = now()
    where id = ${id}`)
}

/** Rejects GoTrue fields that this installation doesn't support, instead of ignoring them. */
function refuseUnsupported(body: Body) {
  const role = body.text('role')
  if (role && role !== 'authenticated') throw authErrors.validationFailed('role must be authenticated')
}

async function readPasswordHash(ctx: AuthContext, body: Body): Promise<string | undefined> {
  const password = body.text('password')
  const imported = body.text('password_hash')
  if (password && imported) throw authErrors.validationFailed('Only a password or a password hash should be provided')
  if (imported && !isPasswordHash(imported))
    throw authErrors.validationFailed('password_hash must be an argon2id or bcrypt hash')
  if (!password) return imported
  requireStrongPassword(password, ctx.config.auth)
  return hashPassword(password)
}

async function storePasswordAndEndSessions(db: CallerDb, id: string, passwordHash: string) {
  await db.rows(sql`
    with ended as (delete from auth.sessions where user_id = ${id})
    update auth.users set encrypted_password = ${passwordHash}, updated_at = now() where id = ${id}`)
}

async function storeBan(db: CallerDb, id: string, until: Date | null) {
  await db.rows(sql`
    with ended as (delete from auth.sessions where user_id = ${id} and ${until}::timestamptz is not null)
    update auth.users set banned_until = ${until}, updated_at = now() where id = ${id}`)
}

async function mergeAppMetadata(db: CallerDb, id: string, data: Readonly<Record<string, unknown>>) {
  const removed = Object.keys(data).filter((key) => data[key] === null)
  await db.rows(sql`
    update auth.users set
      raw_app_meta_data = (raw_app_meta_data || ${JSON.stringify(data)}::jsonb) - ${removed}::text[], updated_at = now()
    where id = ${id}`)
}
