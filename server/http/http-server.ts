import { createServer, type RequestListener, type Server } from 'node:http'
import type { Config } from '../config.ts'

/** Longer than the proxies in front of us keep idle connections, so that they never reuse one that we are closing. */
const keepAliveMs = 72_000

/** Node's HTTP server with the installation's timeouts, which Fastify leaves to the factory of its server. */
export function createHttpServer({ http }: Pick<Config, 'http'>, listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: http.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, http.headersTimeoutMs),
      keepAliveTimeout: keepAliveMs,
      // Node's own limit is for whole requests and would cut uploads off: request-guard.ts has one for parsed bodies.
      requestTimeout: 0,
    },
    listener,
  )
  return server.setTimeout(http.idleTimeoutMs)
}
