import { userOf } from '../database-hosts.ts'

/** Explains to the operator why the log can't be read, with the fix for the usual causes. */
export function explainLogFailure(error: unknown, ownerUrl: string): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const said = `PostgreSQL says: ${String(message)}.`
  if (code === '42501') {
    const role = userOf(ownerUrl) || '…'
    return `The role of DATABASE_URL lacks REPLICATION: run "alter role ${role} replication" as a superuser. ${said}`
  }
  if (code === '55000') return `PostgreSQL runs without wal_level = logical: set it and restart PostgreSQL. ${said}`
  if (code === '53400') return `All replication slots are in use: raise max_replication_slots. ${said}`
  if (code === '53300') return `All connections for replication are in use: raise max_wal_senders. ${said}`
  if (code === '08P01') {
    return `DATABASE_URL leads through a pooler, which doesn't pass replication on: connect to PostgreSQL directly. ${said}`
  }
  return said
}
