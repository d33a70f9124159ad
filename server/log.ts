import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'

type LogOptions = {
  readonly level: string
  /** What stands in every line beside the message. */
  readonly base?: Readonly<Record<string, unknown>>
  /** JSON lines on stderr, so that what a person should read stands alone on stdout. */
  readonly destination?: DestinationStream
}

/** What of a line may hold somebody's secret: PostgreSQL's detail of a refused row is the row, with all that is in it. */
const redact = ['req.headers', 'password', 'token', 'err.detail']

/** The log of one process. */
export function buildLog({ level, base, destination = pino.destination(2) }: LogOptions): FastifyBaseLogger {
  return pino({ level, redact, ...(base && { base }) }, destination)
}
