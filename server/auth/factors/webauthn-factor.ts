import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import type { Account } from '../users/account.ts'
import type { Factor } from './factors.ts'
import {
  authenticationOptions,
  readAuthentication,
  readRegistration,
  registrationOptions,
  toRelyingParty,
} from './webauthn.ts'

/** The authenticator's challenge, kept with the factor's challenge. */
export type CeremonyState = { readonly challenge: string; readonly rpId: string }

/** A new factor needs a new credential, a verified one a signature. */
export async function askAuthenticator(ctx: AuthContext, account: Account, factor: Factor, rpId: string | undefined) {
  const party = toRelyingParty(ctx, rpId)
  const known = factor.web_authn_credential
  const publicKey = known
    ? await authenticationOptions(party, [known], false)
    : await registrationOptions(ctx, party, account, { passkey: false, known: [] })
  const state: CeremonyState = { challenge: publicKey.challenge, rpId: party.id }
  return { state, webauthn: { type: known ? 'request' : 'create', credential_options: { publicKey } } as const }
}

export async function checkAuthenticator(
  ctx: AuthContext,
  db: CallerDb,
  { id, web_authn_credential: known }: Factor,
  state: CeremonyState | null,
  response: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (!state) return false
  const ceremony = { challenge: state.challenge, party: toRelyingParty(ctx, state.rpId), passkey: false }
  if (known) {
    const counter = await readAuthentication(ceremony, known, response)
    if (counter === undefined) return false
    await storeCredential(db, id, { ...known, counter })
    return true
  }
  const made = await readRegistration(ceremony, response)
  if (!made) return false
  const { aaguid, backedUp: _, ...credential } = made
  await storeCredential(db, id, credential)
  await db.rows(sql`update auth.mfa_factors set web_authn_aaguid = ${aaguid} where id = ${id}`)
  return true
}

async function storeCredential(db: CallerDb, factorId: string, credential: Factor['web_authn_credential']) {
  await db.rows(sql`
    update auth.mfa_factors set web_authn_credential = ${JSON.stringify(credential)}::jsonb, updated_at = now() where id = ${factorId}`)
}
