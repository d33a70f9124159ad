import { termsVersion } from '@ovation/contract/texts/legal'
import type { Config } from '../config.ts'
import type { ServiceDb } from './caller-db.ts'
import { sql } from './sql.ts'

/**
 * Writes the operator's configuration into the database for its rules (GEN-43). It needs the service: no user may write it.
 * The node that migrates writes it: with `MIGRATE=0` the database isn't ours, or another node has written it.
 */
export async function applyOperatorSettings(
  db: ServiceDb,
  { migrate, adminEmail, auth, writeLimits, storage }: Config,
) {
  if (!migrate) return
  const settings = {
    admin_email: adminEmail ?? null,
    admin_needs_second_factor: auth.mfa.requiredForAdmins ? 'true' : null,
    terms_version: termsVersion,
    new_conversations_per_hour: String(writeLimits.newConversations),
    mass_messages_per_day: String(writeLimits.massMessagesPerDay),
    creator_quota_bytes: String(storage.creatorQuotaBytes),
  }
  await db.rows(sql`select private.apply_settings(${JSON.stringify(settings)}::jsonb)`)
}
