import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { isConnectionLoss } from '../postgres/connection-loss.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import { errors, GatewayError } from './errors.ts'
import { fromDatabaseFailure } from './from-database-failure.ts'

/** What a database error means in an API. Undefined: it is a bug of ours, and reported as one. */
export type FromDatabase = (error: pg.DatabaseError) => GatewayError | undefined

/** @returns the error for the client. Our own failures are logged with the request's id. */
export type ErrorTranslator = (error: unknown, requestId: string) => GatewayError

/** @param fromFramework what an error means that the HTTP framework throws before one of our handlers runs. */
export function buildErrorTranslator(
  log: FastifyBaseLogger,
  fromDatabase: FromDatabase,
  fromFramework: (error: Error) => GatewayError | undefined = () => undefined,
): ErrorTranslator {
  const logOverload = buildOverloadLog(log)
  return (error, requestId) => {
    const known = recognize(error, fromDatabase) ?? fromFramework(error as Error)
    if (known?.status === 503 && known.cause === undefined) logOverload()
    // Errors that we didn't throw are bugs or outages: logged in full, and reported in one plain sentence. 501 is neither.
    else if (!known || (known.status >= 500 && known.status !== 501))
      log.error({ requestId, err: known?.cause ?? error }, 'request failed')
    return known ?? errors.internal()
  }
}

/** A log line for each request rejected for overload would add to the load: one every few seconds gives their number. */
function buildOverloadLog(log: FastifyBaseLogger): () => void {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return () => {
    refused += 1
    if (performance.now() - loggedAt < overloadLogMs) return
    log.warn({ refused }, 'too busy: requests are rejected')
    loggedAt = performance.now()
    refused = 0
  }
}
const overloadLogMs = 5_000

function recognize(error: unknown, fromDatabase: FromDatabase): GatewayError | undefined {
  if (error instanceof GatewayError) return error
  if (error instanceof DatabaseFailure) return fromDatabaseFailure(error)
  if (error instanceof pg.DatabaseError) {
    return fromDatabase(error) ?? (isUnavailable(error) ? errors.databaseUnavailable(error) : undefined)
  }
  return isConnectionLoss(error) ? errors.databaseUnavailable(error) : undefined
}

/** PostgreSQL stops, starts, or lacks connections or memory (class 53): it is temporary, and nobody's mistake. */
const isUnavailable = (error: pg.DatabaseError): boolean => isConnectionLoss(error) || /^53...$/.test(error.code ?? '')
