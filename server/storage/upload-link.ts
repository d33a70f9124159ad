import type { Caller } from '../postgres/caller.ts'
import { type Statement, sql } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import type { LinkMaker, VerifiedLink } from './link-tokens.ts'
import { ownerOf } from './owner-of.ts'

/** A link for an upload. A stored file uses it up; a failed attempt doesn't. */
export type UploadLink = {
  readonly id: string
  readonly owner: string | undefined
  readonly session: string | undefined
  readonly expiresAt: Date
  /** Who writes the file: the link's maker, with their permissions at that time. */
  readonly caller: Caller
}

/** The maker's claims in a link: everything that policies need of a caller, and the session that the link ends with. */
export function makerOf(caller: Caller): LinkMaker {
  const { aal, session_id: session, client_id: client } = caller.claims
  const owner = ownerOf(caller)
  return {
    role: caller.role,
    ...(owner && { owner }),
    ...(typeof aal === 'string' && { aal }),
    ...(typeof session === 'string' && { session }),
    ...(typeof client === 'string' && { client }),
  }
}

/** @throws InvalidJWT (400) for a link without its maker's claims. */
export function readUploadLink({ id, maker, expiresAt }: VerifiedLink): UploadLink {
  if (!maker || !id) throw storageErrors.invalidLink('Invalid link token')
  const { role, owner, aal, session, client } = maker
  const claims = {
    role,
    ...(owner && { sub: owner }),
    ...(aal && { aal }),
    ...(session && { session_id: session }),
    ...(client && { client_id: client }),
  }
  return { id, owner, session, expiresAt, caller: { role, claims } }
}

/** For the transaction that writes the object. @throws a unique violation of `used_upload_links`; 42501 when its owner is banned or gone, or its session has ended. */
export function spendUploadLink({ id, owner, session, expiresAt }: UploadLink): Statement {
  return sql`select storage.use_upload_link(${id}, ${owner ?? null}::uuid, ${session ?? null}::uuid, ${expiresAt}::timestamptz)`
}
