import type { Statement } from './sql.ts'

/** The one bridge from a request to the database. */
export type CallerDb = {
  /**
   * Runs one statement as the caller, in a transaction of its own and one network round trip. Role and claims travel with it
   * and end with it, so a pooled connection carries no rights over.
   * @throws pg's DatabaseError with its SQLSTATE; DatabaseFailure `overloaded` when the queue for a connection is full.
   */
  rows<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>
}

/** The same bridge with the rights of `service_role`, which row-level security does not hold. A signature that takes it says why. */
export type ServiceDb = CallerDb & { readonly isService: true }
