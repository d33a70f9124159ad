import type { Statement } from './sql.ts'

/** The one bridge from a request to the database. */
export type CallerDb = {
  /**
   * Runs one statement as the caller, in its own transaction and one network round trip. Role and claims travel with it
   * and end with it, so a pooled connection carries no permissions over.
   * @throws pg's DatabaseError with its SQLSTATE; GatewayError 503 when the queue for a connection is full.
   */
  rows<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>
}

/** The same bridge with the permissions of `service_role`, which bypasses row-level security. Code that takes it says why. */
export type ServiceDb = CallerDb & { readonly isService: true }
