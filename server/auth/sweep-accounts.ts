import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { AuthSettings } from './settings.ts'

/** Removes spent tokens, abandoned flows, and accounts that nobody confirmed. Doing it twice does nothing more. */
export async function sweepAccounts(
  service: ServiceDb,
  { unconfirmedDays, auditLogDays }: Pick<AuthSettings, 'unconfirmedDays' | 'auditLogDays'>,
): Promise<void> {
  await service.rows(sql`select private.sweep_accounts(${unconfirmedDays}, ${auditLogDays})`)
}
