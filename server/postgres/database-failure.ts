export type DatabaseFailureReason =
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'time_used'; readonly retryAfterSeconds: number }
  | { readonly kind: 'result_too_large'; readonly maxBytes: number }

const messages: Readonly<Record<DatabaseFailureReason['kind'], string>> = {
  overloaded: 'Too many statements wait for a database connection.',
  unreachable: "The database can't be reached.",
  time_used: 'The database time of this account or address is used up.',
  result_too_large: 'The result is larger than it may be.',
}

/** Why a statement got no answer from PostgreSQL. PostgreSQL's own errors are a `pg.DatabaseError`. */
export class DatabaseFailure extends Error {
  readonly reason: DatabaseFailureReason

  constructor(reason: DatabaseFailureReason, options?: ErrorOptions) {
    super(messages[reason.kind], options)
    this.name = 'DatabaseFailure'
    this.reason = reason
  }
}
