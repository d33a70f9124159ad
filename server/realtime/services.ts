import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { CallerResolver } from '../http/caller.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { Database } from '../postgres/database.ts'
import type { RealtimeStatus } from './realtime-status.ts'

/** The services that realtime/v1 needs. */
export type Services = {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly callers: CallerResolver
  readonly trustsProxy: TrustsProxy
  readonly exchange: Exchange | undefined
  readonly realtime: RealtimeStatus
}
