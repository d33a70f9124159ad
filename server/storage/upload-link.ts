import type { Caller } from '../postgres/caller.ts'
import { type Statement, sql } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import type { VerifiedLink } from './link-tokens.ts'

/** A link that someone uploads with. It is used by the file that comes through it, and not by attempts that fail. */
export type UploadLink = {
  readonly id: string
  readonly owner: string | undefined
  readonly expiresAt: Date
  /** As whom the file is written: the link's maker, with the rights of the moment. */
  readonly caller: Caller
}

/** @throws InvalidJWT (400) for a link that says nothing of its maker. */
export function readUploadLink({ id, maker, expiresAt }: VerifiedLink): UploadLink {
  if (!maker || !id) throw storageErrors.invalidLink('Invalid link token')
  const { role, owner, aal } = maker
  return {
    id,
    owner,
    expiresAt,
    caller: { role, claims: { role, ...(owner && { sub: owner }), ...(aal && { aal }) } },
  }
}

/** For the transaction that writes the object. @throws a unique violation of `used_upload_links`; 42501 when its owner is banned or gone. */
export function useUploadLink({ id, owner, expiresAt }: UploadLink): Statement {
  return sql`select storage.use_upload_link(${id}, ${owner ?? null}::uuid, ${expiresAt}::timestamptz)`
}
