import type { DatabaseFailure } from '../postgres/database-failure.ts'
import { errors, type GatewayError } from './errors.ts'

/** The error that the client reads when a statement got no answer from PostgreSQL. */
export function fromDatabaseFailure({ reason, cause }: DatabaseFailure): GatewayError {
  switch (reason.kind) {
    case 'overloaded':
      return errors.overloaded()
    case 'unreachable':
      return errors.databaseUnavailable(cause)
    case 'time_used':
      return errors.databaseTimeUsed(reason.retryAfterSeconds)
    case 'result_too_large':
      return errors.answerTooLarge(reason.maxBytes)
  }
}
