/**
 * On whose behalf a statement runs. The database decides what the caller may do; TypeScript only passes the caller to it.
 * `claims` is what `auth.jwt()` returns: the verified token's payload, or `{ role }` for a key.
 */
export type Caller = {
  readonly role: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Facts of the HTTP request for the statement, with PostgREST's names: `request.method`, `request.path`, …. */
export type RequestSettings = {
  /** Undefined: that of the connection. */
  readonly searchPath?: string | undefined
  readonly method?: string
  readonly path?: string
  readonly headers?: string
  readonly cookies?: string
  /** As PostgreSQL writes it, e.g. `3s`. Undefined: that of the connection. */
  readonly statementTimeout?: string | undefined
  /** The time zone of dates and times in parameters and results. */
  readonly timezone?: string | undefined
  /** The statement, and every function it calls, may not write: SQLSTATE 25006. */
  readonly readOnly?: boolean
  /** The key for encryption at rest. Undefined: that of the connection. */
  readonly encryptionKey?: string | undefined
}

export const anonymous: Caller = { role: 'anon', claims: { role: 'anon' } }
/** Bypasses row-level security. Code that uses it says why it needs more permissions than the user it serves. */
export const serviceRole: Caller = { role: 'service_role', claims: { role: 'service_role' } }
