import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit, recordRefusal } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccount, isBanned } from '../users/account.ts'
import { isUuid } from '../uuid.ts'
import { requireFullAssurance, type StoredCredential } from './factors.ts'
import {
  authenticationOptions,
  readAuthentication,
  readRegistration,
  registrationOptions,
  toRelyingParty,
} from './webauthn.ts'
import type { CeremonyState } from './webauthn-factor.ts'

const maxPasskeys = 10

type Credential = Readonly<Record<string, unknown>>

/** Options for an authenticator to create a passkey. @throws GatewayError 403 `insufficient_aal`; 422 `too_many_enrolled_mfa_factors`. */
export async function beginPasskeyRegistration(ctx: AuthContext, requester: Requester, rpId: string | undefined) {
  requireFullAssurance(requester, authErrors.aal2ToEnroll)
  const known = await findCredentials(ctx.db, requester.account.id)
  if (known.length >= maxPasskeys) throw authErrors.tooManyFactors()
  const party = toRelyingParty(ctx, rpId)
  const options = await registrationOptions(ctx, party, requester.account, { passkey: true, known })
  return keepChallenge(
    ctx,
    'registration',
    requester.account.id,
    { challenge: options.challenge, rpId: party.id },
    options,
  )
}

/** @throws GatewayError 422 `webauthn_challenge_expired`, `mfa_verification_failed`; 400 `webauthn_challenge_not_found`. */
export async function finishPasskeyRegistration(
  ctx: AuthContext,
  requester: Requester,
  answer: { readonly challengeId: string; readonly credential: Credential },
  visitor: RequestOrigin,
) {
  requireFullAssurance(requester, authErrors.aal2ToEnroll)
  const { account } = requester
  const state = await spendChallenge(ctx.db, 'registration', answer.challengeId, account.id)
  const ceremony = { challenge: state.challenge, party: toRelyingParty(ctx, state.rpId), passkey: true }
  const made = await readRegistration(ceremony, answer.credential)
  if (!made) throw authErrors.factorNotVerified('webauthn')
  return ctx.database.transaction(serviceRole, async (db) => {
    const [passkey] = await db.rows<PasskeyRow>(sql`
      insert into auth.webauthn_credentials (user_id, credential_id, public_key, aaguid, sign_count, transports, backed_up)
      values (${account.id}, ${made.id}, ${made.public_key}, ${made.aaguid}, ${made.counter}, ${JSON.stringify(made.transports)}::jsonb, ${made.backedUp})
      on conflict (credential_id) do nothing returning id, friendly_name, created_at, last_used_at`)
    if (!passkey) throw authErrors.conflict(409, 'This passkey is registered already')
    await recordAudit(db, 'passkey_created', account, visitor, { passkey_id: passkey.id })
    return renderPasskey(passkey)
  })
}

/** Options for an authenticator to sign in. They name nobody: the passkey identifies the user. @throws GatewayError 429. */
export async function beginPasskeySignIn(ctx: AuthContext, rpId: string | undefined, visitor: RequestOrigin) {
  const wait = await ctx.limits.signIn.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const party = toRelyingParty(ctx, rpId)
  const options = await authenticationOptions(party, [], true)
  return keepChallenge(ctx, 'authentication', null, { challenge: options.challenge, rpId: party.id }, options)
}

/** @throws GatewayError 422 `webauthn_challenge_expired`; 400 `webauthn_challenge_not_found`, `webauthn_verification_failed`, `user_banned`; 429. */
export async function finishPasskeySignIn(
  ctx: AuthContext,
  answer: { readonly challengeId: string; readonly credential: Credential },
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const wait = await ctx.limits.signIn.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const state = await spendChallenge(ctx.db, 'authentication', answer.challengeId, null)
  const ceremony = { challenge: state.challenge, party: toRelyingParty(ctx, state.rpId), passkey: true }
  const attempt = async (db: CallerDb) => {
    const known = await findCredential(db, String(answer.credential.id ?? ''))
    const counter = known && (await readAuthentication(ceremony, known, answer.credential))
    const account = known && counter !== undefined ? await findAccount(db, known.user_id) : undefined
    if (!known || !account || account.deleted_at) throw authErrors.webauthnNotVerified()
    if (isBanned(account)) throw authErrors.userBanned()
    await db.rows(sql`
      update auth.webauthn_credentials set sign_count = ${counter}, last_used_at = now(), updated_at = now() where id = ${known.row_id}`)
    await recordAudit(db, 'login', account, visitor, { provider: 'passkey' })
    return openSession(ctx, db, account, { method: 'passkey', provider: 'passkey' }, visitor)
  }
  return recordRefusal(ctx.db, undefined, visitor, { provider: 'passkey' }, () =>
    ctx.database.transaction(serviceRole, attempt),
  )
}

