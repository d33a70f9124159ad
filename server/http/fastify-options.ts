import { randomUUID } from 'node:crypto'
import { type FastifyBaseLogger, LogController } from 'fastify'
import type { TrustsProxy } from './client-address.ts'

/** Enough for clients' JSON; uploads have their own limits. */
export const bodyLimitBytes = 4 * 1024 * 1024

/** Fastify's options; http-server.ts creates the server itself. */
export function serverOptions({
  log,
  trustsProxy,
}: {
  readonly log: FastifyBaseLogger
  readonly trustsProxy: TrustsProxy
}) {
  return {
    loggerInstance: log,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    // Fastify's own request lines would contain the query, which may hold keys and signed links: request-log.ts writes ours.
    logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
    // An idle connection must not hold up a shutdown.
    forceCloseConnections: true as const,
    trustProxy: trustsProxy,
    routerOptions: { maxParamLength: 2048 },
  }
}
