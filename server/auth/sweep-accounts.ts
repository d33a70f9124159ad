import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { AuthSettings } from './settings.ts'

/** Deletes spent tokens, abandoned flows, and accounts that were never confirmed. Idempotent. */
export async function sweepAccounts(
  service: ServiceDb,
  { unconfirmedDays, auditLogDays }: Pick<AuthSettings, 'unconfirmedDays' | 'auditLogDays'>,
): Promise<void> {
  await service.rows(sql`select private.sweep_accounts(${unconfirmedDays}, ${auditLogDays})`)
}