export async function listPasskeys({ db }: Pick<AuthContext, 'db'>, userId: string) {
  const rows = await db.rows<PasskeyRow>(sql`
    select id, friendly_name, created_at, last_used_at from auth.webauthn_credentials
    where user_id = ${userId} order by created_at, id`)
  return rows.map(renderPasskey)
}

/** @throws GatewayError 404 `validation_failed`, also for another user's passkey. */
export async function renamePasskey({ db }: AuthContext, userId: string, id: string, name: string) {
  const [passkey] = isUuid(id)
    ? await db.rows<PasskeyRow>(sql`
        update auth.webauthn_credentials set friendly_name = ${name}, updated_at = now()
        where id = ${id} and user_id = ${userId} returning id, friendly_name, created_at, last_used_at`)
    : []
  if (!passkey) throw authErrors.passkeyNotFound()
  return renderPasskey(passkey)
}

/** @throws GatewayError 404 `validation_failed`. */
export async function deletePasskey(
  ctx: AuthContext,
  userId: string,
  id: string,
  visitor: RequestOrigin,
): Promise<void> {
  await ctx.database.transaction(serviceRole, async (db) => {
    const deleted = isUuid(id)
      ? await db.rows(sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId} returning id`)
      : []
    if (deleted.length === 0) throw authErrors.passkeyNotFound()
    await recordAudit(db, 'passkey_deleted', await findAccount(db, userId), visitor, { passkey_id: id })
  })
}

type PasskeyRow = { id: string; friendly_name: string | null; created_at: Date; last_used_at: Date | null }

function renderPasskey({ id, friendly_name, created_at, last_used_at }: PasskeyRow) {
  return {
    id,
    ...(friendly_name && { friendly_name }),
    created_at: created_at.toISOString(),
    ...(last_used_at && { last_used_at: last_used_at.toISOString() }),
  }
}

async function keepChallenge<Options>(
  ctx: AuthContext,
  type: 'registration' | 'authentication',
  userId: string | null,
  state: CeremonyState,
  options: Options,
) {
  const seconds = ctx.config.auth.mfa.challengeSeconds
  const [kept] = await ctx.db.rows<{ id: string; expires_at: number }>(sql`
    insert into auth.webauthn_challenges (user_id, challenge_type, session_data, expires_at)
    values (${userId}, ${type}, ${JSON.stringify(state)}, now() + make_interval(secs => ${seconds}))
    returning id, floor(extract(epoch from expires_at))::int as expires_at`)
  if (!kept) throw new Error('a challenge was inserted without a row')
  return { challenge_id: kept.id, options, expires_at: kept.expires_at }
}

/** Each challenge is answered once, correctly or not. */
async function spendChallenge(db: CallerDb, type: string, id: string, userId: string | null): Promise<CeremonyState> {
  const [kept] = isUuid(id)
    ? await db.rows<{ session_data: CeremonyState; is_fresh: boolean }>(sql`
        delete from auth.webauthn_challenges
        where id = ${id} and challenge_type = ${type} and user_id is not distinct from ${userId}::uuid
        returning session_data, expires_at > now() as is_fresh`)
    : []
  if (!kept) throw authErrors.webauthnChallengeNotFound()
  if (!kept.is_fresh) throw authErrors.webauthnChallengeExpired()
  return kept.session_data
}

type KnownCredential = StoredCredential & { readonly row_id: string; readonly user_id: string }

async function findCredential(db: CallerDb, credentialId: string): Promise<KnownCredential | undefined> {
  const [known] = await db.rows<KnownCredential>(sql`
    select id as row_id, user_id, credential_id as id, public_key, sign_count::float8 as counter, transports
    from auth.webauthn_credentials where credential_id = ${credentialId.slice(0, 1400)} for update`)
  return known
}

function findCredentials(db: CallerDb, userId: string): Promise<StoredCredential[]> {
  return db.rows<StoredCredential>(sql`
    select credential_id as id, public_key, sign_count::float8 as counter, transports
    from auth.webauthn_credentials where user_id = ${userId}`)
}
