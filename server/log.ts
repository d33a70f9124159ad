import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'

type LogOptions = {
  readonly level: string
  /** The fields of every line besides the message. */
  readonly base?: Readonly<Record<string, unknown>>
  /** More fields, asked for with each line. */
  readonly fields?: (() => object) | undefined
  /** JSON lines on stderr, so that stdout has only what people should read. */
  readonly destination?: DestinationStream
}

/** Fields that may hold secrets. PostgreSQL's detail of a rejected row contains the whole row. */
const redact = ['req.headers', 'password', 'token', 'err.detail']

/** The log of one process. */
export function buildLog({ level, base, fields, destination = pino.destination(2) }: LogOptions): FastifyBaseLogger {
  return pino({ level, redact, ...(base && { base }), ...(fields && { mixin: fields }) }, destination)
}
